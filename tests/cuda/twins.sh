#!/bin/sh
# twins.sh - the emulators' twins in CUDA by `banksim cuda`: 315 launches of squares, rectangles,
# reductions, transpositions, stencils, shuffles and what else tools/crosscheck/twins has.
#
# twins.cu compares what each leaves in memory with its emulator; here the hash of that and the
# wavefronts of shared loads, stores and atomics are held against what an H200 left and counted.
# A compiler takes a second for the headers alone: they are compiled as one file, each family in a namespace.
# By nvcc that still takes long: it is done where CI is set.
set -u

cd "$(dirname "$0")/../.."
bin=${BANKSIM_BIN:-build}
counted=tests/measured/h200/crosscheck/twins.csv
name=twins
. tests/cuda/common.sh

# Kernel, settings and hash from the program, counts from the report, a row of both per launch.
ours() {
    awk -F, '
        FNR == 1 { file++ }
        FNR == 1 && file == 2 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        file == 1 { row[FNR] = $1 "," $2 "," $4; next }
        { print row[FNR - 1] "," $at["load_wavefronts"] + 0 "," $at["store_wavefronts"] + 0 "," \
                $at["atomic_wavefronts"] + 0 }
    ' "$work/out" "$work/csv"
}

theirs() {
    awk -F, '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $1 "," $2 "," $at["output"] "," $at[wavefronts "ld.sum"] + 0 "," \
                $at[wavefronts "st.sum"] + 0 "," $at[wavefronts "atom.sum"] + 0 }
    ' wavefronts=sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ "$counted"
}

# All of tools/crosscheck/twins as one file: what they include first, twins.cu, which has main, last.
together() {
    sed -n 's/^#include <.*/&/p' tools/crosscheck/twins/*.cu tools/crosscheck/twins/twin.cuh | sort -u
    printf '#include "%s"\n' emulated.h twins/twin.cuh
    for file in tools/crosscheck/twins/*.cu; do
        table=$(sed -n 's/^const struct twin \(.*\)\[\] = {$/\1/p' "$file")
        [ -n "$table" ] || continue
        printf 'namespace of_%s {\n#include "twins/%s"\n}\n' "$table" "$(basename "$file")"
        echo "#define $table of_$table::$table"
    done
    echo '#include "twins/twins.cu"'
}

are_equal() {
    together >"$work/together.cu"
    "$bin/banksim" cuda --compiler "$compiler" "$work/together.cu" \
        tools/crosscheck/emulated.c --flags '-I include -I src -I tools/crosscheck' \
        --format csv --cycles never -o "$work/csv" -- tools/crosscheck/twins/runs.txt \
        >"$work/out" 2>"$work/err" || { cat "$work/err"; return 1; }
    ours >"$work/ours"
    theirs | diff - "$work/ours"
}

for compiler in clang nvcc; do
    if ! has "$compiler" || [ "$compiler${CI:-}" = nvcc ]; then
        result ok " # SKIP there is no $compiler, or CI is not set for nvcc"
        continue
    fi
    if are_equal; then
        result ok ''
    else
        result 'not ok' ''
    fi
done
echo "1..$n"
