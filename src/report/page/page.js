/* page.js - draws the page from the data in it. Nothing here decides which bank serves which lane:
 * that is read from the model's schedules. Every text of a trace goes in as a text node. */
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const WARP_LANES = 32;

  /* ---- elements ---------------------------------------------------------------------------- */

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith('on')) {
        element.addEventListener(name.slice(2), value);
      } else if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? '' : value);
      }
    }
    for (const child of children.flat()) {
      if (child !== null && child !== undefined) {
        element.append(child);
      }
    }
    return element;
  }
  const h = (name, attributes, ...children) =>
    fill(document.createElement(name), attributes, children);
  const s = (name, attributes, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

  /* ---- words ------------------------------------------------------------------------------- */

  function count(n) {
    return n > Number.MAX_SAFE_INTEGER ? '\u2248 ' + n.toExponential(3) : n.toLocaleString('en-US');
  }
  function short(n) {
    if (n < 10000) {
      return String(n);
    }
    const units = ['k', 'M', 'G', 'T', 'P', 'E'];
    let i = -1;
    do {
      n /= 1000;
      i++;
    } while (n >= 1000 && i + 1 < units.length);
    return (n < 10 ? n.toFixed(1) : Math.floor(n)) + units[i];
  }
  const ratio = (a, b) => (b > 0 ? String(Number((a / b).toPrecision(4))) : '\u2013');
  const percent = (a, b) => (b > 0 ? (100 * a / b).toFixed(1) + ' %' : '\u2013');
  const many = (n, one, more) => count(n) + ' ' + (n === 1 ? one : more || one + 's');
  const ways = (row) => (row.ways_min < row.ways_max ? row.ways_min + '\u2013' : '') + row.ways_max;

  /* Numbers in order as ranges: "0-7, 16". */
  function ranges(list) {
    const parts = [];
    for (let i = 0; i < list.length; i++) {
      let k = i;
      while (k + 1 < list.length && list[k + 1] === list[k] + 1) {
        k++;
      }
      parts.push(k > i + 1 ? list[i] + '\u2013' + list[k] : list[i]);
      i = k > i + 1 ? k : i;
    }
    return parts.join(', ');
  }
  const several = (list) => list.map(count).join(' and ');
  const lanesText = (lanes) => (lanes.length === 1 ? 'lane ' : 'lanes ') + ranges(lanes);

  /* ---- the data ---------------------------------------------------------------------------- */

  const kernels = data.kernels.map((kernel) => ({ id: kernel.id, ...kernel.row }));
  const kernelOf = new Map(kernels.map((kernel) => [kernel.id, kernel]));
  const sites = data.sites.map((site, i) =>
    ({ ...site.row, id: i, owner: kernelOf.get(site.kernel) }));
  for (const kernel of kernels) {
    const twins = kernels.filter((other) => other.kernel === kernel.kernel);
    kernel.title = kernel.kernel + (twins.length > 1 ? ' (launch ' + (kernel.id + 1) + ')' : '');
    kernel.sites = sites.filter((site) => site.owner === kernel);
  }
  const isShared = (site) => site.opcode.includes('.shared') || site.opcode.includes('matrix');
  const hasSectors = (site) => /\.(global|local)\.|^tex\./.test(site.opcode);
  /* Atomics that are loops take at least what is counted. */
  const least = (row) => (row.at_least ? '\u2265 ' : '');

  /* What the conflicts of a kernel, or of a site alone, cost: cycles, where they were simulated. */
  const isCostKnown = (row) => row.cycles !== null && row.cycles_ideal !== null;
  const lost = (row) => (isCostKnown(row) ? Math.max(0, row.cycles - row.cycles_ideal) : 0);
  const cost = (row) => (isCostKnown(row) ? lost(row) : row.excessive);
  const worstFirst = (list) => [...list].sort((a, b) =>
    cost(b) - cost(a) || b.excessive - a.excessive || b.wavefronts - a.wavefronts || a.id - b.id);
  const siteTitle = (site) =>
    (site.site > 0 ? 'site ' + site.site + ', ' + site.opcode : site.opcode + ' without a site');
  const place = (site) => (site.file ? site.file + (site.line > 0 ? ':' + site.line : '') : '');

  /* A name or a path, which a narrow column breaks between its words, not within one. */
  const words = (text) => h('bdi', {}, ...text.split(/(?<=[_/,(<]|::)(?=\w)/)
    .flatMap((word, i) => (i > 0 ? [h('wbr'), word] : [word])));

  /* The numbers of a packed string; how they are packed stands in pattern.c. */
  function unpack(text) {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    let at = 0;
    const number = () => {
      let value = 0;
      let scale = 1;
      let digit;
      do {
        digit = letters.indexOf(text[at++]);
        value += (digit % 32) * scale;
        scale *= 32;
      } while (digit >= 32);
      return value;
    };
    const signed = () => {
      const value = number();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    };
    return { number, signed, ended: () => at >= text.length };
  }
  const upTo = (n) => Array.from({ length: n }, (_, i) => i);
  const bitsOf = (mask) =>
    upTo(WARP_LANES).filter((lane) => Math.floor(mask / 2 ** lane) % 2 === 1);

  function readLanes(read, group) {
    const code = read.number();
    return code < 32 ? [code] : code === 32 ? group : bitsOf(read.number());
  }

  function readPass(read, request, kernel) {
    const pass = { group: read.number(), grants: [] };
    const group = request.groups[pass.group];
    let bank = 0;
    let row = 0;
    for (let n = read.number(); n > 0; n--) {
      bank += read.number();
      row += read.signed();
      const grant = { bank, row: row + request.firstRow, lanes: readLanes(read, group) };
      grant.halves = kernel.bank_bytes > 4 ? read.number() : 1;
      grant.words = wordsOf(kernel, grant);
      grant.receivers = request.isMatrix ? readLanes(read, group) : grant.lanes;
      pass.grants.push(grant);
    }
    return pass;
  }

  /* What a bank serves: its word's number, as in `banksim show`: the byte address by the word's
   * bytes. Kepler's 4-byte mode serves two words of a row that do not follow one another. */
  function wordsOf(kernel, grant) {
    const { banks, bank_width: width, bank_bytes: bytes } = kernel;
    const first = grant.row * banks * bytes / width + grant.bank;
    return bytes === width ? [first]
      : [first, first + banks].filter((_, half) => Math.floor(grant.halves / 2 ** half) % 2 === 1);
  }
  const wordNoun = (kernel) => (kernel.bank_width > 4 ? '8-byte word' : 'word');
  const wordsText = (kernel, { words }) =>
    wordNoun(kernel) + (words.length > 1 ? 's ' : ' ') + several(words);

  /* One request of a site, taken apart. */
  function readRequest(site, index) {
    const [n, mask, wavefronts, ideal, excessive, most, sharing, block, warp, event, line, firstRow,
      why, addresses, schedule] = site.patterns[index];
    const kernel = site.owner;
    const request = { n, mask, wavefronts, ideal, excessive, ways: most, sharing, block, warp,
      event,
      line, firstRow, why, isMatrix: site.opcode.includes('matrix'), groups: [], passes: [],
      address: new Map() };
    const read = unpack(schedule);
    for (let i = read.number(); i > 0; i--) {
      request.groups.push(bitsOf(read.number()));
    }
    while (!read.ended()) {
      request.passes.push(readPass(read, request, kernel));
    }
    const step = unpack(addresses);
    let address = firstRow * kernel.banks * kernel.bank_bytes;
    let stride = 0;
    for (const lane of request.groups.flat()) {
      stride += step.signed();
      address += stride;
      request.address.set(lane, address);
    }
    return request;
  }

  /* ---- tables that sort --------------------------------------------------------------------- */

  /* columns: {title, value(item), show(item), left, wide, sorts}. A row is chosen by a click
   * anywhere in it or by the button in its first cell; arrow keys go from button to button. Of a
   * long list the first rows are shown, and those of a word that the reader types. */
  const LONG_LIST = 10;
  const SHOWN_ROWS = 20;

  function table({ caption, noun, columns, items, choose }) {
    const body = h('tbody', { role: 'rowgroup' });
    const word = h('input', { type: 'search', 'aria-label': 'Filter the ' + noun,
      oninput: () => arrange() });
    const all = h('button', { type: 'button', class: 'act', onclick: () => {
      showsAll = !showsAll;
      arrange();
    } });
    const shownCount = h('output', { 'aria-live': 'polite' });
    let showsAll = false;
    let order = {}; /* at first as the items are */
    const rows = new Map();
    for (const item of items) {
      const row = h('tr', { role: 'row', class: choose ? 'choice' : null,
        onclick: () => choose && choose(item) });
      columns.forEach((column, i) => {
        const shown = column.show(item);
        const cell = h(i === 0 ? 'th' : 'td', { role: i === 0 ? 'rowheader' : 'cell',
          scope: i === 0 ? 'row' : null, 'data-title': column.title,
          class: ['left', 'wide', 'name'].filter((each) => column[each]).join(' ') || null });
        cell.append(i === 0 && choose ? h('button', { type: 'button', class: 'pick',
          'aria-label': column.label ? column.label(item) : null }, shown) : shown);
        row.append(cell);
      });
      rows.set(item, row);
    }
    body.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const buttons = [...body.querySelectorAll('button.pick')];
      const next = buttons[buttons.indexOf(event.target) + step];
      if (step && next) {
        next.focus();
        event.preventDefault();
      }
    });
    const heads = columns.map((column) => h('th', { scope: 'col', role: 'columnheader',
      class: column.left ? 'left' : null, 'aria-sort': 'none' },
    h('button', { type: 'button', onclick: () => sort(column) }, column.title)));

    function sort(column) {
      const isText = typeof column.value(items[0]) === 'string';
      order = { column, down: order.column === column ? !order.down : !isText };
      arrange();
    }
    function arrange() {
      const value = order.column ? order.column.value : () => 0;
      const sorted = [...items].sort((a, b) => {
        const x = value(a);
        const y = value(b);
        const up = typeof x === 'string' ? x.localeCompare(y, 'en', { numeric: true }) : x - y;
        return (order.down ? -up : up) || items.indexOf(a) - items.indexOf(b);
      });
      const wanted = word.value.trim().toLowerCase();
      const found = sorted.map((item) => rows.get(item)).filter((row) =>
        row.textContent.toLowerCase().includes(wanted));
      const shown = found.slice(0, showsAll ? found.length : SHOWN_ROWS);
      body.replaceChildren(...shown);
      shownCount.textContent = shown.length === items.length ? 'all ' + many(items.length, noun)
        : shown.length + ' of ' + many(items.length, noun);
      all.hidden = found.length <= SHOWN_ROWS;
      all.textContent = showsAll ? 'Show ' + SHOWN_ROWS : 'Show all ' + found.length;
      columns.forEach((column, i) => heads[i].setAttribute('aria-sort',
        column !== order.column ? 'none' : order.down ? 'descending' : 'ascending'));
    }
    arrange();
    return {
      element: h('div', {}, items.length <= LONG_LIST ? null : h('div', { class: 'controls' },
        h('label', {}, 'Filter ', word), shownCount, all), h('div', { class: 'scroll' }, h('table', { role: 'table', class: 'cards-below' },
        h('caption', {}, caption),
        h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)), body))),
      mark: (chosen) => rows.forEach((row, item) => (item === chosen
        ? row.setAttribute('aria-current', 'true') : row.removeAttribute('aria-current'))),
    };
  }

  const number = (title, value, says = () => true) => ({ title, value,
    show: (item) => (says(item) ? count(value(item)) : '\u2013') });

  /* A number with a bar; isBad tells whether it is drawn as something to mend. */
  function bars(title, list, { value, order = value, says = () => true, isBad }) {
    const most = Math.max(1, ...list.filter(says).map(value));
    return { title, value: order,
      show: (item) => {
        if (!says(item)) {
          return '\u2013';
        }
        const bar = h('i');
        bar.style.setProperty('--v', value(item) / most);
        return h('span', { class: isBad(item) ? 'bad' : null }, count(value(item)),
          h('span', { class: 'bar', 'aria-hidden': 'true' }, value(item) > 0 ? bar : null));
      } };
  }
  const excessive = (list, says) => bars('Excessive', list,
    { value: (item) => item.excessive, says, isBad: (item) => cost(item) > 0 });

  /* By what conflicts cost; where that is not known, excessive wavefronts give the place. */
  const lostCycles = (list) => bars('Cycles lost', list,
    { value: lost, order: cost, says: isCostKnown, isBad: (item) => lost(item) > 0 });

  /* ---- the banks of a request, and of a site ------------------------------------------------ */

  const heldUp = (site) => Boolean(site.held_up) && site.held_up.some((n) => n > 0);

  /* In how many passes of a request each bank serves. */
  function passesOfBanks(request, n) {
    const passes = Array(n).fill(0);
    request.passes.flatMap((pass) => pass.grants).forEach((grant) => { passes[grant.bank]++; });
    return passes;
  }

  function busyText(list) {
    const busy = list.filter((n) => n > 0).length;
    return busy === list.length ? 'all ' + many(busy, 'bank') + ' busy'
      : many(busy, 'bank') + ' busy, ' + (list.length - busy) + ' idle';
  }

  /* Of each site with passes to draw: those of the banks in its worst request. */
  const worstPasses = new Map(sites.filter((site) => site.patterns && site.patterns.length > 0)
    .map((site) => [site, passesOfBanks(readRequest(site, 0), site.owner.banks)]));
  const mostPasses = Math.max(1, ...[...worstPasses.values()].map((list) => Math.max(...list)));

  /* One bar per bank, of the site's worst request and as high as the sites compare: the sum over
   * all requests can be even where each waits for another bank. */
  function strip(site) {
    const list = worstPasses.get(site);
    if (!list) {
      return h('span', {}, '\u2013');
    }
    const worst = Math.max(...list);
    const width = 128 / list.length;
    const height = (n) => Math.max(2, 18 * n / mostPasses);
    const text = 'worst request: bank ' + list.indexOf(worst) + ' serves in '
      + many(worst, 'pass', 'passes') + '; ' + busyText(list);
    return s('svg', { class: site.excessive > 0 ? 'strip' : 'strip turns', viewBox: '0 0 128 20',
      role: 'img', 'aria-label': text }, s('title', {}, text),
    s('line', { x1: 0, x2: 128, y1: 19.5, y2: 19.5 }),
    list.map((n, bank) => n === 0 ? null : s('rect', { x: bank * width + .4, width: width - .8,
      y: 19 - height(n), height: height(n) })));
  }

  function heat({ title, hint, list, kind, words, top = 1 }) {
    const most = Math.max(1, ...list);
    const differ = list.some((n) => n !== list[0]);
    const head = h('div', { class: 'headed' }, h('h4', {}, title), h('p', { class: 'hint' }, hint));
    return h('div', {}, head,
      h('ol', { class: 'heat ' + kind, start: 0, 'aria-label': title }, list.map((n, bank) => {
        const cell = h('li', { class: differ && n === most ? 'most' : null, title: words(bank, n) },
          h('b', { 'aria-hidden': 'true' }, short(n)),
          h('span', { role: 'img', 'aria-label': words(bank, n) }, bank));
        cell.style.setProperty('--v', n / Math.max(top, most));
        return cell;
      })));
  }

  /* The tallest column is the number of passes, where all lanes go together; one scale for all
   * requests of the page, so that two beside each other compare. */
  function requestHeat(request, kernel) {
    const list = passesOfBanks(request, kernel.banks);
    return heat({ title: 'Passes of each bank', hint: busyText(list), list, top: mostPasses,
      kind: request.excessive > 0 ? 'tall held' : 'tall turns',
      words: (bank, n) => 'bank ' + bank + ': ' + (n > 0 ? many(n, 'pass', 'passes') : 'idle') });
  }

  function heats(site) {
    if (!site.bank_turns) {
      return [h('p', { class: 'hint' }, 'This instruction does not touch shared memory, so no bank '
        + 'serves it: ' + (site.constant_passes > 0 ? many(site.constant_passes, 'pass', 'passes')
          + ' of constant memory.' : many(site.sectors, 'sector') + ' of 32 bytes in '
          + many(site.lines, 'line') + ' of 128 bytes.'))];
    }
    const parts = [heldUp(site) ? heat({ title: 'Held the others up',
      hint: 'In how many requests the other banks waited for this one; lanes that go in groups '
        + 'count group by group', list: site.held_up, kind: 'held',
      words: (bank, n) => 'bank ' + bank + ': ' + many(n, 'time') })
      : h('p', { class: 'hint' }, 'No bank ever held up another: there are no conflicts here.'),
    heat({ title: 'Words served', hint: 'How many words each bank served', list: site.bank_turns,
      kind: 'turns', words: (bank, n) => 'bank ' + bank + ': ' + many(n, 'word') })];
    const even = heldUp(site) && site.held_up.every((n) => n === site.held_up[0]);
    const title = 'Banks, summed over all ' + many(site.requests, 'request') + ' of this site';
    return [h('details', { 'aria-label': title }, h('summary', {}, title), even ? h('p', { class: 'hint' }, 'Even in sum, as each request '
      + 'waits for another bank.') : null, parts)];
  }

  /* ---- the drawing of a request ------------------------------------------------------------- */

  /* For each lane, the passes that serve it. */
  function passesOf(request) {
    const of = new Map();
    request.passes.forEach((pass, i) => {
      for (const lane of pass.grants.flatMap((grant) => grant.lanes)) {
        const list = of.get(lane) || [];
        if (list[list.length - 1] !== i) {
          list.push(i);
        }
        of.set(lane, list);
      }
    });
    return of;
  }

  function laneState(list, pass) {
    if (!list) {
      return 'off';
    }
    if (list.includes(pass)) {
      return 'now';
    }
    return list[list.length - 1] < pass ? 'done' : 'waits';
  }

  const stateMark = { off: '', now: '\u25b8', done: '\u2713', waits: '' };
  const inPasses = (list) => (list ? ranges(list.map((i) => i + 1)) : '\u2013');

  function laneText(request, lane, list, state) {
    if (!list) {
      return 'lane ' + lane + ' takes no part';
    }
    const when = { now: 'served in this pass', done: 'served already', waits: 'waits' }[state];
    return 'lane ' + lane + ', byte ' + count(request.address.get(lane)) + ', pass '
      + inPasses(list) + ': ' + when;
  }

  /* A cell with up to two lines. */
  function cell({ box, text, small, title, attributes }) {
    const { x, y, w, hgt } = box;
    const middle = x + w / 2;
    return s('g', attributes, s('title', {}, title),
      s('rect', { x: x + 1, y, width: w - 2, height: hgt, rx: 3 }),
      s('text', { x: middle, y: y + (small === null ? hgt / 2 + 4 : 13) }, text),
      small === null ? null : s('text', { class: 'small', x: middle, y: y + hgt - 5 }, small));
  }

  /* Where things stand: lanes above and banks below, or, where the page is narrow, turned by a
   * right angle, so that numbers stay legible on a phone. */
  function makeLayout(n, width) {
    if (width < 700) {
      const wide = { lane: Math.min(132, width * .4), bank: Math.min(132, width * .34) };
      const down = (i) => 22 + 21 * i;
      return { narrow: true, tight: false, width, left: 26, top: down(Math.max(WARP_LANES, n)) + 24,
        lane: (i) => ({ x: 0, y: down(i), w: wide.lane, hgt: 19 }),
        bank: (i) => ({ x: width - wide.bank, y: down(i * Math.max(1, WARP_LANES / n)),
          w: wide.bank, hgt: 19 }),
        captions: [['lanes @ their bytes', 0, 14, 'start'], ['banks, w: word', width, 14, 'end']] };
    }
    const left = 62;
    const across = (count) => (width - left) / count;
    return { narrow: false, tight: across(Math.max(n, WARP_LANES)) < 19, width, left, top: 214,
      lane: (i) => ({ x: left + i * across(WARP_LANES), y: 6, w: across(WARP_LANES), hgt: 32 }),
      bank: (i) => ({ x: left + i * across(n), y: 150, w: across(n), hgt: 32 }),
      captions: [['lanes', 0, 20, 'start'], ['in pass', 0, 34, 'start'],
        ['banks', 0, 164, 'start'], ['word', 0, 178, 'start']] };
  }

  function laneCell({ request, pass, layout, choosePass }, lane, list) {
    const state = laneState(list, pass);
    const mark = stateMark[state];
    const at = list ? ' @' + request.address.get(lane) : '';
    return cell({ box: layout.lane(lane),
      text: layout.narrow ? 'lane ' + lane + ' ' + mark + at : String(lane),
      small: layout.narrow ? null : layout.tight ? mark : mark + inPasses(list),
      title: laneText(request, lane, list, state),
      attributes: { class: 'cell lane', 'data-lane': lane, 'data-state': state,
        onclick: () => list && choosePass(list.find((p) => p > pass) ?? list[0]) } });
  }

  function bankCell({ layout, kernel }, bank, grant) {
    const box = layout.bank(bank);
    const isShared = grant && grant.lanes.length > 1;
    const times = isShared ? '\u00d7' + grant.lanes.length : '';
    const word = grant ? 'w' + grant.words.map(short).join(',') : '\u00b7';
    const says = grant ? wordsText(kernel, grant) + ' for ' + lanesText(grant.lanes) : 'idle';
    return cell({ box,
      text: layout.narrow ? ['bank ' + bank, grant ? word : '', times].join(' ').trim()
        : String(bank),
      small: layout.narrow || layout.tight ? null
        : isShared && box.w < 50 ? times : (times + ' ' + word).trim(),
      title: 'bank ' + bank + ': ' + says,
      attributes: { class: isShared ? 'cell bank shared' : 'cell bank', 'data-bank': bank,
        'data-state': grant ? 'now' : 'idle', 'data-words': grant ? grant.words.join(',') : null,
        'data-lanes': grant ? grant.lanes.join(',') : null } });
  }

  function link(layout, lane, grant) {
    const from = layout.lane(lane);
    const to = layout.bank(grant.bank);
    const [x1, y1, x2, y2] = layout.narrow
      ? [from.x + from.w, from.y + from.hgt / 2, to.x, to.y + to.hgt / 2]
      : [from.x + from.w / 2, from.y + from.hgt, to.x + to.w / 2, to.y];
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const path = layout.narrow ? [x, y1, x, y2, x2, y2] : [x1, y, x2, y, x2, y2];
    return s('path', { class: grant.lanes.length > 1 ? 'link shared' : 'link', 'data-from': lane,
      'data-to': grant.bank, d: 'M' + x1 + ' ' + y1 + 'C' + path.join(' ') });
  }

  /* One pass of a request, and its whole schedule below. */
  function draw({ request, kernel, pass, width, choosePass, label }) {
    const layout = makeLayout(kernel.banks, width);
    const view = { request, kernel, pass, layout, choosePass };
    const of = passesOf(request);
    const grants = request.passes[pass].grants;
    const grantOf = new Map(grants.map((grant) => [grant.bank, grant]));
    const grid = drawGrid(view, kernel.banks);
    return s('svg', { class: layout.tight ? 'tight' : null, role: 'img', 'aria-label': label,
      viewBox: '0 0 ' + width + ' ' + grid.bottom, width, height: grid.bottom },
    layout.captions.map(([text, x, y, anchor]) =>
      s('text', { class: 'label', x, y, 'text-anchor': anchor }, text)),
    grants.map((grant) => grant.lanes.map((lane) => link(layout, lane, grant))).flat(),
    upTo(WARP_LANES).map((lane) => laneCell(view, lane, of.get(lane))),
    upTo(kernel.banks).map((bank) => bankCell(view, bank, grantOf.get(bank))), grid.element);
  }

  /* A row of the schedule: a click goes to its pass. */
  function gridBand({ pass, layout, choosePass }, each, i, y, step) {
    const current = i === pass;
    const name = (current ? '\u25b8' : '') + (layout.narrow ? '' : 'pass ') + (i + 1);
    return [s('rect', { class: current ? 'band current' : 'band', x: .8, y: y + .5, rx: 2,
      width: layout.width - 1.6, height: step - 1, 'data-pass': i, onclick: () => choosePass(i) },
    s('title', {}, 'pass ' + (i + 1) + ', group ' + (each.group + 1))),
    step >= 13 || i % 4 === 0 || current ? s('text', { class: 'label small', x: 4,
      y: y + step / 2 + 3.5, 'pointer-events': 'none' }, name) : null];
  }

  function gridCell(layout, w, grant, y, step) {
    const isShared = grant.lanes.length > 1;
    const x = layout.left + grant.bank * w;
    const text = isShared ? '\u00d7' + grant.lanes.length : String(grant.lanes[0]);
    return [s('rect', { class: isShared ? 'shared' : null, x: x + 1, y: y + 1.5,
      width: Math.max(1, w - 2), height: step - 3, 'pointer-events': 'none' }),
    step >= 13 && w >= 6.2 * text.length + 3
      ? s('text', { x: x + w / 2, y: y + step / 2 + 3.5 }, text) : null];
  }

  /* All passes, one below the other, each bank in its column. */
  function drawGrid(view, n) {
    const { request: { passes }, layout } = view;
    const { top, width } = layout;
    const step = passes.length <= 8 ? 22 : passes.length <= 20 ? 18 : passes.length <= 40 ? 13 : 8;
    const w = (width - layout.left) / n;
    const parts = passes.map((each, i) => {
      const y = top + i * step;
      const opens = i > 0 && each.group !== passes[i - 1].group;
      return [opens ? s('line', { class: 'rule', x1: 0, x2: width, y1: y - .5, y2: y - .5 }) : null,
        gridBand(view, each, i, y, step),
        each.grants.map((grant) => gridCell(layout, w, grant, y, step))].flat(2);
    });
    const title = layout.narrow ? 'all passes, a column per bank'
      : 'All passes: a row each, a column per bank, in it the lanes served';
    return { bottom: top + passes.length * step + 6, element: s('g', { class: 'grid' },
      s('text', { class: 'label', x: 0, y: top - 8 }, title), parts.flat()) };
  }

  /* ---- one request, pass by pass ----------------------------------------------------------- */

  const sharingWord = ['', 'broadcast', 'multicast'];

  function passSentence(request, kernel, i) {
    const pass = request.passes[i];
    const shared = pass.grants.filter((grant) => grant.lanes.length > 1);
    const shown = (shared.length > 0 ? shared : pass.grants).slice(0, 3).map((grant) =>
      'bank ' + grant.bank + ' serves ' + wordsText(kernel, grant) + ' for '
      + lanesText(grant.lanes));
    const rest = pass.grants.length - shown.length;
    const group = request.groups.length > 1
      ? ', group ' + (pass.group + 1) + ' of ' + request.groups.length + ' ('
        + lanesText(request.groups[pass.group]) + ')' : '';
    return 'Pass ' + (i + 1) + ' of ' + request.passes.length + group + ': ' + shown.join('; ')
      + (rest > 0 ? '; and ' + many(rest, 'more bank') : '') + '.';
  }

  function passTable(request, kernel, pass) {
    const columns = ['Bank', kernel.bank_width > 4 ? '8-byte word' : 'Word', 'Lanes',
      'Byte addresses'];
    if (request.isMatrix) {
      columns.push('Goes to');
    }
    return h('table', { class: 'pass' },
      h('thead', {}, h('tr', {}, columns.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, pass.grants.map((grant) => h('tr', {}, h('td', {}, grant.bank),
        h('td', {}, several(grant.words)), h('td', {}, ranges(grant.lanes)),
        h('td', {}, grant.lanes.map((lane) => request.address.get(lane)).join(', ')),
        request.isMatrix ? h('td', {}, ranges(grant.receivers)) : null))));
  }

  function requestName(pattern) {
    const [n, , wavefronts, , , most, , block, warp, event] = pattern;
    const conflict = most > 1 ? most + '-way' : 'no conflict';
    return many(wavefronts, 'wavefront') + ', ' + conflict + ', ' + many(n, 'time')
      + ' \u00b7 block ' + block + ' warp ' + warp + ' #' + event;
  }

  function factsOf(request) {
    const tags = [];
    if (request.excessive > 0) {
      tags.push(h('span', { class: 'tag bad' }, request.ways + '-way conflict'));
    } else {
      tags.push(h('span', { class: 'tag good' }, 'no conflict'));
    }
    if (request.sharing > 0) {
      tags.push(h('span', { class: 'tag share' }, sharingWord[request.sharing]));
    }
    return [tags, h('strong', {}, request.why), h('br'), 'Ideally '
      + many(request.ideal, 'wavefront') + '; mask ' + request.mask.toString(16).padStart(8, '0')
      + '; seen ' + many(request.n, 'time')
      + ', first in block ' + request.block + ', warp ' + request.warp + ', event ' + request.event
      + (request.line > 0 ? ' (line ' + count(request.line) + ' of the trace)' : '')];
  }

  let nViewers = 0;

  /* The stepper. onpass(pass) is told each step that the reader makes here; `also` stands beside
   * its controls. */
  function viewer(name, onpass, also = null) {
    const id = 'viewer-' + nViewers++;
    const state = { site: null, index: 0, pass: 0, request: null };
    const button = (label, text, act) => h('button',
      { type: 'button', class: 'act', 'aria-label': label, title: label, onclick: act }, text);
    const choice = h('select',
      { id: id + '-request', onchange: () => choose(choice.selectedIndex) });
    const before = button('Previous request', 'Previous', () => choose(state.index - 1));
    const after = button('Next request', 'Next', () => choose(state.index + 1));
    const facts = h('p', { class: 'facts' });
    const banks = h('div', { class: 'banks' });
    const first = button('First pass', '\u00ab', () => step(0));
    const back = button('Pass before', '\u2039', () => step(state.pass - 1));
    const on = button('Next pass', '\u203a', () => step(state.pass + 1));
    const last = button('Last pass', '\u00bb', () => step(state.request.passes.length - 1));
    const slider = h('input', { type: 'range', min: 1, step: 1, 'aria-label': 'Pass',
      oninput: () => step(Number(slider.value) - 1) });
    const output = h('output', { 'aria-hidden': 'true' });
    const now = h('p', { class: 'now', 'aria-live': 'polite' });
    const drawing = h('div', { class: 'drawing', tabindex: 0, role: 'group',
      'aria-label': 'Drawing of the passes: arrow keys step, Home and End go to the ends' });
    const details = h('div');
    const asTable = h('details', { 'aria-label': 'This pass as a table' },
      h('summary', {}, 'This pass as a table'), details);
    const leftOut = h('p', { class: 'hint' });
    const nothing = h('p', { class: 'hint' });
    const body = h('div', {},
      h('div', { class: 'controls' }, h('label', { for: id + '-request' }, 'Request'), choice,
        before, after),
      leftOut, facts, banks,
      h('div', { class: 'controls', role: 'group', 'aria-label': 'Passes' }, first, back, on, last,
        slider, output, also),
      drawing,
      h('p', { class: 'legend' }, 'Lanes: ', h('b', {}, '\u25b8'), ' served now, ',
        h('b', {}, '\u2713'), ' served before, dashed: takes no part. ', h('b', {}, '\u00d7n'),
        ' and a thick frame: one word for n lanes at once. w: the number of the word, its byte '
        + 'address by the bytes of a word.'),
      now, asTable);
    const element = h('div', { class: 'viewer', role: 'group', 'aria-label': name }, nothing, body);

    element.addEventListener('keydown', (event) => {
      if (event.target.matches('select, input, summary') || event.altKey || event.ctrlKey
        || event.metaKey || !state.request) {
        return;
      }
      const to = { ArrowRight: state.pass + 1, ArrowDown: state.pass + 1, ArrowLeft: state.pass - 1,
        ArrowUp: state.pass - 1, Home: 0, End: state.request.passes.length - 1 }[event.key];
      if (to !== undefined) {
        step(to);
        event.preventDefault();
      }
    });
    /* The width is kept: asking for it at each step would lay the whole page out each time. */
    new ResizeObserver(() => {
      state.width = drawing.clientWidth;
      if (state.request) {
        redraw();
      }
    }).observe(drawing);

    function redraw() {
      const width = state.width || drawing.clientWidth;
      const wanted = { request: state.request, pass: state.pass, width };
      const same = state.drawn
        && Object.keys(wanted).every((key) => wanted[key] === state.drawn[key]);
      if (width <= 0 || same) {
        return;
      }
      state.drawn = wanted;
      drawing.replaceChildren(draw({ ...wanted, kernel: state.site.owner, choosePass: step,
        label: passSentence(state.request, state.site.owner, state.pass) }));
    }
    function render() {
      const { request, pass } = state;
      const n = request.passes.length;
      slider.max = n;
      slider.value = pass + 1;
      slider.setAttribute('aria-valuetext', 'pass ' + (pass + 1) + ' of ' + n);
      output.textContent = 'pass ' + (pass + 1) + ' of ' + n;
      first.disabled = back.disabled = pass === 0;
      last.disabled = on.disabled = pass === n - 1;
      now.textContent = passSentence(request, state.site.owner, pass);
      details.replaceChildren(passTable(request, state.site.owner, request.passes[pass]));
      redraw();
    }
    function goTo(pass) {
      state.pass = Math.max(0, Math.min(pass, state.request.passes.length - 1));
      render();
    }
    function step(pass) {
      goTo(pass);
      if (onpass) {
        onpass(state.pass);
      }
    }
    function choose(index) {
      state.index = Math.max(0, Math.min(index, state.site.patterns.length - 1));
      state.request = readRequest(state.site, state.index);
      choice.selectedIndex = state.index;
      before.disabled = state.index === 0;
      after.disabled = state.index === state.site.patterns.length - 1;
      facts.replaceChildren(...factsOf(state.request).flat());
      banks.replaceChildren(requestHeat(state.request, state.site.owner));
      step(0);
    }
    function show(site) {
      state.site = site;
      const has = Boolean(site && site.patterns && site.patterns.length > 0);
      state.request = null;
      body.hidden = !has;
      nothing.hidden = has;
      nothing.textContent = 'No request of this site has passes to draw.';
      if (!has) {
        return;
      }
      choice.replaceChildren(...site.patterns.map((pattern) =>
        h('option', {}, requestName(pattern))));
      leftOut.hidden = site.left_out === 0;
      leftOut.textContent = many(site.left_out, 'further request') + ' of this site, other than '
        + 'these and no worse, ' + (site.left_out === 1 ? 'is' : 'are')
        + ' left out to keep this page small. '
        + '\u2018banksim run --per request TRACE\u2019 lists every one with its line, '
        + '\u2018banksim show TRACE --event LINE\u2019 draws it.';
      choose(0);
    }
    return { element, show, choose, step, goTo, state };
  }

  /* ---- the parts of the page ---------------------------------------------------------------- */

  function card(title, value, note) {
    return h('div', {}, h('dt', {}, title), h('dd', {}, value, note ? h('small', {}, note) : null));
  }

  /* As many cards in a row as leave no hole in the last one, or the smallest. */
  function fillRows(list, n) {
    const LEAST_WIDTH = 152;
    new ResizeObserver(() => {
      const most = Math.max(2, Math.floor(list.clientWidth / LEAST_WIDTH));
      list.style.setProperty('--columns', Math.ceil(n / Math.ceil(n / most)));
    }).observe(list);
  }

  function summary() {
    const total = data.total;
    const devices = [...new Set(kernels.map((kernel) => kernel.device))];
    byId('subject').replaceChildren(h('bdi', {}, kernels.length === 1 ? kernels[0].kernel
      : many(kernels.length + data.kernels_left_out, 'kernel')), ' on ' + devices.join(', '));
    const cards = [
      card('Shared requests', count(total.requests)),
      card('Wavefronts', least(total) + count(total.wavefronts),
        ratio(total.wavefronts, total.requests) + ' per request'),
      card('Ideal', count(total.ideal)),
      card('Excessive', count(total.excessive),
        percent(total.excessive, total.wavefronts) + ' of the wavefronts'),
      card('Worst', total.ways_max > 0 ? total.ways_max + '-way' : '\u2013'),
      card('Efficiency', percent(total.bytes_asked, total.bytes_moved),
        'of the bandwidth moved bytes that lanes asked for'),
      card('Bank use', percent(total.bytes_served, total.bytes_moved),
        'the same, where a byte for several lanes counts once'),
    ];
    const isTimed = devices.length === 1 && data.kernels_left_out === 0 && kernels.length > 0
      && kernels.every((kernel) => kernel.cycles);
    const sum = (name) => kernels.reduce((all, kernel) => all + (kernel[name] || 0), 0);
    if (isTimed) {
      const hasIdeal = kernels.every((kernel) => kernel.cycles_ideal > 0);
      cards.push(card('Cycles, block by block', count(sum('cycles')), 'of shared memory alone'
        + (hasIdeal ? ', ' + count(sum('cycles_ideal')) + ' without conflicts' : '')));
    }
    if (isTimed && sum('other_requests') > 0) {
      cards.push(card('With other memory', '\u2265 ' + count(sum('cycles_at_least')),
        count(sum('cycles_in_turn')) + ' cycles if nothing overlaps'));
    }
    const most = Math.max(0, ...kernels.filter((k) => k.opt_in).map((k) => k.shared_bytes));
    if (most > 0) {
      cards.push(card('Shared memory a block', count(most) + ' bytes', 'beyond 49152 it is extern, '
        + 'after cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ' + most
        + ')'));
    }
    byId('cards').append(...cards);
    fillRows(byId('cards'), cards.length);
    if (kernels.every((kernel) => cost(kernel) === 0)) {
      document.querySelector('.verdict').classList.add('fine');
    }
    const left = data.kernels_left_out;
    const columns = [
      { title: 'Kernel', left: true, wide: true, value: (k) => k.title,
        show: (k) => words(k.title) },
      { title: 'Device', left: true, value: (k) => k.device, show: (k) => k.device },
      number('Requests', (k) => k.requests),
      { title: 'Wavefronts', value: (k) => k.wavefronts,
        show: (k) => least(k) + count(k.wavefronts) },
      { title: 'Per request', value: (k) => k.wavefronts_per_request || 0,
        show: (k) => ratio(k.wavefronts, k.requests) },
      excessive(kernels),
      { title: 'Ways', value: (k) => k.ways_max, show: (k) => ways(k) },
      kernels.some((k) => k.cycles) ? { title: 'Cycles', value: (k) => k.cycles || 0,
        show: (k) => (k.cycles ? count(k.cycles) : '\u2013') } : null,
      kernels.some(isCostKnown) ? lostCycles(kernels) : null,
      { title: 'Efficiency', value: (k) => k.efficiency || 0,
        show: (k) => percent(k.bytes_asked, k.bytes_moved) },
      { title: 'Bank use', value: (k) => k.bank_use || 0,
        show: (k) => percent(k.bytes_served, k.bytes_moved) },
    ].filter(Boolean);
    if (kernels.length > 1) {
      const caption = many(kernels.length, 'kernel') + (left > 0 ? ', those whose conflicts cost '
        + 'most; ' + count(left) + ' further ones are left out to keep this page small' : '');
      byId('kernels').append(table({ caption, noun: 'kernel', columns,
        items: worstFirst(kernels) }).element);
    }
  }

  /* Of the warps' time, what the site's requests hold them up. */
  const stalled = (site) => (site.stall_pipe + site.stall_latency) / (site.owner.stalls || 1);
  function speedUp(site) {
    if (site.cycles === null || site.excessive === 0) {
      return '\u2013';
    }
    return site.speedup === null ? '?' : site.speedup.toFixed(2);
  }

  function costText(site) {
    if (!isShared(site) || site.excessive === 0) {
      return null;
    }
    if (!isCostKnown(site)) {
      return 'What its conflicts cost was not simulated.';
    }
    if (lost(site) > 0) {
      return 'Its conflicts cost ' + count(lost(site)) + ' of the kernel\u2019s '
        + many(site.cycles, 'cycle') + ': ' + speedUp(site) + ' times as fast without.';
    }
    const others = site.owner.sites.reduce((sum, other) => sum + lost(other), 0);
    return others < lost(site.owner)
      ? 'Its conflicts cost nothing alone, only together with those of other sites.'
      : 'Its conflicts cost nothing: hidden behind other work.';
  }

  /* What is shown, as a link: the kernel, its site, the request's place among those of the site, the
   * pass. Where the reader stays goes into the address, as browsers refuse it at every step. */
  const ADDRESS_MS = 200;
  const permalink = h('a', {}, 'Link to this pass');
  let isReady = false;
  let timer;
  function tellAddress({ site, request, index, pass }) {
    const link = new URLSearchParams(kernels.length > 1 ? { kernel: site.owner.id + 1 } : {});
    link.set('site', site.site > 0 ? site.site : site.opcode);
    if (request) {
      link.set('request', index + 1);
      link.set('pass', pass + 1);
    }
    permalink.href = '#' + link;
    if (isReady) {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(null, '', permalink.href), ADDRESS_MS);
    }
  }
  const main = viewer('Passes of the chosen request', () => tellAddress(main.state), permalink);

  function showSite(site) {
    byId('site-title').replaceChildren('Passes of ' + siteTitle(site),
      kernels.length > 1 ? ' in ' : '', kernels.length > 1 ? h('bdi', {}, site.owner.title) : '');
    const where = place(site) ? h('bdi', { class: 'mono' }, place(site))
      : 'The trace names no source place for it.';
    byId('site-source').replaceChildren(h('figure', {}, h('figcaption', {}, where),
      site.text ? h('pre', {}, h('code', {}, h('bdi', {}, site.text))) : null));
    const costs = costText(site);
    if (costs) {
      byId('site-source').append(h('p', {}, costs));
    }
    byId('site-heat').replaceChildren(...heats(site));
    main.show(site);
    tellAddress(main.state);
  }

  function siteTable() {
    if (sites.length === 0) {
      byId('sites-table').append(h('p', {}, 'No instruction of this run touches memory.'));
      byId('site').hidden = true;
      return;
    }
    const isTimed = sites.some((x) => x.cycles !== null);
    const columns = [
      { title: 'Site', left: true, value: (x) => x.site, label: siteTitle,
        show: (x) => (x.site > 0 ? String(x.site) : 'none') },
      kernels.length > 1 ? { title: 'Kernel', left: true, wide: true, value: (x) => x.owner.title,
        show: (x) => words(x.owner.title) } : null,
      { title: 'Opcode', left: true, name: true, value: (x) => x.opcode,
        show: (x) => h('code', {}, x.opcode) },
      number('Requests', (x) => x.requests),
      { title: 'Wavefronts', value: (x) => x.wavefronts,
        show: (x) => (isShared(x) ? least(x) + count(x.wavefronts) : '\u2013') },
      isTimed ? null : { title: 'Per request', value: (x) => x.wavefronts_per_request || 0,
        show: (x) => isShared(x) ? ratio(x.wavefronts, x.requests) : '\u2013' },
      excessive(sites, isShared),
      { title: 'Ways', value: (x) => x.ways_max, show: (x) => (isShared(x) ? ways(x) : '\u2013') },
      isTimed ? { title: 'Stalls', value: stalled, show: (x) => (x.cycles !== null
        && x.owner.stalls > 0 ? percent(stalled(x), 1) : '\u2013') } : null,
      isTimed ? { title: 'Speed-up', value: (x) => x.speedup || 0, show: speedUp } : null,
      sites.some((x) => x.sectors > 0) ? number('Sectors', (x) => x.sectors, hasSectors) : null,
      { title: 'Banks', value: (x) => Math.max(0, ...(worstPasses.get(x) || [])), show: strip },
      sites.some((x) => x.file || x.text) ? { title: 'Source', left: true, wide: true,
        value: (x) => place(x) + ' ' + x.text,
        show: (x) => h('span', {}, place(x) ? h('span', { class: 'where mono' }, words(place(x))) : null,
          h('code', {}, h('bdi', {}, x.text))) } : null,
    ].filter(Boolean);
    const left = data.sites_left_out;
    const caption = many(sites.length, 'site') + (left > 0 ? ', those whose conflicts cost most; '
      + count(left) + ' further ones are left out to keep this page small, \u2018banksim run --per '
      + 'site\u2019 has them' : '');
    const list = table({ caption, noun: 'site', columns, items: worstFirst(sites), choose: open });
    byId('sites-table').append(list.element);
    byId('site-viewer').append(main.element);
    function open(site) {
      list.mark(site);
      showSite(site);
    }
    /* What the address names; false: nothing of this page. */
    function follow() {
      const asked = new URLSearchParams(location.hash.slice(1));
      const site = sites.find((each) => asked.get('site') === String(each.site || each.opcode)
        && (!asked.has('kernel') || Number(asked.get('kernel')) === each.owner.id + 1));
      if (!site) {
        return false;
      }
      const [request, pass] = ['request', 'pass'].map((name) => Number(asked.get(name)) - 1 || 0);
      open(site);
      if (main.state.request) {
        main.choose(request);
        main.step(pass);
      }
      byId('site').scrollIntoView();
      return true;
    }
    if (!follow()) {
      open(worstFirst(sites)[0]);
    }
    window.addEventListener('hashchange', follow);
    isReady = true;
  }

  /* ---- two kernels side by side -------------------------------------------------------------- */

  function change(a, b) {
    if (a === b) {
      return 'the same';
    }
    if (a === 0 || b === 0) {
      return b === 0 ? 'none left' : 'new';
    }
    const [more, less] = [Math.max(a, b), Math.min(a, b)];
    const times = more < 1.5 * less ? percent(more - less, a)
      : Number((more / less).toPrecision(3)) + '\u00d7';
    return times + (b < a ? ' fewer' : ' more');
  }

  const compared = [
    ['Shared requests', (k) => k.requests],
    ['Wavefronts', (k) => k.wavefronts],
    ['Ideal', (k) => k.ideal],
    ['Excessive', (k) => k.excessive],
    ['\u2013 of loads', (k) => k.load_excessive],
    ['\u2013 of stores', (k) => k.store_excessive],
    ['\u2013 of atomics', (k) => k.atomic_excessive],
    ['Worst, ways', (k) => k.ways_max],
    ['Cycles, block by block', (k) => k.cycles || 0],
    ['\u2013 without conflicts', (k) => k.cycles_ideal || 0],
    ['\u2013 with other memory, at least', (k) => k.cycles_at_least || 0],
    ['Shared bytes per block', (k) => k.shared_bytes],
  ];

  /* The same site of another kernel: its number and opcode, or else its place among the sites. */
  function counterpart(site, kernel) {
    return kernel.sites.find((other) => other.site === site.site && other.opcode === site.opcode)
      || kernel.sites[site.owner.sites.indexOf(site)] || worstFirst(kernel.sites)[0];
  }

  function compare() {
    const body = byId('compare-body');
    const able = kernels.filter((kernel) => kernel.sites.some((site) => site.patterns));
    if (able.length < 2) {
      byId('to-compare').remove();
      body.append(h('p', { class: 'hint' }, 'This report holds one kernel with shared requests. '
        + 'Give two traces, for instance one without and one with padding, and they stand here '
        + 'side by side:'),
      h('pre', {}, h('code', {},
        'banksim run --format html -o report.html pad0.trace pad1.trace')));
      return;
    }
    const together = h('input', { type: 'checkbox', id: 'together', checked: true });
    const sides = ['A', 'B'].map((letter, i) => side(letter, i));
    const numbers = h('div');

    function side(letter, i) {
      const me = { kernel: able[i] };
      me.viewer = viewer('Passes of ' + letter, (pass) => together.checked && sides
        && sides[1 - i].viewer.state.request && sides[1 - i].viewer.goTo(pass));
      me.kernels = h('select', { id: 'kernel-' + letter, onchange: () => {
        me.kernel = able[me.kernels.selectedIndex];
        setKernel(me);
        update();
      } }, able.map((kernel) => h('option', {}, kernel.title)));
      me.sites = h('select', { id: 'site-' + letter, onchange: () => {
        setSite(me, me.kernel.sites[me.sites.selectedIndex]);
        const other = sides[1 - i];
        if (together.checked) {
          setSite(other, counterpart(me.site, other.kernel));
        }
      } });
      me.element = h('div', {}, h('h3', {}, letter),
        h('div', { class: 'controls' }, h('label', { for: 'kernel-' + letter }, 'Kernel'),
          me.kernels),
        h('div', { class: 'controls' }, h('label', { for: 'site-' + letter }, 'Site'), me.sites),
        me.viewer.element);
      me.kernels.selectedIndex = i;
      return me;
    }
    function setSite(me, site) {
      me.site = site;
      me.sites.selectedIndex = me.kernel.sites.indexOf(site);
      me.viewer.show(site);
    }
    function setKernel(me) {
      me.sites.replaceChildren(...me.kernel.sites.map((site) => h('option', {}, siteTitle(site)
        + (site.text ? ': ' + site.text : ''))));
      const other = sides.find((each) => each !== me);
      setSite(me, me !== sides[0] && other.site ? counterpart(other.site, me.kernel)
        : worstFirst(me.kernel.sites)[0]);
    }
    function update() {
      const [a, b] = sides.map((each) => each.kernel);
      numbers.replaceChildren(h('table', { id: 'compare-numbers' },
        h('caption', {}, 'A is ', h('bdi', {}, a.title), ', B is ', h('bdi', {}, b.title)),
        h('thead', {}, h('tr', {}, ['Number', 'A', 'B', 'B against A'].map((title, i) =>
          h('th', { scope: 'col', class: i === 0 ? 'left' : null }, title)))),
        h('tbody', {}, compared.filter(([, get]) => get(a) > 0 || get(b) > 0).map(([title, get]) =>
          h('tr', {}, h('th', { scope: 'row', class: 'left' }, title), h('td', {}, count(get(a))),
            h('td', {}, count(get(b))), h('td', {}, change(get(a), get(b))))))));
    }
    body.append(numbers, h('p', { class: 'controls' }, together, h('label', { for: 'together' },
      'Step both together, and choose the same site in both')),
    h('div', { class: 'pair' }, sides.map((each) => each.element)));
    sides.forEach(setKernel);
    update();
  }

  summary();
  siteTable();
  compare();
})();
