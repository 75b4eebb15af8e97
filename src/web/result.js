/* result.js - what the library says in numbers and a sentence, and which request is looked at. */
'use strict';

const sum = (check, key) => check.accesses.reduce((all, row) => all + (row[key] || 0), 0);

function fact(title, value, note, isBad, ofA = '') {
  return h('div', { class: isBad === null ? null : isBad ? 'bad' : 'good' },
    h('dt', {}, title), h('dd', {}, h('b', {}, value), h('span', {}, ofA)),
    h('small', {}, note));
}

/* What A has of it: what() of its check, and of its picture. */
function pinNote(what) {
  const { check, picture } = shown.pinned || {};
  return check && picture ? `A: ${what(check, picture)}` : '';
}
const worstWays = (check) => Math.max(0, ...check.accesses.map((row) => row.ways_max || 0));
const waysText = (ways) => (ways > 0 ? `${ways}-way` : '\u2013');

/* What lanes ask for 8 or 16 bytes each goes in parts, of which each has its own turns. */
function turnsText(check, ways) {
  const row = check.accesses.find((each) => each.ways_max === ways);
  const part = { 2: ', by half-warps', 4: ', by quarter-warps' }[row.bytes >= 8 ? row.ideal / row.requests : 1] || '';
  return ways > 1 ? `${ways} turns at one bank${part}` : 'no lane waits';
}
const drawnRequest = (picture) => picture.picture && picture.picture.requests[0];

/* A request: passes of shared memory, or what it has in other memory. */
function requestFact(request) {
  const title = request.passes || request.sectors === undefined ? 'Passes of this request' : 'Sectors of this request';
  const has = (one) => (one.passes ? one.wavefronts : one.sectors || one.constant_passes || 0);
  const isLike = (one) => one && !one.passes === !request.passes;
  const least = request.passes ? request.ideal : request.least_sectors;
  return fact(title, count(has(request)), least === undefined ? '' : `ideal ${count(least)}`, has(request) > least,
    pinNote((check, picture) => (isLike(drawnRequest(picture)) ? count(has(drawnRequest(picture))) : '\u2013')));
}

/* Of all requests: those of shared memory, or of none but global memory's. */
function totalFacts(check) {
  const isOther = sum(check, 'wavefronts') === 0 && sum(check, 'sectors') > 0;
  const requests = many(sum({ accesses: check.accesses.filter((row) => isOther || row.wavefronts > 0) }, 'requests'), 'request');
  if (isOther) {
    return [fact('Sectors of all requests', count(sum(check, 'sectors')), requests, null,
      pinNote((other) => (sum(other, 'sectors') > 0 ? count(sum(other, 'sectors')) : '\u2013')))];
  }
  const passes = sum(check, 'wavefronts');
  const ideal = sum(check, 'ideal');
  const ways = worstWays(check);
  return [fact('Passes of all requests', count(passes), `ideal ${count(ideal)}, ${requests}`, passes > ideal,
    pinNote((other) => count(sum(other, 'wavefronts')))),
  fact('Worst request', waysText(ways), ways > 0 ? turnsText(check, ways) : 'no lane waits', ways > 1,
    pinNote((other) => waysText(worstWays(other))))];
}

/* What json's words say, of which others say themselves. */
const HOLDS = { 'shared data pipe': 'shared memory\u2019s data pipe', 'shared latency': 'shared memory\u2019s latency',
  issue: 'issue and arithmetic', 'data pipe': 'the data pipe, with global requests', 'L2 latency': 'waiting for L2',
  'device memory': 'device memory, if no cache has its sectors', 'tensor cores': 'the tensor cores',
  TMA: 'copies by TMA', waits: 'waits for copies and wgmma, of which too few are under way' };

/* Of a grid, or with other memory: what the blocks take together, and what decides whether conflicts matter. */
function launchText(check) {
  const { launch_cycles: played, launch_least_cycles: least, launch_most_cycles: most, held_up_by: by } = check;
  const takes = `${many(played || 0, 'cycle')}${least ? ` (${count(least)} to ${count(most)})` : ''}`;
  const gain = !check.speedup_at_most ? ''
    : `; without conflicts, index arithmetic not counted, at most ${check.speedup_at_most.toFixed(2)} times as fast`;
  return !by ? '' : `The launch ${played ? `takes ${takes} by shared memory, ` : 'is '}held up by ${HOLDS[by] || by}${gain}.`;
}

/* Of an access that has no request to draw. */
const absentText = (row) => (row && row.requests > 0 && /^(tma|bulk|wgmma) /.test(row.op)
  ? 'No lane has a part in it, and it has no bank conflict.' : 'No thread comes to this access.');

function showFacts() {
  const { check } = shown;
  const launch = launchText(check);
  byId('launch').hidden = launch === '';
  say(byId('launch'), launch);
  const request = drawnRequest(shown.picture);
  const facts = [...(request ? [requestFact(request)] : []), ...totalFacts(check)];
  if (check.cycles) {
    const lost = check.cycles - check.cycles_ideal;
    facts.push(fact('Cycles of the block', count(check.cycles), (lost > 0
      ? `${count(check.cycles_ideal)} without conflicts` : 'none of them for conflicts'),
    lost > 0, pinNote((other) => count(other.cycles || 0))));
  }
  replaceOthers(byId('facts'), facts);
  say(byId('why'), request ? request.why : absentText(check.accesses[state.access]));
  const rests = check.rests_on || [];
  const assumed = rests.filter((rule) => rule.grade === 'assumed');
  say(byId('basis'), rests.length === 0 ? '' : assumed.length > 0
    ? `Assumed of ${check.device}: ${assumed.map((rule) => rule.rule).join(', ')}.`
    : `Counts on ${check.device} rest on ${[...new Set(rests.map((rule) => rule.grade))].join(' and ')} rules.`);
}

const conflictText = ({ ways_max: ways }) => (ways > 1 ? `${ways}-way` : 'no conflict');

/* Several that read alike are told apart by their order. */
function whichOf(rows, i) {
  const same = rows.filter(({ op, access }) => op === rows[i].op && access === rows[i].access);
  return same.length > 1 ? ` (${same.indexOf(rows[i]) + 1} of ${same.length})` : '';
}

function showAccesses() {
  const rows = shown.check.accesses;
  if (isShown('accesses', [rows, state.access])) {
    return;
  }
  const hadFocus = byId('accesses').contains(document.activeElement);
  byId('accesses').replaceChildren(...rows.map((row, i) => {
    const isBad = row.excessive > 0;
    const cost = row.wavefronts > 0 || row.sectors === undefined || row.sectors === null
      ? `${many(row.wavefronts || row.constant_passes || 0, 'pass', 'passes')}, ideal `
        + count(row.ideal || 0)
      : `${many(row.sectors, 'sector')} of global memory`;
    return h('label', {}, h('input', { type: 'radio', name: 'access', value: i,
      checked: i === state.access, onchange: () => choose({ access: i, warp: null, turn: 0, pass: 0 }) }),
    h('code', {}, `${row.op} ${row.access}`),
    h('small', {}, h('span', { class: isBad ? 'bad' : null },
      row.ways_max > 0 ? conflictText(row) : row.requests > 0 ? '' : 'no thread comes to it'),
    row.requests > 0 ? `${row.ways_max > 0 ? ', ' : ''}${cost}` : '', whichOf(rows, i)));
  }));
  const chosen = byId('accesses').querySelector(':checked');
  if (chosen && hadFocus) {
    chosen.focus();
  }
  if (chosen && byId('accesses').scrollHeight > byId('accesses').clientHeight) {
    byId('accesses').scrollTop = chosen.parentElement.offsetTop - byId('accesses').offsetTop;
  }
}

function showWhich() {
  const { warp, warps, turn, turns } = shown.picture;
  document.querySelector('.which').hidden = isKernel(state.text); /* of a launch each different request is kept once */
  const choice = byId('warp');
  if (choice.options.length !== warps + 1) {
    choice.replaceChildren(h('option', { value: '' }, 'the worst'), ...Array.from({ length: warps },
      (_, i) => h('option', { value: i }, i)));
  }
  say(choice.options[0], state.warp === null ? `the worst: ${warp}` : 'the worst');
  choice.value = state.warp === null ? '' : warp;
  byId('turn-label').hidden = turns < 2;
  byId('turn').max = turns;
  byId('turn').value = turn + 1;
  say(byId('turns'), `of ${count(turns)}`);
}

function choose(change) {
  Object.assign(state, change);
  run();
}
byId('warp').addEventListener('change', () => {
  const { value } = byId('warp');
  choose({ warp: value === '' ? null : Number(value), turn: 0, pass: 0 });
});
byId('turn').addEventListener('input', () => {
  const turn = Number(byId('turn').value) - 1;
  if (turn >= 0 && turn < shown.picture.turns) {
    choose({ warp: shown.picture.warp, turn, pass: 0 });
  }
});
