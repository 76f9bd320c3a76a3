#!/usr/bin/env python3
"""Sends a stream of many channels to a run on this machine, and compares the bundle with what was sent.

    lsl_loopback.py --entrain .build/release/entrain [--seconds 60] [--channels 12] [--rate 250]
        [--kill 20]

No sample may be missing or doubled within the recording, every number must be the one that was sent, and every time
stamp the sender's to 1 ms. Prints the share of a core and the memory that the run needed, and fails above 5 % (unless
--any-speed is given) or if memory grew by more than 8 MB over the second half. With --kill, the run is killed after so
many seconds and recovered: at most its last second may be missing.
Needs numpy and pylsl from PyPI, whose liblsl is used.
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy
import pylsl

os.environ.setdefault("LSL_LIB", str(pathlib.Path(pylsl.__file__).parent / "lib" / "liblsl.so"))
STUDY = """entrain: 1
study: {identifier: loop, title: Loop}
sources:
  lab: {type: lsl, stream: "%s"}
tasks:
  - identifier: sit
    steps:
      - type: active
        identifier: still
        duration: %d s
        recorders:
          - {type: ecg, identifier: all, source: lab, required: true}
          - {type: events, identifier: acts}
      - {type: completion, identifier: end, title: Thanks}
"""


class Sender(threading.Thread):
    """Sends a counter in the first channel and noise in the others, a few samples at a time."""

    def __init__(self, name, channels, rate):
        super().__init__(daemon=True)
        info = pylsl.StreamInfo(name, "EXG", channels, rate, pylsl.cf_float32, f"loop-{os.getpid()}")
        list_ = info.desc().append_child("channels")
        for index in range(channels):
            channel = list_.append_child("channel")
            channel.append_child_value("label", f"lead {index + 1}")
            channel.append_child_value("unit", "uV")
        self.outlet = pylsl.StreamOutlet(info)
        self.rate, self.channels = rate, channels
        self.random = numpy.random.default_rng(1)
        self.stamps, self.values, self.is_over = [], [], False
        # What the wall's clock shows when the layer's shows 0.
        self.origin = min(time.time() - pylsl.local_clock() for _ in range(100))

    def run(self):
        start, count = pylsl.local_clock(), 0
        while not self.is_over:
            due = int((pylsl.local_clock() - start) * self.rate)
            while count < due:
                sample = self.random.normal(0, 500, self.channels).astype(numpy.float32)
                sample[0] = count
                # Uneven by up to 0.5 ms, as instruments are.
                stamp = start + count / self.rate + self.random.uniform(-0.0005, 0.0005)
                self.outlet.push_sample(sample.tolist(), stamp)
                self.stamps.append(stamp)
                self.values.append(sample)
                count += 1
            time.sleep(0.02)


class Watch(threading.Thread):
    """Notes a process's processor time and memory once a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.memory, self.seconds = pid, [], 0.0
        self.began = time.monotonic()

    def run(self):
        tick = os.sysconf("SC_CLK_TCK")
        try:
            while True:
                stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
                self.seconds = (int(stat[11]) + int(stat[12])) / tick
                pages = int(pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1])
                self.memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
                time.sleep(1)
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass


def columns(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        return names, numpy.array([[float(cell) if cell else float("nan") for cell in row] for row in rows])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--channels", type=int, default=12)
    parser.add_argument("--rate", type=float, default=250)
    parser.add_argument("--kill", type=float)
    parser.add_argument("--any-speed", action="store_true")
    told = parser.parse_args()
    name = f"entrain-loop-{os.getpid()}"
    sender = Sender(name, told.channels, told.rate)
    sender.start()
    with tempfile.TemporaryDirectory() as folder:
        study = pathlib.Path(folder) / "loop.yaml"
        study.write_text(STUDY % (name, told.seconds))
        run = subprocess.Popen(
            [told.entrain, "run", str(study), "--participant", "P01", "--auto", "--plain", "--audio", "none",
             "--out", folder + "/out"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        watch = Watch(run.pid)
        watch.start()
        if told.kill:
            time.sleep(told.kill)
            run.send_signal(signal.SIGKILL)
        killed = pylsl.local_clock()
        output = run.communicate(timeout=told.seconds + 120)[0]
        sender.is_over = True
        print(output)
        if told.kill:
            recovery = subprocess.run([told.entrain, "recover", folder + "/out"], capture_output=True, text=True)
            assert recovery.returncode == 0, recovery.stdout + recovery.stderr
        else:
            assert run.returncode == 0, run.returncode
        (bundle,) = [path for path in (pathlib.Path(folder) / "out").iterdir() if path.is_dir()]
        verify = subprocess.run([told.entrain, "verify", bundle], capture_output=True, text=True)
        assert verify.returncode == 0, verify.stdout + verify.stderr
        compare(bundle, sender, killed if told.kill else None)
        effort(watch, told)


def compare(bundle, sender, killed):
    step = json.loads(next(bundle.glob("steps/*still/result.json")).read_text())
    (result,) = [entry for entry in step["results"] if entry["identifier"] == "all"]
    info = result["userInfo"]
    assert [channel["unit"] for channel in info["waves"]["channels"]] == ["uV"] * sender.channels
    path = next(bundle.glob("steps/*still/" + result["fileName"]))
    names, table = columns(path)
    assert names == ["runOffset"] + [f"lead {index + 1}" for index in range(sender.channels)], names
    assert len(table) == info["sampleCount"], (len(table), info["sampleCount"])
    counters = table[:, 1].astype(int)
    steps = numpy.diff(counters)
    print(f"{len(table)} samples of {sender.channels} channels, {len(sender.stamps)} sent, "
          f"{path.stat().st_size / 1e6:.1f} MB, gaps: {info['gaps']}")
    assert (steps == 1).all(), f"{(steps > 1).sum()} times samples are missing, {(steps < 1).sum()} times doubled"
    sent = numpy.array(sender.values)[counters]
    assert (sent == table[:, 1:].astype(numpy.float32)).all(), "numbers differ from those that were sent"
    manifest = json.loads((bundle / "manifest.json").read_text())
    start = manifest["start"]
    began = start["seconds"] + start["nanoseconds"] / 1e9 - sender.origin
    stamps = numpy.array(sender.stamps)[counters]
    differences = (table[:, 0] + began - stamps) * 1000
    spread = table[:, 0] - stamps
    spread = (spread - numpy.median(spread)) * 1000
    print(f"stamps: {differences.min():.3f} … {differences.max():.3f} ms from the sender's by the wall's clock, "
          f"{numpy.abs(spread).max():.3f} ms apart from a constant")
    assert numpy.abs(differences).max() < 1 and numpy.abs(spread).max() < 1, "a stamp is not the sender's"
    if killed is None:
        first, last = info["startOffset"] + began, info["endOffset"] + began
        inside = (numpy.array(sender.stamps) >= first + 0.001) & (numpy.array(sender.stamps) < last - 0.001)
        assert inside.sum() <= len(table) <= inside.sum() + 2, (inside.sum(), len(table))
    else:
        missing = killed - stamps[-1]
        print(f"killed: the last {missing:.3f} s are missing")
        assert missing < 1


def effort(watch, told):
    length = len(watch.memory)
    share = 100 * watch.seconds / max(length, 1)
    half = watch.memory[length // 2:] or [0]
    print(f"{share:.1f} % of a core over {length} s, memory {watch.memory[min(5, length - 1)]:.1f} MB at first, "
          f"{half[0]:.1f} MB at half time, {max(half):.1f} MB at most, {half[-1]:.1f} MB at last")
    if not told.any_speed:
        assert share <= 5, "it needs more than 5 % of a core"
        assert max(half) < half[0] + 8, "memory grows"


main()
