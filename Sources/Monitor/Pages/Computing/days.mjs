// One day of the history, as the monitor tells it: its hours with their offsets from UTC, its readings as
// minutes of [time, mean, lowest, highest], its events, and its forecast.
import { rateRange, secondTicks } from "./axes.mjs";
import { merged, withGaps } from "./curves.mjs";
import { counted, say } from "./language.mjs";
import { clockAt } from "./times.mjs";
import { rate, rateLabel } from "./units.mjs";

// Readings so many seconds apart are not joined; watches take one every few minutes.
export const silence = 900;

// What the clock of the monitor's machine showed at a moment of that day, which may have changed on it.
export function clockOf(day, time, hasSeconds = false) {
  const { offset } = day.hours.findLast(({ t }) => t <= time) || day.hours[0];
  return clockAt(time, offset, hasSeconds);
}

// The moments at which that clock showed hours and minutes, perhaps with seconds: none where the clock jumped
// over them, and two where it was set back.
export function momentsOf(day, text) {
  const [hour, minute, second = 0] = text.split(":").map(Number), [first] = day.hours;
  const midnight = Math.floor((first.t + first.offset) / 86_400) * 86_400;
  const shown = midnight + hour * 3600 + minute * 60 + second;
  return [...new Set(day.hours.map(({ offset }) => offset))]
    .map((offset) => shown - offset)
    .filter((t) => clockOf(day, t, true) === clockAt(shown, 0, true));
}

// The addresses of a day: for the page, as a table, and of the page itself.
export const pathOf = (date, participant) =>
  `/api/days/${date || "today"}${participant ? `?participant=${encodeURIComponent(participant)}` : ""}`;
export const csvPathOf = (date, participant) => pathOf(`${date}/heart-rate.csv`, participant);
export const addressOf = (date, participant) =>
  `/history?date=${date}${participant ? `&participant=${encodeURIComponent(participant)}` : ""}`;

// All rates of the day, and of the days beside it, for a scale that is fitted to them.
export const rangeOf = (day, hasExpected, isFitted, beside = []) =>
  rateRange([
    ...[day.heartRate, ...(hasExpected ? day.expected : [])].flat().flatMap(([, , low, high]) => [low, high]),
    ...beside.flatMap(({ summary }) => summary ? [summary.minimum, summary.maximum] : []),
  ], isFitted);

// Its bands, each as a name with its lowest and its highest rate.
export const bandsOf = ({ low, high }) => [["low", 0, low], ["normal", low, high], ["high", high, 300]];

// The rate at a moment, straight between its neighbours; null where none of them is near.
export function rateAt({ heartRate }, time) {
  const isNear = (point) => point && Math.abs(point[0] - time) <= silence;
  const next = heartRate.findIndex(([other]) => other >= time);
  const [before, after] = next < 0 ? [heartRate.at(-1)] : [heartRate[next - 1], heartRate[next]];
  if (isNear(before) && isNear(after)) {
    return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
  }
  return isNear(before) ? before[1] : isNear(after) ? after[1] : null;
}

// A sitting is shorter than that, s, and is shown with so much around it.
const longestSitting = 4 * 3600, around = 300;

// The part of a day in which all of it was measured, if that is one sitting; null otherwise, and while the day goes on.
export function sittingOf({ heartRate, start, end, date, today }) {
  if (!heartRate.length || date === today) return null;
  const [first, last] = [heartRate[0][0], heartRate.at(-1)[0]];
  if (last - first > longestSitting) return null;
  return [Math.max(start, first - around), Math.min(end, last + around)];
}

// The part of a day that an address asks for, as two times of its clock; null if it asks for none.
export function askedPart(day, query) {
  const moment = (text) => text === "24:00" ? day.end : momentsOf(day, text)[0];
  const texts = [query.get("from"), query.get("to")];
  if (!texts.every((text) => /^\d\d:\d\d$/.test(text))) return null;
  const [from, to] = texts.map(moment);
  return from < to && from >= day.start && to <= day.end ? [from, to] : null;
}

// Every six hours of the whole day; of a part, round times as close as they are legible.
export function hourTicks(day, from, to, pixels) {
  if (to - from > 20 * 3600) {
    return day.hours.filter(({ label }) => /^(00|06|12|18|24):00$/.test(label)).map(({ t, label }) => ({
      v: Math.min(t, day.end - 1),
      label,
    }));
  }
  const { t: origin } = day.hours.findLast(({ t }) => t <= from) || day.hours[0];
  return secondTicks(from, to, pixels, {
    origin,
    format: (seconds) => clockOf(day, origin + seconds, to - from < 240),
  });
}

// Each hour that has readings, with their lowest, mean and highest rate; the mean of several hearts is nobody's.
export function hourRows({ hours, heartRate, people }) {
  return hours.slice(0, -1).flatMap((hour, index) => {
    const minutes = heartRate.filter(([time]) => time >= hour.t && time < hours[index + 1].t);
    if (!minutes.length) return [];
    const mean = minutes.reduce((sum, minute) => sum + minute[1], 0) / minutes.length;
    return [[
      hour.label,
      rate(Math.min(...minutes.map((minute) => minute[2]))),
      people ? "–" : rate(mean),
      rate(Math.max(...minutes.map((minute) => minute[3]))),
    ]];
  });
}

// The rows of the day's chart. The mean of several hearts is nobody's: each has a line. One alone has its
// lowest and highest of each minute around it. The day has its ends, however little of it was measured.
export function chartRows(day) {
  const people = day.people || [null], none = Array(people.length).fill(null);
  const one = () =>
    withGaps(day.heartRate.map(([time, mean, low, high]) => [time, [low, mean, high]]), silence);
  const rows = people.length === 1 ? one() : merged(people.map(({ heartRate }) => heartRate), silence);
  return [[day.start, ...none], ...rows, [day.end, ...none]];
}

const personName = ({ name, source, origin }) =>
  [name || say("withoutName"), source !== name && source, origin && `(${say(`origin_${origin}`)})`].filter(
    Boolean,
  ).join(" ");

// The names of the chart's lines.
export const lineNames = ({ people }) => (people || [{}]).map(personName);

// How long the rate was in the outer bands.
function bandWords({ heartRate, limits: { low, high } }) {
  const many = (isSo) => heartRate.filter(([, mean]) => isSo(mean)).length;
  const isLow = (mean) => mean < low, isHigh = (mean) => mean > high;
  return say("dayBands", rateLabel(low), many(isLow), rateLabel(high), many(isHigh), heartRate.length);
}

export function summaryWords(day) {
  const { summary, people, forecast } = day;
  if (!summary) return say("noReadingsThatDay");
  const { minimum, mean, maximum } = summary, readings = counted(summary.count, "reading");
  if (people) return say("peopleSummary", people.length, readings, rate(minimum), rate(maximum));
  const ahead = forecast ? [say("dayForecast", rate(forecast[30][2]), rateLabel(forecast[30][3]))] : [];
  return [say("daySummary", readings, rate(minimum), rate(mean), rate(maximum)), bandWords(day), ...ahead]
    .join(" ");
}

export const originWords = ({ origins }) =>
  origins ? say("notOnlyPeople", origins.map((origin) => say(`origin_${origin}`)).join(", ")) : "";

// What a row of the day's chart says.
export function valueWords(day, [time, ...values]) {
  const names = lineNames(day), clock = clockOf(day, time);
  if (names.length === 1) {
    const [low, mean, high] = values[0].map((value) => rate(value));
    return say("valueAt", clock, low === high ? mean : `${mean} (${low}–${high})`);
  }
  const known = names.flatMap((name, index) =>
    Number.isFinite(values[index]) ? [`${name} ${rateLabel(values[index])}`] : []
  );
  return `${clock}: ${known.join(", ")}`;
}
