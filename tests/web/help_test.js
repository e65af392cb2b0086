// Tests what the page says and draws of what would help.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {helpOf} from '../../web/help.js';
import {dataOf} from '../../web/sources.js';
import {charts, plain, table, tablesOf} from './support.js';

test('what would help is said in words', () => {
  const of = (key, from, to) => plain(helpOf(tablesOf(table('sensitivity', '', {run: ['r'], key: [key], from: [from], to: [to], total_us: [75], gain: [0.25]})), 'r', 100));
  assert.equal(of('runs.r.system.collectives.all-reduce', 'ring', 'direct'), 'direct in place of ring as collectives all reduce of the system would save 25 us');
  assert.equal(of('networks.dgx2.nvlink.latency', '1 us', '800 ns'), '−20 % dgx2 nvlink latency would save 25 us');
  assert.equal(of('network.0.bandwidth', '1 GB/s', '1.25 GB/s'), '+25 % bandwidth of network dimension 0 would save 25 us');
  assert.equal(of('platform.device.clock', '1', '2'), '+100 % clock of the device would save 25 us');
  assert.equal(helpOf(tablesOf(table('sensitivity', '', {run: ['r'], key: ['x'], from: ['1'], to: ['2'], total_us: [100], gain: [0]})), 'r', 100), '');
});

test('what would help leaves the name of the run out, and says which word or number is tried', () => {
  const key = ['platform.inside.bandwidth', 'runs.r.workload.recompute', 'runs.r.system.chunks', 'runs.r.system.chunks'];
  const tables = tablesOf(table('sensitivity', '', {run: ['r', 'r', 'r', 'r'], key, kind: ['hardware', 'layout', 'software', 'software'],
    from: ['1 GB/s', 'full', '2', '2'], to: ['1.25 GB/s', 'none', '3', '1'], total_us: [99, 90, 95, 96], gain: [0.01, 0.1, 0.05, 0.04]}));
  const {rows} = dataOf(charts.find((one) => one.title === 'What would help'), tables, 'r');
  assert.deepEqual(rows.map(({category}) => category),
    ['inside.bandwidth', 'workload.recompute: none', 'system.chunks: 3', 'system.chunks: 1']);
  assert.deepEqual(rows.map((row) => row.key), key, 'the pointer shows the whole key');
});

test('what would help has a figure for what somebody can change, and one for constants of a fit', () => {
  const tables = tablesOf(table('sensitivity', '', {run: ['r', 'r', 'r', 'r'], key: ['a', 'b', 'c', 'd'], kind: ['hardware', 'layout', 'software', 'fitted'],
    from: ['1', '1', '1', '1'], to: ['2', '2', '2', '2'], total_us: [99, 90, 95, 50], gain: [0.01, 0.1, 0.05, 0.5]}));
  const titled = (title) => dataOf(charts.find((one) => one.title === title), tables, 'r');
  const help = titled('What would help');
  assert.deepEqual(help.rows.map(({category, part}) => [category, part]), [['a', 'hardware'], ['b', 'layout'], ['c', 'software']]);
  assert.deepEqual(help.rows.map(({to}) => to), ['2', '2', '2']);
  assert.deepEqual(titled('Constants fitted to measurements').rows.map(({category}) => category), ['d']);
  assert.equal(plain(helpOf(tables, 'r', 100)), '+100 % b would save 10 us', 'constants are nothing that somebody can change');
});
