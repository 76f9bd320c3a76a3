"""People who go back, type odd addresses, press twice or have a slow net, on the live page.

usage: python3 Tests/BrowserTests/test_hurry.py [PATH OF entrain-monitor]
"""
import time

from pages import PageCase, main


class HurryTests(PageCase):
    def rooms(self, *identifiers):
        for index, identifier in enumerate(identifiers):
            about = {"id": identifier, "startedAt": time.time() - 60, "participant": f"P{index + 1:02d}", "title": f"Room {identifier}"}
            self.assertEqual(self.monitor.post("/api/sessions", about), 201)

    def sign_in(self, scope, path="/"):
        token = self.monitor.token(scope, "kim")
        page = self.open("/sign-in?to=/settings")
        page.fill("input[name=token]", token)
        page.click("main button[type=submit]")
        page.wait_for_selector("#connection:has-text('Connected')")
        page.goto(self.monitor.url + path)
        page.wait_for_selector("#connection:has-text('Connected')")
        return page

    def test_back_leads_to_the_session_before_and_an_address_to_its_session(self):
        self.rooms("a", "b", "c")
        page = self.open("/#session=a")
        page.wait_for_selector("#title:has-text('Room a')")
        for session in ("b", "c"):
            page.click(f".card:has(.value[data-session={session}])")
            page.wait_for_selector(f"#title:has-text('Room {session}')")
        page.go_back()
        page.wait_for_selector("#title:has-text('Room b')")
        page.go_back()
        page.wait_for_selector("#title:has-text('Room a')")
        page.go_forward()
        page.wait_for_selector("#title:has-text('Room b')")
        # Somebody writes another address into the same page.
        page.evaluate("location.hash = '#session=c'")
        page.wait_for_selector("#title:has-text('Room c')")
        page.reload()
        page.wait_for_selector("#title:has-text('Room c')")
        self.assertQuiet()

    def test_odd_addresses_leave_the_page_alive(self):
        self.rooms("a")
        for odd in ("session=%", "session=%E0%A4%A", "session=../x", "session=<b>", "session=", "main", "session"):
            page = self.open(f"/#{odd}")
            page.wait_for_selector("#connection:has-text('Connected')")
            page.wait_for_selector("#title:has-text('Room a')")
            page.close()
        self.assertQuiet()

    def test_a_session_that_is_not_there_is_said_so(self):
        page = self.open("/#session=gone")
        page.wait_for_selector("#failed:has-text('There is no session gone here')")
        page.wait_for_selector("#connection:has-text('Connected')")
        self.assertFalse(page.is_visible("#chosen"))
        self.assertUsable(page, "a session that is not there")
        # A room that begins is shown, and the message stays until somebody chooses.
        self.rooms("a")
        page.wait_for_selector("#title:has-text('Room a')")
        self.assertTrue(page.is_visible("#failed"))
        page.click(".card")
        page.wait_for_selector("#failed", state="hidden")
        self.assertEqual([text for text in self.problems if "404" not in text], [])

    def test_nothing_is_deleted_before_the_page_has_said_what_would_go(self):
        self.rooms("a")
        self.assertEqual(self.monitor.post("/api/sessions/a/events", {"events": [{"sequence": 1, "kind": "over", "elapsed": 9, "text": "completed"}]}), 201)
        page = self.sign_in("delete", "/#session=a")
        page.wait_for_selector("#title:has-text('Room a')")
        waiting = []
        page.route("**/api/deletions", lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_())
        page.click("#delete-session")
        page.fill("#delete-reason", "a trial")
        self.eventually(page, lambda: len(waiting), lambda count: count == 1, "the question")
        self.assertTrue(page.is_disabled("#delete-do"))
        waiting[0].continue_()
        page.wait_for_selector("#delete-extent:has-text('This will go')")
        self.assertTrue(page.is_enabled("#delete-do"))
        page.keyboard.press("Escape")
        # An answer that comes late says nothing about another question.
        page.click("#delete-session")
        self.eventually(page, lambda: len(waiting), lambda count: count == 2, "the question")
        page.keyboard.press("Escape")
        page.click("#delete-person")
        self.eventually(page, lambda: len(waiting), lambda count: count == 3, "the question")
        waiting[2].continue_()
        page.wait_for_selector("#delete-extent:has-text('This will go')")
        page.evaluate("document.getElementById('delete-extent').textContent = 'as it was'")
        waiting[1].continue_()
        page.wait_for_timeout(500)
        self.assertEqual(page.text_content("#delete-extent"), "as it was")
        self.assertEqual(self.monitor.get("/api/deletions")["deletions"], [])

    def test_older_sessions_are_listed_once_however_often_they_are_asked_for(self):
        for index in range(130):
            self.monitor.post("/api/sessions", {"id": f"run-{index}", "startedAt": time.time() - 9000 + index, "participant": f"P{index:03d}"})
            self.monitor.post(f"/api/sessions/run-{index}/events", {"events": [{"sequence": 1, "kind": "over", "elapsed": 9, "text": "completed"}]})
        page = self.open("/")
        page.click("#finished summary")
        count = lambda: page.locator("#finished-sessions tr").count()
        self.eventually(page, count, lambda rows: rows == 100, "the list")
        page.evaluate("for (let press = 0; press < 3; press++) document.getElementById('finished-more').click()")
        self.eventually(page, count, lambda rows: rows == 130, "the list")
        page.wait_for_timeout(500)
        self.assertEqual(count(), 130)
        self.assertQuiet()

    def test_two_experimenters_acknowledge_an_alarm_at_once_and_both_see_who(self):
        about = {"id": "a", "startedAt": time.time(), "participant": "P07", "alarms": [{"kind": "above", "limit": 40, "for": 1}]}
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)
        one = self.sign_in("control")
        token = self.monitor.token("control", "lee")
        other = self.open("/sign-in", context=self.newContext(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True))
        other.fill("input[name=token]", token)
        other.click("main button[type=submit]")

        def told():
            self.monitor.post("/api/sessions/a/alive", "")
            self.monitor.post("/api/sessions/a/heart-rate", {"bpm": 90})
            return one.is_visible("#alarms button.push") and other.is_visible("#alarms button.push")

        other.wait_for_selector("#connection:has-text('Connected')")
        self.eventually(one, told, bool, "the alarm")
        # The second may come too late to find the button, when the first was already told to this page.
        for page in (one, other):
            page.evaluate("document.querySelector('#alarms button.push')?.click()")
        says = lambda page: page.text_content("#alarms li")
        self.eventually(one, lambda: (says(one), says(other)), lambda both: all("by kim at" in words or "by lee at" in words for words in both), "the alarm's line")
        self.assertEqual(says(one), says(other))


if __name__ == "__main__":
    main()
