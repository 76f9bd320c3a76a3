"""The overview's lists: finished sessions with their quality, the progress of studies, what sources are like, and deleting.

usage: python3 Tests/BrowserTests/test_overview.py [PATH OF entrain-monitor]
The program entrain is looked for beside entrain-monitor. The tests keep their own record of what was sent and deleted.
"""
import json
import os
import subprocess
import time
import urllib.request

import workout
from monitor import PATIENCE, scratch
from pages import DAY, PageCase, main

STUDY = """
entrain: 1
study: {identifier: visits, revision: 1, title: Visits, seed: 4}
conditions: {music: {rows: [{identifier: slow}, {identifier: fast}]}}
sessions:
  - {identifier: first}
  - {identifier: second, after: {session: first, days: [0, 3]}}
tasks:
  - identifier: sit
    quality: {coverage: 0.9}
    steps:
      - type: block
        identifier: listen
        forEach: music
        order: {draw: williams}
        steps:
          - {type: active, identifier: rest, title: Rest, duration: 4 s, recorders: [{type: heartRate, identifier: pulse}]}
      - {type: completion, identifier: end, title: Thank you}
"""


class OverviewTests(PageCase):
    def entrain(self, *arguments, **options):
        path = os.path.join(os.path.dirname(self.program), "entrain")
        return subprocess.Popen([path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def sign_in(self, name, scope, path="/"):
        token = self.monitor.token(scope, name)
        page = self.open("/sign-in")
        page.fill("input[name=token]", token)
        page.click("main button[type=submit]")
        page.wait_for_selector("#connection:has-text('Connected')")
        # Another hash alone would not load the page anew.
        page.goto("about:blank")
        page.goto(self.monitor.url + path)
        return page

    def status(self, path):
        try:
            with urllib.request.urlopen(self.monitor.url + path, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code

    def rows(self, page, table):
        return page.eval_on_selector_all(f"#{table} tr", "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))")

    def test_a_finished_run_has_its_end_its_quality_and_the_study_s_progress(self):
        out = scratch()
        study = f"{out}/visits.yaml"
        with open(study, "w") as file:
            file.write(STUDY)
        page = self.open("/")
        page.click("#finished summary")
        page.wait_for_selector("#finished-words:has-text('No session is finished yet')")
        page.click("#progress summary")
        page.wait_for_selector("#progress-words:has-text('No run has told how far its study is')")
        told = {}
        for person, isFed in (("P01", True), ("P02", False)):
            source = f"heartRate=push:{self.monitor.url}/api/sessions/readings/events?source={person}"
            run = self.entrain("run", study, "--participant", person, "--plain", "--language", "en", "--source", source, "--monitor", self.monitor.url,
                               "--out", f"{out}/results", stdin=subprocess.PIPE)
            # Presses Return at every step, as often as it takes.
            end = time.monotonic() + PATIENCE
            while run.poll() is None and time.monotonic() < end:
                try:
                    run.stdin.write("\n")
                    run.stdin.flush()
                except OSError:
                    break
                if isFed:
                    self.monitor.post(f"/addheartrate?source={person}", "72")
                time.sleep(0.5)
            said = run.communicate(timeout=PATIENCE)[1]
            told[person] = (run.returncode, said)
        # The words of the run's own summary and of the page are about the same figures.
        self.eventually(page, lambda: self.rows(page, "finished-sessions"), lambda rows: len(rows) == 2 and "poor" in rows[0][4], "the finished sessions")
        (_, who, about, ended, poor), (_, _, _, _, good) = self.rows(page, "finished-sessions")
        self.assertEqual((who, ended), ("P02 Play again", "completed"))
        self.assertIn("Visits · session 1", about)
        self.assertTrue(poor.startswith("poor 0 % covered"), poor)
        self.assertTrue(good.startswith("good "), good)
        covered = good.split("good ")[1].split(" %")[0]
        self.assertIn(f"{covered} % covered", told["P01"][1])
        status = self.entrain("study", "status", f"{out}/results", "--format", "json").communicate(timeout=PATIENCE)[0]
        register = json.loads(status)["studies"][0]
        page.wait_for_selector(".study h3:has-text('visits')")
        facts = self.eventually(page, lambda: page.text_content(".study .facts"), lambda words: "2 sessions completed" in words, "the progress")
        self.assertEqual((register["completed"], register["poor"], register["participants"]), (2, 1, 2))
        self.assertIn("1 completed but poor", facts)
        shown = dict(page.eval_on_selector_all(".study .balance li", "all => all.map((one) => [one.children[0].textContent, Number(one.children[2].textContent)])"))
        self.assertEqual(shown, register["orders"][0]["counts"])
        due = page.eval_on_selector_all(".study .due li", "all => all.map((one) => one.textContent)")
        self.assertEqual([words.split(":")[0] for words in due], ["due P01, second", "due P02, second"])
        page.click("#finished-sessions button >> nth=0")
        page.wait_for_selector("#title:has-text('Visits')")
        self.assertUsable(page, "the lists")
        self.assertQuiet()

    def test_progress_can_be_told_without_a_run_and_hides_arms_that_are_allocated(self):
        self.monitor.post("/api/studies/calm", {"date": time.time(), "participants": 2, "completed": 1, "incomplete": 0, "excluded": 0, "poor": 0, "armsAreHidden": True})
        page = self.open("/")
        page.click("#progress summary")
        page.wait_for_selector(".study:has-text('calm'):has-text('not shown, so that nobody can guess the next arm')")
        out = scratch()
        made = self.entrain("study", "status", out, "--to", self.monitor.url).communicate(timeout=PATIENCE)
        self.assertIn("There is no run of a participant.", made[0])
        away = self.entrain("study", "status", out, "--to", "nowhere")
        away.communicate(timeout=PATIENCE)
        self.assertEqual(away.returncode, 64)
        self.assertQuiet()

    def test_a_card_says_what_its_sources_are_like(self):
        begun = time.time() - 100
        self.publish(start=begun, count=98, isOver=False)
        self.monitor.post("/api/sessions/run-1/alive", "")
        self.monitor.post("/api/sessions/run-1/events", {"events": [
            {"sequence": 900, "kind": "sourceState", "elapsed": 1, "source": "heartRate", "state": "live"},
            {"sequence": 901, "kind": "source", "elapsed": 90, "source": "heartRate",
             "condition": {"battery": 87, "gaps": 2, "gapSeconds": 14.2, "missing": 3, "leftOut": 1, "delay": 0.0421, "offset": -3.25}}]})
        page = self.open("/#session=run-1")

        def card():
            self.monitor.post("/api/sessions/run-1/alive", "")
            return page.text_content(".card .source").replace("−", "-")

        words = "heartRate: battery 87 %, 2 gaps, 0:14 in all, 3 readings missing, 1 reading came too fast, clock -3.3 s"
        self.eventually(page, card, lambda text: text.startswith(words), "the card")
        self.eventually(page, lambda: page.text_content("#sources"), lambda text: "arrives after 42 ms" in text, "the sources")
        # It stays so when the next report comes without the page being loaded again.
        self.monitor.post("/api/sessions/run-1/events", {"events": [
            {"sequence": 902, "kind": "source", "elapsed": 95, "source": "heartRate", "condition": {"battery": 12, "missing": 4}}]})
        self.eventually(page, card, lambda text: text.startswith("heartRate: battery 12 %, 4 readings missing"), "the card")
        self.assertQuiet()

    def test_a_run_tells_what_its_strap_is_like(self):
        out = scratch()
        study = f"{out}/one.yaml"
        with open(study, "w") as file:
            file.write("entrain: 1\nstudy: {identifier: one, revision: 1, title: One}\nsources: {heartRate: {type: simulated}}\ntasks:\n  - identifier: sit\n    steps:\n"
                       "      - {type: active, identifier: rest, title: Rest, duration: 10 min, recorders: [{type: heartRate, identifier: pulse}]}\n"
                       "      - {type: completion, identifier: end, title: End}\n")
        run = self.entrain("run", study, "--participant", "P01", "--auto", "--source", "heartRate=stdin", "--monitor", self.monitor.url, "--out", out, stdin=subprocess.PIPE)
        self.addCleanup(run.kill)
        page = self.open("/")
        end, number = time.monotonic() + PATIENCE, 0
        while time.monotonic() < end:
            # Twice a second, and after twelve seconds nothing for a while.
            time.sleep(7 if number == 24 else 0.5)
            run.stdin.write("72\n")
            run.stdin.flush()
            number += 1
            words = page.text_content(".card .source") if page.locator(".card .source").count() else ""
            if "gap" in words:
                break
        self.assertRegex(words, r"heartRate: 1 gap, 0:0[78] in all, \d+ readings missing")
        run.terminate()
        run.communicate(timeout=PATIENCE)
        self.assertQuiet()

    def test_a_reading_is_deleted_from_the_page_the_table_and_the_api(self):
        self.publish(count=98)
        page = self.sign_in("kim", "delete", "/#session=run-1")
        button = page.locator("#delete-reading")
        self.assertTrue(button.is_disabled())
        page.focus("#chart")
        self.eventually(page, lambda: page.evaluate("window.pressed = 1") and page.keyboard.press("ArrowRight") or button.is_enabled(), bool, "a reading is chosen")
        shown = button.text_content()
        before = self.monitor.samples("run-1")
        button.click()
        page.wait_for_selector("#delete-extent:has-text('This will go: 1 reading.')")
        self.assertTrue(page.is_disabled("#delete-do"), "nobody has said why")
        page.keyboard.type("the strap slipped")
        self.assertUsable(page, "the question")
        page.click("#delete-do")
        page.wait_for_selector("#removed:has-text('It is deleted.')")
        after = self.monitor.samples("run-1")
        gone = [one for one in before if one not in after]
        self.assertEqual(len(gone), 1)
        self.assertIn(str(round(gone[0]["bpm"])), shown)
        with urllib.request.urlopen(self.monitor.url + "/api/sessions/run-1/heart-rate.csv") as table:
            self.assertEqual(len(table.read().splitlines()), 98)
        page.click("#deletions summary")
        self.eventually(page, lambda: self.rows(page, "deleted"), lambda rows: len(rows) == 1, "the trace")
        when, who, what, why = self.rows(page, "deleted")[0]
        self.assertEqual((who, why), ("kim", "the strap slipped"))
        self.assertTrue(what.startswith("a reading of P01, measured "), what)
        self.assertQuiet()

    def test_a_session_leaves_every_open_page_and_stays_away(self):
        self.publish()
        self.publish("run-2", start=time.time() - 3000)
        other = self.open("/#session=run-1")
        other.wait_for_selector("#title:has-text('Expected workout')")
        page = self.sign_in("kim", "delete", "/#session=run-1")
        page.wait_for_selector("#subtitle:has-text('participant P01')")
        page.click("#delete-session")
        # Whoever thinks better of it deletes nothing.
        page.wait_for_selector("#delete-extent:has-text('730 readings')")
        page.click("#delete-cancel")
        self.assertEqual(self.status("/api/sessions/run-1"), 200)
        page.click("#delete-session")
        page.wait_for_selector("#delete-extent:has-text('This will go: 1 session, 730 readings, 12 events.')")
        page.fill("#delete-reason", "a trial")
        page.keyboard.press("Enter")
        for one in (page, other):
            one.wait_for_selector("#chosen", state="hidden")
            self.eventually(one, lambda: one.locator("#ended .who").count(), lambda count: count == 1, "who ended")
        for path in ("", "/heart-rate", "/heart-rate.csv", "/events"):
            self.assertEqual(self.status(f"/api/sessions/run-1{path}"), 404)
        today = self.monitor.get("/api/days/today")
        self.assertEqual({event.get("session") for event in today["events"]}, {"run-2"})
        # What a room has not sent yet does not bring it back.
        self.assertEqual(self.monitor.post("/api/sessions", workout.description("run-1", time.time() - 800)), 409)
        self.assertEqual(self.problems, [text for text in self.problems if "404" in text])

    def test_a_participant_is_deleted_from_the_history_after_the_code_was_typed(self):
        self.fill_days()
        page = self.sign_in("kim", "delete", "/history?participant=P01")
        page.wait_for_selector(".marker")
        page.click("#delete-person:has-text('Delete everything of P01')")
        page.wait_for_selector("#delete-extent:has-text('sessions')")
        page.fill("#delete-reason", "asked for it")
        self.assertTrue(page.is_disabled("#delete-do"))
        page.fill("#delete-code", "P02")
        self.assertTrue(page.is_disabled("#delete-do"))
        page.fill("#delete-code", "P01")
        page.click("#delete-do")
        self.eventually(page, lambda: page.eval_on_selector_all("#participant option", "all => all.map((one) => one.value)"), lambda codes: codes == [""], "the participants")
        page.wait_for_selector("#chart-words:has-text('No readings')")
        self.assertEqual(self.monitor.get("/api/participants"), {"participants": []})
        trace = self.monitor.get("/api/deletions")["deletions"][0]
        self.assertEqual((trace["what"], trace["author"], trace["reason"]), ("participant", "kim", "asked for it"))
        self.assertNotIn("P01", json.dumps(trace))
        self.assertQuiet()

    def test_an_import_is_deleted_and_can_be_imported_again(self):
        out = scratch()
        path = f"{out}/watch.csv"
        at = int(time.time()) - DAY
        with open(path, "w") as file:
            file.write("time,bpm\n" + "".join(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at + 60 * n))},{70 + n % 5}\n" for n in range(30)))

        def send():
            sent = self.entrain("import", path, "--into", self.monitor.url, "--participant", "P05")
            said = sent.communicate(timeout=PATIENCE)
            self.assertEqual(sent.returncode, 0, said)

        send()
        session = next(one["id"] for one in self.monitor.get("/api/sessions")["sessions"] if one["kind"] == "import")
        page = self.sign_in("kim", "delete", f"/#session={session}")
        page.wait_for_selector("#subtitle:has-text('P05')")
        page.click("#delete-session")
        page.wait_for_selector("#delete-extent:has-text('30 readings')")
        page.fill("#delete-reason", "of another person")
        page.click("#delete-do")
        page.wait_for_selector("#chosen", state="hidden")
        self.assertEqual(self.monitor.get("/api/sessions")["sessions"], [])
        send()
        self.assertEqual(len(self.monitor.samples(session)), 30)

    def kept_runs(self, study_text, people):
        """Bundles of runs that this monitor never watched, by participant."""
        out = scratch()
        study = f"{out}/visits.yaml"
        with open(study, "w") as file:
            file.write(study_text)
        rehearsed = self.entrain("rehearse", study, "--participants", str(people), "--out", f"{out}/results")
        said = rehearsed.communicate(timeout=PATIENCE)
        self.assertEqual(rehearsed.returncode, 0, said)
        self.deliver(f"{out}/results")
        return {bundle["participant"]: bundle["run"] for bundle in self.monitor.get("/api/bundles")["bundles"]}

    def deliver(self, results):
        sent = self.entrain("deliver", results, "--to", self.monitor.url)
        said = sent.communicate(timeout=PATIENCE)
        self.assertEqual(sent.returncode, 0, said)

    def test_bundles_of_runs_that_nobody_watched_are_deleted_from_their_list(self):
        sessions = STUDY[STUDY.index("sessions:"):STUDY.index("tasks:")]
        runs = self.kept_runs(STUDY.replace(sessions, ""), 3)
        first, second, third = sorted(runs)
        page = self.sign_in("kim", "delete")
        page.click("#kept summary")
        page.wait_for_selector("#kept-bundles tr >> nth=2")

        def ask(person, words):
            page.click(f"#kept-bundles tr:has-text('{person}') button:has-text('{words}')")
            page.wait_for_selector("#delete-extent:has-text('This will go: 1 result bundle that is kept here.')")
            self.assertUsable(page, "the question")
            page.fill("#delete-reason", "a trial")

        ask(first, "Delete this session")
        page.click("#delete-do")
        self.eventually(page, lambda: page.locator("#kept-bundles tr").count(), lambda count: count == 2, "the bundles")
        ask(second, f"Delete everything of {second}")
        self.assertTrue(page.is_disabled("#delete-do"), "the code was not typed")
        page.fill("#delete-code", second)
        page.click("#delete-do")
        self.eventually(page, lambda: page.locator("#kept-bundles tr").count(), lambda count: count == 1, "the bundles")
        self.assertEqual([bundle["run"] for bundle in self.monitor.get("/api/bundles")["bundles"]], [runs[third]])
        self.assertEqual(os.listdir(f"{self.monitor.folder}/bundles"), [runs[third]])
        page.click("#deletions summary")
        rows = self.eventually(page, lambda: self.rows(page, "deleted"), lambda rows: len(rows) == 2, "the trace")
        self.assertEqual(rows[0][2], "everything of a participant: 1 result bundle that is kept here")
        self.assertIn(first, rows[1][2])
        self.assertEqual({row[1] for row in rows}, {"kim"})
        page.set_viewport_size({"width": 320, "height": 640})
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        reader = self.open("/")
        reader.click("#kept summary")
        reader.wait_for_selector("#kept-bundles tr")
        self.assertEqual(reader.locator("#kept button:visible").count(), 0, "who may not delete is not offered to")
        self.assertQuiet()

    def test_a_killed_run_has_its_quality_when_its_bundle_has_come(self):
        out = scratch()
        study = f"{out}/one.yaml"
        with open(study, "w") as file:
            file.write("entrain: 1\nstudy: {identifier: one, revision: 1, title: One}\nsources: {heartRate: {type: simulated}}\ntasks:\n  - identifier: sit\n    steps:\n"
                       "      - {type: active, identifier: rest, title: Rest, duration: 10 min, recorders: [{type: heartRate, identifier: pulse}]}\n"
                       "      - {type: completion, identifier: end, title: End}\n")
        run = self.entrain("run", study, "--participant", "P01", "--auto", "--source", "heartRate=stdin", "--monitor", self.monitor.url, "--out", f"{out}/results", stdin=subprocess.PIPE)
        self.addCleanup(run.kill)
        page = self.open("/")

        def beat():
            run.stdin.write("72\n")
            run.stdin.flush()
            page.wait_for_timeout(300)
            return page.locator(".card .value:has-text('72')").count()

        self.eventually(page, beat, bool, "the card")
        for _ in range(10):
            beat()
        run.kill()
        run.communicate(timeout=PATIENCE)
        page.click("#finished summary")
        [row] = self.eventually(page, lambda: self.rows(page, "finished-sessions"), lambda rows: len(rows) == 1, "the finished run")
        self.assertTrue(row[4].startswith("not reported; received: "), row)
        recovered = self.entrain("recover", f"{out}/results")
        said = recovered.communicate(timeout=PATIENCE)
        self.assertEqual(recovered.returncode, 0, said)
        self.deliver(f"{out}/results")
        [row] = self.eventually(page, lambda: self.rows(page, "finished-sessions"), lambda rows: "from its bundle" in rows[0][4], "the quality")
        status = json.loads(self.entrain("study", "status", f"{out}/results", "--include-simulated", "--format", "json").communicate(timeout=PATIENCE)[0])
        [told] = status["studies"][0]["runs"]
        covered = int(told["coverage"] * 1000 + 1e-6) / 10
        self.assertIn(f"{covered:g} % covered", row[4])
        self.assertEqual(row[3], "failed or killed")
        self.assertEqual(told["status"], "failed")
        self.assertQuiet()

    def test_who_may_only_look_or_control_is_not_offered_to_delete(self):
        self.publish()
        for name, scope in (("anna", "read"), ("lee", "control")):
            page = self.sign_in(name, scope, "/#session=run-1")
            page.wait_for_selector("#title:has-text('Expected workout')")
            self.assertFalse(page.is_visible("#removal"))
            self.assertEqual(page.evaluate("fetch('/api/deletions', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                                           " body: JSON.stringify({session: 'run-1', reason: 'x', confirmed: true})}).then((answer) => answer.status)"), 403)
            page.goto(self.monitor.url + "/history?participant=P01")
            page.wait_for_selector(".marker")
            self.assertFalse(page.is_visible("#removal"))
            self.context.close()
        self.assertEqual(self.status("/api/sessions/run-1"), 200)

    def test_lists_and_the_question_fit_a_telephone(self):
        self.publish()
        self.monitor.post("/api/studies/calm", {"date": time.time(), "participants": 2, "completed": 1, "incomplete": 0, "excluded": 0, "poor": 0,
                                                "arms": {"a-rather-long-name-of-an-arm-that-does-not-fit": 1, "b": 2}, "toCome": [
                                                    {"participant": "P01", "session": "second", "state": "overdue", "when": "2026-11-20 to 2026-11-22"}]})
        page = self.sign_in("kim", "delete", "/#session=run-1")
        page.set_viewport_size({"width": 320, "height": 640})
        for name in ("progress", "finished", "kept", "deletions"):
            page.click(f"#{name} summary")
        page.wait_for_selector("#finished-sessions tr")
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        page.click("#delete-session")
        page.wait_for_selector("#delete-extent:has-text('730')")
        box = page.evaluate("(() => { const { left, right } = document.querySelector('#delete').getBoundingClientRect(); return [left, right]; })()")
        self.assertTrue(box[0] >= 0 and box[1] <= 320, box)
        self.assertUsable(page, "a telephone")
        self.assertQuiet()


if __name__ == "__main__":
    main()
