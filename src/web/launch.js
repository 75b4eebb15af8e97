/* launch.js - a kernel in CUDA C as the text: which launch of it is looked at. */
'use strict';

/* The launch that is asked about: the reader's, or the first that the text makes. */
const launched = () => state.launch ?? (shown.launches[0] ? shown.launches[0].launch : '');

/* The kernel's name, without a template's arguments. */
const kernelOf = (launch) => launch.split('<')[0].trim();

/* Which launches the text makes; "": they were found, else what is wrong. */
async function findLaunches() {
  if (shown.launchesOf === state.text) {
    return '';
  }
  const text = state.text;
  const [answer] = await kernels.ask(['launches', 'kernel', KERNEL, text, '']);
  if (answer.status !== 0) {
    return answer.text;
  }
  Object.assign(shown, { launches: JSON.parse(answer.text), launchesOf: text });
  const names = shown.launches.map(({ launch }) => kernelOf(launch));
  if (state.launch !== null && !names.includes(kernelOf(state.launch))) {
    state.launch = null; /* it was another text's */
  }
  return '';
}

/* Check and picture of a launch, which is run once for both. */
async function askLaunch(which) {
  const fault = await findLaunches();
  if (fault) {
    return { fault };
  }
  if (launched() === '') {
    return { fault: shown.launches.length > 0 ? 'banksim: no launch stands here: write one as kernel<<<1, 32>>>(...), or go on to have the proposal back\n'
      : 'banksim: no kernel stands here whole: a __global__ function with its body\n' };
  }
  const [answer] = await kernels.ask(question('both', {}, ...which));
  return answer.status !== 0 ? { fault: answer.text } : JSON.parse(answer.text);
}

/* What the choice calls them: by their kernels, and with their shapes where a kernel has several. */
function namesOf(launches) {
  const kernels = launches.map(({ launch }) => kernelOf(launch));
  return launches.map(({ launch }, i) => kernels.filter((name) => name === kernels[i]).length > 1
    ? launch.slice(0, launch.indexOf('>>>') + 3) : kernels[i]);
}

function showLaunch() {
  const isIt = isKernel(state.text);
  byId('launching').hidden = !isIt;
  byId('text-hint').hidden = isIt;
  byId('code').classList.toggle('launching', isIt);
  if (!isIt) {
    return;
  }
  const choice = byId('launches');
  const names = namesOf(shown.launches);
  choice.hidden = names.length < 2;
  if (!isShown('launches', names)) {
    choice.replaceChildren(...names.map((name, i) => h('option', { value: i }, name)));
  }
  const field = byId('launch-text');
  if (field.value !== launched()) {
    field.value = launched();
  }
  const is = shown.launches.findIndex(({ launch }) => launch === launched());
  const at = is >= 0 ? is : shown.launches.findIndex(({ launch }) => kernelOf(launch) === kernelOf(launched()));
  choice.value = Math.max(0, at);
  const { launch, chosen } = shown.launches[at] || {};
  say(byId('launch-hint'), launch !== launched() ? 'As you write it: float[1024] = iota, random or a number.'
    : chosen ? `The text does not say ${chosen}: chosen here, for you to change.` : 'As the text makes it.');
}

function chooseLaunch(launch) {
  Object.assign(state, { launch, access: null, pass: 0 });
  showLaunch();
  run();
}
byId('launch-text').addEventListener('input', () => chooseLaunch(byId('launch-text').value.replace(/\s+/g, ' ')));
byId('launch-text').addEventListener('change', () => byId('launch-text').value.trim() === '' && chooseLaunch(null));
byId('launches').addEventListener('change', () => chooseLaunch(shown.launches[Number(byId('launches').value)].launch));
