// The axes of charts: their ranges, and ticks at round places.
import { number } from "./language.mjs";
import { clockAt, minutes } from "./times.mjs";
import { rateScale } from "./units.mjs";

// The highest rate that charts show.
export const top = 240;

// The rates that an axis shows: all that there may be, or what was measured with some air around it.
export function rateRange(rates, isFitted) {
  if (!isFitted || !rates.length) return [0, top];
  let [low, high] = [Infinity, -Infinity];
  for (const rate of rates) {
    low = Math.min(low, rate);
    high = Math.max(high, rate);
  }
  const air = Math.max(4, (40 - (high - low)) / 2);
  return [Math.max(0, Math.floor((low - air) / 5) * 5), Math.min(300, Math.ceil((high + air) / 5) * 5)];
}

// A range about a middle that is so many times as wide.
export function scaled([low, high], factor, middle) {
  const half = (high - low) / 2 * factor;
  return [middle - half, middle + half];
}

// Ticks at round distances.
function ticks(minimum, maximum, step, format) {
  const made = [];
  for (let value = Math.ceil(minimum / step) * step; value <= maximum + step / 1e6; value += step) {
    made.push({ v: value, label: format(value) });
  }
  return made;
}

export function rateTicks(minimum, maximum) {
  const { size, steps } = rateScale(), [low, high] = [minimum / size, maximum / size];
  const [, step] = steps.find(([narrowest]) => high - low > narrowest) || steps.at(-1);
  const digits = step >= 1 ? 0 : step >= .1 ? 1 : 2;
  return ticks(low, high, step, (value) => number(value, digits)).map(({ v, label }) => ({
    v: v * size,
    label,
  }));
}

// Ticks of seconds, at round ones after `origin`.
export function secondTicks(minimum, maximum, pixels, { origin = 0, format }) {
  const most = Math.max(2, Math.floor(pixels / 72));
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 21600, 86400]
    .find((step) => (maximum - minimum) / step <= most) || 604800;
  return ticks(minimum - origin, maximum - origin, step, format).map(({ v, label }) => ({
    v: v + origin,
    label,
  }));
}

// The times of a session, which began at `start`: since its beginning, or as the clock showed them.
export function timeAxis({ isClock, start, speed, zone }) {
  const label = (elapsed) => isClock ? clockAt(start + elapsed / speed, zone) : minutes(elapsed);
  const ticksOf = (from, to, pixels) => {
    if (!isClock || speed !== 1) return secondTicks(from, to, pixels, { format: label });
    // Round times of the clock.
    const origin = -((start + zone) % 86400);
    const format = (seconds) => label(seconds + origin).slice(0, to - from > 240 ? 5 : 8);
    return secondTicks(from, to, pixels, { origin, format });
  };
  return { isClock, label, ticks: ticksOf };
}
