// Events of sessions and days, and what people noted.
import { hasWords, number, say } from "./language.mjs";
import { carbohydrates, carbohydrateSize, dose, doseCode } from "./units.mjs";

const figures = ["carbohydrates", "protein", "fat", "duration", "units", "unit", "mood", "intensity"];

// An event with other figures; `undefined` leaves it those that it has.
export const withFigures = (event, changed) =>
  changed === undefined
    ? event
    : { ...event, ...Object.fromEntries(figures.map((key) => [key, undefined])), ...changed };

// An event in words; steps by their titles, where they are known.
export function describe(event, titleOf = (step) => step) {
  const amounts = ["carbohydrates", "protein", "fat", "duration"].filter((key) => event[key] !== undefined)
    .map((key) =>
      say(`figure_${key}`, key === "carbohydrates" ? carbohydrates(event[key]) : number(event[key], 3, 0))
    );
  const { description, kind, mood, intensity } = event;
  const parts = [
    description && (description.title || description.study || event.session),
    ...amounts,
    event.units === undefined ? "" : dose(event.units, event.unit),
    kind === "mood" && mood !== undefined ? say(`mood_${Math.round(mood)}`) : "",
    intensity ? say(`intensity_${intensity}`) : "",
    event.title || (event.step && titleOf(event.step)),
    event.stimulus,
    event.source,
    event.state,
    event.text,
  ].filter(Boolean);
  return say(hasWords(`kind_${kind}`) ? `kind_${kind}` : "event") +
    (parts.length ? ": " + parts.join(", ") : "");
}

// The marks of a live chart at which a line stands: of which colour, and with which words.
export function chartMark(event, titleOf) {
  switch (event.kind) {
    case "stepStarted":
      return { kind: "step", words: titleOf(event.step) };
    case "stimulusOnset":
      return { kind: "stimulus", words: `♪ ${event.stimulus || ""}` };
    case "marked":
      return { kind: "note", words: `✎ ${event.text || ""}` };
    default:
      return null;
  }
}

// How the events of a day are marked: a style, a sign, and the key of the word for its kind.
const markers = {
  begun: ["session", "S", "session"],
  over: ["session", "E", "end"],
  stepStarted: ["step", "▸", "step"],
  stimulusOnset: ["clip", "♪", "clip"],
  rating: ["rating", "★", "kind_rating"],
  note: ["note", "✎", "note"],
  marked: ["note", "✎", "kind_marked"],
};
const typed = ["meal", "exercise", "dose", "medication", "mood"];
const colours = { clip: "stimulus", rating: "expected", note: "note" };

// What somebody has noted, rather than what a run has told.
export const isNoted = ({ kind }) => kind === "note" || typed.includes(kind);

export function markerOf({ kind }) {
  const [style, sign, word] = typed.includes(kind)
    ? ["note", "", `kind_${kind}`]
    : markers[kind] || ["step", "•", "event"];
  return { style, sign, word, colour: colours[style] || "step" };
}

// Kinds of notes that say nothing without a text.
export const needsText = (kind) => ["note", "exercise", "medication"].includes(kind);

// What the fields of a note say, as the monitor takes it: grams, minutes, and the name of a unit that all
// languages know.
export function noteOf(kind, text, fields) {
  const made = kind === "note" ? { text } : { kind, ...(text ? { text } : {}) };
  for (const { name, value } of fields) {
    if (value === "") continue;
    if (name === "intensity") made.intensity = value;
    else if (name === "carbohydrates") {
      made.carbohydrates = Math.round(Number(value) * carbohydrateSize() * 1000) / 1000;
    } else if (name !== "unit") made[name] = Number(value);
    else if (doseCode(value) !== "units") made.unit = doseCode(value);
  }
  return made;
}
