"""Sessions that are played again on the live page.

usage: python3 Tests/BrowserTests/test_replay.py [PATH OF entrain-monitor]
Takes a minute, most of it waiting for a session that goes on and is then played again.
"""
import contextlib
import sqlite3
import time
import urllib.parse

import workout
from pages import PageCase, main

# How far behind a live page may be, s.
LAG = 4
# What a session says of itself: each part of its card, and its recorder.
PARTS = ("state", "who", "rate", "condition", "step", "left", "source", "about", "health")
SAID = """() => {
    const card = document.querySelector(".card"), within = (part) => card?.querySelector(part)?.textContent;
    return {
        state: card?.dataset.state, who: within(".who"), rate: within(".value"), condition: within(".condition"), step: within(".at span"),
        left: within(".at b"), source: within(".source"), about: within(".quiet:last-child"), health: document.getElementById("health").textContent,
    };
}"""

# What it says when something of that has changed, as [moment, what].
KEEP = """() => {
    const said = %s, kept = window.kept = [];
    new MutationObserver(() => {
        const now = said();
        if (now.state && JSON.stringify(now) !== JSON.stringify((kept.at(-1) || [])[1])) kept.push([Date.now() / 1000, now]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}""" % SAID

# What a session that is played again says at each of these moments, s since it began.
PLAYED = """(moments) => {
    const said = %s, place = document.getElementById("player-place");
    return moments.map((moment) => {
        place.value = moment;
        place.dispatchEvent(new Event("input"));
        return said();
    });
}""" % SAID


class ReplayTests(PageCase):
    def go(self, page, seconds):
        """Lets a session go on for so long, which is told a reading twice a second."""
        for _ in range(int(seconds * 2)):
            self.tell("heart-rate", {"bpm": 70 + len(self.told), "elapsed": self.elapsed()})
            page.wait_for_timeout(500)

    def elapsed(self):
        return round(time.time() - self.start, 3)

    def tell(self, what, value, name="run-1"):
        self.told.append(value)
        self.assertEqual(self.monitor.post(f"/api/sessions/{name}/{what}", value), 201)

    def happen(self, kind, **details):
        self.tell("events", {"events": [{"sequence": len(self.told) + 1, "kind": kind, "elapsed": self.elapsed(), **details}]})

    def live(self, page):
        """A session with a pause, a source that is lost, a gap, and an end."""
        self.start, self.told = time.time(), []
        steps = [{"identifier": "rest", "title": "Rest", "duration": 4}, {"identifier": "effort", "title": "Effort", "duration": 60}]
        about = {"id": "run-1", "kind": "run", "startedAt": self.start, "participant": "P01", "title": "Played", "steps": steps}
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        page.wait_for_selector("#title:has-text('Played')")
        self.happen("stepStarted", step="rest")
        self.go(page, 2)
        self.happen("paused", step="rest")
        self.go(page, 2)
        self.happen("resumed", step="rest")
        self.happen("stepStarted", step="effort")
        self.go(page, 1)
        self.happen("sourceState", source="strap", state="lost", text="out of reach")
        page.wait_for_timeout(7000)
        self.happen("sourceState", source="strap", state="live")
        self.happen("marked", text="Note: coughed")
        self.go(page, 2)
        self.happen("rating", step="effort", text="13")
        self.happen("over", text="completed")
        page.wait_for_selector("#health:has-text('completed')")

    def test_a_recording_says_what_the_live_page_said(self):
        page = self.open("/")
        page.wait_for_selector("#connection:has-text('Connected')")
        page.evaluate(KEEP)
        self.live(page)
        kept = [(moment - self.start, said) for moment, said in page.evaluate("window.kept")]
        self.assertEqual({said["state"] for _, said in kept}, {"running", "paused", "warned", "stale", "over"})
        page.goto(self.monitor.url + "/?run=run-1&at=0:00")
        end = kept[-1][0]
        page.wait_for_selector("#player-news:has-text('Step begins: Rest')")
        self.eventually(page, lambda: float(page.get_attribute("#player-place", "max")), lambda most: most > end - 3, "its length")
        # A message is on its way, and a page has its pace, slower on a machine that does other things, too.
        told = [one["elapsed"] for value in self.told for one in value.get("events", [value])]
        moments = sorted(told + [index / 20 for index in range(int(end * 20))])
        played = list(zip(moments, page.evaluate(PLAYED, moments)))
        # Nothing is played of the time before the first news.
        kept = [(moment, said) for moment, said in kept if moment > 1]
        played = [(moment, said) for moment, said in played if moment > 2]
        for part in PARTS:
            for moment, said in kept:
                near = {one[part] for at, one in played if moment - LAG <= at <= moment + .1}
                if moment > 3 and near:
                    self.assertIn(said[part], near, f"the live page's {part} at {moment:.2f} s")
            # A length of time, and a rate, may pass before the live page looks again.
            for moment, one in played if part not in ("condition", "left", "health", "rate") else []:
                said = [said[part] for at, said in kept if moment <= at <= moment + LAG]
                before = [said[part] for at, said in kept if at <= moment]
                if before:
                    self.assertIn(one[part], said + before[-1:], f"the recording's {part} at {moment:.2f} s")
        self.assertQuiet()

    def ended(self, name="run-1", **more):
        start = time.time() - 1500
        self.assertEqual(self.monitor.post("/api/sessions", {**workout.description(name, start), **more}), 201)
        events = workout.events()
        events += [{"sequence": 90, "kind": "marked", "elapsed": 300, "text": "Note: coughed"},
                   {"sequence": 91, "kind": "stimulusEnd", "elapsed": 340, "step": "effort", "stimulus": "happy_preview_1"}]
        samples = [one for one in workout.samples(726) if not 400 < one["elapsed"] < 430]
        self.assertEqual(self.monitor.post(f"/api/sessions/{name}/events", {"events": events}), 201)
        self.assertEqual(self.monitor.post(f"/api/sessions/{name}/heart-rate", {"samples": samples}), 201)

    def isPlaying(self, page):
        return page.get_attribute("#play", "data-playing") is not None

    def at(self, page):
        return float(page.input_value("#player-place"))

    def test_a_session_is_played_from_wherever_it_is_listed(self):
        self.ended(origin="simulated")
        page = self.open("/")
        links = ["#ended a:has-text('Play again')", "#finished-sessions a:has-text('Play again')", "#again"]
        for link in links:
            page.goto(self.monitor.url + "/")
            page.wait_for_selector("#ended:visible")
            page.click("#finished summary")
            if link == "#again":
                page.click("#finished-sessions button")
            page.click(link)
            page.wait_for_url("**/?run=run-1")
            page.wait_for_selector("#player-title:has-text('Recording of')")
            self.eventually(page, lambda: self.at(page), lambda at: at > .5, f"what {link} plays")
            self.assertTrue(self.isPlaying(page))
        page.wait_for_selector("#player-about:has-text('simulated')")
        page.wait_for_selector(".card:has-text('simulated')")
        self.assertRegex(page.title(), "^Recording of .* – Entrain$")
        # From a day, to the moment of an event.
        page.goto(self.monitor.url + "/history")
        page.wait_for_selector(".marker")
        for marker in range(page.locator(".marker").count()):
            page.focus(f".marker >> nth={marker}")
            page.keyboard.press("Enter")
            if page.locator("#details li:has-text('coughed')").count():
                break
            page.keyboard.press("Tab")
            page.click("#details-close")
        page.click("#details li:has-text('coughed') a:has-text('Play again from here')")
        page.wait_for_url("**/?run=run-1&at=5:00")
        page.wait_for_selector("#player-news:has-text('5:00 Experimenter: Note: coughed')")
        self.assertFalse(self.isPlaying(page))
        page.wait_for_selector("#chart-words:has-text('301 readings')")
        self.assertQuiet()

    def test_it_is_moved_by_keys_buttons_and_the_slider(self):
        self.ended()
        page = self.open("/?run=run-1&at=4:00&speed=4")
        page.wait_for_selector(".card:has-text('Now harder')")
        self.eventually(page, lambda: float(page.get_attribute("#player-place", "max")), lambda most: most == 726, "its length")
        self.assertEqual((page.input_value("#player-speed"), self.at(page)), ("4", 240))
        page.wait_for_selector(".card .at:has-text('5:00 left')")
        self.assertEqual(page.evaluate("document.activeElement.id"), "play")
        for key, at in (("ArrowRight", 245), ("ArrowLeft", 240), (",", 200), (".", 300), (".", 540), ("Home", 0), ("End", 726), (",", 724)):
            page.keyboard.press(key)
            self.assertEqual(self.at(page), at, key)
        page.wait_for_selector("#player-status:has-text('12:04, Rating: exertion, 13')")
        page.keyboard.press(">")
        self.assertEqual(page.input_value("#player-speed"), "8")
        page.keyboard.press("<")
        page.select_option("#player-speed", "64")
        # Within a gap nothing was measured, and nothing is shown.
        page.focus("#player-place")
        page.evaluate("""() => { const place = document.getElementById("player-place"); place.value = 415; place.dispatchEvent(new Event("input")); }""")
        page.wait_for_selector(".card[data-state=stale]:has-text('No heart rate for 15')")
        page.wait_for_selector("#rate:text-is('–')")
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        self.assertTrue(self.isPlaying(page))
        page.wait_for_selector("#player-status:has-text('The recording is over.')")
        self.assertFalse(self.isPlaying(page))
        page.wait_for_selector("#health:has-text('completed')")
        page.wait_for_selector(".card[data-state=over]")
        page.click("#play")
        page.wait_for_selector("#player-status:has-text('Playing from 0:00, 64 ×')")
        page.click("#play")
        page.wait_for_selector("#player-status:has-text('Paused at')")
        self.assertQuiet()

    def test_a_link_leads_to_its_moment(self):
        self.ended()
        page = self.open("/?run=run-1")
        page.wait_for_selector("#player-title:has-text('Recording of')")
        page.click("#play")
        page.click("#mark-after")
        page.click("#mark-after")
        page.click("#player-link")
        page.wait_for_selector("#player-status:has-text('The link to')")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
        self.assertEqual(query, {"run": ["run-1"], "at": ["3:20"]})
        said = page.evaluate(SAID)
        page.reload()
        self.eventually(page, lambda: page.evaluate(SAID), lambda now: now == said, "what its moment says")
        self.assertFalse(self.isPlaying(page))
        for odd in ("at=soon", "at=99:99", "speed=3", "at=-1:00", "at=1:00&at=2:00"):
            page.goto(self.monitor.url + f"/?run=run-1&{odd}")
            page.wait_for_selector(".card")
        page.goto(self.monitor.url + "/?run=../x")
        page.wait_for_selector("h1:text-is('Sessions')")
        self.assertFalse(page.is_visible("#player"))
        self.assertQuiet()

    def test_nothing_is_offered_to_a_run_that_is_over_and_nothing_is_heard(self):
        self.start, self.told = time.time() - 300, []
        about = {**workout.description("run-1", self.start), "alarms": [{"kind": "above", "limit": 100, "for": 1}]}
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        page = self.open("/settings")
        for rate in (90, 130, 131, 132, 133, 90):
            self.assertEqual(self.monitor.post("/api/sessions/run-1/alive", ""), 204)
            self.tell("heart-rate", {"bpm": rate, "elapsed": self.elapsed()})
            page.wait_for_timeout(700)
        self.happen("over", text="completed")
        alarm, = self.monitor.get("/api/sessions/run-1/alarms")["alarms"]
        token = self.monitor.token(["control", "delete"], "lee")
        context = self.newContext()
        context.add_cookies([self.monitor.cookie(token)])
        middle = (alarm["began"] + alarm["ended"]) / 2 - self.start
        page = self.open(f"/?run=run-1&at=5:{middle - 300:05.2f}", context=context)
        page.wait_for_selector("#alarms [data-alarm=standing]:has-text('Heart rate above 100')")
        page.wait_for_selector(".card[data-alarmed]")
        for hidden in ("#room", "#removal", "#sound", "#wall", "#alarms button:has-text('Acknowledge')", "#lists", "#ended"):
            self.assertFalse(page.is_visible(hidden), hidden)
        self.assertNotIn("⚠", page.title())
        page.keyboard.press("Home")
        page.wait_for_selector("#alarms", state="hidden")
        page.keyboard.press("End")
        # Nobody has acknowledged it.
        page.wait_for_selector("#alarms [data-alarm=past]")
        page.wait_for_selector("#run-alarms tr", state="attached")
        self.assertQuiet()

    def test_a_killed_run_loses_contact_and_a_fast_one_keeps_its_pace(self):
        start = time.time() - 100
        self.assertEqual(self.monitor.post("/api/sessions", {**workout.description("killed", start), "kind": "run"}), 201)
        events = [one for one in workout.events() if one["elapsed"] <= 95]
        self.assertEqual(self.monitor.post("/api/sessions/killed/events", {"events": events}), 201)
        self.assertEqual(self.monitor.post("/api/sessions/killed/heart-rate", {"samples": workout.samples(98)}), 201)
        self.assertEqual(self.monitor.post("/api/sessions/killed/alive", ""), 204)
        self.eventually(self.open("/"), lambda: self.monitor.get("/api/sessions/killed")["state"], lambda state: state == "lost", "its state")
        page = self.open("/?run=killed&at=1:30")
        page.wait_for_selector(".card[data-state=running]")
        page.keyboard.press("End")
        page.wait_for_selector(".card[data-state=lost]:has-text('No contact with the run for 8')")
        page.wait_for_selector("#rate:text-is('–')")
        self.ended("fast", speed=1e6, origin="simulated")
        page.goto(self.monitor.url + "/?run=fast&at=4:00")
        page.wait_for_selector(".card[data-state=running]:has-text('Now harder'):has-text('not in real time')")
        page.wait_for_selector("#chart-words:has-text('241 readings')")
        self.assertQuiet()

    def test_who_may_not_look_signs_in_first_and_comes_back(self):
        self.ended()
        self.assertEqual(self.monitor.stop(), 0)
        token = self.monitor.token("read", "anna")
        sender = self.monitor.token("ingest", "room")
        self.monitor.arguments = ("--host", "0.0.0.0", "--insecure")
        self.monitor.start()
        url = f"http://localhost:{self.monitor.port}"
        page = self.newContext().new_page()
        for wrong in (sender, "entrain_wrong"):
            page.goto(f"{url}/?run=run-1&at=4:00")
            page.fill("input[name=token]", wrong)
            page.click("main button[type=submit]")
            page.wait_for_selector("[role=alert]")
        page.goto(f"{url}/?run=run-1&at=4:00")
        page.fill("input[name=token]", token)
        page.click("main button[type=submit]")
        page.wait_for_url("**/?run=run-1&at=4:00")
        page.wait_for_selector(".card:has-text('Now harder')")
        # Nobody is shown what a run does not tell.
        page.wait_for_selector("#replay-words:has-text('What participants wrote is not shown')")

    def test_what_is_deleted_is_not_played_and_what_is_not_there_is_said(self):
        self.ended()
        keeper = self.monitor.token("delete", "keeper")
        page = self.open("/?run=run-1&at=4:00")
        page.wait_for_selector("#chart-words:has-text('241 readings')")
        page.click("details summary")
        trace = {"reading": self.number(), "reason": "a trial", "confirmed": True}
        self.assertEqual(self.monitor.post("/api/deletions", trace, token=keeper), 200)
        page.wait_for_selector("#chart-words:has-text('240 readings')")
        self.assertEqual(self.monitor.post("/api/deletions", {"session": "run-1", "reason": "a trial", "confirmed": True}, token=keeper), 200)
        page.wait_for_selector("#failed:has-text('There is no session run-1 here')")
        self.assertFalse(page.is_visible("#player") or page.is_visible("#chosen") or page.is_visible(".card"))
        page.reload()
        page.wait_for_selector("#failed:has-text('There is no session run-1 here')")
        self.assertFalse(page.is_visible("#player"))
        self.assertEqual([text for text in self.problems if "404" not in text], [])

    def number(self):
        """The number of the reading at 1:40."""
        with contextlib.closing(sqlite3.connect(f"{self.monitor.folder}/monitor.sqlite")) as store:
            return store.execute("SELECT number FROM record WHERE kind = 0 AND elapsed = 100").fetchone()[0]

    def test_the_bar_stays_and_hides_nothing_that_has_the_focus(self):
        self.ended()
        page = self.open("/?run=run-1&at=4:00", width=390, height=844)
        page.wait_for_selector("#chart-words:has-text('241 readings')")
        self.settled(page)
        page.focus("summary")
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        bar = page.locator("#player").bounding_box()
        self.assertAlmostEqual(bar["y"], page.locator(".top").bounding_box()["height"], delta=1)
        self.assertLess(bar["y"] + bar["height"], 844 * .4, "room for the rest")
        under = """(end) => {
            const one = document.activeElement, held = one.closest("label, [tabindex]") || one, { top } = held.getBoundingClientRect();
            return one.closest(".top, #player") || top >= end - 1 ? null : `${one.tagName} ${one.id} at ${top}`;
        }"""
        for _ in range(12):
            page.keyboard.press("Shift+Tab")
            self.eventually(page, lambda: page.evaluate(under, bar["y"] + bar["height"]), lambda found: found is None, "under the bar")
        # A window that is not high has no room for it.
        page.set_viewport_size({"width": 640, "height": 450})
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        self.assertLess(page.locator("#player").bounding_box()["y"], -100)
        self.assertQuiet()

    def test_who_asked_for_less_motion_begins_it_by_hand(self):
        self.ended()
        context = self.newContext(reduced_motion="reduce")
        page = self.open("/?run=run-1", context=context)
        page.wait_for_selector("#player-time:has-text('0:00 of 12:06')")
        self.assertFalse(self.isPlaying(page))
        page.keyboard.press("Space")
        self.eventually(page, lambda: self.at(page), lambda at: at > .5, "what is played")
        self.assertQuiet()


if __name__ == "__main__":
    main()
