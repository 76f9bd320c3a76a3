// The list of finished sessions.
import { joined, say } from "../Computing/language.mjs";
import { endOf, qualityOf } from "../Computing/quality.mjs";
import { aboutOf, nameOf, whoOf } from "../Computing/sessions.mjs";
import { dateAndClock } from "./clock.mjs";
import { byId, element, setText } from "./page.mjs";
import { replayLink } from "./replayLink.mjs";
import { get } from "./server.mjs";

// What is done with the session of a row that was pressed.
let choose = () => {};
// What has been asked for beyond the newest.
let older = [];

export function beginFinished(own) {
  choose = own;
}

export async function drawFinished() {
  const { sessions, more } = await get("/api/finished");
  const seen = new Set(sessions.map(({ id }) => id));
  const all = [...sessions, ...older.filter(({ id }) => !seen.has(id))];
  setText("finished-words", all.length ? "" : say("noneFinished"));
  // What has the focus keeps it as long as nothing has changed.
  const drawn = JSON.stringify(all), rows = byId("finished-sessions");
  if (rows.drawn !== drawn) rows.replaceChildren(...all.map(row));
  rows.drawn = drawn;
  if (!older.length) byId("finished-more").hidden = !more;
}

const judged = (state, words) => element("span", { class: "judged", "data-state": state }, words);

function row(session) {
  const open = element("button", { type: "button", class: "plain" }, whoOf(session));
  open.addEventListener("click", () => choose(session.id));
  const { words, isPoor } = qualityOf(session);
  const quality = isPoor === undefined
    ? [words]
    : [judged(isPoor ? "warned" : "running", say(isPoor ? "poor" : "good")), " ", words];
  const about = joined(nameOf(session), aboutOf(session)), end = judged(...endOf(session));
  const cells = [
    [dateAndClock(session.startedAt)],
    [open, " ", replayLink(session)],
    [about],
    [end],
    quality,
  ];
  return element("tr", { "data-session": session.id }, ...cells.map((cell) => element("td", {}, ...cell)));
}

async function drawOlder() {
  const last = byId("finished-sessions").lastElementChild;
  const known = [...(await get("/api/finished")).sessions, ...older].find(({ id }) =>
    last && id === last.dataset.session
  );
  if (!known) return;
  const answer = await get(`/api/finished?before=${known.startedAt}`);
  older = [...older, ...answer.sessions];
  byId("finished-more").hidden = !answer.more;
  await drawFinished();
}

byId("finished-more").addEventListener("click", async () => {
  byId("finished-more").disabled = true;
  try {
    await drawOlder();
  } catch (problem) {
    setText("finished-words", say("listUnread", problem.message));
  }
  byId("finished-more").disabled = false;
});
