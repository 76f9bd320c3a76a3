"""Compares `entrain collate` and `entrain analyse` with SciPy and statsmodels on the bundles' own files.

    entrain rehearse Studies/music-crossover.yaml --participants 40 --out BUNDLES
    python3 Tests/DatasetsTests/agreement.py ENTRAIN BUNDLES

Reads the bundles' JSON by itself, computes everything anew, and ends with 1 where anything differs.
Needs SciPy; power is compared with statsmodels, and the collation with DuckDB, where they are installed.
"""

import csv
import glob
import inspect
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


def rmssd(intervals):
    """Of seconds, in ms, as `entrain hrv` has it after correcting artefacts."""
    if len(intervals) < 10:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(repr(1000 * v) for v in intervals))
        file.flush()
        said = subprocess.run([entrain, "hrv", file.name, "--as", "rr", "--format", "json"], check=True, capture_output=True)
    return json.loads(said.stdout)["corrected"]["rmssd"]


def responses(bundle):
    """Every clip of a bundle with both means."""
    result = json.load(open(f"{bundle}/result.json"))
    files = {os.path.basename(f): f for f in glob.glob(f"{bundle}/steps/*/*.json")}
    catalogue = {}
    for line in open(f"{bundle}/journal.jsonl"):
        played = json.loads(line).get("effect")
        if isinstance(played, dict) and "play" in played:
            stimulus = played["play"]["clip"]["drawn"]["stimulus"]
            catalogue[stimulus["identifier"]] = stimulus["attributes"]
    rest = None
    shown = json.loads(subprocess.run([entrain, "show", bundle, "--format", "json"], check=True, capture_output=True).stdout)
    check(f"{bundle} steps that `entrain show` has", len(shown["steps"]), len(result["results"]))
    for step, summary in zip(result["results"], shown["steps"]):
        samples, beats = [], []
        for file in step["results"]:
            if file.get("fileName", "").startswith("HKQuantityTypeIdentifierHeartRate"):
                for item in json.load(open(files[file["fileName"]]))["items"]:
                    samples.append((item["metadata"]["runOffset"], item["value"]))
                    intervals = item["metadata"]["rrIntervals"]
                    beats += [(item["metadata"]["runOffset"] - sum(intervals[i + 1 :]), v) for i, v in enumerate(intervals)]
        stimulus = step["userInfo"].get("stimulus")
        if stimulus is None:
            ended = step["userInfo"]["endOffset"]
            last_minute = [s for s in samples if ended - 60 <= s[0] <= ended]
            rest = (last_minute, beats) if samples else rest
            if len(beats) >= 10:
                alone = rmssd([v for _, v in sorted(beats)])
                check(f"{bundle} RMSSD at rest that `entrain show` has", summary["variability"]["corrected"]["rmssd"], alone)
            continue
        begin, end = stimulus["onsetOffset"] + 5, stimulus["endOffset"]
        heard = [s for s in samples if begin <= s[0] <= end]
        if rest and len(rest[0]) >= 5 and len(heard) >= 5:
            before, during = ([v for t, v in sorted(b)] for b in (rest[1], [b for b in beats if begin <= b[0] <= end]))
            variability = [rmssd(before), rmssd(during)]
            clip = catalogue[stimulus["identifier"]]
            notified = weighted_mean(sorted(heard)) - weighted_mean(sorted(rest[0]))
            response = summary["response"]
            check(f"{bundle} notified change that `entrain show` has", response["notifiedChange"], notified)
            # The corrected intervals are those of `entrain show`; here they must only be near the raw ones.
            change = response["change"]
            if response["from"] == "notified":
                check(f"{bundle} change that counts", change, notified)
            else:
                last = [v for t, v in rest[1] if t >= rest[0][0][0]]
                raw = 60 * len(during) / sum(during) - 60 * len(last) / sum(last)
                if abs(change - raw) > 1.5:
                    check(f"{bundle} change by the intervals", change, raw)
            yield {
                "participant": result["userInfo"]["participant"], "clip": stimulus["identifier"], "mood": clip.get("mood"),
                "tempo": float(clip["tempo"]) if "tempo" in clip else None,
                "change": change,
                "rmssd": None if None in variability else variability[1] - variability[0],
                "ultraShort": min(sum(b) + 2 * sum(b) / len(b) for b in (before, during)) < 60,
            }
        rest = None


def check_group(name, group, means):
    n = len(means)
    check(f"{name} n", group["participants"], n)
    check(f"{name} mean", group["mean"], float(np.mean(means)))
    check(f"{name} dz", group["dz"], float(np.mean(means) / np.std(means, ddof=1)))
    low, high = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    check(f"{name} low", group["low"], float(low))
    check(f"{name} high", group["high"], float(high))
    draws = 2**n if group["exact"] else 200_000
    # The generator has another name in SciPy before 1.15.
    seed = "rng" if "rng" in inspect.signature(stats.permutation_test).parameters else "random_state"
    wanted = stats.permutation_test(
        (means,), np.mean, permutation_type="samples", vectorized=True, axis=-1, batch=10_000,
        n_resamples=np.inf if group["exact"] else draws, **{seed: np.random.default_rng(1)}
    ).pvalue
    # Two Monte-Carlo estimates: five standard errors of their difference. SciPy doubles the smaller side.
    error = (wanted * (2 - wanted) / draws + wanted * (1 - wanted) / group["flips"]) ** 0.5
    check(f"{name} p", group["p"], float(wanted), 1e-12 if group["exact"] else 5 * error + 2e-5)


def check_power(name, group):
    try:
        from statsmodels.stats.power import TTestPower
    except ImportError:
        return
    power = group["power"]
    test = TTestPower()
    for share in (80, 90):
        # Whole participants: one fewer must be too few.
        n = power[f"participantsFor{share}"]
        reached = [test.power(abs(group["dz"]), k, 0.05) for k in (n - 1, n) if k > 1]
        if not (reached[-1] >= share / 100 - 1e-9 and all(r < share / 100 + 1e-9 for r in reached[:-1])):
            problems.append(f"{name}: {n} participants have power {reached}, not {share} %")
    reached = test.power(power["detectable"] / group["deviation"], group["participants"], 0.05)
    check(f"{name} detectable", float(reached), 0.8, 1e-8)


def participants_means(rows, key):
    by_participant = {}
    for row in rows:
        if row[key] is not None:
            by_participant.setdefault(row["participant"], []).append(row[key])
    return [float(np.mean(v)) for _, v in sorted(by_participant.items())]


def slopes(rows):
    by_participant = {}
    for row in rows:
        by_participant.setdefault(row["participant"], []).append(row)
    return [
        float(stats.linregress([r["tempo"] / 10 for r in v], [r["change"] for r in v]).slope)
        for _, v in sorted(by_participant.items()) if len({r["tempo"] for r in v}) > 1]


bands = {"tempo below 80": (0, 80), "tempo 80 to 119": (80, 120), "tempo 120 and above": (120, 1e9)}
belongs = {
    "all": lambda r, name: True, "mood": lambda r, name: r["mood"] == name, "clip": lambda r, name: r["clip"] == name,
    "tempo": lambda r, name: bands[name][0] <= r["tempo"] < bands[name][1],
}


def check_analysis(paths, all_responses, what):
    output = subprocess.run([entrain, "analyse", *paths, "--include-simulated", "--format", "json"], capture_output=True, check=True)
    (study,) = json.loads(output.stdout)["studies"]
    check(f"{what} clips", study["clips"], len(all_responses))
    for group in study["groups"]:
        name = f"{what} {group['kind']} {group['name']}"
        if group["kind"] == "slope":
            check_group(name, group, slopes(all_responses))
            check_power(name, group)
            continue
        rows = [r for r in all_responses if belongs[group["kind"]](r, group["name"])]
        check_group(name, group, participants_means(rows, "change"))
        check_power(name, group)
        variable = [r for r in rows if r["rmssd"] is not None]
        check(f"{name} clips with RMSSD", group["rmssd"]["clips"], len(variable))
        check(f"{name} ultra-short", group["rmssd"]["ultraShort"], sum(r["ultraShort"] for r in variable))
        check_group(f"{name} RMSSD", group["rmssd"], participants_means(rows, "rmssd"))
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
