// The chosen session: its stream, its figures, its chart and its tables.
import { timeAxis } from "../Computing/axes.mjs";
import { expectedAt } from "../Computing/curves.mjs";
import { describe } from "../Computing/events.mjs";
import { replayAddress } from "../Computing/replay.mjs";
import { Run } from "../Computing/run.mjs";
import {
  deviationOf,
  elapsedOf,
  gapsOf,
  healthOf,
  isOfNow,
  shareOf,
  sourcesOf,
  stepOf,
  subtitleOf,
} from "../Computing/runWords.mjs";
import { nameOf } from "../Computing/sessions.mjs";
import { rate } from "../Computing/units.mjs";
import { loadAlarms, maySteer } from "./alarmBoard.mjs";
import { asked } from "./asked.mjs";
import { now, zone } from "./clock.mjs";
import { beginChart, drawLiveChart, leaveChart, resetChart, showWholeChart } from "./liveChart.mjs";
import { endLastingComplaint } from "./notice.mjs";
import { byId, fillTable, remember, rememberBox, remembered, setText, smoothly } from "./page.mjs";
import { drawRemoval, dropReading, pickReading } from "./removal.mjs";
import { refresh, rooms } from "./roomList.mjs";
import { listenToRun } from "./server.mjs";

let run = null, isByHand = false, stop = null;
// What was expected of the run when it was drawn last, and whether it will be drawn soon.
let expected = [], isDrawDue = false;

export const chosenId = () => run && run.id;
export const isChosenByHand = () => isByHand;

export function choose(id, isWanted) {
  isByHand = isWanted;
  if (isByHand) endLastingComplaint();
  if (id === chosenId()) return;
  if (stop) stop();
  const address = `#session=${encodeURIComponent(id)}`;
  // What somebody chose can be gone back from.
  if (location.hash !== address) history[isByHand && run ? "pushState" : "replaceState"](null, "", address);
  show(new Run(id));
  stop = listenToRun(id, (name, data, number) => {
    run.take(name, data, number);
    drawSoon();
    if (data.kind === "over") refresh();
  });
}

// From then on this run is shown, which may be the same one anew.
export function show(made) {
  const isOther = made.id !== chosenId(), { id } = made;
  run = made;
  drawSoon();
  if (!isOther) return;
  expected = [];
  dropReading();
  leaveChart();
  setText("removed", "");
  for (const card of document.querySelectorAll(".card")) {
    card.setAttribute("aria-pressed", String(card.parts.session === id));
  }
  byId("chosen").hidden = false;
  loadAlarms(`/api/sessions/${encodeURIComponent(id)}/alarms`);
  byId("csv").href = `/api/sessions/${encodeURIComponent(id)}/heart-rate.csv`;
  byId("again").href = replayAddress({ run: id });
}

export function leave() {
  if (stop) stop();
  run = stop = null;
  isByHand = false;
  leaveChart();
  byId("chosen").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
  byId("main").focus();
}

export const scrollToChosen = () => byId("chosen").scrollIntoView({ behavior: smoothly(), block: "start" });

export function forgetReading({ session, reading }) {
  if (session !== chosenId()) return;
  run.readings.remove(reading);
  dropReading();
  draw();
}

function drawSoon() {
  if (isDrawDue) return;
  isDrawDue = true;
  setTimeout(() => {
    isDrawDue = false;
    draw();
  }, 60);
}

// Time since the beginning, or as the clock showed it.
const axis = () =>
  timeAxis({
    isClock: byId("axis-clock").checked,
    start: run.start,
    speed: run.speed,
    zone: zone(run.start),
  });

function draw() {
  if (!run) return;
  expected = run.expected();
  setText("elapsed", elapsedOf(run, zone(run.start)));
  drawStep();
  setText("gaps", gapsOf(run));
  setText("sources", sourcesOf(run, rooms.find(run.id)));
  byId("sources").parentElement.hidden = !byId("sources").textContent;
  drawHeading();
  drawRemoval(run, axis().label);
  drawHealth();
  drawTables();
  drawLiveChart(run, expected, axis());
}

function drawHeading() {
  setText("title", run.about ? nameOf(run.about) : run.id);
  setText("subtitle", subtitleOf(run, zone(run.start)));
}

// A value grows old, and a step's time passes, without any news.
export function drawHealth() {
  if (!run) return;
  const [health, words] = healthOf(run, rooms.find(run.id), now());
  byId("health").dataset.state = health;
  setText("health", words);
  setText("deviation", deviationOf(run, expected, health));
  byId("rate").dataset.state = health;
  setText("rate", isOfNow(health) ? rate(run.newest.bpm) : "–");
  byId("again").hidden = Boolean(asked) ||
    !(run.over || ["over", "lost"].includes(rooms.find(run.id)?.state));
}
export function drawStep() {
  if (!run) return;
  const session = rooms.find(run.id);
  setText("step", stepOf(run, session, now()));
  const passed = shareOf(run, session, now()), bar = byId("step-bar");
  bar.hidden = !passed;
  if (passed) bar.value = passed.share;
  byId("step").dataset.state = passed && passed.isPaused ? "paused" : "none";
  offer(run.controls(session), session?.state === "unknown");
}

// Only what is possible is offered, to those who may steer rooms. A moment can be marked even while the monitor is away:
// what was written stays until it is back, and nobody loses the words that they are writing.
function offer(controls, isUnknown) {
  byId("room").hidden = !maySteer || !(controls.length || isUnknown || !byId("request").hidden);
  for (const button of document.querySelectorAll("[data-control]")) {
    button.hidden = !controls.includes(button.dataset.control);
  }
}

const details = document.querySelector("details");

function drawTables() {
  if (!details.open) return;
  const { label } = axis();
  const expectedWords = (point) => point ? `${rate(point[1])} (${rate(point[2])}–${rate(point[3])})` : "–";
  const readingRow = ({ elapsed, bpm }) => {
    return [label(elapsed), rate(bpm, 1), expectedWords(expectedAt(expected, elapsed))];
  };
  const eventRow = (event) => [label(event.elapsed), describe(event, (step) => run.titleOf(step))];
  fillTable("readings", run.readings.last(300).reverse().map(readingRow));
  fillTable("events", run.events.map(eventRow));
}

export function redraw() {
  resetChart();
  draw();
}

// Two buttons of which one is chosen, and remembered.
function rememberChoice(name, values, usual, changed) {
  const kept = remembered(name, usual), chosen = values.includes(kept) ? kept : usual;
  for (const value of values) {
    const button = byId(`${name}-${value}`);
    button.checked = value === chosen;
    button.addEventListener("change", () => {
      remember(name, value);
      changed();
    });
  }
}

function drawWhole() {
  showWholeChart();
  draw();
}
beginChart({ picked: pickReading, zoomed: drawSoon });
rememberChoice("span", ["last", "whole"], "whole", drawWhole);
rememberChoice("axis", ["elapsed", "clock"], "elapsed", redraw);
rememberBox(byId("fit"), "fit", redraw, true);
byId("zoom-reset").addEventListener("click", drawWhole);
details.addEventListener("toggle", draw);
