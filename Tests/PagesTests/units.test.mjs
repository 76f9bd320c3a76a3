import assert from "node:assert/strict";
import { test } from "node:test";
import {
  carbohydrates,
  carbohydrateSize,
  carbohydrateWord,
  chooseUnits,
  difference,
  dose,
  doseCode,
  doseName,
  isDoseUnit,
  keptDoseUnit,
  rate,
  rateLabel,
  rateUnit,
} from "../../Sources/Monitor/Pages/Computing/units.mjs";
import { hertz, space, speakIn } from "./spoken.mjs";

test("shows rates in beats per minute without digits, and more on request", () => {
  speakIn("en");
  assert.equal(rate(71.6), "72");
  assert.equal(rate(71.64, 1), "71.6");
  assert.equal(rateLabel(120), "120");
});

test("shows rates in hertz with their unit where no word names it", () => {
  speakIn("en");
  hertz();
  assert.equal(rate(120), "2.00");
  assert.equal(rate(75, 1), "1.250");
  assert.equal(rateLabel(120), `2.00${space}Hz`);
  speakIn("de");
  hertz();
  assert.equal(rate(90), "1,50");
});

test("a device that keeps something odd has the usual units", () => {
  speakIn("en");
  for (const odd of [null, "furlong", "toString", 7, {}, ["bpm", "hertz"]]) {
    chooseUnits({ rateUnit: odd, carbohydrateUnit: odd });
    assert.equal(rateUnit(), "bpm");
    assert.equal(carbohydrateSize(), 1);
  }
  for (const size of ["11", "0", "-10", "1e1x", Infinity]) {
    chooseUnits({ carbohydrateUnit: size });
    assert.equal(carbohydrateSize(), 1, size);
  }
});

test("says how far two rates are apart, and nothing where that is nothing", () => {
  speakIn("en");
  assert.equal(difference(-1.2), "1 beat per minute");
  assert.equal(difference(7.6), "8 beats per minute");
  assert.equal(difference(.4), null);
  hertz();
  assert.equal(difference(-30), "0.5 hertz");
  assert.equal(difference(.2), null);
});

test("shows carbohydrates in grams or in exchanges", () => {
  speakIn("en");
  assert.equal(carbohydrates(30), "30 g");
  assert.equal(carbohydrates(12.34), "12.3 g");
  assert.equal(carbohydrateWord(), "g");
  chooseUnits({ carbohydrateUnit: "12" });
  assert.equal(carbohydrates(30), "2.5 × 12 g");
  assert.equal(carbohydrateWord(), "× 12 g");
  for (const [size, words] of [[10, "3 × 10 g"], ["15", "2 × 15 g"]]) {
    chooseUnits({ carbohydrateUnit: size });
    assert.equal(carbohydrates(30), words);
  }
});

test("says a dose in words of the language, and in other units as they were typed", () => {
  speakIn("en");
  assert.equal(dose(1), "1 unit");
  assert.equal(dose(4.5, "units"), "4.5 units");
  assert.equal(dose(1, "drops"), "1 drop");
  assert.equal(dose(2, "tablets"), "2 tablets");
  assert.equal(dose(0.000000125, "mg"), `0.000000125${space}mg`);
  assert.equal(dose(5, "mg/kg"), `5${space}mg/kg`);
});

test("knows a unit by its word in any form, and keeps the others", () => {
  speakIn("de");
  const plural = doseName("drops");
  assert.notEqual(plural, "drops");
  assert.equal(doseCode(plural), "drops");
  assert.equal(doseCode(` ${plural.toUpperCase()} `), "drops");
  assert.equal(doseCode("drops"), "drops");
  assert.equal(doseCode(" mg "), "mg");
  assert.equal(doseName("mg"), "mg");
});

test("accepts units that begin with a word", () => {
  for (const text of ["mg", " µg", "I.U.", "mg/kg", "Tropfen", "滴", "%"]) assert.ok(isDoseUnit(text), text);
});

test("refuses units that would be read as another dose beside a number", () => {
  for (
    const text of [
      "",
      "  ",
      "1",
      "5mg",
      ".5",
      ",5",
      "-mg",
      "−mg",
      "–mg",
      "+mg",
      ":mg",
      "½",
      "٣",
      "mg\n5",
      "m\u0007",
    ]
  ) {
    assert.ok(!isDoseUnit(text), JSON.stringify(text));
  }
});

test("takes the unit that a device has kept, if it is one", () => {
  speakIn("en");
  assert.equal(keptDoseUnit("mg"), "mg");
  assert.equal(keptDoseUnit("puffs"), "puffs");
  for (const odd of ["5mg", "", null, 7, {}]) assert.equal(keptDoseUnit(odd), "units");
});
