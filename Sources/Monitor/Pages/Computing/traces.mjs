// What would be deleted, and what is left of what was.
import { counted, listed, say } from "./language.mjs";

const extentOf = ({ series, readings, events, notes, bundles }) =>
  listed(
    series ? counted(series, "deletedSeries") : "",
    readings || !bundles ? counted(readings, "reading") : "",
    events ? counted(events, "deletedEvents") : "",
    notes ? counted(notes, "deletedNotes") : "",
    bundles ? counted(bundles, "deletedBundles") : "",
  );

export const wouldDelete = (extent) =>
  say("wouldDelete", extentOf(extent)) +
  (extent.untoldBundles ? ` ${counted(extent.untoldBundles, "untoldBundles")}` : "");

// A trace in words; `timeOf` is how a moment is shown.
export function traceWords(trace, timeOf) {
  // A bundle that was deleted before its description had come says neither whose it was nor when it began.
  const moment = (time) => time === undefined ? "–" : timeOf(time);
  const who = trace.participant || trace.session;
  if (trace.what === "reading") return say("traceReading", who, moment(trace.measured));
  const extent = extentOf(trace);
  return trace.what === "participant"
    ? say("traceParticipant", extent)
    : say(`trace_${trace.of}`, who, moment(trace.startedAt), extent);
}
