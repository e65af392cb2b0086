// Opens pages about results in Chromium: node --test tests/browser/report_test.mjs, with ORRERY naming the program.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {Browser} from './browser.mjs';

const orrery = resolve(process.env.ORRERY);
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
let folder, browser;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-report-'));
  browser = new Browser();
});

after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
});

/** Makes a page and returns its path; `of` is an experiment or a folder. */
function report(of, name, ...flags) {
  const file = join(folder, `${name}.html`);
  execFileSync(orrery, ['report', of, `--output=${file}`, ...flags], {cwd: folder});
  return file;
}

/** Draws all figures, as printing does, and again for the screen; waits until they stand. */
async function drawAll(page) {
  await page.evaluate(`for (const moment of ['beforeprint', 'afterprint']) dispatchEvent(new Event(moment))`);
  await page.until(`[...document.querySelectorAll('figure:not([hidden])')].every((figure) => figure.querySelector('svg, canvas'))`);
  await page.evaluate(`new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)))`);
}

/** Returns what the figures show: title, number of marks in an SVG, and pixels in a canvas that are drawn. */
function figuresOf(page) {
  return page.evaluate(`[...document.querySelectorAll('figure:not([hidden])')].map((figure) => {
    const canvas = figure.querySelector('canvas');
    const pixels = canvas ? canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.filter((_, i) => i % 4 === 3).filter((a) => a > 0).length : 0;
    return {title: figure.querySelector('h3').textContent, marks: figure.querySelectorAll('svg [role="graphics-symbol"]').length, pixels};
  })`);
}

function assertQuiet(page) {
  assert.deepEqual(page.complaints, []);
  assert.equal(page.requests.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:')).length, 1, `only the page itself: ${page.requests}`);
}

const shown = {
  'dgx2-vs-tpu': ['Where the time goes', 'Layers: raw communication latency', 'Layers: queueing by phase', 'Timeline', 'Busiest links', 'Network: what its links carry'],
  'gpt3-step': ['Memory over time by kind', 'Memory over time by stage', 'Waiting by axis of parallelism', 'Waiting by stage and axis of parallelism', 'Memory by stage and kind', 'Timeline'],
  'resnet50-torus': ['How runs scale', 'Speedups: simulated and measured', 'Layers: all communication and what of it is exposed'],
};
for (const [name, titles] of Object.entries(shown)) {
  for (const dark of [false, true]) {
    test(`the page about ${name} draws every figure ${dark ? 'in dark' : 'in light'}`, async () => {
      const file = report(join(examples, `${name}.yaml`), name);
      assert.ok(statSync(file).size <= 1.5e6, `${statSync(file).size} bytes`);
      const page = await browser.open(file, {dark});
      await drawAll(page);
      const figures = await figuresOf(page);
      for (const title of titles) assert.ok(figures.some((figure) => figure.title === title), `no figure "${title}"`);
      for (const {title, marks, pixels} of figures) assert.ok(marks > 0 || pixels > 100, `nothing in "${title}"`);
      assert.match(await page.evaluate(`document.querySelector('h1').textContent`), /\d.* step.* waiting/);
      assertQuiet(page);
    });
  }
}

test('names from results stay text, and a choice of another run shows that run', async () => {
  writeFileSync(join(folder, 'names.yaml'), `
network: [ { topology: ring, size: 4, bandwidth: 10 GB/s, latency: 100 ns } ]
workload:
  layers: [ { name: "<script>alert(1)</script>", weight-gradient: { compute: 10 us, collective: all-reduce, size: 1 MB } } ]
runs: [ { name: "<img src=x onerror=alert(1)>" }, { name: slow, compute-scale: 3 } ]
`);
  const page = await browser.open(report('names.yaml', 'names'));
  await drawAll(page);
  assert.equal(await page.evaluate(`document.querySelectorAll('img, main script').length`), 0);
  assert.match(await page.evaluate(`document.querySelector('main').textContent`), /<script>alert/);
  const before = await page.evaluate(`document.querySelector('.run').textContent`);
  await page.evaluate(`(() => { const select = document.querySelector('nav select'); select.value = 'slow'; select.dispatchEvent(new Event('change')); })()`);
  const after = await page.evaluate(`document.querySelector('.run').textContent`);
  assert.ok(before.startsWith('<img') && after.startsWith('slow: '), `${before}, then ${after}`);
  assertQuiet(page);
});

test('a timeline zooms by buttons, keys and the wheel, moves by dragging, and tells what is under the pointer', async () => {
  const page = await browser.open(report(join(examples, 'gpt3-step.yaml'), 'zoom'));
  const figure = `document.querySelector('figure[data-form="timeline"]:not([hidden])')`;
  await page.evaluate(`${figure}.scrollIntoView({block: 'center'})`);
  await page.until(`${figure}.querySelector('canvas')`);
  await drawAll(page);  // what has been drawn twice zooms but once
  const span = async () => (await page.evaluate(`${figure}.dataset.span`)).split(' ').map(Number);
  const length = ([from, to]) => to - from;
  const whole = await span();
  await page.evaluate(`${figure}.querySelector('[aria-label="Zoom in"]').click()`);
  assert.ok(Math.abs(length(await span()) - length(whole) / 2) < 1e-6 * length(whole));
  await page.evaluate(`${figure}.querySelector('.view').focus()`);
  for (const key of ['+', 'ArrowRight']) await page.send('Input.dispatchKeyEvent', {type: 'keyDown', key, text: key.length === 1 ? key : undefined});
  const near = await span();
  assert.ok(Math.abs(length(near) - length(whole) / 4) < 1e-6 * length(whole) && near[0] > length(whole) * 0.4, `${near}`);
  const box = await page.evaluate(`(() => { const {x, y, width, height} = ${figure}.querySelector('canvas').getBoundingClientRect(); return {x, y, width, height}; })()`);
  const middle = {x: box.x + box.width / 2, y: box.y + box.height / 2};
  await page.mouse('mouseWheel', middle.x, middle.y, {deltaX: 0, deltaY: -200, modifiers: 2});
  await page.until(`true`);
  const nearer = await span();
  assert.ok(length(nearer) < length(near), 'the wheel with Ctrl zooms in');
  await page.mouse('mousePressed', middle.x, middle.y, {button: 'left', buttons: 1, clickCount: 1});
  await page.mouse('mouseMoved', middle.x + 100, middle.y, {button: 'left', buttons: 1});
  await page.mouse('mouseReleased', middle.x + 100, middle.y, {button: 'left'});
  assert.ok((await span())[0] < nearer[0], 'dragging to the right shows what was before');
  await page.evaluate(`${figure}.querySelector('[aria-label="Show all"]').click()`);
  assert.deepEqual(await span(), whole);
  let told = '';
  for (let y = box.y + 40; y < box.y + box.height - 40 && !told; y += 5) {
    await page.mouse('mouseMoved', middle.x, y);
    told = await page.evaluate(`document.getElementById('tooltip')?.hidden === false ? document.getElementById('tooltip').textContent : ''`);
  }
  assert.match(told, /stage \d/);
  assertQuiet(page);
});

test('arrows of messages appear close by and under the pointer', async () => {
  const page = await browser.open(report(join(examples, 'gpt3-step.yaml'), 'arrows'));
  await drawAll(page);
  const figure = `document.querySelector('figure[data-form="timeline"]:not([hidden])')`;
  const count = () => page.evaluate(`${figure}.figure.view.runAsync().then((view) => view.data('arrows').length)`);
  const send = `${figure}.figure.view.data('table').filter((bar) => bar.place !== undefined && / send/.test(bar.lane))
    .sort((a, b) => b.end - b.start - a.end + a.start)[0]`;  // the widest
  for (let i = 0; i < 8; ++i) await page.evaluate(`${figure}.querySelector('[aria-label="Zoom in"]').click()`);
  const near = await count();
  assert.ok(near > 0 && near <= 150, `${near} arrows`);
  await page.evaluate(`${figure}.scrollIntoView({block: 'center'})`);
  const at = await page.evaluate(`(() => {
    const {view} = ${figure}.figure, [left, top] = view.origin(), box = ${figure}.querySelector('canvas').getBoundingClientRect();
    const sent = ${send};
    return {x: box.x + left + view.scale('x')((sent.start + sent.end) / 2), y: box.y + top + view.scale('y')(sent.lane) + view.scale('y').bandwidth() / 2};
  })()`);
  await page.mouse('mouseMoved', at.x, at.y);
  await page.until(`document.getElementById('tooltip')?.hidden === false`);
  const most = await count();
  assert.ok(most > near, 'the pointer brings arrows of its own');
  assertQuiet(page);
});

test('a network shows another quantity and another time, and tells what is under the pointer', async () => {
  writeFileSync(join(folder, 'tree.yaml'), `
name: tree
network:
  nodes: [ { name: npu, kind: npu, count: 4 }, { name: "<b>leaf", kind: switch, count: 2 }, { name: spine, kind: switch } ]
  links:
    - { from: [npu0, npu1], to: "<b>leaf0", bandwidth: 10 GB/s, latency: 1 us }
    - { from: [npu2, npu3], to: "<b>leaf1", bandwidth: 10 GB/s, latency: 1 us }
    - { from: ["<b>leaf0", "<b>leaf1"], to: spine, bandwidth: 10 GB/s, latency: 1 us }
network-model: packet
link-history: true
workload: { layers: [ { name: a, weight-gradient: { compute: 10 us, collective: all-reduce, size: 200 KB } } ] }
`);
  const page = await browser.open(report('tree.yaml', 'tree', '--what-would-help=off'));
  await drawAll(page);
  const figure = `document.querySelector('figure[data-form="network"]:not([hidden])')`;
  assert.equal(await page.evaluate(`${figure}.querySelectorAll('svg .mark-path path').length`), 12, 'two ways of six cables');
  assert.equal(await page.evaluate(`${figure}.querySelectorAll('svg .mark-symbol path').length`) >= 7, true);
  assert.equal(await page.evaluate(`document.querySelectorAll('main b b, figure svg b').length`), 0);
  const colors = () => page.evaluate(`[...${figure}.querySelectorAll('svg .mark-path path')].map((path) => path.getAttribute('stroke')).join()`);
  const whole = await colors();
  await page.evaluate(`(() => { const slider = ${figure}.querySelector('[type=range]'); slider.value = 2; slider.dispatchEvent(new Event('input')); })()`);
  for (const end = Date.now() + 10000; (await colors()) === whole && Date.now() < end; );
  assert.match(await page.evaluate(`${figure}.querySelector('.when').textContent`), / to /);
  assert.notEqual(await colors(), whole);
  await page.evaluate(`(() => { const select = ${figure}.querySelector('select'); select.value = 'bytes'; select.dispatchEvent(new Event('change')); })()`);
  await page.until(`/bytes carried, /.test(${figure}.querySelector('svg')?.textContent)`);
  await page.evaluate(`${figure}.scrollIntoView({block: 'center'})`);
  const at = await page.evaluate(`(() => { const path = ${figure}.querySelector('svg .mark-path path'), on = path.getPointAtLength(path.getTotalLength() / 2)
    .matrixTransform(path.getScreenCTM()); return {x: on.x, y: on.y}; })()`);
  await page.mouse('mouseMoved', at.x, at.y);
  await page.until(`document.getElementById('tooltip')?.hidden === false`);
  assert.match(await page.evaluate(`document.getElementById('tooltip').textContent`), /→ .*use .*carried/);
  assertQuiet(page);
});

test('figures are saved as SVG, PNG and CSV', async () => {
  const page = await browser.open(report(join(examples, 'gpt3-step.yaml'), 'save'));
  await drawAll(page);
  await page.evaluate(`(() => {
    window.saved = [];
    HTMLAnchorElement.prototype.click = function () { saved.push({name: this.download, url: this.href}); };
    for (const button of document.querySelectorAll('figure:not([hidden]) .save button')) button.click();
  })()`);
  const count = await page.evaluate(`document.querySelectorAll('figure:not([hidden]) .save button').length`);
  await page.until(`saved.length === ${count}`);
  const names = await page.evaluate(`saved.map(({name}) => name)`);
  for (const name of ['timeline.svg', 'timeline.png', 'timeline.csv', 'where-the-time-goes.svg']) assert.ok(names.includes(name), name);
  assert.ok(await page.evaluate(`saved.filter(({name}) => name.endsWith('.png')).every(({url}) => url.startsWith('data:image/png;base64,') && url.length > 5000)`));
  assertQuiet(page);
});

test('a timeline of a million intervals opens in seconds', async () => {
  const million = join(folder, 'million');
  mkdirSync(million);
  const lines = Array.from({length: 1e6}, (_, i) => {
    const start = Math.floor(i / 16) * 10 + (i % 7);
    const end = ['compute', 'send', 'receive'][i % 3];
    const message = end === 'compute' ? '' : Math.floor(i / 3) + 1;
    return `stage ${i % 16},${end},layer ${i % 48},${i % 3 ? 'forward' : 'backward'},0,${i % 64},${start}.125,${start + 8}.25,${message}`;
  });
  writeFileSync(join(million, 'timeline.csv'), ['part,operation,layer,pass,iteration,micro_batch,start_us,end_us,message', ...lines, ''].join('\n'));
  const file = report(million, 'million');
  const start = Date.now();
  const page = await browser.open(file);
  await drawAll(page);
  const opened = Date.now() - start;
  const zoomed = await page.evaluate(`(() => { const start = performance.now();
    for (let i = 0; i < 10; ++i) document.querySelector('[aria-label="Zoom in"]').click();
    return (performance.now() - start) / 10; })()`);
  console.log(`a million intervals: ${(statSync(file).size / 1e6).toFixed(1)} MB, drawn after ${opened} ms, ${zoomed.toFixed(0)} ms for a step of zooming`);
  assert.ok(opened < 10000, `${opened} ms, on a busy machine`);
  assert.ok((await figuresOf(page))[0].pixels > 10000);
  assertQuiet(page);
});

test('two thousand runs make a page that opens at once', async () => {
  const runs = Array.from({length: 2000}, (_, i) =>
    `  - { name: r${i}, compute-scale: ${1 + (i % 50)}, communication-scale: ${1 + Math.floor(i / 50)} }`);
  writeFileSync(join(folder, 'sweep.yaml'), `
network: [ { topology: ring, size: 4, bandwidth: 10 GB/s, latency: 100 ns } ]
workload:
  layers:
${Array.from({length: 20}, (_, i) => `    - { name: layer${i}, weight-gradient: { compute: 10 us, collective: all-reduce, size: 1 MB } }`).join('\n')}
runs:
${runs.join('\n')}
`);
  const file = report('sweep.yaml', 'sweep');
  assert.ok(statSync(file).size < 10e6, `${statSync(file).size} bytes`);
  const start = Date.now();
  const page = await browser.open(file);
  await drawAll(page);
  console.log(`2,000 runs: ${(statSync(file).size / 1e6).toFixed(1)} MB, drawn after ${Date.now() - start} ms`);
  const figures = (await figuresOf(page)).map(({title}) => title);
  await page.evaluate(`(() => { const input = document.querySelector('nav input'); input.value = 'r1234'; input.dispatchEvent(new Event('change')); })()`);
  assert.match(await page.evaluate(`document.querySelector('.run').textContent`), /^r1234: /);
  for (const title of ['How runs scale', 'Two keys at once', 'Layers: computation and exposed communication']) assert.ok(figures.includes(title), title);
  assertQuiet(page);
});
