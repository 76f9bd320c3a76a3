import assert from "node:assert/strict";
import { test } from "node:test";
import {
  rateRange,
  rateTicks,
  scaled,
  secondTicks,
  timeAxis,
  top,
} from "../../Sources/Monitor/Pages/Computing/axes.mjs";
import { minutes } from "../../Sources/Monitor/Pages/Computing/times.mjs";
import { hertz, speakIn } from "./spoken.mjs";

const labels = (ticks) => ticks.map(({ label }) => label);
const places = (ticks) => ticks.map(({ v }) => v);

test("an axis of rates shows all that there may be, unless it is fitted to something", () => {
  assert.deepEqual(rateRange([60, 180], false), [0, top]);
  assert.deepEqual(rateRange([], true), [0, top]);
});

test("a fitted axis has air on both sides, at least 40 beats, and round ends", () => {
  // 70 to 74: 18 on each side make 40.
  assert.deepEqual(rateRange([74, 70, 72], true), [50, 95]);
  // 60 to 180: four are enough.
  assert.deepEqual(rateRange([60, 180], true), [55, 185]);
  assert.deepEqual(rateRange([100], true), [80, 120]);
});

test("a fitted axis stays within the rates that there can be", () => {
  assert.deepEqual(rateRange([5], true), [0, 25]);
  assert.deepEqual(rateRange([295], true), [275, 300]);
});

test("widens a range about a middle", () => {
  assert.deepEqual(scaled([0, 100], 2, 50), [-50, 150]);
  assert.deepEqual(scaled([0, 100], .5, 80), [55, 105]);
});

test("ticks of rates are as far apart as the span needs", () => {
  speakIn("en");
  assert.deepEqual(labels(rateTicks(0, 240)), [
    "0",
    "20",
    "40",
    "60",
    "80",
    "100",
    "120",
    "140",
    "160",
    "180",
    "200",
    "220",
    "240",
  ]);
  assert.deepEqual(labels(rateTicks(50, 130)), ["50", "60", "70", "80", "90", "100", "110", "120", "130"]);
  assert.deepEqual(labels(rateTicks(51, 91)), ["55", "60", "65", "70", "75", "80", "85", "90"]);
  assert.deepEqual(labels(rateTicks(70, 74)), ["70", "71", "72", "73", "74"]);
});

test("ticks in hertz are round in hertz, and lie at their beats per minute", () => {
  speakIn("en");
  hertz();
  const ticks = rateTicks(0, 120);
  assert.deepEqual(labels(ticks), [
    "0.0",
    "0.2",
    "0.4",
    "0.6",
    "0.8",
    "1.0",
    "1.2",
    "1.4",
    "1.6",
    "1.8",
    "2.0",
  ]);
  assert.ok(Math.abs(ticks[5].v - 60) < 1e-9);
  assert.deepEqual(labels(rateTicks(0, 240)).slice(0, 3), ["0.0", "0.5", "1.0"]);
  assert.deepEqual(labels(rateTicks(60, 66)), ["1.00", "1.02", "1.04", "1.06", "1.08", "1.10"]);
});

test("ticks of seconds keep 72 pixels between each other", () => {
  const ticks = (to, pixels) => places(secondTicks(0, to, pixels, { format: minutes }));
  assert.deepEqual(ticks(60, 432), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks(60, 144), [0, 30, 60]);
  // However narrow, there are two.
  assert.deepEqual(ticks(60, 10), [0, 30, 60]);
  assert.deepEqual(ticks(10 * 86_400, 720), Array.from({ length: 11 }, (_, day) => day * 86_400));
  // Longer than any of the steps: weeks.
  assert.deepEqual(ticks(30 * 86_400, 144), [0, 604_800, 1_209_600, 1_814_400, 2_419_200]);
});

test("ticks of seconds are round after their origin", () => {
  const ticks = secondTicks(100, 160, 144, { origin: 7, format: String });
  assert.deepEqual(ticks, [{ v: 127, label: "120" }, { v: 157, label: "150" }]);
});

// 2026-11-21 12:00:20 UTC.
const start = 1_795_262_420;

test("a session's time runs from its beginning", () => {
  const { label, ticks } = timeAxis({ isClock: false, start, speed: 1, zone: 3600 });
  assert.equal(label(75), "1:15");
  assert.deepEqual(labels(ticks(0, 120, 144)), ["0:00", "1:00", "2:00"]);
});

test("a session's time as its clock showed it has ticks at round times of the clock", () => {
  const { label, ticks } = timeAxis({ isClock: true, start, speed: 1, zone: 3600 });
  assert.equal(label(75), "13:01:35");
  assert.deepEqual(ticks(0, 120, 144), [{ v: 40, label: "13:01:00" }, { v: 100, label: "13:02:00" }]);
  assert.deepEqual(labels(ticks(0, 600, 144)), ["13:05", "13:10"]);
});

test("the clock of a session that went faster than time follows it", () => {
  const { label, ticks } = timeAxis({ isClock: true, start, speed: 60, zone: 0 });
  assert.equal(label(3600), "12:01:20");
  assert.deepEqual(labels(ticks(0, 3600, 144)), ["12:00:20", "12:00:50", "12:01:20"]);
});

test("ticks of seconds are at distances that people count in", () => {
  const distances = [
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    180,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    21_600,
    86_400,
    604_800,
  ];
  for (const distance of distances) {
    const [first, second] = places(secondTicks(0, 4 * distance, 4 * 72, { format: String }));
    assert.equal(second - first, distance);
    // A pixel less, and every other one would be too near.
    const [one, other] = places(secondTicks(0, 4 * distance, 4 * 72 - 1, { format: String }));
    assert.ok(distance >= 86_400 || other - one > distance, `${distance}`);
  }
});

test("the clock's ticks have seconds up to four minutes, wherever in the session those are", () => {
  const { ticks } = timeAxis({ isClock: true, start, speed: 1, zone: 0 });
  assert.equal(ticks(5000, 5240, 288)[0].label.length, 8);
  assert.equal(ticks(5000, 5241, 288)[0].label.length, 5);
});
