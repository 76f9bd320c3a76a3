"""The sessions that browser tests look at."""
import math

STEPS = [("warmUp", "Warm up", 180, 0.3), ("effort", "Now harder", 360, 0.65), ("recovery", "Slow down", 180, 0.1)]


def curve(effort, duration):
    points = []
    for second in range(0, duration + 1, 5):
        rate = 64 + effort * 121 * (1 - math.exp(-second / 45))
        points.append([second, rate, rate * 0.9, rate * 1.1])
    return points


def description(identifier, start, title="Expected workout"):
    steps = [{"identifier": name, "title": title_, "duration": length, "expected": curve(effort, length)}
             for name, title_, length, effort in STEPS]
    return {"id": identifier, "startedAt": start, "study": "expected-workout", "task": "workout", "title": title,
            "participant": "P01", "session": 1, "limits": {"low": 60, "high": 120}, "steps": steps}


def events():
    sequence, elapsed, made = 0, 0, []

    def add(kind, at, **details):
        nonlocal sequence
        sequence += 1
        made.append({"sequence": sequence, "kind": kind, "elapsed": at, **details})

    for ordinal, (name, _, length, _) in enumerate(STEPS, 1):
        add("stepShown", elapsed, step=name, ordinal=ordinal)
        add("stepStarted", elapsed, step=name, ordinal=ordinal)
        if name == "effort":
            add("stimulusOnset", elapsed + 20, step=name, stimulus="happy_preview_1")
        add("stepEnded", elapsed + length, step=name, ordinal=ordinal)
        elapsed += length
    add("rating", elapsed + 4, step="exertion", text="13")
    add("over", elapsed + 6, text="completed")
    return made


def samples(count):
    rate, made = 64.0, []
    for second in range(count):
        target = 100 if second < 180 else 142 if second < 540 else 76
        rate += (target - rate) / 45
        made.append({"bpm": round(rate + 3 * math.sin(second / 6), 1), "elapsed": second})
    return made
