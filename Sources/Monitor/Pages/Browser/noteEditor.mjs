// Changing and deleting a note; what it said before stays in the monitor's log.
import { clockOf } from "../Computing/days.mjs";
import { needsText, noteOf } from "../Computing/events.mjs";
import { joined, say } from "../Computing/language.mjs";
import { showAgain, shownDay } from "./calendar.mjs";
import { fieldIn, fieldsWith } from "./noteFields.mjs";
import { element, setText } from "./page.mjs";
import { post } from "./server.mjs";

// Who wrote a note, and what changes it; `changed` is called when it has been.
export function noteControls(event, changed) {
  const { kind, text: words, author, changedAt, changedBy } = event;
  const who = joined(
    author && say("writtenBy", author),
    changedAt && say("changed", changedBy || "", clockOf(shownDay(), changedAt)),
  );
  const text = element("input", {
    type: "text",
    maxlength: "500",
    value: words,
    "aria-label": say(`textOf_${kind}`),
  });
  text.required = needsText(kind);
  const labels = fieldsWith(event), fields = labels.map(fieldIn);
  const save = element("button", { type: "button" }, say("saveNote"));
  const remove = element("button", { type: "button" }, say("deleteNote"));
  const send = (change) => sendChange(event.number, change, [save, remove], changed);
  save.addEventListener("click", () => {
    text.value = text.value.trim();
    if ([text, ...fields].every((field) => field.reportValidity())) send(noteOf(kind, text.value, fields));
  });
  remove.addEventListener("click", () => send({ deleted: true }));
  for (const field of [text, ...fields]) {
    field.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") save.click();
    });
  }
  return [
    element("span", { class: "quiet" }, " ", who),
    element("span", { class: "note-controls" }, ...labels, text, save, remove),
  ];
}

async function sendChange(number, change, buttons, changed) {
  for (const button of buttons) button.disabled = true;
  try {
    await post(`/api/notes/${number}`, change);
    changed();
    await showAgain();
  } catch (problem) {
    for (const button of buttons) button.disabled = false;
    setText("details-title", say("notChanged", problem.message));
  }
}
