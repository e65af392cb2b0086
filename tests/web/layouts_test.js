// Tests what the page says of a search for layouts.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {headlineOf} from '../../web/headline.js';
import {dataOf} from '../../web/sources.js';
import {Tables} from '../../web/tables.js';
import {charts, plain, table, tablesOf} from './support.js';

/** What a search found: the best layout, the next one, and the experiment's own, which is the third or one of these. */
function searched(own, more = {}) {
  return table('layouts', '', {rank: [1, 2, 3], verdict: ['simulated', 'simulated', 'simulated'], gpus: [64, 64, 64],
    layout: ['tensor 2, data 32', 'data 64', 'tensor 8, data 8'], step_us: [2e6, 2.5e6, 3e6], memory_bytes: [2 ** 35, 2 ** 35, 2 ** 36],
    usable_memory_bytes: [2 ** 36, 2 ** 36, 2 ** 36], loss: ['waiting for tensor-parallel all-reduces', 'bubble', null],
    loss_share: [0.125, 0.25, null], own: [1, 2, 3].map((rank) => (rank === own ? 1 : 0)), ...more});
}

test('after a search the first sentence is about the best layout', () => {
  const rest = '; it loses most time to waiting for tensor-parallel all-reduces (12.5 % of the step), and takes 32 GiB of the 64 GiB of memory that can be used.';
  const of = (...tables) => plain(headlineOf(tablesOf(...tables)));
  assert.equal(of(searched(3)), 'The best layout is tensor 2, data 32, on 64 GPUs: 2 s per step, 1.5 times as fast as with the ' +
    `experiment's own layout (tensor 8, data 8: 3 s)${rest}`);
  assert.equal(of(searched(1)), 'The best layout is that of the experiment, tensor 2, data 32, on 64 GPUs: 2 s per step, 1.25 times as fast as ' +
    `with the next best layout (data 64: 2.5 s)${rest}`);
  const fewer = {rank: [1, 2, null], gpus: [64, 64, 128], step_us: [2e6, 2.5e6, 1.25e6]};
  assert.equal(of(searched(3, fewer)), 'The best layout is tensor 2, data 32, on 64 GPUs: 2 s per step, 1.6 times as long as with the ' +
    `experiment's own layout (tensor 8, data 8 on 128 GPUs: 1.25 s) and 0.8 times its GPU time${rest}`);
  const full = {rank: [1, 2, null], step_us: [2e6, 2.5e6, null], memory_bytes: [2 ** 35, 2 ** 35, 2 ** 37]};
  assert.equal(of(searched(3, full)), 'The best layout is tensor 2, data 32, on 64 GPUs: 2 s per step, where the experiment\'s own layout ' +
    `(tensor 8, data 8) does not fit, as it needs 128 GiB of 64 GiB${rest}`);
  assert.match(of(searched(3, {loss: [null, null, null]})), /; it loses no time to waiting, and takes 32 GiB /);
});

test('after a search on a network the sentence says so, and which layouts were run there', () => {
  const of = (own, more) => plain(headlineOf(tablesOf(searched(own, {estimated_step_us: [1e6, 1e6, 1e6], failure: ['', '', ''], ...more}))));
  assert.match(of(3), /on 64 GPUs: 2 s per step on the network, 1.5 times as fast as with the experiment's own layout/);
  assert.match(of(3), / It is the best of 3 layouts that were run on the network: the experiment's own and those with the shortest estimates\.$/);
  const failed = {rank: [1, 2, null], verdict: ['simulated', 'simulated', 'failed'], step_us: [2e6, 2.5e6, null], failure: ['', '', 'it stalls']};
  assert.match(of(3, failed), / per step on the network, where the run of the experiment's own layout \(tensor 8, data 8\) fails; .* 2 layouts that were run on the network: those /);
  const estimated = {rank: [1, null, null], verdict: ['simulated', 'estimated', 'estimated'], step_us: [2e6, null, null], estimated_step_us: [1e6, 1e6, 3e6]};
  assert.match(of(1, estimated), / No other layout was run on the network; 1 more may be among the best, which more runs would tell\.$/);
  assert.doesNotMatch(plain(headlineOf(tablesOf(searched(3)))), /network/);
});

test('after a search over a sweep the sentence names the point', () => {
  const points = {estimated_step_us: [1e6, 1e6, 1e6], failure: ['', '', ''], point: ['network=a', 'network=b', 'network=a'], loss: [null, null, null]};
  assert.equal(plain(headlineOf(tablesOf(searched(3, points)))), 'The best layout is tensor 2, data 32, on 64 GPUs at network=a: 2 s per step.');
});

test('the best layouts have a figure with their names', () => {
  const {rows, units} = dataOf(charts.find((one) => one.title === 'The best layouts'), tablesOf(searched(3)));
  assert.deepEqual(rows.map(({category, value}) => [category, value]), [['tensor 2, data 32', 2], ['data 64', 2.5], ['tensor 8, data 8', 3]]);
  assert.equal(units.value, 's');
});

test('the best layout stands in front of what is said of runs', () => {
  const runs = table('runs', '', {run: ['r'], step_us: [100], total_us: [100], exposed_us: [0]});
  assert.match(plain(headlineOf(tablesOf(runs, searched(3)))), /^The best layout is .* can be used\. The experiment itself: 100 us per step; none of it is waiting\.$/);
  assert.match(plain(headlineOf(tablesOf(runs, searched(3)), 'r')), /^100 us per step/);
  const set = (name) => ({name, origin: null, tables: [searched(1)]});
  assert.match(plain(headlineOf(new Tables([set('one'), set('two')]))), /^one: The best layout is .* two: The best layout is /);
});
