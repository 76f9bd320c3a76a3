// The page of a day.
import { clockOf, csvPathOf, hourRows, originWords, pathOf, summaryWords } from "../Computing/days.mjs";
import { describe } from "../Computing/events.mjs";
import { say } from "../Computing/language.mjs";
import { longDate, moved } from "../Computing/times.mjs";
import { rate } from "../Computing/units.mjs";
import {
  beginCalendar,
  show,
  showAddress,
  showAgain,
  shownDay,
  showStale,
  showWanted,
  visit,
} from "./calendar.mjs";
import { now, setClock } from "./clock.mjs";
import { drawDayChart, recolourChart, showWholeDay, unpin, whenChartIsDrawn } from "./dayChart.mjs";
import { closeDetails, drawLane } from "./lane.mjs";
import { beginLayers } from "./layers.mjs";
import "./moving.mjs";
import { showFields } from "./noteFields.mjs";
import { drawNoteTime } from "./noteForm.mjs";
import { byId, fillTable, rememberBox, setText, whenColoursChange, whenUnitsChange } from "./page.mjs";
import { drawParticipants, drawRemoval } from "./people.mjs";
import { listenToAll } from "./server.mjs";
import { beginSides, forgetAhead, redrawSides } from "./sides.mjs";

let taken = null;

function takeDay(day) {
  // Details stay open while their day is only read again.
  const path = pathOf(day.date, visit.participant);
  if (path !== taken) byId("details").close();
  taken = path;
  byId("csv").href = csvPathOf(day.date, visit.participant);
  byId("date").max = day.today;
  drawRemoval();
  drawDay(day);
}

function drawDay(day) {
  byId("date").value = day.date;
  drawWords(day);
  drawFigures(day);
  drawNoteTime();
  drawDayChart(day);
  drawLane();
  fillTable("hours", hourRows(day));
  fillTable("events", day.events.map((event) => [clockOf(day, event.t), describe(event)]));
  placeWords(day);
}

function drawWords(day) {
  const date = longDate(day.date);
  setText("day", day.date === day.today ? say("isToday", date) : date);
  byId("chart").setAttribute("aria-label", say("chartOfDay", date));
  byId("chart").removeAttribute("aria-busy");
  byId("origins").hidden = !day.origins;
  setText("origins", originWords(day));
  byId("legend-minutes").hidden = Boolean(day.people);
  byId("legend-forecast").hidden = !day.forecast;
  setText("chart-words", summaryWords(day));
}

// What the day comes to, in figures; the mean of several hearts is nobody's.
function drawFigures({ summary, people, forecast }) {
  byId("figures").hidden = !summary;
  if (!summary) return;
  byId("figure-mean").parentElement.hidden = Boolean(people);
  setText("figure-mean", rate(summary.mean));
  setText("figure-range", `${rate(summary.minimum)}–${rate(summary.maximum)}`);
  byId("figure-next").hidden = !forecast;
  if (forecast) setText("figure-forecast", `${rate(forecast[30][2])}–${rate(forecast[30][3])}`);
}

// Words about an empty day stand where its curve would be.
function placeWords({ summary }) {
  const chart = byId("chart"), words = byId("chart-words");
  words.parentElement.toggleAttribute("data-blank", !summary);
  words.style.top = summary ? "" : `${chart.offsetTop + chart.offsetHeight * .3}px`;
}

function redraw() {
  if (!shownDay()) return;
  drawDay(shownDay());
  redrawSides();
}

beginCalendar(takeDay);
beginSides((days) => show(moved(visit.date, days)));
beginLayers(redraw);
whenChartIsDrawn(drawLane);
rememberBox(byId("fit"), "fit", redraw, true);
byId("today").addEventListener("click", () => show(null));
byId("date").addEventListener("change", () => {
  if (byId("date").value) show(byId("date").value);
});
byId("participant").addEventListener("change", () => {
  visit.participant = byId("participant").value;
  show(visit.date);
});
byId("whole-day").addEventListener("click", () => {
  showWholeDay();
  redraw();
  byId("chart").focus();
});
byId("again").addEventListener("click", showWanted);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  closeDetails();
  unpin();
});
addEventListener("popstate", showAddress);
addEventListener("resize", () => requestAnimationFrame(redraw));
whenUnitsChange(() => {
  showFields();
  showAgain();
});
whenColoursChange(() => {
  recolourChart();
  redraw();
});

// Whoever looks at today goes on to the next day with it.
function passMidnight() {
  const day = shownDay();
  // What somebody is writing down is about the day that they see.
  const isWriting = byId("note").contains(document.activeElement);
  if (day && day.date === day.today && visit.date === day.date && now() >= day.end && !isWriting) show(null);
}
setInterval(() => {
  if (byId("details").open) return;
  passMidnight();
  showStale();
}, 5000);

const outdate = ({ t }) => visit.outdateBy(t, shownDay());
// What somebody has noted is shown at once.
function takeNote({ t }) {
  const day = shownDay();
  if (!day || t < day.start || t >= day.end) return;
  visit.isStale = true;
  showStale();
}
drawParticipants();
show(visit.date, { isNew: false });
listenToAll({
  clock: (told) => {
    setClock(told);
    visit.outdate();
  },
  heartRate: outdate,
  event: outdate,
  session: (data) => {
    outdate(data);
    drawParticipants();
  },
  deleted: () => {
    visit.outdate();
    forgetAhead();
    drawParticipants(true);
    showStale();
  },
  note: takeNote,
  noteChanged: takeNote,
});
