"""The monitor's pages from a telephone to a wide screen, light and dark, in every state: nothing lies over anything else,
nothing sticks out, everything is reached by keyboard, and axe finds nothing serious.

usage: python3 Tests/BrowserTests/test_layout.py [PATH OF entrain-monitor]
With SCREENSHOTS=DIR in the environment, what was seen is kept there.
"""
import os
import re
import time
import urllib.parse

from monitor import Monitor
from pages import DAY, PageCase, main

# Widths and heights of windows, and how far they are magnified: at 200 %, one of 1280 by 900 shows 640 by 450.
VIEWS = [(width, 800, 1) for width in (320, 390, 768, 1024, 1440, 2560)] + [(640, 450, 2)]
HOSTILE = ["<script>alert(1)</script>", "\u202eעברית ערבית\u202c", "👩‍🚀🫀" * 6, "W" * 64, "a b  c", "' OR 1=1 --", "{{style.css}}"]

# Rectangles of what can be read or pressed, cut to the boxes that hide what goes beyond them.
PIECES = """() => {
    const pieces = [], head = document.querySelector(".top");
    const cut = (box, element) => {
        let { left, top, right, bottom } = box;
        for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
            const style = getComputedStyle(at);
            if (style.visibility === "hidden" || style.display === "none" || style.opacity === "0") return null;
            if (at !== element && style.overflowX === "visible" && style.overflowY === "visible") continue;
            if (style.overflowX === "visible" && style.overflowY === "visible") continue;
            const hole = at.getBoundingClientRect();
            [left, top, right, bottom] = [Math.max(left, hole.left), Math.max(top, hole.top), Math.min(right, hole.right), Math.min(bottom, hole.bottom)];
        }
        // What has gone under the head that stays is not seen.
        if (head && !head.contains(element) && getComputedStyle(head).position === "sticky") top = Math.max(top, head.getBoundingClientRect().bottom);
        return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
    };
    const add = (kind, element, box, text) => {
        // What is folded away has a place, and is not seen.
        if (!element.checkVisibility()) return;
        const seen = cut(box, element);
        if (seen) pieces.push({ kind, text: (text || element.id || element.tagName).trim().slice(0, 40), ...seen, element });
    };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode, holder = node.parentElement;
        if (!node.textContent.trim() || holder.closest("script, style, .skip, option")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) add("text", holder, box, node.textContent);
    }
    for (const element of document.querySelectorAll("button, input, select, summary, nav a")) add("control", element, element.getBoundingClientRect());
    const found = [];
    for (let i = 0; i < pieces.length; i++) for (let j = i + 1; j < pieces.length; j++) {
        const [a, b] = [pieces[i], pieces[j]];
        if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // Boxes of lines are higher than what is written in them.
        const slack = a.kind === "text" && b.kind === "text" ? 4 : 1;
        if (across > 1 && down > slack) found.push(`${a.kind} '${a.text}' and ${b.kind} '${b.text}' by ${Math.round(across)} x ${Math.round(down)}`);
    }
    const wide = document.documentElement.clientWidth;
    for (const piece of pieces) if (piece.right > wide + 1 || piece.left < -1) found.push(`'${piece.text}' sticks out`);
    const beyond = document.documentElement.scrollWidth - wide;
    if (beyond > 0) found.push(`the page is ${beyond} too wide`);
    return [pieces.length, found];
}"""

# What a keyboard should reach; of radio buttons, the chosen one. Pages draw anew: names stay where elements do not.
REACHABLE = """
    const all = () => [...document.querySelectorAll("a, button, input, select, summary")]
        .filter((one) => one.checkVisibility() && !(one.type === "radio" && !one.checked));
    const name = (one) => [one.tagName, one.id, one.dataset.first, one.dataset.date, one.getAttribute("href"),
        (one.querySelector("[data-session]") || one).dataset.session].filter(Boolean).join(" ");
"""


class LayoutTests(PageCase):
    def see(self, page, name):
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            os.makedirs(folder, exist_ok=True)
            page.screenshot(path=f"{folder}/{name}.png", full_page=True)

    def assertInOrder(self, page, where):
        """No two things that can be read or pressed lie over each other, and none sticks out."""
        self.eventually(page, lambda: page.evaluate(PIECES), lambda seen: seen[0] > 5 and not seen[1], where)

    def everywhere(self, path, ready, name, act=None):
        for width, height, scale in VIEWS:
            for scheme in ("light", "dark"):
                page = self.open(path, width=width, height=height, scheme=scheme, scale=scale)
                page.wait_for_selector(ready)
                self.settled(page)
                where = f"{name}-{width}-{scheme}"
                if act:
                    act(page)
                    self.settled(page)
                self.see(page, where)
                self.assertInOrder(page, where)
                if width in (320, 640, 1440):
                    self.assertUsable(page, where)
                page.close()
        self.assertQuiet()

    def test_empty_pages(self):
        self.everywhere("/", "#connection:has-text('Connected')", "live-empty")
        self.everywhere("/history", "#chart-words:has-text('No readings')", "history-empty")

    def test_settings_and_signing_in(self):
        self.everywhere("/settings", "h1", "settings")
        self.everywhere("/sign-in", "input[name=token]", "sign-in")

    def test_a_running_session(self):
        self.publish("run-live", start=time.time() - 300, count=300, isOver=False)
        self.publish("run-other", start=time.time() - 100, count=100, isOver=False)
        self.everywhere(
            "/#session=run-live", "#chart-words:has-text('readings')", "live", lambda page: page.click("summary"))

    def test_a_recording(self):
        self.publish("run-1", start=time.time() - 1500)
        self.everywhere("/?run=run-1&at=4:00", "#chart-words:has-text('241 readings')", "replay", lambda page: page.click("#player-link"))

    def test_a_full_day(self):
        self.fill_days()
        self.everywhere(
            "/history", "#before .side:visible", "history",
            lambda page: (page.wait_for_selector("#chart-words:has-text('readings')"), page.click("summary")))

    def test_names_of_every_kind_and_length(self):
        for number, name in enumerate(HOSTILE):
            about = {"id": f"run-{number}", "startedAt": time.time() - 60, "participant": name[:64], "title": name * 3}
            self.assertEqual(self.monitor.post("/api/sessions", about), 201, name)
            self.assertEqual(self.monitor.post(f"/api/sessions/run-{number}/heart-rate", {"bpm": 77}), 201)
        self.assertEqual(self.monitor.post("/api/sessions", {"id": "long", "participant": "P" * 200}), 422)
        self.everywhere("/", "#sessions li", "live-names")
        page = self.open("/history")
        page.on("dialog", lambda dialog: self.fail("a script ran"))
        page.wait_for_selector("#participant option:nth-child(8)", state="attached")
        told = page.eval_on_selector_all("#participant option", "all => all.map(one => one.value)")
        self.assertEqual(sorted(told[1:]), sorted(name[:64] for name in HOSTILE))
        for name in told[1:]:
            page.select_option("#participant", name)
            page.wait_for_url(lambda url: urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).get("participant") == [name])
            page.wait_for_selector("#chart-words:has-text('1 reading:')")
            self.assertEqual(page.input_value("#participant"), name)
            self.assertInOrder(page, name)
            page.reload()
            page.wait_for_selector("#chart-words:has-text('1 reading:')")
            page.wait_for_selector("#participant option:nth-child(8)", state="attached")
            self.assertEqual(page.input_value("#participant"), name)
        self.assertQuiet()

    def test_a_marker_s_details(self):
        self.fill_days()
        for width in (320, 1024):
            for scheme in ("light", "dark"):
                page = self.open("/history", width=width, scheme=scheme)
                page.wait_for_selector(".marker")
                self.openMarker(page)
                self.see(page, f"details-{width}-{scheme}")
                self.assertUsable(page, f"details at {width} {scheme}")
                self.eventually(page, lambda: page.locator("#details").bounding_box(),
                                lambda box: box["x"] >= 0 and box["x"] + box["width"] <= width, "the details' place")
                page.close()
        self.assertQuiet()

    def test_everything_is_reached_by_keyboard_and_shows_that_it_is(self):
        self.fill_days()
        for path, ready in (("/", "#chart-words:has-text('readings')"), ("/?run=run-0&at=4:00", "#chart-words:has-text('readings')"), ("/history", "#before .side")):
            page = self.open(path)
            page.wait_for_selector(ready)
            self.settled(page)
            wanted, reached, ringless = set(page.evaluate(f"() => {{ {REACHABLE} return all().map(name); }}")), set(), set()

            def press():
                page.keyboard.press("Tab")
                name, hasRing = page.evaluate(f"""() => {{ {REACHABLE}
                    const at = document.activeElement, style = getComputedStyle(at);
                    return [all().includes(at) ? name(at) : null, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
                }}""")
                # The parts of a date are reached one by one and have marks of their own.
                if name is not None and name not in reached and not hasRing:
                    ringless.add(name)
                reached.add(name)
                return wanted - reached

            self.eventually(page, press, lambda left: not left, f"not reached on {path}")
            self.assertEqual(ringless, set(), path)
        self.assertQuiet()

    def test_nothing_moves_for_those_who_asked_for_that(self):
        self.fill_days()
        for motion, least in (("reduce", 0), ("no-preference", 1)):
            context = self.newContext(reduced_motion=motion)
            page = self.open("/history", context=context)
            page.wait_for_selector(".marker")
            moving = page.evaluate("""() => [...document.querySelectorAll("*")].filter((one) => {
                const style = getComputedStyle(one);
                return style.transitionDuration.split(",").some((part) => parseFloat(part) > 0) || style.animationName !== "none";
            }).length""")
            self.assertTrue(moving == 0 if motion == "reduce" else moving >= least, (motion, moving))

    def test_values_and_tables_stand_where_charts_cannot_be_loaded(self):
        self.fill_days()
        for path in ("/#session=run-0", "/history"):
            context = self.newContext()
            context.route(re.compile("/assets/.*/(dygraph|smooth)"), lambda route: route.abort())
            page = self.open(path, context=context)
            page.wait_for_selector("#chart-words:has-text('readings')")
            self.assertInOrder(page, path)
        self.assertEqual([text for text in self.problems if "ERR_FAILED" not in text], [])

    def test_days_of_23_and_25_hours(self):
        self.monitor.stop()
        self.monitor = Monitor(self.program, zone="CET-1CEST,M3.5.0,M10.5.0/3")
        for date, start, hours in (("2026-03-29", 1774738800, 23), ("2026-10-25", 1792879200, 25), ("2026-10-26", 1792969200, 24)):
            samples = [{"bpm": 60 + n, "t": start + n * 3600 + 1800} for n in range(hours)]
            self.assertEqual(self.monitor.post("/api/sessions/readings/heart-rate", {"samples": samples}), 201)
            page = self.open(f"/history?date={date}")
            page.wait_for_selector(f"#chart-words:has-text('{hours} readings')")
            self.eventually(
                page, lambda: page.eval_on_selector_all("#chart .dygraph-axis-label-x", "all => all.map(one => one.textContent.trim())"),
                lambda labels: labels == ["00:00", "06:00", "12:00", "18:00", "24:00"], date)
            page.click("summary")
            rows = page.locator("#hours tr")
            first, last = rows.first.text_content(), rows.last.text_content()
            self.assertTrue(first.startswith("00:00") and last.startswith("23:00"), (first, last))
            day = self.monitor.get(f"/api/days/{date}")
            self.assertEqual(day["end"] - day["start"], hours * 3600)
            self.assertInOrder(page, date)
            self.see(page, f"day-{date}")
            page.close()
        self.assertQuiet()


if __name__ == "__main__":
    main()
