/* layout.js - the sliders of an array, and the plans of advise as buttons. */
'use strict';

/* Shared arrays whose declaration the text has in a line that can be changed. */
const arraysOf = (picture) => (picture.arrays || []).map((each) => each.array)
  .filter((name) => findArray(state.text, name));

function tileOf(picture) {
  const tiles = picture.where ? picture.where.arrays : [];
  return tiles.find((tile) => tile.array === state.array) || tiles[0] || null;
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
  const found = state.array && findArray(state.text, state.array);
  const now = found ? readLayout(found) : { pad: 0, bits: 0 };
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
const canChange = () => state.array !== null && findArray(state.text, state.array) !== null;
byId('pad').addEventListener('input', () => canChange() && setText(
  withPadding(state.text, state.array, Number(byId('pad').value), elementOf(state.array).row)));
byId('bits').addEventListener('input', () => {
  const { bytes, row } = elementOf(state.array);
  if (!canChange()) {
    return;
  }
  setText(withXor(state.text, state.array, Number(byId('bits').value), bytes, row));
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
  const base = withoutLayouts(state.text, arraysOf(shown.picture));
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
  withLayout(text, each.array, each.layout), plans.base);

/* Longer rows are told by their declaration, all else by the new index, and by the layout that the text then has. */
const isPlain = (each) => /^pad \d+$/.test(each.layout);
const planName = (each) => (isPlain(each) || !each.index
  ? `${each.layout}: ${(/\S+(?=;)/.exec(each.declaration) || [each.array])[0]}` : each.index);

/* The text at hand, as plans are written. */
const spelledText = () => withPlainPadding(state.text, arraysOf(shown.picture));

/* One that writes the text; markPlan says which is at hand. */
function textButton(text, ...words) {
  const button = h('button', { type: 'button', onclick: () => setText(text) }, ...words);
  return Object.assign(button, { spelled: text });
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

/* What a text of CUDA C has no word for: the kernel's indices change. */
function planNote(plan) {
  return h('p', { class: 'hint' }, h('code', {}, plan.arrays.map(planName).join(', ')),
    `: ${many(plan.wavefronts, 'pass', 'passes')}, ${many(plan.shared_bytes, 'byte')}`);
}

function planButton(plan) {
  if (isKernel(plans.base) && !plan.arrays.every(isPlain)) {
    return planNote(plan);
  }
  const declared = plan.arrays.filter((each) => !isPlain(each)).map(({ layout }) =>
    `declared ${layout}${/^swizzle \d/.test(layout) ? ', as TMA writes it' : ''}; `);
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
  host.replaceChildren(...(none ? [none] : []), ...plans.list.map(planButton));
  if (plans.list.length === 0) {
    host.append(h('p', { class: 'hint' }, plans.before && plans.before.excessive === 0
      ? 'No bank conflicts: nothing to change.' : 'No padding and no swizzle helps.'));
  }
  markPlan();
}
