// Units. Heart rates are in beats per minute and carbohydrates in grams everywhere; only here do they become
// what this device shows.
import { counted, language, nameUnit, number, pluralOf, say } from "./language.mjs";

// Axes have round ticks in the unit that is shown: the first step that is not too narrow for the span.
const rateUnits = {
  bpm: { size: 1, digits: 0, steps: [[130, 20], [45, 10], [12, 5], [0, 1]] },
  hertz: { size: 60, digits: 2, steps: [[2.2, .5], [.75, .2], [.3, .1], [0, .02]] },
};
const chosen = { rate: "bpm", carbohydrates: 1 };

// Takes what the device has kept, or what is usual where that is no unit.
export function chooseUnits({ rateUnit, carbohydrateUnit }) {
  chosen.rate = Object.hasOwn(rateUnits, rateUnit) ? rateUnit : "bpm";
  chosen.carbohydrates = [10, 12, 15].includes(Number(carbohydrateUnit)) ? Number(carbohydrateUnit) : 1;
  nameUnit(chosen.rate);
}

export const rateUnit = () => chosen.rate;
export const rateScale = () => rateUnits[chosen.rate];

// A rate as a number of the unit that is shown, with more digits on request.
export const rate = (bpm, more = 0) => number(bpm / rateScale().size, rateScale().digits + more);

// The same where no word says what it is: beats per minute need none, because straps and watches show them,
// too.
export const rateLabel = (bpm) =>
  chosen.rate === "bpm" ? rate(bpm) : `${rate(bpm)}\u00a0${say(`unitShort_${chosen.rate}`)}`;

// How far two rates are from each other, in words; null where it is nothing in the unit that is shown.
export function difference(bpm) {
  const { size, digits } = rateScale();
  const apart = Math.round(Math.abs(bpm) / size * 10 ** digits) / 10 ** digits;
  return apart ? counted(apart, `difference_${chosen.rate}`) : null;
}

export const carbohydrateSize = () => chosen.carbohydrates;
export const carbohydrateWord = () => chosen.carbohydrates === 1 ? "g" : `× ${chosen.carbohydrates} g`;
export const carbohydrates = (grams) =>
  chosen.carbohydrates === 1
    ? `${number(grams, 1, 0)} g`
    : `${number(grams / chosen.carbohydrates, 2, 0)} ${carbohydrateWord()}`;

// Doses. A unit of these has a word in each language; any other is kept and shown as it was typed.
const doseWords = ["units", "drops", "puffs", "tablets"];
const doseForm = (code, form) => say(`dose_${code}_${form}`, "").trim();
export const usualDoses = ["units", "mg", "µg", "g", "ml", "drops", "puffs", "tablets"];
export const doseName = (code) => doseWords.includes(code) ? doseForm(code, "other") : code;

// The name of a unit that all languages know, or what was typed.
export function doseCode(text) {
  const lower = (word) => word.toLocaleLowerCase(language());
  const typed = lower(text.trim());
  const isWord = (code) => ["one", "other"].some((form) => lower(doseForm(code, form)) === typed);
  return doseWords.find((code) => code === typed || isWord(code)) || text.trim();
}

// Beside a number, a unit that begins like one would be read as another dose; the monitor refuses the same.
export const isDoseUnit = (text) => /^[^\p{N}\s.,:+\-−–][^\p{Cc}]*$/u.test(text.trim());

// The unit that the device has kept, if it is one.
export const keptDoseUnit = (code) => doseName(typeof code === "string" && isDoseUnit(code) ? code : "units");

export function dose(amount, unit = "units") {
  const figure = number(amount, 9, 0);
  if (!doseWords.includes(unit)) return `${figure}\u00a0${unit}`;
  return say(`dose_${unit}_${pluralOf(amount) === "one" ? "one" : "other"}`, figure);
}
