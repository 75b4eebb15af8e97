/* layout.js - the sliders of an array, and the plans of advise as buttons. */
'use strict';

const LAYOUT_HINT = byId('layout-hint').textContent;

/* Shared arrays whose declaration the text has in a line that can be changed. */
const arraysOf = (picture) => (picture.arrays || []).map((each) => each.array)
  .filter((name) => findArray(state.text, name));

/* Whether the text can have longer rows of the array: a kernel has them by its declaration, if nothing else
 * knows where they begin. */
const canPad = (name) => !isKernel(state.text)
  || (!(findArray(state.text, name) || { isFlat: true }).isFlat && isIndexedWhole(state.text, name));

/* Arrays whose last columns are asked for, too, so that what looks like padding is none; and those whose rows
 * have to stay. */
const wholeOf = (picture) => (picture.arrays || []).filter(({ array, spare }) => {
  const found = findArray(state.text, array);
  return found && !found.isFlat && (!canPad(array) || splitDimension(found.last, false)[1] > spare);
}).map((each) => each.array);

function tileOf(picture) {
  const tiles = picture.where ? picture.where.arrays : [];
  return tiles.find((tile) => tile.array === state.array) || tiles[0] || null;
}

/* What the sliders do, and why one can not be moved. */
function layoutHint() {
  if (!isKernel(state.text) || state.array === null) {
    return LAYOUT_HINT;
  }
  return canPad(state.array) ? 'Padding makes rows longer. A swizzle changes the kernel\u2019s indices: what helps is said below.'
    : `${(findArray(state.text, state.array) || {}).isFlat ? `${state.array} has no rows`
      : `${state.array} is not indexed by row and column in all places, so that longer rows would break it`}`
      + ': the kernel\u2019s indices have to change. What helps is said below.';
}

function showLayout() {
  const names = arraysOf(shown.picture);
  document.body.classList.toggle('bankless', (shown.picture.arrays || []).length === 0);
  const touched = tileOf(shown.picture);
  if (!names.includes(state.array)) {
    state.array = touched && names.includes(touched.array) ? touched.array : names[0] || null;
  }
  const choice = byId('array');
  if (choice.textContent !== names.join('')) {
    choice.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
  }
  choice.value = state.array || '';
  byId('layout').disabled = state.array === null;
  byId('bits').disabled = isKernel(state.text);
  byId('pad').disabled = state.array !== null && !canPad(state.array);
  say(byId('layout-hint'), layoutHint());
  const found = state.array && findArray(state.text, state.array);
  const now = found ? readLayout(found, shown.whole.includes(state.array)) : { pad: 0, bits: 0 };
  byId('pad').value = now.pad;
  say(byId('pad-out'), now.pad > 0 ? `+${now.pad}` : 'none');
  byId('bits').value = now.bits;
  say(byId('bits-out'), now.bits > 0 ? `${now.bits} bit${now.bits > 1 ? 's' : ''}` : 'none');
  const spelled = (shown.picture.arrays || []).find((each) => each.array === state.array);
  const plain = spelled && /^\w+((\[[xyzi]\])+)$/.test(spelled.index);
  say(byId('cuda'), !spelled || !spelled.declaration ? ''
    : spelled.declaration + (plain || !spelled.index ? '' : `\n${spelled.index}  for each `
      + spelled.array + (found.isFlat ? '[i]' : '[y][x]')));
}

function elementOf(name) {
  const tile = shown.picture && tileOf(shown.picture);
  const isIt = tile && tile.array === name;
  return { bytes: isIt ? tile.element_bytes : 4, row: isIt ? tile.row_elements : 32 };
}
const canChange = () => state.array !== null && shown.fault === '' && findArray(state.text, state.array) !== null;
byId('pad').addEventListener('input', () => canChange() && setText(
  withPadding(state.text, state.array, Number(byId('pad').value), elementOf(state.array).row, shown.whole)));
byId('bits').addEventListener('input', () => {
  const { bytes, row } = elementOf(state.array);
  if (!canChange()) {
    return;
  }
  setText(withXor(state.text, state.array, Number(byId('bits').value), bytes, row, shown.whole));
});
byId('array').addEventListener('change', () => {
  state.array = byId('array').value;
  draw();
});

/* ---- plans ------------------------------------------------------------------------------- */

const plans = { key: null, list: [], proof: '', fault: '', timer: 0 };

/* Plans are looked for as if no array had a layout, so that they stay while one is tried. */
/* Plans of another text would mislead. */
function showSearch() {
  if (!isShown('plans', 'search')) {
    byId('plans').replaceChildren(h('p', { class: 'hint' }, 'Trying layouts \u2026'));
  }
}

function findPlans() {
  const base = withoutLayouts(state.text, arraysOf(shown.picture), shown.whole);
  const key = `${state.device}\n${isKernel(base) ? launched() : ''}\n${base}`;
  clearTimeout(plans.timer);
  if (plans.key === key) {
    showPlans();
    return;
  }
  plans.timer = setTimeout(async () => {
    const wait = setTimeout(showSearch, SILENT_MS);
    const [answer] = await libraryOf(base).ask(
      question('advise', { text: base }, 'best', state.best, 'format', 'json'));
    clearTimeout(wait);
    if (answer.text === LEFT) {
      plans.key = null;
      return;
    }
    const advice = answer.status === 0 ? JSON.parse(answer.text) : null;
    Object.assign(plans, { key, base, list: advice ? advice.plans : [],
      before: advice && advice.before, proof: advice ? advice.proof : '',
      fault: advice ? '' : answer.text });
    showPlans();
  }, IDLE_MS);
}

const planText = (plan) => plan.arrays.reduce((text, each) =>
  withLayout(text, each.array, each.layout, shown.whole), plans.base);

/* Longer rows are told by their declaration, all else by the new index, and by the layout that the text then has. */
const isPlain = (each) => /^pad \d+$/.test(each.layout);
const planName = (each) => (isPlain(each) || !each.index
  ? `${each.layout}: ${(/\S+(?=;)/.exec(each.declaration) || [each.array])[0]}` : each.index);

/* The text at hand, as plans are written. */
const spelledText = () => withPlainPadding(state.text, arraysOf(shown.picture), shown.whole);

/* One that writes the text; markPlan says which is at hand. */
function textButton(text, ...words) {
  const button = h('button', { type: 'button', onclick: () => {
    mark();
    setText(text);
  } }, ...words);
  return Object.assign(button, { spelled: text, disabled: shown.fault !== '' });
}

function markPlan() {
  const spelled = spelledText();
  for (const button of byId('plans').querySelectorAll('button')) {
    const isPressed = String(button.spelled === spelled);
    if (button.getAttribute('aria-pressed') !== isPressed) {
      button.setAttribute('aria-pressed', isPressed);
    }
  }
}

/* What the text has no word for: the kernel's own indices or declarations change. */
function planNote(plan) {
  const layouts = plan.arrays.map((each) => each.layout).filter((layout) => !isWord(layout));
  return h('p', { class: 'hint' }, h('code', {}, plan.arrays.map(planName).join(', ')),
    `${layouts.length > 0 ? `, ${layouts.join(', ')}` : ''}: ${many(plan.wavefronts, 'pass', 'passes')}, ${many(plan.shared_bytes, 'byte')}`);
}

/* Whether the text has a word for it. */
const canWrite = ({ array, layout }) => findArray(plans.base, array) !== null
  && (isKernel(plans.base) ? isPlain({ layout }) && canPad(array) : isWord(layout));

function planButton(plan) {
  if (!plan.arrays.every(canWrite)) {
    return planNote(plan);
  }
  const declared = plan.arrays.filter((each) => !isPlain(each)).map(({ layout }) =>
    `declared ${layout}${/^(?:swizzle|tma) \d/.test(layout) ? ', as TMA writes it' : ''}; `);
  return textButton(planText(plan), h('b', {}, plan.arrays.map(planName).join(', ')),
    h('span', {}, many(plan.wavefronts, 'pass', 'passes')),
    h('small', {}, `${declared.join('')}${many(plan.shared_bytes, 'byte')}, `
      + `${many(plan.blocks_per_sm, 'block')} per SM`));
}

function showPlans() {
  const host = byId('plans');
  if (isShown('plans', [plans.key, plans.fault])) {
    markPlan();
    return;
  }
  if (plans.fault) {
    host.replaceChildren(h('p', { class: 'hint' }, plans.fault.split('\n')[0].replace(/^banksim: /, '')));
    return;
  }
  const none = plans.before && textButton(plans.base, h('b', {}, 'neither padding nor swizzle'),
    h('span', {}, many(plans.before.wavefronts, 'pass', 'passes')),
    h('small', {}, `${many(plans.before.shared_bytes, 'byte')}, `
      + `${many(plans.before.blocks_per_sm, 'block')} per SM`));
  const buttons = plans.list.map(planButton);
  host.replaceChildren(...(none ? [none] : []), ...buttons.filter((button, i) =>
    buttons.findIndex((other) => other.textContent === button.textContent) === i));
  if (plans.list.length === 0) {
    host.append(h('p', { class: 'hint' }, plans.before && plans.before.excessive === 0
      ? 'No bank conflicts: nothing to change.' : 'No padding and no swizzle helps.'));
  }
  markPlan();
}
