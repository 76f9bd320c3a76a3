// Where things lie on a page.

// The wall: as many columns as make the rooms' fields largest, half as wide again as high.
export function wallColumns(count, width, height) {
  let best = [0, 1];
  for (let columns = 1; columns <= count; columns++) {
    const size = Math.min(width / columns / 1.3, Math.max(112, height / Math.ceil(count / columns)));
    if (size > best[0]) best = [size, columns];
  }
  return best[1];
}

// Events whose markers would lie on each other have one together, where the first of them is. `x` is where a
// moment lies, `size` how wide a marker is; what lies outside is left out, and a marker at the edge is wholly
// within.
export function grouped(events, { x, width, size }) {
  const groups = [];
  for (const event of events) {
    const at = x(event.t);
    if (at < -1 || at > width + 1) continue;
    const place = Math.min(Math.max(at, size / 2 + 1), width - size / 2 - 1), last = groups.at(-1);
    if (last && place - last.x < size + 2) last.events.push(event);
    else groups.push({ x: place, events: [event] });
  }
  return groups;
}

// A bubble over its marker that stays within its lane: where it begins, and where its tip is.
export function bubble(middle, width, laneWidth) {
  const left = Math.min(Math.max(middle - width / 2, 0), Math.max(0, laneWidth - width));
  return { left, tip: middle - left };
}

// The row of each word that stands at x, `width` wide, so that no word covers another; undefined where no row
// has room.
export function wordRows(words, rows = 4) {
  const right = Array(rows).fill(-Infinity);
  return words.map(({ x, width }) => {
    const row = right.findIndex((end) => x > end + 8);
    if (row < 0) return undefined;
    right[row] = x + width + 6;
    return row;
  });
}
