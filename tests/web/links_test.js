// What the page says of links and dimensions, of changes between runs, and at its head, without a browser.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {factsOf} from '../../web/facts.js';
import {helpOf} from '../../web/help.js';
import {dataOf} from '../../web/sources.js';
import {specification} from '../../web/views.js';
import {Tables} from '../../web/tables.js';
import {charts, plain, table, tablesOf} from './support.js';

const titled = (title) => charts.find((one) => one.title === title);

test('links between nodes of equal kinds that carry equally much share a row, with how many they are', () => {
  const links = table('links', 'r', {from: ['npu0', 'npu1', 'npu0', 'leaf0', 'leaf1'], to: ['nvswitch0', 'nvswitch1', 'nic0', 'spine0', 'spine1'],
    dimension: ['d', 'd', 'd', 'e', 'e'], links: [4, 4, 1, 1, 1], utilization: [0.5, 0.5, 0.5, 0.25, 0.5], bytes: [8, 8, 8, 8, 8]});
  const {rows, total} = dataOf(titled('Busiest links'), tablesOf(links), 'r');
  assert.deepEqual(rows.map(({category, value}) => [category, value]),
    [['npu0 → nvswitch0 ×8', 50], ['npu0 → nic0', 50], ['leaf1 → spine1', 50], ['leaf0 → spine0', 25]]);
  assert.equal(total, 4);
});

function history(more = {}) {
  return table('link-history', 'r', {from: ['npu0', 'npu0', 'leaf0', 'leaf0'], to: ['nv0', 'nv0', 'spine0', 'spine0'],
    level: ['npu-nv', 'npu-nv', 'leaf-spine', 'leaf-spine'], start_us: [0, 10, 0, 10], end_us: [10, 20, 10, 20], bytes: [1e6, 2e6, 5e5, 0],
    use: [0.5, 1, 0.1, 0], ...more});
}

test('what links carry over time is in GB/s, and of each level by itself', () => {
  const chart = titled('Load of links over time');
  const all = dataOf(chart, tablesOf(history()), 'r');
  assert.deepEqual(all.choices, {level: ['all levels', 'npu-nv', 'leaf-spine'], value: ['rate', 'use']});
  assert.deepEqual([all.units.value, all.units.start, all.titles.value], ['GB/s', 'us', 'load']);
  assert.deepEqual(all.rows.map(({value}) => value), [100, 200, 50, 0]);
  const spines = dataOf(chart, tablesOf(history()), 'r', {level: 'leaf-spine', value: 'use'});
  assert.deepEqual(spines.rows.map(({category, value}) => [category, value]), [['leaf0 → spine0', 10], ['leaf0 → spine0', 0]]);
  const levels = dataOf(titled('Load of the levels of the network over time'), tablesOf(history()), 'r');
  assert.deepEqual(levels.parts, ['npu-nv', 'leaf-spine']);
  assert.deepEqual(levels.rows.filter(({part}) => part === 'npu-nv').map(({x, value}) => [x, value]), [[0, 100], [10, 200], [20, 200]]);
  assert.equal(levels.units.value, 'GB/s');
  const old = dataOf(chart, tablesOf(history({level: ['', '', '', '']})), 'r');
  assert.deepEqual(old.choices.level, [], 'results of before, which have no levels');
  assert.equal(old.rows.length, 4);
});

test('links that are busy for longer are what changes, and not those of which only the share is another', () => {
  const runs = table('runs', '', {run: ['a', 'b'], iterations: [1, 1], total_us: [100, 200], compute_us: [90, 90], bubble_us: [0, 0], exposed_us: [10, 110]});
  const links = (run, busy, use) => table('links', run, {from: ['npu0', 'nic0', 'nic1'], to: ['nv0', 'leaf0', 'leaf0'], dimension: ['d', 'e', 'e'],
    links: [8, 1, 1], busy_ns: busy, utilization: use});
  const tables = tablesOf(runs, links('a', [80, 10, 10], [0.8, 0.1, 0.1]), links('b', [80, 40, 40], [0.4, 0.2, 0.2]));
  const changed = dataOf(titled('Links that change'), tables);
  assert.deepEqual(changed.rows.map(({category, part, value}) => [category, part, value]), [['nic0 → leaf0 ×2', 'a', 10], ['nic0 → leaf0 ×2', 'b', 20]]);
  assert.equal(changed.note, 'Left out because they are busy for as long in both runs: 8.');
  const times = dataOf(titled('What the time goes to'), tables);
  assert.equal(plain(times.note), 'b is 2 times as slow as a: 200 us instead of 100 us.');
  assert.deepEqual([...new Set(times.rows.map(({category}) => category))], ['step', 'computation', 'waiting']);
  assert.deepEqual(dataOf(titled('What the time goes to'), tables, undefined, {before: 'b', after: 'a'}).parts, ['b', 'a']);
  assert.equal(dataOf(titled('What the time goes to'), tablesOf(table('runs', '', {run: ['a'], iterations: [1], total_us: [1]}))), null);
});

test('of two results the first run of each is compared', () => {
  const set = (name, times) => ({name, origin: null, tables: [table('runs', '', {run: ['a', 'b'], iterations: [1, 1], total_us: times})]});
  const {parts, note} = dataOf(titled('What the time goes to'), new Tables([set('old', [4, 3]), set('new', [2, 1])]));
  assert.deepEqual(parts, ['old / a', 'new / a']);
  assert.equal(plain(note), 'new / a is 2 times as fast as old / a: 2 us instead of 4 us.');
});

test('the head says model, layout, machine, speed and memory, as far as they are known', () => {
  const training = table('training', '', {run: ['r'], model: ['gpt3-175b'], layout: ['tensor 8, data 16'], device: ['H100 SXM'],
    links: ['nvlink4 in nodes of 8, ib-ndr between them'], device_memory_bytes: [80e9]});
  const runs = table('runs', '', {run: ['r'], npus: [1024], tokens_per_second: [111402.1], model_flop_utilization: [0.375], memory_bytes: [61.2e9]});
  const facts = [...factsOf(tablesOf(runs, training), 'r')].map(([name, text]) => `${name} ${plain(text)}`);
  assert.deepEqual(facts, ['Model gpt3-175b', 'Layout tensor 8, data 16', 'Machine 1,024 × H100 SXM, nvlink4 in nodes of 8, ib-ndr between them',
    'Tokens/s 111,400', 'MFU 37.5 %', 'Memory 61.2 of 80 GB (57 GiB)']);
  const dimensions = table('dimensions', '', {run: ['r', 'r'], name: ['nvlink', 'dim1'], topology: ['switch of 8', 'ring of 4']});
  const plainRun = factsOf(tablesOf(table('runs', '', {run: ['r'], npus: [32]}), dimensions), 'r');
  assert.deepEqual([...plainRun], [['Machine', '32 NPUs, switch of 8 (nvlink) × ring of 4 (dim1)']]);
});

test('dimensions have their names in every figure', () => {
  const use = table('dimension_utilization', 'r', {'time (us)': [0, 10], 'dim1 util': [50, 100], 'dim2 util': [10, 0]});
  const dimensions = table('dimensions', '', {run: ['r', 'r'], name: ['nvlink', 'ib'], topology: ['a', 'b'], busy_share: [0.5, 0.1]});
  assert.deepEqual(dataOf(titled('Use of the dimensions over time'), tablesOf(use, dimensions), 'r').parts, ['nvlink', 'ib']);
  assert.deepEqual(dataOf(titled('Use of the dimensions over time'), tablesOf(use), 'r').parts, ['dim1', 'dim2']);
  const sensitivity = table('sensitivity', '', {run: ['r'], key: ['network.1.bandwidth'], from: ['1 GB/s'], to: ['1.25 GB/s'], total_us: [75], gain: [0.25]});
  assert.equal(plain(helpOf(tablesOf(sensitivity, dimensions), 'r', 100)), '+25 % bandwidth of ib would save 25 us');
});

test('a legend has as many keys beside one another as there is room for, also a single one', () => {
  const rows = [{category: 'x', part: 'activations', value: 1}];
  const keysOf = (parts, width) => {
    const {signals, legends} = specification({title: 't', form: 'columns'}, {rows, units: {}, parts}, false, {}, width);
    return [legends.length, signals.find(({name}) => name === 'keys').value];
  };
  const parts = ['weights', 'gradients', 'optimizer', 'activations', 'working memory'];
  assert.deepEqual(keysOf(parts, 1100), [1, 5]);
  assert.deepEqual(keysOf(parts, 347), [1, 2]);
  assert.deepEqual(keysOf(['use'], 347), [1, 1]);
});
