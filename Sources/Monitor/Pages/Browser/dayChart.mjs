// The chart of the day.
import { top } from "../Computing/axes.mjs";
import {
  askedPart,
  chartRows,
  clockOf,
  hourTicks,
  lineNames,
  rangeOf,
  rateAt,
  sittingOf,
  valueWords,
} from "../Computing/days.mjs";
import { markerOf } from "../Computing/events.mjs";
import { say } from "../Computing/language.mjs";
import { grouped } from "../Computing/layout.mjs";
import {
  axes,
  colours,
  drawCurve,
  hasCharts,
  linePlotters,
  options,
  pointing,
  recolour,
  within,
} from "./charts.mjs";
import { drawBandNames, drawBands, drawCircle, drawDotted, drawLimits } from "./dayCanvas.mjs";
import { isOn } from "./layers.mjs";
import { byId, colour, element, put } from "./page.mjs";

let day = null, graph = null, range = [0, top];
// Whether a part of the day is shown, the names of the lines that the chart was made for, and the day that
// was drawn last.
let isZoomed = false, names = "", drawnDay = null;
let changed = () => {}, picked = () => {};
// Where the events stand on the curve.
let circles = [];
// The part of the day that is shown without being asked for, and the moment that was pressed.
let usual = null, pinned = null, isKeeping = false;

// What is done when the chart shows another part of the day.
export function whenChartIsDrawn(handle) {
  changed = handle;
}

// What is done with an event whose circle on the curve was pressed.
export function whenEventIsPicked(handle) {
  picked = handle;
}

// The days beside it, which have the same scale.
let beside = [];
export function setBeside(days) {
  beside = days;
  if (day) drawDayChart(day);
}

export const shownDay = () => day;
export const shownRange = () => range;
export const chartArea = () => graph && graph.getArea();

// Where a moment of the day lies across; without a chart, on a strip of that width.
export const placeOf = (time, width) =>
  graph ? graph.toDomXCoord(time) : (time - day.start) / (day.end - day.start) * width;

// The markers of the day's events, as far as they are shown, by where moments lie across; a finger needs
// larger ones.
export function markers(x) {
  const size = matchMedia("(pointer: coarse)").matches ? 44 : 30;
  return grouped(day.events, { x, width: byId("lane").clientWidth, size });
}

// The moment that is chosen in the chart, if one is.
export function chosenMoment() {
  if (pinned !== null) return pinned;
  const row = graph ? graph.getSelection() : -1;
  return row >= 0 ? graph.getValue(row, 0) : null;
}

export const recolourChart = () => recolour(graph, lineColours);

// Begins anew, for other lines.
function resetChart() {
  if (graph) graph.destroy();
  graph = null;
}

export function showWholeDay() {
  isZoomed = false;
}

export function drawDayChart(shown) {
  day = shown;
  range = rangeOf(day, isOn("expected"), byId("fit").checked, beside);
  if (!hasCharts()) return;
  const lines = lineNames(day);
  drawPeople(day.people ? lines : null);
  if (names !== lines.join("\n")) resetChart();
  names = lines.join("\n");
  const file = chartRows(day), part = partToShow();
  if (graph) {
    graph.updateOptions({ file, valueRange: range, axes: axes(ticks), ...(part && { dateWindow: part }) });
    return;
  }
  graph = made(file, lines, part || [day.start, day.end]);
  // The handles of the day in small are pictures; the chart's words say what is in it.
  for (const handle of byId("chart").querySelectorAll("img")) handle.alt = "";
  drawn(graph);
}

// The part of the day to show; null if what is shown stays. A day opens at what its address asks for, or at its sitting.
function partToShow() {
  const whole = [day.start, day.end];
  if (drawnDay === day.date) return isZoomed && graph ? null : whole;
  drawnDay = day.date;
  unpin();
  usual = sittingOf(day) || whole;
  return askedPart(day, new URLSearchParams(location.search)) || usual;
}

// The part that somebody has chosen stands in the address, so that a link leads to it.
function keepPart() {
  isKeeping = false;
  if (!graph || !day) return;
  const shown = graph.xAxisRange(), query = new URLSearchParams(location.search);
  const isUsual = shown.every((moment, index) => Math.abs(moment - usual[index]) < 60);
  const text = (moment) => moment > day.end - 30 ? "24:00" : clockOf(day, moment);
  if (!isUsual) query.set("date", day.date);
  ["from", "to"].forEach((name, index) => isUsual ? query.delete(name) : query.set(name, text(shown[index])));
  const address = `${location.pathname}${query.size ? `?${query}` : ""}`.replaceAll("%3A", ":");
  if (address !== location.pathname + location.search) history.replaceState(history.state, "", address);
}

// A moment that was pressed is that of the next note.
function pin(moment) {
  pinned = moment;
  const name = byId("add-here").querySelector(".name");
  put(name, moment === null ? say("addEvent") : say("addEventAt", clockOf(day, moment)));
  if (graph) graph.updateOptions({});
}
export function unpin() {
  if (pinned !== null) pin(null);
}

const lineColours = () => ({
  ...colours(),
  ...(day.people ? { colors: day.people.map((_, index) => colour(`person-${index % 8 + 1}`)) } : {}),
  rangeSelectorPlotStrokeColor: colour("measured"),
  rangeSelectorPlotFillColor: colour("sunken"),
  rangeSelectorPlotFillGradientColor: colour("sunken"),
  rangeSelectorBackgroundStrokeColor: colour("line"),
  rangeSelectorForegroundStrokeColor: colour("edge"),
});

const ticks = (from, to, pixels) => hourTicks(day, from, to, pixels);

function made(file, lines, dateWindow) {
  const { errorPlotter, linePlotter } = Dygraph.Plotters, isOne = lines.length === 1;
  return new Dygraph(
    byId("chart"),
    file,
    options({
      labels: ["time", ...lines],
      ...lineColours(),
      connectSeparatedPoints: !isOne,
      customBars: isOne,
      valueRange: range,
      dateWindow,
      underlayCallback: underlay,
      strokeWidth: 1.75,
      plotter: isOne ? [errorPlotter, ...linePlotters()] : [linePlotter],
      axes: axes(ticks),
      ...selector(),
      ...pointing((row) => valueWords(day, row), { isFixed: true, drawn }),
    }),
  );
}

// Where there is room, the day in small below its chart: its handles choose the minutes that are shown.
const selector = () =>
  matchMedia("(min-width: 46rem) and (min-height: 40rem)").matches
    ? {
      showRangeSelector: true,
      rangeSelectorHeight: 32,
      rangeSelectorPlotLineWidth: 1,
      rangeSelectorForegroundLineWidth: 1,
      rangeSelectorAlpha: .6,
    }
    : {};

function drawn(drawnGraph) {
  if (graph !== drawnGraph || !day) return;
  const [from, to] = graph.xAxisRange();
  isZoomed = from > day.start + 1 || to < day.end - 1;
  byId("whole-day").hidden = !isZoomed;
  // While a handle is drawn along, the address waits.
  if (!isKeeping) setTimeout(keepPart, 400);
  isKeeping = true;
  changed(day);
}

function drawPeople(names) {
  const key = (index) => element("span", { class: `key person person-${index % 8 + 1}` });
  byId("people").replaceChildren(...(names || []).map((name, index) => element("li", {}, key(index), name)));
  byId("people").hidden = !names;
}

const underlay = (context, area, graph) =>
  within(context, area, () => {
    const y = (rate) => graph.toDomYCoord(rate);
    if (isOn("bands")) {
      drawBands(context, area.x, area.w, y, day.limits);
      drawLimits(context, area.x, area.w, y, day.limits);
    }
    if (isOn("expected")) {
      for (const curve of day.expected) drawCurve(context, graph, curve, "expected", [7, 5]);
    }
    if (isOn("forecast") && day.forecast) drawCurve(context, graph, day.forecast, "forecast", [2, 4]);
    if (isOn("events")) drawEvents(context, area, (time) => graph.toDomXCoord(time), y);
    if (isOn("bands")) drawBandNames(context, area, y, day.limits);
    if (pinned !== null) {
      drawDotted(context, colour("note"), graph.toDomXCoord(pinned), area.y, area.y + area.h);
    }
  });

// Each event stands on the curve where it was; from one that has a marker of its own, a dotted line leads
// down to it.
function drawEvents(context, area, x, y) {
  const alone = new Set(markers(x).flatMap(({ events }) => events.length === 1 ? events : []));
  // Several people have several curves: an event is then on none.
  const places = day.events.map((event) => {
    const rate = day.people ? null : rateAt(day, event.t);
    const stroke = colour(markerOf(event).colour);
    return { event, x: x(event.t), y: rate === null ? null : y(rate), stroke };
  });
  for (const { event, x, y, stroke } of places) {
    if (alone.has(event)) drawDotted(context, stroke, x, y ?? area.y, area.y + area.h);
  }
  circles = places.filter(({ y }) => y !== null);
  for (const { x, y, stroke } of circles) drawCircle(context, x, y, 4.5, stroke);
}

byId("chart").addEventListener("click", ({ clientX, clientY }) => {
  const { left, top } = byId("chart").getBoundingClientRect();
  const far = ({ x, y }) => Math.hypot(left + x - clientX, top + y - clientY);
  const [nearest] = isOn("events") ? circles.toSorted((one, other) => far(one) - far(other)) : [];
  if (nearest && far(nearest) < 14) {
    picked(nearest.event);
    return;
  }
  const area = chartArea(), x = clientX - left, y = clientY - top;
  if (!area || x < area.x || x > area.x + area.w || y < area.y || y > area.y + area.h) return;
  pin(Math.min(day.end - 1, Math.max(day.start, graph.toDataXCoord(x))));
});

new ResizeObserver(() => {
  if (graph) graph.resize();
}).observe(byId("chart"));
