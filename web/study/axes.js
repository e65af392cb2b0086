// The axes of the parallel coordinates: where values lie on them, from 0 at the bottom to 1 at the top, and what a brush means.

import {scaleLinear, scaleLog, scalePoint} from 'd3-scale';
import {digits, fittingUnit} from '../units.js';

const logarithmic = {few: 8, many: 50};  // an axis whose largest number is so many times its smallest
const mostTicks = 5, mostWords = 12;
const nearest = 0.035;  // of an axis, between two labels

/** Returns those ticks that have room for their labels. */
function apart(ticks) {
  const kept = [];
  for (const tick of ticks) if (kept.length === 0 || tick.at - kept.at(-1).at >= nearest) kept.push(tick);
  return kept;
}

/** Returns ticks at numbers that are round in the unit that fits the largest. */
function roundTicks(scale, {unit}, [low, high]) {
  const {name, factor} = fittingUnit(unit, Math.max(Math.abs(low), Math.abs(high)));
  const ticks = scale.copy().domain([low / factor, high / factor]).ticks(mostTicks), step = Math.ceil(ticks.length / (2 * mostTicks));
  return ticks.filter((_, i) => i % step === 0).map((value) => ({at: scale(value * factor), label: `${digits(value)}${name && `\u00a0${name}`}`}));
}

function numberAxis(column) {
  const values = column.values(), low = values[0], high = values[values.length - 1];
  const few = values.length <= mostWords;
  const isLog = low > 0 && high / low >= (few ? logarithmic.few : logarithmic.many);
  const scale = (isLog ? scaleLog() : scaleLinear()).domain([low, high]).range([0, 1]);
  const ticks = few ? [...values].map((value) => ({at: scale(value), label: column.textOf(value)})) : roundTicks(scale, column, [low, high]);
  return {isLog, at: scale, valueAt: scale.invert, ticks: apart(ticks)};
}

function wordAxis(column) {
  const labels = column.inOrder().map((word) => column.words[word]);
  const scale = scalePoint().domain(labels.map((_, i) => i)).range([0, 1]).padding(0.3);
  const step = Math.ceil(labels.length / mostWords);
  return {
    isLog: false, labels, at: scale,
    ticks: labels.map((label, i) => ({at: scale(i), label})).filter((_, i) => i % step === 0),
  };
}

export function axisOf(column, positions) {
  return {column, name: column.name, positions, ...(column.words ? wordAxis(column) : numberAxis(column))};
}

/** Returns the condition of a brush from `low` to `high` on an axis; a brush that reaches an end has no limit there. */
export function conditionOfBrush(axis, low, high) {
  if (axis.labels) return {kind: 'some', words: axis.labels.filter((_, i) => axis.at(i) >= low && axis.at(i) <= high)};
  const rounded = (share) => Number(axis.valueAt(share).toPrecision(6));
  return {kind: 'range', low: low <= 0 ? -Infinity : rounded(low), high: high >= 1 ? Infinity : rounded(high)};
}

/** Returns the parts of an axis that a condition lets pass, as [low, high]; words beside one another make one part. */
export function brushesOf(axis, condition) {
  if (!condition) return [];
  const inside = (share) => Math.max(0, Math.min(1, share));
  if (condition.kind === 'range') {
    return [[condition.low === -Infinity ? 0 : inside(axis.at(condition.low)), condition.high === Infinity ? 1 : inside(axis.at(condition.high))]
      .map((share) => (Number.isNaN(share) ? 0 : share))];
  }
  if (condition.kind !== 'some') return [];
  const chosen = new Set(condition.words), half = (axis.at(1) - axis.at(0)) / 2, parts = [];
  axis.labels.forEach((label, i) => {
    if (!chosen.has(label)) return;
    const last = parts.at(-1);
    if (last && chosen.has(axis.labels[i - 1])) last[1] = inside(axis.at(i) + half);
    else parts.push([inside(axis.at(i) - half), inside(axis.at(i) + half)]);
  });
  return parts;
}
