/* text.js - the statements as a text: what a slider, a plan or a dragged number reads and changes in
 * it. The text alone says what is simulated; nothing here knows what it means to a bank. */
'use strict';

const MOST_PAD = 8;
const MOST_BITS = 5;

const withoutComments = (text) => text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
/* One step of a layout, as src/expr/arrange.c reads it. */
const LAYOUT = [/pad\s+\d+(?:\s+every\s+\d+)?/, /row-xor\s+\d+,\d+,-?\d+/, /[Ss]wizzle\s*<[^>\n]*>/, /(?:swizzle|tma)\s+\d+B/,
  /xor\s+\d+:\w+(?:,\s*\d+:\w+)*/, /rotate\s+\d+(?:\s+of\s+\d+)?(?:\s+every\s+\d+)?/, /\d+\s+more\s+behind/]
  .map(({ source }) => source).join('|');

/* The declaration of a shared array, found by its name: where its last dimension and its layout stand, and
 * what they are. null: there is none that can be changed. */
function findArray(text, name) {
  const dimensions = new RegExp(`(?<![\\w.])${name}\\s*((?:\\[[^\\]\\n]*\\]\\s*?)+)`);
  const layouts = new RegExp(`^(?:\\s*(?:${LAYOUT}))+`);
  let at = 0;
  for (const line of withoutComments(text).split('\n')) {
    const found = /^\s*(?:shared|(?:extern\s+)?__shared__)\b/.test(line) && dimensions.exec(line);
    if (found) {
      const end = found.index + found[0].length;
      const open = line.lastIndexOf('[', end - 1);
      const close = line.lastIndexOf(']', end - 1);
      const layout = layouts.exec(line.slice(close + 1));
      return { begin: at + open + 1, close: at + close, last: line.slice(open + 1, close).trim(),
        dimensions: (found[1].match(/\[/g) || []).length, isFlat: (found[1].match(/\[/g) || []).length === 1,
        layout: layout ? layout[0].trim() : '', end: at + close + 1 + (layout ? layout[0].length : 0) };
    }
    at += line.length + 1;
  }
  return null;
}

/* Whether each place where the text has the array names an element by all its dimensions: then its rows
 * may become longer. */
function isIndexedWhole(text, name) {
  const array = findArray(text, name);
  if (!array) {
    return false;
  }
  const code = withoutComments(text);
  const places = [...code.matchAll(new RegExp(`(?<![\\w.]|->)${name}(?!\\w)`, 'g'))];
  return places.every(({ index, 0: { length } }) => {
    const before = code.slice(0, index);
    if (/(?<!&)&\s*$/.test(before) && !/\batomic\w+\s*\(\s*&\s*$/.test(before)) {
      return false;
    }
    let at = index + length;
    for (let i = 0; i < array.dimensions; i++) {
      at += /^\s*/.exec(code.slice(at))[0].length;
      if (code[at] !== '[') {
        return false;
      }
      let depth = 0;
      do {
        depth += { '[': 1, ']': -1 }[code[at]] || 0;
        at++;
      } while (depth > 0 && at < code.length);
    }
    return true;
  });
}

/* A layout that the text can say. */
const isWord = (layout) => new RegExp(`^(?:(?:${LAYOUT})(?:\\s+(?=\\S)|$))+$`).test(layout);

/* [what a row has without its padding, the padding]: of "32 + 1", "TILE + 1" and "33"; of a row that is
 * asked for as a whole there is none. */
function splitDimension(last, isWhole) {
  const sum = /^(.*\S)\s*\+\s*(\d+)$/.exec(last);
  if (isWhole) {
    return [last, 0];
  }
  if (sum) {
    return [sum[1], Number(sum[2])];
  }
  const n = Number(last);
  const power = 2 ** Math.floor(Math.log2(n));
  return /^\d+$/.test(last) && power >= 8 && n - power <= MOST_PAD ? [String(power), n - power]
    : [last, 0];
}

/* How the sliders stand: {pad, bits}; of an array of one dimension the padding is its layout's. */
function readLayout(array, isWhole) {
  const pad = /^pad\s+(\d+)/.exec(array.layout);
  const bits = /^(?:row-xor\s+|swizzle\s*<\s*)(\d+)/.exec(array.layout);
  return { pad: pad ? Number(pad[1]) : array.isFlat ? 0 : splitDimension(array.last, isWhole)[1],
    bits: bits ? Number(bits[1]) : 0 };
}

function replaceLayout(text, array, last, layout) {
  return text.slice(0, array.begin) + last + ']' + (layout ? ' ' + layout : '')
    + text.slice(array.end);
}

/* The text with so much padding in each row of the array, and no other layout. whole: arrays whose rows are
 * asked for as a whole. */
function withPadding(text, name, pad, rowElements, whole = []) {
  const array = findArray(text, name);
  if (array.isFlat) {
    return replaceLayout(text, array, array.last, pad > 0 ? `pad ${pad} every ${rowElements}` : '');
  }
  const base = splitDimension(array.last, whole.includes(name))[0];
  return replaceLayout(text, array, pad > 0 ? `${base} + ${pad}` : base, '');
}

/* The text with each of these arrays' padding written as the slider does: "33" as "32 + 1". */
function withPlainPadding(text, names, whole = []) {
  return names.reduce((plain, name) => {
    const array = findArray(plain, name);
    const pad = array && !array.isFlat && array.layout === '' ? readLayout(array, whole.includes(name)).pad : 0;
    return pad > 0 ? withPadding(plain, name, pad, 0, whole) : plain;
  }, text);
}

/* The text with so many bits of the row's number flipping bits of the column's, and no padding. The
 * bits below a bank's word stay. */
function withXor(text, name, bits, elementBytes, rowElements, whole = []) {
  const array = findArray(text, name);
  const low = Math.max(0, Math.round(Math.log2(4 / elementBytes)));
  const last = array.isFlat ? array.last : splitDimension(array.last, whole.includes(name))[0];
  const layout = array.isFlat ? `swizzle<${bits},${low},${Math.round(Math.log2(rowElements)) - low}>`
    : `row-xor ${bits},${low},0`;
  return replaceLayout(text, array, last, bits > 0 ? layout : '');
}

/* The text with a layout by the name that `advise` gives it. */
function withLayout(text, name, layout, whole = []) {
  const array = findArray(text, name);
  const pad = /^pad (\d+)$/.exec(layout);
  if (!array) {
    return text;
  }
  if (pad && !array.isFlat) {
    return withPadding(text, name, Number(pad[1]), 0, whole);
  }
  const last = array.isFlat ? array.last : splitDimension(array.last, whole.includes(name))[0];
  return replaceLayout(text, array, last, layout);
}

/* Whether TMA or wgmma goes to it: its layout is a map's or a descriptor's, and stays. */
function isTile(text, name) {
  const goesTo = new RegExp(`(?<!\\w)(?:tma|wgmma)\\s[^\\n]*(?<!\\w)${name}(?!\\w)`);
  return goesTo.test(withoutComments(text));
}

/* The text without any padding and layout of these arrays: what plans are looked for. */
function withoutLayouts(text, names, whole = []) {
  return names.reduce((plain, name) => (findArray(plain, name) && !isTile(plain, name)
    ? withLayout(plain, name, '', whole) : plain), text);
}

/* A kernel in CUDA C, as against statements; comments aside. */
const isKernel = (text) => /(?<!\w)__global__(?!\w)/.test(withoutComments(text));

/* Whole numbers outside of comments and of what is expected, as places: what can be dragged. */
function numbersIn(text) {
  const places = [];
  const pattern = /\/\/[^\n]*|\/\*[^]*?\*\/|^\s*expect\b[^\n]*|(?<![\w.])\d+(?![\w.])/gm;
  for (let found; (found = pattern.exec(text));) {
    if (/^\d/.test(found[0])) {
      places.push({ begin: found.index, end: found.index + found[0].length });
    }
  }
  return places;
}

/* The text with another number at that place: a whole one, from 0 up. */
function withNumber(text, place, number) {
  return text.slice(0, place.begin) + Math.max(0, Math.round(number)) + text.slice(place.end);
}

/* ---- exercises ---- */

const expectation = /^[ \t]*expect\b.*$/gm;

/* What the text expects, a line each; and the text without it, with as many lines. */
const goalsIn = (text) => (text.match(expectation) || []).join('\n');
const withoutGoals = (text) => text.replace(expectation, '');

/* An exercise's comments say what it is about, its task and a hint; the rest is what one begins with, and
 * behind it are works that are as right as its own (src/cli/exercise.h). */
function readExercise(text) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('#'));
  const said = lines.slice(0, first).map((line) => line.replace(/^#\s?/, '')).join(' ')
    .replace(/^\d+\.\s*/, '');
  const [, story, goal, hint] = /^(.*?)\s*Your task:\s*(.*?)\s*(?:Hint:\s*(.*))?$/.exec(said);
  const [begin, ...also] = lines.slice(first).join('\n').split(/^\/\/ Also right.*\n/m);
  return { story, goal: `Your task: ${goal}`, hints: hint ? hint.split(/\s*Hint:\s*/) : [], begin,
    goals: goalsIn(begin), works: [withoutGoals(begin), ...also.map((work) => work.replace(/^\/\//gm, ''))] };
}

if (typeof module !== 'undefined') {
  module.exports = { findArray, readLayout, splitDimension, withPadding, withPlainPadding, withXor, withLayout,
    withoutLayouts, isIndexedWhole, isWord, isKernel, numbersIn, withNumber, goalsIn, withoutGoals, readExercise };
}
