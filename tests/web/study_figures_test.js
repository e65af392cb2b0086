// What the figures of the page about studies show, and the page's address.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axisOf, brushesOf, conditionOfBrush} from '../../web/study/axes.js';
import {curvesFigure, frontFigure, heatFigure, sharesFigure} from '../../web/study/figures.js';
import {firstView} from '../../web/study/first_view.js';
import {levelsOf} from '../../web/study/levels.js';
import {everyRow} from '../../web/study/order.js';
import {hashOf, stateOf} from '../../web/study/state.js';
import {unpackedStudy} from '../../web/study/unpack.js';
import {dependence, varianceShares} from '../../web/study/variance.js';
import {specification, viewOf} from '../../web/views.js';
import {plain} from './support.js';
import {column, studyOf} from './study_support.js';

/** A full grid of three keys with two, three and two values; `value` makes the result. */
function gridStudy(value, more = {}) {
  const a = [], b = [], c = [], step_us = [];
  for (const one of [0, 1]) for (const two of [0, 1, 2]) for (const three of [0, 1]) {
    a.push(one);
    b.push(['25 GB/s', '50 GB/s', '100 GB/s'][two]);
    c.push(['x', 'y'][three]);
    step_us.push(value(one, two, three));
  }
  return studyOf({a, b, c, one: a.map(() => 'same'), step_us}, {keys: ['a', 'b', 'c', 'one'], objectives: [{column: 'step_us', maximum: false}], ...more});
}

function shares(study) {
  const {rows} = sharesFigure(study, everyRow(study.rows), {value: 'step_us'});
  return Object.fromEntries(rows.map(({category, value}) => [category, value / 100]));
}

function near(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
}

test('shares of a function that is a sum are those of its terms, and nothing is left', () => {
  // The variances of the terms are 4 * 1/4, 9 * 2/3 and 0.
  const found = shares(gridStudy((a, b) => 2 * a + 3 * b));
  near(found.a, 1 / 7);
  near(found.b, 6 / 7);
  near(found.c, 0);
  assert.ok(!('one' in found), 'a key of one value is not offered');
  near(found['the rest'] ?? 0, 0);
});

test('what is left for interactions is the variance of the product of two keys', () => {
  // With a and c from -1 and 1 the product a c has no main effects: (a - 1/2)(c - 1/2) has a variance of 1/16, a of 1/4.
  const found = shares(gridStudy((a, b, c) => a + 4 * (a - 0.5) * (c - 0.5)));
  near(found.a, 0.25 / (0.25 + 1));
  near(found.c, 0);
  near(found['the rest'], 1 / 1.25);
});

test('the first-order indices of the Ishigami function are those of its formula', () => {
  // T. Ishigami, T. Homma, An importance quantification technique in uncertainty analysis, 1990: f = sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1.
  const n = 48, at = (i) => -Math.PI + ((i + 0.5) * 2 * Math.PI) / n, numbers = [], of = [[], [], []];
  for (let i = 0; i < n; ++i) for (let j = 0; j < n; ++j) for (let k = 0; k < n; ++k) {
    numbers.push(Math.sin(at(i)) + 7 * Math.sin(at(j)) ** 2 + 0.1 * at(k) ** 4 * Math.sin(at(i)));
    [i, j, k].forEach((level, key) => of[key].push(level));
  }
  const keys = of.map((levels, i) => ({name: `x${i + 1}`, levels: {of: levels, labels: Array(n).fill('')}}));
  const {shares: found, rest} = varianceShares([...numbers.keys()], numbers, keys);
  const first = 0.5 * (1 + (0.1 * Math.PI ** 4) / 5) ** 2, second = 49 / 8, interaction = 0.01 * Math.PI ** 8 * (1 / 18 - 1 / 50);
  const all = first + second + interaction, share = Object.fromEntries(found.map((one) => [one.name, one.share]));
  for (const [actual, expected] of [[share.x1, first / all], [share.x2, second / all], [share.x3, 0], [rest, interaction / all]])
    assert.ok(Math.abs(actual - expected) < 0.005, `${actual} is not ${expected}`);
});

test('keys that vary together are told, and equal results have no shares', () => {
  const levels = (of) => ({of, labels: ['p', 'q']});
  assert.equal(dependence([0, 1, 2, 3], levels([0, 0, 1, 1]), levels([0, 1, 0, 1])), 0);
  assert.equal(dependence([0, 1, 2, 3], levels([0, 0, 1, 1]), levels([1, 1, 0, 0])), 1);
  const together = studyOf({a: [1, 1, 2, 2], b: [1, 1, 2, 2], step_us: [1, 2, 3, 4]}, {keys: ['a', 'b']});
  assert.match(sharesFigure(together, everyRow(4), {value: 'step_us'}).note, /a and b vary together .* more than 100 %/);
  const equal = studyOf({a: [1, 2], step_us: [3, 3]}, {keys: ['a']});
  assert.match(sharesFigure(equal, everyRow(2), {value: 'step_us'}).message, /do not differ/);
});

test('runs that failed and missing results are left out of all figures, and that is told', () => {
  const study = gridStudy((a, b, c) => (a === 1 && b === 2 ? null : 1 + a + b + c), {failed: [10, 11]});
  const rows = everyRow(12), {figures} = firstView(study);
  for (const [make, chosen] of [[sharesFigure, {value: 'step_us'}], [curvesFigure, {...figures.curves, x: 'b', line: 'a'}], [heatFigure, {...figures.heat, x: 'a', y: 'b'}]])
    assert.match(make(study, rows, chosen).note, /2 of 12 runs failed/, make.name);
  const heat = heatFigure(study, rows, {x: 'a', y: 'b', value: 'step_us', of: 'mean'});
  assert.equal(heat.rows.length, 5);
  assert.ok(heat.rows.every(({value}) => value > 0), 'nothing is drawn as zero');
  assert.deepEqual(heat.more.failed.map(({x, y, runs}) => [x, y, runs]), [['1', '100 GB/s', 2]]);
  const curves = curvesFigure(study, rows, {x: 'b', line: 'a', value: 'step_us', of: 'mean'});
  assert.equal(curves.rows.length, 5);
});

test('curves have a line for each value of a key, called after both, and the mean over the others', () => {
  const study = gridStudy((a, b, c) => 10 * a + b + c);
  const {rows, parts, signals} = curvesFigure(study, everyRow(12), {x: 'b', line: 'a', value: 'step_us', of: 'mean'});
  assert.deepEqual(parts, ['a = 0', 'a = 1']);
  assert.deepEqual(rows.filter(({part}) => part === 'a = 1').map(({x, value, runs}) => [x, value, runs]), [[25, 10.5, 2], [50, 11.5, 2], [100, 12.5, 2]]);
  assert.equal(signals.xScale, 'linear');
  const alone = curvesFigure(study, everyRow(12), {x: 'c', line: '', value: 'step_us', of: 'least'});
  assert.deepEqual(alone.rows.map(({x, value, part}) => [x, value, part]), [['x', 0, 'time of a step'], ['y', 1, 'time of a step']]);
  assert.equal(alone.signals.xScale, 'point');
});

test('of many lines some are drawn, and of many runs a sample with all of the front', () => {
  const n = 6000, key = Array.from({length: n}, (_, i) => i % 20), step_us = key.map((_, i) => 1 + (i * 7919) % n), memory_bytes = key.map((_, i) => 1 + ((i + 37) * 104729) % n);
  const study = studyOf({key, other: key.map((_, i) => i % 2), step_us, memory_bytes}, {keys: ['key', 'other']});
  const curves = curvesFigure(study, everyRow(n), {x: 'other', line: 'key', value: 'step_us', of: 'mean'});
  assert.equal(curves.parts.length, 9);
  assert.deepEqual([curves.parts[0], curves.parts[8]], ['key = 0', 'key = 19']);
  assert.match(curves.note, /9 of 20 values of key are drawn/);
  const front = frontFigure(study, everyRow(n), {x: 'memory_bytes', y: 'step_us', 'best-x': 'least', 'best-y': 'least'});
  assert.equal(front.rows.length, 5000);
  assert.match(front.note, /^5,000 of 6,000 runs drawn: all on the front, and a sample of the others\./);
  const drawn = new Set(front.rows.map(({row}) => row));
  assert.ok(front.front.length > 1 && front.front.every((row) => drawn.has(row)));
});

test('every figure makes a picture', async () => {
  const study = gridStudy((a, b, c) => 10 * a + b + c + 1), rows = everyRow(12), {figures} = firstView(study);
  const drawn = [sharesFigure(study, rows, figures.shares), curvesFigure(study, rows, figures.curves), heatFigure(study, rows, figures.heat),
    frontFigure(study, rows, {x: 'a', y: 'step_us', 'best-x': 'least', 'best-y': 'least'})];
  for (const data of drawn) {
    const svg = await viewOf(specification({form: data.form, title: 'x', titles: data.titles}, data, true, data.signals, 600), true, {renderer: 'none'}).width(600).toSVG();
    const marks = (svg.match(/aria-roledescription="(rect|symbol) mark"/g) ?? []).length + (svg.match(/<path[^>]* d="M/g) ?? []).length;
    assert.ok(marks >= data.rows.length, `${data.form}: ${marks} marks for ${data.rows.length} rows`);
    assert.doesNotMatch(svg, /NaN|undefined/);
  }
});

test('many numbers become ranges with about equally many rows, and few stay as they are', () => {
  const numbers = Array.from({length: 1000}, (_, i) => i / 10), levels = levelsOf(column('t_us', [...numbers, null], 'us'), 10);
  const counts = levels.labels.map((_, level) => levels.of.filter((one) => one === level).length);
  assert.deepEqual(counts, Array(10).fill(100));
  assert.equal(levels.of[1000], -1);
  assert.equal(plain(levels.labels[1]), '10 us to 19.9 us');
  assert.deepEqual(levelsOf(column('n', [4, 2, 4, 8]), 10).labels, ['2', '4', '8']);
  assert.deepEqual([...levelsOf(column('w', ['b', null, 'a']), 10, true).of], [1, 2, 0]);
});

test('texts that are many quantities become ranges, too, and other texts that hardly repeat explain nothing', () => {
  const n = 2000, text = Array.from({length: n}, (_, i) => `${i + 1} GB/s`), name = text.map((_, i) => `seed ${'abcdefghij'[i % 10]}${i}x`);
  const levels = levelsOf(column('bandwidth', text), 20);
  assert.equal(levels.labels.length, 20);
  assert.equal(plain(levels.labels[0]), '1 GB/s to 100 GB/s');
  assert.deepEqual([levels.of[0], levels.of[99], levels.of[100], levels.of[1999]], [0, 0, 1, 19]);
  const study = studyOf({bandwidth: text, name, k: text.map((_, i) => i % 2), step_us: text.map((_, i) => i % 2)}, {keys: ['bandwidth', 'name', 'k']});
  const {rows, note} = sharesFigure(study, everyRow(n), {value: 'step_us'});
  assert.deepEqual(rows.map(({category}) => category).slice(0, 2), ['k', 'bandwidth']);
  near(rows[0].value, 100);
  assert.match(note, /name is left out/);
});

test('a brush is a filter and a filter shows as a brush', () => {
  const numbers = axisOf(column('n', [0, 5, 10]), Float64Array.of(0, 5, 10));
  assert.deepEqual(conditionOfBrush(numbers, 0.2, 0.6), {kind: 'range', low: 2, high: 6});
  assert.deepEqual(conditionOfBrush(numbers, 0, 0.6), {kind: 'range', low: -Infinity, high: 6});
  assert.deepEqual(brushesOf(numbers, {kind: 'range', low: 2, high: Infinity}), [[0.2, 1]]);
  const words = axisOf(column('w', ['b', 'a', 'c']), Float64Array.of(1, 0, 2));
  assert.deepEqual(conditionOfBrush(words, 0.4, 1), {kind: 'some', words: ['b', 'c']});
  assert.equal(brushesOf(words, {kind: 'some', words: ['a', 'c']}).length, 2);
  assert.equal(brushesOf(words, {kind: 'some', words: ['b', 'c']}).length, 1);
  const log = axisOf(column('n', [1, 1000, 10]), Float64Array.of(1, 1000, 10));
  assert.ok(log.isLog);
  near(log.at(10), 1 / 3);
});

test('the view in the address is the view that is read from it', () => {
  const study = gridStudy((a, b, c) => a + b + c), first = firstView(study);
  assert.equal(hashOf(first, first), '', 'the first view needs no words');
  const state = {...stateOf('', first, study.columns), sort: [{column: 'b', down: true}, {column: 'a', down: false}], column: ['run', 'b'], axis: ['b', 'step_us'], run: 'r&3=#%',
    filters: new Map([['a', {kind: 'range', low: -Infinity, high: 0.5}], ['b', {kind: 'some', words: ['25 GB/s', '', 'a|b,"c"']}], ['run', {kind: 'has', text: '1&x=%'}]])};
  state.figures.curves.x = 'c';
  state.figures.heat.of = 'mean';
  const again = stateOf(hashOf(state, first), first, study.columns);
  assert.deepEqual(again, state);
  assert.equal(hashOf(again, first), hashOf(state, first));
  assert.deepEqual(stateOf(hashOf({...first, sort: []}, first), first, study.columns).sort, []);
});

test('an address that was cut or is about another study shows what it still says', () => {
  const study = gridStudy((a) => a), first = firstView(study);
  const state = stateOf('sort=-gone&where=%5B%22a&where=%5B%22gone%22,%22has%22,%22x%22%5D&where=%5B%22a%22,%22has%22,%22x%22%5D&axis=gone&where=%5B%22a%22,%22range%22,1,null%5D', first, study.columns);
  assert.deepEqual([...state.filters], [['a', {kind: 'range', low: 1, high: Infinity}]]);
  assert.deepEqual(state.axis, first.axis);
});

test('pages of runs lead to files beside the page only', () => {
  const pages = ['runs/1.html', 'javascript:alert(1)', ' JavaScript:alert(1)', '//host/x', 'https://host/x', 'a b#c.html', '\\\\host\\x', null];
  const study = studyOf({page: pages, step_us: pages.map((_, i) => i)});
  assert.deepEqual(pages.map((_, row) => study.pageOf(row)), ['runs/1.html', null, null, null, null, 'a b%23c.html', null, null]);
});

test('columns are unpacked from bytes as the header of src/report/study/packed_columns.hpp says', () => {
  const header = {rows: 2, columns: [{name: 'w', words: ['a'], width: 1}, {name: 'm', width: 2, scale: 1000000, least: -1500000}, {name: 'd', width: 8, scale: 0}]};
  const double = new Uint8Array(new Float64Array([1 / 3]).buffer), nan = new Uint8Array(new Float64Array([NaN]).buffer);
  const planes = [...double].flatMap((byte, i) => [byte, nan[i]]);
  const data = Uint8Array.from([...new TextEncoder().encode(JSON.stringify(header)), 0, 0, 1, 0x01, 0, 0x01, 0, ...planes]);
  const {columns: [w, m, d]} = unpackedStudy(data);
  assert.deepEqual([w.text(0), w.text(1)], ['', 'a']);
  assert.deepEqual([...m.numbers], [(0x0101 - 1 - 1500000) / 1e6, NaN]);
  assert.deepEqual([...d.numbers], [1 / 3, NaN]);
});

test('the study picks its objective, and offers no key of one value', () => {
  const study = studyOf({k: ['a', 'b'], one: ['x', 'x'], set: ['y', null], total_us: [1, 2], step_us: [1, 3]}, {keys: ['k', 'one', 'set']});
  assert.deepEqual(study.keys, ['k', 'set']);
  assert.deepEqual(study.objectives, ['step_us']);
  assert.deepEqual(study.levels('set').labels, ['y', 'not set']);
});
