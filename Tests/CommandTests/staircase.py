"""Works out every rung of the bundles of tempo-staircase.yaml again, from their answers and draws.

usage: python3 Tests/CommandTests/staircase.py BUNDLE...
Written from the page StudyKeys, without the program. Prints how many trials agree, and each that does not.
"""
import json
import sys

VALUES = [24, 16, 12, 8, 6, 4, 3, 2, 1]
STARTS = {"easy": 1, "hard": 6}


class Track:
    def __init__(self, rung):
        self.rung, self.trials, self.run, self.last = rung, 0, "", None
        self.reversals = []

    def is_done(self):
        return len(self.reversals) >= 8 or self.trials >= 40

    def take(self, is_right):
        """Whether the trial is a reversal, and whether the ladder ends there."""
        self.trials += 1
        sign = "+" if is_right else "-"
        self.run = self.run + sign if self.run.endswith(sign) else sign
        if self.run not in ("++", "-"):
            return False, False
        self.run = ""
        way = 1 if is_right else -1
        if not 1 <= self.rung + way <= len(VALUES):
            return False, True
        turns = self.last == -way
        if turns:
            self.reversals.append(VALUES[self.rung - 1])
        self.last = way
        self.rung = min(len(VALUES), max(1, self.rung + way * (1 if self.reversals else 2)))
        return turns, False


def check(path):
    result, plan = (json.load(open(f"{path}/{name}.json")) for name in ("result", "plan"))
    chosen = {draw["stream"].split("/")[0]: draw["chosen"] for draw in plan["draws"]}
    turns, tracks = iter(chosen["track"]), {name: Track(rung) for name, rung in STARTS.items()}
    trials = [step for step in result["results"] if "trial" in step["userInfo"]]
    agree = 0
    for step, row in zip(trials, chosen["rung"]):
        name = next(name for name in turns if not tracks[name].is_done())
        track = tracks[name]
        condition = step["userInfo"]["condition"]
        right = condition["values"]["correct"] in next(
            answer for answer in step["results"] if answer["identifier"] == "which")["choiceAnswers"]
        value = VALUES[track.rung - 1]
        expected = {"track": name, "rung": track.rung, "value": value, "right": right}
        expected["reversal"], expected["atEnd"] = track.take(right)
        is_row = condition["identifier"] == f"by{value}-{'first' if row == '1' else 'second'}"
        if step["userInfo"]["trial"] == expected and is_row:
            agree += 1
        else:
            print(f"{path}: {step['userInfo']['trial']} {condition['identifier']}, expected {expected}")
    if not all(track.is_done() for track in tracks.values()):
        print(f"{path}: it ended before its tracks were done")
    last = [value for track in tracks.values() for value in track.reversals[-6:]]
    limen = [answer.get("numericAnswer") for step in trials for answer in step["results"]
             if answer["identifier"] == "limen"]
    if len(last) == 12 and abs(limen[-1] - sum(last) / 12) > 1e-9:
        print(f"{path}: limen {limen[-1]}, expected {sum(last) / 12}")
    return agree


print(f"{sum(map(check, sys.argv[1:]))} trials agree")
