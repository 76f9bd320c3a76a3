"""Runs Studies/analysis/*.sql unchanged on every engine that is installed, and compares with what `entrain analyse`
says of the heart rates as they were notified.

    entrain rehearse Studies/music-crossover.yaml --participants 12 --out BUNDLES
    python3 Tests/DatasetsTests/sql_agreement.py ENTRAIN BUNDLES [--sites] [duckdb] [spark] [sqlite]

Collates the bundles, loads the dataset with the scripts that stand in it, and ends with 1 where anything differs.
With --sites, each half of the bundles is a site of its own, and the commands of the page about many machines make the
scripts that load both.
Engines that are named must be there; without names, those that are there are tried.
"""

import csv
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
scripts = [f"{root}/Studies/analysis/{name}.sql" for name in ("responses", "groups", "flow", "courses")]
entrain, bundles = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
problems = []


def statements(path):
    """The statements of a file, one by one, as an engine without scripts wants them."""
    lines = [line for line in open(path) if not line.startswith("--")]
    return [s for s in (s.strip() for s in "".join(lines).split(";\n")) if s]


def check(what, found, wanted):
    same = found is wanted if found is None or wanted is None else (
        found == wanted if isinstance(wanted, (str, list)) else abs(found - wanted) <= 1e-9 * max(1.0, abs(wanted)))
    if not same:
        problems.append(f"{what}: {found} instead of {wanted}")


def grouped(responses):
    """The notified responses of each group, each participant once."""
    members = {}
    for r in responses:
        tempo = r["tempo"]
        band = tempo is not None and (
            "tempo below 80" if tempo < 80 else "tempo 80 to 119" if tempo < 120 else "tempo 120 and above")
        for kind, name in [("all", "all clips"), ("tempo", band), ("mood", r["mood"]), ("clip", r["clip"])]:
            if name:
                members.setdefault((kind, name), {}).setdefault(r["participant"], []).append(r["notifiedChange"])
    groups = {}
    for key, people in members.items():
        means = [statistics.mean(changes) for changes in people.values()]
        deviation = statistics.stdev(means) if len(means) > 1 else None
        groups[key] = {
            "clips": sum(map(len, people.values())), "participants": len(means), "mean": statistics.mean(means),
            "deviation": deviation, "dz": statistics.mean(means) / deviation if deviation and deviation > 1e-9 else None}
    return groups


def check_views(engine, query, answer):
    """`query` gives rows as tuples."""
    for name, found, promised in query("SELECT name, found, promised FROM counts"):
        check(f"{engine} {name}", found, promised)
    ((found, promised),) = query("SELECT (SELECT count(*) FROM labelled), (SELECT count(*) FROM answers)")
    check(f"{engine} labelled", found, promised)
    (study,) = answer["studies"]
    rows = query("SELECT run, stimulus, participant, baseline, change, coverage FROM responses")
    wanted = {(r["run"], r["clip"]): r for r in study["responses"] if r["notifiedChange"] is not None}
    check(f"{engine} responses", len(rows), len(wanted))
    for run, clip, participant, baseline, change, coverage in rows:
        response = wanted[run, clip]
        check(f"{engine} {participant} {clip} participant", participant, response["participant"])
        check(f"{engine} {participant} {clip} baseline", baseline, response["notifiedBaseline"])
        check(f"{engine} {participant} {clip} change", change, response["notifiedChange"])
        check(f"{engine} {participant} {clip} coverage", coverage, response["coverage"])
    groups = grouped(wanted.values())
    named = {(g["kind"], g["name"]) for g in study["groups"] if g["kind"] != "slope"}
    if groups.keys() != named:
        problems.append(f"{engine} groups: {sorted(groups)} instead of {sorted(named)}")
    rows = query("SELECT kind, name, clips, participants, mean, deviation, dz FROM response_groups")
    check(f"{engine} groups", len(rows), len(groups))
    for kind, name, *figures in rows:
        group = groups[kind, name]
        for key, figure in zip(["clips", "participants", "mean", "deviation", "dz"], figures):
            check(f"{engine} {kind} {name} {key}", figure, group[key])
    wanted = {}
    for row in csv.DictReader(open("../courses.csv", newline="")):
        if row["notified_change"]:
            wanted.setdefault((row["run"], row["step"], int(row["visit"])), {})[int(row["second"])] = float(row["notified_change"])
    rows = query("SELECT courses.run, step, visit, second, change FROM courses "
                 "JOIN steps ON steps.run = courses.run AND steps.position = courses.position")
    check(f"{engine} seconds", len(rows), sum(map(len, wanted.values())))
    for run, step, visit, second, change in rows:
        check(f"{engine} {run} {step} second {second}", change, wanted.get((run, step, visit), {}).get(second))
    means = query("SELECT second, participants, mean FROM course_means ORDER BY second")
    check(f"{engine} seconds of means", len(means), len({second for course in wanted.values() for second in course}))
    (row,) = query("SELECT sum(sessions), sum(samples), sum(clips) FROM flow")
    totals = query("SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM samples), "
                   "(SELECT count(*) FROM steps WHERE stimulus IS NOT NULL)")[0]
    for what, found, total in zip(["sessions", "samples", "clips"], row, totals):
        check(f"{engine} flow {what}", int(found), total)


def on_duckdb(answer):
    import duckdb

    database = duckdb.connect()
    for path in ["load.sql", *scripts]:
        database.execute(open(path).read())
    check_views("DuckDB", lambda sql: database.execute(sql).fetchall(), answer)
    return f"DuckDB {duckdb.__version__}"


def on_spark(answer):
    import pyspark
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC")
        .config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false").getOrCreate())
    for path in ["load-spark.sql", *scripts]:
        for statement in statements(path):
            spark.sql(statement)
    check_views("Spark", lambda sql: [tuple(row) for row in spark.sql(sql).collect()], answer)
    spark.stop()
    return f"Spark {pyspark.__version__}"


def on_sqlite(answer):
    """The tables only: SQLite has no views of this form."""
    subprocess.run(["sqlite3", "dataset.db"], stdin=open("load-sqlite.sql"), check=True)
    import sqlite3

    database = sqlite3.connect("dataset.db")
    for name, found, promised in database.execute("SELECT name, found, promised FROM counts"):
        check(f"SQLite {name}", found, promised)
    ((clips,),) = database.execute(
        "SELECT count(*) FROM steps WHERE stimulus IS NOT NULL AND NOT skipped").fetchall()
    check("SQLite clips", clips, answer["studies"][0]["clips"])
    return f"SQLite {sqlite3.sqlite_version}"


engines = {
    "duckdb": (on_duckdb, importlib.util.find_spec("duckdb")),
    "spark": (on_spark, importlib.util.find_spec("pyspark") and shutil.which("java")),
    "sqlite": (on_sqlite, shutil.which("sqlite3")),
}
page = f"{root}/Sources/Documentation/Entrain.docc/CollatingAtScale.md"
named = [word for word in sys.argv[3:] if word != "--sites"]
asked = named or list(engines)
with tempfile.TemporaryDirectory() as scratch:
    dataset = scratch + "/dataset"
    subprocess.run([entrain, "collate", bundles, "--out", dataset], check=True, capture_output=True)
    answer = json.loads(subprocess.run(
        [entrain, "analyse", dataset, "--include-simulated", "--format", "json", "--over-time", scratch + "/courses.csv"], check=True, capture_output=True).stdout)
    os.chdir(dataset)
    if "--sites" in sys.argv:
        os.mkdir(scratch + "/data")
        os.chdir(scratch + "/data")
        runs = sorted(os.listdir(bundles))
        for site, part in (("site-a", runs[::2]), ("site-b", runs[1::2])):
            paths = [os.path.join(bundles, run) for run in part]
            subprocess.run([entrain, "collate", *paths, "--out", site], check=True, capture_output=True)
        recipe = [line for line in open(page) if line.startswith("sed ")]
        check("commands of the page", len(recipe), 2)
        subprocess.run("".join(recipe), shell=True, check=True)
    done = []
    for name in asked:
        run, is_there = engines[name]
        if is_there:
            done.append(run(answer))
        elif named:
            problems.append(f"{name} is not installed")
        else:
            print(f"{name} is not installed: not checked")
    os.chdir("/")
for problem in problems[:40]:
    print(problem)
if problems:
    sys.exit(1)
where = "of two sites" if "--sites" in sys.argv else "of one dataset"
print(f"{len(answer['studies'][0]['responses'])} responses {where}: {', '.join(done)} agree with `entrain analyse`")
