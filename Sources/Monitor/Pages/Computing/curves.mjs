// Curves: points of [x, value, …] in the order of x.

// The point of a curve at x, straight between its points; null outside.
export function pointAt(curve, x) {
  if (!curve.length || x < curve[0][0] || x > curve.at(-1)[0]) return null;
  let low = 0, high = curve.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve[middle][0] <= x) low = middle;
    else high = middle;
  }
  const left = curve[low], right = curve[high];
  const share = right[0] > left[0] ? (x - left[0]) / (right[0] - left[0]) : 0;
  return left.map((value, index) => value + share * (right[index] - value));
}

// Of points that would lie on each other, only the first; the last one stays.
export function thinned(curve, apart) {
  let kept = -Infinity;
  return curve.filter(([x], index) => {
    const isKept = index === curve.length - 1 || x - kept >= apart;
    if (isKept) kept = x;
    return isKept;
  });
}

// Lines are broken where nothing was measured for a while, instead of being drawn across.
export function withGaps(points, longest) {
  const rows = [];
  points.forEach((point, index) => {
    const before = index ? points[index - 1][0] : point[0];
    if (point[0] - before > longest) rows.push([(point[0] + before) / 2, null]);
    rows.push(point);
  });
  return rows;
}

// Several lines on one row of moments; NaN breaks a line, null lets it go on.
export function merged(lines, longest) {
  const rows = new Map();
  const put = (time, index, value) => {
    if (!rows.has(time)) rows.set(time, [time, ...Array(lines.length).fill(null)]);
    rows.get(time)[index + 1] = value;
  };
  lines.forEach((line, index) => {
    for (const [time, value] of withGaps(line, longest)) put(time, index, value ?? NaN);
  });
  return [...rows.values()].sort((one, other) => one[0] - other[0]);
}

// What was expected of the steps that have begun, as curves of [elapsed, rate, low, high]. `newest` is the
// moment of the newest reading, if there is one.
export function expectedCurves(steps, events, newest) {
  const begun = events.filter(({ kind }) => kind === "stepStarted");
  return begun.flatMap((event) => {
    const step = steps.find(({ identifier }) => identifier === event.step);
    if (!step || !step.expected) return [];
    const end = events.find((other) =>
      other.kind === "stepEnded" && other.step === event.step && other.elapsed >= event.elapsed &&
      (!event.ordinal || other.ordinal === event.ordinal)
    );
    const curve = step.expected.map(([x, rate, low, high]) => [event.elapsed + x, rate, low, high]);
    // A step that lasts longer than planned expects its last value until it ends, or as long as it goes on.
    const goesOn = !end && event === begun.at(-1);
    const until = end ? end.elapsed : Math.max(curve.at(-1)[0], goesOn && newest !== undefined ? newest : 0);
    const last = pointAt(curve, Math.min(until, curve.at(-1)[0]));
    return [last ? [...curve.filter(([x]) => x < until), [until, ...last.slice(1)]] : curve];
  });
}

// The point of the latest curve that has one there; null if none has.
export const expectedAt = (curves, elapsed) =>
  curves.map((curve) => pointAt(curve, elapsed)).findLast(Boolean) ?? null;
