// The cards of the rooms, their tally, and the title of the page.
import { joined, say } from "../Computing/language.mjs";
import {
  aboutOf,
  conditionOf,
  conditionWords,
  expectedOf,
  fewWords,
  leftOf,
  nameOf,
  outcomeWords,
  progressOf,
  rankOf,
  sourceFigures,
  whoOf,
} from "../Computing/sessions.mjs";
import { minutes } from "../Computing/times.mjs";
import { settled, trailShape } from "../Computing/trails.mjs";
import { rateLabel } from "../Computing/units.mjs";
import { alarmedOf, drawAlarms } from "./alarmBoard.mjs";
import { asked } from "./asked.mjs";
import { clock, now } from "./clock.mjs";
import { chosenId } from "./desk.mjs";
import { byId, drawing, element, put, setText } from "./page.mjs";
import { replayLink } from "./replayLink.mjs";
import { rooms } from "./roomList.mjs";
import { isWall, layWall } from "./wall.mjs";

// What is done with the session of a card that was pressed.
let choose = () => {};
// When the cards were looked at last, and whether they will be soon.
let looked = 0, isLookDue = false;

export function beginCards(own) {
  choose = own;
}

const shownRooms = () => rooms.shown(now(), isWall() ? null : chosenId());

// All that a card says of a session and that does not change while it goes on.
const lookOf = (session) =>
  [
    session.id,
    session.source,
    session.participant,
    nameOf(session),
    session.session,
    session.origin,
    session.speed,
  ].join("\n");

function card(session) {
  const part = (name, look, ...children) => element(name, look ? { class: look } : {}, ...children);
  const who = part("strong", "who");
  if (session.source) who.append(part("span", "room", session.source), " ");
  if (session.participant) who.append(part("span", "person", session.participant));
  if (!who.childNodes.length) who.append(part("span", "person", nameOf(session)));
  const trail = drawing("path"), band = drawing("path", { class: "band" });
  const spark = {
    class: "spark",
    viewBox: "0 0 310 100",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  };
  const parts = {
    session: session.id,
    who,
    trail,
    band,
    dot: part("span", "dot"),
    value: element("span", { class: "value", "data-session": session.id }),
    condition: part("span", "condition"),
    source: part("span", "quiet source"),
    step: part("span"),
    place: part("i"),
    left: part("b"),
  };
  const attributes = { type: "button", class: "card", "aria-pressed": String(session.id === chosenId()) };
  const button = element(
    "button",
    attributes,
    part("span", "edge"),
    who,
    parts.value,
    part("span", "curve", drawing("svg", spark, band, trail), parts.dot),
    part("span", "at", parts.step, parts.place, parts.left),
    parts.condition,
    parts.source,
    part("span", "quiet", joined(nameOf(session), aboutOf(session))),
  );
  button.addEventListener("click", () => choose(session.id));
  // What is looked for in it several times a second.
  button.parts = parts;
  const made = element("li", {}, button);
  made.drawn = lookOf(session);
  return made;
}

export function drawCards() {
  const shown = shownRooms(), list = byId("sessions");
  byId("none").hidden = shown.length > 0;
  list.dataset.count = shown.length > 4 ? "many" : "few";
  const made = new Map([...list.children].map((one) => [one.drawn, one]));
  const cards = shown.map((session) => made.get(lookOf(session)) || card(session));
  keepingFocus(list, () => {
    const isSame = cards.length === list.childElementCount &&
      cards.every((one, index) => one === list.children[index]);
    if (!isSame) list.replaceChildren(...cards);
  });
  layWall();
  drawConditions();
}

// The focus stays with its session's card, and another place in the order does not take it out of sight.
function keepingFocus(list, change) {
  const held = list.contains(document.activeElement) ? document.activeElement : null;
  const before = held && held.getBoundingClientRect();
  change();
  const value = held && document.querySelector(`.value[data-session="${CSS.escape(held.parts.session)}"]`);
  if (!value) return;
  const after = value.parentElement;
  after.focus({ preventScroll: true });
  const isSeen = before.bottom > 0 && before.top < innerHeight;
  if (isSeen) scrollBy({ top: after.getBoundingClientRect().top - before.top, behavior: "instant" });
}

// Cards say what is so now: a value grows old without any news.
export function drawConditions() {
  looked = performance.now();
  const cards = [...byId("sessions").children].map((one) => one.firstChild),
    shown = shownRooms(),
    counts = {};
  if (cards.some(({ parts }, index) => !shown[index] || parts.session !== shown[index].id)) {
    return drawCards();
  }
  const ids = new Set(shown.map(({ id }) => id)), alarmed = alarmedOf(ids);
  cards.forEach((card, index) => {
    const session = shown[index], condition = conditionOf(session, now());
    counts[condition] = (counts[condition] || 0) + 1;
    if (card.dataset.state !== condition) card.dataset.state = condition;
    card.toggleAttribute("data-alarmed", alarmed.has(session.id));
    drawCondition(card.parts, session, ["running", "outside", "paused", "warned"].includes(condition));
    drawTrail(card.parts, session);
  });
  drawEnded();
  drawTally(counts);
  const wrong = (counts.unknown || 0) + (counts.lost || 0) + (counts.stale || 0) + (counts.warned || 0);
  const raised = drawAlarms(ids, chosenId());
  if (!asked) {
    document.title = (raised ? `(${raised}) ⚠ ` : wrong ? `(${wrong}) ` : "") +
      document.title.replace(/^\(\d+\) (⚠ )?/, "");
  }
  setText("clock", clock(now()).slice(0, 5));
}

function drawCondition(parts, session, isRunning) {
  put(parts.value, session.last && isRunning ? rateLabel(session.last.bpm) : "–");
  put(parts.condition, (isWall() && fewWords(session, now())) || conditionWords(session, now()));
  const progress = progressOf(session);
  const left = progress && isRunning ? leftOf(progress, now(), session.speed) : null;
  put(parts.step, progress ? progress.title || progress.step : "");
  put(parts.place, progress && progress.place ? `${progress.place}/${progress.count}` : "");
  put(parts.left, left === null ? "" : say("left", minutes(left)));
  put(parts.source, session.state === "running" ? sourceFigures(session) : "");
}

function drawTrail({ trail, band, dot }, session) {
  const { end, points } = settled(rooms.trail(session.id), now()), { progress } = session;
  const drawn = [end, points.length, points.length ? points.at(-1)[1] : "", progress && progress.since]
    .join();
  if (trail.drawn === drawn) return;
  trail.drawn = drawn;
  const shape = trailShape({ end, points }, expectedOf(session));
  trail.setAttribute("d", shape.path);
  band.setAttribute("d", shape.band);
  dot.hidden = !shape.end;
  if (shape.end) dot.style.cssText = `left: ${shape.end[0] / 3.1}%; top: ${shape.end[1]}%`;
}

// Those that have ended, in one line.
function drawEnded() {
  const ended = rooms.ended(now()), place = byId("ended");
  const drawn = ended.map((session) => [session.id, whoOf(session), conditionWords(session, now())].join())
    .join("\n");
  if (place.drawn === drawn) return;
  place.drawn = drawn;
  place.hidden = !ended.length;
  place.replaceChildren(
    element("span", { class: "judged", "data-state": "over" }, say("endedRuns", String(ended.length))),
    ...ended.map((session) => {
      const button = element("button", { type: "button", class: "plain who" }, whoOf(session));
      button.title = conditionWords(session, now());
      button.addEventListener("click", () => choose(session.id));
      const outcome = element("small", {}, outcomeWords(session.outcome || ""));
      return element("span", {}, button, " ", outcome, " ", replayLink(session));
    }),
  );
}

function drawTally(counts) {
  const tally = Object.keys(rankOf).filter((condition) => counts[condition])
    .map((condition) => [condition, `${counts[condition]} ${say(`tally_${condition}`)}`]);
  const list = byId("tally"), words = tally.map(([, text]) => text).join();
  if (words === [...list.children].map((one) => one.textContent).join()) return;
  list.replaceChildren(...tally.map(([condition, text]) => element("li", { "data-state": condition }, text)));
}

export function drawConditionsSoon() {
  if (isLookDue) return;
  isLookDue = true;
  // Many rooms share a picture: forty pictures a second would leave the page no time.
  setTimeout(() => {
    isLookDue = false;
    drawConditions();
  }, Math.min(450, 40 + 10 * rooms.sessions.length));
}

// While readings come, the cards are looked at with each of them.
export function drawConditionsNow() {
  if (performance.now() - looked > 450) drawConditions();
}
