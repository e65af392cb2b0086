// A headless Chromium that a test steers by the DevTools protocol over a pipe: one JSON message after the other, each
// with a zero byte behind it.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-extensions', '--remote-debugging-pipe'];

const reportIsThere = `document.documentElement?.dataset.ready === 'yes' || document.querySelector('.error')`;

export class Browser {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'orrery-browser-'));
    this.process = spawn('chromium', [...flags, `--user-data-dir=${this.folder}`, 'about:blank'],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.answers = new Map();
    this.listeners = [];
    this.last = 0;
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      for (const message of messages) this.take(JSON.parse(message));
    });
  }

  take(message) {
    if (message.id) {
      const {resolve, reject} = this.answers.get(message.id);
      this.answers.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else {
      for (const listener of this.listeners) listener(message);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    return new Promise((resolve, reject) => this.answers.set(id, {resolve, reject}));
  }

  /** Opens a file in a page of the given size; `dark` asks for dark colours, `ready` says when it is there. */
  async open(file, {width = 1280, height = 900, dark = false, ready = reportIsThere} = {}) {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const page = new BrowserPage(this, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await page.send('Page.navigate', {url: pathToFileURL(file).href});
    await page.until(ready);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.on('exit', resolve));
    this.send('Browser.close').catch(() => {});
    await ended;
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  }
}

class BrowserPage {
  constructor(browser, sessionId) {
    this.browser = browser;
    this.sessionId = sessionId;
    this.complaints = [];  // errors, also those that the console shows
    this.requests = [];
    browser.listeners.push((message) => {
      if (message.sessionId === sessionId) this.note(message);
    });
  }

  note({method, params}) {
    if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type))
      this.complaints.push(params.args.map((one) => one.value ?? one.description).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url.slice(0, 100));
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression, seconds = 20) {
    for (const end = Date.now() + 1000 * seconds; !(await this.evaluate(`Boolean(${expression})`)); ) {
      if (Date.now() > end) throw new Error(`in ${seconds} s this did not come true: ${expression}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  /** Returns a picture, as PNG: of the whole page, or of what the selector names. */
  async picture(selector) {
    const box = await this.evaluate(`(() => { const {x, y, width, height} = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return {x: x + scrollX, y: y + scrollY, width, height}; })()`);
    const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: true, clip: {...box, scale: 1}});
    return Buffer.from(data, 'base64');
  }

  /** Shows what printing would put on paper, of which `width` and `height` are what margins leave, in pixels. */
  async paper({width, height, dark = false}) {
    await this.send('Emulation.setEmulatedMedia', {media: 'print', features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await this.evaluate(`new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)))`);
    await this.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
    await this.evaluate(`new Promise((wake) => requestAnimationFrame(() => requestAnimationFrame(wake)))`);
  }

  /** Prints on paper of a size in inches, and returns the number of pages. */
  async print({width, height}) {
    const {data} = await this.send('Page.printToPDF', {paperWidth: width, paperHeight: height, printBackground: true});
    return (Buffer.from(data, 'base64').toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
  }

  close() {
    return this.send('Page.close', {});
  }

  mouse(type, x, y, more = {}) {
    return this.send('Input.dispatchMouseEvent', {type, x, y, ...more});
  }
}
