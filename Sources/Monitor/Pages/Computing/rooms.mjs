// All sessions that the live page knows, and what comes in of them.
import { conditionOf, outsideOf, progressAfter, rankOf, whoOf } from "./sessions.mjs";
import { withReading } from "./trails.mjs";

// An ended session is named so long, s; one that ended without a word has its card longer.
const kept = 3600;

const byName = new Intl.Collator(undefined, { numeric: true });

const heardOf = (sources = [], name, news) => {
  const known = sources.find((source) => source.name === name);
  return [...sources.filter((source) => source.name !== name), { name, state: "live", ...known, ...news }];
};

export class Rooms {
  sessions = [];
  #isHeard = true;
  #trails = new Map();

  take(sessions) {
    this.sessions = sessions;
    for (const { id, recent } of sessions) {
      if (recent) this.#trails.set(id, recent.map((point) => [...point, 1]));
    }
    this.hear(this.#isHeard);
  }

  // While nothing can be heard of the monitor, nobody knows how the sessions are that were not over; they are
  // read again as soon as it can be.
  hear(isHeard) {
    this.#isHeard = isHeard;
    if (isHeard) return;
    for (const session of this.sessions) if (session.state !== "over") session.state = "unknown";
  }

  find(id) {
    return this.sessions.find((session) => session.id === id);
  }

  trail(id) {
    return this.#trails.get(id) || [];
  }

  // The session to be shown in place of the chosen one; null where that one stays.
  next(chosen, isByHand) {
    const running = this.sessions.filter((session) => session.state === "running");
    const isOver = !running.some((session) => session.id === chosen);
    const isLeft = !this.find(chosen) || (isOver && !isByHand);
    return running.length && isLeft ? running[0].id : null;
  }

  // The runs that ended in the last hour, the newest first.
  ended(now) {
    return this.sessions.filter(({ state, kind, endedAt }) =>
      state === "over" && kind === "run" && now - endedAt < kept
    ).sort((one, other) => other.endedAt - one.endedAt);
  }

  // The sessions that have cards. Those in trouble come first; the others keep their order among themselves.
  shown(now, chosen) {
    const isShown = (session) =>
      session.id === chosen || session.state === "running" || session.state === "unknown" ||
      (session.state === "lost" && now - session.heardAt < 12 * kept);
    for (const session of this.sessions) session.outside = outsideOf(session, this.trail(session.id));
    return this.sessions.filter(isShown)
      .map((session) => ({ session, rank: rankOf[conditionOf(session, now)], who: whoOf(session) }))
      .sort((one, other) =>
        one.rank - other.rank || byName.compare(one.who, other.who) ||
        one.session.startedAt - other.session.startedAt
      )
      .map(({ session }) => session);
  }

  // Returns whether the reading is of a session that is known.
  takeRate(reading, now) {
    const session = this.find(reading.session);
    if (!session) return false;
    if (!session.last || reading.t >= session.last.t) session.last = { bpm: reading.bpm, t: reading.t };
    session.heardAt = Math.max(session.heardAt, reading.received);
    this.#trails.set(session.id, withReading(this.trail(session.id), reading, now));
    return true;
  }

  // What happens in a room is taken as it comes, without asking for all rooms again. Returns whether that is
  // enough.
  takeEvent(event) {
    const session = this.find(event.session);
    if (!session || event.kind === "over") return false;
    session.progress = progressAfter(session.progress, event);
    const { state, text, condition } = event;
    if (event.kind === "sourceState") {
      session.sources = heardOf(session.sources, event.source, { state, text });
    }
    if (event.kind === "source") session.sources = heardOf(session.sources, event.source, { condition });
    return true;
  }
}
