// What changes from one run to another: times, layers and links, those that change most first.

import {kindOf, nameOfAlike} from './alike.js';
import {digits, fittingUnit, readable} from './units.js';

const mostShown = 24;
const rounding = 1e-6;  // of a time: less is no change

/**
 * Returns the two runs that are compared: those that the reader has chosen, or else the first two, and of several results the
 * first of each; null without two.
 */
function pairOf(tables, chosen) {
  const runs = tables.named('runs').flatMap((table) => table.rowsOf().filter((row) => table.cell('total_us', row) !== null)
    .map((row) => table.runOf(row)));
  if (runs.length < 2) return null;
  const before = runs.includes(chosen.before) ? chosen.before : runs[0];
  const ofOthers = tables.prefixes.length > 1 ? runs.find((run) => tables.prefixes.every((prefix) => !(run.startsWith(prefix) && before.startsWith(prefix)))) : undefined;
  const after = runs.includes(chosen.after) ? chosen.after : ofOthers ?? runs.find((run) => run !== before);
  return {before, after, choices: {before: runs, after: runs}, chosen: {before, after}};
}

function differ(a, b) {
  return Math.abs(a - b) > rounding * Math.max(Math.abs(a), Math.abs(b));
}

/** Returns the rows of a figure of pairs, with a bar for each run, out of {name, before, after}. */
function pairsOf(pair, changes, unit, note, total = changes.length) {
  const parts = pair.before === pair.after ? [pair.before] : [pair.before, pair.after];
  const shown = changes.slice(0, mostShown);
  const {name, factor} = fittingUnit(unit, shown.reduce((most, {before, after}) => Math.max(most, before, after), 0));
  const rows = shown.flatMap((change) => parts.map((part, i) =>
    ({category: change.name, part, value: (i === 0 ? change.before : change.after) / factor})));
  const left = shown.length < total ? `${digits(shown.length)} of ${digits(total, 9)} are shown, those that change most.` : '';
  return {rows, units: {value: name}, parts, signals: {}, choices: pair.choices, chosen: pair.chosen,
          note: [left, note].filter(Boolean).join(' ')};
}

function cellsOf(tables, run, columns) {
  for (const table of tables.named('runs')) {
    const [row] = table.rowsOf(run).filter((one) => table.runOf(one) === run);
    if (row !== undefined) return columns.map((column) => (table.cell(column, row) ?? 0) / (table.cell('iterations', row) || 1));
  }
  return columns.map(() => 0);
}

/** Says by what factor a run takes longer. */
function verdictOf({before, after}, [first], [second]) {
  if (!(first > 0) || !(second > 0)) return '';
  const factor = digits(Math.max(first, second) / Math.min(first, second), 3);
  if (factor === '1') return `${after} takes as long as ${before}: ${readable(second, 'us')}.`;
  return `${after} is ${factor} times as ${second > first ? 'slow' : 'fast'} as ${before}: ${readable(second, 'us')} instead of ${readable(first, 'us')}.`;
}

export function changedTimesOf(chart, tables, run, chosen = {}) {
  const pair = pairOf(tables, chosen);
  if (!pair) return null;
  const columns = Object.keys(chart.columns.value);
  const first = cellsOf(tables, pair.before, columns), second = cellsOf(tables, pair.after, columns);
  const changes = columns.map((column, i) => ({name: chart.columns.value[column], before: first[i], after: second[i]}))
    .filter(({before, after}) => before > 0 || after > 0);
  return changes.length > 0 ? pairsOf(pair, changes, 'us', verdictOf(pair, first, second)) : null;
}

/** Returns the numbers of the rows of a run by what names them; several of one name are numbered. */
function rowsByName(tables, name, run, nameOf) {
  const found = new Map(), times = new Map();
  for (const table of tables.of(name, run)) {
    for (const row of table.rowsOf(run)) {
      const own = nameOf(table, row), time = times.get(own) ?? 0;
      times.set(own, time + 1);
      found.set(`${own}\n${time}`, {table, row});
    }
  }
  return found;
}

export function changedLayersOf(chart, tables, run, chosen = {}) {
  const pair = pairOf(tables, chosen);
  if (!pair) return null;
  const nameOf = (table, row) => String(table.cell('layer', row));
  const [first, second] = [pair.before, pair.after].map((one) => rowsByName(tables, chart.table, one, nameOf));
  const timeOf = (found) => (found ? (found.table.cell('compute_us', found.row) ?? 0) + (found.table.cell('exposed_us', found.row) ?? 0) : 0);
  const changes = [...new Set([...first.keys(), ...second.keys()])].map((key) =>
    ({name: key.split('\n')[0], before: timeOf(first.get(key)), after: timeOf(second.get(key))}))
    .filter(({before, after}) => differ(before, after)).sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return first.size > 0 && changes.length > 0 ? pairsOf(pair, distinct(changes), 'us', '') : null;
}

/** Layers of one name would share a row. */
function distinct(changes) {
  const times = new Map();
  return changes.map((change) => {
    const time = (times.get(change.name) ?? 0) + 1;
    times.set(change.name, time);
    return time > 1 ? {...change, name: `${change.name} (${time})`} : change;
  });
}

/** Joins changes of links between nodes of equal kinds that change alike. */
function joined(changes) {
  const sets = new Map();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.before, change.after]);
    const known = sets.get(key);
    if (known) known.count += change.count;
    else sets.set(key, {...change});
  }
  return [...sets.values()].map((change) => ({...change, name: nameOfAlike(change.name, change.count)}));
}

export function changedLinksOf(chart, tables, run, chosen = {}) {
  const pair = pairOf(tables, chosen);
  if (!pair) return null;
  const ends = (table, row) => [table.cell('from', row), table.cell('to', row)];
  const nameOf = (table, row) => JSON.stringify([table.cell('dimension', row), ...ends(table, row), table.cell('links', row)]);
  const [first, second] = [pair.before, pair.after].map((one) => rowsByName(tables, chart.table, one, nameOf));
  const changes = [];
  let asBusy = 0, unknown = 0;
  for (const [key, {table, row}] of first) {
    const other = second.get(key), count = table.cell('links', row) || 1;
    if (!other) {
      unknown += count;
      continue;
    }
    const cell = (column) => [table.cell(column, row) ?? 0, other.table.cell(column, other.row) ?? 0];
    const [before, after] = cell('utilization');
    if (!differ(...cell('busy_ns'))) asBusy += count;
    else changes.push({name: ends(table, row).join(' → '), kind: ends(table, row).map(kindOf), count, before, after});
  }
  if (changes.length === 0) return null;
  changes.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  const notes = [
    asBusy > 0 ? `Left out because they are busy for as long in both runs: ${digits(asBusy, 9)}.` : '',
    unknown > 0 ? `Left out because they are not found in both runs: ${digits(unknown, 9)}.` : '',
  ];
  return pairsOf(pair, distinct(joined(changes)), 'share', notes.filter(Boolean).join(' '));
}
