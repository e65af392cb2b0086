// Pages about results on a telephone and on paper: node --test tests/browser/layout_test.mjs, with ORRERY naming the program.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {Browser} from './browser.mjs';

const orrery = resolve(process.env.ORRERY);
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const names = ['dgx2-vs-tpu', 'gpt3-step', 'half-rate-link', 'incast', 'pipeline-bubbles', 'resnet50-torus'];
const windows = [390, 1280, 1920];
const inch = 96, margin = (2 * 12 * inch) / 25.4;  // pixels; margins as in web/page.css
const sheets = Object.entries({A4: [8.27, 11.69], letter: [8.5, 11]}).flatMap(([name, [width, height]]) =>
  [{name: `${name} upright`, width, height}, {name: `${name} across`, width: height, height: width}]);
let folder, browser;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-layout-'));
  browser = new Browser();
  for (const name of names) execFileSync(orrery, ['report', join(examples, `${name}.yaml`), `--output=${join(folder, `${name}.html`)}`], {cwd: folder});
});

after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
});

/** Scrolls through the page, so that all figures are drawn. */
async function scrollThrough(page) {
  await page.evaluate(`(async () => {
    for (const figure of document.querySelectorAll('figure:not([hidden])')) {
      figure.scrollIntoView();
      await new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)));
    }
  })()`);
  await page.until(`[...document.querySelectorAll('figure:not([hidden])')].every((figure) => figure.querySelector('svg, canvas'))`);
}

/** Returns what is wider than the page or cut off, as texts; what scrolls within itself does not count. */
const cutOff = `(() => {
  const room = document.documentElement.clientWidth + 0.5, found = [];
  const nameOf = (element) => element.tagName + ' ' + (element.closest('figure')?.querySelector('h3').textContent ?? element.textContent.slice(0, 40));
  if (document.documentElement.scrollWidth > room) found.push('the page is ' + document.documentElement.scrollWidth + ' wide');
  for (const element of document.querySelectorAll('main *')) {
    if (element.closest('.rows, .scroll, svg') && !element.matches('svg')) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > room || box.left < -0.5)) found.push(nameOf(element) + ' ends at ' + Math.round(box.right));
  }
  for (const svg of document.querySelectorAll('figure:not([hidden]) svg')) {
    const box = svg.getBoundingClientRect();
    for (const part of svg.querySelectorAll('.role-legend, .role-axis, .role-mark')) {
      const own = part.getBoundingClientRect();
      if (own.width > 0 && (own.right > box.right + 2 || own.left < box.left - 2)) found.push(part.getAttribute('class') + ' of ' + nameOf(svg) + ' from ' + Math.round(own.left) + ' to ' + Math.round(own.right));
    }
  }
  return found;
})()`;

const sections = `[...document.querySelectorAll('section, figure')].filter((one) => one.getClientRects().length > 0).map((one) => one.firstChild.textContent)`;

for (const name of names) {
  for (const width of windows) {
    test(`nothing of the page about ${name} is cut off in a window of ${width} pixels`, async () => {
      const page = await browser.open(join(folder, `${name}.html`), {width});
      await scrollThrough(page);
      assert.deepEqual(await page.evaluate(cutOff), []);
      if (width < 640) assert.deepEqual(await page.evaluate(smallTargets), []);
      assert.deepEqual(page.complaints, []);
      await page.close();
    });
  }
}

/** What fingers have to meet has 44 pixels in height. */
const smallTargets = `[...document.querySelectorAll('button, select, input:not([type=range]), summary, nav a')].filter((one) => one.getClientRects().length > 0)
  .map((one) => [one.textContent.slice(0, 20), one.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)`;

/** Returns what is wrong with paper: pictures that are higher than a sheet or too small to be read, and light letters. */
const badOnPaper = (height) => `(() => {
  const found = [];
  const lightness = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return a === 0 ? 255 : 0.3 * r + 0.6 * g + 0.1 * b; };
  if (lightness(getComputedStyle(document.body).backgroundColor) < 250) found.push('the paper is dark');
  for (const element of document.querySelectorAll('main h1, main h2, main h3, main p, main td, figure svg text')) {
    if (element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element), color = element.matches('text') ? style.fill : style.color;
    if (lightness(color) > 140 && style.strokeWidth !== '3px') found.push(element.textContent.slice(0, 30) + ' is ' + color);
  }
  for (const figure of document.querySelectorAll('figure:not([hidden])')) {
    const picture = figure.querySelector('svg, canvas'), title = figure.querySelector('h3').textContent;
    if (!picture) { found.push(title + ' is not drawn'); continue; }
    const own = picture.getBoundingClientRect(), all = figure.getBoundingClientRect();
    if (all.height > ${height}) found.push(title + ' is ' + Math.round(all.height) + ' high');
    const scale = own.width / picture.getAttribute('width');
    if (!(scale > 0.5 && scale < 1.01)) found.push(title + ' is scaled by ' + scale);
  }
  return found;
})()`;

for (const name of names) {
  for (const width of windows) {
    test(`the page about ${name} is printed whole from a window of ${width} pixels`, async () => {
      const page = await browser.open(join(folder, `${name}.html`), {width, dark: true});
      const shown = await page.evaluate(sections);
      for (const sheet of sheets) {
        const room = {width: Math.floor(sheet.width * inch - margin), height: Math.floor(sheet.height * inch - margin)};
        await page.paper({...room, dark: true});
        assert.deepEqual(await page.evaluate(sections), shown, `${sheet.name}: all sections and figures are there`);
        assert.deepEqual(await page.evaluate(cutOff), [], sheet.name);
        assert.deepEqual(await page.evaluate(badOnPaper(room.height)), [], sheet.name);
      }
      assert.deepEqual(page.complaints, []);
      await page.close();
    });
  }
}

test('printing draws all figures before it begins, and the screen has its own again when it ends', async () => {
  const page = await browser.open(join(folder, 'gpt3-step.html'), {width: 390, dark: true});
  await page.evaluate(`addEventListener('beforeprint', () => {
    window.printed = [...document.querySelectorAll('figure:not([hidden])')].map((figure) => figure.querySelector('svg')?.getAttribute('width'));
  })`);
  const pages = await page.print(sheets[0]);
  assert.ok(pages >= 3 && pages <= 12, `${pages} pages`);
  const printed = await page.evaluate(`printed`);
  assert.ok(printed.length > 5 && printed.every((width) => width > 600 && width <= 730), `${printed}`);
  await page.until(`[...document.querySelectorAll('figure svg')].every((svg) => svg.getAttribute('width') < 390)`);
  const ink = await page.evaluate(`document.querySelector('figure svg text').getAttribute('fill')`);
  assert.equal(ink, '#a7b0b8', 'the letters of a dark screen');
  await page.close();
});
