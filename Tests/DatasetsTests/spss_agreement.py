#!/usr/bin/env python3
"""Reads an export to SPSS with pyreadstat (ReadStat), and compares every cell and every label with the tables of a dataset.

    python3 Tests/DatasetsTests/spss_agreement.py ENTRAIN WORK
"""
import csv, glob, json, math, os, subprocess, sys

import pyreadstat

entrain, work = os.path.abspath(sys.argv[1]), sys.argv[2]
study = os.path.join(os.path.dirname(os.path.abspath(__file__)), "every-answer.yaml")
os.makedirs(work)


def run(*words):
    subprocess.run([entrain, *words], check=True, capture_output=True)


def rows(table):
    return [json.loads(line) for path in sorted(glob.glob(f"{work}/tables/{table}/*/*/*.ndjson")) for line in open(path)]


for session in ("1", "2"):
    run("rehearse", study, "--participants", "30", "--session", session, "--out", f"{work}/bundles")
run("export", f"{work}/bundles", "--to", "spss", "--out", f"{work}/spss", "--include-simulated")
run("collate", f"{work}/bundles", "--out", f"{work}/tables")
table, meta = pyreadstat.read_sav(f"{work}/spss/words.sav", user_missing=True)
counted, _ = pyreadstat.read_sav(f"{work}/spss/words.sav")
table, counted = (t.set_index("participant") for t in (table, counted))
book = {(row["step"], row["question"], row["value"]): row for row in rows("codebook")}
titles = {(row["step"], row["question"]): row["title"] for row in rows("codebook")}
compared = 0


def expect(found, wanted, what):
    global compared
    compared += 1
    same = (found is None or found == "" or found != found) if wanted is None else (
        abs(found - wanted) < 1e-9 if isinstance(wanted, float) else found == wanted)
    if not same:
        sys.exit(f"{what}: {found!r} in SPSS, {wanted!r} in the tables")


for row in rows("answers"):
    name = f"s{row['session']}.{row['step']}" + (f".v{row['visit']}" if row["visit"] > 1 else "")
    if row["question"] != row["step"].split(".")[-1]:
        name += f".{row['question']}"
    who, kind, answer = row["participant"], row["kind"], row["answer"]
    if kind == "text":
        assert name not in table, name
        continue
    if kind == "choices":
        for (step, question, value), entry in book.items():
            if (step, question) == (row["step"], row["question"]):
                ticked = None if answer is None else float(value in json.loads(answer))
                expect(table.loc[who, f"{name}.{value}"], ticked, f"{who} {name}.{value}")
                expect(meta.column_names_to_labels[f"{name}.{value}"], f"{row_title}: {entry['label']}"
                       if (row_title := titles[step, question]) else None, name)
        continue
    found = table.loc[who, name]
    if kind in ("date", "timeOfDay"):
        expect(found, None if answer is None else answer[:10], f"{who} {name}")
        continue
    if titles.get((row["step"], row["question"])):
        expect(meta.column_names_to_labels[name], titles[row["step"], row["question"]], f"label of {name}")
    if kind == "choice" and answer is not None:
        entry = book[row["step"], row["question"], answer]
        expect(meta.variable_value_labels[name][found], entry["label"], f"{who} {name}")
        # What says that there is no answer has a number of its own, and does not count.
        expect(bool(math.isnan(counted.loc[who, name])), entry["missing"], f"{who} {name}, missing")
        if row["value"] is not None:
            expect(found, row["value"], f"{who} {name}")
        if row["reaction_seconds"] is not None:
            expect(table.loc[who, f"{name}.ms"], row["reaction_seconds"] * 1000, f"{who} {name}.ms")
            expect(table.loc[who, f"{name}.right"], float(row["right"]), f"{who} {name}.right")
    else:
        expect(found, row["value"], f"{who} {name}")
assert len(table) == 30 and set(table["origin"]) == {"simulated"}
print(f"SPSS: {compared} cells and labels of {table.shape[0]} participants and {table.shape[1]} columns agree")
