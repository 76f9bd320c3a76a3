// Alarms on the page: the lines above the rooms, the table of the chosen session, and the button for their
// sound.
import {
  acknowledgedWords,
  alarmRow,
  Alarms,
  alarmState,
  alarmWords,
  timesWords,
} from "../Computing/alarms.mjs";
import { say } from "../Computing/language.mjs";
import { whoOf } from "../Computing/sessions.mjs";
import { asked } from "./asked.mjs";
import { clock, now } from "./clock.mjs";
import { complain } from "./notice.mjs";
import { byId, element, fillTable, setText } from "./page.mjs";
import { rooms } from "./roomList.mjs";
import { get, post } from "./server.mjs";
import { call, canBeHeard, setSound } from "./sound.mjs";

const alarms = new Alarms();
// Whether whoever looks may steer rooms, as the page came; later it hides what is not possible. What is played again
// cannot be steered.
export const maySteer = !byId("room").hidden && !asked;
// Which alarms are shown: those of now, or of the moment that is played.
const moment = () => asked ? now() : undefined;
let handlers = { changed: () => {}, choose: () => {} };
// What the lines were drawn of.
let drawn = "";

// `changed` is called when an alarm has come, `choose` with the session of a line that was pressed.
export function beginAlarms(own) {
  handlers = own;
}

export function takeAlarm(alarm) {
  alarms.take(alarm);
  handlers.changed();
}

export async function loadAlarms(path = "/api/alarms") {
  try {
    for (const alarm of (await get(path)).alarms) alarms.take(alarm);
  } catch {
    return; // the next connection asks again
  }
  handlers.changed();
}

// The sessions of this set that have an alarm which nobody has acknowledged.
export const alarmedOf = (sessions) =>
  new Set(
    alarms.open(sessions, moment()).filter(({ acknowledged }) => !acknowledged).map(({ session }) => session),
  );

// Draws the alarms of these sessions and of the chosen one, and returns how many of the former nobody has
// acknowledged.
export function drawAlarms(sessions, chosen) {
  const open = alarms.open(sessions, moment()), list = byId("alarms");
  if (JSON.stringify(open) !== drawn) {
    drawn = JSON.stringify(open);
    list.hidden = !open.length;
    const byRoom = Map.groupBy(open, ({ session }) => session);
    list.replaceChildren(...[...byRoom.values()].map(row));
  }
  drawLog(chosen);
  drawSound();
  call(!asked && open.some(({ acknowledged, ended }) => !acknowledged && !ended));
  return open.filter(({ acknowledged }) => !acknowledged).length;
}

// Another unit is another text.
export function forgetDrawnAlarms() {
  drawn = "";
}

// All alarms of a room, the worst first, after its name.
function row(own) {
  const go = element("button", { type: "button", class: "plain who" }, whoOf(rooms.find(own[0].session)));
  go.addEventListener("click", () => handlers.choose(own[0].session));
  return element("li", { "data-alarm": alarmState(own[0]) }, go, ...own.map(line));
}

function line(alarm) {
  const times = (words) => element("span", { class: "times" }, words);
  const made = element(
    "span",
    { class: "one", "data-alarm": alarmState(alarm), "data-number": alarm.number },
    element("span", { class: "sign" }),
    ...(alarm.origin ? [times(say(`origin_${alarm.origin}`))] : []),
    element("strong", {}, alarmWords(alarm)),
    times(timesWords(alarm, clock)),
  );
  if (alarm.acknowledged) made.append(times(acknowledgedWords(alarm, clock)));
  // Who may not steer rooms has no such buttons.
  else if (maySteer) made.append(acknowledgement(alarm));
  return made;
}

function acknowledgement(alarm) {
  const button = element("button", { type: "button", class: "push" }, say("acknowledge"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      alarms.take(await post(`/api/alarms/${alarm.number}`, {}));
    } catch (problem) {
      complain(say("notAcknowledged", problem.message));
      button.disabled = false;
    }
  });
  return button;
}

function drawLog(chosen) {
  const rows = chosen ? alarms.of(chosen, moment()).map((alarm) => alarmRow(alarm, clock)) : [];
  byId("alarm-log").hidden = !rows.length;
  const text = JSON.stringify(rows);
  if (byId("run-alarms").dataset.drawn === text) return;
  byId("run-alarms").dataset.drawn = text;
  fillTable("run-alarms", rows);
}

function drawSound() {
  byId("sound").setAttribute("aria-pressed", String(canBeHeard()));
  setText("sound", say(canBeHeard() ? "soundOn" : "soundOff"));
}
byId("sound").addEventListener("click", async () => {
  await setSound(!canBeHeard());
  drawSound();
});
