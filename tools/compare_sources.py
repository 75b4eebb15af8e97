#!/usr/bin/env python3
"""compare_sources.py - are the accesses of public kernels, read from CUDA C, those of nvcc's PTX?

Of each file of the list banksim proposes launches. Each is run twice, from the source and from the PTX that
nvcc makes of it, and both must make the same accesses: as many requests, wavefronts and sectors of each kind
(ld.shared, st.global, ...), in all and by line of the source. Local memory is left out, as nvcc joins
its stores, and so are from the lines those that stand in CUDA's headers. Prints what differs, is refused
or does not run, then the sums. What was found lies in the output folder, and a second call goes on from there.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

EPILOG = """example:
  tools/compare_sources.py --clone tools/compare_sources.txt | (mkdir -p /tmp/corpus; cd /tmp/corpus; sh)
  tools/compare_sources.py tools/compare_sources.txt /tmp/corpus -o /tmp/compared"""


def arguments():
    p = argparse.ArgumentParser(description=__doc__, epilog=EPILOG,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('list', help='lines OWNER/NAME@COMMIT [options of nvcc, -I from there], below each its files, indented')
    p.add_argument('sources', nargs='?', help='the folder that has each repository as NAME')
    p.add_argument('-o', dest='out', default='compared', help='where results are kept (compared)')
    p.add_argument('--clone', action='store_true', help='print the commands that get the sources, and end')
    p.add_argument('--banksim', default=os.path.join(os.path.dirname(__file__), '../build/release/banksim'),
                   help='the program (build/release/banksim)')
    p.add_argument('--nvcc', default='nvcc', help='the compiler (nvcc)')
    p.add_argument('--blocks', type=int, default=64, help='blocks of each launch that run (64)')
    p.add_argument('--seconds', type=int, default=60, help='that each run may take (60)')
    p.add_argument('--only', default='', metavar='TEXT', help='files alone whose path has TEXT')
    p.add_argument('--again', action='store_true', help='read CUDA C again; what nvcc made is kept')
    return p.parse_args()


def read_list(path):
    """The repositories, [owner/name, commit, options, files]."""
    repos = []
    for line in open(path):
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if line[0].isspace():
            repos[-1][3].append(words[0])
        else:
            name, commit = words[0].split('@')
            repos.append([name, commit, words[1:], []])
    return repos


def call(command, seconds):
    """Its status, None after a timeout, its output and its errors."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace',
                              timeout=seconds)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, '', 'takes more than %d seconds' % seconds


def rows_of(report, root):
    """What the report says: {"line kind": [requests, wavefronts, sectors]}; 0 is the line of CUDA's headers."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for row in report:
        kind = '.'.join(row['opcode'].split('.')[:2])
        path = os.path.realpath(row['file'])
        where = os.path.relpath(path, root) + ':' + row['line'] if path.startswith(root + os.sep) else 'header:0'
        if '.local' in kind or kind.startswith('shfl'):
            continue
        for i, column in enumerate(('requests', 'wavefronts', 'sectors')):
            rows[where + ' ' + kind][i] += int(row[column] or 0)
    return {k: v for k, v in sorted(rows.items()) if v[0]}


def run(args, path, launch, root):
    """What one run came to: {"rows", "kernel": its mangled name} or {"error": why it ended}."""
    with tempfile.NamedTemporaryFile('r', dir=args.out) as report:  # as what the kernel prints goes to the output
        status, _, err = call([args.banksim, 'launch', path, launch, '--per', 'site', '--format', 'csv', '--cycles',
                               'never', '--jobs', '1', '--blocks', str(args.blocks), '-o', report.name], args.seconds)
        if status != 0:
            return {'error': err.strip().split('\n')[0][:400] or 'status %s' % status}
        rows = list(csv.DictReader(open(report.name)))  # another file by now, of that name
        return {'rows': rows_of(rows, root), 'kernel': rows[0]['kernel'] if rows else ''}


def split_arguments(text):
    """The arguments of a launch; commas in braces and parentheses part none."""
    words, depth = [''], 0
    for c in text:
        depth += (c in '({') - (c in ')}')
        if c == ',' and depth == 0:
            words.append('')
        else:
            words[-1] += c
    return [w.strip() for w in words]


def longer(launch, error):
    """The launch with 8 times as many elements in the array that the error says to end too soon, or None."""
    behind = re.search(r'behind the end of argument (\d+)', error)
    if not behind:
        return None
    head, arguments = launch.split('>>>', 1)
    words = split_arguments(arguments[1:-1])
    at = int(behind.group(1))
    size = re.search(r'\[(\d+)\]', words[at]) if at < len(words) else None
    if not size or int(size.group(1)) > 1 << 22:
        return None
    words[at] = words[at].replace(size.group(0), '[%d]' % (8 * int(size.group(1))), 1)
    return head + '>>>(' + ', '.join(words) + ')'


def total(rows):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for key, value in rows.items():
        kind = key.split()[1]
        sums[kind] = [a + b for a, b in zip(sums[kind], value)]
    return sums


def compile_file(args, source, ptx, options, launches):
    """Why there is no PTX, None: there is. Templates have what the launches say, though the file may not."""
    if os.path.exists(ptx):
        return None
    made = sorted({x.split('<<<')[0] for x in launches if '<' in x.split('<<<')[0]})
    with open(ptx[:-3] + 'cu', 'w') as more:
        more.write('#include "%s"\n' % source)
        more.writelines('void *made_%d = (void *)%s;\n' % pair for pair in enumerate(made))
    why = None
    for text in (more.name, source):
        status, _, err = call([args.nvcc, '-w', '-arch=compute_90', '-lineinfo', '-ptx', '--expt-relaxed-constexpr', *options,
                               '-o', ptx, text], 5 * args.seconds)
        if status == 0:
            return None
        why = next((e for e in err.split('\n') if 'error' in e), err[:200])
    return why


def run_both(args, source, ptx, launch, root, old):
    """Where both find an array too short, whose length may have been chosen, it is made longer."""
    while True:
        cuda = run(args, source, launch, root)
        next_launch = longer(launch, cuda.get('error', ''))
        if next_launch is None:
            break
        launch = next_launch
    known = old.get(launch, {}).get('ptx', {})
    if 'rows' not in known:
        known = run(args, ptx, launch, root)
        if cuda.get('kernel') and 'kernel' in known.get('error', ''):  # an enum's names, say, are not in PTX
            known = run(args, ptx, cuda['kernel'] + '<<<' + launch.split('<<<', 1)[1], root)
    return {'launch': launch, 'cuda': cuda, 'ptx': known}


def compare_file(args, repo, path):
    """What became of one file: {"refused": why} or {"launches": {launch: {"cuda", "ptx"}}}."""
    root = os.path.realpath(os.path.join(args.sources, repo[0].split('/')[1]))
    source = os.path.join(root, path)
    name = os.path.join(args.out, re.sub(r'[^\w.-]', '_', repo[0] + '/' + path))
    old = json.load(open(name + '.json')) if os.path.exists(name + '.json') else {}
    if old and not args.again:
        return old
    status, out, err = call([args.banksim, 'launch', source], args.seconds)
    found = re.findall(r"^    banksim launch .* ('.*)$", out + err, re.M)
    launches = [x for x in (shlex.split(f)[0] for f in found) if '<...>' not in x and 'GRID' not in x]
    result = {}
    if status is None or not launches:
        lines = [x for x in err.split('\n') if x]
        result['refused'] = 'status %s: %s' % (status, ' / '.join(x.strip() for x in lines[1:-1] or lines))
    else:
        here = os.path.dirname(source)
        options = ['-I' + here, '-I' + os.path.dirname(here), '-I' + here + '/include']
        options += ['-I' + os.path.join(root, x[2:]) if x.startswith('-I') else x for x in repo[2]]
        why = compile_file(args, source, name + '.ptx', options, launches)
        if why is not None:
            result['nvcc'] = why
        else:
            result['launches'] = {}
            for launch in launches:
                pair = run_both(args, source, name + '.ptx', launch, root, old.get('launches', {}))
                result['launches'][pair['launch']] = pair
    json.dump(result, open(name + '.json', 'w'), indent=1)
    return result


def judge(pair):
    """One of: same, lines, totals; refused: not read as CUDA C; neither: not run; nothing: accesses nothing."""
    cuda, ptx = pair['cuda'], pair['ptx']
    if 'error' in cuda or 'error' in ptx:
        return 'neither' if 'error' in ptx else 'refused'
    if not cuda['rows'] and not ptx['rows']:
        return 'nothing'
    if total(cuda['rows']) != total(ptx['rows']):
        return 'totals'
    lines = [{k: v for k, v in x['rows'].items() if not k.startswith('header')} for x in (cuda, ptx)]
    return 'same' if lines[0] == lines[1] else 'lines'


def tell(path, launch, pair, what):
    print('%s\n    %s: %s' % (path, launch, what))
    for side in ('cuda', 'ptx'):
        if 'error' in pair[side]:
            print('    %-4s %s' % (side, pair[side]['error']))
    if what in ('totals', 'lines'):
        cuda, ptx = pair['cuda']['rows'], pair['ptx']['rows']
        for key in sorted(set(cuda) | set(ptx)):
            if cuda.get(key) != ptx.get(key):
                print('    %s: %s, nvcc %s' % (key, cuda.get(key), ptx.get(key)))


def tell_file(path, result, count):
    for key in ('refused', 'nvcc'):
        if key in result:
            count[key + ' file'] += 1
            print('%s\n    %s: %s' % (path, key, result[key]))
    for launch, pair in result.get('launches', {}).items():
        what = judge(pair)
        count[what] += 1
        if what != 'same':
            tell(path, launch, pair, what)
    sys.stdout.flush()


def main():
    args = arguments()
    repos = read_list(args.list)
    if args.clone:
        for name, commit, _, _ in repos:
            folder = name.split('/')[1]
            print('git clone -n https://github.com/%s && git -C %s checkout -q %s' % (name, folder, commit))
        return
    if args.sources is None:
        sys.exit('compare_sources.py: where are the sources?')
    os.makedirs(args.out, exist_ok=True)
    work = [(repo, path) for repo in repos for path in repo[3] if args.only in repo[0] + '/' + path]
    count = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda w: compare_file(args, *w), work)
        for (repo, path), result in zip(work, results):
            tell_file(repo[0] + '/' + path, result, count)
    ran = count['same'] + count['lines'] + count['totals']
    print('%d files: of %d no launch is read, %d nvcc refuses' % (len(work), count['refused file'], count['nvcc file']))
    print('%d launches run from both: %d agree in totals, %d by line, too' %
          (ran, count['same'] + count['lines'], count['same']))
    print('%d run from PTX alone, %d do not run, %d access nothing' %
          (count['refused'], count['neither'], count['nothing']))


if __name__ == '__main__':
    main()
