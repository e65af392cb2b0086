// The study as the page sees it: its columns by name, which of them are keys, results and objectives, and which runs failed.

import {levelsOf} from './levels.js';
import {shuffled} from './sample.js';

const {quantities: betterIn} = require('../charts/run-front.json');  // quantities of which more is better are called so there

const about = new Set(['run', 'status', 'reason', 'page']);  // columns that say something of the run, not of what came out
const mostLevels = 24;
const mostWords = 60;  // of a column whose words still make an axis
const preferred = ['step_us', 'total_us'];

export class Study {
  constructor({name, version, origin, rows, columns, keys, objectives}) {
    Object.assign(this, {name, version, origin, rows});
    this.columns = new Map(columns.map((column) => [column.name, column]));
    this.named = objectives;
    this.shuffle = shuffled(rows);
    const status = this.columns.get('status');
    const failed = status.words.indexOf('failed') + 1;
    this.failed = Uint8Array.from(status.places.map((place) => (failed > 0 && place === failed ? 1 : 0)));
    this.failures = this.failed.reduce((sum, one) => sum + one, 0);
    this.keys = keys.filter((key) => this.varies(key));
    this.numbers = columns.filter((column) => !column.words && column.varies).map((column) => column.name);
    this.results = this.numbers.filter((column) => !keys.includes(column));
    this.objectives = this.pickObjectives(objectives.map(({column}) => column));
  }

  /** Returns the columns that figures begin with: those of the study, or the step time. */
  pickObjectives(named) {
    const known = named.filter((column) => this.results.includes(column));
    const picked = known.length > 0 ? known : [preferred.find((column) => this.results.includes(column)) ?? this.results[0]];
    return picked.filter((column) => column !== undefined);
  }

  /** Returns whether a key has more than one value; that it is not set counts as one. */
  varies(key) {
    const column = this.columns.get(key);
    if (column.varies) return true;
    const {ranks, count} = column.ranks();
    return count === 1 && ranks.includes(count);
  }

  column(name) {
    return this.columns.get(name);
  }

  titleOf(name) {
    return this.columns.get(name).title;
  }

  /** Titles of all columns, for choices. */
  get titles() {
    return Object.fromEntries([...this.columns].map(([name, {title}]) => [name, title]));
  }

  /** Returns whether more of a quantity is better. */
  isMoreBetter(name) {
    return this.named.find(({column}) => column === name)?.maximum ?? (betterIn[name] === 'more' || name === 'speedup');
  }

  /** Returns the levels of a key, of which "not set" is one. */
  levels(key, most = mostLevels) {
    return levelsOf(this.columns.get(key), most, true);
  }

  /** Returns whether an axis of a figure has room for the key's values. */
  fitsAxis(key) {
    return this.levels(key).labels.length <= mostWords;
  }

  /** Returns whether the column can be an axis of the parallel coordinates. */
  isAxis(name) {
    const column = this.columns.get(name);
    return !about.has(name) && column.varies && (!column.words || column.distinct <= mostWords);
  }

  /** Returns where a row lies on an axis: its number, or the place of its word; NaN for none. */
  positionsOf(name) {
    const column = this.columns.get(name);
    if (!column.words) return column.numbers;
    const {ranks, count} = column.ranks();
    column.positions ??= Float64Array.from(ranks).map((rank) => (rank === count ? NaN : rank));
    return column.positions;
  }

  runName(row) {
    return this.columns.get('run').text(row);
  }

  rowOfRun(name) {
    const {words, places} = this.columns.get('run'), place = words.indexOf(name) + 1;
    return place > 0 ? places.indexOf(place) : -1;
  }

  /** Returns the address of the run's own page, which has to lie beside this one; null where it was not kept. */
  pageOf(row) {
    const page = this.columns.get('page')?.text(row);
    return page && !/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(page.trim()) ? page.trim().replaceAll('#', '%23').replaceAll('?', '%3F') : null;
  }

  /** Returns the columns that the table begins with. */
  firstColumns() {
    const [status, reason] = this.failures > 0 ? [['status'], ['reason']] : [[], []];
    const first = ['run', ...status, ...this.objectives, ...this.keys, ...this.results.slice(0, 6), ...reason];
    return [...new Set(first)].filter((name) => this.columns.has(name));
  }

  firstAxes() {
    return [...new Set([...this.keys, ...this.objectives])].filter((name) => this.isAxis(name)).slice(0, 12);
  }
}
