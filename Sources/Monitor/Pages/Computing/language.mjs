// The program's own words in the language of the page, and its numbers.

const spoken = { words: {}, language: "en", unit: "bpm" };
const formats = new Map();
let plurals = new Intl.PluralRules(spoken.language);

// From then on everything is said with these words.
export function speak(words, language) {
  Object.assign(spoken, { words, language });
  plurals = new Intl.PluralRules(language);
  formats.clear();
}

// From then on %u is this unit of heart rates.
export function nameUnit(unit) {
  spoken.unit = unit;
}

export const language = () => spoken.language;
export const hasWords = (key) => key in spoken.words;
export const pluralOf = (count) => plurals.select(count);

// The words of a key with values in the place of %1, %2 and so on, and the unit of heart rates in that of %u,
// or of %U where there is little room.
export function say(key, ...values) {
  return spoken.words[key].replace(/%([1-9uU])/g, (place, name) => {
    if (name === "u") return spoken.words[`unit_${spoken.unit}`];
    if (name === "U") return spoken.words[`unitShort_${spoken.unit}`];
    return values[name - 1] ?? place;
  });
}

// Those of the words that there are, as a list or side by side.
export const listed = (...words) => words.filter(Boolean).join(", ");
export const joined = (...words) => words.filter(Boolean).join(" · ");

// The words of as many things of a kind.
export function counted(count, key) {
  const form = `${key}_${pluralOf(count)}`;
  return say(hasWords(form) ? form : `${key}_other`, Number.isInteger(count) ? count : number(count, 2, 0));
}

// A number as the language writes it, with the options of Intl.NumberFormat.
export function formatted(value, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(spoken.language, options));
  return formats.get(key).format(value);
}

// A number with so many digits behind the point, or with fewer where the rest are zeros.
export const number = (value, digits, least = digits) =>
  formatted(value, { minimumFractionDigits: least, maximumFractionDigits: digits, useGrouping: false });
