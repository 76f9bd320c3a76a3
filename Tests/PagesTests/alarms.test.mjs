import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  acknowledgedWords,
  alarmRow,
  Alarms,
  alarmState,
  alarmWords,
  timesWords,
} from "../../Sources/Monitor/Pages/Computing/alarms.mjs";
import { hertz, space, speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const clock = (time) => `${time}h`;
const alarm = (number, more) => ({
  number,
  session: "a",
  kind: "above",
  limit: 150,
  for: 10,
  began: number,
  mark: "kept",
  ...more,
});
const of = (...list) => {
  const alarms = new Alarms();
  for (const one of list) alarms.take(one);
  return alarms;
};
const numbers = (list) => list.map(({ number }) => number);

test("what nobody has acknowledged comes first, and of those the newest", () => {
  const alarms = of(
    alarm(1),
    alarm(2, { acknowledged: 5 }),
    alarm(3, { ended: 4 }),
    alarm(4, { acknowledged: 5 }),
    alarm(5, { session: "b" }),
  );
  assert.deepEqual(numbers(alarms.open(new Set(["a", "b"]))), [5, 3, 1, 4, 2]);
  assert.deepEqual(numbers(alarms.open(new Set(["a"]))), [3, 1, 4, 2]);
  assert.deepEqual(alarms.open(new Set()), []);
});

test("what is over and acknowledged is only in the table of its session", () => {
  const alarms = of(alarm(1, { acknowledged: 5, ended: 6 }), alarm(2), alarm(3, { session: "b" }));
  assert.deepEqual(numbers(alarms.open(new Set(["a"]))), [2]);
  assert.deepEqual(numbers(alarms.of("a")), [2, 1]);
  assert.deepEqual(alarms.of("c"), []);
});

test("an alarm that comes again is the same alarm as it is now", () => {
  const alarms = of(alarm(1), alarm(1, { acknowledged: 5, ended: 6 }));
  assert.deepEqual(alarms.open(new Set(["a"])), []);
  assert.equal(alarms.of("a").length, 1);
});

test("says at which limit an alarm was raised, and at which rate", () => {
  assert.equal(alarmWords(alarm(1)), "Heart rate above 150 for 10 s");
  assert.equal(alarmWords(alarm(1, { rate: 161 })), "Heart rate above 150 for 10 s (161)");
  assert.equal(alarmWords({ kind: "signalLost", for: 5 }), "Signal lost for 5 s");
  hertz();
  assert.equal(
    alarmWords(alarm(1, { rate: 162 })),
    `Heart rate above 2.50${space}Hz for 10 s (2.70${space}Hz)`,
  );
});

test("says since when, or from when to when, and who has seen it", () => {
  assert.equal(timesWords({ began: 3 }, clock), "since 3h");
  assert.equal(timesWords({ began: 3, ended: 5 }, clock), "3h to 5h, over");
  assert.equal(acknowledgedWords({ acknowledged: 6, author: "Kim" }, clock), "by Kim at 6h");
  assert.equal(acknowledgedWords({ acknowledged: 6 }, clock), "by – at 6h");
  assert.equal(acknowledgedWords({}, clock), "");
  assert.deepEqual([{}, { ended: 5 }, { ended: 5, acknowledged: 6 }].map(alarmState), [
    "standing",
    "past",
    "acknowledged",
  ]);
});

test("a row says whether the run's journal has the alarm and its acknowledgement", () => {
  assert.deepEqual(alarmRow(alarm(3), clock), ["Heart rate above 150 for 10 s", "3h", "goes on", "", "yes"]);
  const seen = alarm(3, {
    ended: 5,
    acknowledged: 6,
    author: "Kim",
    mark: "unknown",
    acknowledgementMark: "refused",
  });
  assert.deepEqual(alarmRow(seen, clock).slice(2), ["5h", "by Kim at 6h", "not known; Acknowledged: no"]);
});

test("what is played again has the alarms as they were at its moment", () => {
  const alarms = of(alarm(10, { ended: 20, acknowledged: 15, author: "kim" }));
  const at = (moment) =>
    alarms.of("a", moment).map(({ ended, acknowledged, author }) => [ended, acknowledged, author]);
  assert.deepEqual([9, 10, 15, 20].map(at), [
    [],
    [[undefined, undefined, undefined]],
    [[undefined, 15, "kim"]],
    [[20, 15, "kim"]],
  ]);
  assert.deepEqual(numbers(alarms.open(new Set(["a"]), 19)), [10]);
  assert.deepEqual(numbers(alarms.open(new Set(["a"]), 20)), []);
});
