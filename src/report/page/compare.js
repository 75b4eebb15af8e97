/* compare.js - two kernels side by side; then all of it is drawn. */
'use strict';

function change(a, b) {
  if (a === b) {
    return 'the same';
  }
  if (a === 0 || b === 0) {
    return b === 0 ? 'none left' : 'new';
  }
  const [more, less] = [Math.max(a, b), Math.min(a, b)];
  const times = more < 1.5 * less ? percent(more - less, a)
    : Number((more / less).toPrecision(3)) + '\u00d7';
  return times + (b < a ? ' fewer' : ' more');
}

const compared = [
  ['Shared requests', (k) => k.requests],
  ['Wavefronts', (k) => k.wavefronts],
  ['Ideal', (k) => k.ideal],
  ['Excessive', (k) => k.excessive],
  ['\u2013 of loads', (k) => k.load_excessive],
  ['\u2013 of stores', (k) => k.store_excessive],
  ['\u2013 of atomics', (k) => k.atomic_excessive],
  ['Worst, ways', (k) => k.ways_max],
  ['Cycles, block by block', (k) => k.cycles || 0],
  ['\u2013 without conflicts', (k) => k.cycles_ideal || 0],
  ['\u2013 with other memory, at least', (k) => k.cycles_at_least || 0],
  ['Shared bytes per block', (k) => k.shared_bytes],
];

/* The same site of another kernel: its number and opcode, or else its place among the sites. */
function counterpart(site, kernel) {
  return kernel.sites.find((other) => other.site === site.site && other.opcode === site.opcode)
    || kernel.sites[site.owner.sites.indexOf(site)] || worstFirst(kernel.sites)[0];
}

function compare() {
  const body = byId('compare-body');
  const able = kernels.filter((kernel) => kernel.sites.some((site) => site.patterns));
  if (able.length < 2) {
    byId('to-compare').remove();
    body.append(h('p', { class: 'hint' }, 'This report holds one kernel with shared requests. '
      + 'Give two traces, for instance one without and one with padding, and they stand here '
      + 'side by side:'),
    h('pre', {}, h('code', {},
      'banksim run --format html -o report.html pad0.trace pad1.trace')));
    return;
  }
  const together = h('input', { type: 'checkbox', id: 'together', checked: true });
  const sides = ['A', 'B'].map((letter, i) => side(letter, i));
  const numbers = h('div');

  function side(letter, i) {
    const me = { kernel: able[i] };
    me.viewer = viewer('Passes of ' + letter, (pass) => together.checked && sides
      && sides[1 - i].viewer.state.request && sides[1 - i].viewer.goTo(pass));
    me.kernels = h('select', { id: 'kernel-' + letter, onchange: () => {
      me.kernel = able[me.kernels.selectedIndex];
      setKernel(me);
      update();
    } }, able.map((kernel) => h('option', {}, kernel.title)));
    me.sites = h('select', { id: 'site-' + letter, onchange: () => {
      setSite(me, me.kernel.sites[me.sites.selectedIndex]);
      const other = sides[1 - i];
      if (together.checked) {
        setSite(other, counterpart(me.site, other.kernel));
      }
    } });
    me.element = h('div', {}, h('h3', {}, letter),
      h('div', { class: 'controls' }, h('label', { for: 'kernel-' + letter }, 'Kernel'),
        me.kernels),
      h('div', { class: 'controls' }, h('label', { for: 'site-' + letter }, 'Site'), me.sites),
      me.viewer.element);
    me.kernels.selectedIndex = i;
    return me;
  }
  function setSite(me, site) {
    me.site = site;
    me.sites.selectedIndex = me.kernel.sites.indexOf(site);
    me.viewer.show(site);
  }
  function setKernel(me) {
    me.sites.replaceChildren(...me.kernel.sites.map((site) => h('option', {}, siteTitle(site)
      + (site.text ? ': ' + site.text : ''))));
    const other = sides.find((each) => each !== me);
    setSite(me, me !== sides[0] && other.site ? counterpart(other.site, me.kernel)
      : worstFirst(me.kernel.sites)[0]);
  }
  function update() {
    const [a, b] = sides.map((each) => each.kernel);
    numbers.replaceChildren(h('table', { id: 'compare-numbers' },
      h('caption', {}, 'A is ', h('bdi', {}, a.title), ', B is ', h('bdi', {}, b.title)),
      h('thead', {}, h('tr', {}, ['Number', 'A', 'B', 'B against A'].map((title, i) =>
        h('th', { scope: 'col', class: i === 0 ? 'left' : null }, title)))),
      h('tbody', {}, compared.filter(([, get]) => get(a) > 0 || get(b) > 0).map(([title, get]) =>
        h('tr', {}, h('th', { scope: 'row', class: 'left' }, title), h('td', {}, count(get(a))),
          h('td', {}, count(get(b))), h('td', {}, change(get(a), get(b))))))));
  }
  body.append(numbers, h('p', { class: 'controls' }, together, h('label', { for: 'together' },
    'Step both together, and choose the same site in both')),
  h('div', { class: 'pair' }, sides.map((each) => each.element)));
  sides.forEach(setKernel);
  update();
}

summary();
siteTable();
compare();
