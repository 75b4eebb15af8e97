/* lanes.js - lanes above, banks below, and under each bank the passes in which it serves: the tallest
 * column is what the request takes. On a canvas, where only what differs is drawn anew: 200 elements that say
 * the same take a browser a third of a slider's step to lay out. What it says stands in words, too: told, and
 * the table of lanes. */
'use strict';

const LANES = 32;
const LANE_WIDTH = 26;
const LANE_Y = 0;
const BANK_Y = 77;
const BOX = 21;
const FONT = '11px system-ui, sans-serif';
const FRAME = 2.5; /* of what is served, or pointed at */
const COLUMN_Y = BANK_Y + BOX + 2;
const COLUMN = 66;
const LEAST_COLUMN = 6; /* passes: of fewer a column is lower */
const SHEET = { width: LANES * LANE_WIDTH + 2, height: COLUMN_Y + COLUMN + 14 };

/* A box by what its lane or bank does in this pass: its ground, its frame, how wide that is, its number. */
const BOXES = {
  off: { ground: 'ground', line: 'line', dash: [2, 2], ink: 'muted' },
  waits: { ground: 'ground', line: 'muted', ink: 'text' },
  now: { ground: 'blue-soft', line: 'blue', width: FRAME, ink: 'text' },
  done: { ground: 'green-soft', line: 'green', ink: 'text' },
};
const LINKS = { waits: { line: 'muted', alpha: .45 }, done: { line: 'green', alpha: .55 },
  now: { line: 'blue', alpha: 1, width: FRAME } };
const COLUMNS = { waits: 'muted', done: 'green', now: 'blue' };
const DIM_LINK = .08;

/* Of a bank its column says what is done. */
const bankBox = (state) => (state === 'done' ? 'waits' : state);

function makeLanesView(canvas, hover) {
  const host = canvas.parentElement;
  const context = canvas.getContext('2d');
  const box = { width: 0 }; /* of the canvas, in CSS pixels; the observer tells it */
  const drawn = new Map(); /* by place: what stands there */
  const bands = new Map(); /* by what all boxes in it look like */
  let scale = 1;
  let fitted = '';
  let colours = {};
  let request = null;
  let again = null; /* draws the same */
  let cursor = -1;
  const pointed = { kind: null, number: -1 };

  const laneX = (lane) => lane * LANE_WIDTH + 1;
  const bankWidth = () => LANES * LANE_WIDTH / request.banks;
  const bankX = (bank) => bank * bankWidth() + 1;

  /* Begins anew where the size, the colours or the boxes are others. */
  function fit() {
    scale = box.width / SHEET.width * (window.devicePixelRatio || 1);
    const key = [scale, darkTheme.matches, request.banks].join();
    if (fitted !== key) {
      fitted = key;
      Object.assign(canvas, { width: Math.round(SHEET.width * scale), height: Math.round(SHEET.height * scale) });
      Object.assign(context, { font: `bold ${FONT}`, textAlign: 'center' });
      colours = themeColours();
      drawn.clear();
      bands.clear();
    }
  }

  /* The pixels of a place: [left, top, width, height]. */
  function pixelsOf([x, y, width, height]) {
    const [left, top, right, bottom] = [x, y, x + width, y + height].map((at) => Math.round(at * scale));
    return [left, top, right - left, bottom - top];
  }

  /* Whether something else stands at the place; from now on it is this. */
  function isOther(place, key) {
    const is = drawn.get(place) !== key;
    drawn.set(place, key);
    return is;
  }

  /* Draws at a place; not a pixel of it lies in another one. */
  function put(place, paint) {
    const pixels = pixelsOf(place);
    context.save();
    context.clearRect(...pixels);
    context.beginPath();
    context.rect(...pixels);
    context.clip();
    context.scale(scale, scale);
    paint();
    context.restore();
  }

  function paintBox(to, number, [x, y, width], { look, isLit }) {
    to.fillStyle = colours[look.ground];
    to.strokeStyle = colours[isLit ? 'orange' : look.line];
    to.lineWidth = isLit ? FRAME : look.width || 1;
    to.setLineDash(isLit ? [] : look.dash || []);
    const edge = (to.lineWidth + 1) / 2;
    to.beginPath();
    to.roundRect(x + edge, y + edge, width - 2 * edge, BOX - 2 * edge, 3);
    to.fill();
    to.stroke();
    if (width >= 18 || number % 2 === 0) {
      to.fillStyle = colours[look.ink];
      to.fillText(number, x + width / 2, y + BOX / 2 + 4);
    }
  }

  /* A band of lanes or of banks that all look the same: boxes are painted there once, and copied. */
  function bandOf(key, top, isBold) {
    if (!bands.has(key)) {
      const image = document.createElement('canvas');
      Object.assign(image, { width: canvas.width, height: Math.ceil(BOX * scale) + 1 });
      const paint = image.getContext('2d');
      Object.assign(paint, { font: `${isBold ? 'bold ' : ''}${FONT}`, textAlign: 'center' });
      paint.setTransform(scale, 0, 0, scale, 0, -top);
      bands.set(key, { image, paint, painted: new Set() });
    }
    return bands.get(key);
  }

  function putBox(kind, number, x, width, y, state, isLit, isBold) {
    const key = [kind, state, isLit, isBold].join();
    if (!isOther(kind + number, key)) {
      return;
    }
    const [left, top, wide, high] = pixelsOf([x, y, width, BOX]);
    const { image, paint, painted } = bandOf(key, top, isBold);
    if (!painted.has(number)) {
      painted.add(number);
      paintBox(paint, number, [x, y, width], { look: BOXES[state], isLit });
    }
    context.clearRect(left, top, wide, high);
    context.drawImage(image, left, 0, wide, high, left, top, wide, high);
  }

  /* now, before or after the pass; off: never. passes: those that serve it. */
  function stateOf(passes, pass) {
    if (passes.length === 0) {
      return 'off';
    }
    return passes.includes(pass) ? 'now' : passes[passes.length - 1] < pass ? 'done' : 'waits';
  }

  /* A bank's passes as a column; of many, each is a thin line of it. */
  function paintColumn(bank, states, most) {
    const height = COLUMN / Math.max(most, LEAST_COLUMN);
    const gap = height > 4 ? 1 : 0;
    states.forEach((state, i) => {
      context.fillStyle = colours[COLUMNS[state]];
      context.fillRect(bankX(bank) + 3, COLUMN_Y + i * height, Math.max(2, bankWidth() - 6),
        Math.max(.8, height - gap));
    });
    if (states.length > 1) {
      context.fillStyle = colours.text;
      context.fillText(states.length, bankX(bank) + bankWidth() / 2, COLUMN_Y + states.length * height + 11);
    }
  }

  function putColumn(bank, passes, pass, most) {
    const states = passes.map((of) => stateOf([of], pass));
    if (isOther(`column${bank}`, [most, ...states].join())) {
      put([bankX(bank), COLUMN_Y, bankWidth(), COLUMN + 14], () => paintColumn(bank, states, most));
    }
  }

  function isLit(lit, { lane, bank }) {
    return !lit || lit.lanes.has(lane) || (lit.lanes.size === 0 && bank === lit.bank);
  }

  /* From lane to bank, between the boxes. */
  function paintLink(link, lit) {
    const { line, alpha, width } = LINKS[link.state];
    context.strokeStyle = colours[line];
    context.globalAlpha = isLit(lit, link) ? alpha : DIM_LINK;
    context.lineWidth = width || 1;
    context.beginPath();
    context.moveTo(laneX(link.lane) + LANE_WIDTH / 2, LANE_Y + BOX);
    context.lineTo(bankX(link.bank) + bankWidth() / 2, BANK_Y);
    context.stroke();
  }

  /* What is served now lies above the rest. */
  function putLinks(links, lit) {
    const key = links.map((link) => [link.lane, link.bank, link.state, isLit(lit, link)]).join();
    if (isOther('links', key)) {
      put([0, LANE_Y + BOX, SHEET.width, BANK_Y - LANE_Y - BOX], () => {
        links.forEach((link) => link.state !== 'now' && paintLink(link, lit));
        links.forEach((link) => link.state === 'now' && paintLink(link, lit));
      });
    }
  }

  /* Of lanes and of banks the passes that serve them, and who is linked to whom. */
  function readPasses(pass) {
    const ofLane = Array.from({ length: LANES }, () => []);
    const ofBank = Array.from({ length: request.banks }, () => []);
    const links = [];
    request.passes.forEach((each, i) => each.grants.forEach(({ bank, lanes }) => {
      ofBank[bank].push(i);
      for (const lane of lanes) {
        ofLane[lane].push(i);
        links.push({ lane, bank, state: stateOf([i], pass) });
      }
    }));
    return { ofLane, ofBank, links };
  }

  function draw(shown, pass, lit) {
    if (!lit) {
      Object.assign(pointed, { kind: null, number: -1 });
    }
    request = shown;
    again = () => draw(shown, pass, lit);
    if (box.width === 0) {
      return; /* it was hidden: the observer comes */
    }
    fit();
    const { ofLane, ofBank, links } = readPasses(pass);
    const most = Math.max(1, ...ofBank.map((passes) => passes.length));
    putLinks(links, lit);
    ofLane.forEach((passes, lane) => putBox('lane', lane, laneX(lane), LANE_WIDTH, LANE_Y,
      stateOf(passes, pass), !!lit && lit.lanes.has(lane), false));
    ofBank.forEach((passes, bank) => {
      putBox('bank', bank, bankX(bank), bankWidth(), BANK_Y, bankBox(stateOf(passes, pass)),
        !!lit && lit.bank === bank, passes.length === most && most > 1);
      putColumn(bank, passes, pass, most);
    });
  }

  new ResizeObserver(() => {
    box.width = canvas.clientWidth;
    if (again) {
      again();
    }
  }).observe(canvas);

  /* ---- what the reader points at ---- */

  function pointAt(kind, number) {
    if (kind === pointed.kind && number === pointed.number) {
      return;
    }
    Object.assign(pointed, { kind, number });
    if (kind === 'lane') {
      cursor = number;
      hover({ lane: number, bank: -1, lanes: new Set([number]) });
    } else {
      hover(kind === 'bank' ? { bank: number, lanes: new Set() } : null);
    }
  }
  const pointNowhere = () => pointAt(null, -1);

  canvas.addEventListener('pointermove', (event) => {
    const place = canvas.getBoundingClientRect();
    const x = (event.clientX - place.left) / place.width * SHEET.width - 1;
    const y = (event.clientY - place.top) / place.width * SHEET.width;
    if (!request || x < 0 || x >= LANES * LANE_WIDTH) {
      pointNowhere();
    } else if (y <= LANE_Y + BOX) {
      pointAt('lane', Math.floor(x / LANE_WIDTH));
    } else if (y >= BANK_Y) {
      pointAt('bank', Math.floor(x / bankWidth()));
    } else {
      pointNowhere();
    }
  });
  canvas.addEventListener('pointerleave', pointNowhere);
  host.addEventListener('blur', pointNowhere);
  host.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && request) {
      pointAt('lane', (cursor + step + LANES) % LANES);
      event.preventDefault();
    } else if (event.key === 'Escape') {
      pointNowhere();
    }
  });
  return { draw };
}
