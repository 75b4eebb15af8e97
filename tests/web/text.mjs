/* text.mjs - what sliders and plans change in a text (src/web/text.js), and what sectors of global memory
 * are touched (src/web/sectors.js). Speaks TAP. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const text = require('../../src/web/text.js');
const { sectorsOf } = require('../../src/web/sectors.js');

const tile = (dimensions) => `block 32,32\n__shared__ float tile${dimensions};\nx = tile[0][1];\n`;

const tests = {
  'padding is read from a sum, and from a number next to a power of two'() {
    for (const [last, base, pad] of [['32', '32', 0], ['33', '32', 1], ['32 + 4', '32', 4],
      ['TILE + 1', 'TILE', 1], ['TILE', 'TILE', 0], ['40', '32', 8], ['48', '48', 0], ['9', '8', 1],
      ['5', '5', 0]]) {
      assert.deepEqual(text.splitDimension(last), [base, pad], last);
    }
  },
  'a row that is asked for as a whole has no padding'() {
    assert.deepEqual(text.splitDimension('16 + 2', true), ['16 + 2', 0]);
    const halo = tile('[18][18]');
    assert.equal(text.withoutLayouts(halo, ['tile'], ['tile']), halo);
    assert.equal(text.withPadding(halo, 'tile', 1, 18, ['tile']), tile('[18][18 + 1]'));
    assert.equal(text.withPlainPadding(halo, ['tile'], ['tile']), halo);
    assert.equal(text.withXor(halo, 'tile', 2, 4, 18, ['tile']), tile('[18][18] row-xor 2,0,0'));
  },
  'a layout that pads is no padding of the rows'() {
    const every = tile('[32][8] pad 1 every 8');
    assert.equal(text.withPlainPadding(every, ['tile']), every);
    assert.equal(text.withPlainPadding(tile('[32][9]'), ['tile']), tile('[32][8 + 1]'));
  },
  'comments declare nothing'() {
    const two = '// __shared__ float t[3];\n__shared__ float /* t[5][5] */ t[8][8];\n';
    assert.equal(text.withPadding(two, 't', 1, 8), two.replace('t[8][8]', 't[8][8 + 1]'));
  },
  'rows may become longer where all places name an element'() {
    const kernel = (use) => `__global__ void k() { __shared__ float a[8][8];\n${use}; }`.replace('{ __', '{\n__');
    for (const use of ['a[i][a[0][1]] = 1', 'b->a = a [i] [j]', 'atomicAdd(&a[i][j], 1)', 'x && a[1][2]', '// a\nb.a']) {
      assert.ok(text.isIndexedWhole(kernel(use), 'a'), use);
    }
    for (const use of ['float *f = &a[0][0]', 'f(a)', 'f(a[i])', '(*a)[3]', '((float *)a)[4]']) {
      assert.ok(!text.isIndexedWhole(kernel(use), 'a'), use);
    }
  },
  'some layouts are no words of a text'() {
    for (const layout of ['pad 1', 'pad 1 every 2 pad 5 every 96', 'row-xor 5,0,0', 'swizzle<3,3,3>', 'xor 5:1,6:2',
      'rotate 3 rotate 4 every 8', 'rotate 3 of 32 xor 7:1']) {
      assert.ok(text.isWord(layout), layout);
    }
    for (const layout of ['members apart', 'structs of 20 bytes', 'pad 1, pad 2', '']) {
      assert.ok(!text.isWord(layout), layout);
    }
  },
  'padding goes into the last dimension, and out of it again'() {
    const padded = text.withPadding(tile('[32][32]'), 'tile', 1, 32);
    assert.equal(padded, tile('[32][32 + 1]'));
    assert.equal(text.withPadding(padded, 'tile', 0, 33), tile('[32][32]'));
    assert.equal(text.withPadding(tile('[32][33]'), 'tile', 2, 33), tile('[32][32 + 2]'));
  },
  'an array of one dimension is padded by its layout'() {
    const padded = text.withPadding('shared float s[1024]\n', 's', 1, 32);
    assert.equal(padded, 'shared float s[1024] pad 1 every 32\n');
    assert.deepEqual(text.readLayout(text.findArray(padded, 's')), { pad: 1, bits: 0 });
  },
  'bits below a bank\'s word stay'() {
    assert.equal(text.withXor(tile('[32][32]'), 'tile', 5, 4, 32), tile('[32][32] row-xor 5,0,0'));
    assert.equal(text.withXor(tile('[32][32]'), 'tile', 4, 2, 32), tile('[32][32] row-xor 4,1,0'));
    assert.equal(text.withXor('shared half s[4096]\n', 's', 5, 2, 64), 'shared half s[4096] swizzle<5,1,5>\n');
    assert.equal(text.withXor(tile('[32][32] row-xor 5,0,0'), 'tile', 0, 4, 32), tile('[32][32]'));
  },
  'one takes the place of the other'() {
    assert.equal(text.withXor(tile('[32][32 + 1]'), 'tile', 5, 4, 33), tile('[32][32] row-xor 5,0,0'));
    assert.equal(text.withPadding(tile('[32][32] row-xor 5,0,0'), 'tile', 1, 32), tile('[32][32 + 1]'));
  },
  'of several arrays in a line the named one changes'() {
    const two = '__shared__ float As[16][16], Bs[16][16] pad 2;\nsum += As[0][0] * Bs[0][0];\n';
    assert.equal(text.withPadding(two, 'As', 1, 16), two.replace('As[16][16]', 'As[16][16 + 1]'));
    assert.equal(text.withPadding(two, 'Bs', 1, 16), two.replace('Bs[16][16] pad 2', 'Bs[16][16 + 1]'));
    assert.equal(text.withoutLayouts(two, ['As', 'Bs']), two.replace(' pad 2', ''));
    assert.equal(text.findArray(two, 's'), null);
  },
  'a tile of TMA and wgmma keeps its layout'() {
    const tiles = 'shared half A[64][64] swizzle 128B, B[64][64] swizzle 128B, C[64][64]\ntma load B, b[0][0], full // not C\n'
      + 'if (warp < 4) wgmma m64n64k16 A[0][0], B[0][0]\n';
    assert.equal(text.withoutLayouts(tiles, ['A', 'B', 'C']), tiles);
    assert.equal(text.withoutLayouts(tiles.replace(/^if.*/m, ''), ['A', 'B', 'C']),
      tiles.replace(/^if.*/m, '').replace('A[64][64] swizzle 128B', 'A[64][64]'));
  },
  'a padding is written as the slider does, whoever wrote it'() {
    const plain = (last) => text.withPlainPadding(tile(`[32][${last}]`), ['tile']);
    assert.equal(plain('33'), tile('[32][32 + 1]'));
    assert.equal(plain('32+1'), tile('[32][32 + 1]'));
    assert.equal(plain('32'), tile('[32][32]'));
    assert.equal(text.withPlainPadding('shared int s[9] pad 1 every 8\n', ['s', 't']), 'shared int s[9] pad 1 every 8\n');
  },
  'sectors have the lanes that ask for their words'() {
    const none = [[], [], [], [], [], [], [], []];
    const word = (at, ...lanes) => none.map((each, i) => (i === at ? lanes : each));
    assert.deepEqual(sectorsOf([4096, 0, null, 3], 1), [[0, word(0, 1, 3)], [128, word(0, 0)]]);
    assert.deepEqual(sectorsOf([28], 8), [[0, word(7, 0)], [1, word(0, 0)]]);
  },
  'plans are written by their names'() {
    const layouts = ['swizzle<3,3,3>', 'swizzle 128B', 'pad 1 every 32', 'xor 5:1,6:2', 'row-xor 2,0,-1'];
    for (const layout of layouts) {
      const laid = text.withLayout(tile('[32][32 + 1]'), 'tile', layout);
      assert.equal(laid, tile(`[32][32] ${layout}`));
      assert.equal(text.withoutLayouts(laid, ['tile']), tile('[32][32]'));
    }
    assert.equal(text.withLayout(tile('[32][32]'), 'tile', 'pad 4'), tile('[32][32 + 4]'));
  },
  'an exercise has a task, hints, a goal and works'() {
    const exercise = text.readExercise('# 7. It is\n# so.\n# Your task: be\n# quick.\n# Hint: go.\n# Hint: run.\nload a\n'
      + '  expect conflicts == 0\n// a remark\nexpect lines < 2\n// Also right is this work:\n// load b\n//   load c\n'
      + '// Also right is this work:\n// load d\n');
    assert.deepEqual(exercise, { story: 'It is so.', goal: 'Your task: be quick.', hints: ['go.', 'run.'],
      begin: 'load a\n  expect conflicts == 0\n// a remark\nexpect lines < 2\n',
      goals: '  expect conflicts == 0\nexpect lines < 2',
      works: ['load a\n\n// a remark\n\n', ' load b\n   load c\n', ' load d\n'] });
    assert.equal(text.withoutGoals('a\nexpect b\nexpected c\n'), 'a\n\nexpected c\n');
  },
  'whole numbers can be dragged, but not those in names and comments'() {
    const line = 'a1[3] = 2.5f + 0x10 + 7; // 8\n/* 9 */ block 16,4';
    assert.deepEqual(text.numbersIn('load s[lane]\n  expect conflicts == 0\n'), []);
    const found = text.numbersIn(line).map(({ begin, end }) => line.slice(begin, end));
    assert.deepEqual(found, ['3', '7', '16', '4']);
    assert.equal(text.withNumber(line, text.numbersIn(line)[0], -2).slice(0, 5), 'a1[0]');
  },
};

let number = 0;
console.log(`1..${Object.keys(tests).length}`);
for (const [name, test] of Object.entries(tests)) {
  number++;
  try {
    test();
    console.log(`ok ${number} - ${name}`);
  } catch (error) {
    console.log(`not ok ${number} - ${name}\n${String(error.stack).replace(/^/gm, '# ')}`);
  }
}
