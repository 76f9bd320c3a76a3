"""Compares the outcomes of `entrain analyse` between arms and from pre to post with statsmodels and SciPy.

    entrain rehearse Studies/music-crossover.yaml --participants 24 --out BUNDLES
    python3 Tests/DatasetsTests/outcomes_agreement.py ENTRAIN BUNDLES

Writes 60 datasets of random studies with two to four arms or none, with a question before and after or only after,
in one session or several, with answers missing. Every figure is made anew from the answers, to 1e-6; statsmodels is
asked for Welch's F and for adjusted means where Python has it. Ends with 1 where anything differs.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from scipy import optimize, stats

from contrasts_agreement import holm, write_parts

REQUIRED = ["sessions", "steps", "recordings", "samples", "beats", "draws", "answers", "events"]
problems = []
compared = {"Welch": 0, "several": 0, "adjusted": 0, "pairs": 0, "one group": 0, "statsmodels": 0, "sizes": 0, "without outliers": 0}


def check(what, found, wanted, tolerance=1e-6):
    if found is None or not abs(found - wanted) <= tolerance * max(1.0, abs(wanted)):
        problems.append(f"{what}: {found} instead of {wanted}")


def study(random):
    """Runs with answers to a few questions, some of them missing."""
    arms = [f"arm{i}" for i in range(int(random.choice([0, 0, 2, 2, 3, 4])))]
    sessions = int(random.choice([1, 1, 2])) if arms else 1
    missing, questions = random.choice([0, 0.1, 0.25]), int(random.integers(1, 5))
    effects = random.normal(0, 1, (questions, max(1, len(arms))))
    runs = []
    for person in range(int(random.integers(3, 40)) + 4 * len(arms)):
        arm = person % len(arms) if arms else 0
        for session in range(1, sessions + 1):
            values = {}
            for question in range(questions):
                before = random.normal(50, 10)
                after = before * random.choice([0.3, 0.9]) + effects[question][arm] * 4 + random.normal(0, 3 + 4 * arm)
                after += random.choice([0, 60], p=[0.97, 0.03])
                values[question] = [None if random.random() < missing else float(v) for v in (before, after)]
            runs.append(dict(participant=f"P{person:03}", session=session, arm=arms[arm] if arms else None, values=values))
    relative = [bool(random.random() < 0.6) for _ in range(questions)]
    return runs, relative


def write_dataset(folder, runs, relative, version):
    tables = {name: [] for name in REQUIRED + ["outcomes"]}
    for number, run in enumerate(runs):
        uuid = f"{number:08}-0000-4000-8000-000000000000"
        tables["sessions"].append(dict(
            run=uuid, study="arms", task="task", participant=run["participant"], session=run["session"], revision=1,
            study_sha256="0" * 64, manifest_sha256=f"{number:064}", origin="recorded", arm=run["arm"],
            start=f"2026-01-0{run['session']}T09:00:00.000Z", duration_seconds=9.0, status="completed", samples=0, beats=0))
        for place, step in enumerate(("before", "after")):
            tables["steps"].append(dict(
                run=uuid, step=step, visit=1, start_seconds=float(place), end_seconds=place + 1.0, skipped=False))
            for question, values in run["values"].items():
                tables["answers"].append(dict(run=uuid, step=step, visit=1, question=f"q{question}", value=values[place]))
    for question, is_relative in enumerate(relative):
        row = dict(study="arms", study_sha256="0" * 64, rank="secondary" if question else "primary", measure="answer",
                   of=f"after.q{question}", steps="after", item=f"q{question}")
        if is_relative:
            row |= dict(relative_to=f"before.q{question}", relative_steps="before", relative_item=f"q{question}")
        tables["outcomes"].append(row)
    write_parts(folder, "arms", tables, version)


def people(runs, question, is_relative):
    """Arm, mean change and mean baseline of each participant who has any."""
    own = {}
    for run in runs:
        before, after = run["values"][question]
        if after is None or (is_relative and before is None):
            continue
        own.setdefault((run["participant"], run["arm"]), []).append((after, before if is_relative else 0.0))
    return [(arm, float(np.mean([a - b for a, b in v])), float(np.mean([b for _, b in v])))
            for (_, arm), v in sorted(own.items())]


NODES, WEIGHTS = np.polynomial.legendre.leggauss(400)


def noncentral_t(t, df, shift):
    """The share below t, integrated over the spread; SciPy's own gives NaN in the tails."""
    low, high = (np.sqrt(stats.chi2.ppf(p, df) / df) for p in (1e-14, 1 - 1e-14))
    s = (high - low) / 2 * NODES + (high + low) / 2
    density = 2 * df * s * stats.chi2.pdf(df * s * s, df)
    return float((high - low) / 2 * np.sum(WEIGHTS * density * stats.norm.cdf(t * s - shift)))


def compare_size(name, pair, value, error, df, deviation):
    """The difference by a standard deviation, with the interval of the noncentral t."""
    t = value / error
    check(f"{name} size", pair["size"], value / deviation)
    if abs(t) > 20:
        return
    compared["sizes"] += 1
    wide = 5 * np.sqrt(1 + t * t / (2 * df))
    for key, share in (("sizeLow", 0.975), ("sizeHigh", 0.025)):
        shift = optimize.brentq(lambda nc: noncentral_t(t, df, nc) - share, t - wide, t + wide, xtol=1e-10)
        check(f"{name} {key}", pair[key], shift * error / deviation, 1e-5)


def compare_pair(name, pair, value, error, df, deviation):
    compare_size(name, pair, value, error, df, deviation)
    check(f"{name} estimate", pair["estimate"], value)
    check(f"{name} error", pair["error"], error)
    check(f"{name} df", pair["degrees"], df)
    check(f"{name} p", pair["p"], 2 * stats.t.sf(abs(value / error), df))
    half = stats.t.ppf(0.975, df) * error
    check(f"{name} low", pair["low"], value - half)
    check(f"{name} high", pair["high"], value + half)


def compare_arms(name, found, rows, is_relative):
    arms = sorted({arm for arm, _, _ in rows})
    groups = {arm: np.array([v for a, v, _ in rows if a == arm]) for arm in arms}
    for told in found["arms"]["groups"]:
        check(f"{name} mean of {told['name']}", told["mean"], groups[told["name"]].mean())
        check(f"{name} deviation of {told['name']}", told["deviation"], groups[told["name"]].std(ddof=1))
    pairs = found["arms"]["pairs"]
    deviation = float(np.sqrt(sum(g.var(ddof=1) * (len(g) - 1) for g in groups.values()) / (len(rows) - len(arms))))
    if len(arms) == 2 and not is_relative:
        compared["Welch"] += 1
        test = stats.ttest_ind(groups[arms[0]], groups[arms[1]], equal_var=False)
        compare_pair(name, pairs[0], groups[arms[0]].mean() - groups[arms[1]].mean(),
                     float(np.sqrt(sum(g.var(ddof=1) / len(g) for g in groups.values()))), float(test.df),
                     deviation)
        check(f"{name} SciPy's p", pairs[0]["p"], float(test.pvalue))
        return
    if is_relative:
        compare_adjusted(name, found, rows, arms, deviation)
    else:
        compare_several(name, found, groups)


def compare_adjusted(name, found, rows, arms, deviation):
    """Least squares with one line for all arms, whose variances are their own; by explicit matrices of all values."""
    compared["adjusted"] += 1
    y = np.array([v for _, v, _ in rows])
    own = np.array([arms.index(a) for a, _, _ in rows])
    baseline = np.array([b for _, _, b in rows])
    x = np.column_stack([own == arm for arm in range(len(arms))] + [baseline - baseline.mean()]).astype(float)
    solve = np.linalg.inv(x.T @ x) @ x.T
    beta = solve @ y
    within = baseline - np.array([baseline[own == arm].mean() for arm in own])
    share = np.array([(within[own == arm] ** 2).sum() for arm in range(len(arms))]) / (within ** 2).sum()
    degrees = np.array([(own == arm).sum() for arm in range(len(arms))]) - 1 - share
    left = y - x @ beta
    variances = np.array([(left[own == arm] ** 2).sum() for arm in range(len(arms))]) / degrees
    parts = [variances[arm] * solve[:, own == arm] @ solve[:, own == arm].T for arm in range(len(arms))]
    pairs = found["arms"]["pairs"]
    for pair in pairs:
        c = np.zeros(len(beta))
        c[arms.index(pair["first"])], c[arms.index(pair["second"])] = 1, -1
        each = np.array([c @ part @ c for part in parts])
        compare_pair(f"{name} {pair['first']} - {pair['second']}", pair, float(c @ beta), float(np.sqrt(each.sum())),
                     float(each.sum() ** 2 / (each ** 2 / degrees).sum()), deviation)
    for pair, wanted in zip(pairs, holm([p["p"] for p in pairs])):
        check(f"{name} Holm", pair["holmP"], wanted)
    if len(arms) > 2:
        c = np.column_stack([np.eye(len(arms))[:-1, :-1], -np.ones(len(arms) - 1), np.zeros(len(arms) - 1)])
        inverse, q = np.linalg.inv(c @ sum(parts) @ c.T), len(arms) - 1
        shares = [c @ part @ c.T @ inverse for part in parts]
        a = sum((np.trace(s) ** 2 + np.trace(s @ s)) / d for s, d in zip(shares, degrees)) / 2
        f = (c @ beta) @ inverse @ (c @ beta) / (q + 2 * a - 6 * a / (q + 2))
        check(f"{name} Johansen's F", found["arms"]["omnibus"]["f"], float(f))
        check(f"{name} Johansen's p", found["p"], float(stats.f.sf(f, q, q * (q + 2) / (3 * a))))
    try:
        import statsmodels.api as sm
    except ImportError:
        return
    compared["statsmodels"] += 1
    fit = sm.OLS(y, x).fit()
    for pair in pairs:
        value = fit.params[arms.index(pair["first"])] - fit.params[arms.index(pair["second"])]
        check(f"{name} statsmodels", pair["estimate"], float(value))


def compare_several(name, found, groups):
    """Several arms, by Welch's tests."""
    compared["several"] += 1
    told = found["arms"]
    if told["method"] != "welch":
        problems.append(f"{name}: {told['method']} where Welch's test is due")
        return
    spread = [g.std(ddof=1) for g in groups.values()]
    if (told["unevenSpread"] is None) == (max(spread) > 2 * min(spread)):
        problems.append(f"{name}: uneven spread is {told['unevenSpread']}")
    for pair in told["pairs"]:
        one, other = groups[pair["first"]], groups[pair["second"]]
        test = stats.ttest_ind(one, other, equal_var=False)
        error = float(np.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)))
        own = float(np.sqrt((one.var(ddof=1) * (len(one) - 1) + other.var(ddof=1) * (len(other) - 1)) / (len(one) + len(other) - 2)))
        compare_pair(f"{name} {pair['first']} - {pair['second']}", pair, one.mean() - other.mean(), error, float(test.df), own)
    for pair, wanted in zip(told["pairs"], holm([p["p"] for p in told["pairs"]])):
        check(f"{name} Holm", pair["holmP"], wanted)
    try:
        from statsmodels.stats.oneway import anova_oneway
    except ImportError:
        return
    compared["statsmodels"] += 1
    test = anova_oneway(list(groups.values()), use_var="unequal", welch_correction=True)
    check(f"{name} statsmodels' Welch p", found["p"], float(test.pvalue))
    check(f"{name} statsmodels' Welch F", told["omnibus"]["f"], float(test.statistic))
    check(f"{name} statsmodels' Welch df", told["omnibus"]["denominator"], float(test.df_denom))


def compare_sensitivity(name, found, runs, question, is_relative):
    """Of a primary outcome with a test, the one choice that these studies give: without outliers."""
    told = {check["kind"]: check for check in found["sensitivity"]}
    values = {}
    for run in runs:
        before, after = run["values"][question]
        if after is not None and not (is_relative and before is None):
            group = run["arm"] if found["design"] == "arms" else None
            values.setdefault(group, []).append((run, after - before if is_relative else after))
    kept, everything = [], 0
    for own in values.values():
        changes = np.array([change for _, change in own])
        everything += len(own)
        middle = np.median(changes)
        spread = 1.4826 * np.median(np.abs(changes - middle))
        kept += [run for run, change in own if not spread or abs(change - middle) <= 3.5 * spread]
    if question or found["p"] is None or len(kept) == everything:
        if "withoutOutliers" in told:
            problems.append(f"{name}: outliers where there are none")
        return
    compared["without outliers"] += 1
    if told["withoutOutliers"]["values"] != len(kept):
        problems.append(f"{name}: {told['withoutOutliers']['values']} values without outliers, not {len(kept)}")
    pair = told["withoutOutliers"]["contrast"]
    if found["design"] == "prePost" and pair:
        rows = np.array([v for _, v, _ in people(kept, question, is_relative)])
        check(f"{name} without outliers", pair["estimate"], rows.mean())
        check(f"{name} p without outliers", told["withoutOutliers"]["p"], float(stats.ttest_1samp(rows, 0).pvalue))
    elif found["design"] == "arms" and found["arms"]["method"] == "welch" and len(found["arms"]["groups"]) == 2 and pair:
        groups = {arm: [v for a, v, _ in people(kept, question, is_relative) if a == arm] for arm in values}
        test = stats.ttest_ind(groups[pair["first"]], groups[pair["second"]], equal_var=False)
        check(f"{name} p without outliers", told["withoutOutliers"]["p"], float(test.pvalue))


def compare(name, found, runs, question, is_relative):
    rows = people(runs, question, is_relative)
    compare_sensitivity(name, found, runs, question, is_relative)
    if found["participants"] != len(rows):
        problems.append(f"{name}: {found['participants']} participants instead of {len(rows)}")
        return
    if found["design"] == "arms":
        compare_arms(name, found, rows, is_relative)
        return
    values = np.array([v for _, v, _ in rows])
    told = found.get("change") or found.get("mean")
    if told is None:
        if len(values) > 1 and len({arm for arm, _, _ in rows}) < 2:
            problems.append(f"{name}: no answer, {found}")
        return
    check(f"{name} mean", told["mean"], values.mean())
    if len(values) < 2:
        return
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    check(f"{name} low", told["low"], low)
    check(f"{name} high", told["high"], high)
    if found["design"] == "prePost":
        compared["pairs"] += 1
        test = stats.ttest_1samp(values, 0)
        check(f"{name} SciPy's p", found["p"], float(test.pvalue))
        check(f"{name} SciPy's t", found["test"]["estimate"] / found["test"]["error"], float(test.statistic))
        compare_size(name, found["test"], values.mean(), float(stats.sem(values)), len(values) - 1, values.std(ddof=1))
    else:
        compared["one group"] += 1


if __name__ == "__main__":
    entrain = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="entrain-outcomes-") as work:
        subprocess.run([entrain, "collate", sys.argv[2], "--out", f"{work}/collated"], check=True, capture_output=True)
        version = json.load(open(f"{work}/collated/collation.json"))["collation"]
        random = np.random.default_rng(2026)
        for number in range(60):
            runs, relative = study(random)
            folder = f"{work}/dataset-{number}"
            os.makedirs(folder)
            write_dataset(folder, runs, relative, version)
            said = subprocess.run([entrain, "analyse", folder, "--format", "json"], capture_output=True, text=True)
            if said.returncode:
                sys.exit(f"analyse {folder}: {said.stderr}")
            outcomes = json.loads(said.stdout)["studies"][0]["outcomes"]
            shutil.rmtree(folder)
            if [o["of"] for o in outcomes] != [f"after.q{i}" for i in range(len(relative))]:
                problems.append(f"study {number}: other outcomes")
                continue
            for question, found in enumerate(outcomes):
                compare(f"study {number} q{question}", found, runs, question, relative[question])
            tested = [o for o in outcomes if o["rank"] == "secondary" and o["p"] is not None]
            if len(tested) == 1 and tested[0]["holmP"] is not None:
                problems.append(f"study {number}: one p alone is corrected")
            for found, wanted in zip(tested, holm([o["p"] for o in tested]) if len(tested) > 1 else []):
                check(f"study {number} Holm over outcomes", found["holmP"], wanted)
    for problem in problems[:40]:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} figures of outcomes differ")
    print("outcomes agree: " + ", ".join(f"{count} {what}" for what, count in compared.items()))
