"""Real runs and recordings on the monitor's pages: the program entrain tells, a browser shows.

usage: python3 Tests/BrowserTests/test_runs.py [PATH OF entrain-monitor]
The program entrain is looked for beside entrain-monitor. Takes one and a half minutes, most of it a run.
"""
import datetime
import os
import signal
import subprocess
import tempfile
import time

from pages import DAY, PageCase, main

STUDY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Studies", "expected-workout.yaml")


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

    def test_a_run_at_tenfold_speed_draws_both_curves_and_its_steps(self):
        folder = tempfile.mkdtemp()
        page = self.open("/")
        page.wait_for_selector("#connection:has-text('Connected')")
        run = self.entrain("run", STUDY, "--participant", "P01", "--auto", "--speed", "10", "--monitor", self.monitor.url, "--out", folder)
        page.wait_for_selector("#title:has-text('Expected workout')", timeout=15_000)
        page.wait_for_selector("#step:has-text('Now harder')", timeout=60_000)
        shown = []
        for _ in range(4):
            page.wait_for_timeout(1000)
            shown.append(float(page.text_content("#elapsed").split()[0]))
        self.assertTrue(all(later - earlier > 3 for earlier, later in zip(shown, shown[1:])), f"grows: {shown}")
        self.assertEqual(page.get_attribute("#health", "data-state"), "fresh")
        self.assertRegex(page.text_content("#deviation"), "the band|as expected")
        drawn = self.colours(page)
        for name in ("measured", "expected"):
            self.assertGreater(drawn.get(name, 0), 200, f"{name} in {drawn}")
        page.wait_for_selector("#health:has-text('completed')", timeout=90_000)
        self.assertEqual(run.wait(timeout=30), 0, run.stderr.read())
        page.wait_for_timeout(500)
        # Warm-up, effort and recovery, of 180, 360 and 180 s; the first begins a moment after the run.
        lines = self.boundaries(page)
        self.assertEqual(len(lines), 3, lines)
        self.assertAlmostEqual((lines[2] - lines[1]) / (lines[1] - lines[0]), 2, delta=0.15)
        page.click("summary")
        page.wait_for_selector("#events tr >> nth=8")
        told = page.eval_on_selector_all("#events tr", "all => all.map(one => one.lastChild.textContent)")
        for words in ("Step begins: warmUp", "Step begins: effort", "Step begins: recovery", "Rating: exertion", "Session ends: completed"):
            self.assertTrue(any(line.startswith(words) for line in told), f"{words} in {told}")
        self.assertGreater(page.locator("#readings tr").count(), 250)
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector(".marker")
        page.wait_for_timeout(300)
        self.assertGreater(self.colours(page).get("expected", 0), 1)
        self.assertQuiet()

    def table(self, start, count):
        """A file of readings a second apart with intervals, and its path."""
        path = os.path.join(tempfile.mkdtemp(), "strap.csv")
        with open(path, "w") as file:
            file.write("time,hr,rr\n")
            for second in range(count):
                moment = datetime.datetime.fromtimestamp(start + second, datetime.timezone.utc)
                file.write(f"{moment:%Y-%m-%dT%H:%M:%SZ},{60 + second % 40},{950 - second % 40}\n")
        return path

    def imported(self, path, *arguments, **options):
        process = self.entrain("import", path, "--into", self.monitor.url, *arguments, **options)
        said = process.communicate(timeout=60)
        return process.returncode, said[0] + said[1]

    def test_a_recording_that_is_imported_twice_stands_on_its_day_once(self):
        start = int(time.time()) // DAY * DAY - 9 * DAY + 12 * 3600
        path = self.table(start, 5000)
        page = self.open("/history")
        page.wait_for_selector("#connection:has-text('Connected')")
        code, said = self.imported(path, "--participant", "P07")
        self.assertEqual(code, 0, said)
        self.assertIn("Sent 5000 readings", said)
        address = said.split()[-1]
        page.wait_for_selector("#participant option[value=P07]", state="attached", timeout=10_000)
        for _ in range(2):
            page.goto(address + "&participant=P07")
            page.wait_for_selector("#chart-words:has-text('5000 readings: minimum 60, mean 80, maximum 99')")
            page.wait_for_timeout(300)
            self.assertGreater(self.colours(page).get("measured", 0), 100)
            self.assertIn("Session at", page.get_attribute(".marker", "aria-label"))
            self.assertEqual(self.imported(path, "--participant", "P07")[0], 0)
        # A longer export of the same heart brings only what is new.
        self.assertEqual(self.imported(self.table(start, 6000), "--participant", "P07")[0], 0)
        page.reload()
        page.wait_for_selector("#chart-words:has-text('6000 readings')")
        session = next(one for one in self.monitor.get("/api/sessions")["sessions"] if one["kind"] == "import")
        first = self.monitor.get(f"/api/sessions/{session['id']}/heart-rate")["samples"][0]
        self.assertEqual(len(first["rr"]), 1)
        self.assertQuiet()

    def test_an_import_that_fails_says_why_and_goes_on_where_it_was(self):
        start = int(time.time()) // DAY * DAY - 3 * DAY
        path = self.table(start, 60_000)
        process = self.entrain("import", path, "--into", self.monitor.url)
        while not self.monitor.get("/api/sessions")["sessions"]:
            time.sleep(0.02)
        self.monitor.stop(signal.SIGKILL)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 69, said)
        self.assertIn("not everything was sent", said)
        code, said = self.imported(path)
        self.assertEqual(code, 69, said)
        self.monitor.start()
        self.assertEqual(self.imported(path)[0], 0)
        date = time.strftime("%Y-%m-%d", time.localtime(start))
        days = [self.monitor.get(f"/api/days/{date}")]
        days.append(self.monitor.get(f"/api/days/{days[0]['next']}"))
        self.assertEqual(sum(day.get("summary", {}).get("count", 0) for day in days), 60_000)
        undated = os.path.join(os.path.dirname(path), "undated.csv")
        with open(undated, "w") as file:
            file.write("seconds,hr\n0,60\n1,61\n")
        code, said = self.imported(undated)
        self.assertEqual(code, 65, said)
        self.assertIn("tells no day", said)

    def test_a_finger_moves_a_day(self):
        self.fill_days()
        context = self.browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True, locale="en-GB")
        page = self.open("/history", context=context)
        page.wait_for_selector("#before .side:visible")
        today = page.input_value("#date")
        touch = context.new_cdp_session(page)
        box = page.locator("#chart").bounding_box()

        def swipe(across, down=0):
            x, y = box["x"] + box["width"] / 2 - across / 2, box["y"] + box["height"] / 2
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for step in range(1, 9):
                point = {"x": x + across * step / 8, "y": y + down * step / 8}
                touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        swipe(180)
        self.waitForDate(page, lambda date: date < today)
        page.wait_for_timeout(400)
        swipe(-180)
        self.waitForDate(page, lambda date: date == today)
        page.wait_for_timeout(400)
        swipe(20, -200)
        page.wait_for_timeout(400)
        self.assertEqual(page.input_value("#date"), today)
        self.assertQuiet()


if __name__ == "__main__":
    main()
