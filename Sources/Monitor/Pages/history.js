"use strict";
(() => {
  const { element, setText, colour, say, rate, rateLabel } = Entrain;
  const byId = (id) => document.getElementById(id);
  const layers = ["bands", "events", "expected", "forecast"];
  const asked = new URLSearchParams(location.search);
  const state = {
    date: asked.get("date"), participant: asked.get("participant") || "", day: null, graph: null, asking: 0, answered: 0, isStale: false,
    areSidesStale: false, shown: null, wanted: null, clockOffset: 0, range: [0, Entrain.top], isZoomed: false, drawnDay: null,
  };
  // The days beside the shown one, by their paths: a day that is moved to is drawn at once, and then read again.
  let ahead = new Map();
  // Readings so many seconds apart are not joined; watches take one every few minutes.
  const silence = 900;

  // Times as the clock of the monitor's machine shows them.
  const clock = (time, day = state.day, hasSeconds = false) => {
    let offset = day.hours[0].offset;
    for (const hour of day.hours) if (hour.t <= time) offset = hour.offset;
    return new Date((time + offset) * 1000).toISOString().slice(11, hasSeconds ? 19 : 16);
  };
  const momentOf = (text) => {
    const [hour, minute, second = 0] = text.split(":").map(Number);
    return state.day.hours[hour].t + minute * 60 + second;
  };
  const longDate = (date) => new Date(`${date}T12:00:00Z`)
    .toLocaleDateString(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "UTC" });
  const shortDate = (date) => new Date(`${date}T12:00:00Z`)
    .toLocaleDateString(undefined, { month: "short", day: "numeric", timeZone: "UTC" });

  // Layers -----------------------------------------------------------------------------------------------------
  const isOn = (layer) => byId(`layer-${layer}`).checked;
  const remember = () => Entrain.remember("layers", Object.fromEntries(layers.map((layer) => [layer, isOn(layer)])));
  const kept = Entrain.remembered("layers", {});
  for (const layer of layers) if (layer in kept) byId(`layer-${layer}`).checked = kept[layer] === true;
  byId("fit").checked = Entrain.remembered("fit", false) === true;

  // Days -------------------------------------------------------------------------------------------------------
  const path = (date) => `/api/days/${date || "today"}${state.participant ? `?participant=${encodeURIComponent(state.participant)}` : ""}`;

  const show = async (date, isNew = true, hasNewSides = true) => {
    const asking = ++state.asking;
    state.wanted = date;
    if (isNew && ahead.has(path(date))) take(ahead.get(path(date)), true);
    let day;
    try {
      day = await Entrain.get(path(date));
    } catch (problem) {
      if (asking === state.asking) {
        state.answered = asking;
        state.wanted = state.date;
        // The day that the page is about is asked for again, unless the question was wrong.
        if (date === state.date && !(problem.status < 500 && problem.status !== 429)) state.isStale = state.areSidesStale = true;
      }
      const words = say("unreadable", problem.message);
      setText("chart-words", words);
      setText("failure", words);
      byId("failed").hidden = false;
      return;
    }
    if (asking !== state.asking) return;
    state.answered = asking;
    byId("failed").hidden = true;
    take(day, isNew);
    if (hasNewSides) await drawSides();
  };

  const take = (day, isNew) => {
    // Details stay open while their day is only read again.
    const shown = path(day.date);
    if (shown !== state.shown) byId("details").close();
    state.shown = shown;
    state.day = day;
    state.date = state.wanted = day.date;
    byId("date").max = day.today;
    drawRemoval();
    byId("csv").href = path(day.date).replace(day.date, `${day.date}/heart-rate.csv`);
    const address = `/history?date=${day.date}${state.participant ? `&participant=${encodeURIComponent(state.participant)}` : ""}`;
    if (isNew && location.pathname + location.search !== address) history.pushState(null, "", address);
    draw();
  };

  // Days of the calendar have no hours: noon in UTC is always the right day.
  const moved = (date, days) => new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

  const drawSides = async () => {
    const shown = path(state.date), sizes = ["near", "middle", "far"];
    let areAllRead = true;
    // A day that cannot be read now stays as it was read before.
    const fetched = (step) => Promise.all(sizes.map((size, index) => {
      const date = moved(state.date, step * (index + 1));
      return Entrain.get(path(date))
        .catch(() => {
          areAllRead = false;
          return ahead.get(path(date));
        })
        .then((day) => day ? side(day, size, step * (index + 1)) : null);
    }));
    const [before, after] = await Promise.all([fetched(-1), fetched(1)]);
    if (shown !== path(state.date)) return;
    if (!areAllRead) state.areSidesStale = true;
    ahead = new Map([...before, ...after].filter(Boolean).map((button) => [path(button.dataset.date), button.querySelector("canvas").day]));
    const at = document.activeElement;
    const held = at.matches(".side") ? `#${at.parentElement.id} .${at.className.split(" ").pop()}` : null;
    byId("before").replaceChildren(...before.filter(Boolean).reverse());
    byId("after").replaceChildren(...after.filter(Boolean));
    redrawSides();
    if (held && document.querySelector(held)) document.querySelector(held).focus();
  };

  const side = (day, size, days) => {
    const canvas = element("canvas", { "aria-hidden": "true" });
    canvas.day = day;
    const summary = day.summary;
    const words = summary
      ? [element("span", {}, `${rate(summary.minimum)}–${rate(summary.maximum)}`), element("span", {}, `⌀ ${rate(summary.mean)}`)]
      : [element("span", {}, "–"), element("span", {}, "\u00a0")];
    const button = element("button", {
      type: "button", class: `side${day.date > day.today ? " future" : ""} ${size}`, "data-date": day.date,
      "aria-label": `${longDate(day.date)}: ` + (summary
        ? say("summary", rate(summary.minimum), rate(summary.maximum), rate(summary.mean)) : say("noReadings")),
    }, element("span", {}, shortDate(day.date)), canvas, ...words);
    button.addEventListener("click", () => show(moved(state.date, days)));
    return button;
  };

  // Beside the main day, the days stand as high as its chart: the same rate is at the same height.
  const redrawSides = () => {
    const area = state.graph && state.graph.getArea();
    const chart = byId("chart").getBoundingClientRect();
    for (const canvas of document.querySelectorAll(".side canvas")) {
      const side = canvas.parentElement.getBoundingClientRect();
      const isBeside = area && (side.right <= chart.left || side.left >= chart.right);
      canvas.style.height = isBeside ? `${area.h}px` : "";
      canvas.style.flex = isBeside ? "none" : "";
      // The date stands over its day.
      const date = canvas.previousElementSibling;
      date.style.marginTop = "";
      if (isBeside) date.style.marginTop = `${Math.max(0, chart.top + area.y - canvas.getBoundingClientRect().top)}px`;
      drawSide(canvas);
    }
  };

  // A day seen from the side: the bands and ticks of the main day, its own line, and a bar from the lowest to the highest with a
  // circle at the mean.
  const drawSide = (canvas) => {
    const day = canvas.day, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const [lowest, highest] = state.range;
    const y = (rate) => height - (Math.min(highest, Math.max(lowest, rate)) - lowest) / (highest - lowest) * height;
    const room = width - 16;
    const { limits } = state.day;
    if (isOn("bands")) drawBands(context, 0, room, y, limits);
    context.fillStyle = colour("grid");
    for (const { v } of Entrain.rateTicks(...state.range)) context.fillRect(0, Math.round(y(v)), room, 1);
    if (isOn("bands")) drawLimits(context, 0, room, y, limits);
    context.beginPath();
    let previous = null;
    for (const [time, mean] of day.heartRate) {
      const x = (time - day.start) / (day.end - day.start) * room;
      if (previous === null || time - previous > silence) context.moveTo(x, y(mean)); else context.lineTo(x, y(mean));
      previous = time;
    }
    context.strokeStyle = colour("measured");
    context.lineWidth = 1.2;
    context.stroke();
    if (!day.summary) return;
    const [low, mean, high] = [day.summary.minimum, day.summary.mean, day.summary.maximum].map(y), middle = width - 7;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(middle, high);
    context.lineTo(middle, low);
    for (const end of [low, high]) { context.moveTo(middle - 5, end); context.lineTo(middle + 5, end); }
    context.stroke();
    context.beginPath();
    context.arc(middle, mean, 4, 0, 2 * Math.PI);
    context.fillStyle = colour("surface");
    context.fill();
    context.stroke();
  };

  const drawBands = (context, x, width, y, limits) => {
    for (const [name, from, to] of [["low", 0, limits.low], ["normal", limits.low, limits.high], ["high", limits.high, 300]]) {
      context.fillStyle = colour(name);
      context.fillRect(x, y(to), width, y(from) - y(to));
    }
  };

  // Thin lines where bands meet.
  const drawLimits = (context, x, width, y, limits) => {
    context.fillStyle = colour("threshold");
    for (const rate of [limits.low, limits.high]) context.fillRect(x, Math.round(y(rate)), width, 1);
  };
  const drawDotted = (context, stroke, lines) => {
    context.beginPath();
    for (const [fromX, fromY, toX, toY] of lines) { context.moveTo(fromX, fromY); context.lineTo(toX, toY); }
    context.strokeStyle = stroke;
    context.lineWidth = 1;
    context.setLineDash([1, 4]);
    context.stroke();
    context.setLineDash([]);
  };

  // The main chart ---------------------------------------------------------------------------------------------
  const underlay = (context, area, graph) => Entrain.cleared(context, area, () => {
    const day = state.day, y = (rate) => graph.toDomYCoord(rate);
    if (isOn("bands")) {
      drawBands(context, area.x, area.w, y, day.limits);
      drawLimits(context, area.x, area.w, y, day.limits);
    }
    if (isOn("expected")) {
      for (const curve of day.expected) Entrain.drawCurve(context, graph, curve, "expected", "expected-band", [7, 5]);
    }
    if (isOn("forecast") && day.forecast) Entrain.drawCurve(context, graph, day.forecast, "forecast", "forecast-band", [2, 4]);
    if (isOn("events")) drawEvents(context, area, (time) => graph.toDomXCoord(time), y);
    if (isOn("bands")) drawBandNames(context, area, day.limits);
  });

  // In the bands' own colours around them, so that no line goes through a word.
  const drawBandNames = (context, area, limits) => {
    context.font = "13px system-ui, sans-serif";
    context.textAlign = "right";
    context.lineWidth = 6;
    context.lineJoin = "round";
    for (const [name, words, y] of [
      ["high", say("highAbove", rateLabel(limits.high)), area.y + 18], ["low", say("lowBelow", rateLabel(limits.low)), area.y + area.h - 8],
    ]) {
      context.strokeStyle = colour(name);
      context.strokeText(words, area.x + area.w - 6, y);
      context.fillStyle = colour("quiet");
      context.fillText(words, area.x + area.w - 6, y);
    }
    context.textAlign = "left";
  };

  // Each event stands on the curve where it was; from one that has a marker of its own, a dotted line leads down to it.
  const drawEvents = (context, area, x, y) => {
    const day = state.day, bottom = area.y + area.h;
    const rateAt = (time) => {
      const next = day.heartRate.findIndex(([other]) => other >= time);
      const [before, after] = next < 0 ? [day.heartRate.at(-1), null] : [day.heartRate[next - 1], day.heartRate[next]];
      const isNear = (point) => point && Math.abs(point[0] - time) <= silence;
      if (isNear(before) && isNear(after)) return before[1] + (after[1] - before[1]) * (time - before[0]) / (after[0] - before[0]);
      return isNear(before) ? before[1] : isNear(after) ? after[1] : null;
    };
    // Several people have several curves: an event is then on none.
    const places = day.events.map((event) => [x(event.t), day.people ? null : rateAt(event.t), colourOf(event)]);
    const single = new Set(grouped(x, byId("lane").clientWidth).filter(({ events }) => events.length === 1).map(({ events }) => events[0]));
    places.forEach(([across, rate, stroke], index) => {
      if (single.has(day.events[index])) drawDotted(context, stroke, [[across, rate === null ? area.y : y(rate), across, bottom]]);
    });
    for (const [across, rate, stroke] of places) {
      if (rate === null) continue;
      context.beginPath();
      context.arc(across, y(rate), 4.5, 0, 2 * Math.PI);
      context.fillStyle = colour("surface");
      context.fill();
      context.strokeStyle = stroke;
      context.lineWidth = 2;
      context.stroke();
    }
  };

  const draw = () => {
    const day = state.day;
    setText("day", day.date === day.today ? say("isToday", longDate(day.date)) : longDate(day.date));
    byId("date").value = day.date;
    const summary = day.summary;
    byId("chart").setAttribute("aria-label", say("chartOfDay", longDate(day.date)));
    byId("chart").removeAttribute("aria-busy");
    drawFigures(day);
    byId("origins").hidden = !day.origins;
    setText("origins", day.origins ? say("notOnlyPeople", day.origins.map((origin) => say(`origin_${origin}`)).join(", ")) : "");
    byId("legend-minutes").hidden = Boolean(day.people);
    byId("legend-forecast").hidden = !day.forecast;
    setText("chart-words", summary && day.people
      ? say("peopleSummary", day.people.length, Entrain.counted(summary.count, "reading"), rate(summary.minimum), rate(summary.maximum))
      : summary
      ? say("daySummary", Entrain.counted(summary.count, "reading"), rate(summary.minimum), rate(summary.mean), rate(summary.maximum)) + " " + bandWords(day)
        + (day.forecast ? " " + say("dayForecast", rate(day.forecast[30][2]), rateLabel(day.forecast[30][3])) : "")
      : say("noReadingsThatDay"));
    drawNoteTime();
    drawChart();
    drawLane();
    drawTables();
    // Words about an empty day stand where its curve would be.
    const chart = byId("chart");
    byId("chart-words").parentElement.toggleAttribute("data-blank", !summary);
    byId("chart-words").style.top = summary ? "" : `${chart.offsetTop + chart.offsetHeight * .3}px`;
  };

  // How long the rate was in the outer bands.
  const bandWords = ({ heartRate, limits: { low, high } }) => {
    const many = (isSo) => heartRate.filter(([, mean]) => isSo(mean)).length;
    return say("dayBands", rateLabel(low), many((mean) => mean < low), rateLabel(high), many((mean) => mean > high), heartRate.length);
  };

  // What the day comes to, in figures; the mean of several hearts is nobody's.
  const drawFigures = ({ summary, people, forecast }) => {
    byId("figures").hidden = !summary;
    if (!summary) return;
    byId("figure-mean").parentElement.hidden = Boolean(people);
    setText("figure-mean", rate(summary.mean));
    setText("figure-range", `${rate(summary.minimum)}–${rate(summary.maximum)}`);
    byId("figure-next").hidden = !forecast;
    if (forecast) setText("figure-forecast", `${rate(forecast[30][2])}–${rate(forecast[30][3])}`);
  };

  // Lines of several people on one row of moments; NaN breaks a line, null lets it go on.
  const merged = (people) => {
    const rows = new Map();
    people.forEach(({ heartRate }, index) => {
      let previous = null;
      for (const [time, mean] of heartRate) {
        if (previous !== null && time - previous > silence) row(rows, (time + previous) / 2, people.length)[index + 1] = NaN;
        row(rows, time, people.length)[index + 1] = mean;
        previous = time;
      }
    });
    return [...rows.values()].sort((one, other) => one[0] - other[0]);
  };
  const row = (rows, time, count) => {
    if (!rows.has(time)) rows.set(time, [time, ...Array(count).fill(null)]);
    return rows.get(time);
  };
  const lines = (count) => Array.from({ length: count }, (_, index) => colour(count > 1 ? `person-${index % 8 + 1}` : "measured"));
  const personName = ({ name, origin }) => [name || say("withoutName"), origin && `(${say(`origin_${origin}`)})`].filter(Boolean).join(" ");
  const drawPeople = (people) => {
    byId("people").replaceChildren(...(people || []).map((person, index) => {
      const key = element("span", { class: `key person person-${index % 8 + 1}` });
      return element("li", {}, key, personName(person));
    }));
    byId("people").hidden = !people;
  };
  const valuesAt = (row) => {
    const names = state.names.split("\n").slice(1);
    if (names.length === 1) {
      const [low, mean, high] = row[1].map((value) => rate(value));
      return say("valueAt", clock(row[0]), low === high ? mean : `${mean} (${low}–${high})`);
    }
    const values = names.map((name, index) => [name, row[index + 1]]).filter(([, value]) => value !== null && !Number.isNaN(value));
    return `${clock(row[0])}: ${values.map(([name, value]) => `${name} ${rateLabel(value)}`).join(", ")}`;
  };

  // All rates of the day, for a scale that is fitted to them.
  const rates = (day) => [...day.heartRate.flatMap((minute) => [minute[2], minute[3]]),
    ...(isOn("expected") ? day.expected.flatMap((curve) => curve.flatMap((point) => [point[2], point[3]])) : [])];

  const drawChart = () => {
    const day = state.day;
    state.range = Entrain.rateRange(rates(day), byId("fit").checked);
    if (!Entrain.hasCharts()) return;
    // The mean of several hearts is nobody's: each has a line. One alone has its lowest and highest of each minute around it.
    const people = day.people || [{ name: "" }], isOne = people.length === 1;
    const one = () => Entrain.withGaps(day.heartRate.map(([time, mean, low, high]) => [time, [low, mean, high]]), silence);
    const rows = isOne ? one() : merged(people);
    // The day has its ends, however little of it was measured: the day in small below the chart shows the whole of it.
    const none = Array(people.length).fill(null);
    const file = [[day.start, ...none], ...rows, [day.end, ...none]];
    const names = ["time", ...people.map(personName)];
    drawPeople(day.people);
    if (state.graph && state.names !== names.join("\n")) { state.graph.destroy(); state.graph = null; }
    state.names = names.join("\n");
    if (state.drawnDay !== day.date) state.isZoomed = false;
    state.drawnDay = day.date;
    const hours = (from, to, pixels) => hourTicks(day, from, to, pixels);
    const window = state.isZoomed && state.graph ? {} : { dateWindow: [day.start, day.end] };
    if (state.graph) {
      state.graph.updateOptions({ file, valueRange: state.range, axes: axes(hours), ...window });
      return;
    }
    const { errorPlotter, linePlotter } = Dygraph.Plotters;
    state.graph = new Dygraph(byId("chart"), file, Entrain.options({
      labels: names, colors: lines(people.length), connectSeparatedPoints: !isOne, customBars: isOne,
      valueRange: state.range, dateWindow: [day.start, day.end], underlayCallback: underlay, strokeWidth: 1.75,
      plotter: isOne ? [errorPlotter, ...Entrain.options().plotter] : [linePlotter],
      axes: axes(hours), ...selector(),
      ...Entrain.pointing("chart", "chart-value", (row) => valuesAt(row), { isStill: true, drawn }),
    }));
    // The handles of the day in small are pictures; the chart's words say what is in it.
    for (const handle of byId("chart").querySelectorAll("img")) handle.alt = "";
    drawn(state.graph);
  };
  // Where there is room, the day in small below its chart: its handles choose the minutes that are shown.
  const selector = () => matchMedia("(min-width: 46rem) and (min-height: 40rem)").matches ? {
    showRangeSelector: true, rangeSelectorHeight: 32, rangeSelectorPlotStrokeColor: colour("measured"), rangeSelectorPlotFillColor: colour("sunken"),
    rangeSelectorPlotFillGradientColor: colour("sunken"), rangeSelectorPlotLineWidth: 1, rangeSelectorBackgroundStrokeColor: colour("line"),
    rangeSelectorForegroundStrokeColor: colour("edge"), rangeSelectorForegroundLineWidth: 1, rangeSelectorAlpha: .6,
  } : {};
  const drawn = (graph) => {
    if (state.graph !== graph || !state.day) return;
    const [from, to] = graph.xAxisRange();
    state.isZoomed = from > state.day.start + 1 || to < state.day.end - 1;
    byId("whole-day").hidden = !state.isZoomed;
    drawLane();
  };
  // Every six hours of the whole day; of a part, round times as close as they are legible.
  const hourTicks = (day, from, to, pixels) => {
    if (to - from > 20 * 3600) return day.hours.filter((hour, index) => index % 6 === 0).map((hour) => ({ v: Math.min(hour.t, day.end - 1), label: hour.label }));
    const hour = day.hours.findLast((hour) => hour.t <= from) || day.hours[0];
    return Entrain.secondTicks(from, to, pixels, { origin: hour.t, format: (seconds) => clock(hour.t + seconds, day, to - from < 240) });
  };
  const axes = (hours) => ({
    x: { ticker: hours, axisLabelFormatter: String, axisTickSize: 8 },
    y: { ticker: (a, b) => Entrain.rateTicks(a, b), axisLabelWidth: 32 },
  });

  // The lane of events -----------------------------------------------------------------------------------------
  const kinds = {
    begun: ["session", "S", "session"], over: ["session", "E", "end"], stepStarted: ["step", "▸", "step"],
    stimulusOnset: ["clip", "♪", "clip"], rating: ["rating", "★", "kind_rating"], note: ["note", "✎", "note"],
    marked: ["note", "✎", "kind_marked"], meal: ["note", "", "kind_meal"], exercise: ["note", "", "kind_exercise"], dose: ["note", "", "kind_dose"],
    medication: ["note", "", "kind_medication"], mood: ["note", "", "kind_mood"],
  };
  // What somebody has noted, rather than what a run has told.
  const isNoted = (event) => event.kind === "note" || event.kind in icons;
  // Drawn in 16 by 16: a fork and a knife, a dumbbell, a syringe, a capsule and a face.
  const icons = {
    meal: "M3 1v5a2 2 0 0 0 4 0V1M5 1v14M11 15V1c3 1 3 7 0 8", exercise: "M1 6v4M3.5 4v8M12.5 4v8M15 6v4M3.5 8h9",
    dose: "M10 2l4 4M12 4l-7 7-3 3M8 4l4 4M5 11l-2-2 5-5", medication: "M4 12a3.5 3.5 0 0 1 0-5l3-3a3.5 3.5 0 0 1 5 5l-3 3a3.5 3.5 0 0 1-5 0zM5.5 5.5l5 5",
    mood: "M8 1.5a6.5 6.5 0 1 0 .01 0zM5.5 6v1M10.5 6v1M5 10c1.5 2 4.5 2 6 0",
  };
  const icon = (kind) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", icons[kind]);
    svg.append(path);
    return svg;
  };

  const colourOf = (event) => colour({ clip: "stimulus", rating: "expected", note: "note" }[(kinds[event.kind] || [])[0]] || "step");

  // Events whose markers would lie on each other have one together; a finger needs larger ones.
  const grouped = (x, width) => {
    const groups = [], size = matchMedia("(pointer: coarse)").matches ? 44 : 30;
    for (const event of state.day.events) {
      if (x(event.t) < -1 || x(event.t) > width + 1) continue;
      const place = Math.min(Math.max(x(event.t), size / 2 + 1), width - size / 2 - 1);
      const last = groups[groups.length - 1];
      if (last && place - last.x < size + 2) last.events.push(event); else groups.push({ x: place, events: [event] });
    }
    return groups;
  };

  const drawLane = () => {
    const lane = byId("lane");
    lane.hidden = !isOn("events");
    const focused = lane.contains(document.activeElement) ? document.activeElement.dataset.first : null;
    const day = state.day, width = lane.clientWidth;
    const x = (time) => state.graph ? state.graph.toDomXCoord(time) : (time - day.start) / (day.end - day.start) * width;
    lane.replaceChildren(...grouped(x, width).map(({ x, events }) => {
      const [kind, sign, word] = kinds[events[0].kind] || ["step", "•", "event"];
      const isOne = events.length === 1;
      const button = element("button", {
        type: "button", class: `marker ${isOne ? kind : "several"}`, "aria-haspopup": "dialog", "data-first": String(events[0].number),
        "aria-label": isOne ? say("eventAt", say(word), clock(events[0].t), Entrain.describe(events[0]))
          : say("eventsFrom", events.length, clock(events[0].t)),
      }, !isOne ? String(events.length) : events[0].kind in icons ? icon(events[0].kind) : sign);
      button.events = events;
      button.style.left = `${x}px`;
      button.addEventListener("click", () => openDetails(events, button));
      return button;
    }));
    if (focused) focusMarker(focused);
    keepDetails();
  };

  // Details that are open stay over their marker, wherever a new size of the page or another part of the day puts it.
  const keepDetails = () => {
    const opened = byId("details").open && markerOf(opener);
    if (opened && !byId("lane").hidden) placeDetails(opened);
  };

  // The marker that an event is in, with others that may have come to it.
  const markerOf = (number) =>
    [...byId("lane").children].find((one) => one.events.some((event) => String(event.number) === number));
  const focusMarker = (number) => {
    const marker = markerOf(number);
    if (marker) marker.focus({ preventScroll: true });
  };

  let opener = null;
  const openDetails = (events, from) => {
    opener = from.dataset.first;
    setText("details-title", events.length === 1 ? say("atTime", clock(events[0].t)) : say("eventsFrom", events.length, clock(events[0].t)));
    byId("details-list").replaceChildren(
      ...events.slice(0, 100).map((event) => element("li", {}, `${clock(event.t)} – ${Entrain.describe(event)}`,
        ...(isNoted(event) ? noteControls(event) : []),
        ...(event.session ? [" ", element("a", { href: `/#session=${encodeURIComponent(event.session)}` }, say("openSession"))] : []))));
    byId("details").show();
    placeDetails(from);
    byId("details-close").focus();
  };
  // A bubble over the marker that it is of; on a small screen, a sheet at its lower end.
  const placeDetails = (from) => {
    const details = byId("details"), box = byId("lane").getBoundingClientRect(), marker = from.getBoundingClientRect();
    const middle = marker.left + marker.width / 2 - box.left;
    const left = Math.min(Math.max(middle - details.offsetWidth / 2, 0), Math.max(0, box.width - details.offsetWidth));
    details.style.setProperty("--left", `${left}px`);
    details.style.setProperty("--tip", `${middle - left}px`);
    details.style.setProperty("--above", `${details.parentElement.getBoundingClientRect().bottom - box.top + 8}px`);
  };
  const judgeUnit = (field) => { if (field.name === "unit") field.setCustomValidity(Entrain.isDoseUnit(field.value) ? "" : say("noDoseUnit")); };
  // A field of the form, with what an event says there.
  const fieldWith = (label, event) => {
    const made = label.cloneNode(true), field = made.querySelector("input, select"), value = event[field.name];
    for (const named of made.querySelectorAll("[id]")) named.removeAttribute("id");
    made.hidden = field.disabled = false;
    if (field.name === "unit") field.value = Entrain.doseName(value ?? "units");
    else if (field.name === "carbohydrates" && value !== undefined) field.value = value / Entrain.carbohydrateSize();
    else field.value = value ?? "";
    field.addEventListener("input", () => judgeUnit(field));
    return made;
  };
  // A note can be changed and deleted; what it said before stays in the monitor's log.
  const noteControls = (event) => {
    const who = [event.author && say("writtenBy", event.author), event.changedAt && say("changed", event.changedBy || "", clock(event.changedAt))];
    const text = element("input", { type: "text", maxlength: "500", value: event.text, "aria-label": say(`textOf_${event.kind}`) });
    text.required = event.kind in needsText;
    const labels = fieldsOf(event.kind).map((label) => fieldWith(label, event)), fields = labels.map((label) => label.querySelector("input, select"));
    const save = element("button", { type: "button" }, say("saveNote"));
    const remove = element("button", { type: "button" }, say("deleteNote"));
    save.addEventListener("click", () => {
      text.value = text.value.trim();
      if ([text, ...fields].every((field) => field.reportValidity())) changeNote(event.number, entered(event.kind, text.value, fields), [save, remove]);
    });
    for (const field of [text, ...fields]) field.addEventListener("keydown", (key) => { if (key.key === "Enter") save.click(); });
    remove.addEventListener("click", () => changeNote(event.number, { deleted: true }, [save, remove]));
    return [element("span", { class: "quiet" }, " ", who.filter(Boolean).join(" · ")), element("span", { class: "note-controls" }, ...labels, text, save, remove)];
  };
  const changeNote = async (number, change, buttons) => {
    for (const button of buttons) button.disabled = true;
    try {
      await Entrain.post(`/api/notes/${number}`, change);
      closeDetails();
      await show(state.date, false);
    } catch (problem) {
      for (const button of buttons) button.disabled = false;
      setText("details-title", say("notChanged", problem.message));
    }
  };
  const closeDetails = () => {
    if (!byId("details").open) return;
    byId("details").close();
    focusMarker(opener);
  };
  byId("details-close").addEventListener("click", closeDetails);

  // Tables -----------------------------------------------------------------------------------------------------
  const drawTables = () => {
    const day = state.day;
    const rows = [];
    day.hours.slice(0, -1).forEach((hour, index) => {
      const minutes = day.heartRate.filter(([time]) => time >= hour.t && time < day.hours[index + 1].t);
      if (!minutes.length) return;
      rows.push([hour.label, rate(Math.min(...minutes.map((minute) => minute[2]))),
        rate(minutes.reduce((sum, minute) => sum + minute[1], 0) / minutes.length), rate(Math.max(...minutes.map((minute) => minute[3])))]);
    });
    Entrain.fillTable("hours", rows);
    Entrain.fillTable("events", day.events.map((event) => [clock(event.t), Entrain.describe(event)]));
  };

  // Moving about -----------------------------------------------------------------------------------------------
  // From the day that was asked for last, though it may not be there yet: ten presses are ten days.
  const move = (days) => { if (state.day) show(moved(state.wanted || state.date, days)); };
  byId("previous").addEventListener("click", () => move(-1));
  byId("next").addEventListener("click", () => move(1));
  byId("today").addEventListener("click", () => show(null));
  byId("date").addEventListener("change", () => { if (byId("date").value) show(byId("date").value); });
  byId("participant").addEventListener("change", () => { state.participant = byId("participant").value; show(state.date); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return closeDetails();
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input:not([type=checkbox]), select, textarea, .scroll")) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  });
  // The page slides under a finger, and goes on to the next day where it was moved far enough.
  let swipe = null;
  const stage = byId("bifocal");
  const slide = (across) => { stage.style.translate = across ? `${across}px` : ""; };
  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  stage.addEventListener("pointerdown", (event) => {
    // Whoever takes hold of the day in small moves within the day.
    swipe = event.target.closest("[class*=dygraph-rangesel]") ? null : { x: event.clientX, y: event.clientY };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!swipe || event.pointerType === "mouse" || isStill()) return;
    const across = event.clientX - swipe.x, down = event.clientY - swipe.y;
    slide(Math.abs(across) > 2 * Math.abs(down) ? across : 0);
  });
  const endSwipe = (event) => {
    slide(0);
    if (!swipe) return;
    const across = event.clientX - swipe.x, down = event.clientY - swipe.y;
    swipe = null;
    if (event.type !== "pointerup" || Math.abs(across) <= 60 || Math.abs(across) <= 2 * Math.abs(down)) return;
    move(across > 0 ? -1 : 1);
    if (!isStill()) stage.animate([{ translate: `${across > 0 ? -60 : 60}px`, opacity: .4 }, { translate: "0", opacity: 1 }], { duration: 180, easing: "ease-out" });
  };
  stage.addEventListener("pointerup", endSwipe);
  stage.addEventListener("pointercancel", endSwipe);
  window.addEventListener("popstate", () => {
    const asked = new URLSearchParams(location.search);
    state.participant = asked.get("participant") || "";
    byId("participant").value = state.participant;
    show(asked.get("date"), false);
  });
  for (const layer of layers) {
    byId(`layer-${layer}`).addEventListener("change", () => { remember(); redraw(); });
  }
  byId("fit").addEventListener("change", () => { Entrain.remember("fit", byId("fit").checked); redraw(); });
  byId("whole-day").addEventListener("click", () => { state.isZoomed = false; redraw(); byId("chart").focus(); });
  byId("again").addEventListener("click", () => show(state.wanted || state.date, false));
  const redraw = () => {
    if (!state.day) return;
    draw();
    redrawSides();
  };
  window.addEventListener("resize", () => requestAnimationFrame(redraw));
  new ResizeObserver(() => { if (state.graph) state.graph.resize(); }).observe(byId("chart"));
  new ResizeObserver(keepDetails).observe(byId("details").parentElement);
  Entrain.whenUnitsChange(() => { showFields(); show(state.date, false); });
  Entrain.whenColoursChange(() => {
    if (state.graph) { state.graph.destroy(); state.graph = null; }
    redraw();
  });

  byId("note").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (state.isAdding) return;
    state.isAdding = true;
    // Unless somebody set another time, a note is about the moment of pressing.
    const isTimed = state.isNoteTimed || state.day.date !== state.day.today, time = byId("note-time").value;
    const filled = [...byId("note").querySelectorAll("#note-text, input[type=number]")].map((field) => [field, field.value]);
    const said = { ...entered(byId("note-kind").value, byId("note-text").value.trim(), shownFields()), ...(state.participant ? { participant: state.participant } : {}) };
    const about = JSON.stringify([said, isTimed && momentOf(time)]);
    // The same again is the same note, about the moment at which it was first pressed: its answer may have been lost.
    if (state.unsure?.about !== about) {
      state.unsure = { about, t: isTimed ? momentOf(time) : null, at: event.timeStamp, key: `note-${Date.now()}-${Math.random().toString(36).slice(2)}` };
    }
    const { unsure } = state;
    try {
      unsure.t ??= Math.round((await Entrain.moment(unsure.at)).pressed * 1000) / 1000;
      await Entrain.post("/api/notes", { t: unsure.t, ...said }, unsure.key);
      state.unsure = null;
      // What was written meanwhile is another note.
      for (const [field, value] of filled) if (field.value === value) field.value = "";
      if (byId("note-time").value === time) state.isNoteTimed = false;
      showFields();
      setText("note-status", say("added"));
      state.isStale = true;
      refresh();
    } catch (problem) {
      if (problem.status) state.unsure = null;
      setText("note-status", say("notAdded", problem.message));
    } finally { state.isAdding = false; }
  });

  // Each kind of event has fields of its own.
  const needsText = { note: true, exercise: true, medication: true };
  const showFields = () => {
    const kind = byId("note-kind").value;
    for (const label of byId("note").querySelectorAll("[data-of]")) {
      label.hidden = label.dataset.of !== kind;
      label.querySelector("input, select").disabled = label.hidden;
    }
    byId("note-text").required = kind in needsText;
    setText("note-label", say(`textOf_${kind}`));
    setText("carbohydrate-unit", Entrain.carbohydrateWord());
    byId("note").querySelector("[name=unit]").value = Entrain.doseUnit();
  };
  const fieldsOf = (kind) => [...byId("note").querySelectorAll(`[data-of="${kind}"]`)];
  const shownFields = () => fieldsOf(byId("note-kind").value).map((label) => label.querySelector("input, select"));
  // What fields say, as the monitor takes it: grams, minutes, and the name of a unit that all languages know.
  const entered = (kind, text, fields) => {
    const made = kind === "note" ? { text } : { kind, ...(text ? { text } : {}) };
    for (const { name, value } of fields) {
      if (value === "") continue;
      if (name === "intensity") made.intensity = value;
      else if (name === "carbohydrates") made.carbohydrates = Math.round(Number(value) * Entrain.carbohydrateSize() * 1000) / 1000;
      else if (name !== "unit") made[name] = Number(value);
      else if (Entrain.doseCode(value) !== "units") made.unit = Entrain.doseCode(value);
    }
    return made;
  };
  byId("note-kind").addEventListener("change", showFields);
  byId("note").addEventListener("input", ({ target }) => judgeUnit(target));
  Entrain.offerDoseUnits();
  showFields();
  // At the chart: the moment that is chosen there, or now.
  byId("add-here").addEventListener("click", () => {
    const row = state.graph ? state.graph.getSelection() : -1;
    if (row >= 0) {
      byId("note-time").value = clock(state.graph.getValue(row, 0), state.day, true);
      state.isNoteTimed = true;
    }
    byId("note").scrollIntoView({ block: "center", behavior: isStill() ? "auto" : "smooth" });
    byId("note-kind").focus({ preventScroll: true });
  });

  byId("note-time").addEventListener("input", () => { state.isNoteTimed = true; });
  const now = () => Date.now() / 1000 + state.clockOffset;
  // The field shows the clock, and noon of another day, until somebody sets it.
  const drawNoteTime = () => {
    const { day } = state;
    if (day && !state.isNoteTimed) byId("note-time").value = day.date === day.today ? clock(now(), day, true) : "12:00:00";
  };
  setInterval(drawNoteTime, 1000);

  const isShown = (data) => state.day && data.t >= state.day.start && data.t < state.day.end;
  const stale = (data) => {
    if (isShown(data)) state.isStale = true; else state.areSidesStale = true;
  };
  const refresh = () => {
    // A day that somebody has asked for comes first: to read the shown day again would call that off.
    if (!(state.isStale || state.areSidesStale) || state.answered !== state.asking) return;
    const hasNewSides = state.areSidesStale;
    state.isStale = state.areSidesStale = false;
    show(state.date, false, hasNewSides);
  };
  // Whoever looks at today goes on to the next day with it.
  const passMidnight = () => {
    const { day } = state;
    // What somebody is writing down is about the day that they see.
    const isWriting = byId("note").contains(document.activeElement);
    if (day && day.date === day.today && state.date === day.date && now() >= day.end && !isWriting) show(null);
  };
  setInterval(() => {
    if (byId("details").open) return;
    passMidnight();
    refresh();
  }, 5000);

  byId("delete-person").addEventListener("click", () => {
    const { participant } = state;
    Deleting.ask({ participant }, say("deletePerson", participant), { code: participant, done: () => setText("removed", say("isDeleted")) });
  });
  const drawRemoval = () => {
    byId("delete-person").hidden = !state.participant;
    if (state.participant) setText("delete-person", say("deletePerson", state.participant));
  };

  const drawParticipants = async (isAfterDeletion = false) => {
    let participants;
    try { ({ participants } = await Entrain.get("/api/participants")); } catch { setTimeout(() => drawParticipants(isAfterDeletion), 5000); return; }
    const everybody = byId("participant").options[0];
    // Somebody of whom nothing is left is not shown any more.
    if (isAfterDeletion && !participants.includes(state.participant)) {
      state.participant = "";
      show(state.date, false);
    }
    byId("participant").replaceChildren(everybody, ...participants.map((code) => element("option", { value: code }, code)));
    byId("participant").value = state.participant;
  };
  drawParticipants();
  show(state.date, false);
  Entrain.listen("/api/events", {
    clock: (data) => { state.clockOffset = data.now - Date.now() / 1000; state.isStale = state.areSidesStale = true; }, heartRate: stale, event: stale,
    session: (data) => { stale(data); drawParticipants(); },
    deleted: () => { state.isStale = state.areSidesStale = true; ahead = new Map(); drawParticipants(true); refresh(); },
    note: (data) => { if (isShown(data)) { state.isStale = true; refresh(); } },
    noteChanged: (data) => { if (isShown(data)) { state.isStale = true; refresh(); } },
  }, Entrain.connection);
})();
