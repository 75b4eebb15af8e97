#!/usr/bin/env python3
"""wide.py - what comes behind IMAD.WIDE and IMAD.HI: an H200's clocks of streams of them, with stalls that are set here.

On a machine with a GPU and nvcc, from the project's folder:

    tools/crosscheck/wide.py build/wide && sh build/wide/run.sh >wide.txt
    tools/crosscheck/wide.py --rows build/wide/streams.txt wide.txt >tests/measured/h200/wide.csv

As in banks.py a stream stands between two reads of the clock, with a FADD and its stall of 9 behind it, so that one of
nothing takes 10 clocks. None of its instructions reads what another one writes, and each reads one register of each bank.
A warp of each partition runs, of which the first is looked at.
"""
from banks import NO_REGISTER, PASSES, SLOTS, compiled, controlled, main, write_files

RECORDS, PAIRS, FREE, WORDS = 20, 10, 400000, 1 << 20  # FREE: bytes, where the pairs are in memory
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
    """Four times one or two instructions with their stalls: wide:4+iadd3:1 is a WIDE with a stall of 4 and an IADD3 with 1."""
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
    kernel = compiled(folder, base())
    records, pairs = kernel.registers[:RECORDS], kernel.registers[RECORDS:]
    write_files(folder, kernel, records, [(name_of(stream), code_of(stream, pairs)) for stream in streams()], WORDS)


if __name__ == '__main__':
    main(__doc__, write)
