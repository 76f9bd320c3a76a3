"""Cuts the power of the monitor under load: whatever it acknowledged is there, once, whatever the disk kept.

usage: python3 Tests/BrowserTests/power.py [PATH OF entrain-monitor] [--faults LIBRARY] [--cuts N] [--seed N]

No power is cut. A preloaded library (libEntrainFaults, as `entrain drill` uses it) notes every call that changes the store, with its
bytes, while readings are sent. From the notes up to a moment this script makes what a disk may then hold: bytes are safe once
their file was synced, names once their folder was; of all else there may be anything (`any`), nothing (`least`), names and sizes
without bytes (`names`), or the last write of each file in part (`torn`). A new monitor on that store must have every reading that
was acknowledged before the moment, none twice, and take new ones. The negative control leaves out every sync: then it must find
a loss, or ends with 70.
"""
import argparse
import os
import random
import signal
import struct
import sys
import time

from kill import Sender
from monitor import Monitor, program, scratch, wait

HEAD = struct.Struct("<IIqqqqIIII")
CREATE, OPEN, WRITE, SYNC, SYNC_ALL, RENAME, REMOVE, FOLDER, TRUNCATE, SAY = range(1, 11)
MODES = ["any", "least", "names", "torn"]


def records(log):
    """Every call of a log that worked: where it ends in the log, its kind, its names, its place and its bytes."""
    place = 0
    while place + HEAD.size <= len(log):
        _, kind, _, result, offset, _, first, second, count, _ = HEAD.unpack_from(log, place)
        start = place + HEAD.size
        place = start + first + second + count
        if place > len(log):
            return
        path, other = log[start:start + first].decode(), log[start + first:start + first + second].decode()
        if result >= 0:
            yield place, kind, path, other, offset, log[place - count:place]


class Disk:
    """What the calls so far may have left."""

    def __init__(self, root):
        self.root, self.files, self.next = root, {}, 0
        self.changes, self.names, self.renames = {}, {}, []

    def make(self, path):
        if path not in self.names:
            self.names[path] = self.next
            self.changes[self.next] = []
            self.renames.append([None, path, self.next, False])
            self.next += 1

    def apply(self, kind, path, other, offset, data):
        if kind == CREATE:
            self.make(path)
        elif kind in (WRITE, TRUNCATE) and path in self.names:
            self.changes[self.names[path]].append([kind, offset, data, False])
        elif kind == SYNC:
            for change in self.changes.get(self.names.get(path), []):
                change[-1] = True
            for rename in self.renames:
                if any(name and os.path.dirname(name) == path for name in rename[:2]):
                    rename[-1] = True
        elif kind == RENAME and path in self.names:
            node = self.names.pop(path)
            self.names[other] = node
            self.renames.append([path, other, node, False])
        elif kind == REMOVE and path in self.names:
            self.renames.append([path, None, self.names.pop(path), False])

    def state(self, mode, chance):
        share = 0 if mode == "least" else chance.choice([0, 0.5, 0.5, 0.9, 1])
        kept = {}
        for old, new, node, is_safe in self.renames:
            if is_safe or mode in ("names", "torn") or chance.random() < share:
                if old and kept.get(old) == node:
                    del kept[old]
                if new:
                    kept[new] = node
        return {path: self.content(self.changes[node], mode, share, chance) for path, node in kept.items()}

    @staticmethod
    def content(changes, mode, share, chance):
        content = bytearray()
        for index, (kind, offset, data, is_safe) in enumerate(changes):
            if not is_safe:
                if mode in ("any", "least") and chance.random() >= share:
                    continue
                if mode == "names":
                    data = bytes(len(data))
                elif mode == "torn" and index == len(changes) - 1 and data:
                    data = data[:chance.randrange(len(data))]
            end = offset if kind == TRUNCATE else offset + len(data)
            content.extend(bytes(max(0, end - len(content))))
            if kind == TRUNCATE:
                del content[end:]
            else:
                content[offset:end] = data
        return content


def load(path, library, folder, log, seconds):
    """Sends readings for a while; what was acknowledged, and how long the log was then."""
    environment = {"LD_PRELOAD": library, "ENTRAIN_FAULTS": f"root={folder};log={log}"}
    os.environ.update(environment)
    monitor = Monitor(path, data=folder)
    for name in environment:
        del os.environ[name]
    acknowledged = []

    class Listed(list):
        def append(self, elapsed):
            acknowledged.append((os.path.getsize(log), elapsed))

    assert monitor.post("/api/sessions", {"id": "run", "startedAt": 1_700_000_000}) == 201
    began = os.path.getsize(log)
    senders = [Sender(number, monitor) for number in range(8)]
    for sender in senders:
        sender.acknowledged = Listed()
        sender.start()
    if not wait(lambda: len(acknowledged) > 500):
        sys.exit("nothing is acknowledged")
    time.sleep(seconds)
    monitor.stop(signal.SIGKILL)
    for sender in senders:
        sender.isOver = True
    for sender in senders:
        sender.join()
    with open(log, "rb") as file:
        return began, acknowledged, file.read()


def judge(path, state, root, wanted):
    """What a monitor makes of a state of the disk: how many readings are lost, and how many are there twice."""
    folder = scratch("entrain-power-")
    for name, content in state.items():
        target = folder + name[len(root):]
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
        os.chmod(target, 0o600)
    try:
        monitor = Monitor(path, data=folder)
    except RuntimeError as error:
        return len(wanted) or 1, 0, str(error)
    try:
        kept = [int(sample["elapsed"]) for sample in monitor.samples("run")]
        takes = monitor.post("/api/sessions/run/heart-rate", {"bpm": 70, "elapsed": 9_999_999}) in (200, 201)
    except OSError as error:
        return len(wanted) or 1, 0, str(error)
    finally:
        monitor.stop()
    return len(wanted - set(kept)), len(kept) - len(set(kept)), "" if takes else "takes no new reading"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--faults", help="libEntrainFaults.so; default: beside the monitor")
    parser.add_argument("--cuts", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    path = program([asked.program] if asked.program else [])
    library = os.path.abspath(asked.faults or os.path.join(os.path.dirname(path), "libEntrainFaults.so"))
    chance = random.Random(asked.seed)
    home = scratch("entrain-power-")
    root, log = os.path.join(home, "store"), os.path.join(home, "log")
    began, acknowledged, noted = load(path, library, root, log, asked.seconds)
    calls = list(records(noted))
    moments = [end for end, *_ in calls if end >= began]
    failed, total = 0, 0
    for number in range(asked.cuts):
        moment, mode = chance.choice(moments), MODES[number % len(MODES)]
        disk = Disk(root)
        for end, *call in calls:
            if end <= moment:
                disk.apply(*call)
        wanted = {elapsed for size, elapsed in acknowledged if size <= moment}
        total += len(wanted)
        lost, doubled, problem = judge(path, disk.state(mode, chance), root, wanted)
        if lost or doubled or problem:
            failed += 1
            print(f"cut {number} ({mode}, after {moment} bytes of the log): {lost} of {len(wanted)} lost, {doubled} doubled {problem}")
    found = 0
    for _ in range(3):
        disk = Disk(root)
        for _, kind, *call in calls:
            if kind != SYNC or not call[0].endswith(("-wal", ".sqlite", ".db")):
                disk.apply(kind, *call)
        wanted = {elapsed for _, elapsed in acknowledged}
        found += judge(path, disk.state("least", chance), root, wanted)[0] > 0
    syncs = sum(kind == SYNC for _, kind, *_ in calls)
    print(
        f"{asked.cuts} power cuts under load ({len(calls)} calls, {syncs} syncs, {len(acknowledged)} acknowledged): "
        f"{failed} with a loss; without syncs {found} of 3 found")
    sys.exit(1 if failed else 0 if found == 3 else 70)


main()
