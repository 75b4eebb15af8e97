/* banks.js - the banks of a request, and of a site. */
'use strict';

const heldUp = (site) => Boolean(site.held_up) && site.held_up.some((n) => n > 0);

/* In how many passes of a request each bank serves. */
function passesOfBanks(request, n) {
  const passes = Array(n).fill(0);
  request.passes.flatMap((pass) => pass.grants).forEach((grant) => { passes[grant.bank]++; });
  return passes;
}

function busyText(list) {
  const busy = list.filter((n) => n > 0).length;
  return busy === list.length ? 'all ' + many(busy, 'bank') + ' busy'
    : many(busy, 'bank') + ' busy, ' + (list.length - busy) + ' idle';
}

/* Of each site with passes to draw: those of the banks in its worst request. */
const worstPasses = new Map(sites.filter((site) => site.patterns && site.patterns.length > 0)
  .map((site) => [site, passesOfBanks(readRequest(site, 0), site.owner.banks)]));
const mostPasses = Math.max(1, ...[...worstPasses.values()].map((list) => Math.max(...list)));

/* One bar per bank, of the site's worst request and as high as the sites compare: the sum over
 * all requests can be even where each waits for another bank. */
function strip(site) {
  const list = worstPasses.get(site);
  if (!list) {
    return h('span', {}, '\u2013');
  }
  const worst = Math.max(...list);
  const width = 128 / list.length;
  const height = (n) => Math.max(2, 18 * n / mostPasses);
  const text = 'worst request: bank ' + list.indexOf(worst) + ' serves in '
    + many(worst, 'pass', 'passes') + '; ' + busyText(list);
  return s('svg', { class: site.excessive > 0 ? 'strip' : 'strip turns', viewBox: '0 0 128 20',
    role: 'img', 'aria-label': text }, s('title', {}, text),
  s('line', { x1: 0, x2: 128, y1: 19.5, y2: 19.5 }),
  list.map((n, bank) => n === 0 ? null : s('rect', { x: bank * width + .4, width: width - .8,
    y: 19 - height(n), height: height(n) })));
}

function heat({ title, hint, list, kind, words, top = 1 }) {
  const most = Math.max(1, ...list);
  const differ = list.some((n) => n !== list[0]);
  const head = h('div', { class: 'headed' }, h('h4', {}, title), h('p', { class: 'hint' }, hint));
  return h('div', {}, head,
    h('ol', { class: 'heat ' + kind, start: 0, 'aria-label': title }, list.map((n, bank) => {
      const cell = h('li', { class: differ && n === most ? 'most' : null, title: words(bank, n) },
        h('b', { 'aria-hidden': 'true' }, short(n)),
        h('span', { role: 'img', 'aria-label': words(bank, n) }, bank));
      cell.style.setProperty('--v', n / Math.max(top, most));
      return cell;
    })));
}

/* The tallest column is the number of passes, where all lanes go together; one scale for all
 * requests of the page, so that two beside each other compare. */
function requestHeat(request, kernel) {
  const list = passesOfBanks(request, kernel.banks);
  return heat({ title: 'Passes of each bank', hint: busyText(list), list, top: mostPasses,
    kind: request.excessive > 0 ? 'tall held' : 'tall turns',
    words: (bank, n) => 'bank ' + bank + ': ' + (n > 0 ? many(n, 'pass', 'passes') : 'idle') });
}

function heats(site) {
  if (!site.bank_turns) {
    return [h('p', { class: 'hint' }, 'This instruction does not touch shared memory, so no bank '
      + 'serves it: ' + (site.constant_passes > 0 ? many(site.constant_passes, 'pass', 'passes')
        + ' of constant memory.' : many(site.sectors, 'sector') + ' of 32 bytes in '
        + many(site.lines, 'line') + ' of 128 bytes.'))];
  }
  const parts = [heldUp(site) ? heat({ title: 'Held the others up',
    hint: 'In how many requests the other banks waited for this one; lanes that go in groups '
      + 'count group by group', list: site.held_up, kind: 'held',
    words: (bank, n) => 'bank ' + bank + ': ' + many(n, 'time') })
    : h('p', { class: 'hint' }, 'No bank ever held up another: there are no conflicts here.'),
  heat({ title: 'Words served', hint: 'How many words each bank served', list: site.bank_turns,
    kind: 'turns', words: (bank, n) => 'bank ' + bank + ': ' + many(n, 'word') })];
  const even = heldUp(site) && site.held_up.every((n) => n === site.held_up[0]);
  const title = 'Banks, summed over all ' + many(site.requests, 'request') + ' of this site';
  return [h('details', { 'aria-label': title }, h('summary', {}, title), even ? h('p', { class: 'hint' }, 'Even in sum, as each request '
    + 'waits for another bank.') : null, parts)];
}
