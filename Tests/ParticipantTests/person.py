"""What every person at a pseudo-terminal does: reads the screen, and finds the bundle of the run in the end."""

import argparse
import fcntl
import glob
import json
import os
import random
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

from screen import Screen


class Person:
    """Somebody with a random of their own, who runs a study in a folder of their own. `terminal` is the pseudo-terminal."""

    def __init__(self, options, folder, study):
        self.options, self.folder, self.shown = options, folder, ""
        self.screen = Screen(80, 24)
        self.questions = list(self.QUESTIONS)
        self.random = random.Random(options.seed)
        self.out = os.path.join(folder, "out")
        path = os.path.join(folder, "study.yaml")
        with open(path, "w") as file:
            file.write(study)
        self.arguments = [options.entrain, "run", path, "--participant", "P01", "--out", self.out, "--audio", "none"]

    def resize(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(columns, rows)

    def read(self, seconds):
        """Reads what the terminal shows, for so long; whether the program is still there."""
        end = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                return True
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.shown += data.decode(errors="replace")
            self.screen.feed(data.decode(errors="replace"))
            self.shown += self.screen.rewritten()
            self.begin()

    # What the program asks before the first page: what is run, and to hold down a key, which this person does not.
    QUESTIONS = ["revision 1 of ", "hold down the space bar"]

    def begin(self):
        for question in [one for one in self.questions if one in self.shown]:
            self.questions.remove(question)
            os.write(self.terminal, b"\r")

    def leave(self):
        """Reads the last page, and goes."""
        self.read(0.8)
        os.write(self.terminal, b"\r")
        while self.read(1):
            pass

    def recover(self):
        subprocess.run([self.options.entrain, "recover", self.out], check=True, stdout=subprocess.DEVNULL)

    def bundle(self):
        """The one bundle, which verifies, and its result."""
        bundles = [path for path in glob.glob(self.out + "/*") if os.path.isfile(path + "/manifest.json")]
        if len(bundles) != 1:
            sys.exit(f"there are {len(bundles)} bundles in {self.out}")
        if subprocess.run([self.options.entrain, "verify", bundles[0]], stdout=subprocess.DEVNULL).returncode != 0:
            sys.exit("the bundle does not verify")
        return bundles[0], json.load(open(bundles[0] + "/result.json"))


def main(kind, description, cases, seconds, flag):
    """Lets a person of that kind run and compare; `seconds` is how long the step lasts usually, `flag` a switch more."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--seconds", type=type(seconds), default=seconds)
    parser.add_argument("--case", choices=cases, default=cases[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    options.entrain = os.path.abspath(options.entrain)
    with tempfile.TemporaryDirectory() as folder:
        person = kind(options, folder)
        person.run()
        person.compare()
