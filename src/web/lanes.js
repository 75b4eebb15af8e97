/* lanes.js - lanes above, banks below, and under each bank the passes in which it serves: the tallest
 * column is what the request takes. */
'use strict';

const LANES = 32;
const LANE_WIDTH = 26;
const LANE_Y = 1;
const BANK_Y = 78;
const BOX = 19;
const COLUMN_Y = BANK_Y + BOX + 3;
const COLUMN = 66;
const LEAST_COLUMN = 6; /* passes: of fewer a column is lower */

function makeSvg(name, attributes, parent) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  parent.append(element);
  return element;
}

/* Elements of one kind, used again from picture to picture: only what differs is touched. */
function makePool(name, parent) {
  const all = [];
  let n = 0;

  function take(attributes, text) {
    if (n === all.length) {
      all.push({ element: makeSvg(name, {}, parent), has: {} });
    }
    const { element, has } = all[n++];
    for (const key in attributes) {
      if (has[key] !== attributes[key]) {
        has[key] = attributes[key];
        element.setAttribute(key, attributes[key]);
      }
    }
    if (text !== undefined && has.text !== text) {
      has.text = text;
      element.textContent = text;
    }
  }
  /* Those that were not taken since the last end are removed. */
  function end() {
    all.splice(n).forEach(({ element }) => element.remove());
    n = 0;
  }
  return { take, end };
}

function makeLanesView(host, hover) {
  const svg = makeSvg('svg', { viewBox: `0 0 ${LANES * LANE_WIDTH + 2} ${COLUMN_Y + COLUMN + 14}` }, host);
  /* What is served now lies above the rest. */
  const pools = Object.fromEntries([['waiting', 'line'], ['served', 'line'], ['columns', 'rect'],
    ['boxes', 'rect'], ['texts', 'text']].map(([key, name]) =>
    [key, makePool(name, makeSvg('g', { class: key }, svg))]));
  let request = null;
  let cursor = -1;

  const laneX = (lane) => lane * LANE_WIDTH + 1;
  const bankWidth = () => LANES * LANE_WIDTH / request.banks;
  const bankX = (bank) => bank * bankWidth() + 1;

  function box(kind, number, x, width, y, classes) {
    pools.boxes.take({ class: `${kind} ${classes}`, 'data-number': number, x: x + 1, y,
      width: width - 2, height: BOX, rx: 3 });
    if (width >= 18 || number % 2 === 0) {
      pools.texts.take({ class: classes, x: x + width / 2, y: y + BOX / 2 + 4 }, String(number));
    }
  }

  /* now, before or after the pass; off: never. passes: those that serve it. */
  function stateOf(passes, pass) {
    if (passes.length === 0) {
      return 'off';
    }
    return passes.includes(pass) ? 'now' : passes[passes.length - 1] < pass ? 'done' : 'waits';
  }

  /* A bank's passes as a column; of many, each is a thin line of it. */
  function column(bank, passes, pass, most) {
    const height = COLUMN / Math.max(most, LEAST_COLUMN);
    const gap = height > 4 ? 1 : 0;
    passes.forEach((of, i) => pools.columns.take({ class: stateOf([of], pass), x: bankX(bank) + 3,
      width: Math.max(2, bankWidth() - 6), y: COLUMN_Y + i * height,
      height: Math.max(.8, height - gap) }));
    if (passes.length > 1) {
      pools.texts.take({ class: 'count', x: bankX(bank) + bankWidth() / 2,
        y: COLUMN_Y + passes.length * height + 11 }, String(passes.length));
    }
  }

  function isLit(lit, lane, bank) {
    return !lit || lit.lanes.has(lane) || (lit.lanes.size === 0 && bank === lit.bank);
  }

  function link(lane, bank, of, pass, lit) {
    const state = stateOf([of], pass);
    pools[state === 'now' ? 'served' : 'waiting'].take({
      class: isLit(lit, lane, bank) ? state : `${state} dim`, x1: laneX(lane) + LANE_WIDTH / 2,
      y1: LANE_Y + BOX, x2: bankX(bank) + bankWidth() / 2, y2: BANK_Y });
  }

  function draw(shown, pass, lit) {
    request = shown;
    const ofLane = Array.from({ length: LANES }, () => []);
    const ofBank = Array.from({ length: request.banks }, () => []);
    request.passes.forEach((each, i) => each.grants.forEach((grant) => {
      ofBank[grant.bank].push(i);
      for (const lane of grant.lanes) {
        ofLane[lane].push(i);
        link(lane, grant.bank, i, pass, lit);
      }
    }));
    const most = Math.max(1, ...ofBank.map((passes) => passes.length));
    ofLane.forEach((passes, lane) => box('lane', lane, laneX(lane), LANE_WIDTH, LANE_Y,
      stateOf(passes, pass) + (lit && lit.lanes.has(lane) ? ' lit' : '')));
    ofBank.forEach((passes, bank) => {
      box('bank', bank, bankX(bank), bankWidth(), BANK_Y, stateOf(passes, pass)
        + (lit && lit.bank === bank ? ' lit' : '') + (passes.length === most && most > 1 ? ' most' : ''));
      column(bank, passes, pass, most);
    });
    Object.values(pools).forEach((pool) => pool.end());
  }

  /* ---- what the reader points at ---- */

  function pointLane(lane) {
    cursor = lane;
    hover({ lane, bank: -1, lanes: new Set([lane]) });
  }
  svg.addEventListener('pointerover', ({ target }) => {
    const number = Number(target.dataset.number);
    if (target.classList.contains('lane')) {
      pointLane(number);
    } else if (target.classList.contains('bank')) {
      hover({ bank: number, lanes: new Set() });
    }
  });
  svg.addEventListener('pointerleave', () => hover(null));
  host.addEventListener('blur', () => hover(null));
  host.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && request) {
      pointLane((cursor + step + LANES) % LANES);
      event.preventDefault();
    } else if (event.key === 'Escape') {
      hover(null);
    }
  });
  return { draw };
}
