// A session that is played again: where it is, how fast it goes, and the marks on its way.
import { describe } from "../Computing/events.mjs";
import { joined, listed, say } from "../Computing/language.mjs";
import { Replay, replayAddress, speeds } from "../Computing/replay.mjs";
import { aboutOf } from "../Computing/sessions.mjs";
import { dateAndTime, minutes } from "../Computing/times.mjs";
import { asked } from "./asked.mjs";
import { drawCards, drawConditions } from "./cards.mjs";
import { playClock, zone } from "./clock.mjs";
import { drawHealth, drawStep, forgetReading, leave, show } from "./desk.mjs";
import { complain, complainLastingly } from "./notice.mjs";
import { byId, element, isStill, put, setText } from "./page.mjs";
import { rooms } from "./roomList.mjs";
import { get, isGone, listenToRun } from "./server.mjs";

const player = byId("player"), place = byId("player-place"), speedField = byId("player-speed");
// How far the arrow keys lead, s.
const stride = 5;

let replay = null, elapsed = 0, speed = 1;
// The moment of the page from which it is playing, ms; null while it stands.
let playing = null;
// The marks that were drawn last, and whether something was heard since the last picture.
let drawnMarks = "", isNews = false;

export async function beginReplay() {
  replay = new Replay(asked.run, rooms);
  speed = asked.speed;
  document.documentElement.toggleAttribute("data-replay", true);
  byId("removal").hidden = true;
  byId("sessions").removeAttribute("aria-busy");
  document.querySelector("nav [aria-current]").removeAttribute("aria-current");
  byId("alarms").setAttribute("aria-live", "off");
  speedField.replaceChildren(...speeds.map((one) => element("option", { value: one }, speedWords(one))));
  speedField.value = String(speed);
  playClock(() => replay.moment);
  try {
    replay.told = await get(`/api/sessions/${encodeURIComponent(asked.run)}`);
  } catch (problem) {
    return problem.status === 404
      ? complainLastingly(say("noSuchSession", asked.run))
      : complain(say("sessionsUnreadable", problem.message));
  }
  player.hidden = false;
  byId("replay-words").hidden = false;
  elapsed = asked.at ?? -Infinity;
  // Who asked for less motion begins it by hand.
  if (asked.at === null && !isStill()) playing = performance.now();
  byId("play").focus({ preventScroll: true });
  listenToRun(asked.run, (name, data, number) => {
    replay.take(name, data, number);
    isNews = true;
  }, () => {
    replay.isWhole = true;
    if (replay.isEmpty) tell(say("noReadings"));
  });
  setInterval(tick, 100);
}

const speedWords = (one) => `${{ .25: "¼", .5: "½" }[one] || one} ×`;
const clamped = (moment) => Math.min(replay.last, Math.max(replay.first, moment));

function tick() {
  if (replay.isEmpty) return;
  if (playing === null && !isNews) return;
  isNews = false;
  if (playing !== null) {
    const at = performance.now();
    elapsed = Math.max(elapsed, replay.first) + (at - playing) / 1000 * speed;
    playing = at;
    if (elapsed >= replay.last && replay.isWhole) stop(say("playedToEnd"));
  }
  draw();
}

function draw() {
  const at = clamped(elapsed), isNew = replay.show(at);
  if (isNew) show(replay.run);
  if (isNew) drawCards();
  else drawConditions();
  drawHealth();
  drawStep();
  drawPlayer(at);
}

function drawPlayer(at) {
  const { first, last, run, marks } = replay;
  if (run.about) {
    const words = say("replayOf", dateAndTime(run.start, zone(run.start)));
    setText("player-title", words);
    setText("player-about", joined(aboutOf(run.about)));
    document.title = `${words} – Entrain`;
  }
  Object.assign(place, { min: first, max: last, value: at });
  // While it plays, nobody wants to hear each second.
  if (playing === null || document.activeElement !== place) {
    place.setAttribute("aria-valuetext", say("ofPlanned", minutes(at), minutes(last)));
  }
  setText("player-time", say("ofPlanned", minutes(at), minutes(last)));
  const passed = marks.findLast((mark) => mark.elapsed <= at);
  setText("player-news", passed ? `${minutes(passed.elapsed)} ${words(passed)}` : "");
  const play = byId("play");
  play.toggleAttribute("data-playing", playing !== null);
  put(byId("play-words"), say(playing === null ? "play" : "stopPlaying"));
  drawMarks(first, last, marks);
}

const words = ({ event }) => describe(event, (step) => replay.run.titleOf(step));

function drawMarks(first, last, marks) {
  const share = (moment) => `${(moment - first) / Math.max(1, last - first) * 100}%`;
  const drawn = [first, last, ...marks.map((mark) => mark.elapsed)].join();
  if (drawnMarks === drawn) return;
  drawnMarks = drawn;
  byId("player-marks").replaceChildren(...marks.map((mark) => {
    const made = element("i", { "data-look": mark.look });
    made.style.left = share(mark.elapsed);
    if (mark.until > mark.elapsed) {
      made.style.width = `calc(${share(mark.until)} - ${share(mark.elapsed)})`;
    }
    return made;
  }));
}

// What somebody does is answered in words.
const tell = (text) => setText("player-status", text);

function stop(text) {
  playing = null;
  elapsed = clamped(elapsed);
  tell(text);
}

function toggle() {
  if (playing !== null) stop(say("pausedAt", minutes(clamped(elapsed))));
  else {
    if (clamped(elapsed) >= replay.last) elapsed = replay.first;
    playing = performance.now();
    tell(say("playingFrom", minutes(clamped(elapsed)), speedWords(speed)));
  }
  draw();
}

function seek(moment) {
  elapsed = clamped(moment);
  const passed = replay.marks.findLast((mark) => mark.elapsed === elapsed);
  tell(listed(minutes(elapsed), passed ? words(passed) : ""));
  draw();
}

function setSpeed(wanted) {
  speed = speeds.includes(wanted) ? wanted : speed;
  speedField.value = String(speed);
  tell(`${say("playSpeed")}: ${speedWords(speed)}`);
}

async function linkToMoment() {
  const at = clamped(elapsed), address = replayAddress({ run: asked.run, at, speed });
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(location.origin + address);
    tell(say("linkCopied", minutes(at)));
  } catch {
    tell(say("linkInAddress", minutes(at)));
  }
}

const keys = {
  " ": toggle,
  ArrowLeft: () => seek(elapsed - stride),
  ArrowRight: () => seek(elapsed + stride),
  Home: () => seek(replay.first),
  End: () => seek(replay.last),
  ",": () => seek(replay.markBefore(elapsed)),
  ".": () => seek(replay.markAfter(elapsed)),
  "<": () => setSpeed(speeds[speeds.indexOf(speed) - 1]),
  ">": () => setSpeed(speeds[speeds.indexOf(speed) + 1]),
};

player.addEventListener("keydown", (event) => {
  const { key, target } = event, isModified = event.ctrlKey || event.altKey || event.metaKey;
  // A list chooses by its keys, and buttons and links are pressed by the space bar.
  if (isModified || !keys[key] || target === speedField || (key === " " && target !== place)) return;
  event.preventDefault();
  keys[key]();
});
byId("play").addEventListener("click", toggle);
byId("mark-before").addEventListener("click", keys[","]);
byId("mark-after").addEventListener("click", keys["."]);
place.addEventListener("input", () => seek(Number(place.value)));
speedField.addEventListener("change", () => setSpeed(Number(speedField.value)));
byId("player-link").addEventListener("click", linkToMoment);

// What others have deleted is not played any more.
export async function takeDeletionFromReplay(trace) {
  if (!replay) return;
  if (trace.what === "reading" && trace.session === asked.run) {
    replay.forget(trace.reading);
    forgetReading(trace);
    isNews = true;
  } else if (await isGone(asked.run)) {
    playing = null;
    player.hidden = true;
    byId("replay-words").hidden = true;
    rooms.take([]);
    leave();
    drawCards();
    complainLastingly(say("noSuchSession", asked.run));
  }
}
