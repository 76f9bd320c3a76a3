#!/usr/bin/env python3
"""Scores studies that an assistant wrote from protocols in prose, by what the program says that they do.

usage: prose_protocols.py --entrain PATH [--protocols FILE] [--self-test [--sample N]] FOLDER

For each protocol NAME of the file (by default prose/protocols.yaml), FOLDER/NAME.yaml is checked, described by `entrain protocol` and
rehearsed. Its facts are read from the page and the bundles; none depends on names that the prose does not give.

  wholly right    no error, and every fact holds
  partly          the file is absent, or `check` has an error, or a fact does not hold and `check` warns of something about meaning
  silently wrong  `check` has nothing to say, and a fact does not hold

The exit code is 1 if a study is silently wrong. With --self-test, each of a protocol's `mutations` must make its study, which is right
without it, not wholly right; protocols without a file in FOLDER are passed over. With --sample N, four of them are tried, others for another N.
"""
import argparse
import collections
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
# Warnings about how a file is written, not about what it means.
FORMAL = {"other-readers", "no-commitment", "missing-translation"}


def page_text(markup):
    markup = re.sub(r"<(style|svg|script).*?</\1>", "", markup, flags=re.S)
    markup = re.sub(r"</(tr|p|h\d|li|dt|dd|div|section|table)>", "\n", markup)
    markup = html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</t[dh]>", " | ", markup)))
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"[ \t]+", " ", markup))


def numbers(listed):
    """[60, [3, [30, 20]]] means 60, and three times 30 and 20."""
    flat = []
    for item in listed:
        flat += numbers(item[1]) * item[0] if isinstance(item, list) else [float(item)]
    return flat


class Run:
    """What one rehearsed bundle says."""

    def __init__(self, folder):
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.info, self.steps = result["userInfo"], result["results"]
        self.participant, self.session = self.info["participant"], self.info["session"]

    def timed(self):
        return [step["userInfo"]["plannedDuration"] for step in self.steps if "plannedDuration" in step["userInfo"]]

    def clips(self, of="clip"):
        heard = [step["userInfo"]["stimulus"] for step in self.steps if "stimulus" in step["userInfo"]]
        return [clip["identifier"] if of == "clip" else clip["attributes"].get(of, "") for clip in heard]

    def rounds(self, among=None):
        """The conditions of the rounds, one after another; or those of their values that are among some."""
        found, last = [], None
        for step in self.steps:
            info = step["userInfo"]
            condition = info.get("condition")
            key = (info.get("round"), json.dumps(info.get("outerRounds")), json.dumps(condition, sort_keys=True))
            if condition is None or key == last:
                continue
            last = key
            values = [str(value) for value in [condition["identifier"], *condition.get("values", {}).values()]]
            found += [value for value in values if value in among][:1] if among else values[:1]
        return found

    def sequence(self, of):
        return self.rounds([str(value) for value in of]) if isinstance(of, list) else (
            self.rounds() if of == "condition" else self.clips(of))

    def answers(self):
        return [answer for step in self.steps for answer in step["results"] if "QuestionResult" in answer["_class"]]


class Study:
    """A study file, in a folder of its own with the clips that come with the program."""

    def __init__(self, entrain, path, text=None):
        self.entrain = entrain
        self.folder = tempfile.mkdtemp(prefix="prose-")
        shutil.copytree(os.path.join(ROOT, "Media"), os.path.join(self.folder, "Media"))
        for other in os.listdir(os.path.dirname(path)):
            if other.endswith(".csv"):
                shutil.copy(os.path.join(os.path.dirname(path), other), self.folder)
        self.file = os.path.join(self.folder, "study.yaml")
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        self.findings = json.loads(self.run("check", "--format", "json", "study.yaml").stdout or "[]")
        self.rehearsed = {}

    def run(self, *arguments):
        return subprocess.run(
            [self.entrain, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def page(self):
        if not hasattr(self, "text"):
            self.run("protocol", "study.yaml", "--out", "page.html")
            with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as file:
                self.text = page_text(file.read())
        return self.text

    def kept(self):
        """The kind of each question, by its name, from the page's table of answers."""
        lines = self.page().split("These answers are kept", 1)[-1].splitlines()[2:]
        rows = [[cell.strip() for cell in line.split(" | ")] for line in lines if " | " in line]
        kinds = {row[0]: row[1] for row in rows if len(row) >= 3}
        return kinds | {name.split(".")[-1]: kind for name, kind in kinds.items()}

    def runs(self, participants, given=None):
        key = (participants, json.dumps(given))
        if key not in self.rehearsed:
            out = f"out{len(self.rehearsed)}"
            arguments = ["rehearse", "study.yaml", "--participants", str(participants), "--format", "json", "--out", out]
            if given:
                answers = {name: value for pattern, value in given.items()
                           for name, kind in self.kept().items() if re.search(pattern, kind)}
                if not answers:
                    raise ValueError(f"no question is {' or '.join(given)}")
                with open(os.path.join(self.folder, "answers.yaml"), "w", encoding="utf-8") as file:
                    json.dump(answers, file)
                arguments += ["--answers", "answers.yaml"]
            done = self.run(*arguments)
            if done.returncode:
                raise ValueError("the rehearsal fails: " + done.stderr.strip()[:200])
            folder = os.path.join(self.folder, out)
            runs = [Run(os.path.join(folder, name)) for name in os.listdir(folder)]
            runs.sort(key=lambda run: (run.participant, run.session))
            summaries = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            self.rehearsed[key] = (runs, summaries)
        return self.rehearsed[key]

    def close(self):
        shutil.rmtree(self.folder)


def by_participant(runs):
    people = collections.defaultdict(list)
    for run in runs:
        people[run.participant].append(run)
    return people


def timed(study, runs, fact):
    fact = fact if isinstance(fact, dict) else {"are": fact}
    runs = [run for run in runs if run.session == fact.get("session", run.session)]
    found = {tuple(run.timed()) for run in runs}
    if "sorted" in fact:
        found, wanted = {tuple(sorted(one)) for one in found}, {tuple(sorted(numbers(fact["sorted"])))}
    else:
        wanted = {tuple(numbers(one)) for one in fact.get("kinds", [fact.get("are")])}
    return found == wanted, f"timed steps last {sorted(found)[:2]}"


def drawn(study, runs, fact):
    def fits(length):
        return length in fact["of"] if "of" in fact else fact["from"] <= length <= fact["to"]
    found = [[length for length in run.timed() if fits(length)] for run in runs]
    lengths = {length for one in found for length in one}
    enough = len(fact["of"]) if "of" in fact else 3
    return all(len(one) == fact["count"] for one in found) and len(lengths) >= enough, f"drawn {found[0][:6]}, {len(lengths)} lengths"


def heard(study, runs, fact):
    people = [[clip for run in runs_of for clip in run.clips()] for runs_of in by_participant(runs).values()]
    right = all(len(clips) == fact["clips"] and len(set(clips)) == fact["distinct"] for clips in people)
    right = right and all(set(clips) <= set(fact.get("among", clips)) for clips in people)
    right = right and len({clip for clips in people for clip in clips}) >= fact.get("overall", 0)
    return right, f"P01 hears {people[0]}"


def balanced(study, runs, fact):
    """Each clip or condition is at each place equally often; with 'after', also after each other one."""
    rows = [[name for run in one for name in run.sequence(fact["of"])] for one in by_participant(runs).values()]
    names = {name for row in rows for name in row}
    places = collections.Counter((place, name) for row in rows for place, name in enumerate(row))
    right = {len(row) for row in rows} == {fact["places"]} and len(places) == fact["places"] * len(names) and len(
        set(places.values())) == 1
    if fact.get("after"):
        pairs = collections.Counter(pair for row in rows for pair in zip(row, row[1:]))
        right = right and len(pairs) == len(names) * (len(names) - 1) and len(set(pairs.values())) == 1
    return right, f"the first orders are {rows[:2]}"


def apart(study, runs, fact):
    for run in runs:
        last = {}
        for place, name in enumerate(run.sequence(fact["of"])):
            if fact.get("only", name) == name and place - last.get(name, -9999) < fact["least"]:
                return False, f"'{name}' comes at places {last[name] + 1} and {place + 1}"
            last[name] = place
    return any(run.sequence(fact["of"]) for run in runs), "nothing comes at all"


def in_a_row(study, runs, fact):
    for run in runs:
        names, length = run.sequence(fact["of"]), 0
        for before, name in zip([None, *names], names):
            length = length + 1 if before == name else 1
            if length > fact["most"]:
                return False, f"'{name}' comes {length} times in a row"
    return any(run.sequence(fact["of"]) for run in runs), "nothing comes at all"


def orders(study, runs, fact):
    found = {tuple(run.sequence(fact["of"])) for run in runs if run.session == 1}
    right = len(found) >= fact.get("least", 1) and len(found) <= fact.get("most", 10**6)
    for order in found:
        counts = collections.Counter(order)
        right = right and len(order) == fact.get("length", len(order)) and len(counts) == fact.get("distinct", len(counts))
        right = right and all(counts[name] == count for name, count in fact.get("counts", {}).items())
        right = right and fact.get("first", order[:1] and order[0]) == (order[:1] and order[0])
        right = right and (not order or order[-1] != fact.get("notLast"))
        half = len(order) // 2
        right = right and (not fact.get("again") or order[:half] == order[half:])
        right = right and (not fact.get("halves") or collections.Counter(order[:half]) == collections.Counter(order[half:]))
    return right, f"{len(found)} orders, such as {sorted(found)[:1]}"


def asked(study, runs, fact):
    kinds = study.kept()
    for pattern, count in fact.items():
        found = {sum(1 for answer in run.answers() if re.search(pattern, kinds.get(answer["identifier"], ""))) for run in runs}
        if found != {count}:
            return False, f"'{pattern}' is asked {sorted(found)} times; kinds: {sorted(set(kinds.values()))[:6]}"
    return True, ""


def recorded(study, runs, fact):
    """Seconds of recordings of a participant, by the recorder's type, over all sessions."""
    people = len(by_participant(runs))
    for kind, wanted in fact.items():
        seconds = sum(summary["recordings"].get(kind, {}).get("seconds", 0) for summary in study.current) / people
        if (seconds > 0) != bool(wanted) or (wanted not in (True, False) and abs(seconds - wanted) > 0.5):
            return False, f"{kind} is recorded for {seconds} s"
    return True, ""


def page(study, runs, fact):
    for pattern, wanted in fact.items():
        count = len(re.findall(pattern, study.page(), flags=re.M))
        if (count != wanted) if not isinstance(wanted, bool) else (count > 0) != wanted:
            return False, f"the protocol page has '{pattern}' {count} times"
    return True, ""


def arms(study, runs, fact):
    shares = sorted(collections.Counter(people[0].info.get("arm") for people in by_participant(runs).values()).items(), key=str)
    if isinstance(fact, list):
        return sorted(count for name, count in shares if name) == sorted(fact), f"the arms have {shares}"
    return len([name for name, _ in shares if name]) == fact, f"the arms are {shares}"


def sessions(study, runs, fact):
    found = {len(one) for one in by_participant(runs).values()}
    return found == {fact}, f"there are {sorted(found)} sessions"


def ends(study, runs, fact):
    found = {run.info["finishReason"] for run in runs}
    return (found == {"completed"}) if fact == "completed" else "completed" not in found, f"runs end as {sorted(found)}"


def scored(study, runs, fact):
    """A value that is computed: some answer of each run, of no question that is asked, lies in the range."""
    kinds = study.kept()
    for run in runs:
        values = [answer.get("numericAnswer") for answer in run.answers() if answer["identifier"] not in kinds]
        if not any(value is not None and fact["from"] <= value <= fact["to"] for value in values):
            return False, f"the scores are {values}"
    return True, ""


FACTS = {
    "timed": timed, "drawn": drawn, "heard": heard, "balanced": balanced, "apart": apart, "inARow": in_a_row, "orders": orders,
    "asked": asked, "recorded": recorded, "page": page, "arms": arms, "sessions": sessions, "ends": ends, "scored": scored,
}


def failures(study, facts, participants, given=None):
    found = []
    for fact in facts:
        if "given" in fact:
            found += failures(study, fact["facts"], fact.get("participants", participants), fact["given"])
            continue
        (kind, value), = fact.items()
        try:
            runs, study.current = study.runs(participants, given)
            right, seen = FACTS[kind](study, runs, value)
        except ValueError as problem:
            right, seen = False, str(problem)
        if not right:
            found.append(f"{kind}: {seen}" + (f" (given {given})" if given else ""))
    return found


def judged(entrain, protocol, path, text=None):
    """The verdict, and why."""
    if not os.path.exists(path):
        return "partly", ["the file is absent"]
    study = Study(entrain, path, text)
    try:
        errors = [finding for finding in study.findings if finding["severity"] == "error"]
        if errors:
            return "partly", [f"line {error['line']}: {error['message']}" for error in errors]
        wrong = failures(study, protocol["facts"], protocol.get("participants", 4))
        warnings = {finding["code"] for finding in study.findings} - FORMAL
        if not wrong:
            return "right", []
        if warnings:
            return "partly", [*wrong, f"warned of: {', '.join(sorted(warnings))}"]
        return "silently wrong", wrong
    finally:
        study.close()


def self_test(entrain, protocols, folder):
    tried = missed = 0
    for protocol in protocols:
        path = os.path.join(folder, protocol["name"] + ".yaml")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for before, after in [(None, None), *protocol.get("mutations", [])]:
            if before and text.count(before) == 0:
                verdict, why = "right", [f"'{before}' is not in the file"]
            else:
                verdict, why = judged(entrain, protocol, path, text.replace(before, after) if before else text)
            tried += 1 if before else 0
            if (verdict == "right") == bool(before):
                missed += 1
                print(f"{protocol['name']}: '{before}' → '{after}' is {verdict} {why[:2]}")
    print(f"{tried} mutations, {missed} not as they must be")
    return 1 if missed or tried < len(protocols) / 2 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--protocols", default=os.path.join(HERE, "prose", "protocols.yaml"))
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--sample", type=int)
    parser.add_argument("folder")
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    with open(options.protocols, encoding="utf-8") as file:
        protocols = yaml.safe_load(file)
    if options.sample is not None:
        protocols = random.Random(options.sample).sample([one for one in protocols if "mutations" in one], 4)
    if options.self_test:
        return self_test(entrain, protocols, options.folder)
    verdicts = collections.Counter()
    for protocol in protocols:
        verdict, why = judged(entrain, protocol, os.path.join(options.folder, protocol["name"] + ".yaml"))
        verdicts[verdict] += 1
        if verdict != "right":
            print(f"{protocol['name']}: {verdict}: {'; '.join(why[:3])}")
    total = len(protocols)
    for verdict, words in [("right", "wholly right"), ("partly", "partly"), ("silently wrong", "silently wrong")]:
        print(f"{words}: {verdicts[verdict]} of {total} ({100 * verdicts[verdict] / total:.0f} %)")
    return 1 if verdicts["silently wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
