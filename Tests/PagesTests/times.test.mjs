import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockAt,
  dateAndClockAt,
  dateAndTime,
  longDate,
  minutes,
  momentBy,
  moved,
  offsetAt,
  shortDate,
  since,
} from "../../Sources/Monitor/Pages/Computing/times.mjs";
import { space } from "./spoken.mjs";

// 2026-11-21 12:00:00 UTC.
const noon = 1_795_262_400;

test("shows lengths of time as minutes and seconds, with hours where there are any", () => {
  const known = [
    [0, "0:00"],
    [5, "0:05"],
    [59.4, "0:59"],
    [59.5, "1:00"],
    [750, "12:30"],
    [3600, "1:00:00"],
    [3723, "1:02:03"],
    [360_000, "100:00:00"],
  ];
  for (const [seconds, words] of known) assert.equal(minutes(seconds), words);
});

test("shows time before the beginning with a minus, and none at zero", () => {
  assert.equal(minutes(-5), "−0:05");
  assert.equal(minutes(-.4), "0:00");
  assert.equal(minutes(-.5), "−0:01");
});

test("shows how long ago something was in the largest unit of which there are two", () => {
  const known = [
    [0, "0 s"],
    [.9, "0 s"],
    [119.9, "119 s"],
    [120, "2 min"],
    [7199, "119 min"],
    [7200, "2 h"],
    [172_799, "47 h"],
    [172_800, "2 d"],
    [864_000, "10 d"],
  ];
  for (const [seconds, words] of known) assert.equal(since(seconds), words.replace(" ", space));
});

test("shows the clock of another place", () => {
  assert.equal(clockAt(noon, 0), "12:00:00");
  assert.equal(clockAt(noon + 59.9, 3600), "13:00:59");
  assert.equal(clockAt(noon, -13 * 3600, false), "23:00");
  assert.equal(dateAndClockAt(noon, -13 * 3600), "2026-11-20 23:00");
  assert.match(dateAndTime(noon, 12 * 3600, "en-GB"), /^22 Nov 2026, 00:00/);
});

test("moves over ends of months and years, and over days without a noon of their own", () => {
  assert.equal(moved("2026-12-31", 1), "2027-01-01");
  assert.equal(moved("2028-03-01", -1), "2028-02-29");
  assert.equal(moved("2026-03-01", -1), "2026-02-28");
  // Summer time begins and ends.
  assert.equal(moved("2026-03-29", 1), "2026-03-30");
  assert.equal(moved("2026-10-25", -1), "2026-10-24");
  assert.equal(moved("2026-11-21", 0), "2026-11-21");
});

test("names a date as a calendar does, whatever time zone the device is in", () => {
  assert.match(longDate("2026-11-21", "en-GB"), /^Saturday,? 21 November 2026$/);
  assert.equal(shortDate("2026-01-01", "en-US"), "Jan 1");
});

test("the comparison with the shortest way tells the moment", () => {
  const comparisons = [
    { asked: 0, answered: 400, now: 100 },
    { asked: 1000, answered: 1040, now: 101 },
    { asked: 2000, answered: 2200, now: 107 },
  ];
  // The clock said 101 s at 1020 ms of this page.
  const { pressed, uncertainty } = momentBy(comparisons, 520);
  assert.ok(Math.abs(pressed - 100.5) < 1e-9);
  assert.ok(Math.abs(uncertainty - .02) < 1e-9);
});

test("shows a time with the offset that the clock had then", () => {
  const offsets = [{ t: 0, offset: 3600 }, { t: noon - 7200, offset: 7200 }, { t: noon, offset: 3600 }];
  const shown = [-7201, -7200, -1, 0].map((second) =>
    clockAt(noon + second, offsetAt(noon + second, offsets))
  );
  assert.deepEqual(shown, ["10:59:59", "12:00:00", "13:59:59", "13:00:00"]);
  assert.equal(offsetAt(noon, []), 0);
});
