"""Collates while the program is killed, the disk fills, and bundles go, come and change.

    python3 Tests/DatasetsTests/collate_faults.py ENTRAIN [KILLS]

Ends with 1 where a dataset is not what an undisturbed collation makes, or where a fault goes untold.
"""

import filecmp
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

entrain = os.path.abspath(sys.argv[1])
kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
chance = random.Random(1)
problems = []


def check(holds, what, detail=""):
    print(("ok    " if holds else "FAIL  ") + what + (f": {detail}" if detail and not holds else ""), flush=True)
    if not holds:
        problems.append(what)


def run(*words, before=()):
    return subprocess.run([*before, entrain, *words], capture_output=True, text=True)


def rehearse(out, count, seed=1):
    run("rehearse", f"{root}/Studies/music-heart-rate.yaml", "--participants", str(count), "--seed", str(seed), "--out", out)


def same(left, right):
    """Whether two folders hold the same files with the same bytes."""
    files = [sorted(os.path.relpath(os.path.join(above, name), top) for above, _, names in os.walk(top) for name in names)
             for top in (left, right)]
    return files[0] == files[1] and filecmp.cmpfiles(left, right, files[0], shallow=False)[0] == files[0]


def counts(dataset):
    parts = json.load(open(f"{dataset}/collation.json"))["parts"]
    return sum(len(part["runs"]) for part in parts), sum(part["tables"]["samples"]["rows"] for part in parts)


def killed(folder, bundles, whole, *format):
    began = time.time()
    run("collate", bundles, "--out", f"{folder}/timed", *format)
    lasted = time.time() - began
    torn = 0
    for attempt in range(kills):
        out = f"{folder}/killed"
        child = subprocess.Popen([entrain, "collate", bundles, "--out", out, *format], stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, lasted))
        child.kill()
        child.wait()
        if os.path.exists(f"{out}/collation.json") and not same(out, whole):
            torn += 1
        run("collate", bundles, "--out", out, *format)
        torn += not same(out, whole)
        shutil.rmtree(out)
    shutil.rmtree(f"{folder}/timed")
    check(torn == 0, f"killed {kills} times and collated again: the same bytes", f"{torn} differ")


def faulty_disk(folder, bundles, whole, *format):
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
        return print("skip  faults of the disk: strace is not here, or may not trace")
    for call, error, when in [("write", "ENOSPC", "3+"), ("openat", "EIO", "300+"), ("mkdirat", "ENOSPC", "4+"),
                              ("fdatasync", "EIO", "2+"), ("renameat", "EIO", "5+"), ("fsync", "EIO", "1+")]:
        out = f"{folder}/fault"
        before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                  "-e", f"inject={call}:error={error}:when={when}"]
        said = run("collate", bundles, "--out", out, *format, before=before)
        # A bundle that cannot be read is named as damaged (65); a dataset that cannot be written ends with 74.
        # Where nothing can be written, nothing can be said either.
        told = said.returncode in (65, 74) and (said.stderr or said.stdout or call == "write")
        # Which call is the n-th one depends on the machine: where none failed, everything must be there.
        told = told or (said.returncode == 0 and same(out, whole))
        check(bool(told), f"{error} in {call} is told", f"{said.returncode} {said.stderr[-200:]}")
        run("collate", bundles, "--out", out, *format)
        samples = counts(out)
        check(samples == counts(whole), f"after {error} in {call}, another collation has everything", str(samples))
        shutil.rmtree(out, ignore_errors=True)


def full_disk(folder, bundles, whole, *format):
    small = f"{folder}/small"
    os.mkdir(small)
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small], capture_output=True).returncode:
        return print("skip  a full disk: no tmpfs can be mounted")
    try:
        said = run("collate", bundles, "--out", f"{small}/dataset", *format)
        check(said.returncode == 74 and "space" in said.stderr, "a full disk ends with 74", f"{said.returncode} {said.stderr}")
        if subprocess.run(["mount", "-o", "remount,size=64m", small], capture_output=True).returncode:
            return print("skip  room again: no tmpfs can be mounted anew")
        run("collate", bundles, "--out", f"{small}/dataset", *format)
        check(same(f"{small}/dataset", whole), "with room again, the same bytes")
        if subprocess.run(["mount", "-o", "remount,ro", small], capture_output=True).returncode:
            return print("skip  a read-only place: no tmpfs can be mounted anew")
        said = run("collate", bundles, "--out", f"{small}/other")
        check(said.returncode == 74, "a read-only place ends with 74", f"{said.returncode} {said.stderr}")
    finally:
        subprocess.run(["umount", "-l", small])
        os.rmdir(small)


def changing_bundles(folder, bundles):
    """Bundles that go stay in the dataset; one that changes later is not taken again; one that is damaged is named."""
    moving, out = f"{folder}/moving", f"{folder}/grown"
    shutil.copytree(bundles, moving)
    names = sorted(os.listdir(moving))
    for name in names[:3]:
        shutil.move(f"{moving}/{name}", f"{folder}/{name}")
    run("collate", moving, "--out", out)
    before = counts(out)
    shutil.rmtree(f"{moving}/{names[5]}")
    open(f"{moving}/{names[6]}/result.json", "a").write(" ")
    for name in names[:3]:
        shutil.move(f"{folder}/{name}", f"{moving}/{name}")
    said = run("collate", moving, "--out", out)
    check(said.returncode == 0 and counts(out) == (before[0] + 3, before[1] + 90), "only what is new is added",
          f"{said.returncode} {counts(out)} after {before}")
    for number, (path, flip) in enumerate([("study.yaml", 5), ("result.json", 9), ("SHA256SUMS", 1), ("plan.json", 3)]):
        bundle = f"{moving}/{names[8]}"
        content = bytearray(open(f"{bundle}/{path}", "rb").read())
        content[flip] ^= 1
        open(f"{bundle}/{path}", "wb").write(content)
        said = run("collate", bundle, "--out", f"{folder}/one-{number}")
        taken = counts(f"{folder}/one-{number}")
        check(said.returncode == 65 and taken == (0, 0) and names[8] in said.stdout + said.stderr,
              f"one bit of {path} changed: the bundle is named and nothing of it is taken", f"{said.returncode} {taken} {said.stdout}")
        content[flip] ^= 1
        open(f"{bundle}/{path}", "wb").write(content)


def odd_places(folder, bundles, whole):
    inside = f"{folder}/inside"
    shutil.copytree(bundles, inside)
    for _ in range(2):
        run("collate", inside, "--out", f"{inside}/dataset")
    check(counts(f"{inside}/dataset") == counts(whole), "a dataset within the bundles' folder is not taken for bundles")
    link = f"{folder}/link"
    os.symlink(bundles, link)
    run("collate", link, f"{folder}/link", bundles, "--out", f"{folder}/linked")
    check(same(f"{folder}/linked", whole), "links to the folder, and the folder twice: each run once")
    if os.geteuid() or not shutil.which("setpriv"):
        print("skip  a folder without rights: setpriv, as root")
    else:
        os.chmod(folder, 0o755)
        for name in ("site/locked", "open"):
            os.makedirs(f"{folder}/rights/{name}")
        shutil.copytree(bundles, f"{folder}/rights/site/bundles")
        subprocess.run(["chmod", "-R", "a+rX", f"{folder}/rights"], check=True)
        os.chmod(f"{folder}/rights/open", 0o777)
        os.chmod(f"{folder}/rights/site/locked", 0o700)
        out = f"{folder}/rights/open/dataset"
        said = run("collate", f"{folder}/rights/site", "--out", out, before=["setpriv", "--reuid", "65534", "--clear-groups"])
        check(said.returncode == 65 and "locked: Permission denied" in said.stdout and counts(out) == counts(whole),
              "a folder without rights is named, and the others are collated", f"{said.returncode} {said.stdout} {said.stderr}")
    os.mkdir(f"{folder}/empty")
    said = run("collate", f"{folder}/empty", "--out", f"{folder}/nothing")
    check(said.returncode == 0 and counts(f"{folder}/nothing") == (0, 0), "no bundles make an empty dataset", said.stderr)
    said = run("analyse", f"{folder}/nothing")
    check(said.returncode in (0, 65) and "nothing" in said.stdout + said.stderr, "there is nothing to analyse in it", said.stderr)
    said = run("report", f"{folder}/nothing", "--out", f"{folder}/nothing.html")
    check(said.returncode == 65 and not os.path.exists(f"{folder}/nothing.html"), "and nothing to report", said.stderr)


def few_participants(folder):
    study = f"{root}/Studies/music-crossover.yaml"
    run("rehearse", study, "--participants", "1", "--out", f"{folder}/alone")
    said = run("analyse", "--include-simulated", f"{folder}/alone")
    check(said.returncode == 0 and "not known" in said.stdout, "of one participant the interval is not known", said.stdout)
    text = open(study).read()
    os.mkdir(f"{folder}/studies")
    silent = f"{folder}/studies/silent.yaml"
    open(silent, "w").write("\n".join(line for line in text.split("\n") if "recorders" not in line).replace(
        "music-crossover", "silent"))
    shutil.copytree(f"{root}/Media", f"{folder}/Media", dirs_exist_ok=True)
    said = run("rehearse", silent, "--participants", "3", "--out", f"{folder}/silence")
    if said.returncode:
        return print(f"skip  a study without heart rates cannot be made: {said.stderr[:200]}")
    said = run("analyse", "--include-simulated", f"{folder}/silence")
    check(said.returncode == 0 and "No clip is compared with a rest before it" in said.stdout and "(12)" in said.stdout,
          "without heart rates every clip is left out and counted", said.stdout)
    run("report", "--include-simulated", f"{folder}/silence", "--out", f"{folder}/silence.html")
    check(os.path.exists(f"{folder}/silence.html"), "and there is a report of it")


with tempfile.TemporaryDirectory(prefix="entrain-collate-") as folder:
    bundles, whole = f"{folder}/bundles", f"{folder}/whole"
    rehearse(bundles, 60)
    run("collate", bundles, "--out", whole)
    run("collate", bundles, "--out", f"{folder}/parquet", "--format", "parquet")
    for disturb in (killed, faulty_disk, full_disk):
        disturb(folder, bundles, whole)
        disturb(folder, bundles, f"{folder}/parquet", "--format", "parquet")
    changing_bundles(folder, bundles)
    odd_places(folder, bundles, whole)
    few_participants(folder)
print(f"{len(problems)} failures")
sys.exit(1 if problems else 0)
