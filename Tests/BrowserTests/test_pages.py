"""The monitor's pages in Debian's Chromium.

usage: python3 Tests/BrowserTests/test_pages.py [PATH OF entrain-monitor]
Skipped, with the reason, where Chromium, Playwright or dygraphs are not installed.
"""
import os
import shutil
import sys
import threading
import time
import unittest

import workout
from monitor import Monitor, program

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
    MISSING = None
except ImportError as problem:
    MISSING = f"{problem.name} is not installed: pip install playwright axe-playwright-python"
CHROMIUM = shutil.which("chromium")
if MISSING is None and CHROMIUM is None:
    MISSING = "Chromium is not installed: apt-get install chromium"
if MISSING is None and not os.path.exists("/usr/share/javascript/dygraphs/dygraph.min.js"):
    MISSING = "dygraphs is not installed: apt-get install libjs-dygraphs"

PROGRAM = None
DAY = 86_400


@unittest.skipIf(MISSING, MISSING)
class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.monitor = Monitor(PROGRAM)
        self.addCleanup(self.end)
        self.problems = []

    def end(self):
        if self.monitor.process.poll() is None:
            self.assertEqual(self.monitor.stop(), 0)

    def open(self, path, width=1280, height=900, scheme="light", context=None):
        self.context = context or self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
        self.addCleanup(self.context.close)
        page = self.context.new_page()
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(self.monitor.url + path)
        return page

    def publish(self, identifier="run-1", start=None, count=730, isOver=True):
        start = start or time.time() - 800
        told = [event for event in workout.events() if isOver or event["elapsed"] < count]
        self.assertEqual(self.monitor.post("/api/sessions", workout.description(identifier, start)), 201)
        self.assertEqual(self.monitor.post(f"/api/sessions/{identifier}/events", {"events": told}), 201)
        self.assertEqual(
            self.monitor.post(f"/api/sessions/{identifier}/heart-rate", {"samples": workout.samples(count)}), 201)

    def colours(self, page):
        """How many pixels of the chart's canvases have about each colour that the page uses."""
        return page.evaluate("""() => {
            const made = {};
            const named = ["measured", "expected", "stimulus", "forecast"].map((name) => {
                const probe = document.createElement("i");
                probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--" + name);
                document.body.append(probe);
                const [r, g, b] = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
                probe.remove();
                return [name, r, g, b];
            });
            for (const canvas of document.querySelectorAll("#chart canvas")) {
                const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                for (let i = 0; i < data.length; i += 4) for (const [name, r, g, b] of named) {
                    if (data[i + 3] > 200 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 12) {
                        made[name] = (made[name] || 0) + 1;
                    }
                }
            }
            return made;
        }""")

    def waitForDate(self, page, isRight):
        """Waits for the date that the page shows; the page's policy forbids to evaluate a condition in it."""
        for _ in range(200):
            if isRight(page.input_value("#date")):
                return
            page.wait_for_timeout(25)
        self.fail(f"the page stays at {page.input_value('#date')}")

    def assertQuiet(self):
        self.assertEqual(self.problems, [])

    # Live -----------------------------------------------------------------------------------------------------
    def test_a_pushed_rate_is_on_the_page_within_a_second(self):
        page = self.open("/")
        page.wait_for_selector("#connection:has-text('Connected')")
        for rate in ("90", "91", "123"):
            began = time.monotonic()
            self.assertEqual(self.monitor.post("/addheartrate", rate), 204)
            page.wait_for_selector(f"#rate:text-is('{rate}')", timeout=2000)
            self.assertLess(time.monotonic() - began, 1.0)
        page.wait_for_selector("#health[data-state=fresh]")
        self.assertQuiet()

    def test_a_run_draws_both_curves_and_its_markers(self):
        page = self.open("/")
        page.wait_for_selector("#connection:has-text('Connected')")
        self.publish(count=300, isOver=False)
        page.wait_for_selector("#rate:has-text('1')")
        page.wait_for_timeout(300)
        drawn = self.colours(page)
        for name in ("measured", "expected", "stimulus"):
            self.assertGreater(drawn.get(name, 0), 60, f"{name} in {drawn}")
        self.assertIn("Now harder (2 of 3)", page.text_content("#step"))
        self.assertRegex(page.text_content("#deviation"), "beats? per minute (above|below) the expected|as expected")
        labels = page.eval_on_selector_all(".dygraph-axis-label-y", "all => all.map(one => one.textContent.trim())")
        self.assertEqual(labels, [str(value) for value in range(0, 201, 20)])
        self.assertEqual(page.text_content(".dygraph-xlabel"), "Elapsed time (seconds)")
        page.check("#span-last")
        page.wait_for_selector("#chart-words:has-text('shown from 270 to 299')")
        page.focus("#zoom-in")
        page.keyboard.press("Enter")
        self.assertQuiet()

    def test_the_page_survives_a_restart_and_misses_nothing(self):
        self.publish(count=60, isOver=False)
        page = self.open("/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('60 readings')")
        self.monitor.stop()
        page.wait_for_selector("#connection:has-text('away')")
        self.monitor.start()
        more = workout.samples(90)[60:]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": more}, key="more"), 201)
        self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": more}, key="more"), 200)
        page.wait_for_selector("#chart-words:has-text('90 readings')", timeout=15_000)
        self.assertEqual([text for text in self.problems if "ERR_" not in text], [])

    def test_text_from_studies_is_only_text(self):
        nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>"
        about = workout.description("run-1", time.time(), title=nasty)
        about["steps"][0]["title"] = nasty
        self.monitor.post("/api/sessions", about)
        self.monitor.post("/api/sessions/run-1/events", {"events": [
            {"sequence": 1, "kind": "stepStarted", "elapsed": 0, "step": "warmUp", "text": nasty, "stimulus": nasty}]})
        self.monitor.post("/api/notes", {"t": time.time(), "text": nasty, "participant": "P01"})
        page = self.open("/")
        page.on("dialog", lambda dialog: self.fail("a script ran"))
        page.wait_for_selector("#title:has-text('<img src=x')")
        self.assertEqual(page.locator("main img, main script").count(), 0)
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector(".marker")
        page.locator(".marker").first.click()
        page.wait_for_selector("#details-list:has-text('<img src=x')")
        self.assertEqual(page.locator("main img, main script").count(), 0)
        self.assertQuiet()

    # History --------------------------------------------------------------------------------------------------
    def fill_days(self):
        now = time.time()
        for day in range(4):
            self.publish(f"run-{day}", start=now - day * DAY - 3000)
        self.monitor.post("/api/notes", {"t": now - 60, "text": "Coffee"})
        for back in range(40):
            self.monitor.post("/api/sessions/readings/heart-rate", {"bpm": 70 + back % 7, "t": now - back * 30})

    def test_days_are_walked_by_keys_buttons_swipes_and_dates(self):
        self.fill_days()
        page = self.open("/history")
        page.wait_for_selector("#day:has-text('(today)')")
        today = page.input_value("#date")
        page.wait_for_selector("#before .side")
        page.keyboard.press("ArrowLeft")
        self.waitForDate(page, lambda date: date < today)
        page.keyboard.press("ArrowRight")
        self.waitForDate(page, lambda date: date == today)
        page.click("#previous")
        self.waitForDate(page, lambda date: date < today)
        page.wait_for_selector("#after .side.near")
        page.click("#after .side.near")
        self.waitForDate(page, lambda date: date == today)
        box = page.locator("#chart").bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 400, box["y"] + 110, steps=4)
        page.mouse.up()
        self.waitForDate(page, lambda date: date < today)
        page.click("#today")
        page.wait_for_selector("#day:has-text('(today)')")
        page.fill("#date", "2026-01-02")
        page.wait_for_selector("#day:has-text('2 January 2026')")
        page.go_back()
        page.wait_for_selector("#day:has-text('(today)')")
        self.assertQuiet()

    def test_a_marker_opens_by_keyboard_and_gives_the_focus_back(self):
        self.fill_days()
        page = self.open("/history")
        page.wait_for_selector(".marker")
        page.focus(".marker >> nth=0")
        page.keyboard.press("Enter")
        page.wait_for_selector("#details[open] li")
        self.assertEqual(page.evaluate("document.activeElement.id"), "details-close")
        page.keyboard.press("Escape")
        page.wait_for_selector("#details:not([open])", state="attached")
        self.assertIn("marker", page.evaluate("document.activeElement.className"))
        self.assertQuiet()

    def test_layers_are_remembered_and_the_forecast_has_its_band(self):
        self.fill_days()
        page = self.open("/history")
        page.wait_for_selector("#chart-words:has-text('four times of five')")
        page.wait_for_timeout(300)
        self.assertGreater(self.colours(page).get("forecast", 0), 2)
        page.uncheck("#layer-forecast")
        page.uncheck("#layer-events")
        page.wait_for_timeout(300)
        self.assertEqual(self.colours(page).get("forecast", 0), 0)
        page.reload()
        page.wait_for_selector("#chart-words:has-text('readings')")
        self.assertFalse(page.is_checked("#layer-forecast") or page.is_checked("#layer-events"))
        self.assertTrue(page.is_checked("#layer-bands"))
        self.assertFalse(page.is_visible("#lane"))
        self.assertQuiet()

    def test_a_note_appears_at_once_here_and_elsewhere(self):
        first, second = self.open("/history"), None
        second = self.open("/history", context=self.context)
        for page in (first, second):
            page.wait_for_selector("#connection:has-text('Connected')")
            page.wait_for_selector("#chart-words:has-text('No readings')")
            page.wait_for_timeout(200)
        first.fill("#note-time", "10:30")
        first.fill("#note-text", "Took off the strap")
        first.press("#note-text", "Enter")
        for page in (first, second):
            page.wait_for_selector(".marker.note", timeout=3000)
        self.assertIn("10:30", first.get_attribute(".marker.note", "aria-label"))
        self.assertQuiet()

    # Everywhere -----------------------------------------------------------------------------------------------
    def test_nothing_overflows_and_everybody_can_use_it(self):
        self.fill_days()
        self.publish("run-live", start=time.time() - 300, count=300, isOver=False)
        axe = Axe()
        for width in (320, 800, 1920):
            for scheme in ("light", "dark"):
                for path in ("/#session=run-live", "/history"):
                    page = self.open(path, width=width, scheme=scheme)
                    page.wait_for_selector("#chart-words:has-text('readings')")
                    page.wait_for_timeout(400)
                    page.click("summary")
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{path} at {width}")
                    found = axe.run(page).response["violations"]
                    bad = [(item["id"], [node["target"] for node in item["nodes"]][:5]) for item in found
                           if item["impact"] in ("serious", "critical")]
                    self.assertEqual(bad, [], f"{path} at {width} {scheme}")
                    page.close()
        self.assertQuiet()


if __name__ == "__main__":
    PROGRAM = program([argument for argument in sys.argv[1:] if "/" in argument])
    unittest.main(argv=[sys.argv[0]] + [argument for argument in sys.argv[1:] if "/" not in argument])
