#!/usr/bin/env python3
"""How exactly 100 steps of 50 ms are kept, beside the machine's floor (a C loop on clock_nanosleep).

usage: timing.py --entrain PATH [--repetitions N]

Both are run in turn, so that a slow moment of the machine strikes both. For each: the median and 99th percentile of
the absolute error of a planned instant, and the error of the last one (drift). For entrain also the processor time.
"""
import argparse, json, os, resource, statistics, subprocess, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def floor(program):
    return [int(line) / 1e6 for line in subprocess.run([program], capture_output=True, text=True).stdout.split()]


def run(entrain, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([entrain, "run", os.path.join(HERE, "hundred-steps.yaml"), "--participant", "P01", "--auto", "--plain",
                    "--out", out], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    bundle = os.path.join(out, os.listdir(out)[0])
    results = json.load(open(os.path.join(bundle, "result.json")))["results"][:100]
    errors = [step["userInfo"]["lateness"]["end"] * 1e3 for step in results]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return errors, cpu


def row(name, errors, cpu=None):
    absolute = sorted(abs(e) for e in errors)
    words = f"{name:8} median {statistics.median(absolute):7.4f} ms   p99 {absolute[98]:7.3f} ms   drift {errors[-1]:7.4f} ms"
    return words + (f"   processor {cpu:.3f} s" if cpu is not None else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    medians = {"floor": [], "entrain": []}
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "floor")
        subprocess.run(["cc", "-O2", os.path.join(HERE, "floor_sleep.c"), "-o", program], check=True)
        for repetition in range(options.repetitions):
            machine = floor(program)
            ours, cpu = run(os.path.abspath(options.entrain), os.path.join(scratch, f"out{repetition}"))
            print(row("floor", machine))
            print(row("entrain", ours, cpu))
            medians["floor"].append(statistics.median(abs(e) for e in machine))
            medians["entrain"].append(statistics.median(abs(e) for e in ours))
    difference = statistics.median(medians["entrain"]) - statistics.median(medians["floor"])
    print(f"median of medians: entrain {difference:+.4f} ms from the floor")


if __name__ == "__main__":
    main()
