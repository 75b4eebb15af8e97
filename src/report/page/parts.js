/* parts.js - the parts of the page. */
'use strict';

function card(title, value, note) {
  return h('div', {}, h('dt', {}, title), h('dd', {}, value, note ? h('small', {}, note) : null));
}

/* As many cards in a row as leave no hole in the last one, or the smallest. */
function fillRows(list, n) {
  const LEAST_WIDTH = 152;
  new ResizeObserver(() => {
    const most = Math.max(2, Math.floor(list.clientWidth / LEAST_WIDTH));
    list.style.setProperty('--columns', Math.ceil(n / Math.ceil(n / most)));
  }).observe(list);
}

function summary() {
  const total = data.total;
  const devices = [...new Set(kernels.map((kernel) => kernel.device))];
  byId('subject').replaceChildren(h('bdi', {}, kernels.length === 1 ? kernels[0].kernel
    : many(kernels.length + data.kernels_left_out, 'kernel')), ' on ' + devices.join(', '));
  const cards = [
    card('Shared requests', count(total.requests)),
    card('Wavefronts', least(total) + count(total.wavefronts),
      ratio(total.wavefronts, total.requests) + ' per request'),
    card('Ideal', count(total.ideal)),
    card('Excessive', count(total.excessive),
      percent(total.excessive, total.wavefronts) + ' of the wavefronts'),
    card('Worst', total.ways_max > 0 ? total.ways_max + '-way' : '\u2013'),
    card('Efficiency', percent(total.bytes_asked, total.bytes_moved),
      'of the bandwidth moved bytes that lanes asked for'),
    card('Bank use', percent(total.bytes_served, total.bytes_moved),
      'the same, where a byte for several lanes counts once'),
  ];
  const isTimed = devices.length === 1 && data.kernels_left_out === 0 && kernels.length > 0
    && kernels.every((kernel) => kernel.cycles);
  const sum = (name) => kernels.reduce((all, kernel) => all + (kernel[name] || 0), 0);
  if (isTimed) {
    const hasIdeal = kernels.every((kernel) => kernel.cycles_ideal > 0);
    cards.push(card('Cycles, block by block', count(sum('cycles')), 'of shared memory alone'
      + (hasIdeal ? ', ' + count(sum('cycles_ideal')) + ' without conflicts' : '')));
  }
  if (isTimed && sum('other_requests') > 0) {
    cards.push(card('With other memory', '\u2265 ' + count(sum('cycles_at_least')),
      count(sum('cycles_in_turn')) + ' cycles if nothing overlaps'));
  }
  const most = Math.max(0, ...kernels.filter((k) => k.opt_in).map((k) => k.shared_bytes));
  if (most > 0) {
    cards.push(card('Shared memory a block', count(most) + ' bytes', 'beyond 49152 it is extern, '
      + 'after cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ' + most
      + ')'));
  }
  byId('cards').append(...cards);
  fillRows(byId('cards'), cards.length);
  if (kernels.every((kernel) => cost(kernel) === 0)) {
    document.querySelector('.verdict').classList.add('fine');
  }
  const left = data.kernels_left_out;
  const columns = [
    { title: 'Kernel', left: true, wide: true, value: (k) => k.title,
      show: (k) => words(k.title) },
    { title: 'Device', left: true, value: (k) => k.device, show: (k) => k.device },
    number('Requests', (k) => k.requests),
    { title: 'Wavefronts', value: (k) => k.wavefronts,
      show: (k) => least(k) + count(k.wavefronts) },
    { title: 'Per request', value: (k) => k.wavefronts_per_request || 0,
      show: (k) => ratio(k.wavefronts, k.requests) },
    excessive(kernels),
    { title: 'Ways', value: (k) => k.ways_max, show: (k) => ways(k) },
    kernels.some((k) => k.cycles) ? { title: 'Cycles', value: (k) => k.cycles || 0,
      show: (k) => (k.cycles ? count(k.cycles) : '\u2013') } : null,
    kernels.some(isCostKnown) ? lostCycles(kernels) : null,
    { title: 'Efficiency', value: (k) => k.efficiency || 0,
      show: (k) => percent(k.bytes_asked, k.bytes_moved) },
    { title: 'Bank use', value: (k) => k.bank_use || 0,
      show: (k) => percent(k.bytes_served, k.bytes_moved) },
  ].filter(Boolean);
  if (kernels.length > 1) {
    const caption = many(kernels.length, 'kernel') + (left > 0 ? ', those whose conflicts cost '
      + 'most; ' + count(left) + ' further ones are left out to keep this page small' : '');
    byId('kernels').append(table({ caption, noun: 'kernel', columns,
      items: worstFirst(kernels) }).element);
  }
}

/* Of the warps' time, what the site's requests hold them up. */
const stalled = (site) => (site.stall_pipe + site.stall_latency) / (site.owner.stalls || 1);
function speedUp(site) {
  if (site.cycles === null || site.excessive === 0) {
    return '\u2013';
  }
  return site.speedup === null ? '?' : site.speedup.toFixed(2);
}

function costText(site) {
  if (!isShared(site) || site.excessive === 0) {
    return null;
  }
  if (!isCostKnown(site)) {
    return 'What its conflicts cost was not simulated.';
  }
  if (lost(site) > 0) {
    return 'Its conflicts cost ' + count(lost(site)) + ' of the kernel\u2019s '
      + many(site.cycles, 'cycle') + ': ' + speedUp(site) + ' times as fast without.';
  }
  const others = site.owner.sites.reduce((sum, other) => sum + lost(other), 0);
  return others < lost(site.owner)
    ? 'Its conflicts cost nothing alone, only together with those of other sites.'
    : 'Its conflicts cost nothing: hidden behind other work.';
}

/* What is shown, as a link: the kernel, its site, the request's place among those of the site, the
 * pass. Where the reader stays goes into the address, as browsers refuse it at every step. */
const ADDRESS_MS = 200;
const permalink = h('a', {}, 'Link to this pass');
let isReady = false;
let timer;
function tellAddress({ site, request, index, pass }) {
  const link = new URLSearchParams(kernels.length > 1 ? { kernel: site.owner.id + 1 } : {});
  link.set('site', site.site > 0 ? site.site : site.opcode);
  if (request) {
    link.set('request', index + 1);
    link.set('pass', pass + 1);
  }
  permalink.href = '#' + link;
  if (isReady) {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, '', permalink.href), ADDRESS_MS);
  }
}
const main = viewer('Passes of the chosen request', () => tellAddress(main.state), permalink);

function showSite(site) {
  byId('site-title').replaceChildren('Passes of ' + siteTitle(site),
    kernels.length > 1 ? ' in ' : '', kernels.length > 1 ? h('bdi', {}, site.owner.title) : '');
  const where = place(site) ? h('bdi', { class: 'mono' }, place(site))
    : 'The trace names no source place for it.';
  byId('site-source').replaceChildren(h('figure', {}, h('figcaption', {}, where),
    site.text ? h('pre', {}, h('code', {}, h('bdi', {}, site.text))) : null));
  const costs = costText(site);
  if (costs) {
    byId('site-source').append(h('p', {}, costs));
  }
  byId('site-heat').replaceChildren(...heats(site));
  main.show(site);
  tellAddress(main.state);
}

function siteTable() {
  if (sites.length === 0) {
    byId('sites-table').append(h('p', {}, 'No instruction of this run touches memory.'));
    byId('site').hidden = true;
    return;
  }
  const isTimed = sites.some((x) => x.cycles !== null);
  const columns = [
    { title: 'Site', left: true, value: (x) => x.site, label: siteTitle,
      show: (x) => (x.site > 0 ? String(x.site) : 'none') },
    kernels.length > 1 ? { title: 'Kernel', left: true, wide: true, value: (x) => x.owner.title,
      show: (x) => words(x.owner.title) } : null,
    { title: 'Opcode', left: true, name: true, value: (x) => x.opcode,
      show: (x) => h('code', {}, x.opcode) },
    number('Requests', (x) => x.requests),
    { title: 'Wavefronts', value: (x) => x.wavefronts,
      show: (x) => (isShared(x) ? least(x) + count(x.wavefronts) : '\u2013') },
    isTimed ? null : { title: 'Per request', value: (x) => x.wavefronts_per_request || 0,
      show: (x) => isShared(x) ? ratio(x.wavefronts, x.requests) : '\u2013' },
    excessive(sites, isShared),
    { title: 'Ways', value: (x) => x.ways_max, show: (x) => (isShared(x) ? ways(x) : '\u2013') },
    isTimed ? { title: 'Stalls', value: stalled, show: (x) => (x.cycles !== null
      && x.owner.stalls > 0 ? percent(stalled(x), 1) : '\u2013') } : null,
    isTimed ? { title: 'Speed-up', value: (x) => x.speedup || 0, show: speedUp } : null,
    sites.some((x) => x.sectors > 0) ? number('Sectors', (x) => x.sectors, hasSectors) : null,
    { title: 'Banks', value: (x) => Math.max(0, ...(worstPasses.get(x) || [])), show: strip },
    sites.some((x) => x.file || x.text) ? { title: 'Source', left: true, wide: true,
      value: (x) => place(x) + ' ' + x.text,
      show: (x) => h('span', {}, place(x) ? h('span', { class: 'where mono' }, words(place(x))) : null,
        h('code', {}, h('bdi', {}, x.text))) } : null,
  ].filter(Boolean);
  const left = data.sites_left_out;
  const caption = many(sites.length, 'site') + (left > 0 ? ', those whose conflicts cost most; '
    + count(left) + ' further ones are left out to keep this page small, \u2018banksim run --per '
    + 'site\u2019 has them' : '');
  const list = table({ caption, noun: 'site', columns, items: worstFirst(sites), choose: open });
  byId('sites-table').append(list.element);
  byId('site-viewer').append(main.element);
  function open(site) {
    list.mark(site);
    showSite(site);
  }
  /* What the address names; false: nothing of this page. */
  function follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const site = sites.find((each) => asked.get('site') === String(each.site || each.opcode)
      && (!asked.has('kernel') || Number(asked.get('kernel')) === each.owner.id + 1));
    if (!site) {
      return false;
    }
    const [request, pass] = ['request', 'pass'].map((name) => Number(asked.get(name)) - 1 || 0);
    open(site);
    if (main.state.request) {
      main.choose(request);
      main.step(pass);
    }
    byId('site').scrollIntoView();
    return true;
  }
  if (!follow()) {
    open(worstFirst(sites)[0]);
  }
  window.addEventListener('hashchange', follow);
  isReady = true;
}
