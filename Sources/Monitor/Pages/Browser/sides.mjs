// The days beside the shown one.
import { rateTicks } from "../Computing/axes.mjs";
import { originWords, pathOf, silence, summaryWords } from "../Computing/days.mjs";
import { joined, say } from "../Computing/language.mjs";
import { longDate, moved, shortDate } from "../Computing/times.mjs";
import { rate } from "../Computing/units.mjs";
import { drawBands, drawCircle, drawLimits } from "./dayCanvas.mjs";
import { chartArea, setBeside, shownDay, shownRange } from "./dayChart.mjs";
import { isOn } from "./layers.mjs";
import { byId, colour, element } from "./page.mjs";
import { get } from "./server.mjs";

const sizes = ["near", "middle", "far"];
// The days by their paths: a day that is moved to is drawn at once, and then read again.
let ahead = new Map();
// What is done to go so many days on from the shown day.
let go = () => {};

export function beginSides(own) {
  go = own;
}

export const dayAhead = (path) => ahead.get(path);
export function forgetAhead() {
  ahead = new Map();
}

// Reads and draws the days beside that of a visit; returns whether all could be read.
export async function drawSides(visit) {
  const path = (date) => pathOf(date, visit.participant), shown = path(visit.date);
  let areAllRead = true;
  // A day that cannot be read now stays as it was read before.
  const read = async (days) => {
    const date = moved(visit.date, days), known = path(date);
    try {
      return await get(known);
    } catch {
      areAllRead = false;
      return ahead.get(known);
    }
  };
  const sides = async (direction) => {
    const days = await Promise.all(sizes.map((_, index) => read(direction * (index + 1))));
    return days.flatMap((day, index) =>
      day ? [{ day, size: sizes[index], days: direction * (index + 1) }] : []
    );
  };
  const [before, after] = await Promise.all([sides(-1), sides(1)]);
  if (shown !== path(visit.date)) return true;
  ahead = new Map([...before, ...after].map(({ day }) => [path(day.date), day]));
  put(before.reverse(), after);
  return areAllRead;
}

// Before the first days are there, empty places hold their room, so that the chart does not move when they come.
export function holdRoom({ date, today }) {
  if (byId("before").childElementCount) return;
  const place = (size) => element("span", { class: `side ${size}` }, "\u00a0");
  byId("before").replaceChildren(...sizes.map(place).reverse());
  byId("after").replaceChildren(...sizes.filter((_, index) => moved(date, index + 1) <= today).map(place));
}

function put(before, after) {
  const at = document.activeElement;
  const held = at.matches(".side") ? `#${at.parentElement.id} .${at.className.split(" ").pop()}` : null;
  byId("before").replaceChildren(...before.map(side));
  byId("after").replaceChildren(...after.map(side));
  setBeside([...before, ...after].map(({ day }) => day));
  redrawSides();
  if (held && document.querySelector(held)) document.querySelector(held).focus();
}

function side({ day, size, days }) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  canvas.day = day;
  const [minimum, maximum, mean] = day.summary
    ? ["minimum", "maximum", "mean"].map((key) => rate(day.summary[key]))
    : [];
  // The mean of several hearts is nobody's.
  const means = day.people ? say("peopleCount", day.people.length) : `⌀ ${mean}`;
  const figures = day.summary ? [`${minimum}–${maximum}`, means] : ["–", "\u00a0"];
  const about = day.people ? summaryWords(day) : say("summary", minimum, maximum, mean);
  const words = day.summary ? joined(about, originWords(day)) : say("noReadings");
  const origins = (day.origins || []).map((origin) => say(`origin_${origin}`));
  const button = element(
    "button",
    {
      type: "button",
      class: `side${day.date > day.today ? " future" : ""} ${size}`,
      "data-date": day.date,
      "aria-label": `${longDate(day.date)}: ${words}`,
    },
    element("span", {}, shortDate(day.date)),
    canvas,
    ...[...figures, ...origins].map((figure) => element("span", {}, figure)),
  );
  button.addEventListener("click", () => go(days));
  return button;
}

// Beside the main day, the days stand as high as its chart: the same rate is at the same height.
export function redrawSides() {
  const area = chartArea(), chart = byId("chart").getBoundingClientRect();
  for (const canvas of document.querySelectorAll(".side canvas")) {
    const side = canvas.parentElement.getBoundingClientRect();
    const isBeside = area && (side.right <= chart.left || side.left >= chart.right);
    canvas.style.height = isBeside ? `${area.h}px` : "";
    canvas.style.flex = isBeside ? "none" : "";
    // The date stands over its day.
    const date = canvas.previousElementSibling;
    date.style.marginTop = "";
    if (isBeside) {
      date.style.marginTop = `${Math.max(0, chart.top + area.y - canvas.getBoundingClientRect().top)}px`;
    }
    drawSide(canvas);
  }
}

// A day seen from the side: the bands and ticks of the main day, its own line, and a bar.
function drawSide(canvas) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d"), [lowest, highest] = shownRange(), room = width - 16;
  context.scale(ratio, ratio);
  const y = (rate) =>
    height - (Math.min(highest, Math.max(lowest, rate)) - lowest) / (highest - lowest) * height;
  drawGround(context, room, y);
  const { day } = canvas, { summary, people } = day;
  for (const { heartRate } of people || [day]) drawLine(context, { ...day, heartRate }, room, y);
  if (summary) drawBar(context, people ? { ...summary, mean: null } : summary, width - 7, y);
}

function drawGround(context, room, y) {
  const { limits } = shownDay();
  if (isOn("bands")) drawBands(context, 0, room, y, limits);
  context.fillStyle = colour("grid");
  for (const { v } of rateTicks(...shownRange())) context.fillRect(0, Math.round(y(v)), room, 1);
  if (isOn("bands")) drawLimits(context, 0, room, y, limits);
}

function drawLine(context, { heartRate, start, end }, room, y) {
  context.beginPath();
  let previous = null;
  for (const [time, mean] of heartRate) {
    const x = (time - start) / (end - start) * room;
    if (previous === null || time - previous > silence) context.moveTo(x, y(mean));
    else context.lineTo(x, y(mean));
    previous = time;
  }
  context.strokeStyle = colour("measured");
  context.lineWidth = 1.2;
  context.stroke();
}

// From the lowest to the highest, with a circle at the mean, if there is one.
function drawBar(context, { minimum, mean, maximum }, middle, y) {
  const low = y(minimum), high = y(maximum);
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(middle, high);
  context.lineTo(middle, low);
  for (const end of [low, high]) {
    context.moveTo(middle - 5, end);
    context.lineTo(middle + 5, end);
  }
  context.stroke();
  if (mean !== null) drawCircle(context, middle, y(mean), 4, colour("measured"));
}
