"""A monitor that goes away in mid run, and a run that is killed meanwhile: everything arrives, once.

usage: python3 Tests/BrowserTests/away.py [PATH OF entrain-monitor] [--seconds N] [--speed N]
The program entrain is looked for beside entrain-monitor.
"""
import argparse
import glob
import json
import os
import signal
import subprocess
import sys
import time

from monitor import PATIENCE, Monitor, program, scratch, wait

STUDY = os.path.join(os.path.dirname(__file__), "..", "..", "Studies", "expected-workout.yaml")


class Runs:
    def __init__(self, path):
        self.entrain = os.path.join(os.path.dirname(path), "entrain")
        self.out, self.monitor = scratch(), Monitor(path)

    def run(self, session, speed):
        return subprocess.Popen(
            [self.entrain, "run", STUDY, "--participant", "P01", "--session", str(session), "--auto", "--speed", str(speed),
             "--monitor", self.monitor.url, "--out", self.out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def kept(self, session):
        """What the monitor has of a run: its description, and its samples as [seconds, rate]."""
        (told,) = [one for one in self.monitor.get("/api/sessions")["sessions"] if one.get("session") == session]
        return told, [(sample["elapsed"], sample["bpm"]) for sample in self.monitor.samples(told["id"])]

    def has(self, session, count):
        sessions = [one for one in self.monitor.get("/api/sessions")["sessions"] if one.get("session") == session]
        return sessions and len(self.monitor.samples(sessions[0]["id"])) >= count

    def waiting(self):
        """Bytes that wait to be delivered."""
        return sum(os.path.getsize(path) for path in glob.glob(self.out + "/.monitor/*"))

    def deliver(self):
        return wait(lambda: subprocess.run(
            [self.entrain, "deliver", self.out, "--to", self.monitor.url], stdout=subprocess.DEVNULL).returncode == 0)

    def recorded(self, session):
        """The samples in a run's bundle, as [seconds, rate]."""
        subprocess.run([self.entrain, "recover", self.out], check=True, stdout=subprocess.DEVNULL)
        found = []
        for path in glob.glob(self.out + "/*/result.json"):
            with open(path) as file:
                if json.load(file)["userInfo"]["session"] != session:
                    continue
            for name in glob.glob(os.path.dirname(path) + "/steps/*/HKQuantityTypeIdentifierHeartRate*.json"):
                with open(name) as file:
                    found += [(item["metadata"]["runOffset"], item["value"]) for item in json.load(file)["items"]]
        return found

    def judge(self, name, session, outcome):
        """Whether the monitor has what the bundle has, each sample once, and says how the run ended."""
        told, kept = self.kept(session)
        recorded = self.recorded(session)
        # A killed run may have told less than it recorded: whole up to some moment, and nothing after that.
        last = max(time for time, _ in kept)
        near = {(round(time * 1000), rate) for time, rate in kept}
        missing = [one for one in recorded if one[0] <= last and (round(one[0] * 1000), one[1]) not in near]
        doubled = len(kept) - len({time for time, _ in kept})
        print(f"{name}: {len(kept)} samples, {len(recorded)} recorded, {len(missing)} missing, {doubled} doubled, "
              f"{told.get('outcome')}", flush=True)
        return not missing and not doubled and told.get("outcome") == outcome and recorded and (
            outcome != "completed" or last >= max(time for time, _ in recorded))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--speed", type=float, default=6)
    asked = parser.parse_args()
    runs = Runs(program([asked.program] if asked.program else []))
    monitor, faults = runs.monitor, []

    def expect(isRight, words):
        if not isRight:
            faults.append(words)

    first = runs.run(1, asked.speed)
    expect(wait(lambda: runs.has(1, 20)), "the run's samples come")
    monitor.stop(signal.SIGKILL)
    time.sleep(asked.seconds)
    monitor.start()
    said = first.communicate(timeout=10 * PATIENCE)[1]
    # On a busy machine something may be left when the run's patience is over. Then the run says so.
    expect(("did not get" in said) == (runs.waiting() > 0), f"says what is left: {said}")
    expect(first.returncode == 0 and runs.deliver(), said)
    expect(runs.judge(f"away for {asked.seconds:.0f} s in mid run", 1, "completed"), "away in mid run")
    expect(not os.path.exists(runs.out + "/.monitor"), "nothing is left")

    second = runs.run(2, 6)
    expect(wait(lambda: runs.has(2, 20)), "the second run's samples come")
    monitor.stop()
    before = runs.waiting()
    expect(wait(lambda: runs.waiting() > before + 2000), "what is to be told waits on disk")
    second.kill()
    second.communicate()
    monitor.start()
    expect(runs.deliver(), "a killed run is told")
    expect(runs.judge("killed while the monitor was away", 2, "failed"), "killed while the monitor was away")

    monitor.stop()
    third = runs.run(3, "max")
    said = third.communicate(timeout=10 * PATIENCE)[1]
    expect(third.returncode == 0 and "did not get everything" in said, said)
    monitor.start()
    fourth = runs.run(4, "max")
    fourth.communicate(timeout=10 * PATIENCE)
    expect(runs.deliver(), "earlier runs are told")
    sessions = monitor.get("/api/sessions")["sessions"]
    ended = sorted((session["session"], session["outcome"]) for session in sessions)
    expect(ended == [(1, "completed"), (2, "failed"), (3, "completed"), (4, "completed")], ended)
    expect(not os.path.exists(runs.out + "/.monitor"), "nothing is left at the end")
    print(f"{len(sessions)} sessions: {ended}")
    monitor.stop()
    for fault in faults:
        print(f"FAILED: {fault}")
    sys.exit(1 if faults else 0)


main()
