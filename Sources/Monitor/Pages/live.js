"use strict";
(() => {
  const { element, setText, colour, say, minutes, rate, rateLabel } = Entrain;
  const byId = (id) => document.getElementById(id);
  const state = {
    sessions: [], chosen: null, isByHand: false, missing: null, stop: null, graph: null, isZoomed: false, clockOffset: 0, zone: 0, isWall: false,
    samples: Readings.make(), events: [], curves: [], description: null, over: null, sources: {}, isDrawDue: false, isLookDue: false, looked: 0, trails: new Map(), glide: null, isGliding: false,
  };
  // Seconds after which a value is no longer called fresh, and after which it is called lost: a run has a strap that sends
  // every second; a phone may send less often.
  const late = 3;
  const lostAfter = (session) => session && session.kind === "readings" ? 10 : 4.5;
  // An ended session's card stays so long, s.
  const kept = 3600;
  // Readings so many seconds apart have a gap between them.
  const gap = 5;
  const now = () => Date.now() / 1000 + state.clockOffset;
  const name = (session) => session.title || session.study || (session.kind === "readings" ? say("pushedReadings") : session.id);
  const whole = (number) => String(Math.round(number));
  // Times as the clock of the monitor's machine shows them.
  const clock = (time) => new Date((time + state.zone) * 1000).toISOString().slice(11, 19);
  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Sessions ---------------------------------------------------------------------------------------------------
  const refresh = async () => {
    try {
      state.sessions = (await Entrain.get("/api/sessions")).sessions;
    } catch (problem) {
      setText("failed", say("sessionsUnreadable", problem.message));
      byId("failed").hidden = false;
      return;
    }
    if (state.missing) setText("failed", state.missing);
    byId("failed").hidden = !state.missing;
    byId("sessions").removeAttribute("aria-busy");
    for (const session of state.sessions) if (session.recent) state.trails.set(session.id, session.recent.map((point) => [...point, 1]));
    const running = state.sessions.filter((session) => session.state === "running");
    const isChosenHere = state.sessions.some((session) => session.id === state.chosen);
    const isChosenOver = !running.some((session) => session.id === state.chosen);
    if (running.length && !state.isWall && (!isChosenHere || (isChosenOver && !state.isByHand))) choose(running[0].id, false);
    drawCards();
  };

  // What is wrong comes first, then what runs, then what has ended; rooms keep their order among themselves.
  const order = { lost: 0, stale: 1, warned: 2, paused: 3, running: 4, silent: 5, over: 5 };
  const ageOf = (session) => session.last ? Math.max(0, now() - session.last.t) : null;
  const troubled = (session) => (session.sources || []).find((source) => source.state === "lost" || source.text);
  const conditionOf = (session) => {
    if (session.state !== "running") return session.state;
    if (ageOf(session) > lostAfter(session)) return "stale";
    if (troubled(session)) return "warned";
    return session.progress && session.progress.paused ? "paused" : "running";
  };
  const since = (seconds) => {
    const [size, unit] = [[172800, 86400, "d"], [7200, 3600, "h"], [120, 60, "min"], [0, 1, "s"]].find(([from]) => seconds >= from).slice(1);
    return `${Math.floor(seconds / size)}\u00a0${unit}`;
  };
  const outcomeOf = (session) => `outcome_${session.outcome}` in EntrainWords ? say(`outcome_${session.outcome}`) : session.outcome;
  const sourceWords = ({ name, state, text }) => `${name}: ${text || say(state === "lost" ? "sourceLost" : "sourceLive")}`;
  // What readings of a source are like: its battery, what stayed away, and its clock.
  const seconds = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  const figuresOf = ({ battery, gaps, gapSeconds, missing, leftOut, offset }) => [
    battery === undefined ? "" : say("battery", battery), gaps ? Entrain.counted(gaps, "gap").replace("%2", minutes(gapSeconds)) : "",
    missing ? Entrain.counted(missing, "missingReadings") : "", leftOut ? Entrain.counted(leftOut, "leftOutReadings") : "",
    offset === undefined || Math.abs(offset) < .05 ? "" : say("sourceClock", seconds.format(offset)),
  ].filter(Boolean);
  // By how much the clock of the sender is ahead of that of the monitor's machine, what readings take on their way included.
  const clockWords = ({ clockOffset }, least) => clockOffset === undefined || Math.abs(clockOffset) < least ? "" : say("senderClock", seconds.format(-clockOffset));
  const sourceFigures = (session) => {
    const told = (session.sources || []).map((source) => [source.name, figuresOf(source.condition || {})]).filter(([, figures]) => figures.length)
      .map(([name, figures]) => `${name}: ${figures.join(", ")}`);
    return [...told, clockWords(session, 1)].filter(Boolean).join(" · ");
  };
  const conditionWords = (session) => {
    switch (conditionOf(session)) {
    case "lost": return say("runLost", since(Math.max(0, now() - session.heardAt)));
    case "stale": return say("noRateSince", since(ageOf(session)));
    case "warned": return sourceWords(troubled(session));
    case "paused": return say("pausedSince", since(Math.max(0, now() - session.progress.paused)));
    case "over": return session.outcome ? say("endedAs", outcomeOf(session)) : say("state_over");
    default: return say(`state_${session.state}`);
    }
  };
  // What of it is read from afar.
  const fewWords = (session) => {
    switch (conditionOf(session)) {
    case "lost": return say("noWord", since(Math.max(0, now() - session.heardAt)));
    case "warned": return troubled(session).text;
    case "paused": return conditionWords(session);
    case "over": return session.outcome && outcomeOf(session);
    default: return null;
    }
  };
  const originOf = (session) => session && session.origin ? say(`origin_${session.origin}`) : null;
  const speedOf = (session) => session && session.speed ? (session.speed >= 1e6 ? say("noWaiting") : say("speed", session.speed)) : null;
  // The step that a room is in, as its steps were told.
  const progressOf = ({ progress, steps = [] }) => {
    if (!progress) return null;
    const index = steps.findIndex((step) => step.identifier === progress.step), step = steps[index] || {};
    return { ...progress, title: step.title, duration: step.duration, place: index + 1, count: steps.length };
  };
  const stepWords = ({ title, step, place, count }) => place ? say("stepOf", title || step, place, count) : title || step || "–";
  // Seconds that are left of the step, which a pause does not use up; null where nobody knows.
  const leftOf = ({ since: begun, paused, duration }, speed = 1) => begun && duration ? Math.max(0, begun + duration / speed - (paused || now())) : null;
  // What an event makes of the step that a run is in.
  const progressAfter = (progress, { kind, step, t }) => {
    if (kind === "stepShown") return { step };
    if (kind === "stepStarted") return { step, since: t };
    if (kind === "paused" && progress) return { ...progress, paused: t };
    if (kind === "resumed" && progress && progress.paused) return { step: progress.step, since: progress.since && progress.since + t - progress.paused };
    return progress;
  };

  const whoOf = (session) => [session.source, session.participant].filter(Boolean).join(" ") || name(session);
  const byName = new Intl.Collator(undefined, { numeric: true });
  const shownSessions = () => state.sessions.filter((session) => (session.id === state.chosen && !state.isWall) || session.state === "running"
    || (session.state === "lost" && now() - session.heardAt < 12 * kept)
    || (session.state === "over" && session.kind === "run" && now() - session.endedAt < kept))
    .map((session) => ({ session, rank: order[conditionOf(session)], who: whoOf(session) }))
    .sort((one, other) => one.rank - other.rank || byName.compare(one.who, other.who) || one.session.startedAt - other.session.startedAt)
    .map(({ session }) => session);

  const drawing = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const card = (session) => {
    const spark = drawing("svg", { class: "spark", viewBox: "0 0 310 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    spark.append(drawing("path", {}));
    const who = element("strong", { class: "who" });
    if (session.source) who.append(element("span", { class: "room" }, session.source), " ");
    if (session.participant) who.append(element("span", { class: "person" }, session.participant));
    if (!who.childNodes.length) who.append(element("span", { class: "person" }, name(session)));
    const button = element("button", { type: "button", class: "card", "aria-pressed": String(session.id === state.chosen) },
      element("span", { class: "edge" }), who, element("span", { class: "value", "data-session": session.id }), spark,
      element("span", { class: "at" }, element("span", {}), element("i", {}), element("b", {})),
      element("span", { class: "condition" }), element("span", { class: "quiet source" }),
      element("span", { class: "quiet" }, [name(session), session.session && say("sessionNumber", session.session), originOf(session),
        speedOf(session)].filter(Boolean).join(" · ")));
    button.addEventListener("click", () => {
      if (state.isWall) setWall(false);
      choose(session.id, true);
      byId("chosen").scrollIntoView({ behavior: isStill() ? "auto" : "smooth", block: "start" });
    });
    // What is looked for in it several times a second.
    button.parts = { session: session.id, who, value: button.querySelector(".value"), condition: button.querySelector(".condition"), step: button.querySelector(".at span"),
      place: button.querySelector(".at i"), left: button.querySelector(".at b"), source: button.querySelector(".source"), trail: spark.firstChild };
    const made = element("li", {}, button);
    made.drawn = lookOf(session);
    return made;
  };
  // All that a card says of a session and that does not change while it goes on.
  const lookOf = (session) => [session.id, session.source, session.participant, name(session), session.session, session.origin, session.speed].join("\n");

  const drawCards = () => {
    const shown = shownSessions();
    byId("none").hidden = shown.length > 0;
    const list = byId("sessions");
    list.dataset.count = shown.length > 4 ? "many" : "few";
    const focused = list.contains(document.activeElement) ? document.activeElement.querySelector(".value").dataset.session : null;
    const before = focused && document.activeElement.getBoundingClientRect();
    const made = new Map([...list.children].map((one) => [one.drawn, one]));
    const cards = shown.map((session) => made.get(lookOf(session)) || card(session));
    if (cards.length !== list.childElementCount || cards.some((one, index) => one !== list.children[index])) list.replaceChildren(...cards);
    const value = focused && document.querySelector(`.value[data-session="${CSS.escape(focused)}"]`);
    if (value) {
      value.parentElement.focus({ preventScroll: true });
      // Another place in the order does not take the focus out of sight.
      if (before.bottom > 0 && before.top < innerHeight) scrollBy({ top: value.parentElement.getBoundingClientRect().top - before.top, behavior: "instant" });
    }
    layWall();
    drawConditions();
  };

  // Cards say what is so now: a value grows old without any news.
  const drawConditions = () => {
    const put = (place, text) => { if (place.textContent !== text) place.textContent = text; };
    state.looked = performance.now();
    const cards = [...byId("sessions").children].map((one) => one.firstChild), counts = {};
    const wanted = shownSessions();
    if (cards.some(({ parts }, index) => !wanted[index] || parts.session !== wanted[index].id)) return drawCards();
    const alarmed = new Set(Alarms.open(new Set(wanted.map(({ id }) => id))).filter((alarm) => !alarm.acknowledged).map((alarm) => alarm.session));
    cards.forEach((card, index) => {
      const session = wanted[index], { parts } = card, condition = conditionOf(session), isRunning = ["running", "paused", "warned"].includes(condition);
      counts[condition] = (counts[condition] || 0) + 1;
      if (card.dataset.state !== condition) card.dataset.state = condition;
      card.toggleAttribute("data-alarmed", alarmed.has(session.id));
      put(parts.value, session.last && isRunning ? rateLabel(session.last.bpm) : "–");
      put(parts.condition, (state.isWall && fewWords(session)) || conditionWords(session));
      const progress = progressOf(session), left = progress && isRunning ? leftOf(progress, session.speed) : null;
      put(parts.step, progress ? progress.title || progress.step : "");
      put(parts.place, progress && progress.place ? `${progress.place}/${progress.count}` : "");
      put(parts.left, left === null ? "" : say("left", minutes(left)));
      put(parts.source, session.state === "running" ? sourceFigures(session) : "");
      drawTrail(parts.trail, state.trails.get(session.id) || []);
    });
    const tally = Object.keys(order).filter((condition) => counts[condition]).map((condition) =>
      element("li", { "data-state": condition }, `${counts[condition]} ${say(`tally_${condition}`)}`));
    if (tally.map((one) => one.textContent).join() !== [...byId("tally").children].map((one) => one.textContent).join()) byId("tally").replaceChildren(...tally);
    const wrong = (counts.lost || 0) + (counts.stale || 0) + (counts.warned || 0), raised = drawAlarms(wanted);
    document.title = (raised ? `(${raised}) ⚠ ` : wrong ? `(${wrong}) ` : "") + document.title.replace(/^\(\d+\) (⚠ )?/, "");
    setText("clock", clock(now()).slice(0, 5));
  };

  // Alarms -----------------------------------------------------------------------------------------------------
  const mayAcknowledge = () => !byId("room").hidden;
  let drawnAlarms = "";
  // Draws the alarms of the sessions that have cards, and returns how many of them nobody has acknowledged.
  const drawAlarms = (sessions) => {
    const open = Alarms.open(new Set(sessions.map((session) => session.id))), list = byId("alarms");
    if (JSON.stringify(open) !== drawnAlarms) {
      drawnAlarms = JSON.stringify(open);
      list.hidden = !open.length;
      list.replaceChildren(...open.map((alarm) => Alarms.line(alarm, {
        who: whoOf(sessions.find((session) => session.id === alarm.session)), clock, mayAcknowledge: mayAcknowledge(),
        choose: () => { if (state.isWall) setWall(false); choose(alarm.session, true); byId("title").focus(); },
        failed: (problem) => { setText("failed", say("notAcknowledged", problem.message)); byId("failed").hidden = false; },
      })));
    }
    drawAlarmLog();
    drawSound();
    Alarms.call(open.some((alarm) => !alarm.acknowledged && !alarm.ended));
    return open.filter((alarm) => !alarm.acknowledged).length;
  };
  const drawAlarmLog = () => {
    const alarms = state.chosen ? Alarms.of(state.chosen) : [];
    byId("alarm-log").hidden = !alarms.length;
    const rows = alarms.map((alarm) => [Alarms.words(alarm), clock(alarm.began), alarm.ended ? clock(alarm.ended) : say("goesOn"),
      Alarms.acknowledgedWords(alarm, clock), Alarms.markWords(alarm)]);
    const text = JSON.stringify(rows);
    if (byId("run-alarms").dataset.drawn === text) return;
    byId("run-alarms").dataset.drawn = text;
    Entrain.fillTable("run-alarms", rows);
  };
  const drawSound = () => {
    byId("sound").setAttribute("aria-pressed", String(Alarms.canBeHeard()));
    setText("sound", say(Alarms.canBeHeard() ? "soundOn" : "soundOff"));
  };
  byId("sound").addEventListener("click", async () => { await Alarms.setSound(!Alarms.canBeHeard()); drawSound(); });
  const takeAlarm = (alarm) => { Alarms.take(alarm); drawConditions(); };
  const loadAlarms = async (path) => {
    try { await Alarms.load(path); } catch { return; /* The next connection asks again. */ }
    drawConditions();
  };

  // The last five minutes of a room, in steps of ten seconds; a gap is a gap here too.
  const trail = 300, stride = 10;
  const takeTrail = ({ session, t, bpm }) => {
    const points = state.trails.get(session) || [], at = Math.floor(t / stride) * stride, last = points.at(-1);
    if (!last || at > last[0]) points.push([at, bpm, 1]);
    else if (at === last[0]) points[points.length - 1] = [at, (last[1] * last[2] + bpm) / (last[2] + 1), last[2] + 1];
    while (points.length && points[0][0] < now() - trail - stride) points.shift();
    state.trails.set(session, points);
  };
  // The newest point is drawn when its ten seconds are over.
  const drawTrail = (path, all) => {
    const whole = Math.floor(now() / stride) * stride, count = all.length && all.at(-1)[0] >= whole ? all.length - 1 : all.length;
    const newest = count ? all[count - 1][1] : null;
    if (path.whole === whole && path.count === count && path.newest === newest) return;
    Object.assign(path, { whole, count, newest });
    const points = all.slice(0, count);
    const [low, high] = Entrain.rateRange(points.map((point) => point[1]), true), begin = whole - trail;
    const words = points.map(([t, rate], index) =>
      `${index && t - points[index - 1][0] <= 2.5 * stride ? "L" : "M"}${t - begin} ${(100 - (rate - low) / (high - low) * 100).toFixed(0)}`).join("");
    // A point without neighbours is a short stroke.
    const text = words.replace(/M(\S+ \S+)(?=M|$)/g, "M$1h3");
    if (path.getAttribute("d") !== text) path.setAttribute("d", text);
  };

  const takeRate = (data) => {
    const session = state.sessions.find((session) => session.id === data.session);
    if (!session) return refreshSoon();
    if (!session.last || data.t >= session.last.t) session.last = { bpm: data.bpm, t: data.t };
    session.heardAt = Math.max(session.heardAt, data.received);
    takeTrail(data);
    if (state.isLookDue) return;
    state.isLookDue = true;
    // Many rooms share a picture: forty pictures a second would leave the page no time.
    setTimeout(() => { state.isLookDue = false; drawConditions(); }, Math.min(450, 40 + 10 * state.sessions.length));
  };

  const heardOf = (sources = [], name, news) =>
    [...sources.filter((source) => source.name !== name), { name, state: "live", ...sources.find((source) => source.name === name), ...news }];

  // What happens in a room is taken as it comes, without asking for all rooms again.
  const takeRoomEvent = (data) => {
    const session = state.sessions.find((session) => session.id === data.session);
    if (!session || data.kind === "over") return refreshSoon();
    session.progress = progressAfter(session.progress, data);
    if (data.kind === "paused" || data.kind === "resumed") drawConditions();
    if (data.kind === "sourceState") session.sources = heardOf(session.sources, data.source, { state: data.state, text: data.text });
    if (data.kind === "source") session.sources = heardOf(session.sources, data.source, { condition: data.condition });
  };

  let waiting = null;
  const refreshSoon = () => { waiting ??= setTimeout(() => { waiting = null; refresh(); }, 150); };

  // The wall: as many columns as make the rooms' fields largest, half as wide again as high.
  const layWall = () => {
    const list = byId("sessions"), count = Math.max(1, list.childElementCount);
    if (!state.isWall) return;
    const { clientWidth: width, clientHeight: height } = list;
    let best = [0, 1];
    for (let columns = 1; columns <= count; columns++) {
      const size = Math.min(width / columns / 1.3, Math.max(112, height / Math.ceil(count / columns)));
      if (size > best[0]) best = [size, columns];
    }
    list.style.setProperty("--columns", best[1]);
  };
  const setWall = (isOn) => {
    state.isWall = isOn;
    document.documentElement.toggleAttribute("data-wall", isOn);
    byId("wall").setAttribute("aria-pressed", String(isOn));
    setText("wall", say(isOn ? "leaveWall" : "wall"));
    history.replaceState(null, "", (isOn ? "/?wall" : "/") + location.hash);
    refresh();
    if (!isOn) window.dispatchEvent(new Event("resize"));
  };
  byId("wall").addEventListener("click", () => {
    setWall(!state.isWall);
    // Whoever refuses has the wall all the same, within the window.
    if (state.isWall) document.documentElement.requestFullscreen().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && state.isWall) setWall(false); });
  new ResizeObserver(layWall).observe(byId("sessions"));

  const choose = (id, isByHand) => {
    state.isByHand = isByHand;
    if (isByHand && state.missing) { state.missing = null; byId("failed").hidden = true; }
    if (id === state.chosen) return;
    if (state.stop) state.stop();
    const wasChosen = state.chosen !== null;
    Object.assign(state, {
      chosen: id, samples: Readings.make(), events: [], curves: [], description: null, over: null, sources: {}, isZoomed: false, glide: null, isGliding: false,
    });
    selected = null;
    setText("removed", "");
    const address = `#session=${encodeURIComponent(id)}`;
    // What somebody chose can be gone back from.
    if (location.hash !== address) history[isByHand && wasChosen ? "pushState" : "replaceState"](null, "", address);
    for (const card of document.querySelectorAll(".card")) {
      card.setAttribute("aria-pressed", String(card.parts.session === id));
    }
    byId("chosen").hidden = false;
    loadAlarms(`/api/sessions/${encodeURIComponent(id)}/alarms`);
    byId("csv").href = `/api/sessions/${encodeURIComponent(id)}/heart-rate.csv`;
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    state.stop = Entrain.listen(`/api/sessions/${id}/events`, {
      clock: takeClock,
      session: (data) => { state.description = data.description; drawHeading(); },
      heartRate: (data, number) => { state.samples.take({ ...data, number }); due(); },
      event: (data) => { takeEvent(data); due(); },
      note: (data, number) => { state.events.push({ ...data, number }); due(); },
      noteChanged: (data) => {
        const note = state.events.find((event) => event.number === String(data.note));
        if (note && !data.isDeleted) Object.assign(note, Entrain.withFigures(note, data.figures), { text: data.text });
        else state.events = state.events.filter((event) => event !== note);
        due();
      },
    });
    due();
  };

  const takeClock = (data) => { state.clockOffset = data.now - Date.now() / 1000; state.zone = data.offset || 0; };

  const takeEvent = (event) => {
    // What sources are like changes all the time, and is shown with them.
    if (event.kind !== "source") state.events.push(event);
    if (event.kind === "sourceState") state.sources[event.source] = { ...state.sources[event.source], ...event, text: event.text };
    if (event.kind === "source") state.sources[event.source] = { source: event.source, state: "live", ...state.sources[event.source], condition: event.condition };
    if (event.kind === "over") { state.over = event; refresh(); }
  };

  const drawHeading = () => {
    const about = state.description;
    setText("title", about ? name(about) : state.chosen);
    setText("subtitle", about ? [about.source, about.participant && say("participantCode", about.participant),
      about.session && say("sessionNumber", about.session), originOf(about), speedOf(about),
      say("began", new Date((about.startedAt + state.zone) * 1000).toLocaleString(undefined, {
        dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }))].filter(Boolean).join(" · ") : "");
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
      // A step that lasts longer than planned expects its last value until it ends, or as long as it goes on.
      const goesOn = !end && event === state.events.findLast((other) => other.kind === "stepStarted");
      const until = end ? end.elapsed : Math.max(curve.at(-1)[0], goesOn && state.samples.length ? state.samples.at(-1).elapsed : 0);
      const last = Entrain.at(curve, Math.min(until, curve.at(-1)[0]));
      found.push(last ? [...curve.filter((point) => point[0] < until), [until, ...last.slice(1)]] : curve);
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
    const last = state.samples.at(-1);
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
    const last = state.samples.at(-1);
    const isFresh = !state.over && health()[0] !== "lost";
    const point = last && isFresh && expectedAt(list, last.elapsed);
    if (!point) return say("nothingExpected");
    const apart = Entrain.difference(last.bpm - point[1]);
    const inside = last.bpm >= point[2] && last.bpm <= point[3];
    if (!apart) return say("asExpected", rateLabel(point[1]));
    const beats = say(last.bpm > point[1] ? "above" : "below", apart);
    return say(inside ? "withinBand" : "outsideBand", beats, rateLabel(point[1]));
  };

  const stepTitle = (identifier) => {
    const step = state.description && state.description.steps.find((step) => step.identifier === identifier);
    return (step && step.title) || identifier || "";
  };

  const currentStep = () => {
    const progress = state.events.reduce(progressAfter, null);
    if (!progress) return "–";
    const steps = state.description ? state.description.steps : [], place = steps.findIndex((step) => step.identifier === progress.step);
    const words = stepWords({ step: progress.step, title: stepTitle(progress.step), place: place + 1, count: steps.length });
    const left = !state.over && place >= 0 ? leftOf({ ...progress, duration: steps[place].duration }, state.description.speed) : null;
    const isPaused = progress.paused && !state.over;
    return [words, left === null ? "" : say("left", minutes(left)), isPaused ? say("pausedSince", since(Math.max(0, now() - progress.paused))) : ""].filter(Boolean).join(", ");
  };

  // What nobody measured: how often readings stayed away, and for how long together.
  const gapWords = () => {
    if (state.samples.length < 2) return "–";
    const { count, seconds } = state.samples.gapsOver(gap * Math.max(1, speed()));
    return count ? Entrain.counted(count, "gap").replace("%2", minutes(seconds)) : say("noGaps");
  };
  const sourcesWords = () => [...Object.values(state.sources).map(({ source, condition = {}, ...rest }) => [sourceWords({ name: source, ...rest }), ...figuresOf(condition),
    condition.delay === undefined ? "" : say("sourceDelay", whole(condition.delay * 1000))].filter(Boolean).join(", ")), clockWords(chosen() || {}, .05)].filter(Boolean).join("; ");
  const planned = () => state.description ? state.description.steps.reduce((sum, step) => sum + (step.duration || 0), 0) : 0;
  const elapsedWords = (last) => {
    const length = planned() >= last.elapsed ? say("ofPlanned", minutes(last.elapsed), minutes(planned())) : minutes(last.elapsed);
    return `${length}, ${clock(last.t)}`;
  };

  const drawHealth = (list = state.curves) => {
    if (!state.chosen) return;
    const [kind, words] = health();
    byId("health").dataset.state = kind;
    setText("health", words);
    setText("deviation", deviation(list));
    byId("rate").dataset.state = kind;
  };

  // What the experimenter does ---------------------------------------------------------------------------------
  // The moment counts at which the button was pressed, not the one at which the words are there.
  let wanted = null;
  const form = byId("request"), field = (name) => form.elements.namedItem(name);
  const showRequest = () => {
    const { control, at } = wanted;
    byId("request-kind").hidden = Boolean(control);
    byId("request-severity").hidden = Boolean(control) || field("kind").value !== "adverse";
    setText("request-what", control ? say(`control_${control}`) : say("markAt", clock(now() - (performance.now() - at) / 1000)));
    setText("request-label", say(control === "message" ? "messageText" : control ? "reason" : "note"));
    form.hidden = false;
    field("text").focus();
  };
  const endRequest = () => {
    wanted = null;
    form.hidden = true;
    form.reset();
  };
  byId("room").addEventListener("click", (event) => {
    const button = event.target.closest("[data-kind], [data-control]");
    if (!button || !state.chosen) return;
    // What was begun for another button is no reason for this one.
    if (wanted && wanted.control !== button.dataset.control) form.reset();
    wanted = { control: button.dataset.control, at: event.timeStamp, from: button, run: state.chosen };
    setText("request-outcome", "");
    showRequest();
  });
  field("kind").addEventListener("change", showRequest);
  byId("request-cancel").addEventListener("click", () => { const { from } = wanted; endRequest(); from.focus(); });
  form.addEventListener("keydown", (event) => { if (event.key === "Escape") byId("request-cancel").click(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { control, at, from, run } = wanted, kind = control ? "control" : field("kind").value;
    const text = field("text").value.trim();
    if (!text) return;
    const request = { kind, text, ...(control ? { control } : {}), ...(kind === "adverse" ? { severity: field("severity").value } : {}) };
    endRequest();
    from.focus();
    setText("request-outcome", say("asking"));
    try {
      await Entrain.post(`/api/sessions/${run}/requests`, { ...request, ...await Entrain.moment(at) });
      setText("request-outcome", say(control ? "requestDone" : "markKept"));
    } catch (problem) {
      setText("request-outcome", problem.status ? say("requestRefused", problem.message) : say("requestLost"));
      // Without an answer, what was written is there again, unless something else was begun meanwhile.
      if (problem.status || wanted || run !== state.chosen) return;
      wanted = { control, at, from, run };
      for (const name of ["text", ...(control ? [] : ["kind", "severity"])]) if (request[name]) field(name).value = request[name];
      showRequest();
    }
  });

  // Deleting ---------------------------------------------------------------------------------------------------
  let selected = null;
  const selectReading = ([elapsed]) => {
    if (byId("removal").hidden) return;
    selected = state.samples.find(elapsed);
    drawRemoval();
  };
  const drawRemoval = () => {
    const person = state.description && state.description.participant, reading = byId("delete-reading");
    reading.disabled = !selected;
    setText("delete-reading", selected ? say("deleteReading", timeAt(selected.elapsed), rateLabel(selected.bpm)) : say("deleteReadingFirst"));
    byId("delete-person").hidden = !person;
    if (person) setText("delete-person", say("deletePerson", person));
  };
  const isGone = () => setText("removed", say("isDeleted"));
  byId("delete-reading").addEventListener("click", () => {
    const { number, elapsed, bpm } = selected;
    Deleting.ask({ reading: Number(number) }, say("deleteReading", timeAt(elapsed), rateLabel(bpm)), { done: isGone });
  });
  byId("delete-session").addEventListener("click", () => {
    const { title, subtitle } = { title: byId("title").textContent, subtitle: byId("subtitle").textContent };
    Deleting.ask({ session: state.chosen }, say("deleteSessionOf", [title, subtitle].filter(Boolean).join(" · ")));
  });
  byId("delete-person").addEventListener("click", () => {
    const { participant } = state.description;
    Deleting.ask({ participant }, say("deletePerson", participant), { code: participant });
  });
  // What others have deleted, or this page: a reading leaves its chart, a session its page.
  const takeDeletion = async (trace) => {
    Lists.refresh();
    if (trace.what === "reading") {
      if (trace.session === state.chosen) {
        state.samples.remove(trace.reading);
        selected = null;
        drawRemoval();
        draw();
      }
      return refresh();
    }
    if (state.chosen) {
      try { await Entrain.get(`/api/sessions/${encodeURIComponent(state.chosen)}`); } catch (problem) { if (problem.status === 404) leave(); }
    }
    refresh();
  };
  const leave = () => {
    if (state.stop) state.stop();
    Object.assign(state, { chosen: null, isByHand: false, stop: null, samples: Readings.make(), events: [], curves: [], description: null });
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    byId("chosen").hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
    byId("main").focus();
  };

  // The chart --------------------------------------------------------------------------------------------------
  const due = () => {
    if (state.isDrawDue) return;
    state.isDrawDue = true;
    setTimeout(() => { state.isDrawDue = false; draw(); }, 60);
  };

  const draw = () => {
    const last = state.samples.at(-1);
    const list = state.curves = curves();
    setText("rate", last ? rate(last.bpm) : "–");
    setText("elapsed", last ? elapsedWords(last) : "–");
    setText("step", currentStep());
    setText("gaps", gapWords());
    setText("sources", sourcesWords());
    byId("sources").parentElement.hidden = !byId("sources").textContent;
    drawHeading();
    drawRemoval();
    drawHealth(list);
    drawTables(list);
    drawChart(list);
  };

  // The first of the readings that are shown.
  const firstShown = () => (byId("span-last").checked && state.samples.at(-30)) || state.samples.at(0);

  const range = (list) => {
    const first = state.samples.length ? firstShown().elapsed : 0;
    const last = state.samples.length ? state.samples.at(-1).elapsed : 0;
    if (byId("span-last").checked) return [first, Math.max(last, first + 10)];
    const started = state.events.length ? Math.min(first, 0) : first;
    const ahead = Math.max(planned(), ...list.map((curve) => curve[curve.length - 1][0]));
    return [started, Math.max(last, state.over ? 0 : ahead, started + 20)];
  };

  const underlay = (context, area, graph) => Entrain.cleared(context, area, () => {
    for (const curve of state.curves) Entrain.drawCurve(context, graph, curve, "expected", "expected-band", [7, 5]);
    const kinds = { stepStarted: "step", stimulusOnset: "stimulus", marked: "note" };
    const marks = state.events.filter((event) => event.kind in kinds)
      .map((event) => ({ event, kind: kinds[event.kind], x: Math.round(graph.toDomXCoord(event.elapsed)) + .5 }));
    for (const { kind, x } of marks) {
      context.strokeStyle = colour(kind);
      context.lineWidth = kind === "stimulus" ? 2.5 : 1.5;
      context.setLineDash({ stimulus: [], step: [4, 4], note: [1, 3] }[kind]);
      context.beginPath();
      context.moveTo(x, area.y);
      context.lineTo(x, area.y + area.h);
      context.stroke();
    }
    context.setLineDash([]);
    context.font = "13px system-ui, sans-serif";
    // A name that would cover others is left out; the table has them all.
    const right = [-Infinity, -Infinity, -Infinity, -Infinity];
    for (const { event, kind, x } of marks) {
      const text = { stimulus: `♪ ${event.stimulus || ""}`, step: stepTitle(event.step), note: `✎ ${event.text || ""}` }[kind];
      const width = context.measureText(text).width;
      const row = right.findIndex((end) => x > end + 8);
      if (row < 0) continue;
      right[row] = x + width + 6;
      context.fillStyle = colour("surface");
      context.fillRect(x + 2, area.y + 2 + row * 17, width + 6, 16);
      context.fillStyle = colour(kind === "step" ? "quiet" : kind);
      context.fillText(text, x + 5, area.y + 14 + row * 17);
    }
  });

  const drawChart = (list) => {
    if (!state.chosen) return;
    const first = firstShown(), last = state.samples.at(-1);
    setText("chart-words", last
      ? say("shownReadings", Entrain.counted(state.samples.length, "reading"), minutes(first.elapsed), minutes(last.elapsed))
      : say("waitingForReading"));
    if (!Entrain.hasCharts()) return;
    const window = range(list), seen = state.isZoomed && state.graph ? state.graph.xAxisRange() : window;
    const rows = last ? state.samples.rows(...seen, Math.max(200, byId("chart").clientWidth), gap) : [];
    const file = rows.length ? rows : [[window[0], null], [window[1], null]];
    const valueRange = Entrain.rateRange(byId("fit").checked ? rates(list, window) : [], byId("fit").checked);
    if (!state.graph) {
      state.graph = new Dygraph(byId("chart"), file, Entrain.options({
        labels: ["elapsed", "measured"], dateWindow: window, valueRange, underlayCallback: underlay,
        ...titles(), axes: {
          x: { ticker: xTicks, axisLabelFormatter: String, axisTickSize: 8 },
          y: { ticker: (a, b) => Entrain.rateTicks(a, b), axisLabelWidth: 32 },
        },
        ...Entrain.pointing("chart", "chart-value", (row) => { selectReading(row); return say("valueAt", timeAt(row[0]), rate(row[1])); }),
        // Of the part that is shown, every reading is drawn that can be told from the next.
        zoomCallback: () => { state.isZoomed = state.graph ? state.graph.isZoomed() : true; due(); },
      }));
      return;
    }
    if (!glides(rows)) state.graph.updateOptions(state.isZoomed ? { file } : { file, dateWindow: window, valueRange });
    else if (!state.isZoomed) state.graph.updateOptions({ dateWindow: window, valueRange }, true);
  };

  // The newest value comes gliding from the one before it, and jumps where somebody asked for less motion, or where the way is
  // too short to be seen.
  const isFar = (from, to) => Math.hypot(state.graph.toDomXCoord(to[0]) - state.graph.toDomXCoord(from[0]),
    state.graph.toDomYCoord(to[1]) - state.graph.toDomYCoord(from[1])) >= 4;
  const glides = (rows) => {
    const [from, to] = rows.slice(-2), newest = to && to[0];
    const isNext = state.glide !== null && newest > state.glide && newest - state.glide < gap && from && from[1] !== null;
    const isNew = newest !== state.glide;
    state.glide = newest ?? null;
    if (!isNext || isStill() || document.hidden || !isFar(from, to)) return !isNew && state.isGliding;
    const begun = performance.now(), long = 200;
    state.isGliding = true;
    const step = (time) => {
      if (state.glide !== newest || !state.graph) return;
      const share = Math.min(1, Math.max(0, time - begun) / long), eased = 1 - (1 - share) ** 2;
      const at = from.map((value, index) => value + (to[index] - value) * eased);
      state.graph.updateOptions({ file: share < 1 ? [...rows.slice(0, -1), at] : rows });
      state.isGliding = share < 1;
      // Few pictures are enough for so short a way, and each is a whole chart.
      if (state.isGliding) setTimeout(() => requestAnimationFrame(step), 70);
    };
    requestAnimationFrame(step);
    return true;
  };

  // Time since the beginning, or as the clock showed it.
  const isClock = () => byId("axis-clock").checked;
  const startOf = () => state.description ? state.description.startedAt : 0;
  const speed = () => (state.description && state.description.speed) || 1;
  const timeAt = (elapsed) => isClock() ? clock(startOf() + elapsed / speed()) : minutes(elapsed);
  const xTicks = (from, to, pixels) => {
    if (!isClock() || speed() !== 1) return Entrain.secondTicks(from, to, pixels, { format: isClock() ? timeAt : minutes });
    // Round times of the clock.
    const origin = -((startOf() + state.zone) % 86400);
    return Entrain.secondTicks(from, to, pixels, { origin, format: (seconds) => timeAt(seconds + origin).slice(0, to - from > 240 ? 5 : 8) });
  };
  const titles = () => ({ xlabel: say(isClock() ? "clockAxis" : "elapsedAxis") });
  const measured = (from, to) => { const found = state.samples.extent(from, to); return found ? [found.low, found.high] : []; };
  const rates = (list, [from, to]) => [...measured(from, to),
    ...list.flatMap((curve) => curve.filter((point) => point[0] >= from && point[0] <= to).flatMap((point) => [point[2], point[3]]))];

  const zoom = (factor) => {
    if (!state.graph) return;
    state.isZoomed = true;
    const scaled = ([low, high], middle) => {
      const half = (high - low) / 2 * factor;
      return [middle - half, middle + half];
    };
    // About what was measured: the middle of an empty chart would lead away from the data.
    const [from, to] = state.graph.xAxisRange();
    const seen = state.samples.extent(from, to) || { low: 105, high: 105, first: from, last: to };
    const rates = scaled(state.graph.yAxisRange(), (seen.low + seen.high) / 2);
    state.graph.updateOptions({
      dateWindow: scaled([from, to], (seen.first + seen.last) / 2), valueRange: [Math.max(0, rates[0]), Math.min(300, rates[1])],
    });
    due();
  };

  const drawTables = (list) => {
    if (!document.querySelector("details").open) return;
    Entrain.fillTable("readings", state.samples.last(300).reverse().map((sample) => {
      const point = expectedAt(list, sample.elapsed);
      return [timeAt(sample.elapsed), rate(sample.bpm, 1), point ? `${rate(point[1])} (${rate(point[2])}–${rate(point[3])})` : "–"];
    }));
    Entrain.fillTable("events", state.events.map((event) => [timeAt(event.elapsed), Entrain.describe(event, stepTitle)]));
  };

  const resetZoom = () => { state.isZoomed = false; draw(); };
  byId("zoom-in").addEventListener("click", () => zoom(.5));
  byId("zoom-out").addEventListener("click", () => zoom(2));
  byId("zoom-reset").addEventListener("click", resetZoom);
  byId(Entrain.remembered("span", "whole") === "last" ? "span-last" : "span-whole").checked = true;
  for (const span of ["last", "whole"]) byId(`span-${span}`).addEventListener("change", () => { Entrain.remember("span", span); resetZoom(); });
  const redraw = () => {
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    state.isZoomed = false;
    if (state.chosen) draw();
  };
  byId("fit").checked = Entrain.remembered("fit", false) === true;
  byId("axis-clock").checked = Entrain.remembered("axis", "elapsed") === "clock";
  byId("fit").addEventListener("change", () => { Entrain.remember("fit", byId("fit").checked); redraw(); });
  for (const axis of ["elapsed", "clock"]) {
    byId(`axis-${axis}`).addEventListener("change", () => { Entrain.remember("axis", axis); redraw(); });
  }
  document.querySelector("details").addEventListener("toggle", draw);
  Entrain.whenColoursChange(redraw);
  Entrain.whenUnitsChange(() => { drawnAlarms = ""; drawCards(); redraw(); });

  new ResizeObserver(() => { if (state.graph) state.graph.resize(); }).observe(byId("chart"));

  Lists.begin({
    name, whoOf, originOf, speedOf, outcomeOf,
    moment: (time) => new Date((time + state.zone) * 1000).toISOString().slice(0, 16).replace("T", " "),
    choose: (id) => { choose(id, true); byId("title").focus({ preventScroll: true }); byId("chosen").scrollIntoView({ behavior: isStill() ? "auto" : "smooth", block: "start" }); },
  });
  if (new URLSearchParams(location.search).has("wall")) setWall(true);
  // The session of the page's address, if there is such a session.
  const chooseAsked = async () => {
    const [, asked] = /^#session=([A-Za-z0-9._-]+)$/.exec(location.hash) || [];
    if (!asked || state.isWall || asked === state.chosen) return;
    choose(asked, true);
    try { await Entrain.get(`/api/sessions/${asked}`); } catch (problem) {
      if (problem.status !== 404 || state.chosen !== asked) return;
      leave();
      state.missing = say("noSuchSession", asked);
      setText("failed", state.missing);
      byId("failed").hidden = false;
    }
  };
  chooseAsked();
  window.addEventListener("popstate", chooseAsked);
  Entrain.listen("/api/events", {
    clock: (data) => { takeClock(data); refresh(); loadAlarms(); Lists.refresh(); },
    deleted: takeDeletion,
    progress: Lists.refresh,
    alarm: takeAlarm,
    session: refreshSoon,
    state: refresh,
    heartRate: takeRate,
    event: takeRoomEvent,
  }, Entrain.connection);
  setInterval(() => {
    drawHealth();
    // While readings come, the cards are looked at with each of them.
    if (performance.now() - state.looked > 450) drawConditions();
    if (state.chosen && !state.isWall) setText("step", currentStep());
  }, 500);
  setInterval(() => { refresh(); loadAlarms(); }, 20000);
})();
