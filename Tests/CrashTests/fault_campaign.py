#!/usr/bin/env python3
"""Lets single system calls of a three-step run fail, and looks at how the run ends.

usage: fault_campaign.py --entrain PATH

No fault may end in silent success or in a hang: the exit code is 74, what is left can be recovered, and the recovered
bundle verifies. Which call is the n-th one depends on the machine: where none of a file failed, the run must be whole.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Writes fail from one on: a single one may be to the screen or to a pipe, which costs no data.
FAULTS = [("write", "ENOSPC", "8+"), ("write", "ENOSPC", "14+"), ("write", "EIO", "10+"), ("fdatasync", "EIO", "2"),
          ("fdatasync", "EIO", "1+"), ("fsync", "EIO", "6"), ("fsync", "EIO", "1+"), ("renameat", "EIO", "3"),
          ("renameat2", "EIO", "1"),
          ("mkdirat", "ENOSPC", "4+"), ("mkdirat", "EDQUOT", "6")]


def attempt(entrain, out, call, error, when):
    log = out + ".strace"
    command = ["strace", "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e",
               f"inject={call}:error={error}:when={when}", entrain, "run", os.path.join(HERE, "three-steps.yaml"),
               "--participant", "P01", "--auto", "--plain", "--speed", "10", "--out", out]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return ["it hangs"]
    if ("ptrace" in done.stderr or not os.path.exists(log)) and done.returncode != 74:
        return None
    with open(log) as file:
        failed = [line for line in file if "(INJECTED)" in line]
    # What goes to the screen or to a pipe costs no data.
    isHit = any(not re.search(r"\bwrite\([012],", line) for line in failed)
    faults = [] if done.returncode == 74 or (done.returncode == 0 and not isHit) else [f"exit code {done.returncode}"]
    if not os.path.isdir(out):
        return faults
    recovered = subprocess.run([entrain, "recover", out], capture_output=True, text=True)
    if recovered.returncode != 0:
        faults.append("recover: " + recovered.stderr.strip()[:200])
    for name in os.listdir(out):
        verified = subprocess.run([entrain, "verify", os.path.join(out, name)], capture_output=True, text=True)
        if verified.returncode != 0:
            faults.append("verify: " + verified.stdout.strip()[:200])
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    entrain = os.path.abspath(parser.parse_args().entrain)
    failed = 0
    if not shutil.which("strace"):
        print("skipped: strace is not installed")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        for index, (call, error, when) in enumerate(FAULTS):
            out = os.path.join(scratch, f"out{index}")
            faults = attempt(entrain, out, call, error, when)
            if faults is None:
                print("skipped: strace cannot trace here")
                return 0
            if faults:
                failed += 1
                print(f"{call} fails with {error}, {when}: " + "; ".join(faults))
            shutil.rmtree(out, ignore_errors=True)
    print(f"{len(FAULTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
