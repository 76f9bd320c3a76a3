"""Compares the speed of the pulse detector with HeartPy and NeuroKit2, in one run on one core, by processor time.

usage: pulse_speed.py PULSE_SPEED     (PULSE_SPEED: .build/release/PulseSpeed)

Needs numpy, heartpy and neurokit2. Every signal is ten minutes of a pulse at 100 Hz. Limits: 2 million samples
a second, 1 ms for a live update, half of memcpy for a picture's mean colour; linear in the length.
"""

import json
import os
import subprocess
import sys
import time
import warnings

os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
warnings.simplefilter("ignore")
import numpy as np

own = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True).stdout)
rate = own["samplesPerSecond"]
failed = []


def show(what, value, limit, isGood):
    print(f"{what:44} {value:12.3f}   limit {limit:>10}   {'ok' if isGood else 'TOO SLOW'}")
    if not isGood:
        failed.append(what)


show("beats, million samples a second (10 min)", rate["600"] / 1e6, ">= 2", rate["600"] >= 2e6)
show("beats, million samples a second (60 min)", rate["3600"] / 1e6, ">= 2", rate["3600"] >= 2e6)
show("an hour against ten minutes", rate["3600"] / rate["600"], ">= 0.7", rate["3600"] >= 0.7 * rate["600"])
show("live update, ms", own["liveMilliseconds"], "<= 1", own["liveMilliseconds"] <= 1)
show("live update, half of the frames lost, ms", own["liveUnevenMilliseconds"], "<= 1", own["liveUnevenMilliseconds"] <= 1)
show("mean colour of 1280x720, share of memcpy", own["meanColourOfMemcpy"], ">= 0.5", own["meanColourOfMemcpy"] >= 0.5)

t = np.arange(60_000) / 100
phase = np.cumsum(1.2 + 0.06 * np.sin(2 * np.pi * t / 4)) / 100 % 1
signal = np.exp(-(((phase - 0.2) / 0.08) ** 2)) + 0.3 * np.exp(-(((phase - 0.55) / 0.1) ** 2))
signal += 0.02 * np.random.default_rng(1).random(len(t))


def peer(name, work):
    best = min(_timed(work) for _ in range(3))
    print(f"{name:44} {len(signal) / best / 1e6:12.3f} million samples a second: we are {rate['600'] * best / len(signal):.1f} times as fast")


def _timed(work):
    start = time.process_time()
    work()
    return time.process_time() - start


try:
    import neurokit2 as nk

    cleaned = nk.ppg_clean(signal, sampling_rate=100)
    peer("NeuroKit2 ppg_findpeaks (Elgendi)", lambda: nk.ppg_findpeaks(cleaned, sampling_rate=100, method="elgendi"))
except ImportError:
    print("skipped: neurokit2 is not installed")
try:
    import heartpy as hp

    peer("HeartPy process_segmentwise", lambda: hp.process_segmentwise(signal, 100.0, segment_width=60))
    peer("HeartPy process", lambda: hp.process(signal[:30_000], 100.0) or hp.process(signal[30_000:], 100.0))
except ImportError:
    print("skipped: heartpy is not installed")
sys.exit(1 if failed else 0)
