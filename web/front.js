// Runs, or layouts, by two quantities, with the front of those that no other beats in both.

import {fittingUnit, unitOf} from './units.js';

const mostNamed = 12, nearX = 0.25, nearY = 0.06;  // shares of what is shown

/** Marks the points that no other one is better than in one quantity without being worse in the other. */
function markFront(rows, moreX, moreY) {
  const x = (row) => (moreX ? -row.x : row.x), y = (row) => (moreY ? -row.value : row.value);
  const order = [...rows].sort((a, b) => x(a) - x(b) || y(a) - y(b));
  let least = Infinity;
  for (const row of order) {
    row.front = y(row) < least;
    least = Math.min(least, y(row));
  }
}

/** Says which points have room for their names: of those that are near one another, the first. */
function nameApart(rows) {
  const [width, height] = ['x', 'value'].map((role) => {
    const all = rows.map((row) => row[role]);
    return Math.max(...all) - Math.min(...all) || 1;
  });
  const named = [];
  for (const row of rows.length <= mostNamed ? rows : []) {
    row.named = named.every((other) => Math.abs(other.x - row.x) / width > nearX || Math.abs(other.value - row.value) / height > nearY);
    if (row.named) named.push(row);
  }
}

function scaled(rows, role, column) {
  const {name, factor} = fittingUnit(unitOf(column), rows.reduce((most, row) => Math.max(most, row[role]), 0));
  for (const row of rows) row[role] /= factor;
  return name;
}

export function frontOf(chart, tables, run, chosen = {}) {
  const suitable = tables.of(chart.table);
  const columns = Object.keys(chart.quantities).filter((column) =>
    suitable.some((table) => table.hasNumbers(column) && new Set(table.columns.get(column).numbers).size > 1));
  if (columns.length < 2) return null;
  const value = chosen.value ?? columns[0];
  const x = (chosen.x ?? columns[1]) !== value ? chosen.x ?? columns[1] : columns.find((column) => column !== value);
  const rows = [];
  for (const table of suitable) {
    for (const row of table.matching(table.rowsOf(), chart.where)) {
      const point = {x: table.cell(x, row), value: table.cell(value, row), part: joined(chart, table, row), from: value};
      if (point.x !== null && point.value !== null) rows.push(point);
    }
  }
  if (rows.length < 3) return null;
  markFront(rows, chart.quantities[x] === 'more', chart.quantities[value] === 'more');
  nameApart(rows);
  const units = {x: scaled(rows, 'x', x), value: scaled(rows, 'value', value)};
  const signals = {stepping: chart.quantities[x] === 'more' ? 'step-before' : 'step-after'};
  return {rows, units, parts: ['front', 'others'], signals, titles: {x, value}, choices: {x: columns, value: columns}, chosen: {x, value}};
}

function joined(chart, table, row) {
  return chart.names.filter((column) => table.has(column)).map((column) =>
    `${chart.names.length > 1 ? `${column} ` : ''}${table.cell(column, row) ?? ''}`).join(', ');
}
