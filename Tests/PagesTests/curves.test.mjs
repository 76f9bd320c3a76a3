import assert from "node:assert/strict";
import { test } from "node:test";
import {
  expectedAt,
  expectedCurves,
  merged,
  pointAt,
  thinned,
  withGaps,
} from "../../Sources/Monitor/Pages/Computing/curves.mjs";

const line = [[0, 10, 1], [10, 20, 2], [30, 0, 3]];

test("a curve is straight between its points", () => {
  assert.deepEqual(pointAt(line, 0), [0, 10, 1]);
  assert.deepEqual(pointAt(line, 5), [5, 15, 1.5]);
  assert.deepEqual(pointAt(line, 20), [20, 10, 2.5]);
  assert.deepEqual(pointAt(line, 30), [30, 0, 3]);
});

test("a curve is nowhere outside of its points", () => {
  for (const [curve, x] of [[[], 0], [line, -.1], [line, 30.1], [[[5, 1]], 4]]) {
    assert.equal(pointAt(curve, x), null);
  }
  assert.deepEqual(pointAt([[5, 1]], 5), [5, 1]);
});

test("a step in a curve has the later of its two points", () => {
  assert.deepEqual(pointAt([[0, 1], [5, 1], [5, 9], [10, 9]], 5), [5, 9]);
});

test("finds the point of any curve that a search from left to right finds", () => {
  for (let count = 2; count < 40; count++) {
    const curve = Array.from({ length: count }, (_, index) => [index * 3, index * index]);
    for (let x = 0; x <= (count - 1) * 3; x += .5) {
      const right = Math.max(1, curve.findIndex(([other]) => other >= x)),
        [from, to] = [curve[right - 1], curve[right]];
      const wanted = from[1] + (to[1] - from[1]) * (x - from[0]) / (to[0] - from[0]);
      assert.ok(Math.abs(pointAt(curve, x)[1] - wanted) < 1e-9, `${count} ${x}`);
    }
  }
});

test("points that would lie on each other are not drawn twice, and the last one always is", () => {
  const curve = Array.from({ length: 11 }, (_, index) => [index]);
  assert.deepEqual(thinned(curve, 3).flat(), [0, 3, 6, 9, 10]);
  assert.deepEqual(thinned(curve, .5), curve);
  assert.deepEqual(thinned([[0], [1]], 5).flat(), [0, 1]);
});

test("a line is broken in the middle of a gap", () => {
  assert.deepEqual(withGaps([[0, 1], [5, 2], [15, 3]], 5), [[0, 1], [5, 2], [10, null], [15, 3]]);
  assert.deepEqual(withGaps([], 5), []);
});

test("lines of several people share their moments: null goes on, NaN breaks", () => {
  const rows = merged([[[0, 60], [10, 62], [100, 64]], [[10, 80], [20, 81]]], 50);
  assert.deepEqual(rows, [[0, 60, null], [10, 62, 80], [20, null, 81], [55, NaN, null], [100, 64, null]]);
});

const steps = [
  { identifier: "effort", expected: [[0, 80, 70, 90], [60, 120, 110, 130]] },
  { identifier: "rest" },
];
const began = (step, elapsed, ordinal) => ({ kind: "stepStarted", step, elapsed, ordinal });
const ended = (step, elapsed, ordinal) => ({ kind: "stepEnded", step, elapsed, ordinal });

test("a step's curve begins where the step began", () => {
  assert.deepEqual(expectedCurves(steps, [began("effort", 100)], 130), [[[100, 80, 70, 90], [
    160,
    120,
    110,
    130,
  ]]]);
});

test("a step that has ended early expects nothing afterwards", () => {
  assert.deepEqual(expectedCurves(steps, [began("effort", 0), ended("effort", 30)], 90), [[[0, 80, 70, 90], [
    30,
    100,
    90,
    110,
  ]]]);
});

test("a step that lasts longer holds its last value until it ends, or up to the newest reading", () => {
  const held = (until) => [[[0, 80, 70, 90], [60, 120, 110, 130], [until, 120, 110, 130]]];
  assert.deepEqual(expectedCurves(steps, [began("effort", 0), ended("effort", 180)], 200), held(180));
  assert.deepEqual(expectedCurves(steps, [began("effort", 0)], 95), held(95));
  // Only the latest step goes on.
  assert.deepEqual(expectedCurves(steps, [began("effort", 0), began("rest", 70)], 95), [[[0, 80, 70, 90], [
    60,
    120,
    110,
    130,
  ]]]);
});

test("each visit of a step has an end of its own", () => {
  const events = [
    began("effort", 0, 1),
    ended("effort", 30, 1),
    began("effort", 40, 2),
    ended("effort", 70, 2),
  ];
  assert.deepEqual(expectedCurves(steps, events, 80).map((curve) => curve.at(-1)[0]), [30, 70]);
});

test("steps without a curve, and unknown ones, expect nothing", () => {
  assert.deepEqual(expectedCurves(steps, [began("rest", 0), began("other", 5)], 9), []);
  assert.deepEqual(expectedCurves([], [began("effort", 0)], undefined), []);
});

test("what is expected at a moment is what the latest step says", () => {
  const curves = [[[0, 1], [10, 1]], [[5, 9], [20, 9]]];
  assert.deepEqual([0, 7, 15, 30].map((x) => expectedAt(curves, x)?.[1]), [1, 9, 9, undefined]);
  assert.equal(expectedAt([], 3), null);
});
