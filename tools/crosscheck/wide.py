#!/usr/bin/env python3
"""wide.py - what comes behind IMAD.WIDE and IMAD.HI: an H200's clocks of streams of them, with stalls that are set here.

On a machine with a GPU and nvcc, from the project's folder:

    tools/crosscheck/wide.py build/wide && sh build/wide/run.sh >wide.txt
    tools/crosscheck/wide.py --rows build/wide/streams.txt wide.txt >tests/measured/h200/wide.csv

As in banks.py a stream stands between two reads of the clock, with a FADD and its stall of 9 behind it, so that one of
nothing takes 10 clocks. None of its instructions reads what another one writes, and each reads one register of each bank.
A warp of each partition runs, of which the first is looked at.
"""
import argparse
import os

from banks import FADD, PASSES, RUN, SLOTS, Kernel, controlled, read_clock

RECORDS, PAIRS, FREE, NO_REGISTER = 20, 10, 400000, 255
INSTRUCTIONS = {  # the words without registers and control
    'wide': (0x7225, 0x078e0000),  # IMAD.WIDE.U32
    'hi': (0x7227, 0x078e0000),    # IMAD.HI.U32
    'imad': (0x7224, 0x078e0200),
    'iadd3': (0x7210, 0x07ffe000),
    'ffma': (0x7223, 0),
}


def base():
    """A kernel with room for SLOTS instructions, RECORDS registers that are stored behind them, and PAIRS of free ones."""
    lines = ['extern "C" __global__ void __launch_bounds__(512) streams(unsigned *out) {', 'out += threadIdx.x;',
             'unsigned %s;' % ', '.join('c%d' % i for i in range(RECORDS)),
             'unsigned long long %s;' % ', '.join('s%d' % i for i in range(PAIRS))]
    lines += ['asm volatile("ld.volatile.global.u32 %%0, [%%1];" : "=r"(c%d) : "l"(out + %d) : "memory");' % (i, 1024 * i)
              for i in range(RECORDS)]
    at = '(char *)(out + threadIdx.x) + %d'
    lines += [('asm volatile("ld.volatile.global.u64 %%0, [%%1];" : "=l"(s%d) : "l"(' + at + ') : "memory");') % (i, FREE + 8192 * i)
              for i in range(PAIRS)]
    lines += ['#pragma unroll 1', 'for (int pass = 0; pass < %d; pass++) {' % PASSES, '__syncthreads();']
    lines += ['asm volatile("pmevent 0;" ::: "memory");'] * SLOTS + ['}', '__syncthreads();']
    lines += ['out[%d] = c%d;' % (1024 * i, i) for i in range(RECORDS)]
    lines += [('asm volatile("st.volatile.global.u64 [%%1], %%0;" :: "l"(s%d), "l"(' + at + ') : "memory");') % (i, FREE + 8192 * i)
              for i in range(PAIRS)]
    return '\n'.join(lines + ['}']) + '\n'


def streams():
    """Four times one or two instructions with their stalls: wide4+iadd31 is a WIDE with a stall of 4 and an IADD3 with 1."""
    alone = [[(name, stall)] for name in INSTRUCTIONS for stall in range(1, 7)]
    pairs = [[(name, stall), (other, behind)] for name in ('wide', 'hi') for other in ('iadd3', 'ffma')
             for stall, behind in ((1, 1), (2, 2), (3, 3), (4, 1), (5, 1))]
    return alone + pairs


def name_of(stream):
    return '+'.join('%s:%d' % part for part in stream)


def code_of(stream, pairs):
    code = []
    for i in range(4):
        for k, (name, stall) in enumerate(stream):
            low, high = INSTRUCTIONS[name]
            to, of = pairs[(2 * i + k) % 6], pairs[6 + (2 * i + k) % 4]
            low |= to << 16 | of << 24 | (of + 1) << 32
            code.append(controlled((low, high | NO_REGISTER), stall))
    return code


def write(folder):
    os.makedirs(folder, exist_ok=True)
    source, cubin = os.path.join(folder, 'base.cu'), os.path.join(folder, 'base.cubin')
    with open(source, 'w') as out:
        out.write(base())
    if os.system('nvcc -w -O3 -arch=sm_90 -cubin -o %s %s' % (cubin, source)):
        raise SystemExit('wide.py: nvcc does not compile %s' % source)
    kernel = Kernel(open(cubin, 'rb').read())
    records, pairs = kernel.registers[:RECORDS], kernel.registers[RECORDS:]
    files, left = [], streams()
    while left:
        n = 0
        while n < len(left) and n < RECORDS - 1 and sum(4 * len(s) + 2 for s in left[:n + 1]) < SLOTS:
            n += 1
        files, left = files + [left[:n]], left[n:]
    with open(os.path.join(folder, 'streams.txt'), 'w') as out:
        for number, file in enumerate(files):
            code = []
            for stream, record in zip(file, records):
                code += [read_clock(record)] + code_of(stream, pairs) + [controlled(FADD, 9)]
            with open(os.path.join(folder, '%03d' % number), 'wb') as one:
                one.write(kernel.filled(code + [read_clock(records[len(file)])]))
            print('%03d' % number, *map(name_of, file), file=out)
    with open(os.path.join(folder, 'run.cu'), 'w') as out:
        out.write(RUN.replace('RECORDS * 1024', '1 << 20').replace('RECORDS', str(RECORDS)))
    with open(os.path.join(folder, 'run.sh'), 'w') as out:
        out.write('cd "$(dirname "$0")" && nvcc -w -o run run.cu -lcuda && ./run %s\n' %
                  ' '.join('./%03d' % number for number in range(len(files))))


def rows(list_of_streams, counted):
    clocks = dict((line.split()[0], line.split()[1:]) for line in open(counted) if line.strip())
    print('stream,clocks')
    for line in open(list_of_streams):
        name, *all_of_file = line.split()
        for stream, clock in zip(all_of_file, clocks[name]):
            print('%s,%s' % (stream, clock))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', help='where files and run.sh are written')
    parser.add_argument('--rows', nargs=2, metavar=('STREAMS', 'COUNTED'), help='rows of streams.txt and of what run.sh printed')
    given = parser.parse_args()
    if given.rows:
        rows(*given.rows)
    elif given.folder:
        write(given.folder)
    else:
        parser.error('a folder or --rows')
