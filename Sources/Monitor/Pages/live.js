"use strict";
(() => {
  const { element, setText, colour, say } = Entrain;
  const byId = (id) => document.getElementById(id);
  const state = {
    sessions: [], chosen: null, isByHand: false, stop: null, graph: null, isZoomed: false, clockOffset: 0,
    samples: [], events: [], description: null, over: null, sources: {}, isDrawDue: false,
  };
  // Seconds after which a value is no longer called fresh, and after which it is called lost: a run has a strap that sends
  // every second; a phone may send less often.
  const late = 3;
  const lostAfter = (session) => session && session.kind === "readings" ? 10 : 4.5;
  // An ended session's card stays so long, s.
  const kept = 3600;
  const now = () => Date.now() / 1000 + state.clockOffset;
  const name = (session) => session.title || session.study || (session.kind === "readings" ? say("pushedReadings") : session.id);
  const whole = (number) => String(Math.round(number));

  // Sessions ---------------------------------------------------------------------------------------------------
  const refresh = async () => {
    try {
      state.sessions = (await Entrain.get("/api/sessions")).sessions;
    } catch { return; }
    const running = state.sessions.filter((session) => session.state === "running");
    const isChosenHere = state.sessions.some((session) => session.id === state.chosen);
    const isChosenOver = !running.some((session) => session.id === state.chosen);
    if (running.length && (!isChosenHere || (isChosenOver && !state.isByHand))) choose(running[0].id, false);
    drawCards();
  };

  // What is wrong comes first, then what runs, then what has ended.
  const order = { lost: 0, stale: 1, running: 2, silent: 3, over: 3 };
  const ageOf = (session) => session.last ? Math.max(0, now() - session.last.t) : null;
  const conditionOf = (session) => session.state === "running" && ageOf(session) > lostAfter(session) ? "stale" : session.state;
  const since = (seconds) => seconds < 120 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`;
  const outcomeOf = (session) => `outcome_${session.outcome}` in EntrainWords ? say(`outcome_${session.outcome}`) : session.outcome;
  const conditionWords = (session) => {
    switch (conditionOf(session)) {
    case "lost": return say("runLost", since(Math.max(0, now() - session.heardAt)));
    case "stale": return say("noRateSince", since(ageOf(session)));
    case "over": return session.outcome ? say("endedAs", outcomeOf(session)) : say("state_over");
    default: return say(`state_${session.state}`);
    }
  };
  const originOf = (session) => session && session.origin ? say(`origin_${session.origin}`) : null;
  const speedOf = (session) => session && session.speed ? (session.speed >= 1e6 ? say("noWaiting") : say("speed", session.speed)) : null;

  const drawCards = () => {
    const shown = state.sessions.filter((session) => session.id === state.chosen || session.state === "running"
      || (session.state === "lost" && now() - session.heardAt < 12 * kept)
      || (session.state === "over" && session.kind === "run" && now() - session.endedAt < kept))
      .sort((one, other) => order[conditionOf(one)] - order[conditionOf(other)]);
    byId("none").hidden = shown.length > 0;
    const focused = byId("sessions").contains(document.activeElement)
      ? document.activeElement.querySelector(".value").dataset.session : null;
    byId("sessions").replaceChildren(...shown.map((session) => {
      const button = element("button", { type: "button", class: "card", "aria-pressed": String(session.id === state.chosen) },
        element("strong", {}, name(session)),
        element("span", { class: "value", "data-session": session.id }),
        element("span", { class: "quiet" }, [session.participant, session.session && say("sessionNumber", session.session),
          session.source, originOf(session), speedOf(session)].filter(Boolean).join(" · ")),
        element("span", { class: "condition" }));
      button.addEventListener("click", () => choose(session.id, true));
      return element("li", {}, button);
    }));
    const value = focused && document.querySelector(`.value[data-session="${CSS.escape(focused)}"]`);
    if (value) value.parentElement.focus({ preventScroll: true });
    drawConditions();
  };

  // Cards say what is so now: a value grows old without any news.
  const drawConditions = () => {
    for (const card of document.querySelectorAll(".card")) {
      const value = card.querySelector(".value"), words = card.querySelector(".condition");
      const session = state.sessions.find((session) => session.id === value.dataset.session);
      if (!session) continue;
      const condition = conditionOf(session), text = conditionWords(session);
      const rate = session.last && condition === "running" ? whole(session.last.bpm) : "–";
      if (card.dataset.state !== condition) card.dataset.state = condition;
      if (value.textContent !== rate) value.textContent = rate;
      if (words.textContent !== text) words.textContent = text;
    }
  };

  const takeRate = (data) => {
    const session = state.sessions.find((session) => session.id === data.session);
    if (!session) return refresh();
    if (!session.last || data.t >= session.last.t) session.last = { bpm: data.bpm, t: data.t };
    session.heardAt = Math.max(session.heardAt, data.received);
    drawConditions();
  };

  const choose = (id, isByHand) => {
    state.isByHand = isByHand;
    if (id === state.chosen) return;
    if (state.stop) state.stop();
    Object.assign(state, {
      chosen: id, samples: [], events: [], description: null, over: null, sources: {}, isZoomed: false,
    });
    history.replaceState(null, "", `#session=${encodeURIComponent(id)}`);
    for (const card of document.querySelectorAll(".card")) {
      card.setAttribute("aria-pressed", String(card.querySelector(".value").dataset.session === id));
    }
    byId("chosen").hidden = false;
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    state.stop = Entrain.listen(`/api/sessions/${id}/events`, {
      clock: (data) => { state.clockOffset = data.now - Date.now() / 1000; },
      session: (data) => { state.description = data.description; drawHeading(); },
      heartRate: (data) => { takeSample(data); due(); },
      event: (data) => { takeEvent(data); due(); },
      note: (data, number) => { state.events.push({ ...data, number }); due(); },
      noteChanged: (data) => {
        const note = state.events.find((event) => event.number === String(data.note));
        if (note && data.text) note.text = data.text; else state.events = state.events.filter((event) => event !== note);
        due();
      },
    }, Entrain.connection);
    due();
  };

  // Readings that come late stand where they were measured.
  const takeSample = (sample) => {
    let place = state.samples.length;
    while (place > 0 && state.samples[place - 1].elapsed > sample.elapsed) place--;
    state.samples.splice(place, 0, sample);
  };

  const takeEvent = (event) => {
    state.events.push(event);
    if (event.kind === "sourceState") state.sources[event.source] = event;
    if (event.kind === "over") { state.over = event; refresh(); }
  };

  const drawHeading = () => {
    const about = state.description;
    setText("title", about ? name(about) : state.chosen);
    setText("subtitle", about ? [about.participant && say("participantCode", about.participant),
      about.session && say("sessionNumber", about.session), about.task, about.source, originOf(about), speedOf(about),
      say("began", new Date(about.startedAt * 1000).toLocaleString())].filter(Boolean).join(" · ") : "");
  };

  // What is expected -------------------------------------------------------------------------------------------
  const curves = () => {
    if (!state.description) return [];
    const found = [];
    for (const event of state.events) {
      if (event.kind !== "stepStarted") continue;
      const step = state.description.steps.find((step) => step.identifier === event.step);
      if (!step || !step.expected) continue;
      const end = state.events.find((other) => other.kind === "stepEnded" && other.step === event.step
        && other.elapsed >= event.elapsed && (!event.ordinal || other.ordinal === event.ordinal));
      const curve = step.expected.map((point) => [event.elapsed + point[0], point[1], point[2], point[3]]);
      const last = end && Entrain.at(curve, end.elapsed);
      found.push(last ? [...curve.filter((point) => point[0] < end.elapsed), last] : curve);
    }
    return found;
  };
  const expectedAt = (list, elapsed) => {
    for (let index = list.length - 1; index >= 0; index--) {
      const point = Entrain.at(list[index], elapsed);
      if (point) return point;
    }
    return null;
  };

  // Words ------------------------------------------------------------------------------------------------------
  const health = () => {
    const last = state.samples[state.samples.length - 1];
    const gone = Object.values(state.sources).find((event) => event.state === "lost");
    const session = chosen();
    if (state.over) return ["over", state.over.text ? say("isOverBecause", outcomeOf({ outcome: state.over.text })) : say("isOver")];
    if (session && session.state === "lost") return ["lost", conditionWords(session)];
    if (gone && (!last || gone.received >= last.received)) return ["lost", say("lost", gone.text || gone.source)];
    if (!last) return ["none", say("noReading")];
    const age = Math.max(0, now() - last.t);
    if (age < late) return ["fresh", say("fresh")];
    return age < lostAfter(session) ? ["late", say("lateSince", since(age))] : ["lost", say("lostSince", since(age))];
  };
  const chosen = () => state.sessions.find((session) => session.id === state.chosen);

  const deviation = (list) => {
    const last = state.samples[state.samples.length - 1];
    const isFresh = !state.over && health()[0] !== "lost";
    const point = last && isFresh && expectedAt(list, last.elapsed);
    if (!point) return say("nothingExpected");
    const difference = Math.round(last.bpm - point[1]);
    const inside = last.bpm >= point[2] && last.bpm <= point[3];
    if (!difference) return say("asExpected", whole(point[1]));
    const beats = Entrain.counted(Math.abs(difference), difference > 0 ? "above" : "below");
    return say(inside ? "withinBand" : "outsideBand", beats, whole(point[1]));
  };

  const stepTitle = (identifier) => {
    const step = state.description && state.description.steps.find((step) => step.identifier === identifier);
    return (step && step.title) || identifier || "";
  };

  const currentStep = () => {
    const steps = state.description ? state.description.steps : [];
    for (let index = state.events.length - 1; index >= 0; index--) {
      const event = state.events[index];
      if (event.kind !== "stepShown" && event.kind !== "stepStarted") continue;
      const place = steps.findIndex((step) => step.identifier === event.step);
      if (place < 0) return event.step || "–";
      return say("stepOf", steps[place].title || event.step, place + 1, steps.length);
    }
    return "–";
  };

  const drawHealth = (list = curves()) => {
    if (!state.chosen) return;
    const [kind, words] = health();
    byId("health").dataset.state = kind;
    setText("health", words);
    setText("deviation", deviation(list));
    byId("rate").dataset.state = kind;
  };

  // The chart --------------------------------------------------------------------------------------------------
  const due = () => {
    if (state.isDrawDue) return;
    state.isDrawDue = true;
    setTimeout(() => { state.isDrawDue = false; draw(); }, 60);
  };

  const draw = () => {
    const last = state.samples[state.samples.length - 1];
    const list = curves();
    setText("rate", last ? whole(last.bpm) : "–");
    setText("elapsed", last ? `${whole(last.elapsed)} s` : "–");
    setText("step", currentStep());
    drawHeading();
    drawHealth(list);
    drawTables(list);
    drawChart(list);
  };

  const shownSamples = () => byId("span-last").checked ? state.samples.slice(-30) : state.samples;

  const range = (samples, list) => {
    const first = samples.length ? samples[0].elapsed : 0;
    const last = samples.length ? samples[samples.length - 1].elapsed : 0;
    if (byId("span-last").checked) return [first, Math.max(last, first + 10)];
    const started = state.events.length ? Math.min(first, 0) : first;
    const planned = state.description ? state.description.steps.reduce((sum, step) => sum + (step.duration || 0), 0) : 0;
    const ahead = Math.max(planned, ...list.map((curve) => curve[curve.length - 1][0]));
    return [started, Math.max(last, state.over ? 0 : ahead, started + 20)];
  };

  const underlay = (context, area, graph) => Entrain.cleared(context, area, () => {
    for (const curve of curves()) Entrain.drawCurve(context, graph, curve, "expected", "expected-band", [7, 5]);
    const marks = state.events.filter((event) => event.kind === "stepStarted" || event.kind === "stimulusOnset")
      .map((event) => ({ event, isClip: event.kind === "stimulusOnset", x: Math.round(graph.toDomXCoord(event.elapsed)) + .5 }));
    for (const { isClip, x } of marks) {
      context.strokeStyle = colour(isClip ? "stimulus" : "step");
      context.lineWidth = isClip ? 2.5 : 1.5;
      context.setLineDash(isClip ? [] : [4, 4]);
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
    }
    context.setLineDash([]);
    context.font = "12px system-ui, sans-serif";
    // A name that would cover others is left out; the table has them all.
    const right = [-Infinity, -Infinity, -Infinity, -Infinity];
    for (const { event, isClip, x } of marks) {
      const text = isClip ? `♪ ${event.stimulus || ""}` : stepTitle(event.step);
      const width = context.measureText(text).width;
      const row = right.findIndex((end) => x > end + 8);
      if (row < 0) continue;
      right[row] = x + width + 6;
      context.fillStyle = colour("surface");
      context.fillRect(x + 2, area.y + 2 + row * 17, width + 6, 16);
      context.fillStyle = colour(isClip ? "stimulus" : "quiet");
      context.fillText(text, x + 5, area.y + 14 + row * 17);
    }
  });

  const drawChart = (list) => {
    if (!state.chosen) return;
    const samples = shownSamples();
    const first = samples[0], last = samples[samples.length - 1];
    setText("chart-words", last
      ? say("shownReadings", Entrain.counted(state.samples.length, "reading"), whole(first.elapsed), whole(last.elapsed))
      : say("waitingForReading"));
    if (!Entrain.hasCharts()) return;
    const window = range(samples, list);
    const rows = Entrain.withGaps(samples.map((sample) => [sample.elapsed, sample.bpm]), 5);
    const file = rows.length ? rows : [[window[0], null], [window[1], null]];
    if (!state.graph) {
      state.graph = new Dygraph(byId("chart"), file, Entrain.options({
        labels: ["elapsed", "measured"], dateWindow: window, underlayCallback: underlay,
        xlabel: say("elapsedAxis"), ylabel: say("rateAxis"),
        axes: {
          x: { ticker: (a, b, pixels) => Entrain.secondTicks(a, b, pixels), axisLabelFormatter: String, axisTickSize: 8 },
          y: { ticker: (a, b) => Entrain.rateTicks(a, b), axisLabelWidth: 52 },
        },
        ...Entrain.pointing("chart", "chart-value", (row) => say("valueAt", `${whole(row[0])} s`, row[1].toFixed(0))),
        zoomCallback: () => { state.isZoomed = state.graph ? state.graph.isZoomed() : true; },
      }));
      return;
    }
    state.graph.updateOptions(state.isZoomed ? { file } : { file, dateWindow: window, valueRange: [0, Entrain.top] });
  };

  const zoom = (factor) => {
    if (!state.graph) return;
    state.isZoomed = true;
    const scaled = ([low, high], middle) => {
      const half = (high - low) / 2 * factor;
      return [middle - half, middle + half];
    };
    // About what was measured: the middle of an empty chart would lead away from the data.
    const [from, to] = state.graph.xAxisRange();
    const seen = state.samples.filter((sample) => sample.elapsed >= from && sample.elapsed <= to);
    const middle = (values) => values.length ? (Math.min(...values) + Math.max(...values)) / 2 : null;
    const rates = scaled(state.graph.yAxisRange(), middle(seen.map((sample) => sample.bpm)) ?? 105);
    state.graph.updateOptions({
      dateWindow: scaled([from, to], middle(seen.map((sample) => sample.elapsed)) ?? (from + to) / 2),
      valueRange: [Math.max(0, rates[0]), Math.min(300, rates[1])],
    });
  };

  const drawTables = (list) => {
    if (!document.querySelector("details").open) return;
    Entrain.fillTable("readings", state.samples.slice(-300).reverse().map((sample) => {
      const point = expectedAt(list, sample.elapsed);
      return [sample.elapsed.toFixed(1), sample.bpm.toFixed(1), point ? `${whole(point[1])} (${whole(point[2])}–${whole(point[3])})` : "–"];
    }));
    Entrain.fillTable("events", state.events.map((event) => [event.elapsed.toFixed(1), Entrain.describe(event)]));
  };

  const resetZoom = () => { state.isZoomed = false; draw(); };
  byId("zoom-in").addEventListener("click", () => zoom(.5));
  byId("zoom-out").addEventListener("click", () => zoom(2));
  byId("zoom-reset").addEventListener("click", resetZoom);
  byId("span-last").addEventListener("change", resetZoom);
  byId("span-whole").addEventListener("change", resetZoom);
  document.querySelector("details").addEventListener("toggle", draw);
  Entrain.whenColoursChange(() => {
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    draw();
  });

  new ResizeObserver(() => { if (state.graph) state.graph.resize(); }).observe(byId("chart"));

  const asked = decodeURIComponent(location.hash.replace(/^#session=/, ""));
  if (/^[A-Za-z0-9._-]+$/.test(asked)) choose(asked, true);
  Entrain.listen("/api/events", {
    clock: (data) => { state.clockOffset = data.now - Date.now() / 1000; refresh(); },
    session: refresh,
    state: refresh,
    heartRate: takeRate,
    event: (data) => { if (data.kind === "over") refresh(); },
  }, Entrain.connection);
  setInterval(() => { drawHealth(); drawConditions(); }, 500);
  setInterval(refresh, 20000);
})();
