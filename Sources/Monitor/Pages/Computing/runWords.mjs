// What is said of the chosen session beside its chart. `session` is what the list of sessions says of it, if
// it is there; `now` is the time by the monitor's clock, and `zone` by how many seconds that machine's clocks
// are ahead of UTC.
import { expectedAt } from "./curves.mjs";
import { joined, listed, say } from "./language.mjs";
import { gap } from "./run.mjs";
import {
  aboutOf,
  clockWords,
  conditionWords,
  figuresOf,
  gapWords,
  leftOf,
  lostAfter,
  outcomeWords,
  sinceWords,
  sourceWords,
  stepWords,
} from "./sessions.mjs";
import { clockAt, dateAndTime, minutes, since } from "./times.mjs";
import { difference, rateLabel } from "./units.mjs";

// Seconds after which a value is no longer called fresh.
const late = 3;

// How its recorder is, as a kind and in words.
export function healthOf(run, session, now) {
  const last = run.newest, gone = Object.values(run.sources).find(({ state }) => state === "lost");
  if (run.over) {
    return ["over", run.over.text ? say("isOverBecause", outcomeWords(run.over.text)) : say("isOver")];
  }
  if (session && ["lost", "unknown"].includes(session.state)) {
    return [session.state, conditionWords(session, now)];
  }
  if (gone && (!last || gone.received >= last.received)) {
    return ["lost", say("lost", gone.text || gone.source)];
  }
  if (!last) return ["none", say("noReading")];
  const age = Math.max(0, now - last.t);
  if (age < late) return ["fresh", say("fresh")];
  return age < lostAfter(session)
    ? ["late", say("lateSince", since(age))]
    : ["lost", say("lostSince", since(age))];
}

// Whether the newest reading says how the heart is now.
export const isOfNow = (health) => health === "fresh" || health === "late";

// How far the newest reading is from what was expected, as long as it is of now.
export function deviationOf(run, expected, health) {
  const last = run.newest, point = isOfNow(health) && expectedAt(expected, last.elapsed);
  if (!point) return say("nothingExpected");
  const [, rate, low, high] = point, apart = difference(last.bpm - rate);
  if (!apart) return say("asExpected", rateLabel(rate));
  const isInside = last.bpm >= low && last.bpm <= high;
  const words = say(
    isInside ? "withinBand" : "outsideBand",
    say(last.bpm > rate ? "above" : "below", apart),
    rateLabel(rate),
  );
  return `${last.bpm > rate ? "▲" : "▼"} ${words}`;
}

// How much of its step has passed, from 0 to 1, and whether it is paused; null where nobody knows.
export function shareOf(run, session, now) {
  const { progress, steps } = run;
  const { duration } = steps.find(({ identifier }) => progress && identifier === progress.step) || {};
  if (!duration || run.over || !session || session.state !== "running") return null;
  const left = leftOf({ ...progress, duration }, now, run.about.speed);
  return left === null
    ? null
    : { share: 1 - left / (duration / (run.about.speed || 1)), isPaused: Boolean(progress.paused) };
}

// Nobody knows how much is left of a step when nothing is heard of the run.
export function stepOf(run, session, now) {
  const { progress, steps } = run;
  if (!progress) return "–";
  const { step, paused } = progress, index = steps.findIndex(({ identifier }) => identifier === step);
  const words = stepWords({ step, title: run.titleOf(step), place: index + 1, count: steps.length });
  const isRunning = session && session.state === "running";
  const left = !run.over && isRunning && index >= 0
    ? leftOf({ ...progress, duration: steps[index].duration }, now, run.about.speed)
    : null;
  return listed(
    words,
    left === null ? "" : say("left", minutes(left)),
    paused && !run.over && isRunning ? sinceWords("pausedSince", paused, now) : "",
  );
}

// What nobody measured: how often readings stayed away, and for how long together.
export function gapsOf(run) {
  if (run.readings.length < 2) return "–";
  const { count, seconds } = run.readings.gapsOver(gap * Math.max(1, run.speed));
  return count ? gapWords(count, seconds) : say("noGaps");
}

export function sourcesOf(run, session) {
  const told = Object.values(run.sources).map(({ source, condition = {}, ...rest }) => {
    const { delay } = condition;
    const delayed = delay === undefined ? "" : say("sourceDelay", String(Math.round(delay * 1000)));
    return listed(sourceWords({ name: source, ...rest }), ...figuresOf(condition), delayed);
  });
  return [...told, clockWords(session || {}, .05)].filter(Boolean).join("; ");
}

export function elapsedOf(run, zone) {
  const { newest, planned } = run;
  if (!newest) return "–";
  const elapsed = minutes(newest.elapsed);
  const words = planned >= newest.elapsed ? say("ofPlanned", elapsed, minutes(planned)) : elapsed;
  return `${words}, ${clockAt(newest.t, zone)}`;
}

export function subtitleOf({ about }, zone) {
  if (!about) return "";
  const { source, participant, startedAt } = about;
  const began = say("began", dateAndTime(startedAt, zone));
  return joined(source, participant && say("participantCode", participant), aboutOf(about), began);
}
