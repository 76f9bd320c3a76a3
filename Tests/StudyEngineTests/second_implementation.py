#!/usr/bin/env python3
"""Draws of plans made a second time, written from the page Randomisation alone.

usage: second_implementation.py ENTRAIN [PLANS [DRAWS]]

Compares the orders and durations of PLANS plans (default 200) with those of `entrain plan`, counts constrained orders of up
to 9 clips by brute force against the ones that the walk finds, and draws DRAWS orders (default 20000) of which each must be
as frequent as any other.
"""
import functools
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

MASK = 2**64 - 1


def splitmix64(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield z ^ z >> 31


def stream(study, seed, participant, session, name):
    text = f"entrain/1\n{study}\n{seed}\n{participant}\n{session}\n{name}"
    return splitmix64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def index_below(n, numbers):
    words = max(1, ((n - 1).bit_length() + 63) // 64)
    limit = 2**(64 * words) - 2**(64 * words) % n
    while True:
        x = 0
        for _ in range(words):
            x = x << 64 | next(numbers)
        if x < limit:
            return x % n


def shuffled(items, numbers):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = index_below(i + 1, numbers)
        items[i], items[j] = items[j], items[i]
    return items


class Orders:
    """All distinct orders of a pool that keep the constraints, by the words of the page."""

    def __init__(self, pool, constraints, categories):
        self.names = list(dict.fromkeys(pool))
        self.counts = tuple(pool.count(name) for name in self.names)
        self.constraints = [next(iter(c.items())) for c in constraints]
        self.value = lambda name, attribute: name if attribute == "id" else categories[attribute].get(name)
        # How much of what was placed the constraints look back at.
        self.memory = max(
            [1] + [what.get("length", 0) + what.get("steps", 0) for _, what in self.constraints if isinstance(what, dict)])
        self.completions = functools.lru_cache(None)(self.count)

    def may_follow(self, name, placed, is_first, is_last):
        for kind, what in self.constraints:
            if kind == "firstOf" and is_first and name not in what: return False
            if kind == "notFirst" and is_first and name in what: return False
            if kind == "notLast" and is_last and name in what: return False
            if kind == "noImmediateRepeat" and placed:
                if self.value(placed[-1], what) == self.value(name, what): return False
            if kind == "maximumRun":
                length, value = what["length"], self.value(name, what["of"])
                before = placed[-length:]
                if len(before) == length and all(self.value(p, what["of"]) == value for p in before): return False
            if kind == "minimumDistance" and what["steps"] > 1:
                value = self.value(name, what["of"])
                if any(self.value(p, what["of"]) == value for p in placed[-(what["steps"] - 1):]): return False
        return True

    def following(self, counts, placed):
        left = sum(counts)
        for item, name in enumerate(self.names):
            if counts[item] and self.may_follow(name, placed, left == sum(self.counts), left == 1):
                rest = counts[:item] + (counts[item] - 1,) + counts[item + 1:]
                yield name, rest, (placed + (name,))[-self.memory:]

    def count(self, counts, placed):
        if not sum(counts): return 1
        return sum(self.completions(rest, more) for _, rest, more in self.following(counts, placed))

    def draw(self, numbers):
        counts, placed, order = self.counts, (), []
        rank = index_below(self.completions(counts, placed), numbers)
        while sum(counts):
            for name, rest, more in self.following(counts, placed):
                ways = self.completions(rest, more)
                if rank < ways: break
                rank -= ways
            order.append(name)
            counts, placed = rest, more
        return order

    def by_force(self, pool):
        def keeps(order):
            return all(
                self.may_follow(name, order[:i], i == 0, i == len(order) - 1) for i, name in enumerate(order))
        return sum(map(keeps, set(itertools.permutations(pool))))


STUDY = """
entrain: 1
study: {identifier: %(study)s, title: Draws, seed: %(seed)d}
conditions:
  rows:
    rows:
%(rows)s
tasks:
  - identifier: Task
    steps:
      - type: block
        identifier: b
        forEach: rows
        repeat: %(repeat)d
        order: %(order)s
        steps:
          - {type: active, identifier: wait, duration: %(duration)s}
      - {type: completion, identifier: end}
"""


def constraint_set(chance, names):
    order = {}
    if chance.random() < .6: order["noImmediateRepeat"] = chance.choice(["id", "mood", "key"])
    if chance.random() < .4: order["maximumRun"] = {"of": chance.choice(["mood", "key"]), "length": chance.randint(1, 3)}
    if chance.random() < .4: order["minimumDistance"] = {"of": chance.choice(["id", "mood"]), "steps": chance.randint(1, 3)}
    if chance.random() < .3: order["notFirst"] = chance.sample(names, 1)
    if chance.random() < .3: order["notLast"] = chance.sample(names, 1)
    if chance.random() < .2: order["firstOf"] = chance.sample(names, min(2, len(names)))
    return order


def planned(entrain, folder, text, participant, session):
    path = os.path.join(folder, "study.yaml")
    with open(path, "w") as file: file.write(text)
    words = [entrain, "plan", path, "--participant", participant, "--session", str(session), "--format", "json"]
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode == 65: return None, run.stderr + run.stdout
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout), None


def compare_plan(entrain, folder, number):
    chance = random.Random(number)
    names = [f"c{n}" for n in range(chance.randint(2, 6))]
    rows = "\n".join(
        f"      - {{identifier: {n}, mood: m{chance.randint(0, 2)}, key: k{chance.randint(0, 1)}}}" for n in names)
    order = constraint_set(chance, names)
    low = chance.randint(1, 9000)
    duration = chance.choice(
        [f"{{from: {low} ms, to: {low + chance.randint(1, 9000)} ms}}", "{oneOf: [25 s, 35 s, 45 s]}", "3 s"])
    text = STUDY % {
        "study": f"s{number}", "seed": chance.randint(0, MASK), "rows": rows, "repeat": chance.randint(1, 3),
        "order": json.dumps({"draw": "shuffle"} | order), "duration": duration}
    plan, problem = planned(entrain, folder, text, f"P{number}", 1 + number % 3)
    if plan is None:
        assert "no-valid-order" in problem or "no order" in problem, problem
        return 0
    made = 0
    for draw in plan["draws"]:
        numbers = stream(plan["study"], plan["seed"], plan["participant"], plan["session"], draw["stream"])
        if draw["method"] == "shuffle" and "constraints" in draw:
            mine = Orders(draw["pool"], draw["constraints"], draw.get("categories", {})).draw(numbers)
        elif draw["method"] == "shuffle":
            mine = shuffled(draw["pool"], numbers)
        else:
            ends = [int(text.removesuffix(" ms")) for text in draw["pool"]]
            if draw["method"] == "uniform": mine = [f"{ends[0] + index_below(ends[1] - ends[0] + 1, numbers)} ms"]
            else: mine = [draw["pool"][index_below(len(ends), numbers)]]
        assert mine == draw["chosen"], (number, draw, mine)
        made += 1
    return made


def large_plan(entrain, folder, count, repeat=1, run=2):
    rows = "\n".join(f"      - {{identifier: c{n}, mood: m{n % 4}}}" for n in range(count))
    text = STUDY % {
        "study": "large", "seed": 7, "rows": rows, "repeat": repeat, "duration": "1 s",
        "order": json.dumps({"draw": "shuffle", "maximumRun": {"of": "mood", "length": run}})}
    plan, problem = planned(entrain, folder, text, "P1", 1)
    assert plan, problem
    draw = plan["draws"][0]
    mood = {f"c{n}": n % 4 for n in range(count)}
    # The same numbering over classes: names of one class have the same number of completions.
    @functools.lru_cache(None)
    def completions(left, last, length):
        if not sum(left): return 1
        total = 0
        for m in range(4):
            if left[m] and not (m == last and length == run):
                rest = left[:m] + (left[m] - 1,) + left[m + 1:]
                total += left[m] * completions(rest, m, length + 1 if m == last else 1)
        return total
    sys.setrecursionlimit(10_000)
    left, last, length, rest, mine = tuple([count // 4] * 4), None, 0, list(draw["pool"]), []
    rank = index_below(completions(left, last, length), stream("large", 7, "P1", 1, draw["stream"]))
    while rest:
        for name in rest:
            m = mood[name]
            if m == last and length == run: continue
            after = (left[:m] + (left[m] - 1,) + left[m + 1:], m, length + 1 if m == last else 1)
            ways = completions(*after)
            if rank < ways: break
            rank -= ways
        mine.append(name)
        rest.remove(name)
        left, last, length = after
    assert mine == draw["chosen"], "the large order differs"


def counts_by_force(trials):
    for number in range(trials):
        chance = random.Random(number)
        names = [f"c{n}" for n in range(chance.randint(1, 5))]
        pool = [chance.choice(names) for _ in range(chance.randint(1, 9 if number % 25 == 0 else 7))]
        categories = {a: {n: str(chance.randint(0, 2)) for n in names} for a in ("mood", "key")}
        constraints = [{kind: what} for kind, what in constraint_set(chance, names).items()]
        orders = Orders(pool, constraints, categories)
        assert orders.completions(orders.counts, ()) == orders.by_force(pool), (pool, constraints)


def uniformity(draws):
    pool = ["a", "a", "b", "b", "c", "c", "d"]
    orders = Orders(pool, [{"noImmediateRepeat": "id"}, {"notFirst": ["d"]}, {"notLast": ["a"]}], {})
    total = orders.completions(orders.counts, ())
    seen = {}
    for number in range(draws):
        order = tuple(orders.draw(stream("s", number, "P", 1, "order/T/b/1")))
        seen[order] = seen.get(order, 0) + 1
    expected = draws / total
    chi = sum((n - expected)**2 / expected for n in seen.values()) + expected * (total - len(seen))
    assert 0.8 < chi / (total - 1) < 1.2, chi / (total - 1)
    return total, chi / (total - 1)


def main():
    entrain = os.path.abspath(sys.argv[1])
    plans = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    draws = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        made = sum(compare_plan(entrain, folder, number) for number in range(plans))
        large_plan(entrain, folder, 40)
    print(f"{plans} plans: {made} draws are the same, and the order of 40 clips of 4 moods")
    counts_by_force(400)
    print("400 counts of orders are those of brute force")
    total, chi = uniformity(draws)
    print(f"{draws} draws of {total} orders: chi² per degree of freedom {chi:.2f}")


main()
