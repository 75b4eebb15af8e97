#!/bin/sh
# make_traces.sh BANKSIM FOLDER [--check] - writes a ready trace of each emulated kernel that ends
# well to FOLDER/NAME.trace; with --check compares with what is there instead. Large inputs are made
# small: the traces are to be read. Last line: 'N passed, N failed'.
set -eu

banksim=$1
folder=$2
check=${3:-}
passed=0
failed=0
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# The sizes that differ from a kernel's initial ones.
sizes() {
    case $1 in
    reduce_*unroll8) echo n=1024 block=128 ;;
    reduce_*unroll4*) echo n=1024 block=256 ;;
    reduce_*) echo n=256 block=128 ;;
    transpose_*unroll*) echo nx=128 ny=16 ;;
    transpose_diagonal*) echo nx=32 ny=32 ;;
    transpose_coalesced | transpose_no_bank*) echo nx=32 ny=32 ;;
    copy_* | transpose_*) echo nx=32 ny=16 ;;
    histogram_*) echo n=512 ;;
    vector_load_misaligned) ;;
    vector_load_*) echo bdimx=64 ;;
    shfl_reduce) echo n=128 block=128 ;;
    stencil_*) echo n=64 ;;
    esac
}

for kernel in $("$banksim" list kernels --format csv | sed 1d | cut -d, -f1); do
    [ "$kernel" != divergent_barrier ] || continue
    # shellcheck disable=SC2046 # several words are wanted
    if ! "$banksim" emulate "$kernel" $(sizes "$kernel") -o "$new"; then
        failed=$((failed + 1))
        continue
    fi
    if [ "$check" != --check ]; then
        cp "$new" "$folder/$kernel.trace"
    elif ! cmp -s "$new" "$folder/$kernel.trace"; then
        echo "$folder/$kernel.trace is not what the kernel gives now: run make traces" >&2
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
