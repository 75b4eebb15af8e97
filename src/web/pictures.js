/* pictures.js - the array, the lanes and the banks, what lights them, and the table of lanes. */
'use strict';

const arrayView = makeArrayView(byId('tile'), light);
const lanesView = makeLanesView(byId('lanes').firstElementChild, light);

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
  /* Of a launch each different request is kept once, and no warp's. */
  return [isKernel(state.text) ? shown.check.accesses[state.access].access : request.place,
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
  document.querySelector('.legend').hidden = !tile;
  drawSectors(request, shown.picture.offsets);
  if (!tile) {
    say(byId('tile-title'), request.sectors === undefined ? ''
      : 'Global memory has no banks. Its sectors of 32 bytes, and the lane that asks for each word:');
    return;
  }
  const spelled = shown.picture.arrays.find((each) => each.array === tile.array);
  const dimensions = [...(spelled ? spelled.declaration : '').matchAll(/\[(\d*)\]/g)].map((m) => Number(m[1]));
  dimensions[dimensions.length - 1] = tile.row_elements;
  const isFlat = dimensions.length < 2;
  const found = findArray(state.text, tile.array);
  const padding = found && !isFlat ? readLayout(found, shown.whole.includes(tile.array)).pad : 0;
  const isWide = tile.element_bytes > request.stride_bytes;
  say(byId('tile-title'), `${tile.array}: ${isWide ? 'first ' : ''}bank of each ${tile.cell_elements > 1
    ? `${tile.cell_elements} elements` : 'element'}${isFlat ? '' : ', row [y] by column [x]'}`);
  arrayView.draw({ ...tile, isFlat, dimensions, padding }, { banks: request.banks, lit,
    lanes: cellsOfLanes(tile, shown.picture.offsets, request.bytes),
    now: new Set((request.passes[state.pass] || { lanes: [] }).lanes) });
}

function draw() {
  const request = requestOf();
  document.querySelector('.lanes').hidden = !request || !request.passes;
  byId('told').hidden = !request || !request.passes;
  byId('table').parentElement.hidden = byId('told').hidden;
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
  say(byId('pass-out'), `pass ${state.pass + 1} of ${n}`);
  const lit = litOf(request);
  drawTile(request, lit);
  lanesView.draw(request, state.pass, lit);
  replaceOthers(byId('told'), tell(request).map((line) => h('p', {}, line)));
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
darkTheme.addEventListener('change', () => shown.picture && draw());

function showTable() {
  const request = requestOf();
  const places = shown.picture.where ? shown.picture.where.places : [];
  const rows = !request || !request.passes ? [] : shown.picture.offsets.map((offset, lane) => [lane,
    offset === null ? null : places.find((place) => place.lane === lane || place.lane === null)])
    .filter(([, place]) => place);
  byId('table').replaceChildren(h('table', {},
    h('thead', {}, h('tr', {}, ...['lane', 'thread', 'element', 'byte', 'bank', 'pass'].map(
      (title) => h('th', { scope: 'col', class: title === 'element' ? 'left' : null }, title)))),
    h('tbody', {}, ...rows.map(([lane, place]) => h('tr', {},
      h('th', { scope: 'row' }, lane), h('td', {}, place.thread),
      h('td', { class: 'left' }, h('code', {}, place.element)), h('td', {}, place.byte),
      h('td', {}, place.bank === place.last_bank ? place.bank : `${place.bank}\u2013${place.last_bank}`),
      h('td', {}, ranges(passesOf(lane).map((i) => i + 1))))))));
}
