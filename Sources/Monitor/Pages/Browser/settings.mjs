// What this device remembers, in one place; the pages' own controls change the same.
import { say } from "../Computing/language.mjs";
import { doseCode, isDoseUnit } from "../Computing/units.mjs";
import { doseUnit, offerDoseUnits, remember, rememberBox, remembered } from "./page.mjs";
import { listenToAll } from "./server.mjs";

const fields = (name) => [...document.querySelectorAll(`[name="${name}"]`)];
const field = (name) => fields(name)[0];

for (
  const [name, usual] of [["palette", ""], ["span", "whole"], ["axis", "elapsed"], ["rateUnit", "bpm"], [
    "carbohydrateUnit",
    "1",
  ]]
) {
  const kept = remembered(name, usual), isChoice = fields(name).some(({ value }) => value === kept);
  for (const one of fields(name)) {
    one.checked = one.value === (isChoice ? kept : usual);
    one.addEventListener("change", () => {
      remember(name, one.value);
      if (name === "palette") globalThis.applyPalette();
    });
  }
}

// A unit may be chosen or typed; without one, a dose is counted in units of the substance.
const dose = field("doseUnit");
offerDoseUnits();
dose.value = doseUnit();
dose.addEventListener("input", () => {
  dose.setCustomValidity(isDoseUnit(dose.value) || !dose.value.trim() ? "" : say("noDoseUnit"));
});
dose.addEventListener("change", () => {
  if (!dose.reportValidity()) return;
  remember("doseUnit", doseCode(dose.value.trim() || "units"));
  dose.value = doseUnit();
});

rememberBox(field("fit"), "fit", undefined, true);

const layers = ["bands", "events", "expected", "forecast"], shown = remembered("layers", {});
const isOn = (layer) => field(`layer-${layer}`).checked;
for (const layer of layers) {
  field(`layer-${layer}`).checked = shown[layer] !== false;
  field(`layer-${layer}`).addEventListener("change", () => {
    remember("layers", Object.fromEntries(layers.map((name) => [name, isOn(name)])));
  });
}

listenToAll({});
