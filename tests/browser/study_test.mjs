// Opens the page about a study of 100,000 runs in Chromium: node --test tests/browser/study_test.mjs, with ORRERY naming the
// program, beside which write_study_page lies. Limits on times are three times what the page is to take on a machine of two
// cores that does nothing else; what it took is printed.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {after, before, test} from 'node:test';

import {Browser} from './browser.mjs';

const writer = join(dirname(resolve(process.env.ORRERY)), 'write_study_page');
const slack = 3, opens = 3000 * slack, reacts = 200 * slack;  // in ms
const most = 30e6;  // bytes
let folder, browser, large;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-study-'));
  browser = new Browser();
  large = study(100000);
});

after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
});

function study(runs) {
  const file = join(folder, `study-${runs}.html`);
  execFileSync(writer, [runs, file]);
  return file;
}

/** Opens a page, of which `hash` is the end of the address. */
async function open(file, {hash = '', ...more} = {}) {
  const page = await browser.open(file, more);
  if (hash) await page.evaluate(`new Promise((wake) => { addEventListener('hashchange', () => setTimeout(wake, 50)); location.hash = ${JSON.stringify(hash)}; })`);
  return page;
}

function assertQuiet(page) {
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !/^(?:data|blob):|study-\d+\.html/.test(url)), [], 'only the page itself');
}

/** Scrolls to a figure and waits until it is drawn. */
async function see(page, id) {
  // Figures above it that are drawn only now may move it, so it is scrolled to until it stands.
  const isDrawn = `!document.getElementById('${id}').dataset.stale && document.querySelector('#${id} :is(svg, canvas:not(.behind))')?.getBoundingClientRect().width > 100`;
  await page.until(`(document.getElementById('${id}').scrollIntoView({block: 'center'}), ${isDrawn})`);
}

/** Does what `action` says, and returns how many ms pass until the page has been drawn again. */
function timed(page, action) {
  return page.evaluate(`(async () => {
    const begin = performance.now();
    ${action};
    await new Promise((wake) => requestAnimationFrame(() => setTimeout(wake)));
    return performance.now() - begin;
  })()`);
}

function assertQuick(t, what, times, limit) {
  const largest = Math.max(...times);
  t.diagnostic(`${what}: ${times.map((time) => Math.round(time)).join(', ')} ms`);
  assert.ok(largest <= limit, `${what} takes ${largest} ms, more than ${limit}`);
}

const heading = (name) => `[...document.querySelectorAll('.head .cell')].find((cell) => cell.querySelector('.sort').title.startsWith('${name}:'))`;
const rowTexts = (name) => `(() => { const at = [...document.querySelectorAll('.head .cell')].indexOf(${heading(name)});
  return [...document.querySelectorAll('.body .row')].sort((a, b) => a.offsetTop - b.offsetTop)
    .map((row) => row.querySelector('[aria-colindex="' + (at + 1) + '"]')).map((cell) => cell.title || cell.textContent); })()`;
const note = (id) => `document.querySelector('#${id} > .note').textContent`;
const passing = `document.querySelector('.passing b').textContent`;
const pressed = (x, y, type, page, buttons = 1) => page.mouse(type, x, y, {button: 'left', buttons, clickCount: 1});

/** Clicks where an element is, as a pointer does. */
async function click(page, expression) {
  const {x, y} = await page.evaluate(`(() => { const one = ${expression}; one.scrollIntoView({block: 'center', inline: 'nearest'}); const {x, y, width, height} = one.getBoundingClientRect();
    return {x: x + width / 2, y: y + height / 2}; })()`);
  await pressed(x, y, 'mousePressed', page);
  await pressed(x, y, 'mouseReleased', page, 0);
}

/** Waits for a page that is on its way; the one that is left takes no more questions. */
async function arrive(page, condition) {
  const isThere = () => page.evaluate(`Boolean(${condition})`).catch(() => false);
  for (const end = Date.now() + 20000; !(await isThere()); ) {
    assert.ok(Date.now() < end, `this page did not come: ${condition}`);
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

async function toTable(page) {
  await page.evaluate(`document.getElementById('table').scrollIntoView()`);
  await page.until(`document.querySelector('.body .row') && document.documentElement.dataset.settled`);
}

/** Presses keys, one after the other. */
async function press(page, ...keys) {
  const codes = {Enter: 13, Escape: 27, ' ': 32}, texts = {Enter: '\r', ' ': ' '};
  for (const key of keys) {
    const event = {key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key]};
    await page.send('Input.dispatchKeyEvent', {type: 'keyDown', text: texts[key], ...event});
    await page.send('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
  }
}

/** Drags along an axis of the parallel coordinates, from one share of it to another. */
async function brush(page, name, from, to) {
  const box = await page.evaluate(`(() => { const {x, y, width, height} = document.querySelector('[data-axis="${name}"] .axis').getBoundingClientRect(); return {x: x + width / 2, y, height}; })()`);
  const at = (share) => box.y + box.height * (1 - share);
  await pressed(box.x, at(from), 'mousePressed', page);
  await pressed(box.x, at((from + to) / 2), 'mouseMoved', page);
  await pressed(box.x, at(to), 'mouseMoved', page);
  await pressed(box.x, at(to), 'mouseReleased', page, 0);
  await page.evaluate(`new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)))`);
}

test('the page of 100,000 runs is small and opens at once', async (t) => {
  const bytes = statSync(large).size;
  t.diagnostic(`bytes: ${bytes}`);
  assert.ok(bytes <= most);
  await (await open(large)).close();  // the browser itself has started then
  const times = [];
  for (let i = 0; i < 3; ++i) {
    const begin = performance.now(), page = await open(large);
    await page.until(`document.querySelector('#shares svg')`);
    times.push(performance.now() - begin);
    assertQuiet(page);
    await page.close();
  }
  assertQuick(t, 'opening', times, opens);
});

test('sorting takes no time that one notices, and sorts all rows', async (t) => {
  const page = await open(large);
  await toTable(page);
  const times = [];
  for (const name of ['network.bandwidth', 'network_cost_usd', 'latency_us', 'run']) {
    times.push(await timed(page, `${heading(name)}.querySelector('.sort').click()`));
    assert.equal(await page.evaluate(`${heading(name)}.getAttribute('aria-sort')`), 'ascending');
  }
  assertQuick(t, 'sorting by a key, by results, by names', times, reacts);
  await click(page, `${heading('network.bandwidth')}.querySelector('.sort')`);
  assert.ok((await page.evaluate(rowTexts('network.bandwidth'))).every((text) => text === '25 GB/s'), 'the smallest quantity comes first, not the first word');
  await click(page, `${heading('network.bandwidth')}.querySelector('.sort')`);
  assert.ok((await page.evaluate(rowTexts('network.bandwidth'))).every((text) => text === '400 GB/s'));
  await page.evaluate(`document.querySelector('.grid').scrollTop = 1e9`);
  await page.until(`document.querySelector('.body .row[aria-rowindex="100001"]')`);
  assert.ok((await page.evaluate(rowTexts('network.bandwidth'))).every((text) => text === '25 GB/s'), 'the last of all rows have the least');
  const elements = await page.evaluate(`document.querySelectorAll('.body .row').length`);
  assert.ok(elements < 60, `only rows in sight are elements, not ${elements}`);
  assertQuiet(page);
  await page.close();
});

test('filters take no time that one notices, and all figures follow them', async (t) => {
  const page = await open(large);
  await see(page, 'parallels');
  await toTable(page);
  const type = (name, text) => `(() => { const input = ${heading(name)}.querySelector('input'); input.value = '${text}'; input.dispatchEvent(new Event('change')); })()`;
  const times = [await timed(page, type('step_us', '> 50 ms')), await timed(page, type('run', 'topology=torus')), await timed(page, type('tensor', '2 .. 4'))];
  assertQuick(t, 'filtering by a number, by names, by a key', times, reacts);
  const count = Number((await page.evaluate(passing)).replace(/ of .*|,/g, ''));
  assert.ok(count > 1000 && count < 20000, `${count}`);
  assert.ok((await page.evaluate(rowTexts('run'))).every((text) => text.includes('topology=torus')));
  await see(page, 'front');
  await page.until(`${note('front')}.includes('of ${count.toLocaleString('en-US')} runs drawn')`);
  await click(page, `[...document.querySelectorAll('.passing button')].find((one) => one.textContent === 'Remove all')`);
  assert.equal(await page.evaluate(passing), 'All 100,000 runs');
  await page.evaluate(type('step_us', 'five'));
  assert.equal(await page.evaluate(`${heading('step_us')}.querySelector('input').getAttribute('aria-invalid')`), 'true', 'what is no filter is marked');
  assertQuiet(page);
  await page.close();
});

test('brushes take no time that one notices, by pointer and by keys', async (t) => {
  const page = await open(large);
  await see(page, 'parallels');
  assert.match(await page.evaluate(note('parallels')), /^5,000 of 100,000 runs drawn: all on the front of the trade-offs, and a sample of the others\./);
  const before = await page.evaluate(`document.querySelector('.parallels canvas:not(.behind)').toDataURL()`);
  await brush(page, 'step_us', 0.1, 0.3);
  assert.match(await page.evaluate(`document.querySelector('.chip').textContent`), /^time of a step is from [\d.]+\sms to [\d.]+\sms ×$/);
  assert.notEqual(await page.evaluate(`document.querySelector('.parallels canvas:not(.behind)').toDataURL()`), before);
  await brush(page, 'network.topology', 0.4, 1);
  assert.equal(await page.evaluate(`document.querySelectorAll('.axes .brush').length`), 2);
  await page.until(`/^4,000 of [\\d,]+ runs that pass the filters drawn: .* Behind them 1,000 of all runs are drawn in grey\\./.test(${note('parallels')})`);
  const arrow = `document.querySelector('[data-axis="step_us"] .axis').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true}))`;
  const counts = [await page.evaluate(passing)], times = [];
  for (let i = 0; i < 5; ++i) {
    times.push(await timed(page, arrow));
    counts.push(await page.evaluate(passing));
  }
  assert.equal(new Set(counts).size, counts.length, `each step lets other runs pass: ${counts}`);
  assertQuick(t, 'moving a brush', times, reacts);
  await page.evaluate(`document.querySelector('[data-axis="step_us"] .axis').focus()`);
  await press(page, 'Escape');
  await page.until(`document.querySelectorAll('.axes .brush').length === 1`);
  assertQuiet(page);
  await page.close();
});

test('the view in the address is that which one sees again', async () => {
  const page = await open(large);
  await see(page, 'parallels');
  await brush(page, 'step_us', 0.05, 0.25);
  await click(page, `${heading('tensor')}.querySelector('.sort')`);
  await page.evaluate(`document.querySelector('#table .pick').open = true`);
  await click(page, `[...document.querySelectorAll('#table .pick label')].find((one) => one.textContent.trim() === 'speedup').querySelector('input')`);
  await see(page, 'heat');
  await page.evaluate(`(() => { const select = [...document.querySelectorAll('#heat select')].at(-1); select.value = 'mean'; select.dispatchEvent(new Event('change')); })()`);
  await page.until(`location.hash.includes('heat.of=mean') && location.hash.includes('where=')`);
  const hash = await page.evaluate(`location.hash`);
  const seen = `JSON.stringify([location.hash, ${passing}, ${note('table')}, [...document.querySelectorAll('.head .sort')].map((one) => one.textContent), ${rowTexts('run')}.slice(0, 15),
    [...document.querySelectorAll('#heat select')].map((one) => one.value), document.querySelector('.chip').textContent])`;
  await toTable(page);
  const again = await open(large, {hash});
  await see(again, 'heat');
  await toTable(again);
  const first = await page.evaluate(seen);
  assert.match(first, /speedup/);
  assert.deepEqual(JSON.parse(await again.evaluate(seen)), JSON.parse(first));
  await see(again, 'parallels');
  assert.equal(await again.evaluate(`document.querySelectorAll('.axes .brush').length`), 1);
  for (const one of [page, again]) {
    assertQuiet(one);
    await one.close();
  }
});

test('failed runs are counted by kinds of reasons, shown as such, and nowhere drawn', async () => {
  const page = await open(study(2000));
  const text = await page.evaluate(`document.querySelector('.failures').textContent`);
  assert.match(text, /^\d+ runs failed: out of memory: stage … needs … GiB of 80 GB \(\d+\), experiment.yaml:12: no layout fits a ring of 24 NPUs \(3\)\./);
  await page.evaluate(`document.querySelector('.failures details').open = true`);
  await click(page, `document.querySelector('.failures li:nth-child(2) button')`);
  assert.equal(await page.evaluate(passing), '3 of 2,000 runs pass');
  await toTable(page);
  assert.equal(await page.evaluate(`document.querySelectorAll('.body .row.failed').length`), 3);
  assert.deepEqual(await page.evaluate(rowTexts('step_us')), ['–', '–', '–'], 'a failed run has no time, not a time of 0');
  for (const id of ['front', 'shares', 'curves', 'heat']) {
    await page.evaluate(`document.getElementById('${id}').scrollIntoView()`);
    await page.until(`/No run that passes|do not differ/.test(${note(id)})`);
    assert.equal(await page.evaluate(`document.querySelectorAll('#${id} .view > *').length`), 0, id);
  }
  assertQuiet(page);
  await page.close();
});

test('names stay text, keys of one value are not offered, and every curve has a name', async () => {
  const page = await open(study(2000));
  await toTable(page);
  await page.evaluate(`(() => { const input = ${heading('run')}.querySelector('input'); input.value = '<img'; input.dispatchEvent(new Event('change')); })()`);
  assert.deepEqual(await page.evaluate(rowTexts('run')), ['<img src=x onerror=alert(1)>']);
  await click(page, `document.querySelector('.body .row .cell')`);
  assert.equal(await page.evaluate(`document.querySelector('.run-panel h3').textContent`), '<img src=x onerror=alert(1)>');
  assert.equal(await page.evaluate(`document.querySelectorAll('main img, main script').length`), 0);
  await page.evaluate(`document.querySelector('.chip').click()`);
  for (const id of ['shares', 'curves', 'heat', 'front']) await see(page, id);
  const offered = await page.evaluate(`[...document.querySelectorAll('#curves select')][0].textContent`);
  assert.match(offered, /network\.bandwidth/);
  assert.doesNotMatch(offered, /platform/);
  const legend = await page.evaluate(`[...document.querySelectorAll('#curves .role-legend-label text')].map((one) => one.textContent)`);
  assert.deepEqual(legend, ['tensor = 1', 'tensor = 2', 'tensor = 4', 'tensor = 8']);
  assertQuiet(page);
  await page.close();
});

test('a click on a run opens its own page if that was kept, and the way back shows the same view', async () => {
  const file = study(2000);
  mkdirSync(join(folder, 'runs'), {recursive: true});
  const page = await open(file);
  await toTable(page);
  await click(page, `${heading('tensor')}.querySelector('.sort')`);
  const link = await page.evaluate(`document.querySelector('.body a').getAttribute('href')`);
  writeFileSync(join(folder, link), '<title>own page</title>');
  const hash = await page.evaluate(`location.hash`);
  await click(page, `document.querySelector('.body a')`);
  await arrive(page, `document.title === 'own page'`);
  await page.evaluate(`history.back()`);
  await arrive(page, `document.documentElement.dataset.ready === 'yes'`);
  assert.equal(await page.evaluate(`location.hash`), hash);
  assert.equal(await page.evaluate(`${heading('tensor')}.getAttribute('aria-sort')`), 'ascending');
  await page.close();
});

test('a mark of the trade-offs opens its run', async () => {
  const page = await open(study(5000));
  await see(page, 'front');
  await page.evaluate(`document.querySelector('#front details').open = true`);
  const shown = `document.querySelector('.run-panel:not([hidden]) h3')?.textContent`;
  assert.equal(await page.evaluate(shown), undefined);
  const own = `[...document.querySelectorAll('#front details button')].find((one) => !one.textContent.endsWith('0'))`;  // each tenth page was kept
  const name = await page.evaluate(`${own}.textContent`);
  await click(page, own);
  await page.until(`${shown} === ${JSON.stringify(name)}`);
  assert.equal(new URLSearchParams((await page.evaluate(`location.hash`)).slice(1)).get('run'), name);
  const mark = await page.evaluate(`(() => { const view = document.querySelector('#front .view'); view.scrollIntoView({block: 'center'}); const canvas = view.querySelector('canvas');
    const {x, y} = canvas.getBoundingClientRect(), context = canvas.getContext('2d'), blue = [0x2f, 0x6d, 0xb3];
    const {data} = context.getImageData(0, 60, canvas.width, canvas.height - 110);
    for (let i = 0; i < data.length; i += 4) {
      const isDisc = [-2, 0, 2].every((dx) => [-2, 0, 2].every((dy) => blue.every((one, part) => data[i + 4 * (dx + dy * canvas.width) + part] === one)));
      if (isDisc) return {x: x + (i / 4) % canvas.width, y: y + 60 + Math.floor(i / 4 / canvas.width)};
    }
    return null;
  })()`);
  await page.evaluate(`document.querySelector('.run-panel button').click()`);
  await page.mouse('mouseMoved', mark.x, mark.y);
  await page.until(`/on the front/.test(document.getElementById('tooltip')?.textContent)`);
  const told = await page.evaluate(`document.querySelector('#tooltip div').textContent.trim()`);
  await pressed(mark.x, mark.y, 'mousePressed', page);
  await pressed(mark.x, mark.y, 'mouseReleased', page, 0);
  await page.until(`${shown} === ${JSON.stringify(told)} || !document.getElementById('table')`);
  await page.close();
});

for (const runs of [0, 1, 3]) {
  test(`a study of ${runs} ${runs === 1 ? 'run' : 'runs'} has a page without figures that have nothing to show`, async () => {
    const page = await open(study(runs));
    await page.evaluate(`document.getElementById('table').scrollIntoView()`);
    if (runs > 0) await toTable(page);
    assert.equal(await page.evaluate(`document.querySelectorAll('.body .row').length`), runs);
    assert.match(await page.evaluate(`document.querySelector('h1').textContent`), new RegExp(`^${runs} runs?[.:]`));
    assert.equal(await page.evaluate(`document.querySelectorAll('#heat, #curves, #shares').length > 0`), runs > 1);
    assertQuiet(page);
    await page.close();
  });
}

test('the table is used by keys alone', async () => {
  const page = await open(study(2000));
  await toTable(page);
  await page.evaluate(`document.querySelector('.grid').focus()`);
  await press(page, 'ArrowDown', 'ArrowDown', 'PageDown');
  assert.equal(await page.evaluate(`document.querySelector('.row.active').getAttribute('aria-rowindex')`), '19');
  await press(page, 'End');
  await page.until(`document.querySelector('.row.active')?.getAttribute('aria-rowindex') === '2001'`);
  await press(page, 'Enter');
  await page.until(`document.querySelector('.run-panel:not([hidden])')`);
  await page.evaluate(`${heading('network.topology')}.querySelector('.words').focus()`);
  await press(page, 'Enter');
  await page.until(`!document.querySelector('.panel').hidden && document.activeElement.type === 'checkbox'`);
  await press(page, ' ');
  await page.until(`${passing} !== 'All 2,000 runs'`);
  await press(page, 'Escape');
  await page.until(`document.querySelector('.panel').hidden && document.activeElement.className === 'words'`);
  assertQuiet(page);
  await page.close();
});

for (const [width, dark] of [[1280, false], [1280, true], [700, false], [700, true], [390, false]]) {
  test(`nothing is cut off in a window of ${width} pixels, ${dark ? 'dark' : 'light'}`, async () => {
    const page = await open(study(2000), {width, dark});
    for (const id of ['shares', 'front', 'curves', 'heat', 'parallels', 'table']) {
      if (id === 'table') await page.evaluate(`document.getElementById('table').scrollIntoView()`);
      else await see(page, id);
    }
    const wide = await page.evaluate(`(() => {
      const room = document.documentElement.clientWidth + 0.5;
      return [document.documentElement.scrollWidth > room ? 'the page' : '', ...[...document.querySelectorAll('main *')].filter((one) => !one.closest('.scroll, .grid, .rows, svg') || one.matches('svg'))
        .filter((one) => one.getBoundingClientRect().right > room && one.getClientRects().length > 0).map((one) => one.tagName + ' ' + one.className)].filter(Boolean);
    })()`);
    assert.deepEqual(wide, []);
    const colors = await page.evaluate(`[getComputedStyle(document.body).backgroundColor, document.querySelector('#shares svg text').getAttribute('fill')]`);
    assert.equal(colors[0], dark ? 'rgb(21, 25, 29)' : 'rgb(255, 255, 255)');
    assertQuiet(page);
    await page.close();
  });
}
