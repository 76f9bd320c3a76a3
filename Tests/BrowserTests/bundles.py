"""Sends result bundles to a monitor that is killed meanwhile: each is there once, and sums are equal.

usage: python3 Tests/BrowserTests/bundles.py [PATH OF entrain-monitor] [--bundles N] [--megabytes N] [--kills N] [--seed N]
The program entrain is looked for beside entrain-monitor. What came is compared by `sha256sum` and `diff`.
"""
import argparse
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from monitor import PATIENCE, Monitor, program, scratch

STUDY = """entrain: 1
study: {{identifier: upload, revision: 1, title: Upload, seed: 1}}
sources: {{heartRate: {{type: simulated, restingRate: 62}}}}
tasks:
  - identifier: task
    recorders: [{{type: rrIntervals, identifier: beats, from: listen, to: listen}}]
    steps:
      - type: active
        identifier: listen
        title: Listen
        duration: {minutes} min
        recorders: [{{type: heartRate, identifier: heartRate}}]
      - {{type: completion, identifier: done, title: Done}}
"""
# What a bundle has for each minute of such a run.
BYTES_A_MINUTE = 36_000


def size(folder):
    return sum(os.path.getsize(path) for path in glob.glob(folder + "/**", recursive=True) if os.path.isfile(path))


class Campaign:
    def __init__(self, path, asked):
        self.entrain = os.path.join(os.path.dirname(path), "entrain")
        self.monitor, self.asked, self.chance = Monitor(path), asked, random.Random(asked.seed)
        self.out, self.problems = scratch(), []
        self.kept = self.monitor.folder + "/bundles"

    def check(self, isRight, words):
        if not isRight:
            self.problems.append(words)
            print(f"NOT AS IT SHOULD BE: {words}", flush=True)

    def rehearse(self):
        """Real bundles of about the size that was asked for."""
        study = scratch() + "/study.yaml"
        with open(study, "w") as file:
            file.write(STUDY.format(minutes=max(1, round(self.asked.megabytes * 1e6 / BYTES_A_MINUTE))))
        subprocess.run([self.entrain, "rehearse", study, "--participants", str(self.asked.bundles), "--out", self.out],
                       check=True, stdout=subprocess.DEVNULL)
        self.bundles = sorted(os.path.basename(path) for path in glob.glob(self.out + "/*-*-*-*-*"))
        self.check(len(self.bundles) == self.asked.bundles, f"{len(self.bundles)} bundles were made")

    def deliver(self, wait=True, out=None):
        sender = subprocess.Popen([self.entrain, "deliver", out or self.out, "--to", self.monitor.url],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not wait:
            return sender
        said, complaints = sender.communicate(timeout=PATIENCE * 3)
        return sender.returncode, said + complaints

    def kill_meanwhile(self):
        """Kills the monitor again and again, and once the sender; then sends the rest."""
        began = time.monotonic()
        sender, kills, interrupted = self.deliver(wait=False), 0, False
        while sender.poll() is None:
            done = len(glob.glob(self.kept + "/*-*-*-*-????????????"))
            # Kills are spread over what is sent, each at a moment of chance.
            if kills < self.asked.kills and done >= (kills + 0.5) * self.asked.bundles / (self.asked.kills + 1):
                time.sleep(self.chance.random() / 20)
                self.monitor.stop(signal.SIGKILL)
                kills += 1
                if kills == 2 and not interrupted:
                    interrupted = True
                    sender.kill()
                    sender.communicate()
                    self.monitor.start()
                    sender = self.deliver(wait=False)
                    continue
                time.sleep(self.chance.random() / 2)
                self.monitor.start()
            time.sleep(0.01)
        said, complaints = sender.communicate()
        took = time.monotonic() - began
        self.check(sender.returncode == 0, f"the sender ended with {sender.returncode}: {said[-300:]}{complaints[-300:]}")
        self.check(kills == self.asked.kills, f"only {kills} kills")
        total = sum(size(f"{self.out}/{name}") for name in self.bundles)
        print(f"{len(self.bundles)} bundles, {total / 1e6:.1f} MB, {kills} kills of the monitor and one of the sender: "
              f"{took:.1f} s", flush=True)

    def compare(self):
        """Each bundle is there once, with the bytes that were sent, by other programs."""
        names = sorted(os.listdir(self.kept))
        self.check(names == self.bundles, f"{len(names)} folders for {len(self.bundles)} bundles: {names[:3]}")
        for name in self.bundles:
            sums = subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=f"{self.kept}/{name}", capture_output=True)
            same = subprocess.run(["diff", "-r", f"{self.out}/{name}", f"{self.kept}/{name}"], capture_output=True)
            self.check(sums.returncode == 0 and same.returncode == 0, f"{name} came otherwise")
        listed = self.monitor.get("/api/bundles")
        self.check(sorted(one["run"] for one in listed["bundles"]) == self.bundles and listed["arriving"] == 0,
                   f"{len(listed['bundles'])} are listed")
        checked = subprocess.run([self.entrain, "verify"] + [f"{self.kept}/{name}" for name in self.bundles[:10]],
                                 capture_output=True)
        self.check(checked.returncode == 0, "what is kept is not whole")

    def again(self):
        """A second time nothing is sent; what is damaged or another bundle of the same run is refused and told."""
        before = {name: os.stat(f"{self.kept}/{name}").st_mtime_ns for name in self.bundles}
        code, said = self.deliver()
        self.check(code == 0 and f"{len(self.bundles)} bundles had been delivered before" in said, f"a second time: {code}, {said[-300:]}")
        self.check(before == {name: os.stat(f"{self.kept}/{name}").st_mtime_ns for name in self.bundles}, "bundles were touched")
        other = scratch()
        for name in self.bundles[:3]:
            shutil.copytree(f"{self.out}/{name}", f"{other}/{name}")
        with open(f"{other}/{self.bundles[0]}/result.json", "a") as file:
            file.write("\n")
        # Of the same run, sealed anew.
        with open(f"{other}/{self.bundles[1]}/study.yaml", "a") as file:
            file.write("# changed\n")
        sealed = f"{other}/{self.bundles[1]}"
        sums = subprocess.run("find . -type f ! -name SHA256SUMS -printf '%P\\n' | sort | xargs sha256sum", shell=True, cwd=sealed,
                              capture_output=True, text=True, check=True).stdout
        with open(sealed + "/SHA256SUMS", "w") as file:
            file.write(sums)
        code, said = self.deliver(out=other)
        self.check(code == 65 and "another bundle of this run" in said, f"others: {code}, {said[-300:]}")
        self.compare()
        shutil.rmtree(f"{self.kept}/{self.bundles[0]}")
        code, said = self.deliver(out=other)
        self.check(code == 65 and "was changed since the bundle was sealed" in said and not os.path.exists(
            f"{self.kept}/{self.bundles[0]}"), f"damaged: {code}, {said[-300:]}")
        self.monitor.stop()
        began = time.monotonic()
        code, said = self.deliver()
        self.check(code == 69, f"without a monitor: {code}, {said[-300:]}")
        print(f"without a monitor it ends after {time.monotonic() - began:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--bundles", type=int, default=200)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    campaign = Campaign(program([asked.program] if asked.program else []), asked)
    campaign.rehearse()
    campaign.kill_meanwhile()
    campaign.compare()
    campaign.again()
    print(f"{len(campaign.problems)} problems")
    return 1 if campaign.problems else 0


if __name__ == "__main__":
    sys.exit(main())
