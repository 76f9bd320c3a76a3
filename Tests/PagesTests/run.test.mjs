import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Run } from "../../Sources/Monitor/Pages/Computing/run.mjs";
import {
  deviationOf,
  elapsedOf,
  gapsOf,
  healthOf,
  sourcesOf,
  stepOf,
  subtitleOf,
} from "../../Sources/Monitor/Pages/Computing/runWords.mjs";
import { space, speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const start = 1_795_262_400;
const about = {
  id: "run-1",
  participant: "P01",
  source: "Room 2",
  startedAt: start,
  steps: [{
    identifier: "effort",
    title: "Effort",
    duration: 60,
    expected: [[0, 80, 70, 90], [60, 120, 110, 130]],
  }, { identifier: "rest", duration: 30 }],
};
const runWith = (seconds, { bpm = 100, events = [], ...more } = {}) => {
  const run = new Run("run-1");
  run.about = { ...about, ...more };
  for (const elapsed of seconds) {
    run.readings.take({ elapsed, bpm, t: start + elapsed, received: start + elapsed, number: elapsed });
  }
  for (const event of events) run.takeEvent(event);
  return run;
};
const begun = { kind: "stepStarted", step: "effort", elapsed: 0, t: start };

test("a run of which nothing has come yet has nothing to show", () => {
  const run = new Run("run-1");
  assert.deepEqual([run.steps, run.start, run.speed, run.newest, run.planned, run.progress], [
    [],
    0,
    1,
    undefined,
    0,
    null,
  ]);
  assert.deepEqual(run.window([], false), [0, 20]);
  assert.deepEqual(run.window([], true), [0, 10]);
  assert.deepEqual([
    elapsedOf(run, 0),
    gapsOf(run),
    stepOf(run, undefined, 0),
    sourcesOf(run),
    subtitleOf(run, 0),
  ], [
    "–",
    "–",
    "–",
    "",
    "",
  ]);
  assert.deepEqual(healthOf(run, undefined, 0), ["none", "no reading yet"]);
  assert.equal(deviationOf(run, [], "none"), "nothing is expected now");
});

test("keeps events, and of sources what they told last", () => {
  const run = runWith([]);
  run.takeEvent({ kind: "source", source: "strap", condition: { battery: 50 } });
  run.takeEvent({ kind: "sourceState", source: "strap", state: "lost", text: "off", received: 5 });
  run.takeEvent({ kind: "sourceState", source: "strap", state: "live" });
  assert.deepEqual(run.events.map(({ kind, state }) => [kind, state]), [["sourceState", "lost"], [
    "sourceState",
    "live",
  ]]);
  const { state, text, condition } = run.sources.strap;
  assert.deepEqual([state, text, condition], ["live", undefined, { battery: 50 }]);
});

test("a note is changed where it stands, and goes when it is deleted", () => {
  const run = runWith([], { events: [begun] });
  run.takeNote({ kind: "meal", text: "Soup", carbohydrates: 30, protein: 4 }, "7");
  run.changeNote({ note: 7, text: "Bread", figures: { carbohydrates: 45 } });
  const [, note] = run.events;
  assert.deepEqual([note.text, note.carbohydrates, note.protein], ["Bread", 45, undefined]);
  run.changeNote({ note: 7, text: "Cake" });
  assert.deepEqual([note.text, note.carbohydrates], ["Cake", 45]);
  run.changeNote({ note: 7, isDeleted: true });
  run.changeNote({ note: 99, text: "of nothing" });
  assert.deepEqual(run.events, [begun]);
});

test("names steps by their titles, where they have one", () => {
  const run = runWith([]);
  assert.deepEqual(["effort", "rest", "other", undefined].map((step) => run.titleOf(step)), [
    "Effort",
    "rest",
    "other",
    "",
  ]);
});

test("shows the whole session, with what is still ahead of it", () => {
  const run = runWith([5, 30], { events: [begun] }), expected = run.expected();
  assert.deepEqual(run.window(expected, false), [0, 90]);
  run.takeEvent({ kind: "over" });
  assert.deepEqual(run.window(expected, false), [0, 30]);
  // Without events, a session begins with its first reading.
  assert.deepEqual(runWith([50, 130], { steps: [] }).window([], false), [50, 130]);
  assert.deepEqual(runWith([50, 51], { steps: [] }).window([], false), [50, 70]);
});

test("shows the last thirty readings, or as many as there are", () => {
  const run = runWith(Array.from({ length: 100 }, (_, second) => second));
  assert.deepEqual(run.window([], true), [70, 99]);
  assert.equal(run.firstShown(false).elapsed, 0);
  assert.deepEqual(runWith([4, 5]).window([], true), [4, 14]);
});

test("a fitted scale holds what was measured and expected in the part that is shown", () => {
  const run = runWith([5, 30], { events: [begun] });
  assert.deepEqual(run.rates(run.expected(), [0, 40]), [100, 100, 70, 90]);
  assert.deepEqual(run.rates(run.expected(), [40, 70]), [110, 130]);
  assert.deepEqual(run.rates(run.expected(), [60, 60]), [110, 130]);
});

test("a value grows old", () => {
  const run = runWith([10]), health = (age, session) => healthOf(run, session, start + 10 + age);
  assert.deepEqual(health(2.9), ["fresh", "fresh"]);
  assert.deepEqual(health(3), ["late", `late: last reading 3${space}s ago`]);
  assert.deepEqual(health(4.5), ["lost", `lost: last reading 4${space}s ago`]);
  assert.deepEqual(health(9, { kind: "readings", state: "running" }), [
    "late",
    `late: last reading 9${space}s ago`,
  ]);
  assert.equal(health(-60)[0], "fresh");
});

test("says why there are no values: the run is over, lost, or its source is", () => {
  const run = runWith([10]), now = start + 10;
  run.takeEvent({
    kind: "sourceState",
    source: "strap",
    state: "lost",
    text: "out of reach",
    received: now + 1,
  });
  assert.deepEqual(healthOf(run, undefined, now), ["lost", "lost: out of reach"]);
  // A reading has come since.
  run.readings.take({ elapsed: 12, bpm: 100, t: now + 2, received: now + 2 });
  assert.equal(healthOf(run, undefined, now + 2)[0], "fresh");
  assert.deepEqual(healthOf(run, { state: "lost", heardAt: now - 60 }, now), [
    "lost",
    `No contact with the run for 60${space}s: it was killed or cut off`,
  ]);
  run.takeEvent({ kind: "over", text: "completed" });
  assert.deepEqual(healthOf(run, { state: "lost", heardAt: 0 }, now), [
    "over",
    "the session is over: completed",
  ]);
  run.over = { kind: "over" };
  assert.deepEqual(healthOf(run, undefined, now), ["over", "the session is over"]);
});

test("says how far the newest value is from what was expected", () => {
  // After 30 s, 100 with a band from 90 to 110 is expected.
  const said = (bpm, health = "fresh") => {
    const run = runWith([30], { bpm, events: [begun] });
    return deviationOf(run, run.expected(), health);
  };
  assert.equal(said(100.3), "as expected (100)");
  assert.equal(said(105), "▲ 5 beats per minute above the expected 100, within the band");
  assert.equal(said(99), "▼ 1 beat per minute below the expected 100, within the band");
  assert.equal(said(110.6), "▲ 11 beats per minute above the expected 100, outside the band");
  assert.equal(said(105, "lost"), "nothing is expected now");
  assert.equal(said(105, "unknown"), "nothing is expected now");
  const ended = runWith([30], { events: [begun, { kind: "over" }] });
  assert.equal(deviationOf(ended, ended.expected(), "over"), "nothing is expected now");
});

test("offers what is possible, and nothing in a run that is over or of which nothing is heard", () => {
  const room = { kind: "run", state: "running" }, rest = { kind: "stepShown", step: "rest" };
  const offered = (events, { seconds = [1], session = room } = {}) =>
    runWith(seconds, { events }).controls(session).sort().join();
  assert.equal(offered([]), "end,message");
  assert.equal(offered([begun]), "end,message,pause,restart,skip");
  assert.equal(offered([begun, { kind: "paused", t: start }]), "end,message,restart,resume,skip");
  assert.equal(offered([begun, rest]), "end,message,repeat");
  assert.equal(offered([rest], { seconds: [] }), "end,message,withoutSource");
  assert.equal(
    offered([rest, { kind: "sourceState", source: "strap", state: "lost" }]),
    "end,message,withoutSource",
  );
  assert.equal(offered([begun, { kind: "over" }]), "");
  for (const state of ["lost", "unknown", "over"]) {
    assert.equal(offered([begun], { session: { ...room, state } }), "");
  }
  assert.equal(offered([begun], { session: { ...room, kind: "import" } }), "");
});

test("says the step, what is left of it, and a pause", () => {
  const said = (after, events, more, state = "running") =>
    stepOf(runWith([], { events: [begun, ...events], ...more }), { state }, start + after);
  assert.equal(said(20, []), "Effort (1 of 2), 0:40 left");
  assert.equal(
    said(50, [{ kind: "paused", t: start + 20 }]),
    `Effort (1 of 2), 0:40 left, paused for 30${space}s`,
  );
  assert.equal(
    said(50, [{ kind: "paused", t: start + 20 }, { kind: "resumed", t: start + 45 }]),
    "Effort (1 of 2), 0:35 left",
  );
  assert.equal(said(20, [{ kind: "over" }]), "Effort (1 of 2)");
  // No time runs in a run of which nothing is heard.
  for (const state of ["lost", "unknown"]) {
    assert.equal(said(50, [{ kind: "paused", t: start + 20 }], {}, state), "Effort (1 of 2)");
  }
  assert.equal(said(20, [{ kind: "stepShown", step: "other" }]), "other");
  assert.equal(said(2, [], { speed: 10 }), "Effort (1 of 2), 0:04 left");
});

test("says how often readings stayed away; a fast session has longer gaps", () => {
  assert.equal(gapsOf(runWith([0])), "–");
  assert.equal(gapsOf(runWith([0, 1])), "none");
  assert.equal(gapsOf(runWith([0, 1, 8, 20])), "2 gaps, 0:19 in all");
  assert.equal(gapsOf(runWith([0, 1, 8, 20], { speed: 2 })), "1 gap, 0:12 in all");
});

test("says how sources are, and how late what they send arrives", () => {
  const run = runWith([]);
  run.takeEvent({ kind: "source", source: "strap", condition: { battery: 50, delay: .1234 } });
  run.takeEvent({ kind: "sourceState", source: "watch", state: "lost" });
  assert.equal(
    sourcesOf(run, { clockOffset: -.06 }),
    "strap: live, battery 50 %, arrives after 123 ms; watch: lost; clock of the room +0.1 s",
  );
});

test("says how far the session is, of as long as it was planned", () => {
  assert.equal(elapsedOf(runWith([30]), 3600), "0:30 of 1:30, 13:00:30");
  assert.equal(elapsedOf(runWith([95]), 0), "1:35, 12:01:35");
});

test("says whose session it is, and when it began", () => {
  assert.match(
    subtitleOf(runWith([], { session: 2 }), 0),
    /^Room 2 · Participant P01 · session 2 · began .*12:00/,
  );
});
