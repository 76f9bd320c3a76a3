"""Sends every study of the repository through every export, the tables, the page of a report and the validators.

    python3 Tests/ExportsTests/every_study.py ENTRAIN [STUDY …]

Each study is rehearsed by one participant, with a clip's file for whoever asks. The BIDS validator is asked where
bids-validator-deno is installed, frictionless where it is. Ends with 1 where anything fails.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
entrain = os.path.abspath(sys.argv[1])
studies = sys.argv[2:] or [p for p in sorted(glob.glob(f"{root}/Studies/**/*.yaml", recursive=True)) if "/catalogues/" not in p]
formats = ["bids", "openmhealth", "fhir", "researchkit2", "xdf", "edf", "spss", "psych-ds", "ro-crate"]
beside = os.path.dirname(sys.executable)
failed = []


def tool(name):
    return shutil.which(name, path=f"{beside}:{os.environ['PATH']}")


def run(what, *command):
    said = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if said.returncode:
        failed.append(what)
        print(f"FAIL  {what}: {(said.stderr or said.stdout)[-400:]}", flush=True)
    return not said.returncode


def judge(name, folder):
    if not tool("bids-validator-deno"):
        return
    said = subprocess.run([tool("bids-validator-deno"), folder, "--format", "json"], capture_output=True, text=True)
    errors = [(i["code"], i.get("location")) for i in json.loads(said.stdout)["issues"]["issues"] if i["severity"] == "error"]
    if errors:
        failed.append(name)
        print(f"FAIL  {name}: the BIDS validator finds {errors[:4]}", flush=True)


def check(path, work):
    name = os.path.relpath(path, root)
    # Whatever the clips are called, their files lie in one folder.
    clips = f"{work}/clips"
    os.makedirs(clips)
    for file in glob.glob(f"{root}/Media/**/*.*", recursive=True) + glob.glob(f"{root}/Studies/**/*.ogg", recursive=True):
        if not os.path.exists(f"{clips}/{os.path.basename(file)}"):
            shutil.copy(file, f"{clips}/{os.path.basename(file)}")
    if not run(f"{name} rehearse", entrain, "rehearse", path, "--participants", 1, "--out", f"{work}/bundles"):
        return
    for format in formats:
        more = ["--stimuli", clips] if format == "bids" else []
        run(f"{name} {format}", entrain, "export", f"{work}/bundles", "--to", format, "--out", f"{work}/{format}",
            "--include-simulated", *more)
    if os.path.exists(f"{work}/bids"):
        judge(f"{name} bids", f"{work}/bids")
    run(f"{name} report", entrain, "report", f"{work}/bundles", "--include-simulated", "--out", f"{work}/report.html")
    run(f"{name} analyse", entrain, "analyse", f"{work}/bundles", "--include-simulated")
    for form in ("csv", "parquet"):
        more = [] if form == "csv" else ["--format", form]
        run(f"{name} {form}", entrain, "collate", f"{work}/bundles", "--out", f"{work}/{form}", *more)
        if tool("frictionless"):
            run(f"{name} {form} frictionless", tool("frictionless"), "validate", f"{work}/{form}/datapackage.json")
    if tool("sqlite3"):
        said = subprocess.run(["sqlite3", "x.db"], stdin=open(f"{work}/csv/load-sqlite.sql"), cwd=f"{work}/csv",
                              capture_output=True, text=True)
        rows = subprocess.run(["sqlite3", f"{work}/csv/x.db", "SELECT name FROM counts WHERE found IS NOT promised"],
                              capture_output=True, text=True)
        if said.returncode or rows.returncode or rows.stdout:
            failed.append(name)
            print(f"FAIL  {name} SQLite: {said.stderr[-300:]} {rows.stderr[-300:]} {rows.stdout}", flush=True)


for study in studies:
    with tempfile.TemporaryDirectory(prefix="entrain-every-") as work:
        check(os.path.abspath(study), work)
print(f"{len(studies)} studies through {len(formats)} exports, tables, a page and validators: {len(failed)} fail")
sys.exit(1 if failed else 0)
