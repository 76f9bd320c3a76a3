"""Runs the scripts that `entrain analyse --script` writes, on every design that the program has.

    entrain rehearse Studies/music-crossover.yaml --participants 24 --out BUNDLES
    python3 Tests/DatasetsTests/scripts.py ENTRAIN BUNDLES [SEED]

Writes studies with arms, with and without a baseline, in one session or two; before and after; one group; conditions and
trials; crossovers of clips; people who take part together; and takes the bundles. Python's script needs SciPy, R's needs lme4 and
jsonlite, and is left out where Rscript has none. Each script must agree with the program, find a value that was changed,
and find a figure that it does not work out. Ends with 1 otherwise.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import contrasts_agreement as crossovers
import outcomes_agreement as arms
import robustness as spread

# What the designs of this seed together must have, as the JSON names it.
SEED = 2030
WANTED = {"arms", "omnibus", "adjusted", "armsByConditions", "change", "mean", "conditions", "contrasts", "sensitivity", "unevenSpread",
          "outliers", "rmssd", "power", "slope", "together", "characteristics", "course", "ratings", "before", "session", "rest", "exact", "drawn", "crossing", "place"}
TOGETHER = """
entrain: 1
study: {identifier: dyads, title: Dyads, seed: 4}
sources: {heartRate: {type: simulated}}
stimuli: {clips: {catalogue: clips.yaml}}
outcomes: {primary: {measure: heartRate, of: listen}}
tasks:
  - identifier: task
    steps:
      - type: form
        identifier: person
        questions:
          - {identifier: age, title: Age, answer: {number: {min: 18, max: 99}}}
          - {identifier: plays, title: Instruments, answer: {choices: [piano, violin, none]}}
      - {type: active, identifier: listen, title: How calm?, duration: 60 s, stimulus: {from: clips, draw: random},
         recorders: [{type: heartRate, identifier: heartRate}, {type: rating, identifier: calm, rate: 10 /s,
                      scale: {from: 0, to: 100, fromLabel: tense, toLabel: calm}}]}
      - {type: completion, identifier: thanks, title: Thanks}
"""
CLIPS = "entrain: 1\nclips: [{identifier: calm, clicks: 60 s, beats: {tempo: 72 bpm}, mood: calm}]\n"


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def people_together(folder):
    open(f"{folder}/study.yaml", "w").write(TOGETHER)
    open(f"{folder}/clips.yaml", "w").write(CLIPS)
    for pair in range(4):
        said = run(entrain, "run", f"{folder}/study.yaml", "--auto", "--speed", "max", "--participant", f"A{pair}", "--with", f"B{pair}",
                   "--out", f"{folder}/results")
        if said.returncode:
            sys.exit(f"people together: {said.stdout}{said.stderr}")
    return f"{folder}/results"


def designs(work, version, bundles):
    """Names with paths."""
    yield "bundles", bundles
    random = np.random.default_rng(seed)
    for number in range(6):
        runs, relative = arms.study(random)
        os.makedirs(f"{work}/arms-{number}")
        arms.write_dataset(f"{work}/arms-{number}", runs, relative, version)
        yield f"study {number}", f"{work}/arms-{number}"
    for number in range(4):
        os.makedirs(f"{work}/clips-{number}")
        crossovers.write_dataset(f"{work}/clips-{number}", crossovers.crossover(random), version)
        yield f"crossover {number}", f"{work}/clips-{number}"
    for case in ("conditions", "trials"):
        people, relative = spread.CASES[case](random, 4)
        spread.write_dataset(f"{work}/{case}", people, relative, 4, version)
        yield case, f"{work}/{case}"
    flanker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Studies", "protocols", "flanker-after-music.yaml")
    run(entrain, "rehearse", flanker, "--participants", "18", "--out", f"{work}/flanker")
    yield "columns", f"{work}/flanker"
    os.makedirs(f"{work}/together")
    yield "people together", people_together(f"{work}/together")


def names(told):
    """What a document has that is not empty: its keys, and the words that stand for designs."""
    found = set()
    for key, value in told.items() if isinstance(told, dict) else [(None, v) for v in told]:
        if isinstance(value, (dict, list)):
            found |= names(value) | ({key} if value else set())
        elif key in ("method", "kind"):
            found.add(value)
        elif key == "exact":
            found.add("exact" if value else "drawn")
    return found


def change_value(folder):
    """Adds a little to one value that counts, in the table that the folder has most of."""
    name = max(("values", "responses"), key=lambda n: os.path.getsize(f"{folder}/{n}.csv"))
    rows = list(csv.DictReader(open(f"{folder}/{name}.csv", newline="")))
    row = next(r for r in rows if r["change"])
    row["change"] = repr(float(row["change"]) + 0.01)
    with open(f"{folder}/{name}.csv", "w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


def add_figure(folder):
    told = json.load(open(f"{folder}/analysis.json"))
    told["studies"][0]["elsewhere"] = {"figure": 1.5}
    json.dump(told, open(f"{folder}/analysis.json", "w"))


def main(bundles):
    scripts = {"analyse.py": sys.executable}
    if shutil.which("Rscript") and not run("Rscript", "-e", "library(lme4); library(jsonlite)").returncode:
        scripts["analyse.R"] = "Rscript"
    else:
        print("R has no lme4 or jsonlite: its script is not run", file=sys.stderr)
    bad, figures, seen = 0, dict.fromkeys(scripts, 0), set()
    with tempfile.TemporaryDirectory(prefix="entrain-scripts-") as work:
        run(entrain, "collate", bundles, "--out", f"{work}/collated")
        version = json.load(open(f"{work}/collated/collation.json"))["collation"]
        for count, (name, path) in enumerate(designs(work, version, bundles)):
            folder = f"{work}/folder-{count}"
            said = run(entrain, "analyse", path, "--include-simulated", "--calibrate", "20", "--script", folder,
                       "--over-time", f"{work}/seconds-{count}.csv")
            if said.returncode:
                sys.exit(f"{name}: {said.stderr}")
            seen |= names(json.load(open(f"{folder}/analysis.json"))["studies"])
            for script, program in scripts.items():
                said = run(program, f"{folder}/{script}")
                told = [line for line in said.stdout.splitlines() if line.endswith("DIFFERENT")]
                figures[script] += said.stdout.count(" equal\n")
                if said.returncode or told:
                    bad += 1
                    print(f"{name}: {script} ends with {said.returncode}", *told[:10], said.stderr[-600:], sep="\n  ")
                # R is slow: it is asked once.
                for fault in (change_value, add_figure) if count == 1 or count % 3 == 0 and script.endswith("py") else ():
                    wrong = f"{work}/wrong"
                    shutil.copytree(folder, wrong)
                    fault(wrong)
                    said = run(program, f"{wrong}/{script}")
                    if said.returncode != 1 or "DIFFERENT" not in said.stdout:
                        bad += 1
                        print(f"{name}: {script} does not find {fault.__name__}: {said.stderr[-600:]}")
                    shutil.rmtree(wrong)
    if seed == SEED and WANTED - seen:
        bad += 1
        print(f"no design has {', '.join(sorted(WANTED - seen))}")
    print("scripts agree: " + ", ".join(f"{number} figures with {script}" for script, number in figures.items()))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    entrain = os.path.abspath(sys.argv[1])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else SEED
    main(os.path.abspath(sys.argv[2]))
