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

// The path of a settled trail in a picture of 310 by 100; a gap is a gap here too.
export function trailPath({ end, points }) {
  const [low, high] = rateRange(points.map(([, rate]) => rate), true), begin = end - long;
  const words = points.map(([time, rate], index) => {
    const goesOn = index && time - points[index - 1][0] <= 2.5 * stride;
    return `${goesOn ? "L" : "M"}${time - begin} ${(100 - (rate - low) / (high - low) * 100).toFixed(0)}`;
  });
  // A point without neighbours is a short stroke.
  return words.join("").replace(/M(\S+ \S+)(?=M|$)/g, "M$1h3");
}
