/* library.js - asks the library in its worker, or the page what it was filled with. */
'use strict';

/* Of a question that was given up for a newer one. */
const LEFT = 'banksim: something else was asked\n';

/* A worker with the module that the element of this id holds. */
function makeLibrary(id) {
  /* The picture is of the request that loses the most; a link asks for the same one by its numbers. */
  const spellings = ({ question, text }) => {
    const found = /^\{"access": (\d+), "warp": (\d+), "warps": \d+, "turn": (\d+)/.exec(text);
    const withWhich = (...which) => [...question.slice(0, -3), ...which, ...question.slice(-3)];
    return question[0] !== 'picture' || !found ? [question] : [question, withWhich('access', found[1]),
      withWhich('access', found[1], 'warp', found[2], 'turn', found[3])];
  };
  const known = new Map(filled.answers.flatMap((answer) => spellings(answer).map((question) =>
    [question.join('\0'), answer.text])));
  let worker = null;
  let pending = null; /* what the worker is asked: {begun, end(text)} */

  /* The worker unpacks the module, which stands behind this script, while the page goes on. */
  async function begin() {
    if (document.readyState === 'loading') {
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
    }
    const source = new Blob([byId('engine').textContent], { type: 'text/javascript' });
    worker = new Worker(URL.createObjectURL(source));
    worker.postMessage({ module: byId(id).textContent.trim() });
  }
  const make = () => (worker ? null : begin());
  let turn = Promise.resolve();

  async function askWorker(questions) {
    await make();
    return new Promise((resolve) => {
      const answer = (answers) => {
        clearTimeout(pending.limit);
        pending = null;
        resolve(answers);
      };
      const end = (text) => {
        worker.terminate();
        worker = null;
        answer(questions.map(() => ({ status: -1, text })));
      };
      const limit = setTimeout(() => end(`banksim: this takes longer than the ${MOST_MS / 1000} s that a page has: `
        + 'shorten a loop, look at one warp, or ask the program\n'), MOST_MS);
      pending = { begun: performance.now(), end, limit };
      worker.onmessage = ({ data }) => answer(data);
      worker.postMessage({ questions });
    });
  }

  /* Something newer waits: what is being answered gets a little time yet. */
  function hurry() {
    const late = pending;
    if (late) {
      setTimeout(() => late === pending && late.end(LEFT), STALE_MS - (performance.now() - late.begun));
    }
  }

  /* Answers to some questions, after those that were asked before. What takes too long is ended. */
  function ask(...questions) {
    const keys = questions.map((words) => words.join('\0'));
    turn = turn.then(() => (keys.every((key) => known.has(key))
      ? keys.map((key) => ({ status: 0, text: known.get(key) })) : askWorker(questions)));
    return turn;
  }
  /* Makes ready for what will be asked. */
  function prepare() {
    turn = turn.then(make);
  }
  return { ask, hurry, prepare };
}
const library = makeLibrary('wasm');
const kernels = makeLibrary('kernels'); /* unpacked when one may be pasted */

function question(what, { text = state.text, device = state.device, launch = launched() }, ...more) {
  const [name, ...options] = device.split(';');
  return [what, 'device', name, ...options.flatMap((option) => option.split('=')), ...more,
    ...(isKernel(text) ? ['kernel', KERNEL, text, launch] : ['text', 'text', text])];
}
/* Who answers what is asked of a text. */
const libraryOf = (text) => (isKernel(text) ? kernels : library);
