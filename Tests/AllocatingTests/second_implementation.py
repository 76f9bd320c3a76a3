"""Derives every allocation of a ledger from its secret, as the page Allocation says, with nothing but the standard
library. The list of a design with a list is read, too. Usage: second_implementation.py LEDGER"""

import csv
import hashlib
import hmac
import io
import json
import math
import pathlib
import sys


class Draws:
    def __init__(self, secret, study, slot, levels=()):
        self.secret, self.study, self.slot, self.levels, self.count = secret, study, slot, levels, 0

    def number(self):
        lines = ["entrain-allocation/1", self.study, str(self.slot), str(self.count), *self.levels]
        self.count += 1
        return int.from_bytes(hmac.digest(self.secret, "\n".join(lines).encode(), "sha256")[:8], "big")

    def below(self, n):
        while True:
            x = self.number()
            if x < 2**64 - 2**64 % n:
                return x % n

    def unit(self):
        return (self.number() >> 11) * 2.0**-53

    def arm(self, arms, ratios):
        left = self.below(sum(ratios[a] for a in arms))
        for arm in arms:
            left -= ratios[arm]
            if left < 0:
                return arm


def derive(design, secret, slots, listed, corrections, endings):
    """The arms of slots, by the levels of all and the arms of those before. Corrections are (slots before, slot, levels),
    and endings (slots before, slot, completed)."""
    names = [a["identifier"] for a in design["arms"]]
    ratios = [a["ratio"] for a in design["arms"]]
    every = range(len(names))
    blocks, counts, derived = {}, {}, []
    known = [levels for levels, _ in slots]
    places = [a.get("places", math.inf) for a in design["arms"]]
    held, left = [0] * len(names), set()
    for number, (levels, given) in enumerate(slots, 1):
        for _, slot, right in [c for c in corrections if c[0] == number - 1]:
            place = names.index(slots[slot - 1][1])
            for step, counted in ((-1, known[slot - 1]), (1, right)):
                for factor, level in enumerate(counted or ("",)):
                    counts.setdefault((factor, level), [0] * len(names))[place] += step
            known[slot - 1] = right
        for _, slot, completed in [e for e in endings if e[0] == number - 1 and design.get("refill")]:
            if completed == (slot in left):
                held[names.index(slots[slot - 1][1])] += 1 if completed else -1
                left ^= {slot}
        free = [a for a in every if held[a] < places[a]]
        if design["method"] == "simple" or number <= design.get("burnIn", 0):
            arm = Draws(secret, design["study"], number).arm(free, ratios)
        elif design["method"] == "blocks":
            slot, dealt = blocks.get(levels, (1, []))
            while dealt and dealt[0] not in free:
                dealt = dealt[1:]
            if not dealt:
                draws = Draws(secret, design["study"], slot, levels)
                size = design["blocks"][draws.below(len(design["blocks"]))]
                dealt = [a for a in every for _ in range(ratios[a] * size // sum(ratios))]
                for i in range(len(dealt) - 1, 0, -1):
                    j = draws.below(i + 1)
                    dealt[i], dealt[j] = dealt[j], dealt[i]
                while dealt[0] not in free:
                    dealt = dealt[1:]
            arm = dealt[0]
            blocks[levels] = (slot + 1, dealt[1:])
        elif design["method"] == "list":
            arm = names.index(listed[levels].pop(0))
        else:
            arm = minimised(design, ratios, counts, levels, free, Draws(secret, design["study"], number))
        derived.append(names[arm])
        held[names.index(given)] += 1
        for factor, level in enumerate(levels or ("",)):
            counts.setdefault((factor, level), [0] * len(names))[names.index(given)] += 1
    return derived


def minimised(design, ratios, counts, levels, free, draws):
    multiple = math.lcm(*ratios)
    imbalances = []
    for arm in range(len(ratios)):
        total = 0
        for factor, level in enumerate(levels or ("",)):
            numbers = [(c + (a == arm)) * multiple // ratios[a]
                       for a, c in enumerate(counts.get((factor, level), [0] * len(ratios)))]
            spread = max(numbers) - min(numbers)
            if design["imbalance"] == "variance":
                spread = len(numbers) * sum(x * x for x in numbers) - sum(numbers)**2
            total += (design["weights"][factor] if levels else 1) * spread
        imbalances.append(total)
    best = [a for a in free if imbalances[a] == min(imbalances[a] for a in free)]
    preferred = best[0] if len(best) == 1 else draws.arm(best, ratios)
    if len(best) == len(free) or draws.unit() < design["probability"]:
        return preferred
    return draws.arm([a for a in free if a != preferred], ratios)


def strata(design, text):
    """The arms of a list, by levels."""
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    listed = {}
    for row in sorted(rows, key=lambda row: int(row["slot"])):
        listed.setdefault(tuple(row[factor] for factor in design["factors"]), []).append(row["arm"])
    return listed


def main(folder):
    secret = bytes.fromhex((folder / "secret").read_text())
    lines = (folder / "ledger.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b"", "the last line is not whole"
    design = json.loads(lines[0])["design"]
    sealed = (folder / "list.csv").read_bytes() if design["method"] == "list" else b""
    if design.get("blocks") == []:
        sealed = (folder / "blocks").read_bytes()
        design["blocks"] = [int(size) for size in sealed.split()]
    assert hashlib.sha256(secret + sealed).hexdigest() == design["commitment"], "another secret"
    for number, (before, line) in enumerate(zip(lines, lines[1:]), 2):
        assert json.loads(line)["previous"] == hashlib.sha256(before).hexdigest(), f"line {number}"
    slots, corrections, endings = [], [], []
    for line in map(json.loads, lines[1:]):
        if "slot" in line:
            slots.append(line)
        elif "corrected" in line:
            slot = next(s["slot"] for s in slots if s["participant"] == line["corrected"])
            corrections.append((len(slots), slot, tuple(line["levels"])))
        elif "ended" in line:
            slot = next(s["slot"] for s in slots if s["participant"] == line["ended"])
            endings.append((len(slots), slot, line["completed"]))
        elif "chance" in line:
            assert not slots and design["publicChance"], "public chance after a slot"
            secret = hashlib.sha256(secret + line["chance"].encode()).digest()
    assert [line["slot"] for line in slots] == list(range(1, len(slots) + 1)), "slots"
    assert len({line["participant"] for line in slots}) == len(slots), "participants"
    arms = [line["arm"] for line in slots]
    listed = strata(design, sealed.decode("utf-8-sig"))
    given = [(tuple(line["levels"]), line["arm"]) for line in slots]
    derived = derive(design, secret, given, listed, corrections, endings)
    assert derived == arms, "an arm does not follow from the secret"
    print(len(slots), "derived")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
