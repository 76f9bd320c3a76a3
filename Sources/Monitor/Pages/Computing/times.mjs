// Times and lengths of time as people read them.

const two = (number) => String(number).padStart(2, "0");

// A length of time: 0:05, 12:30, 1:02:03.
export function minutes(seconds) {
  const whole = Math.round(Math.abs(seconds));
  const hours = Math.floor(whole / 3600), rest = Math.floor(whole / 60) % 60;
  return (seconds <= -.5 ? "−" : "") + (hours ? `${hours}:${two(rest)}` : String(rest)) +
    `:${two(whole % 60)}`;
}

// A length of time in the largest unit of which there are at least two.
export function since(seconds) {
  const [, size, unit] = [[172800, 86400, "d"], [7200, 3600, "h"], [120, 60, "min"], [0, 1, "s"]].find((
    [from],
  ) => seconds >= from);
  return `${Math.floor(seconds / size)}\u00a0${unit}`;
}

// Seconds ahead of UTC at a moment, from the changes before it.
export const offsetAt = (time, offsets) => (offsets.findLast(({ t }) => t <= time) || { offset: 0 }).offset;

const textAt = (time, offset) => new Date((time + offset) * 1000).toISOString();

// What a clock shows that is so many seconds ahead of UTC.
export const clockAt = (time, offset, hasSeconds = true) =>
  textAt(time, offset).slice(11, hasSeconds ? 19 : 16);
export const dateAndClockAt = (time, offset) => textAt(time, offset).slice(0, 16).replace("T", " ");

// Days of the calendar have no hours: noon in UTC is always the right day.
const noon = (date) => new Date(`${date}T12:00:00Z`);
export const moved = (date, days) =>
  new Date(noon(date).getTime() + days * 86_400_000).toISOString().slice(0, 10);
export const longDate = (date, languages) =>
  noon(date).toLocaleDateString(languages, {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
export const shortDate = (date, languages) =>
  noon(date).toLocaleDateString(languages, { month: "short", day: "numeric", timeZone: "UTC" });
export const dateAndTime = (time, offset, languages) =>
  new Date((time + offset) * 1000).toLocaleString(languages, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });

// A moment of this page, in milliseconds, by another clock that was asked some times: the best comparison has
// the shortest way. `asked` and `answered` are milliseconds of this page, `now` is what the clock said
// between them, in seconds.
export function momentBy(comparisons, at) {
  const way = ({ asked, answered }) => answered - asked;
  const best = comparisons.reduce((one, other) => way(other) < way(one) ? other : one);
  return {
    pressed: best.now + (at - (best.asked + best.answered) / 2) / 1000,
    uncertainty: way(best) / 2000,
  };
}
