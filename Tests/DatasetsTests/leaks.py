#!/usr/bin/env python3
"""Puts what tells who somebody is into every field of bundles, and searches every byte of what leaves under pseudonyms.

    python3 Tests/DatasetsTests/leaks.py ENTRAIN [--values 10000] [--seed S] [--keep FOLDER] [--show 40]

Days, participants' codes, UUIDs, names of machines, addresses and paths, in many writings, stand in each field of each JSON
file of rehearsed bundles, in fields that no list knows, in the texts and names of the study, and in names of files and
folders. The bundles are sealed anew. Then `collate` as CSV and Parquet, `analyse`, `report` and `export` to every format make
data under pseudonyms and with moved dates. Nothing that the documentation promises to remove may be in a byte or a name
there, as it is or in the writing of JSON, HTML, addresses or base64. A value that may stay, such as the text of a choice, may
be there without any of that. Values that the program refuses are counted. As a control, data without pseudonyms are
searched, too: there the values must be found. Needs numpy and pyarrow.
"""

import argparse
import collections
import glob
import gzip
import hashlib
import hmac
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid

import leak_bundles
import leak_study
from leak_search import Search
from leak_values import Maker
from sealing import seal

FORMATS = ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "edf", "spss", "psych-ds", "ro-crate"]
CODES = ["KX-4711", "Zo\u00eb M\u00fcller", "VP.Anna_7", "\u65e5\u672c-0042", "o'neil 12", "\u03a9mega-33", "proband 0815", "M\u00dc-19a"]
HERE = os.path.dirname(os.path.abspath(__file__))
# Studies that are rehearsed besides the one that is made for this.
OTHERS = ["protocols/bilingual-screening", "protocols/felt-tension", "protocols/reaction-times", "mood-playlist", "music-heart-rate"]


class Leaks:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.entrain = os.path.abspath(options.entrain)
        self.collated = {}
        self.maker = Maker(options.seed)
        self.chance = self.maker.chance
        self.key = os.path.join(folder, "key")
        key = hashlib.sha256(b"leaks %d" % options.seed).digest()
        with open(os.open(self.key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as opened:
            opened.write(key)
        self.secret = key
        self.schemas = {kind: json.loads(self.run("schema", "--bundle", kind)[1]) for kind in
                        ["result", "step", "recording", "plan", "manifest", "journal"]}
        self.refused, self.refusals, self.runs, self.codes, self.words = set(), 0, [], [], {}
        self.patterns, self.problems, self.counts = set(), [], {}
        self.reasons = collections.Counter()

    def run(self, *words, may=(0,)):
        done = subprocess.run([self.entrain, *words], capture_output=True, text=True, errors="surrogateescape")
        if done.returncode not in may:
            raise SystemExit(f"{' '.join(words)[:200]}: exit code {done.returncode}: {done.stderr[-2000:]}")
        return done.returncode, done.stdout, done.stderr

    def shift(self, code):
        digest = hmac.new(self.secret, f"entrain dates {code}".encode(), hashlib.sha256).digest()
        return 1 + int.from_bytes(digest[:6], "big") % 364

    # ---- bundles ----------------------------------------------------------------------------------------------------

    def name(self):
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4)).upper()

    def bases(self):
        """Bundles of studies with planted texts, each with the code of its participant."""
        count = max(1, round(self.options.values / 1800))
        for number in range(count):
            code = CODES[number % len(CODES)] + (str(number) if number >= len(CODES) else "")
            plant = leak_study.Planting(self.maker, code)
            for bundle in leak_study.rehearse(self.entrain, plant, self.folder, number, code):
                yield bundle, code
        for number, study in enumerate(OTHERS if self.options.values > 2000 else OTHERS[:1]):
            out, code = os.path.join(self.folder, f"other{number}"), f"Probe-Q{number + 1}"
            self.run("rehearse", os.path.join(HERE, "..", "..", "Studies", study + ".yaml"), "--participant", code, "--out", out)
            yield os.path.join(out, sorted(name for name in os.listdir(out) if len(name) == 36)[0]), code

    def actions(self, base, code, budget):
        """Changes of a bundle that plant about so many values: each pattern that is there once, and then others."""
        planter = leak_bundles.Planter(self.maker, self.schemas, code, self.shift(code), self.refused)
        places = []
        for file, kind in leak_bundles.kinds(base):
            content = leak_bundles.load(os.path.join(base, file))
            if kind == "journal":
                lines = [0] + self.chance.sample(range(1, len(content)), min(len(content) - 1, 40))
                for line in lines:
                    places += planter.places(file, kind, content[line], self.schemas[kind], (line,), kind)
            else:
                places += planter.places(file, kind, content, self.schemas[kind])
        self.chance.shuffle(places)
        seen, first, rest = set(), [], []
        for name, make in places:
            (rest if name in seen else first).append((name, make))
            seen.add(name)
        first.sort(key=lambda place: place[0] in self.patterns)
        made, taken = [], set()
        for name, make in first + rest:
            if budget <= 0:
                break
            if name in self.refused:
                continue
            action = make()
            place = action and (action.file, action.path, action.what, len(made) if action.what == "append" else 0)
            if action and place not in taken:
                taken.add(place)
                made.append(action)
                action.name = name
                budget -= len(action.values)
        # What is appended or added comes last, so that places stay where they are.
        return sorted(made, key=lambda action: (action.what == "append", len(action.path))), planter

    def accepted(self, bundles):
        """Those of the bundles that the program reads, and what it said of the others."""
        folder = os.path.join(self.folder, f"tried{len(os.listdir(self.folder))}")
        os.mkdir(folder)
        for run, (base, actions) in bundles.items():
            leak_bundles.planted(base, os.path.join(folder, run), run, actions)
        bad = {}
        _, said, wrong = self.run("collate", folder, "--out", folder + "-set", "--pool-revisions", "--format", "json", may=(0, 65))
        for form in ("bids", "xdf"):
            for entry in json.loads(said)["damaged"]:
                bad[os.path.basename(entry["path"])] = entry["reason"]
            for run in bad:
                shutil.rmtree(os.path.join(folder, run), ignore_errors=True)
            if len(bad) == len(bundles):
                break
            said = self.export_what_can_be(folder, form, f"{folder}-{form}", bad)
        for entry in json.loads(said)["damaged"] if len(bad) < len(bundles) else []:
            bad[os.path.basename(entry["path"])] = entry["reason"]
            shutil.rmtree(os.path.join(folder, os.path.basename(entry["path"])), ignore_errors=True)
        return {run for run in bundles if run not in bad}, bad, folder

    def export_what_can_be(self, folder, form, out, bad):
        """Exports, without the bundles for which a whole export is refused."""
        while True:
            code, said, wrong = self.run("export", folder, "--to", form, "--out", out, "--include-simulated", "--format", "json", may=(0, 65))
            named = [run for run in os.listdir(folder) if run in wrong] if code and not os.path.exists(out) else []
            if not named:
                return said or '{"damaged": []}'
            for run in named:
                bad[run] = wrong
                shutil.rmtree(os.path.join(folder, run))

    def find_accepted(self, groups, good):
        """Halves groups of changes until what is refused is alone, and puts bundles that are read into `good`."""
        while groups:
            bundles = {self.name(): group for group in groups}
            taken, bad, folder = self.accepted(bundles)
            groups = []
            for run, (base, actions) in bundles.items():
                if run in taken:
                    shutil.move(os.path.join(folder, run), os.path.join(good, run))
                    self.runs.append((run, actions))
                    self.planted += [value for action in actions for value in action.values]
                elif len(actions) > 1:
                    half = len(actions) // 2
                    groups += [(base, actions[:half]), (base, actions[half:])]
                elif actions:
                    self.refused.add(actions[0].name)
                    self.refuse(actions[0], bad[run])
            shutil.rmtree(folder)

    def refuse(self, action, reason):
        self.refusals += len(action.values)
        for value in action.values:
            self.reasons[(value.pattern, reason.split("/")[-1][:120])] += 1

    def make(self, good):
        """Bundles with values in all their fields."""
        bases = list(self.bases())
        self.codes = sorted({code for _, code in bases})
        single = self.options.values // 25
        self.planted = list(self.maker.made)
        budget = self.options.values - len(self.planted) - single
        share = max(100, min(1200, budget // len(bases)))
        for base, code in itertools.cycle(bases):
            if budget <= 0:
                break
            before = len(self.planted)
            actions, planter = self.actions(base, code, min(share, budget))
            self.find_accepted([(base, actions)], good)
            self.patterns |= planter.patterns
            budget -= max(1, len(self.planted) - before)
        groups = []
        while single > 0:
            base, code = self.chance.choice(bases)
            planter = leak_bundles.Planter(self.maker, self.schemas, code, self.shift(code), self.refused)
            file, kind = self.chance.choice([found for found in leak_bundles.kinds(base) for _ in range(1 if found[1] in ("step", "journal") else 4)])
            content, schema = leak_bundles.load(os.path.join(base, file)), self.schemas[kind]
            line = self.chance.randrange(len(content)) if kind == "journal" else None
            action = planter.broken(file, kind, content if line is None else content[line], schema)
            if action:
                action.path = action.path if line is None else (line,) + action.path
                groups.append((base, [action]))
                self.patterns |= planter.patterns
                single -= 1
        before = set(self.refused)
        self.find_accepted(groups, good)
        self.refused = before
        for run, _ in self.runs:
            self.words[run] = "UUID of a run"
        self.name_channels(good)
        self.rename(good)
        for code in self.codes:
            self.words[code] = "code"

    def name_channels(self, good):
        """Channels of columns with names that tell something, the same in the file's first line and in the results."""
        for run, _ in self.runs[1::3]:
            bundle = os.path.join(good, run)
            for path in glob.glob(os.path.join(glob.escape(bundle), "steps", "*", "*.csv.gz")):
                with gzip.open(path, "rb") as packed:
                    head, rest = packed.read().split(b"\n", 1)
                old = head.split(b",")[1].split(b" ")[0]
                value = self.maker.identifier("x")
                value.pattern = "name of a channel"
                results = [os.path.join(bundle, "result.json"), os.path.join(os.path.dirname(path), "result.json")]
                texts = [open(result, encoding="utf-8").read() for result in results]
                said = '"name":"%s"' % old.decode()
                if not all(said in text for text in texts):
                    continue
                self.planted.append(value)
                for result, text in zip(results, texts):
                    with open(result, "w", encoding="utf-8") as opened:
                        opened.write(text.replace(said, '"name":"%s"' % value.text))
                with gzip.GzipFile(path, "wb", mtime=0) as packed:
                    packed.write(head.replace(old, value.text.encode(), 1) + b"\n" + rest)
            seal(bundle)

    def rename(self, good):
        """Recorders' files and folders with names that tell something, and a file that no list knows."""
        for run, _ in self.runs[::3]:
            bundle = os.path.join(good, run)
            manifest = leak_bundles.load(os.path.join(bundle, "manifest.json"))
            # The time in a file's name is moved.
            self.maker.moved_by = self.shift(manifest["participant"])
            result = open(os.path.join(bundle, "result.json"), encoding="utf-8").read()
            for entry in manifest["files"]:
                above, name = os.path.split(entry["path"])
                if not above or name == "result.json" or result.count(name) != 1 or self.chance.random() < 0.7:
                    continue
                value = self.maker.identifier("x")
                value.pattern = "name of a file"
                self.planted.append(value)
                new = self.chance.choice(["HKQuantityTypeIdentifierHeartRate_", "", name.split("_")[0] + "_"]) + value.text + "." + name.split(".", 1)[1]
                os.rename(os.path.join(bundle, above, name), os.path.join(bundle, above, new))
                result = result.replace(name, new)
                entry["path"] = f"{above}/{new}"
            value, inner = self.maker.identifier("x"), self.maker.text(self.codes[0])
            value.pattern, inner.pattern = "name of an unknown file", "unknown file"
            self.planted += [value, inner]
            above = os.path.dirname(manifest["files"][-2]["path"]) or "steps"
            leak_bundles.write(os.path.join(bundle, above, value.text + ".json"), {"x": inner.text})
            manifest["files"].append({"bytes": 0, "contentType": "application/json", "path": f"{above}/{value.text}.json", "sha256": "0" * 64})
            open(os.path.join(bundle, "result.json"), "w", encoding="utf-8").write(result)
            leak_bundles.write(os.path.join(bundle, "manifest.json"), manifest)
            seal(bundle)

    # ---- what leaves ------------------------------------------------------------------------------------------------

    def outputs(self, good, hidden, out):
        """Makes everything that can leave; the folder of each by its name."""
        os.mkdir(out)
        also = ["--pseudonymise", self.key, "--shift-dates"] if hidden else []
        made = {}

        def target(name, folder=False):
            made[name] = os.path.join(out, name)
            if folder:
                os.mkdir(made[name])
            return made[name]

        for form in ("csv", "parquet"):
            self.run("collate", good, "--out", target(f"dataset {form}"), "--format", form, "--pool-revisions", *also, may=(0, 65))
        sessions = glob.glob(made["dataset csv"] + "/sessions/**/*.ndjson", recursive=True)
        self.collated[hidden] = sum(len(open(path, encoding="utf-8").read().splitlines()) for path in sessions)
        for form in FORMATS:
            code, said, wrong = self.run("export", good, "--to", form, "--out", target(form), "--include-simulated", *also,
                                         "--format", "json", may=(0, 65))
            if not os.path.exists(made[form]):
                self.problems.append(f"nothing was exported to {form}: {wrong[-400:]}")
                del made[form]
                continue
            self.counts[(form, hidden)] = json.loads(said)["runs"]
        reports = target("report", True)
        dataset = made["dataset csv"]
        self.run("report", dataset, "--out", reports + "/dataset.html", "--include-simulated")
        self.run("report", dataset, "--out", reports + "/pooled.html", "--include-simulated", "--pool-revisions", may=(0, 65))
        self.run("report", good, "--out", reports + "/bundles.html", "--include-simulated", "--pool-revisions", *also, may=(0, 65))
        with open(os.path.join(target("said", True), "runs"), "w") as opened:
            opened.write(json.dumps([self.counts[(form, hidden)] for form in FORMATS if (form, hidden) in self.counts], ensure_ascii=False))
        for number, (run, _) in enumerate(self.runs[:self.options.values // 100]):
            self.run("report", os.path.join(good, run), "--out", f"{reports}/{number}.html", "--include-simulated", *also, may=(0, 65))
        analysed = target("analyse", True)
        for form in ("text", "json"):
            _, said, wrong = self.run("analyse", dataset, "--include-simulated", "--over-time", f"{analysed}/{form}.csv",
                                      "--script", f"{analysed}/{form}.script",
                                      "--format", form, may=(0, 65))
            with open(f"{analysed}/{form}", "w", encoding="utf-8", errors="surrogateescape") as opened:
                opened.write(said + wrong)
        return made

    def control(self, search, made):
        """Without pseudonyms, values must be found in every format, and many fields must show."""
        fields, seen = collections.defaultdict(set), set()
        for name, folder in made.items():
            for what, how, place, where in search.look_in(folder):
                if hasattr(what, "pattern"):
                    fields[name].add(what.pattern)
                    seen.add(what)
        for name in made:
            if not fields[name] and name != "said":
                self.problems.append(f"the control found nothing in {name} without pseudonyms")
        # The bundles themselves are in an RO-Crate, so that every value must be found there.
        missed = [value for value in self.planted if value not in seen]
        if len(missed) > len(self.planted) // 50:
            self.problems.append(f"the control found only {len(seen)} of {len(self.planted)} values, and not "
                                 f"{missed[0].text!r} of {missed[0].pattern}")
        return {name: len(found) for name, found in fields.items()}

    def judge(self, search, made):
        """What was found that may not be there."""
        leaks, kept = {}, collections.Counter()
        for name, folder in made.items():
            for what, how, place, where in search.look_in(folder):
                if not hasattr(what, "pattern"):
                    leaks.setdefault((what, name), (what, name, place, where))
                    continue
                gone = what.token and what.promised and not what.code
                if what.stays and (not what.promised or how == "token" and not gone):
                    kept[what.kind, what.pattern] += 1
                    continue
                leaks.setdefault((what, name), (what, name, place, where))
        return list(leaks.values()), kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entrain")
    parser.add_argument("--values", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=40, help="leaks that are printed")
    parser.add_argument("--keep", help="a new folder in which everything stays")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or os.path.join(scratch, "work")
        os.makedirs(folder)
        return check(options, folder)


def check(options, folder):
    leaks = Leaks(options, folder)
    above = os.path.join(folder, "2088-03-04 " + CODES[0] + " pc7.uni-bonn.de")
    good = os.path.join(above, "results of " + CODES[0])
    os.makedirs(good)
    leaks.words.update({"2088-03-04": "name of a folder", "pc7.uni-bonn": "name of a folder"})
    leaks.make(good)
    values = leaks.maker.made
    search = Search(values, leaks.words)
    shown = leaks.control(search, leaks.outputs(good, False, os.path.join(folder, "shown")))
    search.bytes = 0
    made = leaks.outputs(good, True, os.path.join(folder, "hidden"))
    found, kept = leaks.judge(search, made)
    for form in FORMATS:
        whole, hidden = (len(leaks.counts.get((form, hides), [])) for hides in (False, True))
        # Tables are made of bundles that collate takes.
        wanted = leaks.collated[False] if form == "psych-ds" else len(leaks.runs)
        if whole != hidden or whole < wanted:
            leaks.problems.append(f"{form}: {whole} of {wanted} runs, and {hidden} under pseudonyms")
    groups = collections.defaultdict(list)
    for what, name, place, where in found:
        groups[(what.kind if hasattr(what, "kind") else what, getattr(what, "pattern", None))].append((what, name, place, where))
    for what, name, place, where in found[:options.show]:
        print(f"LEAK  {getattr(what, 'text', what)!r} of {getattr(what, 'pattern', '?')} ({getattr(what, 'kind', '')}) in {name}: {place}: {where!r}")
    print("\nleaks by what they are and where they were put:" if groups else "", end="\n" if groups else "")
    for (kind, pattern), all in sorted(groups.items(), key=lambda item: -len(item[1]))[:options.show * 3]:
        print(f"{len(all):6} {kind:35} {pattern}  in {', '.join(sorted({entry[1] for entry in all}))}")
    for problem in leaks.problems:
        print("FAIL  " + problem)
    print(f"control, fields that show without pseudonyms: {', '.join(f'{name} {count}' for name, count in shown.items())}")
    print("stays in the study's own names and texts, as documented: " + ", ".join(sorted({kind for kind, _ in kept})))
    print("fields in which that was: " + ", ".join(sorted({pattern for _, pattern in kept})))
    fields = {value.pattern for value in leaks.planted}
    print(f"{len(leaks.planted)} values, and {leaks.refusals} that were refused, in {len(fields)} fields of {len(leaks.runs)} bundles; "
          f"{len(made)} formats, {search.bytes} bytes searched; {len(found)} leaks")
    return 1 if found or leaks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
