"""A lab day of eight people and sixteen troubles, all of them handled at `entrain desk` by keys alone.

    python3 Tests/ParticipantTests/desk.py --entrain ENTRAIN [--show]

Participants sit at pseudo-terminals of their own, another room reports to a monitor, and a heart sends by a socket. The script
reads the screen of the desk as a person does, presses the keys that it offers, and then asks the other side: the bundles, their
journals and the monitor. It counts what was handled, and ends with 1 at the first trouble that was not. It needs a C compiler for
the clock and the free room of the disk that the programs see, and entrain-monitor beside ENTRAIN. It takes more than a minute, most of
which it waits for programs as people do, so it is called by hand and is not among the tests that run at each change.
"""

import argparse
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from sessions import Difference, Terminal

WORLD = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    const char *days = getenv("LAB_DAYS");
    if (result == 0 && clock == CLOCK_REALTIME && days) time->tv_sec += atol(days) * 86400;
    return result;
}
int statvfs(const char *restrict path, struct statvfs *restrict out) {
    const char *full = getenv("LAB_FULL");
    *out = (struct statvfs){.f_bsize = 4096, .f_frsize = 4096, .f_blocks = 1 << 30, .f_bfree = 1 << 28, .f_bavail = 1 << 28};
    if (full && access(full, F_OK) == 0) out->f_bfree = out->f_bavail = 64;
    return 0;
}
int statvfs64(const char *restrict path, struct statvfs64 *restrict out) { return statvfs(path, (struct statvfs *)out); }
"""

STUDY = """
entrain: 1
study: {identifier: lab, title: A lab day, seed: 7}
sources: {heartRate: {type: simulated}}
sessions:
  - {identifier: first, task: Listen}
  - {identifier: second, task: Listen, after: {session: first, days: [1, 2]}}
tasks:
  - identifier: Listen
    resume: {incomplete: resume}
    steps:
      - {type: instruction, identifier: hello, title: Hello}
      - {type: active, identifier: rest, title: A long rest, duration: 60 min, optional: true,
         recorders: [{type: heartRate, identifier: heart, source: heartRate}]}
      - {type: question, identifier: mood, title: Your mood, answer: {scale: {from: 1, to: 5}}}
      - {type: completion, identifier: done, title: Thank you}
"""


class Heart(threading.Thread):
    """A strap that sends every half second to whoever connects, until it is unplugged."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.is_plugged = True
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen()
        self.start()

    def run(self):
        while True:
            peer, _ = self.server.accept()
            threading.Thread(target=self.send, args=(peer,), daemon=True).start()

    def send(self, peer):
        while True:
            if self.is_plugged:
                try:
                    peer.sendall(b'{"bpm": 71}\n')
                except OSError:
                    return
            time.sleep(0.5)


class Person(Terminal):
    """Somebody at a terminal."""

    def go(self, key, is_there, what):
        """Presses a key until something is seen: a key that comes before its page is read does not count."""
        end = time.monotonic() + 30
        while not is_there():
            if time.monotonic() > end:
                raise Difference(f"never seen: {what}\n{self.screen.text}\n---\n{self.said[-600:]!r}")
            self.press(key)
            self.rest_until(is_there, 2)

    def shows(self, text):
        return lambda: text in self.screen.text

    def begin_rest(self):
        self.wait(self.shows("Hello"), "Hello")
        self.go("\r", self.shows("A long rest"), "the rest")
        self.rest_in()

    def rest_in(self):
        self.wait(self.shows("A long rest"), "the rest")
        self.go("\r", self.shows("p pause"), "that the rest runs")

    def leave_rest(self):
        self.go("s", self.shows("Your mood"), "the question")
        self.end()

    def end(self):
        self.go("4", self.shows("[4]"), "the answer")
        self.go("\r", self.shows("Thank you"), "the end")
        self.go("\r", lambda: "Your data are saved in" in self.said[-1500:], "that all is saved")


class Lab:
    def __init__(self, options):
        self.options, self.folder = options, tempfile.mkdtemp(prefix="entrain-desk-")
        self.results, self.handled, self.commands = f"{self.folder}/results", [], 0
        self.study, self.full = f"{self.folder}/study.yaml", f"{self.folder}/full"
        with open(self.study, "w") as file:
            file.write(STUDY)
        self.world = f"{self.folder}/world.so"
        with open(f"{self.folder}/world.c", "w") as file:
            file.write(WORLD)
        subprocess.run(
            [shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", self.world, f"{self.folder}/world.c"], check=True)
        self.heart = Heart(f"{self.folder}/heart")
        self.source = ["--source", f"heartRate=socket:{self.folder}/heart"]
        self.people = []

    def environment(self, days=0, **more):
        return {"LD_PRELOAD": self.world, "LAB_DAYS": str(days), "LAB_FULL": self.full, "TZ": "UTC", **more}

    def command(self, *words, days=0, **more):
        return ["/usr/bin/env"] + [f"{name}={value}" for name, value in self.environment(days, **more).items()] + [
            self.options.entrain, *words]

    def say(self, *words, days=0):
        return subprocess.run(self.command(*words, days=days), capture_output=True, text=True, timeout=60)

    def person(self, code, *words, days=0, results=None, **more):
        person = Person(self.command(
            "run", self.study, "--participant", code, "--out", results or self.results, *self.source, *words, days=days, **more))
        self.people.append(person)
        return person

    def earlier(self, code, days):
        """A first session some days ago, to its end."""
        person = self.person(code, days=-days)
        person.begin_rest()
        person.leave_rest()
        if person.finish() != 0:
            raise Difference(f"{code} did not end\n{person.said[-500:]}")

    # The desk.

    def sit_down(self):
        self.desk = Person(self.command(
            "desk", self.study, "--out", self.results, "--by", "R. A. Kim", "--monitor", self.monitor_url, "--", *self.source,
            ENTRAIN_MONITOR_TOKEN=self.token))
        self.desk.has_begun = True
        self.sees("To come")

    def sees(self, *texts):
        for text in texts:
            self.desk.wait(lambda: text in self.desk.screen.text, text)
        if self.options.show:
            print(self.desk.screen.text, "\n" + "-" * 80)

    def row(self, code):
        return next((line for line in self.desk.screen.lines if re.match(rf"\d+ +{code} ", line)), "")

    def sees_row(self, code, *texts):
        self.desk.wait(lambda: all(text in self.row(code) for text in texts), f"{code}: {texts}")
        if self.options.show:
            print(self.desk.screen.text, "\n" + "-" * 80)

    def choose(self, code):
        self.desk.press(self.row(code).split()[0])
        self.desk.wait(lambda: f"{code}:" in self.desk.screen.text, f"the keys of {code}")

    def key(self, key, words, question=None):
        """Presses a key that the desk offers."""
        self.desk.wait(lambda: f"{key} {words}" in self.desk.screen.text, f"the key {key} {words}")
        self.desk.press(key)
        if question:
            self.desk.wait(lambda: question in " ".join(self.desk.screen.text.split()), question)

    def words(self, text):
        self.desk.type(text + "\r")

    def received(self, what):
        self.desk.wait(lambda: f"{what}: received" in self.desk.screen.text, f"{what}: received")

    def back(self):
        self.desk.wait(lambda: "Return = back to the desk" in self.desk.said[-400:], "the way back")
        self.desk.press("\r")
        self.desk.wait(lambda: "To come" in self.desk.screen.text, "the desk again")

    def run_at_desk(self):
        """The run has the desk's terminal: its participant sits down, rests, and ends it."""
        person = self.desk
        person.wait(lambda: re.search(r"revision \d+ of ", person.said[-1500:]), "what begins")
        person.type("\r")

    def bundles(self, code):
        """The manifests of a participant's sealed runs, and their journals."""
        found = []
        for path in glob.glob(f"{self.results}/*/manifest.json"):
            with open(path) as file:
                manifest = json.load(file)
            if manifest["participant"] == code:
                with open(f"{os.path.dirname(path)}/journal.jsonl") as file:
                    found.append((manifest, file.read()))
        return found

    def marks(self, code):
        text = "".join(journal for _, journal in self.bundles(code))
        for path in glob.glob(f"{self.results}/*.running/journal.jsonl"):
            with open(path) as file:
                journal = file.read()
            text += journal if f'"participant":"{code}"' in journal.split("\n")[0] else ""
        return [json.loads(line)["event"]["marked"] for line in text.split("\n") if '"event":{"marked"' in line]

    def must(self, holds, trouble):
        if not holds:
            raise Difference(f"not so: {trouble}\n{self.desk.screen.text}")

    def done(self, trouble):
        self.handled.append(trouble)
        print(f"{len(self.handled):2} {trouble}", flush=True)

    # The monitor, and the other room.

    def open_monitor(self):
        data = f"{self.folder}/monitor"
        monitor = os.path.join(os.path.dirname(self.options.entrain), "entrain-monitor")
        made = subprocess.run(
            [monitor, "token", "create", "--scope", "control", "--scope", "read", "--name", "desk", "--data", data],
            capture_output=True, text=True, check=True)
        self.token = re.search(r"\S{20,}", made.stdout)[0]
        self.monitor = subprocess.Popen(
            [monitor, "serve", "--port", "0", "--data", data, "--alarm", "run dead"], stdout=subprocess.PIPE, text=True)
        self.monitor_url = self.monitor.stdout.readline().split()[-1].rstrip("/")

    def asked(self, path):
        request = urllib.request.Request(self.monitor_url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
            return json.load(answer)

    # The day.

    def before(self):
        self.open_monitor()
        for code in ["P02", "P03", "P07", "P08"]:
            self.earlier(code, 1)
        self.earlier("P05", 5)
        self.earlier("P04", 0)
        self.say("withdraw", "--participant", "P08", "--yes", self.results)

    def day(self):
        self.sit_down()
        self.sees("P02 can begin: second")
        self.must(not self.row("P08"), "a person who has withdrawn is not due")

        first = self.person("P01")
        first.begin_rest()
        self.sees_row("P01", "running", "♥ 71")
        self.choose("P01")
        self.key("m", "mark", "What happened with P01?")
        self.words("coughed")
        self.received("mark, P01")
        self.must([mark["text"] for mark in self.marks("P01")] == ["coughed"], "the mark is in the journal")
        self.done("a mark is wanted")

        self.heart.is_plugged = False
        self.sees_row("P01", "♥ not known")
        self.sees("Alarms", "P01: heartRate:")
        self.key("d", "disturbance", "What may have disturbed P01?")
        self.words("the strap was unplugged")
        self.received("disturbance, P01")
        self.heart.is_plugged = True
        self.sees_row("P01", "♥ 71")
        self.must(self.marks("P01")[-1]["kind"] == "disturbance", "the disturbance is in the journal")
        self.done("the strap is unplugged")

        second = self.person("P02", "--session", "2")
        second.begin_rest()
        self.sees_row("P02", "running")
        self.choose("P02")
        second.press("p")
        self.sees_row("P02", "paused for")
        self.key("g", "go on")
        self.sees_row("P02", "running")
        self.must(self.marks("P02")[-1]["control"] == "resume", "it goes on by the desk")
        self.done("a run is paused and forgotten")

        self.key("+", "new code", "The participant's code:")
        self.words("\x15P02")
        self.run_at_desk()
        self.desk.wait(lambda: "running in another window" in self.desk.said[-1500:], "refused")
        self.back()
        self.must(len(glob.glob(f"{self.results}/*.running")) == 2, "nothing has begun")
        self.done("two runs of one code")

        self.key("+", "new code", "The participant's code:")
        self.words("\x15P1")
        self.desk.wait(lambda: "Is this the same person?" in self.desk.said[-600:], "the question")
        self.words("y")
        self.back()
        self.must(len(glob.glob(f"{self.results}/*.running")) == 2, "nothing has begun")
        self.done("a wrong code is typed")

        self.key("+", "new code", "The participant's code:")
        self.words("\x15P08")
        self.desk.wait(lambda: "withdrawn" in self.desk.said[-1500:] or "withdrew" in self.desk.said[-1500:], "refused")
        self.back()
        self.done("a person who has withdrawn comes")

        self.choose("P02")
        self.key("s", "skip step", "is left, and does not come back. Why?")
        self.words("no time")
        self.received("skip step, P02")
        second.wait(second.shows("Your mood"), "the next step")
        self.must(self.marks("P02")[-1]["control"] == "skip", "it was skipped by the desk")
        self.done("a step must be skipped")

        self.key("x", "end run", "ends now")
        self.words("she must leave")
        second.finish()
        self.sees("Unusual today", "P02, second: ended as earlyTermination")
        states = sorted(manifest["status"] for manifest, _ in self.bundles("P02"))
        self.must(states == ["completed", "earlyTermination"], f"the bundle says how it ended: {states}")
        self.done("a run must end early")

        third = self.person("P03", "--session", "2")
        third.begin_rest()
        self.sees_row("P03", "running")
        third.kill()
        self.sees_row("P03", "stopped, can be resumed")
        self.choose("P03")
        self.key("g", "go on")
        self.run_at_desk()
        self.desk.rest_in()
        self.desk.leave_rest()
        self.back()
        states = sorted(manifest["status"] for manifest, _ in self.bundles("P03"))
        self.must(states == ["completed", "completed", "failed"], f"the killed run and the one that goes on: {states}")
        self.done("a run is killed")

        self.choose("P04")
        self.key("b", "begin", "is not due now")
        self.words("she travels tomorrow")
        self.run_at_desk()
        self.desk.begin_rest()
        self.desk.leave_rest()
        self.back()
        self.sees("P04, second: stated: she travels tomorrow")
        self.done("somebody comes too early for the second session")

        self.sees_row("P05", "overdue")
        self.choose("P05")
        self.key("b", "begin", "is not due now")
        self.words("was ill")
        self.run_at_desk()
        self.desk.begin_rest()
        self.desk.leave_rest()
        self.back()
        self.sees("P05, second: stated: was ill")
        said = [manifest.get("deviation") for code in ["P04", "P05"] for manifest, _ in self.bundles(code)]
        self.must({"she travels tomorrow", "was ill"} <= set(said), f"the bundles say why: {said}")
        self.done("a window was missed")

        open(self.full, "w").close()
        self.choose("P07")
        self.key("c", "check")
        self.desk.wait(lambda: re.search(r"STOP +disk", self.desk.said[-3000:]), "the disk is full")
        self.back()
        self.sees("P07: not ready", "STOP disk")
        os.remove(self.full)
        self.choose("P07")
        self.key("c", "check")
        self.back()
        self.sees("P07: ready")
        self.done("the disk is full")

        with open(self.study, "a") as file:
            file.write("# A comment changes nothing.\n")
        with open(self.study) as file:
            text = file.read()
        with open(self.study, "w") as file:
            file.write(text.replace("title: Your mood", "title: Your moods"))
        self.sees("The study is not as it was")
        self.choose("P07")
        self.key("b", "begin", "What is different for P07, and why?")
        self.words("a word was mended")
        self.run_at_desk()
        self.desk.begin_rest()
        self.desk.leave_rest()
        self.back()
        said = [manifest.get("deviation") for manifest, _ in self.bundles("P07")]
        self.must("a word was mended" in said, f"the bundle says what is different: {said}")
        with open(self.study, "w") as file:
            file.write(text)
        self.desk.wait(lambda: "The study is not as it was" not in self.desk.screen.text, "the study as it was")
        self.done("the study file was changed")

        self.other_room()
        first.leave_rest()
        if first.finish() != 0:
            raise Difference("P01 did not end")
        self.desk.press("q")
        self.must(self.desk.finish() == 0, "the desk ends")
        verified = self.say("verify", *glob.glob(f"{self.results}/*-*"))
        if verified.returncode != 0:
            raise Difference(verified.stdout + verified.stderr)

    def other_room(self):
        elsewhere = f"{self.folder}/elsewhere"
        sixth = self.person("P06", "--monitor", self.monitor_url, results=elsewhere)
        sixth.begin_rest()
        self.sees_row("P06", "running", "♥ 71")
        self.choose("P06")
        self.key("p", "pause", "Why pause P06?")
        self.words("fire drill")
        self.received("pause, P06")
        self.sees_row("P06", "paused for")
        self.key("g", "go on")
        self.sees_row("P06", "running")
        with open(glob.glob(f"{elsewhere}/*.running/journal.jsonl")[0]) as file:
            marks = [json.loads(line)["event"]["marked"] for line in file if '"event":{"marked"' in line]
        self.must([mark["control"] for mark in marks] == ["pause", "resume"], "the other room has it in its journal")
        self.done("a run in another room")

        self.key("n", "note", "A note about P06:")
        self.words("wears glasses")
        self.received("note, P06")
        run = next(session["id"] for session in self.asked("/api/sessions")["sessions"] if session.get("participant") == "P06")
        notes = self.asked("/api/days/today?participant=P06")
        self.must("wears glasses" in json.dumps(notes) and run, "the monitor has the note")
        self.done("a note about a person")

        sixth.kill()
        self.sees_row("P06", "no word from it")
        self.sees("P06: run dead")
        self.key("k", "alarm seen")
        self.desk.wait(lambda: "run dead: received" in self.desk.screen.text, "the alarm is acknowledged")
        self.must(all(alarm.get("acknowledged") for alarm in self.asked("/api/alarms")["alarms"]), "the monitor knows it")
        self.monitor.kill()
        self.monitor.wait()
        self.sees("other rooms are not known")
        self.done("the monitor is silent")

    def close(self):
        for person in self.people:
            if person.code is None:
                try:
                    person.kill()
                except (OSError, ChildProcessError):
                    pass
        self.monitor.kill()
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--show", action="store_true", help="print the desk whenever something is looked for")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    options.entrain = os.path.abspath(options.entrain)
    lab, began = Lab(options), time.monotonic()
    try:
        lab.before()
        print(f"prepared after {time.monotonic() - began:.0f} s", flush=True)
        lab.day()
    except Difference as difference:
        print(difference)
        return 1
    finally:
        lab.close()
    print(f"{len(lab.handled)} of 16 troubles handled at the desk, in {time.monotonic() - began:.0f} s")
    return 0 if len(lab.handled) == 16 else 1


if __name__ == "__main__":
    sys.exit(main())
