/* editor.js - the text, with numbers that can be dragged. */
'use strict';

const editor = byId('text');

/* Where a line of the text stands, counted from 1. */
function placeOfLine(number) {
  const lines = state.text.split('\n');
  const begin = lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0);
  return { begin, end: begin + (lines[number - 1] || '').length };
}

/* A text with more numbers is no sketch: nobody drags them, and each of its lines would be laid out in pieces. */
const MOST_NUMBERS = 2000;

function draggable() {
  const numbers = numbersIn(state.text);
  return numbers.length > MOST_NUMBERS ? [] : numbers;
}

/* Places that the overlay marks, each with its class. */
function marks() {
  const list = draggable().map((place, i) => ({ ...place, name: 'number', i }));
  for (const found of state.text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|^\s*#(?!define)[^\n]*/gm)) {
    list.push({ begin: found.index, end: found.index + found[0].length, name: 'comment' });
  }
  const access = shown.check && shown.check.accesses[state.access];
  const at = access ? state.text.indexOf(access.access) : -1;
  const [, line] = (access && isKernel(state.text) && /^kernel\.cu:(\d+)/.exec(access.access)) || [];
  if (line) {
    list.push({ ...placeOfLine(Number(line)), name: 'line' });
  } else if (at >= 0) {
    list.push({ begin: at, end: at + access.access.length, name: 'line' });
  }
  if (shown.faultLine > 0) {
    list.push({ ...placeOfLine(shown.faultLine), name: 'wrong' });
  }
  return list;
}

/* Pieces of a line, each with the marks that it lies in: {text, name, number}. */
function piecesOf(begin, end, list) {
  const within = list.filter((m) => m.begin < end && begin < m.end);
  const cuts = [...new Set([begin, end, ...within.flatMap((m) => [Math.max(begin, m.begin), Math.min(end, m.end)])])]
    .sort((a, b) => a - b);
  return cuts.slice(1).map((cut, k) => {
    const its = within.filter((m) => m.begin <= cuts[k] && cut <= m.end);
    const number = its.find((m) => m.name === 'number');
    return { text: state.text.slice(cuts[k], cut), name: its.map((m) => m.name).join(' ') || null,
      number: number ? number.i : null };
  });
}

/* A line that says the same stays: laying text out is most of what a step takes. */
function showLine(host, i, pieces) {
  const key = JSON.stringify(pieces);
  const before = host.children[i];
  if (before && before.key === key) {
    return;
  }
  const line = Object.assign(h('div', {}, ...pieces.map(({ text, name, number }) =>
    h('span', { class: name, 'data-number': number }, text)), '\n'), { key });
  if (before) {
    before.replaceWith(line);
  } else {
    host.append(line);
  }
}

function showText() {
  const host = byId('shown');
  const list = marks();
  const lines = `${state.text}\n `.split('\n');
  let begin = 0;
  lines.forEach((line, i) => {
    showLine(host, i, piecesOf(begin, Math.min(begin + line.length, state.text.length), list));
    begin += line.length + 1;
  });
  while (host.children.length > lines.length) {
    host.lastElementChild.remove();
  }
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

/* Which access is drawn is another's in what is pasted. */
editor.addEventListener('paste', () => Object.assign(state, { access: null, warp: null, turn: 0, pass: 0 }));
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
