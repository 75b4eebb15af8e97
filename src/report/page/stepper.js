/* stepper.js - one request, pass by pass. */
'use strict';

const sharingWord = ['', 'broadcast', 'multicast'];

function passSentence(request, kernel, i) {
  const pass = request.passes[i];
  const shared = pass.grants.filter((grant) => grant.lanes.length > 1);
  const shown = (shared.length > 0 ? shared : pass.grants).slice(0, 3).map((grant) =>
    'bank ' + grant.bank + ' serves ' + wordsText(kernel, grant) + elementsOf(request, grant)
    + ' for ' + lanesText(grant.lanes));
  const rest = pass.grants.length - shown.length;
  const group = request.groups.length > 1
    ? ', group ' + (pass.group + 1) + ' of ' + request.groups.length + ' ('
      + lanesText(request.groups[pass.group]) + ')' : '';
  return 'Pass ' + (i + 1) + ' of ' + request.passes.length + group + ': ' + shown.join('; ')
    + (rest > 0 ? '; and ' + many(rest, 'more bank') : '') + '.';
}

/* " (tile[14][0])": what the lanes of a grant ask for, if that is one element. */
function elementsOf(request, grant) {
  const names = new Set(grant.lanes.map((lane) => elementOf(request, lane)));
  const [name] = names;
  return names.size === 1 && name ? ' (' + name + ')' : '';
}

function passTable(request, kernel, pass) {
  const columns = ['Bank', kernel.bank_width > 4 ? '8-byte word' : 'Word', 'Lanes',
    'Byte addresses'];
  if (request.places) {
    columns.splice(3, 0, 'Elements');
  }
  if (request.isMatrix) {
    columns.push('Goes to');
  }
  return h('table', { class: 'pass' },
    h('thead', {}, h('tr', {}, columns.map((title) => h('th', { scope: 'col' }, title)))),
    h('tbody', {}, pass.grants.map((grant) => h('tr', {}, h('td', {}, grant.bank),
      h('td', {}, several(grant.words)), h('td', {}, ranges(grant.lanes)),
      request.places ? h('td', {}, grant.lanes.map((lane) => elementOf(request, lane)).join(', ')) : null,
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
  const elements = elementsText(request);
  return [tags, h('strong', {}, request.why), h('br'), elements
    ? ['The lanes access ', h('bdi', { class: 'mono' }, elements), '. '] : '', 'Ideally '
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
  const tiles = h('div');
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
    now, tiles, asTable);
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
    if (!state.drawn || state.drawn.request !== wanted.request || state.drawn.width !== width) {
      tiles.replaceChildren(...drawTiles(state.request, state.site.owner, width));
    }
    markTiles(tiles, state.request, state.pass);
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
