/* banksim.mjs - the program, but that `check` and `advise` answer by the library in the page.
 *
 * Runs the program that NATIVE names. Where that printed a report, or refused its input, the page is
 * asked the same, and what it says is printed instead. What a page is not asked (options such as
 * -o, mistakes in them) stays the program's. A line in the file LOG tells which it was, and another of
 * each report whether the page that `--format html` fills with the same has the same counts. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { held, openLibrary } from './library.mjs';

const BARE = ['else', 'end', 'sync', 'syncwarp'];
const SPLIT = ['atomic', 'ldmatrix', 'stmatrix', 'cp_async', 'tma', 'wgmma'];
const ASKED = ['device', 'banks', 'bank-width', 'best', 'format'];
const BAD_INPUT = 3;

const args = process.argv.slice(2);
const isAsked = args[0] === 'check' || args[0] === 'advise';
const readsInput = args.slice(1).includes('-') && isAsked;
const input = readsInput ? readFileSync(0) : Buffer.alloc(0);
/* The words of the question that a command line is, or null: the page is not asked such. */
function question(library) {
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

/* The program itself, writing where this does: what it prints and what it says keep their order. */
function run() {
  process.exitCode = spawnSync(process.env.NATIVE, args,
    isAsked ? { input, stdio: ['pipe', 'inherit', 'inherit'] } : { stdio: 'inherit' }).status;
}

/* What the page says in the place of the program, which has ended; null: nothing. */
function answer(library, words, native) {
  if (native.status > 1 && native.status !== BAD_INPUT) {
    return null;
  }
  const said = (words.includes('kernel') ? openLibrary(process.env.PAGE, 'kernels') : library).ask(words);
  /* The program looks at expectations, of which one may be refused behind a report. */
  const isExpected = said.status === 0 && native.status === BAD_INPUT && words.includes('expect');
  return isExpected ? null : said;
}

/* What the program says of a kernel besides its mistake: who reads all of CUDA, and what a GPU lets pass. */
function behind(text, stderr) {
  const all = stderr.toString();
  return words.includes('kernel') && all.startsWith(text) ? all.slice(text.length) : '';
}

/* The command line with another format, and where that goes. */
function withFormat(format) {
  const [command, ...rest] = args;
  const kept = rest.filter((arg, i) => !/^(--format|--emit-trace|-o)(=|$)/.test(arg)
    && !['--format', '--emit-trace', '-o'].includes(rest[i - 1]));
  return spawnSync(process.env.NATIVE, [command, ...kept, '--format', format],
    { input, maxBuffer: 1 << 28, encoding: 'utf8' }).stdout;
}

/* What the page shows first, if that is not what the program counts. */
function misfilled() {
  const page = withFormat('html');
  if (page === '') {
    return 'no page';
  }
  const { answers } = JSON.parse(held(page, 'filled'));
  const { accesses } = JSON.parse(answers[0].text);
  const counts = JSON.parse(withFormat('json')).accesses;
  return JSON.stringify(accesses) === JSON.stringify(counts) ? ''
    : `${JSON.stringify(accesses)} is not ${JSON.stringify(counts)}`;
}

const library = isAsked ? openLibrary(process.env.PAGE) : null;
const words = library && question(library);
if (isAsked) {
  appendFileSync(process.env.LOG, words ? 'page\n' : `program: ${args.join(' ')}\n`);
}
if (words) {
  const native = spawnSync(process.env.NATIVE, args, { input, maxBuffer: 1 << 28 });
  const said = answer(library, words, native);
  process.stdout.write(said && native.status <= 1 ? said.text : native.stdout);
  process.stderr.write(said && native.status === BAD_INPUT ? said.text + behind(said.text, native.stderr) : native.stderr);
  process.exitCode = native.status;
  if (args[0] === 'check' && native.status <= 1 && !words.includes('kernel')) {
    const why = misfilled();
    appendFileSync(process.env.LOG, why === '' ? 'filled\n' : `misfilled: ${args.join(' ')}: ${why}\n`);
  }
} else {
  run();
}
