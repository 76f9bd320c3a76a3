"""A person who reacts: keys typed at known moments into a real pseudo-terminal, compared with what the bundle says.

    python3 Tests/ParticipantTests/reactions.py --entrain ENTRAIN [--trials N] [--case CASE] [--seed SEED] [--sound]

Keeps a record of each key by the system's clock. In each trial one or two keys come by chance: too early, right, wrong, or none in time.
Works out by itself which key counts, from its own record and the onset that the bundle states, and compares answer, key, time, whether it
was right, and how many keys did not count. Single times may differ by LIMIT, their median by HALF. With `--sound`, the clicks are played
into a PulseAudio null sink, and lie there as far from each other as the stated onsets do. Cases are `steady` (the screen), `plain` (by
lines), `held` (the key is held down into the next trial), `hangup` and `kill`. Ends with 1 where something differs.
"""

import json
import os
import pty
import shutil
import statistics
import sys
import time

import person

LIMIT, HALF, RATE = 0.005, 0.001, 48000
CASES = ["steady", "plain", "held", "hangup", "kill"]
CATALOGUE = "entrain: 1\nclips:\n  - {identifier: click, clicks: 1 s, beats: {tempo: 30 bpm, first: 0 s}}\n"
STUDY = """entrain: 1
study: {{identifier: reactions, title: Reactions, seed: 1}}
stimuli: {{clips: {{catalogue: clips.yaml}}}}
tasks:
  - identifier: task
    steps:
      - type: block
        identifier: trials
        repeat: {trials}
        steps:
          - type: active
            identifier: gap
            title: Gap
            duration: 700 ms
            timer: {{show: false}}
          - type: active
            identifier: trial
            title: Trial {{round}}
            text: Trial
            duration: 2 s
            timer: {{show: false}}
            stimulus: {{from: clips, draw: fixed, onset: 300 ms}}
            reaction:
              keys: [{{key: f, value: left, text: Left}}, {{key: j, value: right, text: Right}}]
              correct: left
              feedback: {{right: Good, wrong: Bad, late: Slow, for: 300 ms}}
      - {{type: completion, identifier: end, title: Thank you}}
"""


class Reactor(person.Person):
    def __init__(self, options, folder):
        super().__init__(options, folder, STUDY.replace("Trial {{round}}", "Trial").format(trials=options.seconds))
        with open(os.path.join(folder, "clips.yaml"), "w") as file:
            file.write(CATALOGUE)
        self.sound, environment = None, os.environ
        if options.sound:
            self.begin_sound(folder)
            environment = self.sound.environment
            self.arguments[self.arguments.index("none")] = "auto"
        if options.case == "plain":
            self.arguments.append("--plain")
        self.keys = []
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(self.arguments[0], self.arguments, dict(environment, TERM="xterm-256color"))
        self.resize(80, 24)

    def begin_sound(self, folder):
        for program in ["pulseaudio", "pactl", "parec"]:
            if not shutil.which(program):
                print(f"skipped: {program} is not installed")
                sys.exit(0)
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "SoundTests"))
        import null_sink
        self.null_sink = null_sink
        self.sound = null_sink.Sound(folder)
        self.raw = os.path.join(folder, "heard.raw")
        self.recorder = self.sound.record(self.raw)

    def press(self, key, is_held=False):
        self.keys.append((time.time(), key, is_held))
        os.write(self.terminal, key.encode())

    def wait_for(self, words, seconds=6):
        """Waits until the words come again; forgets what was shown before."""
        end = time.monotonic() + seconds
        while words not in self.shown:
            if time.monotonic() > end or not self.read(0.005):
                sys.exit(f"'{words}' was not shown: {self.shown[-1500:]!r}")
        self.shown = self.shown[self.shown.rindex(words) + len(words):]

    def trial(self, number):
        # The row of the title is sent once a trial; that of the keys again whenever it moves.
        self.wait_for("F = Left" if self.options.case == "plain" else "\x1b[4;1H\x1b[2K  Trial")
        latest = 1.2 if self.sound is None else 1.0
        kind = self.random.choice(["right", "right", "wrong", "early", "early", "none"])
        if kind == "early":
            self.read(self.random.uniform(0.02, 0.25))
            self.press("f")
            self.read(0.9)
            self.press("j")
        elif kind != "none":
            self.read(self.random.uniform(0.9, 0.9 + latest - 0.2) if self.sound else self.random.uniform(0.35, latest))
            self.press("f" if kind == "right" else "j")
        if self.options.case == "held" and kind in ("right", "wrong") and number % 2 == 0:
            key = self.keys[-1][1]
            self.read(0.45)
            for _ in range(50):
                self.press(key, True)
                self.read(0.033)
            # A finger needs a while to press anew.
            self.read(0.4)
            self.shown = self.shown[-4000:]

    def run(self):
        trials = self.options.seconds
        for number in range(trials):
            self.trial(number)
            if self.options.case in ("hangup", "kill") and number == trials // 2:
                self.read(0.4)
                if self.options.case == "hangup":
                    os.close(self.terminal)
                    self.terminal = None
                else:
                    os.kill(self.process, 9)
                os.waitpid(self.process, 0)
                if self.options.case == "kill":
                    self.recover()
                break
        else:
            self.wait_for("Thank you", 10)
            self.read(0.6)
            self.leave()
            os.waitpid(self.process, 0)
        if self.sound:
            time.sleep(0.6)
            self.null_sink.stop(self.recorder)
            self.sound.end()

    def compare(self):
        bundle, result = self.bundle()
        with open(os.path.join(bundle, "journal.jsonl")) as journal:
            clock = json.loads(journal.readline())["wallClock"]
        zero = clock["seconds"] + clock["nanoseconds"] / 1e9
        wrong, late, onsets, counts = [], [], [], {"answered": 0, "missed": 0, "ignored": 0}
        steps = [step for step in result["results"] if step["identifier"].endswith("trial")]
        for step in steps:
            info = step["userInfo"]
            begin, end = zero + info["startOffset"], zero + info["endOffset"]
            stimulus = info.get("stimulus", {}).get("onsetOffset")
            if stimulus is not None:
                onsets.append(stimulus)
            answers = [one for one in step["results"] if one["identifier"] == "trial"]
            if len(answers) != 1:
                # The run ended before the trial began.
                continue
            told = answers[0]["userInfo"]["reaction"]
            onset = told.get("onsetOffset", stimulus)
            ignored, reaction = 0, None
            for moment, key, is_held in self.keys:
                if not begin <= moment <= min(end, begin + 2) or reaction:
                    continue
                if is_held or moment < zero + onset:
                    ignored += 1
                else:
                    reaction = (moment, key)
            counts["ignored"] += ignored
            value = {"f": "left", "j": "right"}[reaction[1]] if reaction else None
            mine = (value, reaction and reaction[1], value and value == "left", ignored)
            theirs = ((answers[0].get("choiceAnswers") or [None])[0], told.get("key"), told.get("right"), told["ignoredKeys"])
            if reaction and "time" in told:
                late.append(told["time"] - (reaction[0] - zero - onset))
                counts["answered"] += 1
                if told["measuredFrom"] != ("sound" if self.sound else "plannedSound"):
                    wrong.append(("measured from", told))
            else:
                counts["missed"] += 1
            if mine != theirs:
                wrong.append((mine, theirs, told, step["userInfo"].get("endedBy")))
        if wrong:
            sys.exit(f"{len(wrong)} of {len(steps)} trials differ: {wrong[:3]}")
        many = [error for error in late if abs(error) > LIMIT]
        if len(many) > 1 + len(late) // 50 or abs(statistics.median(late)) > HALF:
            sys.exit(f"times differ: median {statistics.median(late)}, {sorted(late, key=abs)[-5:]}")
        figures = {"case": self.options.case, "sound": bool(self.sound), "trials": len(steps), **counts,
                   "ms": {"median": round(1e3 * statistics.median(late), 3),
                          "p99": round(1e3 * sorted(map(abs, late))[min(len(late) - 1, int(len(late) * 0.99))], 3)}}
        if self.sound:
            heard = self.null_sink.onsets(self.null_sink.left_channel(self.raw))
            told = [b - a for a, b in zip(onsets, onsets[1:])]
            mine = [(b - a) / RATE for a, b in zip(heard, heard[1:])]
            if len(heard) != len(onsets):
                sys.exit(f"{len(heard)} clicks were heard, and {len(onsets)} are stated")
            figures["clicks"] = {"count": len(heard), "ms off": round(1e3 * max(abs(a - b) for a, b in zip(told, mine)), 3)}
        print(json.dumps(figures))


if __name__ == "__main__":
    person.main(Reactor, __doc__, CASES, 12, "--sound")
