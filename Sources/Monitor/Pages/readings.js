"use strict";
// The readings of one session, of whatever length: 40 bytes each, in order of their measurement.
const Readings = (() => {
  const columns = ["elapsed", "bpm", "t", "received", "number"];

  const make = () => {
    let length = 0, gaps = 0, gapSeconds = 0, store = Object.fromEntries(columns.map((name) => [name, new Float64Array(256)]));
    const isGap = (index, longest) => index > 0 && store.elapsed[index] - store.elapsed[index - 1] > longest;

    // The first reading that was not measured before a moment.
    const place = (elapsed) => {
      let low = 0, high = length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (store.elapsed[middle] < elapsed) low = middle + 1; else high = middle;
      }
      return low;
    };
    const at = (index) => {
      const from = index < 0 ? length + index : index;
      return from < 0 || from >= length ? undefined : Object.fromEntries(columns.map((name) => [name, store[name][from]]));
    };

    // Readings that come late stand where they were measured.
    const take = (reading) => {
      if (length === store.elapsed.length) {
        for (const name of columns) {
          const larger = new Float64Array(2 * length);
          larger.set(store[name]);
          store[name] = larger;
        }
      }
      const index = !length || store.elapsed[length - 1] <= reading.elapsed ? length : place(reading.elapsed);
      for (const name of columns) {
        if (index < length) store[name].copyWithin(index + 1, index, length);
        store[name][index] = Number(reading[name]);
      }
      length++;
      known.length = 0;
    };
    const remove = (number) => {
      const index = store.number.subarray(0, length).indexOf(number);
      if (index < 0) return;
      for (const name of columns) store[name].copyWithin(index, index + 1, length);
      length--;
      known.length = 0;
    };

    // How many times nothing came for longer than that, and for how long together; counted on from the last time.
    const known = [];
    const gapsOver = (longest) => {
      const [limit, count, sum, last] = known[0] === longest ? known : [longest, 0, 0, 0];
      let [found, seconds] = [count, sum];
      for (let index = Math.max(1, last); index < length; index++) {
        if (isGap(index, limit)) { found++; seconds += store.elapsed[index] - store.elapsed[index - 1]; }
      }
      known.splice(0, 4, longest, found, seconds, length);
      return { count: found, seconds };
    };

    // The lowest and the highest rate between two moments, and the first and the last moment with one; null if there is none.
    const extent = (from, to) => {
      let low = Infinity, high = -Infinity, first = null, last = null;
      for (let index = place(from); index < length && store.elapsed[index] <= to; index++) {
        low = Math.min(low, store.bpm[index]);
        high = Math.max(high, store.bpm[index]);
        first ??= store.elapsed[index];
        last = store.elapsed[index];
      }
      return first === null ? null : { low, high, first, last };
    };

    // Rows of a chart between two moments, with one beyond each end: every reading, or of each of so many parts the lowest and
    // the highest where there are more readings than can be told apart. A gap breaks the line in any case.
    const rows = (from, to, parts, longest) => {
      const begin = Math.max(0, place(from) - 1), end = Math.min(length, place(to) + 1), made = [];
      const isWhole = end - begin <= 2 * parts, width = (to - from) / parts;
      let part = null, low = begin, high = begin;
      const add = (index) => made.push([store.elapsed[index], store.bpm[index]]);
      const flush = () => {
        if (part === null) return;
        add(Math.min(low, high));
        if (low !== high) add(Math.max(low, high));
        part = null;
      };
      for (let index = begin; index < end; index++) {
        if (index > begin && isGap(index, longest)) {
          flush();
          made.push([(store.elapsed[index] + store.elapsed[index - 1]) / 2, null]);
        }
        if (isWhole) { add(index); continue; }
        // The newest two stand for themselves: the line glides from one to the other.
        const now = index >= length - 2 ? -index : Math.floor((store.elapsed[index] - from) / width);
        if (now !== part) { flush(); part = now; low = high = index; }
        if (store.bpm[index] < store.bpm[low]) low = index;
        if (store.bpm[index] > store.bpm[high]) high = index;
      }
      flush();
      return made;
    };

    return {
      take, remove, at, rows, extent, gapsOver,
      get length() { return length; },
      last: (count) => Array.from({ length: Math.min(count, length) }, (_, index) => at(length - Math.min(count, length) + index)),
      find: (elapsed) => { const index = place(elapsed); return index < length && store.elapsed[index] === elapsed ? at(index) : null; },
    };
  };

  return { make };
})();
