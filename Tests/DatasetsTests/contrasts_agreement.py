"""Compares the contrasts of `entrain analyse` with lmerTest, statsmodels and a plain restatement of both.

    entrain rehearse Studies/music-crossover.yaml --participants 24 --out BUNDLES
    python3 Tests/DatasetsTests/contrasts_agreement.py ENTRAIN BUNDLES [DESIGNS]

Writes 50 datasets of random crossovers, or as many as are asked for: balanced or not, with missing responses, with
participants who differ or do not, in one session or two; and takes the bundles. The columns of every model are made anew
from the responses. R is asked where Rscript has lmerTest, statsmodels where Python has it; SciPy is needed. Ends with 1
where anything differs.
"""

import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from scipy import optimize, stats

TABLES = ["sessions", "steps", "recordings", "samples", "beats", "draws", "answers", "events", "codebook"]
problems = []
compared = {"R": 0, "statsmodels": 0, "SciPy": 0}

LMER = """
suppressMessages(library(lmerTest))
for (file in commandArgs(TRUE)) {
  d <- read.csv(file, colClasses = c(participant = "factor", condition = "factor"))
  terms <- setdiff(names(d), c("participant", "condition", "value"))
  model <- suppressWarnings(suppressMessages(lmer(
    as.formula(paste("value ~", paste(c("condition", terms), collapse = " + "), "+ (1 | participant)")), d,
    control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10), check.rankX = "silent.drop.cols"))))
  names <- names(fixef(model))
  own <- grep("^condition", names)
  levels <- length(own) + 1
  joint <- contestMD(model, diag(length(names))[own, , drop = FALSE])
  cat(file, "F", joint[["F value"]], joint$NumDF, joint$DenDF, joint[["Pr(>F)"]], "\\n")
  for (a in 1:(levels - 1)) for (b in (a + 1):levels) {
    weights <- rep(0, length(names))
    if (a > 1) weights[own[a - 1]] <- 1
    weights[own[b - 1]] <- -1
    one <- contest1D(model, weights, confint = TRUE)
    cat(file, "C", a, b, format(unlist(one[c("Estimate", "Std. Error", "df", "Pr(>|t|)", "lower", "upper")]), digits = 15), "\\n")
  }
}
"""


def check(what, found, wanted, tolerance):
    if not abs(found - wanted) <= tolerance * max(1.0, abs(wanted)):
        problems.append(f"{what}: {found} instead of {wanted}")


def crossover(random):
    """Responses as rows, some of them missing."""
    people, clips = int(random.integers(4, 31)), int(random.integers(2, 7))
    heard = int(random.integers(2, clips + 1)) if random.random() < 0.4 else clips
    missing = random.choice([0, 0, 0.1, 0.3])
    between, within = random.choice([0, 0, 1, 4]), random.choice([0.5, 2, 3])
    sessions = int(random.choice([1, 1, 2]))
    effects, carried, places = random.normal(0, 1.5, clips), random.normal(0, 0.7, clips), random.normal(0, 1, clips)
    turn = [int(v) for v in random.permutation(clips)]
    rotates = heard == clips and random.random() < 0.4
    rows = []
    for person in range(people):
        own, resting = random.normal(0, between) if between else 0.0, random.normal(65, 8)
        for session in range(1, sessions + 1):
            order = turn[person % clips:] + turn[:person % clips] if rotates else [int(v) for v in random.permutation(clips)[:heard]]
            for place, clip in enumerate(order):
                rest = resting + random.normal(0, 2)
                before = order[place - 1] if place else None
                change = own + effects[clip] + places[place] - 0.2 * (rest - resting) + random.normal(0, within)
                change += carried[before] if before is not None else 0
                rows.append(dict(participant=f"P{person:02}", session=session, place=place + 1, clip=f"c{clip}",
                                 before=None if before is None else f"c{before}", rest=rest, change=change,
                                 missing=random.random() < missing))
    return rows


def write_dataset(folder, rows, version):
    """As `entrain collate` writes it: the clip of a missing response has too few samples."""
    tables = {name: [] for name in TABLES}
    runs = {}
    for row in rows:
        runs.setdefault((row["participant"], row["session"]), []).append(row)
    for number, ((participant, session), own) in enumerate(sorted(runs.items())):
        run, second = f"{number:08}-0000-4000-8000-000000000000", 0
        for row in own:
            for step, length, rate in (("rest", 40, row["rest"]), ("listen", 20, row["rest"] + row["change"])):
                listens = step == "listen"
                tables["steps"].append(dict(
                    run=run, step=step, visit=row["place"], start_seconds=second, end_seconds=second + length, skipped=False,
                    stimulus=row["clip"] if listens else None, onset_seconds=second if listens else None, coverage=1.0))
                seconds = 3 if listens and row["missing"] else length
                tables["samples"] += [dict(run=run, step=step, visit=row["place"], source="strap", recorder="heart",
                                           offset_seconds=second + i + 0.5, bpm=float(rate), counted=True) for i in range(seconds)]
                second += length
        tables["sessions"].append(dict(
            run=run, study="crossover", task="task", participant=participant, session=session, revision=1,
            study_sha256="0" * 64, manifest_sha256=f"{number:064}", origin="recorded",
            start=f"2026-01-0{session}T09:00:00.000Z", duration_seconds=float(second), status="completed",
            samples=0, beats=0))
    write_parts(folder, "crossover", tables, version)


def write_parts(folder, study, tables, version):
    """A dataset of one part, with what its tables hold."""
    stem, listed = f"study={study}/date=2026-01-01", {}
    for name, lines in tables.items():
        os.makedirs(f"{folder}/{name}/{stem}")
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
        open(f"{folder}/{name}/{stem}/part-0001.ndjson", "wb").write(text)
        file = dict(bytes=len(text), sha256=hashlib.sha256(text).hexdigest())
        listed[name] = dict(rows=len(lines), csv=file, ndjson=file)
    part = dict(study=study, date="2026-01-01", number=1, runs=[], texts=[], tables=listed)
    json.dump(dict(collation=version, format="csv", parts=[part]), open(f"{folder}/collation.json", "w"))


def analyse(path):
    said = subprocess.run([entrain, "analyse", path, "--include-simulated", "--format", "json"], capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"analyse {path}: {said.stderr}")
    return json.loads(said.stdout)["studies"][0]


def means(rows):
    """The mean of each participant and condition, and whether any is one of several."""
    cells = {}
    for row in rows:
        cells.setdefault((row["participant"], row["condition"]), []).append(row)
    made = []
    for own in cells.values():
        mean = dict(own[0], **{key: float(np.mean([r[key] for r in own])) for key in ("session", "place", "rest", "value")})
        mean["before"] = {b: sum(r["before"] == b for r in own) / len(own) for b in {r["before"] for r in own} if b}
        made.append(mean)
    return made, len(made) < len(rows)


def columns(rows, levels, averaged):
    """Names with columns, those that are compared first; the condition before apart."""
    made = [("one", [1.0] * len(rows))]
    made += [(f"condition{level}", [float(r["condition"] == level) for r in rows]) for level in levels[1:]]
    plain = []
    for key in ("session", "place"):
        numbers = sorted({r[key] for r in rows})
        if averaged and len(numbers) > 1:
            plain.append((key, [float(r[key]) for r in rows]))
        else:
            plain += [(f"{key}{n:g}", [float(r[key] == n) for r in rows]) for n in numbers[1:]]
    means = {p: np.mean([r["rest"] for r in rows if r["participant"] == p]) for p in {r["participant"] for r in rows}}
    centre = np.mean([means[r["participant"]] for r in rows])
    plain.append(("restMean", [means[r["participant"]] - centre for r in rows]))
    plain.append(("restOwn", [r["rest"] - means[r["participant"]] for r in rows]))
    before = [(f"before{i}", [r["before"].get(level, 0.0) - r["before"].get(levels[-1], 0.0) for r in rows])
              for i, level in enumerate(levels[:-1])] if any(set(r["before"]) & set(levels) for r in rows) else []
    return made, plain, before


def independent(matrix):
    """The columns that those before them do not make up."""
    kept = []
    for index in range(matrix.shape[1]):
        column, length = matrix[:, index], np.linalg.norm(matrix[:, index])
        if kept:
            column = column - matrix[:, kept] @ np.linalg.lstsq(matrix[:, kept], column, rcond=None)[0]
        if np.linalg.norm(column) > 1e-6 * max(length, 1e-3):
            kept.append(index)
    return kept


def spread(matrix, groups, count):
    """How many columns tell something within participants, and the variance of all contrasts there."""
    within = matrix.astype(float).copy()
    for group in set(groups):
        own = groups == group
        within[own] -= within[own].mean(axis=0)
    within[np.abs(within) < 1e-9] = 0
    kept = independent(within)
    inverse = np.linalg.inv(within[:, kept].T @ within[:, kept])
    total = 0.0
    for a, b in itertools.combinations(range(count), 2):
        weights = np.array([float(k == a) - float(k == b) if 0 < k < count else 0.0 for k in kept])
        total += weights @ inverse @ weights
    return len(kept), total


def restated(y, matrix, groups, own):
    """REML by the matrices of the textbook, Satterthwaite by numerical derivatives."""
    rows, count = matrix.shape
    same = (groups[:, None] == groups[None, :]).astype(float)

    def parts(theta, sigma):
        solved = np.linalg.inv(sigma**2 * (np.eye(rows) + theta**2 * same))
        inner = matrix.T @ solved @ matrix
        cov = np.linalg.inv(inner)
        beta = cov @ matrix.T @ solved @ y
        left = y - matrix @ beta
        return cov, beta, left @ solved @ left - np.linalg.slogdet(solved)[1] + np.linalg.slogdet(inner)[1]

    def profiled(theta):
        _, beta, _ = parts(theta, 1.0)
        left = y - matrix @ beta
        sigma = np.sqrt(left @ np.linalg.inv(np.eye(rows) + theta**2 * same) @ left / (rows - count))
        return parts(theta, sigma)[2], sigma

    grid = [0.0] + list(np.geomspace(1e-3, 1e3, 40))
    start = min(range(len(grid)), key=lambda i: profiled(grid[i])[0])
    low, high = grid[max(0, start - 1)], grid[min(len(grid) - 1, start + 1)]
    theta = optimize.minimize_scalar(lambda t: profiled(t)[0], bounds=(low, high), method="bounded", options=dict(xatol=1e-11)).x
    if profiled(0.0)[0] <= profiled(theta)[0] + 1e-10:
        theta = 0.0
    sigma = profiled(theta)[1]
    cov, beta, _ = parts(theta, sigma)
    point = np.array([theta, sigma])
    steps = np.array([max(theta, 0.05) * 2e-3, sigma * 2e-3])

    def derivative(f, twice):
        gradient = [(f(*(point + e)) - f(*(point - e))) / (2 * e.sum()) for e in np.diag(steps)]
        if not twice:
            return gradient
        e, g = np.diag(steps)
        both = (f(*(point + e + g)) - f(*(point + e - g)) - f(*(point - e + g)) + f(*(point - e - g))) / (4 * steps.prod())
        alone = [(f(*(point + s)) - 2 * f(*point) + f(*(point - s))) / s.sum() ** 2 for s in (e, g)]
        return np.array([[alone[0], both], [both, alone[1]]])

    uncertainty = 2 * np.linalg.inv(derivative(lambda t, s: parts(t, s)[2], True))
    slopes = derivative(lambda t, s: parts(t, s)[0], False)

    def estimate(weights):
        variance = weights @ cov @ weights
        gradient = np.array([weights @ s @ weights for s in slopes])
        return weights @ beta, np.sqrt(variance), 2 * variance**2 / (gradient @ uncertainty @ gradient)

    values, vectors = np.linalg.eigh(cov[np.ix_(own, own)])
    degrees, squares = [], 0.0
    for vector in vectors.T:
        weights = np.zeros(count)
        weights[own] = vector
        value, error, df = estimate(weights)
        squares += (value / error) ** 2
        degrees.append(df)
    if max(degrees) - min(degrees) < 1e-3:
        joint = np.mean(degrees)
    else:
        expected = sum(d / (d - 2) for d in degrees)
        joint = 2.0 if min(degrees) <= 2 else 2 * expected / (expected - len(degrees))
    return theta, estimate, squares / len(own), joint


def root(matrix):
    """The inverse of a symmetric root; directions without length stay without."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag([v ** -0.5 if v > 1e-9 else 0.0 for v in values]) @ vectors.T


def robust(y, matrix, groups, theta, own):
    """CR2 with Satterthwaite's degrees of freedom (Pustejovsky and Tipton 2018), by matrices of all rows, and ε."""
    rows = [np.flatnonzero(groups == g) for g in sorted(set(groups))]
    x, z = matrix.astype(float).copy(), y.astype(float).copy()
    for r in rows:
        white = root(np.eye(len(r)) + theta**2 * np.ones((len(r), len(r))))
        x[r], z[r] = white @ x[r], white @ z[r]
    inverse = np.linalg.inv(x.T @ x)
    hat = x @ inverse @ x.T
    left = z - hat @ z
    rest = np.eye(len(z)) - hat
    adjust = [root(rest[np.ix_(r, r)]) for r in rows]
    scores = np.array([x[r].T @ a @ left[r] for r, a in zip(rows, adjust)])

    def estimate(weights):
        solved = inverse @ weights
        vectors = np.array([rest[:, r] @ a @ x[r] @ solved for r, a in zip(rows, adjust)])
        products = vectors @ vectors.T
        return (np.sqrt(((scores @ solved) ** 2).sum()), np.trace(products) ** 2 / (products ** 2).sum())

    block = np.zeros((len(own), matrix.shape[1]))
    block[range(len(own)), own] = 1
    values, vectors = np.linalg.eigh(block @ inverse @ block.T)
    moved = scores @ inverse @ block.T @ vectors / np.sqrt(values)
    spread = moved.T @ moved
    return estimate, min(1.0, np.trace(spread) ** 2 / (len(own) * np.trace(spread @ spread)))


def holm(values):
    order, least, corrected = sorted(range(len(values)), key=lambda i: values[i]), 0.0, [0.0] * len(values)
    for place, index in enumerate(order):
        least = max(least, min(1.0, values[index] * (len(values) - place)))
        corrected[index] = least
    return corrected


def compare(name, found, rows, files, work):
    levels, responses = sorted({r["condition"] for r in rows}), len(rows)
    rows, averaged = means(rows)
    groups = np.array([r["participant"] for r in rows])
    made, plain, before = columns(rows, levels, averaged)
    base = np.array([c for _, c in made + plain]).T
    adjusted = {a["kind"]: a for a in found["adjustments"]}
    if before:
        whole = np.column_stack([base] + [c for _, c in before])
        (kept, plainly), (more, widely) = spread(base, groups, len(levels)), spread(whole, groups, len(levels))
        wanted = more - kept == len(before) and widely <= 4 * plainly
        if (adjusted["before"]["kept"] > 0) != wanted:
            problems.append(f"{name}: the condition before is{' not' if wanted else ''} in the model")
    terms = plain + (before if before and adjusted["before"]["kept"] else [])
    matrix = np.array([c for _, c in made + terms]).T
    kept = independent(matrix)
    y = np.array([r["value"] for r in rows])
    if (found["clips"], found["means"], found["participants"]) != (responses, len(rows), len(set(groups))):
        problems.append(f"{name}: {found['clips']} responses in {found['means']} means of {found['participants']}")
    theta, estimate, f, joint = restated(y, matrix[:, kept], groups, list(range(1, len(levels))))
    omnibus = found["omnibus"]
    compared["SciPy"] += 1
    # The ratio of variances at its bound is no derivative's place.
    loose = 1e-2 if theta == 0 or theta > 0.05 else 0.3
    own_spread, epsilon = robust(y, matrix[:, kept], groups, theta, list(range(1, len(levels))))
    if len(levels) == 2:
        weights = np.eye(len(kept))[1]
        error, joint = own_spread(weights)
        f, epsilon = (estimate(weights)[0] / error) ** 2, 1.0
    check(f"{name} F", omnibus["f"], f, 1e-4)
    check(f"{name} df", omnibus["denominator"], joint, loose)
    check(f"{name} epsilon", omnibus["epsilon"], epsilon, 1e-4)
    check(f"{name} p", omnibus["p"], stats.f.sf(omnibus["f"], omnibus["numerator"] * omnibus["epsilon"],
                                                omnibus["denominator"] * omnibus["epsilon"]), 1e-9)
    places = {level: i for i, level in enumerate(levels)}
    for pair in found["pairs"]:
        weights = np.zeros(len(kept))
        for key, sign in (("first", 1.0), ("second", -1.0)):
            if places[pair[key]]:
                weights[places[pair[key]]] = sign
        value = estimate(weights)[0]
        error, df = own_spread(weights)
        label = f"{name} {pair['first']} - {pair['second']}"
        check(f"{label} estimate", pair["estimate"], value, 1e-4)
        check(f"{label} error", pair["error"], error, 1e-4)
        check(f"{label} df", pair["degrees"], df, loose)
        t = pair["estimate"] / pair["error"]
        check(f"{label} p", pair["p"], 2 * stats.t.sf(abs(t), pair["degrees"]), 1e-9)
        check(f"{label} high", pair["high"], pair["estimate"] + stats.t.ppf(0.975, pair["degrees"]) * pair["error"], 1e-9)
    for pair, wanted in zip(found["pairs"], holm([p["p"] for p in found["pairs"]])):
        check(f"{name} Holm", pair["holmP"], wanted, 1e-12)
    compare_statsmodels(name, found, y, matrix[:, kept], groups, theta)
    file = f"{work}/{len(files)}.csv"
    # R would read a level that looks like a number as one, and its order of letters is the locale's.
    with open(file, "w") as out:
        out.write(",".join(["participant", "condition", "value"] + [n for n, _ in terms]) + "\n")
        for i, r in enumerate(rows):
            out.write(",".join([r["participant"], f"k{places[r['condition']]:02}", repr(r["value"])] + [repr(float(c[i])) for _, c in terms]) + "\n")
    files[file] = (name, found, levels)


def compare_statsmodels(name, found, y, matrix, groups, theta):
    try:
        import warnings

        import statsmodels.api as sm
    except ImportError:
        return
    if theta < 0.05:  # at the bound it does not converge
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = sm.MixedLM(y, matrix, groups).fit(reml=True, method=["lbfgs", "powell"], gtol=1e-10)
        except np.linalg.LinAlgError:
            return
    if not fit.converged:
        return
    compared["statsmodels"] += 1
    check(f"{name} statsmodels' participants", found["participantDeviation"], float(np.sqrt(fit.cov_re[0, 0])), 1e-3)
    conditions = found["conditions"]
    for pair in found["pairs"]:
        value = {c: fit.fe_params[i] if i else 0.0 for i, c in enumerate(conditions)}
        check(f"{name} statsmodels", pair["estimate"], value[pair["first"]] - value[pair["second"]], 1e-4)


def compare_r(files):
    r = shutil.which("Rscript")
    if not r or subprocess.run([r, "-e", "library(lmerTest)"], capture_output=True).returncode:
        print("R has no lmerTest: not compared with it", file=sys.stderr)
        return
    said = subprocess.run([r, "-e", LMER, *files], capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"R: {said.stderr}")
    for line in said.stdout.splitlines():
        file, kind, *words = line.split()
        name, found, levels = files[file]
        if kind == "F":
            compared["R"] += 1
            f, numerator, denominator, _ = map(float, words)
            if len(levels) > 2:
                check(f"{name} R's F", found["omnibus"]["f"], f, 1e-3)
                check(f"{name} R's df", found["omnibus"]["denominator"], denominator, 1e-2)
            continue
        first, second = levels[int(words[0]) - 1], levels[int(words[1]) - 1]
        pair = next(p for p in found["pairs"] if (p["first"], p["second"]) == (first, second))
        # lmerTest has no standard errors of CR2.
        check(f"{name} R's estimate of {first} - {second}", pair["estimate"], float(words[2]), 1e-4)


def compare_study(name, study, files, work):
    keys = {"heartRate": ("change", "baseline"), "rmssd": ("rmssdChange", "rmssdBaseline")}
    for found in study["contrasts"]:
        value, rest = keys[found["measure"]]
        if found["factor"] == "tempo":
            continue
        before = {"clip": "before", "mood": "beforeMood"}[found["factor"]]
        rows = [dict(participant=r["participant"], session=r["session"], place=r["place"], condition=r[found["factor"]],
                     before=r[before], rest=r[rest], value=r[value])
                for r in study["responses"] if r[value] is not None and r[found["factor"]] is not None]
        compare(f"{name} {found['measure']} {found['factor']}", found, rows, files, work)
    return len(study["contrasts"])


if __name__ == "__main__":
    entrain = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="entrain-contrasts-") as work:
        subprocess.run([entrain, "collate", sys.argv[2], "--out", f"{work}/collated"], check=True, capture_output=True)
        version = json.load(open(f"{work}/collated/collation.json"))["collation"]
        files, random, made = {}, np.random.default_rng(2026), 0
        while made < (int(sys.argv[3]) if len(sys.argv) > 3 else 50):
            rows = crossover(random)
            present = [r for r in rows if not r["missing"]]
            folder = f"{work}/dataset-{made}"
            os.makedirs(folder)
            write_dataset(folder, rows, version)
            study = analyse(folder)
            shutil.rmtree(folder)
            wanted = {(r["participant"], r["session"], r["place"], r["clip"], r["before"]): r["change"] for r in present}
            found = {(r["participant"], r["session"], r["place"], r["clip"], r["before"]): r["change"] for r in study["responses"]}
            if wanted.keys() != found.keys() or any(abs(wanted[k] - found[k]) > 1e-9 for k in wanted):
                problems.append(f"design {made}: the responses are others")
            made += 1 if compare_study(f"design {made}", study, files, work) else 0
        bundles = compare_study("bundles", analyse(sys.argv[2]), files, work)
        if not bundles:
            problems.append("the bundles have no contrasts")
        compare_r(files)
    for problem in problems[:40]:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} figures of contrasts differ")
    print("contrasts agree: " + ", ".join(f"{count} models with {what}" for what, count in compared.items()))
