// What went wrong, above the sessions.
import { byId, setText } from "./page.mjs";

let lasting = null;

// Stands there until the sessions have been read again.
export function complain(words) {
  setText("failed", words);
  byId("failed").hidden = false;
}

// Stands there until somebody chooses a session.
export function complainLastingly(words) {
  lasting = words;
  complain(words);
}

export function settleComplaints() {
  if (lasting) complain(lasting);
  else byId("failed").hidden = true;
}

export function endLastingComplaint() {
  if (!lasting) return;
  lasting = null;
  byId("failed").hidden = true;
}
