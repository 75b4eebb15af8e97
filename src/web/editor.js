/* editor.js - the text, with numbers that can be dragged. */
'use strict';

const editor = byId('text');

/* Places that the overlay marks, each with its class. */
function marks() {
  const list = numbersIn(state.text).map((place, i) => ({ ...place, name: 'number', i }));
  for (const found of state.text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|^\s*#(?!define)[^\n]*/gm)) {
    list.push({ begin: found.index, end: found.index + found[0].length, name: 'comment' });
  }
  const access = shown.check && shown.check.accesses[state.access];
  const at = access ? state.text.indexOf(access.access) : -1;
  if (at >= 0) {
    list.push({ begin: at, end: at + access.access.length, name: 'line' });
  }
  if (shown.faultLine > 0) {
    const lines = state.text.split('\n');
    const begin = lines.slice(0, shown.faultLine - 1).join('\n').length + (shown.faultLine > 1 ? 1 : 0);
    list.push({ begin, end: begin + (lines[shown.faultLine - 1] || '').length, name: 'wrong' });
  }
  return list;
}

function showText() {
  const list = marks();
  const cuts = [...new Set([0, state.text.length, ...list.flatMap((m) => [m.begin, m.end])])]
    .sort((a, b) => a - b);
  const parts = [];
  for (let k = 0; k + 1 < cuts.length; k++) {
    const within = list.filter((m) => m.begin <= cuts[k] && cuts[k + 1] <= m.end);
    const number = within.find((m) => m.name === 'number');
    parts.push(h('span', { class: within.map((m) => m.name).join(' ') || null,
      'data-number': number ? number.i : null }, state.text.slice(cuts[k], cuts[k + 1])));
  }
  byId('shown').replaceChildren(...parts, '\n ');
  if (editor.value !== state.text) {
    const at = editor.selectionStart;
    editor.value = state.text;
    editor.setSelectionRange(at, at);
  }
}

function setText(text) {
  if (text !== state.text) {
    state.text = text;
    showText();
    run();
  }
}

editor.addEventListener('input', () => setText(editor.value));
editor.addEventListener('keydown', (event) => {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  const at = editor.selectionStart;
  const place = step && event.altKey
    && numbersIn(state.text).find((each) => each.begin <= at && at <= each.end);
  if (place) {
    const number = Number(state.text.slice(place.begin, place.end)) + step;
    setText(withNumber(state.text, place, number));
    editor.setSelectionRange(place.begin, place.begin);
    event.preventDefault();
  }
});

byId('shown').addEventListener('pointerdown', (event) => {
  const index = event.target.dataset && event.target.dataset.number;
  if (index === undefined) {
    return;
  }
  const original = state.text;
  const place = numbersIn(original)[Number(index)];
  const value = Number(original.slice(place.begin, place.end));
  const from = event.clientX;
  const host = byId('shown');
  let moved = false;
  host.setPointerCapture(event.pointerId);
  event.preventDefault();
  const move = (to) => {
    moved = moved || Math.abs(to.clientX - from) > 4;
    if (moved) {
      setText(withNumber(original, place, value + Math.round((to.clientX - from) / 8)));
    }
  };
  host.addEventListener('pointermove', move);
  host.addEventListener('lostpointercapture', () => {
    host.removeEventListener('pointermove', move);
    if (!moved) {
      editor.focus();
      editor.setSelectionRange(place.begin, place.end);
    }
  }, { once: true });
});
