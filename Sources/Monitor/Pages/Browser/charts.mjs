// What the charts of both pages share. They are drawn by dygraphs, which a page loads before its modules.
import { rateTicks, top } from "../Computing/axes.mjs";
import { thinned } from "../Computing/curves.mjs";
import { byId, colour, setText } from "./page.mjs";

export const hasCharts = () => typeof globalThis.Dygraph === "function";

// The legend that dygraphs brings writes styles into the page, which the policy forbids; ours is in the page.
if (hasCharts()) Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

// A reading without neighbours makes no line.
function dots({ points, drawingContext: context, color }) {
  const isThere = (point) => point !== undefined && !Number.isNaN(point.canvasy) && point.yval !== null;
  context.fillStyle = color;
  points.forEach((point, index) => {
    if (!isThere(point) || isThere(points[index - 1]) || isThere(points[index + 1])) return;
    context.beginPath();
    context.arc(point.canvasx, point.canvasy, 2, 0, 2 * Math.PI);
    context.fill();
  });
}

export const linePlotters = () => [globalThis.smoothPlotter, dots];

// What has to be given anew when the page has other colours. A canvas that was made for paper would not be printed.
export const colours = () => ({
  colors: [colour("measured")],
  axisLineColor: colour("step"),
  gridLineColor: colour("grid"),
});

export const options = (more) => ({
  ...colours(),
  legend: "never",
  valueRange: [0, top],
  strokeWidth: 2.25,
  rightGap: 8,
  plotter: linePlotters(),
  highlightCircleSize: 4,
  animatedZooms: false,
  ...more,
});

export const axes = (timeTicks) => ({
  x: { ticker: timeTicks, axisLabelFormatter: String, axisTickSize: 8 },
  y: { ticker: (from, to) => rateTicks(from, to), axisLabelWidth: 32 },
});

// A canvas that gets another size for paper would be printed empty: the chart keeps its own, and is made smaller with
// all that stands around it.
function fitToPaper() {
  const chart = byId("chart"), { width, height } = chart.firstElementChild.style;
  const isPaper = matchMedia("print").matches;
  chart.parentElement.style.zoom = isPaper ? chart.clientWidth / parseFloat(width) : "";
  chart.style.width = isPaper ? width : "";
  chart.style.height = isPaper ? height : "";
}

// What is shown stays, in other colours.
export function recolour(graph, made) {
  if (!graph) return;
  graph.updateOptions(made());
  fitToPaper();
}

// A curve of [x, rate, low, high] with its band, on the canvas below the lines, in colours called `name` and
// `name`-band.
export function drawCurve(context, graph, curve, name, dash) {
  if (curve.length < 2) return;
  const [from, to] = graph.xAxisRange(), shown = thinned(curve, (to - from) / graph.getArea().w);
  const places = (index) =>
    shown.map((point) => [graph.toDomXCoord(point[0]), graph.toDomYCoord(point[index])]);
  trace(context, [...places(3), ...places(2).reverse()]);
  context.closePath();
  context.fillStyle = colour(`${name}-band`);
  context.fill();
  trace(context, places(1));
  context.strokeStyle = colour(name);
  context.lineWidth = 2;
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}

// A path through these points.
function trace(context, points) {
  context.beginPath();
  points.forEach(([x, y], index) => index ? context.lineTo(x, y) : context.moveTo(x, y));
}

// Draws within an area, and leaves the context as it was.
export function within(context, area, draw) {
  context.save();
  context.beginPath();
  context.rect(area.x, area.y, area.w, area.h);
  context.clip();
  draw();
  context.restore();
}

const hasValue = (row) => row.slice(1).some((value) => value !== null && !Number.isNaN(value));

// The value under the pointer or the finger, and by arrow keys where the chart has the focus. A finger that
// moves up or down scrolls the page. `words` says a row, `isFixed` means that dragging does not zoom, and
// `drawn` is called whenever the chart was drawn.
export function pointing(words, { isFixed = false, drawn = () => {} } = {}) {
  const chart = byId("chart");
  let current = null;
  const rowAt = (row) => current.file_[row];
  const isRow = (row) => row >= 0 && row < current.numRows();
  const show = (row) => setText("chart-value", isRow(row) && hasValue(rowAt(row)) ? words(rowAt(row)) : "");
  const select = (row) => {
    current.setSelection(row);
    show(row);
  };
  const nearest = (clientX) => {
    const x = current.toDataXCoord(clientX - chart.getBoundingClientRect().left);
    const distance = (row) => Math.abs(current.getValue(row, 0) - x);
    let best = -1;
    for (let row = 0; row < current.numRows(); row++) {
      if ((best < 0 || distance(row) < distance(best)) && hasValue(rowAt(row))) best = row;
    }
    return best;
  };
  const step = (by) => {
    const chosen = current.getSelection(), first = by < 0 ? current.numRows() - 1 : 0;
    let row = chosen < 0 ? first : chosen + by;
    while (isRow(row) && !hasValue(rowAt(row))) row += by;
    if (isRow(row)) select(row);
  };
  // Set anew with each chart, so that the chart that is shown is asked.
  chart.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !current || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    step(by);
  };
  const { mousedown, mousemove, mouseup, dblclick } = Dygraph.defaultInteractionModel;
  const touchstart = (event) => select(nearest(event.touches[0].clientX));
  return {
    interactionModel: isFixed ? { touchstart } : { mousedown, mousemove, mouseup, dblclick, touchstart },
    highlightCallback: (_event, _x, _points, row) => show(row),
    unhighlightCallback: () => setText("chart-value", ""),
    drawCallback: (graph) => {
      current = graph;
      drawn(graph);
    },
  };
}
