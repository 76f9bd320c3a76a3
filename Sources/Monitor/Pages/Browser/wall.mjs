// The wall: all rooms at once, as large as they can be, for a screen that is read from afar.
import { say } from "../Computing/language.mjs";
import { wallColumns } from "../Computing/layout.mjs";
import { byId, setText } from "./page.mjs";
import { refresh } from "./roomList.mjs";

let isOn = false;
export const isWall = () => isOn;

export function layWall() {
  const list = byId("sessions");
  if (!isOn) return;
  const columns = wallColumns(Math.max(1, list.childElementCount), list.clientWidth, list.clientHeight);
  list.style.setProperty("--columns", columns);
}

export function setWall(isWanted) {
  isOn = isWanted;
  document.documentElement.toggleAttribute("data-wall", isOn);
  byId("wall").setAttribute("aria-pressed", String(isOn));
  setText("wall", say(isOn ? "leaveWall" : "wall"));
  history.replaceState(null, "", (isOn ? "/?wall" : "/") + location.hash);
  refresh();
  if (!isOn) dispatchEvent(new Event("resize"));
}

byId("wall").addEventListener("click", () => {
  setWall(!isOn);
  // Whoever refuses has the wall all the same, within the window.
  if (isOn) document.documentElement.requestFullscreen().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isOn) setWall(false);
});
new ResizeObserver(layWall).observe(byId("sessions"));
