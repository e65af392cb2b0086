// The site of the documentation, read from the disk in Chromium: what it loads, whether it fits a telephone, its search.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Browser} from '../browser/browser.mjs';

const site = fileURLToPath(new URL('../../build/site/', import.meta.url));
const ready = `document.readyState === 'complete' && document.documentElement.classList.contains('js')`;
const pages = ['index', 'tutorial', 'how-to/index', 'how-to/sweep', 'inputs/commands', 'reference/keys',
  'models/collectives', 'gallery/index', 'gallery/resnet50-layers', 'migration/astra-sim-1', 'comparison'];
let browser;

before(() => { browser = new Browser(); });
after(() => browser.close());

const open = (name, options) => browser.open(`${site}${name}.html`, {ready, ...options});

for (const width of [390, 1280]) {
  test(`pages fit a window of ${width} pixels and load nothing from a network`, async () => {
    for (const name of pages) {
      const page = await open(name, {width});
      const over = await page.evaluate(`document.documentElement.scrollWidth - innerWidth`);
      assert.ok(over <= 0, `${name} is ${over} pixels wider than the window`);
      const foreign = page.requests.filter((url) => !/^(file|data|blob|about):/.test(url));
      assert.deepEqual(foreign, [], name);
      assert.deepEqual(page.complaints, [], name);
      await page.close();
    }
  });
}

async function search(words) {
  const page = await open('index');
  await page.evaluate(`(() => {
    const field = document.querySelector('.md-search__input');
    field.focus();
    field.value = ${JSON.stringify(words)};
    field.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));
    field.dispatchEvent(new Event('input', {bubbles: true}));
  })()`);
  await page.until(`document.querySelectorAll('.md-search-result__item a').length`);
  const links = await page.evaluate(
    `[...document.querySelectorAll('.md-search-result__item a')].map((link) => link.pathname)`);
  await page.close();
  return links;
}

const searches = {'orrery sensitivity': 'inputs/commands', 'exposed_us': 'reference/columns',
  'straggler': 'how-to/failures', 'DCQCN': 'models/network-packet', 'Themis': 'models/themis'};

test('a search without a network finds the page', async () => {
  for (const [words, name] of Object.entries(searches)) {
    const links = await search(words);
    assert.ok(links.some((path) => path.endsWith(`/${name}.html`)), `'${words}' finds ${links}`);
  }
});
