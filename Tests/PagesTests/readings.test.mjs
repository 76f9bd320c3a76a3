import assert from "node:assert/strict";
import { test } from "node:test";
import { Readings } from "../../Sources/Monitor/Pages/Computing/readings.mjs";

const of = (...pairs) => {
  const readings = new Readings();
  pairs.forEach(([elapsed, bpm], index) =>
    readings.take({ elapsed, bpm, t: 1000 + elapsed, received: 1001 + elapsed, number: String(index + 1) })
  );
  return readings;
};
const moments = (readings) => readings.last(1e6).map(({ elapsed }) => elapsed);

test("an empty session has no readings", () => {
  const none = new Readings();
  assert.deepEqual([none.length, none.at(0), none.at(-1), none.last(5), none.find(0), none.extent(0, 9)], [
    0,
    undefined,
    undefined,
    [],
    null,
    null,
  ]);
  assert.deepEqual(none.rows(0, 9, 10, 5), []);
  assert.deepEqual(none.gapsOver(5), { count: 0, seconds: 0 });
});

test("gives readings by their place, from both ends", () => {
  const readings = of([0, 60], [1, 61], [2, 62]);
  assert.deepEqual(readings.at(1), { elapsed: 1, bpm: 61, t: 1001, received: 1002, number: 2 });
  assert.equal(readings.at(-1).bpm, 62);
  assert.equal(readings.at(-3).bpm, 60);
  for (const outside of [3, -4]) assert.equal(readings.at(outside), undefined);
  assert.deepEqual(readings.last(2).map(({ bpm }) => bpm), [61, 62]);
});

test("readings that come late stand where they were measured, after those of the same moment", () => {
  const readings = of([0, 60], [10, 70], [5, 65], [5, 66], [-1, 59]);
  assert.deepEqual(moments(readings), [-1, 0, 5, 5, 10]);
  assert.equal(readings.at(-1).bpm, 70);
});

test("keeps any number of readings in order, whatever order they come in", () => {
  const readings = new Readings();
  for (let index = 0; index < 2000; index++) {
    readings.take({ elapsed: index * 7919 % 2000, bpm: 60, t: 0, received: 0, number: index });
  }
  assert.equal(readings.length, 2000);
  assert.deepEqual(moments(readings), Array.from({ length: 2000 }, (_, index) => index));
});

test("forgets a reading by its number, and no other", () => {
  const readings = of([0, 60], [1, 61], [2, 62]);
  readings.remove(2);
  assert.deepEqual(moments(readings), [0, 2]);
  readings.remove(7);
  assert.equal(readings.length, 2);
  readings.remove(1);
  assert.deepEqual(moments(readings), [2]);
  assert.equal(readings.find(1), null);
  assert.equal(readings.find(2).bpm, 62);
});

test("counts gaps, and goes on counting with each reading", () => {
  const readings = of([0, 60], [5, 60], [11, 60], [30, 60]);
  assert.deepEqual(readings.gapsOver(5), { count: 2, seconds: 25 });
  readings.take({ elapsed: 40, bpm: 60 });
  assert.deepEqual(readings.gapsOver(5), { count: 3, seconds: 35 });
  assert.deepEqual(readings.gapsOver(5), { count: 3, seconds: 35 });
  assert.deepEqual(readings.gapsOver(15), { count: 1, seconds: 19 });
});

test("a late reading closes a gap, and a deleted one opens it", () => {
  const readings = of([0, 60], [8, 60]);
  assert.equal(readings.gapsOver(5).count, 1);
  readings.take({ elapsed: 4, bpm: 60, number: 9 });
  assert.deepEqual(readings.gapsOver(5), { count: 0, seconds: 0 });
  readings.remove(9);
  assert.deepEqual(readings.gapsOver(5), { count: 1, seconds: 8 });
});

test("finds the lowest and highest rate between two moments", () => {
  const readings = of([0, 60], [1, 90], [2, 50], [3, 70]);
  assert.deepEqual(readings.extent(.5, 2), { low: 50, high: 90, first: 1, last: 2 });
  assert.deepEqual(readings.extent(-5, 99), { low: 50, high: 90, first: 0, last: 3 });
  assert.equal(readings.extent(3.5, 9), null);
  assert.equal(readings.extent(1.2, 1.8), null);
});

test("gives a chart every reading of a part, with one beyond each end, and a break in each gap", () => {
  const readings = of([0, 60], [1, 61], [2, 62], [12, 72], [13, 73]);
  assert.deepEqual(readings.rows(1.5, 12.5, 100, 5), [[1, 61], [2, 62], [7, null], [12, 72], [13, 73]]);
});

test("of more readings than can be told apart, a chart gets the extremes of each part and the newest two", () => {
  const readings = new Readings();
  for (let second = 0; second < 1000; second++) {
    readings.take({ elapsed: second, bpm: second === 333 ? 200 : second === 334 ? 30 : 60 + second % 3 });
  }
  const rows = readings.rows(0, 999, 20, 5);
  assert.ok(rows.length <= 2 * 20 + 4, `${rows.length}`);
  const at = new Map(rows);
  assert.equal(at.get(333), 200);
  assert.equal(at.get(334), 30);
  assert.deepEqual(rows.slice(-2).map(([elapsed]) => elapsed), [998, 999]);
  assert.ok(rows.every(([elapsed], index) => !index || elapsed > rows[index - 1][0]), "in order");
});

test("a gap breaks the line of a chart that gets extremes, too", () => {
  const readings = new Readings();
  for (let second = 0; second < 1000; second++) {
    readings.take({ elapsed: second < 500 ? second : second + 100, bpm: 60 });
  }
  assert.deepEqual(readings.rows(0, 1100, 20, 5).filter(([, bpm]) => bpm === null), [[549.5, null]]);
});
