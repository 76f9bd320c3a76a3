"""What somebody can do to the log of a results folder, and to a registration: for changes.py."""

import re
import shutil

from lab import Key, bundles, digest, prove, read_entries, run_name, seal, write_log

RUNS = 12
# What 'study status' and 'analyse' say before everything else.
FIRST = r"\A(by the log|by their proofs|a log of runs|.*contradict)"


class Change:
    """What was changed, and what must be said of it. Words stand on one line with the name in 'study log', or in 'command'."""

    def __init__(self, words, name="", kept=None, verify=False, judge=None, said=FIRST, code=65, command=None,
                 tellers=("study status", "analyse")):
        self.words, self.name, self.kept, self.code, self.command = words, name, kept, code, command
        self.verify, self.judge, self.said, self.tellers = verify, judge, said, tellers


class LogChanges:
    def rolled_back(self):
        """The whole folder is an earlier one."""
        self.copy(self.lab.states[self.chance.randrange(1, RUNS)])
        return Change("contradict", kept=self.kept(), judge="does not continue", said="")

    def log_rolled_back(self):
        """Only the log is an earlier one; the bundles know better."""
        shutil.rmtree(self.log)
        shutil.copytree(self.lab.states[self.chance.randrange(RUNS)] / ".log", self.log)
        return Change("contradict", kept=self.chance.choice([None, self.kept()]))

    def forked(self):
        """A copy of an earlier folder went on by itself, and its log is put in the place of the log."""
        self.copy(self.chance.choice(self.lab.forks))
        if self.chance.random() < 0.5:
            for bundle in bundles(self.lab.results):
                if not (self.results / bundle.name).exists():
                    shutil.copytree(bundle, self.results / bundle.name)
            return Change("contradict")
        return Change("contradict", kept=self.kept(), judge="does not continue", said="")

    def rewritten(self, change, bundle, alone=False):
        """The entries are changed and signed again with the key of the folder. Later bundles know better, or else a checkpoint."""
        entries = read_entries(self.log)
        write_log(self.log, change(entries), self.key())
        last = [e for e in entries if e.startswith(b"begun")][-1].split()[1].decode() == run_name(bundle)
        kept = self.kept() if last or alone else self.chance.choice([None, self.kept()])
        return Change("contradict", kept=kept, judge="does not continue" if kept else None, said="" if last or alone else FIRST)

    def removed_from_the_log(self):
        bundle = self.one()
        shutil.rmtree(bundle)
        return self.rewritten(lambda entries: [e for e in entries if run_name(bundle).encode() not in e], bundle)

    def sealed_again_in_the_log(self):
        bundle = self.one()
        before = (bundle / "SHA256SUMS").read_bytes()
        (bundle / "result.json").write_text((bundle / "result.json").read_text().replace("4", "5"))
        seal(bundle)
        old, new = (digest(data).encode() for data in (before, (bundle / "SHA256SUMS").read_bytes()))
        return self.rewritten(lambda entries: [e.replace(old, new) for e in entries], bundle)

    def back_dated(self):
        """An entry stands earlier than it came."""
        entries = read_entries(self.log)
        place = self.chance.randrange(len(entries) // 2, len(entries) - 3)
        to = self.chance.randrange(0, place - 2)
        return self.rewritten(lambda e: e[:to] + [e[place]] + e[to:place] + e[place + 1:], bundles(self.results)[0], alone=False)

    def frozen_late(self):
        """A study is frozen after its sessions, and the entry is put first."""
        late = b"frozen " + digest((self.other.folder / "registration/registration.json").read_bytes()).encode()
        return self.rewritten(lambda entries: [late] + entries, self.results / ("0" * 36))

    def frozen_after_all(self):
        """A study is frozen after its sessions, and its date is put before them."""
        shutil.rmtree(self.lab.folder / "late", ignore_errors=True)
        self.lab.call("freeze", "study.yaml", "--out", "late", "--results", self.results)
        if self.chance.random() < 0.5:
            file = self.lab.folder / "late/registration.json"
            file.write_text(re.sub(r'"date":"\d+', '"date":"2025', file.read_text()))
            seal(file.parent)
        return Change("exploratory", command=["analyse", self.results, "--registered", "late"], code=0, said="")

    def registration_changed(self):
        """The registered study or its digest says something else."""
        shutil.rmtree(self.lab.folder / "other", ignore_errors=True)
        shutil.copytree(self.lab.folder / "registration", self.lab.folder / "other")
        file = self.chance.choice([self.lab.folder / "other/registration.json", *(self.lab.folder / "other/files").iterdir()])
        text = file.read_text()
        place = self.chance.choice([i for i, c in enumerate(text) if c.isalnum()])
        file.write_text(text[:place] + ("a" if text[place] != "a" else "b") + text[place + 1:])
        if self.chance.random() < 0.5:
            seal(self.lab.folder / "other")
        return Change("error|exploratory", command=["analyse", self.results, "--registered", "other"], code=None, said="")

    def of_another_key(self):
        """A log and all proofs are written anew, with a new key and without one run."""
        bundle = self.one()
        shutil.rmtree(bundle)
        entries = [e for e in read_entries(self.log) if run_name(bundle).encode() not in e]
        key = Key(name="entrain/log/%016x" % self.chance.getrandbits(64))
        # In the order of time: a proof holds what was sealed before it.
        for place in sorted(bundles(self.results), key=lambda p: next(i for i, e in enumerate(entries) if run_name(p).encode() in e)):
            index = next(i for i, e in enumerate(entries) if e.startswith(f"begun {run_name(place)}".encode()))
            prove(place, entries, index, key)
            seal(place)
            after = digest((place / "SHA256SUMS").read_bytes()).encode()
            sealed = f"sealed {run_name(place)} ".encode()
            entries = [sealed + after if e.startswith(sealed) else e for e in entries]
        write_log(self.log, entries, key)
        return Change("contradict|another log|another key", kept=self.kept(), judge="another key|another identifier|another name", said="")

    def log_deleted(self):
        """The log is gone, and a run with it: the proofs of later ones count more entries."""
        shutil.rmtree(self.log)
        order = self.lab.order
        shutil.rmtree(self.results / self.chance.choice(order[:-2]))
        return Change("", code=69, judge="No such file")

    def log_of_another(self):
        shutil.rmtree(self.log)
        shutil.copytree(self.other.results / ".log", self.log)
        return Change("missing", judge="missing")

    def trust(self, judge):
        return Change("not to be trusted", judge=judge)

    def tiles(self):
        size = (self.log / "checkpoint").read_text().split("\n")[1]
        return [self.log / f"tile/0/000.p/{size}", self.log / f"tile/entries/000.p/{size}"]

    def tile_truncated(self):
        place = self.chance.randrange(2)
        tile = self.tiles()[place]
        data = tile.read_bytes()
        tile.write_bytes(data[:self.chance.randrange(len(data))])
        return self.trust("not those of the checkpoint|Error" if place else None)

    def tile_lengthened(self):
        place = self.chance.randrange(2)
        tile = self.tiles()[place]
        tile.write_bytes(tile.read_bytes() + bytes(32))
        return self.trust("not those of the checkpoint" if place else None)

    def tile_deleted(self):
        place = self.chance.randrange(2)
        self.tiles()[place].unlink()
        return self.trust("No such file" if place else None)

    def tile_changed(self):
        place = self.chance.randrange(2)
        tile = self.tiles()[place]
        data = bytearray(tile.read_bytes())
        data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
        tile.write_bytes(data)
        return self.trust("not those of the checkpoint|Error" if place else None)

    def checkpoint_changed(self):
        """One character of the checkpoint is another one."""
        file = self.log / "checkpoint"
        text = file.read_text()
        place = self.chance.choice([i for i, c in enumerate(text) if c.isalnum() and i < len(text) - 5])
        file.write_text(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1:])
        return self.trust("Error|another|wrong|name")

    def checkpoint_of_another(self):
        shutil.copy(self.other.results / ".log/checkpoint", self.log)
        return self.trust("another key")

    def checkpoint_deleted(self):
        (self.log / "checkpoint").unlink()
        return self.trust("No such file")

    def key_exchanged(self):
        for name in self.chance.choice([["verifier-key"], ["verifier-key", "secret-key"], ["verifier-key", "checkpoint"]]):
            shutil.copy(self.other.results / ".log" / name, self.log)
        return self.trust("another key|not those|No such file|Error")
