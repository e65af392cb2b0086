// Sorting, filtering, sampling and fronts of the page about studies.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {failuresOf, nameOfKind, reasonKind} from '../../web/study/failures.js';
import {conditionIn, conditionWords, numberIn, textOf} from '../../web/study/filter_text.js';
import {orderOf, passing} from '../../web/study/order.js';
import {frontOf} from '../../web/study/pareto.js';
import {sampled, shuffled} from '../../web/study/sample.js';
import {Selection} from '../../web/study/selection.js';
import {plain} from './support.js';
import {column, columnsOf} from './study_support.js';

function sorted(cells, down = false) {
  return [...orderOf(cells.length, columnsOf(column('x', cells)), [{column: 'x', down}])].map((row) => cells[row]);
}

test('numbers are sorted both ways, and missing ones come last', () => {
  assert.deepEqual(sorted([3, null, -1, 10, 2.5]), [-1, 2.5, 3, 10, null]);
  assert.deepEqual(sorted([3, null, -1, 10, 2.5], true), [10, 3, 2.5, -1, null]);
});

test('texts are sorted as people do: quantities by their size, and numbers in words by theirs', () => {
  assert.deepEqual(sorted(['100 GB/s', '25 GB/s', '1 TB/s', '400 GB/s']), ['25 GB/s', '100 GB/s', '400 GB/s', '1 TB/s']);
  assert.deepEqual(sorted(['10 ms', '900 us', '2 s']), ['900 us', '10 ms', '2 s']);
  assert.deepEqual(sorted(['run10', 'run9', 'Run100', null, 'run09b']), ['run9', 'run09b', 'run10', 'Run100', null]);
  assert.deepEqual(sorted(['64', '8', '16']), ['8', '16', '64']);
});

test('equal rows stay in the order of the table, or are sorted by the next column', () => {
  const columns = columnsOf(column('a', [2, 1, 2, 1]), column('b', ['x', 'y', 'a', 'z']));
  assert.deepEqual([...orderOf(4, columns, [{column: 'a', down: false}])], [1, 3, 0, 2]);
  assert.deepEqual([...orderOf(4, columns, [{column: 'a', down: true}])], [0, 2, 1, 3]);
  assert.deepEqual([...orderOf(4, columns, [{column: 'a', down: false}, {column: 'b', down: true}])], [3, 1, 0, 2]);
  assert.deepEqual([...orderOf(4, columns, [])], [0, 1, 2, 3]);
});

test('sorting agrees with that of the language for many random numbers', () => {
  const cells = Array.from({length: 5000}, (_, i) => Math.round(Math.sin(i * 12.9898) * 500));
  const expected = cells.map((_, i) => i).sort((a, b) => cells[a] - cells[b] || a - b);
  assert.deepEqual([...orderOf(cells.length, columnsOf(column('x', cells)), [{column: 'x', down: false}])], expected);
});

test('filters let pass what meets all of them, and missing cells only where that is asked for', () => {
  const columns = columnsOf(column('n', [1, 2, null, 4]), column('w', ['a', null, 'b', 'Ab']));
  const selection = new Selection(columns, 4);
  const passes = (conditions) => {
    selection.update(new Map(Object.entries(conditions)));
    return [...passing([3, 2, 1, 0], selection.mask, selection.count)];
  };
  assert.deepEqual(passes({}), [3, 2, 1, 0]);
  assert.deepEqual(passes({n: {kind: 'range', low: 2, high: Infinity}}), [3, 1]);
  assert.deepEqual(passes({n: {kind: 'range', low: -Infinity, high: Infinity}}), [3, 1, 0]);
  assert.deepEqual(passes({w: {kind: 'some', words: ['b', '']}}), [2, 1]);
  assert.deepEqual(passes({w: {kind: 'some', words: []}}), []);
  assert.deepEqual(passes({w: {kind: 'has', text: 'A'}}), [3, 0]);
  assert.deepEqual(passes({w: {kind: 'has', text: 'A'}, n: {kind: 'range', low: 1, high: 1}}), [0]);
  assert.deepEqual(passes({w: {kind: 'has', text: 'b'}}), [3, 2], 'a changed filter is worked out again');
  assert.ok(!selection.isWhole);
});

test('filters are read with units and comparisons', () => {
  const time = column('x_us', [1, 2], 'us'), share = column('s', [0.1], 'share'), words = column('w', ['a']);
  assert.deepEqual(conditionIn(time, '5 ms .. 8 ms'), {kind: 'range', low: 5000, high: 8000});
  assert.deepEqual(conditionIn(time, '3..4'), {kind: 'range', low: 3, high: 4});
  assert.deepEqual(conditionIn(time, '-3 .. -1.5'), {kind: 'range', low: -3, high: -1.5});
  assert.deepEqual(conditionIn(time, '>= 2 s'), {kind: 'range', low: 2e6, high: Infinity});
  assert.deepEqual(conditionIn(time, '.. 7'), {kind: 'range', low: -Infinity, high: 7});
  assert.deepEqual(conditionIn(time, '7 ..'), {kind: 'range', low: 7, high: Infinity});
  assert.deepEqual(conditionIn(time, '8'), {kind: 'range', low: 8, high: 8});
  assert.deepEqual(conditionIn(share, '< 10 %'), {kind: 'range', low: -Infinity, high: 0.1});
  assert.deepEqual(conditionIn(words, ' tp=4 '), {kind: 'has', text: 'tp=4'});
  assert.equal(conditionIn(time, '  '), null);
  for (const wrong of ['5 GB', 'abc', '1 .. x', '>', '5 %']) assert.equal(conditionIn(time, wrong), undefined, wrong);
  assert.ok(Number.isNaN(numberIn('3 ms', 'bytes')));
  assert.equal(numberIn('3 ms', 's'), 0.003);
});

test('a filter is written as it is read, and told in words', () => {
  const time = column('x_us', [1, 2], 'us'), words = column('w', ['a', 'b']);
  for (const text of ['5 ms .. 8 ms', '>= 3 us', '<= 4.5 s', '8 us', '-2 us .. -1 us']) assert.equal(textOf(time, conditionIn(time, text)), text);
  for (const number of [1 / 3, 59518.123456, 1e-9, 7e12]) {
    const condition = {kind: 'range', low: number, high: Infinity};
    assert.deepEqual(conditionIn(time, textOf(time, condition)), condition, 'what is written has all digits');
  }
  assert.equal(textOf(time, null), '');
  assert.equal(plain(conditionWords(time, conditionIn(time, '5 ms .. 8 ms'))), 'is from 5 ms to 8 ms');
  assert.equal(plain(conditionWords(time, conditionIn(time, '> 2 s'))), 'is at least 2 s');
  assert.equal(conditionWords(words, {kind: 'some', words: ['a', '']}), 'is a or not set');
});

test('reasons that differ in numbers only are one kind, which keeps the numbers that do not differ', () => {
  const reasons = ['stage 1 needs 91.2 GiB of 80 GB', 'stage 3 needs 150 GiB of 80 GB', 'no layout fits 24 NPUs', null];
  const kinds = failuresOf([0, 1, 1, 2, 3], column('reason', reasons));
  assert.deepEqual(kinds.map((kind) => [nameOfKind(kind), kind.count]),
    [['stage … needs … GiB of 80 GB', 3], ['no layout fits 24 NPUs', 1], ['no reason is known', 1]]);
  const selection = new Selection(columnsOf(column('reason', reasons)), 4);
  selection.update(new Map([['reason', {kind: 'like', text: reasonKind(reasons[0])}]]));
  assert.deepEqual([...selection.mask], [1, 1, 0, 0]);
});

/** The definition: no other point is as good in both and better in one. */
function frontByDefinition(x, y, moreX, moreY) {
  const at = (values, more, i) => (more ? -values[i] : values[i]);
  return [...x.keys()].filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i]) && ![...x.keys()].some((j) => {
    const dx = at(x, moreX, j) - at(x, moreX, i), dy = at(y, moreY, j) - at(y, moreY, i);
    return dx <= 0 && dy <= 0 && (dx < 0 || dy < 0);
  }));
}

test('the front is that of the definition, with ties and missing numbers, whichever is better', () => {
  const random = (i) => Math.abs(Math.sin(i * 78.233) * 43758.5453) % 1;
  const x = Array.from({length: 300}, (_, i) => Math.floor(random(i) * 20)), y = x.map((_, i) => (i % 17 === 0 ? NaN : Math.floor(random(i + 1000) * 20)));
  for (const moreX of [false, true]) {
    for (const moreY of [false, true]) {
      const found = frontOf([...x.keys()], x, y, moreX, moreY).sort((a, b) => a - b);
      assert.deepEqual(found, frontByDefinition(x, y, moreX, moreY), `${moreX} ${moreY}`);
      assert.ok(found.length > 0);
    }
  }
  assert.deepEqual(frontOf([0, 1, 2], [1, 1, 1], [2, 2, 3], false, false), [0, 1], 'equal runs are on the front together');
});

test('a sample keeps what it must, has no row twice, and stays as rows are filtered away', () => {
  const shuffle = shuffled(1000);
  assert.deepEqual([...shuffle].sort((a, b) => a - b), [...Array(1000).keys()]);
  assert.notDeepEqual([...shuffle.slice(0, 10)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(shuffled(1000), shuffle);
  const all = sampled(shuffle, () => true, 100, [5, 17]);
  assert.equal(new Set(all).size, 100);
  assert.deepEqual(all.slice(0, 2), [5, 17]);
  const even = sampled(shuffle, (row) => row % 2 === 0, 100, []);
  assert.ok(all.slice(2).filter((row) => row % 2 === 0).every((row) => even.includes(row)));
  assert.deepEqual(sampled(shuffle, (row) => row < 3, 100).sort(), [0, 1, 2]);
  assert.equal(sampled(shuffle, () => true, 3, [1, 2, 3, 4]).length, 3);
});
