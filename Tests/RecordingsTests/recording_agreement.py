"""Compares `entrain import` and `entrain hrv` with independent readers: Python's ElementTree and csv, fitdecode where it
is installed, and NumPy's formulas where that is.

usage: recording_agreement.py --entrain PROGRAM [--recordings FOLDER]
"""

import argparse
import datetime
import json
import pathlib
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as tree


def moment(text):
    """Seconds since 1970; Python before 3.11 reads only some of the forms."""
    text = re.sub(r"[zZ]$", "+00:00", text.strip())
    text = re.sub(r"\.(\d+)", lambda found: "." + found[1][:6].ljust(6, "0"), text)
    return datetime.datetime.fromisoformat(text).timestamp()


def run(program, *arguments):
    found = subprocess.run([program, *arguments, "--format", "json"], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {found.stderr}")
    return json.loads(found.stdout)


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def points(path, names, rate_names):
    for element in tree.parse(path).iter():
        if local(element) in names:
            time = rate = None
            for inner in element.iter():
                if local(inner).lower() == "time":
                    time = inner.text
                if local(inner) in rate_names:
                    rate = (inner.find("{*}Value") if local(inner) == "HeartRateBpm" else inner).text
            if time and rate:
                yield moment(time), float(rate)


def readings(path):
    """Time and rate of every reading, or `None` where no reader is installed."""
    if path.suffix == ".tcx":
        return list(points(path, {"Trackpoint"}, {"HeartRateBpm"}))
    if path.suffix == ".gpx":
        return list(points(path, {"trkpt", "wpt", "rtept"}, {"hr", "heartrate"}))
    if path.suffix == ".xml":
        return [
            (datetime.datetime.strptime(record.get("startDate"), "%Y-%m-%d %H:%M:%S %z").timestamp(),
             float(record.get("value")))
            for record in tree.parse(path).iter("Record")
            if record.get("type") == "HKQuantityTypeIdentifierHeartRate"
        ]
    if path.suffix == ".fit":
        try:
            import fitdecode
        except ImportError:
            return None
        with fitdecode.FitReader(str(path)) as reader:
            return [
                (message.get_value("timestamp").timestamp(), message.get_value("heart_rate"))
                for message in reader
                if isinstance(message, fitdecode.FitDataMessage) and message.name == "record"
                and message.has_field("heart_rate") and message.get_value("heart_rate")
            ]
    lines = path.read_text().split()
    if ";HEART_RATE;" in path.read_text():
        rows = [line.split(";") for line in lines if ";HEART_RATE;" in line]
        return [(moment(row[0]), float(row[2]))
                for row in rows if float(row[2]) > 0]
    start, rate = float(lines[0]), float(lines[1])
    return [(start + index / rate, float(value)) for index, value in enumerate(lines[2:])]


def compare_recording(program, path):
    expected = readings(path)
    if expected is None:
        print(f"skipped {path.name}: its reader is not installed")
        return True
    found = run(program, "import", str(path))
    times, rates = zip(*expected)
    moments = [moment(found[key]) for key in ("start", "end")]
    good = (
        found["count"] == len(rates) and found["minimum"] == min(rates) and found["maximum"] == max(rates)
        and abs(found["mean"] - sum(rates) / len(rates)) < 1e-9
        and abs(moments[0] - min(times)) < 1e-3 and abs(moments[1] - max(times)) < 1e-3
    )
    print(f"{'ok ' if good else 'BAD'} {path.name}: {len(rates)} readings" + ("" if good else f", not {found}"))
    return good


def compare_variability(program, folder, seed):
    try:
        import numpy
    except ImportError:
        print("skipped variability: numpy is not installed")
        return True
    chance = random.Random(seed)
    intervals = [round(chance.gauss(800, 60), 3) for _ in range(chance.randint(3, 900))]
    path = folder / f"rr-{seed}.txt"
    path.write_text("\n".join(map(str, intervals)))
    found = run(program, "hrv", str(path))
    path.unlink()
    series = numpy.array(intervals)
    steps = numpy.diff(series)
    expected = {
        "meanNN": series.mean(), "sdnn": series.std(ddof=1), "rmssd": numpy.sqrt((steps**2).mean()),
        "sdsd": steps.std(ddof=1), "pnn50": 100 * (abs(steps) > 50).mean(), "heartRate": 60000 / series.mean(),
    }
    good = found["count"] == len(series) and all(
        abs(found[key] - value) <= 1e-9 * abs(value) for key, value in expected.items())
    if not good:
        print(f"BAD variability of seed {seed}: {found} is not {expected}")
    return good and compare_nonlinear(found, intervals, seed)


def compare_nonlinear(found, intervals, seed):
    """Against NeuroKit2, whose fluctuation analysis wants more than a few windows."""
    try:
        import neurokit2
    except ImportError:
        return True
    if len(intervals) < 40:
        return True
    import warnings
    warnings.filterwarnings("ignore")
    peaks = {"RRI": intervals, "RRI_Time": [sum(intervals[:end + 1]) / 1000 for end in range(len(intervals))]}
    theirs = neurokit2.hrv_nonlinear(peaks)
    names = {"sd1": "SD1", "sd2": "SD2", "dfaAlpha1": "DFA_alpha1", "sampleEntropy": "SampEn"}
    expected = {key: float(theirs[f"HRV_{name}"].iloc[0]) for key, name in names.items()}
    good = all(abs(found[key] - value) <= 1e-6 * abs(value) for key, value in expected.items())
    if not good:
        print(f"BAD nonlinear variability of seed {seed}: {found} is not {expected}")
    return good


def neurokit():
    try:
        import neurokit2
        return f", and as NeuroKit2 {neurokit2.__version__} has them"
    except ImportError:
        return "; skipped SD1, SD2, DFA and sample entropy: neurokit2 is not installed"


def main():
    here = pathlib.Path(__file__).resolve()
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--recordings", type=pathlib.Path, default=here.parents[3] / "shared/data/wearable")
    options = parser.parse_args()
    good = True
    if options.recordings.is_dir():
        for path in sorted(options.recordings.iterdir()):
            good &= compare_recording(options.entrain, path)
    else:
        print("skipped recordings: the shared ones are not on this machine")
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        same = [compare_variability(options.entrain, pathlib.Path(folder), seed) for seed in range(40)]
    print(f"variability: {sum(same)} of {len(same)} series as NumPy has them{neurokit()}")
    sys.exit(0 if good and all(same) else 1)


main()
