#!/usr/bin/env python3
"""kernels.py - what a GPU counts of the kernels in tests/kernels.

On a machine with a GPU, nvcc and ncu, from the project's folder:

    tools/crosscheck/kernels.py build/kernels && sh build/kernels/run.sh >counted.txt
    tools/crosscheck/kernels.py --rows counted.txt >tests/measured/h100/kernels.csv

Of each file whose kernels have launches above them that are made of numbers and arrays a program is written which makes
these launches, with arrays that count from 0 where the launch gives them values, and a script that has ncu count them.
"""
import argparse
import csv
import glob
import os
import re

ARRAYS = r'''#include <vector>
struct given { void *at; template <class kind> operator kind *() const { return (kind *)at; } };
template <class kind> given array(size_t n, bool counts) {
    std::vector<kind> all(n);
    for (size_t i = 0; i < n; i++) all[i] = counts ? (kind)i : (kind)0;
    void *at;
    cudaMalloc(&at, n * sizeof(kind));
    cudaMemcpy(at, all.data(), n * sizeof(kind), cudaMemcpyHostToDevice);
    return {at};
}
'''
TYPES = {'uint': 'unsigned', 'ulong': 'unsigned long long', 'long': 'long long', 'ushort': 'unsigned short',
         'uchar': 'unsigned char', 'schar': 'signed char'}
METRICS = ['smsp__sass_inst_executed_op_shared_ld.sum', 'smsp__sass_inst_executed_op_shared_st.sum',
           'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
           'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum']


def arguments(text):
    """The arguments as C++ and as banksim has them; None: one is neither a number nor such an array."""
    cpp, own = [], []
    for one in re.findall(r'\w+\[\d+\](?:\s*=\s*\w+(?:\([^)]*\))?)?|[^,\s]+', text):
        array = re.fullmatch(r'(\w+)\[(\d+)\](\s*=.*)?', one)
        if array and not array[1][-1].isdigit() and array[1] not in ('half', 'bfloat16'):
            cpp.append('array<%s>(%s, %d)' % (TYPES.get(array[1], array[1]), array[2], bool(array[3])))
            own.append('%s[%s]%s' % (array[1], array[2], ' = iota' if array[3] else ''))
        elif re.fullmatch(r'-?[\d.]+[fu]?', one):
            cpp.append(one)
            own.append(one)
        else:
            return None
    return ', '.join(cpp), ', '.join(own)


def launches(path):
    for name, shape, text in re.findall(r'/\* (\w+(?:<[^<>]*>)?)<<<(.*?)>>>\((.*?)\) \*/', open(path).read()):
        made = arguments(text)
        if made:
            yield '%s<<<%s>>>(%s)' % (name, shape, made[0]), '%s<<<%s>>>(%s)' % (name, shape, made[1])


def write(folder):
    os.makedirs(folder, exist_ok=True)
    script = open(os.path.join(folder, 'run.sh'), 'w')
    for path in sorted(glob.glob('tests/kernels/*.cu')):
        name, all_of_it = os.path.basename(path)[:-3], list(launches(path))
        if not all_of_it or name == 'generated':
            continue
        program = os.path.join(folder, name)
        with open(program + '.cu', 'w') as out:
            out.write('#include "%s"\n%sint main() {\n' % (os.path.abspath(path), ARRAYS))
            out.writelines('    %s; cudaDeviceSynchronize();\n' % cpp for cpp, _ in all_of_it)
            out.write('}\n')
        script.write('nvcc -w -std=c++17 -arch=native -o %s %s.cu && echo "FILE %s" && ncu --csv --metrics %s %s\n'
                     % (program, program, name, ','.join(METRICS), program))


def rows(path):
    counted, name = {}, None
    for line in open(path):
        if line.startswith('FILE '):
            name = line.split()[1]
            counted[name] = []
        elif line.startswith('"') and name:
            counted[name].append(line)
    print('file;launch;ld_requests;st_requests;ld_wavefronts;st_wavefronts')
    for name, lines in counted.items():
        kernels = {}
        for row in csv.DictReader(lines):
            if row['ID'].isdigit():
                kernels.setdefault(int(row['ID']), {})[row['Metric Name']] = row['Metric Value'].replace(',', '')
        for (_, own), kernel in zip(launches('tests/kernels/%s.cu' % name), kernels.values(), strict=True):
            print(';'.join([name, own] + ['%d' % float(kernel[metric]) for metric in METRICS]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rows', action='store_true', help='print rows of what ncu printed')
    parser.add_argument('path', help='the folder to write to, or what ncu printed')
    asked = parser.parse_args()
    (rows if asked.rows else write)(asked.path)


if __name__ == '__main__':
    main()
