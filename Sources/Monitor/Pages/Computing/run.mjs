// The chosen session, as its own stream tells of it.
import { expectedCurves } from "./curves.mjs";
import { withFigures } from "./events.mjs";
import { Readings } from "./readings.mjs";
import { progressAfter } from "./sessions.mjs";

// Readings so many seconds apart have a gap between them.
export const gap = 5;

export class Run {
  readings = new Readings();
  events = [];
  // What each source told last.
  sources = {};
  // Its description, and the event that ended it, as soon as they have come.
  about = null;
  over = null;

  constructor(id) {
    this.id = id;
  }

  get steps() {
    return this.about ? this.about.steps : [];
  }
  get start() {
    return this.about ? this.about.startedAt : 0;
  }
  get speed() {
    return (this.about && this.about.speed) || 1;
  }
  get newest() {
    return this.readings.at(-1);
  }
  // How many seconds its steps take together.
  get planned() {
    return this.steps.reduce((sum, step) => sum + (step.duration || 0), 0);
  }
  // The step that it is in.
  get progress() {
    return this.events.reduce(progressAfter, null);
  }

  // What an experimenter can do to it now, beside marking it.
  controls(session) {
    if (this.over || !session || session.kind !== "run" || session.state !== "running") return [];
    const { progress, steps } = this, made = ["message", "end"];
    if (!progress) return made;
    const { step, since, paused } = progress;
    if (paused) made.push("resume");
    if (since && !paused) made.push("pause");
    if (since) made.push("restart");
    else if (!this.newest || Object.values(this.sources).some(({ state }) => state === "lost")) {
      made.push("withoutSource");
    }
    if (!since && this.events.some(({ kind }) => kind === "stepStarted")) made.push("repeat");
    if (step !== steps.at(-1)?.identifier) made.push("skip");
    return made;
  }

  // A message as the session's stream has it.
  take(name, data, number) {
    if (name === "session") this.about = data.description;
    if (name === "heartRate") this.readings.take({ ...data, number });
    if (name === "event") this.takeEvent(data);
    if (name === "note") this.takeNote(data, number);
    if (name === "noteChanged") this.changeNote(data);
  }

  takeEvent(event) {
    const { kind, source } = event;
    // What sources are like changes all the time, and is shown with them.
    if (kind !== "source") this.events.push(event);
    if (kind === "sourceState") {
      this.sources[source] = { ...this.sources[source], ...event, text: event.text };
    }
    if (kind === "source") {
      this.sources[source] = { source, state: "live", ...this.sources[source], condition: event.condition };
    }
    if (kind === "over") this.over = event;
  }

  takeNote(note, number) {
    this.events.push({ ...note, number });
  }

  changeNote({ note: number, isDeleted, figures, text }) {
    const note = this.events.find((event) => event.number === String(number));
    if (note && !isDeleted) Object.assign(note, withFigures(note, figures), { text });
    else this.events = this.events.filter((event) => event !== note);
  }

  titleOf(step) {
    const found = this.steps.find(({ identifier }) => identifier === step);
    return (found && found.title) || step || "";
  }

  expected() {
    return expectedCurves(this.steps, this.events, this.newest?.elapsed);
  }

  // The first of the readings that are shown: of all, or of the last thirty.
  firstShown(isLast) {
    return (isLast && this.readings.at(-30)) || this.readings.at(0);
  }

  // The seconds that are shown: from the first shown reading, with what is still expected unless only the
  // last readings are shown.
  window(expected, isLast) {
    const first = this.firstShown(isLast)?.elapsed ?? 0, last = this.newest?.elapsed ?? 0;
    if (isLast) return [first, Math.max(last, first + 10)];
    const started = this.events.length ? Math.min(first, 0) : first;
    const ahead = this.over ? 0 : Math.max(this.planned, ...expected.map((curve) => curve.at(-1)[0]));
    return [started, Math.max(last, ahead, started + 20)];
  }

  // All rates between two moments, for a scale that is fitted to them.
  rates(expected, [from, to]) {
    const measured = this.readings.extent(from, to);
    const points = expected.flat().filter(([elapsed]) => elapsed >= from && elapsed <= to);
    return [
      ...(measured ? [measured.low, measured.high] : []),
      ...points.flatMap(([, , low, high]) => [low, high]),
    ];
  }
}
