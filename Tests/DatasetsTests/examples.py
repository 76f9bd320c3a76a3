"""Runs the examples of the page "Ten lines to read results" and compares what they print.

    entrain rehearse Studies/music-crossover.yaml --participants 12 --out BUNDLES
    python3 Tests/DatasetsTests/examples.py ENTRAIN BUNDLES [--swift SCRATCH]

Python is always asked; R, DuckDB and SQLite where they are installed; Swift, in a package of its own that depends on
this one by its path, with --swift and a folder for what is built.
"""

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
page = open(f"{root}/Sources/Documentation/Entrain.docc/ReadingResults.md").read()
entrain, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
bundles = sorted(glob.glob(f"{folder}/*/"))


def example(language, beginning=""):
    blocks = re.findall(rf"```{language}\n(.*?)```", page, re.S)
    (block,) = [b for b in blocks if b.startswith(beginning)]
    lines = block.count("\n") - block.count("\n\n")
    assert lines <= 11, f"{language}: {lines} lines"
    return block


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command[:3])[:200]} ends with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def figures(text):
    rows = (line.split() for line in text.splitlines() if line.strip())
    return {(who, clip): (int(float(count)), float(mean)) for who, clip, count, mean in rows}


def swift(work):
    scratch = os.path.abspath(sys.argv[sys.argv.index("--swift") + 1])
    package = f"{work}/package"
    os.makedirs(f"{package}/Sources/rates")
    manifest = example("swift", "// swift-tools").replace('path: "../entrain"', f'name: "entrain", path: "{root}"')
    open(f"{package}/Package.swift", "w").write(manifest)
    open(f"{package}/Sources/rates/main.swift", "w").write(example("swift", "import Results"))
    where = ["--package-path", package, "--scratch-path", scratch]
    if subprocess.run(["swift", "package", *where, "resolve"], capture_output=True).returncode:
        return print("skipped: the packages for Swift's example cannot be fetched")
    run("swift", "build", "--quiet", *where)
    return run(f"{run('swift', 'build', '--show-bin-path', *where).strip()}/rates", *bundles)


with tempfile.TemporaryDirectory() as work:
    dataset = f"{work}/dataset"
    run(entrain, "collate", folder, "--out", dataset)
    wanted = figures(run(sys.executable, "-c", example("python"), *bundles))
    found = {}
    if shutil.which("Rscript"):
        found["R"] = run("Rscript", "-e", example("r"), cwd=work)
    if importlib.util.find_spec("duckdb"):
        script = "import duckdb; d = duckdb.connect(); d.execute(open('load.sql').read())\n"
        script += f"for row in d.execute({example('sql')!r}).fetchall(): print(*row)"
        found["DuckDB"] = run(sys.executable, "-c", script, cwd=dataset)
    if shutil.which("sqlite3"):
        script = open(f"{dataset}/load-sqlite.sql").read() + '.mode list\n.separator " "\n' + example("sql")
        found["SQLite"] = run("sqlite3", input=script, cwd=dataset)
    if "--swift" in sys.argv:
        said = swift(work)
        found.update({"Swift": said} if said else {})
    for name, text in found.items():
        rows = figures(text)
        assert rows.keys() == wanted.keys(), f"{name}: {sorted(rows)[:3]} instead of {sorted(wanted)[:3]}"
        for key, (count, mean) in rows.items():
            assert count == wanted[key][0] and abs(mean - wanted[key][1]) < 1e-9, f"{name} {key}: {count} {mean}"
print(f"{len(wanted)} clips are the same in Python, {', '.join(found)}")
