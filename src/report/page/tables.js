/* tables.js - tables that sort. */
'use strict';

/* columns: {title, value(item), show(item), left, wide, sorts}. A row is chosen by a click
 * anywhere in it or by the button in its first cell; arrow keys go from button to button. Of a
 * long list the first rows are shown, and those of a word that the reader types. */
const LONG_LIST = 10;
const SHOWN_ROWS = 20;

function table({ caption, noun, columns, items, choose }) {
  const body = h('tbody', { role: 'rowgroup' });
  const word = h('input', { type: 'search', 'aria-label': 'Filter the ' + noun,
    oninput: () => arrange() });
  const all = h('button', { type: 'button', class: 'act', onclick: () => {
    showsAll = !showsAll;
    arrange();
  } });
  const shownCount = h('output', { 'aria-live': 'polite' });
  let showsAll = false;
  let order = {}; /* at first as the items are */
  const rows = new Map();
  for (const item of items) {
    const row = h('tr', { role: 'row', class: choose ? 'choice' : null,
      onclick: () => choose && choose(item) });
    columns.forEach((column, i) => {
      const shown = column.show(item);
      const cell = h(i === 0 ? 'th' : 'td', { role: i === 0 ? 'rowheader' : 'cell',
        scope: i === 0 ? 'row' : null, 'data-title': column.title,
        class: ['left', 'wide', 'name'].filter((each) => column[each]).join(' ') || null });
      cell.append(i === 0 && choose ? h('button', { type: 'button', class: 'pick',
        'aria-label': column.label ? column.label(item) : null }, shown) : shown);
      row.append(cell);
    });
    rows.set(item, row);
  }
  body.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...body.querySelectorAll('button.pick')];
    const next = buttons[buttons.indexOf(event.target) + step];
    if (step && next) {
      next.focus();
      event.preventDefault();
    }
  });
  const heads = columns.map((column) => h('th', { scope: 'col', role: 'columnheader',
    class: column.left ? 'left' : null, 'aria-sort': 'none' },
  h('button', { type: 'button', onclick: () => sort(column) }, column.title)));

  function sort(column) {
    const isText = typeof column.value(items[0]) === 'string';
    order = { column, down: order.column === column ? !order.down : !isText };
    arrange();
  }
  function arrange() {
    const value = order.column ? order.column.value : () => 0;
    const sorted = [...items].sort((a, b) => {
      const x = value(a);
      const y = value(b);
      const up = typeof x === 'string' ? x.localeCompare(y, 'en', { numeric: true }) : x - y;
      return (order.down ? -up : up) || items.indexOf(a) - items.indexOf(b);
    });
    const wanted = word.value.trim().toLowerCase();
    const found = sorted.map((item) => rows.get(item)).filter((row) =>
      row.textContent.toLowerCase().includes(wanted));
    const shown = found.slice(0, showsAll ? found.length : SHOWN_ROWS);
    body.replaceChildren(...shown);
    shownCount.textContent = shown.length === items.length ? 'all ' + many(items.length, noun)
      : shown.length + ' of ' + many(items.length, noun);
    all.hidden = found.length <= SHOWN_ROWS;
    all.textContent = showsAll ? 'Show ' + SHOWN_ROWS : 'Show all ' + found.length;
    columns.forEach((column, i) => heads[i].setAttribute('aria-sort',
      column !== order.column ? 'none' : order.down ? 'descending' : 'ascending'));
  }
  arrange();
  return {
    element: h('div', {}, items.length <= LONG_LIST ? null : h('div', { class: 'controls' },
      h('label', {}, 'Filter ', word), shownCount, all), h('div', { class: 'scroll' }, h('table', { role: 'table', class: 'cards-below' },
      h('caption', {}, caption),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)), body))),
    mark: (chosen) => rows.forEach((row, item) => (item === chosen
      ? row.setAttribute('aria-current', 'true') : row.removeAttribute('aria-current'))),
  };
}

const number = (title, value, says = () => true) => ({ title, value,
  show: (item) => (says(item) ? count(value(item)) : '\u2013') });

/* A number with a bar; isBad tells whether it is drawn as something to mend. */
function bars(title, list, { value, order = value, says = () => true, isBad }) {
  const most = Math.max(1, ...list.filter(says).map(value));
  return { title, value: order,
    show: (item) => {
      if (!says(item)) {
        return '\u2013';
      }
      const bar = h('i');
      bar.style.setProperty('--v', value(item) / most);
      return h('span', { class: isBad(item) ? 'bad' : null }, count(value(item)),
        h('span', { class: 'bar', 'aria-hidden': 'true' }, value(item) > 0 ? bar : null));
    } };
}
const excessive = (list, says) => bars('Excessive', list,
  { value: (item) => item.excessive, says, isBad: (item) => cost(item) > 0 });

/* By what conflicts cost; where that is not known, excessive wavefronts give the place. */
const lostCycles = (list) => bars('Cycles lost', list,
  { value: lost, order: cost, says: isCostKnown, isBad: (item) => lost(item) > 0 });
