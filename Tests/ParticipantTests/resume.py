"""A person whose program is killed again and again, and who goes on with `--resume` each time.

    python3 Tests/ParticipantTests/resume.py --entrain ENTRAIN --faults libEntrainFaults.so [--step N] [--seed SEED] STUDY...

The program is killed before its first write, before its second, and so on to the last (with `--step`, before every N-th of them);
every third time it is killed in what goes on, too. The person types answers of their own and notes them. What a journal on disk holds
as answered when the program was killed counts as confirmed. In the end a plain reader compares the last bundle with the notes: every
confirmed answer is there once, no question was asked again after that, every step was gone through once, and clips came in the drawn
order. All bundles verify, and no earlier one has changed. Ends with 1 at the first kill where something is different.

A study that allocates gets a ledger, sound in a file, and all the time that it takes, because a run at another speed takes no place:
in the end the ledger has one place, and every bundle that knows an arm knows that one. Its program counts in a file how often it began.
"""

import argparse
import glob
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile


MEDIA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Media")


class Person:
    """Who answers, in lines; `asked` has each question that was shown with the answer that was typed then."""

    def __init__(self, options, study, out, seed):
        self.options, self.study, self.out, self.random = options, study, out, random.Random(seed)
        self.asked = []

    def sit(self, resumes, kill=None):
        """Runs, killed before a write if `kill` is given; the exit code, and what was asked in this sitting."""
        command = [self.options.entrain, "run", self.study, "--participant", "P01", "--out", self.out, "--plain"]
        command += ["--audio", f"file:{self.out}-{len(self.asked)}.wav", "--ledger", self.options.ledger] if self.options.ledger \
            else ["--audio", "none", "--speed", str(self.options.speed)]
        command += ["--resume"] if resumes else []
        command += [] if resumes or self.options.language is None else ["--language", self.options.language]
        environment = dict(os.environ)
        if kill:
            environment["LD_PRELOAD"] = self.options.faults
            environment["ENTRAIN_FAULTS"] = f"root={os.path.abspath(self.out)};log={self.out}.log;calls=write;kill={kill}"
        program = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        heading, asked = None, []
        for line in program.stdout:
            line = line.strip()
            if line.startswith("Step "):
                heading = line
            if line.startswith("Press Return"):
                self.type(program, "")
            elif line == "Choose a number from 1 to 9." or line == "Type the number of your answer.":
                answer = str(self.random.randint(1, 9 if line.startswith("Choose") else 4))
                asked.append((heading, answer))
                self.type(program, answer)
        self.complaint = program.stderr.read()
        self.asked.append(asked)
        return program.wait()

    @staticmethod
    def type(program, line):
        try:
            program.stdin.write(line + "\n")
            program.stdin.flush()
        except BrokenPipeError:
            pass


def journal(folder):
    """The lines that are whole."""
    with open(folder + "/journal.jsonl", "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    return [json.loads(line) for line in lines]


def answered(records):
    """What was confirmed, in order."""
    return [given for record in records if "answered" in (record.get("event") or {}) for given in record["event"]["answered"]]


def digests(folder):
    found = {}
    for path in sorted(glob.glob(folder + "/**", recursive=True)):
        if os.path.isfile(path):
            found[path] = hashlib.sha256(open(path, "rb").read()).hexdigest()
    return found


def value(answer):
    return next((answer[key] for key in ("scaleAnswer", "choiceAnswers", "numericAnswer") if key in answer), None)


def compare(person, options, confirmed, before):
    """What is wrong with what is left; nothing if all is well."""
    bundles = [path for path in glob.glob(person.out + "/*") if os.path.isfile(path + "/manifest.json")]
    manifests = {path: json.load(open(path + "/manifest.json")) for path in bundles}
    continued = {manifest.get("continues") for manifest in manifests.values()}
    tips = [path for path, manifest in manifests.items() if manifest["runUUID"] not in continued]
    if len(tips) != 1:
        return f"{len(tips)} runs are continued by none"
    for path in bundles:
        verdict = subprocess.run([options.entrain, "verify", path], capture_output=True, text=True)
        if verdict.returncode != 0:
            return f"{path}: {verdict.stdout}{verdict.stderr}"
    for folder, known in before.items():
        if digests(folder) != known:
            return f"{folder} was changed"
    result = json.load(open(tips[0] + "/result.json"))
    if options.ledger:
        problem = compare_ledger(options, result, manifests.values())
        if problem:
            return problem
    if result["userInfo"]["finishReason"] != "completed":
        return f"the last run is {result['userInfo']['finishReason']}"
    steps = [step for step in result["results"] if not step["userInfo"]["skipped"]]
    places = [(step["identifier"], step["userInfo"].get("round")) for step in steps]
    if len(set(places)) != len(places):
        return f"a step was gone through twice: {places}"
    plan = json.load(open(tips[0] + "/plan.json"))
    order = max((draw["chosen"] for draw in plan["draws"]), key=len)
    heard = [step["userInfo"]["stimulus"]["identifier"] for step in steps if "stimulus" in step["userInfo"]]
    if heard != order:
        return f"drawn {order}, heard {heard}"
    for step in result["results"]:
        stimulus = step["userInfo"].get("stimulus")
        if stimulus and stimulus["identifier"] != order[step["userInfo"]["round"] - 1]:
            return f"another clip in round {step['userInfo']['round']}"
    given = [value(answer) for step in steps if step["identifier"] != "tapping" for answer in step["results"] if answer["_class"] != "ORKFileResult" and value(answer) is not None]
    if len(given) != len(order):
        return f"{len(given)} answers to {len(order)} questions"
    # The notes: the last time that a question was asked is the time at which it was answered.
    notes = {}
    for sitting, asked in enumerate(person.asked):
        for heading, answer in asked:
            if heading in notes and notes[heading][0] != sitting and notes[heading][2]:
                return f"{heading} was asked again, though it was confirmed"
            notes[heading] = [sitting, answer, False]
        count = confirmed[sitting]
        for heading in list(notes)[:count]:
            notes[heading][2] = True
    typed = [int(answer) for _, answer, _ in notes.values()]
    choices = ["calm", "cheerful", "sad", "tense"]
    found = [choices.index(one[0]) + 1 if isinstance(one, list) else int(one) for one in given]
    return None if typed == found else f"typed {typed}, found {found}"


def compare_ledger(options, result, manifests):
    """What is wrong with the arm and with the program's answer."""
    lines = [json.loads(line) for line in open(options.ledger + "/ledger.jsonl")][1:]
    places = [line for line in lines if "slot" in line]
    if [place["participant"] for place in places] != ["P01"]:
        return f"the ledger's places are {places}"
    arms = {manifest["arm"] for manifest in manifests if "arm" in manifest}
    if arms != {places[0]["arm"]} or result["userInfo"].get("arm") != places[0]["arm"]:
        return f"the arm is {places[0]['arm']}; the bundles say {arms}, the result {result['userInfo'].get('arm')}"
    starts = len(open(os.path.join(os.path.dirname(options.ledger), "taps")).readlines())
    told = [value(answer) for step in result["results"] if step["identifier"] == "tapping" and not step["userInfo"]["skipped"] for answer in step["results"]]
    return None if told == [starts] else f"the program began {starts} times, and its answer is {told}"


def case(options, study, kill, folder):
    """One person; whether the program was killed at all."""
    out = os.path.join(folder, "out")
    person = Person(options, study, out, options.seed * 100_000 + kill)
    confirmed, before = [], {}
    kills = [kill] + ([1 + (kill * 7) % 60] if kill % 3 == 0 else [])
    resumes = False
    for number in kills + [None]:
        code = person.sit(resumes, number)
        running = glob.glob(out + "/*.running")
        if number and code == -9 and running and os.path.isfile(running[0] + "/journal.jsonl"):
            confirmed.append(len(answered(journal(running[0]))))
        else:
            confirmed.append(confirmed[-1] if confirmed else 0)
        if number and code not in (-9, 0):
            return f"kill {number}: ended with {code}: {person.complaint}", True
        if code == 0:
            break
        subprocess.run([options.entrain, "recover", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sealed = [path for path in glob.glob(out + "/*") if os.path.isfile(path + "/manifest.json")]
        statuses = {json.load(open(path + "/manifest.json"))["status"] for path in sealed}
        if "completed" in statuses:
            break
        before.update({path: digests(path) for path in sealed if path not in before})
        resumes = bool(sealed)
    else:
        return f"the last sitting ended with {code}: {person.complaint}", True
    problem = compare(person, options, confirmed, before)
    return problem, code == -9 or len(person.asked) > 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--faults", required=True)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--speed", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("studies", nargs="+", metavar="STUDY")
    options = parser.parse_args()
    options.entrain, options.faults = os.path.abspath(options.entrain), os.path.abspath(options.faults)
    for study in options.studies:
        count = 0
        kill = options.first
        while True:
            with tempfile.TemporaryDirectory() as folder:
                text = open(study).read()
                options.language = "en" if "{en:" in text else None
                path = resumable(study, text, folder)
                options.ledger = allocated(options, path, folder) if "\nallocation:" in text else None
                problem, was_killed = case(options, path, kill, folder)
                if problem:
                    kept = tempfile.mkdtemp(prefix="resume-")
                    shutil.copytree(folder, kept, dirs_exist_ok=True)
                    sys.exit(f"{study}, killed before write {kill}: {problem} (kept in {kept})")
            if not was_killed:
                break
            count += 1
            kill += options.step
        print(f"{study}: killed at {count} of {kill - 1} writes and continued: all is there once", flush=True)


def resumable(study, text, folder):
    """The study with a word that lets it be continued, with its files at hand."""
    text = re.sub(r"(\n  seed: [0-9]+\n)", r"\1  resume: {within: 24 h}\n", text, count=1)
    os.makedirs(os.path.join(folder, "study"))
    shutil.copytree(MEDIA, os.path.join(folder, "Media"))
    path = os.path.join(folder, "study", "study.yaml")
    with open(path, "w") as file:
        file.write(text)
    return path


def allocated(options, study, folder):
    """A ledger for the study, which then names its secret, and the program of its step."""
    tap = os.path.join(os.path.dirname(study), "tap.sh")
    with open(tap, "w") as file:
        file.write("#!/bin/sh\nread start\necho \"$start\" >>../taps\n" 'echo "{\\"answer\\": {\\"hits\\": $(wc -l <../taps)}}"\n')
    os.chmod(tap, 0o755)
    ledger = os.path.join(folder, "ledger")
    made = subprocess.run([options.entrain, "allocation", "create", study, "--out", ledger], capture_output=True, text=True, check=True)
    commitment = re.search(r"commitment: [0-9a-f]{64}", made.stdout).group()
    text = open(study).read().replace("blocks: [4, 6]", f"blocks: [4, 6], {commitment}")
    with open(study, "w") as file:
        file.write(text)
    return ledger


if __name__ == "__main__":
    main()
