// The lists at the end of the live page. Each is read when somebody opens it, and again while it is open.
import { counted, formatted, joined, say } from "../Computing/language.mjs";
import { outcomeWords } from "../Computing/sessions.mjs";
import { traceWords } from "../Computing/traces.mjs";
import { dateAndClock } from "./clock.mjs";
import { askToDelete, askToDeletePerson } from "./deleting.mjs";
import { beginFinished, drawFinished } from "./finished.mjs";
import { byId, element, fillTable, setText } from "./page.mjs";
import { get } from "./server.mjs";
import { drawStudies } from "./studies.mjs";

const mostBundles = 500;

async function drawBundles() {
  const { bundles, arriving, refused, damaged } = await get("/api/bundles");
  setText(
    "kept-words",
    [
      bundles.length ? counted(bundles.length, "bundleCount") : say("noBundles"),
      arriving ? counted(arriving, "bundlesArriving") : "",
      refused ? counted(refused, "bundlesRefused") : "",
      damaged.length ? say("bundlesDamaged", damaged.join(", ")) : "",
      bundles.length > mostBundles ? say("newestOnly", mostBundles) : "",
    ].filter(Boolean).join(" "),
  );
  // What has the focus keeps it as long as nothing has changed.
  const drawn = JSON.stringify(bundles), rows = byId("kept-bundles");
  if (rows.drawn === drawn) return;
  rows.drawn = drawn;
  fillTable("kept-bundles", bundles.slice(0, mostBundles).map(bundleRow));
}

const startOf = ({ start }) => start.slice(0, 16).replace("T", " ");

function bundleRow(bundle) {
  const { study, participant, session, status, origin, bytes } = bundle;
  const isMade = ["simulated", "replayed"].includes(origin);
  const size = formatted(bytes / 1e6, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return [
    startOf(bundle),
    study,
    participant,
    String(session),
    joined(outcomeWords(status), isMade && say(`origin_${origin}`)),
    say("megabytes", size),
    ...(byId("removal").hidden ? [] : [bundleRemoval(bundle)]),
  ];
}

// A bundle's run may never have been watched here: it is deleted from this list.
function bundleRemoval(bundle) {
  const { run, study, participant, session } = bundle;
  const offer = (words, ask) => {
    const button = element("button", { type: "button", class: "grave" }, words);
    button.addEventListener("click", ask);
    return button;
  };
  const about = joined(study, participant, say("sessionNumber", session), startOf(bundle));
  const done = refreshLists;
  return element(
    "div",
    { class: "buttons" },
    offer(say("deleteSession"), () => askToDelete({ session: run }, say("deleteSessionOf", about), { done })),
    offer(say("deletePerson", participant), () => askToDeletePerson(participant, { done })),
  );
}

async function drawDeletions() {
  const { deletions } = await get("/api/deletions");
  setText("deletions-words", deletions.length ? "" : say("nothingDeleted"));
  const row = (trace) => {
    return [dateAndClock(trace.t), trace.author || "–", traceWords(trace, dateAndClock), trace.reason];
  };
  fillTable("deleted", deletions.map(row));
}

const lists = Object.entries({
  finished: drawFinished,
  progress: drawStudies,
  kept: drawBundles,
  deletions: drawDeletions,
});

async function draw([id, drawList]) {
  if (!byId(id).open) return;
  try {
    await drawList();
  } catch (problem) {
    setText(`${id}-words`, say("listUnread", problem.message));
  }
}

export function refreshLists() {
  for (const list of lists) draw(list);
}

// `choose` is called with a session that somebody has pressed.
export function beginLists(choose) {
  beginFinished(choose);
  for (const list of lists) byId(list[0]).addEventListener("toggle", () => draw(list));
  setInterval(refreshLists, 10_000);
}
