"""Real runs and recordings on the monitor's pages: the program entrain tells, a browser shows.

usage: python3 Tests/BrowserTests/test_runs.py [PATH OF entrain-monitor]
The program entrain is looked for beside entrain-monitor. Takes one and a half minutes, most of it waiting for a run.
"""
import datetime
import os
import signal
import socket
import subprocess
import threading
import time

import workout
from monitor import PATIENCE, scratch, wait
from pages import DAY, PageCase, main

STUDY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Studies", "expected-workout.yaml")


WATCHED = """
entrain: 1
study: {identifier: watched, revision: 1, title: Watched}
sources: {heartRate: {type: simulated}}
tasks:
  - identifier: sit
    steps:
      - {type: active, identifier: rest, title: Rest, duration: 10 min, recorders: [{type: heartRate, identifier: pulse}]}
      - {type: completion, identifier: end, title: Thank you}
"""


class Cut:
    """A way to a monitor that is cut after so many bytes."""

    def __init__(self, monitor, after):
        self.monitor, self.left = monitor, after
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self.door.getsockname()[1]}"
        self.open = []

    def __enter__(self):
        threading.Thread(target=self.lead, daemon=True).start()
        return self

    def lead(self):
        while self.left > 0:
            try:
                near, _ = self.door.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.monitor.port))
            self.open += [near, far]
            threading.Thread(target=self.carry, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self.carry, args=(far, near, False), daemon=True).start()

    def carry(self, here, there, isCounted):
        try:
            while self.left > 0:
                part = here.recv(65536)
                if not part:
                    break
                there.sendall(part)
                self.left -= len(part) if isCounted else 0
        except OSError:
            pass
        if self.left <= 0:
            return self.cut()
        try:
            there.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        for one in (self.door, *self.open):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def __exit__(self, *_):
        self.cut()


class RunTests(PageCase):
    def entrain(self, *arguments, **options):
        path = os.path.join(os.path.dirname(self.program), "entrain")
        return subprocess.Popen([path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def boundaries(self, page):
        """Where dashed upright lines of the colour of steps stand in the chart, as parts of its width."""
        return page.evaluate("""() => {
            const probe = document.createElement("i");
            probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--step");
            document.body.append(probe);
            const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
            probe.remove();
            const found = [];
            for (const canvas of document.querySelectorAll("#chart canvas")) {
                const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                for (let x = 0; x < width; x++) {
                    let count = 0;
                    for (let y = 0; y < height; y++) {
                        const at = (y * width + x) * 4;
                        if (data[at + 3] > 100 && wanted.every((value, index) => Math.abs(data[at + index] - value) < 30)) count++;
                    }
                    if (count > height * .3 && count < height * .7) found.push(x / width);
                }
            }
            return found.filter((x, index) => !index || x - found[index - 1] > .01);
        }""")

    def keepTelling(self, page):
        """Keeps what the page says from now on, so that nothing is missed of what changes while nobody looks."""
        page.evaluate("""() => {
            const kept = window.kept = { elapsed: [], step: [], state: [], deviation: [] };
            const keep = (list, value) => { if (value && list[list.length - 1] !== value) list.push(value); };
            const look = () => {
                for (const name of ["elapsed", "step", "deviation"]) keep(kept[name], document.getElementById(name).textContent);
                keep(kept.state, document.getElementById("health").dataset.state);
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        }""")

    def test_bundles_that_were_delivered_are_listed(self):
        out = scratch()
        study = f"{out}/watched.yaml"
        with open(study, "w") as file:
            file.write(WATCHED)
        rehearsed = self.entrain("rehearse", study, "--participants", "3", "--out", f"{out}/results")
        self.assertEqual(rehearsed.wait(PATIENCE), 0)
        page = self.open("/")
        page.click("#kept summary")
        page.wait_for_selector("#kept-words:has-text('None are kept here')")
        # The way breaks within the second bundle; what has come is not sent again.
        size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(f"{out}/results") for name in names)
        with Cut(self.monitor, after=size // 2) as way:
            broken = self.entrain("deliver", f"{out}/results", "--to", way.url)
            said = broken.communicate(timeout=PATIENCE)
            self.assertEqual(broken.returncode, 69, said)
            self.assertIn("cannot be delivered", said[1])
        page.wait_for_selector("#kept-words:has-text('1 is still arriving')")
        rest = self.entrain("deliver", f"{out}/results", "--to", self.monitor.url)
        said = rest.communicate(timeout=PATIENCE)
        self.assertEqual(rest.returncode, 0, said)
        self.assertRegex(said[0], "[12] bundles? had been delivered before")
        page.wait_for_selector("#kept-words:has-text('3 bundles are kept here.')")
        rows = page.eval_on_selector_all("#kept-bundles tr", "all => all.map(one => one.textContent)")
        self.assertEqual(len(rows), 3)
        self.assertTrue(all("watched" in row and "completed · simulated" in row for row in rows), rows)
        self.assertQuiet()

    def test_a_run_at_tenfold_speed_draws_both_curves_and_its_steps(self):
        out = scratch()
        page = self.open("/", scale=2)
        page.wait_for_selector("#connection:has-text('Connected')")
        self.keepTelling(page)
        run = self.entrain("run", STUDY, "--participant", "P01", "--auto", "--speed", "10", "--monitor", self.monitor.url, "--out", out)
        said = run.communicate(timeout=10 * PATIENCE)
        self.assertEqual(run.returncode, 0, said)
        # What a busy machine left untold when the run was over is told now.
        self.deliver(out)
        page.wait_for_selector("#health:has-text('completed')")
        kept = page.evaluate("window.kept")
        seconds = [60 * int(text.split(":")[0]) + int(text.split(":")[1][:2]) for text in kept["elapsed"] if text[0].isdigit()]
        self.assertTrue(len(seconds) > 10 and seconds == sorted(seconds), f"grows without being loaded again: {seconds}")
        titles = [title for title in ("Warm up", "Now harder", "Slow down") if any(step.startswith(title) for step in kept["step"])]
        self.assertEqual(len(titles), 3, kept["step"])
        self.assertIn("fresh", kept["state"])
        self.assertTrue(any("the band" in words or "as expected" in words for words in kept["deviation"]), kept["deviation"])
        self.assertRegex(page.text_content("#title"), "Expected workout")
        self.assertRegex(page.text_content("#subtitle"), "simulated · 10 × real time")
        self.waitForColours(page, ("measured", "expected"), 200)
        self.assertBoundaries(page)
        page.click("summary")
        page.wait_for_selector("#events tr >> nth=8", state="attached")
        told = page.eval_on_selector_all("#events tr", "all => all.map(one => one.lastChild.textContent)")
        for words in ("Step begins: Warm up", "Step begins: Now harder", "Step begins: Slow down", "Rating: How hard was it?", "Session ends: completed"):
            self.assertTrue(any(line.startswith(words) for line in told), f"{words} in {told}")
        self.assertGreater(page.locator("#readings tr").count(), 250)
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector(".marker")
        day = self.monitor.get("/api/days/today")
        self.assertEqual(len(day["expected"]), 3)
        self.assertTrue(all(len(point) == 4 for curve in day["expected"] for point in curve))
        self.assertQuiet()

    def feed(self, out, participant):
        """A run whose strap is this test: readings go in as lines."""
        study = os.path.join(out, "watched.yaml")
        with open(study, "w") as file:
            file.write(WATCHED)
        return self.entrain(
            "run", study, "--participant", participant, "--auto", "--source", "heartRate=stdin", "--monitor", self.monitor.url,
            "--out", out, stdin=subprocess.PIPE)

    def test_a_killed_a_stopped_and_a_strapless_run_are_told_apart(self):
        runs = {name: self.feed(scratch(), name) for name in ("KILLED", "STOPPED", "STRAPLESS", "FINE")}
        beating = set(runs)

        def beat():
            while beating:
                for name in list(beating):
                    try:
                        runs[name].stdin.write("72\n")
                        runs[name].stdin.flush()
                    except (OSError, ValueError):
                        beating.discard(name)
                time.sleep(0.5)

        threading.Thread(target=beat, daemon=True).start()
        page = self.open("/")

        def card(name):
            return page.locator(f".card:has-text('{name}')")

        for name in runs:
            card(name).locator(".value:has-text('72')").wait_for()
            self.assertEqual(card(name).get_attribute("data-state"), "running")
        began = time.monotonic()
        runs["KILLED"].kill()
        runs["STOPPED"].send_signal(signal.SIGTERM)
        beating.discard("STRAPLESS")
        page.wait_for_selector("#ended:has-text('STOPPED'):has-text('stopped by a signal')")
        for name, state, words in (("KILLED", "lost", "No contact with the run"),
                                   ("STRAPLESS", "stale", "No heart rate for")):
            page.wait_for_selector(f".card[data-state={state}]:has-text('{name}'):has-text('{words}')")
            print(f"{name}: {state} after {time.monotonic() - began:.1f} s")
            self.assertEqual(card(name).locator(".value").text_content(), "–")
        self.assertEqual(card("FINE").get_attribute("data-state"), "running")
        names = [one.split("session")[0] for one in page.locator(".card").all_text_contents()]
        self.assertIn("KILLED", names[0], names)
        card("KILLED").click()
        page.wait_for_selector("#health:has-text('No contact with the run')")
        page.wait_for_selector("#deviation:has-text('nothing is expected now')")
        beating.clear()
        for name in ("FINE", "STRAPLESS"):
            runs[name].terminate()
        for run in runs.values():
            run.communicate(timeout=PATIENCE)
        self.assertQuiet()

    def test_two_phones_are_two_cards_each_with_its_person(self):
        page = self.open("/")
        page.wait_for_selector("#connection:has-text('Connected')")
        for source, person, rate in (("phone-3", "P03", "61"), ("phone-4", "P04", "84")):
            self.assertEqual(self.monitor.post(f"/addheartrate?source={source}&participant={person}", rate), 204)
        for source, person, rate in (("phone-3", "P03", "61"), ("phone-4", "P04", "84")):
            page.wait_for_selector(f".card:has-text('{source}'):has-text('{person}'):has-text('{rate}')")
        # From the future: the sender's clock is wrong, and is told so.
        self.assertEqual(self.monitor.post("/api/sessions/readings/heart-rate", {"bpm": 70, "t": time.time() + 294}), 422)
        self.assertQuiet()

    def assertBoundaries(self, page):
        """A line stands where each timed step began."""
        begun = [event["elapsed"] for event in self.monitor.get("/api/days/today")["events"] if event["kind"] == "stepStarted"]
        self.assertEqual(len(begun), 3, begun)
        lines = self.eventually(page, lambda: self.boundaries(page), lambda found: len(found) == 3, "lines of steps")
        drawn, wanted = ((second - first) / (third - first) for first, second, third in (lines, begun))
        self.assertAlmostEqual(drawn, wanted, delta=0.02)

    def test_an_expected_curve_stands_on_its_day_and_can_be_hidden(self):
        start = self.monitor.get("/api/days/today")["start"]
        about = workout.description("long", start + 3600)
        # Level for twelve hours, half of the chart: no luck with pixels.
        about["steps"] = [{"identifier": "rest", "title": "Rest", "duration": 12 * 3600,
                           "expected": [[0, 120, 105, 135], [12 * 3600, 120, 105, 135]]}]
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        begun = {"sequence": 1, "kind": "stepStarted", "elapsed": 0, "step": "rest", "ordinal": 1}
        self.assertEqual(self.monitor.post("/api/sessions/long/events", {"events": [begun]}), 201)
        page = self.open("/history", scale=4)
        page.wait_for_selector(".marker")
        self.waitForColours(page, ("expected",), 200)
        page.uncheck("#layer-expected")
        self.eventually(page, lambda: self.colours(page).get("expected", 0), lambda count: count < 20, "the hidden curve")
        page.check("#layer-expected")
        self.waitForColours(page, ("expected",), 200)
        self.assertQuiet()

    def table(self, start, count):
        """A file of readings a second apart, each with an interval that fills its second, and its path."""
        path = os.path.join(scratch(), "strap.csv")
        with open(path, "w") as file:
            file.write("time,hr,rr\n")
            for second in range(count):
                moment = datetime.datetime.fromtimestamp(start + second, datetime.timezone.utc)
                file.write(f"{moment:%Y-%m-%dT%H:%M:%SZ},{60 + second % 40},{1010 - second % 20}\n")
        return path

    def imported(self, path, *arguments, **options):
        process = self.entrain("import", path, "--into", self.monitor.url, *arguments, **options)
        said = process.communicate(timeout=PATIENCE)
        return process.returncode, said[0] + said[1]

    def sent(self, path, *arguments, **options):
        """Imports until all has arrived: on a busy machine the monitor may answer too late, which doubles nothing."""
        for _ in range(5):
            code, said = self.imported(path, *arguments, **options)
            if code != 69:
                break
        self.assertEqual(code, 0, said)
        return said

    def deliver(self, out):
        path = os.path.join(os.path.dirname(self.program), "entrain")
        command = [path, "deliver", out, "--to", self.monitor.url]
        self.assertTrue(wait(lambda: subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0), "not all is delivered")

    def test_a_recording_that_is_imported_twice_stands_on_its_day_once(self):
        # Where it is imported, another day begins while it lasts: what counts is the day of the monitor's clock.
        ahead = self.monitor.get("/api/days/today")["hours"][0]["offset"] // 3600
        ahead += 11 if ahead <= 11 else -13
        elsewhere = {**os.environ, "TZ": f"<{ahead:+03d}>{-ahead:+d}"}
        start = self.monitor.get("/api/days/today")["start"] - 9 * DAY + 12 * 3600
        path = self.table(start, 5000)
        page = self.open("/history", scale=2)
        page.wait_for_selector("#connection:has-text('Connected')")
        said = self.sent(path, "--participant", "P07", env=elsewhere)
        self.assertIn("Sent 5000 readings", said)
        address = said.split()[-1]
        page.wait_for_selector("#participant option[value=P07]", state="attached")
        for _ in range(2):
            page.goto(address + "&participant=P07")
            self.eventually(page, lambda: page.text_content("#chart-words"),
                            lambda words: "5000 readings: minimum 60, mean 80, maximum 99" in words, "the summary")
            self.waitForColours(page, ("measured",), 100)
            self.assertIn("Session at", page.get_attribute(".marker", "aria-label"))
            self.sent(path, "--participant", "P07")
        # A longer export of the same heart brings only what is new.
        self.sent(self.table(start, 6000), "--participant", "P07")
        page.reload()
        page.wait_for_selector("#chart-words:has-text('6000 readings')")
        session = next(one for one in self.monitor.get("/api/sessions")["sessions"] if one["kind"] == "import")
        first = self.monitor.get(f"/api/sessions/{session['id']}/heart-rate")["samples"][0]
        self.assertEqual(len(first["rr"]), 1)
        self.assertQuiet()

    def test_an_import_that_fails_says_why_and_goes_on_where_it_was(self):
        today = self.monitor.get("/api/days/today")
        start = today["start"] - 3 * DAY + 3600
        path = self.table(start, 60_000)
        with Cut(self.monitor, after=1_000_000) as cut:
            process = self.entrain("import", path, "--into", cut.url)
            said = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 69, said)
        self.assertIn("not everything was sent", said)
        self.monitor.stop(signal.SIGKILL)
        code, said = self.imported(path)
        self.assertEqual(code, 69, said)
        self.monitor.start()
        self.sent(path)
        date = today["date"]
        for _ in range(3):
            date = self.monitor.get(f"/api/days/{date}")["previous"]
        self.assertEqual(self.monitor.get(f"/api/days/{date}")["summary"]["count"], 60_000)
        undated = os.path.join(os.path.dirname(path), "undated.csv")
        with open(undated, "w") as file:
            file.write("seconds,hr\n0,60\n1,61\n")
        code, said = self.imported(undated)
        self.assertEqual(code, 65, said)
        self.assertIn("does not state the day", said)

    def test_a_finger_moves_a_day(self):
        self.fill_days()
        context = self.newContext(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
        page = self.open("/history", context=context)
        page.wait_for_selector("#before .side:visible")
        today = page.input_value("#date")
        touch = context.new_cdp_session(page)

        def swipe(across, down=0):
            self.settled(page)
            box = page.locator("#chart").bounding_box()
            x, y = box["x"] + box["width"] / 2 - across / 2, box["y"] + box["height"] / 2
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for step in range(1, 9):
                point = {"x": x + across * step / 8, "y": y + down * step / 8}
                touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        swipe(180)
        self.waitForDate(page, lambda date: date < today)
        swipe(-180)
        self.waitForDate(page, lambda date: date == today)
        swipe(20, -200)
        self.settled(page)
        self.assertEqual(page.input_value("#date"), today)
        self.assertQuiet()


if __name__ == "__main__":
    main()
