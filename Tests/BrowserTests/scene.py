"""What pages are looked at with: rooms in every state, and days with all that a day can hold."""
import concurrent.futures
import math
import random
import threading
import time

import workout
from pages import DAY

STUDIES = ["Music and effort", "Calm after load", "Tempo of steps"]
# The first rooms are in trouble, if there are more than four.
TROUBLES = {1: "killed", 2: "strapless", 3: "battery", 4: "stopped"}


class Rooms:
    """Sessions in so many rooms; each goes on until `end`, except those in trouble."""

    def __init__(self, monitor, count, tokens=()):
        self.monitor, self.tokens, self.now = monitor, tokens, time.time()
        self.rates, self.isOver = {}, threading.Event()
        self.pool = concurrent.futures.ThreadPoolExecutor(4)
        list(self.pool.map(lambda number: self.begin(number, TROUBLES.get(number) if count > 4 else None), range(count)))
        self.thread = threading.Thread(target=self.beat, daemon=True)
        self.thread.start()

    def post(self, number, path, value):
        token = self.tokens[number] if self.tokens else None
        return self.monitor.post(f"/api/sessions{path}", value, token=token)

    def begin(self, number, trouble):
        begun = self.now - 200 - number * 37 % 320
        until = self.now - begun
        about = workout.description(f"run-{number}", begun, title=STUDIES[number % 3])
        about.update(participant=f"P{number * 7 % 90 + 10:03d}", session=number % 4 + 1)
        events = [event for event in workout.events() if event["elapsed"] <= until]

        def add(kind, **details):
            events.append({"sequence": len(events) + 1, "kind": kind, "elapsed": until - 20, **details})

        add("sourceState", source="heartRate", state="live", **({"text": "the battery is low: 12 %"} if trouble == "battery" else {}))
        if trouble == "stopped":
            add("over", text="earlyTermination")
        end = until - {"strapless": 40, "killed": 20, "stopped": 20}.get(trouble, 0)
        chance = random.Random(number)
        samples = [{**one, "bpm": round(one["bpm"] + number % 7 * 3 - 8 + chance.gauss(0, 1), 1)} for one in workout.samples(int(end))
                   if not 100 < one["elapsed"] < 100 + number % 5 * 4]
        self.post(number, "", about)
        self.post(number, f"/run-{number}/events", {"events": events})
        self.post(number, f"/run-{number}/heart-rate", {"samples": samples})
        self.post(number, f"/run-{number}/alive", "")
        if trouble not in ("killed", "stopped"):
            self.rates[number] = None if trouble == "strapless" else samples[-1]["bpm"]

    def tell(self, number):
        rate = self.rates[number]
        self.post(number, f"/run-{number}/alive", "")
        if rate:
            self.post(number, f"/run-{number}/heart-rate", {"bpm": round(rate + 4 * math.sin(time.time() / 5 + number), 1)})

    def beat(self):
        """A sign of life of each room, and its heart rate, every second."""
        while not self.isOver.wait(1 - time.time() % 1):
            try:
                list(self.pool.map(self.tell, list(self.rates)))
            except OSError:
                return

    def end(self):
        self.isOver.set()
        self.thread.join()
        self.pool.shutdown()


def fill_day(monitor, back, person="P017"):
    """A day of a watch, so many days ago, with a night, a shower, a run and notes; as much of it as has been."""
    today = monitor.get("/api/days/today")
    start = today["start"] - back * DAY
    end = min(start + DAY, today["now"])
    chance = random.Random(back)
    samples = []
    for second in range(0, int(end - start), 20):
        hour = second / 3600
        asleep = hour < 6.4 + back % 3 * .3 or hour > 22.8
        base = 55 + 3 * math.sin(hour) if asleep else 76 + 8 * math.sin(hour * 1.3 + back)
        base += 52 * math.exp(-((hour - 17.4) / .28) ** 2)
        if not 8.1 < hour < 8.7:
            samples.append({"t": start + second, "bpm": round(base + chance.gauss(0, 3.5), 1)})
    for index in range(0, len(samples), 5000):
        monitor.post(f"/api/sessions/readings/heart-rate?participant={person}&source=watch", {"samples": samples[index:index + 5000]})
    begun = start + 10.4 * 3600
    if begun + 900 < end:
        monitor.post("/api/sessions", {**workout.description(f"{person}-{back}", begun), "participant": person})
        monitor.post(f"/api/sessions/{person}-{back}/events", {"events": workout.events()})
        monitor.post(f"/api/sessions/{person}-{back}/heart-rate", {"samples": workout.samples(730)})
    for hour, words in ((6.8, "Woke up"), (8.4, "Took the strap off for a shower"), (13, "Lunch"), (17.2, "Bicycle home"), (21.5, "Tea")):
        if start + hour * 3600 < end:
            monitor.post("/api/notes", {"t": start + hour * 3600, "text": words, "participant": person})


def fill_lists(monitor, room, keeper):
    """Finished sessions, the progress of two studies, and a deletion."""
    now = time.time()
    for number, (outcome, quality) in enumerate([
            ("completed", {"coverage": 0.998, "longestGap": 3.1, "pauses": 0, "worstLateness": 0.0021, "underruns": 0, "problems": 0, "poor": False}),
            ("completed", {"coverage": 0.871, "longestGap": 41.5, "pauses": 1, "worstLateness": 0.0034, "underruns": 0, "problems": 0, "poor": True}),
            ("discarded", {"coverage": 0.96, "longestGap": 6.2, "pauses": 0, "underruns": 0, "problems": 0}), ("failed", None), ("trial", None)]):
        begun, name = now - 90_000 - number * 4000, f"done-{number}"
        monitor.post("/api/sessions", {**workout.description(name, begun, title=STUDIES[number % 2]), "participant": f"P{number + 20:03d}"}, token=room)
        events = [*workout.events()[:-1], {"sequence": 90, "kind": "over", "elapsed": 726, "text": outcome}]
        if quality:
            events.append({"sequence": 91, "kind": "quality", "elapsed": 726, "quality": quality})
        monitor.post(f"/api/sessions/{name}/events", {"events": events}, token=room)
        monitor.post(f"/api/sessions/{name}/heart-rate", {"samples": workout.samples(720)}, token=room)
    monitor.post("/api/deletions", {"session": "done-4", "reason": "a trial of the strap", "confirmed": True}, token=keeper)
    monitor.post("/api/studies/music-and-effort", {
        "date": now - 3600, "title": "Music and effort", "participants": 24, "completed": 41, "incomplete": 2, "excluded": 1, "poor": 1,
        "arms": {"fast": 12, "slow": 12}, "orders": [{"block": "clips", "distinct": 4, "counts": {"a, b, d, c": 6, "b, c, a, d": 6, "c, d, b, a": 7, "d, a, c, b": 5}}],
        "toCome": [{"participant": "P009", "session": "week1", "state": "overdue", "when": "2026-11-19 to 2026-11-21"},
                   {"participant": "P017", "session": "week1", "state": "due", "when": "2026-11-24 to 2026-11-26"},
                   *[{"participant": f"P{number:03d}", "session": "month1", "state": "upcoming", "when": "later"} for number in range(5)]]}, token=room)
    monitor.post("/api/studies/calm-after-load", {
        "date": now - 7200, "title": "Calm after load", "participants": 9, "completed": 8, "incomplete": 1, "excluded": 0, "poor": 0, "armsAreHidden": True}, token=room)
