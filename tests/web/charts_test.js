// Every chart and what makes its rows, without a browser: bundled with web/ and run by Node (tests/web/run).
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {overview} from '../../web/charts.js';
import {Arrows} from '../../web/arrows.js';
import {forms} from '../../web/forms.js';
import {headlineOf} from '../../web/headline.js';
import {Intervals, moved, zoomed} from '../../web/intervals.js';
import {csvOf} from '../../web/csv.js';
import {described, valuesAt} from '../../web/network.js';
import {dataOf} from '../../web/sources.js';
import {Table, Tables} from '../../web/tables.js';
import {colorsOf} from '../../web/theme.js';
import {fittingUnit, readable, unitOf} from '../../web/units.js';
import {specification, viewOf} from '../../web/views.js';
import {charts, names, plain, table, tablesOf, two} from './support.js';

/** Tables of two runs in which everything differs. */
function pairOf(name, columns) {
  const changed = (cells) => cells.map((cell) => (typeof cell === 'number' ? cell * 2 : cell));
  const all = {...columns, busy_ns: two};
  return [table(name, 'r1', all), table(name, 'r2', Object.fromEntries(Object.entries(all).map(([column, cells]) => [column, changed(cells)])))];
}

/** Tables with all columns that any chart names, so that every chart has something to show; its rows are those that `shown` wants. */
function everything(shown = {}) {
  const columns = new Map();
  const add = (chart, column, cells) => {
    if (!columns.has(chart.table)) columns.set(chart.table, {});
    columns.get(chart.table)[column] ??= cells;
  };
  for (const chart of charts) {
    const {value, match, lane, ...singles} = chart.columns ?? {};
    const isWord = (role) => ['category', 'split', 'to', 'dimension', 'part'].includes(role);
    for (const [role, column] of Object.entries(singles)) add(chart, column, isWord(role) ? names : role === 'end' ? [2, 3] : two);
    for (const column of lane ?? []) add(chart, column, names);
    for (const column of Object.keys(value ?? {})) add(chart, column, two);
    if (match) add(chart, match.replaceAll(/[\^$()]/g, '').replace('\\d+', '1'), two);
    for (const column of chart.join?.category ?? []) add(chart, column, names);
    for (const column of chart.details ?? []) add(chart, column, names);
    if (chart.keep) add(chart, chart.keep.by, two);
  }
  const runs = {run: ['r1', 'r2', 'r3', 'r4'], iterations: [1, 1, 1, 1], total_us: [4, 3, 2, 1], step_us: [4, 3, 2, 1], compute_us: [1, 1, 1, 1],
    bubble_us: [0, 0, 0, 0], exposed_us: [3, 2, 1, 0], exposed_share: [0.75, 0.6, 0.5, 0], npus: [8, 8, 16, 16], memory_bytes: [1, 2, 3, 4],
    'network.size': ['8', '8', '16', '16'], 'system.chunks': [1, 2, 1, 2]};
  columns.set('runs', runs);
  columns.set('varied', {run: runs.run, 'network.size': runs['network.size'], 'system.chunks': runs['system.chunks']});
  columns.set('topology-nodes', {node: names, kind: ['npu', 'switch'], nodes: [1, 3], x: two, y: two, dimension: ['', ''], shows: ['joined', 'joined']});
  columns.set('layouts', {layout: ['a', 'b', 'c'], rank: [1, 2, 3], step_us: [3, 2, 1], memory_bytes: [1, 2, 3], gpus: [8, 8, 8], tensor: [1, 2, 4]});
  for (const [column, [word]] of Object.entries(shown.where ?? {})) columns.get(shown.table)[column] = [word, word, word];
  const ofPair = ['changedLayers', 'changedLinks'].includes(shown.source) ? pairOf(shown.table, columns.get(shown.table)) : [];
  if (ofPair.length > 0) columns.delete(shown.table);
  return tablesOf(...[...columns].map(([name, cells]) => table(name, '', cells)), ...ofPair);
}

for (const chart of charts) {
  test(`chart "${chart.title}" of ${chart.table} draws its rows`, async () => {
    const data = dataOf(chart, everything(chart), 'r1');
    assert.ok(data, 'there is nothing to show');
    if (data.intervals) data.rows = data.intervals.drawn(data.intervals.whole, 500);
    assert.ok(data.rows.length > 0);
    const spec = specification({...chart, titles: {...chart.titles, ...data.titles}}, data, false, data.signals);
    const view = viewOf(spec, false, {renderer: 'none'}).width(500);
    const svg = await view.toSVG();
    const marks = (svg.match(/aria-roledescription="(rect|symbol|line|area) mark"/g) ?? []).length + (svg.match(/<path[^>]* d="M/g) ?? []).length;
    assert.ok(marks >= data.rows.length || ['area', 'stacked'].includes(chart.form), `${marks} marks for ${data.rows.length} rows`);
    assert.doesNotMatch(svg, /NaN|undefined/);
  });

  test(`chart "${chart.title}" of ${chart.table} says what it shows and stays away without its table`, () => {
    assert.ok(chart.title && chart.help.endsWith('.'), 'a chart has a title, and sentences of help');
    assert.ok(['run', 'runs'].includes(chart.scope));
    assert.ok(chart.form in forms);
    assert.equal(dataOf(chart, tablesOf(), undefined), null);
    assert.equal(dataOf(chart, tablesOf(table(chart.table, '', {other: two})), undefined), null);
  });
}

test('rows of other runs stay away', () => {
  const chart = charts.find((one) => one.table === 'layers' && !one.source);
  const tables = tablesOf(table('layers', '', {run: ['a', 'b'], layer: ['x', 'y'], compute_us: two, exposed_us: two}));
  assert.deepEqual(dataOf(chart, tables, 'b').rows.map((row) => row.category), ['y', 'y']);
});

test('rows of one name stand beside one another', () => {
  const chart = charts.find((one) => one.table === 'layers' && !one.source);
  const tables = tablesOf(table('layers', '', {run: ['a', 'a'], layer: ['x', 'x'], compute_us: two, exposed_us: two}));
  assert.deepEqual(dataOf(chart, tables, 'a').rows.map((row) => row.category), ['x', 'x', 'x (2)', 'x (2)']);
});

test('a part that is nothing anywhere is left out', () => {
  const tables = tablesOf(table('runs', '', {run: ['a'], iterations: [2], step_us: [3], compute_us: [4], bubble_us: [0], exposed_us: [2]}));
  const {rows, parts} = dataOf(overview, tables);
  assert.deepEqual(parts, ['compute', 'waiting']);
  assert.deepEqual(rows.map((row) => row.value), [2, 1], 'of a step, not of both');
});

test('runs, stages, parts and ranks show all four things that time goes to', () => {
  const times = {compute_us: [4, 3], bubble_us: [0, 1], exposed_us: [2, 1], idle_us: [0, 1]};
  const category = {runs: {run: names, iterations: [1, 1], step_us: [6, 6]}, stages: {stage: [0, 1]}, parts: {part: names}, 'rank-times': {rank: [0, 8]}};
  for (const [name, columns] of Object.entries(category)) {
    const chart = charts.find((one) => one.form === 'bars' && one.table === name && one.columns.value.idle_us);
    const {rows, parts} = dataOf(chart, tablesOf(table(name, '', {...columns, ...times})), undefined);
    assert.deepEqual(parts.toSorted(), ['bubble', 'compute', 'idle', 'waiting'], name);
    assert.equal(rows.reduce((sum, {value}) => sum + value, 0), 12, name);
    assert.equal(new Set(colorsOf(parts, false)).size, 4, name);
  }
});

test('rows without the words that a chart asks for stay away', () => {
  const [speedups, overheads] = charts.filter((one) => one.table === 'comparisons');
  const tables = tablesOf(table('comparisons', '', {run: names, baseline: ['c', 'c'], simulated: two, quantity: ['speedup', 'overhead']}));
  assert.deepEqual(dataOf(speedups, tables).rows.map((row) => row.category), ['c → a']);
  assert.deepEqual(dataOf(overheads, tables).rows.map((row) => row.category), ['c → b']);
});

test('of many runs the fastest are shown', () => {
  const cells = Array.from({length: 100}, (_, i) => 100 - i);
  const {rows, shown, total} = dataOf(overview, tablesOf(table('runs', '', {run: cells.map((i) => `r${i}`), iterations: cells.map(() => 1),
    step_us: cells, compute_us: cells, bubble_us: cells, exposed_us: cells})));
  assert.equal(shown, overview.keep.most);
  assert.equal(total, 100);
  assert.equal(rows.at(-1).category, 'r1');
});

test('a curve stands for the other keys, and words make no curve', () => {
  const chart = charts.find((one) => one.source === 'curves');
  const data = dataOf(chart, everything());
  assert.deepEqual(data.parts, ['1', '2']);
  assert.equal(data.chosen.x, 'network.size');
  const words = tablesOf(table('runs', '', {run: names, npus: [8, 8], step_us: two, system: names}), table('varied', '', {run: names, system: names}));
  assert.equal(dataOf(chart, words), null);
});

test('runs that do not set a key make a curve of their own', () => {
  const chart = charts.find((one) => one.source === 'curves');
  const four = ['a', 'b', 'c', 'd'], size = [1, 2, 1, 2], profile = ['tcp', 'tcp', '', ''];
  const {parts} = dataOf(chart, tablesOf(table('runs', '', {run: four, npus: [8, 8, 8, 8], step_us: [1, 2, 3, 4], size, profile}),
    table('varied', '', {run: four, size, profile})));
  assert.deepEqual(parts, ['tcp', 'not set']);
  const {note} = dataOf(chart, tablesOf(table('runs', '', {run: four, npus: [8, 8, 8, 8], step_us: [1, 2, 3, 4], size: ['', '1', '2', '4']}),
    table('varied', '', {run: four, size: ['', '1', '2', '4']})));
  assert.equal(note, '1 of 4 runs do not set size, or failed, and are left out.');
});

test('values with units of one kind are numbers', () => {
  const chart = charts.find((one) => one.source === 'curves');
  const at = (buffer) => dataOf(chart, tablesOf(table('runs', '', {run: names, npus: [8, 8], step_us: two, buffer}), table('varied', '', {run: names, buffer})));
  const sizes = at(['256 KiB', '32 MiB']);
  assert.deepEqual(sizes.rows.map((row) => row.x), [0.25, 32]);
  assert.equal(sizes.units.x, 'MiB');
  assert.deepEqual(at(['500 ns', '1 us']).rows.map((row) => row.x), [0.5, 1]);
  assert.equal(at(['8', '1 MB']), null);
});

test('keys whose columns have a unit of their own are known by what runs say of them', () => {
  const chart = charts.find((one) => one.source === 'curves');
  const {rows, units, chosen} = dataOf(chart, tablesOf(table('runs', '', {run: ['b', 'a'], npus: [8, 8], step_us: two, buffer_bytes: [33554432, 262144]}),
    table('varied', '', {run: names, buffer: ['256 KiB', '32 MiB']})));
  assert.equal(chosen.x, 'buffer');
  assert.equal(units.x, 'MiB');
  assert.deepEqual(rows.map((row) => row.x).sort(), [0.25, 32]);
});

test('the front has those that no other beats', () => {
  const chart = charts.find((one) => one.source === 'front' && one.table === 'layouts');
  const tables = tablesOf(table('layouts', '', {gpus: [1, 2, 3, 4], tokens_per_second: [10, 20, 15, 30], memory_bytes: [1, 2, 3, 4], step_us: [1, null, 1, 2]}));
  const {rows} = dataOf(chart, tables, undefined, {x: 'memory_bytes', value: 'tokens_per_second'});
  assert.deepEqual(rows.map((row) => row.front), [true, true, false, true]);
});

test('runs of several sets are called after their set', () => {
  const set = (name) => ({name, origin: null, tables: [table('runs', '', {run: ['a', 'b'], step_us: two}), table('links', 'a', {use: two})]});
  const tables = new Tables([set('one'), set('two')]);
  assert.deepEqual(tables.runs, ['one / a', 'one / b', 'two / a', 'two / b']);
  assert.equal(tables.of('links', 'two / a').length, 1);
  assert.equal(new Tables([set('one')]).runs[0], 'a');
});

test('numbers may stand as differences in millionths', () => {
  const times = new Table({name: 't', run: '', columns: [{name: 'start_us', differences: [1500000, -1, 1]}]});
  assert.equal(times.rows, 3);
  assert.deepEqual(times.rowsOf().map((row) => times.cell('start_us', row)), [1.5, 1.499999, 1.5]);
});

test('cells that repeat may stand once, with how often they come again', () => {
  const cells = (column) => {
    const one = new Table({name: 't', run: '', columns: [{name: 'c', ...column}]});
    return one.rowsOf().map((row) => one.cell('c', row));
  };
  assert.deepEqual(cells({differences: [1000000, [3], null, [2], 500000]}), [1, 2, 3, 4, null, null, null, 4.5]);
  assert.deepEqual(cells({words: ['a', 'b'], places: [0, [2], 1]}), ['a', 'a', 'a', 'b']);
  assert.deepEqual(cells({numbers: [null, [1], 0.25]}), [null, null, 0.25]);
});

function timeline(count) {
  const place = Array.from({length: count}, (_, i) => i);
  return new Table(table('timeline', 'r', {part: place.map((i) => (i % 2 ? 'stage 10' : 'stage 2')), start: place, end: place.map((i) => i + 1),
    kind: place.map((i) => (i % 3 ? 'forward' : 'backward'))}));
}
const columns = {lane: ['part'], start: 'start', end: 'end', part: 'kind'};

test('far out a timeline has few bars, close by each interval has its own', () => {
  const all = timeline(100000);
  const intervals = new Intervals(all, columns, all.rowsOf());
  assert.deepEqual(intervals.lanes, ['stage 2', 'stage 10']);
  assert.deepEqual(intervals.whole, [0, 100000]);
  const far = intervals.drawn(intervals.whole, 1000);
  assert.ok(far.length <= 1000, `${far.length} bars`);
  assert.ok(far.every((bar) => bar.busy === 0.5 && bar.part === 'forward'));
  const near = intervals.drawn([10, 20], 1000);
  assert.equal(near.length, 12, 'ten and the neighbours that touch the ends');
  assert.equal(intervals.starts[near.find((bar) => bar.end === 13).place], 12);
});

test('intervals that overlap stand in lanes of their own', () => {
  const all = new Table(table('timeline', 'r', {part: ['x', 'x', 'x', 'y'], start: [5, 0, 8, 0], end: [9, 6, 12, 2], kind: ['k', 'k', 'k', 'k']}));
  const intervals = new Intervals(all, columns, all.rowsOf());
  assert.deepEqual(intervals.lanes, ['x', 'x (2)', 'y']);
  assert.deepEqual(intervals.drawn([0, 12], 100).map(({lane, start}) => [lane, start]), [['x (2)', 5], ['x', 0], ['x', 8], ['y', 0]]);
});

test('kinds that are too many for colours share one', () => {
  const places = Array.from({length: 20}, (_, i) => i);
  const flows = new Table(table('flows', 'r', {part: places.map(() => 'x'), start: places, end: places.map((i) => i + 1), kind: places}));
  const intervals = new Intervals(flows, columns, flows.rowsOf());
  assert.deepEqual(intervals.kinds, ['0', '1', '2', '3', '4', '5', '6', '7', 'others']);
  assert.equal(intervals.drawn([19, 20], 100).at(-1).part, 'others');
});

test('zooming stays within the whole and around the point', () => {
  assert.deepEqual(zoomed([0, 100], 0.5, 50, [0, 100]), [25, 75]);
  assert.deepEqual(zoomed([0, 100], 0.5, 0, [0, 100]), [0, 50]);
  assert.deepEqual(zoomed([25, 75], 4, 50, [0, 100]), [0, 100]);
  assert.deepEqual(moved([25, 75], 1000, [0, 100]), [50, 100]);
});

test('numbers have a unit that fits', () => {
  assert.equal(plain(readable(9395000, 'us')), '9.395 s');
  assert.equal(plain(readable(0, 'us')), '0 ps');
  assert.equal(plain(readable(2 ** 31, 'bytes')), '2 GiB');
  assert.equal(plain(readable(0.1234567, 'share')), '12.3 %');
  assert.equal(plain(readable(1234567.8, '')), '1,235,000');
  assert.equal(plain(readable(null, 'us')), '');
  assert.deepEqual(fittingUnit('ns', 2500), {name: 'us', factor: 1000});
  assert.equal(unitOf('exposed_us'), 'us');
  assert.equal(unitOf('weights_bytes'), 'bytes');
  assert.equal(unitOf('npus'), '');
});

test('the sentence names what is waited for most', () => {
  const runs = table('runs', '', {run: ['r'], step_us: [100], total_us: [100], rank_0_total_us: [100], exposed_us: [18], bubble_us: [5]});
  const axes = table('exposed_by_axis_us', '', {run: ['r'], tensor: [10], data: [2], pipeline: [6]});
  const stages = table('stages', 'r', {stage: [0, 1], exposed_tensor_us: [3, 17], exposed_data_us: [2, 2]});
  assert.equal(plain(headlineOf(tablesOf(runs, axes, stages))),
    '100 us per step; 18 % of it is waiting, most of it for tensor-parallel collectives, longest in stage 1; 5 % is bubble.');
  const kinds = table('collectives_by_axis', '', {run: ['r'], tensor: ['all-gather, reduce-scatter'], data: ['all-reduce']});
  const sensitivity = table('sensitivity', '', {run: ['r', 'r'], key: ['platform.device.clock', 'platform.inside.bandwidth'], from: ['1 GHz', '300 GB/s'],
    to: ['1.25 GHz', '375 GB/s'], total_us: [99, 96], gain: [0.01, 0.04]});
  assert.match(plain(headlineOf(tablesOf(runs, axes, stages, kinds, sensitivity))),
    /tensor-parallel all-gathers and reduce-scatters, longest in stage 1; 5 % is bubble; \+25 % bandwidth of links inside a node would save 4 us\.$/);
  assert.equal(plain(headlineOf(tablesOf(runs))), '100 us per step; 18 % of it is waiting; 5 % is bubble.');
});

test('the sentence about several runs names the fastest and the slowest', () => {
  const runs = table('runs', '', {run: ['a', 'b', 'c'], step_us: [2, 1, null], exposed_share: [0.5, 0.25, null]});
  assert.equal(plain(headlineOf(tablesOf(runs))), '3 runs: a step takes from 1 us (b) to 2 us (a), and 25 % to 50 % of it is waiting; 1 failed.');
  const alike = table('runs', '', {run: ['a', 'b'], step_us: [2, 2.0000001], exposed_share: [0.25, 0.25]});
  assert.equal(plain(headlineOf(tablesOf(alike))), '2 runs: a step takes 2 us in each, and 25 % of it is waiting.');
});

test('runs of several workloads are not compared', () => {
  const runs = table('runs', '', {run: ['a', 'b', 'c'], work: ['x', 'y', 'x'], step_us: [2, 1, 3], exposed_share: [0.5, 0.25, 0]});
  assert.equal(plain(headlineOf(tablesOf(runs))), '3 runs of 2 workloads: 0 % to 50 % of a step is waiting.');
});

test('the largest loss comes first', () => {
  const runs = table('runs', '', {run: ['r'], step_us: [100], total_us: [100], exposed_us: [1], bubble_us: [43], idle_us: [6]});
  assert.equal(plain(headlineOf(tablesOf(runs))), '100 us per step; 43 % of it is bubble; 6 % is idle time; 1 % is waiting.');
});

test('results without runs have a sentence, too', () => {
  assert.equal(plain(headlineOf(tablesOf(table('flows', '', {fct_us: [1500, 2]})))), 'Flows: 2. They take from 2 us to 1.5 ms.');
  const layouts = table('layouts', '', {verdict: ['simulated', 'beaten'], step_us: [2, 1]});
  assert.equal(plain(headlineOf(tablesOf(layouts))), 'Layouts simulated: 1. The fastest takes 2 us per step.');
  assert.equal(headlineOf(tablesOf()), '');
});

test('equal meanings have equal colours', () => {
  assert.equal(colorsOf(['compute', 'waiting'])[1], colorsOf(['communication', 'exposed'])[1]);
  const colors = colorsOf(['compute', 'x', 'y', 'waiting']);
  assert.equal(new Set(colors).size, 4);
});

test('tables become CSV again', () => {
  const tables = tablesOf(table('links', 'r', {from: ['a, "b"', 'c'], use: [1.5, null]}));
  assert.equal(csvOf(tables.named('links')), 'run,from,use\nr,"a, ""b""",1.5\nr,c,\n');
});

test('arrows lead from senders to receivers, and from what issues a collective to what waits for it', () => {
  const all = new Table(table('timeline', 'r', {part: ['a', 'a', 'b', 'a', 'a'], operation: ['compute', 'send', 'receive', 'collective', 'compute'],
    start: [0, 10, 5, 10, 30], end: [10, 14, 14, 30, 40], kind: ['f', 'f', 'f', 'f', 'b'], message: [null, 1, 1, null, null]}));
  const intervals = new Intervals(all, {lane: ['part', 'operation'], start: 'start', end: 'end', part: 'kind'}, all.rowsOf());
  const arrows = new Arrows(intervals, {message: 'message', sends: {operation: ['send']}, collectives: {operation: ['collective']}, within: 'part'});
  const [message] = arrows.between([0, 40]);
  assert.deepEqual([message.lane1, message.lane2, message.start, message.end], ['a, send', 'b, receive', 10, 14]);
  assert.deepEqual(arrows.of(2).map(({lane1, lane2}) => [lane1, lane2]), [['a, send', 'b, receive']]);
  assert.deepEqual(arrows.of(3).map(({lane1, lane2}) => [lane1, lane2]), [['a, compute', 'a, collective'], ['a, collective', 'a, compute']]);
  assert.deepEqual(arrows.of(0), []);
  assert.equal(arrows.between([20, 40]).length, 0);
});

test('messages that are too many to be told apart have no arrows', () => {
  const places = Array.from({length: 400}, (_, i) => i);
  const all = new Table(table('timeline', 'r', {part: places.map((i) => `p${i % 2}`), operation: places.map((i) => (i % 2 ? 'receive' : 'send')),
    start: places, end: places.map((i) => i + 2), kind: places.map(() => 'f'), message: places.map((i) => Math.floor(i / 2))}));
  const intervals = new Intervals(all, {lane: ['part'], start: 'start', end: 'end', part: 'kind'}, all.rowsOf());
  const arrows = new Arrows(intervals, {message: 'message', sends: {operation: ['send']}, collectives: {operation: []}, within: 'part'});
  assert.deepEqual(arrows.between([0, 402]), []);
  assert.ok(arrows.between([0, 20]).length > 5);
});

function network(history) {
  const links = table('topology-links', 'r', {link: [0, 1], from: ['a', 'b'], to: ['b', 'a'], links: [1, 1], of_all: ['', ''], both_ways: ['', ''],
    dimension: ['', ''], x1: [0, 1], y1: [0, 0], x2: [1, 0], y2: [0, 0], bend: [0.1, 0.1], utilization: [0.5, 0.1], mean_utilization: [0.5, 0.1], bytes: [100, 20]});
  const nodes = table('topology-nodes', 'r', {node: ['a', 'b'], kind: ['npu', 'npu'], nodes: [1, 4], x: [0, 1], y: [0, 0], dimension: ['', ''], shows: ['joined', 'joined']});
  return tablesOf(links, nodes, ...history);
}

test('a network has the quantities that are not nothing everywhere, and the time where it is known', async () => {
  const chart = charts.find((one) => one.source === 'network');
  const data = dataOf(chart, network([]), 'r');
  assert.deepEqual(data.choices.value, ['utilization', 'bytes']);
  assert.equal(data.moments, null);
  assert.match(data.note, /same neighbours.* 2 drawn nodes stand for 5/);
  const over = dataOf(chart, network([table('topology-history', 'r', {link: [0, 0], start_us: [0, 1], end_us: [1, 2], use: [0.25, 1]})]), 'r');
  assert.equal(over.moments.length, 2);
  const shares = (moment) => valuesAt(over, moment).map(({number, value}) => [number, value]);
  assert.deepEqual(shares(over.moments[1]), [[1, null], [0, 100]]);
  assert.deepEqual(shares(null), [[1, 10], [0, 50]]);
  assert.deepEqual(described(data.rows[1])[0], ['', 'a → b']);
  const view = viewOf(specification({...chart, titles: {}}, over, false, over.signals), false, {renderer: 'none'});
  await view.runAsync();
  await view.data('table', valuesAt(over, over.moments[0])).runAsync();
  assert.deepEqual(view.data('table').map(({value}) => value).sort(), [25, null], 'another time replaces what was shown before');
});

test('memory over time is that of the fullest stage unless another is chosen', () => {
  const chart = charts.find((one) => one.source === 'memory');
  const tables = tablesOf(table('memory-history', 'r', {part: ['stage 0', 'stage 0', 'stage 1'], start_us: [0, 5, 0], end_us: [5, 10, 10],
    weights_bytes: [4, 4, 2], activations_bytes: [1, 3, 0], tensors_bytes: [null, null, null], total_bytes: [5, 7, 2]}));
  const data = dataOf(chart, tables, 'r');
  assert.equal(data.chosen.part, 'stage 0');
  assert.deepEqual(data.parts, ['weights', 'activations']);
  assert.match(plain(data.note), /^The most is 7 B, from 5 us on\.$/);
  assert.deepEqual(data.rows.filter(({part}) => part === 'activations').map(({x, value}) => [x, value]), [[0, 1], [5, 3], [10, 3]]);
  assert.deepEqual(dataOf(chart, tables, 'r', {part: 'stage 1'}).parts, ['weights']);
});
