import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  addressOf,
  askedPart,
  bandsOf,
  chartRows,
  clockOf,
  csvPathOf,
  hourRows,
  hourTicks,
  lineNames,
  momentsOf,
  originWords,
  pathOf,
  rangeOf,
  rateAt,
  sittingOf,
  summaryWords,
  valueWords,
} from "../../Sources/Monitor/Pages/Computing/days.mjs";
import { hertz, speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

// The day on which summer time ends in Berlin, in which 02:00 is there twice: 2026-10-25 begins at 22:00 UTC of the day before.
const midnight = 1_792_879_200;
const hours = Array.from({ length: 26 }, (_, index) => ({
  t: midnight + index * 3600,
  offset: index < 3 ? 7200 : 3600,
  label: `${String(index < 3 ? index : index - 1).padStart(2, "0")}:00`,
}));
const dayWith = (minutes, more) => ({
  date: "2026-10-25",
  start: midnight,
  end: midnight + 25 * 3600,
  hours,
  events: [],
  expected: [],
  limits: { low: 60, high: 100 },
  heartRate: minutes.map((
    [minute, mean, low = mean - 2, high = mean + 2],
  ) => [midnight + minute * 60, mean, low, high]),
  ...more,
});

test("shows what the clock showed, on a day on which it was set back", () => {
  const day = dayWith([]);
  assert.equal(clockOf(day, midnight + 90 * 60), "01:30");
  assert.equal(clockOf(day, midnight + 150 * 60), "02:30");
  assert.equal(clockOf(day, midnight + 210 * 60), "02:30");
  assert.equal(clockOf(day, midnight + 240 * 60 + 5, true), "03:00:05");
  // Before its first hour, the offset of that one counts.
  assert.equal(clockOf(day, midnight - 60), "23:59");
});

test("finds the moment of a time that somebody has set, or both, or none", () => {
  const day = dayWith([]);
  assert.deepEqual(momentsOf(day, "01:30"), [midnight + 5400]);
  assert.deepEqual(momentsOf(day, "00:00:07"), [midnight + 7]);
  assert.deepEqual(momentsOf(day, "02:30"), [midnight + 2.5 * 3600, midnight + 3.5 * 3600]);
  assert.deepEqual(momentsOf(day, "23:59"), [midnight + 25 * 3600 - 60]);
  // As the monitor tells of a day on which the clock is set forward at two.
  const ahead = Array.from({ length: 25 }, (_, hour) => ({
    t: midnight + (hour < 3 ? hour : hour - 1) * 3600,
    offset: hour < 2 ? 7200 : 10_800,
  }));
  const forward = dayWith([], { hours: ahead });
  assert.deepEqual(momentsOf(forward, "01:59"), [midnight + 2 * 3600 - 60]);
  assert.deepEqual(momentsOf(forward, "02:30"), []);
  assert.deepEqual(momentsOf(forward, "03:30"), [midnight + 2.5 * 3600]);
});

test("has addresses for days and people with any name", () => {
  assert.equal(pathOf(null, ""), "/api/days/today");
  assert.equal(pathOf("2026-10-25", "P 1&x"), "/api/days/2026-10-25?participant=P%201%26x");
  assert.equal(csvPathOf("2026-10-25", "P1"), "/api/days/2026-10-25/heart-rate.csv?participant=P1");
  assert.equal(addressOf("2026-10-25", ""), "/history?date=2026-10-25");
  assert.equal(addressOf("2026-10-25", "P&1"), "/history?date=2026-10-25&participant=P%261");
});

test("a scale is fitted to the lowest and highest of all minutes, and to what was expected if that is drawn", () => {
  const day = dayWith([[0, 70], [1, 80]], { expected: [[[midnight, 120, 110, 140]]] });
  assert.deepEqual(rangeOf(day, false, true), [55, 95]);
  assert.deepEqual(rangeOf(day, true, true), [60, 145]);
  assert.deepEqual(rangeOf(day, true, false), [0, 240]);
});

test("the bands cover all rates, and meet at the limits", () => {
  assert.deepEqual(bandsOf({ low: 55, high: 130 }), [["low", 0, 55], ["normal", 55, 130], [
    "high",
    130,
    300,
  ]]);
});

test("an event stands on the curve where it was, if readings are near", () => {
  const day = dayWith([[0, 60], [10, 80], [60, 100]]), at = (minute) => rateAt(day, midnight + minute * 60);
  assert.equal(at(0), 60);
  assert.equal(at(2.5), 65);
  // Between two that are far from each other, the near one counts.
  assert.equal(at(20), 80);
  assert.equal(at(50), 100);
  assert.equal(at(70), 100);
  for (const lonely of [-20, 35, 80]) assert.equal(at(lonely), null, `${lonely}`);
  assert.equal(rateAt(dayWith([]), midnight), null);
});

test("a whole day has a tick at every six hours, and one that is within it at its end", () => {
  const ticks = hourTicks(dayWith([]), midnight, midnight + 25 * 3600, 800);
  assert.deepEqual(ticks.map(({ v }) => (v - midnight) / 3600), [0, 7, 13, 19, 25 - 1 / 3600]);
  assert.deepEqual(ticks.map(({ label }) => label), ["00:00", "06:00", "12:00", "18:00", "24:00"]);
  const short = dayWith([], { end: midnight + 24 * 3600 });
  assert.equal(hourTicks(short, midnight, midnight + 24 * 3600, 800).at(-1).v, short.end - 1);
});

test("a part of a day has ticks at round times, with seconds in a small one", () => {
  const labels = (from, to) =>
    hourTicks(dayWith([]), midnight + from, midnight + to, 288).map(({ label }) => label);
  assert.deepEqual(labels(3600, 3 * 3600), ["01:00", "01:30", "02:00", "02:30", "02:00"]);
  assert.deepEqual(labels(3630, 3750), ["01:00:30", "01:01:00", "01:01:30", "01:02:00", "01:02:30"]);
});

test("only hours with readings have a row, with the lowest, the mean and the highest", () => {
  assert.deepEqual(hourRows(dayWith([[0, 60, 50, 70], [59, 70, 65, 95], [185, 80]])), [[
    "00:00",
    "50",
    "65",
    "95",
  ], ["02:00", "78", "80", "82"]]);
  const several = dayWith([[0, 60, 50, 70]], { people: [{ name: "P01" }, { name: "P02" }] });
  assert.deepEqual(hourRows(several), [["00:00", "50", "–", "70"]]);
});

test("a chart of one heart has the range of each minute, a break in each gap, and the ends of the day", () => {
  const day = dayWith([[0, 60], [10, 70], [40, 80]]);
  assert.deepEqual(chartRows(day), [
    [midnight, null],
    [midnight, [58, 60, 62]],
    [midnight + 600, [68, 70, 72]],
    [midnight + 1500, null],
    [midnight + 2400, [78, 80, 82]],
    [day.end, null],
  ]);
});

test("a chart of several hearts has a line for each", () => {
  const people = [{ name: "P01", heartRate: [[midnight, 60]] }, {
    name: "",
    origin: "simulated",
    heartRate: [[midnight, 80], [midnight + 60, 82]],
  }];
  const day = dayWith([], { people });
  assert.deepEqual(chartRows(day), [[midnight, null, null], [midnight, 60, 80], [midnight + 60, null, 82], [
    day.end,
    null,
    null,
  ]]);
  assert.deepEqual(lineNames(day), ["P01", "without a name (simulated)"]);
  assert.equal(valueWords(day, [midnight, 60, 80]), "00:00: P01 60, without a name (simulated) 80");
  assert.equal(valueWords(day, [midnight + 60, null, 82]), "00:01: without a name (simulated) 82");
  assert.equal(valueWords(day, [midnight + 60, 60, NaN]), "00:01: P01 60");
});

test("says a minute with its range, if it has one", () => {
  const day = dayWith([]);
  assert.equal(lineNames(day).length, 1);
  assert.equal(valueWords(day, [midnight + 60, [58, 60, 62]]), "00:01: 60 (58–62) beats per minute");
  assert.equal(valueWords(day, [midnight + 60, [59.6, 60, 60.4]]), "00:01: 60 beats per minute");
});

const summary = { count: 3, minimum: 50, mean: 70.4, maximum: 120 };

test("sums up a day, with the minutes in its outer bands", () => {
  const day = dayWith([[0, 59.9], [1, 60], [2, 100], [3, 101]], { summary });
  assert.equal(
    summaryWords(day),
    "3 readings: minimum 50, mean 70, maximum 120 beats per minute. Minutes below 60: 1, above 100: 1, of 4 with readings.",
  );
  hertz();
  assert.match(summaryWords(day), /mean 1\.17, maximum 2\.00 hertz\. Minutes below 1\.00\u00a0Hz: 1/);
});

test("sums up a forecast by what it says for half an hour from now", () => {
  const forecast = Array.from(
    { length: 61 },
    (_, minute) => [midnight + minute * 60, 70, 70 - minute, 70 + minute],
  );
  assert.match(
    summaryWords(dayWith([[0, 70]], { summary, forecast })),
    / In half an hour 40 to 100 are expected, four times out of five\.$/,
  );
});

test("sums up several people without a mean, and an empty day", () => {
  const people = [{ name: "P01" }, { name: "P02" }];
  assert.equal(
    summaryWords(dayWith([], { summary, people })),
    "2 people, 3 readings: minimum 50, maximum 120 beats per minute.",
  );
  assert.equal(summaryWords(dayWith([])), "No readings on this day.");
});

test("says what is not of people", () => {
  assert.equal(
    originWords({ origins: ["simulated", "replayed"] }),
    "Not only of people: simulated, replayed",
  );
  assert.equal(originWords({}), "");
});

test("ticks of a part are round by the clock of a place that is half an hour off", () => {
  // Midnight in Kolkata is at 18:30 UTC.
  const start = midnight - 3.5 * 3600;
  const day = {
    start,
    end: start + 86_400,
    hours: Array.from({ length: 25 }, (_, hour) => ({ t: start + hour * 3600, offset: 19_800 })),
  };
  const labels = hourTicks(day, start + 3 * 3600, start + 15 * 3600, 432).map(({ label }) => label);
  assert.deepEqual(labels, ["03:00", "05:00", "07:00", "09:00", "11:00", "13:00", "15:00"]);
});

test("a part of less than four minutes has ticks with seconds", () => {
  const first = (to) => hourTicks(dayWith([]), midnight, midnight + to, 288)[0].label;
  assert.deepEqual([first(239), first(240)], ["00:00:00", "00:00"]);
});

const day = {
  date: "2026-11-20",
  today: "2026-12-01",
  start: 1_795_132_800,
  end: 1_795_132_800 + 86_400,
  hours: Array.from({ length: 25 }, (_, index) => ({ t: 1_795_132_800 + index * 3600, offset: 0 })),
};
const measuredAt = (...minutes) => ({
  ...day,
  heartRate: minutes.map((minute) => [day.start + 60 * minute, 70, 60, 80]),
});

test("a past day that was one sitting opens there, and any other as a whole", () => {
  const part = (one) => sittingOf(one)?.map((moment) => (moment - day.start) / 60);
  assert.deepEqual(part(measuredAt(540, 560)), [535, 565]);
  assert.deepEqual(part(measuredAt(2, 10)), [0, 15]);
  assert.equal(part(measuredAt(300, 541)), undefined);
  assert.equal(part(measuredAt()), undefined);
  assert.equal(sittingOf({ ...measuredAt(540), today: day.date }), null);
});

test("an address asks for a part of a day by its clock", () => {
  const part = (query) =>
    askedPart(day, new URLSearchParams(query))?.map((moment) => (moment - day.start) / 60);
  assert.deepEqual(part("from=09:05&to=09:40"), [545, 580]);
  assert.deepEqual(part("from=23:00&to=24:00"), [1380, 1440]);
  for (const query of ["", "from=09:05", "from=9&to=10:00", "from=10:00&to=09:00", "from=25:00&to=26:00"]) {
    assert.equal(part(query), undefined, query);
  }
});
