// The readings of one session, of whatever length: 40 bytes each, in order of their measurement.

const columns = ["elapsed", "bpm", "t", "received", "number"];

export class Readings {
  #length = 0;
  #store = Object.fromEntries(columns.map((name) => [name, new Float64Array(256)]));
  // The gaps that were counted last.
  #gaps = null;

  get length() {
    return this.#length;
  }

  // Readings that come late stand where they were measured.
  take(reading) {
    if (this.#length === this.#store.elapsed.length) this.#grow();
    const isLast = !this.#length || this.#store.elapsed[this.#length - 1] <= reading.elapsed;
    const index = isLast ? this.#length : this.#place(reading.elapsed);
    for (const name of columns) {
      if (!isLast) this.#store[name].copyWithin(index + 1, index, this.#length);
      this.#store[name][index] = Number(reading[name]);
    }
    this.#length++;
    if (!isLast) this.#gaps = null;
  }

  remove(number) {
    const index = this.#store.number.subarray(0, this.#length).indexOf(number);
    if (index < 0) return;
    for (const name of columns) this.#store[name].copyWithin(index, index + 1, this.#length);
    this.#length--;
    this.#gaps = null;
  }

  at(index) {
    const from = index < 0 ? this.#length + index : index;
    if (from < 0 || from >= this.#length) return undefined;
    return Object.fromEntries(columns.map((name) => [name, this.#store[name][from]]));
  }

  last(count) {
    const first = Math.max(0, this.#length - count);
    return Array.from({ length: this.#length - first }, (_, index) => this.at(first + index));
  }

  // The reading that was measured at that moment; null if none was.
  find(elapsed) {
    const index = this.#place(elapsed);
    return index < this.#length && this.#store.elapsed[index] === elapsed ? this.at(index) : null;
  }

  // How many times nothing came for longer than that, and for how long together; counted on from the last
  // time.
  gapsOver(longest) {
    const known = this.#gaps?.longest === longest ? this.#gaps : { longest, count: 0, seconds: 0, end: 1 };
    let { count, seconds, end } = known;
    for (; end < this.#length; end++) {
      if (!this.#isGap(end, longest)) continue;
      count++;
      seconds += this.#store.elapsed[end] - this.#store.elapsed[end - 1];
    }
    this.#gaps = { longest, count, seconds, end };
    return { count, seconds };
  }

  // The lowest and the highest rate between two moments, and the first and the last moment with one; null if
  // there is none.
  extent(from, to) {
    const { elapsed, bpm } = this.#store, begin = this.#place(from);
    let low = Infinity, high = -Infinity, end = begin;
    for (; end < this.#length && elapsed[end] <= to; end++) {
      low = Math.min(low, bpm[end]);
      high = Math.max(high, bpm[end]);
    }
    return end === begin ? null : { low, high, first: elapsed[begin], last: elapsed[end - 1] };
  }

  // Rows of a chart between two moments, with one beyond each end: every reading, or of each of so many parts
  // the lowest and the highest where there are more readings than can be told apart. A gap breaks the line in
  // any case.
  rows(from, to, parts, longest) {
    const { elapsed, bpm } = this.#store, width = (to - from) / parts, made = [];
    const begin = Math.max(0, this.#place(from) - 1), end = Math.min(this.#length, this.#place(to) + 1);
    const isWhole = end - begin <= 2 * parts;
    // The newest two stand for themselves: the line glides from one to the other.
    const partOf = (index) =>
      isWhole || index >= this.#length - 2 ? -index : Math.floor((elapsed[index] - from) / width);
    let part = null, low = begin, high = begin;
    const add = (index) => made.push([elapsed[index], bpm[index]]);
    const flush = () => {
      if (part !== null) add(Math.min(low, high));
      if (part !== null && low !== high) add(Math.max(low, high));
      part = null;
    };
    for (let index = begin; index < end; index++) {
      if (index > begin && this.#isGap(index, longest)) {
        flush();
        made.push([(elapsed[index] + elapsed[index - 1]) / 2, null]);
      }
      if (partOf(index) !== part) {
        flush();
        part = partOf(index);
        low = high = index;
      }
      if (bpm[index] < bpm[low]) low = index;
      if (bpm[index] > bpm[high]) high = index;
    }
    flush();
    return made;
  }

  #isGap(index, longest) {
    return index > 0 && this.#store.elapsed[index] - this.#store.elapsed[index - 1] > longest;
  }

  // The first reading that was not measured before a moment.
  #place(elapsed) {
    let low = 0, high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#store.elapsed[middle] < elapsed) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow() {
    for (const name of columns) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#store[name]);
      this.#store[name] = larger;
    }
  }
}
