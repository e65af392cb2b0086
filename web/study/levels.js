// The values of a column as a few levels, for axes, lines and groups.

import {readable} from '../units.js';
import {lowerBound} from './columns.js';

export const notSet = 'not set';

/** Many numbers become ranges with about equally many rows in each. Returns the lower ends of the ranges. */
function edgesOf(numbers, most) {
  const sorted = numbers.filter((number) => !Number.isNaN(number)).sort();
  const edges = Array.from({length: most}, (_, i) => sorted[Math.floor((i * sorted.length) / most)]);
  return {sorted, edges: edges.filter((edge, i) => i === 0 || edge !== edges[i - 1])};
}

/** Returns the last place in a sorted list whose number is not above `number`. */
function lastAtMost(sorted, number) {
  const place = lowerBound(sorted, number);
  return sorted[place] === number ? place : place - 1;
}

/** `textOf` makes a text of a number. */
function binned(numbers, unit, textOf, most) {
  const {sorted, edges} = edgesOf(numbers, most);
  const ends = edges.map((edge, i) => {
    const begin = lowerBound(sorted, edge), end = i + 1 < edges.length ? lowerBound(sorted, edges[i + 1]) : sorted.length;
    return {low: edge, high: sorted[end - 1], middle: sorted[(begin + end - 1) >> 1]};
  });
  return {
    isBinned: true, unit, numbers: ends.map(({middle}) => middle),
    labels: ends.map(({low, high}) => (low === high ? textOf(low) : `${textOf(low)} to ${textOf(high)}`)),
    of: Int32Array.from(numbers.map((number) => (Number.isNaN(number) ? -1 : lastAtMost(edges, number)))),
  };
}

/** Different numbers may look alike with four digits; then they have more. */
function labelsOf(column, values) {
  const labels = values.map((value) => column.textOf(value));
  return new Set(labels).size === labels.length ? labels : values.map((value) => `${value}${column.unit && ` ${column.unit}`}`);
}

function levelsOfRanks(ranks, count) {
  return Int32Array.from(ranks).map((rank) => (rank === count ? -1 : rank));
}

function ofNumbers(column, most) {
  const values = column.values();
  if (values.length > most) return binned(column.numbers, column.unit, (number) => column.textOf(number), most);
  const {ranks, count} = column.ranks();
  return {isBinned: false, unit: column.unit, numbers: [...values], labels: labelsOf(column, [...values]),
          of: levelsOfRanks(ranks, count)};
}

function ofWords(column, most) {
  const {ranks, count} = column.ranks(), quantities = column.quantities();
  if (quantities && count > most) {
    const numbers = Float64Array.from(column.places).map((place) => (place === 0 ? NaN : quantities.numbers[place - 1]));
    return binned(numbers, quantities.unit, (number) => readable(number, quantities.unit), most);
  }
  const numbers = quantities && column.inOrder().map((word) => quantities.numbers[word]);
  return {isBinned: false, unit: quantities?.unit ?? '', numbers,
          labels: column.inOrder().map((word) => column.words[word]), of: levelsOfRanks(ranks, count)};
}

/**
 * Returns the levels of a column: `of` has the level of each row, `labels` what levels are called and `numbers` where they lie on
 * a scale, or null. Numbers, and texts that are quantities, of more than `most` values are put together to ranges. Rows without a value have the level -1; with
 * `withMissing` they have one of their own, the last.
 */
export function levelsOf(column, most, withMissing = false) {
  column.leveled ??= new Map();
  const key = `${most} ${withMissing}`;
  if (!column.leveled.has(key)) {
    const levels = column.words ? ofWords(column, most) : ofNumbers(column, most);
    if (withMissing && levels.of.includes(-1)) {
      levels.of = levels.of.map((level) => (level < 0 ? levels.labels.length : level));
      levels.labels.push(notSet);
      levels.numbers = null;
    }
    column.leveled.set(key, levels);
  }
  return column.leveled.get(key);
}
