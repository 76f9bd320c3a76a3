"""Guesses the next arm of simulated studies, as the page Allocation says that somebody can, and compares with the program.

    python3 Tests/AllocatingTests/predictability.py --entrain ENTRAIN [--count 20000] [--seed S]

Simulation and guesser are written from the page alone. The guesser knows the design, and the arms and answers of all before
and the answers of the next. With blocks, it weighs every place in every block that agrees with what it saw. 'allocation
simulate' must say the same within 0.5 %. The standard error of each figure is over studies; with fewer than 5000 of them, it is
too large for that.
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

STUDY = """
entrain: 1
study: {{identifier: guess, title: Guess}}
arms:
  - {{identifier: a, title: A, ratio: {0}}}
  - {{identifier: b, title: B, ratio: {1}}}
allocation: {{{allocation}}}
tasks:
  - identifier: main
    steps:
      - {{type: consent, identifier: consent, document: I take part of my own will.}}
      - {{type: question, identifier: sex, title: Sex, answer: {{choice: [female, male]}}}}
      - {{type: question, identifier: age, title: Age, answer: {{choice: [young, middle, old]}}}}
      - {{type: allocation, identifier: arm}}
      - {{type: completion, identifier: end}}
"""


class Simple:
    def __init__(self, chance, ratios, _):
        self.chance, self.ratios = chance, ratios

    def guess(self, _):
        return self.ratios.index(max(self.ratios))

    def draw(self, _):
        return self.chance.choices(range(len(self.ratios)), self.ratios)[0]


class Blocks:
    """Blocks of drawn sizes in each stratum. A thought is what the guesser holds for possible: what is left of the block."""

    def __init__(self, chance, ratios, sizes, by=()):
        self.chance, self.ratios, self.sizes, self.by = chance, ratios, sizes, by
        self.left, self.thoughts = {}, {}

    def stratum(self, answers):
        return tuple(answers[factor] for factor in self.by)

    def full(self, size):
        return tuple(ratio * size // sum(self.ratios) for ratio in self.ratios)

    def fresh(self):
        thoughts = {}
        for size in self.sizes:
            thoughts[self.full(size)] = thoughts.get(self.full(size), 0) + 1 / len(self.sizes)
        return thoughts

    def guess(self, answers):
        thoughts = self.thoughts.setdefault(self.stratum(answers), self.fresh())
        likely = [sum(weight * left[arm] / sum(left) for left, weight in thoughts.items()) for arm in range(len(self.ratios))]
        return likely.index(max(likely))

    def draw(self, answers):
        stratum = self.stratum(answers)
        if not self.left.get(stratum):
            size = self.chance.choice(self.sizes)
            self.left[stratum] = [arm for arm, count in enumerate(self.full(size)) for _ in range(count)]
            self.chance.shuffle(self.left[stratum])
        arm = self.left[stratum].pop()
        after, total = {}, 0
        for left, weight in self.thoughts.setdefault(stratum, self.fresh()).items():
            weight *= left[arm] / sum(left)
            if not weight:
                continue
            total += weight
            rest = tuple(count - (place == arm) for place, count in enumerate(left))
            for state, share in (self.fresh().items() if not any(rest) else [(rest, 1)]):
                after[state] = after.get(state, 0) + weight * share
        self.thoughts[stratum] = {state: weight / total for state, weight in after.items()}
        return arm


class Minimisation:
    """After Pocock and Simon, with the range."""

    def __init__(self, chance, ratios, probability):
        self.chance, self.probability, self.arms = chance, probability, range(len(ratios))
        self.counts = {}

    def imbalances(self, answers):
        sums = []
        for arm in self.arms:
            sums.append(0)
            for factor in answers.items():
                numbers = [self.counts.get((factor, other), 0) + (other == arm) for other in self.arms]
                sums[-1] += max(numbers) - min(numbers)
        return sums

    def guess(self, answers):
        sums = self.imbalances(answers)
        return sums.index(min(sums))

    def draw(self, answers):
        sums = self.imbalances(answers)
        if len(set(sums)) == 1:
            arm = self.chance.choice(self.arms)
        else:
            arm = sums.index(min(sums))
            if self.chance.random() >= self.probability:
                arm = 1 - arm
        for factor in answers.items():
            self.counts[factor, arm] = self.counts.get((factor, arm), 0) + 1
        return arm


FACTORS = ("sex", "age")
# Title, ratio, what the study says, who draws and guesses, further options of 'simulate'.
DESIGNS = [
    ("simple", (1, 1), "method: simple", lambda c, r: Simple(c, r, None), ()),
    ("blocks of 4", (1, 1), "method: blocks, blocks: [4]", lambda c, r: Blocks(c, r, [4]), ()),
    ("blocks of 4 and 6", (1, 1), "method: blocks, blocks: [4, 6]", lambda c, r: Blocks(c, r, [4, 6]), ()),
    ("blocks of 2 to 8 in strata", (1, 1), "method: blocks, blocks: [2, 4, 6, 8], stratify: [sex, age]",
     lambda c, r: Blocks(c, r, [2, 4, 6, 8], FACTORS), ()),
    ("simple, 1 to 4", (1, 4), "method: simple", lambda c, r: Simple(c, r, None), ()),
    ("blocks of 3 and 6, 1 to 2", (1, 2), "method: blocks, blocks: [3, 6]", lambda c, r: Blocks(c, r, [3, 6]), ()),
    ("minimisation, 0.8", (1, 1), "method: minimisation, factors: [sex, age], probability: 0.8", lambda c, r: Minimisation(c, r, 0.8), ()),
    ("minimisation, 1", (1, 1), "method: minimisation, factors: [sex, age], probability: 1.0", lambda c, r: Minimisation(c, r, 1), ()),
    ("hidden blocks of 4 and 8", (1, 1), "method: blocks, blocks: hidden, stratify: [sex]",
     lambda c, r: Blocks(c, r, [4, 8], ("sex",)), ("--blocks", "4,8")),
]


def simulate(chance, make, ratios, participants, trials):
    """How often the guess is right, with its standard error, and the mean distance between the arms."""
    shares, spreads = [], []
    for _ in range(trials):
        design, right, counts = make(chance, ratios), 0, [0] * len(ratios)
        for _ in range(participants):
            answers = {"sex": chance.randrange(2), "age": chance.randrange(3)}
            guess, arm = design.guess(answers), design.draw(answers)
            right += guess == arm
            counts[arm] += 1
        shares.append(right / participants)
        sizes = [count / ratio for count, ratio in zip(counts, ratios)]
        spreads.append(max(sizes) - min(sizes))
    return statistics.mean(shares), statistics.stdev(shares) / trials**0.5, statistics.mean(spreads)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--entrain", required=True)
    options.add_argument("--count", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    chance, findings = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        for place, (title, ratios, allocation, make, more) in enumerate(DESIGNS):
            study = pathlib.Path(folder) / "study.yaml"
            study.write_text(STUDY.format(*ratios, allocation=allocation))
            participants = (60, 37, 24)[place % 3]
            said = subprocess.run(
                [options.entrain, "allocation", "simulate", str(study), "--participants", str(participants), "--trials", str(options.count),
                 "--seed", str(options.seed), "--format", "json", *more], capture_output=True, text=True)
            if said.returncode:
                print(f"{title}: refused: {said.stderr.strip()}")
                findings += 1
                continue
            told = json.loads(said.stdout)
            mine, error, spread = simulate(chance, make, ratios, participants, options.count)
            differs = abs(mine - told["guessed"]) > 0.005
            findings += differs
            print(f"{title}, {participants} participants: {100 * mine:.2f} % (standard error {100 * error:.2f} %), the program says "
                  f"{100 * told['guessed']:.2f} %; arms {spread:.3f} apart, the program says {told['spread']['mean']:.3f}"
                  f"{': DIFFERS' if differs else ''}")
    print(f"{len(DESIGNS)} designs, {options.count} simulated studies of each; {findings} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
