// Tables as CSV files, in the form in which runs write them.

function csvCell(value) {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the rows of tables below one another; the first column is the run where the tables do not have it. */
export function csvOf(tables, run) {
  const names = [...new Set(tables.flatMap((table) => [...table.columns.keys()]))];
  const withRun = tables.some((table) => table.run) && !names.includes('run');
  const lines = [(withRun ? ['run', ...names] : names).map(csvCell).join(',')];
  for (const table of tables)
    for (const row of table.rowsOf(run)) {
      const cells = names.map((name) => csvCell(table.cell(name, row)));
      lines.push((withRun ? [csvCell(table.run), ...cells] : cells).join(','));
    }
  return lines.join('\n') + '\n';
}
