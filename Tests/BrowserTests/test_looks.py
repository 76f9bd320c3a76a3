"""How the monitor's pages look: colours, sizes, order, the wall, and what moves.

usage: python3 Tests/BrowserTests/test_looks.py [PATH OF entrain-monitor]
Skipped, with the reason, where Chromium, Playwright or dygraphs are not installed.
"""
import colorsys
import time

import scene
import workout
from monitor import Monitor
from pages import DAY, PageCase, main, noon_zone

# What can be pressed, with the size that a finger meets: that of the label where there is one around it.
TARGETS = """() => [...document.querySelectorAll("a, button, input, select, summary")]
    .filter((one) => one.checkVisibility() && !one.closest(".skip"))
    .map((one) => [one.id || one.className || one.textContent.trim().slice(0, 20), (one.closest("label:has(.toggle, [type=radio])") || one).getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([name, box]) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""

COLOURS = """(names) => Object.fromEntries(names.map((name) => {
    const probe = document.createElement("i");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const colour = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number);
    probe.remove();
    return [name, colour];
}))"""


def luminance(colour):
    parts = [part / 255 for part in colour[:3]]
    red, green, blue = [part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in parts]
    return .2126 * red + .7152 * green + .0722 * blue


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + .05) / (darker + .05)


def hue(colour):
    return 360 * colorsys.rgb_to_hls(*(part / 255 for part in colour[:3]))[0]


class LooksTests(PageCase):
    def rooms(self, count, tokens=()):
        rooms = scene.Rooms(self.monitor, count, tokens)
        self.addCleanup(rooms.end)
        return rooms

    def phone(self, **options):
        return self.newContext(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, **options)

    # Colours --------------------------------------------------------------------------------------------------
    def test_colours_are_told_apart_in_light_and_dark(self):
        texts = ["text", "quiet", "accent", "good", "warn", "bad", "ended"]
        lines = ["measured", "expected", "forecast", "stimulus", "note"] + [f"person-{number}" for number in range(1, 9)]
        grounds, bands = ["ground", "surface", "sunken"], ["low", "normal", "high"]
        names = texts + lines + grounds + bands + ["on-accent", "on-state", "edge", "threshold", "step"]
        for scheme in ("light", "dark"):
            page = self.open("/", scheme=scheme)
            colours = page.evaluate(COLOURS, names)

            def least(ones, others, ratio):
                for one in ones:
                    for other in others:
                        found = contrast(colours[one], colours[other])
                        self.assertGreaterEqual(found, ratio, f"{scheme}: {one} on {other} is {found:.2f}")

            least(texts, grounds, 4.5)
            least(["quiet"], bands, 4.5)
            least(["on-accent"], ["accent"], 4.5)
            least(["on-state"], ["good", "warn", "bad", "ended"], 4.5)
            least(lines, bands + ["surface"], 3)
            least(["edge", "threshold", "step"], ["surface"], 3)
            # Bands are a tint; lines say where they meet.
            for band in ("low", "high"):
                self.assertLess(1.02, contrast(colours[band], colours["surface"]), f"{scheme}: {band}")
                self.assertLess(contrast(colours[band], colours["surface"]), 1.2, f"{scheme}: {band}")
            apart = abs(hue(colours["expected"]) - hue(colours["high"])) % 360
            self.assertGreater(min(apart, 360 - apart), 60, f"{scheme}: the hues of expected and high")
            self.assertEqual(colours["accent"], colours["measured"])
            page.close()
        self.assertQuiet()

    # Sizes ----------------------------------------------------------------------------------------------------
    def test_a_finger_meets_controls_of_44_pixels(self):
        self.rooms(6)
        scene.fill_day(self.monitor, 0)
        readings = "#chart-words:has-text('readings')"
        for path, ready in (("/#session=run-0", readings), ("/?run=run-0&at=1:00", readings), ("/history?participant=P017", ".marker")):
            page = self.open(path, context=self.phone())
            page.wait_for_selector(ready)
            page.click("summary")
            self.assertEqual(page.evaluate(TARGETS), [], path)
        page.tap(".marker >> nth=0")
        page.wait_for_selector("#details[open] button")
        self.assertEqual(page.evaluate(TARGETS), [])
        self.assertQuiet()

    def test_no_width_scrolls_across_and_200_percent_does_not_either(self):
        self.rooms(8)
        scene.fill_day(self.monitor, 0)
        readings = "#chart-words:has-text('readings')"
        for path, ready in (("/#session=run-0", readings), ("/?run=run-0&at=1:00", readings), ("/history?participant=P017", ".marker")):
            page = self.open(path)
            page.wait_for_selector(ready)
            # At 200 % a window of 1280 x 900 is one of 640 x 450.
            for width, height in [(width, 900) for width in (320, 360, 390, 480, 600, 736, 768, 900, 1024, 1280, 1440, 1920, 2560)] + [(640, 450)]:
                page.set_viewport_size({"width": width, "height": height})
                self.eventually(
                    page, lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
                    lambda beyond: beyond <= 0, f"{path} at {width}")
        self.assertQuiet()

    def test_the_head_stays_on_a_telephone_and_hides_nothing_that_has_the_focus(self):
        self.rooms(6)
        page = self.open("/#session=run-0", context=self.phone())
        page.wait_for_selector("#chart-words:has-text('readings')")
        page.focus("summary")
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        head = page.locator(".top").bounding_box()
        self.assertAlmostEqual(head["y"], 0, delta=1)
        under = """(head) => {
            const one = document.activeElement.closest("label, button, summary, [tabindex], a"), top = one.getBoundingClientRect().top;
            return one.closest(".top") || top >= head - 1 ? null : `${one.tagName} ${one.id || one.textContent.slice(0, 40)} at ${top}`;
        }"""
        for _ in range(12):
            page.keyboard.press("Shift+Tab")
            # The rooms go on meanwhile, and a page that just grew comes to rest in its next frame.
            self.eventually(page, lambda: page.evaluate(under, head["height"]), lambda found: found is None, "under the head")

    def test_sizes_of_type_are_steps_of_one_scale(self):
        self.rooms(6)
        scene.fill_day(self.monitor, 0)
        scale = {12, 13, 14.4, 16, 20, 25, 39, 76}
        readings = "#chart-words:has-text('readings')"
        for path, ready in (("/#session=run-0", readings), ("/?run=run-0&at=1:00", readings), ("/history?participant=P017", ".marker")):
            page = self.open(path, width=1440)
            page.wait_for_selector(ready)
            sizes = page.evaluate("""() => [...new Set([...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()
                && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
                .map((one) => parseFloat(getComputedStyle(one).fontSize)))]""")
            self.assertEqual([size for size in sizes if size not in scale], [], path)

    # Overview -------------------------------------------------------------------------------------------------
    def test_rooms_stand_worst_first_each_state_with_a_shape_of_its_own(self):
        self.rooms(8)
        page = self.open("/#session=run-0", width=1440)

        def isOrdered(found):
            rest = found[3:]
            return found[:3] == ["lost", "stale", "warned"] and len(rest) == 4 and rest == sorted(rest) and set(rest) <= {"outside", "running"}

        self.eventually(page, lambda: page.eval_on_selector_all(".card", "all => all.map(one => one.dataset.state)"), isOrdered, "the order of rooms")
        # Who has ended stands in one line below.
        self.assertRegex(page.text_content("#ended"), r"1 ended:P038 stopped by a signal")
        for forced in ("active", "none"):
            page.emulate_media(forced_colors=forced)
            # In one step: the page draws its cards anew every second, and a card of before has no style.
            looks = page.evaluate("""() => [...document.querySelectorAll(".card")].map((one) => {
                const edge = one.querySelector(".edge"), shape = getComputedStyle(edge, "::before");
                return [one.dataset.state, shape.clipPath, getComputedStyle(edge).backgroundColor + shape.backgroundColor, one.querySelector(".who").textContent.trim()];
            })""")
            shapes = {state: shape for state, shape, _, _ in looks}
            self.assertEqual(len({shapes[state] for state in ("lost", "stale", "running")}), 3, (forced, shapes))
            self.assertEqual(len({colour for state, _, colour, _ in looks if state in ("lost", "stale", "running")}), 3, forced)
        who = [who for _, _, _, who in looks]
        self.assertEqual((who[:3], set(who[3:])), (["P017", "P024", "P031"], {"P010", "P045", "P052", "P059"}))
        self.assertEqual(page.locator("#tally li").all_text_contents()[:3], ["1 without contact", "1 without heart rate", "1 to check"])
        self.assertIn("the battery is low: 12 %", page.text_content(".card[data-state=warned] .condition"))
        self.assertTrue(page.title().startswith("(3) "), page.title())
        self.assertRegex(page.text_content(".card[data-state=running] .at"), r"Now harder2/3\d:\d\d left")
        lengths = page.eval_on_selector_all(".card .spark path:not(.band)", "all => all.map(one => (one.getAttribute('d') || '').split('L').length)")
        self.assertGreater(min(lengths), 10, lengths)
        # The band that is expected now lies behind the curve, which ends in a dot.
        bands = page.eval_on_selector_all(".card .band", "all => all.map(one => one.getAttribute('d') || '')")
        self.assertTrue(all(band.endswith("Z") for band in bands), bands)
        self.assertEqual(page.locator(".card .dot:visible").count(), 7)
        self.assertEqual(page.evaluate("document.querySelector('.card .curve').clientHeight"), 48)
        # Room and participant are the largest words of a card beside its rate.
        sizes = page.evaluate("""() => ["who", "value", "condition", "at", "quiet"].map((name) =>
            parseFloat(getComputedStyle(document.querySelector(`.card .${name}`)).fontSize))""")
        self.assertTrue(sizes[1] > sizes[0] > max(sizes[2:]), sizes)
        self.assertUsable(page, "eight rooms")
        self.assertQuiet()

    def test_a_room_is_called_after_its_token(self):
        self.monitor.stop()
        self.monitor = Monitor(self.program, data=self.monitor.folder)
        tokens = [self.monitor.token("ingest", f"room-{number + 1}") for number in range(3)]
        reader = self.monitor.token("read", "eyes")
        self.monitor.stop()
        self.monitor = Monitor(self.program, "--host", "0.0.0.0", "--insecure", data=self.monitor.folder, zone=noon_zone())
        self.monitor.url = self.monitor.url.replace("0.0.0.0", "localhost")
        self.rooms(3, tokens)
        context = self.newContext()
        context.add_cookies([self.monitor.cookie(reader)])
        page = self.open("/", context=context)
        page.wait_for_selector(".card >> nth=2")
        self.assertEqual(page.locator(".card .room").all_text_contents(), ["room-1", "room-2", "room-3"])
        page.wait_for_selector("#subtitle:has-text('room-1')")
        self.assertQuiet()

    def test_the_wall_shows_forty_rooms_at_once_legible_at_three_metres(self):
        for number in range(40):
            person = {"bpm": 60 + number, "t": time.time()}
            self.monitor.post(f"/api/sessions/readings/heart-rate?source=room-{number + 1}&participant=P{number:03d}", person)
        page = self.open("/", width=1920, height=1080)
        page.wait_for_selector(".card >> nth=39")
        page.click("#wall")
        page.wait_for_selector("[data-wall]")
        self.assertIn("/?wall", page.url)
        self.assertFalse(page.is_visible("nav") or page.is_visible("#chosen"))

        def look():
            return page.evaluate("""() => {
                const cards = [...document.querySelectorAll(".card")].map((one) => one.getBoundingClientRect().toJSON());
                const size = (name) => Math.min(...[...document.querySelectorAll(`.card ${name}`)].map((one) => parseFloat(getComputedStyle(one).fontSize)));
                const cut = [...document.querySelectorAll(".card .room, .card .person")].filter((one) => one.scrollWidth > one.clientWidth + 1).length;
                return { cards, sizes: [".room", ".person", ".value", ".condition"].map(size), cut };
            }""")

        seen = self.eventually(page, look, lambda seen: max(card["bottom"] for card in seen["cards"]) <= 1080, "rooms below the screen")
        self.assertEqual(len(seen["cards"]), 40)
        self.assertGreaterEqual(min(card["top"] for card in seen["cards"]), 0)
        # 31 px are letters of 22 px, on a screen of 55 inches 14 mm: 16 minutes of arc at 3 m, the least that ISO 9241-303 asks for.
        self.assertGreaterEqual(min(seen["sizes"]), 31, seen["sizes"])
        self.assertEqual(seen["cut"], 0)
        spilt = page.evaluate("[...document.querySelectorAll('.card')].filter((one) => one.scrollHeight > one.clientHeight + 1).length")
        self.assertEqual(spilt, 0)
        self.assertUsable(page, "the wall")
        # One room takes all of the screen; a room that is pressed opens.
        page.keyboard.press("Escape")
        page.wait_for_selector("html:not([data-wall])")
        page.goto(self.monitor.url + "/?wall")
        page.wait_for_selector("[data-wall] .card >> nth=39")
        page.locator(".card:has-text('P007')").click()
        page.wait_for_selector("#chosen #subtitle:has-text('P007')")
        self.assertQuiet()

    # States ---------------------------------------------------------------------------------------------------
    def test_nothing_yet_nothing_there_and_nothing_to_be_had_look_different(self):
        held = []
        context = self.newContext()
        context.route("**/api/sessions", lambda route: held.append(route))
        page = self.open("/", context=context)
        page.wait_for_selector("#connection[data-state=up]")
        self.eventually(page, lambda: len(held), lambda count: count > 0)
        self.assertEqual(page.get_attribute("#sessions", "aria-busy"), "true")
        self.assertFalse(page.is_visible("#none") or page.is_visible("#failed"))
        held[0].fulfill(status=503, json={"error": "the store cannot be read"})
        page.wait_for_selector("#failed:has-text('cannot be read now')")
        self.assertUsable(page, "a list that cannot be read")
        context.unroute("**/api/sessions")
        page.reload()
        page.wait_for_selector("#none:has-text('No session is running')")
        self.assertIsNone(page.get_attribute("#sessions", "aria-busy"))
        self.assertFalse(page.is_visible("#failed"))
        refused = [True]
        context.route("**/api/days/*", lambda route: route.fulfill(status=503, json={"error": "busy"}) if refused[0] else route.continue_())
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector("#failed:has-text('cannot be read now')")
        refused[0] = False
        page.click("#again")
        page.wait_for_selector("[data-blank] #chart-words:has-text('No readings')")
        page.wait_for_selector("#failed", state="hidden")

    # Charts ---------------------------------------------------------------------------------------------------
    def labels(self, page, axis):
        return page.eval_on_selector_all(f"#chart .dygraph-axis-label-{axis}", "all => all.map(one => one.textContent.trim())")

    def test_time_is_minutes_or_the_clock_and_the_scale_fits_unless_all_of_it_is_wanted(self):
        start = self.monitor.get("/api/days/today")["start"] + 9 * 3600
        self.publish(start=start, count=730)
        page = self.open("/#session=run-1")
        page.wait_for_selector("#chart-words:has-text('730 readings; shown from 0:00 to 12:09')")
        self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels[:2] == ["0:00", "1:00"], "minutes")
        page.check("#axis-clock")
        self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels[:2] == ["09:00", "09:01"], "the clock")
        self.assertTrue(page.text_content("#elapsed").endswith(", 09:12:09"), page.text_content("#elapsed"))
        self.assertTrue(page.is_checked("#fit"))
        fitted = self.eventually(page, lambda: self.labels(page, "y"), lambda labels: labels[0] != "0", "a fitted scale")
        self.assertTrue(40 <= int(fitted[0]) and int(fitted[-1]) <= 170, fitted)
        # The choice holds on the other page too, and the days beside it have the same scale.
        page.uncheck("#fit")
        self.eventually(page, lambda: self.labels(page, "y"), lambda labels: labels[0] == "0", "the whole scale")
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector(".marker")
        self.assertFalse(page.is_checked("#fit"))
        self.eventually(page, lambda: self.labels(page, "y"), lambda labels: labels and labels[0] == "0", "a day with the whole scale")
        page.check("#fit")
        self.eventually(page, lambda: self.labels(page, "y"), lambda labels: labels and labels[0] != "0", "a fitted day")
        self.assertQuiet()

    def test_a_sitting_a_part_in_the_address_and_a_note_by_a_click(self):
        start = self.monitor.get("/api/days/today")["start"] - DAY + 9 * 3600
        self.publish(start=start, count=730)
        date = self.monitor.get(f"/api/days/{self.monitor.get('/api/days/today')['previous']}")["date"]
        page = self.open(f"/history?date={date}")
        page.wait_for_selector(".marker")
        # One sitting: the day opens there, and all of it is one press away.
        part = self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels and labels[0] >= "08:5", "the sitting")
        self.assertLessEqual(part[-1], "09:20")
        self.assertNotIn("from=", page.url)
        page.click("#whole-day")
        self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels[0] == "00:00", "the whole day")
        self.eventually(page, lambda: page.url, lambda url: url.endswith("&from=00:00&to=24:00"), "the part in the address")
        page.goto("about:blank")
        page.goto(f"{self.monitor.url}/history?date={date}&from=09:05&to=09:10")
        self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels and labels[0].startswith("09:05") and labels[-1] <= "09:10:59", "the asked part")
        self.assertTrue(page.is_visible("#whole-day"))
        # A press chooses the moment of a note.
        chart = page.locator("#chart").bounding_box()
        page.mouse.click(chart["x"] + chart["width"] / 2, chart["y"] + 40)
        words = self.eventually(page, lambda: page.text_content("#add-here .name"), lambda words: "09:0" in words, "the moment")
        page.click("#add-here")
        self.assertTrue(page.input_value("#note-time").startswith(words[-5:]), (words, page.input_value("#note-time")))
        page.keyboard.press("Escape")
        self.assertEqual(page.text_content("#add-here .name"), "Add an event")
        self.assertQuiet()

    def test_steps_are_called_by_their_titles_everywhere(self):
        self.publish(start=time.time() - 900)
        for path in ("/#session=run-1", "/history"):
            page = self.open(path)
            page.wait_for_selector("#chart-words:has-text('readings')")
            page.click("summary")
            page.wait_for_selector("#events:has-text('Step begins: Now harder')")
            self.assertNotIn("effort", page.text_content("#events"))

    def test_a_day_can_be_drawn_out_to_its_minutes_and_back(self):
        scene.fill_day(self.monitor, 0)
        page = self.open("/history?participant=P017", width=1440)
        page.wait_for_selector(".marker")
        self.settled(page)
        whole = self.labels(page, "x")
        handle = page.locator(".dygraph-rangesel-zoomhandle >> nth=1").bounding_box()
        chart = page.locator("#chart").bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(chart["x"] + chart["width"] / 3, handle["y"] + 4, steps=6)
        page.mouse.up()
        page.wait_for_selector("#whole-day")
        date = page.input_value("#date")
        self.assertNotEqual(self.labels(page, "x"), whole)
        # News of the day do not take the reader away from the minutes.
        self.monitor.post("/api/notes", {"t": time.time(), "text": "Coffee", "participant": "P017"})
        page.wait_for_timeout(300)
        self.assertTrue(page.is_visible("#whole-day"))
        page.click("#whole-day")
        page.wait_for_selector("#whole-day", state="hidden")
        self.eventually(page, lambda: self.labels(page, "x"), lambda labels: labels == whole, "the whole day")
        self.assertEqual(page.input_value("#date"), date)
        self.assertQuiet()

    def test_the_newest_value_glides_where_motion_is_allowed(self):
        for number, motion in enumerate(("no-preference", "reduce")):
            begun = time.time() - 60
            self.assertEqual(self.monitor.post("/api/sessions", workout.description(f"run-{number}", begun)), 201)
            page = self.open(f"/#session=run-{number}", context=self.newContext(reduced_motion=motion))
            page.wait_for_selector("#connection[data-state=up]")
            # Time goes 20 times slower for what moves: a busy machine draws pictures on the way, too.
            page.evaluate("""() => {
                const begun = performance.now(), real = performance.now.bind(performance), next = requestAnimationFrame.bind(window);
                performance.now = () => begun + (real() - begun) / 20;
                window.requestAnimationFrame = (draw) => next((time) => draw(begun + (time - begun) / 20));
                window.ends = [];
                const update = Dygraph.prototype.updateOptions;
                Dygraph.prototype.updateOptions = function (options, ...more) {
                    if (options.file) window.ends.push(options.file.at(-1)[1]);
                    return update.call(this, options, ...more);
                };
            }""")
            # Each reading comes after the one before it, near enough to be joined with it.
            moments = iter(range(1, 58))

            def between():
                rate, at = 80 if (moment := next(moments)) % 2 else 120, begun + moment
                self.monitor.post(f"/api/sessions/run-{number}/heart-rate", {"bpm": rate, "t": at})
                page.wait_for_timeout(400)
                return [end for end in page.evaluate("window.ends") if end and 81 < end < 119]

            if motion == "reduce":
                self.assertEqual([between() for _ in range(6)][-1], [])
                self.assertEqual({80, 120} - set(page.evaluate("window.ends")), set())
            else:
                self.eventually(page, between, lambda found: len(found) > 1, "values on the way")
        self.assertQuiet()


if __name__ == "__main__":
    main()
