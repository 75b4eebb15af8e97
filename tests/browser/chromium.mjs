/* chromium.mjs - a headless Chromium that a test can read, click and type in, over the DevTools
 * protocol on two pipes (file descriptors 3 and 4 of the browser); needs no package but node. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ANSWER_MS = 60000;

export class Browser {
  constructor(program) {
    this.name = 'chromium';
    this.folder = mkdtempSync(join(tmpdir(), 'banksim-browser-'));
    this.process = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu',
      '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions', '--hide-scrollbars',
      '--disable-background-networking', '--remote-debugging-pipe',
      `--user-data-dir=${this.folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    this.rest = '';
    this.gone = null;
    this.process.on('error', (error) => this.fail(error));
    this.process.on('exit', (code) => this.fail(new Error(`the browser ended (${code})`)));
    this.process.stdio[3].on('error', () => {});
    this.process.stdio[4].setEncoding('utf8');
    this.process.stdio[4].on('data', (text) => this.read(text));
  }

  fail(error) {
    this.gone = error;
    for (const { reject } of this.waiting.values()) {
      reject(error);
    }
    this.waiting.clear();
  }

  read(text) {
    const parts = (this.rest + text).split('\0');
    this.rest = parts.pop();
    for (const message of parts.map((part) => JSON.parse(part))) {
      const waiting = this.waiting.get(message.id);
      if (!waiting) {
        this.listeners.forEach((listener) => listener(message));
        continue;
      }
      this.waiting.delete(message.id);
      clearTimeout(waiting.timer);
      if (message.error) {
        waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      } else {
        waiting.resolve(message.result);
      }
    }
  }

  send(method, params = {}, sessionId = undefined) {
    if (this.gone) {
      return Promise.reject(this.gone);
    }
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS);
      this.waiting.set(id, { resolve, reject, method, timer });
      this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }

  /* A page of that many CSS pixels. */
  async page({ width = 1280, height = 800, dark = false, mobile = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) {
      await page.send(`${domain}.enable`);
    }
    await page.send('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile });
    await page.send('Emulation.setEmulatedMedia',
      { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    try {
      await this.send('Browser.close');
    } catch {
      this.process.kill('SIGKILL');
    }
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const keyCodes = { Tab: 9, Enter: 13, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39,
  ArrowDown: 40 };

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, complaints: [], requests: [] });
    browser.listeners.push((message) => message.sessionId === sessionId && this.hear(message));
  }

  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') {
      const { text, exception } = params.exceptionDetails;
      this.complaints.push(`${text} ${exception?.description ?? ''}`);
    } else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) {
      this.complaints.push(params.entry.text);
    } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) {
      this.complaints.push(params.args.map((arg) => arg.value).join(' '));
    } else if (method === 'Page.javascriptDialogOpening') {
      this.complaints.push(`a dialog: ${params.message}`);
      this.send('Page.handleJavaScriptDialog', { accept: true });
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    } else if (method === 'Page.loadEventFired') {
      this.loaded?.();
    }
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  /* Opens the file; returns how many milliseconds it took until it was loaded and drawn. */
  async open(path) {
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    const start = performance.now();
    await this.send('Page.navigate', { url: `file://${path}` });
    await loaded;
    await this.run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return performance.now() - start;
  }

  /* What the expression gives, promises awaited. */
  async run(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  async key(name) {
    const code = keyCodes[name];
    const one = { key: name, code: name, windowsVirtualKeyCode: code };
    await this.send('Input.dispatchKeyEvent',
      { type: 'keyDown', ...one, ...(name === 'Enter' ? { text: '\r' } : {}) });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...one });
  }

  /* Scrolls the element into view and clicks on its middle. */
  async click(selector) {
    const { x, y } = await this.run(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    const one = { x, y, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...one });
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...one });
  }

  async screenshot(whole = false) {
    const { data } = await this.send('Page.captureScreenshot',
      { format: 'png', captureBeyondViewport: whole });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }
}
