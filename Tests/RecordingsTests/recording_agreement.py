"""Compares `entrain import` and `entrain hrv` with independent readers: Python's ElementTree and csv, fitdecode where it
is installed, NumPy's formulas and NeuroKit2 where they are; pyEDFlib, wfdb and pyxdf for their formats.

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


def exported(program, path, folder, *options):
    """What `import --out` writes: pairs of time and rate, and of time and interval."""
    out = folder / "out.ndjson"
    out.unlink(missing_ok=True)
    run(program, "import", str(path), *options, "--out", str(out))
    rates, intervals = [], []
    for line in out.read_text().splitlines():
        reading = json.loads(line)
        if reading["bpm"] is not None:
            rates.append((reading["t"], reading["bpm"]))
        intervals += [(reading["t"], length) for length in reading.get("rr", [])]
    return rates, intervals


def same(what, found, wanted, tolerance=1e-4):
    good = len(found) == len(wanted) and len(found) > 0 and all(
        abs(a - c) <= 1e-3 and abs(b - d) <= tolerance for (a, b), (c, d) in zip(found, wanted))
    worst = max((abs(b - d) for (a, b), (c, d) in zip(found, wanted)), default=0)
    print(f"{'ok ' if good else 'BAD'} {what}: {len(found)} of {len(wanted)}, at most {worst:.2g} apart")
    return good


def compare_edf(program, folder):
    try:
        import numpy
        import pyedflib
    except ImportError:
        print("skipped EDF and BDF: pyedflib is not installed")
        return True
    good = True
    chance = numpy.random.default_rng(3)
    for kind, limit, suffix in [(pyedflib.FILETYPE_EDFPLUS, 32767, "edf"), (pyedflib.FILETYPE_EDF, 32767, "edf"),
                                (pyedflib.FILETYPE_BDFPLUS, 8388607, "bdf"), (pyedflib.FILETYPE_BDF, 8388607, "bdf")]:
        path = folder / f"made.{suffix}"
        rates = 70 + 10 * chance.standard_normal(600).clip(-3, 3)
        head = [dict(label=label, dimension=unit, sample_frequency=rate, physical_max=high, physical_min=low,
                     digital_max=limit, digital_min=-limit - 1)
                for label, unit, rate, low, high in [("ECG", "mV", 250, -5, 5), ("HR", "bpm", 1, 0, 300)]]
        writer = pyedflib.EdfWriter(str(path), 2, file_type=kind)
        writer.setSignalHeaders(head)
        writer.setStartdatetime(datetime.datetime(2026, 11, 12, 10, 0, 5))
        writer.writeSamples([chance.standard_normal(150000).clip(-4, 4), rates])
        if kind in (pyedflib.FILETYPE_EDFPLUS, pyedflib.FILETYPE_BDFPLUS):
            writer.writeAnnotation(12.5, -1, "clip")
        writer.close()
        with pyedflib.EdfReader(str(path)) as reader:
            start = reader.getStartdatetime().replace(tzinfo=datetime.timezone.utc).timestamp()
            wanted = [(start + second, value) for second, value in enumerate(reader.readSignal(1))]
        good &= same(f"{suffix} of kind {kind}, as pyEDFlib {pyedflib.__version__} has it",
                     exported(program, path, folder)[0], wanted)
    return good


def compare_wfdb(program, folder):
    try:
        import numpy
        import wfdb
    except ImportError:
        print("skipped WFDB: wfdb is not installed")
        return True
    chance = numpy.random.default_rng(5)
    samples = numpy.cumsum(chance.integers(200, 420, 3000))
    samples[1500:] += 200000
    symbols = chance.choice(list("NNNNNNNVALRFjE/fQ+~|"), 3000)
    wfdb.wrsamp("made", fs=360, units=["mV"], sig_name=["MLII"], p_signal=chance.standard_normal((5000, 1)).clip(-3, 3),
                fmt=["212"], write_dir=str(folder))
    wfdb.wrann("made", "atr", samples, symbols, fs=360, write_dir=str(folder))
    ann = wfdb.rdann(str(folder / "made"), "atr")
    beats = [sample / 360 for sample, symbol in zip(ann.sample, ann.symbol) if symbol in "NLRBAaJSVrFejnE/fQ?"]
    wanted = [(end, end - begin) for begin, end in zip(beats, beats[1:]) if 0.2 <= end - begin <= 4]
    return same(f"WFDB beats, as wfdb {wfdb.__version__} has them",
                exported(program, folder / "made.hea", folder)[1], wanted, 1e-9)


def compare_own(program, folder, studies):
    """Our own exports, read back: equal to what they hold, to each other, and XDF also to what pyxdf reads."""
    study = studies / "music-crossover.yaml"
    if not study.exists():
        print("skipped our own exports: the studies are not beside this script")
        return True
    subprocess.run([program, "rehearse", str(study), "--participants", "1", "--out", str(folder / "b")],
                   check=True, capture_output=True)
    bundle = next((folder / "b").iterdir())
    good = True
    for format in ("xdf", "bids"):
        subprocess.run([program, "export", str(bundle), "--include-simulated", "--to", format, "--out", str(folder / format)],
                       check=True, capture_output=True)
    path = next((folder / "xdf").rglob("*.xdf"))
    read = exported(program, path, folder)
    try:
        import pyxdf
        streams = {stream["info"]["name"][0]: stream for stream in pyxdf.load_xdf(str(path))[0]}
        for index, name in enumerate(["HeartRate", "RRIntervals"]):
            wanted = [(time, value[0]) for time, value in
                      zip(streams[name]["time_stamps"].tolist(), streams[name]["time_series"].tolist())]
            good &= same(f"our XDF's {name}, as pyxdf has it", read[index], wanted, 1e-9)
    except ImportError:
        print("skipped pyxdf: it is not installed")
    path = next((folder / "bids").rglob("*_physioevents.tsv.gz"))
    import gzip
    rows = [line.split("\t") for line in gzip.open(path, "rt").read().splitlines()]
    bids = exported(program, path, folder)
    good &= same("our BIDS events' heart rates", bids[0], [(float(r[0]), float(r[2])) for r in rows if r[2] != "n/a"], 1e-9)
    good &= same("our BIDS events' intervals", bids[1], [(float(r[0]), float(r[3])) for r in rows if r[3] != "n/a"], 1e-9)
    good &= same("heart rates of BIDS and of XDF", bids[0], read[0], 1e-9)
    path = next((folder / "bids").rglob("*_physio.tsv.gz"))
    rows = [line.split("\t") for line in gzip.open(path, "rt").read().splitlines()]
    good &= same("our BIDS heart rates of each second", exported(program, path, folder)[0],
                 [(float(r[0]), float(r[1])) for r in rows if r[1] != "n/a"], 1e-9)
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
        folder = pathlib.Path(folder)
        alike = [compare_variability(options.entrain, folder, seed) for seed in range(40)]
        good &= compare_edf(options.entrain, folder)
        good &= compare_wfdb(options.entrain, folder)
        good &= compare_own(options.entrain, folder, here.parents[2] / "Studies")
    print(f"variability: {sum(alike)} of {len(alike)} series as NumPy has them{neurokit()}")
    sys.exit(0 if good and all(alike) else 1)


main()
