/* exercises.js - a task, and whether the core says that it is done. */
'use strict';

const exercise = () => exercises.find((each) => each.name === state.exercise);

/* One line for a goal that is met by all accesses; else one for each way in which it is not met, which for
 * the block's bytes is the same by all. */
function goalLines(goals) {
  const lines = new Map();
  const open = new Set(goals.filter(({ holds }) => !holds).map(({ goal }) => goal));
  for (const { goal, holds, op, access, values } of goals) {
    if (!open.has(goal)) {
      lines.set(goal, h('li', { class: 'good' }, h('b', {}, 'Done'), ` ${goal}`));
    } else if (!holds) {
      lines.set(`${goal} ${/^shared_bytes/.test(values) ? '' : access}`, h('li', { class: 'bad' },
        h('b', {}, 'Not yet'), ` ${goal}: `, h('code', {}, `${op} ${access}`), `, ${values}`));
    }
  }
  return [...lines.values()];
}

/* What is expected is the exercise's, wherever it stands in the text. */
function showTask(goals) {
  const task = exercise();
  byId('task').hidden = !task;
  byId('code').classList.toggle('working', !!task);
  if (!task || isShown('task', [state.exercise, state.text, goals])) {
    return;
  }
  const kept = expectationsIn(state.text);
  const isWhole = task.expectations.every((each) => kept.includes(each));
  const isSolved = isWhole && goals.length > 0 && goals.every((goal) => goal.holds);
  byId('task').classList.toggle('solved', isSolved);
  byId('code').classList.toggle('solved', isSolved);
  byId('task-title').textContent = `Exercise ${task.name}${isSolved ? ': solved' : ''}`;
  byId('task-text').textContent = task.story;
  byId('task-goal').textContent = task.goal;
  byId('hint').hidden = task.hint === '';
  byId('hint-text').textContent = task.hint;
  byId('goals').replaceChildren(...goalLines(goals), ...(isWhole ? []
    : [h('li', { class: 'bad' }, `The text lacks its goal: expect ${task.expectations.join(', ')}`)]));
}

async function findGoals() {
  const goals = exercise() ? (await library.ask(question('goals', {})))[0] : null;
  showTask(goals && goals.status === 0 ? JSON.parse(goals.text) : []);
}
function beginWith(text, name) {
  Object.assign(state, { access: null, warp: null, turn: 0, pass: 0, array: null, exercise: name });
  byId('hint').open = false;
  state.text = text;
  showText();
  run();
}
byId('again').addEventListener('click', () => beginWith(exercise().begin, state.exercise));
byId('leave').addEventListener('click', () => {
  state.exercise = null;
  run();
});
