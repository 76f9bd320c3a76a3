"""Compares the beats that `entrain import` detects in an ECG with the annotations of people, beside the detectors of
NeuroKit2, BioSPPy and wfdb, on records of PhysioNet such as those of the MIT-BIH Arrhythmia Database (Moody and Mark 2001, IEEE
Eng Med Biol 20(3):45).

A beat is found if it lies within 100 ms of an annotated one; each counts once. F1 is 2 TP / (2 TP + FN + FP). Beats in
ventricular flutter, which is annotated from [ to ], do not count, as ANSI/AAMI EC57 has it. The first signal is used, or the
one that --signal names. Entrain is judged in the segments that it does not refuse, the others everywhere; the share that it
keeps is printed, and must be large on clean records.

The records are not part of this repository. Without them, or without the Python package wfdb, the script says so and passes.

usage: ecg_agreement.py --entrain PROGRAM [--records FOLDER]
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

TOLERANCE = 0.1
BEATS = set("NLRBAaJSVrFejnE/fQ?")
CLEAN = {"100", "103", "113", "117", "122", "123"}
LEAST_OF_CLEAN = 99.5
LEAST_OF_ALL = 98.5
LEAST_KEPT_OF_CLEAN = 99.0
LEAST_QUALITY = 0.5


def count(truth, found):
    """How many were found, how many were missed, and how many found ones are none; both lists ascend."""
    first = second = hits = 0
    while first < len(truth) and second < len(found):
        distance = found[second] - truth[first]
        if abs(distance) <= TOLERANCE:
            closer = second + 1 < len(found) and abs(found[second + 1] - truth[first]) < abs(distance)
            if not closer:
                hits += 1
                first += 1
            second += 1
        elif distance < 0:
            second += 1
        else:
            first += 1
    return hits, len(truth) - hits, len(found) - hits


def score(hits, missed, extra):
    return 200 * hits / max(1, 2 * hits + missed + extra)


def ours(program, header, record):
    """The beats as `entrain import` writes them: the ends of intervals, and the beginnings of those after a gap; and the
    segments that are refused, each from and to.

    Seconds since the first sample.
    """
    start = record.base_datetime
    start = start.replace(tzinfo=datetime.timezone.utc).timestamp() if start else 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "beats.ndjson")
        found = subprocess.run(
            [program, "import", str(header), "--as", f"ecg={record.sig_name[0]}", "--out", path, "--format", "json"],
            capture_output=True, text=True)
        if found.returncode != 0:
            sys.exit(f"{header}: {found.stderr}")
        lines = [json.loads(line) for line in open(path)]
        segments = json.loads(found.stdout)["ecg"]["segments"]
    beats = []
    for line in lines:
        end = line["t"] - start
        begin = end - sum(line["rr"])
        if not beats or begin - beats[-1] > 0.002:
            beats.append(begin)
        beats.append(end)
    refused = [(part["start"], part["start"] + part["seconds"])
               for part in segments if part["quality"] < LEAST_QUALITY]
    return numpy.array(beats), refused


def others(samples, rate):
    """Detectors of other packages that are installed, by name."""
    found = {}
    try:
        import neurokit2
        found["NeuroKit2"] = lambda: neurokit2.ecg_peaks(
            neurokit2.ecg_clean(samples, sampling_rate=rate), sampling_rate=rate)[1]["ECG_R_Peaks"] / rate
    except ImportError:
        pass
    try:
        import biosppy.signals.ecg as biosppy
        found["BioSPPy"] = lambda: biosppy.correct_rpeaks(
            samples, biosppy.hamilton_segmenter(samples, rate)["rpeaks"], rate)["rpeaks"] / rate
    except ImportError:
        pass

    def xqrs():
        import wfdb.processing
        search = wfdb.processing.XQRS(sig=samples, fs=rate)
        search.detect(verbose=False)
        return numpy.array(search.qrs_inds) / rate

    return found | {"XQRS": xqrs}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--records", type=pathlib.Path)
    parser.add_argument("--signal", type=int, default=0)
    options = parser.parse_args()
    global numpy
    try:
        import numpy
        import wfdb
    except ImportError as missing:
        return print(f"skipped: {missing.name} is not installed")
    headers = sorted(options.records.glob("*.hea")) if options.records else []
    headers = [header for header in headers if header.with_suffix(".atr").exists()]
    if not headers:
        return print("skipped: --records names no folder with .hea, .dat and .atr files")
    warnings.filterwarnings("ignore")
    totals, worst = {}, 100
    for header in headers:
        record = wfdb.rdrecord(str(header.with_suffix("")), channels=[options.signal])
        marks = wfdb.rdann(str(header.with_suffix("")), "atr")
        times = [(sample / record.fs, symbol) for sample, symbol in zip(marks.sample, marks.symbol)]
        flutter = list(zip([t for t, s in times if s == "["], [t for t, s in times if s == "]"]))

        def counted(beats):
            return [beat for beat in sorted(beats)
                    if not any(start - 0.15 <= beat <= end + 0.15 for start, end in flutter)]

        truth = counted([time for time, symbol in times if symbol in BEATS])
        samples = numpy.nan_to_num(record.p_signal[:, 0])
        beats, refused = ours(options.entrain, header, record)
        kept = 100 - 100 * sum(end - start for start, end in refused) * record.fs / record.sig_len
        found = {"Entrain": lambda: beats}
        if float(record.fs).is_integer():
            found |= others(samples, int(record.fs))
        words = []
        for name, detect in found.items():
            try:
                beats = detect()
            except Exception as error:
                words.append(f"{name} failed: {error}")
                beats = []
            told = [beat for beat in truth if name != "Entrain" or not any(a <= beat <= b for a, b in refused)]
            counts = count(told, counted(beats))
            totals[name] = [a + b for a, b in zip(totals.get(name, (0, 0, 0)), counts)]
            words.append(f"{name} {score(*counts):6.2f} ({counts[1]} missed, {counts[2]} extra)")
            if name == "Entrain" and header.stem in CLEAN:
                worst = min(worst, score(*counts))
                if kept < LEAST_KEPT_OF_CLEAN:
                    sys.exit(f"{header.stem}: {kept:.1f} % kept of a clean record")
        print(f"{header.stem:>8} {len(truth):5} beats, {kept:5.1f} % kept: " + "; ".join(words), flush=True)
    for name, counts in totals.items():
        print(f"all of {len(headers)} records: {name} {score(*counts):.2f} ({counts[1]} missed, {counts[2]} extra)")
    if worst < LEAST_OF_CLEAN or score(*totals["Entrain"]) < LEAST_OF_ALL:
        sys.exit(f"less than {LEAST_OF_CLEAN} on a clean record, or than {LEAST_OF_ALL} on all")


if __name__ == "__main__":
    main()
