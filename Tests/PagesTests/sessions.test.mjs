import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  aboutOf,
  clockWords,
  conditionOf,
  conditionWords,
  fewWords,
  figuresOf,
  gapWords,
  leftOf,
  lostAfter,
  nameOf,
  outcomeWords,
  progressAfter,
  progressOf,
  sourceFigures,
  sourceWords,
  stepWords,
  whoOf,
} from "../../Sources/Monitor/Pages/Computing/sessions.mjs";
import { space, speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const now = 10_000;
const running = (more) => ({
  id: "run-1",
  state: "running",
  kind: "run",
  last: { t: now - 1, bpm: 70 },
  ...more,
});

test("a session is named by its title, its study, or what it is", () => {
  assert.equal(nameOf({ id: "x", study: "calm", title: "Calm" }), "Calm");
  assert.equal(nameOf({ id: "x", study: "calm" }), "calm");
  assert.equal(nameOf({ id: "x", kind: "readings" }), "Pushed readings");
  assert.equal(nameOf({ id: "x", kind: "run" }), "x");
});

test("a session is of a room and a participant, or else has only its name", () => {
  assert.equal(whoOf({ source: "Room 3", participant: "P01" }), "Room 3 P01");
  assert.equal(whoOf({ participant: "P01" }), "P01");
  assert.equal(whoOf({ id: "x", title: "Calm" }), "Calm");
});

test("says the number, the origin and the speed of a session, as far as it has them", () => {
  assert.equal(
    aboutOf({ session: 2, origin: "simulated", speed: 60 }),
    "session 2 · simulated · 60 × real time",
  );
  assert.equal(aboutOf({ speed: 1e6 }), "not in real time");
  assert.equal(aboutOf({}), "");
});

test("a session is in the worst of its conditions", () => {
  const paused = { step: "rest", paused: now - 5 }, strap = [{ name: "strap", state: "lost" }];
  const known = [
    ["running", running()],
    ["running", running({ last: undefined })],
    ["paused", running({ progress: paused })],
    ["warned", running({ progress: paused, sources: strap })],
    ["warned", running({ sources: [{ name: "strap", state: "live", text: "battery low" }] })],
    ["stale", running({ sources: strap, last: { t: now - 4.6 } })],
    ["running", running({ last: { t: now - 4.4 } })],
    ["lost", running({ state: "lost", sources: strap })],
    ["unknown", running({ state: "unknown", sources: strap, last: { t: now - 60 } })],
    ["over", running({ state: "over" })],
    ["silent", { state: "silent", kind: "readings" }],
  ];
  for (const [condition, session] of known) assert.equal(conditionOf(session, now), condition);
});

test("a telephone may send less often than a strap", () => {
  assert.equal(conditionOf(running({ kind: "readings", last: { t: now - 9 } }), now), "running");
  assert.equal(conditionOf(running({ kind: "readings", last: { t: now - 11 } }), now), "stale");
  assert.equal(lostAfter(undefined), 4.5);
});

test("says what is wrong, and for how long", () => {
  const said = (more) => conditionWords(running(more), now);
  assert.equal(
    said({ state: "lost", heardAt: now - 150 }),
    `No contact with the run for 2${space}min: it was killed or cut off`,
  );
  assert.equal(said({ last: { t: now - 30 } }), `No heart rate for 30${space}s`);
  assert.equal(said({ sources: [{ name: "strap", state: "lost" }] }), "strap: lost");
  assert.equal(
    said({ sources: [{ name: "a", state: "live" }, { name: "b", text: "1st" }, { name: "c", text: "2nd" }] }),
    "b: 1st",
  );
  assert.equal(said({ progress: { paused: now - 61 } }), `paused for 61${space}s`);
  assert.equal(said({ state: "over", outcome: "completed" }), "ended: completed");
  assert.equal(said({ state: "over", outcome: "novel" }), "ended: novel");
  assert.equal(said({ state: "over" }), "over");
  assert.equal(said({}), "running");
  // Clocks differ: nothing was heard in the future.
  assert.equal(said({ progress: { paused: now + 3 } }), `paused for 0${space}s`);
});

test("says less where it is read from afar", () => {
  const said = (more) => fewWords(running(more), now);
  assert.equal(said({ state: "lost", heardAt: now - 5 }), `No contact for 5${space}s`);
  assert.equal(said({ sources: [{ name: "strap", state: "lost", text: "out of reach" }] }), "out of reach");
  assert.equal(said({ state: "over", outcome: "failed" }), "failed or killed");
  for (const more of [{}, { last: { t: 0 } }, { state: "over" }, { progress: { paused: 1 } }]) {
    assert.ok(!said(more));
  }
});

test("says how a source is", () => {
  assert.equal(sourceWords({ name: "strap", state: "live" }), "strap: live");
  assert.equal(sourceWords({ name: "strap", state: "lost" }), "strap: lost");
  assert.equal(sourceWords({ name: "strap", state: "lost", text: "off" }), "strap: off");
  assert.equal(outcomeWords("completed"), "completed");
});

test("says what readings of a source are like, and nothing of what is as it should be", () => {
  assert.deepEqual(figuresOf({ battery: 0, gaps: 2, gapSeconds: 65, missing: 1, leftOut: 3, offset: -.3 }), [
    "battery 0 %",
    "2 gaps, 1:05 in all",
    "1 reading missing",
    "3 readings came too fast",
    "clock -0.3 s",
  ]);
  assert.deepEqual(figuresOf({ gaps: 0, gapSeconds: 0, missing: 0, leftOut: 0, offset: .04 }), []);
  assert.deepEqual(
    figuresOf({ device: "strap", identifier: "A0:9E", host: "lab-2", model: "H10", firmware: "5.0" }),
    ["strap", "A0:9E", "lab-2", "H10", "5.0"],
  );
  assert.deepEqual(figuresOf({}), []);
  assert.equal(gapWords(1, 5), "1 gap, 0:05 in all");
});

test("says by how much a sender's clock is off, from a limit on", () => {
  assert.equal(clockWords({ clockOffset: -1.25 }, 1), "clock of the room +1.3 s");
  assert.equal(clockWords({ clockOffset: .5 }, 1), "");
  assert.equal(clockWords({ clockOffset: 1 }, 1), "clock of the room -1 s");
  assert.equal(clockWords({}, 0), "");
});

test("says the figures of all sources that have some, and of the sender", () => {
  const sources = [{ name: "strap", condition: { battery: 80, missing: 2 } }, {
    name: "watch",
    condition: {},
  }, { name: "ring" }];
  assert.equal(
    sourceFigures({ sources, clockOffset: 2 }),
    "strap: battery 80 %, 2 readings missing · clock of the room -2 s",
  );
  assert.equal(sourceFigures({}), "");
});

test("finds the step that a room is in", () => {
  const steps = [{ identifier: "a", title: "A" }, { identifier: "b", title: "B", duration: 30 }];
  assert.deepEqual(progressOf({ progress: { step: "b", since: 5 }, steps }), {
    step: "b",
    since: 5,
    title: "B",
    duration: 30,
    expected: undefined,
    place: 2,
    count: 2,
  });
  assert.deepEqual(progressOf({ progress: { step: "x" } }), {
    step: "x",
    title: undefined,
    duration: undefined,
    expected: undefined,
    place: 0,
    count: 0,
  });
  assert.equal(progressOf({ steps }), null);
  assert.equal(stepWords({ title: "B", step: "b", place: 2, count: 3 }), "B (2 of 3)");
  assert.equal(stepWords({ step: "b", place: 2, count: 3 }), "b (2 of 3)");
  assert.equal(stepWords({ step: "x", place: 0 }), "x");
  assert.equal(stepWords({}), "–");
});

test("a pause does not use up the time of a step", () => {
  assert.equal(leftOf({ since: 100, duration: 60 }, 130), 30);
  assert.equal(leftOf({ since: 100, duration: 60, paused: 110 }, 900), 50);
  assert.equal(leftOf({ since: 100, duration: 60 }, 900), 0);
  assert.equal(leftOf({ since: 100, duration: 600 }, 130, 10), 30);
  for (const unknown of [{ since: 100 }, { duration: 60 }, {}]) assert.equal(leftOf(unknown, 130), null);
});

test("follows the steps of a run through its events", () => {
  const after = (...events) => events.reduce(progressAfter, null);
  const shown = { kind: "stepShown", step: "a", t: 1 }, begun = { kind: "stepStarted", step: "a", t: 2 };
  const paused = { kind: "paused", t: 10 }, resumed = { kind: "resumed", t: 25 };
  assert.deepEqual(after(shown), { step: "a" });
  assert.deepEqual(after(shown, begun), { step: "a", since: 2 });
  assert.deepEqual(after(begun, paused), { step: "a", since: 2, paused: 10 });
  assert.deepEqual(after(begun, paused, resumed), { step: "a", since: 17 });
  assert.deepEqual(after(shown, paused, resumed), { step: "a", since: undefined });
  assert.deepEqual(after(begun, resumed), { step: "a", since: 2 });
  assert.equal(after(paused, resumed, { kind: "rating" }), null);
});
