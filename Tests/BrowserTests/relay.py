"""A relay whose monitor is killed again and again: every reading arrives once, in order, at its own moment.

usage: python3 Tests/BrowserTests/relay.py [PATH OF entrain-monitor] [--seconds N] [--kills N]
The readings are written by this program, which keeps its own record. The program entrain is looked for beside
entrain-monitor.
"""
import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

from monitor import PATIENCE, Monitor, program, wait

parser = argparse.ArgumentParser()
parser.add_argument("monitor", nargs="?")
parser.add_argument("--seconds", type=float, default=12)
parser.add_argument("--kills", type=int, default=3)
parser.add_argument("--seed", type=int, default=1)
given = parser.parse_args()
chance = random.Random(given.seed)
path = program([given.monitor] if given.monitor else [])
entrain = os.path.join(os.path.dirname(path), "entrain")
monitor = Monitor(path)
problems = []


def relay(*more, **kinds):
    return subprocess.Popen(
        [entrain, "relay", "--to", monitor.url, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, **kinds)


def write(running, record):
    """About ten readings a second, each with its own moment and its own rate, for the time that is given."""
    end = time.time() + given.seconds
    while time.time() < end:
        reading = {"t": round(time.time(), 3), "bpm": round(60 + len(record) * 0.01, 2), "rr": [0.9]}
        record.append(reading)
        running.stdin.write(json.dumps(reading) + "\n")
        running.stdin.flush()
        time.sleep(0.1)


# Killed at random moments while readings come, and away for a while.
record = []
running = relay("--source", "heartRate=stdin", "--name", "strap-3", "--participant", "P07")
writing = threading.Thread(target=write, args=(running, record))
writing.start()
for _ in range(given.kills):
    time.sleep(chance.uniform(0.5, given.seconds / given.kills / 2))
    monitor.stop(signal.SIGKILL)
    time.sleep(chance.uniform(0, given.seconds / given.kills / 3))
    monitor.start()
writing.join()
time.sleep(1)
running.send_signal(signal.SIGINT)
said, errors = running.communicate(timeout=PATIENCE)
kept = [sample for one in monitor.get("/api/sessions")["sessions"] for sample in monitor.samples(one["id"])]
told = {one.get("participant") for one in monitor.get("/api/sessions")["sessions"]}
# What was measured before the relay was there is not its own, and it says so.
early = re.search(r"counted and left out: (\d+)", errors)
record = record[int(early[1]) if early else 0:]
if [(s["bpm"], s.get("rr")) for s in kept] != [(r["bpm"], r["rr"]) for r in record]:
    problems.append(f"{len(record)} readings were written, {len(kept)} are kept: {errors}")
elif any(abs(s["t"] - r["t"]) > 0.01 for s, r in zip(kept, record)):
    problems.append("readings are at other moments")
if running.returncode or said.strip() != f"Sent {len(record)} readings." or told != {"P07"}:
    problems.append(f"ended with {running.returncode}, {said!r}, of {told}: {errors}")
if "The monitor cannot be reached" not in errors or "The monitor can be reached again" not in errors:
    problems.append(f"does not tell that the monitor was away: {errors}")

# A heart that is made up says so, and ends by itself.
running = relay("--source", "simulated", "--name", "test", "--for", "3s")
said, errors = running.communicate(timeout=PATIENCE)
if running.returncode or "simulated-test" not in json.dumps(monitor.get("/api/sessions")):
    problems.append(f"a simulated heart: {running.returncode}, {said!r}, {errors}")

# A monitor that never comes back: what was not sent is said, in time.
running = relay("--source", "simulated", "--for", "6s")
wait(lambda: len(monitor.get("/api/sessions")["sessions"]) > 2)
monitor.stop(signal.SIGKILL)
began = time.time()
said, errors = running.communicate(timeout=PATIENCE)
if running.returncode != 69 or "could not be sent" not in errors:
    problems.append(f"a monitor that is gone: {running.returncode}, {said!r}, {errors}")

for problem in problems:
    print("NOT AS IT SHOULD BE:", problem)
print(f"relay: {len(record)} readings through {given.kills} kills of the monitor, {len(kept)} kept; {len(problems)} problems")
sys.exit(1 if problems else 0)
