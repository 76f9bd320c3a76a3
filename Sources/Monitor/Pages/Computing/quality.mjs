// What is said of finished sessions, and of how far studies have come.
import { counted, formatted, hasWords, listed, say } from "./language.mjs";
import { gapWords, outcomeWords } from "./sessions.mjs";

const few = (value) => formatted(value, { maximumFractionDigits: 1 });

// Rounded down, so that a share just below a limit does not look like the limit.
const share = (value) => say("covered", few(Math.floor(value * 1000 + 1e-6) / 10));

const measuredWords = (quality) =>
  listed(
    quality.coverage === undefined ? "" : share(quality.coverage),
    quality.longestGap ? say("longestGap", few(quality.longestGap)) : "",
    quality.pauses ? counted(quality.pauses, "pauses") : "",
    quality.stoodStill ? say("stoodStill", few(quality.stoodStill)) : "",
    quality.worstLateness ? say("worstLateness", few(Math.abs(quality.worstLateness) * 1000)) : "",
    quality.underruns ? counted(quality.underruns, "underruns") : "",
    quality.problems ? counted(quality.problems, "problems") : "",
  );

const receivedWords = ({ readings, gaps, gapSeconds }) =>
  counted(readings, "reading") + (gaps ? `, ${gapWords(gaps, gapSeconds)}` : "");

// What is known of a finished session's quality, and whether it is poor; `undefined` where nobody judges it.
export function qualityOf({ quality, received, kind, outcome, isFromBundle }) {
  if (!quality) {
    const own = kind === "import" ? counted(received.readings, "reading") : receivedWords(received);
    return { words: kind === "run" ? say("qualityUnknown", own) : own };
  }
  const words = measuredWords(quality) || say("nothingRecorded");
  return {
    words: isFromBundle ? `${words} (${say("fromBundle")})` : words,
    // A run that was not completed is neither.
    isPoor: outcome === "completed" ? quality.poor : undefined,
  };
}

// How a session ended, as a kind and in words.
export function endOf({ state, kind, outcome }) {
  if (state === "lost") return ["lost", say("endNotReported")];
  const look = outcome === "failed" ? "stale" : "over";
  if (kind === "import") return [look, say("imported")];
  if (kind === "readings") return [look, say("noMoreReadings")];
  return [look, outcome ? outcomeWords(outcome) : say("state_over")];
}

export const doneWords = ({ completed, incomplete, excluded, poor }) =>
  listed(
    counted(completed, "doneSessions"),
    incomplete ? counted(incomplete, "incompleteSessions") : "",
    excluded ? counted(excluded, "excludedSessions") : "",
    poor ? counted(poor, "poorSessions") : "",
  );

// Counts by their names, each with its share of the largest.
export function shares(counts) {
  const most = Math.max(...Object.values(counts));
  return Object.entries(counts).sort(([one], [other]) =>
    one.localeCompare(other, undefined, { numeric: true })
  )
    .map(([name, count]) => ({ name, count, share: most ? count / most : 0 }));
}

// The sessions that are due, the most pressing first, and how many come later.
export function due(toCome) {
  const pressing = ["overdue", "stopped", "due", "incomplete", "running"];
  const rank = ({ state }) => pressing.indexOf(state);
  const now = toCome.filter((session) => rank(session) >= 0).sort((one, other) => rank(one) - rank(other));
  return { now, later: toCome.length - now.length };
}

export const dueWords = (state) => hasWords(`toCome_${state}`) ? say(`toCome_${state}`) : state;
