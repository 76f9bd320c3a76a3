"""Honest studies of every method, of which nobody may be accused: for cheats.py."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "CommandTests"))
from days_of_a_lab import CLOCK
from lab import Lab

SEX = ("sex", ["female", "male"])
AGE = ("age", ["young", "middle", "old"])
SECOND = pathlib.Path(__file__).resolve().parent / "second_implementation.py"
DESIGNS = [
    ("method: simple", [], (1, 1)),
    ("method: simple", [SEX], (1, 3)),
    ("method: blocks\n  blocks: [4]", [], (1, 1)),
    ("method: blocks\n  blocks: [2, 4]\n  stratify: [sex]", [SEX], (1, 1)),
    ("method: blocks\n  blocks: [3, 6]\n  stratify: [sex, age]", [SEX, AGE], (1, 2)),
    ("method: minimisation\n  factors: [sex, age]", [SEX, AGE], (1, 1)),
    ("method: minimisation\n  factors: [{question: sex, weight: 3}, age]\n  probability: 0.9\n  imbalance: variance\n  burnIn: 2",
     [SEX, AGE], (2, 1)),
    ("method: minimisation", [], (1, 1)),
    ("method: blocks\n  blocks: hidden\n  stratify: [sex]", [SEX], (1, 1)),
    ("method: list\n  stratify: [sex]", [SEX], (1, 1)),
]


def make(program, folder, chance, number):
    allocation, questions, ratios = DESIGNS[number % len(DESIGNS)]
    create = []
    if "hidden" in allocation:
        create = ["--blocks", "2,4"]
    if "list" in allocation:
        listed = folder.with_suffix(".csv")
        rows = [f"{slot},{chance.choice(['short', 'long'])},{sex}\n" for sex in SEX[1] for slot in range(1, 15)]
        listed.write_text("slot,arm,sex\n" + "".join(rows))
        create = ["--list", listed]
    return Lab(program, folder, allocation=allocation, questions=questions, ratios=ratios, create=create), questions


def honest_study(program, folder, chance, number, findings):
    """Holds a study; gives how many were allocated."""
    lab, questions = make(program, folder, chance, number)
    given, heads, story = {}, [], [DESIGNS[number % len(DESIGNS)][0].replace("\n ", ",")]

    def accused(what, said):
        findings[f"honest study: {what}"].append(f"{'; '.join(story)}: {said.returncode} {(said.stdout + said.stderr)[-300:]}")

    people = [f"P{n:02}" for n in range(1, chance.randint(4, 9))]
    for code in people:
        given[code] = [chance.choice(choices) for _, choices in questions]
        fate = chance.random()
        if fate < 0.1:
            story.append(f"{code} killed and held again")
            lab.kill(code, answers=given[code])
            said = lab.attempt(code, "--repeat", "the power failed", answers=given[code])
        elif fate < 0.15:
            story.append(f"{code} killed")
            lab.kill(code, answers=given[code])
            continue
        elif fate < 0.2:
            story.append(f"{code} of two machines")
            said = lab.attempt(code, answers=given[code])
            lab.attempt(code, "--same-person", answers=given[code], out="second-room")
        else:
            said = lab.attempt(code, answers=given[code])
        if said.returncode:
            accused("'run' is refused", said)
        if fate > 0.9:
            said = lab.call("withdraw", "results", "--participant", code, "--yes", *chance.choice([[], ["--erase"]]))
            story.append(f"{code} withdrew")
            if said.returncode:
                accused("'withdraw' is refused", said)
        elif fate > 0.8 and ("stratify" in story[0] or "factors" in story[0]):
            name, choices = chance.choice(questions)
            story.append(f"{code} corrected")
            answer = f"{name}={chance.choice(choices)}"
            said = lab.call("allocation", "correct", "ledger", "-p", code, "--answer", answer, "--by", "A", "--reason", "b")
            if said.returncode and "already" not in said.stderr:
                accused("'correct' is refused", said)
        elif fate > 0.75:
            lab.call("allocation", "correct", "ledger", "-p", code, "--in-error", "--by", "A", "--reason", "b")
            lab.call("allocation", "unblind", "ledger", "-p", code, "--by", "A", "--reason", "b")
        head = re.search(r"head: (\w+)", lab.call("allocation", "verify", "ledger").stdout)
        heads += [head.group(1)] if head else []
    lab.call("recover", "results")
    for words in (["allocation", "verify", "ledger", "--results", "results", "--head", chance.choice(heads or ["0" * 64])],
                  ["study", "log", "results"], ["allocation", "reveal", "ledger", "--yes"], ["allocation", "verify", "ledger"]):
        said = lab.call(*words)
        if said.returncode:
            accused(f"'{' '.join(words[:2])}' accuses", said)
    derived = subprocess.run([sys.executable, str(SECOND), str(folder / "ledger")], capture_output=True, text=True)
    if derived.stdout != f"{len(people)} derived\n":
        accused("the second implementation derives other arms", derived)
    said = lab.attempt("P99", answers=[chance.choice(choices) for _, choices in questions])
    if said.returncode != 65:
        accused("a run after 'reveal' is not refused", said)
    shutil.rmtree(folder)
    return len(people)


def clock_set_back(program, folder, findings):
    """A clock that was an hour fast is put right between two participants; it needs a C compiler."""
    lab = Lab(program, folder, allocation="method: simple")
    source = folder / "clock.c"
    source.write_text(CLOCK)
    subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", folder / "clock.so", source], check=True)
    os.environ.update(LD_PRELOAD=str(folder / "clock.so"), LAB_CLOCK=str(int(time.time()) + 3600))
    try:
        lab.run("P01")
    finally:
        del os.environ["LD_PRELOAD"]
    lab.run("P02")
    for words in (["allocation", "verify", "ledger", "--results", "results"], ["study", "log", "results"]):
        said = lab.call(*words)
        if said.returncode:
            findings[f"honest study, whose clock was put right: '{' '.join(words[:2])}' accuses"].append(said.stderr)
