// Intervals of a timeline, of which there may be a million: what a figure draws of them depends on how far one has
// zoomed in. An interval that is narrower than a few pixels is not drawn by itself but counts for a bin, which
// shows the kind that takes most of it and how much of it is taken.

const mostLanes = 64;
const mostTracks = 24;  // for intervals of a lane that overlap
const mostBins = 12000;
const mostKinds = 8;  // that have a colour of their own

/** Returns the text of several columns of a row, "stage 0, compute". */
function joined(table, columns, row) {
  return columns.map((column) => table.cell(column, row)).filter((cell) => cell !== null).join(', ');
}

/** Numbers texts in the order in which they come first; those that are too many share the last number. */
class Numbering {
  constructor(most = Infinity) {
    this.most = most;
    this.texts = [];
    this.numbers = new Map();
  }
  of(text) {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = Math.min(this.texts.length, this.most);
      this.numbers.set(text, number);
      if (this.texts.length <= this.most) this.texts.push(number < this.most ? text : 'others');
    }
    return number;
  }
}

export class Intervals {
  /** `columns` names the columns of the lane (a list), of the begin, the end and the kind; `word` stands in front of lanes. */
  constructor(table, columns, rows, word = '') {
    const {lane, start, end, part} = columns;
    const lanes = new Numbering(), kinds = new Numbering(mostKinds);
    this.table = table;
    this.rows = rows;
    this.starts = new Float64Array(rows.length);
    this.ends = new Float64Array(rows.length);
    this.lane = new Uint32Array(rows.length);
    this.kind = new Uint32Array(rows.length);
    let first = Infinity, last = -Infinity;
    rows.forEach((row, i) => {
      const from = table.cell(start, row), to = table.cell(end, row);
      this.starts[i] = from;
      this.ends[i] = to;
      this.lane[i] = lanes.of(`${word} ${joined(table, lane, row)}`.trim());
      this.kind[i] = kinds.of(String(table.cell(part, row) ?? ''));
      first = Math.min(first, from);
      last = Math.max(last, to);
    });
    this.whole = [first, last];
    this.kinds = kinds.texts;
    this.divideLanes(lanes);
    this.allLanes = lanes.texts.length;
    this.orderLanes(lanes.texts);
  }

  /** Gives intervals that overlap with others of their lane lanes of their own below it, where there is room for more lanes. */
  divideLanes(lanes) {
    const most = Math.max(2, Math.min(mostTracks, Math.floor(mostLanes / lanes.texts.length)));
    for (const {lane, places} of this.placesByLane(lanes.texts.length)) {
      if (places.every((i, k) => k === 0 || this.starts[i] >= this.ends[places[k - 1]])) continue;
      places.sort((a, b) => this.starts[a] - this.starts[b]);
      const name = lanes.texts[lane];
      const free = [];  // when the last interval of each lane ends
      for (const i of places) {
        let track = free.findIndex((end) => end <= this.starts[i]);
        if (track < 0) track = free.length < most ? free.length : free.indexOf(Math.min(...free));
        free[track] = Math.max(free[track] ?? 0, this.ends[i]);
        if (track > 0) this.lane[i] = lanes.of(`${name} (${track + 1})`);
      }
    }
  }

  /** Returns the places of each lane's intervals, in their order. */
  placesByLane(count) {
    const begins = new Uint32Array(count + 1);
    for (const lane of this.lane) ++begins[lane + 1];
    for (let lane = 0; lane < count; ++lane) begins[lane + 1] += begins[lane];
    const next = begins.slice(), places = new Uint32Array(this.lane.length);
    this.lane.forEach((lane, i) => { places[next[lane]++] = i; });
    return Array.from({length: count}, (_, lane) => ({lane, places: places.subarray(begins[lane], begins[lane + 1])}));
  }

  /** Lanes stand in the order of their names, numbers in them by size; the first ones are shown. */
  orderLanes(names) {
    const {compare} = new Intl.Collator('en', {numeric: true});
    const order = names.map((_, i) => i).sort((a, b) => compare(names[a], names[b]));
    const place = [];
    order.forEach((lane, i) => { place[lane] = i; });
    this.lanes = order.slice(0, mostLanes).map((lane) => names[lane]);
    for (let i = 0; i < this.lane.length; ++i) this.lane[i] = place[this.lane[i]];
  }

  /**
   * Returns what a figure of so many pixels draws of the time between `from` and `to`. What stands for a single interval
   * has its place, which rows, starts and ends are numbered by.
   */
  drawn([from, to], pixels) {
    const lanes = this.lanes.length, kinds = this.kinds.length;
    const bins = Math.max(1, Math.min(Math.floor(pixels / 2), Math.floor(mostBins / lanes)));
    const width = (to - from) / bins;
    const busy = new Float64Array(lanes * bins * kinds);
    const drawn = [];
    for (let i = 0; i < this.starts.length; ++i) {
      const start = this.starts[i], end = this.ends[i], lane = this.lane[i];
      if (end < from || start > to || lane >= lanes) continue;
      if (end - start >= width) {
        drawn.push({lane: this.lanes[lane], start: Math.max(start, from), end: Math.min(end, to),
                    part: this.kinds[this.kind[i]], busy: 1, place: i});
      } else {
        const bin = Math.min(bins - 1, Math.max(0, Math.floor(((start + end) / 2 - from) / width)));
        busy[(lane * bins + bin) * kinds + this.kind[i]] += end - start;
      }
    }
    this.addBins(busy, bins, from, width, drawn);
    return drawn;
  }

  addBins(busy, bins, from, width, drawn) {
    const kinds = this.kinds.length;
    for (let lane = 0; lane < this.lanes.length; ++lane) {
      let last = null;  // the bin before, if it was drawn
      for (let bin = 0; bin < bins; ++bin) {
        const times = busy.subarray((lane * bins + bin) * kinds, (lane * bins + bin + 1) * kinds);
        const sum = times.reduce((a, b) => a + b, 0);
        if (sum === 0) { last = null; continue; }
        const part = this.kinds[times.indexOf(Math.max(...times))];
        const share = Math.max(0.15, Math.min(1, Math.round((sum / width) * 8) / 8));
        const end = from + (bin + 1) * width;
        if (last && last.part === part && last.busy === share) last.end = end;
        else drawn.push(last = {lane: this.lanes[lane], start: from + bin * width, end, part, busy: share});
      }
    }
  }
}

/** Moves and stretches a span by a factor around a point, so that it stays within the whole. */
export function zoomed([from, to], factor, around, [first, last]) {
  const least = (last - first) * 1e-7;
  const length = Math.min(last - first, Math.max(least, (to - from) * factor));
  const start = around - (around - from) * (length / (to - from));
  return moved([start, start + length], 0, [first, last]);
}

export function moved([from, to], by, [first, last]) {
  const start = Math.max(first, Math.min(from + by, last - (to - from)));
  return [start, start + (to - from)];
}
