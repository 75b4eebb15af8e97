/* run.mjs - the page of `--format html` in a real browser, with clicks and keys. Speaks TAP.
 * BANKSIM names the program; browser.mjs has the browser, which run.sh finds. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.mjs';
import { faint } from './contrast.mjs';
import { banksim, declared, declaredTrace, hostile, hostileTrace, makePage, manyKernels, randomTrace } from './pages.mjs';

/* Firefox takes ten times as long to make as many drawings. */
const N_RANDOM = process.env.BROWSER === 'firefox' ? 100 : 300;
const N_LARGE = 100000;
const MOST_BYTES = 2000000;
const MOST_MS = 1000;
const PHONE = { width: 360, height: 740, mobile: true };

const folder = mkdtempSync(join(tmpdir(), 'banksim-pages-'));
const at = (name) => join(folder, name);
const browser = await launch();

/* ---- pages ------------------------------------------------------------------------------------ */

const conflict = banksim('emulate', 'square_set_row_read_col');
const padded = banksim('emulate', 'square_set_row_read_col_pad');
const random = randomTrace(N_RANDOM, 20261121);
makePage(at('pair.html'), [conflict, padded]);
makePage(at('one.html'), [conflict]);
makePage(at('random.html'), [random]);
makePage(at('hostile.html'), [hostileTrace]);
makePage(at('large.html'), [randomTrace(N_LARGE, 3, 1024)]);
makePage(at('many.html'), [manyKernels(25)]);
makePage(at('wide.html'), [random], '--device', 'generic', '--banks', '64');
makePage(at('cost.html'), [readFileSync(new URL('../../traces/cost.trace', import.meta.url), 'utf8')]);
const kepler = randomTrace(60, 9).split('\n').filter((line) => !/matrix|cp.async/.test(line)).join('\n');
makePage(at('k40.html'), [kepler], '--device', 'k40', '--bank-width', '8');
makePage(at('k40_4.html'), [kepler], '--device', 'k40', '--bank-width', '4');
makePage(at('empty.html'), ['banksim-trace 1\nkernel nothing block=32\nend\n']);

/* ---- what is in a page's drawing, read off its elements --------------------------------------- */

const readDrawing = `(viewer) => ({
  pass: Number(viewer.querySelector('input[type=range]').value),
  lanes: [...viewer.querySelectorAll('.lane[data-state=now]')].map((lane) => Number(lane.dataset.lane)),
  grants: [...viewer.querySelectorAll('.bank[data-state=now]')].map((bank) => ({
    bank: Number(bank.dataset.bank), words: bank.dataset.words.split(',').map(Number),
    lanes: bank.dataset.lanes.split(',').map(Number) })),
  links: viewer.querySelectorAll('.link').length,
})`;
const drawing = (page) => page.run(`(${readDrawing})(document.querySelector('#site .viewer'))`);

/* Every request of the site in that row of the table: steps through its passes by key events. */
const readSite = `((row) => {
  const read = ${readDrawing};
  const viewer = document.querySelector('#site .viewer');
  const all = [];
  document.querySelectorAll('#sites-table .pick')[row].click();
  const choice = viewer.querySelector('select');
  for (let i = 0; i < choice.options.length; i++) {
    choice.selectedIndex = i;
    choice.dispatchEvent(new Event('change'));
    const n = Number(viewer.querySelector('input[type=range]').max);
    const passes = [];
    for (let pass = 0; pass < n; pass++) {
      passes.push(read(viewer));
      viewer.querySelector('.drawing').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    }
    all.push({ line: Number(/line ([0-9,]+) of/.exec(viewer.querySelector('.facts').textContent)[1]
      .replaceAll(',', '')), why: viewer.querySelector('.facts strong').textContent, passes });
  }
  return all;
})`;

/* A grant of `show --format json` as the page has it. */
const granted = (unit) => ({ bank, words, lanes }) =>
  ({ bank, words: [...new Set(words.map((address) => Math.floor(address / unit)))], lanes });

async function readAll(page) {
  const n = await page.run("document.querySelectorAll('#sites-table .pick').length");
  const all = [];
  for (let row = 0; row < n; row++) {
    all.push(...await page.run(`${readSite}(${row})`));
  }
  return all;
}

/* ---- the tests -------------------------------------------------------------------------------- */

const tests = [];
/* `only`: the browser that can tell. */
const test = (name, act, only = '') => tests.push({ name, act, only });

async function opened(name, options) {
  const page = await browser.page(options);
  page.ms = await page.open(at(name));
  return page;
}

/* A key may reach the page behind the answer that it was sent. */
async function becomes(page, expression, wanted) {
  let value = await page.run(expression);
  for (let again = 0; !wanted.test(value) && again < 100; again++) {
    await new Promise((done) => setTimeout(done, 50));
    value = await page.run(expression);
  }
  assert.match(value, wanted);
}

/* Nothing went wrong, and nothing but the file was asked for. */
async function ended(page, name) {
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => url !== `file://${at(name)}`), []);
  await page.close();
}

test(`the stepper shows the model's schedule of ${N_RANDOM} random requests`, async () => {
  const page = await opened('random.html', { width: 1280, height: 800 });
  const shown = await readAll(page);
  const requests = new Map(shown.map((request) => [request.line, request]));
  let n = 0;
  for (const request of shown) {
    const [model] = JSON.parse(banksim('show', at('random.html.0.trace'), '--event', String(request.line),
      '--format', 'json')).requests;
    assert.equal(request.why, model.why);
    assert.equal(request.passes.length, model.passes.length, `line ${request.line}`);
    model.passes.forEach((pass, i) => {
      assert.deepEqual(request.passes[i], { pass: i + 1, lanes: pass.lanes,
        grants: pass.grants.map(granted(4)),
        links: pass.grants.reduce((sum, grant) => sum + grant.lanes.length, 0),
      }, `line ${request.line}, pass ${i + 1}`);
    });
    n++;
  }
  /* Equal requests are shown once. */
  assert.ok(n > N_RANDOM * 0.9 && requests.size === n, `${n} requests`);
  await ended(page, 'random.html');
});

test('an 8-byte bank in both modes, and a kernel without requests, are shown', async () => {
  for (const [name, width] of [['k40.html', 8], ['k40_4.html', 4]]) {
    const page = await opened(name);
    const shown = await readAll(page);
    for (const request of shown) {
      const [model] = JSON.parse(banksim('show', at(`${name}.0.trace`), '--event', String(request.line), '--format',
        'json', '--device', 'k40', '--bank-width', String(width))).requests;
      assert.deepEqual(request.passes.map((pass) => pass.grants), model.passes.map((pass) =>
        pass.grants.map(granted(width))), `${name}, line ${request.line}`);
    }
    await ended(page, name);
  }
  const empty = await opened('empty.html');
  assert.match(await empty.run("document.querySelector('.verdict').textContent"), /No request/);
  await ended(empty, 'empty.html');
});

/* Of each array of the chosen request: the banks of its cells, and the lanes at those that are framed. */
const readTiles = `[...document.querySelectorAll('#site .tile')].map((tile) => {
  const cells = [...tile.querySelectorAll('g[data-bank]')];
  return { title: tile.querySelector('svg').getAttribute('aria-label'),
    banks: cells.map((cell) => Number(cell.dataset.bank)),
    names: cells.map((cell) => cell.querySelector('title').textContent),
    asked: cells.map((cell, i) => [i, cell.dataset.lanes]).filter(([, lanes]) => lanes),
    now: cells.filter((cell) => cell.classList.contains('now')).map((cell) => cell.dataset.lanes) };
})`;

test('the arrays that a trace declares are drawn as where draws them, and elements have their names', async () => {
  for (const [shared, load] of declared) {
    makePage(at('declared.html'), [declaredTrace([shared, load])]);
    const page = await opened('declared.html');
    const places = JSON.parse(banksim('where', '--shared', shared, load, '--format', 'json'));
    const tiles = await page.run(readTiles);
    assert.equal(tiles.length, 1);
    /* Of one dimension, the rows that are asked for. */
    const model = places.arrays[0].banks.filter((bank) => bank !== null);
    assert.deepEqual(tiles[0].banks, model.slice(0, tiles[0].banks.length), shared);
    const drawn = new Map(tiles[0].asked.flatMap(([i, lanes]) => lanes.split(',').map((lane) => [Number(lane), i])));
    for (const { lane, bank, element } of places.places) {
      assert.ok(tiles[0].banks[drawn.get(lane)] === bank || tiles[0].title.includes('the first of its banks'),
        `${shared}, lane ${lane}`);
      assert.ok(tiles[0].names[drawn.get(lane)].startsWith(element.replace(/]$/, '').replace(/\]\+.*/, '')),
        `${tiles[0].names[drawn.get(lane)]} is ${element}`);
    }
    await page.run("document.querySelector('#site details').open = true");
    const table = await page.run("[...document.querySelectorAll('#site .pass td:nth-child(4)')].map((e) => e.textContent)");
    const names = new Set(places.places.map(({ element }) => element));
    assert.ok(table.length > 0 && table.every((cell) => cell.split(', ').every((name) => names.has(name))), table.join('; '));
    await ended(page, 'declared.html');
  }
  const page = await opened('one.html');
  await page.click('#site [aria-label="Next pass"]');
  const [tile] = await page.run(readTiles);
  assert.equal(tile.title, 'tile[32][32]: bank of each element');
  assert.deepEqual(tile.now, ['1']);
  assert.match(await page.run("document.querySelector('#site .facts').textContent"), /The lanes access tile\[0\u201331\]\[0\]\./);
  assert.match(await page.run("document.querySelector('#site .now').textContent"), /serves word 32 \(tile\[1\]\[0\]\) for lane 1\.$/);
  await ended(page, 'one.html');
  const plain = await opened('random.html');
  assert.deepEqual(await plain.run(readTiles), []);
  await ended(plain, 'random.html');
});

test('tables sort by click and by key, and say so', async () => {
  const page = await opened('random.html');
  const column = (i) => page.run(`[...document.querySelectorAll('#sites-table tbody tr')].map((row) =>
    row.children[${i}].textContent)`);
  const titles = await page.run("[...document.querySelectorAll('#sites-table thead th')].map((th) => th.textContent)");
  const sorted = (i) => page.run(`document.querySelectorAll('#sites-table thead th')[${i}].ariaSort`);
  const numbers = (list) => list.map((text) => Number(text.replaceAll(',', '')));
  const i = titles.indexOf('Requests');
  const head = `#sites-table thead th:nth-child(${i + 1}) button`;
  const down = (list) => [...list].sort((a, b) => b - a);
  assert.ok((await Promise.all(titles.map((_, k) => sorted(k)))).every((each) => each === 'none'));
  await page.click(head);
  assert.equal(await sorted(i), 'descending');
  assert.deepEqual(numbers(await column(i)), down(numbers(await column(i))));
  await page.run(`document.querySelector('${head}').focus()`);
  await page.key('Enter');
  await becomes(page, `document.querySelectorAll('#sites-table thead th')[${i}].ariaSort`, /^ascending$/);
  assert.deepEqual(numbers(await column(i)), down(numbers(await column(i))).reverse());
  const opcode = titles.indexOf('Opcode');
  await page.click(`#sites-table thead th:nth-child(${opcode + 1}) button`);
  const names = await column(opcode);
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })));
  await ended(page, 'random.html');
});

test('the stepper goes by keys and by mouse', async () => {
  const page = await opened('one.html');
  const pass = async () => (await drawing(page)).pass;
  await page.run("document.querySelector('#site .drawing').focus()");
  await page.key('ArrowRight');
  await page.key('ArrowRight');
  assert.deepEqual(await drawing(page), { pass: 3, lanes: [2], grants: [{ bank: 0, words: [64], lanes: [2] }], links: 1 });
  assert.match(await page.run("document.querySelector('#site .now').textContent"),
    /^Pass 3 of 32: bank 0 serves word 64 \(tile\[2\]\[0\]\) for lane 2\.$/);
  await page.key('ArrowLeft');
  assert.equal(await pass(), 2);
  await page.key('End');
  assert.equal(await pass(), 32);
  await page.key('Home');
  assert.equal(await pass(), 1);
  await page.click('#site [aria-label="Next pass"]');
  assert.equal(await pass(), 2);
  await page.click('#site .lane[data-lane="9"]');
  assert.equal(await pass(), 10);
  await page.click('#site .band[data-pass="20"]');
  assert.equal(await pass(), 21);
  await page.run("document.querySelector('#site input[type=range]').focus()");
  await page.key('ArrowRight');
  assert.equal(await pass(), 22);
  await page.click('#site .controls button:last-of-type');
  await ended(page, 'one.html');
});

test('the whole page can be used by keyboard', async () => {
  const page = await opened('pair.html');
  const focus = () => page.run(`(() => { const e = document.activeElement;
    return [e.tagName, e.className, e.getAttribute('aria-label') || e.id || e.textContent].join(' '); })()`);
  /* No further than the last of these: behind the last element of all the focus leaves the page for the browser. */
  const missing = new Set([/Skip to/, /pick/, /Excessive/, /SELECT .*request/, /Next pass/, /INPUT .*Pass/, /drawing/,
    /kernel-A/, /site-B/, /together/]);
  const seen = [];
  while (missing.size > 0 && seen.length < 80) {
    await page.key('Tab');
    const name = await focus();
    seen.push(name);
    [...missing].filter((wanted) => wanted.test(name)).forEach((wanted) => missing.delete(wanted));
  }
  assert.deepEqual([...missing], [], `not reached: ${seen.join('; ')}`);
  await page.run("document.querySelector('#sites-table .pick').focus()");
  await page.key('ArrowDown');
  await page.key('Enter');
  await becomes(page, "document.querySelector('#site-title').textContent", /st\.shared/);
  assert.equal(await page.run("document.querySelectorAll('#sites-table tr[aria-current=true]').length"), 1);
  await ended(page, 'pair.html');
});

test('every control has a name for a screen reader', async () => {
  const page = await opened('pair.html');
  await page.send('Accessibility.enable');
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const roles = ['button', 'slider', 'combobox', 'checkbox', 'link', 'table', 'img', 'figure', 'group', 'columnheader'];
  let n = 0;
  for (const node of nodes.filter((each) => !each.ignored && roles.includes(each.role?.value))) {
    const name = node.name?.value ?? '';
    assert.ok(name.trim() !== '' || node.role.value === 'figure', `a ${node.role.value} without a name`);
    n++;
  }
  assert.ok(n > 100, `${n} nodes`);
  const heads = nodes.filter((node) => node.role?.value === 'columnheader' && !node.ignored);
  assert.ok(heads.length >= 8);
  await ended(page, 'pair.html');
}, 'chromium');

test('two kernels stand side by side and step together', async () => {
  const page = await opened('pair.html');
  const numbers = await page.run(`Object.fromEntries([...document.querySelectorAll('#compare-numbers tbody tr')].map(
    (row) => [row.children[0].textContent, [...row.children].slice(1).map((cell) => cell.textContent)]))`);
  assert.deepEqual(numbers.Excessive, ['992', '0', 'none left']);
  assert.deepEqual(numbers.Wavefronts, ['1,056', '64', '16.5\u00d7 fewer']);
  await page.run("document.querySelector('#kernel-B').focus()");
  await page.run(`(() => { const b = document.querySelector('#kernel-B'); b.selectedIndex = 0;
    b.dispatchEvent(new Event('change')); })()`);
  const sides = "[...document.querySelectorAll('#compare .viewer')]";
  await page.click('#compare .pair > div:first-child [aria-label="Next pass"]');
  assert.deepEqual(await page.run(`${sides}.map((each) => each.querySelector('input').value)`), ['2', '2']);
  const [a, b] = await page.run(`${sides}.map((each) => each.getBoundingClientRect().toJSON())`);
  assert.ok(b.left > a.right && b.top === a.top);
  await ended(page, 'pair.html');
  const one = await opened('one.html');
  assert.equal(await one.run("document.querySelector('nav').textContent.includes('Compare')"), false);
  await ended(one, 'one.html');
});

test('no number runs into its frame, and none is too small to read', async () => {
  for (const [name, width] of [['pair.html', 1280], ['pair.html', 1920], ['wide.html', 1280], ['pair.html', 390]]) {
    const page = await opened(name, { width, height: 900, mobile: width < 500 });
    const out = await page.run(`[
      ...[...document.querySelectorAll('.cell')].filter((cell) => [...cell.querySelectorAll('text')].some((text) =>
        text.getBBox().width > cell.querySelector('rect').getBBox().width - 2)),
      ...[...document.querySelectorAll('.heat li')].filter((li) => [...li.children].some((e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        return li.checkVisibility() && (range.getBoundingClientRect().width > li.clientWidth || e.getClientRects().length > 1);
      })),
      ...[...document.querySelectorAll('.tile g')].filter((cell) => cell.querySelector('text').getBBox().width
        > cell.querySelector('rect').getBBox().width),
      ...[...document.querySelectorAll('svg text, .heat li')].filter((e) => parseFloat(getComputedStyle(e).fontSize) < 9.5),
    ].map((e) => e.textContent)`);
    assert.deepEqual(out, [], `${name} at ${width}`);
    await ended(page, name);
  }
});

test('many kernels are shown by the worst, and by a word', async () => {
  const page = await opened('many.html');
  const shown = (id) => page.run(`document.querySelectorAll('${id} tbody tr').length`);
  const type = (id, word) => page.run(`(() => { const input = document.querySelector('${id} input');
    input.value = '${word}'; input.dispatchEvent(new Event('input')); })()`);
  assert.deepEqual([await shown('#kernels'), await shown('#sites-table')], [20, 20]);
  assert.ok(await page.run('document.documentElement.scrollHeight') < 6500);
  assert.match(await page.run("document.querySelector('#kernels').textContent"), /20 of 25 kernels/);
  await page.click('#kernels .act');
  assert.equal(await shown('#kernels'), 25);
  await type('#sites-table', 'k07 k08');
  assert.equal(await shown('#sites-table'), 0);
  await type('#sites-table', ' K07');
  assert.equal(await shown('#sites-table'), 2);
  assert.match(await page.run("document.querySelector('#sites-table output').textContent"), /^2 of 50 sites$/);
  await page.click('#sites-table tbody tr:last-child .pick');
  assert.match(await page.run("document.querySelector('#site-title').textContent"), /in k07$/);
  await ended(page, 'many.html');
  const few = await opened('pair.html');
  assert.equal(await few.run("document.querySelectorAll('input[type=search]').length"), 0);
  await ended(few, 'pair.html');
});

test('a pass has a link, which opens it', async () => {
  const page = await opened('pair.html');
  assert.equal(await page.run('location.hash'), '');
  await page.click('#site [aria-label="Next request"]');
  await page.click('#site [aria-label="Last pass"]');
  const link = '#kernel=1&site=2&request=2&pass=32';
  await page.run('new Promise((done) => setTimeout(done, 300))');
  assert.equal(await page.run('location.hash'), link);
  assert.equal(await page.run("document.querySelector('#site .controls a').getAttribute('href')"), link);
  await ended(page, 'pair.html');
  const again = await browser.page();
  await again.open(at('pair.html') + '#kernel=2&site=1&request=1&pass=1');
  const title = () => again.run("document.querySelector('#site-title').textContent");
  assert.match(await title(), /^Passes of site 1, st\.shared\.u32 in square_set_row_read_col_pad$/);
  assert.ok(await again.run('scrollY') > 0);
  await again.run(`new Promise((done) => { addEventListener('hashchange', done); location.hash = '${link}'; })`);
  assert.match(await title(), /^Passes of site 2, ld\.shared\.u32 in square_set_row_read_col$/);
  assert.deepEqual((await drawing(again)).pass, 32);
  assert.deepEqual((await drawing(again)).grants[0].bank, 1);
  await again.run(`new Promise((done) => { addEventListener('hashchange', done); location.hash = '#site=9&pass=x'; })`);
  assert.match(await title(), /^Passes of site 2, /);
  assert.deepEqual(again.complaints, []);
  await again.close();
});

test('cards leave no hole, whatever the width, and cycles stand there for two kernels too', async () => {
  for (const name of ['one.html', 'pair.html']) {
    for (const width of [1280, 1920, 1000, 390]) {
      const page = await opened(name, { width, height: 900 });
      const rows = await page.run(`(() => {
        const list = document.querySelector('#cards').getBoundingClientRect();
        const rows = {};
        for (const card of document.querySelectorAll('#cards > div')) {
          const box = card.getBoundingClientRect();
          rows[box.top] = Math.max(rows[box.top] || 0, box.right);
        }
        return Object.values(rows).map((right) => Math.round(list.right - right));
      })()`);
      assert.ok(rows.every((hole) => hole === 0), `${name} at ${width}: ${rows}`);
      await ended(page, name);
    }
  }
  const page = await opened('pair.html');
  const card = (title) => page.run(`[...document.querySelectorAll('#cards > div')].find((each) =>
    each.querySelector('dt').textContent.startsWith('${title}')).querySelector('dd').textContent`);
  /* 1,177 and 185 without conflicts, and 185 of the padded one, which has none */
  assert.match(await card('Cycles'), /^1,362.*, 370 without conflicts$/);
  await ended(page, 'pair.html');
});

test('what costs most comes first, whatever has the most wavefronts', async () => {
  const page = await opened('cost.html');
  const rows = await page.run(`[...document.querySelectorAll('#sites-table tbody tr')].map((row) =>
    ['Kernel', 'Excessive', 'Stalls', 'Speed-up'].map((title) =>
      row.querySelector('[data-title="' + title + '"]').textContent))`);
  assert.deepEqual(rows, [['exposed', '12,000', '93.3\u00a0%', '1.25'], ['hidden', '12,000', '1.6\u00a0%', '1.00']]);
  const kernels = await page.run(`[...document.querySelectorAll('#kernels tbody tr')].map((row) =>
    [row.children[0].textContent, row.querySelector('[data-title="Cycles lost"]').textContent])`);
  assert.deepEqual(kernels, [['exposed', '6,006'], ['hidden', '0']]);
  assert.equal(await page.run("document.querySelectorAll('#sites-table .bad').length"), 1);
  const says = () => page.run("document.querySelector('#site-source > p').textContent");
  assert.equal(await says(), 'Its conflicts cost 6,006 of the kernel\u2019s 30,062 cycles: 1.25 times as fast '
    + 'without.');
  await page.click('#sites-table tbody tr:last-child .pick');
  assert.equal(await says(), 'Its conflicts cost nothing: hidden behind other work.');
  await ended(page, 'cost.html');
});

test('a column read shows its one busy bank, though every bank works as much in sum', async () => {
  const page = await opened('one.html');
  const cells = (selector) => page.run(`[...document.querySelectorAll('${selector} li b')].map((b) =>
    Number(b.textContent))`);
  assert.deepEqual(await cells('#site .banks'), [32, ...Array(31).fill(0)]);
  assert.match(await page.run("document.querySelector('#site .banks').textContent"), /1 bank busy, 31 idle/);
  const bars = await page.run(`[...document.querySelectorAll('#sites-table .strip')].map((strip) =>
    [...strip.querySelectorAll('rect')].map((rect) => rect.height.baseVal.value))`);
  assert.deepEqual(bars[0], [18]);
  assert.deepEqual(bars[1], Array(32).fill(2)); /* the store: one pass, the least height */
  assert.equal(await page.run("document.querySelector('#site-heat details').open"), false);
  assert.deepEqual(await cells('#site-heat .held'), Array(32).fill(1));
  assert.match(await page.run("document.querySelector('#site-heat').textContent"), /Even in sum/);
  await page.click('#site [aria-label="Next request"]');
  assert.deepEqual(await cells('#site .banks'), [0, 32, ...Array(30).fill(0)]);
  await ended(page, 'one.html');
});

test('what a site cannot have is no zero', async () => {
  const page = await opened('pair.html');
  const cells = (opcode) => page.run(`(() => {
    const row = [...document.querySelectorAll('#sites-table tbody tr')].find((each) =>
      each.querySelector('[data-title="Opcode"]').textContent === '${opcode}');
    return ['Wavefronts', 'Excessive', 'Ways', 'Sectors'].map((title) =>
      row.querySelector('[data-title="' + title + '"]').textContent); })()`);
  assert.deepEqual(await cells('st.global.u32'), ['\u2013', '\u2013', '\u2013', '128']);
  assert.deepEqual(await cells('st.shared.u32'), ['32', '0', '1', '\u2013']);
  await ended(page, 'pair.html');
});

test('a laptop shows the tables whole, and no word of a name or a path is broken', async () => {
  for (const name of ['pair.html', 'k40.html']) {
    const page = await opened(name, { width: 1265, height: 800 });
    assert.deepEqual(await page.run(`[...document.querySelectorAll('.scroll')].map((e) =>
      e.scrollWidth - e.clientWidth)`), name === 'pair.html' ? [0, 0] : [0], name);
    const broken = await page.run(`[...document.querySelectorAll('tbody bdi:has(wbr)')].flatMap((e) =>
      [...e.childNodes]).filter((word) => word.nodeType === 3 && (() => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return range.getClientRects().length > 1;
      })()).map((word) => word.data)`);
    assert.deepEqual(broken, [], name);
    assert.equal(await page.run(`[...document.querySelectorAll('bdi')].filter((e) =>
      e.firstChild?.nodeName === 'WBR').length`), 0, name);
    await ended(page, name);
  }
});

test('half of a screen shows the tables whole', async () => {
  for (const width of [1200, 1001, 1000, 800, 701]) {
    const page = await opened('pair.html', { width, height: 800 });
    assert.deepEqual(await page.run(`[...document.querySelectorAll('.scroll')].map((e) =>
      e.scrollWidth - e.clientWidth)`), [0, 0], String(width));
    await ended(page, 'pair.html');
  }
});

test('nothing is wider than a phone', async () => {
  for (const name of ['one.html', 'pair.html', 'random.html', 'hostile.html', 'k40.html', 'large.html']) {
    const page = await opened(name, PHONE);
    assert.equal(await page.run('document.documentElement.scrollWidth'), PHONE.width, name);
    const out = await page.run(`[...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()
      && e.getBoundingClientRect().right > ${PHONE.width} + 1 && !e.closest('.skip, .cells svg')).map((e) => e.outerHTML.slice(0, 80))`);
    assert.deepEqual(out, [], name);
    await ended(page, name);
  }
});

test('light and dark can both be read', async () => {
  const grounds = [];
  for (const dark of [false, true]) {
    for (const name of ['pair.html', 'random.html', 'cost.html']) {
      const page = await opened(name, { dark });
      assert.deepEqual(await page.run(faint), [], `${name}, ${dark ? 'dark' : 'light'}`);
      grounds.push(await page.run('getComputedStyle(document.body).backgroundColor'));
      await ended(page, name);
    }
  }
  assert.notEqual(grounds[0], grounds[3]);
});

test('names from a trace stay text', async () => {
  const page = await opened('hostile.html');
  const title = await page.run('document.title');
  assert.ok(title.startsWith(hostile.kernel), title);
  assert.equal(await page.run("document.querySelector('#subject bdi').textContent"), hostile.kernel);
  assert.equal(await page.run("document.querySelector('#site-source code').textContent"), hostile.text);
  assert.ok((await page.run("document.querySelector('#site-source figcaption').textContent")).startsWith(hostile.file));
  assert.equal(await page.run("document.querySelectorAll('script').length"), 2);
  assert.equal(await page.run("document.querySelectorAll('img, [onload], [onerror]').length"), 0);
  await ended(page, 'hostile.html');
});

test('the policy lets no other script run', async () => {
  const page = await opened('one.html');
  await page.run(`(() => { const script = document.createElement('script'); script.textContent = 'window.owned = 1';
    document.body.append(script); })()`);
  assert.equal(await page.run('window.owned'), undefined);
  for (let again = 0; page.complaints.length === 0 && again < 100; again++) { /* it is told on a way of its own */
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal(page.complaints.length, 1);
  assert.match(page.complaints[0], /Content.Security.Policy/);
  await page.close();
});

test(`a page of ${N_LARGE} requests is light and opens fast`, async () => {
  const { size } = statSync(at('large.html'));
  let page = await opened('large.html', { width: 1280, height: 800 });
  for (let again = 0; page.ms >= MOST_MS && again < 4; again++) { /* the machine may have been busy */
    await page.close();
    page = await opened('large.html', { width: 1280, height: 800 });
  }
  console.log(`# ${size} bytes, ${Math.round(page.ms)} ms`);
  assert.ok(size < MOST_BYTES, `${size} bytes`);
  /* Firefox takes twice as long on a machine that does other things too. */
  assert.ok(page.ms < MOST_MS * (browser.name === 'chromium' ? 1 : 3), `${page.ms} ms`);
  assert.equal(await page.run("document.querySelector('#cards dd').textContent"), '100,000');
  assert.match(await page.run("document.querySelector('#site .viewer').textContent"), /left out to keep this page small/);
  await ended(page, 'large.html');
});

/* ---- run them --------------------------------------------------------------------------------- */

console.log(`1..${tests.length}`);
let failed = 0;
for (const [i, { name, act, only }] of tests.entries()) {
  if (only && only !== browser.name) {
    console.log(`ok ${i + 1} - ${name} # SKIP ${only} tells`);
    continue;
  }
  try {
    await act();
    console.log(`ok ${i + 1} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${i + 1} - ${name}`);
    console.log(String(error.stack).replace(/^/gm, '# ').slice(0, 3000));
  }
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
