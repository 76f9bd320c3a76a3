"""Kills the monitor under load again and again: whatever it acknowledged is there, once.

usage: python3 Tests/BrowserTests/kill.py [PATH OF entrain-monitor] [--times N]
"""
import argparse
import http.client
import json
import random
import signal
import sys
import threading
import time

from monitor import PATIENCE, Monitor, program, wait


class Sender(threading.Thread):
    """Sends numbered readings, each until it is acknowledged, always with the same key."""

    def __init__(self, number, monitor):
        super().__init__(daemon=True)
        self.number, self.monitor = number, monitor
        self.acknowledged, self.isOver, self.refused = [], False, None

    def run(self):
        count, connection = 0, None
        while not self.isOver:
            elapsed = self.number * 100_000 + count
            body = json.dumps({"bpm": 60 + count % 100, "elapsed": elapsed})
            try:
                connection = connection or http.client.HTTPConnection("127.0.0.1", self.monitor.port, timeout=PATIENCE)
                connection.request("POST", "/api/sessions/run/heart-rate", body, {"Idempotency-Key": f"k{elapsed}"})
                answer = connection.getresponse()
                answer.read()
                if answer.status in (200, 201):
                    self.acknowledged.append(elapsed)
                    count += 1
                elif answer.status != 503:
                    self.refused = answer.status
                    return
            except (OSError, http.client.HTTPException):
                connection = None
                time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    monitor = Monitor(program([asked.program] if asked.program else []))
    assert monitor.post("/api/sessions", {"id": "run", "startedAt": 1_700_000_000}) == 201
    senders = [Sender(number, monitor) for number in range(16)]
    for sender in senders:
        sender.start()
    def count():
        return sum(len(sender.acknowledged) for sender in senders)

    for _ in range(asked.times):
        # However slow the machine is, each one that is killed has something to lose.
        before = count()
        if not wait(lambda: count() > before):
            sys.exit("nothing is acknowledged any more")
        time.sleep(chance.uniform(0, 0.35))
        monitor.stop(signal.SIGKILL)
        monitor.start()
    for sender in senders:
        sender.isOver = True
    for sender in senders:
        sender.join()
    kept = [int(sample["elapsed"]) for sample in monitor.samples("run")]
    monitor.stop()
    acknowledged = [elapsed for sender in senders for elapsed in sender.acknowledged]
    lost, doubled = set(acknowledged) - set(kept), len(kept) - len(set(kept))
    print(f"{asked.times} kills, {len(acknowledged)} acknowledged, {len(kept)} kept, {len(lost)} lost, {doubled} doubled")
    refused = [sender.refused for sender in senders if sender.refused]
    if refused:
        print(f"readings are refused: {refused}")
    sys.exit(1 if lost or doubled or refused else 0)


if __name__ == "__main__":
    main()
