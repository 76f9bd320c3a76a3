"""What charts draw beside the measured line, and in which unit: expected curves, days beside the shown one, forecasts.

usage: python3 Tests/BrowserTests/test_curves.py [PATH OF entrain-monitor]
What is drawn is taken from the canvas as it is drawn, and compared with what the test itself has sent.
"""
import re
import time

import workout
from pages import DAY, PageCase, main

# Keeps each path that is stroked or filled: where it leads, its colour and its dashes; of the chart itself and of the days beside it.
KEEPING = """
window.drawn = [];
const points = new WeakMap(), proto = CanvasRenderingContext2D.prototype;
for (const name of ["beginPath", "moveTo", "lineTo", "arc", "stroke"]) {
    const own = proto[name];
    proto[name] = function (...rest) {
        if (name === "beginPath") points.set(this, []);
        else if (name !== "stroke" && points.has(this)) points.get(this).push([name, ...rest]);
        else if (name === "stroke" && this.getLineDash) {
            const side = this.canvas.closest(".side");
            window.drawn.push({ where: side ? side.dataset.date : "main", colour: this.strokeStyle, dashes: this.getLineDash(),
                path: [...(points.get(this) || [])] });
        }
        return own.apply(this, rest);
    };
}
"""


class CurveTests(PageCase):
    def opened(self, path, width=1440, **options):
        context = self.newContext(viewport={"width": width, "height": 900}, **options)
        context.add_init_script(KEEPING)
        return self.open(path, context=context)

    def colour(self, page, name):
        """A colour of the page, as canvases spell it."""
        return page.evaluate("""(name) => {
            const context = document.createElement("canvas").getContext("2d");
            context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
            return context.strokeStyle;
        }""", name)

    def drawn(self, page, colour=None, dashes=None, where="main"):
        return [one for one in page.evaluate("window.drawn") if one["where"] == where and (colour is None or one["colour"] == colour)
                and (dashes is None or one["dashes"] == dashes)]

    # The expected curve ---------------------------------------------------------------------------------------
    def test_the_expected_curve_holds_its_last_value_until_its_step_ends(self):
        begun = time.time() - 400
        about = workout.description("run-1", begun)
        # Rises from 80 to 120 within a minute, and the step lasts three times as long as it was planned.
        about["steps"] = [{"identifier": "effort", "title": "Effort", "duration": 60, "expected": [[0, 80, 70, 90], [60, 120, 110, 130]]},
                          {"identifier": "rest", "title": "Rest", "duration": 300}]
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        told = [{"sequence": 1, "kind": "stepStarted", "elapsed": 0, "step": "effort", "ordinal": 1}]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/events", {"events": told}), 201)
        self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": [{"bpm": 118, "elapsed": second} for second in range(0, 101)]})
        page = self.opened("/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('101 readings')")
        expected = self.colour(page, "expected")

        def last():
            curves = self.drawn(page, expected, [7, 5])
            return curves[-1]["path"] if curves else []

        # It goes on: up to the newest reading, at the height of its end.
        path = self.eventually(page, last, lambda path: len(path) == 3, "the curve of a step that goes on")
        self.assertAlmostEqual(path[1][2], path[2][2], delta=.01)
        perSecond = (path[1][1] - path[0][1]) / 60
        self.assertAlmostEqual((path[2][1] - path[0][1]) / perSecond, 100, delta=1)
        # It has ended: up to its end, and no farther.
        told = [{"sequence": 2, "kind": "stepEnded", "elapsed": 180, "step": "effort", "ordinal": 1},
                {"sequence": 3, "kind": "stepStarted", "elapsed": 180, "step": "rest", "ordinal": 2}]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/events", {"events": told}), 201)
        self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": [{"bpm": 100, "elapsed": second} for second in range(101, 240)]})
        page.wait_for_selector("#chart-words:has-text('240 readings')")
        path = self.eventually(page, last, lambda path: len(path) == 3 and abs((path[2][1] - path[0][1]) / ((path[1][1] - path[0][1]) / 60) - 180) < 1,
                               "the curve of a step that has ended")
        self.assertAlmostEqual(path[1][2], path[2][2], delta=.01)
        page.click("summary")
        rows = self.eventually(page, lambda: page.eval_on_selector_all("#readings tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"),
                               lambda rows: len(rows) == 240, "the table")
        told = {row[0]: row[2] for row in rows}
        self.assertEqual((told["0:30"], told["2:30"], told["3:30"]), ("100 (90–110)", "120 (110–130)", "–"))
        # The day shows the same.
        [curve] = self.monitor.get("/api/days/today?participant=P01")["expected"]
        self.assertEqual([[round(point[0] - begun)] + point[1:] for point in curve], [[0, 80, 70, 90], [60, 120, 110, 130], [180, 120, 110, 130]])
        self.assertQuiet()

    # Long sessions --------------------------------------------------------------------------------------------
    def test_a_session_of_six_hours_is_drawn_with_its_extremes_and_zoomed_to_each_reading(self):
        begun, hours = time.time() - 6 * 3600, 6
        about = workout.description("run-1", begun)
        about["steps"] = [{"identifier": "rest", "title": "Rest", "duration": hours * 3600}]
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        rates = [70 + second % 7 for second in range(hours * 3600)]
        rates[9001], rates[15007] = 181, 41
        # Nothing came for a minute.
        samples = [{"bpm": rate, "elapsed": second} for second, rate in enumerate(rates) if not 12000 <= second < 12060]
        for begin in range(0, len(samples), 5000):
            self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": samples[begin:begin + 5000]}), 201)
        page = self.opened("/#session=run-1")
        page.wait_for_selector(f"#chart-words:has-text('{len(samples)} readings')")
        self.assertEqual(page.text_content("#gaps"), "1 gap, 1:01 in all")
        page.evaluate("""() => {
            window.files = [];
            const update = Dygraph.prototype.updateOptions;
            Dygraph.prototype.updateOptions = function (options, ...more) {
                if (options.file) window.files.push(options.file);
                return update.call(this, options, ...more);
            };
        }""")
        page.click("#zoom-reset")
        file = self.eventually(page, lambda: page.evaluate("window.files.at(-1) ?? []"), bool, "the rows of the chart")
        self.assertLess(len(file), 2 * 1440 + 20)
        told = {row[0]: row[1] for row in file}
        self.assertEqual((told.get(9001), told.get(15007)), (181, 41))
        self.assertEqual([row[1] for row in file if 11999 < row[0] < 12060], [None])
        self.assertEqual(file[-1][0], samples[-1]["elapsed"])
        self.assertTrue(all(rate is None or rates[int(at)] == rate for at, rate in file), "each row is a reading")
        # Zoomed in, each reading is there: the arrow keys go from second to second.
        for _ in range(4):
            page.click("#zoom-in")
        rows = self.eventually(page, lambda: page.evaluate("window.files.at(-1)"), lambda rows: len(rows) > 100 and rows[51][0] - rows[50][0] == 1, "every reading")
        self.assertTrue(all(later[0] - earlier[0] == 1 for earlier, later in zip(rows, rows[1:]) if None not in (earlier[1], later[1])))
        self.assertQuiet()

    # Days beside the shown one --------------------------------------------------------------------------------
    def test_a_day_beside_the_shown_one_has_a_range_bar_with_ends_and_a_circle_at_its_mean(self):
        noon = self.monitor.get("/api/days/today")["start"] + 12 * 3600
        yesterday = [50, 60, 100, 150]
        for day, rates in ((1, yesterday), (0, [70, 80])):
            samples = [{"bpm": rate, "t": noon - day * DAY + 60 * number - (0 if day else 4 * 3600)} for number, rate in enumerate(rates)]
            self.assertEqual(self.monitor.post("/api/sessions/readings/heart-rate?participant=P01", {"samples": samples}), 201)
        page = self.opened("/history?participant=P01")
        page.wait_for_selector("#before .side.near:has-text('50–150')")
        # A fitted scale has room for the days beside the shown one, too.
        self.eventually(page, lambda: [int(label) for label in self.labels(page, "y")], lambda rates: rates and rates[0] <= 50 and 145 <= rates[-1] < 200, "the scale")
        page.uncheck("#fit")
        self.settled(page)
        date = page.get_attribute("#before .side.near", "data-date")
        measured = self.colour(page, "measured")
        width, height = page.evaluate("(() => { const { clientWidth, clientHeight } = document.querySelector('#before .side.near canvas'); return [clientWidth, clientHeight]; })()")

        def at(rate):
            return height - rate / 240 * height

        # One stroke: down the middle from the highest to the lowest, and a dash of 10 px across each end.
        bars = [one["path"] for one in self.drawn(page, measured, [], date) if len(one["path"]) == 6]
        self.assertTrue(bars, "no bar")
        ends = [[number for number in step[1:]] for step in bars[-1]]
        self.assertTrue(all(step[0] in ("moveTo", "lineTo") for step in bars[-1]))
        for index, rate in enumerate((150, 50)):
            self.assertAlmostEqual(ends[index][0], width - 7, delta=.01)
            self.assertAlmostEqual(ends[index][1], at(rate), delta=.6)
        dashes = sorted((ends[place][1], ends[place][0], ends[place + 1][0]) for place in (2, 4))
        for (y, left, right), rate in zip(dashes, (150, 50)):
            self.assertAlmostEqual(y, at(rate), delta=.6)
            self.assertAlmostEqual(right - left, 10, delta=.01)
        # A circle at the mean.
        [circle] = [one["path"] for one in self.drawn(page, measured, [], date) if len(one["path"]) == 1 and one["path"][0][0] == "arc"][-1:]
        self.assertAlmostEqual(circle[0][2], at(sum(yesterday) / len(yesterday)), delta=.6)
        self.assertAlmostEqual(circle[0][1], width - 7, delta=.01)
        self.assertQuiet()

    def test_dotted_lines_lead_from_the_curve_to_the_markers(self):
        start = self.monitor.get("/api/days/today")["start"]
        samples = [{"bpm": 72, "t": start + 3600 + 60 * minute} for minute in range(120)]
        self.assertEqual(self.monitor.post("/api/sessions/readings/heart-rate?participant=P01", {"samples": samples}), 201)
        self.assertEqual(self.monitor.post("/api/notes", {"t": start + 2 * 3600, "text": "Coffee", "participant": "P01"}), 201)
        page = self.opened("/history?participant=P01")
        page.wait_for_selector(".marker.note")
        self.settled(page)
        dotted = self.eventually(page, lambda: self.drawn(page, self.colour(page, "note"), [1, 4]), bool, "a dotted line")[-1]["path"]
        (_, fromX, fromY), (_, toX, toY) = dotted
        self.assertAlmostEqual(fromX, toX, delta=.01)
        self.assertGreater(toY, fromY)
        marker = page.evaluate("""(() => { const box = document.querySelector(".marker.note").getBoundingClientRect(), chart = document.getElementById("chart").getBoundingClientRect();
            return (box.left + box.right) / 2 - chart.left; })()""")
        self.assertAlmostEqual(marker, toX, delta=1)
        # It begins at the circle on the curve.
        [circle] = [one["path"][0] for one in self.drawn(page, self.colour(page, "note"), []) if len(one["path"]) == 1 and one["path"][0][0] == "arc"][-1:]
        self.assertAlmostEqual(circle[1], fromX, delta=.01)
        self.assertAlmostEqual(circle[2], fromY, delta=.01)
        self.assertQuiet()

    # Forecasts ------------------------------------------------------------------------------------------------
    def test_a_forecast_says_nothing_until_it_has_ten_minutes_of_readings(self):
        # 119 intervals of 5 s with a reading, and then one more.
        now = time.time()
        step = lambda number: {"bpm": 70 + number % 5, "t": now - 5 * number - 1}
        path = "/api/sessions/readings/heart-rate?participant=P01"
        self.assertEqual(self.monitor.post(path, {"samples": [step(number) for number in range(118, 0, -1)]}), 201)
        page = self.opened("/history?participant=P01")
        page.wait_for_selector("#chart-words:has-text('118 readings')")
        self.assertFalse(page.is_visible("#figure-next") or page.is_visible("#legend-forecast"))
        self.assertNotIn("expected", page.text_content("#chart-words"))
        self.assertNotIn("forecast", self.monitor.get("/api/days/today?participant=P01"))
        self.assertEqual(self.monitor.post(path, {"samples": [step(number) for number in range(400, 118, -1)]}), 201)
        words = self.eventually(page, lambda: page.text_content("#chart-words"), lambda words: "In half an hour" in words, "the forecast")
        self.assertRegex(words, r"In half an hour \d+ to \d+ are expected, four times out of five\.")
        self.assertTrue(page.is_visible("#figure-next") and page.is_visible("#legend-forecast"))
        self.assertQuiet()

    # Units ----------------------------------------------------------------------------------------------------
    def labels(self, page, axis):
        return page.eval_on_selector_all(f"#chart .dygraph-axis-label-{axis}", "all => all.map(one => one.textContent.trim())")

    def test_rates_in_hertz_are_shown_so_everywhere_and_stored_as_they_came(self):
        begun = time.time() - 300
        about = workout.description("run-1", begun)
        about["alarms"] = [{"kind": "above", "limit": 90, "for": 1}]
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        self.assertEqual(self.monitor.post("/api/sessions/run-1/events", {"events": workout.events()[:2]}), 201)
        rates = [60 + second % 30 for second in range(0, 290)] + [120]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": [
            {"bpm": rate, "elapsed": second} for second, rate in enumerate(rates)]}), 201)
        page = self.opened("/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('291 readings')")

        def measured():
            self.monitor.post("/api/sessions/run-1/alive", "")
            self.monitor.post("/api/sessions/run-1/heart-rate", {"bpm": 120})
            return page.text_content(".card .value")

        # A reading that is too old is no rate of now.
        self.eventually(page, lambda: (measured(), page.text_content("#rate"))[1], lambda words: words == "120", "the rate")
        self.assertEqual(page.text_content(".unit"), "beats per minute")
        other = self.open("/settings", context=self.context)
        other.check("[name=rateUnit][value=hertz]")
        self.assertUsable(other, "the settings")
        # The page that was open follows.
        self.eventually(page, lambda: (measured(), page.text_content("#rate"))[1], lambda words: words == "2.00", "the rate in hertz")
        self.assertEqual(page.text_content(".unit"), "hertz")
        self.assertIn("Heart rate (hertz)", page.text_content(".plot figcaption"))
        page.uncheck("#fit")
        self.eventually(page, lambda: self.labels(page, "y"), lambda labels: labels == ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5"] or
                        labels == ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"], "the axis")
        self.eventually(page, measured, lambda words: words == "2.00\u00a0Hz", "the card")
        self.eventually(page, lambda: (measured(), page.text_content("#deviation"))[1],
                        lambda words: re.fullmatch(r"[▲▼] \d\.\d+ hertz (above|below) the expected \d\.\d\d\u00a0Hz, (with|outs)i?(in|de) the band", words), "the words")
        page.focus("#chart")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#chart-value:has-text('0:00: 1.00 hertz')")
        page.click("summary")
        page.wait_for_selector("th:has-text('Measured (Hz)')")
        self.eventually(page, lambda: page.eval_on_selector_all("#readings tr", "all => all.map((row) => row.cells[1].textContent)"),
                        lambda rows: rows[:1] == ["2.000"], "the table")
        self.eventually(page, lambda: (measured(), page.locator("#alarms li").all_text_contents())[1],
                        lambda lines: any("Heart rate above 1.50\u00a0Hz" in line for line in lines), "the alarm")
        page.check("#fit")
        self.eventually(page, lambda: self.labels(page, "y"), lambda labels: "1.2" in labels and "0.0" not in labels, "a fitted axis")
        page.uncheck("#fit")
        # The day, its neighbours, its bands and its table.
        day = self.opened("/history?participant=P01", width=1440)
        self.assertFalse("hertz" in day.text_content(".plot figcaption"), "another browser keeps its own units")
        page.goto(self.monitor.url + "/history?participant=P01")
        page.wait_for_selector("#chart-words:has-text('hertz')")
        self.assertRegex(page.text_content("#chart-words"), r"minimum 1\.00, mean 1\.\d\d, maximum 2\.00 hertz\.")
        self.assertEqual(page.text_content("#figure-range"), "1.00–2.00")
        page.click("summary")
        self.assertIn("Hours with readings (hertz)", page.text_content("table caption"))
        # What is stored and given away is what came.
        self.assertEqual(max(sample["bpm"] for sample in self.monitor.samples("run-1")), 120)
        self.assertIn("(beats per minute)", page.text_content("#csv"))
        self.assertUsable(page, "a day in hertz")
        self.assertQuiet()

    def test_carbohydrates_are_asked_for_and_shown_in_the_exchanges_that_were_chosen(self):
        page = self.opened("/settings")
        page.check("[name=carbohydrateUnit][value='12']")
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector("#day:has-text('(today)')")
        page.select_option("#note-kind", "meal")
        page.wait_for_selector("#carbohydrate-unit:text-is('× 12 g')")
        page.fill("#note [name=carbohydrates]", "2.5")
        page.fill("#note [name=protein]", "8")
        page.click("#note button[type=submit]")
        page.wait_for_selector("#note-status:text-is('Added.')")
        [meal] = [event for event in self.monitor.get("/api/days/today")["events"] if event["kind"] == "meal"]
        self.assertEqual((meal["carbohydrates"], meal["protein"]), (30, 8))
        page.click("summary")
        page.wait_for_selector("#events:has-text('Meal: 2.5 × 12 g of carbohydrates, 8 g of protein')")
        other = self.opened("/history")
        other.click("summary")
        other.wait_for_selector("#events:has-text('Meal: 30 g of carbohydrates, 8 g of protein')")
        self.assertQuiet()


if __name__ == "__main__":
    main()
