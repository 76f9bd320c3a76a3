import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { askedReplay, Replay, replayAddress, speeds } from "../../Sources/Monitor/Pages/Computing/replay.mjs";
import { Rooms } from "../../Sources/Monitor/Pages/Computing/rooms.mjs";
import { Run } from "../../Sources/Monitor/Pages/Computing/run.mjs";
import {
  deviationOf,
  elapsedOf,
  gapsOf,
  healthOf,
  shareOf,
  sourcesOf,
  stepOf,
} from "../../Sources/Monitor/Pages/Computing/runWords.mjs";
import {
  conditionOf,
  conditionWords,
  progressOf,
  sourceFigures,
} from "../../Sources/Monitor/Pages/Computing/sessions.mjs";
import { settled } from "../../Sources/Monitor/Pages/Computing/trails.mjs";
import { speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const start = 1_795_262_400;
const description = (speed) => ({
  id: "run-1",
  kind: "run",
  participant: "P01",
  startedAt: start,
  ...(speed ? { speed, origin: "simulated" } : {}),
  steps: [{
    identifier: "effort",
    title: "Effort",
    duration: 60,
    expected: [[0, 80, 70, 90], [60, 120, 110, 130]],
  }, { identifier: "rest", title: "Rest", duration: 30 }],
});

// The messages of a run with a gap, a pause, a lost source, a clip, a mark, a rating and an end, as [name, data].
function story(speed) {
  const at = (elapsed, more) => {
    const t = start + elapsed / (speed || 1);
    return { session: "run-1", elapsed, t, received: t, ...more };
  };
  const event = (elapsed, kind, more) => ["event", at(elapsed, { kind, ...more })];
  const events = [
    event(0, "stepShown", { step: "effort" }),
    event(1, "stepStarted", { step: "effort" }),
    event(5, "stimulusOnset", { stimulus: "happy", step: "effort" }),
    event(12, "sourceState", { source: "strap", state: "lost", text: "out of reach" }),
    event(20, "sourceState", { source: "strap", state: "live" }),
    event(21, "source", { source: "strap", condition: { battery: 80, gaps: 1, gapSeconds: 9 } }),
    event(30, "paused", { step: "effort" }),
    event(40, "resumed", { step: "effort" }),
    event(45, "stimulusEnd", { stimulus: "happy", step: "effort" }),
    event(50, "marked", { text: "Note: coughed" }),
    event(71, "stepEnded", { step: "effort" }),
    event(72, "rating", { step: "hard", text: "13" }),
    event(75, "over", { text: "completed" }),
  ];
  const readings = Array.from({ length: 72 }, (_, second) => second).filter((second) =>
    second < 11 || second > 20
  )
    .map((second) => ["heartRate", at(second, { bpm: 80 + second })]);
  const told = [...events, ...readings].sort(([, one], [, other]) => one.elapsed - other.elapsed);
  return [["session", at(0, { description: description(speed) })], ...told];
}

const replayOf = (messages, told = { state: "over" }) => {
  const rooms = new Rooms(), replay = new Replay("run-1", rooms);
  replay.told = told;
  messages.forEach(([name, data], index) => replay.take(name, data, String(index + 1)));
  return { rooms, replay };
};

// All that the page says of a session at a moment.
function said(run, rooms, now) {
  const session = rooms.find("run-1"),
    expected = run.expected(),
    [health, words] = healthOf(run, session, now);
  rooms.shown(now, "run-1");
  return [
    conditionOf(session, now),
    conditionWords(session, now),
    progressOf(session),
    sourceFigures(session),
    session.last,
    settled(rooms.trail("run-1"), now).points.filter(([time]) => time > now - 290),
    health,
    words,
    deviationOf(run, expected, health),
    stepOf(run, session, now),
    shareOf(run, session, now),
    elapsedOf(run, 0),
    gapsOf(run),
    sourcesOf(run, session),
    run.readings.length,
    run.events.length,
  ];
}

// What the live page knows of the run at a moment, when the messages came one by one.
function live(messages, elapsed, speed = 1) {
  const run = new Run("run-1"), rooms = new Rooms(), now = start + elapsed / speed;
  messages.forEach(([name, data], index) => {
    if (name !== "session" && data.elapsed > elapsed) return;
    run.take(name, data, String(index + 1));
    if (name === "session") rooms.take([{ ...data.description, state: "running", heardAt: now, recent: [] }]);
    if (name === "heartRate") rooms.takeRate(data, now);
    if (name === "event" && data.kind !== "over") rooms.takeEvent(data);
  });
  const session = rooms.find("run-1");
  session.heardAt = now;
  if (run.over) {
    const end = { state: "over", endedAt: run.over.t, outcome: run.over.text };
    Object.assign(session, { ...end, progress: undefined, sources: undefined });
  }
  return said(run, rooms, now);
}

for (const speed of [undefined, 10]) {
  test(`at each moment says what the live page said then, at ${speed || 1} times real time`, () => {
    const messages = story(speed), { rooms, replay } = replayOf(messages);
    const states = new Set();
    // On the way, and back and forth.
    const way = [...Array.from({ length: 170 }, (_, half) => half / 2), 40, 3, 74, 35.5, 12.1, 0];
    for (const elapsed of way) {
      replay.show(elapsed);
      const words = said(replay.run, rooms, replay.moment);
      states.add(words[0]);
      assert.deepEqual(words, live(messages, elapsed, speed), String(elapsed));
    }
    assert.deepEqual([...states].sort(), [
      ...(speed ? [] : ["outside"]),
      "over",
      "paused",
      "running",
      ...(speed ? [] : ["stale"]),
      "warned",
    ]);
  });
}

test("messages that come late or twice as far are told where they belong", () => {
  const messages = story(), { rooms, replay } = replayOf(messages.toReversed());
  for (const elapsed of [10, 33, 75]) {
    replay.show(elapsed);
    assert.deepEqual(said(replay.run, rooms, replay.moment), live(messages, elapsed));
  }
  replay.show(33);
  assert.equal(replay.show(33), false);
  replay.take(
    "heartRate",
    { session: "run-1", elapsed: 15, t: start + 15, received: start + 900, bpm: 70 },
    "99",
  );
  assert.equal(replay.show(33), true);
  assert.deepEqual(replay.run.readings.find(15), {
    elapsed: 15,
    t: start + 15,
    received: start + 15,
    bpm: 70,
    number: 99,
  });
  replay.forget(99);
  replay.show(33);
  assert.equal(replay.run.readings.find(15), null);
});

test("a run that was killed loses contact, and plays on until that is seen", () => {
  const messages = story().filter(([name, { elapsed }]) => name === "session" || elapsed <= 45);
  const { rooms, replay } = replayOf(messages, { state: "lost", heardAt: start + 46.5, startedAt: start });
  assert.equal(replay.last, 54.5);
  const stateAt = (elapsed) => {
    replay.show(elapsed);
    return conditionWords(rooms.find("run-1"), replay.moment);
  };
  assert.equal(stateAt(50), "No heart rate for 5\u00a0s");
  assert.match(stateAt(51), /^No contact with the run for 4\u00a0s/);
  assert.match(stateAt(54.5), /^No contact with the run for 8\u00a0s/);
  assert.equal(stateAt(45), "running");
});

test("marks lead from one to the next, and clips last until their end", () => {
  const messages = story(), { replay } = replayOf(messages);
  replay.take("note", { kind: "note", elapsed: 60, t: start + 60, text: "Tea" }, "100");
  replay.take("note", { kind: "meal", elapsed: 61, t: start + 61 }, "101");
  replay.take(
    "noteChanged",
    { kind: "noteChanged", note: 101, isDeleted: true, elapsed: 61, t: start + 61 },
    "102",
  );
  // Of long after.
  replay.take("note", { kind: "note", elapsed: 5000, t: start + 5000, text: "Later" }, "103");
  assert.deepEqual([replay.first, replay.last, replay.isEmpty], [0, 75, false]);
  assert.deepEqual(replay.marks.map(({ elapsed, until, look }) => [elapsed, until, look]), [
    [1, 1, "step"],
    [5, 45, "stimulus"],
    [30, 30, "step"],
    [50, 50, "note"],
    [60, 60, "note"],
    [72, 72, "rating"],
    [75, 75, "step"],
  ]);
  assert.deepEqual([
    replay.markAfter(5),
    replay.markAfter(75),
    replay.markBefore(31.5),
    replay.markBefore(30.5),
  ], [
    30,
    75,
    30,
    5,
  ]);
  assert.equal(replay.markBefore(.5), 0);
  assert.deepEqual(new Replay("a", new Rooms()).isEmpty, true);
});

test("a part that begins late begins with the first thing that was told", () => {
  const later = story().filter(([name, { elapsed }]) => name === "session" || elapsed >= 40);
  assert.equal(replayOf(later).replay.first, 40);
});

test("an address names a run, a moment and a speed, and leads back to them", () => {
  for (const speed of speeds) {
    for (const at of [0, 5, 59.9, 60, 754.3, 7265]) {
      const address = replayAddress({ run: "run-1", at, speed });
      assert.deepEqual(askedReplay(address.slice(1)), { run: "run-1", at, speed }, address);
    }
  }
  assert.equal(replayAddress({ run: "run-1", at: 754, speed: 4 }), "/?run=run-1&at=12:34&speed=4");
  assert.equal(replayAddress({ run: "run-1", at: 754.34 }), "/?run=run-1&at=12:34.3");
  assert.equal(replayAddress({ run: "run-1" }), "/?run=run-1");
  assert.deepEqual(askedReplay("?run=run-1&at=1:02:03"), { run: "run-1", at: 3723, speed: 1 });
  for (const at of ["soon", "12", "1:2", "-1:00", "::", "99999:00"]) {
    assert.equal(askedReplay(`?run=a&at=${at}`).at, null, at);
  }
  for (const speed of ["3", "0", "-1", "x", "Infinity"]) {
    assert.equal(askedReplay(`?run=a&speed=${speed}`).speed, 1, speed);
  }
  for (const query of ["", "?wall", "?run=", "?run=../a", "?run=%3Cb%3E", `?run=${"a".repeat(65)}`]) {
    assert.equal(askedReplay(query), null, query);
  }
});
