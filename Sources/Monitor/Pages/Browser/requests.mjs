// What the experimenter does to a run: marks and requests. The moment counts at which the button was pressed,
// not the one at which the words are there.
import { say } from "../Computing/language.mjs";
import { clock, now } from "./clock.mjs";
import { chosenId } from "./desk.mjs";
import { byId, setText } from "./page.mjs";
import { moment, post } from "./server.mjs";

const form = byId("request"), field = (name) => form.elements.namedItem(name);

// What is being written: for which button, of which run, and when it was pressed.
let wanted = null;

function show() {
  const { control, at } = wanted;
  byId("request-kind").hidden = Boolean(control);
  byId("request-severity").hidden = Boolean(control) || field("kind").value !== "adverse";
  const pressed = now() - (performance.now() - at) / 1000;
  setText("request-what", control ? say(`control_${control}`) : say("markAt", clock(pressed)));
  setText("request-label", say(control === "message" ? "messageText" : control ? "reason" : "note"));
  form.hidden = false;
  field("text").focus();
}

function end() {
  wanted = null;
  form.hidden = true;
  form.reset();
}

function begin(event) {
  const button = event.target.closest("[data-kind], [data-control]");
  if (!button || !chosenId()) return;
  const { control } = button.dataset;
  // What was begun for another button is no reason for this one.
  if (wanted && wanted.control !== control) form.reset();
  wanted = { control, at: event.timeStamp, from: button, run: chosenId() };
  setText("request-outcome", "");
  if (control !== "resume") return show();
  // Going on needs no reason.
  field("text").value = button.textContent;
  send(event);
}

async function send(event) {
  event.preventDefault();
  const sent = wanted, { control, at, from, run } = sent;
  const text = field("text").value.trim();
  if (!text) return;
  const kind = control ? "control" : field("kind").value;
  const severity = kind === "adverse" ? { severity: field("severity").value } : {};
  const request = { kind, text, ...(control ? { control } : {}), ...severity };
  end();
  from.focus();
  setText("request-outcome", say("asking"));
  try {
    await post(`/api/sessions/${run}/requests`, { ...request, ...await moment(at) });
    setText("request-outcome", say(control ? "requestDone" : "markKept"));
  } catch (problem) {
    setText("request-outcome", problem.status ? say("requestRefused", problem.message) : say("requestLost"));
    // Without an answer, what was written is there again, unless something else was begun meanwhile.
    if (!problem.status && !wanted && run === chosenId()) restore(sent, request);
  }
}

function restore(sent, request) {
  wanted = sent;
  const names = sent.control ? ["text"] : ["text", "kind", "severity"];
  for (const name of names) if (request[name]) field(name).value = request[name];
  show();
}

byId("room").addEventListener("click", begin);
field("kind").addEventListener("change", show);
form.addEventListener("submit", send);
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("request-cancel").click();
});
byId("request-cancel").addEventListener("click", () => {
  const { from } = wanted;
  end();
  from.focus();
});
