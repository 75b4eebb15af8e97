#!/usr/bin/env python3
"""turns.py - which warp of a partition goes when: an H200's clocks of short loops, 1 to 8 warps of each partition.

On a machine with a GPU and nvcc, from the project's folder:

    tools/crosscheck/turns.py build/turns && sh build/turns/run.sh >turns.txt
    tools/crosscheck/turns.py --rows turns.txt >programs.csv
    tools/crosscheck/turns.py --traces >programs.trace

The loops are machine code that is written here, so that no compiler chooses stalls, registers or places: each has a
counter (VIADD) and a comparison (ISETP) among its instructions, and its branch behind the last. None reads what another
one writes but for these two, and each reads one register. An instruction is named by its class and its
stall, `int:2`; it yields where ptxas has one yield: with a stall of more than two, or of two if ten clocks of stalls are
behind it since the last that did. A loop takes TURNS turns between two reads of the clock; its code has run before.
"""
import argparse
import os
import sys

from banks import CS2R, NO_REGISTER, NOP, RECORDS, SLOTS, base, compiled, controlled, write_runner

TURNS, WARPS = 128, 8
COUNTER, START, END, SOURCES = 0, 1, 2, slice(3, 11)  # of the kernel's registers
WAIT_FOR_ALL = 0x3f << 52

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
        if (cuModuleLoad(&module, file[i]) || cuModuleGetFunction(&kernel, module, "streams"))
            return fprintf(stderr, "%s: failed\n", file[i]), 1;
        for (int warps = 1; warps <= WARPS; warps++) {
            if (cuMemsetD8(out, 0, sizeof clock) || cuLaunchKernel(kernel, 1, 1, 1, 128 * warps, 1, 1, 0, 0, arguments, 0) ||
                cuCtxSynchronize() || cuMemcpyDtoH(clock, out, sizeof clock)) return fprintf(stderr, "%s: failed\n", file[i]), 1;
            unsigned first = clock[1024], last = clock[2 * 1024];
            for (int w = 1; w < warps; w++) {
                unsigned start = clock[1024 + 128 * w], end = clock[2 * 1024 + 128 * w];
                first = (int)(start - first) < 0 ? start : first;
                last = (int)(end - last) > 0 ? end : last;
            }
            printf("%s %d %.3f\n", strrchr(file[i], '/') + 1, warps, (last - first) / (double)TURNS);
        }
        cuModuleUnload(module);
    }
}
'''


def loops():
    """Their names, the place of each in a line of 128 bytes, and its instructions with their stalls."""
    count, compare, fp32, whole = ('count', 1), ('compare', 1), ('fp32', 1), ('int', 2)

    def fp32s(n):  # of n instructions, the branch not counted
        return [count] + [fp32] * 5 + [compare] + [fp32] * (n - 7)

    def gap(n, place, stall):
        loop = fp32s(n)
        loop[place] = ('fp32', stall)
        return loop

    for n in (20, 22, 24, 25, 27, 30, 36, 44):
        yield 'fp32-%d' % n, 1, fp32s(n)
    for place in (10, 18):
        for stall in (2, 3, 4, 6):
            yield 'gap-%d-%d' % (place, stall), 1, gap(24, place, stall)
    for n in (0, 1, 2, 3, 4, 6, 8, 12):
        yield 'end-%d' % n, 1, [fp32] * n + [('count', 5), ('compare', 13)]
    for n in (2, 4, 7, 12, 20):
        yield 'int-%d' % n, 1, [count, whole, whole, ('compare', 2)] + [whole] * n + [('int', max(1, 11 - 2 * n))]
    for n in (2, 4, 8):
        both = [('int', 1), fp32]
        yield 'both-%d' % n, 1, [count] + both * n + [compare] + both * n + [('int', 9 if n < 8 else 1)]
    for at in (5, 6, 7):
        yield 'fp32-24-at-%d' % at, at, fp32s(24)
    for at in (1, 6, 7):
        yield 'short-at-%d' % at, at, [count, ('int', 4), ('compare', 13)]


def yields(loop):
    behind = 0
    for name, stall in loop:
        does = stall > 2 or stall == 2 and behind >= 10
        yield does
        behind = 0 if does else behind + stall


def coded(instruction, stall, does_yield, more=0):
    low, high = controlled((instruction[0], instruction[1] | more), stall)
    return low, high & ~(1 << 45) if does_yield else high


def branch(to):
    """@!P6 BRA to so many instructions from the next one, back."""
    words = -4 * to
    low = 0xe947 | (words & 255) << 16 | (words >> 8 & (1 << 30) - 1) << 34
    return coded((low, 0x03800000 | words >> 38 & 0x3ffff), 5, False)


def code_of(loop, place, kernel):
    counter, sources = kernel.registers[COUNTER], kernel.registers[SOURCES]
    none = NO_REGISTER
    words = {
        'count': lambda source: (0x7836 | counter << 16 | counter << 24 | 1 << 32, 0),
        'compare': lambda source: (0x780c | counter << 24 | TURNS << 32, 0x03f06270 | 6 << 17),
        'fp32': lambda source: (0x7221 | none << 16 | source << 24 | none << 32, 0),
        'int': lambda source: (0x7210 | none << 16 | source << 24 | none << 32, 0x07ffe000 | none),
    }
    code = [coded((0x7210 | counter << 16 | none << 24 | none << 32, 0x07ffe000 | none), 6, False, WAIT_FOR_ALL)]
    while (kernel.places[0] // 16 + len(code) + 1) % 8 != place:
        code.append(coded(NOP, 1, False))
    code.append(coded((CS2R[0] | kernel.registers[START] << 16, CS2R[1]), 2, False))
    for i, ((name, stall), does_yield) in enumerate(zip(loop, yields(loop))):
        code.append(coded(words[name](sources[i % len(sources)]), stall, does_yield))
    code.append(branch(len(loop) + 1))
    return code + [coded((CS2R[0] | kernel.registers[END] << 16, CS2R[1]), 2, False)]


def clocks_between(loop, first, last):
    at = [name for name, stall in loop]
    return sum(stall for name, stall in loop[at.index(first):at.index(last) if last else None])


def write(folder):
    kernel, names = compiled(folder, base()), []
    for name, place, loop in loops():
        code = code_of(loop, place, kernel)
        assert len(code) <= SLOTS, name
        assert clocks_between(loop, 'count', 'compare') >= 5 and clocks_between(loop, 'compare', None) >= 13, name
        names.append(name)
        with open(os.path.join(folder, name), 'wb') as out:
            out.write(kernel.filled(code))
    text = RUN.replace('WORDS', str(RECORDS * 1024)).replace('WARPS', str(WARPS)).replace('TURNS', str(TURNS))
    write_runner(folder, text, names)


def text_of(loop, warps):
    parts = []
    for part in ('%s:%d' % part if part[1] > 1 else part[0] for part in loop):
        if parts and parts[-1][0] == part:
            parts[-1][1] += 1
        else:
            parts.append([part, 1])
    return 'W=%d U=1 mix %s' % (4 * warps, ' '.join(p if n == 1 else '%d*%s' % (n, p) for p, n in parts))


def rows(counted):
    known = {name: loop for name, place, loop in loops()}
    print('kernel,cycles_per_turn,program')
    for line in open(counted):
        name, warps, clocks = line.split()
        print('%s-x%s,%s,"%s"' % (name, warps, clocks, text_of(known[name], int(warps))))


def traces():
    classes = {'count': 'imad', 'compare': 'int'}
    print('banksim-trace 1')
    for name, place, loop in loops():
        for warps in range(1, WARPS + 1):
            print('kernel %s-x%d grid=1 block=%d\nblock 0' % (name, warps, 128 * warps))
            print('repeat %d work=0:%d' % (TURNS, sum(stall for part, stall in loop)))
            for part, stall in loop:
                print('w* work 1%s %s' % (':%d' % stall if stall > 1 else '', classes.get(part, part)))
            print('w* work 1:10\ndone')
    print('end')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', help='where files and run.sh are written')
    parser.add_argument('--rows', metavar='COUNTED', help='rows of what run.sh printed')
    parser.add_argument('--traces', action='store_true', help='the loops as traces')
    given = parser.parse_args()
    if given.rows:
        rows(given.rows)
    elif given.traces:
        traces()
    elif given.folder:
        write(given.folder)
    else:
        parser.error('a folder, --rows or --traces')


if __name__ == '__main__':
    sys.exit(main())
