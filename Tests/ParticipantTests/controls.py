"""A hand on a control: movements written at known moments into a device's file, compared with what the bundle says.

    python3 Tests/ParticipantTests/controls.py --entrain ENTRAIN [--seconds S] [--case CASE] [--seed SEED] [--plane]

The device is a pipe with a name, into which this program writes what the kernel would: control changes with running status and clock bytes
between them (`midi`, `away`), or `struct input_event` (`joystick`). It keeps a record of each movement with its moment. Every change of
the bundle must be there with its value, at most LIMIT from the median of the differences, which is that of both clocks. In `away` the device
is taken away in the middle; the participant goes on with the keys, and the result tells why. Ends with 1 where something differs.
"""

import glob
import json
import os
import pty
import statistics
import struct
import sys
import time

import person

LIMIT = 0.002
CASES = ["midi", "joystick", "away"]
STUDY = """entrain: 1
study: {{identifier: tension, title: Tension, seed: 1}}
sources: {{slider: {{type: midi, device: /dev/snd/midiC0D0}}}}
tasks:
  - identifier: task
    steps:
      - type: active
        identifier: listen
        title: How tense is it?
        duration: {seconds} s
        recorders:
          - type: rating
            identifier: tension
            source: slider
            scale: {{name: x, from: 0, to: 127, fromLabel: calm, toLabel: tense, start: 64, step: 1}}
            {plane}
            rate: 10 /s
      - {{type: completion, identifier: end, title: Thank you}}
"""


class Hand(person.Person):
    def __init__(self, options, folder):
        plane = "vertical: {name: y, from: 0, to: 127, fromLabel: low, toLabel: high, start: 64}" if options.plane else ""
        super().__init__(options, folder, STUDY.format(seconds=options.seconds, plane=plane))
        self.position, self.changes = [64.0, 64.0] if options.plane else [64.0], []
        self.device, self.is_away, self.status = os.path.join(folder, "device"), False, False
        os.mkfifo(self.device)
        spec = {"joystick": "joystick:{}@x,y", "midi": "midi:{}@7,8", "away": "midi:{}@7,8"}[options.case]
        self.arguments += ["--source", "slider=" + spec.format(self.device)]
        self.pipe = os.open(self.device, os.O_RDWR | os.O_NONBLOCK)
        self.shell, self.terminal = pty.fork()
        if self.shell == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(self.arguments[0], self.arguments)
        self.resize(80, 24)

    def wait_for(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.shown:
            if time.monotonic() > end or not self.read(0.02):
                sys.exit(f"'{text}' was not shown: {self.shown[-2000:]!r}")

    def note(self, target):
        if target != self.position:
            self.changes.append((time.clock_gettime(time.CLOCK_BOOTTIME), target))
        self.position = target

    def move(self):
        """Moves one control, or sometimes both axes of a stick at once."""
        place = self.random.randrange(len(self.position))
        target = list(self.position)
        target[place] = float(self.random.randint(0, 127))
        if self.options.case == "joystick":
            both = len(target) > 1 and self.random.random() < 0.3
            if both:
                target[1 - place] = float(self.random.randint(0, 127))
            data = b""
            for axis in range(len(target)) if both else [place]:
                # Upwards is downwards for a joystick.
                share = target[axis] / 127 if axis == 0 else 1 - target[axis] / 127
                raw = round(-32768 + share * 65535)
                share = (raw + 32768) / 65535
                target[axis] = round((share if axis == 0 else 1 - share) * 127 * 1e6) / 1e6
                data += struct.pack("@qqHHi", 0, 0, 3, axis, raw)
            data += struct.pack("@qqHHi", 0, 0, 1, 288, 1) + struct.pack("@qqHHi", 0, 0, 0, 0, 0)
        else:
            data = b"" if self.status and self.random.random() < 0.7 else b"\xb0"
            data += bytes([7 + place]) + (b"\xf8" if self.random.random() < 0.3 else b"") + bytes([int(target[place])])
            self.status = True
        self.note(target)
        os.write(self.pipe, data)

    def key(self):
        """An arrow, while the device is away."""
        self.note([min(127.0, self.position[0] + 1)] + self.position[1:])
        os.write(self.terminal, b"\x1b[C")

    def act(self, until, what):
        while time.monotonic() < until:
            if not self.read(self.random.uniform(0.02, 0.15)):
                return
            what()

    def run(self):
        self.wait_for("calm")
        self.read(0.5)
        start = time.monotonic()
        end = start + self.options.seconds - 1.5
        if self.options.case == "away":
            self.act(start + self.options.seconds / 3, self.move)
            os.unlink(self.device)
            os.close(self.pipe)
            self.read(0.3)
            self.act(start + 2 * self.options.seconds / 3, self.key)
            os.mkfifo(self.device)
            self.pipe = os.open(self.device, os.O_RDWR | os.O_NONBLOCK)
            self.status = False
            self.read(1.5)
        self.act(end, self.move)
        self.wait_for("Thank you", self.options.seconds)
        self.leave()
        os.waitpid(self.shell, 0)

    def compare(self):
        bundle, result = self.bundle()
        items = []
        for path in sorted(glob.glob(bundle + "/**/rating_*.json", recursive=True)):
            items += json.load(open(path))["items"]
        width = len(self.position)
        kept = [item for item in items if item["kind"] == "change"]
        kept = [(kept[i]["metadata"]["runOffset"], [item["value"] for item in kept[i:i + width]])
                for i in range(0, len(kept), width)]
        wanted = [values for _, values in self.changes]
        if [values for _, values in kept] != wanted:
            place = next((i for i, (a, b) in enumerate(zip(kept, wanted)) if a[1] != b), min(len(kept), len(wanted)))
            sys.exit(f"{len(kept)} changes are kept, {len(wanted)} were made; they differ from {place} on: "
                     f"{kept[place:place + 3]} {wanted[place:place + 3]}")
        told = [file["userInfo"]["rating"] for step in result["results"] for file in step["results"]
                if "rating" in file.get("userInfo", {})]
        lost = "taken away" in told[0].get("lost", "")
        if lost != (self.options.case == "away") or told[0]["changes"] != len(kept):
            sys.exit(f"the result tells {told[0]}")
        differences = [moment - start for (start, _), (moment, _) in zip(kept, self.changes)]
        middle = statistics.median(differences)
        late = sorted(abs(difference - middle) for difference in differences)
        print(json.dumps({
            "case": self.options.case, "plane": self.options.plane, "seconds": self.options.seconds, "changes": len(kept),
            "ms": {"median": round(1e3 * statistics.median(late), 3),
                   "p99": round(1e3 * late[int(0.99 * (len(late) - 1))], 3), "worst": round(1e3 * late[-1], 3)},
        }))
        over = sum(value > LIMIT for value in late)
        if over:
            sys.exit(f"{over} of {len(late)} moments are more than {1e3 * LIMIT:.0f} ms off")


person.main(Hand, __doc__, CASES, 30, "--plane")
