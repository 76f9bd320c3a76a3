// The live page: what comes in goes to the part that shows it.
import { say } from "../Computing/language.mjs";
import { beginAlarms, forgetDrawnAlarms, loadAlarms, takeAlarm } from "./alarmBoard.mjs";
import { asked } from "./asked.mjs";
import { beginCards, drawCards, drawConditions, drawConditionsNow, drawConditionsSoon } from "./cards.mjs";
import { now, setClock } from "./clock.mjs";
import {
  choose,
  chosenId,
  drawHealth,
  drawStep,
  forgetReading,
  isChosenByHand,
  leave,
  redraw,
  scrollToChosen,
} from "./desk.mjs";
import { beginLists, refreshLists } from "./lists.mjs";
import { recolourChart } from "./liveChart.mjs";
import { complainLastingly } from "./notice.mjs";
import { byId, whenColoursChange, whenUnitsChange } from "./page.mjs";
import { beginReplay, takeDeletionFromReplay } from "./player.mjs";
import "./requests.mjs";
import { refresh, refreshSoon, rooms, whenRoomsAreRead } from "./roomList.mjs";
import { isGone, listenToAll } from "./server.mjs";
import { isWall, setWall } from "./wall.mjs";

whenRoomsAreRead(() => {
  const next = isWall() ? null : rooms.next(chosenId(), isChosenByHand());
  if (next) choose(next, false);
  drawCards();
});

// A session that somebody asked for is not on the wall.
function chooseFrom(session) {
  if (isWall()) setWall(false);
  choose(session, true);
}
beginCards((session) => {
  chooseFrom(session);
  scrollToChosen();
});
beginAlarms({
  changed: drawConditions,
  choose: (session) => {
    chooseFrom(session);
    byId("title").focus();
  },
});
beginLists((session) => {
  choose(session, true);
  byId("title").focus({ preventScroll: true });
  scrollToChosen();
});

// The session of the page's address, if there is such a session.
async function chooseAsked() {
  const [, asked] = /^#session=([A-Za-z0-9._-]+)$/.exec(location.hash) || [];
  if (!asked || isWall() || asked === chosenId()) return;
  choose(asked, true);
  if (!await isGone(asked) || chosenId() !== asked) return;
  leave();
  complainLastingly(say("noSuchSession", asked));
}

// What others have deleted, or this page: a reading leaves its chart, a session its page.
async function takeDeletion(trace) {
  refreshLists();
  const chosen = chosenId();
  if (trace.what === "reading") forgetReading(trace);
  else if (chosen && await isGone(chosen) && chosen === chosenId()) leave();
  refresh();
}

function takeRate(reading) {
  if (rooms.takeRate(reading, now())) drawConditionsSoon();
  else refreshSoon();
}

function takeEvent(event) {
  if (!rooms.takeEvent(event)) refreshSoon();
  else if (event.kind === "paused" || event.kind === "resumed") drawConditions();
}

whenColoursChange(recolourChart);
whenUnitsChange(() => {
  forgetDrawnAlarms();
  drawCards();
  redraw();
});

// What goes on, as it comes.
function watch() {
  if (new URLSearchParams(location.search).has("wall")) setWall(true);
  chooseAsked();
  addEventListener("popstate", chooseAsked);
  listenToAll({
    clock: (told) => {
      setClock(told);
      refresh();
      loadAlarms();
      refreshLists();
    },
    deleted: takeDeletion,
    progress: refreshLists,
    alarm: takeAlarm,
    session: refreshSoon,
    state: refresh,
    heartRate: takeRate,
    event: takeEvent,
  }, (isUp) => {
    rooms.hear(isUp);
    if (isUp) return;
    drawCards();
    drawHealth();
    drawStep();
  });
  setInterval(() => {
    drawHealth();
    drawConditionsNow();
    if (!isWall()) drawStep();
  }, 500);
  setInterval(() => {
    refresh();
    loadAlarms();
  }, 20000);
}

if (asked) {
  beginReplay();
  listenToAll({ clock: setClock, deleted: takeDeletionFromReplay });
} else watch();
