"""A person who taps: a key typed at known moments into a real pseudo-terminal, compared with what the bundle says.

    python3 Tests/ParticipantTests/taps.py --entrain ENTRAIN [--seconds S] [--case CASE] [--seed SEED] [--sound]

Keeps a record of each tap by the system's clock. Works out by itself, from the stated onset of the clip and its own record, how far each
tap was from which beat, and the usual measures of them all; compares them with the bundle's items and with `entrain show`. Differences
of one tap may be LIMIT, those of means and standard deviations HALF. With `--sound`, the clip of clicks is played into a PulseAudio null
sink, and its clicks must be where the result says. Cases are `steady` (the screen), `plain` (by lines), `held` (the key is held down now
and then), `pause`, `suspend` (the program is stopped for three seconds), `hangup` and `kill`. Ends with 1 where something differs.
"""

import cmath
import glob
import json
import math
import os
import pty
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import time
import wave

import person

LIMIT, HALF = 0.002, 0.0005
CASES = ["steady", "plain", "held", "pause", "suspend", "hangup", "kill"]
BEAT, FIRST, RATE = 0.5, 0.25, 48000
STUDY = """entrain: 1
study: {{identifier: taps, title: Taps, seed: 1}}
sources: {{heartRate: {{type: simulated}}}}
stimuli: {{clips: {{catalogue: clips.yaml}}}}
tasks:
  - identifier: task
    display: {{heartRate: true}}
    steps:
      - type: active
        identifier: follow
        title: Tap to the beat
        duration: {seconds} s
        stimulus: {{from: clips, draw: fixed}}
        recorders:
          - {{type: taps, identifier: taps}}
          - {{type: heartRate, identifier: heart}}
      - {{type: completion, identifier: end, title: Thank you}}
"""


def clicks(folder, seconds):
    """A clip of clicks at 120 per minute, and a catalogue that says so."""
    frames = bytearray(4 * int(seconds * RATE) // 2)
    for number in range(int((seconds - FIRST) / BEAT)):
        place = int((FIRST + BEAT * number) * RATE) * 2
        frames[place:place + 96] = struct.pack("<48h", *[30000] * 48)
    with wave.open(os.path.join(folder, "clicks.wav"), "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(bytes(frames))
    with open(os.path.join(folder, "clips.yaml"), "w") as file:
        file.write("entrain: 1\nclips:\n  - {identifier: clicks, file: clicks.wav, "
                   f"duration: {seconds} s, beats: {{tempo: 120 bpm, first: {FIRST} s}}}}\n")


class Tapper(person.Person):
    def __init__(self, options, folder):
        super().__init__(options, folder, STUDY.format(seconds=options.seconds))
        clicks(folder, options.seconds)
        self.sound, environment = None, os.environ
        if options.sound:
            self.begin_sound(folder)
            environment = self.sound.environment
            self.arguments[self.arguments.index("none")] = "auto"
        if options.case == "plain":
            self.arguments.append("--plain")
        self.taps, self.held = [], 0
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

    def tap(self):
        self.taps.append(time.time())
        os.write(self.terminal, b" ")

    def hold(self):
        """A held key, as a terminal repeats it."""
        self.tap()
        self.read(0.4)
        for _ in range(12):
            os.write(self.terminal, b" ")
            self.held += 1
            self.read(0.033)

    def tap_for(self, seconds):
        """Two taps a second, each off by chance."""
        begin, number = time.monotonic(), 0
        end = begin + seconds
        while True:
            number += 1
            due = begin + BEAT * number + self.random.gauss(0, 0.03)
            if due > end or not self.read(max(0, due - time.monotonic())):
                return
            if self.options.case == "held" and number % 8 == 0:
                self.hold()
                begin += 1.5
            else:
                self.tap()

    def run(self):
        while "Tap to the beat" not in self.shown:
            if not self.read(0.02):
                sys.exit(f"the step was not shown: {self.shown[-2000:]!r}")
        seconds = self.options.seconds
        self.read(0.7)
        if self.options.case in ("pause", "suspend", "hangup", "kill"):
            self.tap_for(seconds / 3)
            if self.options.case == "pause":
                self.pause()
                self.tap_for(seconds / 3)
            elif self.options.case == "suspend":
                self.suspend()
                self.tap_for(seconds / 3)
            elif self.options.case == "hangup":
                self.read(0.3)
                os.close(self.terminal)
                self.terminal = None
            else:
                self.read(0.3)
                os.kill(self.process, 9)
        else:
            self.tap_for(seconds - 2.5)
        if self.options.case in ("hangup", "kill"):
            os.waitpid(self.process, 0)
            if self.options.case == "kill":
                self.recover()
        else:
            end = time.monotonic() + seconds
            while "Thank you" not in self.shown:
                if time.monotonic() > end or not self.read(0.05):
                    sys.exit(f"the step did not end: {self.shown[-2000:]!r}")
            self.leave()
            os.waitpid(self.process, 0)
        if self.sound:
            time.sleep(0.6)
            self.null_sink.stop(self.recorder)
            self.sound.end()

    def leave(self):
        """What is typed within a second after the taps is a late tap."""
        self.read(0.6)
        super().leave()

    def pause(self):
        self.read(0.3)
        os.write(self.terminal, b"p")
        self.read(0.5)
        os.write(self.terminal, b"  ")
        self.read(1)
        os.write(self.terminal, b"p")
        self.read(1)

    def suspend(self):
        self.read(0.3)
        os.kill(self.process, signal.SIGSTOP)
        self.stopped = time.time()
        time.sleep(3)
        self.went_on = time.time()
        os.kill(self.process, signal.SIGCONT)
        self.read(1)

    def compare_standstill(self, step, files, zero, shown):
        """The program had no time, and every place where somebody may look says so."""
        spans = step["userInfo"].get("standstills", [])
        if len(spans) != 1 or not -1.2 < spans[0]["from"] + zero - self.stopped < 0.1 \
                or not 0 <= spans[0]["to"] + zero - self.went_on < 1:
            sys.exit(f"stopped at {self.stopped - zero} and went on at {self.went_on - zero}: {spans}")
        gaps = [gap for file in files for gap in file["gaps"]]
        length = spans[0]["to"] - spans[0]["from"]
        if [dict(span, reason="standstill") for span in spans] != gaps or not all(file["coverage"] < 1 for file in files):
            sys.exit(f"the taps say {files}")
        if abs(shown["quality"]["stoodStill"] - length) > 1e-6:
            sys.exit(f"the quality is {shown['quality']}")

    def compare(self):
        bundle, result = self.bundle()
        # The completion is there only if the run came so far.
        step = next(step for step in result["results"] if step["identifier"] == "follow")
        items = []
        for path in sorted(glob.glob(bundle + "/**/tap_*.json", recursive=True)):
            items += json.load(open(path))["items"]
        items.sort(key=lambda item: item["metadata"]["runOffset"])
        told = [file["userInfo"] for file in step["results"] if "taps" in file.get("userInfo", {})]
        if len(items) != len(self.taps):
            sys.exit(f"{len(items)} taps are kept, and {len(self.taps)} were made")
        if sum(file["taps"]["held"] for file in told) != self.held:
            sys.exit(f"{self.held} repetitions were sent: {told}")
        late = [item["timestampSince1970"] - tap for item, tap in zip(items, self.taps)]
        wrong, asynchronies = [], []
        zero = items[0]["timestampSince1970"] - items[0]["metadata"]["runOffset"]
        onset = step["userInfo"]["stimulus"]["onsetOffset"]
        for item, tap in zip(items, self.taps):
            if self.options.case == "pause" and item["metadata"]["runOffset"] > onset + self.options.seconds / 3 + 2:
                continue
            position = tap - zero - onset
            number = round((position - FIRST) / BEAT)
            asynchrony = position - FIRST - BEAT * number
            if item.get("beat") != number + 1 or abs(item["asynchrony"] - asynchrony) > LIMIT \
                    or abs(item["phase"] - 360 * item["asynchrony"] / BEAT) > 1e-6:
                wrong.append((item, number + 1, asynchrony))
            asynchronies.append(asynchrony)
        # A machine at work reads a key late now and then.
        if len(wrong) > 1 + len(items) // 50:
            sys.exit(f"{len(wrong)} of {len(items)} taps stand at another beat or distance: {wrong[:2]}")
        shown = json.loads(subprocess.run(
            [self.options.entrain, "show", bundle, "--format", "json"], capture_output=True, check=True).stdout)
        if self.options.case == "suspend":
            self.compare_standstill(step, told, zero, shown)
        told = next(one["taps"] for one in shown["steps"] if one["identifier"] == "follow")
        figures = {"case": self.options.case, "sound": self.options.sound, "taps": len(items),
                   "ms": {"median": round(1e3 * statistics.median(late), 3), "worst": round(1e3 * max(map(abs, late)), 3)}}
        if self.options.case != "pause":
            mean, deviation = statistics.mean(asynchronies), statistics.stdev(asynchronies)
            vector = sum(cmath.exp(2j * math.pi * value / BEAT) for value in asynchronies) / len(asynchronies)
            off = {
                "mean": told["meanAsynchrony"] - mean, "deviation": told["asynchronyDeviation"] - deviation,
                "length": told["vectorLength"] - abs(vector),
                "direction": (told["meanDirection"] - math.degrees(cmath.phase(vector)) + 180) % 360 - 180}
            figures["off"] = {name: round(1e3 * value, 4) for name, value in off.items() if name in ("mean", "deviation")}
            if abs(off["mean"]) > HALF or abs(off["deviation"]) > HALF or abs(off["length"]) > 0.002 or abs(off["direction"]) > 0.5:
                sys.exit(f"the measures differ: {off}")
        if self.sound:
            figures["clicks"] = self.heard(step["userInfo"]["stimulus"])
        print(json.dumps(figures))

    def heard(self, stimulus):
        """How far the clicks of the recording are from each other, in frames more than they should be."""
        onsets = self.null_sink.onsets(self.null_sink.left_channel(self.raw))
        errors = [abs(b - a - BEAT * RATE) for a, b in zip(onsets, onsets[1:])]
        if stimulus["underruns"] == 0 and self.options.case != "pause" and max(errors) > 1:
            sys.exit(f"clicks are {max(errors)} frames off")
        return {"count": len(onsets), "off": max(errors), "underruns": stimulus["underruns"]}


if __name__ == "__main__":
    person.main(Tapper, __doc__, CASES, 30, "--sound")
