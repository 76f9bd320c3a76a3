"""Days and charts at their edges: midnight, many clips, high rates, a finger on the chart, zooming, and the length of the axis.

usage: python3 Tests/BrowserTests/test_day.py [PATH OF entrain-monitor]
"""
import shutil
import subprocess
import time

import workout
from monitor import Monitor, scratch
from pages import DAY, PageCase, main


def shortly_before_midnight(seconds):
    """A time zone in which midnight comes after so many seconds."""
    ahead = 86_400 - seconds - int(time.time()) % 86_400
    sign, ahead = ("-", ahead) if ahead < 12 * 3600 else ("+", 86_400 - ahead)
    # In this notation, what is east of Greenwich is negative.
    return f"<EDGE>{sign}{ahead // 3600:02d}:{ahead // 60 % 60:02d}:{ahead % 60:02d}"


class DayTests(PageCase):
    def test_midnight_passes_by_itself(self):
        self.monitor.stop()
        self.monitor = Monitor(self.program, zone=shortly_before_midnight(20))
        before = self.monitor.get("/api/days/today")
        page, other = self.open("/history"), None
        other = self.open(f"/history?date={before['previous']}", context=self.context)
        self.waitForDate(page, lambda date: date == before["date"])
        self.monitor.post("/addheartrate", "71")
        self.waitForDate(page, lambda date: date == before["next"])
        after = self.monitor.get("/api/days/today")
        self.assertEqual(after["date"], before["next"])
        self.monitor.post("/addheartrate", "72")
        page.wait_for_selector("#chart-words:has-text('1 reading')")
        # Whoever looks at another day stays there.
        self.assertEqual(other.input_value("#date"), before["previous"])
        self.assertQuiet()

    def test_a_chart_stays_where_it_is_when_the_days_beside_it_come(self):
        self.monitor.post("/addheartrate", "71")
        page, held = self.open("/settings"), []
        page.context.route(lambda url: "/api/days/" in url and not url.split("?")[0].endswith("/today"), lambda route: held.append(route))
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector("#chart-words:has-text('1 reading')")
        self.eventually(page, lambda: len(held), lambda count: count == 6, "the questions for the days beside")
        before = page.locator("#chart").bounding_box()
        for route in held:
            route.continue_()
        page.wait_for_selector("#before button.near")
        self.assertEqual(page.locator("#chart").bounding_box()["width"], before["width"])
        self.assertEqual(page.locator("#chart").bounding_box()["x"], before["x"])
        self.assertQuiet()

    def test_a_hundred_and_fifty_clips_stay_legible(self):
        begun = time.time() - 1600
        about = workout.description("run-1", begun)
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        clips = [{"sequence": number + 1, "kind": "stimulusOnset", "elapsed": 5 + number * 10, "step": "effort", "stimulus": f"clip_with_a_name_{number:03d}"}
                 for number in range(150)]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/events", {"events": clips}), 201)
        self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": workout.samples(1550)}), 201)
        page = self.open("/#session=run-1", width=390)
        # Names that are drawn lie beside each other, in rows: none covers another.
        page.evaluate("""() => {
            window.names = [];
            const draw = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                if (text.startsWith("♪")) window.names.push([text, x, y, this.measureText(text).width]);
                return draw.call(this, text, x, y);
            };
        }""")
        page.evaluate("window.names.length = 0")
        page.click("#zoom-reset")
        names = self.eventually(page, lambda: page.evaluate("window.names"), lambda found: len(found) > 2, "the names")
        # Each drawing begins with the first clip.
        last = names[max(index for index, name in enumerate(names) if name[0] == names[0][0]):]
        self.assertGreater(len(last), 1)
        for index, (_, x, y, width) in enumerate(last):
            for _, otherX, otherY, otherWidth in last[index + 1:]:
                self.assertFalse(y == otherY and x < otherX + otherWidth and otherX < x + width, (last[index], otherX))
        # The table has them all.
        page.click("summary")
        self.eventually(page, lambda: page.locator("#events tr").count(), lambda count: count == 150, "the table")
        page.goto(self.monitor.url + "/history?participant=P01")
        markers = self.eventually(page, lambda: page.evaluate("""() => [...document.querySelectorAll(".marker")].map((one) => {
            const { left, right } = one.getBoundingClientRect();
            return [left, right];
        })"""), bool, "the markers")
        for (_, right), (left, _) in zip(markers, markers[1:]):
            self.assertLessEqual(right, left + .5)
        self.assertQuiet()

    def test_a_day_says_how_long_the_rate_was_in_the_outer_bands(self):
        begun = int(time.time()) // 60 * 60 - 3600
        self.monitor.post("/api/sessions", {"id": "run-1", "startedAt": begun, "participant": "P01"})
        rates = [50] * 10 + [60] * 3 + [90] * 17 + [100] * 2 + [110] * 5
        samples = [{"bpm": rate, "elapsed": minute * 60 + second} for minute, rate in enumerate(rates) for second in range(0, 60, 10)]
        self.assertEqual(self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": samples}), 201)
        page = self.open("/history")
        page.wait_for_selector("#chart-words:has-text('Minutes below 60: 10, above 100: 5, of 37 with readings.')")
        self.assertQuiet()

    def test_rates_up_to_240_are_drawn(self):
        begun = time.time() - 3700
        self.monitor.post("/api/sessions", workout.description("run-1", begun))
        self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": [{"bpm": 238, "elapsed": second} for second in range(0, 3600, 5)]})
        for path in ("/#session=run-1", "/history?participant=P01"):
            page = self.open(path)
            page.uncheck("#fit")
            top = self.eventually(page, lambda: page.evaluate("""() => {
                const probe = document.createElement("i");
                probe.style.color = "var(--measured)";
                document.body.append(probe);
                const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
                probe.remove();
                for (const canvas of document.querySelectorAll("#chart canvas")) {
                    const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                    for (let y = 0; y < height * .25; y++) {
                        for (let x = 0; x < width; x++) {
                            const at = (y * width + x) * 4;
                            if (data[at + 3] > 200 && wanted.every((value, index) => Math.abs(data[at + index] - value) < 12)) return y;
                        }
                    }
                }
                return null;
            }"""), lambda y: y is not None, "a line at the top")
            self.assertGreaterEqual(top, 0)
        self.assertQuiet()

    def across(self, page):
        """The labels of the axis of time."""
        return page.eval_on_selector_all("#chart .dygraph-axis-label-x", "all => all.map((one) => one.textContent.trim())")

    def test_the_axis_is_as_long_as_the_session_is_planned_from_its_first_moment_on(self):
        begun = time.time() - 4
        self.monitor.post("/api/sessions", workout.description("run-1", begun))
        self.monitor.post("/api/sessions/run-1/events", {"events": workout.events()[:2]})
        self.monitor.post("/api/sessions/run-1/heart-rate", {"samples": workout.samples(3)})
        page = self.open("/#session=run-1")
        self.eventually(page, lambda: self.across(page), lambda labels: labels[:1] == ["0:00"] and labels[-1:] in (["11:00"], ["12:00"]), "the axis")
        self.assertQuiet()

    def test_zooming_keeps_what_was_measured_in_view(self):
        self.publish(count=300, isOver=False, start=time.time() - 300)
        page = self.open("/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('300 readings')")
        for _ in range(3):
            before = self.across(page)
            page.click("#zoom-in")
            labels = self.eventually(page, lambda: self.across(page), lambda labels: labels != before, "the axis")
        # All that is shown lies within the five minutes of readings, not in the empty rest of the session.
        seconds = [int(label.split(":")[0]) * 60 + int(label.split(":")[1]) for label in labels]
        self.assertTrue(0 <= seconds[0] and seconds[-1] <= 300, seconds)
        self.waitForColours(page, ("measured",), 60)
        page.click("#zoom-reset")
        self.eventually(page, lambda: self.across(page), lambda labels: labels[-1:] in (["11:00"], ["12:00"]), "the whole session")
        self.assertQuiet()

    def test_a_finger_on_the_live_chart_scrolls_the_page_and_shows_a_value(self):
        self.publish(count=300, isOver=False, start=time.time() - 300)
        context = self.newContext(viewport={"width": 390, "height": 640}, has_touch=True, is_mobile=True)
        page = self.open("/#session=run-1", context=context)
        page.wait_for_selector("#chart-words:has-text('300 readings')")
        self.settled(page)
        page.evaluate("document.getElementById('chart').scrollIntoView({ block: 'center', behavior: 'instant' })")
        touch, before = context.new_cdp_session(page), page.evaluate("scrollY")
        box = page.locator("#chart").bounding_box()
        x, y = box["x"] + 60, box["y"] + box["height"] / 2
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 21):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + 10 * step}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.eventually(page, lambda: page.evaluate("scrollY"), lambda at: at < before - 100, "the page")
        self.assertRegex(page.text_content("#chart-value"), r"\d+:\d\d: \d+")
        self.assertQuiet()

    def test_events_of_each_kind_have_fields_of_their_own_icons_and_a_button_at_the_chart(self):
        self.monitor.post("/api/sessions/readings/heart-rate?participant=P01", {"samples": [
            {"bpm": 70, "t": time.time() - 60 * minute} for minute in range(60)]})
        page = self.open("/history?participant=P01")
        page.wait_for_selector("#chart-words:has-text('60 readings')")
        page.click("#add-here")
        self.assertEqual(page.evaluate("document.activeElement.id"), "note-kind")
        entered = [
            ("meal", {"carbohydrates": "60", "protein": "20.5"}, "", "Meal: 60 g of carbohydrates, 20.5 g of protein"),
            ("exercise", {"duration": "30", "intensity": "vigorous"}, "Bicycle", "Exercise: 30 min, vigorous, Bicycle"),
            ("dose", {"units": "4"}, "insulin", "Dose: 4 units, insulin"),
            ("medication", {}, "Propranolol", "Medication: Propranolol"),
            ("mood", {"mood": "4"}, "", "Mood: good"), ("note", {}, "coughed", "Note: coughed")]
        for number, (kind, fields, text, _) in enumerate(entered):
            page.select_option("#note-kind", kind)
            names = page.eval_on_selector_all("#note [data-of]:not([hidden]) :is(input, select)", "all => all.map((one) => one.name)")
            self.assertEqual(set(fields) - set(names), set(), kind)
            for name, value in fields.items():
                field = page.locator(f"#note [name={name}]")
                field.select_option(value) if name in ("intensity", "mood") else field.fill(value)
            # Far enough apart for a marker each.
            page.fill("#note-time", f"{2 * number + 1:02d}:00:00")
            page.fill("#note-text", text)
            page.click("#note button[type=submit]")
            page.wait_for_selector("#note-status:text-is('Added.')")
            self.eventually(page, lambda: page.locator(".marker.note").count(), lambda count: count == number + 1, "the markers")
        page.click("summary")
        told = self.eventually(page, lambda: page.eval_on_selector_all("#events tr", "all => all.map((row) => row.lastChild.textContent)"),
                               lambda rows: len([row for row in rows if not row.startswith("Session")]) == 6, "the table")
        self.assertEqual([row for row in told if not row.startswith("Session")], [words for *_, words in entered])
        icons = page.eval_on_selector_all(".marker.note", "all => all.map((one) => one.querySelector('path')?.getAttribute('d') ?? one.textContent)")
        self.assertEqual(len(set(icons)), 6)
        # A field that a kind needs is asked for, and nothing is sent without it.
        page.select_option("#note-kind", "dose")
        page.click("#note button[type=submit]")
        self.assertFalse(page.evaluate("document.getElementById('note').checkValidity()"))
        self.assertEqual(page.locator(".marker.note").count(), 6)
        # It can be deleted, as every note.
        self.openMarker(page)
        page.click("#details button:has-text('Delete')")
        self.eventually(page, lambda: page.locator(".marker.note").count(), lambda count: count == 5, "the markers")
        page.set_viewport_size({"width": 320, "height": 700})
        page.select_option("#note-kind", "meal")
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        self.assertUsable(page, "the form")
        self.assertQuiet()

    def ground(self, page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    def test_settings_are_remembered_and_hold_on_every_page(self):
        self.publish(count=300, isOver=False, start=time.time() - 300)
        page = self.open("/settings")
        page.wait_for_selector("#connection:has-text('Connected')")
        self.assertUsable(page, "the settings")
        light = self.ground(page)
        page.check("[name=palette][value=dark]")
        dark = self.eventually(page, lambda: self.ground(page), lambda colour: colour != light, "the ground")
        page.check("[name=span][value=last]")
        page.check("[name=axis][value=clock]")
        page.check("[name=fit]")
        page.uncheck("[name=layer-bands]")
        page.goto(self.monitor.url + "/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('shown from')")
        self.assertEqual(self.ground(page), dark)
        self.assertTrue(page.is_checked("#span-last") and page.is_checked("#axis-clock") and page.is_checked("#fit"))
        page.check("#span-whole")
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector("#chart-words:has-text('readings')")
        self.assertEqual(self.ground(page), dark)
        self.assertTrue(page.is_checked("#fit") and not page.is_checked("#layer-bands") and page.is_checked("#layer-events"))
        # On paper everything is dark on white, whatever was chosen.
        page.emulate_media(media="print")
        self.assertEqual(self.ground(page), "rgb(255, 255, 255)")
        page.emulate_media(media="screen")
        page.goto(self.monitor.url + "/settings")
        page.wait_for_selector("[name=palette][value=dark]:checked", state="attached")
        self.assertTrue(page.is_checked("[name=span][value=whole]"), "the page's own control changed it")
        # Light for somebody whose device is dark, and as the device again.
        page.emulate_media(color_scheme="dark")
        page.check("[name=palette][value=light]")
        self.eventually(page, lambda: self.ground(page), lambda colour: colour == light, "the ground")
        page.check("[name=palette][value='']")
        self.eventually(page, lambda: self.ground(page), lambda colour: colour == dark, "the ground")
        page.set_viewport_size({"width": 320, "height": 600})
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        self.assertQuiet()


    def test_paper_has_the_chart(self):
        if not shutil.which("pdftoppm"):
            self.skipTest("poppler-utils is not installed: apt-get install poppler-utils")
        self.fill_days()
        for path, scheme in (("/history?participant=P01", "dark"), ("/#session=run-0", "light")):
            page = self.open(path, scheme=scheme)
            self.waitForColours(page, ["measured"], 200)
            self.settled(page)
            folder = scratch()
            page.pdf(path=f"{folder}/page.pdf")
            subprocess.run(["pdftoppm", "-r", "100", "-singlefile", f"{folder}/page.pdf", f"{folder}/page"], check=True)
            with open(f"{folder}/page.ppm", "rb") as file:
                header, pixels = file.read().split(b"\n255\n", 1)
            width = int(header.split()[1])
            # The curve is of this colour on paper, and reaches across a part of the page only on the chart.
            columns = [index // 3 % width for index in range(0, len(pixels) - 2, 3)
                       if all(abs(one - other) < 24 for one, other in zip(pixels[index:index + 3], (0x0b, 0x5f, 0xa5)))]
            self.assertGreater(len(columns), 300 if "session" in path else 60, f"pixels of the curve in {path}")
            page.close()

    def test_an_event_opens_from_its_circle_above_all_else(self):
        for back in range(20):
            self.monitor.post("/api/sessions/readings/heart-rate", {"bpm": 70, "t": time.time() - back * 30})
        self.monitor.post("/api/notes", {"t": time.time() - 300, "text": "Coffee"})
        page = self.open("/history")
        page.wait_for_selector(".marker")
        self.settled(page)
        marker = page.locator(".marker").bounding_box()
        box = page.locator("#chart").bounding_box()

        def open():
            for y in range(20, int(box["height"]) - 60, 8):
                page.mouse.click(marker["x"] + marker["width"] / 2, box["y"] + y)
                if page.locator("#details[open]").count():
                    return True

        self.assertTrue(open(), "no place of the curve opens its event")
        self.assertEqual(page.locator("#details-list li").count(), 1)
        isAbove = page.evaluate("""() => {
            const { left, top, width, height } = document.getElementById("details").getBoundingClientRect();
            const at = [.1, .5, .9].flatMap((x) => [.1, .5, .95].map((y) => document.elementFromPoint(left + width * x, top + height * y)));
            return at.every((one) => one.closest("#details"));
        }""")
        self.assertTrue(isAbove)
        page.click("#details-close")
        page.select_option("#note-kind", "meal")
        heights = {field.bounding_box()["height"] for field in page.locator("#note input:visible").all()}
        self.assertEqual(len(heights), 1, heights)

    def test_a_day_beside_has_no_mean_of_several_hearts(self):
        yesterday = time.time() - DAY
        for person, rate in (("P01", 60), ("P02", 100)):
            for back in range(20):
                self.monitor.post(f"/api/sessions/readings/heart-rate?participant={person}&origin=simulated",
                                  {"bpm": rate, "t": yesterday - back * 30})
        page = self.open("/history")
        page.wait_for_selector(".side.near")
        told = self.eventually(page, lambda: page.text_content("#before .near"), lambda text: "60–100" in text, "the day before")
        self.assertNotIn("80", told)
        self.assertIn("2 people", told)
        self.assertIn("simulated", told)

    def test_a_time_that_never_was_is_refused_and_one_that_was_twice_asked_about(self):
        self.monitor.stop()
        self.monitor = Monitor(self.program, zone="Europe/Berlin")
        page = self.open("/history?date=2026-03-29")
        self.waitForDate(page, lambda date: date == "2026-03-29")
        page.fill("#note-text", "Coffee")
        page.fill("#note-time", "02:30:00")
        page.click("#note button[type=submit]")
        self.assertIn("never was", page.evaluate("() => document.getElementById('note-time').validationMessage"))
        page.goto(self.monitor.url + "/history?date=2026-10-25")
        self.waitForDate(page, lambda date: date == "2026-10-25")
        page.fill("#note-text", "Coffee")
        page.fill("#note-time", "02:30:00")
        page.select_option("#note-turn select", "1")
        page.click("#note button[type=submit]")
        page.wait_for_selector("#note-status:has-text('Added.')")
        [note] = self.monitor.get("/api/days/2026-10-25")["events"]
        # 02:30 of the winter's time.
        self.assertEqual(note["t"], 1_792_891_800)


if __name__ == "__main__":
    main()
