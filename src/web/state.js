/* state.js - what the reader chose, and words and elements that all of the page makes. */
'use strict';

const byId = (id) => document.getElementById(id);
const formatter = new Intl.NumberFormat('en-US');
const count = (n) => formatter.format(n);
const many = (n, one, more) => `${count(n)} ${n === 1 ? one : more || one + 's'}`;
const MOST_MS = 10000;
const IDLE_MS = 150;

const textsOf = (kind) => [...document.getElementsByClassName(kind)].map((element) =>
  ({ name: element.title, text: element.textContent.slice(1) }));
const examples = textsOf('example');
const exercises = textsOf('exercise').map((exercise) => ({ ...exercise, ...readExercise(exercise.text) }));
/* What the page is filled with: how it begins, and answers to what is asked then. */
const filled = { state: {}, answers: [], ...JSON.parse(byId('filled').textContent) };

/* All that a link keeps. device: its name and options, as "k40;bank-width=8"; access null: the one that
 * loses the most; warp null: of its worst request; best: how many plans;
 * exercise: the name of one that is worked in. */
const state = { text: examples[0].text, device: 'sm_90', best: 3, access: null, warp: null, turn: 0,
  pass: 0, array: null, pin: null, exercise: null, ...filled.state };
const shown = { check: null, picture: null, lit: null, pinned: null };

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== false) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/* Whether the element shows this already; it is taken as shown from now on. */
const last = {};
function isShown(id, values) {
  const key = JSON.stringify(values);
  const isIt = last[id] === key;
  last[id] = key;
  return isIt;
}

/* Numbers in order as ranges: "0-7, 16". */
function ranges(list) {
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    let k = i;
    while (k + 1 < list.length && list[k + 1] === list[k] + 1) {
      k++;
    }
    parts.push(k > i + 1 ? `${list[i]}\u2013${list[k]}` : list[i]);
    i = k > i + 1 ? k : i;
  }
  return parts.join(', ');
}
const lanesText = (lanes) => `${lanes.length === 1 ? 'lane' : 'lanes'} ${ranges(lanes)}`;
