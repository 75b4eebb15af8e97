#!/bin/sh
# run.sh - CUDA programs by `banksim cuda`: they end, and print what stands in NAME.out. `--part K/N`: every N-th,
# from the K-th.
#
# Each NAME.cu is compiled by clang, without NVIDIA's toolkit, and by nvcc; what is not installed is
# skipped with a word. Where there are such files, NAME.flags has the compiler's flags, NAME.options
# those of banksim, NAME.err (or NAME.clang.err by clang) what is told beside the output and what counts
# rest on (else nothing), NAME.only the only compiler it is for, NAME.exit the exit code, else 0, NAME.csv
# is clang's report by site up to the ways, and NAME.sums has the wavefronts of each instruction of shared
# memory in each kernel, the same by both. lines.cu says itself which instructions are told where.
# Those in refused/ do not compile by clang; their .err is the last line that is told.
set -u

cd "$(dirname "$0")"
bin=${BANKSIM_BIN:-../../build}
. ./common.sh
part=1/1
[ "${1:-}" != --part ] || part=$2
at=0

# Whether the next of all is one of the part's.
is_next() {
    at=$((at + 1))
    [ $(((at - ${part%/*}) % ${part#*/})) -eq 0 ]
}

# Rows are of the program's lines, none of our headers' or NVIDIA's.
is_of_program() {
    ! cut -d, -f3,20,21 "$work/csv" | grep -E 'include-cuda|/usr/local/cuda|-linux/include'
}

# What is done to shared memory, by the comments behind lines.cu's lines and by the report.
has_lines() {
    awk '/\/\/ [a-z.]* ?[a-z]*[.](shared|async)$/ { sub(".*// ", ""); n = split($0, word, " ")
        for (i = 1; i <= n; i++) print NR, word[i] }' lines.cu | sort -u >"$work/said"
    awk -F, '$3 ~ /shared/ { split($3, word, "."); print $21, word[1] "." word[2] }' "$work/csv" |
        sort -u | diff "$work/said" -
}

sums() {
    awk -F, '$3 ~ /shared/ { n[$1 "," $3] += $5 } END { for (i in n) print i "," n[i] }' "$work/csv" | sort
}

# What calls return is what an H200's did, except where codes.apart says so.
agrees() {
    diff codes.h200 "$work/out" | sed -n 's/^> \([^:]*\):.*/\1/p' >"$work/differs"
    cut -d: -f1 codes.apart | diff - "$work/differs"
}

# What the report says besides.
is_told() {
    is_of_program || return 1
    [ "$name" != lines ] || has_lines || return 1
    [ "$compiler" = nvcc ] || [ ! -f "$name.csv" ] || cut -d, -f1-8 "$work/csv" | diff "$name.csv" -
}

runs() {
    flags=$(cat "$name.flags" 2>/dev/null || echo -DTEST)
    options=$(cat "$name.options" 2>/dev/null)
    "$bin/banksim" cuda --compiler "$compiler" "$name.cu" --flags "$flags" $options --per site --format csv -o "$work/csv" \
        >"$work/out" 2>"$work/err"
    [ $? -eq "$(cat "$name.exit" 2>/dev/null || echo 0)" ] || { cat "$work/err"; return 1; }
    for told in "$name.$compiler.err" "$name.err" /dev/null; do
        [ ! -e "$told" ] || break
    done
    grep -vE '^    |^(Counts|Cycles) rest on|^(Cycles have no wait|Waits) for cp\.async|[0-9] sites? (is|are) (in a loop|what ptxas)|functions are called by address|barriers of a part of the block' "$work/err" |
        sed "s,$PWD/,,; s,PTX:[0-9]*:1:,PTX:," >"$work/told"
    diff "$name.out" "$work/out" && diff "$told" "$work/told" || return 1
    [ "$name" != codes ] || agrees || return 1
    [ ! -f "$name.sums" ] || sums | diff "$name.sums" - || return 1
    is_told
}

# What clang cannot compile: the last line says why.
is_refused() {
    "$bin/banksim" cuda --compiler clang "$1" >"$work/out" 2>"$work/err"
    [ $? = 3 ] && tail -n 1 "$work/err" | diff "${1%.cu}.err" -
}

for compiler in clang nvcc; do
    for source in *.cu; do
        name=${source%.cu}
        if [ "$compiler" != "$(cat "$name.only" 2>/dev/null || echo "$compiler")" ]; then
            continue
        fi
        if ! is_next; then
            continue
        fi
        if ! has "$compiler"; then
            result ok " # SKIP there is no $compiler: 'make deps-cuda' installs clang"
        elif runs; then
            result ok ''
        else
            result 'not ok' ''
        fi
    done
done
compiler=clang
for source in refused/*.cu; do
    name=${source%.cu}
    if ! is_next; then
        continue
    fi
    if ! has clang; then
        result ok " # SKIP there is no clang: 'make deps-cuda' installs it"
    elif is_refused "$source"; then
        result ok ''
    else
        result 'not ok' ''
    fi
done
echo "1..$n"
