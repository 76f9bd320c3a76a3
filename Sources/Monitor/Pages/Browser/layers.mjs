// What is drawn of a day beside its readings, as this device remembers it.
import { byId, remember, remembered } from "./page.mjs";

const layers = ["bands", "events", "expected", "forecast"];

export const isOn = (layer) => byId(`layer-${layer}`).checked;

export function beginLayers(changed) {
  const kept = remembered("layers", {});
  for (const layer of layers) {
    if (layer in kept) byId(`layer-${layer}`).checked = kept[layer] === true;
    byId(`layer-${layer}`).addEventListener("change", () => {
      remember("layers", Object.fromEntries(layers.map((one) => [one, isOn(one)])));
      changed();
    });
  }
}
