import assert from "node:assert/strict";
import { test } from "node:test";
import { Rooms } from "../../Sources/Monitor/Pages/Computing/rooms.mjs";

const now = 100_000;
const room = (id, more) => ({
  id,
  source: id,
  kind: "run",
  state: "running",
  startedAt: 1,
  heardAt: now,
  last: { t: now, bpm: 70 },
  ...more,
});
const of = (...sessions) => {
  const rooms = new Rooms();
  rooms.take(sessions);
  return rooms;
};
const ids = (sessions) => sessions.map(({ id }) => id);

test("what is wrong comes first, and the others keep their order", () => {
  const rooms = of(
    room("Room 10"),
    room("Room 2"),
    room("Room 1", { state: "over", endedAt: now }),
    room("Room 4b", { state: "lost" }),
    room("Room 4", { last: { t: now - 60 } }),
    room("Room 5", { progress: { paused: now } }),
    room("Room 6", { sources: [{ state: "lost" }] }),
  );
  assert.deepEqual(ids(rooms.shown(now, null)), [
    "Room 4b",
    "Room 4",
    "Room 6",
    "Room 5",
    "Room 2",
    "Room 10",
  ]);
  assert.deepEqual(ids(rooms.ended(now)), ["Room 1"]);
});

test("while the monitor is not heard, nobody knows how a session is that was not over", () => {
  const told = () => [room("a"), room("b", { state: "lost" }), room("c", { state: "over", endedAt: now })];
  const states = (rooms) => rooms.shown(now, null).map(({ id, state }) => `${id} ${state}`);
  const rooms = of(...told());
  rooms.hear(false);
  assert.deepEqual(states(rooms), ["a unknown", "b unknown"]);
  // What can still be read may be old in the next moment.
  rooms.take(told());
  assert.deepEqual(states(rooms), ["a unknown", "b unknown"]);
  rooms.hear(true);
  rooms.take(told());
  assert.deepEqual(states(rooms), ["b lost", "a running"]);
});

test("of the same room, the session that began first comes first", () => {
  const rooms = of(room("b", { source: "Room", startedAt: 9 }), room("a", { source: "Room", startedAt: 5 }));
  assert.deepEqual(ids(rooms.shown(now, null)), ["a", "b"]);
});

test("an ended session stays for an hour, one that was lost for twelve, and the chosen one always", () => {
  const rooms = of(
    room("ended", { state: "over", endedAt: now - 3599 }),
    room("long ended", { state: "over", endedAt: now - 3601 }),
    room("lost", { state: "lost", heardAt: now - 43_199 }),
    room("long lost", { state: "lost", heardAt: now - 43_201 }),
    room("readings", { state: "over", kind: "readings", endedAt: now }),
    room("silent", { state: "silent", kind: "readings" }),
  );
  assert.deepEqual(ids(rooms.shown(now, null)), ["lost"]);
  assert.deepEqual(ids(rooms.shown(now, "silent")), ["lost", "silent"]);
  assert.deepEqual(ids(rooms.ended(now)), ["ended"]);
});

test("a heart that is outside of what is expected for half a minute comes before the others", () => {
  const steps = [{ identifier: "rest", duration: 600, expected: [[0, 70, 60, 80], [600, 70, 60, 80]] }];
  const in_ = (id, rates) =>
    room(id, {
      steps,
      progress: { step: "rest", since: now - 100 },
      recent: rates.map((rate, index) => [now - 40 + 10 * index, rate]),
    });
  const rooms = of(
    in_("calm", [70, 71, 72]),
    in_("high", [90, 91, 92]),
    in_("brief", [70, 91, 92]),
    in_("both", [90, 50, 90]),
  );
  assert.deepEqual(ids(rooms.shown(now, null)), ["high", "both", "brief", "calm"]);
  assert.deepEqual(rooms.find("high").outside.slice(1), [70, 60, 80]);
  assert.equal(rooms.find("brief").outside, null);
});

test("the first running session is chosen where nobody has chosen one", () => {
  const rooms = of(room("over", { state: "over" }), room("a"), room("b"));
  assert.equal(rooms.next(null, false), "a");
  assert.equal(rooms.next("b", false), null);
  assert.equal(rooms.next("over", false), "a");
  // Somebody reads what has ended.
  assert.equal(rooms.next("over", true), null);
  assert.equal(rooms.next("gone", true), "a");
  assert.equal(of(room("over", { state: "over" })).next(null, false), null);
});

test("a reading is the newest of its session unless a newer one has come", () => {
  const rooms = of(room("a", { heardAt: now - 50, last: { t: now - 10, bpm: 60 } }));
  assert.ok(rooms.takeRate({ session: "a", t: now - 5, bpm: 65, received: now - 4 }, now));
  assert.deepEqual([rooms.find("a").last, rooms.find("a").heardAt], [{ t: now - 5, bpm: 65 }, now - 4]);
  assert.ok(rooms.takeRate({ session: "a", t: now - 8, bpm: 90, received: now - 30 }, now));
  assert.deepEqual([rooms.find("a").last, rooms.find("a").heardAt], [{ t: now - 5, bpm: 65 }, now - 4]);
  assert.ok(!rooms.takeRate({ session: "b", t: now, bpm: 65, received: now }, now));
});

test("a trail goes on from what the monitor knew", () => {
  const rooms = of(room("a", { recent: [[now - 20, 60], [now - 10, 62]] }));
  rooms.takeRate({ session: "a", t: now - 9, bpm: 64, received: now }, now);
  assert.deepEqual(rooms.trail("a"), [[now - 20, 60, 1], [now - 10, 63, 2]]);
  assert.deepEqual(rooms.trail("b"), []);
  // The list that is read again has the recent values only where they are asked for.
  rooms.take([room("a")]);
  assert.equal(rooms.trail("a").length, 2);
});

test("takes what happens in a room, and says where that is not enough", () => {
  const rooms = of(room("a"));
  assert.ok(rooms.takeEvent({ session: "a", kind: "stepStarted", step: "rest", t: 5 }));
  assert.deepEqual(rooms.find("a").progress, { step: "rest", since: 5 });
  assert.ok(!rooms.takeEvent({ session: "a", kind: "over" }));
  assert.ok(!rooms.takeEvent({ session: "b", kind: "stepStarted" }));
});

test("keeps of each source what was told last", () => {
  const rooms = of(room("a")), told = (event) => rooms.takeEvent({ session: "a", ...event });
  told({ kind: "source", source: "strap", condition: { battery: 50 } });
  assert.deepEqual(rooms.find("a").sources, [{ name: "strap", state: "live", condition: { battery: 50 } }]);
  told({ kind: "sourceState", source: "strap", state: "lost", text: "off" });
  told({ kind: "source", source: "watch", condition: {} });
  told({ kind: "source", source: "strap", condition: { battery: 49 } });
  assert.deepEqual(rooms.find("a").sources, [
    { name: "watch", state: "live", condition: {} },
    { name: "strap", state: "lost", text: "off", condition: { battery: 49 } },
  ]);
});
