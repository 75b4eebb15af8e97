/* banksim.mjs BELL - answers in the program's place, for ask.c.
 *
 * Each line that comes through the pipe BELL is the folder of a call: the words of its command line in
 * `args`, its environment in `env`, its stdin in `in`, its directory in `directory`. Runs the program
 * that NATIVE names. Where that printed a report, or refused its input, the page is asked the same, and
 * what it says is the answer, in `out` and `err`. What a page is not asked (options such as -o, mistakes
 * in them) stays the program's. The exit code, or the word `program`, goes to the pipe `done`. A line in
 * the file LOG tells which it was, and another of each report whether the page that `--format html` fills
 * with the same has the same counts. The library is one for all calls, as in a page that stays open. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, createReadStream, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { held, openLibrary } from './library.mjs';
import { GAIN, HINT } from './tried.mjs';

const BARE = ['else', 'end', 'sync', 'syncwarp'];
const SPLIT = ['atomic', 'ldmatrix', 'stmatrix', 'cp_async', 'tma', 'wgmma'];
const ASKED = ['device', 'banks', 'bank-width', 'best', 'format'];
const BAD_INPUT = 3;

/* What pages were filled with: many goldens ask for one thing in several formats. */
const seen = new Set();
const library = openLibrary(process.env.PAGE);
const kernels = openLibrary(process.env.PAGE, 'kernels');

/* The words of the question that a command line is, or null: the page is not asked such. */
function question({ args, input }) {
  const words = JSON.parse(library.ask(['words']).text);
  const statements = [];
  const options = [];
  let file = null;
  let launch = null;
  for (let i = 1; i < args.length; i++) {
    const [, name, joined] = /^--([^=]*)(?:=([^]*))?$/.exec(args[i]) ?? [];
    const word = name?.replaceAll('-', '_');
    if (name === undefined && args[0] === 'check' && args[i].includes('<<<') && launch === null) {
      launch = args[i];
    } else if (name === undefined) {
      const isFile = args[i] === '-' || (!args[i].startsWith('-') && existsSync(args[i]));
      if (file !== null || !isFile) {
        return null;
      }
      file = args[i];
    } else if (BARE.includes(word)) {
      statements.push('add', word, '', `--${name}`);
    } else if (words.includes(word)) {
      let text = joined ?? args[++i];
      text += SPLIT.includes(word) && text !== 'commit_group' && !/[ \t[(]/.test(text) ? ` ${args[++i]}` : '';
      statements.push('add', word, text, `--${name}`);
    } else if (name === 'all') {
      options.push('all');
    } else if (ASKED.includes(name)) {
      options.push(name, joined ?? args[++i]);
    } else {
      return null;
    }
  }
  const text = file === null ? null : file === '-' ? input.toString() : readFileSync(file, 'utf8');
  if (launch !== null) {
    return text !== null && /\.cuh?$/.test(file)
      ? [args[0], ...options, 'kernel', file, text, launch, ...statements] : null;
  }
  /* Of a trace, as text or packed, and of a kernel without a launch nothing is asked. */
  if (text && (text.startsWith('banksim-trace') || text.includes('\0') || text.includes('__global__'))) {
    return null;
  }
  return [args[0], ...options, ...(text ? ['text', file, text] : []),
    ...statements];
}

/* The program, with the same words or others. */
function program({ env, input }, args) {
  return spawnSync(process.env.NATIVE, args, { env, input, maxBuffer: 1 << 28 });
}

/* What the page says in the place of the program, which has ended; null: nothing. */
function answer(words, native) {
  if (native.status > 1 && native.status !== BAD_INPUT) {
    return null;
  }
  const said = (words.includes('kernel') ? kernels : library).ask(words);
  /* The program looks at expectations, of which one may be refused behind a report. */
  const isExpected = said.status === 0 && native.status === BAD_INPUT && words.includes('expect');
  return isExpected ? null : said;
}

/* What the program says of a kernel besides its mistake: who reads all of CUDA, and what a GPU lets pass. */
function behind(words, text, stderr) {
  const all = stderr.toString();
  return words.includes('kernel') && all.startsWith(text) ? all.slice(text.length) : '';
}

/* What the page says, with the program's lines on layouts, and what the best gives: it tries them in the kernel, the page does not. */
function withTried(text, stdout) {
  const tried = stdout.toString().match(HINT) ?? [];
  const gained = stdout.toString().match(GAIN) ?? [];
  return text.replace(HINT, () => tried.shift() ?? '').replace(GAIN, () => gained.shift() ?? '');
}

/* The command line with another format, and where that goes. */
function withFormat(call, format) {
  const [command, ...rest] = call.args;
  const kept = rest.filter((arg, i) => !/^(--format|--emit-trace|-o)(=|$)/.test(arg)
    && !['--format', '--emit-trace', '-o'].includes(rest[i - 1]));
  return program(call, [command, ...kept, '--format', format]).stdout.toString();
}

/* What the page shows first, if that is not what the program counts. */
function misfilled(call) {
  const page = withFormat(call, 'html');
  if (page === '') {
    return 'no page';
  }
  const { answers } = JSON.parse(held(page, 'filled'));
  const { accesses } = JSON.parse(answers[0].text);
  const counts = JSON.parse(withFormat(call, 'json')).accesses;
  return JSON.stringify(accesses) === JSON.stringify(counts) ? ''
    : `${JSON.stringify(accesses)} is not ${JSON.stringify(counts)}`;
}

/* What goes to `done`. */
function answered(call, folder) {
  const words = question(call);
  appendFileSync(process.env.LOG, words ? 'page\n' : `program: ${call.args.join(' ')}\n`);
  if (!words) {
    return 'program';
  }
  const native = program(call, call.args);
  const said = answer(words, native);
  writeFileSync(`${folder}/out`, said && native.status <= 1
    ? (words.includes('kernel') ? withTried(said.text, native.stdout) : said.text) : native.stdout);
  writeFileSync(`${folder}/err`, said && native.status === BAD_INPUT
    ? said.text + behind(words, said.text, native.stderr) : native.stderr);
  const asked = JSON.stringify(words.filter((word, i) => word !== 'format' && words[i - 1] !== 'format'));
  if (call.args[0] === 'check' && native.status <= 1 && !words.includes('kernel') && !seen.has(asked)) {
    seen.add(asked);
    const why = misfilled(call);
    appendFileSync(process.env.LOG, why === '' ? 'filled\n' : `misfilled: ${call.args.join(' ')}: ${why}\n`);
  }
  return `${native.status}`;
}

/* The words of a file that ends each with a zero. */
const ended = (path) => readFileSync(path, 'utf8').split('\0').slice(0, -1);

function serve(folder) {
  process.chdir(ended(`${folder}/directory`)[0]);
  const env = Object.fromEntries(ended(`${folder}/env`).map((line) => /^([^=]*)=([^]*)$/.exec(line).slice(1)));
  const call = { args: ended(`${folder}/args`), env, input: readFileSync(`${folder}/in`) };
  let said = '99';
  try {
    said = answered(call, folder);
  } catch (error) {
    writeFileSync(`${folder}/out`, '');
    writeFileSync(`${folder}/err`, `${error.stack}\n`);
  }
  writeFileSync(`${folder}/done`, `${said}\n`);
}

/* Opened to write as well: between two calls nobody else does, and that is not the end. */
createInterface({ input: createReadStream('', { fd: openSync(process.argv[2], 'r+') }) }).on('line', serve);
