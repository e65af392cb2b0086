// The order of rows: by one column, and by further ones where cells of the first are equal.

/** Puts rows in the order of a column and leaves those with equal cells as they are. Missing cells come last, whichever way. */
function sortedBy(rows, {ranks, count}, down) {
  const starts = new Uint32Array(count + 2);
  const keyOf = (row) => (ranks[row] === count || !down ? ranks[row] : count - 1 - ranks[row]);
  for (const row of rows) ++starts[keyOf(row) + 1];
  for (let i = 1; i < starts.length; ++i) starts[i] += starts[i - 1];
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) sorted[starts[keyOf(row)]++] = row;
  return sorted;
}

export function everyRow(rows) {
  return new Uint32Array(rows).map((_, row) => row);
}

/** Returns all rows in the order of `sort`, a list of {column, down}; equal rows stay in the order of the table. */
export function orderOf(rows, columns, sort) {
  return sort.toReversed().reduce((sorted, {column, down}) => sortedBy(sorted, columns.get(column).ranks(), down), everyRow(rows));
}

/** Returns those rows of an order that pass. */
export function passing(order, mask, count) {
  const rows = new Uint32Array(count);
  let next = 0;
  for (const row of order) if (mask[row]) rows[next++] = row;
  return rows;
}
