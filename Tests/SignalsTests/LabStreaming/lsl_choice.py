#!/usr/bin/env python3
"""Records from networks with two or three streams, and judges that the right one or none was recorded.

    lsl_choice.py --entrain .build/release/entrain [--runs 8] [--at-once 2]

Every run has a network namespace of its own, so that only its streams are in its network; a stream on another host has
its own host name. Each stream sends its own heart rate and nothing else. The kinds of network take turns; see KINDS.
Needs pylsl from PyPI, whose liblsl is used, and user namespaces or root.
"""
import argparse
import concurrent.futures
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

STUDY = """entrain: 1
study: {identifier: choice, title: Choice}
sources:
  heart: {type: lsl%s}
tasks:
  - identifier: sit
    steps:
      - type: active
        identifier: still
        duration: %d s
        recorders:
          - {type: heartRate, identifier: rate, source: heart}
      - {type: completion, identifier: end, title: Thanks}
"""
# What the study says, the streams as (rate, name, source_id, host, from, to) in seconds of the run, which rates may be
# recorded, and which must be.
KINDS = {
    "one": ("", [(61, "strap", "a", "", -9, 99)], {61}, {61}),
    "two": ("", [(61, "strap", "a", "", -9, 99), (72, "strap", "b", "", -9, 99)], set(), set()),
    "three": ("", [(61, "strap", "a", "", -9, 99), (72, "strap", "b", "", -9, 99), (83, "x", "c", "lab-2", -9, 99)],
              set(), set()),
    "named by source_id": (", sourceId: b", [(61, "strap", "a", "", -9, 99), (72, "strap", "b", "", -9, 99)],
                           {72}, {72}),
    "named by host": (", stream: strap, host: lab-2",
                      [(61, "strap", "", "", -9, 99), (72, "strap", "", "lab-2", -9, 99)], {72}, {72}),
    "another comes late": ("", [(61, "strap", "a", "", -9, 99), (72, "strap", "b", "", 6, 99)], {61}, {61}),
    "another takes the place": (", stream: strap",
                                [(61, "strap", "a", "", -9, 6), (72, "strap", "b", "", 6, 99)], {61}, {61}),
    "swapping": (", stream: strap",
                 [(61, "strap", "", "", -9, 6), (72, "strap", "", "lab-2", 6, 10), (61, "strap", "", "", 10, 99)],
                 {61}, {61}),
}
SECONDS = 16


def send(rate, name, source, life):
    """A stream that lives for some seconds."""
    import pylsl
    outlet = pylsl.StreamOutlet(pylsl.StreamInfo(name, "HR", 1, 0, pylsl.cf_float32, source))
    end = time.monotonic() + life
    while time.monotonic() < end:
        outlet.push_sample([rate])
        time.sleep(0.25)


def within(kind, entrain, folder):
    """A run in the network of a kind; this program is alone in its namespace."""
    subprocess.run("ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo", shell=True, check=True)
    wanted, streams, _, _ = KINDS[kind]
    study = pathlib.Path(folder) / "choice.yaml"
    study.write_text(STUDY % (wanted, SECONDS))
    begun = threading.Event()
    senders = []

    def live(stream):
        rate, name, source, host, first, last = stream
        if first > 0:
            begun.wait()
            time.sleep(first)
        command = [sys.executable, __file__, "--send", json.dumps([rate, name, source, last - max(first, 0)
                                                                   if first > 0 else last + 4])]
        if host:
            command = ["unshare", "-u", "sh", "-c", f'hostname {host} && exec "$@"', "sh"] + command
        senders.append(subprocess.Popen(command))

    threads = [threading.Thread(target=live, args=(stream,), daemon=True) for stream in streams]
    for thread in threads:
        thread.start()
    time.sleep(3)
    run = subprocess.Popen(
        [entrain, "run", str(study), "--participant", "P01", "--auto", "--plain", "--audio", "none", "--out",
         folder + "/out"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    begun.set()
    output = run.communicate(timeout=SECONDS + 120)[0]
    for sender in senders:
        sender.kill()
    pathlib.Path(folder, "output").write_text(output)
    return run.returncode


def judge(kind, folder):
    """What is wrong; empty if nothing is."""
    _, streams, allowed, needed = KINDS[kind]
    bundles = [path for path in pathlib.Path(folder, "out").iterdir() if path.is_dir()]
    if len(bundles) != 1:
        return f"{len(bundles)} bundles"
    rates, names = set(), set()
    for path in bundles[0].glob("steps/*still/*"):
        if path.name == "result.json":
            for entry in json.loads(path.read_text())["results"]:
                names.add(entry.get("userInfo", {}).get("sourceInformation", {}).get("identifier"))
            continue
        text = path.read_bytes()
        data = json.loads(gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text)
        for item in data["items"]:
            value = item["body"]["heart_rate"]["value"] if "body" in item else item.get("value")
            if value is not None:
                rates.add(round(value))
    problems = []
    if rates - allowed:
        problems.append(f"recorded {sorted(rates - allowed)}")
    if needed - rates:
        problems.append(f"did not record {sorted(needed - rates)}")
    sources = {source or None for rate, _, source, *_ in streams if rate in needed}
    if needed and names != sources:
        problems.append(f"the bundle names {names}, not {sources}")
    return ", ".join(problems)


def one(kind, entrain):
    with tempfile.TemporaryDirectory() as folder:
        flags = ["-n", "-m"] if os.getuid() == 0 else ["-n", "-m", "-r"]
        run = subprocess.run(
            ["unshare", *flags, sys.executable, __file__, "--within", kind, "--entrain", entrain, "--folder", folder],
            capture_output=True, text=True)
        if run.returncode != 0:
            output = pathlib.Path(folder, "output")
            return run.stderr + (output.read_text() if output.exists() else "")
        return judge(kind, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain")
    parser.add_argument("--runs", type=int, default=len(KINDS))
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--within", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--send", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.send:
        return send(*json.loads(told.send))
    import pylsl
    os.environ.setdefault("LSL_LIB", str(pathlib.Path(pylsl.__file__).parent / "lib" / "liblsl.so"))
    if told.within:
        return sys.exit(within(told.within, told.entrain, told.folder))
    kinds = [list(KINDS)[index % len(KINDS)] for index in range(told.runs)]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(told.at_once) as pool:
        for kind, problem in zip(kinds, pool.map(lambda kind: one(kind, os.path.abspath(told.entrain)), kinds)):
            if problem:
                wrong += 1
                print(f"{kind}: {problem}", flush=True)
    print(f"{told.runs} runs, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()
