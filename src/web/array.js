/* array.js - the array as a canvas: in each cell the number of its bank, on the bank's hue; the cells
 * that the warp's lanes ask for framed. What a cell looks like is drawn once for each bank and then
 * copied, banks that follow each other at once, and only what is in sight is, so that a slider can be dragged. */
'use strict';

const LABEL = { left: 30, top: 17 };
const CELL = { least: 16, most: 30, height: 14 };
const DIM = 0.22;
/* The frame of what is served: the light theme's blue in both, as the ground of what is asked for is the same. */
const SERVED = '#0063a3';
/* A box of less width is as high as the array needs, up to this. */
const SMALL = { width: 500, height: 420 };
/* The last one is padding, which nobody asks for. */
const LOOKS = [{ asked: false, alpha: 1 }, { asked: true, alpha: 1 }, { asked: false, alpha: DIM },
  { asked: true, alpha: DIM }, { isUnused: true, asked: false, alpha: 1 }];

/* Cells of the picture that each lane asks for, from what the library says of the request. */
function cellsOfLanes(tile, offsets, bytes) {
  const lanes = offsets.map(() => []);
  const perRow = tile.columns / tile.cell_elements;
  offsets.forEach((offset, lane) => {
    const seen = new Set();
    for (let at = offset; offset !== null && at < offset + bytes; at += tile.element_bytes) {
      const element = Math.floor(at / tile.element_bytes) - tile.first_element;
      const row = Math.floor(element / tile.row_elements);
      const x = element - row * tile.row_elements;
      if (row >= 0 && row < tile.rows && x < tile.columns) {
        seen.add(row * perRow + Math.floor(x / tile.cell_elements));
      }
    }
    lanes[lane] = [...seen];
  });
  return lanes;
}

/* A bank's cell, by where the bank stands among all: 0 to 1. */
function cellColours(place, asked, dark) {
  const hue = Math.round(360 * place);
  return { ground: asked ? `hsl(${hue} 90% 74%)` : `hsl(${hue} ${dark ? '38% 21%' : '62% 91%'})`,
    ink: asked || !dark ? '#16191d' : '#e8eaed' };
}

/* The canvas fills the box `scroll`, and stays there while the sheet that it lies on is scrolled. */
function makeArrayView(canvas, hover) {
  const context = canvas.getContext('2d');
  const sheet = canvas.parentElement;
  const scroll = sheet.parentElement;
  let tile = null; /* as the library has it */
  let look = null;
  let lanesOf = new Map(); /* by cell */
  let size = { width: CELL.least, height: CELL.height };
  let sprites = null;
  let picture = null; /* of the canvas's size */
  let cursor = -1;
  let colours = {};
  let labelled = ''; /* the labels that stand on the canvas */
  /* The box, and how far it is scrolled: asking for these anew would lay the page out at each step, and at the
   * first one before the rest of the page is filled in. The observer tells them, when the page is laid out. */
  const box = { width: 0, height: 0, x: 0, y: 0 };

  const columns = () => tile.columns / tile.cell_elements;

  /* ---- what a cell looks like ---- */

  /* Begins anew where cells look otherwise than before. */
  function makeSprites(banks) {
    const scale = window.devicePixelRatio || 1;
    const dark = darkTheme.matches;
    const key = [banks, size.width, size.height, scale, dark].join();
    if (sprites && sprites.key === key) {
      return;
    }
    colours = themeColours();
    labelled = '';
    const cell = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
    sprites = { key, banks, dark, cell, scale, width: banks * cell.width, isEven: size.width * scale === cell.width,
      looks: [] };
  }

  /* One of LOOKS: the cells of all banks side by side, as pixels to copy; made when it is first asked for. */
  function drawLook({ asked, alpha, isUnused }) {
    const { banks, dark, cell, scale } = sprites;
    const image = document.createElement('canvas');
    image.width = sprites.width;
    image.height = cell.height;
    const paint = image.getContext('2d', { willReadFrequently: true });
    paint.fillStyle = colours.ground;
    paint.fillRect(0, 0, image.width, image.height);
    paint.textAlign = 'center';
    paint.textBaseline = 'middle';
    paint.globalAlpha = alpha;
    const pixels = Math.min(size.height - 3, .66 * size.width, 13) * scale;
    paint.font = `${asked ? 'bold ' : ''}${pixels}px system-ui, sans-serif`;
    for (let bank = 0; bank < banks; bank++) {
      const { ground, ink } = isUnused ? { ground: colours.panel, ink: colours.muted }
        : cellColours(bank / banks, asked, dark);
      paint.fillStyle = ground;
      paint.fillRect(bank * cell.width, 0, cell.width - 1, cell.height - 1);
      paint.fillStyle = ink;
      paint.fillText(bank, (bank + .5) * cell.width - .5, .5 * cell.height + .5);
    }
    return new Uint32Array(paint.getImageData(0, 0, image.width, image.height).data.buffer);
  }

  /* Cells as large as the box has room for, and a canvas as large as the box. */
  function fit() {
    const isSmall = box.width < SMALL.width;
    const touches = matchMedia('(pointer: coarse)').matches || isSmall;
    const wide = Math.floor((box.width - LABEL.left - 4) / columns());
    const high = Math.floor(((isSmall ? SMALL.height : box.height) - LABEL.top - 4) / tile.rows);
    size = { width: Math.min(CELL.most, Math.max(touches ? 20 : CELL.least, wide)),
      height: Math.min(CELL.most - 6, Math.max(touches ? 18 : CELL.height, high)) };
    const scale = window.devicePixelRatio || 1;
    scroll.parentElement.classList.toggle('wider', LABEL.left + columns() * size.width + 2 > box.width);
    sheet.style.width = LABEL.left + columns() * size.width + 2 + 'px';
    sheet.style.height = LABEL.top + tile.rows * size.height + 2 + 'px';
    scroll.style.height = isSmall ? `${Math.min(SMALL.height, LABEL.top + tile.rows * size.height + 4)}px` : '';
    const pixels = { width: Math.ceil(box.width * scale), height: Math.ceil(box.height * scale) };
    if (canvas.width !== pixels.width || canvas.height !== pixels.height) {
      canvas.width = pixels.width;
      canvas.height = pixels.height;
      canvas.style.width = box.width + 'px';
      canvas.style.height = box.height + 'px';
      picture = null;
      labelled = '';
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  const left = (cell) => LABEL.left + (cell % columns()) * size.width - box.x;
  const top = (cell) => LABEL.top + Math.floor(cell / columns()) * size.height - box.y;

  /* Rows and columns in sight: {x, y, endX, endY}. */
  function sight() {
    const x = Math.floor(box.x / size.width);
    const y = Math.floor(box.y / size.height);
    return { x, y, endX: Math.min(columns(), x + Math.ceil(box.width / size.width) + 1),
      endY: Math.min(tile.rows, y + Math.ceil(box.height / size.height) + 1) };
  }

  /* Where the labels end, on a pixel of the canvas. A frame of the first cells begins there. */
  const edge = (at) => Math.floor((at - 1) * sprites.scale);

  /* Numbers of columns and rows, which stay in sight, as [text, x, y]. */
  function columnLabels(seen) {
    const unused = tile.padding / tile.cell_elements;
    const labels = [];
    for (let x = Math.ceil(seen.x / 4) * 4; x < Math.min(seen.endX, columns() - unused); x += 4) {
      labels.push([(tile.first_element % tile.row_elements) + x * tile.cell_elements,
        left(x) + size.width / 2, LABEL.top / 2]);
    }
    if (unused > 0 && seen.endX > columns() - unused) {
      labels.push(['pad', left(columns() - 1) + size.width * (1 - unused / 2), LABEL.top / 2]);
    }
    return labels;
  }

  function rowLabels(seen) {
    const labels = [];
    for (let y = seen.y; y < seen.endY; y++) {
      const first = tile.first_element + y * tile.row_elements;
      if (top(y * columns()) >= LABEL.top - size.height / 2) {
        labels.push([tile.isFlat ? first : Math.floor(first / tile.row_elements), LABEL.left - 5,
          top(y * columns()) + size.height / 2 + .5]);
      }
    }
    return labels;
  }

  /* Text takes long: what stands there stays. */
  function drawLabels(seen) {
    const across = columnLabels(seen);
    const down = rowLabels(seen);
    const key = [...across, ...down].join();
    if (key === labelled) {
      return;
    }
    labelled = key;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, box.width, edge(LABEL.top) / sprites.scale);
    context.fillRect(0, 0, edge(LABEL.left) / sprites.scale, box.height);
    context.fillStyle = colours.muted;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    across.forEach((label) => context.fillText(...label));
    context.textAlign = 'right';
    down.forEach((label) => context.fillText(...label));
  }

  function frame(cells, style, width) {
    context.strokeStyle = style;
    context.lineWidth = width;
    for (const cell of cells) {
      context.strokeRect(left(cell) + width / 2 - .5, top(cell) + width / 2 - .5, size.width - width,
        size.height - width);
    }
  }

  function lookOf(cell, isUnused) {
    const { lit } = look;
    const lanes = lanesOf.get(cell);
    const isLit = !lit || tile.banks[cell] === lit.bank
      || (lanes && lanes.some((lane) => lit.lanes.has(lane)));
    return isLit && isUnused && !lanes ? 4 : (isLit ? 0 : 2) + (lanes ? 1 : 0);
  }

  /* Copies the pixels of n cells side by side, as far as the canvas goes. */
  function copyCells(cell, n, look, pixels) {
    const { scale, width } = sprites;
    sprites.looks[look] = sprites.looks[look] || drawLook(LOOKS[look]);
    const begin = tile.banks[cell] * sprites.cell.width;
    const x = Math.round(left(cell) * scale);
    const y = Math.round(top(cell) * scale);
    const skipped = Math.max(0, -x);
    const end = Math.min(n * sprites.cell.width, canvas.width - x);
    for (let k = Math.max(0, -y); k < sprites.cell.height && y + k < canvas.height && skipped < end; k++) {
      const line = begin + k * width;
      pixels.set(sprites.looks[look].subarray(line + skipped, line + end), (y + k) * canvas.width + x + skipped);
    }
  }

  /* Cells of one look whose banks follow each other lie side by side in what is copied, too. */
  function paintRow(y, seen, pixels) {
    const used = (tile.columns - tile.padding) / tile.cell_elements;
    let first = y * columns() + seen.x;
    let n = 0;
    let look = 0;
    for (let x = seen.x; x <= seen.endX; x++) {
      const cell = y * columns() + x;
      const bank = x < seen.endX ? tile.banks[cell] : null;
      const next = bank === null ? -1 : lookOf(cell, x >= used);
      if (n > 0 && sprites.isEven && next === look && bank === tile.banks[first] + n) {
        n++;
        continue;
      }
      if (n > 0) {
        copyCells(first, n, look, pixels);
      }
      [first, n, look] = [cell, bank === null ? 0 : 1, next];
    }
  }

  function paintCells(seen) {
    picture = picture || context.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(picture.data.buffer);
    pixels.fill(0);
    for (let y = seen.y; y < seen.endY; y++) {
      paintRow(y, seen, pixels);
    }
    const [x, y] = [edge(LABEL.left), edge(LABEL.top)];
    context.putImageData(picture, 0, 0, x, y, canvas.width - x, canvas.height - y);
  }

  function paintFrames() {
    context.save();
    context.beginPath();
    context.rect(edge(LABEL.left) / sprites.scale, edge(LABEL.top) / sprites.scale, box.width, box.height);
    context.clip();
    frame(lanesOf.keys(), colours.text, 1);
    frame(look.lanes.flatMap((cells, lane) => (look.now.has(lane) ? cells : [])), SERVED, 2);
    if (look.lit && cursor >= 0) {
      frame([cursor], colours.orange, 2);
    }
    context.restore();
  }

  function paint() {
    const seen = sight();
    paintCells(seen);
    paintFrames();
    drawLabels(seen);
  }

  /* next: {banks: of the device, lanes: cells by lane, now: lanes that are served in this pass, lit:
   * {lanes, bank} that the reader points at, or null} */
  function draw(shown, next) {
    tile = shown;
    look = next;
    if (box.width === 0 || box.height === 0) {
      return; /* it was hidden: the observer comes */
    }
    fit();
    makeSprites(look.banks);
    lanesOf = new Map();
    look.lanes.forEach((cells, lane) => cells.forEach((cell) =>
      lanesOf.set(cell, [...(lanesOf.get(cell) || []), lane])));
    paint();
  }
  scroll.addEventListener('scroll', () => {
    Object.assign(box, { x: scroll.scrollLeft, y: scroll.scrollTop });
    if (tile) {
      paint();
    }
  });
  new ResizeObserver(() => {
    Object.assign(box, { width: scroll.clientWidth, height: scroll.clientHeight });
    if (tile && box.width > 0) {
      draw(tile, look);
    }
  }).observe(scroll);

  /* ---- what the reader points at ---- */

  /* Scrolls so that the cell is in sight. */
  function follow(cell) {
    const x = (cell % columns()) * size.width;
    const y = Math.floor(cell / columns()) * size.height;
    const most = { x: x + size.width - (box.width - LABEL.left),
      y: y + size.height - (box.height - LABEL.top) };
    scroll.scrollLeft = Math.max(most.x, Math.min(x, scroll.scrollLeft));
    scroll.scrollTop = Math.max(most.y, Math.min(y, scroll.scrollTop));
  }

  function point(cell) {
    cursor = cell;
    hover(cell < 0 || tile.banks[cell] === null ? null
      : { cell, bank: tile.banks[cell], lanes: new Set(lanesOf.get(cell) || []), name: nameOf(cell) });
  }

  /* "tile[14][0]"; of a cell of several elements the first to the last: "tile[14][0-1]". */
  function nameOf(cell) {
    let element = tile.first_element + Math.floor(cell / columns()) * tile.row_elements
      + (cell % columns()) * tile.cell_elements;
    const indices = [];
    for (const size of tile.dimensions.slice(1).reverse()) {
      indices.unshift(element % size);
      element = Math.floor(element / size);
    }
    indices.unshift(element);
    const last = indices.length - 1;
    const end = tile.cell_elements > 1 ? `\u2013${indices[last] + tile.cell_elements - 1}` : '';
    return tile.array + indices.map((index, i) => `[${index}${i === last ? end : ''}]`).join('');
  }

  canvas.addEventListener('pointermove', (event) => {
    const place = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - place.left - LABEL.left + box.x) / size.width);
    const y = Math.floor((event.clientY - place.top - LABEL.top + box.y) / size.height);
    const inside = tile && x >= 0 && y >= 0 && x < columns() && y < tile.rows;
    point(inside ? y * columns() + x : -1);
  });
  canvas.addEventListener('pointerleave', () => point(-1));
  canvas.addEventListener('blur', () => point(-1));
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns() }[event.key];
    if (event.key === 'Escape') {
      point(-1);
    } else if (step && tile) {
      const next = cursor < 0 ? 0 : cursor + step;
      if (next >= 0 && next < tile.banks.length) {
        follow(next);
        point(next);
      }
      event.preventDefault();
    }
  });
  return { draw };
}
