import assert from "node:assert/strict";
import { test } from "node:test";
import {
  counted,
  formatted,
  hasWords,
  joined,
  listed,
  number,
  say,
  speak,
} from "../../Sources/Monitor/Pages/Computing/language.mjs";
import { hertz, speakIn, wordsOf } from "./spoken.mjs";

test("puts values in their places, wherever a language has them", () => {
  speak({ order: "%2 of %1", twice: "%1, %1" }, "en");
  assert.equal(say("order", "five", 3), "3 of five");
  assert.equal(say("twice", 0), "0, 0");
});

test("leaves a place that nothing was given for, and does not fill in what a value says", () => {
  speak({ gap: "%1 gaps, %2 in all", name: "of %1" }, "en");
  assert.equal(say("gap", 3), "3 gaps, %2 in all");
  assert.equal(say("name", "%1 $& %u"), "of %1 $& %u");
});

test("names the unit of heart rates that is shown", () => {
  speakIn("en");
  assert.equal(say("rateAxis"), "Heart rate (beats per minute)");
  assert.equal(say("measuredColumn"), "Measured (bpm)");
  hertz();
  assert.equal(say("rateAxis"), "Heart rate (hertz)");
  assert.equal(say("measuredColumn"), "Measured (Hz)");
});

test("counts in the forms of the language", () => {
  speakIn("en");
  assert.deepEqual([0, 1, 2].map((count) => counted(count, "reading")), [
    "0 readings",
    "1 reading",
    "2 readings",
  ]);
  // French has one form for 0 and 1.
  speakIn("fr");
  assert.equal(counted(0, "reading"), wordsOf("fr").reading_one.replace("%1", "0"));
  assert.equal(counted(2, "reading"), wordsOf("fr").reading_other.replace("%1", "2"));
});

test("counts parts with at most two digits, and where a form has no words, in the other one", () => {
  speak({ hour_other: "%1 hours" }, "de");
  assert.equal(counted(1, "hour"), "1 hours");
  assert.equal(counted(1.456, "hour"), "1,46 hours");
  assert.equal(counted(2.5, "hour"), "2,5 hours");
});

test("writes numbers as the language does, without marks between thousands", () => {
  speak({}, "de");
  assert.equal(number(1234.5, 2), "1234,50");
  assert.equal(number(1234.5, 2, 0), "1234,5");
  assert.equal(formatted(1234.5, { minimumFractionDigits: 1 }), "1.234,5");
  speak({}, "en");
  assert.equal(number(1234.5, 2), "1234.50");
  assert.equal(number(-.25, 1), "-0.3");
});

test("knows whether it has words", () => {
  speak({ kind_note: "Note" }, "en");
  assert.ok(hasWords("kind_note"));
  assert.ok(!hasWords("kind_other"));
});

test("lists only what there is", () => {
  assert.equal(listed("a", "", null, undefined, false, "b"), "a, b");
  assert.equal(joined("a", null, "b"), "a · b");
  assert.equal(listed(), "");
});
