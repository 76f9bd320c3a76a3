"""Forty rooms at a reading a second and twenty open pages: from POST to pixel, the server's load and memory, the pages' memory and work.

usage: python3 Tests/BrowserTests/rooms.py [PATH OF entrain-monitor] [--minutes N] [--rooms N] [--pages N] [--drawn N]
Half of the pages show the rooms with the chart of one, the others the wall. Says figures; judges them with ENTRAIN_JUDGE_SPEED=1, on a
machine that does nothing else. In a lab, twenty pages are drawn by twenty machines. With `--drawn`, so many are drawn here; the others ask
and listen as a page does, and what comes is as late as it arrives.
"""
import argparse
import collections
import http.client
import json
import os
import re
import sys
import threading
import time

import pages
import workout
from monitor import JUDGES_SPEED, Monitor, program
from playwright.sync_api import sync_playwright

# A page keeps the moment after the frame in which a card's value changed.
WATCH = """() => {
  const seen = window.seen = [], last = new Map();
  const look = () => {
    const at = performance.timeOrigin + performance.now();
    for (const value of document.querySelectorAll(".value")) {
      const { session } = value.dataset, text = value.textContent;
      if (last.get(session) === text) continue;
      last.set(session, text);
      seen.push([session, text, at]);
    }
  };
  const channel = new MessageChannel();
  channel.port1.onmessage = look;
  let isDue = false;
  // After the next frame is drawn.
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; channel.port2.postMessage(null); });
  }).observe(document.getElementById("sessions"), { subtree: true, childList: true, characterData: true });
}"""
TAKE = "() => window.seen.splice(0)"


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def tree(pid):
    """A process and all that it has begun."""
    children = collections.defaultdict(list)
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    children[int(file.read().rsplit(")", 1)[1].split()[1])].append(int(name))
            except OSError:
                continue
    found, open_ = [], [pid]
    while open_:
        one = open_.pop()
        found.append(one)
        open_ += children[one]
    return found


def kinds(pid):
    """Processor seconds of a browser's processes, by what they are for."""
    seconds = collections.Counter()
    for one in tree(pid):
        try:
            with open(f"/proc/{one}/cmdline") as file:
                kind = re.search(r"--type=([a-z-]+)", file.read())
            seconds[kind[1] if kind else "browser"] += processor_seconds(one)
        except OSError:
            continue
    return seconds


def resident(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Room(threading.Thread):
    """Sends a reading a second, each with a rate that it has not sent for two minutes, and keeps when it did."""

    def __init__(self, monitor, number, over, sent):
        super().__init__(daemon=True)
        self.monitor, self.number, self.over, self.sent = monitor, number, over, sent
        self.identifier = f"room-{number}"
        self.refused = 0

    def post(self, path, body):
        self.line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = self.line.getresponse()
        answer.read()
        return answer.status

    def run(self):
        self.line = http.client.HTTPConnection("localhost", self.monitor.port, timeout=60)
        about = workout.description(self.identifier, time.time(), title="Load")
        about["participant"] = f"P{self.number + 1:02d}"
        about["steps"][0]["duration"] = 86_400
        self.post("/api/sessions", about)
        self.post(f"/api/sessions/{self.identifier}/events", {"events": workout.events()[:2]})
        # Rooms do not beat together.
        time.sleep(self.number / 40)
        begun, count = time.monotonic(), 0
        while not self.over.is_set():
            rate = 60 + count % 120
            at = time.time()
            self.sent[self.identifier].append((str(rate), at))
            if self.post(f"/api/sessions/{self.identifier}/heart-rate", {"bpm": rate, "t": at}) != 201:
                self.refused += 1
            self.post(f"/api/sessions/{self.identifier}/alive", {})
            count += 1
            self.over.wait(max(0, begun + count - time.monotonic()))


class Page:
    """An open page, what it drew and when."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")
        self.session.send("HeapProfiler.enable")
        self.delays, self.heaps = [], []
        page.evaluate(WATCH)
        self.before = self.metrics()
        self.began = time.monotonic()

    def metrics(self):
        return {one["name"]: one["value"] for one in self.session.send("Performance.getMetrics")["metrics"]}

    def look(self, sent):
        """Takes what was drawn since the last look, and compares it with what was sent."""
        for session, text, at in self.page.evaluate(TAKE):
            moments = [moment for rate, moment in reversed(sent[session][-150:]) if rate == text and moment <= at / 1000]
            if moments:
                self.delays.append(at / 1000 - moments[0])

    def weigh(self):
        """The bytes that the page's scripts use, after what is not needed was thrown away."""
        self.session.send("HeapProfiler.collectGarbage")
        self.heaps.append(self.metrics()["JSHeapUsedSize"] / 1e6)

    def share(self):
        """The part of a core that the page's main thread used, and its scripts alone."""
        after, length = self.metrics(), time.monotonic() - self.began
        return [(after[name] - self.before[name]) / length for name in ("TaskDuration", "ScriptDuration")]


class Listener(threading.Thread):
    """What a page asks and hears, without drawing it: all rooms, one session, and the list of all every twenty seconds."""

    def __init__(self, monitor, session, over, sent):
        super().__init__(daemon=True)
        self.monitor, self.session, self.over, self.sent, self.delays = monitor, session, over, sent, []

    def ask(self, path):
        line = http.client.HTTPConnection("localhost", self.monitor.port, timeout=60)
        line.request("GET", path)
        return line.getresponse()

    def hear(self, path, take):
        answer, kind = self.ask(path), None
        while not self.over.is_set():
            line = answer.readline()
            if not line:
                return
            if line.startswith(b"event: "):
                kind = line[7:].strip()
            elif line.startswith(b"data: ") and kind == b"heartRate":
                take(line)

    def arrived(self, line):
        at, told = time.time(), json.loads(line[6:])
        # When it was sent is in the reading itself.
        self.delays.append(at - told["t"])

    def run(self):
        self.ask("/").read()
        threading.Thread(target=self.hear, args=(f"/api/sessions/{self.session}/events", lambda line: None), daemon=True).start()
        threading.Thread(target=self.hear, args=("/api/events", self.arrived), daemon=True).start()
        while not self.over.is_set():
            self.ask("/api/sessions").read()
            self.ask("/api/alarms").read()
            self.over.wait(20)


def part(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rooms", type=int, default=40)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--drawn", type=int, help="so many of the pages are drawn here; default: all")
    asked = parser.parse_args()
    reason = pages.missing()
    if reason:
        print(f"skipped: {reason}")
        return
    monitor = Monitor(program([asked.program] if asked.program else []))
    over, sent = threading.Event(), collections.defaultdict(list)
    rooms = [Room(monitor, number, over, sent) for number in range(asked.rooms)]
    for room in rooms:
        room.start()
    time.sleep(3)
    drawn = asked.pages if asked.drawn is None else min(asked.drawn, asked.pages)
    listeners = [Listener(monitor, f"room-{number % asked.rooms}", over, sent) for number in range(drawn, asked.pages)]
    for listener in listeners:
        listener.start()
    with sync_playwright() as playwright:
        browser = pages.launch(playwright)
        chromium = next(pid for pid in tree(os.getpid()) if "chromium" in open(f"/proc/{pid}/cmdline").read().split("\0")[0])
        opened = []
        for number in range(drawn):
            name = "wall" if number % 2 else "live"
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(monitor.url + ("/?wall" if name == "wall" else f"/#session=room-{number}"))
            page.wait_for_selector(f".card >> nth={asked.rooms - 1}")
            opened.append(Page(page, name))
        time.sleep(5)
        for one in opened:
            one.page.evaluate(TAKE)
            one.before, one.began = one.metrics(), time.monotonic()
        began = time.time()
        begun, server, browsing = time.monotonic(), processor_seconds(monitor.process.pid), kinds(chromium)
        weights, end, next_weight = [], begun + 60 * asked.minutes, 0
        while time.monotonic() < end:
            time.sleep(min(5, max(0, end - time.monotonic())))
            for one in opened:
                one.look(sent)
            weights.append(resident(monitor.process.pid))
            if time.monotonic() - begun >= next_weight:
                for one in opened:
                    one.weigh()
                next_weight += max(60 * asked.minutes / 10, 10)
                print(f"{(time.monotonic() - begun) / 60:.1f} min: server {weights[-1]:.0f} MB, p99 so far "
                      f"{1000 * part([delay for one in opened for delay in one.delays], .99):.0f} ms, "
                      f"heaps {min(one.heaps[-1] for one in opened):.1f} to {max(one.heaps[-1] for one in opened):.1f} MB", flush=True)
        length = time.monotonic() - begun
        share = (processor_seconds(monitor.process.pid) - server) / length
        drawing = {kind: seconds / length / drawn for kind, seconds in (kinds(chromium) - browsing).items()}
        shares = {name: [one.share() for one in opened if one.name == name] for name in ("live", "wall")}
        for one in opened:
            one.look(sent)
            one.weigh()
        browser.close()
    over.set()
    for room in rooms:
        room.join()
    delays = [delay for one in opened for delay in one.delays]
    # Those of the last second may be drawn after the last look.
    expected = sum(began <= at <= began + length - 1 for list_ in sent.values() for _, at in list_) * drawn
    refused = sum(room.refused for room in rooms)
    heard = [delay for listener in listeners for delay in listener.delays]
    growth = [one.heaps[-1] - one.heaps[len(one.heaps) // 3] for one in opened]
    monitor.stop()
    figures = {
        "minutes": round(length / 60, 1), "rooms": asked.rooms, "pages": asked.pages, "drawn here": drawn, "load average": round(os.getloadavg()[0], 1),
        "readings sent": expected // drawn, "refused": refused, "drawn": len(delays), "of": expected,
        "POST to pixel ms": {"p50": round(1000 * part(delays, .5)), "p99": round(1000 * part(delays, .99)), "most": round(1000 * max(delays))},
        "p99 of the slowest page ms": round(1000 * max(part(one.delays, .99) for one in opened)),
        "POST to the other pages' machines ms": {name: round(1000 * part(heard, share)) for name, share in (("p50", .5), ("p99", .99))} if heard else None,
        "server": {"cores": round(share, 3), "MB at most": round(max(weights))},
        "heap MB": {"at first": round(part([one.heaps[0] for one in opened], .5), 1), "at last": round(part([one.heaps[-1] for one in opened], .5), 1),
                    "most grown after a third": round(max(growth), 2)},
        # By the clock: where others want the processor too, this is more than they took.
        "main thread busy": {name: round(sum(one[0] for one in each) / len(each), 3) for name, each in shares.items() if each},
        "scripts busy": {name: round(sum(one[1] for one in each) / len(each), 3) for name, each in shares.items() if each},
        "browser for each page, cores": {"all": round(sum(drawing.values()), 3), **{kind: round(share, 3) for kind, share in drawing.items()}},
    }
    print(json.dumps(figures, indent=1))
    # That a reading is drawn at all does not depend on the machine; one that came while a page was busy is drawn over by the next.
    right = [(refused == 0, "every reading is taken"), (len(delays) > expected / 2, "readings are drawn")]
    if JUDGES_SPEED:
        right += [(figures["POST to pixel ms"]["p99"] <= 1000, "p99 within 1 s"), (share <= 1, "the server takes at most a core"),
                  (max(weights) <= 250, "the server takes at most 250 MB"), (max(growth) < 1, "no page grows"),
                  (sum(drawing.values()) <= .1, "a page takes at most a tenth of a core")]
    wrong = [words for isSo, words in right if not isSo]
    if wrong:
        sys.exit(f"not so: {', '.join(wrong)}")


main()
