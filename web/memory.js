// What a device keeps in memory over time, of one stage or rank.

import {fittingUnit, readable, unitOf} from './units.js';

const most = 500;  // steps that a figure has room for

/** Puts the fullest of neighbours in the place of rows of which there are more than a figure has pixels. */
function fullest(table, rows) {
  const step = Math.ceil(rows.length / most);
  if (step <= 1) return rows.map((row) => ({row, start: table.cell('start_us', row)}));
  return Array.from({length: Math.ceil(rows.length / step)}, (_, i) => {
    const near = rows.slice(i * step, (i + 1) * step);
    const row = near.reduce((a, b) => (table.cell('total_bytes', b) > table.cell('total_bytes', a) ? b : a));
    return {row, start: table.cell('start_us', near[0])};
  });
}

export function memoryOf(chart, tables, run, chosen = {}) {
  const {category, end, value} = chart.columns;
  const table = tables.of(chart.table, run).find((one) => one.rows > 0 && one.hasNumbers('total_bytes'));
  if (!table) return null;
  const rows = table.rowsOf(run);
  if (rows.length === 0) return null;
  const peak = rows.reduce((a, b) => (table.cell('total_bytes', b) > table.cell('total_bytes', a) ? b : a));
  const names = [...new Set(rows.map((row) => String(table.cell(category, row))))];
  const part = names.includes(chosen.part) ? chosen.part : String(table.cell(category, peak));
  const own = rows.filter((row) => String(table.cell(category, row)) === part);
  const kinds = Object.keys(value).filter((column) => own.some((row) => table.cell(column, row) > 0));
  if (kinds.length === 0) return null;
  const steps = fullest(table, own), last = own[own.length - 1];
  steps.push({row: steps[steps.length - 1].row, start: table.cell(end, last)});
  const time = fittingUnit('us', table.cell(end, last));
  const ownPeak = own.reduce((a, b) => (table.cell('total_bytes', b) > table.cell('total_bytes', a) ? b : a));
  const size = fittingUnit('bytes', table.cell('total_bytes', ownPeak));
  const made = steps.flatMap(({row, start}, i) => kinds.map((column, order) => ({
    x: start / time.factor, end: (steps[i + 1] ?? steps[i]).start / time.factor, part: value[column], order, from: column, value: (table.cell(column, row) ?? 0) / size.factor})));
  return {
    rows: made, units: {x: time.name, value: size.name}, parts: kinds.map((column) => value[column]),
    note: `The most is ${readable(table.cell('total_bytes', ownPeak), 'bytes')}, from ${readable(table.cell('start_us', ownPeak), 'us')} on.`,
    choices: {part: names}, chosen: {part}, signals: {},
  };
}
