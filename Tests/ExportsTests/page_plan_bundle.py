"""What a protocol page says of a study is what its plans draw and what its rehearsed bundles hold.

usage: python3 Tests/ExportsTests/page_plan_bundle.py [--entrain PATH] [--count 40] [--seed N] [--keep FOLDER]
Random studies of every kind of step and question: what is drawn, asked, visited, played and recorded, and how long it
takes, each read from the page's words, from plan.json and from result.json. A study that disagrees is printed.
"""
import argparse
import glob
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile


def written(value):
    """YAML that is JSON, except that values of rounds and arms stand without quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return value if isinstance(value, str) and value.startswith("$") else json.dumps(value)


class Study:
    """A study, drawn."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.hasArms = self.random.random() < 0.4
        self.rows = [{"identifier": f"r{n}", "length": f"{self.random.choice([1, 2, 5, 9])} s",
                      "music": f"x{self.random.randrange(4)}"} for n in range(self.random.randint(2, 5))]
        steps = [step for _ in range(self.random.randint(2, 6)) for step in self.elements()]
        self.loop(steps)
        task = {"identifier": "main", "steps": steps + [{"type": "completion", "identifier": "end", "title": "End"}]}
        if self.chance(0.3):
            leave = {"type": "question", "identifier": "leave", "title": "Leave?", "answer": {"boolean": {}},
                     "goTo": {"answer": "leave", "is": "eq", "value": True, "target": "other"}}
            task["steps"].insert(self.random.randint(0, len(steps)), leave)
            task["steps"].append({"type": "completion", "identifier": "other", "title": "Other", "reason": "other"})
        self.study = {
            "entrain": 1, "study": {"identifier": "study", "title": "Study", "seed": seed},
            "sources": {"heartRate": {"type": "simulated"}}, "stimuli": {"clips": {"catalogue": "clips.yaml"}},
            "conditions": {"rows": {"rows": self.rows}}, "tasks": [task],
        }
        if self.hasArms:
            self.study["arms"] = ["left", "right"]

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def chance(self, share):
        return self.random.random() < share

    def loop(self, steps):
        """A rule that leads back, for a number of visits."""
        if len(steps) < 2 or not self.chance(0.4):
            return
        for _ in range(self.random.randint(1, 2)):
            target = self.random.randrange(len(steps))
            last = self.random.randrange(target, len(steps))
            if steps[target]["type"] == "allocation" or "goTo" in steps[last]:
                continue
            steps[target]["maximumVisits"] = self.random.randint(2, 5)
            steps[last]["goTo"] = {"target": steps[target]["identifier"]}

    def elements(self):
        """An element of the task's list, and a review after some questions."""
        element = self.element(places=5)
        review = {"type": "review", "identifier": self.name("review"), "title": "Right?"}
        isReviewed = element["type"] in ("question", "form", "matrix") and "skipIf" not in element and self.chance(0.3)
        return [element, review] if isReviewed else [element]

    def element(self, places):
        if places and self.chance(0.25):
            return self.block(places - 3)
        if self.chance(0.1):
            return {"type": "soundCheck", "identifier": self.name("check"), "volume": {"from": "-20 dB", "to": "0 dB"}}
        step = self.step()
        if self.hasArms and self.chance(0.3):
            step["skipIf"] = {"arm": self.random.choice(["left", "right"])}
        return step

    def block(self, places):
        block = {"type": "block", "identifier": self.name("block")}
        hasRows = self.chance(0.7)
        if hasRows:
            block["forEach"] = "rows"
            if self.chance(0.6):
                block["order"] = {"draw": self.random.choice(["shuffle", "latinSquare", "williams", "fixed"])}
        if not hasRows or self.chance(0.3):
            block["repeat"] = self.random.randint(2, 3)
        block["steps"] = [self.step(isInRows=hasRows) for _ in range(self.random.randint(1, 3))]
        if hasRows and self.chance(0.3):
            block["insert"] = {"steps": [self.step()]}
        return block

    def choices(self):
        return [self.random.choice("abcdefgh") + str(n) for n in range(self.random.randint(2, 4))]

    def ordered(self, answer):
        if self.chance(0.5):
            answer["order"] = self.random.choice(["shuffle", "reverse", "fixed"])
        return answer

    def answer(self, isPrompt=False):
        kinds = ["scale", "continuous", "choice", "boolean", "number"] + ([] if isPrompt else ["choices", "text", "date", "timeOfDay"])
        kind = self.random.choice(kinds)
        if kind in ("choice", "choices"):
            return self.ordered({kind: self.choices()})
        return {kind: {"scale": {"from": 1, "to": self.random.randint(3, 9)}, "continuous": {"from": 0, "to": 10, "decimals": 1}}
                .get(kind, {})}

    def question(self, isPrompt=False):
        return {"identifier": self.name("q"), "title": "Question?", "answer": self.answer(isPrompt)}

    def step(self, isInRows=False):
        kind = self.random.choice(["instruction", "countdown", "question", "form", "matrix", "program", "consent", "active",
                                   "active", "active"])
        step = {"type": kind, "identifier": self.name(kind), "title": "Title"}
        if kind == "countdown":
            step["duration"] = f"{self.random.randint(1, 5)} s"
        elif kind == "question":
            step["answer"] = self.answer()
        elif kind == "form":
            step["questions"] = [self.question() for _ in range(self.random.randint(1, 4))]
            self.ordered(step)
        elif kind == "matrix":
            step["answer"] = self.ordered({"choice": self.choices()})
            step["items"] = [{"identifier": self.name("q"), "title": "Item"} for _ in range(self.random.randint(1, 4))]
            self.ordered(step)
        elif kind == "program":
            step.update(command=["true"], duration=f"{self.random.randint(2, 9)} s")
            step["answers"] = [self.question() for _ in range(self.random.randint(0, 2))]
            for question in step["answers"]:
                question["answer"].pop("order", None)
        elif kind == "consent":
            step.update(document="consent.md", signature="typed" if self.chance(0.5) else "none")
        elif kind == "active":
            self.time(step, isInRows)
        return step

    def time(self, step, isInRows):
        step["duration"] = self.random.choice(
            [f"{self.random.randint(1, 20)} s", {"from": "2 s", "to": "6 s"}, {"oneOf": ["2 s", "3 s", "7 s"]}]
            + (["$length"] * 3 if isInRows else []))
        if self.chance(0.5):
            step["stimulus"] = self.random.choice(
                [{"from": "clips", "draw": self.random.choice(["random", "withoutReplacement", "fixed", "latinSquare"])},
                 {"play": "x1"}] + ([{"play": "$music"}] * 2 if isInRows else []))
        if self.chance(0.4):
            step["recorders"] = [{"type": "heartRate", "identifier": "heart"}]
        if self.chance(0.3):
            step["prompts"] = [self.question(isPrompt=True) | {"first": "500 ms", "every": "1 s"}]
        elif self.chance(0.2):
            step["reaction"] = {"keys": ["space"]}


class Page(html.parser.HTMLParser):
    """The page's sentences, its facts, and the rows of its tables."""
    HOLDERS = ("li", "dt", "dd", "td", "th", "h3", "h4", "h5", "text")

    def __init__(self, text):
        super().__init__()
        self.sentences, self.facts, self.rows = [], {}, []
        self.headings, self.heading = {}, ""
        self.words, self.term = None, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag in self.HOLDERS:
            self.words = ""
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data):
        if self.words is not None:
            self.words += data

    def handle_endtag(self, tag):
        if self.words is None:
            return
        words = self.words
        if tag == "li":
            self.sentences.append(words)
            self.headings.setdefault(self.heading, []).append(words)
        elif tag == "dt":
            self.term = words
        elif tag == "dd":
            self.facts[self.term] = words
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append(words)
        elif tag in ("h3", "h4", "h5"):
            self.heading = words
            self.headings.setdefault(words, [])
        elif tag == "text":
            self.headings.setdefault("picture", []).append(words)
        if tag in self.HOLDERS:
            self.words = None


def seconds(words):
    """`1 min 30 s` as a number."""
    units = {"ms": 0.001, "s": 1, "min": 60, "h": 3600}
    parts = words.split()
    return sum(float(number) * units[unit] for number, unit in zip(parts[::2], parts[1::2]))


def drawn_on(page):
    """What the page says is drawn."""
    drawn, step = set(), r"([\w.-]+)(?: of task [\w.-]+(?:, arm [\w ,]+?)?)"
    for sentence in page.sentences:
        for kind, pattern in (
                ("choices", rf"The order of the choices of (?:([\w.-]+) in )?{step} is"),
                ("items", rf"The order of the questions of {step} is"), ("place", rf"The place of .* among the rounds of {step} is drawn"),
                ("duration", rf"The time that {step} lasts is"), ("clip", rf"The clip of {step}, of the set")):
            if found := re.match(pattern, sentence):
                names = [name for name in found.groups() if name]
                drawn.add((kind, names[-1], names[0]) if kind == "choices" else (kind, names[0]))
        if found := re.match(rf"The order of the rounds of {step} is (.*)", sentence):
            drawn.add(("rounds", found.group(1)))
    return drawn


def drawn_in(plan):
    """What a plan draws. Several clips of a step are one thing, and so are the rounds of several passes."""
    drawn = set()
    for draw in plan["draws"]:
        kind, *rest = draw["stream"].split("/")
        if kind == "choices":
            drawn.add(("choices", rest[1].split(".")[-1], rest[2]))
        elif kind == "items":
            drawn.add(("items", rest[1].split(".")[-1]))
        elif kind == "insert":
            drawn.add(("place", rest[1].split(".")[-1]))
        elif kind == "duration":
            drawn.add(("duration", rest[1].split(".")[-1]))
        elif kind == "order" and draw["method"] != "fixed":
            drawn.add(("rounds", rest[1].split(".")[-1]))
    return drawn


def steps_of(result):
    return [step for step in result["results"] if step["_class"] == "ORKStepResult"]


def judge(page, bundles, study):
    """What does not agree."""
    problems = []
    all_steps = [step for element in study["tasks"][0]["steps"] for step in flat(element)]
    said, kept = drawn_on(page), set()
    for plan, _, _ in bundles:
        kept |= drawn_in(plan)
    # Clips and squares have streams that several steps share, so they are looked for in the results.
    shared = {("rounds", step["identifier"]) for step in all_steps
              if step.get("order") in ({"draw": "latinSquare"}, {"draw": "williams"}) and step["type"] == "block"}
    clips = {("clip", step["identifier"]) for _, steps, _ in bundles for step in steps if "draw" in
             step["userInfo"].get("stimulus", {}) and step["userInfo"]["stimulus"].get("set")}
    # A step that a rule left out has a result, too.
    reached = {step["identifier"] for _, steps, _ in bundles for step in steps if not step["userInfo"]["skipped"]}
    if {entry for entry in said if entry[0] != "clip"} != kept | shared:
        problems.append(f"drawn: page {sorted(said - kept)}, plan {sorted(kept - said)}")
    if missing := clips - said:
        problems.append(f"clips are drawn, and the page does not say so: {sorted(missing)}")
    if extra := {entry for entry in said if entry[0] == "clip" and entry[1] in reached} - clips:
        problems.append(f"the page says that clips are drawn: {sorted(extra)}")

    told = {row[0] for row in page.rows if len(row) == 3 and row[2].startswith("main")}
    documents = {step["identifier"] for step in all_steps if step["type"] == "consent"}
    answered = {answer["identifier"] for _, steps, _ in bundles for step in steps for answer in step["results"]
                if "Question" in answer["_class"] or "Consent" in answer["_class"]} - documents
    possible = {question for step in all_steps if step["identifier"] in reached for question in asked(step)}
    if answered - told or (possible & told) - answered or possible - told:
        problems.append(f"asked: page {sorted(told)}, results {sorted(answered)}")

    most = page.facts.get("Timed steps of a run", "none")
    most = 0 if most == "none" else seconds(most.removeprefix("at most "))
    longest = max(sum(step["userInfo"].get("actualDuration", 0) for step in steps) for _, steps, _ in bundles)
    if longest > most + 0.001:
        problems.append(f"time: page at most {most} s, a bundle {longest} s")
    isFixed = not any(isinstance(step.get("duration"), dict) or "reaction" in step or step["type"] == "program" for step in all_steps)
    if isFixed and not any("goTo" in step for step in all_steps) and abs(longest - most) > 0.001:
        problems.append(f"time: page at most {most} s, and the longest bundle {longest} s")

    for _, steps, _ in bundles:
        for element in study["tasks"][0]["steps"]:
            if element["type"] == "block":
                continue
            visits = sum(step["identifier"] == element["identifier"] for step in steps)
            limit = next((int(found.group(1)) for sentence in sentences_of(page, element["identifier"])
                          if (found := re.match(r"The step is visited at most (\d+) times", sentence))), 1)
            if visits > limit:
                problems.append(f"{element['identifier']}: page at most {limit} visits, a bundle {visits}")

    for step in all_steps:
        played = {visit["userInfo"]["stimulus"]["identifier"] for _, steps, _ in bundles for visit in steps
                  if visit["identifier"] == step["identifier"] and "stimulus" in visit["userInfo"]}
        words = " ".join(sentences_of(page, step["identifier"]))
        if "stimulus" in step and "play" in step["stimulus"] and (unsaid := {clip for clip in played if not re.search(rf"\b{clip}\b", words)}):
            problems.append(f"{step['identifier']} plays {sorted(unsaid)}, and the page does not say so")
        if len(played) > 3 and "play" in step.get("stimulus", {}):
            lines = [line for line in page.headings.get("picture", []) if line.startswith("plays x")]
            if lines and not any("by round" in line for line in page.headings["picture"]):
                problems.append(f"{step['identifier']} plays {sorted(played)}, and the picture says {lines}")

    prefixes = {row[5] for row in page.rows if len(row) == 6 and row[5].endswith("_")}
    for _, _, files in bundles:
        for name in files:
            if not any(name.startswith(prefix) for prefix in prefixes):
                problems.append(f"the page does not name the file {name}")
    return problems


def sentences_of(page, identifier):
    for heading, sentences in page.headings.items():
        if re.search(rf" {identifier}: ", heading):
            yield from sentences


def flat(element):
    yield element
    for step in element.get("steps", []) + element.get("insert", {}).get("steps", []):
        yield from flat(step)


def asked(step):
    if step["type"] in ("question", "soundCheck") or "reaction" in step:
        yield step["identifier"]
    for key in ("questions", "items", "answers", "prompts"):
        for question in step.get(key, []):
            yield question["identifier"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", default=".build/debug/entrain")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    failures, refused, runs = 0, 0, 0
    for seed in range(options.seed * 1000, options.seed * 1000 + options.count):
        study = Study(seed).study
        with tempfile.TemporaryDirectory() as folder:
            folder = options.keep or folder
            os.makedirs(folder, exist_ok=True)
            text = written(study)
            with open(f"{folder}/study.yaml", "w") as file:
                file.write(text)
            with open(f"{folder}/clips.yaml", "w") as file:
                file.write("entrain: 1\nclips:\n" + "".join(f"  - {{identifier: x{n}, silence: 30 s}}\n" for n in range(4)))
            with open(f"{folder}/consent.md", "w") as file:
                file.write("# Consent\n\nYou may leave.\n")
            run = lambda *words: subprocess.run([entrain, *words], cwd=folder, capture_output=True, text=True)
            checked = run("check", "study.yaml")
            if checked.returncode:
                refused += 1
                print(f"seed {seed} is refused: {checked.stdout.splitlines()[:1]}")
                continue
            for path in glob.glob(f"{folder}/out/*") if options.keep else []:
                subprocess.run(["rm", "-rf", path])
            rehearsed = run("rehearse", "study.yaml", "--participants", "4", "--out", "out")
            shown = run("protocol", "study.yaml", "--out", f"page{seed}.html")
            if rehearsed.returncode or shown.returncode:
                failures += 1
                print(f"seed {seed}: {rehearsed.stderr}{shown.stderr}\n{text}")
                continue
            bundles = []
            for path in glob.glob(f"{folder}/out/*"):
                with open(f"{path}/plan.json") as plan, open(f"{path}/result.json") as result:
                    files = [os.path.basename(name) for name in glob.glob(f"{path}/steps/*/*.json")]
                    bundles.append((json.load(plan), steps_of(json.load(result)), [name for name in files if name != "result.json"]))
            runs += len(bundles)
            with open(f"{folder}/page{seed}.html") as file:
                problems = judge(Page(file.read()), bundles, study)
            for problem in problems:
                print(f"seed {seed}: {problem}")
            if problems:
                failures += 1
                print(text)
    print(f"{options.count - refused} studies, {runs} rehearsed bundles, {refused} refused by check: {failures} disagree with their page")
    # A generator that makes nothing that runs has shown nothing.
    sys.exit(1 if failures or refused > options.count / 2 else 0)


main()
