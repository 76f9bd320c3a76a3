// Writing down what happened, with the moment at which it did.
import { clockOf, momentsOf } from "../Computing/days.mjs";
import { noteOf } from "../Computing/events.mjs";
import { say } from "../Computing/language.mjs";
import { shownDay, showStale, visit } from "./calendar.mjs";
import { now } from "./clock.mjs";
import { chosenMoment } from "./dayChart.mjs";
import { judgeUnit, noteKind, showFields, shownFields } from "./noteFields.mjs";
import { byId, offerDoseUnits, setText, smoothly } from "./page.mjs";
import { moment, post } from "./server.mjs";

const form = byId("note"), time = byId("note-time"), turn = byId("note-turn").lastElementChild;

// Whether somebody has set the time, whether a note is on its way, and the one of which nobody knows whether
// it arrived.
let isTimed = false, isAdding = false, unsure = null;

const isToday = () => shownDay().date === shownDay().today;

// The field shows the clock, and noon of another day, until somebody sets it.
export function drawNoteTime() {
  if (shownDay() && !isTimed) time.value = isToday() ? clockOf(shownDay(), now(), true) : "12:00:00";
  judgeTime();
}

// On a day on which the clock is set, a time may never have been, or have been twice: then nobody guesses which.
function judgeTime() {
  const count = !shownDay() || !isTimed || !time.value ? 1 : momentsOf(shownDay(), time.value).length;
  time.setCustomValidity(count ? "" : say("noSuchTime"));
  turn.disabled = turn.parentElement.hidden = count < 2;
}

// At the chart: the moment that is chosen there, or now.
function addHere() {
  const chosen = chosenMoment();
  if (chosen !== null) {
    time.value = clockOf(shownDay(), chosen, true);
    isTimed = true;
    judgeTime();
    turn.value = Math.max(0, momentsOf(shownDay(), time.value).indexOf(chosen));
  }
  form.scrollIntoView({ block: "center", behavior: smoothly() });
  byId("note-kind").focus({ preventScroll: true });
}

// Unless somebody set another time, a note is about the moment of pressing, which is asked for.
function attempt(pressed) {
  const { participant } = visit;
  const note = {
    ...noteOf(noteKind(), byId("note-text").value.trim(), shownFields()),
    ...(participant ? { participant } : {}),
  };
  const t = isTimed || !isToday() ? momentsOf(shownDay(), time.value)[turn.disabled ? 0 : turn.value] : null;
  const about = JSON.stringify([note, t]);
  // The same again is the same note, about the moment at which it was first pressed: the answer may be lost.
  if (unsure?.about === about) return unsure;
  return { about, note, t, pressed, key: `note-${Date.now()}-${Math.random().toString(36).slice(2)}` };
}

async function add(event) {
  event.preventDefault();
  if (isAdding || !shownDay()) return;
  isAdding = true;
  const shown = time.value;
  const fields = [...form.querySelectorAll("#note-text, input[type=number]")];
  const filled = fields.map((field) => [field, field.value]);
  unsure = attempt(event.timeStamp);
  try {
    unsure.t ??= Math.round((await moment(unsure.pressed)).pressed * 1000) / 1000;
    await post("/api/notes", { t: unsure.t, ...unsure.note }, unsure.key);
    unsure = null;
    // What was written meanwhile is another note.
    for (const [field, value] of filled) if (field.value === value) field.value = "";
    if (time.value === shown) isTimed = false;
    showFields();
    setText("note-status", say("added"));
    visit.isStale = true;
    showStale();
  } catch (problem) {
    if (problem.status) unsure = null;
    setText("note-status", say("notAdded", problem.message));
  } finally {
    isAdding = false;
  }
}

form.addEventListener("submit", add);
form.addEventListener("input", ({ target }) => judgeUnit(target));
time.addEventListener("input", () => {
  isTimed = true;
  turn.value = "";
  judgeTime();
});
byId("note-kind").addEventListener("change", showFields);
byId("add-here").addEventListener("click", addHere);
offerDoseUnits();
showFields();
setInterval(drawNoteTime, 1000);
