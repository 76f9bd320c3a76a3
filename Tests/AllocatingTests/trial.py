"""A trial of 300 people at three sites, and a list of them that nobody but this script keeps: all must say the same.

    python3 Tests/AllocatingTests/trial.py --entrain ENTRAIN [--count 300] [--seed S]

Each site has a results folder of its own; all share a ledger, whose strata are the sites and the sexes. Of 300, 12 typed the
wrong sex and are put right, 8 were allocated in error, 20 withdraw and are erased, and 10 more decline before they are
allocated. The list says what each person typed, saw and did. Ledger, tables, analysis and flow diagram are compared with it.
"""

import argparse
import html
import json
import pathlib
import random
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "TransparencyLogTests"))
from lab import Lab

SITES, SEXES = ["north", "south", "west"], ["female", "male"]
ARMS = ["short", "long"]


class Trial:
    def __init__(self, program, folder, count, chance):
        self.chance, self.people, self.findings, self.checks = chance, {}, [], 0
        self.lab = Lab(program, folder, allocation="method: blocks\n  blocks: [2, 4]\n  stratify: [site, sex]",
                       questions=[("site", SITES), ("sex", SEXES)])
        study = self.lab.folder / "study.yaml"
        study.write_text(study.read_text().replace("title: Mood", 'title: "Mood after {words}"'))
        self.lab.call("freeze", "study.yaml", "--out", "registration")
        self.hold(count)
        special = chance.sample(list(self.people), max(3, 40 * count // 300))
        wrong, error = max(1, 12 * count // 300), max(1, 8 * count // 300)
        self.correct(special[:wrong], special[wrong:wrong + error])
        self.decline(max(1, count // 30))
        # Of those who withdraw, some were put right before.
        self.withdraw(special[wrong - 1:wrong] + special[wrong + error:])

    def expect(self, what, found, wanted):
        self.checks += 1
        if found != wanted:
            self.findings.append(f"{what}: {found!r}, and the list has {wanted!r}")

    def hold(self, count):
        for number in range(1, count + 1):
            code = f"T{number:03}"
            person = {"site": self.chance.choice(SITES), "sex": self.chance.choice(SEXES), "mood": self.chance.randint(1, 5),
                      "right": None, "error": False, "erased": False, "slot": number}
            said = self.lab.attempt(code, out=f"results/{person['site']}", answers=[person["site"], person["sex"]], mood=person["mood"])
            self.expect(f"{code} is held ({said.stderr})", said.returncode, 0)
            person["arm"] = re.search(r"Mood after (\w+)", said.stdout).group(1).lower()
            self.people[code] = person

    def correct(self, wrong, error):
        for code in wrong:
            self.people[code]["right"] = SEXES[1 - SEXES.index(self.people[code]["sex"])]
            said = self.lab.call("allocation", "correct", "ledger", "-p", code, "--answer", f"sex={self.people[code]['right']}",
                                 "--by", "Dr. Abel", "--reason", "typed wrongly")
            self.expect(f"{code} is put right ({said.stderr})", said.returncode, 0)
        for code in error:
            self.people[code]["error"] = True
            said = self.lab.call("allocation", "correct", "ledger", "-p", code, "--in-error", "--by", "Dr. Abel", "--reason", "too young")
            self.expect(f"{code} was allocated in error ({said.stderr})", said.returncode, 0)

    def decline(self, count):
        self.declined = [f"D{number:03}" for number in range(count)]
        for code in self.declined:
            said = self.lab.call(*self.lab.command(code, out=f"results/{self.chance.choice(SITES)}"), keys="no\n\n\n\n")
            self.expect(f"{code} declines ({said.stderr})", said.returncode, 0)

    def withdraw(self, codes):
        """They are in a dataset already, from which they go, too."""
        self.lab.call("collate", "results", "--out", "dataset")
        for code in codes:
            self.people[code]["erased"] = True
            said = self.lab.call("withdraw", "results", "dataset", "--participant", code, "--erase", "--yes")
            self.expect(f"{code} withdraws ({said.stdout} {said.stderr})", said.returncode, 0)

    @property
    def here(self):
        return {code: person for code, person in self.people.items() if not person["erased"]}

    def arms(self, people):
        return {arm: sum(person["arm"] == arm for person in people.values()) for arm in ARMS}

    def check_ledger(self):
        said = self.lab.call("allocation", "verify", "ledger", "--results", "results")
        self.expect(f"verify ({said.stderr})", said.returncode, 0)
        counts = self.arms(self.people)
        self.expect("verify's first line", said.stdout.split("\n")[0],
                    f"calm: {len(self.people)} participants, {counts['short']} in short and {counts['long']} in long")
        self.expect("corrected", sorted(re.findall(r"^corrected: (\w+) is .*sex (\w+)", said.stdout, re.M)),
                    sorted((code, person["right"]) for code, person in self.people.items() if person["right"]))
        self.expect("in error", sorted(re.findall(r"^allocated in error: (\w+),", said.stdout, re.M)),
                    sorted(code for code, person in self.people.items() if person["error"]))
        said = self.lab.call("allocation", "reveal", "ledger", "--yes", "--format", "json")
        slots = {slot["participant"]: slot for slot in json.loads(said.stdout)["slots"]}
        self.expect("who has a slot", sorted(slots), sorted(self.people))
        for code, person in self.people.items():
            slot = slots[code]
            right = [person["site"], person["right"]] if person["right"] else None
            self.expect(f"{code} in the ledger",
                        [slot[key] for key in ("slot", "arm", "derived", "levels", "correctedLevels", "allocatedInError")],
                        [person["slot"], person["arm"], person["arm"], [person["site"], person["sex"]], right, person["error"]])

    def table(self, name):
        parts = sorted((self.lab.folder / "dataset" / name).rglob("*.ndjson"))
        return [json.loads(line) for part in parts for line in part.read_text().splitlines()]

    def check_tables(self):
        said = self.lab.call("collate", "results", "--out", "dataset")
        self.expect(f"collate ({said.stderr})", said.returncode, 0)
        sessions = {row["participant"]: row for row in self.table("sessions")}
        self.expect("sessions", sorted(sessions), sorted([*self.here, *self.declined]))
        answers = {(row["participant"], row["question"]): row for row in self.table("answers")}
        known = {(row["participant"], row["characteristic"]): row["value"] for row in self.table("participants")}
        for code, person in self.here.items():
            row = sessions[code]
            self.expect(f"{code} in the sessions", [row["arm"], row["status"]], [person["arm"], "completed"])
            self.expect(f"{code} in the participants", [known.get((code, name)) for name in ("site", "sex")],
                        [person["site"], person["sex"]])
            self.expect(f"{code}'s mood", answers[code, "mood"]["value"], person["mood"])
        for code in self.declined:
            self.expect(f"{code} in the sessions", [sessions[code]["arm"], sessions[code]["status"]], [None, "declined"])

    def check_analysis(self):
        for source in ("results", "dataset"):
            said = json.loads(self.lab.call("analyse", source, "--format", "json").stdout)
            study = said["studies"][0]
            erased = len(self.people) - len(self.here)
            self.expect(f"{source}: withdrawn", said["withdrawn"], erased)
            self.expect(f"{source}: participants", [study["participants"], study["statuses"]],
                        [len(self.here) + len(self.declined), {"completed": len(self.here), "declined": len(self.declined)}])
            self.expect(f"{source}: in the outcome", study["outcomes"][0]["participants"], len(self.here))
            if source == "results":
                self.expect("the log", {key: said["log"][key] for key in ("began", "here", "damaged", "erased", "missing", "problems")},
                            {"began": len(self.people) + len(self.declined), "here": len(self.here) + len(self.declined), "damaged": 0,
                             "erased": erased, "missing": 0, "problems": []})
            for table in study["characteristics"]:
                if table["question"] not in ("site", "sex"):
                    continue
                for column in table["columns"]:
                    some = [p for p in self.here.values() if column["name"] in ("all", p["arm"])]
                    found = {choice["name"]: choice["count"] for choice in column["values"].get("choices", [])}
                    values = [p[table["question"]] for p in some]
                    self.expect(f"{source}: {table['question']} in {column['name']}", found, {v: values.count(v) for v in set(values)})

    def check_flow(self):
        said = self.lab.call("report", "results", "--out", "report.html")
        self.expect(f"report ({said.stderr})", said.returncode, 0)
        page = html.unescape((self.lab.folder / "report.html").read_text())
        erased = len(self.people) - len(self.here)
        self.expect("report: withdrawn", bool(re.search(rf"withdrawn: {erased}\b", page + said.stdout + said.stderr)), True)
        self.texts = re.findall(r"<text[^>]*>([^<]*)</text>", re.search(r"<figure>.*?</figure>", page, re.S).group())
        self.expect("flow: all", self.texts[0], f"{len(self.here) + len(self.declined)} participants took part")
        counts = self.arms(self.here)
        for arm in ARMS:
            place = self.texts.index(f"Arm {arm}")
            self.expect(f"flow: {arm}", self.texts[place + 1], f"{counts[arm]} participants")
        self.expect("flow: analysed", sorted(text for text in self.texts if text.endswith("analysed")),
                    sorted(f"{counts[arm]} participants analysed" for arm in ARMS))

    def check_status(self):
        said = self.lab.call("study", "status", "results", "--ledger", "ledger")
        for code, person in self.here.items():
            line = re.search(rf"^  {code} .*", said.stdout, re.M)
            self.expect(f"{code} in the status", line and line.group().split()[2], person["arm"])
        without = re.search(r"without a run: (.*)", said.stdout)
        self.expect("allocated and without a run", sorted(without.group(1).split(", ")) if without else [],
                    sorted(code for code, person in self.people.items() if person["erased"]))
        said = self.lab.call("study", "log", "results")
        self.expect(f"study log ({said.stdout[-200:]})", said.returncode, 0)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--entrain", required=True)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", action="store_true", help="print the words of the flow diagram")
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options.entrain, pathlib.Path(folder) / "trial", options.count, random.Random(options.seed))
        trial.check_ledger()
        trial.check_tables()
        trial.check_analysis()
        trial.check_flow()
        trial.check_status()
    if options.show:
        print("\n".join(trial.texts))
    for finding in trial.findings:
        print(finding.replace("\n", " | ")[:500])
    people = trial.people.values()
    print(f"{len(people)} allocated, {sum(bool(p['right']) for p in people)} put right, {sum(p['error'] for p in people)} in error, "
          f"{sum(p['erased'] for p in people)} erased, {len(trial.declined)} declined; {trial.checks} comparisons, "
          f"{len(trial.findings)} findings")
    sys.exit(1 if trial.findings else 0)


if __name__ == "__main__":
    main()
