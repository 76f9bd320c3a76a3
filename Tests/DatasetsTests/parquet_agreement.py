"""Reads the Parquet tables of datasets with pyarrow, DuckDB, pandas and polars, each with its defaults, and compares
every cell and every type with the NDJSON of the same dataset.

    python3 Tests/DatasetsTests/parquet_agreement.py ENTRAIN [SAMPLES]

Rehearses studies, collates them in two goes, and asks for refusals. SAMPLES is the least number of heart rates of a
large table (20000). What is not installed is skipped and named. Ends with 1 where anything differs.
"""

import datetime
import glob
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tempfile

READERS = ["pyarrow", "duckdb", "pandas", "polars"]
problems = []


def check(holds, what, detail=""):
    if not holds:
        problems.append(what)
        print(f"FAIL  {what}: {str(detail)[:400]}", flush=True)


def typed(kind, value):
    if value is None or kind != "datetime":
        return value
    return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))


def milliseconds(value):
    return round(value.timestamp() * 1000) if isinstance(value, datetime.datetime) else value


def tables(dataset):
    """Of each table its columns with their types, its files, and its rows as NDJSON has them, file by file."""
    listed = json.load(open(f"{dataset}/datapackage.json"))["resources"]
    parts = json.load(open(f"{dataset}/collation.json"))["parts"]
    check(len({r["name"] for r in listed}) == len(listed), "one resource a table", listed)
    # The package calls whole numbers that may be missing real ones, as pandas does.
    made = re.findall(r"CREATE TABLE (\w+) \((.*?)\n\);", open(f"{dataset}/load-sqlite.sql").read(), re.S)
    whole = {table: set(re.findall(r"^  (\w+) INTEGER", text, re.M)) for table, text in made}
    for resource in listed:
        fields = {f["name"]: "integer" if f["type"] == "number" and f["name"] in whole[resource["name"]] else f["type"]
                  for f in resource["schema"]["fields"]}
        required = {f["name"] for f in resource["schema"]["fields"] if f["constraints"]["required"]}
        of = {}
        for part in parts:
            if resource["name"] in part["tables"]:
                place = f"study={part['study']}/date={part['date']}/part-{part['number']:04d}.ndjson"
                path = f"parquet/{resource['name']}/part-{part['study']}-{part['date']}-{part['number']:04d}.parquet"
                of[path] = f"{resource['name']}/{place}"
        check(sorted(of) == sorted(resource["path"]), f"{resource['name']}: its files", resource["path"])
        rows = [json.loads(line) for path in sorted(of) for line in open(f"{dataset}/{of[path]}", encoding="utf-8", newline="\n")]
        yield resource["name"], fields, required, sorted(of), [
            [typed(kind, row[name]) for name, kind in fields.items()] for row in rows]


def normal(value):
    """What is missing as None, whole numbers of a column with missing ones as they were, times with their zone."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if type(value).__name__ in ("NaTType", "NAType"):
        return None
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime()
    return value.item() if hasattr(value, "item") else value


def compare(reader, name, found, wanted):
    check(len(found) == len(wanted), f"{reader} {name}: rows", f"{len(found)} instead of {len(wanted)}")
    for number, (row, truth) in enumerate(zip(found, wanted)):
        for place, (cell, value) in enumerate(zip(row, truth)):
            cell = normal(cell)
            if cell != value or (isinstance(value, bool) != isinstance(cell, bool)):
                return check(False, f"{reader} {name} row {number} column {place}", f"{cell!r} instead of {value!r}")


def with_pyarrow(folder, name, fields, required, files, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(),
             "datetime": pa.timestamp("ms", tz="UTC")}
    table = pq.read_table(f"{folder}/parquet/{name}")
    wanted = pa.schema([pa.field(n, types[k], nullable=n not in required) for n, k in fields.items()])
    check(table.schema.equals(wanted), f"pyarrow {name}: types", table.schema)
    table.validate(full=True)
    compare("pyarrow", name, list(zip(*(c.to_pylist() for c in table.columns))), rows)
    for path in files:
        file = pq.ParquetFile(f"{folder}/{path}")
        for group in range(file.metadata.num_row_groups):
            part = file.read_row_group(group)
            for place in range(file.metadata.num_columns):
                column = file.metadata.row_group(group).column(place)
                check(column.compression == "ZSTD", f"{path}: compression", column.compression)
                values = [v for v in part.column(place).to_pylist() if v is not None]
                said = column.statistics
                check(said.null_count == part.num_rows - len(values), f"{path} {column.path_in_schema}: null_count", said)
                if said.has_min_max:
                    check((said.min, said.max) == (min(values), max(values)), f"{path} {column.path_in_schema}: bounds", said)
                else:
                    longest = max((len(v.encode()) for v in values if isinstance(v, str)), default=0)
                    check(not values or longest > 64, f"{path} {column.path_in_schema}: no bounds", said)


def with_duckdb(folder, name, fields, required, files, rows):
    import duckdb

    types = {"string": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN",
             "datetime": "TIMESTAMP WITH TIME ZONE"}
    relation = duckdb.sql(f"SELECT * FROM '{folder}/parquet/{name}/*.parquet'")
    check(list(zip(relation.columns, map(str, relation.types))) == [(n, types[k]) for n, k in fields.items()],
          f"DuckDB {name}: types", relation.types)
    # Times with a zone are fetched only where pytz is installed.
    cells = duckdb.sql("SELECT " + ", ".join(
        f"epoch_ms({f})" if k == "datetime" else f'"{f}"' for f, k in fields.items()) + " FROM relation").fetchall()
    compare("DuckDB", name, cells, [[milliseconds(v) for v in row] for row in rows])
    # Bounds are used to leave row groups out.
    for field, kind in fields.items():
        present = [r[list(fields).index(field)] for r in rows]
        present = [v for v in present if v is not None]
        if present and kind in ("string", "integer", "number"):
            count = duckdb.execute(f"SELECT count(*) FROM '{folder}/parquet/{name}/*.parquet' WHERE \"{field}\" = ?",
                                   [present[-1]]).fetchall()[0][0]
            check(count == present.count(present[-1]), f"DuckDB {name}: rows with {field}", present[-1])


def with_pandas(folder, name, fields, required, files, rows):
    import pandas

    table = pandas.read_parquet(f"{folder}/parquet/{name}")
    check(list(table.columns) == list(fields), f"pandas {name}: columns", table.columns)
    for place, (field, kind) in enumerate(fields.items()):
        # With missing values, pandas has whole numbers as reals, and truth values as objects.
        misses = any(row[place] is None for row in rows)
        wanted = {"string": "str", "integer": "float64" if misses else "int64", "number": "float64",
                  "boolean": "object" if misses else "bool", "datetime": "datetime64[ms, UTC]"}[kind]
        check(str(table[field].dtype) == wanted, f"pandas {name} {field}: type", table[field].dtype)
    compare("pandas", name, list(zip(*(table[field].tolist() for field in fields))), rows)


def with_polars(folder, name, fields, required, files, rows):
    import polars as pl

    types = {"string": pl.String, "integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean,
             "datetime": pl.Datetime("ms", "UTC")}
    table = pl.read_parquet(f"{folder}/parquet/{name}")
    check(dict(table.schema) == {n: types[k] for n, k in fields.items()}, f"polars {name}: types", table.schema)
    compare("polars", name, table.rows(), rows)


def judge(dataset):
    """Compares a dataset with what every reader that is installed finds in it."""
    counts = {}
    for name, fields, required, files, rows in tables(dataset):
        counts[name] = len(rows)
        for reader in asked():
            globals()[f"with_{reader}"](dataset, name, fields, required, files, rows)
    if "duckdb" in asked():
        import duckdb

        here = os.getcwd()
        os.chdir(dataset)
        database = duckdb.connect()
        database.execute(open("load.sql").read())
        for name, found, promised in database.execute("SELECT * FROM counts").fetchall():
            check(found == promised == counts[name], f"load.sql: rows of {name}", (found, promised))
        os.chdir(here)
    return counts


def asked():
    return [reader for reader in READERS if importlib.util.find_spec(reader)]


def main():
    entrain = os.path.abspath(sys.argv[1])
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    run = lambda *words: subprocess.run([entrain, *words], capture_output=True, text=True)

    def rehearse(study, count, out):
        done = run("rehearse", study, "--participants", str(count), "--out", out)
        check(done.returncode == 0, f"rehearse {study}", done.stderr)

    with tempfile.TemporaryDirectory() as work:
        for number, study in enumerate(sorted(glob.glob(f"{root}/Studies/**/*.yaml", recursive=True))):
            # Some need a task to be named, or what this machine lacks.
            run("rehearse", study, "--participants", "3", "--out", f"{work}/studies/{number}")
        rehearse(f"{root}/Studies/music-crossover.yaml", 6, f"{work}/first")
        rehearse(f"{root}/Studies/music-crossover.yaml", 12, f"{work}/second")
        both = f"{work}/both"
        for bundles in ["first", "studies", "second"]:
            done = run("collate", f"{work}/{bundles}", "--out", both, "--pool-revisions",
                       *(["--format", "parquet"] if bundles != "second" else []))
            check(done.returncode == 0, f"collate {bundles}", done.stdout + done.stderr)
        counts = judge(both)
        check(counts["sessions"] >= 12 + 3 * 5 and counts.get("ratings"), "rehearsed", counts)

        # What analyses and reports say does not depend on the form of the tables.
        run("collate", f"{work}/second", "--out", f"{work}/csv")
        run("collate", f"{work}/second", "--out", f"{work}/parquet", "--format", "parquet")
        told = [run("analyse", f"{work}/{form}", "--include-simulated", "--format", "json") for form in ("csv", "parquet")]
        check(told[0].returncode == 0 and told[0].stdout == told[1].stdout, "analyse", told[1].stderr)
        done = run("report", f"{work}/parquet", "--include-simulated", "--out", f"{work}/report.html")
        check(done.returncode == 0, "report", done.stderr)
        for form, other in [("csv", "parquet"), ("parquet", "csv")]:
            done = run("collate", f"{work}/first", "--out", f"{work}/{form}", "--format", other)
            check(done.returncode == 65 and "another folder" in done.stderr, f"{other} into {form}", done.stderr)
        check(not glob.glob(f"{both}/**/*.csv", recursive=True), "no CSV beside Parquet")

        # A dataset of nothing, and one whose optional columns hold nothing.
        os.mkdir(f"{work}/nobody")
        run("collate", f"{work}/nobody", "--out", f"{work}/empty", "--format", "parquet")
        check(json.load(open(f"{work}/empty/datapackage.json"))["resources"] == [], "nothing of nobody")
        open(f"{work}/plain.yaml", "w").write(
            "entrain: 1\nstudy: {identifier: plain, title: Plain, seed: 18446744073709551615}\n"
            "sources: {heartRate: {type: simulated, restingRate: 64}}\n"
            "tasks:\n  - identifier: task\n    steps:\n"
            "      - {type: active, identifier: rest, duration: 600 s, recorders: [{type: heartRate, identifier: heartRate}]}\n"
            "      - {type: completion, identifier: done, title: Done}\n")
        rehearse(f"{work}/plain.yaml", max(3, samples // 600 + 1), f"{work}/plain")
        run("collate", f"{work}/plain", "--out", f"{work}/large", "--format", "parquet")
        large = judge(f"{work}/large")
        check(large["answers"] == large["draws"] == 0 and large["samples"] >= samples, "a large table, and empty ones", large)
    for problem in problems[:40]:
        print(problem)
    if problems:
        sys.exit(1)
    missing = [reader for reader in READERS if reader not in asked()]
    print(f"Parquet: {sum(counts.values()) + sum(large.values())} rows are the same to {', '.join(asked())}"
          + (f"; skipped: {', '.join(missing)}" if missing else ""))


if __name__ == "__main__":
    main()
