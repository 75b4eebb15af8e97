/* exercises.js - a task, and whether the core says that it is done. */
'use strict';

/* The one that is worked in, or undefined. It is read when it is: there are many. */
function exercise() {
  const chosen = exercises.find((each) => each.name === state.exercise);
  return chosen && { name: chosen.name, ...readExercise(chosen.text) };
}

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

const workLine = (lacks) => (lacks === '' ? h('li', { class: 'good' }, h('b', {}, 'Done'), ' the same work')
  : h('li', { class: 'bad' }, h('b', {}, 'Not yet'), ` the same work: ${lacks}`));

/* found: {goals, lacks}; null: the text is not understood. */
function showTask(found) {
  const task = exercise();
  byId('task').hidden = !task;
  byId('code').classList.toggle('working', !!task);
  byId('goals').classList.toggle('stale', !found);
  const isSolved = !!found && found.lacks === '' && found.goals.every((goal) => goal.holds);
  byId('task').classList.toggle('solved', isSolved);
  byId('code').classList.toggle('solved', isSolved);
  if (!task || isShown('task', [state.exercise, found])) {
    return;
  }
  byId('task-title').textContent = `Exercise ${task.name}${isSolved ? ': solved' : ''}`;
  byId('task-text').textContent = task.story;
  byId('task-goal').textContent = task.goal;
  if (!isShown('hints', [state.exercise])) {
    byId('hints').replaceChildren(...task.hints.map((hint, i) => h('details', {},
      h('summary', {}, task.hints.length > 1 ? `Hint ${i + 1}` : 'Hint'), h('p', {}, hint))));
  }
  if (found) {
    byId('goals').replaceChildren(...goalLines(found.goals), workLine(found.lacks));
  }
}

/* What is asked for is the exercise's, whatever the text itself expects. */
async function findGoals() {
  const task = exercise();
  if (!task) {
    showTask(null);
    return;
  }
  const [answer] = await library.ask(question('goals', { text: withoutGoals(state.text) },
    ...task.works.flatMap((work) => ['work', work]), 'text', 'goal', task.goals));
  showTask(answer.status === 0 ? JSON.parse(answer.text) : null);
}
function beginWith(text, name) {
  mark();
  Object.assign(state, { access: null, warp: null, turn: 0, pass: 0, array: null, exercise: name, launch: null });
  state.text = text;
  showText();
  run();
}
byId('again').addEventListener('click', () => beginWith(exercise().begin, state.exercise));
byId('leave').addEventListener('click', () => {
  state.exercise = null;
  run();
});
