"""What the tests of pages share: Debian's Chromium, a monitor of each test's own, and what people would see."""
import os
import shutil
import sys
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

DAY = 86_400


@unittest.skipIf(MISSING, MISSING)
class PageCase(unittest.TestCase):
    """A test of pages; its program is set by `main`."""
    program = None

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.monitor = Monitor(self.program)
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

    def fill_days(self):
        now = time.time()
        for day in range(4):
            self.publish(f"run-{day}", start=now - day * DAY - 3000)
        self.monitor.post("/api/notes", {"t": now - 60, "text": "Coffee"})
        for back in range(40):
            self.monitor.post("/api/sessions/readings/heart-rate", {"bpm": 70 + back % 7, "t": now - back * 30})

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

    def assertUsable(self, page, where):
        """axe finds nothing serious."""
        found = Axe().run(page).response["violations"]
        bad = [(item["id"], [node["target"] for node in item["nodes"]][:5]) for item in found
               if item["impact"] in ("serious", "critical")]
        self.assertEqual(bad, [], where)


def main():
    """Runs a file's tests; the first argument with a slash is the path of entrain-monitor."""
    PageCase.program = program([argument for argument in sys.argv[1:] if "/" in argument])
    unittest.main(argv=[sys.argv[0]] + [argument for argument in sys.argv[1:] if "/" not in argument])
