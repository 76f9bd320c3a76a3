import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  doneWords,
  due,
  dueWords,
  endOf,
  qualityOf,
  shares,
} from "../../Sources/Monitor/Pages/Computing/quality.mjs";
import { speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const run = (quality, more) => ({
  kind: "run",
  outcome: "completed",
  quality,
  received: { readings: 10 },
  ...more,
});

test("says what a run's own report says, as far as something is to be said", () => {
  const quality = {
    coverage: .98765,
    longestGap: 12.34,
    pauses: 1,
    stoodStill: 2,
    worstLateness: -.0123,
    underruns: 2,
    problems: 1,
    poor: false,
  };
  assert.deepEqual(qualityOf(run(quality)), {
    words:
      "98.7 % covered, longest gap 12.3 s, 1 pause, the program stood still for 2 s, at most 12.3 ms off, sound ran out 2 times, 1 problem",
    isPoor: false,
  });
  assert.deepEqual(qualityOf(run({ coverage: 0, longestGap: 0, poor: true })), {
    words: "0 % covered",
    isPoor: true,
  });
  assert.deepEqual(qualityOf(run({})), { words: "nothing was recorded", isPoor: undefined });
});

test("a share just below a limit does not look like the limit", () => {
  const share = (coverage) => qualityOf(run({ coverage })).words;
  assert.equal(share(.9499), "94.9 % covered");
  assert.equal(share(.99999), "99.9 % covered");
  // What is exactly there is not rounded down by how computers count.
  assert.equal(share(.29), "29 % covered");
  assert.equal(share(1), "100 % covered");
});

test("a run that was not completed is neither good nor poor", () => {
  assert.equal(qualityOf(run({ poor: true }, { outcome: "discarded" })).isPoor, undefined);
  assert.equal(
    qualityOf(run({ coverage: 1 }, { isFromBundle: true })).words,
    "100 % covered (from its bundle)",
  );
});

test("without a report, says what has come", () => {
  const received = { readings: 10, gaps: 2, gapSeconds: 65 };
  assert.deepEqual(qualityOf({ kind: "run", received }), {
    words: "not reported; received: 10 readings, 2 gaps, 1:05 in all",
  });
  assert.deepEqual(qualityOf({ kind: "readings", received: { readings: 1 } }), { words: "1 reading" });
  // The gaps of a recording are its own.
  assert.deepEqual(qualityOf({ kind: "import", received }), { words: "10 readings" });
});

test("says how a session ended", () => {
  assert.deepEqual(endOf({ state: "lost", kind: "run" }), ["lost", "end not reported"]);
  assert.deepEqual(endOf({ state: "over", kind: "run", outcome: "failed" }), ["stale", "failed or killed"]);
  assert.deepEqual(endOf({ state: "over", kind: "run", outcome: "completed" }), ["over", "completed"]);
  assert.deepEqual(endOf({ state: "over", kind: "run" }), ["over", "over"]);
  assert.deepEqual(endOf({ state: "over", kind: "import" }), ["over", "imported"]);
  assert.deepEqual(endOf({ state: "silent", kind: "readings" }), ["over", "no more readings"]);
});

test("says how far a study has come", () => {
  assert.equal(
    doneWords({ completed: 3, incomplete: 1, excluded: 2, poor: 1 }),
    "3 sessions completed, 1 incomplete, 2 excluded, 1 completed but poor",
  );
  assert.equal(doneWords({ completed: 1, incomplete: 0, excluded: 0, poor: 0 }), "1 session completed");
});

test("counts stand in the order of their names, each beside the largest", () => {
  assert.deepEqual(shares({ "arm 10": 2, "arm 9": 4, a: 0 }), [
    { name: "a", count: 0, share: 0 },
    { name: "arm 9", count: 4, share: 1 },
    { name: "arm 10", count: 2, share: .5 },
  ]);
  assert.deepEqual(shares({ a: 0 }), [{ name: "a", count: 0, share: 0 }]);
  assert.deepEqual(shares({}), []);
});

test("what is overdue comes first, and what comes later is counted", () => {
  const toCome = ["later", "running", "due", "stopped", "overdue", "incomplete", "later"].map((state) => ({
    state,
  }));
  const { now, later } = due(toCome);
  assert.deepEqual(now.map(({ state }) => state), ["overdue", "stopped", "due", "incomplete", "running"]);
  assert.equal(later, 2);
  assert.deepEqual([dueWords("overdue"), dueWords("novel")], ["overdue", "novel"]);
});
