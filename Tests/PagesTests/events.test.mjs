import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  chartMark,
  describe,
  isNoted,
  markerOf,
  needsText,
  noteOf,
  withFigures,
} from "../../Sources/Monitor/Pages/Computing/events.mjs";
import { chooseUnits } from "../../Sources/Monitor/Pages/Computing/units.mjs";
import { space, speakIn } from "./spoken.mjs";

beforeEach(() => speakIn("en"));

test("describes what a run has told", () => {
  assert.equal(describe({ kind: "stepStarted", step: "rest" }), "Step begins: rest");
  assert.equal(describe({ kind: "stepStarted", step: "rest" }, () => "Rest"), "Step begins: Rest");
  assert.equal(
    describe({ kind: "stimulusOnset", step: "music", stimulus: "Air" }),
    "Clip begins: music, Air",
  );
  assert.equal(
    describe({ kind: "sourceState", source: "strap", state: "lost", text: "off" }),
    "Source: strap, lost, off",
  );
  assert.equal(describe({ kind: "paused" }), "Pause begins");
  assert.equal(
    describe({ kind: "begun", session: "x", description: { study: "calm", title: "Calm" } }),
    "Session begins: Calm",
  );
  assert.equal(describe({ kind: "begun", session: "x", description: {} }), "Session begins: x");
  assert.equal(describe({ kind: "novel", text: "something" }), "Event: something");
});

test("describes what somebody has noted, in the units of the device", () => {
  assert.equal(
    describe({ kind: "meal", carbohydrates: 30, protein: 8, fat: 0, text: "Soup" }),
    "Meal: 30 g of carbohydrates, 8 g of protein, 0 g of fat, Soup",
  );
  chooseUnits({ carbohydrateUnit: "12" });
  assert.equal(describe({ kind: "meal", carbohydrates: 30 }), "Meal: 2.5 × 12 g of carbohydrates");
  assert.equal(
    describe({ kind: "dose", units: 4, unit: "mg", text: "Caffeine" }),
    `Dose: 4${space}mg, Caffeine`,
  );
  assert.equal(
    describe({ kind: "exercise", duration: 12.5, intensity: "light", text: "Walk" }),
    "Exercise: 12.5 min, light, Walk",
  );
  assert.equal(describe({ kind: "mood", mood: 4.2 }), "Mood: good");
});

test("other figures replace all that an event had, and none leave them", () => {
  const meal = { kind: "meal", text: "Soup", carbohydrates: 30, protein: 8 };
  assert.deepEqual(withFigures(meal, undefined), meal);
  const changed = withFigures(meal, { fat: 5 });
  assert.deepEqual([changed.text, changed.carbohydrates, changed.protein, changed.fat], [
    "Soup",
    undefined,
    undefined,
    5,
  ]);
  assert.equal(meal.protein, 8);
});

test("marks the beginnings of steps and clips, and what the experimenter marked, in a chart", () => {
  const title = (step) => step.toUpperCase();
  assert.deepEqual(chartMark({ kind: "stepStarted", step: "rest" }, title), { kind: "step", words: "REST" });
  assert.deepEqual(chartMark({ kind: "stimulusOnset", stimulus: "Air" }, title), {
    kind: "stimulus",
    words: "♪ Air",
  });
  assert.deepEqual(chartMark({ kind: "marked", text: "Noise" }, title), { kind: "note", words: "✎ Noise" });
  for (const kind of ["stepEnded", "paused", "note", "rating"]) {
    assert.equal(chartMark({ kind }, title), null);
  }
});

test("every kind of event of a day has a marker", () => {
  assert.deepEqual(markerOf({ kind: "stimulusOnset" }), {
    style: "clip",
    sign: "♪",
    word: "clip",
    colour: "stimulus",
  });
  assert.deepEqual(markerOf({ kind: "rating" }), {
    style: "rating",
    sign: "★",
    word: "kind_rating",
    colour: "expected",
  });
  assert.deepEqual(markerOf({ kind: "dose" }), {
    style: "note",
    sign: "",
    word: "kind_dose",
    colour: "note",
  });
  assert.deepEqual(markerOf({ kind: "over" }), { style: "session", sign: "E", word: "end", colour: "step" });
  assert.deepEqual(markerOf({ kind: "novel" }), { style: "step", sign: "•", word: "event", colour: "step" });
});

test("tells what people noted from what a run has told", () => {
  for (const kind of ["note", "meal", "exercise", "dose", "medication", "mood"]) {
    assert.ok(isNoted({ kind }), kind);
  }
  for (const kind of ["marked", "stepStarted", "rating", "over"]) assert.ok(!isNoted({ kind }), kind);
  assert.deepEqual(["note", "exercise", "medication", "meal", "dose", "mood"].map(needsText), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("a note is sent in grams, with its numbers, and without what was left empty", () => {
  assert.deepEqual(noteOf("note", "Coffee", []), { text: "Coffee" });
  assert.deepEqual(
    noteOf("meal", "", [{ name: "carbohydrates", value: "2.5" }, { name: "protein", value: "" }, {
      name: "fat",
      value: "0",
    }]),
    { kind: "meal", carbohydrates: 2.5, fat: 0 },
  );
  chooseUnits({ carbohydrateUnit: "12" });
  assert.deepEqual(noteOf("meal", "Soup", [{ name: "carbohydrates", value: "2.5" }]), {
    kind: "meal",
    text: "Soup",
    carbohydrates: 30,
  });
  chooseUnits({ carbohydrateUnit: "10" });
  assert.equal(noteOf("meal", "", [{ name: "carbohydrates", value: "0.07" }]).carbohydrates, .7);
  assert.deepEqual(
    noteOf("exercise", "Walk", [{ name: "duration", value: "12.5" }, { name: "intensity", value: "light" }]),
    { kind: "exercise", text: "Walk", duration: 12.5, intensity: "light" },
  );
});

test("a dose is sent with the name of its unit that all languages know", () => {
  const sent = (unit) => noteOf("dose", "", [{ name: "units", value: "4" }, { name: "unit", value: unit }]);
  assert.deepEqual(sent("mg"), { kind: "dose", units: 4, unit: "mg" });
  assert.deepEqual(sent("Drops"), { kind: "dose", units: 4, unit: "drops" });
  assert.deepEqual(sent("units"), { kind: "dose", units: 4 });
  assert.deepEqual(sent(""), { kind: "dose", units: 4 });
});
