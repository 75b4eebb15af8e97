/* array.js - the shared arrays that a kernel declares: what a byte is called, and the array drawn with
 * the bank in each cell and the lanes' cells framed. The cut of a large one is that of
 * src/report/tile.c. */
'use strict';

const TILE = { rows: 32, cells: 64, left: 40, top: 20, height: 17, least: 16, most: 26, every: 4 };

/* {array, element, within}: where a byte of the window lies; null: in none that is declared. */
function placeOf(kernel, address) {
  const array = kernel.arrays.find(({ offset, end }) => address >= offset && address < end);
  if (!array) {
    return null;
  }
  const place = address - array.offset;
  const within = place % array.each;
  const element = array.elementAt(place - within);
  return element === undefined ? null : { array, element, within };
}

/* The byte of the array at which an element lies, and the other way. */
function readArray({ places, ...array }) {
  const end = array.n > 0 ? array.offset + array.bytes : 2 ** 24; /* no window is larger */
  if (!places) {
    return { ...array, end, placeOf: (i) => i * array.each, elementAt: (place) => place / array.each };
  }
  const step = unpack(places);
  const list = [];
  for (let place = 0, stride = 0; list.length < array.n; list.push(place)) {
    stride += step.signed();
    place += stride;
  }
  const elements = new Map(list.map((place, i) => [place, i]));
  return { ...array, end, placeOf: (i) => list[i], elementAt: (place) => elements.get(place) };
}
for (const kernel of kernels) {
  kernel.arrays = (kernel.arrays || []).map(readArray);
}

function indicesOf(array, element) {
  const indices = [];
  for (const size of array.dimensions.slice(1).reverse()) {
    indices.unshift(element % size);
    element = Math.floor(element / size);
  }
  return array.dimensions.length > 0 ? [element, ...indices] : [];
}

const fromTo = (list) => {
  const [least, most] = [Math.min(...list), Math.max(...list)];
  return least === most ? String(least) : least + '\u2013' + most;
};

/* "tile[14][0]"; of several bytes of one array what they reach over, "tile[0\u201331][0]"; behind a +
 * bytes within an element, or of an array whose elements nobody tells. */
function nameOf(places) {
  const [{ array }] = places;
  const indices = places.map(({ element }) => indicesOf(array, element));
  const within = places.map((place) => place.within);
  return array.name + (!array.known ? '+' + fromTo(indices.map(([byte]) => byte))
    : indices[0].map((_, d) => '[' + fromTo(indices.map((each) => each[d])) + ']').join('')
      + (Math.max(...within) > 0 ? '+' + fromTo(within) : ''));
}

/* Of each active lane the places of its access, element by element; null if one lies in no array. */
function placesOf(request, kernel) {
  const all = new Map();
  for (const [lane, address] of request.address) {
    const places = [];
    for (let at = address; at < address + request.bytes; at += places[0].array.each) {
      const place = placeOf(kernel, at);
      if (!place) {
        return null;
      }
      places.push(place);
    }
    all.set(lane, places);
  }
  return all.size > 0 ? all : null;
}

const arraysOf = (places) => [...new Set([...places.values()].map(([{ array }]) => array))];

/* What the request accesses: "tile[0\u201331][0]"; "" if that is not declared. */
function elementsText(request) {
  return request.places ? arraysOf(request.places).map((array) => nameOf([...request.places.values()]
    .filter(([first]) => first.array === array).flatMap((places) =>
      places.map((place, i) => ({ ...place, within: i > 0 ? 0 : place.within }))))).join(', ') : '';
}
const elementOf = (request, lane) => (request.places && request.places.has(lane)
  ? nameOf(request.places.get(lane).slice(0, 1)) : '');

/* ---- the picture ---- */

/* At most `most` of n, among them the first one wanted. */
function cut(n, most, wanted) {
  const size = Math.min(n, most);
  return { from: Math.min(Math.floor(wanted / most) * most, n - size), size };
}

function tileOf(kernel, array, places) {
  const asked = [...places.values()].flat().filter((place) => place.array === array)
    .map(({ element }) => element);
  const [wanted, end] = [Math.min(...asked), Math.max(...asked) + 1];
  const n = array.n || end;
  const { dimensions, each } = array;
  const width = kernel.bank_width;
  const isFlat = dimensions.length < 2;
  const columns = isFlat ? Math.max(1, Math.min(n, Math.floor(kernel.banks * width / each)))
    : dimensions[dimensions.length - 1];
  const rows = (!isFlat && dimensions[dimensions.length - 2]) || Math.ceil(n / columns);
  const first = Math.floor(wanted / (rows * columns)) * rows * columns;
  const lieTogether = (i, unit) => i + unit > n
    || (array.placeOf(i + unit - 1) - array.placeOf(i) === (unit - 1) * each
      && Math.floor((array.offset + array.placeOf(i)) / width)
        === Math.floor((array.offset + array.placeOf(i + unit - 1)) / width));
  let unit = 1;
  while (2 * unit * each <= width && columns % (2 * unit) === 0) {
    unit *= 2;
  }
  for (let i = first; unit > 1 && i < Math.min(n, first + rows * columns); i += unit) {
    while (unit > 1 && !lieTogether(i, unit)) {
      unit /= 2;
    }
  }
  const row = Math.floor((wanted - first) / columns);
  const y = cut(rows, TILE.rows, row);
  if (isFlat) {
    const last = Math.min(y.from + y.size, Math.ceil((end - first) / columns));
    y.from = Math.max(y.from, row);
    y.size = last - y.from;
  }
  return { array, n, columns, rows, first, unit, isFlat, y,
    x: cut(columns, TILE.cells * unit, (wanted - first) % columns) };
}

function tileTitle({ array, columns, rows, first, unit, x, y }, kernel) {
  const plane = array.dimensions.length > 2 ? ', plane ' + Math.floor(first / (rows * columns)) : '';
  const what = unit > 1 ? unit + (array.known ? ' elements' : ' bytes')
    : array.each > kernel.bank_width ? 'element, the first of its banks' : 'element';
  const some = (name, { from, size }, all) => (size === all ? null
    : name + (size > 1 ? 's ' + from + '\u2013' + (from + size - 1) : ' ' + from) + ' of ' + all);
  const shown = [some('row', y, rows), some('column', x, columns)].filter(Boolean).join(', ');
  return array.title + plane + ': bank of each ' + what + (shown ? '; ' + shown : '');
}

function tileCell(kernel, tile, element, at, lanes) {
  const { array, unit } = tile;
  const bank = Math.floor((array.offset + array.placeOf(element)) / kernel.bank_width) % kernel.banks;
  const places = upTo(unit).map((i) => ({ array, element: element + i, within: 0 }));
  const cell = s('g', { class: lanes.length > 0 ? 'asked' : null, 'data-bank': bank,
    'data-lanes': lanes.length > 0 ? lanes.join(',') : null },
  s('title', {}, nameOf(places) + ', bank ' + bank + (lanes.length > 0 ? ': ' + lanesText(lanes) : '')),
  s('rect', { x: at.x + .5, y: at.y + .5, width: at.w - 1, height: TILE.height - 1 }),
  s('text', { x: at.x + at.w / 2, y: at.y + 12.5 }, bank));
  cell.style.setProperty('--hue', Math.round(360 * bank / kernel.banks));
  return cell;
}

function drawTile(kernel, tile, lanesOf, width) {
  const { x, y, unit, columns, first, isFlat } = tile;
  const cells = Math.ceil(x.size / unit);
  const w = Math.max(TILE.least, Math.min(TILE.most, Math.floor((width - TILE.left - 2) / cells)));
  const parts = [];
  for (let i = 0; i < cells; i += TILE.every) {
    parts.push(s('text', { class: 'label', x: TILE.left + (i + .5) * w, y: 13 }, x.from + i * unit));
  }
  for (let row = 0; row < y.size; row++) {
    const top = TILE.top + row * TILE.height;
    const begin = (y.from + row) * columns;
    parts.push(s('text', { class: 'label row', x: TILE.left - 6, y: top + 12.5 }, isFlat ? begin : y.from + row));
    for (let i = 0; i < cells; i++) {
      const element = first + begin + x.from + i * unit;
      if (element < tile.n || tile.array.n === 0) {
        const lanes = [...new Set(upTo(unit).flatMap((k) => lanesOf.get(element + k) || []))];
        parts.push(tileCell(kernel, tile, element, { x: TILE.left + i * w, y: top, w }, lanes));
      }
    }
  }
  const size = { width: TILE.left + cells * w + 2, height: TILE.top + y.size * TILE.height + 2 };
  return s('svg', { ...size, viewBox: '0 0 ' + size.width + ' ' + size.height, role: 'img',
    'aria-label': tileTitle(tile, kernel) }, parts);
}

/* The arrays of a request; the cells that a pass serves are marked by markTiles. */
function drawTiles(request, kernel, width) {
  if (!request.places) {
    return [];
  }
  return arraysOf(request.places).map((array) => {
    const tile = tileOf(kernel, array, request.places);
    const lanesOf = new Map();
    request.places.forEach((places, lane) => places.filter((place) => place.array === array)
      .forEach(({ element }) => lanesOf.set(element, [...(lanesOf.get(element) || []), lane])));
    const title = tileTitle(tile, kernel);
    return h('figure', { class: 'tile' }, h('figcaption', {}, title, h('span', { class: 'where' },
      ' \u2013 framed: what lanes ask for; in blue: in this pass')),
      h('div', { class: 'cells', tabindex: 0, role: 'group', 'aria-label': title },
        drawTile(kernel, tile, lanesOf, width)));
  });
}

function markTiles(element, request, pass) {
  const now = new Set(request.passes[pass].grants.flatMap((grant) => grant.lanes));
  element.querySelectorAll('.asked').forEach((cell) => cell.classList.toggle('now',
    cell.dataset.lanes.split(',').some((lane) => now.has(Number(lane)))));
}
