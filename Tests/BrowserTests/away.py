"""A monitor that goes away in mid run, and a run that is killed meanwhile: everything arrives, once.

usage: python3 Tests/BrowserTests/away.py [PATH OF entrain-monitor] [--seconds N] [--speed N]
The program entrain is looked for beside entrain-monitor.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

from monitor import Monitor, program

STUDY = os.path.join(os.path.dirname(__file__), "..", "..", "Studies", "expected-workout.yaml")


def samples(monitor, session):
    """All samples that the monitor has of a session, as whole seconds since its start."""
    cursor, kept = "0", []
    while True:
        page = monitor.get(f"/api/sessions/{session}/heart-rate?since={cursor}")
        if not page["samples"]:
            return kept
        kept += [round(sample["elapsed"]) for sample in page["samples"]]
        cursor = page["cursor"]


def judge(monitor, name, outcome):
    """Whether the newest session has each second once and ended as it should."""
    session = monitor.get("/api/sessions")["sessions"][0]
    kept = samples(monitor, session["id"])
    missing, doubled = set(range(1, max(kept) + 1)) - set(kept), len(kept) - len(set(kept))
    print(f"{name}: {len(kept)} samples, {len(missing)} missing, {doubled} doubled, {session.get('outcome')}", flush=True)
    return not missing and not doubled and session.get("outcome") == outcome and len(kept) > 30


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--speed", type=float, default=6)
    asked = parser.parse_args()
    path = program([asked.program] if asked.program else [])
    entrain = os.path.join(os.path.dirname(path), "entrain")
    folder, monitor = tempfile.mkdtemp(), Monitor(path)

    def run(session, speed):
        return subprocess.Popen(
            [entrain, "run", STUDY, "--participant", "P01", "--session", str(session), "--auto", "--speed", str(speed),
             "--monitor", monitor.url, "--out", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    first = run(1, asked.speed)
    time.sleep(3)
    monitor.stop(signal.SIGKILL)
    time.sleep(asked.seconds)
    monitor.start()
    said = first.communicate()[1]
    isRight = judge(monitor, f"away for {asked.seconds:.0f} s in mid run", "completed") and first.returncode == 0
    isRight &= not os.path.exists(folder + "/.monitor") and "did not get" not in said

    second = run(2, asked.speed)
    time.sleep(3)
    monitor.stop()
    time.sleep(6)
    second.kill()
    second.wait()
    monitor.start()
    subprocess.run([entrain, "deliver", folder, "--to", monitor.url], check=True)
    isRight &= judge(monitor, "killed while the monitor was away", "failed")

    monitor.stop()
    third = run(3, "max")
    said = third.communicate()[1]
    isRight &= third.returncode == 0 and "did not get everything" in said
    monitor.start()
    fourth = run(4, "max")
    fourth.wait()
    subprocess.run([entrain, "deliver", folder, "--to", monitor.url], check=True, stdout=subprocess.DEVNULL)
    sessions = monitor.get("/api/sessions")["sessions"]
    ended = sorted((session["session"], session["outcome"]) for session in sessions)
    isRight &= ended == [(1, "completed"), (2, "failed"), (3, "completed"), (4, "completed")]
    isRight &= not os.path.exists(folder + "/.monitor")
    print(f"{len(sessions)} sessions: {ended}")
    monitor.stop()
    sys.exit(0 if isRight else 1)


main()
