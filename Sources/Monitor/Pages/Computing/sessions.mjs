// What is said of one session: its name, how it is, and where it has come to. `now` is the time by the
// monitor's clock.
import { pointAt } from "./curves.mjs";
import { counted, formatted, hasWords, joined, say } from "./language.mjs";
import { minutes, since } from "./times.mjs";
import { difference, rateLabel } from "./units.mjs";

// Seconds after which a value is called lost: a run has a strap that sends every second; a phone may send
// less often.
export const lostAfter = (session) => session && session.kind === "readings" ? 10 : 4.5;

export const nameOf = (session) =>
  session.title || session.study || (session.kind === "readings" ? say("pushedReadings") : session.id);
export const whoOf = (session) =>
  [session.source, session.participant].filter(Boolean).join(" ") || nameOf(session);
const originOf = (session) => session.origin ? say(`origin_${session.origin}`) : null;
const speedOf = ({ speed }) => !speed ? null : speed >= 1e6 ? say("noWaiting") : say("speed", speed);
const numberOf = ({ session }) => session && say("sessionNumber", session);

// Its number, where its data come from, and how fast it goes.
export const aboutOf = (session) => joined(numberOf(session), originOf(session), speedOf(session));

export const outcomeWords = (outcome) => hasWords(`outcome_${outcome}`) ? say(`outcome_${outcome}`) : outcome;

// Conditions: what is wrong comes first, then what runs, then what has ended.
export const rankOf = {
  unknown: 0,
  lost: 0,
  stale: 1,
  warned: 2,
  paused: 3,
  outside: 4,
  running: 5,
  silent: 6,
  over: 6,
};
const ageOf = (session, now) => session.last ? Math.max(0, now - session.last.t) : null;
const troubled = ({ sources = [] }) => sources.find((source) => source.state === "lost" || source.text);

export function conditionOf(session, now) {
  if (session.state !== "running") return session.state;
  if (ageOf(session, now) > lostAfter(session)) return "stale";
  if (troubled(session)) return "warned";
  if (session.progress && session.progress.paused) return "paused";
  return session.outside ? "outside" : "running";
}

// What is expected of a room now, as [low, high], at moments of the step that it is in; null if nothing is.
export function expectedOf(session) {
  const progress = progressOf(session), curve = progress && progress.expected;
  if (!progress || !progress.since || !curve) return null;
  const speed = session.speed || 1;
  return (moment) => {
    const elapsed = ((progress.paused || moment) - progress.since) * speed;
    return pointAt(curve, elapsed) || (elapsed > curve.at(-1)[0] ? curve.at(-1) : null);
  };
}

// The point that the last half minute of a trail was outside of on one side, all of it; null otherwise.
export function outsideOf(session, points) {
  const expected = expectedOf(session), last = points.slice(-3);
  if (!expected || last.length < 3) return null;
  const sides = last.map(([time, rate]) => {
    const point = expected(time + 5);
    return !point ? 0 : rate > point[3] ? 1 : rate < point[2] ? -1 : 0;
  });
  return Math.abs(sides[0] + sides[1] + sides[2]) === 3 ? expected(last[2][0] + 5) : null;
}

export const sinceWords = (key, moment, now) => say(key, since(Math.max(0, now - moment)));

export function conditionWords(session, now) {
  switch (conditionOf(session, now)) {
    case "lost":
      return sinceWords("runLost", session.heardAt, now);
    case "stale":
      return say("noRateSince", since(ageOf(session, now)));
    case "warned":
      return sourceWords(troubled(session));
    case "paused":
      return sinceWords("pausedSince", session.progress.paused, now);
    case "outside": {
      const [, rate] = session.outside, { bpm } = session.last;
      const apart = say(bpm > rate ? "above" : "below", difference(Math.abs(bpm - rate)));
      return `${bpm > rate ? "▲" : "▼"} ${say("outsideBand", apart, rateLabel(rate))}`;
    }
    case "over":
      return session.outcome ? say("endedAs", outcomeWords(session.outcome)) : say("state_over");
    default:
      return say(`state_${session.state}`);
  }
}

// What of it is read from afar, if that is less.
export function fewWords(session, now) {
  switch (conditionOf(session, now)) {
    case "lost":
      return sinceWords("noWord", session.heardAt, now);
    case "warned":
      return troubled(session).text;
    case "over":
      return session.outcome && outcomeWords(session.outcome);
    default:
      return null;
  }
}

export const sourceWords = ({ name, state, text }) =>
  `${name}: ${text || say(state === "lost" ? "sourceLost" : "sourceLive")}`;

const signed = (seconds) => formatted(seconds, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

export const gapWords = (count, seconds) => counted(count, "gap").replace("%2", minutes(seconds));

// Which device a source is.
const namesOf = ({ device, identifier, host, manufacturer, model, firmware }) =>
  [device, identifier, host, manufacturer, model, firmware].filter(Boolean);

// What readings of a source are like: which it is, its battery, what stayed away, and its clock.
export const figuresOf = ({ battery, gaps, gapSeconds, missing, leftOut, offset, ...names }) =>
  [
    ...namesOf(names),
    battery === undefined ? "" : say("battery", battery),
    gaps ? gapWords(gaps, gapSeconds) : "",
    missing ? counted(missing, "missingReadings") : "",
    leftOut ? counted(leftOut, "leftOutReadings") : "",
    offset === undefined || Math.abs(offset) < .05 ? "" : say("sourceClock", signed(offset)),
  ].filter(Boolean);

// By how much the clock of the sender is ahead of that of the monitor's machine, what readings take on their
// way included.
export const clockWords = ({ clockOffset }, least) =>
  clockOffset === undefined || Math.abs(clockOffset) < least ? "" : say("senderClock", signed(-clockOffset));

export function sourceFigures(session) {
  const told = (session.sources || []).map(({ name, condition }) => [name, figuresOf(condition || {})])
    .filter(([, figures]) => figures.length).map(([name, figures]) => `${name}: ${figures.join(", ")}`);
  return joined(...told, clockWords(session, 1));
}

// The step that a room is in, as its steps were told.
export function progressOf({ progress, steps = [] }) {
  if (!progress) return null;
  const index = steps.findIndex((step) => step.identifier === progress.step), step = steps[index] || {};
  const { title, duration, expected } = step;
  return { ...progress, title, duration, expected, place: index + 1, count: steps.length };
}

export const stepWords = ({ title, step, place, count }) =>
  place ? say("stepOf", title || step, place, count) : title || step || "–";

// Seconds that are left of the step, which a pause does not use up; null where nobody knows.
export const leftOf = ({ since: begun, paused, duration }, now, speed = 1) =>
  begun && duration ? Math.max(0, begun + duration / speed - (paused || now)) : null;

// What an event makes of the step that a run is in.
export function progressAfter(progress, { kind, step, t }) {
  if (kind === "stepShown") return { step };
  if (kind === "stepStarted") return { step, since: t };
  if (kind === "paused" && progress) return { ...progress, paused: t };
  if (kind === "resumed" && progress && progress.paused) {
    return { step: progress.step, since: progress.since && progress.since + t - progress.paused };
  }
  return progress;
}
