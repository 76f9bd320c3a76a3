"""Changes results and their logs, as somebody would who wants other results, and sees whether each change is found.

    python3 Tests/TransparencyLogTests/changes.py --entrain ENTRAIN [--count 1000] [--honest 2000] [--seed S] [--entries 100000]

A laboratory holds real sessions once. Each change is made in a copy of its folder. 'study log' must end with 65 and name
what was changed, as the page TransparencyLog says; so must the verifier of that page, wherever it can see the change. Then
come folders of laboratories that changed nothing (honest.py): nobody may be accused. At the end the log is timed. Each kind
once, in less than a minute: --count 39 --honest 40 --entries 1000.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile

import honest
from lab import Key, Lab, bundles, run_name, seal, verifier
from log_changes import RUNS, Change, LogChanges


class Cheat(LogChanges):
    """The laboratory, a copy of its results, and everything that can be done to it."""

    def __init__(self, lab, other, chance):
        self.lab, self.other, self.chance = lab, other, chance

    def copy(self, state=None):
        self.results = self.lab.folder / "changed"
        shutil.rmtree(self.results, ignore_errors=True)
        shutil.copytree(state or self.lab.results, self.results)
        self.log = self.results / ".log"

    def one(self):
        return self.chance.choice(bundles(self.results))

    def kept(self, state=-1):
        return self.lab.states[state] / ".log/checkpoint"

    def key(self):
        return Key((self.log / "secret-key").read_text())

    # Bundles

    def deleted(self):
        for bundle in self.chance.sample(bundles(self.results), self.chance.randint(1, 6)):
            shutil.rmtree(bundle)
        return Change("missing", run_name(bundle)[:16], judge=f"missing {run_name(bundle)}")

    def deleted_with_its_name(self):
        """A bundle is gone; an empty folder of its name is there."""
        bundle = self.one()
        shutil.rmtree(bundle)
        bundle.mkdir()
        return Change("damaged", bundle.name, judge="No such file")

    def swapped(self):
        """The files of a run are those of another, under the run's name."""
        mine, theirs = self.chance.sample(bundles(self.results), 2)
        shutil.rmtree(mine)
        shutil.copytree(theirs, mine)
        return Change("damaged", mine.name, verify=True, judge=f"changed .*{mine.name}")

    def swapped_with_another_lab(self):
        bundle = self.one()
        shutil.rmtree(bundle)
        theirs = self.chance.choice(bundles(self.other.results))
        shutil.copytree(theirs, self.results / theirs.name)
        return Change("missing", run_name(bundle)[:16], judge=f"missing {run_name(bundle)}")

    def renamed(self):
        """Two runs have each other's names."""
        one, two = self.chance.sample(bundles(self.results), 2)
        aside = self.results / "aside"
        one.rename(aside)
        two.rename(one)
        aside.rename(two)
        return self.damage(one)

    def damage(self, bundle, verify=True):
        return Change("damaged", bundle.name, verify=verify, judge=f"(changed|No such file).*{bundle.name}")

    def files(self, bundle):
        return sorted(p for p in bundle.rglob("*") if p.is_file() and p.name != "SHA256SUMS")

    def byte_changed(self):
        """A byte of any file is another one; the checksums stay, so the page's verifier sees only the journal's first line."""
        bundle = self.one()
        file = self.chance.choice(self.files(bundle))
        data = bytearray(file.read_bytes())
        place = self.chance.randrange(len(data))
        data[place] ^= 1 << self.chance.randrange(8)
        file.write_bytes(data)
        found = self.damage(bundle)
        # The status reads the seal and the manifest alone.
        found.judge, found.tellers = None, ["analyse"]
        return found

    def byte_changed_and_sealed(self):
        found = self.byte_changed()
        bundle = self.results / found.name
        seal(bundle)
        return self.damage(bundle, verify=False)

    def file_removed(self):
        bundle = self.one()
        self.chance.choice(self.files(bundle)).unlink()
        found = self.damage(bundle)
        found.judge, found.tellers = None, ["analyse"]
        return found

    def file_removed_and_sealed(self):
        found = self.file_removed()
        seal(self.results / found.name)
        return self.damage(self.results / found.name, verify=False)

    def file_added_and_sealed(self):
        bundle = self.one()
        (bundle / "notes.txt").write_text("x")
        seal(bundle)
        return self.damage(bundle, verify=False)

    def line_changed(self):
        """An answer in the journal is another one, and the checksums are made anew."""
        bundle = self.one()
        journal = bundle / "journal.jsonl"
        line = [line for line in journal.read_text().split("\n") if '"answered"' in line and '"mood"' in line][0]
        answer = re.search(r'"scale":(\d)', line)
        other = line.replace(answer.group(), f'"scale":{int(answer.group(1)) % 5 + 1}')
        journal.write_text(journal.read_text().replace(line, other))
        seal(bundle)
        return self.damage(bundle)

    def lines_cut(self):
        bundle = self.one()
        journal = bundle / "journal.jsonl"
        lines = journal.read_bytes().splitlines(True)
        journal.write_bytes(b"".join(lines[:self.chance.randrange(1, len(lines))]))
        seal(bundle)
        return self.damage(bundle)

    def unsealed(self):
        """A sealed bundle is made one that was killed, so that it is recovered with fewer lines."""
        bundle = self.one()
        journal = bundle / "journal.jsonl"
        lines = journal.read_bytes().splitlines(True)
        for place in list(bundle.iterdir()):
            if place.name not in ("journal.jsonl", "study.yaml", "begun.tlog-proof"):
                shutil.rmtree(place) if place.is_dir() else place.unlink()
        journal.write_bytes(b"".join(lines[:max(2, len(lines) // 2)]))
        if self.chance.random() < 0.5:
            self.lab.call("recover", self.results)
            return self.damage(bundle, verify=False)
        return self.damage(bundle, verify=False)

    def recovered_with_other_answers(self):
        """A sealed bundle gets the name of one that goes on, other answers, and is recovered."""
        bundle = self.one()
        going = bundle.rename(bundle.with_name(bundle.name + ".running"))
        for name in ("SHA256SUMS", "manifest.json", "result.json"):
            (going / name).unlink()
        for file in [going / "journal.jsonl", *going.rglob("steps/*mood/result.json")]:
            file.write_text(re.sub(r'("scale":|"text":")\d', r"\g<1>2", file.read_text()))
        self.lab.call("recover", self.results)
        return self.damage(bundle, verify=False)

    def named_as_if_it_went_on(self):
        """A sealed bundle gets the name of one that goes on, and no analysis takes it."""
        bundle = self.one()
        bundle.rename(bundle.with_name(bundle.name + ".running"))
        return Change("damaged.*was sealed", bundle.name)

    def beside_its_original(self):
        """A changed bundle lies beside the one that was sealed: the exit code must not depend on which is found first."""
        bundle = self.one()
        shutil.copytree(bundle, self.results / self.chance.choice([".aside", "0", "aside"]) / bundle.name)
        (bundle / "result.json").write_text((bundle / "result.json").read_text() + " ")
        return Change("damaged", bundle.name, verify=True, judge=None, said="")

    def withdrawal_forgotten(self):
        """The record of a withdrawal is gone, and the log still says that the run was withdrawn."""
        self.lab.call("withdraw", self.results, "--participant", f"P{self.chance.randint(1, RUNS):02}", "--yes")
        (self.results / "withdrawals.json").unlink()
        return Change("withdraw", command=["analyse", self.results], code=None)

    def proof_removed(self):
        bundle = self.one()
        (bundle / "begun.tlog-proof").unlink()
        seal(bundle)
        return self.damage(bundle, verify=False)

    def another_made_up(self):
        """A run that never was: another's, with a UUID of its own, sealed anew; it has no place in the log."""
        bundle = self.one()
        made = self.results / (bundle.name[:-4] + "%04X" % self.chance.randrange(65536))
        shutil.copytree(bundle, made)
        for file in self.files(made):
            file.write_bytes(file.read_bytes().replace(bundle.name.encode(), made.name.encode()))
        seal(made)
        return Change("contradict|not in the log|another log|in no log", made.name, code=None, said="")


KINDS = [
    "deleted", "deleted_with_its_name", "swapped", "swapped_with_another_lab", "renamed", "byte_changed",
    "byte_changed_and_sealed", "file_removed", "file_removed_and_sealed", "file_added_and_sealed", "line_changed",
    "lines_cut", "unsealed", "recovered_with_other_answers", "named_as_if_it_went_on", "beside_its_original",
    "withdrawal_forgotten", "proof_removed", "another_made_up", "rolled_back", "log_rolled_back", "forked",
    "removed_from_the_log", "sealed_again_in_the_log", "back_dated", "frozen_late", "frozen_after_all",
    "registration_changed", "of_another_key", "log_deleted", "log_of_another", "tile_truncated", "tile_lengthened",
    "tile_deleted", "tile_changed", "checkpoint_changed", "checkpoint_of_another", "checkpoint_deleted",
    "key_exchanged",
]


def laboratory(program, folder, runs=RUNS):
    """Runs after a registration, what the folder was after each, and two copies that went on by themselves."""
    lab = Lab(program, folder, allocation="method: simple")
    lab.call("freeze", "study.yaml", "--out", "registration", "--results", "results")
    lab.keep()
    lab.order = []
    for number in range(1, runs + 1):
        lab.order.append(lab.run(f"P{number:02}", mood=number % 5 + 1))
        lab.keep()
    lab.forks = []
    for state in (4, 8)[:runs // 4]:
        fork = lab.folder / f"fork-{state}"
        shutil.copytree(lab.states[state], fork)
        for number in range(2):
            lab.run(f"P{state}{number}1", out=fork)
        lab.forks.append(fork)
    return lab


def judged(cheat, judge, kind, findings):
    """Makes one change, and notes what was not said of it."""
    cheat.copy()
    change = getattr(cheat, kind)()
    options = ["--checkpoint", change.kept] if change.kept else []
    said = cheat.lab.call(*(change.command or ["study", "log", cheat.results, *options]))
    command = " ".join(map(str, change.command[:1])) if change.command else "study log"
    text = said.stdout + said.stderr
    named = [line for line in text.split("\n") if re.search(change.words, line) and change.name in line]

    def miss(what, detail):
        findings[f"{kind}: {what}"].append(detail.replace("\n", " | ")[:300])
    if change.code is not None and said.returncode != change.code:
        miss(f"'{command}' ends with {said.returncode}, not {change.code}", text[-300:])
    if not named:
        miss(f"'{command}' does not name it", text[-300:])
    if change.said:
        for command in change.tellers:
            said = cheat.lab.call(*command.split(), cheat.results)
            if not re.search(change.said, said.stdout + said.stderr):
                miss(f"'{command}' does not say it first", f"{said.returncode} {(said.stdout + said.stderr)[:200]}")
    if change.verify:
        said = cheat.lab.call("verify", cheat.results)
        if said.returncode != 65:
            miss("'verify' does not find it", said.stdout[-200:])
    code, out, error = judge(cheat.results, *options[1:])
    if change.judge and not re.search(change.judge, out + error):
        miss("the page's verifier does not find it", f"{code} {out[-200:]} {error[-200:]}")
    return change.judge is not None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--entrain", required=True)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--honest", type=int)
    options.add_argument("--entries", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", help="one kind of change, by its name below")
    options = options.parse_args()
    chance = random.Random(options.seed)
    findings, seen = collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lab, other = laboratory(options.entrain, folder / "lab"), laboratory(options.entrain, folder / "other", runs=3)
        judge = verifier(folder)
        cheat = Cheat(lab, other, chance)
        for number in range(options.count):
            seen += judged(cheat, judge, options.only or KINDS[number % len(KINDS)], findings)
        count = options.count * 2 if options.honest is None else options.honest
        honest.folders(options.entrain, folder, count, chance, judge, findings)
        honest.time_log(options.entrain, folder, options.count * 100 if options.entries is None else options.entries, findings)
    for what, details in findings.items():
        print(f"{what}: {len(details)} times, such as: {details[0]}")
    print(f"{options.count} changes of {1 if options.only else min(len(KINDS), options.count)} kinds, {seen} of which the page's verifier can see; "
          f"{count} honest folders; {sum(map(len, findings.values()))} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
