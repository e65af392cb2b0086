// Joins rows of links that are alike, so that a machine's thousand equal links take one row and not all the room.

import {digits} from './units.js';

/** "leaf" of "leaf12": nodes whose names differ by a number are of one kind. */
export function kindOf(node) {
  return String(node ?? '').replace(/\d+$/, '');
}

/**
 * Returns a row for each set of rows with nodes of equal kinds at their ends and equal cells in the given columns, in the
 * order of their first rows: {row, count}. Rows that stand for several links count as so many.
 */
export function alikeRows(table, rows, columns, ends) {
  const sets = new Map();
  for (const row of rows) {
    const key = JSON.stringify([...ends.map((end) => kindOf(table.cell(end, row))), ...columns.map((column) => table.cell(column, row))]);
    const count = table.cell('links', row) || 1;
    const known = sets.get(key);
    if (known) known.count += count;
    else sets.set(key, {row, count});
  }
  return [...sets.values()];
}

/** "npu0 → nvswitch0 ×512" */
export function nameOfAlike(name, count) {
  return count > 1 ? `${name} ×${digits(count, 9)}` : name;
}
