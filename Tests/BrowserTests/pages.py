"""What the tests of pages share: Debian's Chromium, a monitor of each test's own, and what people would see.

Nothing is judged at a moment: what should become so is waited for, as long as it may take on a busy machine.
"""
import os
import shutil
import sys
import time
import unittest

import workout
from monitor import PATIENCE, Monitor, program

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
MILLISECONDS = PATIENCE * 1000


def noon_zone():
    """A time zone without summer time in which it is just past noon: no test crosses a midnight, whenever it is run."""
    ahead = 12 - time.gmtime().tm_hour
    return f"<{ahead:+03d}>{-ahead:+d}"


def launch(playwright):
    # The certificates of the tests are their own. Ignored for a page alone, each connection is refused first and the
    # request is begun again, and of many at once some are given up: ERR_TOO_MANY_RETRIES.
    return playwright.chromium.launch(executable_path=CHROMIUM, timeout=MILLISECONDS, args=[
        "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--ignore-certificate-errors"])


class PageCase(unittest.TestCase):
    """A test of pages; its program is set by `main`."""
    program = None

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = launch(cls.playwright)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.monitor = Monitor(self.program, zone=noon_zone())
        self.addCleanup(self.end)
        self.problems = []

    def end(self):
        if self.monitor.process.poll() is None:
            self.assertEqual(self.monitor.stop(), 0)

    def newContext(self, **options):
        # Elsewhere on purpose: the pages show the clock of the monitor's machine, not that of the browser's.
        context = self.browser.new_context(locale="en-GB", timezone_id="Asia/Kolkata", **options)
        context.set_default_timeout(MILLISECONDS)
        self.addCleanup(context.close)
        return context

    def open(self, path, width=1280, height=900, scheme="light", scale=1, context=None):
        self.context = context or self.newContext(
            viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=scale)
        page = self.context.new_page()
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        # What it asked for and has not got; the stream of news has no end.
        page.awaited = set()
        page.on("request", lambda asked: asked.resource_type == "eventsource" or page.awaited.add(asked))
        for ended in ("requestfinished", "requestfailed"):
            page.on(ended, lambda asked: page.awaited.discard(asked))
        page.goto(self.monitor.url + path)
        return page

    def eventually(self, page, read, isRight, words=""):
        """Waits until what is read is right, and returns it; the page's policy forbids to evaluate conditions in it."""
        end = time.monotonic() + PATIENCE
        while True:
            found = read()
            if isRight(found):
                return found
            if time.monotonic() > end:
                self.fail(f"{words} stays at {found!r}")
            page.wait_for_timeout(50)

    def settled(self, page):
        """Waits until the page has what it asked for, and looks and lies as it did a moment ago."""
        looks = []

        def look():
            looks.append(page.evaluate("""() => [document.documentElement.outerHTML, ...[...document.querySelectorAll("*")].map((one) => {
                const { x, y, width, height } = one.getBoundingClientRect();
                return `${x} ${y} ${width} ${height}`;
            })].join()"""))
            if page.awaited:
                looks.clear()
            return looks[-3:]

        self.eventually(page, look, lambda last: len(last) == 3 and last[0] == last[1] == last[2], "a page that moves")

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
            self.monitor.post("/api/sessions/readings/heart-rate?participant=P01", {"bpm": 70 + back % 7, "t": now - back * 30})

    def openMarker(self, page):
        """Opens the first marker's details by keyboard."""
        def press():
            if not page.locator("#details[open] li").count():
                page.focus(".marker >> nth=0")
                page.keyboard.press("Enter")
                page.wait_for_timeout(200)
            return page.locator("#details[open] li").count()

        self.eventually(page, press, lambda count: count > 0, "a marker's details")

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

    def waitForColours(self, page, names, least):
        return self.eventually(
            page, lambda: self.colours(page), lambda made: all(made.get(name, 0) > least for name in names), f"{names}")

    def waitForDate(self, page, isRight):
        """Waits for the date that the page shows."""
        self.eventually(page, lambda: page.input_value("#date"), isRight, "the date")

    def assertQuiet(self):
        self.assertEqual(self.problems, [])

    def assertUsable(self, page, where):
        """axe finds nothing serious."""
        def bad():
            found = Axe().run(page).response["violations"]
            return [(item["id"], [node["target"] for node in item["nodes"]][:5]) for item in found
                    if item["impact"] in ("serious", "critical")]

        # Colours that still change have other contrasts.
        if bad():
            self.settled(page)
            self.assertEqual(bad(), [], where)


def missing():
    """Why there can be no tests of pages here; `None` where there can."""
    if MISSING:
        return MISSING
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            browser.new_page().set_content("<p>Hello")
            browser.close()
    except Exception as problem:
        return f"Chromium does not start here: {str(problem).splitlines()[0]}"
    return None


def main():
    """Runs a file's tests; the first argument with a slash is the path of entrain-monitor."""
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return
    PageCase.program = program([argument for argument in sys.argv[1:] if "/" in argument])
    unittest.main(argv=[sys.argv[0]] + [argument for argument in sys.argv[1:] if "/" not in argument])
