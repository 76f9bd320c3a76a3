"use strict";
// Deleting: what would go is shown first, and goes only when somebody has said why and confirmed it.
const Deleting = (() => {
  const { say, counted, setText } = Entrain;
  const byId = (id) => document.getElementById(id);
  const dialog = byId("delete"), form = byId("delete-form");
  let wanted = null;

  const extentWords = ({ series, readings, events, notes, bundles }) => [
    series ? counted(series, "deletedSeries") : "", readings || !bundles ? counted(readings, "reading") : "", events ? counted(events, "deletedEvents") : "",
    notes ? counted(notes, "deletedNotes") : "", bundles ? counted(bundles, "deletedBundles") : "",
  ].filter(Boolean).join(", ");

  const code = () => byId("delete-code");
  const isTyped = () => !wanted.code || code().value === wanted.code;
  const follow = () => { byId("delete-do").disabled = !wanted || !wanted.isTold || !byId("delete-reason").value.trim() || !isTyped(); };

  // `target` is {reading}, {session} or {participant}; `code` must be typed again, if there is one; `done` is called when it is gone.
  const ask = async (target, what, { code: typed = null, done = () => {}, from = document.activeElement } = {}) => {
    const mine = wanted = { target, code: typed, done, from, isTold: false };
    form.reset();
    setText("delete-what", what);
    setText("delete-extent", say("asking"));
    byId("delete-failed").hidden = true;
    byId("delete-typing").hidden = !typed;
    if (typed) setText("delete-typing-label", say("typeToDelete", typed));
    follow();
    dialog.showModal();
    try {
      const extent = await Entrain.post("/api/deletions", target), { untoldBundles: untold } = extent;
      if (wanted !== mine) return;
      wanted.isTold = true;
      follow();
      setText("delete-extent", say("wouldDelete", extentWords(extent)) + (untold ? ` ${counted(untold, "untoldBundles")}` : ""));
      byId("delete-reason").focus();
    } catch (problem) { if (wanted === mine) fail(problem); }
  };
  const fail = (problem) => {
    setText("delete-failed", say("notDeleted", problem.message));
    byId("delete-failed").hidden = false;
  };
  const close = () => { dialog.close(); if (wanted.from.isConnected) wanted.from.focus(); };

  if (dialog) {
    form.addEventListener("input", follow);
    byId("delete-cancel").addEventListener("click", close);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      byId("delete-do").disabled = true;
      try {
        await Entrain.post("/api/deletions", { ...wanted.target, reason: byId("delete-reason").value.trim(), confirmed: true });
        close();
        wanted.done();
      } catch (problem) { fail(problem); follow(); }
    });
  }

  // A trace in words.
  const traceWords = (trace, timeOf) => {
    // A bundle that was deleted before its description had come says neither whose it was nor when it began.
    const moment = (time) => time === undefined ? "–" : timeOf(time);
    const who = trace.participant || trace.session;
    if (trace.what === "reading") return say("traceReading", who, moment(trace.measured));
    const extent = extentWords(trace);
    return trace.what === "participant" ? say("traceParticipant", extent) : say(`trace_${trace.of}`, who, moment(trace.startedAt), extent);
  };

  return { ask, traceWords };
})();
