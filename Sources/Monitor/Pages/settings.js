"use strict";
// What this device remembers, in one place; the pages' own controls change the same.
(() => {
  const { remember, remembered, say } = Entrain;
  const layers = ["bands", "events", "expected", "forecast"];
  const field = (name) => document.querySelector(`[name="${name}"]`);
  for (const [name, usual] of [["palette", ""], ["span", "whole"], ["axis", "elapsed"], ["rateUnit", "bpm"], ["carbohydrateUnit", "1"]]) {
    const fields = [...document.querySelectorAll(`[name="${name}"]`)], kept = remembered(name, usual);
    for (const one of fields) {
      one.checked = one.value === (fields.some(({ value }) => value === kept) ? kept : usual);
      one.addEventListener("change", () => {
        remember(name, one.value);
        if (name === "palette") window.applyPalette();
      });
    }
  }
  // A unit may be chosen or typed; without one, a dose is counted in units of the substance.
  const dose = field("doseUnit");
  Entrain.offerDoseUnits();
  dose.value = Entrain.doseUnit();
  dose.addEventListener("input", () => dose.setCustomValidity(Entrain.isDoseUnit(dose.value) || !dose.value.trim() ? "" : say("noDoseUnit")));
  dose.addEventListener("change", () => {
    if (!dose.reportValidity()) return;
    remember("doseUnit", Entrain.doseCode(dose.value.trim() || "units"));
    dose.value = Entrain.doseUnit();
  });
  field("fit").checked = remembered("fit", false) === true;
  field("fit").addEventListener("change", () => remember("fit", field("fit").checked));
  const shown = remembered("layers", {});
  for (const layer of layers) {
    field(`layer-${layer}`).checked = shown[layer] !== false;
    field(`layer-${layer}`).addEventListener("change", () => remember("layers", Object.fromEntries(layers.map((name) => [name, field(`layer-${name}`).checked]))));
  }
  Entrain.listen("/api/events", {}, Entrain.connection);
})();
