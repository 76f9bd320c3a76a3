// The lane of events below the chart of a day, and the details of those that somebody has pressed.
import { clockOf } from "../Computing/days.mjs";
import { describe, isNoted, markerOf } from "../Computing/events.mjs";
import { say } from "../Computing/language.mjs";
import { bubble } from "../Computing/layout.mjs";
import { replayAddress } from "../Computing/replay.mjs";
import { shownDay } from "./calendar.mjs";
import { markers, placeOf, whenEventIsPicked } from "./dayChart.mjs";
import { isOn } from "./layers.mjs";
import { noteControls } from "./noteEditor.mjs";
import { byId, drawing, element, setText } from "./page.mjs";

// Drawn in 16 by 16: a fork and a knife, a dumbbell, a syringe, a capsule and a face.
const icons = {
  meal: "M3 1v5a2 2 0 0 0 4 0V1M5 1v14M11 15V1c3 1 3 7 0 8",
  exercise: "M1 6v4M3.5 4v8M12.5 4v8M15 6v4M3.5 8h9",
  dose: "M10 2l4 4M12 4l-7 7-3 3M8 4l4 4M5 11l-2-2 5-5",
  medication: "M4 12a3.5 3.5 0 0 1 0-5l3-3a3.5 3.5 0 0 1 5 5l-3 3a3.5 3.5 0 0 1-5 0zM5.5 5.5l5 5",
  mood: "M8 1.5a6.5 6.5 0 1 0 .01 0zM5.5 6v1M10.5 6v1M5 10c1.5 2 4.5 2 6 0",
};
const icon = (kind) =>
  drawing("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, drawing("path", { d: icons[kind] }));

const clock = (event) => clockOf(shownDay(), event.t);
const lane = byId("lane"), details = byId("details");

// The first event of the marker whose details are open, by its number.
let opener = null;

export function drawLane() {
  lane.hidden = !isOn("events");
  const focused = lane.contains(document.activeElement) ? document.activeElement.dataset.first : null;
  const width = lane.clientWidth;
  lane.replaceChildren(...markers((time) => placeOf(time, width)).map(marker));
  if (focused) focusMarker(focused);
  keepDetails();
}

function marker({ x, events }) {
  const [first] = events, isOne = events.length === 1, { style, sign, word } = markerOf(first);
  const button = element(
    "button",
    {
      type: "button",
      class: `marker ${isOne ? style : "several"}`,
      "aria-haspopup": "dialog",
      "data-first": String(first.number),
      "aria-label": isOne
        ? say("eventAt", say(word), clock(first), describe(first))
        : say("eventsFrom", events.length, clock(first)),
    },
    !isOne ? String(events.length) : first.kind in icons ? icon(first.kind) : sign,
  );
  button.events = events;
  button.style.left = `${x}px`;
  button.addEventListener("click", () => openDetails(events, button));
  return button;
}

// The marker that an event is in, with others that may have come to it.
const markerWith = (number) =>
  [...lane.children].find((one) => one.events.some((event) => String(event.number) === number));

function focusMarker(number) {
  const found = markerWith(number);
  if (found) found.focus({ preventScroll: true });
}

function openDetails(events, from) {
  const [first] = events;
  opener = from.dataset.first;
  setText(
    "details-title",
    events.length === 1 ? say("atTime", clock(first)) : say("eventsFrom", events.length, clock(first)),
  );
  byId("details-list").replaceChildren(...events.slice(0, 100).map(item));
  details.show();
  place(from);
  byId("details-close").focus();
}

function item(event) {
  const controls = isNoted(event) ? noteControls(event, closeDetails) : [];
  const address = `/#session=${encodeURIComponent(event.session)}`;
  const link = event.session
    ? [" ", element("a", { href: address }, say("openSession")), " ", replayOf(event)]
    : [];
  return element("li", {}, `${clock(event)} – ${describe(event)}`, ...controls, ...link);
}

// A session is played from its beginning, or shown at the moment of its event.
const replayOf = ({ session, elapsed, kind }) =>
  kind === "begun"
    ? element("a", { href: replayAddress({ run: session }) }, say("replay"))
    : element("a", { href: replayAddress({ run: session, at: elapsed }) }, say("replayHere"));

// A bubble over the marker that it is of; on a small screen, a sheet at its lower end.
function place(from) {
  const box = lane.getBoundingClientRect(), { left: start, width } = from.getBoundingClientRect();
  const { left, tip } = bubble(start + width / 2 - box.left, details.offsetWidth, box.width);
  details.style.setProperty("--left", `${left}px`);
  details.style.setProperty("--tip", `${tip}px`);
  details.style.setProperty(
    "--above",
    `${details.parentElement.getBoundingClientRect().bottom - box.top + 8}px`,
  );
}

// Details that are open stay over their marker, wherever a new size of the page or another part of the day
// puts it.
function keepDetails() {
  const opened = details.open && markerWith(opener);
  if (opened && !lane.hidden) place(opened);
}

export function closeDetails() {
  if (!details.open) return;
  details.close();
  focusMarker(opener);
}

whenEventIsPicked((event) => openDetails([event], markerWith(String(event.number))));
byId("details-close").addEventListener("click", closeDetails);
new ResizeObserver(keepDetails).observe(details.parentElement);
