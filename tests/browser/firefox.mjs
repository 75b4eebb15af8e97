/* firefox.mjs - a headless Firefox that a test can read, click and type in, as chromium.mjs has it, over
 * WebDriver BiDi; needs node with WebSocket (22, or 20 with --experimental-websocket). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ANSWER_MS = 60000;
const START_MS = 60000;

/* One Firefox has one theme, so that a page in the other one comes from a second. */
export class Browser {
  constructor(program) {
    Object.assign(this, { program, name: 'firefox', themes: new Map() });
  }

  theme(dark) {
    if (!this.themes.has(dark)) {
      this.themes.set(dark, Session.start(this.program, dark));
    }
    return this.themes.get(dark);
  }

  /* A page of that many CSS pixels. */
  async page({ width = 1280, height = 800, dark = false } = {}) {
    const session = await this.theme(dark);
    const { context } = await session.send('browsingContext.create', { type: 'tab' });
    const page = new Page(session, context);
    await page.send('browsingContext.setViewport', { viewport: { width, height }, devicePixelRatio: 1 });
    return page;
  }

  async close() {
    for (const session of this.themes.values()) {
      await (await session).end();
    }
  }
}

/* A Firefox, and what it says. */
class Session {
  static async start(program, dark) {
    const session = new Session();
    session.folder = mkdtempSync(join(tmpdir(), 'banksim-firefox-'));
    writeFileSync(join(session.folder, 'user.js'), `
user_pref("layout.css.prefers-color-scheme.content-override", ${dark ? 0 : 1});
user_pref("ui.useOverlayScrollbars", 1);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
`);
    session.process = spawn(program, ['--headless', '--no-remote', '--remote-debugging-port=0',
      '--profile', session.folder, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    await session.connect(await session.address());
    await session.send('session.new', { capabilities: {} });
    await session.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent',
      'browsingContext.userPromptOpened'] });
    return session;
  }

  constructor() {
    Object.assign(this, { next: 1, waiting: new Map(), listeners: [] });
  }

  /* "WebDriver BiDi listening on ws://127.0.0.1:43601" */
  address() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Firefox does not start')), START_MS);
      let said = '';
      this.process.once('error', reject);
      this.process.once('exit', (code) => reject(new Error(`Firefox ended (${code})`)));
      this.process.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        const found = /listening on (ws:\S+)\n/.exec(said);
        if (found) {
          clearTimeout(timer);
          resolve(found[1]);
        }
      });
    });
  }

  connect(address) {
    this.socket = new WebSocket(`${address}/session`);
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    return new Promise((resolve, reject) => {
      this.socket.onopen = resolve;
      this.socket.onerror = () => reject(new Error(`no connection to ${address}`));
    });
  }

  hear(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      this.listeners.forEach((listener) => listener(message));
      return;
    }
    this.waiting.delete(message.id);
    clearTimeout(waiting.timer);
    if (message.type === 'error') {
      waiting.reject(new Error(`${waiting.method}: ${message.message}`));
    } else {
      waiting.resolve(message.result);
    }
  }

  send(method, params = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS);
      this.waiting.set(id, { resolve, reject, method, timer });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async end() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    try {
      await this.send('browser.close');
    } catch {
      this.process.kill('SIGKILL');
    }
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/* As WebDriver numbers keys that are no characters. */
const keyValues = { Tab: '\uE004', Enter: '\uE007', Shift: '\uE008', End: '\uE010', Home: '\uE011', ArrowLeft: '\uE012',
  ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015' };

class Page {
  constructor(session, context) {
    Object.assign(this, { session, context, complaints: [], requests: [] });
    session.listeners.push((message) => this.hear(message));
  }

  hear({ method, params }) {
    const context = params?.context ?? params?.source?.context;
    if (context !== this.context) {
      return;
    }
    if (method === 'log.entryAdded' && ['error', 'warn'].includes(params.level)) {
      this.complaints.push(params.text);
    } else if (method === 'browsingContext.userPromptOpened') {
      this.complaints.push(`a dialog: ${params.message}`);
      this.send('browsingContext.handleUserPrompt', { accept: true });
    } else if (method === 'network.beforeRequestSent' && !params.request.url.startsWith('data:')) {
      this.requests.push(params.request.url);
    }
  }

  send(method, params) {
    return this.session.send(method, { context: this.context, ...params });
  }

  /* Opens the file; returns how many milliseconds it took until it was loaded and drawn. */
  async open(path) {
    const start = performance.now();
    await this.send('browsingContext.navigate', { url: `file://${path}`, wait: 'complete' });
    await this.run('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return performance.now() - start;
  }

  /* What the expression gives, promises awaited. */
  async run(expression) {
    const { result, exceptionDetails } = await this.session.send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      target: { context: this.context }, awaitPromise: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.text);
    }
    return result.type === 'string' ? JSON.parse(result.value) : undefined;
  }

  act(type, actions) {
    return this.send('input.performActions', { actions: [{ type, id: type, actions }] });
  }

  key(name) {
    const value = keyValues[name];
    return this.act('key', [{ type: 'keyDown', value }, { type: 'keyUp', value }]);
  }

  /* Scrolls the element into view and clicks on its middle. */
  async click(selector) {
    const { x, y } = await this.run(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = element.getBoundingClientRect();
      return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
    })()`);
    await this.act('pointer', [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 }]);
  }

  async screenshot(whole = false) {
    const { data } = await this.send('browsingContext.captureScreenshot',
      { origin: whole ? 'document' : 'viewport' });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.send('browsingContext.close');
  }
}
