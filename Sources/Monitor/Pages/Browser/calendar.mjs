// The day that is shown: asked for, taken, and asked for again when it has changed.
import { addressOf, pathOf } from "../Computing/days.mjs";
import { say } from "../Computing/language.mjs";
import { moved } from "../Computing/times.mjs";
import { Visit } from "../Computing/visit.mjs";
import { byId, setText } from "./page.mjs";
import { get } from "./server.mjs";
import { dayAhead, drawSides, holdRoom } from "./sides.mjs";

const asked = () => new URLSearchParams(location.search);
export const visit = new Visit(asked().get("date"), asked().get("participant") || "");

let day = null, taken = () => {};
export const shownDay = () => day;

// What is done with a day that has come.
export function beginCalendar(own) {
  taken = own;
}

// `isNew` says whether the browser can go back from it.
export async function show(date, { isNew = true, hasNewSides = true } = {}) {
  const path = pathOf(date, visit.participant), question = visit.ask(date);
  if (isNew && dayAhead(path)) take(dayAhead(path), true);
  let answer;
  try {
    answer = await get(path);
  } catch (problem) {
    visit.fail(question, date, problem.status);
    complain(say("unreadable", problem.message));
    return;
  }
  if (!visit.answer(question)) return;
  byId("failed").hidden = true;
  take(answer, isNew);
  if (hasNewSides && !await drawSides(visit)) visit.areSidesStale = true;
}

function complain(words) {
  setText("chart-words", words);
  setText("failure", words);
  byId("failed").hidden = false;
}

function take(answer, isNew) {
  day = answer;
  visit.arrive(day.date);
  const address = addressOf(day.date, visit.participant);
  if (isNew && location.pathname + location.search !== address) history.pushState(null, "", address);
  holdRoom(day);
  taken(day);
}

// Reads again what has changed, if that does not disturb anybody.
export function showStale() {
  const stale = visit.takeStale();
  if (stale) show(visit.date, { isNew: false, ...stale });
}

export const showAgain = () => show(visit.date, { isNew: false });
export const showWanted = () => show(visit.latest, { isNew: false });
export const move = (days) => {
  if (day) show(moved(visit.latest, days));
};

// The page's address has changed: somebody went back, or forth.
export function showAddress() {
  visit.participant = asked().get("participant") || "";
  byId("participant").value = visit.participant;
  show(asked().get("date"), { isNew: false });
}
