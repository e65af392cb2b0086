// The rows of tables as texts, below one another: for lists and CSV files.

/** Returns the names of all columns and up to `most` rows of their cells; the first column is the run where the tables lack it. */
export function listed(tables, run, most = Infinity) {
  const columns = [...new Set(tables.flatMap((table) => [...table.columns.keys()]))];
  const withRun = tables.some((table) => table.run) && !columns.includes('run');
  const rows = [];
  let total = 0;
  for (const table of tables) {
    const places = table.rowsOf(run);
    total += places.length;
    for (const place of places.slice(0, most - rows.length)) {
      const cells = columns.map((column) => String(table.cell(column, place) ?? ''));
      rows.push(withRun ? [table.run, ...cells] : cells);
    }
  }
  return {names: withRun ? ['run', ...columns] : columns, rows, total};
}

function csvCell(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(tables, run) {
  const {names, rows} = listed(tables, run);
  return [names, ...rows].map((row) => row.map(csvCell).join(',') + '\n').join('');
}
