/* page.js - the page: what the reader chose, questions about it, and what is drawn of the answers. */
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const formatter = new Intl.NumberFormat('en-US');
  const count = (n) => formatter.format(n);
  const many = (n, one, more) => `${count(n)} ${n === 1 ? one : more || one + 's'}`;
  const MOST_MS = 10000;
  const IDLE_MS = 150;

  const examples = [...document.getElementsByClassName('example')].map((element) =>
    ({ name: element.title, text: element.textContent.slice(1) }));
  /* What the page is filled with: how it begins, and answers to what is asked then. */
  const filled = { state: {}, answers: [], ...JSON.parse(byId('filled').textContent) };

  /* All that a link keeps. device: its name and options, as "k40;bank-width=8"; access null: the one that
   * loses the most; warp null: of its worst request; best: how many plans. */
  const state = { text: examples[0].text, device: 'sm_90', best: 3, access: null, warp: null, turn: 0,
    pass: 0, array: null, pin: null, ...filled.state };
  const shown = { check: null, picture: null, lit: null, pinned: null };

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) {
        element.addEventListener(key.slice(2), value);
      } else if (value !== null && value !== false) {
        element.setAttribute(key, value === true ? '' : value);
      }
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  /* Whether the element shows this already; it is taken as shown from now on. */
  const last = {};
  function isShown(id, values) {
    const key = JSON.stringify(values);
    const isIt = last[id] === key;
    last[id] = key;
    return isIt;
  }

  /* Numbers in order as ranges: "0-7, 16". */
  function ranges(list) {
    const parts = [];
    for (let i = 0; i < list.length; i++) {
      let k = i;
      while (k + 1 < list.length && list[k + 1] === list[k] + 1) {
        k++;
      }
      parts.push(k > i + 1 ? `${list[i]}\u2013${list[k]}` : list[i]);
      i = k > i + 1 ? k : i;
    }
    return parts.join(', ');
  }
  const lanesText = (lanes) => `${lanes.length === 1 ? 'lane' : 'lanes'} ${ranges(lanes)}`;

  /* ---- the library ------------------------------------------------------------------------- */

  const library = (() => {
    const known = new Map(filled.answers.map(({ question, text }) => [question.join('\0'), text]));
    let worker = null;

    /* The worker unpacks the module, which stands behind this script, while the page goes on. */
    async function begin() {
      if (document.readyState === 'loading') {
        await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
      }
      const source = new Blob([byId('engine').textContent], { type: 'text/javascript' });
      worker = new Worker(URL.createObjectURL(source));
      worker.postMessage({ module: byId('wasm').textContent.trim() });
    }
    const make = () => (worker ? null : begin());
    let turn = Promise.resolve();

    async function askWorker(questions) {
      await make();
      return new Promise((resolve) => {
        const limit = setTimeout(() => {
          worker.terminate();
          worker = null;
          const text = 'banksim: this takes longer than a page should: ask the program\n';
          resolve(questions.map(() => ({ status: -1, text })));
        }, MOST_MS);
        worker.onmessage = ({ data }) => {
          clearTimeout(limit);
          resolve(data);
        };
        worker.postMessage({ questions });
      });
    }

    /* Answers to some questions, after those that were asked before. What takes too long is ended. */
    function ask(...questions) {
      const keys = questions.map((words) => words.join('\0'));
      turn = turn.then(() => (keys.every((key) => known.has(key))
        ? keys.map((key) => ({ status: 0, text: known.get(key) })) : askWorker(questions)));
      return turn;
    }
    /* Makes ready for what will be asked. */
    function prepare() {
      turn = turn.then(make);
    }
    return { ask, prepare };
  })();

  function question(what, { text = state.text, device = state.device }, ...more) {
    const [name, ...options] = device.split(';');
    return [what, 'device', name, ...options.flatMap((option) => option.split('=')), ...more,
      'text', 'text', text];
  }

  /* ---- the text ---------------------------------------------------------------------------- */

  const editor = byId('text');

  /* Places that the overlay marks, each with its class. */
  function marks() {
    const list = numbersIn(state.text).map((place, i) => ({ ...place, name: 'number', i }));
    for (const found of state.text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|^\s*#(?!define)[^\n]*/gm)) {
      list.push({ begin: found.index, end: found.index + found[0].length, name: 'comment' });
    }
    const access = shown.check && shown.check.accesses[state.access];
    const at = access ? state.text.indexOf(access.access) : -1;
    if (at >= 0) {
      list.push({ begin: at, end: at + access.access.length, name: 'line' });
    }
    if (shown.faultLine > 0) {
      const lines = state.text.split('\n');
      const begin = lines.slice(0, shown.faultLine - 1).join('\n').length + (shown.faultLine > 1 ? 1 : 0);
      list.push({ begin, end: begin + (lines[shown.faultLine - 1] || '').length, name: 'wrong' });
    }
    return list;
  }

  function showText() {
    const list = marks();
    const cuts = [...new Set([0, state.text.length, ...list.flatMap((m) => [m.begin, m.end])])]
      .sort((a, b) => a - b);
    const parts = [];
    for (let k = 0; k + 1 < cuts.length; k++) {
      const within = list.filter((m) => m.begin <= cuts[k] && cuts[k + 1] <= m.end);
      const number = within.find((m) => m.name === 'number');
      parts.push(make('span', { class: within.map((m) => m.name).join(' ') || null,
        'data-number': number ? number.i : null }, state.text.slice(cuts[k], cuts[k + 1])));
    }
    byId('shown').replaceChildren(...parts, '\n ');
    if (editor.value !== state.text) {
      const at = editor.selectionStart;
      editor.value = state.text;
      editor.setSelectionRange(at, at);
    }
  }

  function setText(text) {
    if (text !== state.text) {
      state.text = text;
      showText();
      run();
    }
  }

  editor.addEventListener('input', () => setText(editor.value));
  editor.addEventListener('keydown', (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const at = editor.selectionStart;
    const place = step && event.altKey
      && numbersIn(state.text).find((each) => each.begin <= at && at <= each.end);
    if (place) {
      const number = Number(state.text.slice(place.begin, place.end)) + step;
      setText(withNumber(state.text, place, number));
      editor.setSelectionRange(place.begin, place.begin);
      event.preventDefault();
    }
  });

  byId('shown').addEventListener('pointerdown', (event) => {
    const index = event.target.dataset && event.target.dataset.number;
    if (index === undefined) {
      return;
    }
    const original = state.text;
    const place = numbersIn(original)[Number(index)];
    const value = Number(original.slice(place.begin, place.end));
    const from = event.clientX;
    const host = byId('shown');
    let moved = false;
    host.setPointerCapture(event.pointerId);
    event.preventDefault();
    const move = (to) => {
      moved = moved || Math.abs(to.clientX - from) > 4;
      if (moved) {
        setText(withNumber(original, place, value + Math.round((to.clientX - from) / 8)));
      }
    };
    host.addEventListener('pointermove', move);
    host.addEventListener('lostpointercapture', () => {
      host.removeEventListener('pointermove', move);
      if (!moved) {
        editor.focus();
        editor.setSelectionRange(place.begin, place.end);
      }
    }, { once: true });
  });

  /* ---- the layout -------------------------------------------------------------------------- */

  /* Shared arrays whose declaration the text has in a line that can be changed. */
  const arraysOf = (picture) => (picture.arrays || []).map((each) => each.array)
    .filter((name) => findArray(state.text, name));

  function tileOf(picture) {
    const tiles = picture.where ? picture.where.arrays : [];
    return tiles.find((tile) => tile.array === state.array) || tiles[0] || null;
  }

  function showLayout() {
    const names = arraysOf(shown.picture);
    document.body.classList.toggle('bankless', (shown.picture.arrays || []).length === 0);
    const touched = tileOf(shown.picture);
    if (!names.includes(state.array)) {
      state.array = touched && names.includes(touched.array) ? touched.array : names[0] || null;
    }
    const choice = byId('array');
    if (choice.textContent !== names.join('')) {
      choice.replaceChildren(...names.map((name) => make('option', { value: name }, name)));
    }
    choice.value = state.array || '';
    byId('layout').disabled = state.array === null;
    const found = state.array && findArray(state.text, state.array);
    const now = found ? readLayout(found) : { pad: 0, bits: 0 };
    byId('pad').value = now.pad;
    byId('pad-out').value = now.pad > 0 ? `+${now.pad}` : 'none';
    byId('bits').value = now.bits;
    byId('bits-out').value = now.bits > 0 ? `${now.bits} bit${now.bits > 1 ? 's' : ''}` : 'none';
    const spelled = (shown.picture.arrays || []).find((each) => each.array === state.array);
    const plain = spelled && /^\w+((\[[xyzi]\])+)$/.test(spelled.index);
    byId('cuda').textContent = !spelled || !spelled.declaration ? ''
      : spelled.declaration + (plain || !spelled.index ? '' : `\n${spelled.index}  for each `
        + spelled.array + (found.isFlat ? '[i]' : '[y][x]'));
  }

  function elementOf(name) {
    const tile = shown.picture && tileOf(shown.picture);
    const isIt = tile && tile.array === name;
    return { bytes: isIt ? tile.element_bytes : 4, row: isIt ? tile.row_elements : 32 };
  }
  const canChange = () => state.array !== null && findArray(state.text, state.array) !== null;
  byId('pad').addEventListener('input', () => canChange() && setText(
    withPadding(state.text, state.array, Number(byId('pad').value), elementOf(state.array).row)));
  byId('bits').addEventListener('input', () => {
    const { bytes, row } = elementOf(state.array);
    if (!canChange()) {
      return;
    }
    setText(withXor(state.text, state.array, Number(byId('bits').value), bytes, row));
  });
  byId('array').addEventListener('change', () => {
    state.array = byId('array').value;
    draw();
  });

  /* ---- plans ------------------------------------------------------------------------------- */

  const plans = { key: null, list: [], proof: '', fault: '', timer: 0 };

  /* Plans are looked for as if no array had a layout, so that they stay while one is tried. */
  function findPlans() {
    const base = withoutLayouts(state.text, arraysOf(shown.picture));
    const key = `${state.device}\n${base}`;
    clearTimeout(plans.timer);
    if (plans.key === key) {
      showPlans();
      return;
    }
    plans.timer = setTimeout(async () => {
      const [answer] = await library.ask(
        question('advise', { text: base }, 'best', state.best, 'format', 'json'));
      const advice = answer.status === 0 ? JSON.parse(answer.text) : null;
      Object.assign(plans, { key, base, list: advice ? advice.plans : [],
        before: advice && advice.before, proof: advice ? advice.proof : '',
        fault: advice ? '' : answer.text });
      showPlans();
    }, IDLE_MS);
  }

  const planText = (plan) => plan.arrays.reduce((text, each) =>
    withLayout(text, each.array, each.layout), plans.base);

  /* A padding by its declaration, a swizzle by the new index. */
  const planName = (each) => (/^pad/.test(each.layout) || !each.index
    ? `${each.layout}: ${(/\S+(?=;)/.exec(each.declaration) || [each.array])[0]}` : each.index);

  function planButton(plan) {
    const text = planText(plan);
    const name = plan.arrays.map(planName).join(', ');
    return make('button', { type: 'button', 'aria-pressed': String(text === state.text),
      onclick: () => setText(text) },
    make('b', {}, name), make('span', {}, many(plan.wavefronts, 'pass', 'passes')),
    make('small', {}, `${plan.arrays.map((each) => each.layout).filter((layout) => !/^pad/.test(layout))
      .map((layout) => `${layout}; `).join('')}${many(plan.shared_bytes, 'byte')}, `
      + `${many(plan.blocks_per_sm, 'block')} per SM`));
  }

  function showPlans() {
    const host = byId('plans');
    if (isShown('plans', [plans.key, plans.fault, state.text, state.array])) {
      return;
    }
    if (plans.fault) {
      host.replaceChildren(make('p', { class: 'hint' }, plans.fault.split('\n')[0].replace(/^banksim: /, '')));
      return;
    }
    const none = plans.before && make('button', { type: 'button',
      'aria-pressed': String(plans.base === state.text), onclick: () => setText(plans.base) },
    make('b', {}, 'neither padding nor swizzle'), make('span', {}, many(plans.before.wavefronts, 'pass', 'passes')),
    make('small', {}, `${many(plans.before.shared_bytes, 'byte')}, `
      + `${many(plans.before.blocks_per_sm, 'block')} per SM`));
    host.replaceChildren(...(none ? [none] : []), ...plans.list.map(planButton));
    if (plans.list.length === 0) {
      host.append(make('p', { class: 'hint' }, plans.before && plans.before.excessive === 0
        ? 'No bank conflicts: nothing to change.' : 'No padding and no swizzle helps.'));
    }
  }

  /* ---- the result -------------------------------------------------------------------------- */

  const sum = (check, key) => check.accesses.reduce((all, row) => all + (row[key] || 0), 0);

  function fact(title, value, note, isBad, ofA = '') {
    return make('div', { class: isBad === null ? null : isBad ? 'bad' : 'good' },
      make('dt', {}, title), make('dd', {}, make('b', {}, value), make('span', {}, ofA)),
      make('small', {}, note));
  }

  function pinNote(key) {
    const check = shown.pinned && shown.pinned.check;
    if (!check) {
      return '';
    }
    return `A: ${count(key === 'cycles' ? check.cycles || 0 : sum(check, key))}`;
  }

  function showFacts() {
    const { check } = shown;
    const request = shown.picture.picture && shown.picture.picture.requests[0];
    const passes = sum(check, 'wavefronts');
    const ideal = sum(check, 'ideal');
    const ways = Math.max(0, ...check.accesses.map((row) => row.ways_max));
    const facts = [];
    if (request && request.passes) {
      facts.push(fact('Passes of this request', count(request.wavefronts),
        `ideal ${count(request.ideal)}`, request.excessive > 0));
    } else if (request) {
      facts.push(fact(request.sectors === undefined ? 'Passes of this request'
        : 'Sectors of this request', count(request.sectors || request.constant_passes || 0),
      request.least_sectors === undefined ? '' : `ideal ${count(request.least_sectors)}`,
      request.sectors > request.least_sectors));
    }
    facts.push(fact('Passes of all requests', count(passes), `ideal ${count(ideal)}, `
      + many(sum(check, 'requests'), 'request'), passes > ideal, pinNote('wavefronts')));
    facts.push(fact('Worst request', ways > 0 ? `${ways}-way` : '\u2013',
      ways > 1 ? `${ways} turns at one bank` : 'no lane waits', ways > 1));
    if (check.cycles) {
      const lost = check.cycles - check.cycles_ideal;
      facts.push(fact('Cycles of the block', count(check.cycles), (lost > 0
        ? `${count(check.cycles_ideal)} without conflicts` : 'none of them for conflicts'),
      lost > 0, pinNote('cycles')));
    }
    const text = facts.map((each) => each.className + each.textContent);
    if (!isShown('facts', text)) {
      byId('facts').replaceChildren(...facts);
    }
    byId('why').textContent = request ? request.why : 'No thread comes to this access.';
    const rests = check.rests_on || [];
    const assumed = rests.filter((rule) => rule.grade === 'assumed');
    byId('basis').textContent = assumed.length > 0
      ? `Assumed of ${check.device}: ${assumed.map((rule) => rule.rule).join(', ')}.`
      : `Counts on ${check.device} rest on ${[...new Set(rests.map((rule) => rule.grade))].join(' and ')} rules.`;
  }

  function showAccesses() {
    const rows = shown.check.accesses;
    if (isShown('accesses', [rows, state.access])) {
      return;
    }
    byId('accesses').replaceChildren(...rows.map((row, i) => {
      const isBad = row.excessive > 0;
      const cost = row.wavefronts > 0 || row.sectors === undefined || row.sectors === null
        ? `${many(row.wavefronts || row.constant_passes || 0, 'pass', 'passes')}, ideal `
          + count(row.ideal || 0)
        : `${many(row.sectors, 'sector')} of global memory`;
      return make('label', {}, make('input', { type: 'radio', name: 'access', value: i,
        checked: i === state.access, onchange: () => choose({ access: i, warp: null, turn: 0, pass: 0 }) }),
      make('code', {}, `${row.op} ${row.access}`),
      make('small', {}, make('span', { class: isBad ? 'bad' : null },
        row.ways_max > 0 ? `${row.ways_max}-way` : row.requests > 0 ? '' : 'no thread comes to it'),
      row.requests > 0 ? `${row.ways_max > 0 ? ', ' : ''}${cost}` : ''));
    }));
  }

  function showWhich() {
    const { warp, warps, turn, turns } = shown.picture;
    const choice = byId('warp');
    if (choice.options.length !== warps + 1) {
      choice.replaceChildren(make('option', { value: '' }, 'the worst'), ...Array.from({ length: warps },
        (_, i) => make('option', { value: i }, i)));
    }
    choice.options[0].textContent = state.warp === null ? `the worst: ${warp}` : 'the worst';
    choice.value = state.warp === null ? '' : warp;
    byId('turn-label').hidden = turns < 2;
    byId('turn').max = turns;
    byId('turn').value = turn + 1;
    byId('turns').textContent = `of ${count(turns)}`;
  }

  function choose(change) {
    Object.assign(state, change);
    run();
  }
  byId('warp').addEventListener('change', () => {
    const { value } = byId('warp');
    choose({ warp: value === '' ? null : Number(value), turn: 0, pass: 0 });
  });
  byId('turn').addEventListener('input', () => {
    const turn = Number(byId('turn').value) - 1;
    if (turn >= 0 && turn < shown.picture.turns) {
      choose({ warp: shown.picture.warp, turn, pass: 0 });
    }
  });

  /* ---- pictures ---------------------------------------------------------------------------- */

  const arrayView = makeArrayView(byId('tile'), light);
  const lanesView = makeLanesView(byId('lanes'), light);

  function light(lit) {
    if (lit !== shown.lit) {
      shown.lit = lit;
      draw();
    }
  }
  const requestOf = () => shown.picture && shown.picture.picture && shown.picture.picture.requests[0];
  const passesOf = (lane) => requestOf().passes.map((pass, i) => (pass.lanes.includes(lane) ? i : -1))
    .filter((i) => i >= 0);

  function placeOf(lane) {
    const places = shown.picture.where ? shown.picture.where.places : [];
    return places.find((place) => place.lane === lane || place.lane === null);
  }

  const passText = (list, n) => `${list.length === 1 ? 'pass' : 'passes'} ${ranges(list.map((i) => i + 1))} of ${n}`;

  function tellLane(lane, request) {
    const place = placeOf(lane);
    const passes = passesOf(lane);
    if (!place || passes.length === 0) {
      return [`Lane ${lane} takes no part.`];
    }
    const banks = place.last_bank === place.bank ? `bank ${place.bank}`
      : `banks ${place.bank}\u2013${place.last_bank}`;
    return [`Lane ${lane}${place.thread ? `, thread ${place.thread}` : ''}:`,
      `${place.element}, byte ${count(place.byte)}, ${banks};`,
      `served in ${passText(passes, request.passes.length)}.`];
  }

  function tellBank(bank, request) {
    const served = request.passes.map((pass, i) => ({ i, grant: pass.grants.find((g) => g.bank === bank) }))
      .filter((each) => each.grant);
    if (served.length === 0) {
      return [`Bank ${bank} has nothing to do for this request.`];
    }
    const lanes = [...new Set(served.flatMap((each) => each.grant.lanes))].sort((a, b) => a - b);
    return [`Bank ${bank} serves ${lanesText(lanes)}:`,
      `${many(served.length, 'word')}${served.length > 1 ? ', one in each pass' : ''}.`,
      `It is at work in ${passText(served.map((each) => each.i), request.passes.length)}.`];
  }

  function tell(request) {
    const { lit } = shown;
    if (lit && lit.cell !== undefined) {
      const lanes = [...lit.lanes].sort((a, b) => a - b);
      const lines = [`${lit.name} lies in bank ${lit.bank}.`];
      return lanes.length === 0 ? [...lines, 'No lane of this request asks for it.']
        : [...lines, `Asked for by ${lanesText(lanes)}, served in `
          + `${passText([...new Set(lanes.flatMap(passesOf))].sort((a, b) => a - b), request.passes.length)}.`];
    }
    if (lit && lit.lane !== undefined) {
      return tellLane(lit.lane, request);
    }
    if (lit && lit.bank >= 0) {
      return tellBank(lit.bank, request);
    }
    const pass = request.passes[state.pass];
    return [shown.picture.picture.requests[0].place,
      pass ? `Pass ${state.pass + 1} serves ${lanesText(pass.lanes)}.` : '',
      'Point at a cell, a lane or a bank.'];
  }

  function litOf(request) {
    const { lit } = shown;
    if (!lit || lit.bank >= 0) {
      return lit;
    }
    const pass = request.passes.find((each) => each.lanes.includes(lit.lane));
    const grant = pass && pass.grants.find((each) => each.lanes.includes(lit.lane));
    return { ...lit, bank: grant ? grant.bank : -1 };
  }

  function drawTile(request, lit) {
    const tile = tileOf(shown.picture);
    const box = byId('tile').parentElement.parentElement;
    box.hidden = !tile;
    if (!tile) {
      byId('tile-title').textContent = request.sectors === undefined ? ''
        : 'Global memory has no banks: count sectors of 32 bytes.';
      return;
    }
    const spelled = shown.picture.arrays.find((each) => each.array === tile.array);
    const dimensions = [...(spelled ? spelled.declaration : '').matchAll(/\[(\d*)\]/g)].map((m) => Number(m[1]));
    dimensions[dimensions.length - 1] = tile.row_elements;
    const isFlat = dimensions.length < 2;
    const found = findArray(state.text, tile.array);
    const padding = found && !isFlat ? readLayout(found).pad : 0;
    const isWide = tile.element_bytes > request.stride_bytes;
    byId('tile-title').textContent = `${tile.array}: ${isWide ? 'first ' : ''}bank of each ${tile.cell_elements > 1
      ? `${tile.cell_elements} elements` : 'element'}${isFlat ? '' : ', row [y] by column [x]'}`;
    arrayView.draw({ ...tile, isFlat, dimensions, padding }, { banks: request.banks, lit,
      lanes: cellsOfLanes(tile, shown.picture.offsets, request.bytes),
      now: new Set((request.passes[state.pass] || { lanes: [] }).lanes) });
  }

  function draw() {
    const request = requestOf();
    document.querySelector('.lanes').hidden = !request || !request.passes;
    byId('told').hidden = !request || !request.passes;
    if (!request || !request.passes) {
      drawTile(request || {}, null);
      return;
    }
    const n = request.passes.length;
    state.pass = Math.min(state.pass, n - 1);
    byId('pass').max = n - 1;
    byId('pass').value = state.pass;
    byId('pass').disabled = n < 2;
    byId('back').disabled = state.pass === 0;
    byId('forth').disabled = state.pass === n - 1;
    byId('pass').setAttribute('aria-valuetext', `pass ${state.pass + 1} of ${n}`);
    byId('pass-out').value = `pass ${state.pass + 1} of ${n}`;
    const lit = litOf(request);
    drawTile(request, lit);
    lanesView.draw(request, state.pass, lit);
    byId('told').replaceChildren(...tell(request).map((line) => make('p', {}, line)));
  }

  function step(pass) {
    const request = requestOf();
    if (request && pass >= 0 && pass < request.passes.length) {
      state.pass = pass;
      draw();
      keepState();
    }
  }
  byId('back').addEventListener('click', () => step(state.pass - 1));
  byId('forth').addEventListener('click', () => step(state.pass + 1));
  byId('pass').addEventListener('input', () => step(Number(byId('pass').value)));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => shown.picture && draw());

  function showTable() {
    const request = requestOf();
    const places = shown.picture.where ? shown.picture.where.places : [];
    const rows = !request || !request.passes ? [] : shown.picture.offsets.map((offset, lane) => [lane,
      offset === null ? null : places.find((place) => place.lane === lane || place.lane === null)])
      .filter(([, place]) => place);
    byId('table').replaceChildren(make('table', {},
      make('thead', {}, make('tr', {}, ...['lane', 'thread', 'element', 'byte', 'bank', 'pass'].map(
        (title) => make('th', { scope: 'col', class: title === 'element' ? 'left' : null }, title)))),
      make('tbody', {}, ...rows.map(([lane, place]) => make('tr', {},
        make('th', { scope: 'row' }, lane), make('td', {}, place.thread),
        make('td', { class: 'left' }, make('code', {}, place.element)), make('td', {}, place.byte),
        make('td', {}, place.bank === place.last_bank ? place.bank : `${place.bank}\u2013${place.last_bank}`),
        make('td', {}, ranges(passesOf(lane).map((i) => i + 1))))))));
  }

  /* ---- the program's own words ------------------------------------------------------------- */

  async function showReports() {
    for (const [id, what] of [['report', 'check'], ['advice', 'advise']]) {
      if (byId(id).open) {
        const [answer] = await library.ask(question(what, {}, ...(what === 'advise' ? ['best', state.best] : [])));
        byId(`${id}-text`).textContent = answer.text;
      }
    }
  }
  byId('report').addEventListener('toggle', showReports);
  byId('advice').addEventListener('toggle', showReports);

  /* ---- A and B ----------------------------------------------------------------------------- */

  function showPinned() {
    const host = byId('pinned');
    const { pin } = state;
    host.hidden = !pin;
    byId('pin').textContent = pin ? 'Pin this as A' : 'Pin as A';
    if (!pin || !shown.pinned) {
      return;
    }
    const check = shown.pinned.check;
    const changed = pin.text.split('\n').filter((line) => !state.text.split('\n').includes(line));
    host.replaceChildren(make('h2', {}, `A: ${check ? many(sum(check, 'wavefronts'), 'pass', 'passes')
      + (check.cycles ? `, ${many(check.cycles, 'cycle')}` : '') : 'not understood'}`),
    make('pre', {}, changed.join('\n') || (pin.device === state.device ? 'the same text' : pin.device)),
    make('div', { class: 'buttons' }, make('button', { type: 'button', onclick: swap }, 'Swap with A'),
      make('button', { type: 'button', onclick: unpin }, 'Unpin')));
  }

  async function askPinned() {
    const [answer] = await library.ask(question('check', state.pin, 'format', 'json'));
    shown.pinned = { check: answer.status === 0 ? JSON.parse(answer.text) : null };
  }
  async function pin() {
    state.pin = { text: state.text, device: state.device };
    await askPinned();
    run();
  }
  async function swap() {
    const other = state.pin;
    state.pin = { text: state.text, device: state.device };
    Object.assign(state, other, { pass: 0 });
    byId('device').value = state.device;
    showText();
    await askPinned();
    run();
  }
  function unpin() {
    state.pin = null;
    shown.pinned = null;
    run();
  }
  byId('pin').addEventListener('click', pin);

  /* ---- the link ---------------------------------------------------------------------------- */

  let keeping = 0;

  function link() {
    const values = { t: state.text, d: state.device, a: state.access, p: state.pass };
    if (state.warp !== null) {
      Object.assign(values, { w: state.warp, n: state.turn });
    }
    if (state.pin) {
      Object.assign(values, { A: state.pin.text, D: state.pin.device });
    }
    return '#' + new URLSearchParams(Object.entries(values).filter(([, v]) => v !== null));
  }
  function keepState() {
    clearTimeout(keeping);
    keeping = setTimeout(() => history.replaceState(null, '', link()), 300);
  }
  function readState() {
    const values = new URLSearchParams(location.hash.slice(1));
    if (!values.get('t')) {
      return;
    }
    const number = (key) => (/^\d+$/.test(values.get(key) || '') ? Number(values.get(key)) : null);
    Object.assign(state, { text: values.get('t'), device: values.get('d') || 'sm_90',
      access: number('a'), warp: number('w'), turn: number('n') || 0, pass: number('p') || 0,
      pin: values.get('A') ? { text: values.get('A'), device: values.get('D') || 'sm_90' } : null });
  }
  window.addEventListener('hashchange', () => begin());

  async function copy(text, button) {
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed here';
    }
    setTimeout(() => { button.textContent = before; }, 1500);
  }
  byId('copy').addEventListener('click', () => copy(location.href.split('#')[0] + link(), byId('copy')));
  byId('copy-text').addEventListener('click', () => copy(state.text, byId('copy-text')));

  /* ---- running ----------------------------------------------------------------------------- */

  /* "text:4:12: message" */
  function showFault(text) {
    const [, line, column, rest] = /^text:(\d+)(?::(\d+))?: ([^]*)$/.exec(text) || [];
    const fault = byId('fault');
    fault.hidden = text === '';
    fault.textContent = line ? `Line ${line}${column ? `, column ${column}` : ''}: ${rest}`
      : text.replace(/^banksim: /, '');
    shown.faultLine = line ? Number(line) : 0;
    byId('result').classList.toggle('stale', text !== '');
    byId('plans').classList.toggle('stale', text !== '');
  }

  async function askAll() {
    const which = [...(state.access === null ? [] : ['access', state.access]),
      ...(state.warp === null ? [] : ['warp', state.warp, 'turn', state.turn])];
    const [answer, drawn] = await library.ask(question('check', {}, 'format', 'json'),
      question('picture', {}, ...which));
    const failed = [answer, drawn].find(({ status }) => status !== 0);
    if (failed) {
      return { fault: failed.text };
    }
    const picture = JSON.parse(drawn.text);
    if (state.access !== picture.access) {
      Object.assign(state, { access: picture.access, warp: null, turn: 0, pass: 0 });
    }
    return { check: JSON.parse(answer.text), picture };
  }

  let isRunning = false;
  let isStale = false;

  /* While one answer is awaited, only the newest question is kept. */
  async function run() {
    if (isRunning) {
      isStale = true;
      return;
    }
    isRunning = true;
    do {
      isStale = false;
      const { fault, check, picture } = await askAll();
      showFault(fault || '');
      if (!fault) {
        Object.assign(shown, { check, picture });
        showAll();
      } else {
        showText();
      }
    } while (isStale);
    isRunning = false;
    /* For tests: how often all questions were answered, and when. */
    performance.mark('answered');
    document.body.dataset.answers = Number(document.body.dataset.answers || 0) + 1;
  }

  function showAll() {
    showLayout();
    showFacts();
    showAccesses();
    showWhich();
    draw();
    showText();
    showPinned();
    findPlans();
    keepState();
    if (byId('table').parentElement.open) {
      showTable();
    }
    showReports();
  }
  byId('table').parentElement.addEventListener('toggle', () => shown.picture && showTable());

  async function begin() {
    readState();
    showText();
    byId('device').value = state.device;
    if (state.pin) {
      await askPinned();
    }
    run();
  }

  const optionText = (device) => device.replaceAll(';', ', ').replaceAll('=', ' ').replace('bank-width 8',
    'banks of 8 bytes');

  async function listDevices() {
    const [answer] = await library.ask(['devices']);
    const options = JSON.parse(answer.text).flatMap(({ name, description, has_wide: hasWide }) => [
      make('option', { value: name }, `${name} (${description})`),
      ...(hasWide ? [`${name};bank-width=8`] : []).map((value) => make('option', { value }, optionText(value)))]);
    const isListed = options.some((option) => option.value === state.device);
    byId('device').replaceChildren(...options, ...(isListed ? []
      : [make('option', { value: state.device }, optionText(state.device))]));
    byId('device').value = state.device;
  }
  byId('device').addEventListener('change', () => choose({ device: byId('device').value, pass: 0 }));
  byId('examples').append(make('option', { value: '' }, 'choose'), ...examples.map((example, i) =>
    make('option', { value: i }, example.name)));
  byId('examples').addEventListener('change', () => {
    const example = examples[byId('examples').value];
    if (example) {
      Object.assign(state, { access: null, warp: null, turn: 0, pass: 0, array: null });
      setText(example.text);
      byId('examples').value = '';
    }
  });
  begin();
  listDevices();
  library.prepare();
})();
