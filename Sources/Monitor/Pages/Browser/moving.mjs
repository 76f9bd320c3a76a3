// Moving from day to day, by buttons, keys and fingers.
import { move } from "./calendar.mjs";
import { byId, isStill } from "./page.mjs";

byId("previous").addEventListener("click", () => move(-1));
byId("next").addEventListener("click", () => move(1));

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, .scroll")) return;
  if (event.key === "ArrowLeft") move(-1);
  if (event.key === "ArrowRight") move(1);
});

// The page slides under a finger, and goes on to the next day where it was moved far enough.
const stage = byId("bifocal");
let start = null;

function slide(across) {
  stage.style.translate = across ? `${across}px` : "";
}

function wayOf(event) {
  const across = event.clientX - start.x, down = event.clientY - start.y;
  return { across, isAcross: Math.abs(across) > 2 * Math.abs(down) };
}

stage.addEventListener("pointerdown", (event) => {
  // Whoever takes hold of the day in small moves within the day.
  start = event.target.closest("[class*=dygraph-rangesel]") ? null : { x: event.clientX, y: event.clientY };
});
stage.addEventListener("pointermove", (event) => {
  if (!start || event.pointerType === "mouse" || isStill()) return;
  const { across, isAcross } = wayOf(event);
  slide(isAcross ? across : 0);
});

function end(event) {
  slide(0);
  if (!start) return;
  const { across, isAcross } = wayOf(event);
  start = null;
  if (event.type !== "pointerup" || Math.abs(across) <= 60 || !isAcross) return;
  move(across > 0 ? -1 : 1);
  if (isStill()) return;
  const from = { translate: `${across > 0 ? -60 : 60}px`, opacity: .4 };
  stage.animate([from, { translate: "0", opacity: 1 }], { duration: 180, easing: "ease-out" });
}
stage.addEventListener("pointerup", end);
stage.addEventListener("pointercancel", end);
