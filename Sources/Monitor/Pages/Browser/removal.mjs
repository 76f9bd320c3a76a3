// What of the chosen session can be deleted.
import { joined, say } from "../Computing/language.mjs";
import { rateLabel } from "../Computing/units.mjs";
import { askToDelete, askToDeletePerson } from "./deleting.mjs";
import { byId, setText } from "./page.mjs";

// The run, how its moments are shown, and the reading of it that somebody has picked.
let run = null, label = String, picked = null;

const readingWords = () => say("deleteReading", label(picked.elapsed), rateLabel(picked.bpm));

export function drawRemoval(shown, labelOf) {
  run = shown;
  label = labelOf;
  const person = run.about && run.about.participant;
  byId("delete-reading").disabled = !picked;
  setText("delete-reading", picked ? readingWords() : say("deleteReadingFirst"));
  byId("delete-person").hidden = !person;
  if (person) setText("delete-person", say("deletePerson", person));
}

export function pickReading(elapsed) {
  if (byId("removal").hidden) return;
  picked = run.readings.find(elapsed);
  drawRemoval(run, label);
}

export function dropReading() {
  picked = null;
}

byId("delete-reading").addEventListener("click", () => {
  askToDelete({ reading: picked.number }, readingWords(), {
    done: () => setText("removed", say("isDeleted")),
  });
});
byId("delete-session").addEventListener("click", () => {
  const about = joined(byId("title").textContent, byId("subtitle").textContent);
  askToDelete({ session: run.id }, say("deleteSessionOf", about));
});
byId("delete-person").addEventListener("click", () => askToDeletePerson(run.about.participant));
