// What is drawn of a day by hand, below the lines of its chart and beside it.
import { bandsOf } from "../Computing/days.mjs";
import { say } from "../Computing/language.mjs";
import { rateLabel } from "../Computing/units.mjs";
import { colour } from "./page.mjs";

// `y` is where a rate lies.
export function drawBands(context, x, width, y, limits) {
  for (const [name, from, to] of bandsOf(limits)) {
    context.fillStyle = colour(name);
    context.fillRect(x, y(to), width, y(from) - y(to));
  }
}

// Thin lines where bands meet.
export function drawLimits(context, x, width, y, limits) {
  context.fillStyle = colour("threshold");
  for (const rate of [limits.low, limits.high]) context.fillRect(x, Math.round(y(rate)), width, 1);
}

// In the bands' own colours around them, so that no line goes through a word.
export function drawBandNames(context, area, y, limits) {
  context.font = "13px system-ui, sans-serif";
  context.textAlign = "right";
  context.lineWidth = 6;
  context.lineJoin = "round";
  const right = area.x + area.w - 6;
  const put = (name, words, y) => {
    context.strokeStyle = colour(name);
    context.strokeText(words, right, y);
    context.fillStyle = colour("quiet");
    context.fillText(words, right, y);
  };
  // A band is named where it is seen.
  if (y(limits.high) > area.y + 24) put("high", say("highAbove", rateLabel(limits.high)), area.y + 18);
  if (y(limits.low) < area.y + area.h - 24) {
    put("low", say("lowBelow", rateLabel(limits.low)), area.y + area.h - 8);
  }
  context.textAlign = "left";
}

export function drawDotted(context, stroke, x, from, to) {
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(x, to);
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  context.setLineDash([1, 4]);
  context.stroke();
  context.setLineDash([]);
}

export function drawCircle(context, x, y, radius, stroke) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour("surface");
  context.fill();
  context.strokeStyle = stroke;
  context.lineWidth = 2;
  context.stroke();
}
