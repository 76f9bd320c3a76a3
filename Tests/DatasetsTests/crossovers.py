"""Simulates crossovers whose truth is known, and judges what `entrain analyse` says about them.

    python3 Tests/DatasetsTests/crossovers.py ENTRAIN [--studies N] [--cases a,b] [--seed S]

Each study has 24 participants who go through three conditions in all six orders, with a rest before each. It is written
as the tables of a dataset, and its primary outcome is the heart rate relative to the rest. The cases:

    effect      one condition raises the heart rate
    none        no condition does
    settling    no condition does, and hearts settle by 6 beats per minute over the session
    carryover   one does, and what was heard before raises the next rest and listening, by up to 3
    dropout     one does, and participants whose hearts respond more leave: none of their values count
    ended       the same, but they come to an end that the study names: what they gave counts
    arrhythmia  one does; there are only intervals, with ectopic, missed and extra beats, twice as many in that condition
    ill         the same with so many that they cannot all be corrected in a quarter of the participants

A case passes if its figures are within their limits, allowing for three standard errors of the simulation, or if the
output warns. Ends with 1 where a case does not pass.
"""

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

from contrasts_agreement import TABLES, write_parts

CONDITIONS = ["fast", "quiet", "slow"]
PAIRS = list(itertools.combinations(range(3), 2))
EFFECTS = np.array([3.0, 0.0, 0.0])
CARRIED = np.array([3.0, 0.0, 1.5])
ORDERS = np.array(list(itertools.permutations(range(3))) * 4)
PEOPLE, ROUNDS = ORDERS.shape
CASES = ["effect", "none", "settling", "carryover", "dropout", "ended", "arrhythmia", "ill"]
WITHOUT_EFFECT = {"none", "settling"}
LEFT_WORDS = re.compile(r"\d+ participants? left the session or a step early, and values of theirs are missing")
CORRECTED_WORDS = re.compile(r"In \d+ of \d+ values, more than 5 % of the intervals between beats were corrected")
# How often a beat of a participant with arrhythmia is ectopic.
ECTOPIC = {"arrhythmia": 0.03, "ill": 0.08}
# Seconds. Rates come every 5 s, which gives each the same weight in a mean; the first 5 s of a condition do not count.
STEP, EVERY = 40.0, 5.0
COVERAGE, FAMILY_WISE, BIAS, WARNED = (0.93, 0.97), 0.06, 0.1, 0.95


def simulate(case, random):
    """The order of each participant, the mean rates of rests and conditions, how many rounds each went through, and how it ended."""
    order = random.permutation(ORDERS)
    usual = random.normal(68, 8, (PEOPLE, 1))
    away = random.normal(0, 1.5, order.shape)
    change = random.normal(0, 1, (PEOPLE, 1)) + random.normal(0, 2.5, order.shape)
    if case not in WITHOUT_EFFECT:
        change += EFFECTS[order]
    rest, listen = usual + away, usual + away / 2 + change
    if case == "carryover":
        carried = CARRIED[order[:, :-1]]
        rest[:, 1:] += carried / 2
        listen[:, 1:] += carried
    rounds, status = np.full(PEOPLE, ROUNDS), ["completed"] * PEOPLE
    if case in ("dropout", "ended"):
        rounds, status = leave(case, listen - rest, random)
    return dict(order=order, rest=rest, listen=listen, rounds=rounds, status=status)


def leave(case, response, random):
    """After each condition a participant leaves the sooner the more their heart rose."""
    leaves = random.random(response.shape) < 1 / (1 + np.exp(4 - 0.5 * response))
    if case == "ended":
        leaves[:, -1] = False  # Nothing is left to miss.
    left = leaves.any(axis=1)
    word = "discarded" if case == "dropout" else "tooStrong"
    rounds = np.where(left, leaves.argmax(axis=1) + 1, ROUNDS)
    return rounds, [word if own else "completed" for own in left]


def settled(case, times, person, fall):
    """How much higher the heart of a participant still beats than at last."""
    return fall[person] * np.exp(-times / 80) if case == "settling" else np.zeros_like(times)


def intervals(rate, share, random):
    """Seconds between beats that fill a step, breathing included. `share` is how often a beat is ectopic.

    More beats are missed than found twice, so that the mean of all intervals is too long.
    """
    count = int(STEP * rate / 60 * 1.1) + 5
    beats = 60 / rate + 0.025 * np.sin(np.arange(count) * 1.6 + random.uniform(0, 6)) + random.normal(0, 0.02, count)
    kinds = random.choice(4, count, p=[1 - 1.625 * share, share, share / 2, share / 8])
    told, place = [], 0
    while place < count - 1:
        own, following = beats[place], beats[place + 1]
        if kinds[place] == 1:  # Too early, and the next one waits for its turn.
            told += [0.65 * own, following + 0.35 * own]
        elif kinds[place] == 2:  # Not detected.
            told.append(own + following)
        elif kinds[place] == 3:  # Detected twice.
            told += [0.4 * own, 0.6 * own, following]
        else:
            told.append(own)
        place += 1 if kinds[place] == 0 else 2
    told = np.array(told)
    return told[np.cumsum(told) <= STEP]


def round_rows(case, made, person, place, run, fall, ill, random):
    """The rows of steps, samples and beats of one round."""
    condition = int(made["order"][person, place])
    steps, samples, beats = [], [], []
    for number, step in enumerate(("rest", "listen")):
        start, rate = (2 * place + number) * STEP, made[step][person, place]
        key = dict(run=run, step=f"period.{step}", visit=place + 1)
        steps.append(key | dict(round=place + 1, condition=CONDITIONS[condition], start_seconds=start, end_seconds=start + STEP,
                                skipped=False, coverage=1.0))
        key |= dict(source="strap", recorder="heart")
        if case in ECTOPIC:
            share = (ECTOPIC[case] if ill[person] else 0.01) * (2 if step == "listen" and condition == 0 else 1)
            lengths = intervals(rate, share, random)
            beats += [key | dict(offset_seconds=round(end, 4), rr_seconds=round(length, 4), counted=True)
                      for end, length in zip((start + np.cumsum(lengths)).tolist(), lengths.tolist())]
            continue
        times = start + np.arange(EVERY / 2, STEP, EVERY)
        values = rate + settled(case, times, person, fall) + random.normal(0, 0.5, len(times))
        samples += [key | dict(offset_seconds=at, bpm=round(bpm, 3), counted=True) for at, bpm in zip(times.tolist(), values.tolist())]
    return steps, samples, beats


def tables_of(case, made, random):
    """As `entrain collate` writes them, without the columns that no analysis reads."""
    tables = {name: [] for name in TABLES + ["outcomes"]}
    fall = random.normal(6, 1.5, PEOPLE)
    ill = random.permutation(PEOPLE) < PEOPLE // 4
    for person in range(PEOPLE):
        run, rounds = f"{person:08}-0000-4000-8000-000000000000", int(made["rounds"][person])
        before = {name: len(tables[name]) for name in ("samples", "beats")}
        for place in range(rounds):
            for name, rows in zip(("steps", "samples", "beats"), round_rows(case, made, person, place, run, fall, ill, random)):
                tables[name] += rows
        tables["sessions"].append(dict(
            run=run, study="crossover", task="task", participant=f"P{person:02}", session=1, revision=1, study_sha256="0" * 64,
            manifest_sha256=f"{person:064}", origin="recorded", start="2026-01-01T09:00:00.000Z",
            duration_seconds=2 * STEP * rounds, status=made["status"][person],
            samples=len(tables["samples"]) - before["samples"], beats=len(tables["beats"]) - before["beats"]))
    tables["outcomes"].append(dict(
        study="crossover", study_sha256="0" * 64, rank="primary", measure="heartRate", of="listen", steps="period.listen", item=None,
        relative_to="rest", relative_steps="period.rest", relative_item=None))
    return tables


def analysed(entrain, folder):
    """What the program says, and how many milliseconds it took."""
    begun = time.perf_counter()
    said = subprocess.run([entrain, "analyse", folder, "--format", "json"], capture_output=True, text=True)
    took = 1000 * (time.perf_counter() - begun)
    if said.returncode:
        sys.exit(f"analyse {folder}: {said.stderr}")
    return said.stdout, took


def judged(case, output, left):
    """Of one study: which intervals cover the truth, how far estimates are from it, and whether a true null was rejected."""
    outcome = json.loads(output)["studies"][0]["outcomes"][0]
    effects = np.zeros(3) if case in WITHOUT_EFFECT else EFFECTS
    pairs = {(pair["first"], pair["second"]): pair for pair in outcome["conditions"]["pairs"]}
    covered, errors, rejected = [], [], []
    for first, second in PAIRS:
        pair, truth = pairs[CONDITIONS[first], CONDITIONS[second]], effects[first] - effects[second]
        covered.append(pair["low"] <= truth <= pair["high"])
        errors.append(pair["estimate"] - truth)
        if truth == 0:
            rejected.append(pair["holmP"] < 0.05)
    words = CORRECTED_WORDS if case == "ill" else LEFT_WORDS
    warned = any(words.search(remark) for remark in outcome["remarks"])
    return dict(covered=covered, errors=errors, family=any(rejected), warned=warned, left=left)


def run_case(entrain, version, case, studies, seed, work):
    found = []
    for number in range(studies):
        # Each study has its own numbers, so that one can be made again alone.
        random = np.random.default_rng([seed, CASES.index(case), number])
        made = simulate(case, random)
        folder = f"{work}/{case}-{number}"
        os.makedirs(folder)
        write_parts(folder, "crossover", tables_of(case, made, random), version)
        output, took = analysed(entrain, folder)
        shutil.rmtree(folder)
        found.append(judged(case, output, case == "ill" or "discarded" in made["status"]) | dict(took=took))
    return found


def version_of_tables(entrain):
    """As the program writes it for one rehearsal."""
    study = os.path.join(os.path.dirname(__file__), "..", "..", "Studies", "music-crossover.yaml")
    with tempfile.TemporaryDirectory(prefix="entrain-crossovers-") as work:
        for words in (["rehearse", study, "--participants", "1", "--out", f"{work}/bundles"],
                      ["collate", f"{work}/bundles", "--out", f"{work}/collated"]):
            subprocess.run([entrain, *words], check=True, capture_output=True)
        return json.load(open(f"{work}/collated/collation.json"))["collation"]


def share(values):
    """A mean with its standard error, by study."""
    values = np.array(values, dtype=float)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0


def leeway(limit, found):
    """Three standard errors of a share at its limit: those of a share that happens to be 0 or 1 would be none."""
    return 3 * np.sqrt(limit * (1 - limit) / len(found))


def verdict(found):
    """The figures of a case as text, and what is wrong with them; a warning of the output excuses figures."""
    coverage, coverage_error = share([np.mean(one["covered"]) for one in found])
    family, family_error = share([one["family"] for one in found])
    errors = np.array([one["errors"] for one in found])
    bias, bias_error = max((share(column) for column in errors.T), key=lambda told: abs(told[0]))
    wrong = []
    if not COVERAGE[0] - leeway(COVERAGE[0], found) <= coverage <= COVERAGE[1] + leeway(COVERAGE[1], found):
        wrong.append("coverage")
    if family > FAMILY_WISE + leeway(FAMILY_WISE, found):
        wrong.append("family-wise error")
    if abs(bias) > BIAS + 3 * bias_error:
        wrong.append("bias")
    left = [one["warned"] for one in found if one["left"]]
    warned = np.mean(left) if left else None
    excused = warned is not None and warned >= WARNED
    faults = [] if excused else list(wrong)
    if left and not excused:
        faults.append("no warning")
    if any(one["warned"] for one in found if not one["left"]):
        faults.append("a warning though nobody left")
    told = "ok" if not faults and not wrong else "warned: " + ", ".join(wrong) if not faults else "WRONG: " + ", ".join(faults)
    figures = (f"{100 * coverage:6.1f} ± {100 * coverage_error:.1f}  {100 * family:6.1f} ± {100 * family_error:.1f}  "
               f"{bias:+6.2f} ± {bias_error:.2f}  {'-' if warned is None else f'{100 * warned:.1f}':>6}  "
               f"{np.median([one['took'] for one in found]):6.0f}  {told}")
    return figures, faults


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("entrain")
    parser.add_argument("--studies", type=int, default=2000, help="how many of each case")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--seed", type=int, default=2026)
    asked = parser.parse_args()
    asked.cases = asked.cases.split(",")
    if unknown := set(asked.cases) - set(CASES):
        parser.error(f"unknown cases: {', '.join(sorted(unknown))}")
    return asked


if __name__ == "__main__":
    asked = arguments()
    entrain, failed = os.path.abspath(asked.entrain), []
    version = version_of_tables(entrain)
    print(f"{asked.studies} studies of each case, seed {asked.seed}; ± is the standard error of the simulation")
    print("case        coverage %    family-wise %  largest bias   warned %  ms  verdict", flush=True)
    for case in asked.cases:
        with tempfile.TemporaryDirectory(prefix="entrain-crossovers-") as work:
            figures, faults = verdict(run_case(entrain, version, case, asked.studies, asked.seed, work))
        failed += [case] if faults else []
        print(f"{case:10}  {figures}", flush=True)
    if failed:
        sys.exit(f"wrong, and not warned of: {', '.join(failed)}")
    print(f"crossovers: {len(asked.cases)} cases of {asked.studies} studies are as they should be, or warned of")
