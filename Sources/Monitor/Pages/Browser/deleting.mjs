// Deleting: what would go is shown first, and goes only when somebody has said why and confirmed it.
import { say } from "../Computing/language.mjs";
import { wouldDelete } from "../Computing/traces.mjs";
import { byId, setText } from "./page.mjs";
import { post } from "./server.mjs";

const dialog = byId("delete"), form = byId("delete-form");
let wanted = null;

const reason = () => byId("delete-reason").value.trim();
const isTyped = () => !wanted.code || byId("delete-code").value === wanted.code;

function follow() {
  byId("delete-do").disabled = !wanted || !wanted.isTold || !reason() || !isTyped();
}

// `target` is {reading}, {session} or {participant}; `code` must be typed again, if there is one; `done` is
// called when it is gone.
export async function askToDelete(target, what, { code = null, done = () => {} } = {}) {
  const mine = wanted = { target, code, done, from: document.activeElement, isTold: false };
  form.reset();
  setText("delete-what", what);
  setText("delete-extent", say("asking"));
  byId("delete-failed").hidden = true;
  byId("delete-typing").hidden = !code;
  if (code) setText("delete-typing-label", say("typeToDelete", code));
  follow();
  dialog.showModal();
  try {
    const extent = await post("/api/deletions", target);
    if (wanted !== mine) return;
    wanted.isTold = true;
    follow();
    setText("delete-extent", wouldDelete(extent));
    byId("delete-reason").focus();
  } catch (problem) {
    if (wanted === mine) fail(problem);
  }
}

export const askToDeletePerson = (participant, more) =>
  askToDelete({ participant }, say("deletePerson", participant), { code: participant, ...more });

function fail(problem) {
  setText("delete-failed", say("notDeleted", problem.message));
  byId("delete-failed").hidden = false;
}

function close() {
  dialog.close();
  if (wanted.from.isConnected) wanted.from.focus();
}

async function deleteIt(event) {
  event.preventDefault();
  byId("delete-do").disabled = true;
  try {
    await post("/api/deletions", { ...wanted.target, reason: reason(), confirmed: true });
    close();
    wanted.done();
  } catch (problem) {
    fail(problem);
    follow();
  }
}

form.addEventListener("input", follow);
form.addEventListener("submit", deleteIt);
byId("delete-cancel").addEventListener("click", close);
