/* state.js - what the reader chose and what is shown; elements and words are src/report/page/words.js's. */
'use strict';

/* What takes longer is ended; how long a reader waits without a word; how long an answer that nobody waits
 * for any more may hold up the next. */
const MOST_MS = 5000;
const SILENT_MS = 400;
const STALE_MS = 800;
const IDLE_MS = 150;
const PLANS = 3;
const KERNEL = 'kernel.cu'; /* what reports call a text of CUDA C */

const textsOf = (kind) => [...document.getElementsByClassName(kind)].map((element) =>
  ({ name: element.title, text: element.textContent.slice(1) }));
const examples = textsOf('example');
const exercises = textsOf('exercise'); /* readExercise tells what they have */
/* What the page is filled with: how it begins, and answers to what is asked then. */
const filled = { state: {}, answers: [], ...JSON.parse(byId('filled').textContent) };

/* All that a link keeps. device: its name and options, as "k40;bank-width=8"; access null: the one that
 * loses the most; warp null: of its worst request; best: how many plans;
 * exercise: the name of one that is worked in; launch: of a kernel, null: the first that its text makes. */
const state = { text: examples[0].text, device: 'sm_90', best: PLANS, access: null, warp: null, turn: 0,
  pass: 0, array: null, pin: null, exercise: null, launch: null, ...filled.state };
/* launches: those that the text makes, of a kernel. */
/* fault: what is wrong with the text; whole: see wholeOf. */
const shown = { check: null, picture: null, lit: null, pinned: null, launches: [], fault: '', whole: [] };

/* Whether the element shows this already; it is taken as shown from now on. */
const last = {};
function isShown(id, values) {
  const key = JSON.stringify(values);
  const isIt = last[id] === key;
  last[id] = key;
  return isIt;
}

/* The theme's colours as page.css names them: the same object as long as the theme is the same. */
const darkTheme = matchMedia('(prefers-color-scheme: dark)');
const palettes = new Map();
function themeColours() {
  const key = darkTheme.matches;
  if (!palettes.has(key)) {
    const style = getComputedStyle(document.documentElement);
    palettes.set(key, Object.fromEntries(['ground', 'panel', 'line', 'text', 'muted', 'blue', 'blue-soft', 'orange', 'green',
      'green-soft'].map((name) => [name, style.getPropertyValue(`--${name}`).trim()])));
  }
  return palettes.get(key);
}

/* Says it, if it does not say so: text that is set is laid out anew, though it be the same. */
function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/* Children that stand there already stay. */
function replaceOthers(host, children) {
  children.forEach((child, i) => {
    const before = host.children[i];
    if (!before) {
      host.append(child);
    } else if (!before.isEqualNode(child)) {
      before.replaceWith(child);
    }
  });
  while (host.children.length > children.length) {
    host.lastElementChild.remove();
  }
}
