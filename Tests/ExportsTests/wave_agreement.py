#!/usr/bin/env python3
"""Exports a run with every waveform, and compares what other libraries read with the bundle.

    wave_agreement.py --entrain .build/debug/entrain [--seconds 90]

EDF+ is read with pyEDFlib, XDF with pyxdf and BIDS with pandas, all from PyPI: every sample of every channel must be
that of the bundle, in EDF+ to half a step of its 16 bits. With bids-validator on the path (PyPI: bids-validator-deno),
the dataset must be without errors. A pseudonymised export must hold the same numbers.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import pandas
import pyedflib
import pyxdf

STUDY = """entrain: 1
study: {identifier: waves, title: Waves}
sources:
  heartRate: {type: simulated, contactLoss: 0.1}
tasks:
  - identifier: sit
    steps:
      - type: active
        identifier: rest
        duration: %d s
        recorders:
          - {type: ecg, identifier: ecg, source: heartRate}
          - {type: ppg, identifier: ppg, source: heartRate}
          - {type: breathing, identifier: belt, source: heartRate}
          - {type: skinConductance, identifier: eda, source: heartRate}
          - {type: acceleration, identifier: acc, source: heartRate}
          - {type: skinTemperature, identifier: temp, source: heartRate}
          - {type: quantity, identifier: glucose, source: heartRate, name: glucose, unit: mmol/L}
      - type: active
        identifier: later
        duration: 20 s
        recorders: [{type: ecg, identifier: ecg, source: heartRate}]
      - {type: completion, identifier: end, title: Thanks}
"""


def recorded(bundle):
    """Each recording: its label in exports, times, channels × samples, units, result."""
    found = []
    for path in sorted(bundle.glob("steps/*/result.json")):
        for result in json.loads(path.read_text())["results"]:
            info = result.get("userInfo", {})
            if "waves" not in info:
                continue
            file = path.parent / result["fileName"]
            names = [channel["name"] for channel in info["waves"]["channels"]]
            if file.name.endswith(".csv.gz"):
                table = pandas.read_csv(file)
                assert list(table.columns) == ["runOffset"] + names
            else:
                items = json.loads(file.read_text())["items"]
                table = pandas.DataFrame(
                    [[item["metadata"]["runOffset"], item["channel"], item["value"]] for item in items],
                    columns=["runOffset", "channel", "value"]).pivot(
                        index="runOffset", columns="channel", values="value").reset_index()[["runOffset"] + names]
            found.append((result["identifier"], table, info))
    counts = {}
    for name, _, _ in found:
        counts[name] = counts.get(name, 0) + 1
    seen, labelled = {}, []
    for name, table, info in found:
        seen[name] = seen.get(name, 0) + 1
        labelled.append((name + str(seen[name]) if counts[name] > 1 else name, table, info))
    return labelled


def export(entrain, folder, format_, *more):
    target = folder / ("export-" + format_ + "-".join(more[:1]))
    subprocess.run(
        [entrain, "export", folder / "out", "--to", format_, "--out", target, "--include-simulated", *more],
        check=True, capture_output=True)
    return target


def check_edf(target, recordings):
    for label, table, info in recordings:
        (path,) = target.rglob(f"*_recording-{label}.edf")
        with pyedflib.EdfReader(str(path)) as file:
            units = [file.getPhysicalDimension(index).strip() for index in range(file.signals_in_file)]
            assert units == [channel.get("unit", "") for channel in info["waves"]["channels"]], units
            rate = file.getSampleFrequency(0)
            assert abs(rate - info["waves"]["rate"]) < 1e-3 * rate, (rate, info["waves"]["rate"])
            worst = 0
            for index, name in enumerate(table.columns[1:]):
                digital = file.readSignal(index, digital=True)
                values = file.readSignal(index)[digital != -32768][:len(table)]
                step = (file.getPhysicalMaximum(index) - file.getPhysicalMinimum(index)) / 65535
                assert len(values) == len(table), (label, len(values), len(table))
                worst = max(worst, numpy.abs(values - table[name]).max() / step)
            notes = file.readAnnotations()
            assert any("step" in text for text in notes[2]), notes
            gaps = [text for text in notes[2] if text.startswith("gap")]
            print(f"EDF+ {label}: {len(table)} samples at {rate:.3f} Hz, worst {worst:.4f} steps of 16 bits, "
                  f"{len(gaps)} gaps")
            assert worst <= 0.501, worst


def check_xdf(target, recordings):
    (path,) = target.rglob("*.xdf")
    streams, _ = pyxdf.load_xdf(str(path), dejitter_timestamps=False, synchronize_clocks=True)
    by_name = {stream["info"]["name"][0]: stream for stream in streams}
    for label, table, info in recordings:
        stream = by_name[label]
        labels = [channel["label"][0] for channel in stream["info"]["desc"][0]["channels"][0]["channel"]]
        assert labels == list(table.columns[1:]), labels
        assert (stream["time_series"] == table.iloc[:, 1:].to_numpy()).all(), label
        assert (stream["time_stamps"] == table["runOffset"].to_numpy()).all(), label
        print(f"XDF {label}: {len(table)} samples of {len(labels)} channels, numbers and times equal")


def check_bids(target, recordings):
    for label, table, info in recordings:
        (path,) = target.rglob(f"*_recording-{label}_physio.tsv.gz")
        side = json.loads(pathlib.Path(str(path).replace(".tsv.gz", ".json")).read_text())
        read = pandas.read_csv(path, sep="\t", header=None, names=side["Columns"], na_values="n/a")
        grid = side["StartTime"] + numpy.arange(len(read)) / side["SamplingFrequency"]
        values = read.dropna()
        assert (values.iloc[:, 1:].to_numpy() == table.iloc[:, 1:].to_numpy()).all(), label
        assert (values["timestamp"].to_numpy() == table["runOffset"].to_numpy()).all(), label
        off = numpy.abs(grid - read["timestamp"].to_numpy()).max() * side["SamplingFrequency"]
        print(f"BIDS {label}: {len(values)} samples, {len(read) - len(values)} rows of gaps, at most {off:.2f} samples "
              "from an even grid")
        assert off < 1, off


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--seconds", type=int, default=90)
    told = parser.parse_args()
    entrain = pathlib.Path(told.entrain).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        study = folder / "waves.yaml"
        study.write_text(STUDY % told.seconds)
        subprocess.run([entrain, "rehearse", study, "--seed", "5", "--out", folder / "out"], check=True,
                       capture_output=True)
        (bundle,) = [path for path in (folder / "out").iterdir() if path.is_dir()]
        recordings = recorded(bundle)
        assert len(recordings) == 8, [label for label, _, _ in recordings]
        check_edf(export(entrain, folder, "edf"), recordings)
        check_xdf(export(entrain, folder, "xdf"), recordings)
        bids = export(entrain, folder, "bids")
        check_bids(bids, recordings)
        validator = shutil.which("bids-validator-deno") or shutil.which("bids-validator")
        if validator:
            said = subprocess.run([validator, str(bids), "--format", "json"], capture_output=True, text=True)
            issues = json.loads(said.stdout)["issues"]["issues"]
            errors = [issue for issue in issues if issue.get("severity") == "error"]
            print(f"bids-validator: {len(errors)} errors")
            assert not errors, errors
        else:
            print("bids-validator is not on this machine: left out", file=sys.stderr)
        key = folder / "key"
        key.write_text("a key of a test\n")
        key.chmod(0o600)
        private = export(entrain, folder, "xdf", "--pseudonymise", str(key), "--shift-dates")
        check_xdf(private, [(label, table, info) for label, table, info in recordings if label != "glucose"])


main()
