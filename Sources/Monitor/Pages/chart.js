"use strict";
// What both pages need: colours, ticks, curves, tables and the event stream.
const Entrain = (() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // Text from studies and sources is only ever put in as text.
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const setText = (id, text) => {
    const place = document.getElementById(id);
    if (place.textContent !== text) place.textContent = text;
  };

  // Choices that this device remembers.
  const remembered = (key, fallback) => {
    try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; /* private window */ }
  };
  const remember = (key, value) => {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* private window */ }
  };

  // Units. Heart rates are in beats per minute and carbohydrates in grams everywhere; only here do they become what this
  // device shows. Axes have round ticks in the unit that is shown: the first step that is not too narrow for the span.
  const language = document.documentElement.lang;
  const rateUnits = {
    bpm: { size: 1, digits: 0, steps: [[130, 20], [45, 10], [12, 5], [0, 1]] },
    hertz: { size: 60, digits: 2, steps: [[2.2, .5], [.75, .2], [.3, .1], [0, .02]] },
  };
  let rateUnit = "bpm", carbohydrateSize = 1;
  const readUnits = () => {
    const wanted = remembered("rateUnit", "bpm"), size = Number(remembered("carbohydrateUnit", "1"));
    rateUnit = wanted in rateUnits ? wanted : "bpm";
    carbohydrateSize = [10, 12, 15].includes(size) ? size : 1;
    document.documentElement.dataset.rateUnit = rateUnit;
  };
  const numbers = new Map();
  const number = (value, digits, least = digits) => {
    const key = `${digits} ${least}`;
    if (!numbers.has(key)) numbers.set(key, new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: digits, useGrouping: false }));
    return numbers.get(key).format(value);
  };
  // A rate as a number of the unit that is shown, with more digits on request.
  const rate = (bpm, more = 0) => number(bpm / rateUnits[rateUnit].size, rateUnits[rateUnit].digits + more);
  // The same where no word says what it is: beats per minute need none, because straps and watches show them, too.
  const rateLabel = (bpm) => rateUnit === "bpm" ? rate(bpm) : `${rate(bpm)}\u00a0${EntrainWords[`unitShort_${rateUnit}`]}`;
  // How far two rates are from each other, in words; null where it is nothing in the unit that is shown.
  const difference = (bpm) => {
    const { size, digits } = rateUnits[rateUnit], apart = Math.round(Math.abs(bpm) / size * 10 ** digits) / 10 ** digits;
    return apart ? counted(apart, `difference_${rateUnit}`) : null;
  };
  const carbohydrates = (grams) => carbohydrateSize === 1 ? `${number(grams, 1, 0)} g` : `${number(grams / carbohydrateSize, 2, 0)} × ${carbohydrateSize} g`;
  // Doses. A unit of these has a word in each language; any other is kept and shown as it was typed.
  const doseWords = ["units", "drops", "puffs", "tablets"], doseSymbols = ["mg", "µg", "g", "ml"];
  const doseName = (code) => doseWords.includes(code) ? say(`dose_${code}_other`, "").trim() : code;
  const doseCode = (text) => {
    const typed = text.trim().toLocaleLowerCase(language), isWord = (code) => ["one", "other"].some((form) =>
      say(`dose_${code}_${form}`, "").trim().toLocaleLowerCase(language) === typed);
    return doseWords.find((code) => code === typed || isWord(code)) || text.trim();
  };
  // Beside a number, a unit that begins like one would be read as another dose; the monitor refuses the same.
  const isDoseUnit = (text) => /^[^\p{N}\s.,:+\-−–][^\p{Cc}]*$/u.test(text.trim());
  const doseUnit = () => { const code = remembered("doseUnit", "units"); return doseName(typeof code === "string" && isDoseUnit(code) ? code : "units"); };
  const offerDoseUnits = () => document.getElementById("dose-units").replaceChildren(
    ...[...doseWords.slice(0, 1), ...doseSymbols, ...doseWords.slice(1)].map((code) => element("option", { value: doseName(code) })));
  const dose = (amount, unit = "units") => doseWords.includes(unit)
    ? say(`dose_${unit}_${plurals.select(amount) === "one" ? "one" : "other"}`, number(amount, 9, 0)) : `${number(amount, 9, 0)}\u00a0${unit}`;

  const carbohydrateWord = () => carbohydrateSize === 1 ? "g" : `× ${carbohydrateSize} g`;

  // The program's own words in the language of the page, with values in the place of %1, %2 and so on, and the unit of heart
  // rates in that of %u, or of %U where there is little room.
  const say = (key, ...values) => EntrainWords[key].replace(/%([1-9uU])/g, (place, name) =>
    name === "u" ? EntrainWords[`unit_${rateUnit}`] : name === "U" ? EntrainWords[`unitShort_${rateUnit}`] : values[name - 1] ?? place);
  // What is in the page from the start names beats per minute.
  const sayUnits = () => {
    for (const place of document.querySelectorAll("[data-unit-words]")) place.textContent = say(place.dataset.unitWords);
  };

  const plurals = new Intl.PluralRules(language);
  const counted = (count, key) => {
    const form = `${key}_${plurals.select(count)}`;
    return say(form in EntrainWords ? form : `${key}_other`, Number.isInteger(count) ? count : number(count, 2, 0));
  };

  const fillTable = (id, rows) => {
    document.getElementById(id).replaceChildren(
      ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)))));
  };

  // What is asked of the monitor. Without an answer, or with a proxy's own page instead of one, the error has no `status`.
  const ask = async (path, options) => {
    let answer, said;
    try {
      answer = await fetch(path, options);
      said = await answer.json();
    } catch { throw new Error(say("noAnswer")); }
    if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status });
    return said;
  };
  const get = (path) => ask(path, { cache: "no-store" });
  // A request with a `key` that is repeated because its answer was lost is carried out once.
  const post = (path, value, key) => ask(path, {
    method: "POST", headers: { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) }, body: JSON.stringify(value),
  });

  // A moment of this page by the monitor's clock, and how many seconds it may be off: the best of three comparisons, each
  // over one question and its answer.
  const moment = async (at) => {
    let best = null;
    for (let number = 0; number < 3; number++) {
      const asked = performance.now(), { now } = await get("/api/clock"), answered = performance.now();
      const uncertainty = (answered - asked) / 2000;
      if (!best || uncertainty < best.uncertainty) best = { pressed: now + (at - (asked + answered) / 2) / 1000, uncertainty };
    }
    return best;
  };

  // Ticks at round distances.
  const ticks = (minimum, maximum, step, format) => {
    const made = [];
    for (let value = Math.ceil(minimum / step) * step; value <= maximum + step / 1e6; value += step) {
      made.push({ v: value, label: format ? format(value) : String(value) });
    }
    return made;
  };
  const rateTicks = (minimum, maximum) => {
    const { size, steps } = rateUnits[rateUnit], [low, high] = [minimum / size, maximum / size];
    const [, step] = steps.find(([narrowest]) => high - low > narrowest) || steps.at(-1);
    const digits = step >= 1 ? 0 : step >= .1 ? 1 : 2;
    return ticks(low, high, step, (value) => number(value, digits)).map(({ v, label }) => ({ v: v * size, label }));
  };
  // Ticks of seconds, at round ones after `origin`.
  const secondTicks = (minimum, maximum, pixels, { origin = 0, format = minutes } = {}) => {
    const most = Math.max(2, Math.floor(pixels / 72));
    const step = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 21600, 86400]
      .find((step) => (maximum - minimum) / step <= most) || 604800;
    return ticks(minimum - origin, maximum - origin, step, format).map(({ v, label }) => ({ v: v + origin, label }));
  };

  // A length of time as people read it: 0:05, 12:30, 1:02:03.
  const minutes = (seconds) => {
    const whole = Math.round(Math.abs(seconds)), two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(whole / 3600), rest = Math.floor(whole / 60) % 60;
    return (seconds <= -.5 ? "−" : "") + (hours ? `${hours}:${two(rest)}` : String(rest)) + `:${two(whole % 60)}`;
  };

  // The rates that an axis shows: all that there may be, or what was measured with some air around it.
  const rateRange = (rates, isFitted) => {
    if (!isFitted || !rates.length) return [0, top];
    let [low, high] = [Infinity, -Infinity];
    for (const rate of rates) { low = Math.min(low, rate); high = Math.max(high, rate); }
    const air = Math.max(4, (40 - (high - low)) / 2);
    return [Math.max(0, Math.floor((low - air) / 5) * 5), Math.min(300, Math.ceil((high + air) / 5) * 5)];
  };

  // The point of a curve of [x, …] at x, straight between its points; null outside.
  const at = (curve, x) => {
    if (!curve.length || x < curve[0][0] || x > curve[curve.length - 1][0]) return null;
    let low = 0, high = curve.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (curve[middle][0] <= x) low = middle; else high = middle;
    }
    const [left, right] = [curve[low], curve[high]];
    const share = right[0] > left[0] ? (x - left[0]) / (right[0] - left[0]) : 0;
    return left.map((value, index) => value + share * (right[index] - value));
  };

  // A curve of [x, rate, low, high] with its band, on the canvas below the lines.
  const drawCurve = (context, graph, curve, line, band, dash) => {
    if (curve.length < 2) return;
    // Points that would lie on each other are not drawn twice.
    const apart = (graph.xAxisRange()[1] - graph.xAxisRange()[0]) / graph.getArea().w;
    let kept = -Infinity;
    curve = curve.filter((point, index) => {
      const isDrawn = index === curve.length - 1 || point[0] - kept >= apart;
      if (isDrawn) kept = point[0];
      return isDrawn;
    });
    const x = (point) => graph.toDomXCoord(point[0]);
    const y = (value) => graph.toDomYCoord(value);
    context.beginPath();
    curve.forEach((point, index) => index ? context.lineTo(x(point), y(point[3])) : context.moveTo(x(point), y(point[3])));
    for (let index = curve.length - 1; index >= 0; index--) context.lineTo(x(curve[index]), y(curve[index][2]));
    context.closePath();
    context.fillStyle = colour(band);
    context.fill();
    context.beginPath();
    curve.forEach((point, index) => index ? context.lineTo(x(point), y(point[1])) : context.moveTo(x(point), y(point[1])));
    context.strokeStyle = colour(line);
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  };

  const cleared = (context, area, draw) => {
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.w, area.h);
    context.clip();
    draw();
    context.restore();
  };

  // The legend that dygraphs brings writes styles into the page, which the policy forbids; ours is in the page.
  if (window.Dygraph) Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

  // A reading without neighbours makes no line.
  const dots = ({ points, drawingContext: context, color }) => {
    const isThere = (point) => point !== undefined && !Number.isNaN(point.canvasy) && point.yval !== null;
    context.fillStyle = color;
    points.forEach((point, index) => {
      if (!isThere(point) || isThere(points[index - 1]) || isThere(points[index + 1])) return;
      context.beginPath();
      context.arc(point.canvasx, point.canvasy, 2, 0, 2 * Math.PI);
      context.fill();
    });
  };

  // The highest rate that charts show.
  const top = 240;

  // The value under the pointer or the finger, and by arrow keys where the chart has the focus. A finger that moves up or
  // down scrolls the page. `isStill` means that dragging does not zoom.
  const pointing = (chart, place, words, { isStill = false, drawn = () => {} } = {}) => {
    let current = null;
    const values = (row) => current.file_[row].slice(1).some((value) => value !== null && !Number.isNaN(value));
    const show = (row) => setText(place, row >= 0 && row < current.numRows() && values(row) ? words(current.file_[row]) : "");
    const select = (row) => { current.setSelection(row); show(row); };
    const nearest = (clientX) => {
      const x = current.toDataXCoord(clientX - document.getElementById(chart).getBoundingClientRect().left);
      let best = -1;
      for (let row = 0; row < current.numRows(); row++) {
        const isNearer = best < 0 || Math.abs(current.getValue(row, 0) - x) < Math.abs(current.getValue(best, 0) - x);
        if (isNearer && values(row)) best = row;
      }
      return best;
    };
    const step = (by) => {
      let row = current.getSelection();
      do row = row < 0 ? (by < 0 ? current.numRows() - 1 : 0) : row + by; while (row >= 0 && row < current.numRows() && !values(row));
      if (row >= 0 && row < current.numRows()) select(row);
    };
    const { mousedown, mousemove, mouseup, dblclick } = Dygraph.defaultInteractionModel;
    const touchstart = (event) => select(nearest(event.touches[0].clientX));
    // Set anew with each chart, so that the chart that is shown is asked.
    document.getElementById(chart).onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || !current || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      step(by);
    };
    return {
      interactionModel: isStill ? { touchstart } : { mousedown, mousemove, mouseup, dblclick, touchstart },
      highlightCallback: (event, x, points, row) => show(row),
      unhighlightCallback: () => setText(place, ""),
      drawCallback: (graph) => { current = graph; drawn(graph); },
    };
  };

  // On paper, everything is dark on white.
  const whenColoursChange = (redraw) => {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    matchMedia("print").addEventListener("change", redraw);
    window.addEventListener("palette", redraw);
  };

  // Other open pages follow when the settings page changes the units.
  const whenUnitsChange = (redraw) => window.addEventListener("storage", (event) => {
    if (!["rateUnit", "carbohydrateUnit", "doseUnit"].includes(event.key)) return;
    readUnits();
    sayUnits();
    redraw();
  });
  readUnits();
  sayUnits();

  const options = (more) => Object.assign({
    legend: "never", valueRange: [0, top], strokeWidth: 2.25, colors: [colour("measured")], rightGap: 8,
    plotter: [window.smoothPlotter, dots], axisLineColor: colour("step"), gridLineColor: colour("grid"),
    highlightCircleSize: 4, animatedZooms: false,
  }, more);

  // Lines are broken where nothing was measured for a while, instead of being drawn across.
  const withGaps = (points, longest) => {
    const rows = [];
    points.forEach((point, index) => {
      if (index && point[0] - points[index - 1][0] > longest) rows.push([(point[0] + points[index - 1][0]) / 2, null]);
      rows.push(point);
    });
    return rows;
  };

  // An event stream that comes back by itself and goes on where it was. A page that nobody sees gives its
  // connection back: browsers have six for each server.
  const listen = (path, handlers, onState) => {
    let source = null, last = null, isClosed = false, timer = null;
    const open = () => {
      source = new EventSource(last === null ? path : `${path}?after=${last}`);
      source.onopen = () => onState && onState(true);
      source.onerror = () => {
        if (onState) onState(false);
        if (source.readyState !== EventSource.CLOSED || isClosed) return;
        timer = setTimeout(open, 2000);
      };
      for (const [name, handle] of Object.entries(handlers)) {
        source.addEventListener(name, (event) => {
          if (event.lastEventId) last = event.lastEventId;
          handle(JSON.parse(event.data), event.lastEventId);
        });
      }
    };
    const seen = () => {
      clearTimeout(timer);
      source.close();
      if (!document.hidden) open();
    };
    document.addEventListener("visibilitychange", seen);
    open();
    return () => {
      isClosed = true;
      document.removeEventListener("visibilitychange", seen);
      clearTimeout(timer);
      source.close();
    };
  };

  const connection = (isUp) => {
    setText("connection", say(isUp ? "connected" : "away"));
    document.getElementById("connection").dataset.state = isUp ? "up" : "away";
  };

  // An event with other figures; `undefined` leaves it those that it has.
  const withFigures = (event, figures) => figures === undefined ? {} : {
    ...Object.fromEntries(["carbohydrates", "protein", "fat", "duration", "units", "unit", "mood", "intensity"].map((key) => [key, undefined])), ...figures,
  };

  // Steps by their titles, where they are known.
  const describe = (event, titleOf = (step) => step) => {
    const figures = ["carbohydrates", "protein", "fat", "duration"].filter((key) => event[key] !== undefined)
      .map((key) => say(`figure_${key}`, key === "carbohydrates" ? carbohydrates(event[key]) : number(event[key], 3, 0)));
    if (event.units !== undefined) figures.push(dose(event.units, event.unit));
    if (event.kind === "mood" && event.mood !== undefined) figures.push(say(`mood_${Math.round(event.mood)}`));
    if (event.intensity) figures.push(say(`intensity_${event.intensity}`));
    const parts = [...figures, event.title || (event.step && titleOf(event.step)), event.stimulus, event.source, event.state, event.text].filter(Boolean);
    if (event.description) parts.unshift(event.description.title || event.description.study || event.session);
    return say(`kind_${event.kind}` in EntrainWords ? `kind_${event.kind}` : "event") + (parts.length ? ": " + parts.join(", ") : "");
  };

  return {
    colour, say, moment, counted, rate, rateLabel, difference, carbohydrateWord, doseCode, doseUnit, doseName, isDoseUnit, offerDoseUnits, carbohydrateSize: () => carbohydrateSize, whenUnitsChange, element, setText, fillTable, get, post, ticks, rateTicks, secondTicks, minutes, rateRange, remembered, remember, at, drawCurve, cleared, options, withGaps,
    listen, connection, pointing, whenColoursChange, top, describe, withFigures, hasCharts: () => typeof window.Dygraph === "function",
  };
})();
