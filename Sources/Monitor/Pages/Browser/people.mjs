// Whose day is shown: the choice of a participant, and what can be deleted of that one.
import { say } from "../Computing/language.mjs";
import { showAgain, visit } from "./calendar.mjs";
import { askToDeletePerson } from "./deleting.mjs";
import { byId, element, setText } from "./page.mjs";
import { get } from "./server.mjs";

const choice = byId("participant");

export async function drawParticipants(isAfterDeletion = false) {
  let participants;
  try {
    ({ participants } = await get("/api/participants"));
  } catch {
    setTimeout(() => drawParticipants(isAfterDeletion), 5000);
    return;
  }
  // Somebody of whom nothing is left is not shown any more.
  if (isAfterDeletion && !participants.includes(visit.participant)) {
    visit.participant = "";
    showAgain();
  }
  const [everybody] = choice.options;
  choice.replaceChildren(everybody, ...participants.map((code) => element("option", { value: code }, code)));
  choice.value = visit.participant;
}

export function drawRemoval() {
  const { participant } = visit;
  byId("delete-person").hidden = !participant;
  if (participant) setText("delete-person", say("deletePerson", participant));
}

byId("delete-person").addEventListener("click", () => {
  askToDeletePerson(visit.participant, { done: () => setText("removed", say("isDeleted")) });
});
