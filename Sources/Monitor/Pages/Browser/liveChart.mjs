// The chart of the chosen session.
import { rateRange, scaled } from "../Computing/axes.mjs";
import { chartMark } from "../Computing/events.mjs";
import { counted, say } from "../Computing/language.mjs";
import { wordRows } from "../Computing/layout.mjs";
import { gap } from "../Computing/run.mjs";
import { minutes } from "../Computing/times.mjs";
import { rate } from "../Computing/units.mjs";
import { axes, colours, drawCurve, hasCharts, options, pointing, recolour, within } from "./charts.mjs";
import { byId, colour, isStill, setText } from "./page.mjs";

// What is drawn: the run, its expected curves, and its time axis.
let shown = null;
let graph = null, isZoomed = false;
// The moment of the newest reading that was drawn, and whether it is still on its way to its place.
let glide = null, isGliding = false;
let handlers = { picked: () => {}, zoomed: () => {} };

// `picked` is called with the moment of a reading under the pointer, `zoomed` when another part is shown.
export function beginChart(own) {
  handlers = own;
}

// Begins anew, for another run.
export function leaveChart() {
  resetChart();
  glide = null;
  isGliding = false;
}

export const recolourChart = () => recolour(graph, colours);

// Begins anew, for other units or axes.
export function resetChart() {
  if (graph) graph.destroy();
  graph = null;
  isZoomed = false;
}

export function showWholeChart() {
  isZoomed = false;
}

export function drawLiveChart(run, expected, axis) {
  shown = { run, expected, axis };
  const isLast = byId("span-last").checked, first = run.firstShown(isLast), last = run.newest;
  const readings = counted(run.readings.length, "reading");
  const words = last
    ? say("shownReadings", readings, minutes(first.elapsed), minutes(last.elapsed))
    : say("waitingForReading");
  setText("chart-words", words);
  if (!hasCharts()) return;
  const window = run.window(expected, isLast), seen = isZoomed && graph ? graph.xAxisRange() : window;
  const rows = last ? run.readings.rows(...seen, Math.max(200, byId("chart").clientWidth), gap) : [];
  const file = rows.length ? rows : [[window[0], null], [window[1], null]];
  const isFitted = byId("fit").checked;
  const valueRange = rateRange(isFitted ? run.rates(expected, window) : [], isFitted);
  if (!graph) graph = made(file, window, valueRange, axis);
  else if (!glides(rows)) graph.updateOptions(isZoomed ? { file } : { file, dateWindow: window, valueRange });
  else if (!isZoomed) graph.updateOptions({ dateWindow: window, valueRange }, true);
}

const made = (file, dateWindow, valueRange, axis) =>
  new Dygraph(
    byId("chart"),
    file,
    options({
      labels: ["elapsed", "measured"],
      dateWindow,
      valueRange,
      underlayCallback: underlay,
      xlabel: say(axis.isClock ? "clockAxis" : "elapsedAxis"),
      axes: axes((from, to, pixels) => shown.axis.ticks(from, to, pixels)),
      ...pointing(([elapsed, bpm]) => {
        handlers.picked(elapsed);
        return say("valueAt", shown.axis.label(elapsed), rate(bpm));
      }),
      // Of the part that is shown, every reading is drawn that can be told from the next.
      zoomCallback: () => {
        isZoomed = graph ? graph.isZoomed() : true;
        handlers.zoomed();
      },
    }),
  );

const looks = {
  step: { lineWidth: 1.5, dash: [4, 4], words: "quiet" },
  stimulus: { lineWidth: 2.5, dash: [], words: "stimulus" },
  note: { lineWidth: 1.5, dash: [1, 3], words: "note" },
};

const underlay = (context, area, graph) =>
  within(context, area, () => {
    for (const curve of shown.expected) drawCurve(context, graph, curve, "expected", [7, 5]);
    const marks = shown.run.events.flatMap((event) => {
      const mark = chartMark(event, (step) => shown.run.titleOf(step));
      return mark ? [{ ...mark, x: Math.round(graph.toDomXCoord(event.elapsed)) + .5 }] : [];
    });
    for (const { kind, x } of marks) {
      context.strokeStyle = colour(kind);
      context.lineWidth = looks[kind].lineWidth;
      context.setLineDash(looks[kind].dash);
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
    }
    context.setLineDash([]);
    drawMarkWords(context, area, marks);
  });

// A name that would cover others is left out; the table has them all.
function drawMarkWords(context, area, marks) {
  context.font = "13px system-ui, sans-serif";
  const places = marks.map(({ words, x }) => ({ x, width: context.measureText(words).width }));
  wordRows(places).forEach((row, index) => {
    if (row === undefined) return;
    const { x, width } = places[index], { kind, words } = marks[index];
    context.fillStyle = colour("surface");
    context.fillRect(x + 2, area.y + 2 + row * 17, width + 6, 16);
    context.fillStyle = colour(looks[kind].words);
    context.fillText(words, x + 5, area.y + 14 + row * 17);
  });
}

// The newest value comes gliding from the one before it, and jumps where somebody asked for less motion, or
// where the way is too short to be seen. Returns whether the rows are drawn on the way.
function glides(rows) {
  const [from, to] = rows.slice(-2), newest = to && to[0];
  const isNext = glide !== null && newest > glide && newest - glide < gap && from && from[1] !== null;
  const isNew = newest !== glide;
  glide = newest ?? null;
  if (!isNext || isStill() || document.hidden || !isFar(from, to)) return !isNew && isGliding;
  const begun = performance.now(), long = 200;
  isGliding = true;
  const step = (time) => {
    if (glide !== newest || !graph) return;
    const share = Math.min(1, Math.max(0, time - begun) / long), eased = 1 - (1 - share) ** 2;
    const at = from.map((value, index) => value + (to[index] - value) * eased);
    graph.updateOptions({ file: share < 1 ? [...rows.slice(0, -1), at] : rows });
    isGliding = share < 1;
    // Few pictures are enough for so short a way, and each is a whole chart.
    if (isGliding) setTimeout(() => requestAnimationFrame(step), 70);
  };
  requestAnimationFrame(step);
  return true;
}

const isFar = (from, to) =>
  Math.hypot(
    graph.toDomXCoord(to[0]) - graph.toDomXCoord(from[0]),
    graph.toDomYCoord(to[1]) - graph.toDomYCoord(from[1]),
  ) >= 4;

// About what was measured: the middle of an empty chart would lead away from the data.
function zoom(factor) {
  if (!graph) return;
  isZoomed = true;
  const [from, to] = graph.xAxisRange();
  const seen = shown.run.readings.extent(from, to) || { low: 105, high: 105, first: from, last: to };
  const [low, high] = scaled(graph.yAxisRange(), factor, (seen.low + seen.high) / 2);
  graph.updateOptions({
    dateWindow: scaled([from, to], factor, (seen.first + seen.last) / 2),
    valueRange: [Math.max(0, low), Math.min(300, high)],
  });
  handlers.zoomed();
}
byId("zoom-in").addEventListener("click", () => zoom(.5));
byId("zoom-out").addEventListener("click", () => zoom(2));

new ResizeObserver(() => {
  if (graph) graph.resize();
}).observe(byId("chart"));
