#!/usr/bin/env python3
"""Kills a three-step run at every system call that changes the disk, and looks at what is left.

usage: kill_campaign.py --entrain PATH [--sample N] [--seed S]

For each point, a fresh run is killed by SIGKILL (strace injection) just before the N-th call of one kind. Then
  1. `entrain recover` ends with 0 and leaves exactly one bundle,
  2. `entrain verify` finds nothing wrong with it,
  3. every step that the screen called saved is in it, with its files,
  4. recovering a copy of the same remains yields the same bytes,
  5. recovery itself, killed at a random point and started again, yields them too.
Without --sample every point is tried. Exit code 1 if any point fails.
"""
import argparse, collections, filecmp, json, os, random, re, shutil, subprocess, sys, tempfile

CALLS = ("write pwrite64 writev openat mkdir mkdirat rename renameat renameat2 unlink unlinkat fsync fdatasync "
         "ftruncate close").split()
HERE = os.path.dirname(os.path.abspath(__file__))


def run_command(entrain, out):
    return [entrain, "run", os.path.join(HERE, "three-steps.yaml"), "--participant", "P01", "--auto", "--plain",
            "--speed", "10", "--out", out]


def strace(arguments, command, **options):
    return subprocess.run(["strace", "-f", "-qq"] + arguments + command, capture_output=True, text=True, timeout=600,
                          **options)


def count_calls(command, scratch):
    log = os.path.join(scratch, "strace.log")
    done = strace(["-o", log, "-e", "trace=" + ",".join(CALLS)], command)
    counts = collections.Counter()
    for line in open(log):
        found = re.match(r"\d+\s+(\w+)\(", line)
        if found:
            counts[found.group(1)] += 1
    return done, counts


def bundles(out):
    return sorted(n for n in os.listdir(out) if not n.startswith("."))if os.path.isdir(out) else []


def same_tree(left, right):
    compared = filecmp.dircmp(left, right)
    if compared.left_only or compared.right_only or compared.funny_files:
        return False
    _, different, errors = filecmp.cmpfiles(left, right, compared.common_files, shallow=False)
    return not different and not errors and all(
        same_tree(os.path.join(left, d), os.path.join(right, d)) for d in compared.common_dirs)


def check(entrain, out, shown, point, rng):
    """What is wrong with the remains in `out`, as a list of sentences."""
    if not bundles(out):
        return ["nothing is left of a run whose screen had said 'saved'"] if shown else []
    copy, third = out + ".copy", out + ".third"
    shutil.copytree(out, copy, symlinks=True)
    shutil.copytree(out, third, symlinks=True)
    faults = []
    recovered = subprocess.run([entrain, "recover", out], capture_output=True, text=True)
    if recovered.returncode != 0:
        faults.append(f"recover ended with {recovered.returncode}: {recovered.stderr.strip()[:300]}")
    names = bundles(out)
    if not names and not shown:
        return faults       # killed before there was anything to keep
    if len(names) != 1 or names[0].endswith(".running"):
        return faults + [f"after recovery: {names}"]
    folder = os.path.join(out, names[0])
    verified = subprocess.run([entrain, "verify", folder], capture_output=True, text=True)
    if verified.returncode != 0:
        faults.append(f"verify: {(verified.stdout + verified.stderr).strip()[:300]}")
    sums = subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, text=True)
    if sums.returncode != 0:
        faults.append(f"sha256sum: {(sums.stdout + sums.stderr).strip()[:200]}")
    kept = [step["identifier"] for step in json.load(open(os.path.join(folder, "result.json")))["results"]]
    for step in shown:
        if step not in kept:
            faults.append(f"'{step}' was shown as saved and is not in the bundle")
    subprocess.run([entrain, "recover", copy], capture_output=True)
    if not same_tree(out, copy):
        faults.append("recovering a copy gives other bytes")
    call = rng.choice(["write", "renameat2", "fsync", "unlinkat", "fdatasync"])
    strace(["-o", "/dev/null", "-e", "trace=" + call, "-e", f"inject={call}:signal=KILL:when={rng.randint(1, 12)}"],
           [entrain, "recover", third])
    subprocess.run([entrain, "recover", third], capture_output=True)
    if not same_tree(out, third):
        faults.append(f"recovery killed at a {call} and begun again gives other bytes")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    entrain = os.path.abspath(options.entrain)
    rng = random.Random(options.seed)
    titles = {"Before": "before", "During": "during", "After": "after"}
    if not shutil.which("strace"):
        print("skipped: strace is not installed")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        done, counts = count_calls(run_command(entrain, os.path.join(scratch, "whole")), scratch)
        if done.returncode == 127 or "ptrace" in done.stderr:
            print("skipped: strace cannot trace here:", done.stderr.strip()[:200])
            return 0
        if done.returncode != 0:
            print("the run itself failed:", done.returncode, done.stderr[-500:])
            return 1
        points = [(call, n) for call, count in sorted(counts.items()) for n in range(1, count + 1)]
        print(f"{len(points)} points: " + ", ".join(f"{c} {n}" for c, n in sorted(counts.items())))
        if options.sample and options.sample < len(points):
            points = sorted(rng.sample(points, options.sample))
        failed = 0
        for index, (call, n) in enumerate(points):
            out = os.path.join(scratch, f"out{index}")
            killed = strace(["-o", "/dev/null", "-e", "trace=" + call, "-e", f"inject={call}:signal=KILL:when={n}"],
                            run_command(entrain, out))
            shown = [titles[t] for t in re.findall(r"(?im)^saved:?\s+(.*?)\.?$", killed.stdout) if t in titles]
            faults = check(entrain, out, shown, (call, n), rng)
            if faults:
                failed += 1
                print(f"killed before {call} number {n}: " + "; ".join(faults))
            for leftover in (out, out + ".copy", out + ".third"):
                shutil.rmtree(leftover, ignore_errors=True)
        print(f"{len(points) - failed} passed, {failed} failed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
