/* drawing.js - the drawing of a request. */
'use strict';

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
  const element = elementOf(request, lane);
  return 'lane ' + lane + (element ? ', ' + element : '') + ', byte '
    + count(request.address.get(lane)) + ', pass '
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
