import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { traceWords, wouldDelete } from "../../Sources/Monitor/Pages/Computing/traces.mjs";
import { speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

const none = { series: 0, readings: 0, events: 0, notes: 0, bundles: 0 };
const when = (time) => `at ${time}`;

test("says all that would go", () => {
  const all = { series: 2, readings: 300, events: 1, notes: 3, bundles: 1 };
  assert.equal(
    wouldDelete(all),
    "This will go: 2 sessions, 300 readings, 1 event, 3 notes, 1 result bundle that is kept here.",
  );
  assert.equal(wouldDelete(none), "This will go: 0 readings.");
  assert.equal(wouldDelete({ ...none, bundles: 2 }), "This will go: 2 result bundles that are kept here.");
});

test("says that bundles stay of which nobody knows yet whose they are", () => {
  assert.match(
    wouldDelete({ ...none, series: 1, untoldBundles: 1 }),
    /^This will go: 1 session, 0 readings\. 1 bundle that is still arriving does not/,
  );
});

test("a trace says what is gone, and of whom", () => {
  assert.equal(
    traceWords({ what: "reading", session: "run-1", measured: 5 }, when),
    "a reading of run-1, measured at 5",
  );
  assert.equal(
    traceWords({ what: "participant", participant: "P01", ...none, series: 1 }, when),
    "everything of a participant: 1 session, 0 readings",
  );
  const run = {
    what: "session",
    of: "run",
    participant: "P01",
    session: "run-1",
    startedAt: 7,
    ...none,
    readings: 1,
  };
  assert.equal(traceWords(run, when), "a run of P01, begun at 7: 1 reading");
  assert.equal(
    traceWords({ ...run, participant: undefined, startedAt: undefined }, when),
    "a run of run-1, begun –: 1 reading",
  );
});
