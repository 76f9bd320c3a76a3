// A session that is played again: its stored messages, and what was told of it by a moment. Moments are seconds
// since the session began, which is also the time of its chart.
import { isNoted } from "./events.mjs";
import { Run } from "./run.mjs";

// A run that gives no sign of life for so long, s, is without contact.
const silence = 4;

export const speeds = [.25, .5, 1, 2, 4, 8, 16, 32, 64];

// The events that somebody may look for, and how they are drawn.
const looks = {
  stepStarted: "step",
  stimulusOnset: "stimulus",
  paused: "step",
  rating: "rating",
  marked: "note",
  over: "step",
};
const lookOf = (event) => isNoted(event) ? "note" : looks[event.kind];

const isPlayed = ({ name }) => name === "heartRate" || name === "event";

function secondsOf(text) {
  const [, hours = 0, minutes, seconds] = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2}(?:\.\d+)?)$/.exec(text) || [];
  return minutes === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

// What an address asks to be played again: the run, and perhaps a moment and a speed; null if it asks for nothing.
export function askedReplay(query) {
  const asked = new URLSearchParams(query), run = asked.get("run") || "";
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(run)) return null;
  const speed = Number(asked.get("speed"));
  return { run, at: secondsOf(asked.get("at") || ""), speed: speeds.includes(speed) ? speed : 1 };
}

// The address that leads there, to a tenth of a second.
export function replayAddress({ run, at = null, speed = 1 }) {
  const address = `/?run=${encodeURIComponent(run)}`;
  if (at === null) return address;
  const tenths = Math.floor(Math.max(0, at) * 10 + 1e-6), minutes = Math.floor(tenths / 600);
  const [seconds, rest] = [Math.floor(tenths / 10) % 60, tenths % 10];
  const moment = `${minutes}:${String(seconds).padStart(2, "0")}${rest ? `.${rest}` : ""}`;
  return `${address}&at=${moment}${speed === 1 ? "" : `&speed=${speed}`}`;
}

export class Replay {
  run;
  // What the monitor says of the session now: a run that was killed has told no end.
  told = {};
  // Whether all that is stored has come.
  isWhole = false;
  #rooms;
  #messages = [];
  // Whether the messages stand in order, whether some of them must be told anew, how many have been told, and up to
  // which moment.
  #isOrdered = true;
  #isChanged = false;
  #count = 0;
  #elapsed = 0;
  #marks = null;

  constructor(id, rooms) {
    this.run = new Run(id);
    this.#rooms = rooms;
  }

  // A message as the session's stream has it.
  take(name, data, number) {
    // What it says of itself comes before all else, and counts as heard when it happened.
    const elapsed = name === "session" ? -Infinity : data.elapsed;
    const message = { name, data: { ...data, received: data.t }, number: Number(number), elapsed };
    const last = this.#messages.at(-1);
    if (last && last.elapsed > elapsed) this.#isOrdered = false;
    if (elapsed <= this.#elapsed) this.#isChanged = true;
    this.#messages.push(message);
    this.#marks = null;
  }

  // A reading that was deleted.
  forget(number) {
    this.#messages = this.#messages.filter((message) => message.number !== number);
    this.#isChanged = true;
  }

  get isEmpty() {
    return !this.#messages.some(isPlayed);
  }
  get first() {
    return this.#sorted().find(isPlayed)?.elapsed ?? 0;
  }
  // Of a run without contact, one also sees that there was none any more.
  get last() {
    const { state, heardAt, startedAt, speed = 1 } = this.told;
    const last = this.#sorted().findLast(isPlayed)?.elapsed ?? this.first;
    return state === "lost" ? Math.max(last, (heardAt - startedAt + 2 * silence) * speed) : last;
  }
  // The moment by the clock of the session.
  get moment() {
    return this.run.start + this.#elapsed / this.run.speed;
  }

  // Has told all that had happened by a moment. Returns whether that is anything new.
  show(elapsed) {
    const isAnew = elapsed < this.#elapsed || this.#isChanged, before = this.#count;
    const messages = this.#sorted();
    if (isAnew) {
      this.run = new Run(this.run.id);
      this.#count = 0;
    }
    this.#elapsed = elapsed;
    this.#isChanged = false;
    for (; this.#count < messages.length && messages[this.#count].elapsed <= elapsed; this.#count++) {
      this.#tell(messages[this.#count]);
    }
    this.#judge();
    return isAnew || this.#count > before;
  }

  #tell({ name, data, number }) {
    this.run.take(name, data, String(number));
    if (name === "session") {
      const { description } = data;
      this.#rooms.take([{ ...description, state: "running", heardAt: description.startedAt, recent: [] }]);
    } else if (name === "heartRate") this.#rooms.takeRate(data, data.t);
    else if (name === "event") this.#rooms.takeEvent(data);
  }

  // How the session was, as far as nobody has told it.
  #judge() {
    const session = this.#rooms.find(this.run.id), { over } = this.run, { state, heardAt } = this.told;
    if (!session) return;
    const isLost = state === "lost" && this.moment - heardAt > silence;
    // Of a session that is over, the monitor tells neither its step nor its sources.
    if (over) {
      const end = { state: "over", endedAt: over.t, outcome: over.text };
      Object.assign(session, { ...end, progress: undefined, sources: undefined });
    } else {
      session.state = isLost ? "lost" : "running";
      session.heardAt = isLost ? heardAt : this.moment;
    }
  }

  // The events on the way, as { elapsed, until, look, event }; clips last until their end.
  get marks() {
    this.#marks ??= this.#marked();
    return this.#marks;
  }

  #marked() {
    const whole = new Run(this.run.id), { first, last } = this;
    for (const { name, data, number } of this.#sorted()) {
      if (name !== "heartRate") whole.take(name, data, String(number));
    }
    const endOf = ({ elapsed, stimulus }) =>
      whole.events.find((event) =>
        event.kind === "stimulusEnd" && event.stimulus === stimulus && event.elapsed >= elapsed
      )?.elapsed ?? last;
    return whole.events.filter((event) => lookOf(event) && event.elapsed >= first && event.elapsed <= last)
      .map((event) => ({
        elapsed: event.elapsed,
        until: event.kind === "stimulusOnset" ? endOf(event) : event.elapsed,
        look: lookOf(event),
        event,
      }));
  }

  // The moment of the mark before or after; of one that has just passed, the one before that.
  markBefore(elapsed) {
    return this.marks.findLast((mark) => mark.elapsed < elapsed - 1)?.elapsed ?? this.first;
  }
  markAfter(elapsed) {
    return this.marks.find((mark) => mark.elapsed > elapsed)?.elapsed ?? this.last;
  }

  #sorted() {
    if (!this.#isOrdered) {
      this.#messages.sort((one, other) =>
        one.elapsed === other.elapsed ? one.number - other.number : one.elapsed - other.elapsed
      );
      this.#isOrdered = true;
    }
    return this.#messages;
  }
}
