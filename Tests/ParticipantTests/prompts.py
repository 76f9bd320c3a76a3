"""A person who is asked while something goes on: keys typed into a real pseudo-terminal, compared with what the bundle says.

    python3 Tests/ParticipantTests/prompts.py --entrain ENTRAIN [--case CASE] [--seed SEED] [--seconds S] [--plain]

Reads each question off the terminal, and answers by chance: soon, late, at the last moment, twice, never, half, or with a Return that is
held from before the question to behind it. Keeps a record of what was seen and typed, and compares every asking of the bundle with it:
the answer, whether there is one, what ended it, what was half typed, and that the step and its recordings lasted as long as they should.
Cases are `answers`, `pause` (in the middle of questions), `locked` (the same behind a word), `rating` (a mark is moved between the
questions), and `kill` (during an open question; then `recover` and `verify`). Ends with 1 where something differs.
"""

import json
import os
import pty
import signal
import sys
import time

import person

CASES = ["answers", "pause", "locked", "rating", "kill"]
EVERY, LIMIT = 4.0, 3.0
STUDY = """entrain: 1
study: {{identifier: ride, title: Ride, seed: 1}}
sources: {{heartRate: {{type: simulated}}}}
tasks:
  - identifier: task
    steps:
      - type: active
        identifier: cycling
        title: Keep going.
        duration: {seconds} s
        prompts:
          - {{identifier: effort, title: "How hard?", answer: {{scale: {{from: 1, to: 9}}}}, every: 4 s, timeLimit: 3 s}}
        recorders:
          - {{type: heartRate, identifier: heart}}
          - {{type: events, identifier: acts}}
          {rating}
      - {{type: completion, identifier: end, title: Thank you}}
"""
RATING = "- {type: rating, identifier: tension, scale: {from: 0, to: 100, fromLabel: calm, toLabel: tense, step: 1}}"
ACTS = ["soon", "late", "last", "twice", "never", "half", "held", "change"]


class Asked(person.Person):
    def __init__(self, options, folder):
        rating = RATING if options.case == "rating" else ""
        super().__init__(options, folder, STUDY.format(seconds=options.seconds, rating=rating))
        self.seen, self.record, self.paused, self.moves, self.mark = 0, [], 0.0, 0, 50
        arguments = self.arguments + (["--plain"] if options.plain else [])
        arguments += ["--kiosk", "sesame"] if options.case == "locked" else []
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(arguments[0], arguments)
        self.resize(80, 24)

    def wait_for(self, text, seconds=30):
        """Waits until a text is shown behind what was seen before."""
        end = time.monotonic() + seconds
        while (place := self.shown.find(text, self.seen)) < 0:
            if time.monotonic() > end or not self.read(0.01):
                sys.exit(f"'{text}' was not shown: {self.shown[-2000:]!r}")
        self.seen = place + len(text)

    def press(self, text):
        os.write(self.terminal, text.encode())

    def hold_return(self, is_over):
        while not is_over():
            self.press("\r")
            self.read(0.033)

    def pause(self):
        """Pauses in the middle of a question, or tries to."""
        if self.options.plain:
            self.press("pause\r")
        else:
            self.press("\x1b")
            self.read(0.3)
            self.press("\r")
        began = time.monotonic()
        self.wait_for("Paused")
        self.read(4)
        self.press("9\r" if self.options.plain else "9")
        self.read(0.3)
        self.press("resume\r" if self.options.plain else "p")
        self.wait_for("How hard?")
        self.paused += time.monotonic() - began

    def move(self, place):
        place = min(100, place)
        self.moves += place != self.mark
        self.mark = place

    def ask(self, number):
        if self.options.case == "rating":
            self.read(0.3)
            for _ in range(3):
                self.press("\x1b[C")
                self.move(self.mark + 1)
                self.read(0.05)
        act = self.random.choice(ACTS)
        if self.options.plain and act == "change":
            act = "late"
        if act == "held":
            self.hold_return(lambda: "How hard?" in self.shown[self.seen:])
        self.wait_for("How hard?", EVERY + 5)
        asked = time.monotonic()
        answer, draft = self.random.randint(1, 9), None
        if act == "held":
            self.hold_return(lambda: time.monotonic() > asked + 1.5)
        elif act in ("soon", "twice"):
            self.read(0.6)
        elif act == "late":
            self.read(self.random.uniform(1, 2))
        elif act == "last":
            self.read(LIMIT - 0.5)
        elif act in ("half", "change"):
            self.read(0.8)
            draft = answer
            self.press(str(answer))
            self.read(0.5)
            if act == "change":
                answer, draft = answer % 9 + 1, None
                self.press(f"\x7f{answer}")
                self.read(0.2)
        before = self.paused
        isEarly = time.monotonic() < asked + LIMIT - 1.2 and draft is None and act != "change"
        if self.options.case == "pause" and isEarly:
            self.read(max(0, asked + 0.8 - time.monotonic()))
            self.pause()
            self.read(0.6)
        if self.options.case == "locked" and isEarly:
            self.read(max(0, asked + 0.8 - time.monotonic()))
            self.press("pause\r" if self.options.plain else "\x1b")
            self.read(0.3)
        if act in ("never", "half", "held"):
            self.record.append((act, None, draft))
            self.read(max(0, asked + LIMIT + 0.5 + self.paused - before - time.monotonic()))
            return
        self.press("\r" if act == "change" else f"{answer}\r")
        if act == "twice":
            self.read(0.1)
            self.press(f"{answer % 9 + 1}\r")
            self.move((answer % 9) * 12.5)
        self.record.append((act, answer, None))

    def run(self):
        self.wait_for("Keep going.")
        began = time.monotonic()
        count = int((self.options.seconds - 0.1) // EVERY)
        for number in range(1, count + 1):
            if self.options.case == "kill" and number == count:
                self.wait_for("How hard?", EVERY + 5)
                self.read(1)
                self.press("7")
                self.read(0.6)
                os.kill(self.process, signal.SIGKILL)
                self.record.append(("kill", None, 7))
                break
            self.ask(number)
        if self.options.case != "kill":
            self.wait_for("Thank you", self.options.seconds)
            self.lasted = time.monotonic() - began
            self.leave()
        os.waitpid(self.process, 0)
        if self.options.case == "kill":
            self.recover()

    def compare(self):
        step = self.bundle()[1]["results"][0]
        askings = [entry for entry in step["results"] if "prompt" in entry.get("userInfo", {})]
        told = [(entry["userInfo"]["prompt"]["number"], entry.get("scaleAnswer"), entry["userInfo"]["prompt"]["timedOut"])
                for entry in askings]
        typed = [(number, answer, answer is None) for number, (_, answer, _) in enumerate(self.record, 1)]
        if told != typed:
            sys.exit(f"the bundle tells {told}, and this was done: {typed} {[act for act, _, _ in self.record]}")
        drafts = [draft["textAnswer"] for draft in step["userInfo"].get("drafts", [])]
        half = [str(draft) for _, _, draft in self.record if draft is not None]
        if drafts != half:
            sys.exit(f"the drafts are {drafts}, and these were half typed: {half}")
        planned = [entry["userInfo"]["prompt"]["plannedOffset"] for entry in askings]
        shown = [entry["userInfo"]["prompt"]["shownOffset"] for entry in askings]
        late = max(b - a for a, b in zip(planned, shown))
        begin, pauses = step["userInfo"]["startOffset"], step["userInfo"].get("pauses", [])
        for number, moment in enumerate(planned, 1):
            away = sum(pause["to"] - pause["from"] for pause in pauses if pause["from"] < moment)
            if abs(moment - begin - away - number * EVERY) > 1e-6:
                sys.exit(f"asking {number} was due at {moment}, after {away} s of pauses")
        for entry in askings:
            prompt = entry["userInfo"]["prompt"]
            away = sum(pause["to"] - pause["from"] for pause in pauses
                       if prompt["shownOffset"] < pause["from"] < prompt["endedOffset"])
            if prompt["endedBy"] == "timeLimit" and abs(prompt["endedOffset"] - prompt["shownOffset"] - away - LIMIT) > 1e-6:
                sys.exit(f"its time was not {LIMIT} s: {prompt}")
        if self.options.case != "kill" and abs(step["userInfo"]["actualDuration"] - self.options.seconds) > 1e-6:
            sys.exit(f"the step lasted {step['userInfo']['actualDuration']} s")
        if self.options.case == "rating":
            kept = [entry["userInfo"]["rating"]["changes"] for entry in step["results"] if "rating" in entry.get("userInfo", {})]
            if sum(kept) != self.moves:
                sys.exit(f"the mark was moved {self.moves} times, and {kept} are told")
        print(json.dumps({"case": self.options.case, "plain": self.options.plain, "askings": len(askings),
                          "missed": sum(missed for _, _, missed in told), "drafts": len(drafts), "pauses": len(pauses),
                          "worst ms late": round(1e3 * late, 2)}))


person.main(Asked, __doc__, CASES, 62.0, "--plain")
