/* sectors.js - a request to global memory: the sectors that it touches, and which lane asks for what of
 * them. */
'use strict';

const SECTOR = 32;
const WORD = 4;

/* By the sector's number, in order: for each of its words the lanes that want bytes of it. */
function sectorsOf(offsets, bytes) {
  const sectors = new Map();
  offsets.forEach((offset, lane) => {
    for (let word = Math.floor(offset / WORD); offset !== null && word * WORD < offset + bytes; word++) {
      const sector = Math.floor(word * WORD / SECTOR);
      if (!sectors.has(sector)) {
        sectors.set(sector, Array.from({ length: SECTOR / WORD }, () => []));
      }
      sectors.get(sector)[word % (SECTOR / WORD)].push(lane);
    }
  });
  return [...sectors].sort(([a], [b]) => a - b);
}

/* A word that several lanes want has the first of them. */
const wordCell = (lanes) => (lanes.length === 0 ? h('i', {})
  : h('i', { class: 'asked', title: lanesText(lanes) }, `${lanes[0]}${lanes.length > 1 ? '+' : ''}`));

function drawSectors(request, offsets) {
  const host = byId('sectors');
  host.hidden = request.sectors === undefined;
  if (!host.hidden && !isShown('sectors', [request.bytes, offsets])) {
    host.replaceChildren(...sectorsOf(offsets, request.bytes).map(([sector, words]) => h('li', {},
      h('small', {}, `byte ${count(sector * SECTOR)}`), h('span', {}, ...words.map(wordCell)))));
  }
}

if (typeof module !== 'undefined') {
  module.exports = { sectorsOf };
}
