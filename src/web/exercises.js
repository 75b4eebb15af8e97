/* exercises.js - a task, and whether the core says that it is done. */
'use strict';

const exercise = () => exercises.find((each) => each.name === state.exercise);

function goalLine(goal) {
  return h('li', { class: goal.holds ? 'good' : 'bad' }, h('b', {}, goal.holds ? 'Done' : 'Not yet'),
    ` ${goal.goal}: `, h('code', {}, `${goal.op} ${goal.access}`), goal.holds ? '' : `, ${goal.values}`);
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
  byId('goals').replaceChildren(...goals.map(goalLine), ...(isWhole ? []
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
