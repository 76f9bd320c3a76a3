#!/usr/bin/env python3
"""Hands the built program what nobody expects, and judges what it does.

usage: fuzz.py --entrain PATH [--only KINDS] [--seconds S] [--seed N] [--limit S] [--keep FOLDER]

Kinds, each for so many seconds: `studies` (what authors write), `recordings` (what `import`, `hrv` and `export` read), `lines` (what
a live source sends), `keys` (what a participant types), `bodies` (what is sent to a monitor). Hostile bundles have a generator of
their own, `hostile_bundles.py`. Each starts from something good and changes it: bytes, lines, numbers, texts, order, length.

The program may refuse anything. It must end with a documented exit code, not by a signal, within 10 s, and print no
control character; a run must end at its time with a bundle that `verify` finds whole; a monitor must answer every body
with a documented status and go on. A failure says the seed and number with which it comes again.
"""
import argparse
import glob
import http.client
import json
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from hostile_bundles import HERE, LIMIT, NUMBERS, TEXTS, Judge, changed, dumped

STUDIES = os.path.join(HERE, "..", "..", "Studies", "*.yaml")
WORDS = ["~", "null", "true", "yes", "off", "0x1F", "1e400", ".inf", ".nan", "-0", "1_000", "2026-02-31", "12:61", "&a", "*a", "<<: *a",
         "!!binary x", "!tag", "|", ">-", "- - -", "? a", "{", "}", "[", "]", "{a: b, a: c}", "%YAML 9.9", "---", "...", "\t", "\ufeff",
         "1 s", "-1 s", "1e9 h", "0.0001 ms", "100 %", "101 %", "-5 dB", "1:00:00:00", "#", "a: b: c", "'", '"', "\\x00", "\u0000", "\u202e"]
LIVE = ["72", "72.5", "0", "-1", "1e9", "nan", "", " ", "\t72\t", "72,0.8", "{", "{}", '{"bpm":72}', '{"bpm":"x"}', '{"bpm":72,"rr":[0.8]}',
        '{"bpm":72,"rr":[1e99]}', '{"t":-1e300,"bpm":72}', '{"elapsed":1e300,"bpm":72}', "[]", "null", "72 73", "\x00", "\x1b[2J", "é" * 300,
        "9" * 4000, '{"a":' * 500, '{"bpm":72}{"bpm":73}', '{"bpm":72', "bpm=72"]
KEYS = ["\r", "\n", " ", "\t", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[Z", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[200~a\nb\x1b[201~",
        "\x1b[<0;5;5M", "\x1b[1;5D", "\x1bOP", "\x1b[999;999R", "\x1b[M   ", "\x7f", "\x08", "\x15", "\x1a", "\x1c", "\x12", "\x0c", "y", "n", "s", "b",
        "p", "q", "?", "5", "-", ".", ",", "11:15 PM", "é", "日本", "\u202e", "\xff", "\x00", "a" * 500, "\x1b[" + "9" * 300 + "m", "\x03"]
STATUSES = {200, 201, 204, 303, 400, 401, 403, 404, 405, 409, 411, 413, 415, 422, 429, 431, 501, 503, 507}


def text_changed(chance, text):
    """A text with bytes, words or lines of it changed."""
    lines = text.splitlines(keepends=True) or [""]
    for _ in range(chance.choice([1, 1, 2, 3, 6])):
        index = chance.randrange(len(lines))
        line, how = lines[index], chance.random()
        if how < 0.3:
            key, colon, _ = line.partition(":")
            value = chance.choice(WORDS + TEXTS + [str(number) for number in NUMBERS])
            lines[index] = key + colon + " " + value + "\n"
        elif how < 0.45:
            lines.insert(index, line)
        elif how < 0.6 and len(lines) > 1:
            del lines[index]
        elif how < 0.7:
            other = chance.randrange(len(lines))
            lines[index], lines[other] = lines[other], line
        elif how < 0.8:
            lines[index] = " " * chance.randrange(9) + line.lstrip(" ")
        elif how < 0.95 and line:
            place = chance.randrange(len(line))
            lines[index] = line[:place] + chance.choice(WORDS + list("{}[]:,#&*!|>'\"%@`-")) + line[place + chance.choice([0, 1]):]
        else:
            lines[index:] = [line[:chance.randrange(len(line) + 1)]]
            break
    return "".join(lines)


def bytes_changed(chance, content):
    content = bytearray(content)
    for _ in range(chance.choice([1, 3, 10, 40])):
        if not content:
            break
        place, how = chance.randrange(len(content)), chance.random()
        if how < 0.7:
            content[place] = chance.randrange(256)
        elif how < 0.85:
            del content[place:place + chance.choice([1, 2, 7, 100, 5000])]
        else:
            content[place:place] = content[place:place + chance.choice([1, 4, 50])] * chance.choice([1, 2, 30])
    return bytes(content)


class Fuzz:
    def __init__(self, options, scratch):
        self.options = options
        self.judge = Judge(os.path.abspath(options.entrain), options.limit)
        self.scratch = scratch
        self.made = {}

    def numbered(self, kind):
        """So many chances as fit into the time, each with its name."""
        end, number = time.monotonic() + self.options.seconds, 0
        while time.monotonic() < end or number == 0:
            known = len(self.judge.faults)
            yield random.Random(f"{self.options.seed} {kind} {number}"), f"{kind} (seed {self.options.seed}, number {number})"
            for fault in self.judge.faults[known:]:
                print(fault, flush=True)
            if len(self.judge.faults) > known and self.options.keep:
                shutil.copytree(self.scratch, os.path.join(self.options.keep, f"{kind}-{number}"), symlinks=True, dirs_exist_ok=True)
            number += 1
        self.made[kind] = number

    def folder(self):
        folder = os.path.join(self.scratch, "now")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def studies(self):
        good = [open(path, encoding="utf-8").read() for path in sorted(glob.glob(STUDIES))]
        for chance, name in self.numbered("studies"):
            folder, paths = self.folder(), []
            for index in range(12):
                paths.append(os.path.join(folder, f"{index}.yaml"))
                with open(paths[-1], "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(text_changed(chance, chance.choice(good)))
            self.judge.run(f"check, {name}", "check", *paths)
            path = chance.choice(paths)
            code, _ = self.judge.run(f"plan, {name}", "plan", path, "--participant", "P01")
            if code == 0:
                self.judge.run(
                    f"rehearse, {name}", "rehearse", path, "--participants", "1", "--out", os.path.join(folder, "out"))

    def recordings(self):
        lines = ["time,hr,rr"] + [f"2026-01-02T10:{second // 60:02}:{second % 60:02}Z,{60 + second % 30},{985 + second % 30}" for second in range(300)]
        good = {"a.csv": "\n".join(lines).encode(), "b.txt": "\n".join(str(800 + index * 7 % 90) for index in range(400)).encode(),
                "c.json": json.dumps([{"t": 1.7e9 + index, "bpm": 60 + index % 9} for index in range(99)]).encode(),
                "d.ndjson": "\n".join(json.dumps({"t": 1.7e9 + index, "bpm": 60, "rr": [1.0]}) for index in range(99)).encode()}
        for path in sorted(glob.glob(os.path.join(HERE, "..", "*", "**", "*.*"), recursive=True)):
            if os.path.splitext(path)[1] in {".fit", ".tcx", ".gpx", ".xml", ".edf", ".xdf", ".hea", ".gz", ".zip", ".hrm"} and os.path.getsize(path) < 300_000:
                with open(path, "rb") as file:
                    good[os.path.basename(path)] = file.read()
        for chance, name in self.numbered("recordings"):
            folder = self.folder()
            base = chance.choice(sorted(good))
            path = os.path.join(folder, base)
            isText = chance.random() < 0.6 and not any(byte > 126 or byte < 9 for byte in good[base][:200])
            with open(path, "wb") as file:
                file.write(text_changed(chance, good[base].decode("utf-8", "replace")).encode("utf-8", "surrogatepass") if isText
                           else bytes_changed(chance, good[base]))
            self.judge.run(f"import of {base}, {name}", "import", path)
            self.judge.run(f"hrv of {base}, {name}", "hrv", path)

    def study(self, folder, steps):
        path = os.path.join(folder, "study.yaml")
        with open(path, "w") as file:
            file.write("entrain: 1\nstudy: {identifier: fuzz, revision: 1, title: Fuzz}\nsources: {heartRate: {type: simulated}}\n"
                       "tasks:\n  - identifier: task\n    steps:\n" + "".join(f"      - {step}\n" for step in steps)
                       + "      - {type: completion, identifier: end, title: Thank you}\n")
        return path

    def whole(self, name, out):
        for bundle in glob.glob(os.path.join(out, "????????-*")):
            code, printed = self.judge.run(f"verify, {name}", "verify", bundle)
            self.judge.expect(name, code == 0, f"verify says {code}: {printed[-300:]!r}")

    def lines(self):
        step = "{type: active, identifier: rest, title: Rest, duration: 1 s, recorders: [{type: heartRate, identifier: pulse}]}"
        for chance, name in self.numbered("lines"):
            folder = self.folder()
            out = os.path.join(folder, "out")
            run = subprocess.Popen(
                [self.judge.entrain, "run", self.study(folder, [step]), "--participant", "P01", "--auto", "--source", "heartRate=stdin",
                 "--out", out], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                for _ in range(chance.choice([3, 30, 3000])):
                    line = chance.choice(LIVE)
                    if chance.random() < 0.3:
                        line = dumped(changed(chance, {"bpm": 72, "t": 1.7e9, "rr": [0.8, 0.9]})).decode("utf-8", "replace")
                    run.stdin.write((line + chance.choice(["\n", "\n", "\r\n", ""])).encode("utf-8", "surrogatepass"))
                run.stdin.flush()
                if chance.random() < 0.5:
                    run.stdin.close()
            except OSError:
                pass
            self.ended(f"run, {name}", run)
            self.whole(name, out)

    def ended(self, name, run):
        self.judge.runs += 1
        try:
            # `communicate` would close the input, which a silent strap does not do.
            run.wait(timeout=20)
            code = run.returncode
        except subprocess.TimeoutExpired:
            run.kill()
            code = None
        printed = run.stdout.read().decode("utf-8", "replace")
        self.judge.judge(name, code, printed)

    def keys(self):
        steps = ["{type: instruction, identifier: hello, title: Hello, text: Welcome.}",
                 "{type: question, identifier: age, title: How old are you?, answer: {number: {unit: years, min: 0, max: 120}}}",
                 "{type: question, identifier: mood, title: Mood?, optional: true, answer: {scale: {min: 0, max: 10}}}",
                 "{type: question, identifier: words, title: Words?, optional: true, answer: {text: {}}}",
                 "{type: active, identifier: rest, title: Rest, duration: 1 s}"]
        for chance, name in self.numbered("keys"):
            folder = self.folder()
            out = os.path.join(folder, "out")
            words = [self.judge.entrain, "run", self.study(folder, steps), "--participant", "P01", "--out", out]
            if chance.random() < 0.3:
                words.append("--plain")
            code = self.typed(chance, words)
            self.judge.runs += 1
            self.judge.expect(name, code in {0, 64, 65, 69, 74, 130, 129, 143}, f"the run ended with {code}")
            if code in {0, 130}:
                self.whole(name, out)

    def typed(self, chance, words):
        """Types at random into a terminal, then asks the program to end; its exit code."""
        child, terminal = pty.fork()
        if child == 0:
            os.environ["TERM"] = chance.choice(["xterm-256color", "vt100", "dumb"])
            os.execv(words[0], words)
        # Before anything is on the screen, keys are the terminal's own: Ctrl-C ends a program that has not begun.
        keys = [key for key in KEYS if key != "\x1c" or "--plain" not in words]
        seen, end, asked = b"", time.monotonic() + 20, False
        while True:
            if select.select([terminal], [], [], 0.02)[0]:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    break
                if not part:
                    break
                if b"Press Return to begin" in part and b"Welcome" not in seen:
                    os.write(terminal, b"\r")
                if b"Welcome" not in seen and b"Welcome" in seen + part:
                    end = time.monotonic() + chance.choice([0.3, 1, 3])
                seen = (seen + part)[-8192:] if b"Welcome" not in seen else seen
            if b"Welcome" not in seen and time.monotonic() < end:
                continue
            if time.monotonic() < end:
                try:
                    os.write(terminal, chance.choice(keys).encode("utf-8", "surrogateescape"))
                except OSError:
                    break
            elif not asked:
                os.kill(child, signal.SIGTERM)
                asked, end = True, time.monotonic()
            elif time.monotonic() > end + 10:
                os.kill(child, signal.SIGKILL)
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def bodies(self):
        program = os.path.join(os.path.dirname(self.judge.entrain), "entrain-monitor")
        if not os.path.exists(program):
            print("bodies: skipped, entrain-monitor is not built")
            return
        server = subprocess.Popen([program, "--port", "0", "--data", os.path.join(self.scratch, "monitor")],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        good = [("/api/sessions", {"id": "run-1", "startedAt": 1.7e9, "participant": "P01", "speed": 2, "limits": {"low": 60, "high": 120},
                                   "steps": [{"identifier": "a", "title": "A", "duration": 60, "expected": [[0, 60, 50, 70]]}]}),
                ("/api/sessions/run-1/events", {"events": [{"sequence": 1, "kind": "stepStarted", "elapsed": 1, "step": "a", "ordinal": 1}]}),
                ("/api/sessions/run-1/heart-rate", {"samples": [{"bpm": 70, "elapsed": 2, "rr": [0.8]}]}),
                ("/api/sessions/readings/heart-rate", {"bpm": 70, "t": 1.7e9, "rr": [0.8]}),
                ("/api/notes", {"t": 1.7e9, "text": "Coughed", "participant": "P01"}), ("/api/notes/1", {"text": "a"})]
        for chance, name in self.numbered("bodies"):
            path, value = chance.choice(good)
            body = dumped(changed(chance, json.loads(json.dumps(value))))
            if chance.random() < 0.3:
                body = bytes_changed(chance, body)
            if chance.random() < 0.2:
                path += "?" + chance.choice(["source=", "source=a b", "participant=", "source=" + "a" * 60, "participant=%00", "since=1e999"])
            self.judge.runs += 1
            status = 0
            try:
                connection = http.client.HTTPConnection("localhost", port, timeout=10)
                connection.request("POST", path.replace(" ", "%20"), body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                status = answer.status
                connection.request("GET", chance.choice(["/api/sessions", "/api/days/2023-11-14", "/api/sessions/run-1", "/history", "/api/sessions/run-1/heart-rate?since=1.7e9"]))
                follow = connection.getresponse()
                follow.read()
                self.judge.expect(name, follow.status in STATUSES, f"afterwards it answers {follow.status}")
                connection.close()
            except (OSError, http.client.HTTPException) as problem:
                self.judge.expect(name, False, f"{path} {body[:200]!r}: {problem!r}")
            self.judge.expect(name, status in STATUSES, f"{path} {body[:200]!r}: it answers {status}")
            if server.poll() is not None:
                self.judge.expect(name, False, f"the monitor ended with {server.returncode}")
                return
        server.terminate()
        self.judge.expect("bodies", server.wait(timeout=20) == 0, "the monitor does not end in order")


def main():
    kinds = ["studies", "recordings", "lines", "keys", "bodies"]
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--only", default=",".join(kinds), help="kinds, with commas")
    parser.add_argument("--seconds", type=float, default=60, help="for each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds in which a command must end; more where other work is about")
    parser.add_argument("--keep", help="where what led to a failure is copied")
    options = parser.parse_args()
    wrong = set(options.only.split(",")) - set(kinds)
    if wrong:
        parser.error(f"there is no kind {', '.join(sorted(wrong))}; there are {', '.join(kinds)}")
    with tempfile.TemporaryDirectory() as scratch:
        fuzz = Fuzz(options, scratch)
        for kind in options.only.split(","):
            getattr(fuzz, kind)()
    counts = ", ".join(f"{count} {kind}" for kind, count in fuzz.made.items())
    print(f"{counts}; {fuzz.judge.runs} commands, {len(fuzz.judge.faults)} faults")
    # What tried nothing found nothing.
    return 1 if fuzz.judge.faults or not any(fuzz.made.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
