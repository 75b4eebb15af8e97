/* page.js - the program's own words, the link, and what happens when. The scripts of the page are one:
 * what stands in another file of them is known here. */
'use strict';

/* ---- the program's own words ------------------------------------------------------------- */

/* What the program does besides, of a kernel. */
const patchHint = () => '\nThe program also writes a plan into the file, runs the kernel again and prints the patch:\n'
  + `    banksim advise ${KERNEL} '${launched()}'\n`;

async function showReports() {
  for (const [id, what] of [['report', 'check'], ['advice', 'advise']]) {
    if (byId(id).open) {
      const [answer] = await libraryOf(state.text).ask(question(what, {}, ...(what === 'advise' ? ['best', state.best] : [])));
      const hasPatch = what === 'advise' && answer.status === 0 && isKernel(state.text);
      byId(`${id}-text`).textContent = answer.text + (hasPatch ? patchHint() : '');
    }
  }
}
byId('report').addEventListener('toggle', showReports);
byId('advice').addEventListener('toggle', showReports);

/* ---- the link ---------------------------------------------------------------------------- */

let keeping = 0;

function link() {
  const values = { t: state.text, d: state.device, a: state.access, p: state.pass, x: state.exercise,
    l: state.launch };
  if (state.warp !== null) {
    Object.assign(values, { w: state.warp, n: state.turn });
  }
  if (state.best !== PLANS) {
    values.b = state.best;
  }
  if (state.pin) {
    Object.assign(values, { A: state.pin.text, D: state.pin.device, L: state.pin.launch });
  }
  return '#' + new URLSearchParams(Object.entries(values).filter(([, v]) => v !== null));
}
/* What follows is taken back by the browser's Back. */
function mark() {
  clearTimeout(keeping);
  history.replaceState(null, '', link());
  history.pushState(null, '', link());
}
function keepState() {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, '', link()), 300);
}
function readState() {
  const values = new URLSearchParams(location.hash.slice(1));
  if (!values.get('t')) {
    return;
  }
  const number = (key) => (/^\d+$/.test(values.get(key) || '') ? Number(values.get(key)) : null);
  Object.assign(state, { text: values.get('t'), device: values.get('d') || 'sm_90',
    access: number('a'), warp: number('w'), turn: number('n') || 0, pass: number('p') || 0,
    exercise: values.get('x'), best: number('b') || PLANS, launch: values.get('l'),
    pin: values.get('A') ? { text: values.get('A'), device: values.get('D') || 'sm_90', launch: values.get('L') || '' }
      : null });
}
window.addEventListener('popstate', () => {
  clearTimeout(keeping);
  begin();
});

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed here';
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}
byId('copy').addEventListener('click', () => copy(location.href.split('#')[0] + link(), byId('copy')));
byId('copy-text').addEventListener('click', () => copy(state.text, byId('copy-text')));

/* ---- running ----------------------------------------------------------------------------- */

/* "text:4:12: message", "kernel.cu:4: message": [, line, column, message]. */
const faultOf = (text) => /^(?:text|kernel\.cu):(\d+)(?::(\d+))?: ([^]*)$/.exec(text) || [];

function showFault(text) {
  const [, line, column, rest] = faultOf(text);
  const fault = byId('fault');
  fault.hidden = text === '';
  fault.textContent = line ? `Line ${line}${column ? `, column ${column}` : ''}: ${rest}`
    : text.replace(/^banksim: /, '');
  shown.faultLine = line ? Number(line) : 0;
  shown.fault = text;
  for (const id of ['result', 'plans', 'layout']) {
    byId(id).classList.toggle('stale', text !== '');
  }
  /* They would change another text than the one that they were found for. */
  byId('layout').disabled = text !== '' || state.array === null;
  byId('plans').querySelectorAll('button').forEach((button) => { button.disabled = text !== ''; });
  if (text !== '') {
    showTask(null);
  }
}

async function askAll() {
  const which = [...(state.access === null ? [] : ['access', state.access]),
    ...(state.warp === null ? [] : ['warp', state.warp, 'turn', state.turn])];
  if (isKernel(state.text)) {
    return askLaunch(which);
  }
  const [answer, drawn] = await library.ask(question('check', {}, 'format', 'json'),
    question('picture', {}, ...which));
  const failed = [answer, drawn].find(({ status }) => status !== 0);
  if (failed) {
    return { fault: failed.text };
  }
  return { check: JSON.parse(answer.text), picture: JSON.parse(drawn.text) };
}

let isRunning = false;
let isStale = false;

/* While one answer is awaited, only the newest question is kept. */
async function run() {
  if (isRunning) {
    isStale = true;
    library.hurry();
    kernels.hurry();
    return;
  }
  isRunning = true;
  const wait = setTimeout(() => {
    byId('busy').textContent = 'Counting \u2026';
    byId('busy').hidden = false;
  }, SILENT_MS);
  try {
    do {
      isStale = false;
      const { fault, check, picture, findings } = await askAll();
      if (fault === LEFT) {
        continue;
      }
      showFault(fault || '');
      showLaunch();
      byId('findings').hidden = !findings;
      say(byId('findings'), findings || '');
      if (!fault) {
        if (state.access !== picture.access) {
          Object.assign(state, { access: picture.access, warp: null, turn: 0, pass: 0 });
        }
        Object.assign(shown, { check, picture, lit: null, whole: wholeOf(picture) }); /* what was pointed at may be elsewhere */
        showAll();
      } else {
        showText();
        keepState();
      }
    } while (isStale);
  } finally {
    isRunning = false;
    clearTimeout(wait);
    byId('busy').hidden = true;
  }
  /* For tests: how often all questions were answered, and when. */
  performance.mark('answered');
  document.body.dataset.answers = Number(document.body.dataset.answers || 0) + 1;
}

function showAll() {
  document.body.classList.remove('blank');
  showLayout();
  showFacts();
  showAccesses();
  showWhich();
  draw();
  showText();
  showPinned();
  findPlans();
  findGoals();
  keepState();
  if (byId('table').parentElement.open) {
    showTable();
  }
  showReports();
}
byId('table').parentElement.addEventListener('toggle', () => shown.picture && showTable());

async function begin() {
  readState();
  showText();
  byId('device').value = state.device;
  if (state.pin) {
    await askPinned();
  }
  run();
}

const optionText = (device) => device.replaceAll(';', ', ').replaceAll('=', ' ').replace('bank-width 8',
  'banks of 8 bytes');

async function listDevices() {
  const [answer] = await library.ask(['devices']);
  const options = JSON.parse(answer.text).flatMap(({ name, description, has_wide: hasWide }) => [
    h('option', { value: name }, `${name} (${description})`),
    ...(hasWide ? [`${name};bank-width=8`] : []).map((value) => h('option', { value }, optionText(value)))]);
  const isListed = options.some((option) => option.value === state.device);
  byId('device').replaceChildren(...options, ...(isListed ? []
    : [h('option', { value: state.device }, optionText(state.device))]));
  byId('device').value = state.device;
}
byId('device').addEventListener('change', () => choose({ device: byId('device').value, pass: 0 }));
/* "e2": an example; "x2": an exercise. */
const group = (label, kind, texts) => h('optgroup', { label }, ...texts.map((each, i) =>
  h('option', { value: kind + i }, each.name)));
byId('examples').append(h('option', { value: '' }, 'choose'), group('Examples', 'e', examples),
  group('Exercises', 'x', exercises));
byId('examples').addEventListener('change', () => {
  const [kind, ...i] = byId('examples').value;
  const chosen = kind && (kind === 'x' ? exercises : examples)[i.join('')];
  if (chosen) {
    beginWith(kind === 'x' ? readExercise(chosen.text).begin : chosen.text, kind === 'x' ? chosen.name : null);
    byId('examples').value = '';
  }
});
begin();
listDevices();
/* What is shown first goes before what may be asked next. */
requestAnimationFrame(() => setTimeout(library.prepare));
/* Who goes into the text may paste a kernel: one that is asked about before it has the module compiled. */
const SMALLEST = '__global__ void k() { __shared__ float a[32]; a[threadIdx.x] = 0; }';
editor.addEventListener('focus', () => {
  kernels.ask(question('both', { text: SMALLEST, launch: 'k<<<1, 32>>>()' }));
}, { once: true });
