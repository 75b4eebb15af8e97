#!/bin/sh
# ends.sh - how `banksim cuda` ends: with programs that crash, that miss a library, that are killed. The
# compilers are those of fake/, so the programs are plain C.
set -u

cd "$(dirname "$0")"
bin=${BANKSIM_BIN:-../../build}
LC_ALL=C
PATH=$PWD/fake:$PATH
work=$(mktemp -d)
TMPDIR=$work
export LC_ALL PATH TMPDIR
trap 'rm -rf "$work"' EXIT
n=0

result() { # NAME, after what decided
    status=$?
    n=$((n + 1))
    if [ "$status" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}

program() { # TEXT
    printf '#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n%s\n' "$1" >"$work/k.c"
}

compiler=nvcc
cuda() {
    "$bin/banksim" cuda --compiler "$compiler" "$work/k.c" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

says() { # EXIT-CODE TEXT...: what is told, line by line
    want=$1
    shift
    printf '%s\n' "$@" >"$work/want"
    diff "$work/want" "$work/err" && [ "$code" -eq "$want" ]
}

leaves_nothing() {
    [ -z "$(find "$work" -maxdepth 1 -name 'banksim-cuda-*')" ] || {
        ls "$work"
        false
    }
}

program 'int main(void) { raise(SIGSEGV); return 0; }'
cuda
says 3 'banksim: the program has launched no kernel' \
    'banksim: the program was ended by signal 11 (Segmentation fault)' && leaves_nothing
result 'a crash is told with its signal'

# Of a program whose trace has no end, as when it goes by _exit, the launches that had ended are told.
program '#include <stdlib.h>
int main(int n, char **words)
{
    FILE *file = fopen(getenv("BANKSIM_OUTPUT"), "w");
    fputs("banksim-trace 1\nkernel a block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+4\n", file);
    fputs(n > 1 ? "kernel b block=32\nblock 0\n" : "", file);
    fflush(file);
    _exit(8);
}'
cuda --per site --format csv -- more
says 3 'The program ended before its trace did: this is the report of its first launch.' \
    "banksim: the program's exit code is 8" && [ "$(cut -d, -f1-5 "$work/out" | tail -n 1)" = 'a,0,ld.shared.u32,1,1' ]
result 'launches before a sudden end are told'

cuda --hazards --format csv -- more
says 3 "$work/k.c: no races found in 1 access of 2 kernels up to where it failed" \
    'The program ended before its trace did: this is the report of its first launch.' \
    "banksim: the program's exit code is 8"
result 'a sudden end is no reason not to say what races were found'

cuda --per site
says 3 'banksim: the program ended before its trace did, and no launch is sure to have ended' \
    "banksim: the program's exit code is 8" && [ ! -s "$work/out" ]
result 'a launch that may not have ended is not told'

all='banksim: a trace, a part and --per request have all launches or none: --per site has those before it'
cuda --shard 1/2 -- more
says 3 "$all" "banksim: the program's exit code is 8" && [ ! -s "$work/out" ] &&
    cuda --per request -- more && says 3 "$all" "banksim: the program's exit code is 8" && [ ! -s "$work/out" ]
result 'what needs all launches has none'

program '#include <stdlib.h>
int main(void)
{
    FILE *file = fopen(getenv("BANKSIM_OUTPUT"), "w");
    for (fputs("banksim-trace 1\nkernel a block=0\n", file); ; ) {
        fputs("block 0\n", file);
    }
}'
cuda
head -n 1 "$work/err" | grep -q '2:[0-9]*: ' && ! grep -q 'signal' "$work/err" && [ "$code" -eq 3 ]
result 'a program whose trace nobody reads is not blamed for it'

cuda --device nothing
head -n 1 "$work/err" | grep -q "unknown device 'nothing'" && [ "$code" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ]
result 'a device is looked for before the program runs'

program 'int main(void) { return 7; }'
cuda
says 3 'banksim: the program has launched no kernel' "banksim: the program's exit code is 7" &&
    leaves_nothing
result 'an exit code is told'

program '// needs cufftExecC2C
// needs cufftPlan1d
// needs cusparseSpMV
int main(void) { return 0; }'
cuda
says 3 'banksim: cufftExecC2C, cufftPlan1d of cuFFT are not here: a call that computes ends the program (--libraries skip passes over it)' \
    'banksim: cusparseSpMV of cuSPARSE is not here: a call that computes ends the program (--libraries skip passes over it)' \
    'banksim: the program has launched no kernel' && leaves_nothing
result 'functions of libraries are named'

cuda --libraries skip
head -n 1 "$work/err" | grep -q 'are not here: calls are passed over$'
result 'with --libraries skip they are passed over'

program '// needs cufftExecC2C
// needs helper
int main(void) { return 0; }'
cuda
[ "$code" -eq 3 ] && grep -q 'undefined reference to .helper' "$work/err" &&
    tail -n 1 "$work/err" | grep -q '^banksim: helper[()]* is not in what was compiled' && leaves_nothing
result 'what is of no library is left to the linker'

program '// echoes
int main(void) { return 0; }'
# Whether all of these flags were given, and none of those behind a --.
gets() {
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        grep -qx "flag: $1" "$work/err" || return 1
        shift
    done
    for flag; do
        ! grep -qx "flag: $flag" "$work/err" || return 1
    done
}
given='-gencode arch=compute_80,code=sm_80 -arch sm_86 -Xcompiler -Wall,-O1 -Xptxas -v --use_fast_math
-fmad=false -std=c++14 -dc -lcufft -DN=1 -o x'
given=$(echo $given)
cuda --flags "$given"
gets -arch=compute_86 -Xcompiler -Wall,-O1 -Xptxas -v --use_fast_math -fmad=false -std=c++14 -DN=1 -- -gencode \
    -arch=compute_90 -std=c++17 -dc -lcufft x && head -n 1 "$work/err" | grep -qx 'banksim: flags left out: -dc'
result 'flags replace our own'
cuda --flags '-arch=sm_90a'
gets -gencode=arch=compute_90a,code=compute_90a -- -arch=compute_90 -arch=compute_90a -arch=sm_90a
result 'of a GPU with instructions of its own nothing else is compiled'

compiler=clang
mkdir "$work/toolkit" && touch "$work/toolkit/cuda_runtime_api.h"
cuda --flags "$given -I$work/toolkit -I $work/toolkit -I $work"
gets -Wall -O1 -fcuda-approx-transcendentals -ffp-contract=off -std=c++14 -DN=1 -I "$work" -- -arch=compute_86 -Xcompiler -Wall,-O1 -Xptxas -v \
    --use_fast_math -fmad=false -dc -lcufft x "$work/toolkit" "-I$work/toolkit" &&
    head -n 1 "$work/err" | grep -qx 'banksim: flags left out: -dc -arch=compute_86'
result 'clang gets of them what it has'

ln -s /bin/sh "$work/sh" && ln -s "$(command -v dirname)" "$work/dirname"
program 'int main(void) { return 0; }'
CLANG_VERSION=13 PATH=$PWD/fake:$work cuda
says 4 "banksim: clang++ is version 13: 14 or newer is needed ('make deps-cuda')"
result 'a clang that is too old is told'
compiler=nvcc

# Waits until a file of that name is there, 10 seconds at most.
await() {
    tries=0
    while ! ls "$work"/banksim-cuda-*/"$1" >/dev/null 2>&1 && [ "$tries" -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

program '// hangs'
"$bin/banksim" cuda --compiler nvcc "$work/k.c" >/dev/null 2>&1 &
await 0.o.part
kill -TERM $!
wait $!
[ $? -eq 143 ] && leaves_nothing
result 'a compilation that is ended leaves nothing behind'

program "int main(void) { fclose(fopen(\"$work/runs\", \"w\")); sleep(60); return 0; }"
"$bin/banksim" cuda --compiler nvcc "$work/k.c" >/dev/null 2>&1 &
tries=0
while [ ! -f "$work/runs" ] && [ "$tries" -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -TERM $!
wait $!
[ $? -eq 143 ] && leaves_nothing
result 'a run that is ended leaves nothing behind'

echo "1..$n"
