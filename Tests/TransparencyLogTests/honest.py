"""Folders of laboratories that changed nothing, and how long the log takes: for changes.py.

Six laboratories hold real sessions: after a registration, with arms, with runs that were killed or left, with participants
who have withdrawn or were erased, with several runs at once, and one whose folder is copied while runs go on. What a results
folder was after each event is kept, whole. An honest folder is one of these states, of which nothing is taken away: moved,
copied, put beside others, or used on.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import time

from lab import Key, Lab, bundles, digest, write_log

ALARM = r"by the log|by their proofs|a log of runs|not to be trusted|contradict|missing|damaged"


def laboratories(program, folder):
    labs = [Lab(program, folder / f"site-{number}", allocation="method: simple" if number % 2 else "") for number in range(6)]
    plain, arms, killed, withdrawn, several, going = labs
    for lab in (plain, arms):
        lab.call("freeze", "study.yaml", "--out", "registration", "--results", "results")
        for number in range(1, 7):
            lab.run(f"P{number:02}")
            lab.keep()
    for number in range(1, 7):
        (killed.kill if number % 2 else killed.run)(f"P{number:02}")
        killed.keep()
    killed.call("recover", "results")
    killed.keep()
    killed.run("P05", "--repeat", "it was killed")
    killed.keep()
    for number in range(1, 7):
        withdrawn.run(f"P{number:02}")
    for code, erased in (("P02", []), ("P03", ["--erase"]), ("P02", ["--erase"]), ("P06", ["--erase"])):
        withdrawn.call("withdraw", "results", "--participant", code, "--yes", *erased)
        withdrawn.keep()
    withdrawn.run("P07")
    withdrawn.keep()
    for first in (1, 4):
        together = [several.begin(f"P{number:02}") for number in range(first, first + 3)]
        several.keep()
        for child in together[1:] + together[:1]:
            child.communicate("4\n\n\n")
            several.keep()
    for number in range(1, 4):
        child = going.begin(f"P{number:02}")
        going.keep()
        child.communicate("4\n\n\n")
        going.keep()
    return labs


class Folder:
    """A folder of an honest laboratory, and what was done with it."""

    def __init__(self, lab, state, place):
        self.lab, self.place, self.done = lab, place, [f"{lab.folder.name}/{state.name}"]
        shutil.copytree(state, place)
        self.direct, self.kept = True, []
        self.has_log = True

    def moved(self, chance):
        self.place = self.place.rename(self.place.with_name(f"Results of {chance.randrange(1000)}, été"))

    def times(self, chance):
        for file in self.place.rglob("*"):
            os.utime(file, (0, chance.randrange(10**9)))

    def modes(self, chance):
        subprocess.run(["chmod", "-R", "a+rX", self.place], check=True)

    def packed(self, chance):
        """An archive is made and unpacked."""
        archive = self.place.parent / "packed.tar.gz"
        subprocess.run(["tar", "-C", self.place.parent, "-czf", archive, self.place.name], check=True)
        shutil.rmtree(self.place)
        subprocess.run(["tar", "-C", self.place.parent, "-xzf", archive], check=True)
        archive.unlink()

    def renamed(self, chance):
        for bundle in bundles(self.place):
            if chance.random() < 0.4:
                bundle.rename(bundle.with_name(f"{chance.choice('abc')} {bundle.name[:6]}"))
        self.direct = False

    def sorted(self, chance):
        """Bundles are put into folders by day."""
        for bundle in bundles(self.place):
            day = self.place / chance.choice(["monday", "tuesday", "2026/11/30"])
            day.mkdir(parents=True, exist_ok=True)
            bundle.rename(day / bundle.name)
        self.direct = False

    def littered(self, chance):
        for name in chance.sample([".DS_Store", "notes.txt", "kept-checkpoint", "Thumbs.db", "a.zip", ".log.bak"], 3):
            (self.place / name).write_bytes(os.urandom(50))
        (self.place / ".git/objects").mkdir(parents=True)
        (self.place / ("0" * 36)).mkdir()

    def checksummed(self, chance):
        """The laboratory lists the checksums of all of its files."""
        subprocess.run("find . -type f -exec sha256sum {} + >../sums; mv ../sums SHA256SUMS", shell=True, check=True, cwd=self.place)

    def backed_up(self, chance):
        """A whole copy of the folder lies within it."""
        copy = self.place.parent / "copy"
        shutil.copytree(self.place, copy)
        copy.rename(self.place / "backup")

    def without_log(self, chance):
        shutil.rmtree(self.place / ".log")
        self.has_log = False

    def with_kept(self, chance):
        """A checkpoint that was kept when an earlier state was there."""
        states = self.lab.states
        number = states.index(self.lab.folder / self.done[0].split("/")[1])
        self.kept = [chance.choice(states[:number + 1]) / ".log/checkpoint"]

    def used_on(self, chance):
        """One more session in the copy, whoever else may go on elsewhere."""
        self.lab.run(f"P{chance.randrange(10**6, 10**7)}", out=self.place)

    def killed_here(self, chance):
        self.lab.kill(f"P{chance.randrange(10**6, 10**7)}", out=self.place)
        if chance.random() < 0.5:
            self.lab.call("recover", self.place)

    def withdrawn_here(self, chance):
        runs = [re.search(rb'"participant":"(\w+)"', (b / "journal.jsonl").read_bytes()).group(1).decode() for b in bundles(self.place)]
        if runs:
            self.lab.call("withdraw", self.place, "--participant", chance.choice(runs), "--yes", *chance.choice([[], ["--erase"]]))


CHEAP = ["moved", "times", "modes", "packed", "littered", "with_kept"]
SHAPES = ["renamed", "sorted", "backed_up", "checksummed"]
DEAR = ["used_on", "killed_here", "withdrawn_here"]


def composed(labs, place, chance):
    lab = chance.choice(labs)
    folder = Folder(lab, chance.choice(lab.states), place / "results")
    steps = chance.sample(CHEAP, chance.randint(0, 3))
    if chance.random() < 0.3:
        steps.append(chance.choice(SHAPES))
    if chance.random() < 0.2:
        steps.insert(0, chance.choice(DEAR))
    if chance.random() < 0.05 and not {"withdrawn_here", "with_kept", "backed_up"} & set(steps) and lab is not labs[3]:
        steps.append("without_log")
    for step in steps:
        getattr(folder, step)(chance)
    folder.done += steps
    return folder


def folders(program, folder, count, chance, judge, findings):
    labs = laboratories(program, folder)
    for number in range(count):
        place = folder / "honest"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        one = composed(labs, place, chance)
        where, several = one.place, [one]
        if one.has_log and number % 7 == 0:
            # Two sites, or three, put beside each other; a state of the same laboratory would be a copy of its runs.
            others = [lab for lab in labs if lab is not one.lab]
            several += [Folder(lab, chance.choice(lab.states), place / lab.folder.name)
                        for lab in chance.sample(others, chance.randint(1, 2))]
            where = place
        did = "; ".join("+".join(f.done) for f in several)
        accused(labs[0], one, several, where, did, judge, findings, number)


def accused(lab, one, several, where, did, judge, findings, number):
    """Looks for anything that is said against an honest folder."""
    def alarm(what, text):
        own = ", with a SHA256SUMS of its own" if "checksummed" in one.done else ""
        findings[f"honest{own}: {what}"].append(f"{did}: {text}".replace("\n", " | ")[:500])
    kept = ["--checkpoint", *one.kept] if one.kept else []
    said = lab.call("study", "log", where, "--format", "json", *kept)
    if said.returncode != (0 if one.has_log else 69):
        alarm(f"'study log' ends with {said.returncode}", (said.stdout[:200] + said.stderr))
    elif one.has_log:
        told = json.loads(said.stdout)
        bad = [told["contradictions"], told["damaged"], told["elsewhere"], told["log"]["absent"], told["log"]["problems"], told["unlogged"]]
        if any(bad) or told["log"]["missing"] or told["log"]["damaged"]:
            alarm("'study log' accuses", json.dumps(bad))
    for words in (["study", "status"], ["analyse"])[:2 if number % 3 == 0 else 1]:
        said = lab.call(*words, where)
        if re.search(ALARM, said.stdout + said.stderr):
            alarm(f"'{' '.join(words)}' accuses", (said.stdout + said.stderr)[:300])
    if number % 5 == 0 and not {"renamed", "backed_up"} & set(one.done):
        said = lab.call("verify", where)
        if said.returncode not in (0, 64) and not re.search("not sealed|killed|going on|recover|there is no bundle", said.stdout + said.stderr):
            alarm(f"'verify' ends with {said.returncode}", (said.stdout + said.stderr)[-300:])
    for each in several if one.has_log else []:
        if each.direct:
            code, out, error = judge(each.place, *(each.kept if each is one else []))
            if code or "missing" in out or "changed" in out:
                alarm("the page's verifier accuses", f"{code} {out[-200:]} {error[-200:]}")


def time_log(program, folder, runs, findings):
    """How much of a run's time is the log's, and how long a log of many runs takes to check."""
    lab = Lab(program, folder / "timed")
    (folder / "timed/unlogged").mkdir()
    (folder / "timed/unlogged/.log").write_text("A file, so that no log can be written here.")
    times = {"results": [], "unlogged": []}
    for number in range(20 if runs < 50000 else 60):
        for out in times:
            start = time.perf_counter()
            lab.run(f"P{number:03}", out=out)
            times[out].append((time.perf_counter() - start) * 1000)
    added = statistics.median(a - b for a, b in zip(times["results"], times["unlogged"]))
    many = folder / "many"
    many.mkdir()
    entries = []
    for number in range(runs):
        run = digest(str(number).encode())
        entries += [f"{kind} {run} {digest(kind.encode() + run.encode())}".encode() for kind in ("begun", "sealed")]
    write_log(many / ".log", entries, Key(name="entrain/log/many"))
    start = time.perf_counter()
    said = lab.call("study", "status", many)
    took = time.perf_counter() - start
    start = time.perf_counter()
    listed = lab.call("study", "log", many)
    print(f"the log adds {added:.1f} ms to a run of {statistics.median(times['unlogged']):.0f} ms; the log of {runs} runs takes "
          f"{took:.2f} s in 'study status', {time.perf_counter() - start:.2f} s in 'study log', which lists them")
    if f"{runs} are missing" not in listed.stdout:
        findings["a long log is not understood"].append(said.stdout[-200:] + listed.stdout[-200:])
