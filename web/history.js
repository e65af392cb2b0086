// What links carry over time: link by link, or the busiest of each level of the network.

import {fittingUnit, unitOf} from './units.js';

const allLevels = 'all levels';
const perSecond = 1e6;  // bytes per us in bytes per second

/** Returns what a link carries in an interval in bytes per second, or the cell of another column. */
function valueOf(table, row, column) {
  if (column !== 'rate') return table.cell(column, row);
  const length = table.cell('end_us', row) - table.cell('start_us', row);
  return length > 0 ? (table.cell('bytes', row) ?? 0) / length * perSecond : null;
}

function unitOfQuantity(column) {
  return column === 'rate' ? 'B/s' : column === 'longest_queue' ? 'bytes' : unitOf(column);
}

function levelOf(table, row) {
  return String(table.cell('level', row) ?? '');
}

/** Divides the numbers of some roles so that they have few digits, and returns the unit that they then have. */
function scale(rows, roles, unit) {
  const largest = rows.reduce((most, row) => roles.reduce((so, role) => Math.max(so, row[role]), most), 0);
  const {name, factor} = fittingUnit(unit, largest);
  for (const row of rows) for (const role of roles) row[role] /= factor;
  return name;
}

function tableFor(chart, tables, run) {
  return tables.of(chart.table, run).find((one) => one.rows > 0 && one.has('start_us') && one.hasNumbers('bytes'));
}

/** Links of a name are told apart by numbers: several cables may join two nodes. */
function namesOfLinks(table, rows) {
  const times = new Map();
  return rows.map((row) => {
    const name = `${table.cell('from', row)} → ${table.cell('to', row)}`, key = `${name} ${table.cell('start_us', row)}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    return times.get(key) > 1 ? `${name} (${times.get(key)})` : name;
  });
}

export function historyOf(chart, tables, run, chosen = {}) {
  const table = tableFor(chart, tables, run);
  if (!table) return null;
  const all = table.rowsOf(run);
  const levels = [...new Set(all.map((row) => levelOf(table, row)))].filter(Boolean);
  const options = levels.length > 1 ? [allLevels, ...levels] : levels;
  const level = options.includes(chosen.level) ? chosen.level : options[0];
  const quantities = Object.keys(chart.columns.value).filter((column) => column === 'rate' || table.hasNumbers(column));
  if (quantities.length === 0) return null;
  const value = quantities.includes(chosen.value) ? chosen.value : quantities[0];
  const names = namesOfLinks(table, all);
  const rows = all.map((row, i) => ({category: names[i], level: levelOf(table, row), start: table.cell('start_us', row),
                                     end: table.cell('end_us', row), value: valueOf(table, row, value) ?? 0, part: value}))
    .filter((row) => level === allLevels || level === undefined || row.level === level);
  if (rows.length === 0 || rows.every((row) => row.value === 0)) return null;
  const units = {value: scale(rows, ['value'], unitOfQuantity(value)), start: scale(rows, ['start', 'end'], 'us')};
  return {rows, units, parts: [value], signals: {}, titles: {value: chart.columns.value[value]},
          choices: {level: options, value: quantities}, chosen: {level, value}};
}

/** Returns what the busiest link of each level carries in each interval. */
export function levelsOf(chart, tables, run) {
  const table = tableFor(chart, tables, run);
  if (!table) return null;
  const most = new Map();
  let last = 0;
  for (const row of table.rowsOf(run)) {
    const level = levelOf(table, row), start = table.cell('start_us', row);
    last = Math.max(last, table.cell('end_us', row));
    const known = most.get(`${level} ${start}`) ?? {x: start, part: level || 'all links', value: 0};
    known.value = Math.max(known.value, valueOf(table, row, 'rate') ?? 0);
    most.set(`${level} ${start}`, known);
  }
  const rows = [...most.values()].sort((a, b) => a.x - b.x), parts = [...new Set(rows.map((row) => row.part))];
  if (rows.every((row) => row.value === 0)) return null;
  for (const part of parts) rows.push({...rows.filter((row) => row.part === part).at(-1), x: last});
  const units = {value: scale(rows, ['value'], 'B/s'), x: scale(rows, ['x'], 'us')};
  return {rows, units, parts, signals: {}};
}
