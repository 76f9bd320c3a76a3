"""Compares `entrain collate` and `entrain analyse` with SciPy on the bundles' own files.

    entrain rehearse Studies/music-crossover.yaml --participants 40 --out BUNDLES
    python3 Tests/DatasetsTests/agreement.py ENTRAIN BUNDLES

Reads the bundles' JSON by itself, computes everything anew, and ends with 1 where anything differs.
Needs SciPy; the collation is checked with DuckDB too where it is installed.
"""

import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy
from scipy import stats

entrain, bundles = sys.argv[1], sys.argv[2]
problems = []


def check(what, found, wanted, tolerance=1e-9):
    if found is None or wanted is None:
        same = found is wanted
    else:
        same = abs(found - wanted) <= tolerance * max(1.0, abs(wanted))
    if not same:
        problems.append(f"{what}: {found} instead of {wanted}")


def weighted_mean(samples):
    """Half of the time to each neighbour, each gap at most 5 s."""
    times = np.array([t for t, _ in samples])
    rates = np.array([r for _, r in samples])
    halves = np.minimum(np.diff(times), 5) / 2
    weights = np.zeros(len(times))
    weights[:-1] += halves
    weights[1:] += halves
    return float(np.average(rates, weights=weights))


def responses(bundle):
    """(participant, clip, mood, change) of every clip of a bundle with both means."""
    result = json.load(open(f"{bundle}/result.json"))
    files = {os.path.basename(f): f for f in glob.glob(f"{bundle}/steps/*/*.json")}
    moods = {}
    for line in open(f"{bundle}/journal.jsonl"):
        played = json.loads(line).get("effect")
        if isinstance(played, dict) and "play" in played:
            stimulus = played["play"]["clip"]["drawn"]["stimulus"]
            moods[stimulus["identifier"]] = stimulus["attributes"].get("mood")
    rest = None
    for step in result["results"]:
        samples = []
        for file in step["results"]:
            if file.get("fileName", "").startswith("HKQuantityTypeIdentifierHeartRate"):
                for item in json.load(open(files[file["fileName"]]))["items"]:
                    samples.append((item["metadata"]["runOffset"], item["value"]))
        stimulus = step["userInfo"].get("stimulus")
        if stimulus is None:
            rest = samples or rest
            continue
        heard = [s for s in samples if stimulus["onsetOffset"] + 5 <= s[0] <= stimulus["endOffset"]]
        if rest and len(rest) >= 5 and len(heard) >= 5:
            change = weighted_mean(sorted(heard)) - weighted_mean(sorted(rest))
            clip = stimulus["identifier"]
            yield result["userInfo"]["participant"], clip, moods[clip], change
        rest = None


def check_group(group, means):
    name = f"{group['kind']} {group['name']}"
    n = len(means)
    check(f"{name} n", group["participants"], n)
    check(f"{name} mean", group["mean"], float(np.mean(means)))
    check(f"{name} dz", group["dz"], float(np.mean(means) / np.std(means, ddof=1)))
    low, high = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    check(f"{name} low", group["low"], float(low))
    check(f"{name} high", group["high"], float(high))
    draws = 2**n if group["exact"] else 200_000
    wanted = stats.permutation_test(
        (means,), np.mean, permutation_type="samples", vectorized=True, axis=-1, batch=10_000,
        n_resamples=np.inf if group["exact"] else draws, rng=np.random.default_rng(1)
    ).pvalue
    # Two Monte-Carlo estimates: five standard errors of their difference.
    error = (wanted * (1 - wanted) * (1 / draws + 1 / group["flips"])) ** 0.5
    check(f"{name} p", group["p"], float(wanted), 1e-12 if group["exact"] else 5 * error + 2e-5)


def check_analysis(paths, all_responses, what):
    output = subprocess.run([entrain, "analyse", *paths, "--format", "json"], capture_output=True, check=True)
    (study,) = json.loads(output.stdout)["studies"]
    check(f"{what} clips", study["clips"], len(all_responses))
    for group in study["groups"]:
        key = {"all": lambda r: True, "mood": lambda r: r[2] == group["name"], "clip": lambda r: r[1] == group["name"]}
        by_participant = {}
        for response in filter(key[group["kind"]], all_responses):
            by_participant.setdefault(response[0], []).append(response[3])
        check_group(group, [float(np.mean(v)) for _, v in sorted(by_participant.items())])
    return study


def check_collation(folders):
    """Counts and sums of heart rates in the collation are those of the bundles."""
    values, intervals = [], []
    for file in (f for b in folders for f in glob.glob(f"{b}/steps/*/HKQuantityTypeIdentifierHeartRate*")):
        for item in json.load(open(file))["items"]:
            values.append(item["value"])
            intervals += item["metadata"]["rrIntervals"]
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([entrain, "collate", *folders, "--out", out], check=True, capture_output=True)
        rows = lambda table: [r for p in sorted(glob.glob(f"{out}/{table}/*/*/*.csv")) for r in csv.DictReader(open(p, newline=""))]
        samples, sessions = rows("samples"), rows("sessions")
        check("samples", len(samples), len(values))
        check("sum of bpm", sum(float(r["bpm"]) for r in samples), sum(values))
        check("sum of rr", sum(float(r["rr_seconds"]) for r in rows("beats")), sum(intervals))
        check("sessions", len(sessions), len(folders))
        for table in ["steps", "samples", "beats", "draws", "answers", "events"]:
            check(f"count of {table}", sum(int(r[table]) for r in sessions), len(rows(table)))
            lines = [json.loads(l) for p in glob.glob(f"{out}/{table}/*/*/*.ndjson") for l in open(p)]
            check(f"lines of {table}", len(lines), len(rows(table)))
        try:
            import duckdb
        except ImportError:
            print("DuckDB is not installed: not checked with it")
            return
        os.chdir(out)
        database = duckdb.connect()
        database.execute(open("load.sql").read())
        count, total = database.execute("SELECT count(*), sum(bpm) FROM samples").fetchall()[0]
        check("DuckDB count", count, len(values))
        check("DuckDB sum", total, sum(values))
        count, total = database.execute("SELECT count(*), sum(bpm) FROM 'samples/*/*/*.csv'").fetchall()[0]
        check("DuckDB count, types guessed", count, len(values))
        check("DuckDB sum, types guessed", total, sum(values))
        check("DuckDB differences", database.execute("SELECT count(*) FROM counts WHERE found <> promised").fetchall()[0][0], 0)


entrain = os.path.abspath(entrain)
folders = sorted(os.path.abspath(f) for f in glob.glob(f"{bundles}/*/"))
many = [r for b in folders for r in responses(b)]
study = check_analysis(folders, many, "all")
few = folders[:12]
check_analysis(few, [r for b in few for r in responses(b)], "twelve")
check_collation(folders)
for problem in problems:
    print(problem)
if problems:
    sys.exit(1)
for group in study["groups"]:
    print(f"{group['kind']:5} {group['name']:18} n {group['participants']:3} {group['mean']:+.4f} p {group['p']:.5f}")
print(f"agrees with SciPy {scipy.__version__}")
