#!/usr/bin/env python3
"""Compares the breaths per minute that `entrain show` says with NeuroKit2's, in one run.

    breathing_agreement.py --entrain .build/debug/entrain [--data FOLDER]

Every recording is a table that is played into a bundle, once as a belt and once as an ECG. Simulated ones have a known
rate: NeuroKit2's rsp_simulate, and an ECG whose beats and R waves follow such a breath. Real ones are read from FOLDER,
if there is one:

    resp.txt                    BioSPPy's examples/resp.txt: a belt, 1000 Hz (github.com/scientisst/BioSPPy, BSD-3)
    Task1_Respiration.npy       systole's datasets (PyPI: systole, GPL-3): a belt, 1000 Hz, and
    Task1_ECG.npy               the ECG of the same 20 minutes

Limits: for a belt, 1 breath a minute from the truth and from the peaks of rsp_process; for an ECG 1.5 from the truth. On real
recordings, 1.2 from rsp_process and, for an ECG, 2 from the belt, wherever our quality is at least 0.5; in systole's,
people speak and move for long, and the two disagree where it is below. Needs numpy, scipy and neurokit2.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import warnings

warnings.simplefilter("ignore")
import neurokit2 as nk
import numpy as np

STUDY = """entrain: 1
study: {identifier: breath, title: Breath}
sources: {lab: {type: replay, file: lab.csv}}
tasks:
  - identifier: sit
    steps:
      - {type: active, identifier: rest, duration: %d s, recorders: [{type: %s, identifier: r, source: lab}]}
      - {type: completion, identifier: end, title: Thanks}
"""
failed = []


def told(entrain, kind, values, rate):
    """What `entrain show` says of a recording."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        times = np.arange(len(values)) / rate
        np.savetxt(folder / "lab.csv", np.column_stack([times, values]), "%.6f", ",", header="time_s," + (
            "ecg" if kind == "ecg" else "resp"), comments="")
        (folder / "study.yaml").write_text(STUDY % (len(values) // rate, kind))
        subprocess.run(
            [entrain, "run", "study.yaml", "--plain", "--auto", "--speed", "max", "--participant", "P1", "--out", "out"],
            cwd=folder, check=True, capture_output=True)
        bundle = next((folder / "out").glob("*"))
        shown = json.loads(subprocess.run(
            [entrain, "show", bundle, "--format", "json"], check=True, capture_output=True).stdout)
        return next(step for step in shown["steps"] if step["identifier"] == "rest").get("breathing")


def judge(what, ours, other, limit, name):
    """Shows a difference, and whether it is within its limit."""
    rate = ours["rate"] if ours else float("nan")
    good = ours is not None and abs(rate - other) <= limit
    print(f"{'ok  ' if good else 'FAIL'} {what:42} {rate:6.2f} (quality {ours['quality'] if ours else 0:.2f})  {name} {other:6.2f}")
    if not good:
        failed.append(what)


def neurokit(values, rate):
    """The breaths a minute by the peaks of rsp_process."""
    peaks = nk.rsp_process(values, sampling_rate=rate)[1]["RSP_Peaks"]
    return 60 * (len(peaks) - 1) * rate / (peaks[-1] - peaks[0])


def simulated(entrain):
    for seed, rate in enumerate([9, 12, 15, 18, 24], 1):
        belt = nk.rsp_simulate(duration=120, sampling_rate=50, respiratory_rate=rate, noise=0.05, random_state=seed)
        ours = told(entrain, "breathing", belt, 50)
        judge(f"simulated belt, {rate} a minute", ours, rate, 1, "truth")
        judge(f"simulated belt, {rate} a minute", ours, neurokit(belt, 50), 1, "rsp_process")
        # Beats at intervals that follow the breath, each an R wave whose height does, too.
        fs, time, wave = 250, 0.5, np.zeros(120 * 250)
        while time < 119.5:
            place = np.arange(int((time - 0.1) * fs), int((time + 0.1) * fs))
            breath = np.sin(2 * np.pi * rate / 60 * time)
            wave[place] += (1 + 0.1 * breath) * np.exp(-(((place / fs - time) / 0.012) ** 2))
            time += 0.85 + 0.04 * breath
        wave += np.random.default_rng(seed).normal(0, 0.01, len(wave))
        ours = told(entrain, "ecg", wave, fs)
        judge(f"simulated ECG, {rate} a minute", ours, rate, 1.5, "truth")
        peaks = nk.ecg_peaks(nk.ecg_clean(wave, fs), fs)[1]
        edr = nk.ecg_rsp(nk.ecg_rate(peaks, fs, desired_length=len(wave)), fs)
        print(f"     {'':42} NeuroKit2's ecg_rsp from the rate alone: {neurokit(edr, fs):.2f}")


def real(entrain, data):
    belts = []
    if (data / "resp.txt").exists():
        belts.append(("BioSPPy's belt", np.loadtxt(data / "resp.txt")[::20], 50))
    if (data / "Task1_Respiration.npy").exists():
        belt, ecg = (np.ravel(np.load(data / f"Task1_{name}.npy")) for name in ("Respiration", "ECG"))
        for start in range(0, min(len(belt), len(ecg)) // 1000 - 119, 120):
            part = slice(1000 * start, 1000 * (start + 120))
            belts.append((f"systole's belt from {start} s", belt[part][::20], 50))
            ours = told(entrain, "ecg", ecg[part][::4], 250)
            reference = told(entrain, "breathing", belt[part][::20], 50)
            if ours and ours["quality"] >= 0.5 and reference and reference["quality"] >= 0.5:
                judge(f"systole's ECG from {start} s", ours, reference["rate"], 2, "our belt")
            else:
                print(f"     systole's ECG from {start} s: doubtful, as is said: {ours}, belt {reference}")
    for name, values, rate in belts:
        ours, other = told(entrain, "breathing", values, rate), neurokit(values, rate)
        if ours and ours["quality"] >= 0.5:
            judge(name, ours, other, 1.2, "rsp_process")
        else:
            print(f"     {name}: doubtful, as is said: {ours}, rsp_process {other:.2f}")
    if not belts:
        print("skipped: no real recordings in --data")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_args()
    simulated(arguments.entrain)
    if arguments.data:
        real(arguments.entrain, arguments.data)
    raise SystemExit(f"{len(failed)} of them differ" if failed else 0)


if __name__ == "__main__":
    main()
