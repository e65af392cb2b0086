// Filters as people write and read them.

import {quantityIn} from '../quantity.js';
import {fittingUnit} from '../units.js';
import {counted} from './columns.js';

const number = String.raw`[^<>=]+?`;
const forms = [
  [new RegExp(`^(${number})\\s*(?:\\.\\.|…)\\s*(${number})$`), (low, high) => [low, high]],
  [new RegExp(`^>=?\\s*(${number})$`), (low) => [low, null]],
  [new RegExp(`^<=?\\s*(${number})$`), (high) => [null, high]],
  [new RegExp(`^(${number})\\s*(?:\\.\\.|…)$`), (low) => [low, null]],
  [new RegExp(`^(?:\\.\\.|…)\\s*(${number})$`), (high) => [null, high]],
  [new RegExp(`^=?\\s*(${number})$`), (one) => [one, one]],
];

/** Returns a number as the column has it: "5 ms" is 5000 in microseconds, and "10 %" a share of 0.1; NaN for anything else. */
export function numberIn(text, unit) {
  const percent = /^(-?[\d.]+(?:e[-+]?\d+)?)\s*%$/.exec(text.trim());
  if (percent) return unit === 'share' ? percent[1] / 100 : NaN;
  const found = quantityIn(text.trim());
  if (!found) return NaN;
  if (found.unit === '' || found.unit === unit) return found.number;
  if (found.unit === 'us' && unit === 's') return found.number / 1e6;
  return found.unit === 'us' && unit === 'ns' ? found.number * 1e3 : NaN;
}

/**
 * Returns the condition that a text such as "5 ms .. 8 ms", "> 3" or "8" puts on a column; for words that the text stands in them.
 * Null for an empty text, undefined where it says nothing of the column. `>` lets equal numbers pass, as `>=` does.
 */
export function conditionIn(column, text) {
  if (text.trim() === '') return null;
  if (column.words) return {kind: 'has', text: text.trim()};
  for (const [form, ends] of forms) {
    const found = form.exec(text.trim());
    if (!found) continue;
    const [low, high] = ends(...found.slice(1)).map((end) => (end === null || end === undefined ? null : numberIn(end, column.unit)));
    if (Number.isNaN(low) || Number.isNaN(high)) return undefined;
    return {kind: 'range', low: low ?? -Infinity, high: high ?? Infinity};
  }
  return undefined;
}

/** Returns a number with a unit that fits, or without one where that would change the number. */
function exactText(number, unit) {
  const {name, factor} = fittingUnit(unit, Math.abs(number)), text = `${Number((number / factor).toPrecision(12))} ${name}`.trim();
  return numberIn(text, unit) === number ? text : String(number);
}

/** Returns the text that conditionIn() makes this condition of. */
export function textOf(column, condition) {
  if (!condition) return '';
  if (condition.kind !== 'range') return condition.text ?? '';
  const {low, high} = condition, [from, to] = [low, high].map((end) => (Number.isFinite(end) ? exactText(end, column.unit) : ''));
  return low === high ? from : from === '' ? `<= ${to}` : to === '' ? `>= ${from}` : `${from} .. ${to}`;
}

/** Returns a condition in words, without the name of the column. */
export function conditionWords(column, condition) {
  const {kind, words, text, low, high} = condition;
  if (kind === 'has') return `has “${text}”`;
  if (kind === 'like') return `is “${text}”`;
  if (kind === 'some') {
    if (words.length > 3) return `is one of ${counted(words.length)} values`;
    return words.length === 0 ? 'is none of the values' : `is ${words.map((word) => word || 'not set').join(' or ')}`;
  }
  if (low === high) return `is ${column.textOf(low)}`;
  if (!Number.isFinite(low) && !Number.isFinite(high)) return 'is known';
  if (!Number.isFinite(low)) return `is at most ${column.textOf(high)}`;
  return Number.isFinite(high) ? `is from ${column.textOf(low)} to ${column.textOf(high)}` : `is at least ${column.textOf(low)}`;
}
