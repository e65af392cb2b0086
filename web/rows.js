// Makes the rows that a figure draws out of tables, as the declaration of a chart says (docs/report.md): each row has
// the roles of the chart's form, which are filled from columns.

import {alikeRows, nameOfAlike} from './alike.js';
import {fittingUnit, unitOf} from './units.js';

/** Returns the roles that a single column fills, as [role, column] pairs. */
function singlesOf(chart) {
  return Object.entries(chart.columns).filter(([role]) => role !== 'value' && role !== 'match');
}

/** Returns the columns of a table that make up the chart's value, as [column, part] pairs. */
function valuesOf(chart, table) {
  const {value, match} = chart.columns;
  const expression = match && new RegExp(match);
  const pairs = match ? [...table.columns.keys()].map((name) => [name, expression.exec(name)?.[1]]) : Object.entries(value);
  return pairs.filter(([name, part]) => part && table.hasNumbers(name));
}

/** Says whether a table has what the chart needs: all single columns, and one of those that make up its value. */
function suits(chart, table) {
  return table.rows > 0 && singlesOf(chart).every(([, name]) => table.has(name)) && valuesOf(chart, table).length > 0;
}

/** Returns the rows that are about the run and that the chart's conditions let through. */
function candidates(chart, table, run) {
  const rows = table.matching(table.rowsOf(run), chart.where);
  const {above} = chart;
  return above ? rows.filter((row) => Object.entries(above).some(([name, least]) => table.cell(name, row) > least)) : rows;
}

/** Returns the foremost of the rows, in their order, where there are more than the chart shows. */
function kept(chart, table, rows) {
  const {most, by, ascending} = chart.keep ?? {};
  if (!most || rows.length <= most) return rows;
  const rank = (row) => (table.cell(by, row) ?? 0) * (ascending ? 1 : -1);
  const best = new Set([...rows].sort((a, b) => rank(a) - rank(b)).slice(0, most));
  return rows.filter((row) => best.has(row));
}

/** Returns rows in the order of the column by which they are kept, the largest first. */
function ranked(chart, table, rows) {
  const {by} = chart.keep;
  return [...rows].sort((a, b) => (table.cell(by, b) ?? 0) - (table.cell(by, a) ?? 0));
}

/** Returns what fills a role in a row; several columns are joined as the two ends of a link are. */
function filled(chart, table, role, name, row) {
  return chart.join?.[role] ? chart.join[role].map((column) => table.cell(column, row) ?? '').join(' → ') : table.cell(name, row);
}

/** Gives rows of one category numbers, so that they do not count for one. */
class Distinct {
  constructor() {
    this.times = new Map();
  }
  name({category, split, start}) {
    if (category === undefined) return category;
    const key = JSON.stringify([category, split, start]);
    const times = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, times);
    return times > 1 ? `${category} (${times})` : category;
  }
}

function rowsOfTable(chart, table, chosen, counts) {
  const made = [];
  const singles = singlesOf(chart), values = valuesOf(chart, table), distinct = new Distinct();
  for (const row of chosen) {
    const common = Object.fromEntries(singles.map(([role, name]) => [role, filled(chart, table, role, name, row)]));
    if (counts) common.category = nameOfAlike(common.category, counts.get(row));
    common.category = distinct.name(common);
    const divisor = chart.per ? table.cell(chart.per, row) || 1 : 1;
    for (const [name, part] of values) {
      const value = table.cell(name, row);
      if (value !== null) made.push({...common, part: common.split ?? part, value: value / divisor, from: name});
    }
  }
  return made;
}

/** Puts the means of neighbours in the place of rows of which there are more than a figure has pixels. */
function thinned(rows, most) {
  const parts = new Set(rows.map((row) => row.part));
  return [...parts].flatMap((part) => {
    const line = rows.filter((row) => row.part === part);
    const step = Math.ceil(line.length / most);
    if (step <= 1) return line;
    return Array.from({length: Math.ceil(line.length / step)}, (_, i) => {
      const near = line.slice(i * step, (i + 1) * step);
      return {...near[0], value: near.reduce((sum, row) => sum + row.value, 0) / near.length};
    });
  });
}

/** Scales the numbers of some roles so that they have few digits, and returns the unit that they then have. */
function scale(rows, roles, unit) {
  const largest = rows.reduce((most, row) => roles.reduce((so, role) => Math.max(so, Math.abs(row[role] ?? 0)), most), 0);
  const {name, factor} = fittingUnit(unit, largest);
  for (const row of rows) for (const role of roles) row[role] /= factor;
  return name;
}

/**
 * Returns the rows of a chart, the units of their roles, and how many of the table's rows are shown; null where the
 * tables have nothing for the chart.
 */
export function rowsOf(chart, tables, chosenRun) {
  const run = chart.scope === 'run' ? chosenRun : undefined;
  const rows = [];
  let total = 0, shown = 0;
  for (const table of tables.of(chart.table, run).filter((one) => suits(chart, one))) {
    const sets = chart.alike && alikeRows(table, candidates(chart, table, run), chart.alike, chart.join.category);
    const counts = sets && new Map(sets.map(({row, count}) => [row, count]));
    const all = sets ? ranked(chart, table, sets.map(({row}) => row)) : candidates(chart, table, run), some = kept(chart, table, all);
    total += all.length;
    shown += some.length;
    for (const row of rowsOfTable(chart, table, some, counts)) rows.push(row);
  }
  const parts = new Set(rows.filter((row) => row.value !== 0).map((row) => row.part));
  if (parts.size === 0 || total < (chart.least ?? 1)) return null;
  if (chart.several && new Set(rows.map((row) => row[chart.several])).size < 2) return null;
  const some = rows.filter((row) => parts.has(row.part));  // a part that is nothing anywhere needs no colour
  const drawn = chart.thin ? thinned(some, chart.thin) : some;
  const units = {value: scale(drawn, ['value'], chart.unit ?? unitOf(drawn[0].from))};
  if (chart.scaled) units[chart.scaled[0]] = scale(drawn, chart.scaled, unitOf(chart.columns[chart.scaled[0]]));
  const xDomain = drawn.reduce(([low, high], {x}) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  return {rows: drawn, units, shown, total, parts: [...parts], signals: {...chart.signals, xDomain}};
}
