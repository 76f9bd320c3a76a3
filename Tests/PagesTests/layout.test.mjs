import assert from "node:assert/strict";
import { test } from "node:test";
import { bubble, grouped, wallColumns, wordRows } from "../../Sources/Monitor/Pages/Computing/layout.mjs";

test("a wall has as many columns as make its fields largest", () => {
  assert.equal(wallColumns(1, 1920, 1000), 1);
  assert.equal(wallColumns(1, 0, 0), 1);
  assert.equal(wallColumns(2, 1920, 1000), 2);
  assert.equal(wallColumns(2, 600, 1000), 1);
  assert.equal(wallColumns(4, 1920, 1000), 2);
  assert.equal(wallColumns(40, 1920, 1000), 8);
  // On a telephone, fields that would be too low for their words are as high as those need, below each other.
  assert.equal(wallColumns(40, 390, 700), 1);
});

test("no other number of columns makes a wall's fields larger", () => {
  const size = (count, width, height, columns) =>
    Math.min(width / columns / 1.3, Math.max(112, height / Math.ceil(count / columns)));
  for (let count = 1; count <= 40; count++) {
    for (const [width, height] of [[1920, 1000], [1080, 1900], [800, 600], [320, 500]]) {
      const chosen = size(count, width, height, wallColumns(count, width, height));
      for (let columns = 1; columns <= count; columns++) {
        assert.ok(size(count, width, height, columns) <= chosen, `${count} ${width}`);
      }
    }
  }
});

const at = (...moments) => moments.map((t) => ({ t }));
const lane = { x: (t) => t, width: 400, size: 30 };
const laid = (events, more) =>
  grouped(events, { ...lane, ...more }).map(({ x, events }) => [x, events.map(({ t }) => t)]);

test("events whose markers would lie on each other have one together", () => {
  assert.deepEqual(laid(at(100, 131, 132, 200)), [[100, [100, 131]], [132, [132]], [200, [200]]]);
  // A finger needs larger ones.
  assert.deepEqual(laid(at(100, 131, 132, 200), { size: 44 }), [[100, [100, 131, 132]], [200, [200]]]);
});

test("a row of events that are near each other is not one marker without end", () => {
  assert.deepEqual(laid(at(100, 120, 140, 160)), [[100, [100, 120]], [140, [140, 160]]]);
});

test("a marker at the edge is wholly on the lane, and what lies outside has none", () => {
  assert.deepEqual(laid(at(-2, -1, 400, 402)), [[16, [-1]], [384, [400]]]);
  assert.deepEqual(laid([]), []);
});

test("a bubble is over its marker, and within the lane", () => {
  assert.deepEqual(bubble(200, 100, 400), { left: 150, tip: 50 });
  assert.deepEqual(bubble(20, 100, 400), { left: 0, tip: 20 });
  assert.deepEqual(bubble(390, 100, 400), { left: 300, tip: 90 });
  // One that is wider than the lane begins with it.
  assert.deepEqual(bubble(90, 500, 400), { left: 0, tip: 90 });
});

test("words get the first row in which they cover no others, or none", () => {
  const words = (...list) => wordRows(list.map(([x, width]) => ({ x, width })));
  assert.deepEqual(words([0, 50], [64, 50], [65, 50]), [0, 1, 0]);
  assert.deepEqual(words([0, 90], [10, 90], [20, 90], [30, 90], [40, 90], [105, 9]), [
    0,
    1,
    2,
    3,
    undefined,
    0,
  ]);
});
