// Arrows of a timeline: from where a message is sent to where it is received, from what issues a collective to it, and
// from it to what begins when it ends.

const mostPairs = 150;  // that are drawn at once
const mostOfOne = 24;  // that begin or end at a collective

/** Says whether a cell has one of the words that a rule names for its column. */
function matches(table, row, rule) {
  return Object.entries(rule).every(([column, words]) => words.includes(table.cell(column, row)));
}

export class Arrows {
  /** `rules` says which column numbers messages, which rows send them and which are collectives, and within what these are. */
  constructor(intervals, rules) {
    this.intervals = intervals;
    this.rules = rules;
  }

  /** Returns [sender, receiver] of all messages of which both are known, found out when somebody asks for the first time. */
  pairs() {
    if (this.known) return this.known;
    const {table, rows} = this.intervals, {message, sends} = this.rules;
    const ends = new Map();
    this.known = [];
    if (!table.hasNumbers(message)) return this.known;
    rows.forEach((row, i) => {
      const number = table.cell(message, row);
      if (number === null) return;
      const pair = ends.get(number) ?? [];
      pair[matches(table, row, sends) ? 0 : 1] = i;
      ends.set(number, pair);
      if (pair[0] !== undefined && pair[1] !== undefined) this.known.push(pair);
    });
    return this.known;
  }

  /** Returns the arrow between two intervals; null where the lane of one is not shown. */
  arrow(from, to, start, end, strong) {
    const {lanes, lane} = this.intervals;
    const lane1 = lanes[lane[from]], lane2 = lanes[lane[to]];
    return lane1 !== undefined && lane2 !== undefined && from !== to ? {lane1, lane2, start, end, strong} : null;
  }

  ofMessage([from, to], strong) {
    const {starts, ends} = this.intervals;
    return this.arrow(from, to, starts[from], ends[to], strong);
  }

  /** Returns the arrows of all messages between two times; none where they are too many to be told apart. */
  between([from, to]) {
    const {starts, ends} = this.intervals;
    const seen = [];
    for (const pair of this.pairs()) {
      if (starts[pair[0]] > to || ends[pair[1]] < from) continue;
      if (seen.length === mostPairs) return [];
      seen.push(this.ofMessage(pair, false));
    }
    return seen.filter(Boolean);
  }

  /** Returns the arrows from and to one interval. */
  of(place) {
    const {table, rows} = this.intervals;
    const messages = this.pairs().filter((pair) => pair.includes(place)).map((pair) => this.ofMessage(pair, true));
    const isCollective = matches(table, rows[place], this.rules.collectives);
    return [...messages, ...(isCollective ? this.ofCollective(place) : [])].filter(Boolean);
  }

  /** What ends when it is issued has issued it, and what begins when it ends has waited for it. */
  ofCollective(place) {
    const {table, rows, starts, ends} = this.intervals, {within} = this.rules;
    const own = table.cell(within, rows[place]);
    const made = [];
    for (let i = 0; i < rows.length && made.length < mostOfOne; ++i) {
      const issues = ends[i] === starts[place] && starts[i] < ends[i], waits = starts[i] === ends[place] && i !== place;
      if ((!issues && !waits) || table.cell(within, rows[i]) !== own) continue;
      made.push(issues ? this.arrow(i, place, ends[i], starts[place], true) : this.arrow(place, i, ends[place], starts[i], true));
    }
    return made;
  }
}
