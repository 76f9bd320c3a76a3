"""An experimenter in another room: marks and interventions from the monitor's page reach a real run and its bundle.

usage: python3 Tests/BrowserTests/test_room.py [PATH OF entrain-monitor]
The program entrain is looked for beside entrain-monitor. The test notes on its own when it pressed which button.
"""
import glob
import json
import os
import subprocess
import time

from monitor import PATIENCE, scratch, wait
from pages import PageCase, main

STUDY = """
entrain: 1
study: {identifier: room, revision: 1, title: Room}
sources: {heartRate: {type: simulated}}
tasks:
  - identifier: sit
    steps:
      - {type: active, identifier: rest, title: Rest, duration: 60 min, timer: {pause: false}}
      - {type: active, identifier: walk, title: Walk, duration: 60 min, recorders: [{type: heartRate, identifier: pulse, required: true}]}
      - {type: completion, identifier: end, title: Thank you}
"""


class RoomTests(PageCase):
    def begin(self, *options):
        """A run of its own, which sends to the monitor and waits for an hour."""
        self.out = scratch()
        study = os.path.join(self.out, "room.yaml")
        with open(study, "w") as file:
            file.write(STUDY)
        path = os.path.join(os.path.dirname(self.program), "entrain")
        run = subprocess.Popen(
            [path, "run", study, "--participant", "P07", "--plain", "--language", "en", "--monitor", self.monitor.url, "--out",
             self.out, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (run.kill(), run.communicate()))
        return run

    def sign_in(self, name, scope="control"):
        """A page of somebody with a token."""
        token = self.monitor.token(scope, name)
        page = self.open("/sign-in")
        page.fill("input[name=token]", token)
        page.click("main button[type=submit]")
        page.wait_for_selector(".card[data-state=running]")
        page.wait_for_selector("#step:has-text('Rest')")
        return page

    def intervene(self, page, button, words=None, outcome="Done."):
        """Presses a button, takes a while to type, and sends it; keeps when it was pressed."""
        before = time.time()
        page.click(f"#room button:has-text('{button}')")
        after = time.time()
        page.wait_for_selector("#request:visible")
        page.wait_for_timeout(300)
        page.keyboard.type(words or button)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#request-outcome:has-text('{outcome}')")
        return before, after

    def result(self, run):
        """The sealed bundle's result, when the run is over."""
        run.communicate(timeout=PATIENCE)
        path = wait(lambda: glob.glob(f"{self.out}/*/result.json"))[0]
        entrain = os.path.join(os.path.dirname(self.program), "entrain")
        verified = subprocess.run([entrain, "verify", os.path.dirname(path)], capture_output=True, text=True)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        with open(os.path.join(os.path.dirname(path), "journal.jsonl")) as file:
            clock = json.loads(file.readline())["wallClock"]
        self.begun = clock["seconds"] + clock["nanoseconds"] / 1e9
        with open(path) as file:
            return json.load(file)

    def test_what_an_experimenter_does_from_afar_is_in_the_bundle_at_its_moment(self):
        run = self.begin()
        page = self.sign_in("R. A. Kim")
        self.assertUsable(page, "before anything is pressed")
        pressed = []
        pressed.append(self.intervene(page, "Mark this moment", "coughed", "Marked."))
        self.intervene(page, "Go on", "let us go on", "Not done: nothing is paused")
        page.click("#room button:has-text('Mark this moment')")
        page.select_option("#request select[name=kind]", "adverse")
        self.assertTrue(page.is_visible("#request-severity"))
        self.assertUsable(page, "with the form open")
        page.keyboard.press("Escape")
        self.assertFalse(page.is_visible("#request"))
        for button, words in (("Message", "Please sit still."), ("Pause", "the strap fell off"), ("Go on", "it is back"),
                              ("Begin step anew", "the door banged"), ("Skip step", "no time"), ("Repeat last step", ""),):
            outcome = "Done." if button != "Repeat last step" else "Not done: another timed step is on show"
            before = self.intervene(page, button, words, outcome)
            if outcome == "Done.":
                pressed.append(before)
        page.wait_for_selector("#step:has-text('Walk')")
        pressed.append(self.intervene(page, "End run", "fire alarm"))
        page.wait_for_selector("#health:has-text('stopped')")
        page.click("summary")
        page.wait_for_selector("#events :text('Experimenter: control (pause): the strap fell off – R. A. Kim')", state="attached")
        result = self.result(run)
        marks = [mark for step in result["results"] for mark in step["userInfo"].get("marks", [])]
        self.assertEqual([mark.get("control", mark["kind"]) for mark in marks],
                         ["note", "message", "pause", "resume", "restart", "skip", "end"])
        self.assertEqual({mark["by"] for mark in marks}, {"R. A. Kim"})
        self.assertEqual([step["userInfo"].get("skipReason") for step in result["results"]],
                         ["restarted", "experimenter", "runEnded"])
        errors = []
        for mark, (before, after) in zip(marks, pressed):
            moment = self.begun + mark["offset"]
            self.assertTrue(before - mark["uncertainty"] <= moment <= after + mark["uncertainty"],
                            f"{mark}: pressed between {before - self.begun} and {after - self.begun}")
            errors.append(mark["uncertainty"])
        print(f"marks from afar: at most {1000 * max(errors):.1f} ms uncertain")
        self.assertEqual([text for text in self.problems if "409" not in text], [])

    def test_who_may_only_look_is_offered_nothing(self):
        self.begin()
        page = self.sign_in("anna", "read")
        self.assertFalse(page.is_visible("#room"))
        self.assertEqual(page.evaluate("fetch('/api/sessions/x/requests', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                                       " body: '{}'}).then((answer) => answer.status)"), 403)

    def test_the_way_in_survives_the_monitor(self):
        run = self.begin()
        page = self.sign_in("R. A. Kim")
        self.monitor.stop()
        page.wait_for_selector("#connection[data-state=away]")
        page.click("#room button:has-text('Mark this moment')")
        page.keyboard.type("coughed")
        page.keyboard.press("Enter")
        page.wait_for_selector("#request-outcome:has-text('Not done')")
        self.monitor.start()
        page.wait_for_selector("#connection:has-text('Connected')")

        def mark():
            self.intervene(page, "Mark this moment", "coughed again", "")
            page.wait_for_selector("#request-outcome:not(:has-text('Asking'))")
            return page.text_content("#request-outcome")

        self.eventually(page, mark, lambda words: words.startswith("Marked."), "the outcome")
        run.terminate()
        marks = [mark for step in self.result(run)["results"] for mark in step["userInfo"].get("marks", [])]
        self.assertEqual([mark["text"] for mark in marks], ["coughed again"])

    def test_fits_a_telephone(self):
        self.begin()
        page = self.sign_in("R. A. Kim")
        page.set_viewport_size({"width": 320, "height": 640})
        page.click("#room button:has-text('Mark this moment')")
        page.select_option("#request select[name=kind]", "adverse")
        self.eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 320, "the width")
        for box in page.evaluate("[...document.querySelectorAll('#room button')].map((one) => one.getBoundingClientRect().right)"):
            self.assertLessEqual(box, 320)


if __name__ == "__main__":
    main()
