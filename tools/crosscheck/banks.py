#!/usr/bin/env python3
"""banks.py - what instructions wait for registers' banks: an H100's clocks of streams of FFMA.

On a machine with a GPU and nvcc, from the project's folder:

    tools/crosscheck/banks.py build/banks && sh build/banks/run.sh >banks.txt
    tools/crosscheck/banks.py --rows build/banks/streams.txt banks.txt >tests/measured/h100/banks.csv

and anywhere, what of the rows the rule in src/timing/README.md tells:

    tools/crosscheck/banks.py --told tests/measured/h100/banks.csv

A stream stands between two reads of the clock, in machine code that is written here: no compiler chooses its registers or
its stalls. Of a kernel that nvcc has compiled the instructions between two barriers are replaced; they go round twelve
times, so that they are in the instruction cache, and the clocks of the last time are kept:

    CS2R  FFMA FFMA ... FADD (a stall of 9)  CS2R  FFMA ...

The FADD reads nothing. So a stream without waits takes 10 clocks and one for each FFMA, and what it takes beside is waited
before the FADD. An FFMA is named by where its three operands lie: e, o in an even or an odd register, z in none. A warp
of each partition runs, of which the first is looked at.
"""
import argparse
import itertools
import os
import random
import struct

RECORDS, SLOTS, PASSES = 48, 112, 12
FREE = 10  # clocks of a stream of nothing: the FADD and its stall
CS2R, FADD, FFMA, NOP = (0x7805, 0x5000), (0x000000ffffff7221, 0), (0x7223, 0), (0x7918, 0)
STORE, MARK = 0x986, 0x801  # opcodes: STG, and PMTRIG, which holds the places of what is replaced
NO_REGISTER = 255

RUN = r'''#include <cstdio>
#include <cstring>
#include <cuda.h>
int main(int n, char **file) {
    static unsigned clock[WORDS];
    CUdevice device; CUcontext context; CUmodule module; CUfunction kernel; CUdeviceptr out;
    cuInit(0); cuDeviceGet(&device, 0); cuDevicePrimaryCtxRetain(&context, device); cuCtxSetCurrent(context);
    cuMemAlloc(&out, sizeof clock);
    for (int i = 1; i < n; i++) {
        void *arguments[] = {&out};
        if (cuModuleLoad(&module, file[i]) || cuModuleGetFunction(&kernel, module, "streams") ||
            cuMemsetD8(out, 0, sizeof clock) || cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, 0, arguments, 0) ||
            cuCtxSynchronize() || cuMemcpyDtoH(clock, out, sizeof clock)) return fprintf(stderr, "%s: failed\n", file[i]), 1;
        printf("%s", strrchr(file[i], '/') + 1);
        for (int t = 1; t < RECORDS; t++) printf(" %u", clock[t * 1024] - clock[(t - 1) * 1024]);
        printf("\n");
    }
}
'''


def base():
    """A kernel with room for SLOTS instructions between barriers, whose RECORDS registers are stored behind them."""
    names = ['c%d' % i for i in range(RECORDS)]
    lines = ['extern "C" __global__ void __launch_bounds__(1024) streams(unsigned *out) {', 'out += threadIdx.x;',
             'unsigned %s;' % ', '.join(names)]
    lines += ['asm volatile("ld.volatile.global.u32 %%0, [%%1];" : "=r"(%s) : "l"(out + %d) : "memory");' % (name, 1024 * i)
              for i, name in enumerate(names)]
    lines += ['#pragma unroll 1', 'for (int pass = 0; pass < %d; pass++) {' % PASSES, '__syncthreads();']
    lines += ['asm volatile("pmevent 0;" ::: "memory");'] * SLOTS + ['}', '__syncthreads();']
    lines += ['out[%d] = %s;' % (1024 * i, name) for i, name in enumerate(names)] + ['}']
    return '\n'.join(lines) + '\n'


class Kernel:
    """Its code in a cubin: where the marks stand, and the registers that are stored, in order."""

    def __init__(self, cubin):
        self.cubin = cubin
        sections, = struct.unpack_from('<Q', cubin, 0x28)
        size, n, names = struct.unpack_from('<HHH', cubin, 0x3a)
        headers = [struct.unpack_from('<IIQQQQIIQQ', cubin, sections + i * size) for i in range(n)]
        start = headers[names][4]
        code = next(h for h in headers if cubin[start + h[0]:].startswith(b'.text.streams\0'))
        words = [(at, struct.unpack_from('<Q', cubin, at)[0]) for at in range(code[4], code[4] + code[5], 16)]
        self.places = [at for at, word in words if word & 0xfff == MARK]
        stores = [(word >> 40, word >> 32 & 255) for at, word in words if at > self.places[-1] and word & 0xfff == STORE]
        self.registers = [register for offset, register in sorted(stores)]

    def filled(self, instructions):
        out = bytearray(self.cubin)
        for at, (low, high) in zip(self.places, instructions + [controlled(NOP, 8)] * SLOTS):
            struct.pack_into('<QQ', out, at, low, high)
        return out


def controlled(instruction, stall):
    """With its stall, no yield, and neither sets nor waits for scoreboards: bits 105 on of 128."""
    low, high = instruction
    return low, high | (stall | 1 << 4 | 7 << 5 | 7 << 8) << 41


def ffma(pattern, registers):
    """Into RZ, of registers that differ."""
    free = {'e': [r for r in registers if r % 2 == 0], 'o': [r for r in registers if r % 2 == 1]}
    a, b, c = [NO_REGISTER if bank == 'z' else free[bank].pop() for bank in pattern]
    return controlled((FFMA[0] | NO_REGISTER << 16 | a << 24 | b << 32, FFMA[1] | c), 1)


def streams():
    """All pairs of three registers each, some with fewer, and longer ones that are drawn."""
    patterns = [''.join(p) for p in itertools.product('eoz', repeat=3)]
    draw = random.Random(7)
    pairs = [list(pair) for pair in itertools.product(patterns, repeat=2)]
    few = [p for p in patterns if p.count('z') < 2]
    longer = [[draw.choice(few) for _ in range(draw.choice((3, 4, 5)))] for _ in range(500)]
    return [pair for pair in pairs if 'z' not in ''.join(pair) or draw.random() < 0.3] + longer


def in_files(coded, records):
    """As many streams a file, each a name and its code, as have room."""
    file, room = [], SLOTS
    for name, code in coded:
        if room < len(code) + 3 or len(file) + 2 > records:
            yield file
            file, room = [], SLOTS
        file.append((name, code))
        room -= len(code) + 2
    yield file


def compiled(folder, text):
    """The kernel of that text, which is written to the folder and compiled."""
    os.makedirs(folder, exist_ok=True)
    source, cubin = os.path.join(folder, 'base.cu'), os.path.join(folder, 'base.cubin')
    with open(source, 'w') as out:
        out.write(text)
    if os.system('nvcc -w -O3 -arch=sm_90 -cubin -o %s %s' % (cubin, source)):
        raise SystemExit('nvcc does not compile %s' % source)
    return Kernel(open(cubin, 'rb').read())


def write_files(folder, kernel, records, coded, words):
    """Files of streams between reads of the clock into these registers, and what runs them; words: of memory, that the kernel has."""
    names = []
    with open(os.path.join(folder, 'streams.txt'), 'w') as out:
        for number, file in enumerate(in_files(coded, len(records))):
            code, clocks = [], iter(records)
            for name, stream in file:
                code += [read_clock(next(clocks))] + stream + [controlled(FADD, 9)]
            names.append('%03d' % number)
            with open(os.path.join(folder, names[-1]), 'wb') as one:
                one.write(kernel.filled(code + [read_clock(next(clocks))]))
            print(names[-1], *[name for name, stream in file], file=out)
    write_runner(folder, RUN.replace('WORDS', str(words)).replace('RECORDS', str(len(records))), names)


def write_runner(folder, text, names):
    """The program that runs the files of those names, and how it is built."""
    with open(os.path.join(folder, 'run.cu'), 'w') as out:
        out.write(text)
    with open(os.path.join(folder, 'run.sh'), 'w') as out:
        out.write('cd "$(dirname "$0")" && nvcc -w -o run run.cu -lcuda && ./run %s\n' % ' '.join('./' + n for n in names))


def write(folder):
    kernel = compiled(folder, base())
    coded = [('+'.join(stream), [ffma(p, kernel.registers) for p in stream]) for stream in streams()]
    write_files(folder, kernel, kernel.registers, coded, RECORDS * 1024)


def read_clock(register):
    return controlled((CS2R[0] | register << 16, CS2R[1]), 1)


def rows(list_of_streams, counted):
    clocks = dict((line.split()[0], line.split()[1:]) for line in open(counted) if line.strip())
    print('stream,clocks')
    for line in open(list_of_streams):
        name, *all_of_file = line.split()
        for stream, clock in zip(all_of_file, clocks[name]):
            print('%s,%s' % (stream, clock))


def waits(stream):
    """What the rule tells. A read comes within three clocks of its instruction, a bank gives one register a clock, and of
    the operands that an instruction has in common with the one before, in place and bank, all but one are waited for."""
    now, free, before, start = 0, {'e': 0, 'o': 0}, None, 0
    for pattern in stream:
        reads = {bank: {place for place, is_in in enumerate(pattern) if is_in == bank} for bank in 'eo'}
        for bank in 'eo':
            if reads[bank]:
                now = max(now, free[bank] + len(reads[bank]) - 3)
                now = max(now, start + len(reads[bank] & before[bank])) if before else now
        for bank in 'eo':
            free[bank] = max(free[bank], now) + len(reads[bank]) if reads[bank] else free[bank]
        before, start, now = reads, now, now + 1
    return now - len(stream)


def told(path):
    n, met, near = {True: 0, False: 0}, {True: 0, False: 0}, 0
    for line in open(path):
        if line[0] != '#' and line[0] in 'eoz':
            stream, clocks = line.split(',')
            patterns = stream.split('+')
            off = abs(int(clocks) - FREE - len(patterns) - waits(patterns))
            n[len(patterns) == 2] += 1
            met[len(patterns) == 2] += off == 0
            near += off <= 1
    print('pairs: %d of %d, longer: %d of %d, off by one at most: %d' % (met[True], n[True], met[False], n[False], near))


def main(doc, write, told=None):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', help='where files and run.sh are written')
    parser.add_argument('--rows', nargs=2, metavar=('STREAMS', 'COUNTED'), help='rows of streams.txt and of what run.sh printed')
    if told is not None:
        parser.add_argument('--told', metavar='ROWS', help='how many rows the rule tells')
    given = parser.parse_args()
    if given.rows:
        rows(*given.rows)
    elif told is not None and given.told:
        told(given.told)
    elif given.folder:
        write(given.folder)
    else:
        parser.error('a folder or --rows' if told is None else 'a folder, --rows or --told')


if __name__ == '__main__':
    main(__doc__, write, told)
