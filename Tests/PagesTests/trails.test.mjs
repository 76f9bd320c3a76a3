import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, trailShape, withReading } from "../../Sources/Monitor/Pages/Computing/trails.mjs";

test("a trail has the mean of each ten seconds", () => {
  let trail = [];
  for (const [t, bpm] of [[100, 60], [103, 70], [109.9, 80], [110, 90]]) {
    trail = withReading(trail, { t, bpm }, 111);
  }
  assert.deepEqual(trail, [[100, 70, 3], [110, 90, 1]]);
});

test("a reading of ten seconds that are over changes nothing", () => {
  const trail = [[100, 70, 3], [110, 90, 1]];
  assert.deepEqual(withReading(trail, { t: 105, bpm: 200 }, 112), trail);
});

test("a trail forgets what is more than five minutes and ten seconds old", () => {
  assert.deepEqual(withReading([[100, 60, 1], [690, 61, 1], [700, 62, 1]], { t: 1005, bpm: 63 }, 1005), [[
    700,
    62,
    1,
  ], [1000, 63, 1]]);
  assert.deepEqual(withReading([], { t: 100, bpm: 60 }, 1000), []);
});

test("only ten seconds that are over are drawn", () => {
  const trail = [[100, 60, 1], [110, 61, 1]];
  assert.deepEqual(settled(trail, 119), { end: 110, points: [[100, 60, 1]] });
  assert.deepEqual(settled(trail, 120), { end: 120, points: trail });
  assert.deepEqual(settled([], 120), { end: 120, points: [] });
});

// Rates of 60 and 100 are shown from 55 to 105: 50 rates on 100 units.
test("the path of a trail is at the height of its rates, and ends at the right", () => {
  const shape = trailShape({ end: 1000, points: [[980, 60, 1], [990, 100, 1]] }, null);
  assert.deepEqual(shape, { path: "M280 90L290 10", band: "", end: [290, 10] });
});

test("a trail is broken by a gap, and a point alone is a short stroke", () => {
  assert.equal(
    trailShape({ end: 1000, points: [[900, 60, 1], [930, 100, 1], [955, 100, 1], [990, 60, 1]] }, null).path,
    "M200 90h3M230 10L255 10M290 90h3",
  );
  assert.deepEqual(trailShape({ end: 1000, points: [] }, null), { path: "", band: "", end: null });
});

// From 60 to 100 again, as the band is within.
test("the band that was expected lies behind the trail, from its lower edge to its upper one", () => {
  const expected = (time) => time > 984 ? [time, 80, 70, 90] : null;
  const points = [[970, 60, 1], [980, 60, 1], [990, 100, 1]];
  assert.equal(trailShape({ end: 1000, points }, expected).band, "M280 70L290 70L290 30L280 30Z");
});
