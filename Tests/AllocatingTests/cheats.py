"""Ways to cheat with an allocation: each is prevented, or found by a command whose output says so. And honest studies.

    python3 Tests/AllocatingTests/cheats.py --entrain ENTRAIN [--count 200] [--seed S]

A laboratory has frozen its study, has held six sessions, and has kept the ledger's head and the log's checkpoint. Each cheat
is made in a copy. It prints who finds it, and which commands see nothing. Then come honest studies of all methods, with
killed runs, withdrawals and corrections: nobody may be accused, and second_implementation.py derives every arm.
"""

import argparse
import collections
import copy
import http.client
import json
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TransparencyLogTests"))
from honest_studies import clock_set_back, honest_study
from lab import Lab, bundles, digest, seal

BLOCKS = "method: blocks\n  blocks: [4, 6]\n  stratify: [sex]"
SEX = [("sex", ["female", "male"])]


class Cheat:
    """A copy of the laboratory, and what is said in it."""

    def __init__(self, base, folder, chance):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base.folder, folder)
        self.lab = copy.copy(base)
        self.lab.folder, self.lab.results = folder, folder / "results"
        self.head, self.chance = base.head, chance
        self.ledger = folder / "ledger/ledger.jsonl"
        self.looks = []

    def look(self, words, *arguments, code=65, what=None):
        """One way in which the cheat is to be found: the words that tell it, and the exit code."""
        said = self.lab.call(*arguments)
        self.note(words, said, code, what or " ".join(map(str, arguments)))

    def note(self, words, said, code, what, detail=""):
        text = said.stdout + said.stderr
        self.looks.append((what, said.returncode == code and re.search(words, text), f"{detail} {said.returncode} {text[-250:]}"))

    def verify(self, words, *more, code=65):
        self.look(words, "allocation", "verify", "ledger", *more, code=code)

    def with_results(self, words):
        self.verify(words, "--results", "results")

    def with_head(self):
        self.look("error: ", "allocation", "verify", "ledger", "--head", self.head, what="allocation verify ledger --head")

    def lines(self):
        return [json.loads(line) for line in self.ledger.read_text().split("\n")[:-1]]

    def slots(self):
        """The numbers of the lines with slots."""
        return [number for number, line in enumerate(self.lines()) if "slot" in line]

    def write(self, lines):
        """Writes a ledger whose lines name each other, as its owner can."""
        before, texts = None, []
        for line in lines:
            if before is not None:
                line["previous"] = digest(before.encode())
            before = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            texts.append(before + "\n")
        self.ledger.write_text("".join(texts))

    def bundle(self, code):
        return [b for b in bundles(self.lab.results) if f'"participant":"{code}"' in (b / "journal.jsonl").read_text()][0]

    def forge_arm(self, code):
        """Another arm stands everywhere in a bundle, and it is sealed anew."""
        bundle = self.bundle(code)
        for file in bundle.rglob("*.json*"):
            file.write_text(re.sub(r'"arm":"(short|long)"', lambda arm: '"arm":"%s"' % {"short": "long", "long": "short"}[arm[1]],
                                   file.read_text()))
        seal(bundle)


def frozen_later(cheat):
    cheat.lab.call("freeze", "study.yaml", "--out", "late", "--results", "results")
    cheat.look("exploratory", "analyse", "results", "--registered", "late", code=0)
    study = cheat.lab.folder / "study.yaml"
    text = study.read_text()
    study.write_text(text.replace("[4, 6]", "[2]"))
    cheat.note("error: .*(ledger|design)", cheat.lab.attempt("P07", answers=["female"]), 65, "run of another design")
    study.write_text(re.sub(r"\n  commitment: \w+", "", text))
    said = cheat.lab.call("allocation", "create", "study.yaml", "--out", "second").stdout
    study.write_text(text.replace(re.search(r"commitment: (\w+)", text).group(1), re.search(r"commitment: (\w+)", said).group(1)))
    second = copy.copy(cheat.lab)
    second.ledger = ["--ledger", "second"]
    cheat.note("error: .*", second.attempt("P07", answers=["female"]), 65, "run with a second secret")


def back_dated(cheat):
    lines = cheat.lines()
    lines[-1]["time"] = "2025" + lines[-1]["time"][4:]
    cheat.write(lines)
    cheat.verify("earlier time", code=0)
    for line in lines:
        line["time"] = "2025" + line["time"][4:]
    cheat.write(lines)
    cheat.with_head()


def deleted(cheat):
    lines = cheat.lines()
    third = cheat.slots()[2]
    del lines[third:third + 2]
    cheat.write(lines)
    cheat.verify(f"error: .*line {third + 1}")
    for number, line in enumerate([line for line in lines if "slot" in line], 1):
        line["slot"] = number
    cheat.write(lines)
    cheat.with_results("P03.*not in the ledger")
    cheat.with_head()


def damaged(cheat):
    before = cheat.ledger.read_bytes()
    for _ in range(40):
        data = bytearray(before)
        place = cheat.chance.randrange(len(data))
        data[place] ^= 1 << cheat.chance.randrange(7)
        cheat.ledger.write_bytes(data)
        is_last = place > before[:-1].rindex(b"\n")
        cheat.look("error: ", "allocation", "verify", "ledger", what="allocation verify, of a byte of the last line" if is_last else None)
        cheat.with_head()
    cheat.ledger.write_bytes(before)
    secret = cheat.lab.folder / "ledger/secret"
    secret.write_text(secret.read_text()[::-1])
    cheat.verify("error: ")


def look_alikes(cheat):
    for code in ("p01", "P1", "\u042001", "P001", "PO1", "\uff3001", "P\u066001"):
        said = cheat.lab.attempt(code, answers=["female"], out=f"out-{ord(code[0])}{len(code)}")
        cheat.note("looks like", said, said.returncode, "a run of a look-alike where the results of P01 lie elsewhere", code)
        said = cheat.lab.attempt(code, "--same-person", answers=["female"])
        cheat.note("looks like", said, said.returncode, "a run of a look-alike beside P01", code)
    for code in ("P01 ", " P01", "P01\u200b", "P01\t", "P01\u00a0"):
        cheat.note("error: ", cheat.lab.attempt(code, answers=["female"]), 64, "a run of a code with a blank", code)


def from_a_backup(cheat):
    cheat.write(cheat.lines()[:cheat.slots()[3]])
    cheat.with_results("P06.*not in the ledger")
    cheat.lab.attempt("P07", answers=["female"])
    cheat.with_results("P04.*not in the ledger")
    cheat.with_head()


def cut(cheat):
    cheat.write(cheat.lines()[:-1])
    shutil.rmtree(cheat.bundle("P06"))
    cheat.look("1 is missing", "study", "log", "results")
    cheat.with_head()


def made_up(cheat):
    """Answers that the study does not have, and answers that are typed again to get another arm."""
    cheat.look("error: ", "allocation", "correct", "ledger", "-p", "P01", "--answer", "age=old", "--by", "A", "--reason", "b", code=64)
    cheat.look("error: .*female or male", "allocation", "correct", "ledger", "-p", "P01", "--answer", "sex=third", "--by", "A", "--reason", "b")
    cheat.lab.kill("P07", answers=["female"])
    given = cheat.slots()
    cheat.lab.attempt("P07", "--repeat", "typed wrongly", answers=["male"])
    assert cheat.slots() == given, "the second answer took a place"
    cheat.with_results("P07.*asked for its arm with 'male', and the ledger has 'female'")
    lines = cheat.lines()
    lines[1]["levels"] = ["third"]
    cheat.write(lines)
    cheat.verify("the secret gives")


def other_results(cheat):
    """Who verifies is shown a folder without the sessions: how many were compared must be told."""
    (cheat.lab.folder / "empty").mkdir()
    cheat.verify("no session|0 sessions", "--results", "empty", code=0)


def tried_again(cheat):
    """Runs are killed when the arm is not the wanted one, and the person gets another code."""
    for number in range(7, 11):
        cheat.lab.kill(f"P{number:02}", answers=["female"])
    cheat.lab.run("P11", answers=["female"])
    cheat.look("P07 .*failed", "study", "status", "results", "--ledger", "ledger", code=0)
    for bundle in bundles(cheat.lab.results):
        if any(f'"participant":"P{number:02}"' in (bundle / "journal.jsonl").read_text() for number in range(7, 11)):
            shutil.rmtree(bundle)
    cheat.look("4 are missing", "study", "log", "results")
    cheat.look("without a run: .*P07.*P10", "study", "status", "results", "--ledger", "ledger", code=0)
    # The runs are held in a folder that is thrown away.
    cheat.lab.kill("P12", answers=["female"], out="aside")
    shutil.rmtree(cheat.lab.folder / "aside")
    cheat.look("without a run: .*P12", "study", "status", "results", "--ledger", "ledger", code=0)


def made_up_for_a_monitor(cheat):
    """A program of a room that asks the monitor by itself, with answers and codes that no run could have."""
    monitor = cheat.lab.program + "-monitor"
    token = subprocess.run([monitor, "token", "create", "--scope", "allocate", "--name", "room", "--data", "kept"],
                           capture_output=True, text=True, cwd=cheat.lab.folder).stdout.strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([monitor, "serve", "--port", str(port), "--data", "kept", "--ledger", "ledger"],
                              cwd=cheat.lab.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout.readline().startswith("Listening"), "the monitor did not begin"
        for participant, level, words in (
                ("X01", "third", "an answer that the study does not have"), ("X02", "fe\nmale", "an answer with a line feed"),
                ("P01 ", "female", "a code that ends with a space"), ("X03", "female", "")):
            asked = {"design": cheat.lines()[0]["design"], "levels": [level], "participant": participant}
            line = http.client.HTTPConnection("127.0.0.1", port)
            fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            line.request("POST", "/api/allocations", json.dumps(asked), fields)
            answer = line.getresponse()
            said = answer.read().decode()
            if words:
                cheat.looks.append((f"the monitor, asked with {words}", answer.status >= 400, said))
            else:
                assert answer.status == 200, said
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    cheat.look("without a run: .*X03", "study", "status", "results", "--ledger", "ledger", code=0)


def changed_program(cheat):
    """A program that keeps no log, or writes another arm."""
    cheat.lab.run("P07", answers=["female"], out="aside")
    made = bundles(cheat.lab.folder / "aside")[0]
    shutil.copytree(made, cheat.lab.results / made.name)
    cheat.look(f"({made.name}.*(another|not in|no) .*log|(another|not in|no) .*log.*{made.name})", "study", "log", "results", code=0)
    proof = cheat.lab.results / made.name / "begun.tlog-proof"
    proof.unlink()
    seal(proof.parent)
    cheat.look(f"({made.name}.*(another|not in|no) .*log|(another|not in|no) .*log.*{made.name})", "study", "log", "results", code=0)
    cheat.forge_arm("P02")
    cheat.look("damaged", "study", "log", "results")
    cheat.with_results("is damaged, and not compared")
    shutil.rmtree(cheat.lab.results / ".log")
    cheat.with_results("P02.*was run in the arm")
    lines, third = cheat.lines(), cheat.slots()[2]
    lines[third]["arm"] = {"short": "long", "long": "short"}[lines[third]["arm"]]
    cheat.write(lines)
    cheat.verify("slot 3 has the arm .*, and the secret gives")


CHEATS = [frozen_later, back_dated, deleted, damaged, look_alikes, from_a_backup, cut, made_up, made_up_for_a_monitor, other_results,
          tried_again, changed_program]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--entrain", required=True)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    chance = random.Random(options.seed)
    findings = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        base = Lab(options.entrain, folder / "base", allocation=BLOCKS, questions=SEX)
        base.call("freeze", "study.yaml", "--out", "registration", "--results", "results")
        for number in range(1, 7):
            base.run(f"P{number:02}", answers=[SEX[0][1][number % 2]])
        base.head = re.search(r"head: (\w+)", base.call("allocation", "verify", "ledger").stdout).group(1)
        for way in CHEATS:
            cheat = Cheat(base, folder / "cheat", chance)
            way(cheat)
            found = [what for what, is_found, _ in cheat.looks if is_found]
            print(f"{way.__name__}: found by {'; '.join(dict.fromkeys(found)) or 'nothing'}")
            for what, is_found, said in cheat.looks:
                if not is_found:
                    findings[f"{way.__name__}: not found by {what}"].append(said)
        clock_set_back(options.entrain, folder / "clock", findings)
        allocated = sum(honest_study(options.entrain, folder / f"honest-{number}", chance, number, findings)
                        for number in range(options.count))
    for what, said in findings.items():
        print(f"FINDING {what} ({len(said)} times): {said[0]}".replace("\n", " | ")[:600])
    print(f"{len(CHEATS)} ways to cheat; {options.count} honest studies with {allocated} participants; "
          f"{sum(map(len, findings.values()))} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
