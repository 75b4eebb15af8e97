/* data.js - what is in the page: kernels, sites, requests, and the words that their numbers have. Nothing
 * here decides which bank serves which lane: that is read from the model's schedules. Every text of a trace
 * goes in as a text node. */
'use strict';

const data = JSON.parse(byId('data').textContent);
const WARP_LANES = 32;

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
const percent = (a, b) => (b > 0 ? (100 * a / b).toFixed(1) + '\u00a0%' : '\u2013');
const ways = (row) => (row.ways_min < row.ways_max ? row.ways_min + '\u2013' : '') + row.ways_max;
const several = (list) => list.map(count).join(' and ');

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
  const request = { n, bytes: site.bytes, mask, wavefronts, ideal, excessive, ways: most, sharing, block, warp,
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
  request.places = placesOf(request, kernel);
  return request;
}
