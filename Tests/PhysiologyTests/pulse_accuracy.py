"""Judges a pulse detector against the Polar strap of the Welltory recordings.

usage: pulse_accuracy.py DATA COMMAND...     (DATA: the folder with camera/ and ppg/)

COMMAND [--live] [--rate HZ] FILE.csv prints {"channel", "beats", "windows": [{start, end, bpm, reliable}]}.
Windows of 10 s every 2 s; the strap's clock is aligned to the beats first; intervals of both are cleaned
alike (0.33 to 1.8 s, within 20 % of the median of the seven around).
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np


def clean(beats):
    ibi = np.diff(beats)
    start, keep = beats[:-1], (ibi >= 0.33) & (ibi <= 1.8)
    start, ibi = start[keep], ibi[keep]
    if len(ibi) == 0:
        return start, ibi
    padded = np.pad(ibi, 3, mode="edge")
    median = np.array([np.median(padded[i : i + 7]) for i in range(len(ibi))])
    keep = np.abs(ibi - median) <= 0.2 * median
    return start[keep], ibi[keep]


def rate(beats, a, b):
    start, ibi = clean(beats)
    inside = (start >= a) & (start + ibi <= b)
    return 60 / ibi[inside].mean() if inside.sum() > 1 else None


def match(truth, beats, tolerance=0.15):
    """Pairs (truth index, beat index), each beat used once."""
    pairs, j = [], 0
    for i, t in enumerate(truth):
        while j < len(beats) and beats[j] < t - tolerance:
            j += 1
        if j < len(beats) and beats[j] <= t + tolerance:
            if j + 1 < len(beats) and abs(beats[j + 1] - t) < abs(beats[j] - t):
                j += 1
            pairs.append((i, j))
            j += 1
    return pairs


def align(truth, beats):
    def fit(offset):
        distance = np.abs((truth + offset)[:, None] - beats[None, :]).min(1)
        return np.minimum(distance, 0.15).mean()

    offsets = np.arange(-5, 5, 0.02)
    best = offsets[np.argmin([fit(o) for o in offsets])]
    for _ in range(3):
        pairs = match(truth + best, beats)
        best += np.median([beats[j] - truth[i] - best for i, j in pairs])
    return truth + best


def rmssd(beats):
    """In ms, over clean intervals that follow each other."""
    start, ibi = clean(beats)
    adjacent = np.abs(start[1:] - (start + ibi)[:-1]) < 1e-6
    return 1000 * np.sqrt(np.mean(np.diff(ibi)[adjacent] ** 2))


def rmssd_of_matched(truth, beats, pairs):
    """The strap's and the detector's, over the intervals that both have."""
    both = [
        (a, truth[c] - truth[a], beats[d] - beats[b])
        for (a, b), (c, d) in zip(pairs, pairs[1:])
        if c == a + 1 and d == b + 1
    ]
    steps = [(v[1] - u[1], v[2] - u[2]) for u, v in zip(both, both[1:]) if v[0] == u[0] + 1]
    return 1000 * np.sqrt(np.mean(np.square(steps), axis=0))


def answer(command, *arguments):
    return json.loads(subprocess.run([*command, *map(str, arguments)], check=True, capture_output=True).stdout)


def window_errors(truth, result):
    """(error or nothing, reliable) of every window that the strap covers."""
    rows = []
    for w in result["windows"]:
        if w["start"] < truth[0] or w["end"] > truth[-1]:
            continue
        true = rate(truth, w["start"], w["end"])
        if true is not None:
            rows.append((None if w["bpm"] is None else abs(w["bpm"] - true), w["reliable"]))
    return rows


def summary(rows):
    errors = np.array([e for e, _ in rows if e is not None])
    gated = np.array([e for e, r in rows if r and e is not None])
    return dict(
        mae=errors.mean(), median=np.median(errors), within1=np.mean(errors <= 1), within5=np.mean(errors <= 5),
        unanswered=1 - len(errors) / len(rows), kept=len(gated) / len(rows),
        kept_mae=gated.mean() if len(gated) else float("nan"), n=len(rows))


def main():
    data, command = Path(sys.argv[1]), sys.argv[2:]
    verbose = "--records" in command
    command = [c for c in command if c != "--records"]
    every, live, beats_found, intervals, variability = [], {10: [], 15: [], 6: []}, [0, 0, 0], [], []
    for folder in sorted((data / "camera/welltory").glob("subject_*")):
        result = answer(command, folder / "PPG.csv")
        beats = np.array(result["beats"])
        strap = np.cumsum(np.array((folder / "RR.txt").read_text().split(), float)) / 1000
        truth = align(np.concatenate([[0], strap]), beats)
        rows = window_errors(truth, result)
        every += rows
        inside = beats[(beats >= truth[0] - 0.15) & (beats <= truth[-1] + 0.15)]
        seen = truth[(truth >= beats[0] - 0.15) & (truth <= beats[-1] + 0.15)]
        pairs = match(seen, inside)
        beats_found[0] += len(pairs)
        beats_found[1] += len(inside)
        beats_found[2] += len(seen)
        good = [set(np.round(clean(b)[0], 6)) for b in (seen, inside)]
        mine = [
            1000 * abs((inside[d] - inside[b]) - (seen[c] - seen[a]))
            for (a, b), (c, d) in zip(pairs, pairs[1:])
            if c == a + 1 and d == b + 1 and round(seen[a], 6) in good[0] and round(inside[b], 6) in good[1]
        ]
        intervals += mine
        strap_rmssd, own_rmssd = rmssd_of_matched(seen, inside, pairs)
        variability.append((abs(own_rmssd - strap_rmssd), abs(rmssd(beats) - rmssd(truth))))
        for seconds in live:
            live[seconds] += window_errors(
                truth, answer(command, "--live", "--window", seconds, "--hop", 1, folder / "PPG.csv"))
        if verbose:
            s = summary(rows)
            print(
                folder.name, result["channel"], f"mae {s['mae']:.2f} within5 {s['within5']:.3f} kept {s['kept']:.2f}",
                f"beats {len(pairs)}/{len(inside)}/{len(seen)} ibi {np.mean(mine):.1f} rmssd {variability[-1][0]:.1f} {variability[-1][1]:.1f}")
    print("offline 10 s", {k: round(float(v), 3) for k, v in summary(every).items()})
    precision, recall = beats_found[0] / beats_found[1], beats_found[0] / beats_found[2]
    print(
        f"beats F1 {200 * precision * recall / (precision + recall):.2f} %, interval MAE {np.mean(intervals):.2f} ms,"
        f" RMSSD error median {np.median([v[0] for v in variability]):.2f} ms over matched intervals,"
        f" {np.median([v[1] for v in variability]):.2f} ms between whole recordings")
    for seconds, rows in live.items():
        print(f"live {seconds} s", {k: round(float(v), 3) for k, v in summary(rows).items()})
    first = answer(command, "--rate", 100, data / "ppg/heartpy_data1_100Hz.csv")
    second = answer(command, data / "ppg/heartpy_data2_mstimer.csv")
    for name, result in [("data1", first), ("data2", second)]:
        beats = np.array(result["beats"])
        print(
            f"{name}: {len(beats)} beats, {60 / clean(beats)[1].mean():.2f} bpm,"
            f" {np.mean([w['reliable'] for w in result['windows']]):.2f} reliable")


main()
