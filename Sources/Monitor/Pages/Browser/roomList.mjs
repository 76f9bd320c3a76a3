// The sessions, as the monitor tells of them.
import { say } from "../Computing/language.mjs";
import { Rooms } from "../Computing/rooms.mjs";
import { complain, settleComplaints } from "./notice.mjs";
import { byId } from "./page.mjs";
import { get } from "./server.mjs";

export const rooms = new Rooms();

let changed = () => {}, waiting = null;

// What is done whenever all sessions have been read.
export function whenRoomsAreRead(handle) {
  changed = handle;
}

export async function refresh() {
  try {
    rooms.take((await get("/api/sessions")).sessions);
  } catch (problem) {
    complain(say("sessionsUnreadable", problem.message));
    return;
  }
  settleComplaints();
  byId("sessions").removeAttribute("aria-busy");
  changed();
}

// Several reasons to ask again within a moment are one.
export function refreshSoon() {
  waiting ??= setTimeout(() => {
    waiting = null;
    refresh();
  }, 150);
}
