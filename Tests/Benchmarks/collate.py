"""Times `entrain collate` beside Python with orjson and DuckDB's read_json, in the same run.

    python3 Tests/Benchmarks/collate.py ENTRAIN [COUNT…] [--keep FOLDER]

Rehearses COUNT bundles (2000 and 20000) with 30 heart rates each, collates them, then once more with 100 new ones.
Entrain checks every sum and writes all tables in two forms; the others write the heart rates only and check nothing.
Every figure is the best of three, with the processor's time beside it: on a busy machine only that can be compared.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
arguments = sys.argv[1:]
keep = arguments.pop(arguments.index("--keep") + 1) if "--keep" in arguments else None
arguments = [a for a in arguments if a != "--keep"]
entrain = os.path.abspath(arguments[0])
counts = [int(count) for count in arguments[1:]] or [2000, 20000]

orjson = """
import csv, orjson, os, sys
out = csv.writer(open(sys.argv[2], "w", newline=""))
for name in sorted(os.listdir(sys.argv[1])):
    bundle = f"{sys.argv[1]}/{name}"
    result = orjson.loads(open(f"{bundle}/result.json", "rb").read())
    for number, step in enumerate(result["results"], 1):
        clip = step["userInfo"].get("stimulus", {}).get("identifier")
        for file in step["results"]:
            if "fileName" in file:
                path = f"{bundle}/steps/{number:02d}-{step['identifier']}/{file['fileName']}"
                for item in orjson.loads(open(path, "rb").read())["items"]:
                    out.writerow([name, result["userInfo"]["participant"], step["identifier"], clip,
                                  item["metadata"]["runOffset"], item["value"]])
"""
duckdb = """
import duckdb, sys
duckdb.sql(f"COPY (SELECT filename, i.metadata.runOffset, i.value FROM (SELECT filename, unnest(items) AS i "
           f"FROM read_json('{sys.argv[1]}/*/steps/*/HK*.json', filename = true))) TO '{sys.argv[2]}'")
"""


def timed(name, command, before=lambda: None, times=3):
    best = None
    for _ in range(times):
        before()
        start, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        if status:
            return print(f"  {name:34} failed")
        if best is None or wall < best[0]:
            best = (wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    print(f"  {name:34} {best[0]:7.2f} s  processor {best[1]:6.2f} s  memory {best[2]:5.0f} MB")


with tempfile.TemporaryDirectory(dir=keep) as work:
    study = f"{root}/Studies/music-heart-rate.yaml"
    rehearse = lambda count, seed, out: subprocess.run(
        [entrain, "rehearse", study, "--participants", str(count), "--seed", str(seed), "--out", out],
        check=True, stdout=subprocess.DEVNULL)
    rehearse(100, 2, f"{work}/new")
    for count in counts:
        bundles, dataset = f"{work}/{count}", f"{work}/dataset"
        rehearse(count, 1, bundles)
        print(f"{count} bundles, load {os.getloadavg()[0]:.1f}")
        times = 3 if count <= 20000 else 1
        forget = lambda: shutil.rmtree(dataset, ignore_errors=True)
        timed("entrain collate --format parquet",
              [entrain, "collate", bundles, "--out", dataset, "--format", "parquet"], forget, times)
        timed("entrain collate", [entrain, "collate", bundles, "--out", dataset], forget, times)
        timed("Python with orjson", [sys.executable, "-c", orjson, bundles, f"{work}/o.csv"], times=times)
        timed("DuckDB read_json", [sys.executable, "-c", duckdb, bundles, f"{work}/d.csv"], times=times)
        timed("entrain collate, nothing new", [entrain, "collate", bundles, "--out", dataset])
        timed("entrain collate, 100 new", [entrain, "collate", bundles, f"{work}/new", "--out", dataset], times=1)
        shutil.rmtree(bundles)
        forget()
