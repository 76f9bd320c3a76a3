import assert from "node:assert/strict";
import { test } from "node:test";
import { Visit } from "../../Sources/Monitor/Pages/Computing/visit.mjs";

const arrived = (date = "2026-11-21") => {
  const visit = new Visit(null, "P01");
  visit.answer(visit.ask(null));
  visit.arrive(date);
  return visit;
};

test("only the answer to the last question is shown", () => {
  const visit = arrived(), first = visit.ask("2026-11-20"), second = visit.ask("2026-11-19");
  assert.ok(!visit.answer(first));
  assert.ok(visit.answer(second));
});

test("whoever presses ten times goes ten days on, though none of them is there yet", () => {
  const visit = arrived();
  assert.equal(visit.latest, "2026-11-21");
  visit.ask("2026-11-20");
  assert.equal(visit.latest, "2026-11-20");
  visit.arrive("2026-11-20");
  visit.ask(null);
  assert.equal(visit.latest, "2026-11-20");
});

test("whoever asked for a day that cannot be read goes on from the shown one", () => {
  const visit = arrived();
  visit.fail(visit.ask("2026-11-20"), "2026-11-20", 503);
  assert.equal(visit.latest, "2026-11-21");
  assert.equal(visit.takeStale(), null);
});

test("a day that could not be read again is asked for again, unless the question was wrong", () => {
  for (
    const [status, isAskedAgain] of [[undefined, true], [500, true], [503, true], [429, true], [400, false], [
      404,
      false,
    ]]
  ) {
    const visit = arrived();
    visit.fail(visit.ask(visit.date), visit.date, status);
    assert.equal(visit.takeStale() !== null, isAskedAgain, `${status}`);
  }
});

test("a failure of an earlier question changes nothing", () => {
  const visit = arrived(), first = visit.ask(visit.date);
  visit.ask("2026-11-20");
  visit.fail(first, visit.date, 500);
  assert.equal(visit.latest, "2026-11-20");
  assert.ok(!visit.isStale);
});

const day = { start: 100, end: 200 };

test("what is new makes its day stale, or those beside it", () => {
  for (const [t, isStale] of [[99, false], [100, true], [199, true], [200, false]]) {
    const visit = arrived();
    visit.outdateBy(t, day);
    assert.deepEqual([visit.isStale, visit.areSidesStale], [isStale, !isStale], `${t}`);
  }
  const visit = arrived();
  visit.outdateBy(150, null);
  assert.ok(!visit.isStale);
});

test("what is stale is read again once, with the days beside it only if one of those is", () => {
  const visit = arrived();
  assert.equal(visit.takeStale(), null);
  visit.outdateBy(150, day);
  assert.deepEqual(visit.takeStale(), { hasNewSides: false });
  assert.equal(visit.takeStale(), null);
  visit.outdate();
  assert.deepEqual(visit.takeStale(), { hasNewSides: true });
});

test("a day that somebody has asked for comes first", () => {
  const visit = arrived();
  visit.outdate();
  const question = visit.ask("2026-11-20");
  assert.equal(visit.takeStale(), null);
  visit.answer(question);
  assert.deepEqual(visit.takeStale(), { hasNewSides: true });
});
