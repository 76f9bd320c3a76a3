#!/usr/bin/env python3
"""Draws of plans made a second time, written from the page Randomisation alone.

usage: second_implementation.py ENTRAIN [PLANS [DRAWS [OWN]]]

Makes the plans of random studies a second time, PLANS in all (default 500, 25 of each study), with blocks in blocks, insertions,
what blocks take and look back at, shared orders, halves, drawn durations and orders of tasks, and compares every draw with that of
`entrain plan`. Counts constrained orders of up to 9 clips by brute force against the ones that the walk finds, and draws DRAWS
orders (default 20000) of which each must be as frequent as any other; the same for OWN orders (default none) of Swift's own.
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
import wave

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
        # Of what must stand in both halves equally often: the least and the most of each value in the first half.
        self.halves = []
        for kind, what in self.constraints:
            if kind == "equalHalves":
                total = {}
                for name in pool: total[self.value(name, what)] = total.get(self.value(name, what), 0) + 1
                self.halves.append((what, {value: (n // 2, (n + 1) // 2) for value, n in total.items()}))
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
                if what.get("only", value) != value: continue
                if len(before) == length and all(self.value(p, what["of"]) == value for p in before): return False
            if kind == "minimumDistance" and what["steps"] > 1:
                value = self.value(name, what["of"])
                if what.get("only", value) != value: continue
                if any(self.value(p, what["of"]) == value for p in placed[-(what["steps"] - 1):]): return False
        return True

    def keeps_halves(self, counts):
        if sum(self.counts) - sum(counts) != sum(self.counts) // 2: return True
        for attribute, limits in self.halves:
            early = dict.fromkeys(limits, 0)
            for name, all_of_it, left in zip(self.names, self.counts, counts):
                early[self.value(name, attribute)] += all_of_it - left
            if not all(low <= early[value] <= high for value, (low, high) in limits.items()): return False
        return True

    def following(self, counts, placed):
        left = sum(counts)
        for item, name in enumerate(self.names):
            if counts[item] and self.may_follow(name, placed, left == sum(self.counts), left == 1):
                rest = counts[:item] + (counts[item] - 1,) + counts[item + 1:]
                if self.keeps_halves(rest): yield name, rest, (placed + (name,))[-self.memory:]

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
        def is_even(order, attribute):
            for name in order:
                value = self.value(name, attribute)
                early, late = ([self.value(p, attribute) for p in half].count(value)
                               for half in (order[:len(order) // 2], order[len(order) // 2:]))
                if abs(early - late) > 1: return False
            return True
        def keeps(order):
            return all(is_even(order, attribute) for attribute, _ in self.halves) and all(
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


def constraint_set(chance, names, moods):
    order = {}
    if chance.random() < .6: order["noImmediateRepeat"] = chance.choice(["id", "mood", "key"])
    if chance.random() < .4: order["maximumRun"] = {"of": chance.choice(["mood", "key"]), "length": chance.randint(1, 3)}
    if chance.random() < .4: order["minimumDistance"] = {"of": chance.choice(["id", "mood"]), "steps": chance.randint(1, 3)}
    for key in "maximumRun", "minimumDistance":
        if key in order and order[key]["of"] == "mood" and chance.random() < .4: order[key]["only"] = chance.choice(moods)
    if chance.random() < .3: order["equalHalves"] = chance.choice(["id", "mood", "key"])
    if chance.random() < .3: order["notFirst"] = chance.sample(names, 1)
    if chance.random() < .3: order["notLast"] = chance.sample(names, 1)
    if chance.random() < .2: order["firstOf"] = chance.sample(names, min(2, len(names)))
    return order


def planned(entrain, folder, text, participants, session, task="Task"):
    """The plans of P01 … in a session; nothing where the study has no valid order."""
    path = os.path.join(folder, "study.yaml")
    with open(path, "w") as file: file.write(text)
    words = [entrain, "plan", path, "--participants", str(participants), "--session", str(session), "--format", "json",
             "--task", task]
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode == 65 and "no-valid-order" in run.stdout + run.stderr: return []
    assert run.returncode == 0, run.stdout + run.stderr + text
    return [json.loads(line) for line in run.stdout.splitlines()]


class Block:
    """A block of a random study, with what it holds."""

    def __init__(self, chance, name, tables, depth, before):
        self.name, self.depth = name, depth
        self.table = chance.choice([None] + list(tables)) if depth < 3 else chance.choice(list(tables))
        self.repeat = chance.randint(1, 2)
        self.order, self.shares, self.take, self.seen, self.each = {"draw": "fixed"}, None, None, None, False
        if self.table:
            pool = tables[self.table]
            same = [b for b in before if b.table == self.table and b.repeat == self.repeat and not b.take]
            if same and chance.random() < .4:
                self.shares = chance.choice(same)
                self.order = {"as": self.shares.name}
            else:
                self.order = {"draw": chance.choice(["fixed", "shuffle", "shuffle", "shuffle", "latinSquare", "williams"])}
                if self.order["draw"] == "shuffle" and chance.random() < .6:
                    self.order |= constraint_set(chance, [row["identifier"] for row in pool], [row["mood"] for row in pool])
            self.choose_rounds(chance, pool, [b for b in before if b.table == self.table and b.take])
        self.rounds = self.repeat * (self.take[0] if self.take else len(tables[self.table]) if self.table else 1)
        self.place = chance.choice([None, "between", "anywhere"])
        if self.place == "between" and self.rounds < 2: self.place = "anywhere"
        low = chance.randint(1, 9000)
        self.duration = chance.choice([(low, low + chance.randint(0, 9000)), [25000, 35000, 45000], 3000])
        before.append(self)
        inner = chance.randint(0, 2) if depth < 3 else 0
        self.inner = [Block(chance, f"{name}{n}", tables, depth + 1, before) for n in range(min(inner, 3 - depth))]
        self.ladder = None
        if not self.inner and chance.random() < .3:
            # A staircase: so many tracks, trials of each, and rows of a rung.
            self.ladder = chance.randint(1, 3), chance.randint(1, 6), chance.randint(1, 3)
            self.place, self.rounds = None, self.ladder[0] * self.ladder[1]
            self.take = self.seen = None
            before.remove(self)

    def choose_rounds(self, chance, pool, taking):
        """Some of the rounds, or which of them an earlier block took."""
        if self.shares or len(self.order) > 1: return
        size = len(pool)
        if size > 1 and self.order["draw"] in ("fixed", "shuffle") and chance.random() < .6:
            self.take = chance.randint(1, size - 1), chance.random() < .3
            if "item" in pool[0] and chance.random() < .7:
                self.take, self.each = (len({row["item"] for row in pool}), chance.random() < .5), True
        if taking and chance.random() < .9:
            self.seen = chance.choice(taking)
            if self.seen.take[1] and self.order["draw"] != "fixed": self.order = {"draw": "shuffle"}
            if not self.take and chance.random() < .7:
                self.order = {"draw": "shuffle", "maximumRun": {"of": "seen", "length": size // 2 + 1}}

    def step(self):
        ms = "{} ms".format
        duration = ({"from": ms(self.duration[0]), "to": ms(self.duration[1])} if isinstance(self.duration, tuple)
                    else {"oneOf": list(map(ms, self.duration))} if isinstance(self.duration, list)
                    else ms(self.duration))
        return {"type": "active", "identifier": f"w{self.name}", "title": "{id}", "duration": duration}

    def study(self):
        block = {"type": "block", "identifier": self.name, "repeat": self.repeat,
                 "steps": [self.step()] + [b.study() for b in self.inner]}
        if self.ladder:
            tracks, most, rows = self.ladder
            adapt = {"answer": f"q{self.name}", "value": "rung", "atMost": most}
            if tracks > 1: adapt["tracks"] = [{"identifier": f"t{n}"} for n in range(tracks)]
            del block["repeat"]
            block |= {"forEach": f"ladder{rows}", "adapt": adapt, "steps": [self.step(), {
                "type": "question", "identifier": f"q{self.name}", "title": "{rung}",
                "answer": {"choice": ["a", "b"], "correct": "a"}}]}
        elif self.table: block |= {"forEach": self.table, "order": self.order}
        if self.take:
            count, is_row = self.take
            block["take"] = {"count": count, "draw": "latinSquare"} if is_row else count
            if self.each: block["take"] = {"each": "item", "draw": "latinSquare" if is_row else "random"}
        if self.seen: block["seen"] = self.seen.name
        if self.place:
            block["insert"] = {"place": self.place, "steps": [{"type": "instruction", "identifier": f"i{self.name}"}]}
        return block


class Drawing:
    """All draws of a plan in their order, by the words of the page."""

    def __init__(self, study, tables, seed, participant, session):
        self.study, self.tables, self.seed = study, tables, seed
        self.participant, self.session = participant, session
        self.number = int(participant[1:])
        self.draws, self.passes, self.visits, self.squares, self.taken = [], {}, {}, {}, {}

    def stream(self, name, participant=None, session=None):
        return stream(self.study, self.seed, self.participant if participant is None else participant,
                      self.session if session is None else session, name)

    def square(self, kind, pool, name, session):
        n, rows = len(pool), len(pool) * (2 if kind == "williams" and len(pool) % 2 else 1)
        shuffle = shuffled(range(n), self.stream(name, "", ""))
        row = (self.number - 1 + session - 1) % rows
        first = [0] + [(place + 1) // 2 if place % 2 else n - place // 2 for place in range(1, n)]
        if kind == "latinSquare": order = [(row + c) % n for c in range(n)]
        else:
            order = [(place + row) % n for place in first]
            if row >= n: order.reverse()
        return [pool[shuffle[place]] for place in order], row

    def record(self, draw): self.draws.append(draw)

    def rounds(self, block, path, visit):
        if not block.table: return
        pool = self.take(block, path, visit, [row["identifier"] for row in self.tables[block.table]])
        items, name = pool * block.repeat, f"order/T/{path}/{visit}"
        kind = block.order.get("draw", "as")
        if block.shares:
            known = self.passes[block.shares.name]
            order, source = known[min(visit, len(known)) - 1]
            self.record({"stream": name, "method": "as", "pool": items, "chosen": order, "as": source})
        elif kind in ("latinSquare", "williams"):
            name = f"square/{block.table}"
            row_order, row = self.square(kind, pool, name, self.session)
            order = row_order * block.repeat
            self.record_square(kind, name, pool, order, row)
        else:
            constraints = [{k: v} for k, v in block.order.items() if k != "draw"]
            categories = {key: {row["identifier"]: row[key] for row in self.tables[block.table]} for key in ("mood", "key")}
            if block.seen:
                known = self.taken[block.seen.name]
                old = known[min(visit, len(known)) - 1]
                categories["seen"] = {item: "old" if item in old else "new" for item in pool}
            if kind == "fixed": order = items
            elif not constraints: order = shuffled(items, self.stream(name))
            else: order = Orders(items, constraints, categories).draw(self.stream(name))
            self.record({"stream": name, "method": kind, "pool": items, "chosen": order})
        self.passes.setdefault(block.name, []).append((order, name))

    def record_square(self, kind, name, pool, order, row):
        if (kind, name) in self.squares: self.squares[kind, name]["chosen"] += order
        else:
            self.squares[kind, name] = {"stream": name, "method": kind, "pool": pool, "chosen": list(order),
                                        "number": self.number, "row": row}
            self.record(self.squares[kind, name])

    def take(self, block, path, visit, pool):
        if not block.take: return pool
        (count, is_row), name = block.take, f"take/T/{path}/{visit}"
        if block.each: chosen = self.one_of_each(block.table, is_row, name)
        elif is_row:
            name = f"square/{block.table}"
            row_order, row = self.square("latinSquare", pool, name, self.session)
            chosen = row_order[:count]
            self.record_square("latinSquare", name, pool, chosen, row)
        else:
            chosen = shuffled(pool, self.stream(name))[:count]
            self.record({"stream": name, "method": "withoutReplacement", "pool": pool, "chosen": chosen})
        self.taken.setdefault(block.name, []).append(chosen)
        return [item for item in pool if item in chosen]

    def one_of_each(self, table, is_row, name):
        values = {}
        for row in self.tables[table]: values.setdefault(row["item"], []).append(row["identifier"])
        rows, drawn = list(values.values()), {"pool": sum(values.values(), [])}
        if not is_row:
            numbers = self.stream(name)
            drawn |= {"stream": name, "method": "random", "chosen": [some[index_below(len(some), numbers)] for some in rows]}
            self.record(drawn)
            return drawn["chosen"]
        name = f"square/{table}/item"
        row = (self.number - 1 + self.session - 1) % len(rows[0])
        chosen = [some[(place + row) % len(some)] for place, some in enumerate(shuffled(rows, self.stream(name, "", "")))]
        if ("each", name) not in self.squares:
            self.squares["each", name] = drawn | {
                "stream": name, "method": "latinSquare", "chosen": chosen, "number": self.number, "row": row}
            self.record(self.squares["each", name])
        return chosen

    def enter(self, block, outer=""):
        path = outer + block.name
        visit = self.visits[path] = self.visits.get(path, 0) + 1
        if block.ladder: self.climb(block, path, visit)
        else: self.rounds(block, path, visit)
        if block.place:
            name = f"insert/T/{path}/{visit}"
            first, last = (2, block.rounds) if block.place == "between" else (1, block.rounds + 1)
            places = [str(place) for place in range(first, last + 1)]
            self.record({"stream": name, "method": "insertion", "pool": places,
                         "chosen": [places[index_below(len(places), self.stream(name))]]})
        for _ in range(block.rounds):
            step = f"{path}.w{block.name}"
            self.visits[step] = self.visits.get(step, 0) + 1
            self.last(block.duration, f"duration/T/{step}/{self.visits[step]}")
            for inner in block.inner: self.enter(inner, path + ".")

    def climb(self, block, path, visit):
        tracks, most, rows = block.ladder
        if tracks > 1:
            name, names = f"track/T/{path}/{visit}", [f"t{n}" for n in range(tracks)]
            numbers = self.stream(name)
            self.record({"stream": name, "method": "withoutReplacement", "pool": names,
                         "chosen": [track for _ in range(most) for track in shuffled(names, numbers)]})
        if rows > 1:
            name = f"rung/T/{path}/{visit}"
            numbers = self.stream(name)
            self.record({"stream": name, "method": "random", "pool": [str(n + 1) for n in range(rows)],
                         "chosen": [str(index_below(rows, numbers) + 1) for _ in range(block.rounds)]})

    def last(self, duration, name):
        if isinstance(duration, tuple):
            low, high = duration
            chosen, method = low + index_below(high - low + 1, self.stream(name)), "uniform"
        elif isinstance(duration, list):
            chosen, method = duration[index_below(len(duration), self.stream(name))], "oneOf"
        else: return
        self.record({"stream": name, "method": method, "pool": [f"{ms} ms" for ms in duration], "chosen": [f"{chosen} ms"]})


def compare_plans(entrain, folder, number, participants):
    chance = random.Random(number)
    tables = {name: [{"identifier": f"{name}{n}", "mood": f"m{chance.randint(0, 2)}", "key": f"k{chance.randint(0, 1)}"}
                     for n in range(chance.randint(2, 4))] for name in ("rows", "lines")}
    items, versions = chance.randint(2, 3), chance.randint(2, 3)
    tables["cells"] = [{"identifier": f"cells{item}{version}", "item": f"i{item}", "mood": f"m{version}", "key": "k"}
                       for item in range(items) for version in range(versions)]
    before = []
    blocks = [Block(chance, name, tables, 1, before) for name in "ab"[:chance.randint(1, 2)]]
    steps, end = [block.study() for block in blocks], {"type": "completion", "identifier": "end"}
    study = {"entrain": 1, "study": {"identifier": f"s{number}", "title": "Draws", "seed": chance.randint(0, MASK)},
             "conditions": {name: {"rows": rows} for name, rows in tables.items()},
             "tasks": [{"identifier": "T", "steps": steps + [end]}]}
    for rows in range(1, 4):
        study["conditions"][f"ladder{rows}"] = {
            "rows": [{"identifier": f"r{n}-{m}", "rung": 9 - n} for n in range(3) for m in range(rows)]}
    following, session = chance.choice([None, "menu", "shuffle", "latinSquare", "williams"]), 1 + number % 3
    if following:
        study["nextTask"] = following
        study["tasks"] += [{"identifier": f"U{n}", "steps": [end]} for n in range(chance.randint(1, 3))]
    names, made = [task["identifier"] for task in study["tasks"]], 0
    # The task with the blocks, also where another one is due.
    plans = planned(entrain, folder, json.dumps(study), participants, session, "T")
    for plan in plans:
        mine = Drawing(plan["study"], tables, plan["seed"], plan["participant"], plan["session"])
        if following == "menu": mine.record({"stream": "tasks", "method": "menu", "pool": names, "chosen": ["T"]})
        elif following == "shuffle":
            mine.record({"stream": "tasks", "method": "shuffle", "pool": names,
                         "chosen": shuffled(names, mine.stream("tasks", session=""))})
        elif following:
            order, row = mine.square(following, names, "tasks", 1)
            mine.record({"stream": "tasks", "method": following, "pool": names, "chosen": order,
                         "number": mine.number, "row": row})
        for block in blocks: mine.enter(block)
        theirs = [{k: v for k, v in draw.items() if k not in ("constraints", "categories")} for draw in plan["draws"]]
        assert mine.draws == theirs, (number, plan["participant"], [p for p in zip(mine.draws, theirs) if p[0] != p[1]][:1])
        made += len(theirs)
    return len(plans), made


def clock(minute):
    return f"{minute // 60 % 24:02}:{minute % 60:02}"


def compare_sessions(entrain, folder, number, participants):
    """Draws from sets that go on from session to session, and from one that does not."""
    chance = random.Random(number)
    sets = {name: [f"{name}{n}" for n in range(chance.randint(2, 6))] for name in ("over", "anew")}
    with wave.open(os.path.join(folder, "silence.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16000))
    for name, clips in sets.items():
        listed = [{"identifier": clip, "file": "silence.wav", "duration": "1 s"} for clip in clips]
        with open(os.path.join(folder, f"{name}.yaml"), "w") as file: json.dump({"entrain": 1, "clips": listed}, file)
    methods = ["withoutReplacement", "fixed", "latinSquare", "williams", "random"]
    tasks = {f"T{n}": [(f"s{k}", chance.choice(list(sets)), chance.choice(methods)) for k in range(chance.randint(1, 4))]
             for n in range(chance.randint(1, 3))}
    held = [chance.choice(list(tasks)) for _ in range(chance.randint(2, 4))]
    # Moments at which sessions open, over midnight too: first and last minute of the times, and how long it is open.
    moments = [chance.choice([None, (first := chance.randrange(1440), first + chance.randrange(60, 700), chance.randrange(1, 60))])
               for _ in held]
    openings = [moment and {"between": [clock(moment[0]), clock(moment[1])], "openFor": f"{moment[2]} min"} or {} for moment in moments]
    end = {"type": "completion", "identifier": "end"}
    study = {"entrain": 1, "study": {"identifier": f"d{number}", "title": "Days", "seed": chance.randint(0, MASK)},
             "stimuli": {"over": {"catalogue": "over.yaml", "over": "sessions"}, "anew": {"catalogue": "anew.yaml"}},
             "sessions": [{"identifier": f"day{n}", "task": task} | opening for n, (task, opening) in enumerate(zip(held, openings), 1)],
             "tasks": [{"identifier": name, "steps": [
                 {"type": "active", "identifier": step, "duration": "1 s", "stimulus": {"from": of, "draw": method}}
                 for step, of, method in steps] + [end]} for name, steps in tasks.items()]}
    made = 0
    theirs = [planned(entrain, folder, json.dumps(study), participants, n, task) for n, task in enumerate(held, 1)]
    for place in range(participants):
        counts, deals = {}, {}
        for session, (task, plans) in enumerate(zip(held, theirs), 1):
            plan = plans[place]
            mine, draws = Drawing(plan["study"], {}, plan["seed"], plan["participant"], session), {}
            counts["anew"], deals["anew"] = 0, None
            for step, of, method in tasks[task]:
                pool, goesOn = sets[of], of == "over"
                if method == "withoutReplacement":
                    name = "draw/*/over" if goesOn else f"draw/{task}/*/{of}"
                    left, numbers = deals.get(of) or ([], mine.stream(name, session="" if goesOn else session))
                    left = left or shuffled(pool, numbers)
                    clip, deals[of] = left[0], (left[1:], numbers)
                elif method == "random":
                    name = f"draw/{task}/{step}/1"
                    clip = pool[index_below(len(pool), mine.stream(name))]
                elif method == "fixed":
                    name, clip = f"draw/{task}/{step}/1", pool[counts.get(of, 0) % len(pool)]
                else:
                    name = f"square/{of}"
                    clip = mine.square(method, pool, name, 1 if goesOn else session)[0][counts.get(of, 0) % len(pool)]
                counts[of] = counts.get(of, 0) + 1
                draws.setdefault((name, method), []).append(clip)
            if moment := moments[session - 1]:
                first, last, minutes = moment
                draws["moment", "uniform"] = [clock(first + index_below(last - minutes - first + 1, mine.stream("moment")))]
            found = {(draw["stream"], draw["method"]): draw["chosen"] for draw in plan["draws"] if draw["stream"] != "tasks"}
            assert draws == found, (number, plan["participant"], session, draws, found)
            made += sum(map(len, draws.values()))
    return made


def large_plan(entrain, folder, count, repeat=1, run=2):
    rows = "\n".join(f"      - {{identifier: c{n}, mood: m{n % 4}}}" for n in range(count))
    text = STUDY % {
        "study": "large", "seed": 7, "rows": rows, "repeat": repeat, "duration": "1 s",
        "order": json.dumps({"draw": "shuffle", "maximumRun": {"of": "mood", "length": run}})}
    draw = planned(entrain, folder, text, 1, 1)[0]["draws"][0]
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
    rank = index_below(completions(left, last, length), stream("large", 7, "P01", 1, draw["stream"]))
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
        constraints = [{kind: what} for kind, what in constraint_set(
            chance, names, list(categories["mood"].values())).items()]
        orders = Orders(pool, constraints, categories)
        assert orders.completions(orders.counts, ()) == orders.by_force(pool), (pool, constraints)


def chi_per_freedom(orders, total):
    seen = {}
    for order in orders: seen[order] = seen.get(order, 0) + 1
    expected = sum(seen.values()) / total
    chi = sum((n - expected)**2 / expected for n in seen.values()) + expected * (total - len(seen))
    assert 0.8 < chi / (total - 1) < 1.2, chi / (total - 1)
    return chi / (total - 1)


def uniformity(draws):
    orders = Orders(["a", "a", "b", "b", "c", "c", "d"], [{"noImmediateRepeat": "id"}, {"notFirst": ["d"]}, {"notLast": ["a"]}], {})
    total = orders.completions(orders.counts, ())
    drawn = (tuple(orders.draw(stream("s", number, "P", 1, "order/T/b/1"))) for number in range(draws))
    return total, chi_per_freedom(drawn, total)


def own_uniformity(entrain, folder, draws):
    """The same of the orders that Swift draws, for sets of constraints on up to 9 rounds."""
    names = "abcdefghi"
    sets = [({"noImmediateRepeat": "id", "maximumRun": {"of": "mood", "length": 2}}, 4, 2),
            ({"minimumDistance": {"of": "mood", "steps": 2}, "notFirst": ["a"]}, 8, 1),
            ({"equalHalves": "mood", "notLast": ["b"]}, 7, 1), ({"equalHalves": "id", "noImmediateRepeat": "id"}, 4, 2),
            ({"maximumRun": {"of": "mood", "length": 1}, "firstOf": ["a", "b"]}, 9, 1),
            ({"maximumRun": {"of": "mood", "length": 1, "only": "m1"}, "minimumDistance": {"of": "mood", "steps": 3, "only": "m2"}}, 8, 1)]
    found = []
    for order, size, repeat in sets:
        rows = [{"identifier": n, "mood": f"m{place % 3}"} for place, n in enumerate(names[:size])]
        text = STUDY % {"study": "own", "seed": 7, "repeat": repeat, "duration": "1 s",
                        "rows": "\n".join("      - " + json.dumps(row) for row in rows),
                        "order": json.dumps({"draw": "shuffle"} | order)}
        pool = [row["identifier"] for row in rows] * repeat
        mine = Orders(pool, [{k: v} for k, v in order.items()], {"mood": {row["identifier"]: row["mood"] for row in rows}})
        plans = planned(entrain, folder, text, draws // len(sets), 1)
        total = mine.completions(mine.counts, ())
        found.append((total, chi_per_freedom((tuple(plan["draws"][0]["chosen"]) for plan in plans), total)))
    return found


def main():
    entrain = os.path.abspath(sys.argv[1])
    plans = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    draws = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    own = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    with tempfile.TemporaryDirectory() as folder:
        made = [compare_plans(entrain, folder, number, 25) for number in range(plans // 25)]
        large_plan(entrain, folder, 40)
        days = [compare_sessions(entrain, folder, number, 10) for number in range(max(1, plans // 25))]
        found = own_uniformity(entrain, folder, own) if own else []
    print(f"{sum(n for n, _ in made)} plans of {len(made)} studies: {sum(n for _, n in made)} draws are the same, "
          "and the order of 40 clips of 4 moods")
    print(f"{sum(days)} draws over the sessions of {len(days)} studies are the same")
    for total, chi in found: print(f"{own // len(found)} of Swift's draws of {total} orders: chi² per degree of freedom {chi:.3f}")
    counts_by_force(400)
    print("400 counts of orders are those of brute force")
    total, chi = uniformity(draws)
    print(f"{draws} draws of {total} orders: chi² per degree of freedom {chi:.2f}")


main()
