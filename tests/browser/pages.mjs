/* pages.mjs - the traces that the browser's tests look at, and the program that makes pages of them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

export function banksim(...words) {
  return execFileSync(process.env.BANKSIM, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/* Writes the traces, and their page. */
export function makePage(path, traces, ...options) {
  traces.forEach((text, i) => writeFileSync(`${path}.${i}.trace`, text));
  banksim('run', '--format', 'html', '-o', path, ...options,
    ...traces.map((_, i) => `${path}.${i}.trace`));
  return path;
}

/* xorshift, seeded: the same requests everywhere. */
export function randomSource(seed) {
  let state = seed >>> 0;
  return (n) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % n;
  };
}

const opcodes = [['ld.shared.u8', 1], ['ld.shared.u16', 2], ['ld.shared.u32', 4], ['ld.shared.f64', 8],
  ['ld.shared.v2.f32', 8], ['ld.shared.v4.f32', 16], ['st.shared.u8', 1], ['st.shared.u32', 4],
  ['st.shared.v2.f32', 8], ['st.shared.v4.f32', 16], ['atom.shared.add.u32', 4],
  ['atom.shared.cas.b32', 4], ['red.shared.add.u32', 4], ['atom.shared.exch.b64', 8],
  ['cp.async.ca.shared.global.16', 16], ['ldmatrix.sync.aligned.m8n8.x4.shared.b16', 16],
  ['ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16', 16]];

function addresses(random, n, bytes) {
  const span = [8, 64, 1024][random(3)];
  const stride = random(70);
  const shape = random(3);
  return Array.from({ length: n }, (_, i) =>
    bytes * (shape === 0 ? random(span) : shape === 1 ? stride * i : random(4) * 32 + random(8)));
}

/* A line of a trace for each of n random requests, the first on line 4. */
export function randomTrace(n, seed, block = 32) {
  const random = randomSource(seed);
  const known = banksim('list', 'opcodes', '--format', 'csv').split('\n').map((line) => line.split(',')[0]);
  const usable = opcodes.filter(([name]) => known.includes(name));
  if (usable.length !== opcodes.length) {
    throw new Error(`unknown opcode among ${opcodes.map(([name]) => name)}`);
  }
  const lines = ['banksim-trace 1', `kernel random block=${block}`, 'block 0'];
  for (let i = 0; i < n; i++) {
    const [name, bytes] = usable[random(usable.length)];
    const isMatrix = name.startsWith('ldmatrix');
    let mask = isMatrix || random(2) === 0 ? 0xffffffff : (random(0xffff) * 65536 + random(0xffff) + 1) >>> 0;
    const rows = name.includes('.x4') ? 32 : 8;
    const lanes = isMatrix ? rows : mask.toString(2).replaceAll('0', '').length;
    lines.push(`w${random(block / 32)} ${name} ${mask.toString(16).padStart(8, '0')} `
      + addresses(random, lanes, bytes).join(','));
  }
  return [...lines, 'end', ''].join('\n');
}

/* Kernels k00, k01, ... with two sites each. */
export function manyKernels(n) {
  const kernel = (i) => [`kernel k${String(i).padStart(2, '0')} block=32`,
    'site 1 ld.shared.u32 at=k.cu:3 text="load"', 'site 2 st.shared.u32 at=k.cu:4 text="store"', 'block 0',
    `w0 @1 ffffffff 0+${4 * i}`, 'w0 @2 ffffffff 0+4'];
  return ['banksim-trace 1', ...Array.from({ length: n }, (_, i) => kernel(i)).flat(), 'end', ''].join('\n');
}

/* Declarations of arrays and a load of a warp's lanes, all of whose arrays' cells fit into a page's picture. */
export const declared = [
  ['float tile[32][33]', 'tile[lane][5]'],
  ['float tile[32][32] swizzle<5,0,5>', 'tile[lane][5]'],
  ['half a[4][64], b[32][64] swizzle 128B', 'b[lane][2]'],
  ['float t[32][32] pad 1', 't[lane][lane / 8]'],
  ['double d[8][8][8]', 'd[3][lane / 4][lane % 4]'],
  ['unsigned char c[512]', 'c[4 * lane]'],
  ['extern float s[]', 's[3 * lane]'],
  ['struct P { float x; int k[2]; } p[64]', 'p[lane].k[1]'],
];

/* The trace of the load. */
export const declaredTrace = ([shared, load]) => banksim('check', '--shared', shared, '--load', load, '--emit-trace', '-');

/* Names that try to become markup. */
export const hostile = {
  kernel: '<script>alert(1)</script>',
  file: "<img/src/onerror='alert(2)'>.cu",
  text: '</script><!--<svg onload=alert(3)> &amp; "\u2028 \u202e x = \'y\'',
};

export const hostileTrace = ['banksim-trace 1', `kernel ${hostile.kernel} block=32`,
  `site 1 ld.shared.u32 at=${hostile.file}:3 text="${hostile.text.replace('"', '\\"')}"`,
  'block 0', 'w0 @1 ffffffff 0+128', 'end', ''].join('\n');
