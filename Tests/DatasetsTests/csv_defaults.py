"""Reads the CSV tables of datasets with DuckDB, pandas, polars and R, each with its defaults, and compares types and cells
with the NDJSON of the same dataset: a column's type must not depend on what its rows hold.

    python3 Tests/DatasetsTests/csv_defaults.py ENTRAIN

What is not installed is skipped and named. Ends with 1 where anything differs. A column without any value has no type in
CSV; pandas has whole numbers as reals where one is missing; polars looks at a hundred rows.
"""

import glob
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from sealing import answer

READERS = ["duckdb", "pandas", "polars"]
problems = []
POLARS_LOOKS_AT = 100


def check(holds, what, detail=""):
    if not holds and what not in problems:
        problems.append(what)
        print(f"FAIL  {what}: {str(detail)[:300]}", flush=True)


def asked():
    return [r for r in READERS if importlib.util.find_spec(r)] + (["R"] if shutil.which("Rscript") else [])


def unguarded(cell):
    return cell[1:] if isinstance(cell, str) and cell.startswith("'") else cell


def compare(reader, place, kind, cells, values):
    missing = lambda cell: cell is None or cell != cell
    for cell, value in zip(cells, values):
        if value is None:
            check(missing(cell), f"{reader} {place}: missing", repr(cell))
        elif kind == "string":
            check(unguarded(cell) == value, f"{reader} {place}: text", f"{cell!r} of {value!r}")
        elif kind in ("integer", "number", "boolean"):
            check(cell == value, f"{reader} {place}: value", f"{cell!r} of {value!r}")


def with_duckdb(path, fields, rows):
    import duckdb

    relation = duckdb.sql(f"SELECT * FROM read_csv('{path}', hive_partitioning = false)")
    check(relation.columns == list(fields), f"DuckDB {path}: header", relation.columns)
    wanted = {"string": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN",
              "datetime": "TIMESTAMP WITH TIME ZONE"}
    # Times with a zone are fetched only where pytz is installed.
    cells = duckdb.sql("SELECT " + ", ".join(
        f'CAST("{f}" AS VARCHAR)' if k == "datetime" else f'"{f}"' for f, k in fields.items()) + " FROM relation").fetchall()
    check(len(cells) == len(rows), f"DuckDB {path}: rows", len(cells))
    for place, (field, kind) in enumerate(fields.items()):
        values = [row[field] for row in rows]
        if any(value is not None for value in values):
            check(str(relation.types[place]) == wanted[kind], f"DuckDB {path} {field}: type", relation.types[place])
            compare("DuckDB", f"{path} {field}", kind, [row[place] for row in cells], values)


def with_pandas(path, fields, rows):
    import pandas

    table = pandas.read_csv(path)
    check(list(table.columns) == list(fields) and len(table) == len(rows), f"pandas {path}: columns and rows", len(table))
    for field, kind in fields.items():
        values = [row[field] for row in rows]
        misses = any(value is None for value in values)
        wanted = {"string": "str", "integer": "float64" if misses else "int64", "number": "float64",
                  "boolean": "object" if misses else "bool", "datetime": "str"}[kind]
        if any(value is not None for value in values):
            check(str(table[field].dtype) == wanted, f"pandas {path} {field}: type", table[field].dtype)
            compare("pandas", f"{path} {field}", kind, table[field].tolist(), values)


def with_polars(path, fields, rows):
    import polars as pl

    table = pl.read_csv(path)
    check(table.columns == list(fields) and len(table) == len(rows), f"polars {path}: columns and rows", len(table))
    wanted = {"string": pl.String, "integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean, "datetime": pl.String}
    for field, kind in fields.items():
        values = [row[field] for row in rows]
        if any(value is not None for value in values[:POLARS_LOOKS_AT]):
            check(table.schema[field] == wanted[kind], f"polars {path} {field}: type", table.schema[field])
            compare("polars", f"{path} {field}", kind, table[field].to_list(), values)


R = """
for (path in commandArgs(TRUE)) {
  table <- read.csv(path, encoding = "UTF-8")
  cat(path, nrow(table), sapply(table, class), "\\n")
}
"""


def with_r(paths, folder):
    open(f"{folder}/classes.R", "w").write(R)
    said = subprocess.run(["Rscript", "--vanilla", f"{folder}/classes.R", *paths], capture_output=True, text=True)
    check(said.returncode == 0, "R reads every file", said.stderr)
    wanted = {"string": {"character"}, "integer": {"integer", "numeric"}, "number": {"numeric"}, "boolean": {"logical"},
              "datetime": {"character"}}
    for line in said.stdout.splitlines():
        path, count, *classes = line.split()
        fields, rows = paths[path]
        check(int(count) == len(rows), f"R {path}: rows", count)
        for (field, kind), found in zip(fields.items(), classes):
            if any(row[field] is not None for row in rows):
                check(found in wanted[kind], f"R {path} {field}: type", found)


def judge(dataset, only=()):
    """Reads the tables of a dataset; returns its files with their columns and rows."""
    files = {}
    for resource in json.load(open(f"{dataset}/datapackage.json"))["resources"]:
        if only and resource["name"].split("-")[0] not in only:
            continue
        path = f"{dataset}/{resource['path']}"
        fields = {f["name"]: f["type"] for f in resource["schema"]["fields"]}
        rows = [json.loads(l) for l in open(path[:-3] + "ndjson", encoding="utf-8", newline="\n")]
        check(rows != [], f"{path}: no rows, and a file all the same")
        files[path] = (fields, rows)
        for reader in asked():
            if reader != "R":
                globals()[f"with_{reader}"](path, fields, rows)
        # What is in quotes needs them.
        for cell in re.findall(r'(?:^|,)"((?:[^"]|"")*)"', open(path, encoding="utf-8", newline="\n").read(), re.MULTILINE):
            needs = any(sign in ',"' or sign < " " for sign in cell) or (cell[0] == cell[-1] == "'")
            check(needs, f"{path}: needless quotes", cell)
    return files


# Each is the answer of a bundle of its own, and the whole of its column.
TEXTS = [
    "", " ", "1", "007", "1.5", "1e5", ".5", "5.", "0x1F", "0b101", "1i", "2+3i", "inf", "Inf", "Infinity", "nan", "NaN", "NA",
    "N/A", "n/a", "NULL", "null", "None", "<NA>", "#N/A", "true", "True", "TRUE", "T", "f", "yes", "no", "1990-05-01",
    "1990/05/01", "01.05.1990", "5/1/1990", "12:30", "12:30:00", "2026-11-21T05:00:00Z", "2026-11-21 05:00:00+01:00", "epoch",
    " 7", "7 ", "18446744073709551615", "123456789012345678901234567890", "+5", "-1", "=1+1", "'", "''", "'7", "\u0663", "\uFF11",
    "a b", " lead", "trail ", "a;b", "#comment", "a,b", "say \"so\"", "1.#IND", "1 2", "12345678-1234-4123-8123-123456789012",
    "0.1.0", "1.2.30", "P01", "rest", "no.", "nan's", "1st", "e5", "it's", "-", "--", "{}", "[1,2]", "$5", "1%",
]


def main():
    entrain = os.path.abspath(sys.argv[1])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with tempfile.TemporaryDirectory() as work:
        run = lambda *words: subprocess.run([entrain, *words], capture_output=True, text=True)
        for number, study in enumerate(sorted(glob.glob(f"{root}/Studies/**/*.yaml", recursive=True))):
            # Some need a task to be named, or what this machine lacks.
            run("rehearse", study, "--participants", "3", "--out", f"{work}/studies/{number}")
        done = run("collate", f"{work}/studies", "--out", f"{work}/all", "--pool-revisions")
        check(done.returncode == 0, "collate", done.stderr)
        files = judge(f"{work}/all")
        open(f"{work}/texts.yaml", "w").write(
            "entrain: 1\nstudy: {identifier: texts, title: Texts, seed: 18446744073709551615}\ntasks:\n"
            "  - identifier: task\n    steps:\n      - {type: question, identifier: words, title: Words, answer: {text: {}}}\n"
            "      - {type: completion, identifier: done, title: Done}\n")
        run("rehearse", f"{work}/texts.yaml", "--participants", str(len(TEXTS)), "--out", f"{work}/texts")
        for text, name in zip(TEXTS, sorted(os.listdir(f"{work}/texts"))):
            answer(f"{work}/texts/{name}", text)
            done = run("collate", f"{work}/texts/{name}", "--out", f"{work}/of/{name}")
            check(done.returncode == 0, f"collate {text!r}", done.stdout)
            files |= judge(f"{work}/of/{name}", only=("answers", "sessions"))
        if "R" in asked():
            with_r(files, work)
    if problems:
        sys.exit(f"{len(problems)} problems")
    print(f"CSV: {len(files)} files have the types of their columns to {', '.join(asked())}, with their defaults")


if __name__ == "__main__":
    main()
