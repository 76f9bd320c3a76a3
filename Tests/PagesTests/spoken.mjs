// What the tests share: the pages' words in each language.
import { readFileSync } from "node:fs";
import { speak } from "../../Sources/Monitor/Pages/Computing/language.mjs";
import { chooseUnits } from "../../Sources/Monitor/Pages/Computing/units.mjs";

export const wordsOf = (language) =>
  JSON.parse(readFileSync(new URL(`../../Sources/Monitor/Words/${language}.json`, import.meta.url), "utf8"));

// Begins to speak a language, in the units that a new device has.
export function speakIn(language) {
  speak(wordsOf(language), language);
  chooseUnits({});
}

export const hertz = () => chooseUnits({ rateUnit: "hertz" });

// A unit stays with its number.
export const space = "\u00a0";
