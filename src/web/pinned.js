/* pinned.js - A, which is kept to compare with. */
'use strict';

function showPinned() {
  const host = byId('pinned');
  const { pin } = state;
  host.hidden = !pin;
  say(byId('pin'), pin ? 'Pin this as A' : 'Pin as A');
  if (!pin || !shown.pinned) {
    return;
  }
  const check = shown.pinned.check;
  const changed = pin.text.split('\n').filter((line) => !state.text.split('\n').includes(line));
  host.replaceChildren(h('h2', {}, `A: ${check ? many(sum(check, 'wavefronts'), 'pass', 'passes')
    + (check.cycles ? `, ${many(check.cycles, 'cycle')}` : '') : 'not understood'}`),
  h('pre', {}, changed.join('\n') || (pin.device === state.device ? 'the same text' : pin.device)),
  h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: swap }, 'Swap with A'),
    h('button', { type: 'button', onclick: unpin }, 'Unpin')));
}

async function askPinned() {
  const [check, picture] = (await libraryOf(state.pin.text).ask(question('check', state.pin, 'format', 'json'),
    question('picture', state.pin))).map(({ status, text }) => (status === 0 ? JSON.parse(text) : null));
  shown.pinned = { check, picture };
}
async function pin() {
  state.pin = { text: state.text, device: state.device, launch: launched() };
  await askPinned();
  run();
}
async function swap() {
  const other = state.pin;
  state.pin = { text: state.text, device: state.device, launch: launched() };
  Object.assign(state, other, { pass: 0 });
  byId('device').value = state.device;
  showText();
  await askPinned();
  run();
}
function unpin() {
  state.pin = null;
  shown.pinned = null;
  run();
}
byId('pin').addEventListener('click', pin);
