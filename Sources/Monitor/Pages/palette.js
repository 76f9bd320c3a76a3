"use strict";
// The palette that this device has chosen, before anything is drawn: that of the device, the light one or the dark one.
(() => {
  const media = { light: "not all", dark: "screen" };
  const apply = () => {
    let palette = null;
    try {
      palette = JSON.parse(localStorage.getItem("palette"));
    } catch { /* private window */ }
    document.querySelector("link[data-dark]").media = media[palette] ||
      "screen and (prefers-color-scheme: dark)";
    document.documentElement.style.colorScheme = palette in media ? palette : "";
    globalThis.dispatchEvent(new Event("palette"));
  };
  apply();
  // Other open pages follow.
  globalThis.addEventListener("storage", (event) => {
    if (event.key === "palette") apply();
  });
  globalThis.applyPalette = apply;
})();
