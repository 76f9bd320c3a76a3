"""Alarms: seen, heard, in the tab's title, acknowledged by somebody with a name, and in the bundle of a real run.

usage: python3 Tests/BrowserTests/test_alarms.py [PATH OF entrain-monitor]
The program entrain is looked for beside entrain-monitor.
"""
import glob
import json
import os
import signal
import subprocess
import time

from monitor import PATIENCE, Monitor, scratch, wait
from pages import PageCase, main

STUDY = """
entrain: 1
study: {identifier: alarming, revision: 1, title: Alarming, alarms: {heartRate: {above: 40 bpm, for: 1 s}, runDead: true}}
sources: {heartRate: {type: simulated}}
tasks:
  - identifier: sit
    steps:
      - {type: active, identifier: rest, title: Rest, duration: 60 min, recorders: [{type: heartRate, identifier: pulse}]}
      - {type: completion, identifier: end, title: Thank you}
"""

# Counts the tones that a page plays; there is no loudspeaker here.
COUNTING = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...rest) { window.tones++; return start.apply(this, rest); };
"""


class AlarmTests(PageCase):
    def sign_in(self, name, scope="control", **options):
        token = self.monitor.token(scope, name)
        self.context = self.newContext(viewport={"width": 1280, "height": 900}, **options)
        self.context.add_init_script(COUNTING)
        page = self.open("/sign-in", context=self.context)
        page.fill("input[name=token]", token)
        page.click("main button[type=submit]")
        page.wait_for_selector("#connection:has-text('Connected')")
        return page

    def begin_room(self, identifier="room", alarms=None):
        """A room that only the test tells of, with the rules of the study or of the server."""
        about = {"id": identifier, "startedAt": time.time(), "participant": "P07", "title": "Cycling", "origin": "simulated"}
        if alarms is not None:
            about["alarms"] = alarms
        self.assertEqual(self.monitor.post("/api/sessions", about), 201)

    def tell(self, page, rate=None, identifier="room", until=None):
        """Gives signs of life, and a heart rate, until the page shows something."""
        def once():
            self.monitor.post(f"/api/sessions/{identifier}/alive", "")
            if rate:
                self.monitor.post(f"/api/sessions/{identifier}/heart-rate", {"bpm": rate})
            return page.is_visible(until)
        self.eventually(page, once, bool, until)

    def alarms(self, identifier="room"):
        return self.monitor.get(f"/api/sessions/{identifier}/alarms")["alarms"]

    def test_an_alarm_is_seen_and_heard_until_somebody_acknowledges_it(self):
        page = self.sign_in("R. A. Kim")
        other = self.sign_in("anna", "read")
        self.begin_room(alarms=[{"kind": "above", "limit": 170, "for": 1}])
        self.assertEqual(page.text_content("#sound"), "Sound is off")
        page.click("#sound")
        page.wait_for_selector("#sound[aria-pressed=true]:has-text('Sound is on')")
        tested = page.evaluate("window.tones")
        self.tell(page, 180, until="#alarms li[data-alarm=standing]")
        line = page.locator("#alarms li")
        self.assertIn("Heart rate above 170 for 1 s (180)", line.text_content())
        self.assertIn("P07", line.text_content())
        self.assertIn("simulated", line.text_content())
        self.eventually(page, page.title, lambda title: title.startswith("(1) ⚠ "), "the title")
        page.wait_for_selector(".card[data-alarmed]")
        self.eventually(page, lambda: page.evaluate("window.tones"), lambda tones: tones >= tested + 4, "the tones")
        self.assertUsable(page, "with an alarm")
        self.assertEqual(other.evaluate("window.tones"), 0)
        other.wait_for_selector("#alarms li[data-alarm=standing]")
        self.assertEqual(other.locator("#alarms button.push").count(), 0)
        number = self.alarms()[0]["number"]
        self.assertEqual(other.evaluate(
            f"fetch('/api/alarms/{number}', {{method: 'POST', headers: {{'Content-Type': 'application/json'}}, body: '{{}}'}})"
            ".then((answer) => answer.status)"), 403)
        page.click("#alarms button:has-text('Acknowledge')")
        for one in (page, other):
            one.wait_for_selector("#alarms li[data-alarm=acknowledged]:has-text('by R. A. Kim at ')")
            self.eventually(one, one.title, lambda title: "⚠" not in title, "the title")
        self.tell(page, 120, until="#run-alarms tr:not(:has-text('goes on'))")
        page.wait_for_selector("#alarms", state="hidden")
        alarm = self.alarms()[0]
        self.assertEqual((alarm["kind"], alarm["limit"], alarm["author"]), ("above", 170, "R. A. Kim"))
        self.assertTrue(alarm["began"] < alarm["acknowledged"] < alarm["ended"], alarm)
        # Nobody listens for this room, so its journal has nothing, and nothing says that it has.
        self.assertNotIn("mark", alarm)
        self.assertIn("no", page.locator("#run-alarms td").last.text_content())
        self.assertEqual([text for text in self.problems if "403" not in text], [])

    def test_an_alarm_that_is_over_waits_for_somebody(self):
        page = self.sign_in("R. A. Kim")
        self.begin_room(alarms=[{"kind": "runDead"}])
        self.tell(page, 70, until=".card")
        page.wait_for_selector("#alarms li[data-alarm=standing]:has-text('Run dead')")
        self.tell(page, 70, until="#alarms li[data-alarm=past]:has-text('over')")
        self.assertTrue(page.title().startswith("(1) ⚠ "), page.title())
        page.click("#alarms button:has-text('Acknowledge')")
        page.wait_for_selector("#alarms", state="hidden")

    def test_a_server_has_rules_of_its_own_for_studies_without(self):
        self.monitor.stop()
        self.monitor = Monitor(
            self.program, "--alarm", "heart rate below 80 bpm for 1 s", "--alarm", "signal lost for 2 s")
        page = self.sign_in("R. A. Kim")
        self.begin_room()
        self.begin_room("own", alarms=[{"kind": "above", "limit": 200, "for": 1}])
        self.tell(page, 70, "own", until=".value[data-session=own]")
        self.tell(page, 70, until="#alarms li:has-text('Heart rate below 80')")
        self.tell(page, until="#alarms li:has-text('Signal lost for 2 s')")
        self.assertEqual(self.alarms("own"), [])

    def test_wrong_rules_are_refused_with_what_to_write(self):
        for rules in (["loud"], ["heart rate above 170 for 10 s"], ["run dead", "run dead"],
                      ["heart rate above 60 bpm for 1 s", "heart rate below 60 bpm for 1 s"]):
            said = subprocess.run(
                [self.program, "serve", "--port", "0", *(word for rule in rules for word in ("--alarm", rule))],
                capture_output=True, text=True, cwd=scratch())
            self.assertEqual(said.returncode, 64, said.stderr)
            self.assertTrue("write" in said.stderr or "give" in said.stderr, said.stderr)

    def test_an_alarm_and_its_acknowledgement_are_in_the_bundle(self):
        out = scratch()
        study = os.path.join(out, "alarming.yaml")
        with open(study, "w") as file:
            file.write(STUDY)
        entrain = os.path.join(os.path.dirname(self.program), "entrain")
        run = subprocess.Popen(
            [entrain, "run", study, "--participant", "P07", "--plain", "--language", "en", "--monitor", self.monitor.url,
             "--out", out], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (run.kill(), run.communicate()))
        page = self.sign_in("R. A. Kim")
        page.wait_for_selector("#alarms li[data-alarm=standing]:has-text('Heart rate above 40')")
        page.click("#alarms button:has-text('Acknowledge')")
        page.wait_for_selector("#run-alarms tr:has-text('yes; Acknowledged: yes')")
        listed = self.monitor.get("/api/alarms")["alarms"]
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=PATIENCE)
        path = wait(lambda: glob.glob(f"{out}/*/result.json"))[0]
        verified = subprocess.run([entrain, "verify", os.path.dirname(path)], capture_output=True, text=True)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        with open(path) as file:
            marks = [mark for step in json.load(file)["results"] for mark in step["userInfo"].get("marks", [])]
        self.assertEqual([mark["kind"] for mark in marks], ["alarm", "acknowledgement"])
        self.assertTrue(marks[0]["text"].startswith("heart rate above 40 bpm for 1 s ("), marks[0])
        self.assertEqual([mark.get("by") for mark in marks], [None, "R. A. Kim"])
        with open(os.path.join(os.path.dirname(path), "journal.jsonl")) as file:
            clock = json.loads(file.readline())["wallClock"]
        begun = clock["seconds"] + clock["nanoseconds"] / 1e9
        for mark, moment in zip(marks, (listed[0]["began"], listed[0]["acknowledged"])):
            self.assertAlmostEqual(begun + mark["offset"], moment, delta=mark["uncertainty"] + 0.01)
        made = subprocess.run([entrain, "collate", out, "--out", os.path.join(out, "dataset")],
                              capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        rows = subprocess.run(f"cat {out}/dataset/marks/*/*/*.csv", shell=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(sum(",alarm," in row for row in rows), 1, rows)
        self.assertEqual(sum(",acknowledgement," in row for row in rows), 1, rows)

    def test_a_killed_run_has_no_mark_and_nothing_says_so(self):
        page = self.sign_in("R. A. Kim")
        self.begin_room(alarms=[{"kind": "runDead"}])
        self.tell(page, 70, until=".card")
        killed = time.time()
        alarm = wait(self.alarms)[0]
        self.assertLess(alarm["began"] - killed, 6)
        page.click("#alarms button:has-text('Acknowledge')")
        page.wait_for_selector("#run-alarms tr:has-text('no; Acknowledged: no')")

    def test_fits_a_telephone_and_the_wall(self):
        page = self.sign_in("R. A. Kim")
        self.begin_room(alarms=[{"kind": "runDead"}])
        self.tell(page, 70, until=".card")
        page.wait_for_selector("#alarms li")
        page.click("#wall")
        self.assertTrue(page.is_visible("#alarms li") and page.is_visible("#sound"))
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 320, "height": 640})
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        self.assertUsable(page, "on a telephone")


if __name__ == "__main__":
    main()
