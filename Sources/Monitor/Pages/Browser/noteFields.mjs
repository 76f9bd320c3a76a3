// The fields of notes: each kind of event has some of its own.
import { needsText } from "../Computing/events.mjs";
import { say } from "../Computing/language.mjs";
import { carbohydrateSize, carbohydrateWord, doseName, isDoseUnit } from "../Computing/units.mjs";
import { byId, doseUnit, setText } from "./page.mjs";

const form = byId("note");
export const fieldIn = (label) => label.querySelector("input, select");
const labelsOf = (kind) => [...form.querySelectorAll(`[data-of="${kind}"]`)];

export const noteKind = () => byId("note-kind").value;

// The fields of the form that are shown for its kind.
export const shownFields = () => labelsOf(noteKind()).map(fieldIn);

export function showFields() {
  const kind = noteKind();
  for (const label of form.querySelectorAll("[data-of]")) {
    label.hidden = label.dataset.of !== kind;
    fieldIn(label).disabled = label.hidden;
  }
  byId("note-text").required = needsText(kind);
  setText("note-label", say(`textOf_${kind}`));
  setText("carbohydrate-unit", carbohydrateWord());
  form.querySelector("[name=unit]").value = doseUnit();
}

export function judgeUnit(field) {
  if (field.name === "unit") field.setCustomValidity(isDoseUnit(field.value) ? "" : say("noDoseUnit"));
}

// The form's fields for a kind once more, with what an event says there.
export const fieldsWith = (event) =>
  labelsOf(event.kind).map((label) => {
    const made = label.cloneNode(true), field = fieldIn(made), value = event[field.name];
    for (const named of made.querySelectorAll("[id]")) named.removeAttribute("id");
    made.hidden = field.disabled = false;
    if (field.name === "unit") field.value = doseName(value ?? "units");
    else if (field.name === "carbohydrates" && value !== undefined) field.value = value / carbohydrateSize();
    else field.value = value ?? "";
    field.addEventListener("input", () => judgeUnit(field));
    return made;
  });
