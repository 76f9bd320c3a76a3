// The last five minutes of a room, in steps of ten seconds, as the small curve of its card.
import { rateRange } from "./axes.mjs";

const long = 300, stride = 10;

const strideOf = (time) => Math.floor(time / stride) * stride;

// A trail of points [time, mean, how many readings] with a reading more, and without what is too old.
export function withReading(trail, { t, bpm }, now) {
  const points = [...trail], at = strideOf(t), last = points.at(-1);
  if (!last || at > last[0]) points.push([at, bpm, 1]);
  else if (at === last[0]) {
    points[points.length - 1] = [at, (last[1] * last[2] + bpm) / (last[2] + 1), last[2] + 1];
  }
  return points.filter(([time]) => time >= now - long - stride);
}

// The part of a trail that does not change any more: the newest point is drawn when its ten seconds are over.
export function settled(trail, now) {
  const end = strideOf(now), count = trail.length && trail.at(-1)[0] >= end ? trail.length - 1 : trail.length;
  return { end, points: trail.slice(0, count) };
}

// A settled trail in a picture of 310 by 100: its path, in which a gap is a gap too, the place of its end, and the band
// that was expected meanwhile. `expected` gives the point of a moment, or is null.
export function trailShape({ end, points }, expected) {
  const begin = end - long, moments = points.map(([time]) => time + stride / 2);
  const band = expected ? moments.map((time) => [time, expected(time)]).filter(([, point]) => point) : [];
  const [low, high] = rateRange([
    ...points.map(([, rate]) => rate),
    ...band.flatMap(([, [, , from, to]]) => [from, to]),
  ], true);
  const place = (time, rate) => `${time - begin} ${(100 - (rate - low) / (high - low) * 100).toFixed(0)}`;
  const words = points.map(([time, rate], index) => {
    const goesOn = index && time - points[index - 1][0] <= 2.5 * stride;
    return `${goesOn ? "L" : "M"}${place(time, rate)}`;
  });
  const edge = (side) => band.map(([time, point]) => place(time - stride / 2, point[side]));
  return {
    // A point without neighbours is a short stroke.
    path: words.join("").replace(/M(\S+ \S+)(?=M|$)/g, "M$1h3"),
    band: band.length > 1 ? `M${[...edge(2), ...edge(3).reverse()].join("L")}Z` : "",
    end: points.length ? place(...points.at(-1)).split(" ").map(Number) : null,
  };
}
