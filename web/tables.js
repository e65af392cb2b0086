// The tables of results that the page holds, column by column (src/report/stored/result_page.cpp writes them).

import {inflated} from './inflate.js';

/** Unpacks the text that stands in the page: base64 of deflated JSON. */
export async function unpacked(text) {
  return JSON.parse(new TextDecoder().decode(await inflated(text)));
}

/** Returns all cells of a list in which [n] stands for the cell before it, n more times. */
function expanded(list) {
  const cells = [];
  let cell = null;
  for (const one of list) {
    if (Array.isArray(one)) {
      for (let i = 0; i < one[0]; ++i) cells.push(cell);
    } else {
      cells.push(cell = one);
    }
  }
  return cells;
}

/** Adds up differences of neighbours, in millionths, to numbers; what is not known has no difference. */
function summed(differences) {
  let sum = 0;
  return differences.map((difference) => (difference === null ? null : (sum += difference) / 1e6));
}

function columnOf({name, words, places, numbers, differences}) {
  if (words) return {name, words, places: expanded(places)};
  return {name, numbers: differences ? summed(expanded(differences)) : expanded(numbers)};
}

/** A table of the results. */
export class Table {
  /** `run` is whose table this is; empty if it is that of all runs. The prefix stands in front of the names of runs. */
  constructor({name, run, columns}, prefix = '') {
    this.name = name;
    this.run = run && prefix + run;
    this.set = prefix.replace(/ \/ $/, '');  // empty where there is but one
    this.columns = new Map(columns.map((column) => [column.name, columnOf(column)]));
    const [first] = this.columns.values();
    this.rows = first ? (first.words ? first.places : first.numbers).length : 0;
    if (prefix && this.has('run')) {
      const rows = this.rowsOf();
      this.columns.set('run', {words: rows.map((row) => prefix + this.cell('run', row)), places: rows});
    }
  }

  has(column) {
    return this.columns.has(column);
  }

  hasNumbers(column) {
    return this.columns.get(column)?.numbers?.some((number) => number !== null) ?? false;
  }

  hasWords(column) {
    return this.columns.get(column)?.words?.some((word) => word !== '') ?? false;
  }

  /** Returns a word or a number; null where the cell is empty or the column is missing. */
  cell(column, row) {
    const cells = this.columns.get(column);
    if (!cells) return null;
    return cells.words ? cells.words[cells.places[row]] || null : cells.numbers[row];
  }

  /** Returns the run that a row is about: a column says so, or it is that of the whole table. */
  runOf(row) {
    return this.run || String(this.cell('run', row) ?? '');
  }

  /** Returns those of the rows whose columns have one of the given words; columns that are missing do not count. */
  matching(rows, words = {}) {
    const conditions = Object.entries(words).filter(([column]) => this.has(column));
    return rows.filter((row) => conditions.every(([column, some]) => some.includes(this.cell(column, row))));
  }

  /** Returns the numbers of the rows that are about the run; of all rows where no run is given. */
  rowsOf(run) {
    const all = Array.from({length: this.rows}, (_, row) => row);
    return run === undefined || this.run || !this.has('run') ? all : all.filter((row) => this.runOf(row) === run);
  }
}

/** All tables of the page. Of several sets of results, runs are called after their set, too. */
export class Tables {
  constructor(sets) {
    this.list = [];
    this.prefixes = sets.map(({name}) => (sets.length > 1 ? `${name} / ` : ''));
    for (const [i, set] of sets.entries()) {
      const prefix = this.prefixes[i];
      for (const table of set.tables) this.list.push(new Table(table, prefix));
    }
    this.runs = [...new Set(this.named('runs').flatMap((table) => table.rowsOf().map((row) => table.runOf(row))))];
    const varied = this.named('varied').flatMap((table) => [...table.columns.keys()]);
    this.varied = [...new Set(varied)].filter((key) => key !== 'run');
  }

  named(name) {
    return this.list.filter((table) => table.name === name);
  }

  /** Returns the tables of a name that say something of the run; without a run, all. */
  of(name, run) {
    return this.named(name).filter((table) => run === undefined || !table.run || table.run === run);
  }
}
