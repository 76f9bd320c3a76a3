// Alarms: what the monitor raised, and who has seen it.
import { say } from "./language.mjs";
import { rateLabel } from "./units.mjs";

// An alarm as it was at a moment, before it ended or somebody acknowledged it; null if it had not begun.
function alarmAt({ ended, acknowledged, author, ...alarm }, moment) {
  if (alarm.began > moment) return null;
  return {
    ...alarm,
    ...(ended <= moment ? { ended } : {}),
    ...(acknowledged <= moment ? { acknowledged, author } : {}),
  };
}

const byNewest = (one, other) => other.number - one.number;

export class Alarms {
  #known = new Map();

  take(alarm) {
    this.#known.set(alarm.number, alarm);
  }

  // As they were at a moment, or as they are.
  #at(moment) {
    const known = [...this.#known.values()];
    return moment === undefined ? known : known.map((alarm) => alarmAt(alarm, moment)).filter(Boolean);
  }

  // Those of one session, the newest first.
  of(session, moment) {
    return this.#at(moment).filter((alarm) => alarm.session === session).sort(byNewest);
  }

  // What nobody has acknowledged, and what goes on; the former comes first.
  open(sessions, moment) {
    return this.#at(moment).filter((alarm) =>
      sessions.has(alarm.session) && (!alarm.acknowledged || !alarm.ended)
    )
      .sort((one, other) => Boolean(one.acknowledged) - Boolean(other.acknowledged) || byNewest(one, other));
  }
}

export const alarmState = ({ acknowledged, ended }) =>
  acknowledged ? "acknowledged" : ended ? "past" : "standing";

export function alarmWords(alarm) {
  const text = say(`alarm_${alarm.kind}`, alarm.limit === undefined ? "" : rateLabel(alarm.limit), alarm.for);
  return alarm.rate ? `${text} (${rateLabel(alarm.rate)})` : text;
}

// `clock` is how a moment is shown.
export const timesWords = ({ began, ended }, clock) =>
  ended ? say("alarmFromTo", clock(began), clock(ended)) : say("alarmSince", clock(began));

export const acknowledgedWords = ({ acknowledged, author }, clock) =>
  acknowledged ? say("acknowledgedBy", author || "–", clock(acknowledged)) : "";

const marked = (mark) =>
  say(mark === "kept" ? "markedYes" : mark === "unknown" ? "markedUnknown" : "markedNo");

function markWords({ acknowledged, mark, acknowledgementMark }) {
  const own = marked(mark);
  return acknowledged ? `${own}; ${say("alarmAcknowledged")}: ${marked(acknowledgementMark)}` : own;
}

// A row of the table of a session's alarms.
export const alarmRow = (alarm, clock) => [
  alarmWords(alarm),
  clock(alarm.began),
  alarm.ended ? clock(alarm.ended) : say("goesOn"),
  acknowledgedWords(alarm, clock),
  markWords(alarm),
];
