// What the figures of a study show: functions (study, rows, chosen) that return what a figure draws, or {message} where there
// is nothing to draw. `rows` are those that pass the filters; runs that failed are among them and are left out here.

import {digits, fittingUnit} from '../units.js';
import {counted, runsCounted} from './columns.js';
import {grouped} from './groups.js';
import {frontOf} from './pareto.js';
import {mostDrawn, sampled} from './sample.js';
import {strongestDependence, varianceShares} from './variance.js';

const mostLines = 9;  // as many as there are colours (theme.js)
const together = 0.05;  // keys vary together noticeably (Cramér's V)
const mostGroups = 1000;  // a key of more texts explains anything, as hardly two runs share one
const noticed = 0.01;  // a share that chance alone would show and that is worth a word

/** Scales numbers of rows so that they have few digits, and returns their unit. */
function scaled(rows, role, unit) {
  const {name, factor} = fittingUnit(unit, rows.reduce((most, row) => Math.max(most, Math.abs(row[role])), 0));
  for (const row of rows) row[role] /= factor;
  return name;
}

function sentences(...parts) {
  return parts.filter(Boolean).join(' ');
}

function missingNote(all, known, titles) {
  return all > known ? `${counted(all - known)} of ${counted(all)} runs failed or have no ${titles}, and are left out.` : '';
}

/** Points of runs by two quantities, with their front. */
export function frontFigure(study, rows, {x, y, 'best-x': bestX, 'best-y': bestY}) {
  const ofX = study.column(x).numbers, ofY = study.column(y).numbers;
  const known = rows.filter((row) => !study.failed[row] && !Number.isNaN(ofX[row]) && !Number.isNaN(ofY[row]));
  const titles = {x: study.titleOf(x), value: study.titleOf(y)};
  if (known.length === 0) return {message: `No run that passes the filters has both ${titles.x} and ${titles.value}.`};
  const front = frontOf(known, ofX, ofY, bestX === 'most', bestY === 'most');
  const passes = new Uint8Array(study.rows);
  for (const row of known) passes[row] = 1;
  const drawn = sampled(study.shuffle, (row) => passes[row], mostDrawn, front), onFront = new Set(front);
  const points = drawn.reverse().map((row) => ({row, x: ofX[row], value: ofY[row], front: onFront.has(row), part: study.runName(row)}));
  const units = {x: scaled(points, 'x', study.column(x).unit), value: scaled(points, 'value', study.column(y).unit)};
  const places = new Set(front.map((row) => `${ofX[row]} ${ofY[row]}`)).size;
  const sample = drawn.length === known.length ? '' : front.length > mostDrawn ? ': the first on the front' : ': all on the front, and a sample of the others';
  const ties = places < front.length ? `, at ${counted(places)} ${places === 1 ? 'place' : 'places'}, as some are equal in both quantities` : '';
  const note = sentences(`${counted(drawn.length)} of ${runsCounted(rows.length)} drawn${sample}.`,
    `${counted(front.length)} ${front.length === 1 ? 'run is' : 'runs are'} on the front${ties}.`,
    missingNote(rows.length, known.length, `${titles.x} or ${titles.value}`));
  return {form: 'points', rows: points, units, titles, note, front, parts: ['front', 'others'],
          signals: {stepping: bestX === 'most' ? 'step-before' : 'step-after'}};
}

const main = 'main effect of a key', rest = 'interactions and the rest';

function dependenceNote(strongest, negative) {
  if (strongest && strongest.strength > together)
    return `${strongest.a} and ${strongest.b} vary together (Cramér's V is ${strongest.strength.toFixed(2)}), so their shares overlap` +
      `${negative ? ', and all shares add up to more than 100 %' : ''}.`;
  return negative ? 'The shares add up to more than 100 %, as keys do not vary independently of one another.' : '';
}

/** Which share of a quantity's variance each key explains. */
export function sharesFigure(study, rows, {value}) {
  const numbers = study.column(value).numbers, title = study.titleOf(value);
  const known = rows.filter((row) => !study.failed[row] && !Number.isNaN(numbers[row]));
  const all = study.keys.map((name) => ({name, levels: study.levels(name)}));
  const many = all.filter(({levels}) => levels.labels.length > mostGroups);
  const keys = all.filter(({levels}) => levels.labels.length <= mostGroups && known.some((row) => levels.of[row] !== levels.of[known[0]]));
  const found = keys.length > 0 ? varianceShares(known, numbers, keys) : null;
  if (!found) return {message: `The runs that pass the filters do not differ in ${title}, or in no key, so there is no variance to share out.`};
  const bars = found.shares.map(({name, share, chance}) => ({category: study.titleOf(name), value: 100 * share, part: main, chance}));
  if (found.rest > 0) bars.push({category: 'the rest', value: 100 * found.rest, part: rest});
  const byChance = found.shares.filter(({share, chance}) => chance > noticed && chance > share / 10);
  const binned = keys.filter(({levels}) => levels.isBinned).map(({name}) => study.titleOf(name));
  const percent = (some) => digits(100 * Math.max(...some.map(({chance}) => chance)), 2);
  const note = sentences(
    `Of ${runsCounted(found.count)}.`, missingNote(rows.length, found.count, title),
    binned.length > 0 && `Values of ${binned.join(', ')} are put together to ranges with about equally many runs.`,
    many.length > 0 && `${many.map(({name}) => study.titleOf(name)).join(', ')} is left out, as hardly two runs share one of its texts.`,
    byChance.length > 0 && `Of so few runs chance alone would show up to ${percent(byChance)} % for a key without any effect.`,
    dependenceNote(strongestDependence(known, keys), found.rest < -0.001));
  return {form: 'bars', rows: bars, units: {}, titles: {category: '', value: `share of the variance of ${title}, %`}, note,
          parts: [...new Set(bars.map(({part}) => part))]};
}

/** Returns up to `most` of the levels that occur, spread evenly over all. */
function someOf(levels, most) {
  if (levels.length <= most) return levels;
  return Array.from({length: most}, (_, i) => levels[Math.round((i * (levels.length - 1)) / (most - 1))]);
}

/** Groups rows by two keys; `others` is null for one key. */
function groupsOf(study, rows, value, a, b) {
  const width = b ? b.labels.length : 1;
  const groupOf = (row) => (study.failed[row] ? -1 : a.of[row] * width + (b ? b.of[row] : 0));
  return {width, groups: grouped(rows, study.column(value).numbers, a.labels.length * width, groupOf)};
}

function usedLevels(groups, width, ofLine) {
  const used = new Set();
  groups.count.forEach((count, i) => count > 0 && used.add(ofLine ? i % width : Math.floor(i / width)));
  return [...used].sort((a, b) => a - b);
}

const statisticWords = {mean: 'the mean', least: 'the least', most: 'the most'};

/** A quantity against a key, with a line for each value of another key. */
export function curvesFigure(study, rows, {x, value, line, of}) {
  const xs = study.levels(x), lines = line ? study.levels(line) : null, title = study.titleOf(value);
  const {width, groups} = groupsOf(study, rows, value, xs, lines);
  const all = lines ? usedLevels(groups, width, true) : [0], shown = someOf(all, mostLines);
  const nameOf = (level) => (lines ? `${study.titleOf(line)} = ${lines.labels[level]}` : title);
  const isScale = Boolean(xs.numbers);
  const points = shown.flatMap((level) => usedLevels(groups, width, false).map((at) => ({at, level, group: at * width + level})))
    .filter(({group}) => groups.count[group] > 0)
    .map(({at, level, group}) =>
      ({x: isScale ? xs.numbers[at] : at, label: xs.labels[at], part: nameOf(level), value: groups[of][group], runs: groups.count[group]}));
  if (points.length === 0) return {message: `No run that passes the filters has ${title}.`};
  const units = {x: isScale ? scaled(points, 'x', xs.unit) : '', value: scaled(points, 'value', study.column(value).unit)};
  const known = groups.count.reduce((sum, one) => sum + one, 0), largest = Math.max(...points.map(({runs}) => runs));
  const note = sentences(
    `A point is ${statisticWords[of]} of all runs that share its values${largest > 1 ? `, of up to ${counted(largest)}` : ''}.`,
    shown.length < all.length && `${shown.length} of ${all.length} values of ${study.titleOf(line)} are drawn.`,
    missingNote(rows.length, known, title));
  return {form: 'lines', rows: points, units, titles: {x: study.titleOf(x), value: `${of} of ${title}`}, note, parts: shown.map(nameOf),
          signals: isScale ? scaleOf(points) : wordScale(points, xs)};
}

function scaleOf(points) {
  const places = [...new Set(points.map(({x}) => x))].sort((a, b) => a - b), ends = [places[0], places.at(-1)];
  return {xScale: ends[0] > 0 && ends[1] / ends[0] >= 8 ? 'log' : 'linear', xDomain: ends, xTicks: places.length <= 12 ? places : null};
}

function wordScale(points, levels) {
  for (const point of points) point.x = point.label;
  const used = new Set(points.map(({label}) => label));
  return {xScale: 'point', xDomain: levels.labels.filter((label) => used.has(label)), xTicks: null};
}

/** A quantity by two keys. */
export function heatFigure(study, rows, {x, y, value, of}) {
  const xs = study.levels(x), ys = study.levels(y), title = study.titleOf(value);
  const {width, groups} = groupsOf(study, rows, value, xs, ys);
  const runs = new Uint32Array(groups.count.length);
  for (const row of rows) if (xs.of[row] >= 0 && ys.of[row] >= 0) ++runs[xs.of[row] * width + ys.of[row]];
  const cells = [], failed = [];
  runs.forEach((all, i) => {
    const cell = {x: xs.labels[Math.floor(i / width)], y: ys.labels[i % width], runs: all, known: groups.count[i]};
    if (groups.count[i] > 0) cells.push({...cell, value: groups[of][i]});
    else if (all > 0) failed.push(cell);
  });
  if (cells.length === 0) return {message: `No run that passes the filters has ${title}.`};
  const units = {value: scaled(cells, 'value', study.column(value).unit)};
  const usedOf = (role, labels) => labels.filter((label) => cells.some((cell) => cell[role] === label) || failed.some((cell) => cell[role] === label));
  const note = sentences(
    `A cell is ${statisticWords[of]} of all runs that share its values.`,
    failed.length > 0 && `${counted(failed.length)} ${failed.length === 1 ? 'cell with a cross has' : 'cells with a cross have'} runs, but none with ${title}.`,
    missingNote(rows.length, groups.count.reduce((sum, one) => sum + one, 0), title));
  const xDomain = usedOf('x', xs.labels);
  const titles = {x: study.titleOf(x), y: study.titleOf(y), value: `${of} of ${title}`};
  return {form: 'grid', rows: cells, more: {failed}, units, titles, note, parts: [],
          signals: {xDomain, yDomain: usedOf('y', ys.labels), longest: Math.max(...xDomain.map((label) => label.length))}};
}
