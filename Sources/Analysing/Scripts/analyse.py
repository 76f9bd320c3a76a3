"""Works every figure of analysis.json out again, from the tables beside it: python3 analyse.py [FOLDER]

It needs numpy and scipy. statsmodels is not asked: its MixedLM has no degrees of freedom after Satterthwaite and no
cluster-robust errors with the correction CR2, so the mixed model stands here, in twenty lines of matrices.

It prints each figure with the program's value and its own, and ends with 1 where one differs or was not compared.
Change a model here, and you see which figures change.
"""
import collections, csv, json, math, os, re, sys
import numpy as np
from scipy import optimize, special, stats

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
# Relative. Fitted variances are where a derivative is 0, found to 1e-12, so no model needs more. Sign flips are drawn as
# the program draws them. Differences below 1e-9 are rounding, in any unit.
TOLERANCE, ROUNDING = 1e-6, 1e-9
NOT_REPRODUCED = {
    r"\$\.studies\[\d+\]\.(responses|incomplete)": "measured in the recordings: the rows of responses.csv",
    r"\$\.studies\[\d+\]\.outcomes\[\d+\]\.calibration": "simulated studies; 'entrain analyse --calibrate' with the same seed repeats them",
    r"\$\.(?!studies)|\$\.studies\[\d+\]\.texts": "facts about runs, not results",
}

def table(name):
    """The rows of a table as texts; a text with the guard ' is as it was, and an empty cell is None."""
    with open(os.path.join(FOLDER, name), newline="", encoding="utf-8") as file:
        return [{k: (v[1:] if v[0] == "'" else v) if v else None for k, v in row.items()} for row in csv.DictReader(file)]

def number(text): return None if text is None else float(text)
def mean(values): return sum(values) / len(values)
def by(rows, key):
    """The rows by a key, in the order of keys; what has no key is left out."""
    groups = collections.defaultdict(list)
    for row in rows:
        if key(row) is not None:
            groups[key(row)].append(row)
    return dict(sorted(groups.items()))

# ---- Tests of means

class SplitMix64:
    """The program's random numbers (Steele, Lea, Flood 2014)."""
    def __init__(self, seed): self.state = seed
    def words(self, count):
        with np.errstate(over="ignore"):
            z = np.uint64(self.state) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            self.state = (self.state + count * 0x9E3779B97F4A7C15) % 2**64
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

def signs(people, drawn, random):
    """Blocks of rows of signs, one sign for each participant: all of them for up to 16 participants, or drawn ones."""
    exact, words = people <= 16, -(-people // 64)
    left = 2**people if exact else drawn
    while left:
        rows = min(left, 10_000)
        if exact:
            bits = (np.arange(left - rows, left)[:, None] >> np.arange(people)) & 1
        else:
            place, word = np.arange(people, dtype=np.uint64) % 64, np.arange(people) // 64
            bits = (random.words(rows * words).reshape(rows, words)[:, word] >> place) & np.uint64(1)
        yield 1.0 - 2.0 * bits
        left -= rows

def flipped(vectors, drawn, random, statistic, slack):
    """The share of flips whose statistic is as large as the one found, which itself is one of the drawn."""
    vectors = np.asarray(vectors, float)
    found, exact = statistic(vectors.sum(axis=0)[None])[0], len(vectors) <= 16
    far = sum(int((statistic(block @ vectors) >= slack(found)).sum()) for block in signs(len(vectors), drawn, random))
    count = 2 ** len(vectors) if exact else drawn
    return dict(p=far / count if exact else (far + 1) / (count + 1), flips=count, exact=exact)

def paired(values, random):
    """One value for each participant against 0: Student's interval, Cohen's dz, and sign flips."""
    x = np.array([0.0 if abs(v) < ROUNDING else v for v in values])
    n, own = len(x), dict(participants=len(x), mean=x.mean(), deviation=None, low=None, high=None, dz=None)
    if n > 1:
        deviation = x.std(ddof=1) if x.std(ddof=1) >= ROUNDING else 0.0
        half = stats.t.ppf(0.975, n - 1) * deviation / math.sqrt(n)
        own.update(deviation=deviation, low=x.mean() - half, high=x.mean() + half)
        own["dz"] = x.mean() / deviation if deviation > 0 else None
    rounding = 1e-12 * np.abs(x).sum()
    return own | flipped(x[:, None], 99_999, random, lambda s: np.abs(s[:, 0]), lambda found: found - rounding)

def noncentral(df, shift, t):
    """The share of the noncentral t below t (Lenth 1989), whose tails are NaN in scipy."""
    if t < 0: return 1 - noncentral(df, -shift, -t)
    half, x = shift * shift / 2, t * t / (df + t * t)
    if half >= 700: return float(shift < 0)
    j = np.arange(int(half + 12 * math.sqrt(half)) + 60)
    odd = shift / (2 * math.sqrt(2)) * np.exp(special.xlogy(j, half) - half - special.gammaln(j + 1.5))
    sums = 0.5 * stats.poisson.pmf(j, half) * special.betainc(j + 0.5, df / 2, x) + odd * special.betainc(j + 1, df / 2, x)
    return min(1.0, max(0.0, stats.norm.sf(shift) + sums.sum()))

def power(effect, n):
    """The power of Student's paired test at 5 %, by the noncentral t."""
    limit, shift = stats.t.ppf(0.975, n - 1), abs(effect) * math.sqrt(n)
    return 1 - noncentral(n - 1, shift, limit) + noncentral(n - 1, shift, -limit)

def next_study(own):
    """How many participants show the same difference with 80 and 90 %, and what this many show with 80 %."""
    if own["dz"] is None: return None
    found = {}
    for share in (80, 90):
        low, high = 1, 2
        while power(own["dz"], high) < share / 100 and high <= 1_000_000: low, high = high, 2 * high
        while high - low > 1 and high <= 1_000_000:
            middle = (low + high) // 2
            low, high = (middle, high) if power(own["dz"], middle) < share / 100 else (low, middle)
        found[f"participantsFor{share}"] = high if high <= 1_000_000 else None
    n, high = own["participants"], 1.0
    while power(high, n) < 0.8: high *= 2
    return found | {"detectable": own["deviation"] * optimize.brentq(lambda d: power(d, n) - 0.8, 0, high, xtol=1e-13)}

def contrast(first, second, participants, estimate, error, df, deviation):
    """t, its interval, and the size with the interval of the noncentral t."""
    t, half = estimate / error, stats.t.ppf(0.975, df) * error
    own = dict(first=first, second=second, participants=participants, estimate=estimate, error=error, degrees=df, t=t,
               p=2 * stats.t.sf(abs(t), df), low=estimate - half, high=estimate + half, size=None, sizeLow=None, sizeHigh=None)
    if deviation > 0:
        wide = stats.norm.ppf(0.975) * math.sqrt(1 + t * t / (2 * df))
        shift = {s: t - math.copysign(wide, s - 0.5) for s in (0.975, 0.025)}
        if abs(t) + wide < 30:  # beyond, it is almost normal
            shift = {s: optimize.brentq(lambda nc: noncentral(df, nc, t) - s, t - 4 * wide, t + 4 * wide, xtol=1e-12)
                     for s in shift}
        own.update(size=estimate / deviation, sizeLow=shift[0.975] * error / deviation, sizeHigh=shift[0.025] * error / deviation)
    return own

def holm(values):
    least, corrected = 0.0, [0.0] * len(values)
    for place, index in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        least = corrected[index] = max(least, min(1.0, values[index] * (len(values) - place)))
    return corrected

def corrected(pairs):
    for pair, p in zip(pairs, holm([pair["p"] for pair in pairs])): pair["holmP"] = p
    return pairs

def uneven(deviations):
    """The least and the greatest deviation, if one is more than twice the other."""
    if not deviations: return None
    least, most = (choose(deviations, key=lambda d: d[1]) for choose in (min, max))
    if most[1] <= 2 * least[1]: return None
    return {key: dict(name=d[0], deviation=d[1]) for key, d in (("least", least), ("most", most))}

# ---- Arms

def arms(members):
    """value ~ arm (+ baseline), each arm with a variance of its own: Welch's tests, with a baseline Johansen's (1980).

    members: (arm, value, baseline or None). The result is None if an arm has one member, or nothing varies."""
    names = sorted({m[0] for m in members})
    own = [[m for m in members if m[0] == name] for name in names]
    if len(names) < 2 or min(map(len, own)) < 2: return None
    n, y = np.array([len(o) for o in own]), [np.array([m[1] for m in o]) for o in own]
    known = all(m[2] is not None for m in members)
    centre = mean([m[2] for m in members]) if known else 0.0
    x = [np.array([m[2] - centre if known else 0.0 for m in o]) for o in own]
    squares = np.array([((v - v.mean()) ** 2).sum() for v in x])
    adjusted, spread = squares.sum() > 1e-18 * max(1, centre**2), squares.sum()
    slope = sum(((a - a.mean()) * b).sum() for a, b in zip(x, y)) / spread if adjusted else 0.0
    share = squares / spread if adjusted else 0 * squares
    means = np.array([b.mean() - slope * a.mean() for a, b in zip(x, y)])
    df = n - 1 - share
    if df.min() <= 1e-9: return None
    left = [b - b.mean() - slope * (a - a.mean()) for a, b in zip(x, y)]
    variance = np.array([(r**2).sum() for r in left]) / df
    far = np.array([a.mean() for a in x])
    slopes = variance * share / spread if adjusted else 0 * variance
    def covariance(c):
        """What each arm adds to the covariance of the contrasts c of the means."""
        return [variance[i] / n[i] * np.outer(c[:, i], c[:, i]) + slopes[i] * np.outer(c @ far, c @ far) for i in range(len(n))]
    deviations = np.array([v.std(ddof=1) for v in y])
    def pooled(places): return math.sqrt((deviations[places] ** 2 * (n[places] - 1)).sum() / (n[places] - 1).sum())
    pairs = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            c = np.eye(len(names))[[i]] - np.eye(len(names))[[j]]
            parts = np.array([part[0, 0] for part in covariance(c)])
            total, estimate = parts.sum(), float(means[i] - means[j])
            if total <= 1e-24 * max(1, estimate**2): continue
            places = list(range(len(names))) if adjusted else [i, j]
            pairs.append(contrast(names[i], names[j], int(n[i] + n[j]), estimate, math.sqrt(total),
                                  total**2 / (parts**2 / df).sum(), pooled(places)))
    omnibus = None
    if len(names) > 2:
        q = len(names) - 1
        c = np.column_stack([np.eye(q), -np.ones(q)])
        parts = covariance(c)
        if np.linalg.matrix_rank(sum(parts)) < q: return None
        inverse = np.linalg.inv(sum(parts))
        turned = [part @ inverse for part in parts]
        doubt = sum((np.trace(t) ** 2 + np.trace(t @ t)) / d for t, d in zip(turned, df)) / 2
        f = (c @ means) @ inverse @ (c @ means) / (q + 2 * doubt - 6 * doubt / (q + 2))
        omnibus = dict(f=f, numerator=q, denominator=q * (q + 2) / (3 * doubt), p=stats.f.sf(f, q, q * (q + 2) / (3 * doubt)))
    if not pairs: return None
    return dict(method="adjusted" if adjusted else "welch", pairs=corrected(pairs), omnibus=omnibus,
                groups=[dict(name=name, participants=len(v), mean=v.mean(), deviation=v.std(ddof=1)) for name, v in zip(names, y)],
                unevenSpread=uneven(list(zip(names, deviations))))

# ---- Conditions within participants

def independent(columns, whole=None):
    """Which columns are no combination of earlier ones, and orthonormal columns for them."""
    kept, basis = [], np.zeros((len(columns[0]), 0))
    for index, column in enumerate(columns):
        left = column
        for _ in range(2): left = left - basis @ (basis.T @ left)
        if np.linalg.norm(left) > 1e-7 * np.linalg.norm((whole or columns)[index]):
            kept.append(index)
            basis = np.column_stack([basis, left / np.linalg.norm(left)])
    return kept, basis

class Mixed:
    """y ~ columns + (1 | participant) by REML; ratio is the participants' variance over the residual one, s."""
    def __init__(self, y, columns, groups):
        self.kept, self.q = independent(columns)
        self.x = np.column_stack([columns[k] for k in self.kept])
        self.r = self.q.T @ self.x  # the coefficients of x are those of q, turned
        self.y, self.groups, self.z = y, groups, np.eye(groups.max() + 1)[groups]
        self.n, self.df = self.z.sum(axis=0), len(y) - len(self.kept)
        self.left = y - self.q @ (self.q.T @ y)
        grid = [0.0] + list(np.exp(np.arange(-16, 20.1, 0.5)))
        fits = [self.at(ratio) for ratio in grid]
        best = min(range(len(grid)), key=lambda i: fits[i][0])
        rising = fits[best][1] > 0
        if best == 0 or best == 1 and rising: self.ratio = 0.0
        else:
            low, high = (grid[best - 1], grid[best]) if rising else (grid[best], grid[best + 1])
            self.ratio = math.exp(optimize.brentq(lambda u: self.at(math.exp(u))[1], math.log(low), math.log(high), xtol=1e-15))
        _, _, self.c, coordinates, self.zpz, self.zpy, squares = self.at(self.ratio)
        self.s, self.beta = squares / self.df, coordinates + self.q.T @ y
        self.rest = self.left - self.q @ coordinates
        self.residuals = self.rest - (self.ratio * (self.z.T @ self.rest) / (1 + self.ratio * self.n))[groups]
    def at(self, ratio):
        """Minus twice the restricted log-likelihood, its slope, and what they are made of. P projects y on what is left."""
        sums, total, u = self.z.T @ self.q, self.z.T @ self.left, 1 / (1 + ratio * self.n)
        c = np.linalg.inv(np.eye(len(self.kept)) - sums.T @ (sums * (ratio * u)[:, None]))
        b = c @ (self.q.T @ self.left - sums.T @ (total * ratio * u))
        rest = self.left - self.q @ b
        squares = rest @ rest - (ratio * u) @ (self.z.T @ rest) ** 2
        zpy, us = u * (total - sums @ b), sums * u[:, None]
        zpz = np.diag(self.n * u) - us @ c @ us.T
        deviance = self.df * math.log(squares) + np.log1p(ratio * self.n).sum() - np.linalg.slogdet(c)[1]
        return deviance, np.trace(zpz) - self.df * (zpy @ zpy) / squares, c, b, zpz, zpy, squares
    def turned(self, weights):
        """Weights of the columns as weights of the orthonormal ones."""
        return np.linalg.solve(self.r.T, np.array([weights.get(k, 0.0) for k in self.kept]))
    def satterthwaite(self, w):
        """Degrees of freedom of w'beta from the curvature of the likelihood, as lmerTest has them."""
        if self.ratio == 0: return float(self.df)
        us = (self.z.T @ self.q) / (1 + self.ratio * self.n)[:, None]
        slope = np.array([self.s * ((us @ self.c @ w) ** 2).sum(), w @ self.c @ w])
        both = (self.zpy @ self.zpy) / self.s**2
        curve = np.array([[2 * self.zpy @ self.zpz @ self.zpy / self.s - (self.zpz**2).sum(), both], [both, self.df / self.s**2]])
        if np.linalg.det(curve) <= 0: return float(self.df)
        return 2 * (self.s * (w @ self.c @ w)) ** 2 / (slope @ (2 * np.linalg.inv(curve)) @ slope)
    def whitened(self, column):
        """Rows that are independent if the rows of a participant share an intercept."""
        return column - ((1 - 1 / np.sqrt(1 + self.n * self.ratio)) * (self.z.T @ column) / self.n)[self.groups]
    def robust(self):
        """CR2 (Pustejovsky and Tipton 2018): each participant's score, and their parts of the degrees of freedom."""
        x, e = np.column_stack([self.whitened(q) for q in self.q.T]), self.whitened(self.rest)
        people = []
        for person in range(len(self.n)):
            rows = self.groups == person
            values, vectors = np.linalg.eigh(np.eye(rows.sum()) - x[rows] @ self.c @ x[rows].T)
            root = vectors @ np.diag([v**-0.5 if v > 1e-9 else 0.0 for v in values]) @ vectors.T
            people.append((root @ x[rows], e[rows], x[rows]))
        self.scores = np.array([a.T @ e for a, e, _ in people])
        self.adjusted = [a for a, _, _ in people]
        self.products = [a.T @ x for a, _, x in people]
    def estimate(self, weights):
        """The contrast, its cluster-robust error and Satterthwaite's degrees of freedom for that; None if not estimable."""
        if any(w and k not in self.kept for k, w in weights.items()): return None
        w = self.turned(weights)
        solved = self.c @ w
        variance = ((self.scores @ solved) ** 2).sum()
        return (w @ self.beta, math.sqrt(variance), self.degrees(solved)) if variance > 0 else None
    def degrees(self, solved):
        own = np.array([((a @ solved) ** 2).sum() for a in self.adjusted])
        sums = np.array([solved @ p for p in self.products])
        middle = np.diag(own) - sums @ self.c @ sums.T
        return np.trace(middle) ** 2 / (middle**2).sum()
    def test(self, columns, in_own_stratum=False):
        """F for all columns (Fai and Cornelius 1996), and epsilon of Greenhouse and Geisser for their robust covariance. In
        their own stratum, only what people differ in along these columns is the error, as in repeated measures."""
        own = [k for k in columns if k in self.kept]
        if len(own) == 1:
            value, error, df = self.estimate({own[0]: 1})
            return (value / error) ** 2, 1, df, 1.0
        w = np.array([self.turned({k: 1.0}) for k in own])
        values, vectors = np.linalg.eigh(w @ self.c @ w.T)
        directions = vectors.T @ w
        squares = [(d @ self.beta) ** 2 / (self.s * v) for d, v in zip(directions, values)]
        df = [self.satterthwaite(d) for d in directions]
        joint = min(df)
        if max(df) - joint > 1e-8 * joint:
            expected = sum(d / (d - 2) for d in df) if joint > 2 else None
            joint = 2.0 if expected is None else 2 * expected / (expected - len(df))
        moved = self.scores @ self.c @ (directions / np.sqrt(values)[:, None]).T
        spread = moved.T @ moved
        if in_own_stratum:
            df = sum(self.degrees(self.c @ d / math.sqrt(v)) for d, v in zip(directions, values))
            return self.s * sum(squares) / np.trace(spread), len(own), df, min(np.trace(spread) ** 2 / (len(own) * (spread**2).sum()), 1.0)
        return sum(squares) / len(own), len(own), joint, min(np.trace(spread) ** 2 / (len(own) * (spread**2).sum()), 1.0)

def cells(rows):
    """The mean of each participant and condition, in the order of the first row of each."""
    groups = {}
    for row in rows: groups.setdefault((row["participant"], row["condition"]), []).append(row)
    made = []
    for own in groups.values():
        cell = dict(own[0], **{key: mean([r[key] for r in own]) for key in ("session", "place", "value")})
        cell["rest"] = mean([r["rest"] for r in own]) if all(r["rest"] is not None for r in own) else None
        cell["shares"] = {b: sum(r["before"] == b for r in own) / len(own) for b in {r["before"] for r in own} if b is not None}
        made.append(cell)
    return made

def coded(rows, levels, crossed):
    """Each condition as columns: one for each but the first or, of two crossed columns, one for each of their values but
    the first, and the products. With that, the conditions by the values of both; None if a combination has no values."""
    if not crossed: return np.eye(len(levels))[:, 1:], []
    told = {r["condition"]: r["levels"] for r in rows}
    firsts, seconds = (sorted({t[place] for t in told.values()}) for place in (0, 1))
    grid = [[[c for c in levels if told[c] == (a, b)] for b in seconds] for a in firsts]
    if min(len(firsts), len(seconds)) < 2 or not all(c for row in grid for c in row): return None
    def code(c):
        one, other = (np.eye(len(n))[n.index(told[c][place])][1:] for place, n in enumerate((firsts, seconds)))
        return np.concatenate([one, other, np.outer(one, other).ravel()])
    return np.array([code(c) for c in levels]), [(a, b, levels.index(grid[i][j][0])) for j, b in enumerate(seconds) for i, a in enumerate(firsts)]

def design(rows, levels, codes, groups, averaged):
    """The columns of the model: one, the conditions, sessions, places, the rest before, the condition before."""
    own = np.array([levels.index(r["condition"]) for r in rows])
    columns, spans, costly = [np.ones(len(rows))] + [code[own] for code in codes.T], [], []
    def within(column): return column - np.array([column[groups == g].mean() for g in groups])
    def spread(columns):
        """How many columns tell something within participants, and the variance of all contrasts there."""
        inner = [within(c) for c in columns]
        kept, basis = independent(inner, columns)
        r = basis.T @ np.column_stack([inner[k] for k in kept])
        def weights(a, b): return np.array([codes[a][k - 1] - codes[b][k - 1] if 0 < k < len(levels) else 0.0 for k in kept])
        return len(kept), sum((np.linalg.solve(r.T, weights(a, b)) ** 2).sum() for a in range(len(levels)) for b in range(a + 1, len(levels)))
    def add(kind, span, unless_costly):
        """Columns that cannot be told from others, or that make contrasts less than half as precise, may be left out."""
        if unless_costly:
            base = columns + [c for _, own in spans for c in own]
            (few, precise), (many, wide) = spread(base), spread(base + span)
            if many - few < len(span) or wide > 4 * precise:
                return costly.append(dict(kind=kind, kept=0, columns=len(span), tooCostly=bool(many - few == len(span))))
        spans.append((kind, span))
    for kind in ("session", "place"):
        x = np.array([float(r[kind]) for r in rows])
        distinct = sorted(set(x))
        if len(distinct) > 1:
            add(kind, [x] if averaged or len(distinct) > 12 else [(x == d).astype(float) for d in distinct[1:]], averaged and kind == "place")
    if all(r["rest"] is not None for r in rows):
        x = np.array([r["rest"] for r in rows])
        own = x - within(x)
        add("rest", [own - own.mean(), x - own], False)
    before = [np.array([r["shares"].get(c, 0.0) - r["shares"].get(levels[-1], 0.0) for r in rows]) for c in levels[:-1]]
    if any(r["shares"].get(c, 0.0) > 0 for r in rows for c in levels): add("before", before, True)
    places, at = [], len(columns)
    for kind, span in spans:
        places.append((kind, range(at, at + len(span))))
        at += len(span)
    return columns + [c for _, span in spans for c in span], places, costly

def conditions(rows, factor, random, crossed=False):
    """value ~ condition + session + place + rest + condition before + (1 | participant), of the means of each participant
    and condition, with cluster-robust errors. rows: participant, session, place, condition, before, value, rest; if two
    columns are crossed, their values as levels, and the test is that of the products (the interaction).

    The result is None if fewer than two participants have several conditions, or nothing varies."""
    responses, rows = len(rows), cells(rows)
    averaged, levels = len(rows) < responses, sorted({r["condition"] for r in rows})
    people = sorted({r["participant"] for r in rows})
    groups = np.array([people.index(r["participant"]) for r in rows])
    heard = [{r["condition"] for r in rows if r["participant"] == p} for p in people]
    if len(levels) > 24 or sum(len(h) > 1 for h in heard) < 2: return None
    codes = coded(rows, levels, crossed)
    if codes is None: return None
    codes, grid = codes
    columns, spans, costly = design(rows, levels, codes, groups, averaged)
    y, tested = np.array([r["value"] for r in rows]), range(1, len(levels))
    if crossed: tested = range(len(levels) - (len({a for a, _, _ in grid}) - 1) * (len({b for _, b, _ in grid}) - 1), len(levels))
    kept, basis = independent(columns)
    left = y - basis @ (basis.T @ y)
    if len(y) <= len(kept) or left @ left <= 1e-18 * len(y) * max(1, np.abs(y).max() ** 2): return None
    model = Mixed(y, columns, groups)
    model.robust()
    f, numerator, denominator, epsilon = model.test(tested, crossed)
    pairs = []
    def pair(first, second, shares):
        weights = sum(w * codes[c] for c, w in shares.items())
        found = model.estimate({k + 1: w for k, w in enumerate(weights) if w})
        both = sum({levels[c] for c in shares} <= h for h in heard)
        if found: pairs.append(contrast(first, second, both, *found, math.sqrt(len(shares) * model.s)))
    if crossed:
        firsts, seconds, at = sorted({a for a, _, _ in grid}), sorted({b for _, b, _ in grid}), {(a, b): c for a, b, c in grid}
        for b in seconds:
            for i, a in enumerate(firsts):
                for other in firsts[i + 1:]: pair(levels[at[a, b]], levels[at[other, b]], {at[a, b]: 1.0, at[other, b]: -1.0})
        for i, a in enumerate(firsts):
            for other in firsts[i + 1:]:
                for j, b in enumerate(seconds):
                    for c in seconds[j + 1:]:
                        pair(f"({a} - {other}) in {b}", f"in {c}", {at[a, b]: 1.0, at[other, b]: -1.0, at[a, c]: -1.0, at[other, c]: 1.0})
    else:
        for i in range(len(levels)):
            for j in range(i + 1, len(levels)): pair(levels[i], levels[j], {i: 1.0, j: -1.0})
    flips = condition_flips(y, columns, tested, groups, random)
    limit = stats.t.ppf(1 - 0.025 / len(y), model.df) * math.sqrt(model.s)
    adjustments = [dict(kind=k, kept=sum(c in model.kept for c in span), columns=len(span), tooCostly=False) for k, span in spans]
    adjustments += costly
    return dict(
        factor=factor, conditions=levels, clips=responses, means=len(rows), participants=len(people),
        incompleteParticipants=sum(len(h) < len(levels) for h in heard), pairs=corrected(pairs), adjustments=adjustments,
        omnibus=dict(f=f, numerator=numerator, denominator=denominator, epsilon=epsilon,
                     p=stats.f.sf(f, epsilon * numerator, epsilon * denominator), flipsP=flips["p"], flips=flips["flips"], exact=flips["exact"]),
        participantDeviation=math.sqrt(model.ratio * model.s), residualDeviation=math.sqrt(model.s), singular=model.ratio == 0,
        unevenSpread=spread_of_conditions(rows, levels),
        outliers=[dict(residualDeviations=r / math.sqrt(model.s)) for r in model.residuals if abs(r) > limit])

def condition_flips(y, columns, tested, groups, random):
    """Flips each participant's contribution to the score of the conditions, in the model without them (Hemerik et al. 2020)."""
    others = [c for k, c in enumerate(columns) if k not in tested]
    null = Mixed(y, others, groups)
    kept, basis = independent([null.whitened(c) for c in others], others)
    left = null.whitened(y)
    left = left - basis @ (basis.T @ left)
    whole = independent(list(basis.T) + [null.whitened(columns[k]) for k in tested])[1]
    scores = np.array([whole[groups == g].T @ left[groups == g] for g in range(groups.max() + 1)])
    def share(sums):
        adjusted, explained = (sums[:, : basis.shape[1]] ** 2).sum(axis=1), (sums[:, basis.shape[1] :] ** 2).sum(axis=1)
        return explained / np.maximum(left @ left - adjusted, 2.2250738585072014e-308)
    return flipped(scores, 9_999, random, share, lambda found: found * (1 - 1e-9))

def spread_of_conditions(rows, levels):
    """Of participants' differences between two of several conditions, or else of the conditions."""
    values = {c: {r["participant"]: r["value"] for r in rows if r["condition"] == c} for c in levels}
    def deviations(named): return [(name, np.std(v, ddof=1)) for name, v in named if len(v) > 1]
    own = deviations([(c, list(values[c].values())) for c in levels])
    differences = deviations([(f"{a} - {b}", [v - values[b][p] for p, v in values[a].items() if p in values[b]])
                              for i, a in enumerate(levels) for b in levels[i + 1:]])
    return (uneven(differences) if len(levels) > 2 else None) or uneven(own)

# ---- Outcomes

def levelled(r): return None if r["level"] is None else ", ".join(v for v in (r["level"], r["second_level"]) if v is not None)

FACTORS = {"condition": lambda r: r["condition"], "clip": lambda r: r["clip"], "task": lambda r: r["task"],
           "session": lambda r: f"session {r['session']}"}
OF_ROWS = FACTORS | {"level": levelled}

def people(rows):
    """The mean of each participant: (arm, change, baseline)."""
    return [(own[0]["arm"], mean([r["change"] for r in own]),
             None if own[0]["baseline"] is None else mean([r["baseline"] or 0 for r in own]))
            for own in by(rows, lambda r: r["participant"]).values()]

def answer(rows, names, random):
    """What the design allows: arms, else conditions, clips, tasks or sessions within participants, else pairs or a mean."""
    of, relative, by_columns = names
    if by_columns:
        found = conditions([dict(participant=r["participant"], session=r["session"], place=r["place"], condition=levelled(r),
                                 levels=(r["level"], r["second_level"]), before=levelled(r["previous"]) if r["previous"] else None,
                                 value=r["change"], rest=r["baseline"]) for r in rows if levelled(r) is not None],
                           "level", random, len(by_columns.split()) == 2)
        if not found: return dict(design="none", p=None), []
        several = len({r["arm"] for r in rows} - {None}) > 1
        return dict(design="crossover", conditions=found, p=found["omnibus"]["p"],
                    armsByConditions=arms_by_conditions(rows, {"level": levelled}) if several else None), shown(found["pairs"])
    if len({r["arm"] for r in rows} - {None}) > 1:
        found = arms([m for m in people([r for r in rows if r["arm"] is not None])])
        if found:
            p = found["omnibus"]["p"] if found["omnibus"] else found["pairs"][0]["p"]
            return dict(design="arms", arms=found, p=p, armsByConditions=arms_by_conditions(rows)), found["pairs"]
    for factor, of_row in FACTORS.items():
        if factor == "session" and relative or len({of_row(r) for r in rows} - {None}) < 2: continue
        found = conditions([dict(participant=r["participant"], session=1 if factor == "session" else r["session"], place=r["place"],
                                 condition=of_row(r), before=r["previous"] and factor in ("condition", "clip") and r["previous"][factor] or None,
                                 value=r["change"], rest=r["baseline"]) for r in rows if of_row(r) is not None], factor, random)
        if found:
            return dict(design="sessions" if factor == "session" else "crossover", conditions=found, p=found["omnibus"]["p"]), shown(found["pairs"])
    if not rows: return dict(design="none", p=None), []
    own = paired([m[1] for m in people(rows)], random)
    if not relative: return dict(design="oneGroup", mean=own | dict(count=own["participants"]), p=None), []
    if not own["deviation"]: return dict(design="prePost", change=own, test=None, p=None), []
    n = own["participants"]
    test = contrast(of, relative, n, own["mean"], own["deviation"] / math.sqrt(n), n - 1, own["deviation"]) | {"holmP": None}
    test["holmP"] = test["p"]
    return dict(design="prePost", change=own, test=test, p=test["p"]), [test]

def shown(pairs):
    """Those that people are shown."""
    return pairs if len(pairs) <= 28 else [p for p in pairs if p["p"] < sorted(q["p"] for q in pairs)[28]]

def arms_by_conditions(rows, factors=FACTORS):
    """Whether arms differ in each participant's difference between two conditions."""
    for factor, of_row in factors.items():
        own = by(rows, lambda r: r["participant"])
        if not any(len({of_row(r) for r in o} - {None}) > 1 for o in own.values()): continue
        means = [(o[0]["arm"], {c: mean([r["change"] for r in v]) for c, v in by(o, of_row).items()}) for o in own.values()]
        levels = sorted({of_row(r) for r in rows} - {None})
        if len(levels) > 6: continue
        pairs = [dict(first=a, second=b, arms=found) for i, a in enumerate(levels) for b in levels[i + 1:]
                 if (found := arms([(arm, m[a] - m[b], None) for arm, m in means if arm is not None and a in m and b in m]))]
        if pairs:
            corrected([contrast for pair in pairs for contrast in pair["arms"]["pairs"]])
            return dict(factor=factor, pairs=pairs)
    return None

def choices(rows, found):
    """A primary outcome with other choices of values."""
    factor = OF_ROWS[found["conditions"]["factor"]] if "conditions" in found else lambda r: r["arm"] if "arms" in found else None
    changes = collections.defaultdict(list)
    for r in rows: changes[factor(r)].append(r["change"])
    def usual(r):
        own = np.array(changes[factor(r)])
        spread = 1.4826 * np.median(np.abs(own - np.median(own)))
        return spread == 0 or abs(r["change"] - np.median(own)) <= 3.5 * spread
    yield "perProtocol", [r for r in rows if r["per_protocol"] == "TRUE"]
    yield "covered", [r for r in rows if r["coverage"] is None or r["coverage"] >= 0.9]
    yield "later", [dict(r, change=r["later_value"] - (r["later_baseline"] or 0), baseline=r["later_baseline"])
                    for r in rows if r["later_value"] is not None]
    yield "withoutOutliers", [r for r in rows if usual(r)]

def sensitivity(rows, found, pairs, names):
    clearest, checks = min(pairs, key=lambda c: c["p"], default=None), []
    for kind, chosen in choices(rows, found):
        if not chosen if kind == "later" else len(chosen) == len(rows): continue
        other, others = answer(chosen, names, SplitMix64(0))
        same = [c for c in others if clearest and (c["first"], c["second"]) == (clearest["first"], clearest["second"])]
        p = other["p"] if same else None
        checks.append(dict(kind=kind, values=len(chosen), participants=len({r["participant"] for r in chosen}), p=p,
                           contrast=same[0] if same else None, turnsAnswer=p is not None and (p <= 0.05) != (found["p"] <= 0.05)))
    return checks

def outcomes(rows, told, random):
    """One result for each outcome of the study, in the order of the table, which is that of the random numbers."""
    groups = {}
    for row in rows: groups.setdefault((row["rank"], row["measure"], row["outcome"], row["relative_to"], row["by"]), []).append(row)
    made = {}
    for (rank, measure, of, relative, columns), visits in groups.items():
        places = {(r["run"], r["place"]): r for r in visits}
        for r in visits: r["previous"] = places.get((r["run"], r["place"] - 1))
        values = sorted((r for r in visits if r["included"] == "TRUE"), key=lambda r: (r["run"], r["place"]))
        names = (of, relative, columns)
        own, pairs = answer(values, names, random)
        own |= dict(values=len(values), participants=len({r["participant"] for r in values}), censored=sum(r["censored"] == "TRUE" for r in values),
                    holmP=None, exclusionCounts=collections.Counter(r["why_not"] for r in visits if r["why_not"]),
                    sensitivity=sensitivity(values, own, pairs, names) if rank == "primary" and own["p"] is not None else [])
        made[rank, measure, of, relative, columns] = own
    listed = [made.get((o["rank"], o["measure"], o["of"], o["relativeTo"], " ".join(o["by"]) or None)) or nothing() for o in told]
    for rank in ("secondary", "exploratory"):
        tested = [own for o, own in zip(told, listed) if o["rank"] == rank and own["p"] is not None]
        for own, p in zip(tested, holm([o["p"] for o in tested]) if len(tested) > 1 else []): own["holmP"] = p
    return listed

def nothing():
    """An outcome of which no visit could give a value."""
    return dict(design="none", values=0, participants=0, censored=0, p=None, holmP=None, exclusionCounts={}, sensitivity=[])

# ---- Clips, hearts and people

def course(rows):
    """Second by second: the mean over participants, each with the mean of their clips, and Student's interval."""
    made = []
    for second, own in by(rows, lambda r: r["second"] and int(r["second"])).items():
        x = [mean([float(r["value"]) for r in o]) for o in by(own, lambda r: r["participant"]).values()]
        half = stats.t.ppf(0.975, len(x) - 1) * np.std(x, ddof=1) / math.sqrt(len(x)) if len(x) > 1 else None
        made.append(dict(second=second, participants=len(x), mean=mean(x), low=None if half is None else mean(x) - half,
                         high=None if half is None else mean(x) + half))
    return made

def ratings(seconds, told):
    own = [[r for r in seconds if (r["rating"], r["clip"]) == (c["rating"], c["clip"])] for c in told]
    return [dict(clips=len({r["number"] for r in rows}), course=course(rows)) for rows in own]

def clips(responses, seconds, told, random):
    """Each group of clips against the rest before them, by participant; the order is that of the random numbers."""
    bands = {"tempo below 80": (0, 80), "tempo 80 to 119": (80, 120), "tempo 120 and above": (120, math.inf)}
    belongs = {"all": lambda r, name: True, "mood": lambda r, name: r["mood"] == name, "clip": lambda r, name: r["clip"] == name,
               "tempo": lambda r, name: r["tempo"] is not None and bands[name][0] <= r["tempo"] < bands[name][1],
               "slope": lambda r, name: r["tempo"] is not None}
    def means(rows, key):
        return [mean([r[key] for r in own if r[key] is not None]) for own in by(rows, lambda r: r["participant"]).values()
                if any(r[key] is not None for r in own)]
    made = []
    for kind, name in ((g["kind"], g["name"]) for g in told):
        rows = [r for r in responses if belongs[kind](r, name)]
        if kind == "slope":  # each participant's line over tempo, for 10/min
            own = [np.polyfit([r["tempo"] / 10 for r in o], [r["change"] for r in o], 1)[0]
                   for o in by(rows, lambda r: r["participant"]).values() if len({r["tempo"] for r in o}) > 1]
            group = paired(own, random) | dict(rmssd=None)
        else:
            group, changed = paired(means(rows, "change"), random), [r for r in rows if r["rmssd_change"] is not None]
            group["rmssd"] = paired(means(changed, "rmssd_change"), random) | dict(
                clips=len(changed), ultraShort=sum(r["ultra_short"] == "TRUE" for r in changed)) if changed else None
            group["course"] = course([r for r in seconds if r["rating"] is None and belongs[kind](r, name)])
        made.append(group | dict(clips=len(rows), power=next_study(group)))
    return made

def compared_clips(responses, told, random):
    """Clips, moods or bands of tempo against each other, by the mixed model."""
    def band(tempo): return None if tempo is None else "tempo below 80" if tempo < 80 else "tempo 80 to 119" if tempo < 120 else "tempo 120 and above"
    of = {"clip": lambda r, k: r["clip" if not k else "before"], "mood": lambda r, k: r[k + "mood"], "tempo": lambda r, k: band(r[k + "tempo"])}
    made = []
    for measure, factor in ((c["measure"], c["factor"]) for c in told):
        value, rest = ("change", "baseline") if measure == "heartRate" else ("rmssd_change", "rmssd_baseline")
        rows = [dict(r, condition=of[factor](r, ""), before=of[factor](r, "before_"), value=r[value], rest=r[rest])
                for r in responses if of[factor](r, "") is not None and r[value] is not None]
        made.append(conditions(rows, factor, random))
    return made

def together(rows, told, random):
    """Fisher's mean of the correlations within each run, and how much it is above that with other runs."""
    def z(row): return math.atanh(max(-0.999999, min(float(row["r"]), 0.999999)))
    made = []
    for kind, name in ((h["kind"], h["name"]) for h in told):
        own = [r for r in rows if (r["kind"], r["name"]) == (kind, name)]
        inside = by([r for r in own if r["first_run"] == r["second_run"]], lambda r: int(r["first_run"]))
        apart = collections.defaultdict(list)
        for r in own:
            if r["first_run"] != r["second_run"]:
                apart[int(r["first_run"])].append(z(r))
                apart[int(r["second_run"])].append(z(r))
        means = {run: mean([z(r) for r in pairs]) for run, pairs in inside.items()}
        x, n = list(means.values()), len(means)
        half = stats.t.ppf(0.975, n - 1) * np.std(x, ddof=1) / math.sqrt(n) if n > 1 else None
        every = [v for values in apart.values() for v in values]
        differences = [m - mean(apart[run]) for run, m in means.items() if run in apart]
        made.append(dict(runs=n, pairs=sum(map(len, inside.values())), r=math.tanh(mean(x)), pairsApart=len(every) // 2,
                         low=None if half is None else math.tanh(mean(x) - half), high=None if half is None else math.tanh(mean(x) + half),
                         rApart=math.tanh(mean(every)) if every else None,
                         p=paired(differences, random)["p"] if len(differences) > 1 else None))
    return made

def characteristics(rows, told):
    made = []
    for question, columns in ((c["question"], c["columns"]) for c in told):
        answers = [r for r in rows if r["question"] == question]
        made.append(dict(columns=[dict(values=described([r for r in answers if column["name"] == "all" and place == 0 or place and r["arm"] == column["name"]]))
                                  for place, column in enumerate(columns)]))
    return made

def described(rows):
    x = [float(r["number"]) for r in rows if r["number"] is not None]
    if not rows: return None
    if x: return dict(count=len(x), mean=mean(x), deviation=np.std(x, ddof=1) if len(x) > 1 else None, low=min(x), high=max(x))
    chosen = collections.Counter(r["choice"] for r in rows if r["choice"] is not None)
    return dict(count=len({r["participant"] for r in rows}),
                choices=[dict(name=n, count=c) for n, c in sorted(chosen.items(), key=lambda item: (-item[1], item[0]))])

# ---- All of it

def study(told, part, random):
    own = {name: [r for r in table(f"{name}.csv") if r["part"] == part] for name in ("values", "responses", "sessions", "characteristics", "hearts", "seconds")}
    for row in own["values"] + own["responses"] + own["seconds"]:
        for key in ("place", "session", "value", "baseline", "change", "coverage", "later_value", "later_baseline", "tempo", "before_tempo",
                    "rmssd_baseline", "rmssd_change"):
            if key in row: row[key] = number(row[key])
        if row.get("session") is not None: row["session"] = int(row["session"])
    responses, sessions = [r for r in own["responses"] if r["why_not"] is None], own["sessions"]
    # The order is that in which random numbers are drawn.
    return dict(
        participants=len({s["participant"] for s in sessions}), sessions=len(sessions), clips=len(responses),
        statuses=collections.Counter(s["status"] for s in sessions), origins=collections.Counter(s["origin"] for s in sessions),
        exclusionCounts=collections.Counter(r["why_not"] for r in own["responses"] if r["why_not"]),
        groups=clips(responses, own["seconds"], told["groups"], random), ratings=ratings(own["seconds"], told["ratings"]), contrasts=compared_clips(responses, told["contrasts"], random),
        outcomes=outcomes(own["values"], told["outcomes"], random), outcomesKnown=told["outcomesKnown"],
        together=together(own["hearts"], told["together"], random), characteristics=characteristics(own["characteristics"], told["characteristics"]))

def compare(told, own, path, tally):
    """Goes through everything that the program tells, and prints each figure beside this script's own."""
    reason = next((why for pattern, why in NOT_REPRODUCED.items() if re.match(pattern, path)), None)
    if isinstance(told, dict):
        for key, value in told.items(): compare(value, own.get(key, KeyError) if isinstance(own, dict) else KeyError, f"{path}.{key}", tally)
    elif isinstance(told, list):
        if isinstance(own, list) and len(own) != len(told) and reason is None: tally["differ"] += report(path, len(told), len(own), False)
        for place, value in enumerate(told):
            compare(value, own[place] if isinstance(own, list) and place < len(own) else KeyError, f"{path}[{place}]", tally)
    elif isinstance(told, (int, float)) or told is None and own not in (None, KeyError):
        if reason: tally[f"not reproduced, because {reason}"] += 1
        elif own is KeyError: tally["not compared"] += report(path, told, "not worked out", False)
        else:
            equal = told == own or None not in (told, own) and abs(told - own) <= max(ROUNDING, TOLERANCE * max(abs(told), abs(own)))
            tally["equal" if equal else "differ"] += report(path, told, own, equal)

def report(path, told, own, equal):
    print(f"{path[2:]:76} {told!s:>24} {own!s:>24} {'equal' if equal else 'DIFFERENT'}")
    return 1

def main():
    with open(os.path.join(FOLDER, "analysis.json"), encoding="utf-8") as file: told = json.load(file)
    print(f"{'figure':76} {'the program':>24} {'this script':>24}")
    tally, random = collections.Counter(), SplitMix64(int(told["seed"]))
    own = dict(studies=[study(s, str(part + 1), random) for part, s in enumerate(told["studies"])])
    compare(told, own, "$", tally)
    for what, count in tally.items(): print(f"{count} figures: {what}")
    sys.exit(1 if tally["differ"] or tally["not compared"] else 0)

main()
