// Studies for tests of the page about studies.
import {NumberColumn, WordColumn} from '../../web/study/columns.js';
import {Study} from '../../web/study/model.js';

/** A column of numbers or of words, as the page unpacks it; null stands for a missing cell. */
export function column(name, cells, unit = '') {
  if (cells.every((cell) => cell === null || typeof cell === 'number'))
    return new NumberColumn({name, unit}, Float64Array.from(cells, (cell) => cell ?? NaN));
  const words = [...new Set(cells.filter((cell) => cell !== null))];
  return new WordColumn({name, unit}, words, Uint32Array.from(cells, (cell) => (cell === null ? 0 : words.indexOf(cell) + 1)));
}

export function columnsOf(...columns) {
  return new Map(columns.map((one) => [one.name, one]));
}

/** A study of the given columns: {name: [cells]} or {name: {cells, unit}}. */
export function studyOf(columns, {keys = [], objectives = [], failed = []} = {}) {
  const rows = Object.values(columns)[0].length;
  const run = Array.from({length: rows}, (_, i) => `r${i}`), status = run.map((_, i) => (failed.includes(i) ? 'failed' : 'ok'));
  const units = {us: 'us', bytes: 'bytes'};
  const all = Object.entries({run, status, ...columns}).map(([name, cells]) => column(name, cells, units[/[^_]*$/.exec(name)[0]] ?? ''));
  return new Study({name: 'study', version: '0', origin: null, rows, columns: all, keys, objectives});
}
