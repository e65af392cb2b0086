// Arrows of a timeline: from where a message is sent to where it is received, from what issues a collective to it, and
// from it to what begins when it ends.

const mostPairs = 150;  // that are drawn at once
const mostAtOnce = 100000;  // intervals of which messages are looked for unasked
const mostOfOne = 24;  // that begin or end at a collective

/** Returns a function that says whether a row has one of the words that a rule names for its column. */
function matcher(table, rule) {
  const conditions = Object.entries(rule).map(([column, some]) => {
    const {words = [], places = []} = table.columns.get(column) ?? {};
    return {wanted: words.map((word) => some.includes(word)), places};
  });
  return (row) => conditions.every(({wanted, places}) => wanted[places[row]] === true);
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
    this.known = [];
    if (!table.hasNumbers(message)) return this.known;
    const {numbers} = table.columns.get(message), isSend = matcher(table, sends);
    const ends = [[], []];  // of senders and receivers, by number of the message
    for (let i = 0; i < rows.length; ++i) {
      const number = numbers[rows[i]];
      if (number !== null) ends[isSend(rows[i]) ? 0 : 1][number] = i;
    }
    ends[0].forEach((from, number) => { if (ends[1][number] !== undefined) this.known.push([from, ends[1][number]]); });
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
    const {starts, ends, rows, whole} = this.intervals;
    if (rows.length > mostAtOnce && to - from === whole[1] - whole[0]) return [];  // for the page to open at once
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
    const isCollective = matcher(table, this.rules.collectives)(rows[place]);
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
