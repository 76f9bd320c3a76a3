"""Programs on three machines allocate participants from one ledger, through a monitor that is killed and started again.

Usage: race_monitor.py EXECUTABLES [--participants 200] [--programs 16] [--kills 4] [--loopback]

The three machines are network namespaces. Where those cannot be made, or with --loopback, they are three addresses of this
machine. Each participant has a run of `entrain run --plain`; two runs are killed in the middle and held again.
"""

import argparse
import collections
import contextlib
import glob
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

STUDY = """entrain: 1
study: {identifier: rooms, title: Rooms, seed: 1}
arms:
  - {identifier: music, values: {word: music}}
  - {identifier: quiet, values: {word: silence}}
allocation: {method: blocks, blocks: [2, 4], stratify: [sex]%s}
tasks:
  - identifier: Task
    steps:
      - {type: question, identifier: sex, title: Sex, answer: {choice: [female, male]}}
      - {type: allocation, identifier: arm, title: One moment}
      - {type: instruction, identifier: tell, title: "You get {word}."}
      - {type: completion, identifier: end}
"""
WORDS = {"You get music.": "music", "You get silence.": "quiet"}
PATIENCE = 240
AWAY = "The program keeps asking"


class Machines:
    """Three rooms and the machine with the monitor."""

    def __init__(self, stack, isLoopback):
        self.name = f"{os.getpid()}"
        self.areSeparate = not isLoopback and self.make(stack)
        self.hosts = ["10.77.0.1"] * 3 if self.areSeparate else ["127.0.0.1", "127.0.0.2", "127.0.0.3"]

    def make(self, stack):
        def ip(*words):
            return subprocess.run(["ip", *words], capture_output=True).returncode == 0

        hub = f"hub{self.name}"
        if not ip("netns", "add", hub):
            return False
        stack.callback(ip, "netns", "delete", hub)
        made = [ip("-n", hub, "link", "add", "bridge", "type", "bridge"),
                ip("-n", hub, "address", "add", "10.77.0.1/24", "dev", "bridge"),
                ip("-n", hub, "link", "set", "bridge", "up"), ip("-n", hub, "link", "set", "lo", "up")]
        for room in range(3):
            space = f"room{room}-{self.name}"
            made.append(ip("netns", "add", space))
            stack.callback(ip, "netns", "delete", space)
            made += [ip("-n", hub, "link", "add", f"to{room}", "type", "veth", "peer", "name", "eth0", "netns", space),
                     ip("-n", hub, "link", "set", f"to{room}", "master", "bridge"),
                     ip("-n", hub, "link", "set", f"to{room}", "up"),
                     ip("-n", space, "address", "add", f"10.77.0.{room + 11}/24", "dev", "eth0"),
                     ip("-n", space, "link", "set", "eth0", "up"), ip("-n", space, "link", "set", "lo", "up")]
        return all(made)

    def monitor(self, command):
        return ["ip", "netns", "exec", f"hub{self.name}", *command] if self.areSeparate else command

    def room(self, number, command):
        return ["ip", "netns", "exec", f"room{number}-{self.name}", *command] if self.areSeparate else command


class Lab:
    def __init__(self, folder, executables, machines, seats):
        self.folder, self.machines, self.executables = folder, machines, executables
        self.program = str(executables / "entrain")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        self.environment["SSL_CERT_FILE"] = str(folder / "chain.pem")
        names = ",".join(f"IP:{host}" for host in sorted(set(machines.hosts)))
        self.do("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "chain.pem",
                "-days", "2", "-subj", "/CN=monitor", "-addext", f"subjectAltName={names}")
        (folder / "study.yaml").write_text(STUDY % "")
        line = self.do(self.program, "allocation", "create", "study.yaml", "--out", "ledger").strip()
        (folder / "study.yaml").write_text(STUDY % f", {line}")
        # A room gets the next arm when its last run has ended, so that each seat has a token of its own.
        self.tokens = [self.token("allocate", f"seat-{seat}") for seat in range(seats)]
        self.waits = collections.Counter()
        self.isAwaited = threading.Event()
        self.server = None

    def do(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=self.environment)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    def token(self, scope, name):
        return self.do(str(self.executables / "entrain-monitor"), "token", "create", "--scope", scope,
                       "--name", name, "--data", "kept").strip()

    def begin(self):
        self.server = subprocess.Popen(
            self.machines.monitor([
                str(self.executables / "entrain-monitor"), "serve", "--host", "0.0.0.0", "--port", str(self.port),
                "--data", "kept", "--certificate", "chain.pem", "--key", "key.pem", "--ledger", "ledger"]),
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment)
        assert self.server.stdout.readline().startswith("Listening"), "the monitor did not begin"

    def kill(self):
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()

    def url(self, room):
        return f"https://{self.machines.hosts[room]}:{self.port}"

    def slots(self):
        lines = (self.folder / "ledger/ledger.jsonl").read_bytes().split(b"\n")[:-1]
        return [line for line in map(json.loads, lines) if "slot" in line]

    def start(self, participant, seat, *options, token=None, study="study.yaml", out=None):
        room = seat % 3
        return subprocess.Popen(
            self.machines.room(room, [
                self.program, "run", study, "--plain", "--audio", "none", "--participant", participant,
                "--out", out or f"results/room-{room}", "--ledger", self.url(room), *options]),
            cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.environment, "ENTRAIN_LEDGER_TOKEN": token or self.tokens[seat]})

    def until(self, run, words):
        """Reads what a run prints until it says one of some words, which are returned."""
        for line in run.stdout:
            if AWAY in line:
                self.waits["waits"] += 1
                self.isAwaited.set()
            for word in words:
                if word in line:
                    return word
        raise AssertionError(f"a run never said {words}: {run.stderr.read()}")

    def say(self, run, text):
        run.stdin.write(text)
        run.stdin.flush()

    def hold(self, number, seat, *options):
        """A whole run. Returns the arm that the participant was told."""
        run = self.start(f"P{number:03}", seat, *options)
        self.until(run, ["Sex"])
        self.say(run, f"{number % 2 + 1}\n")
        arm = WORDS[self.until(run, list(WORDS))]
        with contextlib.suppress(BrokenPipeError):
            self.say(run, "\n\n\n")
            run.stdin.close()
        run.stdout.read()
        assert run.wait() == 0, f"P{number:03}: {run.returncode} {run.stderr.read()}"
        return arm

    def break_off(self, number, seat):
        """A run that is killed while it asks for its arm."""
        run = self.start(f"P{number:03}", seat)
        self.until(run, ["Sex"])
        self.say(run, f"{number % 2 + 1}\n")
        run.kill()
        assert run.wait() == -signal.SIGKILL


def race(lab, count, programs, kills):
    told, problems = {}, []

    def work(first):
        try:
            for place, number in enumerate(range(first + 1, count + 1, programs)):
                isKilled = place == 1 and first in (0, programs - 1)
                if isKilled:
                    lab.break_off(number, first)
                told[f"P{number:03}"] = lab.hold(number, first, *(["--repeat", "killed"] if isKilled else []))
        except Exception as problem:
            problems.append(f"program {first}: {problem}")

    workers = [threading.Thread(target=work, args=[first]) for first in range(programs)]
    for worker in workers:
        worker.start()
    for kill in range(1, kills + 1):
        end = time.monotonic() + PATIENCE
        while len(lab.slots()) < count * kill // (kills + 1) and time.monotonic() < end and not problems:
            time.sleep(0.02)
        lab.isAwaited.clear()
        lab.kill()
        assert problems or lab.isAwaited.wait(PATIENCE), "nobody noticed that the monitor was away"
        lab.begin()
    for worker in workers:
        worker.join()
    assert not problems, problems
    return told


def judge(lab, told, count):
    slots = lab.slots()
    assert [slot["slot"] for slot in slots] == list(range(1, count + 1)), "slots"
    arms = {slot["participant"]: slot["arm"] for slot in slots}
    assert len(arms) == count and told == arms, "somebody was told another arm than the ledger's"
    completed = set()
    for bundle in glob.glob(str(lab.folder / "results/*/*/manifest.json")):
        manifest = json.loads(pathlib.Path(bundle).read_text())
        assert manifest.get("arm") in (arms[manifest["participant"]], None), bundle
        if manifest.get("arm"):
            completed.add(manifest["participant"])
    assert completed == set(arms), "a run is missing"
    lab.do(lab.program, "allocation", "verify", "ledger", "--results", "results")
    second = pathlib.Path(__file__).parent / "second_implementation.py"
    assert lab.do(sys.executable, str(second), "ledger") == f"{count} derived\n"


def refusals(lab, count):
    """What is refused before a run begins, and a run that waits until somebody interrupts it."""
    text = (lab.folder / "study.yaml").read_text()
    at = text.index("commitment: ") + len("commitment: ")
    other = text[:at] + "0" * 64 + text[at + 64:]
    (lab.folder / "other.yaml").write_text(other)
    (lab.folder / "stranger.yaml").write_text(text.replace("identifier: rooms", "identifier: strangers"))
    ingest = lab.token("ingest", "phone")
    for options, code, words in [
        ({"token": "wrong"}, 69, "ENTRAIN_LEDGER_TOKEN"), ({"token": ingest}, 69, "'allocate'"),
        ({"study": "other.yaml"}, 65, "another secret"), ({"study": "stranger.yaml"}, 69, "no ledger of the study"),
    ]:
        run = lab.start("X1", 0, out="refused", **options)
        errors = run.communicate()[1]
        assert run.returncode == code and words in errors, (options, run.returncode, errors)
        assert not glob.glob(str(lab.folder / "refused/*")), "a refused run left something"

    def ready():
        done = subprocess.run(
            lab.machines.room(0, [lab.program, "ready", "study.yaml", "--audio", "none", "--for", "1s", "--out", "refused",
                                  "--format", "json", "--ledger", lab.url(0)]),
            cwd=lab.folder, capture_output=True, text=True,
            env={**lab.environment, "ENTRAIN_LEDGER_TOKEN": lab.tokens[0]})
        found = [one for one in json.loads(done.stdout)["findings"] if one["subject"] == "ledger"]
        return done.returncode, found[0]["state"], found[0]["text"]

    assert ready()[:2] == (0, "ok"), ready()
    lab.kill()
    assert ready()[:2] == (69, "stop") and "cannot be reached" in ready()[2], ready()
    run = lab.start("X1", 0, out="left")
    lab.until(run, ["Sex"])
    lab.say(run, "1\n")
    lab.until(run, [AWAY])
    run.send_signal(signal.SIGINT)
    errors = run.communicate()[1]
    assert run.returncode == 130 and "will wait for it" in errors, (run.returncode, errors)
    lab.begin()
    lab.do(lab.program, "allocation", "reveal", "ledger", "--yes")
    run = lab.start("X2", 0, out="refused")
    errors = run.communicate()[1]
    assert run.returncode == 65 and "was revealed" in errors, (run.returncode, errors)
    assert len(lab.slots()) == count, "a refused run took a place"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("executables", type=lambda path: pathlib.Path(path).resolve())
    for name, value in [("participants", 200), ("programs", 16), ("kills", 4)]:
        options.add_argument(f"--{name}", type=int, default=value)
    options.add_argument("--loopback", action="store_true")
    options = options.parse_args()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lab = Lab(folder, options.executables, Machines(stack, options.loopback), options.programs)
        lab.begin()
        stack.callback(lambda: lab.kill())
        began = time.monotonic()
        told = race(lab, options.participants, options.programs, options.kills)
        seconds = time.monotonic() - began
        judge(lab, told, options.participants)
        refusals(lab, options.participants)
        where = "3 network namespaces" if lab.machines.areSeparate else "3 addresses of this machine"
        print(f"{len(told)} allocated from {where}; the monitor was killed {options.kills} times, and runs waited "
              f"{lab.waits['waits']} times; {seconds:.0f} s", file=sys.stderr)
        print(len(told), "allocated")


if __name__ == "__main__":
    main()
