"""Notes and events on the history page: doses in any unit, changed figures, and people in a hurry.

usage: python3 Tests/BrowserTests/test_notes.py [PATH OF entrain-monitor]
"""
import time

from pages import DAY, PageCase, main


class NoteTests(PageCase):
    def opened(self, path="/history", language="en-GB", **options):
        self.context = self.newContext(viewport={"width": 1280, "height": 900}, **options) if language == "en-GB" else self.foreign(language)
        return self.open(path, context=self.context)

    def foreign(self, language):
        context = self.browser.new_context(locale=language, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(180_000)
        self.addCleanup(context.close)
        return context

    def notes(self, kind):
        return [event for event in self.monitor.get("/api/days/today")["events"] if event["kind"] == kind]

    def told(self, page):
        return page.eval_on_selector_all("#events tr", "all => all.map((row) => row.lastChild.textContent)")

    def waitForTold(self, page, words):
        self.eventually(page, lambda: self.told(page), lambda rows: rows == words, "the table of events")

    def dose(self, page, amount, unit=None, text=""):
        page.select_option("#note-kind", "dose")
        page.fill("#note [name=units]", amount)
        if unit is not None:
            page.fill("#note [name=unit]", unit)
        page.fill("#note-text", text)
        page.click("#note button[type=submit]")
        page.wait_for_selector("#note-status:text-is('Added.')")
        self.eventually(page, lambda: page.input_value("#note [name=units]"), lambda value: value == "", "the form")
        page.evaluate("document.getElementById('note-status').textContent = ''")

    def test_a_dose_has_any_unit_and_each_language_has_its_word(self):
        page = self.opened()
        page.wait_for_selector("#connection:has-text('Connected')")
        page.select_option("#note-kind", "dose")
        # What a dose is counted in stands in the form; others may be chosen or typed.
        self.assertEqual(page.input_value("#note [name=unit]"), "units")
        offered = page.eval_on_selector_all("#dose-units option", "all => all.map((one) => one.value)")
        self.assertEqual(offered, ["units", "mg", "µg", "g", "ml", "drops", "puffs", "tablets"])
        self.assertUsable(page, "the form of a dose")
        self.dose(page, "4", text="insulin")
        self.dose(page, "0.125", "mg", "digoxin")
        self.dose(page, "5000", "IU", "heparin")
        self.dose(page, "1", "Puffs", "salbutamol")
        self.dose(page, "20", "drops", "<b>tramadol</b>")
        # The unit that is usual here comes back after each.
        self.assertEqual(page.input_value("#note [name=unit]"), "units")
        self.assertEqual([(dose["units"], dose.get("unit")) for dose in self.notes("dose")],
                         [(4, None), (.125, "mg"), (5000, "IU"), (1, "puffs"), (20, "drops")])
        page.click("summary")
        self.waitForTold(page, ["Dose: 4 units, insulin", "Dose: 0.125\u00a0mg, digoxin", "Dose: 5000\u00a0IU, heparin", "Dose: 1 puff, salbutamol",
                                "Dose: 20 drops, <b>tramadol</b>"])
        for language, words in {
            "de-DE": ["Dosis: 4 Einheiten, insulin", "Dosis: 0,125\u00a0mg, digoxin", "Dosis: 5000\u00a0IU, heparin", "Dosis: 1 Hub, salbutamol", "Dosis: 20 Tropfen, <b>tramadol</b>"],
            "fr-FR": ["Dose: 4 unités, insulin", "Dose: 0,125\u00a0mg, digoxin", "Dose: 5000\u00a0IU, heparin", "Dose: 1 bouffée, salbutamol", "Dose: 20 gouttes, <b>tramadol</b>"],
            "es-ES": ["Dosis: 4 unidades, insulin", "Dosis: 0,125\u00a0mg, digoxin", "Dosis: 5000\u00a0IU, heparin", "Dosis: 1 inhalación, salbutamol", "Dosis: 20 gotas, <b>tramadol</b>"],
        }.items():
            other = self.opened(language=language)
            other.click("summary")
            self.waitForTold(other, words)
            if language == "de-DE":
                # A word of this language means the same unit.
                other.select_option("#note-kind", "dose")
                self.assertEqual(other.input_value("#note [name=unit]"), "Einheiten")
                other.fill("#note [name=units]", "2")
                other.fill("#note [name=unit]", "tabletten")
                other.click("#note button[type=submit]")
                other.wait_for_selector("#note-status:has-text('Hinzugefügt')")
                self.eventually(other, lambda: self.notes("dose")[-1].get("unit"), lambda unit: unit == "tablets", "the unit")
                self.assertEqual(self.monitor.post(f"/api/notes/{self.notes('dose')[-1]['number']}", {"deleted": True}), 201)
        # The bubble of the markers has it, too.
        self.openMarker(page)
        page.wait_for_selector("#details-list:has-text('0.125\u00a0mg')")
        self.assertQuiet()

    def test_what_could_be_taken_for_another_dose_is_not_taken(self):
        page = self.opened()
        page.wait_for_selector("#connection:has-text('Connected')")
        page.select_option("#note-kind", "dose")
        page.fill("#note [name=units]", "4")
        for unit in ("0 mg", "½ tablets", ".5 ml", "-", "  ", ""):
            page.fill("#note [name=unit]", unit)
            page.click("#note button[type=submit]")
            self.assertFalse(page.evaluate("document.getElementById('note').checkValidity()"), unit)
        self.assertEqual(self.notes("dose"), [])
        for unit in ("0 mg", "\u0000", "x" * 33, "", " mg", 5):
            self.assertEqual(self.monitor.post("/api/notes", {"t": time.time(), "kind": "dose", "units": 4, "unit": unit}), 422, unit)
        page.fill("#note [name=unit]", "mg")
        page.click("#note button[type=submit]")
        page.wait_for_selector("#note-status:text-is('Added.')")
        self.assertQuiet_but("422")

    def assertQuiet_but(self, code):
        self.assertEqual([text for text in self.problems if code not in text], [])

    def test_the_settings_have_the_unit_of_doses(self):
        page = self.opened("/settings")
        page.wait_for_selector("#connection:has-text('Connected')")
        self.assertEqual(page.input_value("[name=doseUnit]"), "units")
        form = self.open("/history", context=self.context)
        form.wait_for_selector("#connection:has-text('Connected')")
        form.select_option("#note-kind", "dose")
        for typed, kept in (("mg", "mg"), ("Drops", "drops"), ("pump strokes", "pump strokes"), ("", "units"), ("ml", "ml")):
            page.fill("[name=doseUnit]", typed)
            page.press("[name=doseUnit]", "Tab")
            self.assertEqual(page.input_value("[name=doseUnit]"), kept)
            # Another open page follows.
            self.eventually(form, lambda: form.input_value("#note [name=unit]"), lambda unit: unit == kept, "the form's unit")
        # What cannot be a unit is said so, and is not kept.
        page.fill("[name=doseUnit]", "5 mg")
        page.press("[name=doseUnit]", "Tab")
        self.assertFalse(page.evaluate("document.querySelector('[name=doseUnit]').validity.valid"))
        page.reload()
        self.assertEqual(page.input_value("[name=doseUnit]"), "ml")
        self.assertUsable(page, "the settings")
        page.set_viewport_size({"width": 320, "height": 640})
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        self.dose(form, "2.5", text="morphine")
        self.assertEqual([(dose["units"], dose["unit"]) for dose in self.notes("dose")], [(2.5, "ml")])
        self.assertQuiet()

    def test_figures_of_an_event_can_be_changed_with_trace(self):
        start = self.monitor.get("/api/days/today")["start"]
        for note in ({"kind": "dose", "units": 40, "unit": "mg", "text": "propranolol"}, {"kind": "exercise", "text": "Bicycle", "duration": 30, "intensity": "light"}):
            self.assertEqual(self.monitor.post("/api/notes", {"t": start + 3600, **note}), 201)
        page = self.opened()
        page.wait_for_selector(".marker")
        self.openMarker(page)
        dose = page.locator("#details-list li", has_text="propranolol")
        self.assertEqual((dose.locator("[name=units]").input_value(), dose.locator("[name=unit]").input_value()), ("40", "mg"))
        self.assertUsable(page, "the events of a marker")
        # What says nothing is not taken.
        dose.locator("[name=units]").fill("")
        dose.locator("button >> nth=0").click()
        self.assertTrue(page.is_visible("#details"))
        dose.locator("[name=units]").fill("10")
        dose.locator("[name=unit]").fill("tablets")
        dose.locator("button >> nth=0").click()
        page.click("summary")
        self.waitForTold(page, ["Dose: 10 tablets, propranolol", "Exercise: 30 min, light, Bicycle"])
        self.openMarker(page)
        exercise = page.locator("#details-list li", has_text="Bicycle")
        exercise.locator("[name=intensity]").select_option("vigorous")
        exercise.locator("[name=duration]").fill("25")
        exercise.locator("button >> nth=0").click()
        self.waitForTold(page, ["Dose: 10 tablets, propranolol", "Exercise: 25 min, vigorous, Bicycle"])
        number = self.notes("dose")[0]["number"]
        versions = self.monitor.get(f"/api/notes/{number}")["versions"]
        self.assertEqual([(version["units"], version["unit"]) for version in versions], [(40, "mg"), (10, "tablets")])
        page.set_viewport_size({"width": 320, "height": 700})
        self.openMarker(page)
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        self.assertQuiet()

    # People in a hurry ------------------------------------------------------------------------------------------
    def test_a_note_is_about_now_also_after_a_look_at_yesterday(self):
        page = self.opened()
        page.wait_for_selector("#day:has-text('(today)')")
        today = page.input_value("#date")
        page.click("#previous")
        self.waitForDate(page, lambda date: date != today)
        self.eventually(page, lambda: page.input_value("#note-time"), lambda clock: clock == "12:00:00", "the time")
        page.click("#next")
        self.waitForDate(page, lambda date: date == today)
        before = time.time()
        page.fill("#note-text", "coughed")
        page.press("#note-text", "Enter")
        page.wait_for_selector(".marker.note")
        [note] = self.notes("note")
        self.assertTrue(before - 1 <= note["t"] <= time.time() + 1, f"{note['t']} for {before}")
        # Another day's note is at the time that stands there.
        page.click("#previous")
        self.waitForDate(page, lambda date: date != today)
        page.fill("#note-text", "slept")
        page.press("#note-text", "Enter")
        page.wait_for_selector(".marker.note[aria-label*='slept']")
        yesterday = self.monitor.get(f"/api/days/{page.input_value('#date')}")
        self.assertEqual([event["t"] for event in yesterday["events"]], [yesterday["start"] + DAY / 2])
        self.assertQuiet()

    def test_pressed_twice_on_a_slow_net_or_again_after_a_lost_answer_it_is_one_note(self):
        page = self.opened()
        page.wait_for_selector("#connection:has-text('Connected')")
        waiting = []
        page.route("**/api/notes", lambda route: waiting.append(route))
        page.fill("#note-text", "coughed")
        pressed = time.time()
        page.press("#note-text", "Enter")
        page.press("#note-text", "Enter")
        page.click("#note button[type=submit]")
        self.eventually(page, lambda: len(waiting), lambda count: count == 1, "the requests")
        page.wait_for_timeout(1200)
        self.assertEqual(len(waiting), 1)
        # It arrives, and its answer does not.
        self.assertEqual(waiting[0].fetch().status, 201)
        waiting[0].abort()
        page.wait_for_selector("#note-status:has-text('Not added: the monitor cannot be reached')")
        self.assertEqual(page.input_value("#note-text"), "coughed")
        page.unroute("**/api/notes")
        page.click("#note button[type=submit]")
        page.wait_for_selector("#note-status:text-is('Added.')")
        [note] = self.notes("note")
        self.assertLess(abs(note["t"] - pressed), 1.1, "the moment of the first pressing counts")
        # The same words later are another note, also while the day is still being read again.
        days = []
        page.route("**/api/days/**", lambda route: days.append(route))
        page.fill("#note-text", "coughed")
        page.press("#note-text", "Enter")
        self.eventually(page, lambda: len(self.notes("note")), lambda count: count == 2, "the notes")
        page.wait_for_selector("#note-text:invalid")
        page.fill("#note-text", "laughed")
        page.press("#note-text", "Enter")
        self.eventually(page, lambda: len(self.notes("note")), lambda count: count == 3, "the notes")
        page.wait_for_selector("#note-text:invalid")
        for route in days:
            route.abort()
        page.unroute("**/api/days/**")
        self.assertEqual([text for text in self.problems if "ERR_FAILED" not in text], [])

    def test_what_is_written_while_a_note_is_on_its_way_stays_there(self):
        page = self.opened()
        page.wait_for_selector("#connection:has-text('Connected')")
        waiting = []
        page.route("**/api/notes", lambda route: waiting.append(route))
        page.fill("#note-text", "coughed")
        page.press("#note-text", "Enter")
        self.eventually(page, lambda: len(waiting), lambda count: count == 1, "the requests")
        page.fill("#note-text", "sneezed")
        waiting[0].continue_()
        page.wait_for_selector("#note-status:text-is('Added.')")
        self.assertEqual(page.input_value("#note-text"), "sneezed")
        self.assertEqual([note["text"] for note in self.notes("note")], ["coughed"])
        page.unroute("**/api/notes")
        page.press("#note-text", "Enter")
        self.eventually(page, lambda: [note["text"] for note in self.notes("note")], lambda texts: texts == ["coughed", "sneezed"], "the notes")
        self.assertQuiet()

    def test_a_note_that_somebody_else_has_deleted_stays_deleted(self):
        start = self.monitor.get("/api/days/today")["start"]
        self.assertEqual(self.monitor.post("/api/notes", {"t": start + 3600, "text": "coughed"}), 201)
        page = self.opened()
        page.wait_for_selector(".marker.note")
        self.openMarker(page)
        page.fill("#details-list input", "sneezed")
        [note] = self.notes("note")
        self.assertEqual(self.monitor.post(f"/api/notes/{note['number']}", {"deleted": True}), 201)
        page.press("#details-list input", "Enter")
        page.wait_for_selector("#details-title:has-text('Not changed: the note was deleted')")
        self.assertEqual(self.notes("note"), [])
        self.assertQuiet_but("404")

    def test_a_note_before_the_first_session_is_its_participant_s_alone(self):
        start = self.monitor.get("/api/days/today")["start"]
        for person in ("P01", "P02"):
            self.monitor.post(f"/api/sessions/readings/heart-rate?participant={person}&source={person}", {"samples": [{"bpm": 70, "t": time.time() - 60}]})
        page = self.opened("/history?participant=P01")
        page.wait_for_selector("#chart-words:has-text('1 reading')")
        page.fill("#note-time", "00:30:00")
        page.fill("#note-text", "slept badly")
        page.click("#note button[type=submit]")
        page.wait_for_selector(".marker.note")
        told = {person: [event["text"] for event in self.monitor.get(f"/api/days/today?participant={person}")["events"] if event["kind"] == "note"]
                for person in ("P01", "P02")}
        self.assertEqual(told, {"P01": ["slept badly"], "P02": []})
        # Of somebody who is not known here, nothing is kept that nobody would find.
        self.assertEqual(self.monitor.post("/api/notes", {"t": start, "text": "x", "participant": "P99"}), 404)
        self.assertQuiet()


if __name__ == "__main__":
    main()
