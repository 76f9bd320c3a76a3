"""Simulates studies without any effect whose spread is uneven, and counts how often `entrain analyse` finds one.

    python3 Tests/DatasetsTests/robustness.py ENTRAIN [--studies N] [--cases a,b] [--seed S]

Every question of a dataset is a study of its own. The cases:

    arms       three arms of 6, 10 and 30 people, with standard deviations of 3, 1 and 1
    adjusted   the same, relative to a baseline that explains half of the variance
    two        two arms of 8 and 24 people, with standard deviations of 3 and 1, relative to a baseline
    conditions 20 people in three conditions, of which one varies five times as much as the others
    four       20 people in four conditions, each of which goes on from the one before
    trials     reaction times of 20 people, 20 trials in each of two conditions; effects differ from person to person
    ratings    the same with ratings from 1 to 7

A case passes if p is at most 0.05 in 3.5 to 6.5 % of the studies, and the 95 % intervals of 93.5 to 96.5 % of all pairs
cover 0, both allowing for three standard errors of the simulation. Ends with 1 where a case does not pass.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from contrasts_agreement import write_parts

REQUIRED = ["sessions", "steps", "recordings", "samples", "beats", "draws", "answers", "events"]
AT_ONCE = 40


def arms(random, count, sizes=(6, 10, 30), spreads=(3, 1, 1), relative=False):
    people = [(f"P{arm}{person:02}", f"arm{arm}", spread)
              for arm, (size, spread) in enumerate(zip(sizes, spreads)) for person in range(size)]
    before = random.normal(0, 1, (len(people), count))
    noise = random.normal(0, 1, (len(people), count)) * np.array([[s] for _, _, s in people])
    after = before * np.array([[s] for _, _, s in people]) + noise if relative else noise
    return [dict(participant=code, arm=arm, steps=[("before", None, before[i]), ("after", None, after[i])])
            for i, (code, arm, _) in enumerate(people)]


def within(random, count, make, people=20):
    made = make(random, people, count)
    return [dict(participant=f"P{person:02}", arm=None,
                 steps=[("b.ask", f"c{level}", made[person, level, trial])
                        for trial in range(made.shape[2]) for level in random.permutation(made.shape[1])])
            for person in range(people)]


def uneven(random, people, count):
    usual = random.normal(0, 2, (people, 1, 1, count))
    return usual + random.normal(0, 1, (people, 3, 1, count)) * np.array([1, 1, 5]).reshape(1, 3, 1, 1)


def walking(random, people, count):
    return random.normal(0, 2, (people, 1, 1, count)) + np.cumsum(random.normal(0, 1, (people, 4, 1, count)), axis=1)


def trials(random, people, count):
    usual = random.normal(400, 60, (people, 1, 1, count))
    own = random.normal(0, 25, (people, 2, 1, count))
    return usual + own + random.exponential(120, (people, 2, 20, count))


def ratings(random, people, count):
    usual = random.normal(4, 1, (people, 1, 1, count)) + random.normal(0, 0.8, (people, 2, 1, count))
    return np.clip(np.round(usual + random.normal(0, 1, (people, 2, 20, count))), 1, 7)


CASES = {
    "arms": lambda random, count: (arms(random, count), False),
    "adjusted": lambda random, count: (arms(random, count, relative=True), True),
    "two": lambda random, count: (arms(random, count, (8, 24), (3, 1), relative=True), True),
    "conditions": lambda random, count: (within(random, count, uneven), False),
    "four": lambda random, count: (within(random, count, walking), False),
    "trials": lambda random, count: (within(random, count, trials), False),
    "ratings": lambda random, count: (within(random, count, ratings), False),
}


def write_dataset(folder, people, relative, count, version):
    tables = {name: [] for name in REQUIRED + ["outcomes"]}
    for number, person in enumerate(people):
        uuid = f"{number:08}-0000-4000-8000-000000000000"
        tables["sessions"].append(dict(
            run=uuid, study="spread", task="task", participant=person["participant"], session=1, revision=1, study_sha256="0" * 64,
            manifest_sha256=f"{number:064}", origin="recorded", arm=person["arm"], start="2026-01-01T09:00:00.000Z",
            duration_seconds=9.0, status="completed", samples=0, beats=0))
        visits = {}
        for place, (step, condition, values) in enumerate(person["steps"]):
            visits[step] = visits.get(step, 0) + 1
            key = dict(run=uuid, step=step, visit=visits[step])
            tables["steps"].append(key | dict(
                start_seconds=float(place), end_seconds=place + 1.0, skipped=False, condition=condition,
                round=visits[step] if condition else None))
            tables["answers"] += [key | dict(question=f"q{i}", value=float(v)) for i, v in enumerate(values)]
    step = people[0]["steps"][-1][0]
    for question in range(count):
        row = dict(study="spread", study_sha256="0" * 64, rank="secondary", measure="answer", of=f"{step}.q{question}",
                   steps=step, item=f"q{question}")
        if relative:
            row |= dict(relative_to=f"before.q{question}", relative_steps="before", relative_item=f"q{question}")
        tables["outcomes"].append(row)
    os.makedirs(folder)
    write_parts(folder, "spread", tables, version)


def limits(low, high, number, share):
    room = 3 * np.sqrt(share * (1 - share) / number)
    return low - room, high + room


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("entrain")
    options.add_argument("--studies", type=int, default=200)
    options.add_argument("--cases", default=",".join(CASES))
    options.add_argument("--seed", type=int, default=2026)
    asked = options.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="entrain-spread-") as work:
        os.makedirs(f"{work}/none")
        subprocess.run([asked.entrain, "collate", f"{work}/none", "--out", f"{work}/empty"], capture_output=True)
        version = json.load(open(f"{work}/empty/collation.json"))["collation"]
        for name in asked.cases.split(","):
            random, found, covered, pairs, studies = np.random.default_rng(asked.seed), 0, 0, 0, 0
            while studies < asked.studies:
                count = min(AT_ONCE, asked.studies - studies)
                folder = f"{work}/{name}-{studies}"
                people, relative = CASES[name](random, count)
                write_dataset(folder, people, relative, count, version)
                said = subprocess.run([asked.entrain, "analyse", folder, "--format", "json"], capture_output=True, text=True)
                if said.returncode:
                    sys.exit(f"{name}: {said.stderr}")
                for outcome in json.loads(said.stdout)["studies"][0]["outcomes"]:
                    studies += 1
                    found += outcome["p"] <= 0.05
                    for pair in (outcome.get("arms") or outcome.get("conditions"))["pairs"]:
                        pairs += 1
                        covered += pair["low"] <= 0 <= pair["high"]
            share, cover = found / studies, covered / pairs
            low, high = limits(0.035, 0.065, studies, 0.05)
            floor, ceiling = limits(0.935, 0.965, studies, 0.95)
            passes = low <= share <= high and floor <= cover <= ceiling
            bad += not passes
            print(f"{'ok   ' if passes else 'FAIL '} {name}: {100 * share:.1f} % of {studies} studies find an effect, "
                  f"{100 * cover:.1f} % of {pairs} intervals cover 0", flush=True)
    sys.exit(1 if bad else 0)
