#!/usr/bin/env python3
"""Runs a study with a strap of a fake BlueZ whose link is lost, and compares the bundle with what was sent.

    strap_campaign.py --entrain .build/debug/entrain [--seconds 60] [--losses 15:5,35:8] [--stall 30]

With --measure the strap sends an ECG and its acceleration, too: every sample that was sent while the recording went on must
be there once, at its time to 50 ms, and every gap from the last sample before a loss to the first one after it, to 50 ms.

Every packet sent must be in the bundle once, every interval once and in order, every gap must be a loss to 0.1 s and
every loss a gap. Skips, saying why, where Debian's python3-dbusmock and dbus are missing.
"""
import argparse
import csv
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

STUDY = """entrain: 1
study: {identifier: strap, title: Strap}
sources: {heartRate: {type: bluetooth}}
tasks:
  - identifier: sit
    steps:
      - type: active
        identifier: still
        duration: %d s
        recorders:
          - {type: heartRate, identifier: rate, required: true}
          - {type: rrIntervals, identifier: beats, required: true}
          - {type: events, identifier: acts}
%s      - {type: completion, identifier: end, title: Thanks}
"""
MEASURED = """          - {type: ecg, identifier: ecg, source: heartRate, required: true}
          - {type: acceleration, identifier: acc, source: heartRate}
"""
HERE = pathlib.Path(__file__).resolve().parent


def fake(arguments, log):
    process = subprocess.Popen(
        ["/usr/bin/python3", str(HERE / "fake_bluez.py"), "--quiet", "--beat", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    if not first.startswith("address "):
        print("skipped: the fake BlueZ does not start (python3-dbusmock, dbus)")
        sys.exit(0)
    threading.Thread(target=lambda: log.extend(process.stdout), daemon=True).start()
    return process, first.split(maxsplit=1)[1].strip()


def gaps_of(times, start, end):
    """Times without a packet for longer than 2.5 s, between the packets and the recording's ends."""
    edges = [start, *times, end]
    return [(a, b) for a, b in zip(edges, edges[1:]) if b - a > 2.5]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--losses", default="15:5,35:8")
    parser.add_argument("--stall", default="0")
    parser.add_argument("--measure", action="store_true")
    told = parser.parse_args()
    if shutil.which("dbus-daemon") is None or subprocess.run(
            ["/usr/bin/python3", "-c", "import dbusmock, gi"], capture_output=True).returncode:
        print("skipped: Debian's packages dbus and python3-dbusmock are not on this machine")
        return
    lines = []

    def weaken():
        bluez.stdin.write("battery 12\n")
        bluez.stdin.flush()

    bluez, address = fake(["--losses", told.losses, "--stall", told.stall, "--in-progress", "2"] + ["--measure"] * told.measure, lines)
    try:
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder) / "strap.yaml"
            study.write_text(STUDY % (told.seconds, MEASURED if told.measure else ""))
            threading.Timer(told.seconds / 2, weaken).start()
            run = subprocess.run(
                [told.entrain, "run", str(study), "--participant", "P01", "--auto", "--plain", "--audio", "none",
                 "--source", "heartRate=bluetooth", "--out", folder + "/out"],
                env={"DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
                timeout=told.seconds + 120)
            print(run.stdout, run.stderr, sep="")
            assert run.returncode == 0, run.returncode
            (bundle,) = [path for path in (pathlib.Path(folder) / "out").iterdir() if path.is_dir()]
            verify = subprocess.run([told.entrain, "verify", bundle], capture_output=True, text=True)
            assert verify.returncode == 0, verify.stdout + verify.stderr
            if told.measure:
                for kind, recorder in ((0, "ecg"), (2, "acc")):
                    compare_frames(bundle, lines, kind, recorder)
            compare(bundle, lines)
    finally:
        bluez.stdin.close()
        bluez.wait()


def compare(bundle, lines):
    step = json.loads(next(bundle.glob("steps/*still/result.json")).read_text())
    items = {}
    for result in step["results"]:
        if "waves" in result["userInfo"]:
            continue
        items[result["identifier"]] = (
            result, json.loads(next(bundle.glob("steps/*still/" + result["fileName"])).read_text())["items"])
    rate, rates = items["rate"]
    _, beats = items["beats"]
    arrivals = [item["timestampSince1970"] for item in rates]
    sent = [json.loads(line.split(maxsplit=1)[1]) for line in lines if line.startswith("sent ")]
    # The recording has an end of its own: packets before and after it do not count.
    begin = arrivals[0] - rates[0]["metadata"]["runOffset"]
    first = next(i for i, packet in enumerate(sent) if packet["time"] > arrivals[0] - 0.1)
    inside = sent[first:first + len(rates)]
    worst = max(abs(packet["time"] - arrival) for packet, arrival in zip(inside, arrivals))
    print(f"{len(sent)} packets sent, {len(rates)} recorded, worst arrival {worst * 1000:.1f} ms late")
    assert worst < 0.1
    assert first <= 2 and len(sent) - first - len(rates) <= 2, "packets are missing at an end"
    raw = [interval for packet in inside for interval in packet["rr"]]
    kept = [item["value"] * 1024 for item in beats]
    assert kept == raw, "the intervals are not those that were sent, once each"
    of_rates = [value * 1024 for item in rates for value in item["metadata"]["rrIntervals"]]
    assert of_rates == raw, "the heart-rate items' intervals are not those that were sent"
    counts = sorted({len(packet["rr"]) for packet in inside})
    print(f"{len(raw)} intervals, each once and exact; packets hold {counts} of them")
    gaps = [(gap["from"] + begin, gap["to"] + begin) for gap in rate["userInfo"]["gaps"]]
    lost = gaps_of([packet["time"] for packet in inside], arrivals[0], arrivals[-1])
    inner = [gap for gap in gaps if arrivals[0] - 0.1 < gap[0] and gap[1] < arrivals[-1] + 0.1]
    assert len(inner) == len(lost), (inner, lost)
    for gap, loss in zip(inner, lost):
        print(f"gap of {gap[1] - gap[0]:.3f} s, loss of {loss[1] - loss[0]:.3f} s")
        assert abs(gap[0] - loss[0]) < 0.1 and abs(gap[1] - loss[1]) < 0.1
    information = rate["userInfo"]["sourceInformation"]
    assert information == {"battery": 12, "sensorLocation": "chest"}, information
    low = [act for act in items["acts"][1] if act["kind"] == "batteryLow"]
    assert [act["detail"] for act in low] == ["heartRate 12 %"], low
    print(f"worn at the {information['sensorLocation']}, battery low at {low[0]['runOffset']:.3f} s of the run")
    doubts = [item["metadata"]["beatUncertainty"] for item in beats]
    print(f"beats: uncertainty {max(doubts):.3f} s at first, {min(doubts):.3f} s at best")
    for line in lines:
        if line.startswith("event "):
            event = json.loads(line.split(maxsplit=1)[1])
            print(f"{event['what']} at {event['time'] - begin:.3f} s of the run")


def compare_frames(bundle, lines, kind, recorder):
    path = next(bundle.glob("steps/*still/result.json"))
    (result,) = [entry for entry in json.loads(path.read_text())["results"] if entry["identifier"] == recorder]
    info = result["userInfo"]
    with gzip.open(path.parent / result["fileName"], "rt", newline="") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    start = json.loads((bundle / "manifest.json").read_text())["start"]
    wall = start["seconds"] + start["nanoseconds"] / 1e9
    frames = [frame for frame in (json.loads(line.split(maxsplit=1)[1]) for line in lines if line.startswith("frame "))
              if frame["kind"] == kind]
    zero, rate = frames[0]["zero"], frames[0]["rate"]
    sent = [frame["first"] + index for frame in frames for index in range(frame["count"])]
    due = {index: zero + index / rate - wall for index in sent}
    inside = [index for index in sent if info["startOffset"] + 0.06 <= due[index] < info["endOffset"] - 0.06]
    if kind == 0:
        kept = [round(row[1]) for row in rows]
    else:
        # The axes repeat after 7000 samples; the times tell which round it is.
        kept = [round((row[0] + wall - zero) * rate) for row in rows]
        for row, index in zip(rows, kept):
            near = [other for other in range(index - 2, index + 3)
                    if row[1:] == [other % 1000 - 500, 500 - other % 1000, 1000 + other % 7]]
            assert near, (row, index)
        kept = [next(other for other in range(index - 2, index + 3) if row[1] == other % 1000 - 500)
                for row, index in zip(rows, kept)]
    assert len(set(kept)) == len(kept), "a sample is there twice"
    assert set(inside) <= set(kept) <= set(sent), (len(set(inside) - set(kept)), len(set(kept) - set(sent)))
    worst = max(abs(row[0] - due[index]) for row, index in zip(rows, kept))
    print(f"{recorder}: {len(rows)} samples of {len(sent)} sent, each once; worst time {worst * 1000:.1f} ms off")
    assert worst < 0.05
    jumps = [(due[a], due[b]) for a, b in zip(kept, kept[1:]) if b > a + 3]
    gaps = [(gap["from"], gap["to"]) for gap in info["gaps"]]
    inner = [gap for gap in gaps if gap[0] >= rows[0][0] - 0.01 and gap[1] <= rows[-1][0] + 0.01]
    assert len(inner) == len(jumps), (inner, jumps)
    for gap, jump in zip(inner, jumps):
        off = max(abs(gap[0] - jump[0]), abs(gap[1] - jump[1]))
        print(f"{recorder}: gap of {gap[1] - gap[0]:.3f} s, told to {off * 1000:.1f} ms")
        assert off < 0.05


main()
