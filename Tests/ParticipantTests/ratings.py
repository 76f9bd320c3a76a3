"""A person who rates: keys typed at known moments into a real pseudo-terminal, compared with what the bundle says.

    python3 Tests/ParticipantTests/ratings.py --entrain ENTRAIN [--seconds S] [--case CASE] [--seed SEED] [--plane]

Keeps a record of each key with the moment at which it was written to the terminal, and of where the mark must stand then. Compares
every change of the bundle with it: values exactly, moments to LIMIT of the median difference, which is that of both clocks. Cases are
`steady` (ten keys a second, at uneven moments), `held` (an arrow key that is held, 30/s), `digits`, `mouse`, `resize`, `suspend`,
`pause`, `hangup` and `kill`. Ends with 1 where something differs.
"""

import glob
import json
import os
import pty
import re
import shutil
import signal
import statistics
import sys
import time

import person

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 0.002
CASES = ["steady", "held", "digits", "mouse", "resize", "suspend", "pause", "hangup", "kill"]
STUDY = """entrain: 1
study: {{identifier: tension, title: Tension, seed: 1}}
sources: {{heartRate: {{type: simulated}}}}
stimuli: {{clips: {{catalogue: Media/clips.yaml}}}}
tasks:
  - identifier: task
    display: {{heartRate: true}}
    steps:
      - type: active
        identifier: listen
        title: How tense is it?
        duration: {seconds} s
        stimulus: {{from: clips, draw: fixed, loop: true}}
        recorders:
          - type: rating
            identifier: tension
            scale: {{name: x, from: 0, to: 100, fromLabel: calm, toLabel: tense, step: 1}}
            {plane}
            rate: 10 /s
          - {{type: heartRate, identifier: heart}}
          - {{type: events, identifier: acts}}
      - {{type: completion, identifier: end, title: Thank you}}
"""
ARROWS = {"right": "\x1b[C", "left": "\x1b[D", "up": "\x1b[A", "down": "\x1b[B"}


class Rater(person.Person):
    def __init__(self, options, folder):
        plane = "vertical: {name: y, from: 0, to: 100, fromLabel: low, toLabel: high, step: 1}" if options.plane else ""
        super().__init__(options, folder, STUDY.format(seconds=options.seconds, plane=plane))
        self.position = [50.0, 50.0] if options.plane else [50.0]
        self.changes, self.away = [], []
        shutil.copytree(os.path.join(ROOT, "Media"), os.path.join(folder, "Media"))
        self.shell, self.terminal = pty.fork()
        if self.shell == 0:
            os.environ["TERM"] = "xterm-256color"
            self.be_a_shell()
        self.process = None
        self.resize(80, 24)

    def be_a_shell(self):
        """Only a job of a shell can be suspended. Says the job's number first."""
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            os.tcsetpgrp(0, os.getpgrp())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            print(f"job {os.getpid()};", flush=True)
            os.execv(self.arguments[0], self.arguments)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                os._exit(0)

    def read(self, seconds):
        is_there = super().read(seconds)
        self.shown = self.shown[-200_000:]
        return is_there

    def wait_for(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.shown:
            if time.monotonic() > end or not self.read(0.02):
                sys.exit(f"'{text}' was not shown: {self.shown[-2000:]!r}")

    def press(self, text, target):
        moment = time.clock_gettime(time.CLOCK_BOOTTIME)
        os.write(self.terminal, text.encode())
        target = [min(100.0, max(0.0, value)) for value in target]
        if target != self.position:
            self.changes.append((moment, target))
        self.position = target

    def arrow(self, name):
        step = {"right": (0, 1), "left": (0, -1), "up": (-1, 1), "down": (-1, -1)}[name]
        target = list(self.position)
        target[step[0]] += step[1]
        self.press(ARROWS[name], target)

    def digit(self):
        digit = self.random.randint(1, 9)
        shares = [(digit - 1) % 3 / 2, (digit - 1) // 3 / 2] if self.options.plane else [(digit - 1) / 8]
        self.press(str(digit), [100 * share for share in shares])

    def rate(self, seconds, pause, key):
        """Presses keys for so long; `pause` says how long to wait before each."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(pause()):
                return
            key()

    def any_arrow(self):
        self.arrow(self.random.choice(list(ARROWS)))

    def uneven(self):
        return self.random.uniform(0.05, 0.15)

    def act(self):
        seconds, case = self.options.seconds, self.options.case
        quick = lambda: 0.033
        if case == "held":
            while self.left() > 1:
                self.rate(min(2, self.left() - 0.5), quick, lambda: self.arrow("right"))
                self.rate(min(2, max(0, self.left() - 0.5)), quick, lambda: self.arrow("left"))
        elif case == "digits":
            self.rate(seconds - 1, lambda: self.random.uniform(0.03, 0.2), self.digit)
        elif case == "mouse":
            self.mouse()
        elif case in ("resize", "suspend", "pause", "hangup", "kill"):
            self.rate(seconds / 3, self.uneven, self.any_arrow)
            {"resize": self.sizes, "suspend": self.suspend, "pause": self.pause, "hangup": self.hangup, "kill": self.kill}[case]()
            if case in ("hangup", "kill"):
                return
            self.rate(max(0, self.left() - 1), self.uneven, self.any_arrow)
        else:
            self.rate(seconds - 1, self.uneven, self.any_arrow)

    def left(self):
        return self.end - time.monotonic()

    def mouse(self):
        """Presses anywhere on the line, whose row and columns are read from the screen."""
        drawn = re.findall(r"\x1b\[(\d+);1H\x1b\[2K((?:(?!\x1b\[\d+;1H).)*?├(?:(?!\x1b\[\d+;1H).)*?┤)", self.shown)
        row, line = int(drawn[-1][0]), re.sub(r"\x1b\[[0-9;]*m", "", drawn[-1][1])
        first, count = line.index("├") + 2, line.index("┤") - line.index("├") - 1
        while self.left() > 1:
            place = self.random.randint(0, count - 1)
            value = round(1e6 * place / (count - 1) * 100) / 1e6
            self.press(f"\x1b[<0;{first + place};{row}M\x1b[<0;{first + place};{row}m", [value])
            self.read(self.uneven())

    def sizes(self):
        for size in [(40, 12), (120, 40), (80, 24)]:
            self.resize(*size)
            self.rate(0.5, self.uneven, self.any_arrow)

    def has_the_mouse(self):
        """Whether the terminal still reports its mouse: of a long run only the end is kept, where it may be given back only."""
        return self.shown.rfind("\x1b[?1002l") <= self.shown.rfind("\x1b[?1002h")

    def suspend(self):
        """Control-Z for three seconds, as a shell would do it."""
        start = time.clock_gettime(time.CLOCK_BOOTTIME)
        os.write(self.terminal, b"\x1a")
        self.read(1)
        state = open(f"/proc/{self.process}/stat").read().rsplit(")", 1)[1].split()[0]
        if state != "T":
            sys.exit(f"Control-Z did not stop the program: {state}")
        if self.has_the_mouse():
            sys.exit("the mouse stayed with the program that was suspended")
        self.read(2)
        os.kill(self.process, signal.SIGCONT)
        self.read(0.5)
        self.away.append((start, time.clock_gettime(time.CLOCK_BOOTTIME)))

    def pause(self):
        os.write(self.terminal, b"p")
        self.read(0.5)
        os.write(self.terminal, b"\x1b[C\x1b[C")
        self.read(1)
        os.write(self.terminal, b"p")
        self.read(0.5)
        self.end += 2.5

    def hangup(self):
        os.close(self.terminal)
        self.terminal = None

    def kill(self):
        os.kill(self.process, signal.SIGKILL)

    def run(self):
        self.wait_for(";")
        self.process = int(re.search(r"job (\d+);", self.shown)[1])
        self.wait_for("calm")
        self.wait_for("\x1b[?1002h")
        self.read(0.3)
        self.end = time.monotonic() + self.options.seconds - 0.5
        self.act()
        if self.terminal is not None and self.options.case != "kill":
            self.wait_for("Thank you", self.options.seconds)
            if self.has_the_mouse():
                sys.exit("the mouse stayed with the program when the rating was over")
            self.leave()
        os.waitpid(self.shell, 0)
        if self.options.case == "kill":
            self.recover()

    def compare(self):
        bundle, result = self.bundle()
        items, told = [], 0
        for path in sorted(glob.glob(bundle + "/**/rating_*.json", recursive=True)):
            items += json.load(open(path))["items"]
        items.sort(key=lambda item: item["metadata"]["runOffset"])
        gaps = []
        for step in result["results"]:
            for file in step["results"]:
                if "rating" in file.get("userInfo", {}):
                    told += file["userInfo"]["rating"]["changes"]
                    gaps += file["userInfo"]["gaps"]
        width = len(self.position)
        kept = [item for item in items if item["kind"] == "change"]
        kept = [(kept[i]["metadata"]["runOffset"], [item["value"] for item in kept[i:i + width]])
                for i in range(0, len(kept), width)]
        samples = [item["metadata"]["runOffset"] for item in items if item["kind"] == "sample"][::width]
        typed = self.changes
        if self.options.case in ("hangup", "kill"):
            # What was typed in the last moments may have been on its way.
            lost = len(typed) - len(kept)
            if not 0 <= lost <= 2:
                sys.exit(f"{lost} of {len(typed)} changes are missing")
            typed = typed[:len(kept)]
        if [values for _, values in kept] != [values for _, values in typed]:
            both = list(zip([v for _, v in kept], [v for _, v in typed]))
            place = next((i for i, (a, b) in enumerate(both) if a != b), len(both))
            sys.exit(f"{len(kept)} changes are kept, {len(typed)} were made; they differ from {place} on: "
                     f"{kept[place:place + 3]} {typed[place:place + 3]}")
        if told != len(kept):
            sys.exit(f"the result tells {told} changes, and the file holds {len(kept)}")
        differences = [moment - start for (start, _), (moment, _) in zip(kept, typed)]
        middle = statistics.median(differences)
        late = sorted(abs(difference - middle) for difference in differences)
        figures = {
            "case": self.options.case, "plane": self.options.plane, "seconds": self.options.seconds,
            "changes": len(kept), "samples": len(samples), "gaps": len(gaps),
            "ms": {"median": round(1e3 * statistics.median(late), 3),
                   "p99": round(1e3 * late[int(0.99 * (len(late) - 1))], 3), "worst": round(1e3 * late[-1], 3)},
        }
        print(json.dumps(figures))
        for start, end in self.away:
            if not any(gap["from"] <= start - middle + 1 and gap["to"] >= end - middle - 1 for gap in gaps):
                sys.exit(f"the time away is no gap: {gaps}")
        over = sum(value > LIMIT for value in late)
        if over:
            sys.exit(f"{over} of {len(late)} moments are more than {1e3 * LIMIT:.0f} ms off")


person.main(Rater, __doc__, CASES, 600, "--plane")
