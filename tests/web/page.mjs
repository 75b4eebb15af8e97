/* page.mjs - build/banksim.html in a headless browser: what it shows is what the program says, sliders,
 * plans, links, keys and themes. Speaks TAP. NATIVE and PAGE name what is used; browser.mjs
 * has the browser. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../browser/browser.mjs';
import { faint } from '../browser/contrast.mjs';
import { GAIN, HINT } from './tried.mjs';

const MOST_STEP_MS = 16;
const MOST_OPENING_MS = 100;
/* No machine is so busy that what takes so many times as long is not slow itself. */
const FAR = 5;
/* Two seconds of dragging. */
const N_STEPS = 120;
const N_ROUNDS = 5;
const UNPACKED_MS = 1000;
const TILE = `block 32,32
__shared__ float tile[32][32];

tile[threadIdx.y][threadIdx.x] = in;
__syncthreads();
out = tile[threadIdx.x][threadIdx.y];
`;
const KERNEL = `#define TILE 32

__global__ void transpose(float *out, const float *in, int n) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[x * n + y] = tile[threadIdx.x][threadIdx.y];
}
`;
/* A block of 64 x 64 by 256 threads, 4 x 4 each, of 128 x 128. */
const SGEMM = `__global__ void sgemm(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][64], bs[16][64];
  int t = threadIdx.x, row = t / 16 * 4, column = t % 16 * 4;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = 0; i < 4; i++) {
      as[t % 16][t / 16 + 16 * i] = a[(blockIdx.y * 64 + t / 16 + 16 * i) * n + k + t % 16];
      bs[t / 64 + 4 * i][t % 64] = b[(k + t / 64 + 4 * i) * n + blockIdx.x * 64 + t % 64];
    }
    __syncthreads();
    for (int l = 0; l < 16; l++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += as[l][row + i] * bs[l][column + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + row + i) * n + blockIdx.x * 64 + column + j] = sum[i][j];
}
void launch(float *a, float *b, float *c) {
  cudaMalloc(&a, 65536); cudaMalloc(&b, 65536); cudaMalloc(&c, 65536);
  sgemm<<<1, 256>>>(a, b, c, 128);
}
`;
const LARGE = 'block 32,32\n__shared__ float tile[64][64];\nout = tile[threadIdx.x][threadIdx.y];\n';

const folder = mkdtempSync(join(tmpdir(), 'banksim-page-'));
const browser = await launch();

function program(...args) {
  return spawnSync(process.env.NATIVE, args, { encoding: 'utf8' }).stdout;
}

const answers = (page) => page.run('Number(document.body.dataset.answers || 0)');

async function until(page, condition, what) {
  for (const end = Date.now() + 10000; Date.now() < end;) {
    if (await page.run(condition)) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not come`);
}

async function open(options = {}, state = null) {
  const page = await browser.page({ width: 1280, height: 900, ...options });
  const hash = state ? `#${new URLSearchParams(state)}` : '';
  await page.open(process.env.PAGE + hash);
  await until(page, 'document.body.dataset.answers > 0', 'the first answer');
  return page;
}

/* Does something, and waits for the answer to it. */
async function after(page, expression) {
  const before = await answers(page);
  await page.run(expression);
  await until(page, `document.body.dataset.answers > ${before}`, `an answer to ${expression}`);
}
const slide = (page, id, value) => after(page, `(() => {
  const slider = document.getElementById('${id}');
  slider.value = ${value};
  slider.dispatchEvent(new Event('input'));
})()`);
const write = (page, text) => after(page, `(() => {
  const editor = document.getElementById('text');
  editor.value = ${JSON.stringify(text)};
  editor.dispatchEvent(new Event('input'));
})()`);
const facts = (page) => page.run(`Object.fromEntries([...document.querySelectorAll('#facts div')]
  .map((div) => [div.querySelector('dt').textContent, div.querySelector('b').textContent]))`);
const text = (page) => page.run("document.getElementById('text').value");
const textOf = (page, id) => page.run(`document.getElementById('${id}').textContent`);

/* Lanes and banks whose boxes have a broad frame of that colour: what is served, or pointed at. */
const framed = (page, colour) => page.run(`(() => {
  /* Of a copy: a canvas that is read from is drawn in another way from then on. */
  const pixelsOf = (canvas) => {
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  const scale = document.querySelector('#lanes canvas').width / 834;
  const { width, data } = pixelsOf(document.querySelector('#lanes canvas'));
  const hex = getComputedStyle(document.documentElement).getPropertyValue('${colour}').trim();
  const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const has = (box, y) => {
    const at = 4 * (Math.floor((y + 1.75) * scale) * width + Math.round((26 * box + 7) * scale));
    return wanted.every((value, i) => Math.abs(value - data[at + i]) < 24);
  };
  const all = Array.from({ length: 32 }, (_, i) => i);
  return { lanes: all.filter((lane) => has(lane, 0)), banks: all.filter((bank) => has(bank, 77)) };
})()`);

async function close(page) {
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !/^(file|blob):/.test(url)), []);
  await page.close();
}

const tests = {
  async 'columns that are asked for are no padding'() {
    const page = await open({}, { t: 'block 16,16\nshared float t[18][18]\nload t[threadIdx.y + 1][threadIdx.x + 2]\n' });
    await until(page, "/neither.*16 passes/.test(document.getElementById('plans').textContent)", 'what it has');
    assert.equal(await page.run("document.getElementById('pad').value"), '0');
    await slide(page, 'pad', 1);
    assert.match(await text(page), /t\[18\]\[18 \+ 1\]/);
    await slide(page, 'pad', 0);
    assert.match(await text(page), /t\[18\]\[18\]/);
    await close(page);
  },

  async 'rows that a pointer walks through stay as long as they are'() {
    const page = await open({}, { t: `__global__ void k(float *o) {
__shared__ float a[32][32];
float *f = &a[0][0]; for (int i = threadIdx.x; i < 1024; i += 32) f[i] = i;
__syncthreads(); float s = 0; for (int i = 0; i < 32; i++) s += a[threadIdx.x][i]; o[threadIdx.x] = s; }
void l(float *o) { k<<<1, 32>>>(o); }
` });
    await until(page, "/pad 4/.test(document.getElementById('plans').textContent)", 'a plan');
    assert.ok(await page.run("document.getElementById('pad').disabled"));
    assert.match(await textOf(page, 'layout-hint'), /longer rows would break it/);
    assert.equal(await page.run("document.querySelectorAll('#plans button').length"), 1);
    await close(page);
  },

  async 'nothing is changed in a text that is not understood'() {
    const page = await open();
    await until(page, "document.querySelectorAll('#plans button').length > 1", 'plans');
    await write(page, 'block 32\nshared float mine[64]\nload mine[2 * lane\n');
    assert.ok(await page.run("document.getElementById('layout').disabled && [...document.querySelectorAll('#plans button')]"
      + '.every((button) => button.disabled)'));
    await write(page, TILE);
    assert.ok(await page.run("!document.getElementById('layout').disabled && ![...document.querySelectorAll('#plans button')]"
      + '.some((button) => button.disabled)'));
    await close(page);
  },

  async 'an arrow key in the list of accesses leaves the focus there'() {
    const page = await open();
    await page.run("document.querySelector('#accesses input:checked').focus()");
    await after(page, `(() => {
      const other = document.querySelector('#accesses input:not(:checked)');
      other.focus();
      other.click();
    })()`);
    assert.equal(await page.run('document.activeElement.name + document.activeElement.checked'), 'accesstrue');
    await close(page);
  },

  async 'a tile comes back behind accesses to global memory'() {
    const page = await open();
    const hidden = () => page.run("document.getElementById('tile').closest('[hidden]') !== null");
    await write(page, 'block 32\nglobal float *in\nload in[lane * 2]\n');
    assert.ok(await hidden());
    await write(page, 'block 32,32\n__shared__ float tile[32][33];\nout = tile[threadIdx.x][threadIdx.y];\n');
    assert.equal((await facts(page))['Passes of this request'], '1');
    assert.ok(!await hidden());
    await close(page);
  },

  async 'the first screen has the column read of a tile'() {
    const page = await open();
    assert.deepEqual(await facts(page), { 'Passes of this request': '32',
      'Passes of all requests': '1,056', 'Worst request': '32-way', 'Cycles of the block': '1,177' });
    assert.match(await textOf(page, 'why'), /^32 passes because lanes 0, 1, 2, ... 31 want 32 different/);
    await close(page);
    /* All of it, above the fold. */
    for (const [width, height] of [[1280, 900], [1920, 1080]]) {
      const screen = await open({ width, height });
      const lowest = await screen.run(`Math.max(...['.facts', '.tile', '.lanes', '.plans', '.editor'].map(
        (name) => document.querySelector(name).getBoundingClientRect().bottom))`);
      assert.ok(lowest <= height, `${lowest} px of ${height}`);
      await close(screen);
    }
  },

  async 'padding takes the conflict away, and the text says so'() {
    const page = await open();
    await slide(page, 'pad', 1);
    assert.match(await text(page), /tile\[32\]\[32 \+ 1\];/);
    assert.equal((await facts(page))['Passes of this request'], '1');
    assert.equal(await textOf(page, 'cuda'), '__shared__ float tile[32][33];');
    await slide(page, 'bits', 5);
    assert.match(await text(page), /tile\[32\]\[32\] row-xor 5,0,0;/);
    assert.match(await textOf(page, 'cuda'), /tile\[y\]\[x \^ y\]/);
    assert.equal((await facts(page))['Passes of all requests'], '64');
    await slide(page, 'bits', 0);
    assert.equal(await text(page), TILE);
    await close(page);
  },

  async 'plans set the sliders'() {
    const page = await open();
    await until(page, "document.querySelectorAll('#plans button').length > 2", 'the plans');
    await after(page, "[...document.querySelectorAll('#plans button')].find((b) => /pad 1/.test(b.textContent)).click()");
    assert.equal(await page.run("document.getElementById('pad').value"), '1');
    await until(page, "document.querySelector('#plans [aria-pressed=true]').textContent.startsWith('pad 1')",
      'the plan that is chosen');
    await close(page);
  },

  async 'Back takes a plan and an example back'() {
    const page = await open();
    await until(page, "document.querySelectorAll('#plans button').length > 2", 'the plans');
    await after(page, "[...document.querySelectorAll('#plans button')].find((b) => /pad 1/.test(b.textContent)).click()");
    await after(page, `(() => {
      document.getElementById('examples').value = 'e1';
      document.getElementById('examples').dispatchEvent(new Event('change'));
    })()`);
    assert.doesNotMatch(await text(page), /tile/);
    await after(page, 'history.back()');
    assert.match(await text(page), /tile\[32\]\[32 \+ 1\];/);
    await after(page, 'history.back()');
    assert.equal(await text(page), TILE);
    await close(page);
  },

  async 'an array as long as the launch says is declared without a length'() {
    const page = await open({}, { t: `__global__ void k(float *o) {
extern __shared__ float s[];
s[threadIdx.x * 2] = 1; o[threadIdx.x] = s[threadIdx.x]; }
void l(float *o) { k<<<1, 32, 256>>>(o); }
` });
    assert.equal(await textOf(page, 'cuda'), 'extern __shared__ float s[];');
    await close(page);
  },

  async 'wide requests have their turns in parts of a warp'() {
    const page = await open({}, { t: 'block 32\nshared float4 t[32][8]\nload t[lane][0]\nload t[0][lane % 8]\n' });
    assert.match(await textOf(page, 'facts'), /8-way8 turns at one bank, by quarter-warps/);
    assert.deepEqual(await page.run("[...document.querySelectorAll('#accesses small')].map((each) => each.textContent)"),
      ['8-way, 32 passes, ideal 4', 'no conflict, 4 passes, ideal 4']);
    await close(page);
  },

  async 'accesses that read alike are told apart, and a long text is shown at once'() {
    const page = await open({}, { t: 'block 32\nshared float t[64]\nload t[lane]\nload t[lane]\n' });
    assert.match(await textOf(page, 'accesses'), /\(1 of 2\)[^]*\(2 of 2\)/);
    await write(page, `block 32\nshared float t[64] /* ${'1 '.repeat(1000)}*/\nload t[${'0 + '.repeat(3000)}lane]\n`);
    assert.ok(await page.run("document.querySelectorAll('#shown span').length") < 100);
    await close(page);
  },

  async 'the reports are the program\'s'() {
    const page = await open();
    writeFileSync(join(folder, 'text'), TILE);
    await page.run("document.getElementById('report').open = document.getElementById('advice').open = true");
    await until(page, "document.getElementById('advice-text').textContent !== ''", 'the report');
    assert.equal(await textOf(page, 'report-text'), program('check', join(folder, 'text')));
    assert.equal(await textOf(page, 'advice-text'), program('advise', join(folder, 'text')));
    await close(page);
  },

  async 'a page that the program filled shows that, without its library'() {
    const path = join(folder, 'filled.html');
    const filled = program('check', '--device', 'k40', '--bank-width', '8', '--shared', 'float s[128]',
      '--load', 's[4 * lane]', '--format', 'html');
    writeFileSync(path, filled.replace(/(id="wasm">)[^]*?(<\/script>)/, '$1$2'));
    const page = await browser.page({ width: 1280, height: 900 });
    await page.open(path);
    await until(page, 'document.body.dataset.answers > 0', 'the first answer');
    assert.equal(await text(page), 'shared float s[128]\nload s[4 * lane]\n');
    assert.equal((await facts(page))['Passes of this request'], '2');
    assert.equal(await page.run("document.getElementById('device').selectedOptions[0].value"),
      'k40;bank-width=8');
    await page.close();
  },

  async 'so does one that was filled with a launch'() {
    const source = join(folder, 'turn.cu');
    const path = join(folder, 'turn.html');
    writeFileSync(source, KERNEL);
    const launched = 'transpose<<<1, dim3(32, 32)>>>(float[1024], float[1024] = iota, 32)';
    const filled = program('check', source, launched, '--device', 'a100', '--format', 'html');
    writeFileSync(path, filled.replace(/(id="(?:wasm|kernels)">)[^]*?(<\/script>)/g, '$1$2'));
    const page = await browser.page({ width: 1280, height: 900 });
    await page.open(path);
    await until(page, 'document.body.dataset.answers > 0', 'the first answer');
    assert.equal(await text(page), KERNEL);
    assert.equal(await page.run("document.getElementById('launch-text').value"), launched);
    assert.equal((await facts(page))['Passes of all requests'], '1,056');
    assert.equal(await page.run("document.getElementById('device').value"), 'a100');
    await page.close();
  },

  async 'a link to what a page was filled with needs no library either'() {
    const bare = join(folder, 'bare.html');
    writeFileSync(bare, readFileSync(process.env.PAGE, 'utf8').replace(/(id="wasm">)[^]*?(<\/script>)/, '$1$2'));
    for (const which of [{ a: 1, p: 3 }, { a: 1, w: 0, n: 0, p: 3 }]) {
      const page = await browser.page({ width: 1280, height: 900 });
      await page.open(`${bare}#${new URLSearchParams({ t: TILE, d: 'sm_90', ...which })}`);
      await until(page, 'document.body.dataset.answers > 0', 'the first answer');
      assert.equal(await textOf(page, 'pass-out'), 'pass 4 of 32');
      assert.equal((await facts(page))['Cycles of the block'], '1,177');
      await page.close();
    }
  },

  async 'what decides whether conflicts matter stands there, of a grid and with other memory'() {
    const page = await open();
    const launch = async () => (await page.run("document.getElementById('launch').hidden") ? null : textOf(page, 'launch'));
    assert.equal(await launch(), null);
    await write(page, `grid 64,64\n${TILE}`);
    writeFileSync(join(folder, 'grid'), `grid 64,64\n${TILE}`);
    const said = program('check', join(folder, 'grid'));
    const [, played, least, most] = /launch: about (\d+) cycles \((\d+) to (\d+)\)/.exec(said);
    const [, gain] = /without conflicts, index arithmetic not counted, at most ([\d.]+) times/.exec(said);
    const comma = (n) => Number(n).toLocaleString('en');
    assert.equal(await launch(), `The launch takes ${comma(played)} cycles (${comma(least)} to ${comma(most)}) by shared memory, `
      + `held up by shared memory\u2019s data pipe; without conflicts, index arithmetic not counted, at most ${gain} times as fast.`);
    await write(page, 'global float *in\nshared float s[64]\ns[lane] = in[32 * lane];\n');
    assert.match(await launch(), /^The launch takes \d+ cycles \(\d+ to \d+\) by shared memory, held up by waiting for L2\.$/);
    await close(page);
  },

  async 'a kernel is pasted: its launch is proposed, its sites are lines, and the report is the program\'s'() {
    const page = await open();
    await write(page, KERNEL);
    assert.deepEqual(await facts(page), { 'Passes of this request': '32', 'Passes of all requests': '1,056',
      'Worst request': '32-way', 'Cycles of the block': await page.run('count(shown.check.cycles)') });
    assert.equal(await page.run("document.getElementById('launch-text').value"),
      'transpose<<<1, dim3(32, 32)>>>(float[32768], float[32768] = iota, 32)');
    assert.match(await textOf(page, 'launch-hint'), /^The text does not say grid, block, .*: chosen here/);
    assert.equal(await page.run("document.querySelector('#shown .line').textContent.trim().slice(0, 15)"), 'out[x * n + y] ');
    writeFileSync(join(folder, 'kernel.cu'), KERNEL);
    for (const launch of ['transpose<<<1, dim3(32, 32)>>>(float[32768], float[32768] = iota, 32)',
      'transpose<<<dim3(2, 2), dim3(32, 32)>>>(float[4096], float[4096], 64)']) {
      await after(page, `(() => {
        const field = document.getElementById('launch-text');
        field.value = ${JSON.stringify(launch)};
        field.dispatchEvent(new Event('input'));
        document.getElementById('report').open = true;
      })()`);
      /* But for layouts, which the program alone tries in the kernel. */
      const untried = `.replace(${HINT}, '').replace(${GAIN}, '')`;
      const report = program('check', join(folder, 'kernel.cu'), launch).replace(HINT, '').replace(GAIN, '');
      await until(page, `document.getElementById('report-text').textContent${untried} === ${JSON.stringify(report)}`,
        'the program\'s report');
    }
    await until(page, "location.hash.includes('l=transpose')", 'the launch in the link');
    /* What helps is written into the kernel. */
    await slide(page, 'pad', 1);
    assert.match(await text(page), /float tile\[TILE\]\[TILE \+ 1\];/);
    assert.equal((await facts(page))['Passes of this request'], '1');
    await until(page, "[...document.querySelectorAll('#plans button')].some((b) => /^pad 1/.test(b.textContent))", 'the plan');
    await write(page, TILE);
    assert.ok(await page.run("document.getElementById('launching').hidden"));
    assert.equal((await facts(page))['Passes of all requests'], '1,056');
    await close(page);
  },

  async 'what is wrong with a kernel or its launch has its place'() {
    const page = await open();
    const mistakes = [[KERNEL.replace('float tile', 'float4x tile'), null, /^Line 4, column \d+: .*\n.*\n *\^/s],
      [KERNEL.replace('__syncthreads();', 'goto end;'), null, /^Line 7, column 5: /],
      ['__global__ void k(int *p);', null, /^no kernel stands here whole/],
      ['#include <vector>\nint main()\n{\n    k<<<1, 32>>>();\n}', null, /no __global__ kernel stands here: paste/],
      [KERNEL, 'transpose<<<1>>>(1)', /^the launch, column 14: /],
      [KERNEL, 'transpose<<<1, dim3(32, 32)>>>(float[8], float[1024], 32)', /^Line 8: transpose, block \(0,0,0\), thread .* behind the end of argument 0/],
      ['__global__ void k(int *p) { p[0] = 1; }', null, /no kernel of it accesses shared memory/]];
    for (const [kernel, launch, what] of mistakes) {
      await write(page, `${kernel}\n`);
      if (launch) {
        await after(page, `chooseLaunch(${JSON.stringify(launch)})`);
      }
      assert.match(await textOf(page, 'fault'), what);
      assert.ok(!await page.run("document.getElementById('fault').hidden"));
      await after(page, 'state.launch = null, setText(\'shared float s[32]\\nload s[lane]\\n\')');
    }
    /* A GPU lets it pass. */
    await write(page, '__global__ void k(int *p) {\n  __shared__ int s[32];\n  p[threadIdx.x] = s[threadIdx.x];\n}\n');
    assert.match(await textOf(page, 'findings'), /that nobody wrote/);
    await write(page, KERNEL);
    assert.ok(await page.run("document.getElementById('findings').hidden && document.getElementById('fault').hidden"));
    await close(page);
  },

  async 'of several kernels one is chosen, and a link keeps which'() {
    const two = `${KERNEL}__global__ void other(int *p) {\n  __shared__ int s[64];\n  s[2 * threadIdx.x] = 1;\n`
      + '  __syncthreads();\n  p[threadIdx.x] = s[threadIdx.x];\n}\n';
    const page = await open({}, { t: two, l: 'other<<<1, 32>>>(int[32])' });
    assert.equal((await facts(page))['Passes of this request'], '2');
    assert.equal(await page.run("document.getElementById('launches').selectedOptions[0].textContent"), 'other');
    await after(page, `(() => {
      const choice = document.getElementById('launches');
      choice.value = 0;
      choice.dispatchEvent(new Event('change'));
    })()`);
    assert.equal((await facts(page))['Passes of this request'], '32');
    const names = await page.run("['launches', 'launch-text'].map((id) => document.getElementById(id).checkVisibility())");
    assert.deepEqual(names, [true, true]);
    /* From the text on by keys. */
    await page.run("document.getElementById('text').focus()");
    await page.key('Tab');
    assert.equal(await page.run('document.activeElement.id'), 'launches');
    await page.key('Tab');
    assert.equal(await page.run('document.activeElement.id'), 'launch-text');
    await close(page);
  },

  async 'of several launches of one kernel each can be chosen, by its shape'() {
    const page = await open();
    await write(page, '__global__ void k(int *p) {\n  __shared__ int s[64];\n  s[threadIdx.x] = 1;\n  __syncthreads();\n'
      + '  p[threadIdx.x] = s[threadIdx.x];\n}\nvoid f(int *p) { k<<<1, 32>>>(p); k<<<1, 64>>>(p); }\n');
    assert.deepEqual(await page.run("[...document.getElementById('launches').options].map((each) => each.textContent)"),
      ['k<<<1, 32>>>', 'k<<<1, 64>>>']);
    assert.equal((await facts(page))['Passes of all requests'], '2');
    await after(page, `(() => {
      const choice = document.getElementById('launches');
      choice.value = 1;
      choice.dispatchEvent(new Event('change'));
    })()`);
    assert.equal((await facts(page))['Passes of all requests'], '4');
    assert.equal(await page.run("document.getElementById('launches').value"), '1');
    await close(page);
  },

  async 'a page of advise has as many plans as were asked for, and its link too'() {
    const path = join(folder, 'advised.html');
    writeFileSync(path, program('advise', '--block', '32,32', '--shared', 'float t[32][32]', '--load',
      't[threadIdx.x][threadIdx.y]', '--best', '1', '--format', 'html'));
    const page = await browser.page({ width: 1280, height: 900 });
    await page.open(path);
    await until(page, "document.querySelectorAll('#plans button').length > 0", 'the plans');
    /* And the array as it is. */
    assert.equal(await page.run("document.querySelectorAll('#plans button').length"), 2);
    await until(page, "location.hash.includes('b=1')", 'the link');
    await close(page);
  },

  async 'what is pinned stands beside each figure, and the plan at hand is marked, however it is written'() {
    const page = await open();
    await until(page, "document.querySelectorAll('#plans button').length > 2", 'the plans');
    await after(page, "document.getElementById('pin').click()");
    await write(page, TILE.replace('[32][32]', '[32][33]'));
    assert.deepEqual(await page.run("[...document.querySelectorAll('#facts dd span')].map((each) => each.textContent)"),
      ['A: 32', 'A: 1,056', 'A: 32-way', 'A: 1,177']);
    await until(page, "document.querySelector('#plans [aria-pressed=true]').textContent.startsWith('pad 1')", 'the plan');
    await write(page, 'block 32\nglobal float *in\nload in[lane]\n');
    assert.deepEqual(await page.run("[...document.querySelectorAll('#facts dd span')].map((each) => each.textContent)"),
      ['A: \u2013', 'A: \u2013']);
    await close(page);
  },

  async 'global memory has sectors, and no figures of banks'() {
    const page = await open();
    await write(page, 'block 32\nglobal float *in\nload in[lane * 2]\n');
    assert.deepEqual(await facts(page), { 'Sectors of this request': '8', 'Sectors of all requests': '8' });
    assert.equal(await page.run("document.querySelectorAll('#sectors li').length"), 8);
    assert.equal(await page.run("document.querySelectorAll('#sectors li')[7].textContent"), 'byte 22428293031');
    await write(page, TILE);
    assert.ok(await page.run("document.getElementById('sectors').hidden"));
    await close(page);
  },

  async 'what takes too long is told, and given up for what is written next'() {
    const long = 'block 1024\nshared float s[32]\nfor (unsigned i = 1; i != 0; i += 2)\nload s[lane]\n';
    const page = await open();
    const type = (text) => page.run(`(() => {
      const editor = document.getElementById('text');
      editor.value = ${JSON.stringify(text)};
      editor.dispatchEvent(new Event('input'));
    })()`);
    await type(long);
    await until(page, "!document.getElementById('busy').hidden", 'a word');
    await type('shared float s[32]\nload s[lane]\n');
    const begin = Date.now();
    await until(page, "document.getElementById('facts').textContent.includes('ideal 1, 1 request')", 'the next answer');
    assert.ok(Date.now() - begin < 4000, `${Date.now() - begin} ms`);
    assert.ok(await page.run("document.getElementById('busy').hidden && document.getElementById('fault').hidden"));
    await write(page, long);
    assert.match(await textOf(page, 'fault'), /^this takes longer than the 5 s that a page has/);
    await write(page, TILE);
    assert.equal((await facts(page))['Passes of all requests'], '1,056');
    await close(page);
  },

  async 'a mistake is told with its line, and the picture stays'() {
    const page = await open();
    await write(page, TILE.replace('out = tile[threadIdx.x]', 'out = tile[threadIdx.w]'));
    assert.match(await textOf(page, 'fault'), /^Line 6, column 22: /);
    assert.equal((await facts(page))['Passes of this request'], '32');
    assert.ok(await page.run("document.querySelector('#shown .wrong').textContent.startsWith('out')"));
    await write(page, 'block 32\nload nothing[lane]\n');
    await page.run("document.getElementById('pad').dispatchEvent(new Event('input'))");
    assert.equal(await text(page), 'block 32\nload nothing[lane]\n');
    await write(page, TILE);
    assert.ok(await page.run("document.getElementById('fault').hidden"));
    await close(page);
  },

  async 'a link with a mistake has the mistake, and nothing else yet'() {
    const page = await open({}, { t: TILE.replace('threadIdx.x]', 'threadIdx.w]') });
    const isSeen = (id) => page.run(`document.getElementById('${id}').checkVisibility({ visibilityProperty: true })`);
    assert.match(await textOf(page, 'fault'), /^Line 4, column /);
    assert.deepEqual([await isSeen('fault'), await isSeen('warp'), await isSeen('layout')], [true, false, false]);
    await write(page, TILE);
    assert.deepEqual([await isSeen('fault'), await isSeen('warp'), await isSeen('layout')], [false, true, true]);
    await close(page);
  },

  async 'an access that no thread comes to rests on no rules'() {
    const page = await open();
    assert.match(await textOf(page, 'basis'), /^Counts on sm_90 rest on measured rules/);
    await write(page, 'shared float s[64]\nif (threadIdx.x > 100) load s[lane]\n');
    assert.equal(await textOf(page, 'why'), 'No thread comes to this access.');
    assert.equal(await textOf(page, 'basis'), '');
    await close(page);
  },

  async 'of a main loop the accesses of lanes are drawn, and its tiles stay as they are'() {
    const page = await open({}, { t: readFileSync('traces/mainloop.check', 'utf8') });
    assert.equal(await page.run("document.querySelector('#accesses :checked + code').textContent.split(' ')[0]"), 'stmatrix');
    assert.match(await textOf(page, 'why'), /^4 passes/);
    assert.match(await textOf(page, 'launch'), /held up by waits for copies and wgmma, of which too few are under way\.$/);
    await until(page, "/No bank conflicts: nothing to change/.test(document.getElementById('plans').textContent)", 'why');
    await after(page, "document.querySelectorAll('#accesses input')[2].click()");
    assert.equal(await textOf(page, 'why'), 'No lane has a part in it, and it has no bank conflict.');
    await close(page);
  },

  async 'what is served has a dark blue frame, on the bright ground that it has in both themes'() {
    for (const dark of [false, true]) {
      const page = await open({ dark });
      await until(page, "document.getElementById('tile').width > 300", 'the array');
      const pixels = await page.run("[...document.getElementById('tile').getContext('2d').getImageData(30, 24, 1, 15).data]");
      /* tile[0][0] is served first, tile[1][0] waits; rows are 14 high. */
      assert.deepEqual(pixels.slice(0, 4), [0, 99, 163, 255]);
      assert.notDeepEqual(pixels.slice(4 * 14), [0, 99, 163, 255]);
      await close(page);
    }
  },

  async 'a plan is named by what has to be written'() {
    const named = async (text) => {
      const page = await open({}, { t: text });
      await until(page, "document.querySelectorAll('#plans button').length > 3", 'the plans');
      const names = await page.run(`[...document.querySelectorAll('#plans button')].map((button) =>
        ['b', 'small'].map((name) => button.querySelector(name).textContent.replace(/;? ?[\\d,]+ bytes.*$/, '')))`);
      await close(page);
      return names;
    };
    assert.deepEqual((await named('shared float4 row[32][8]\nload row[lane][0]\n')).slice(2), [
      ['row[y][x ^ y % 8]', 'declared swizzle 128B, as TMA writes it'], ['pad 1: row[32][9]', '']]);
    assert.deepEqual((await named('block 16,16\nshared float Bs[16][16]\nload Bs[threadIdx.x][threadIdx.y]\n')).slice(2), [
      ['pad 2: Bs[16][18]', ''], ['Bs[y][x + x / 8]', 'declared pad 1 every 8']]);
  },

  async 'a link opens what was on the page'() {
    const page = await open();
    await slide(page, 'pad', 4);
    await page.run("document.getElementById('forth').click()");
    await page.run("document.getElementById('pin').click()");
    await until(page, "location.hash.includes('A=') && location.hash.includes('p=1')", 'the link');
    const state = Object.fromEntries(new URLSearchParams(await page.run('location.hash.slice(1)')));
    const other = await open({}, state);
    assert.equal(await text(other), await text(page));
    assert.equal(await textOf(other, 'pass-out'), 'pass 2 of 4');
    assert.deepEqual(await facts(other), await facts(page));
    assert.ok(!await other.run("document.getElementById('pinned').hidden"));
    await close(other);
    await close(page);
  },

  async 'lane, cell and bank are lit together, by keys too'() {
    const page = await open();
    await page.run("document.getElementById('lanes').focus()");
    await page.key('ArrowRight');
    await page.key('ArrowRight');
    assert.equal(await textOf(page, 'told'),
      'Lane 1, thread (1,0,0):tile[1][0], byte 128, bank 0;served in pass 2 of 32.');
    assert.deepEqual(await framed(page, '--orange'), { lanes: [1], banks: [0] });
    assert.deepEqual(await framed(page, '--blue'), { lanes: [0], banks: [] });
    await page.run("document.getElementById('tile').focus()");
    await page.key('ArrowRight');
    await page.key('ArrowDown');
    assert.equal(await textOf(page, 'told'),
      'tile[1][0] lies in bank 0.Asked for by lane 1, served in pass 2 of 32.');
    assert.deepEqual(await framed(page, '--orange'), { lanes: [1], banks: [0] });
    await page.key('Tab');
    assert.deepEqual(await framed(page, '--orange'), { lanes: [], banks: [] });
    assert.deepEqual(await framed(page, '--blue'), { lanes: [0], banks: [0] });
    /* By the pointer; and to the same one again after another answer. */
    for (const pad of [2, 3]) {
      await slide(page, 'pad', pad);
      assert.deepEqual(await framed(page, '--orange'), { lanes: [], banks: [] });
      await page.run(`(() => {
        const canvas = document.querySelector('#lanes canvas');
        const { left, top, width } = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new PointerEvent('pointermove',
          { clientX: left + 5.5 / 32 * width, clientY: top + 10, bubbles: true }));
      })()`);
      assert.match(await textOf(page, 'told'), /^Lane 5, thread \(5,0,0\):/);
      assert.deepEqual(await framed(page, '--orange'), { lanes: [5], banks: [pad * 5] });
    }
    await close(page);
  },

  async 'another text has nothing lit, and a small screen no more room for an array than it needs'() {
    const page = await open({ width: 390, height: 844, mobile: true });
    await page.run("document.getElementById('tile').focus()");
    await page.key('ArrowDown');
    assert.match(await textOf(page, 'told'), /^tile\[0\]\[0\] lies/);
    const height = () => page.run("document.querySelector('.tile .scroll').clientHeight");
    assert.equal(await height(), 420);
    await page.run("document.querySelector('#more details').open = true");
    await until(page, "document.querySelectorAll('#table tr').length > 32", 'the table');
    assert.ok(await page.run("document.querySelector('#table table').offsetWidth <= document.getElementById('table').clientWidth"));
    await write(page, 'shared float s[64]\nload s[lane]\n');
    assert.match(await textOf(page, 'told'), /^warp 0/);
    assert.ok(await height() < 100, `${await height()}`);
    await write(page, TILE);
    assert.equal(await height(), 420);
    await close(page);
  },

  async 'every example is understood, every exercise is one to do'() {
    const page = await open();
    const values = await page.run("[...document.querySelectorAll('#examples option')].map((each) => each.value)");
    assert.ok(values.length > 20, values.join());
    for (const value of values.slice(1)) {
      await after(page, `(() => {
        const choice = document.getElementById('examples');
        choice.value = '${value}';
        choice.dispatchEvent(new Event('change'));
      })()`);
      assert.equal(await textOf(page, 'fault'), '', value);
      if (value.startsWith('x')) {
        await until(page, "document.querySelector('#goals .bad') && !document.getElementById('task').hidden", value);
        assert.match(await textOf(page, 'task-goal'), /^Your task: .*\.$/, value);
        assert.ok(!await page.run("document.getElementById('task').classList.contains('solved')"), value);
      }
    }
    await close(page);
  },

  async 'an exercise is solved when the core says so'() {
    const page = await open();
    const isSolved = "document.getElementById('task').classList.contains('solved')";
    await after(page, `(() => {
      const choice = document.getElementById('examples');
      choice.value = [...choice.options].find((option) => option.textContent === '2. transpose').value;
      choice.dispatchEvent(new Event('change'));
    })()`);
    await until(page, "document.querySelector('#goals .bad')", 'what is not done');
    assert.match(await textOf(page, 'goals'), /Not yet conflicts == 0: load tile\[threadIdx.x\]\[threadIdx.y\], conflicts is 992/);
    const exercise = await text(page);
    await slide(page, 'pad', 1);
    await until(page, isSolved, 'the solution');
    assert.equal(await textOf(page, 'task-title'), 'Exercise 2. transpose: solved');
    assert.match(await textOf(page, 'goals'), /^Done conflicts == 0Done shared_bytes <= 4224Done the same work$/);
    /* What is asked for is the exercise's, whatever stands in the text. */
    await write(page, (await text(page)).replace(/\nexpect.*/g, ''));
    assert.match(await textOf(page, 'goals'), /^Done conflicts == 0Done shared_bytes <= 4224Done the same work$/);
    await write(page, exercise.replace(/\nexpect.*/g, '').replace('load tile[threadIdx.x][threadIdx.y]',
      'load tile[threadIdx.y][threadIdx.x]'));
    await until(page, `!${isSolved}`, 'the missing work');
    assert.match(await textOf(page, 'goals'), new RegExp('Done conflicts == 0.*Not yet the same work: there has to be an '
      + 'element that thread \\(1,0,0\\) writes and thread \\(0,1,0\\) reads'));
    /* What was found of another text is no longer said to be so. */
    const isStale = "document.getElementById('goals').classList.contains('stale')";
    assert.ok(!await page.run(isStale));
    await slide(page, 'pad', 1);
    await write(page, exercise.replace('[32][32]', '[32][33'));
    assert.ok(await page.run(isStale));
    assert.equal(await textOf(page, 'task-title'), 'Exercise 2. transpose');
    await after(page, "document.getElementById('again').click()");
    assert.equal(await text(page), exercise);
    await after(page, "document.getElementById('leave').click()");
    await until(page, "document.getElementById('task').hidden", 'the end');
    await close(page);
  },

  async 'nothing is wider than the screen, in either theme'() {
    for (const [width, height] of [[390, 844], [1024, 768], [1280, 900], [1920, 1080]]) {
      for (const dark of [false, true]) {
        const page = await open({ width, height, dark, mobile: width < 500 });
        assert.ok(await page.run('document.documentElement.scrollWidth <= innerWidth'), `${width}`);
        await close(page);
      }
    }
  },

  async 'all of it can be read, in either theme and whatever is shown'() {
    const states = {
      'at first': () => {},
      'with a padding, pinned': async (page) => {
        await after(page, "document.getElementById('pin').click()");
        await slide(page, 'pad', 1);
      },
      'all unfolded': async (page) => {
        await page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
        await until(page, "document.getElementById('advice-text').textContent !== ''", 'the report');
      },
      'in a later pass': async (page) => {
        await slide(page, 'pad', 0);
        await page.run("document.getElementById('forth').click()");
      },
      'with a mistake': (page) => write(page, `${TILE}// none\nload nothing[lane\n`),
      'of global memory': (page) => write(page, 'block 32\nglobal float *in\nload in[lane * 2]\n'),
    };
    for (const dark of [false, true]) {
      const page = await open({ dark });
      await until(page, "document.querySelectorAll('#plans button').length > 2", 'the plans');
      assert.deepEqual(await page.run(`(() => {
        const cells = [];
        for (let i = 0; i < 64; i++) {
          const { ground, ink } = cellColours(i % 32 / 32, i < 32, ${dark});
          const cell = document.createElement('b');
          cell.style = \`background: \${ground}; color: \${ink}\`;
          cell.textContent = i;
          cells.push(cell);
        }
        document.body.append(...cells);
        const found = ${faint};
        cells.forEach((cell) => cell.remove());
        return found;
      })()`), []);
      for (const [name, reach] of Object.entries(states)) {
        await reach(page);
        assert.deepEqual(await page.run(faint), [], `${name}, ${dark ? 'dark' : 'light'}`);
      }
      await close(page);
    }
  },

  async 'the keyboard reaches everything'() {
    const page = await open();
    await until(page, "document.querySelectorAll('#plans button').length > 2", 'the plans');
    /* Of a group of radio buttons the one that is chosen. */
    const all = await page.run(`[...document.querySelectorAll(
      'a[href], button, select, textarea, input, summary, [tabindex="0"]')].filter((element) =>
        element.checkVisibility() && !element.matches(':disabled, [type=radio]:not(:checked)'))
      .map((element, i) => { element.dataset.stop = i; return element.id || element.textContent; })`);
    const reached = new Set();
    for (let i = 0; i < all.length + 10; i++) {
      await page.key('Tab');
      reached.add(await page.run('document.activeElement.dataset.stop ?? null'));
    }
    assert.deepEqual(all.filter((name, i) => !reached.has(String(i))), []);
    assert.ok(all.length > 20, `${all.length} stops`);
    await close(page);
  },

  async 'each control has a name'() {
    const page = await open();
    const { nodes } = await page.send('Accessibility.getFullAXTree');
    const bare = nodes.filter((node) => !node.ignored
      && ['button', 'slider', 'combobox', 'textbox', 'radio', 'spinbutton', 'application'].includes(node.role?.value)
      && !node.name?.value);
    assert.deepEqual(bare.map((node) => node.role.value), []);
    await close(page);
  },

  /* Until it is there, and what the page's own thread takes of the processor, with the first frame that it
   * draws; the best of some openings. Told, for a quiet machine: what fails here is a page that is slower by far. */
  async 'the first answer is there at once, of the processor\'s time'() {
    const openings = [];
    const least = (key) => Math.min(...openings.map((each) => each[key]));
    const isSlow = () => Math.min(least('passed'), least('spent')) > MOST_OPENING_MS;
    while (openings.length < N_ROUNDS || (isSlow() && openings.length < 4 * N_ROUNDS)) {
      const page = await browser.page({ width: 1280, height: 900 });
      await page.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.open(process.env.PAGE);
      const passed = await page.run("performance.getEntriesByName('answered')[0].startTime");
      const { metrics } = await page.send('Performance.getMetrics');
      openings.push({ passed, spent: 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value });
      await close(page);
    }
    console.log(`# the first answer is there ${least('passed').toFixed(0)} ms after opening, at best of `
      + `${openings.length}; with the first frame it takes ${least('spent').toFixed(0)} ms of the processor`);
    assert.ok(Math.min(least('passed'), least('spent')) < FAR * MOST_OPENING_MS, JSON.stringify(openings));
  },

  /* From the paste to the answer, the best of some: told as above. Nobody pastes as fast as the module is
   * unpacked, once the text has the focus. */
  async 'a kernel is answered soon, by the time of the page'() {
    const page = await open();
    await page.run("document.getElementById('text').focus()");
    await new Promise((resolve) => setTimeout(resolve, UNPACKED_MS));
    for (const [name, kernel, most] of [['a 32 x 32 transpose', KERNEL, 100], ['a block of SGEMM', SGEMM, 1000]]) {
      const times = [];
      for (let i = 0; i < N_ROUNDS; i++) {
        await write(page, `${TILE}// ${i}\n`);
        await page.run('performance.clearMarks()');
        const begin = await page.run('performance.now()');
        await write(page, `${kernel}// ${i}\n`);
        times.push(await page.run("performance.getEntriesByName('answered')[0].startTime") - begin);
        assert.equal(await textOf(page, 'fault'), '');
      }
      console.log(`# ${name} is answered ${Math.min(...times).toFixed(0)} ms after it is pasted, the first time ${times[0].toFixed(0)}`);
      assert.ok(Math.min(...times) < FAR * most, `${times}`);
    }
    await close(page);
  },

  /* Of the page's own thread, which draws, in the mean, the best of some rounds: told as above. An observer
   waits for the answer, as a timer comes 4 ms later. */
  async 'a step of a slider of 64 x 64 takes a frame, of the processor\'s time'() {
    const page = await open({}, { t: LARGE });
    await page.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => (await page.send('Performance.getMetrics')).metrics
      .find((metric) => metric.name === 'TaskDuration').value;
    const drag = `(async () => {
      const slider = document.getElementById('pad');
      const times = [];
      for (let i = 0; i < ${N_STEPS}; i++) {
        const before = document.body.dataset.answers;
        const begin = performance.now();
        slider.value = 1 + i % 8;
        slider.dispatchEvent(new Event('input'));
        await new Promise((answered) => {
          const observer = new MutationObserver(() => {
            if (document.body.dataset.answers !== before) {
              observer.disconnect();
              answered();
            }
          });
          observer.observe(document.body, { attributes: true });
        });
        times.push(performance.now() - begin);
        await new Promise((done) => requestAnimationFrame(done));
      }
      return times.sort((a, b) => a - b);
    })()`;
    let mean = Infinity;
    let times;
    for (let round = 0; round < N_ROUNDS && mean > MOST_STEP_MS; round++) {
      const before = await spent();
      times = await page.run(drag);
      mean = Math.min(mean, 1000 * (await spent() - before) / N_STEPS);
    }
    console.log(`# a step takes ${mean.toFixed(1)} ms of the processor; the answer is there after `
      + `${times[N_STEPS >> 1].toFixed(1)} ms, 95 % by ${times[Math.floor(.95 * N_STEPS)].toFixed(1)}`);
    assert.ok(mean < FAR * MOST_STEP_MS, `${mean} ms`);
    await close(page);
  },
};

/* What one browser alone can tell: names for a screen reader, time of a processor. */
const onlyChromium = /has a name|of the processor/;

let number = 0;
const chosen = Object.entries(tests).filter(([name]) => !process.env.ONLY || name.includes(process.env.ONLY));
console.log(`1..${chosen.length}`);
for (const [name, test] of chosen) {
  number++;
  if (browser.name !== 'chromium' && onlyChromium.test(name)) {
    console.log(`ok ${number} - ${name} # SKIP chromium tells`);
    continue;
  }
  try {
    await test();
    console.log(`ok ${number} - ${name}`);
  } catch (error) {
    console.log(`not ok ${number} - ${name}\n${String(error.stack).replace(/^/gm, '# ')}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
