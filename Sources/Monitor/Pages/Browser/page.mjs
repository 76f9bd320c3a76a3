// What all pages share: their elements, their language, and what this device remembers.
import { say, speak } from "../Computing/language.mjs";
import { chooseUnits, doseName, keptDoseUnit, rateUnit, usualDoses } from "../Computing/units.mjs";
import words from "../words.mjs";

speak(words, document.documentElement.lang);

export const byId = (id) => document.getElementById(id);

// Text from studies and sources is only ever put in as text.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
export const setText = (id, text) => put(byId(id), text);

export const fillTable = (id, rows) =>
  byId(id).replaceChildren(
    ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)))),
  );

// What the style sheet calls a colour.
export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// On paper, everything is dark on white.
export function whenColoursChange(redraw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  matchMedia("print").addEventListener("change", redraw);
  addEventListener("palette", redraw);
}

// Whether somebody asked for less motion.
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const smoothly = () => isStill() ? "auto" : "smooth";

export function remembered(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    return fallback; // a private window
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* a private window */ }
}

// A box that is remembered under its name; without one, it is as usual.
export function rememberBox(box, name, changed = () => {}, usual = false) {
  box.checked = remembered(name, usual) === true;
  box.addEventListener("change", () => {
    remember(name, box.checked);
    changed();
  });
}

function readUnits() {
  chooseUnits({
    rateUnit: remembered("rateUnit", "bpm"),
    carbohydrateUnit: remembered("carbohydrateUnit", "1"),
  });
  document.documentElement.dataset.rateUnit = rateUnit();
  // What is in the page from the start names beats per minute.
  for (const place of document.querySelectorAll("[data-unit-words]")) {
    place.textContent = say(place.dataset.unitWords);
  }
}
readUnits();

// Other open pages follow when the settings page changes the units.
export const whenUnitsChange = (redraw) =>
  addEventListener("storage", (event) => {
    if (!["rateUnit", "carbohydrateUnit", "doseUnit"].includes(event.key)) return;
    readUnits();
    redraw();
  });

export const doseUnit = () => keptDoseUnit(remembered("doseUnit", "units"));
export const offerDoseUnits = () =>
  byId("dose-units").replaceChildren(
    ...usualDoses.map((code) => element("option", { value: doseName(code) })),
  );
