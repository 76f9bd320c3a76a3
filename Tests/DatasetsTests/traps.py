"""Collates bundles made to mislead readers that guess, and compares what every reader finds with the bundles.

    python3 Tests/DatasetsTests/traps.py ENTRAIN

The first forty bundles, which readers look at to guess types, hold only whole heart rates and no signal quality; the
others have fractions and quality. Texts that people can write are those that spreadsheets, shells, parsers and
databases are known to stumble over. Each bundle is sealed anew. Needs nothing but Python; DuckDB, pandas, jq,
SQLite and frictionless are asked where they are installed.
"""

import csv
import glob
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

from sealing import answer, write

entrain = os.path.abspath(sys.argv[1])
problems, asked = [], []

study = """entrain: 1
study: {identifier: traps, title: Traps, seed: 1}
sources: {heartRate: {type: simulated, restingRate: 64}}
tasks:
  - identifier: task
    steps:
      - {type: active, identifier: rest, duration: 10 s, recorders: [{type: heartRate, identifier: heartRate}]}
      - {type: question, identifier: words, title: Words, answer: {text: {}}}
      - {type: completion, identifier: done, title: Done}
"""

naughty = [
    "", " ", "  lead and trail  ", "=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "-1.5e3", "@SUM(A1)", "'", "''", "'=1",
    "\t", "\ttab", "\r", "\n", "\r\n", "a\nb", "a\rb", "a\r\nb", "\"", "\"\"", "a\"b", "\"quoted\"", "a,b", "a;b",
    "a\tb", ",", ";", "\\", "\\n", "\\\"", "a\\", "NULL", "null", "None", "NA", "N/A", "n/a", "nan", "NaN", "inf",
    "-Infinity", "true", "false", "True", "0", "00", "1.10", "1e5", "0x10", "1,000", "1_000", "1970-01-01",
    "12:30", "2026-11-21T05:00:00Z", "undefined", "[]", "{}", "{\"a\":1}", "[1,2]", "é", "e\u0301", "日本語",
    "\U0001F600", "👩‍👩‍👧‍👦", "\u202Eright to left", "\u200B", "\uFEFFbom", "\u00A0", "\u2028", "\u2029", "\u0085",
    "\u0001", "\u0007", "\u001B[31mred", "\u007F", "\u009B31m", "ﷺ", "Ṱ̺̺̕o͞ ̷i̲̬", "<script>alert(1)</script>",
    "'; DROP TABLE samples; --", "$(rm -rf /)", "`id`", "%s%n", "../../etc/passwd", "C:\\Windows", "a" * 5000,
    "#comment", "--", "/*", "|", "||", "~", "^", "&", "\u00AD", "İ", "ß", "ｆｕｌｌ",
]


def change(bundle, place, text, fractions):
    for path in glob.glob(f"{bundle}/steps/*/HK*.json"):
        recording = json.load(open(path))
        for item in recording["items"]:
            item["value"] = float(int(item["value"])) + (0.25 if fractions else 0.0)
            item["source"] = text or "strap"
            if fractions:
                item["metadata"]["quality"] = 0.875
        write(path, recording)
    answer(bundle, text)


def check(what, found, wanted):
    close = isinstance(wanted, float) and found is not None and abs(float(found) - wanted) <= 1e-9 * max(1, abs(wanted))
    if not close and found != wanted:
        problems.append(f"{what}: {str(found)[:200]!r} instead of {str(wanted)[:200]!r}")


def unguarded(cell):
    return cell[1:] if cell.startswith("'") else cell


def with_csv(dataset, truth):
    rows = lambda table: [r for p in sorted(glob.glob(f"{dataset}/{table}/*/*/*.csv"))
                          for r in csv.DictReader(open(p, newline="", encoding="utf-8"))]
    samples = rows("samples")
    check("csv count", len(samples), truth["count"])
    check("csv sum", sum(float(r["bpm"]) for r in samples), truth["sum"])
    check("csv quality", sum(float(r["quality"]) for r in samples if r["quality"]), truth["quality"])
    for row in rows("answers"):
        check(f"csv answer {row['run']}", unguarded(row["answer"]), truth["answers"][row["run"]])
        bare = row["answer"][:1]
        if bare and bare in "=+-@\t\r":
            problems.append(f"csv: a formula is not guarded: {row['answer']!r}")
    for row in samples[::10]:
        check("csv source", unguarded(row["source"]), truth["answers"][row["run"]] or "strap")
    lines = [json.loads(l) for p in glob.glob(f"{dataset}/answers/*/*/*.ndjson") for l in open(p, encoding="utf-8", newline="\n")]
    for row in lines:
        check("ndjson answer", row["answer"], truth["answers"][row["run"]])
    check("ndjson answers", len(lines), len(truth["answers"]))


def with_jq(dataset, truth, bundles):
    program = "[inputs.items[].value] | [length, add]"
    files = sorted(glob.glob(f"{bundles}/*/steps/*/HK*.json"))
    raw = json.loads(subprocess.run(["jq", "-n", "-c", program, *files], check=True, capture_output=True).stdout)
    check("jq on bundles", raw[0], truth["count"])
    check("jq on bundles, sum", raw[1], truth["sum"])
    files = glob.glob(f"{dataset}/samples/*/*/*.ndjson")
    rows = json.loads(subprocess.run(
        ["jq", "-n", "-c", "[inputs.bpm] | [length, add]", *files], check=True, capture_output=True).stdout)
    check("jq on the dataset", rows[0], truth["count"])
    check("jq on the dataset, sum", rows[1], truth["sum"])


def with_duckdb(dataset, truth, bundles):
    import duckdb

    one = lambda sql: duckdb.sql(sql).fetchall()[0]
    for what, source in {
        "guessing at CSV": f"'{dataset}/samples/*/*/*.csv'", "guessing at NDJSON": f"'{dataset}/samples/*/*/*.ndjson'",
        "guessing at bundles": f"(SELECT unnest(items).value AS bpm FROM '{bundles}/*/steps/*/HK*.json')",
    }.items():
        count, total = one(f"SELECT count(*), sum(bpm) FROM {source}")
        check(f"DuckDB {what}", count, truth["count"])
        check(f"DuckDB {what}, sum", total, truth["sum"])
    here = os.getcwd()
    os.chdir(dataset)
    database = duckdb.connect()
    database.execute(open("load.sql").read())
    count, total, quality = database.execute("SELECT count(*), sum(bpm), sum(quality) FROM samples").fetchall()[0]
    check("DuckDB count", count, truth["count"])
    check("DuckDB sum", total, truth["sum"])
    check("DuckDB quality", quality, truth["quality"])
    for run, answer in database.execute("SELECT run, answer FROM answers").fetchall():
        check("DuckDB answer", answer, truth["answers"][run])
    os.chdir(here)


def with_pandas(dataset, truth, bundles):
    import pandas

    table = lambda name, **options: pandas.concat(
        pandas.read_csv(p, **options) for p in sorted(glob.glob(f"{dataset}/{name}/*/*/*.csv")))
    samples = table("samples")
    check("pandas count", len(samples), truth["count"])
    check("pandas sum", float(samples["bpm"].sum()), truth["sum"])
    check("pandas quality", float(samples["quality"].sum()), truth["quality"])
    answers = table("answers", dtype=str, keep_default_na=False)
    for run, answer in zip(answers["run"], answers["answer"]):
        check(f"pandas answer {run}", unguarded(answer), truth["answers"][run])
    raw = [i["value"] for p in glob.glob(f"{bundles}/*/steps/*/HK*.json") for i in json.load(open(p))["items"]]
    check("pandas on bundles", float(pandas.Series(raw).sum()), truth["sum"])


def with_sqlite(dataset, truth):
    subprocess.run(["sqlite3", "dataset.db"], stdin=open(f"{dataset}/load-sqlite.sql"), check=True, cwd=dataset)
    import sqlite3

    database = sqlite3.connect(f"{dataset}/dataset.db")
    ((count, total, quality),) = database.execute("SELECT count(*), sum(bpm), sum(quality) FROM samples").fetchall()
    check("SQLite count", count, truth["count"])
    check("SQLite sum", total, truth["sum"])
    check("SQLite quality", quality, truth["quality"])
    for run, answer in database.execute("SELECT run, answer FROM answers"):
        check("SQLite answer", answer, truth["answers"][run])


def with_parquet(dataset, truth, bundles):
    import parquet_agreement

    outcome = subprocess.run([entrain, "collate", bundles, "--out", f"{dataset}-parquet", "--format", "parquet"])
    check("collate as Parquet", outcome.returncode, 0)
    parquet_agreement.judge(f"{dataset}-parquet")
    problems.extend(parquet_agreement.problems)
    rows = lambda place: sorted(line for path in glob.glob(f"{place}/answers/*/*/*.ndjson") for line in open(path, newline="\n"))
    check("NDJSON beside Parquet", rows(f"{dataset}-parquet"), rows(dataset))


def with_frictionless(dataset):
    command = os.path.join(os.path.dirname(sys.executable), "frictionless")
    outcome = subprocess.run([command, "validate", f"{dataset}/datapackage.json", "--json"], capture_output=True)
    try:
        report = json.loads(outcome.stdout)
    except ValueError:
        return problems.append(f"frictionless: {outcome.stdout[-300:]!r} {outcome.stderr[-300:]!r}")
    check("frictionless errors", report["stats"]["errors"], 0)
    for error in [e for t in report["tasks"] for e in t["errors"]][:5]:
        problems.append(f"frictionless: {error['message']}")


with tempfile.TemporaryDirectory() as work:
    open(f"{work}/traps.yaml", "w").write(study)
    number = max(len(naughty), 60)
    subprocess.run([entrain, "rehearse", f"{work}/traps.yaml", "--participants", str(number), "--out", f"{work}/made"],
                   check=True, capture_output=True)
    bundles = f"{work}/bundles"
    os.mkdir(bundles)
    truth = {"answers": {}, "count": 0, "sum": 0.0, "quality": 0.0}
    for place, name in enumerate(sorted(os.listdir(f"{work}/made"))):
        bundle = shutil.move(f"{work}/made/{name}", f"{bundles}/{place:03d}")
        text = naughty[place % len(naughty)]
        change(bundle, place, text, fractions=place >= 40)
        truth["answers"][name] = text
        for path in glob.glob(f"{bundle}/steps/*/HK*.json"):
            for item in json.load(open(path))["items"]:
                truth["count"] += 1
                truth["sum"] += item["value"]
                truth["quality"] += item["metadata"].get("quality", 0.0)
    dataset = f"{work}/dataset"
    outcome = subprocess.run([entrain, "collate", bundles, "--out", dataset], capture_output=True, text=True)
    check("collate", outcome.returncode, 0)
    if outcome.returncode:
        print(outcome.stdout, outcome.stderr)
    else:
        with_csv(dataset, truth)
        asked.append("Python")
        if shutil.which("jq"):
            with_jq(dataset, truth, bundles)
            asked.append("jq")
        for module, read in {"duckdb": with_duckdb, "pandas": with_pandas, "pyarrow": with_parquet}.items():
            if importlib.util.find_spec(module):
                read(dataset, truth, bundles)
                asked.append(module)
        if importlib.util.find_spec("frictionless"):
            with_frictionless(dataset)
            asked.append("frictionless")
        if shutil.which("sqlite3"):
            with_sqlite(dataset, truth)
            asked.append("SQLite")
for problem in problems[:40]:
    print(problem)
if problems:
    sys.exit(1)
print(f"{truth['count']} heart rates and {len(truth['answers'])} texts are the same to {', '.join(asked)}")
