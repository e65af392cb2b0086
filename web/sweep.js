// Runs of an experiment against the keys in which they differ.

import {inOrder, quantityIn} from './quantity.js';
import {fittingUnit, unitOf} from './units.js';

const quantities = require('./quantities.json');

const mostSeries = 9;

/** A table of runs, with the keys in which they differ and the size of the machine. */
class Sweep {
  /** `varied` has what runs say of these keys, as it is written, where the table of runs has it in a unit of its own. */
  constructor(table, keys, varied) {
    this.table = table;
    this.rows = table.rowsOf();
    this.varied = varied;
    this.places = new Map(varied?.rowsOf().map((row) => [varied.runOf(row), row]));
    this.keys = [...keys, 'npus'].filter((key) => (table.has(key) || varied?.has(key)) && this.valuesOf(key).length > 1);
  }

  /** Returns what the run of a row says of a key; null where it does not set it. */
  cell(key, row) {
    if (this.table.has(key)) return this.table.cell(key, row);
    const place = this.places.get(this.table.runOf(row));
    return place === undefined ? null : this.varied.cell(key, place);
  }

  /** Returns the values of a key, each once; null stands for runs that do not set it. */
  valuesOf(key) {
    return [...new Set(this.rows.map((row) => this.cell(key, row)))];
  }

  /** Returns whether all values of a key are numbers of one unit, so that they make a scale. */
  isNumeric(key) {
    const values = this.valuesOf(key).filter((value) => value !== null).map(quantityIn);
    return values.length > 1 && values.every((value) => value !== null && value.unit === values[0].unit);
  }

  unitOf(key) {
    return this.isNumeric(key) ? quantityIn(this.valuesOf(key).find((value) => value !== null)).unit : '';
  }

  /** Returns a value of the key as its scale has it. */
  at(key, row) {
    const value = this.cell(key, row);
    return value !== null && this.isNumeric(key) ? quantityIn(value).number : value;
  }

  /** Keys with many numbers come first. */
  keysByUse() {
    const use = (key) => this.valuesOf(key).length + (this.isNumeric(key) ? 1e6 : 0);
    return [...this.keys].sort((a, b) => use(b) - use(a));
  }

  /** Returns what a run has of the keys, without those that follow from others. */
  nameOf(row, keys) {
    return keys.map((key) => this.cell(key, row) ?? 'not set').join(', ');
  }
}

function sweepOf(chart, tables) {
  const [table] = tables.of(chart.table);
  if (!table || tables.named(chart.table).length > 1) return null;  // sets of their own differ in keys of their own
  const [varied] = chart.table === 'runs' ? tables.named('varied') : [];
  const sweep = new Sweep(table, tables.varied, varied);
  const values = chart.values.filter((column) => table.hasNumbers(column));
  return sweep.keys.length > 0 && values.length > 0 ? {sweep, values} : null;
}

/** Says how many runs are not among the points, as they lack a key. */
function noteOf(sweep, points, keys) {
  const missing = sweep.rows.length - points.length;
  return missing > 0 ? `${missing} of ${sweep.rows.length} runs do not set ${keys.join(' and ')}, or failed, and are left out.` : '';
}

/** Of runs that share a place, the one that the chart calls best counts. */
function best(chart, rows, keyOf) {
  const better = (a, b) => (chart.more?.includes(a.from) ? a.value > b.value : a.value < b.value);
  const kept = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!kept.has(key) || better(row, kept.get(key))) kept.set(key, row);
  }
  return [...kept.values()];
}

function scaled(rows, role, unit) {
  const {name, factor} = fittingUnit(unit, rows.reduce((most, row) => Math.max(most, row[role]), 0));
  for (const row of rows) row[role] /= factor;
  return name;
}

function pointsOf(sweep, column, xOf, others) {
  return sweep.rows.map((row) => ({
    x: xOf(row), part: sweep.nameOf(row, others), value: sweep.table.cell(column, row),
    run: sweep.table.runOf(row), from: column,
  })).filter((point) => point.x !== null && point.value !== null);
}

/** Returns the keys besides `x` that tell runs apart which `x` does not. */
function othersOf(sweep, x) {
  const rest = sweep.keys.filter((key) => key !== x && key !== 'npus');
  return rest.filter((key) => {
    const seen = new Map();
    return sweep.rows.some((row) => {
      const at = sweep.cell(x, row), value = sweep.cell(key, row);
      if (!seen.has(at)) seen.set(at, value);
      return seen.get(at) !== value;
    });
  });
}

/** A curve for each combination of the other keys; where these are many, one of the best runs. */
export function curvesOf(chart, tables, run, chosen = {}) {
  const found = sweepOf(chart, tables);
  if (!found) return null;
  const {sweep, values} = found;
  const keys = sweep.keysByUse().filter((key) => sweep.isNumeric(key));
  if (keys.length === 0) return null;
  const x = chosen.x ?? keys[0], value = chosen.value ?? values[0];
  let rows = pointsOf(sweep, value, (row) => sweep.at(x, row), othersOf(sweep, x));
  const note = noteOf(sweep, rows, [x]);
  if (new Set(rows.map((row) => row.part)).size > mostSeries) for (const row of rows) row.part = 'best of the others';
  rows = best(chart, rows, (row) => JSON.stringify([row.x, row.part]));
  if (rows.length < 2) return null;
  const units = {x: scaled(rows, 'x', sweep.unitOf(x)), value: scaled(rows, 'value', unitOf(value))};
  const parts = new Set(rows.map((row) => row.part));
  if (parts.size === 1) for (const row of rows) row.part = quantities[value] ?? value;  // other keys tell no curves apart
  const places = [...new Set(rows.map((row) => row.x))];
  const ends = [Math.min(...places), Math.max(...places)];
  return {
    rows, units, parts: [...new Set(rows.map((row) => row.part))], note,
    titles: {x, value}, choices: {x: keys, value: values}, chosen: {x, value},
    signals: {
      xScale: ends[0] > 0 && ends[1] / ends[0] >= 8 ? 'log' : 'linear', xDomain: ends,
      xTicks: places.length <= 12 ? places : null,
    },
  };
}

/** The best run of each pair of values of two keys. */
export function gridOf(chart, tables, run, chosen = {}) {
  const found = sweepOf(chart, tables);
  if (!found) return null;
  const {sweep, values} = found;
  const keys = sweep.keysByUse().filter((key) => key !== 'npus');
  if (keys.length < 2) return null;
  const x = chosen.x ?? keys[0], value = chosen.value ?? values[0];
  const y = (chosen.y ?? keys[1]) !== x ? chosen.y ?? keys[1] : keys.find((key) => key !== x);
  const points = pointsOf(sweep, value, (row) => sweep.cell(x, row), [y]).map((point) => ({...point, y: point.part}));
  const note = noteOf(sweep, points, [x, y]);
  const rows = best(chart, points, (row) => JSON.stringify([row.x, row.y]));
  if (rows.length < 4) return null;
  const units = {value: scaled(rows, 'value', unitOf(value))};
  const longest = rows.reduce((most, row) => Math.max(most, String(row.x).length), 0);
  return {
    rows, units, parts: [], note,
    titles: {x, y, value},
    choices: {x: keys, y: keys, value: values}, chosen: {x, y, value},
    signals: {longest, xDomain: inOrder(new Set(rows.map((row) => row.x))), yDomain: inOrder(new Set(rows.map((row) => row.y)))},
  };
}
