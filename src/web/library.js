/* library.js - asks the library in its worker, or the page what it was filled with. */
'use strict';

const library = (() => {
  const known = new Map(filled.answers.map(({ question, text }) => [question.join('\0'), text]));
  let worker = null;

  /* The worker unpacks the module, which stands behind this script, while the page goes on. */
  async function begin() {
    if (document.readyState === 'loading') {
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
    }
    const source = new Blob([byId('engine').textContent], { type: 'text/javascript' });
    worker = new Worker(URL.createObjectURL(source));
    worker.postMessage({ module: byId('wasm').textContent.trim() });
  }
  const make = () => (worker ? null : begin());
  let turn = Promise.resolve();

  async function askWorker(questions) {
    await make();
    return new Promise((resolve) => {
      const limit = setTimeout(() => {
        worker.terminate();
        worker = null;
        const text = 'banksim: this takes longer than a page should: ask the program\n';
        resolve(questions.map(() => ({ status: -1, text })));
      }, MOST_MS);
      worker.onmessage = ({ data }) => {
        clearTimeout(limit);
        resolve(data);
      };
      worker.postMessage({ questions });
    });
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
  return { ask, prepare };
})();

function question(what, { text = state.text, device = state.device }, ...more) {
  const [name, ...options] = device.split(';');
  return [what, 'device', name, ...options.flatMap((option) => option.split('=')), ...more,
    'text', 'text', text];
}
