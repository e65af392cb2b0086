// Tables for tests of the page, and its charts.
import {overview, sections} from '../../web/charts.js';
import {Tables} from '../../web/tables.js';

export const two = [1, 2], names = ['a', 'b'];

export const charts = [overview, ...sections.flatMap((section) => section.charts)];

/** A table as the page holds it, of columns of numbers or words. */
export function table(name, run, columns) {
  return {name, run, columns: Object.entries(columns).map(([column, cells]) => {
    if (cells.every((cell) => cell === null || typeof cell === 'number')) return {name: column, numbers: cells};
    const words = [...new Set(cells)];
    return {name: column, words, places: cells.map((cell) => words.indexOf(cell))};
  })};
}

/** Units stand behind their numbers after a space that does not break. */
export function plain(text) {
  return text.replaceAll('\u00a0', ' ');
}

export function tablesOf(...tables) {
  return new Tables([{name: 'set', origin: null, tables}]);
}
