#!/bin/sh
# calibrate.sh [SEED [OUTDIR [KIND]]] - times programs on this machine's GPU and writes programs.csv and
# programs.trace to OUTDIR (build/calibrate), whose name it prints: the fixed ones, and COUNT (400)
# random ones drawn from SEED (the date). crosscheck-calibrate makes a row of constants of them. KIND
# is `random`, unless `mixed` asks for programs with arithmetic of several kinds, `blocks` for both
# sorts, `pairs` for kernels' loops without a padding and with one, or `barriers` for short loops around
# barriers, none of them drawn. See README.md.

set -u
export LC_ALL=C
COMMAND="$0 $*"
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$HERE/../..
COUNT=${COUNT:-400}
PARTS=8
# shellcheck source-path=SCRIPTDIR source=gpu.sh
. "$HERE/gpu.sh"

[ $# -le 3 ] || { echo "usage: $0 [SEED [OUTDIR [random|mixed|blocks|pairs|barriers]]]" >&2; exit 2; }
look_for calibrate nvcc cuobjdump "$CC"
SEED=${1:-$(date -u +%Y%m%d)}
OUT=${2:-$ROOT/build/calibrate}
KIND=${3:-random}
case $KIND in
mixed) fixed=work ;;
blocks) fixed=rhythms ;;
pairs | barriers) fixed=$KIND KIND=blocks COUNT=0 ;;
*) fixed=grid ;;
esac
mkdir -p "$OUT" || exit 1
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT

head_of() { # WHAT
    gpu_head "$1"
    echo "# $(nvcc --version | awk '/release/')"
    echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ), $COMMAND"
    echo "# seed $SEED"
    echo "#"
}

# Every PARTS-th program: its kernels, and what the compiler made of their loops.
compile() { # PART
    if ! "$WORK/cases" cuda "$1" "$PARTS" <"$WORK/list" >"$WORK/$1.cu" ||
        ! nvcc -O2 -arch=sm_"$cc_number" -diag-suppress 177,550 -I"$HERE" -c -o "$WORK/$1.o" \
            "$WORK/$1.cu" ||
        ! cuobjdump -sass "$WORK/$1.o" >"$WORK/$1.sass" ||
        ! "$WORK/trace" "$WORK/list" <"$WORK/$1.sass" >"$WORK/$1.trace"; then
        : >"$WORK/broken"
    fi
}

build() {
    "$CC" -std=c11 -O1 -o "$WORK/cases" "$HERE/timing_cases.c" &&
        "$CC" -std=c11 -O1 -o "$WORK/trace" "$HERE/timing_trace.c" &&
        { "$WORK/cases" "$fixed" && "$WORK/cases" "$KIND" "$SEED" "$COUNT"; } >"$WORK/list" ||
        return 1
    nvcc -O2 -arch=sm_"$cc_number" -I"$HERE" -c -o "$WORK/main.o" "$HERE/timing.cu" &
    part=0
    while [ $part -lt $PARTS ]; do
        compile $part &
        part=$((part + 1))
    done
    wait
    [ ! -e "$WORK/broken" ] && nvcc -o "$WORK/timing" "$WORK"/*.o
}

build || { echo "calibrate: the programs do not build" >&2; exit 1; }
"$WORK/timing" "$WORK/list" >"$WORK/rows" || { echo "calibrate: the run failed" >&2; exit 1; }
{
    echo "banksim-trace 1"
    head_of "The programs of programs.csv as traces, in the order of their machine code."
    cat "$WORK"/*.trace | grep -v -e '^banksim-trace' -e '^end$'
    echo "end"
} >"$OUT/programs.trace"
{
    head_of "Programs on shared memory: SM clocks per turn of their loops."
    echo "kernel,blocks,cycles_per_turn,least,most,places,program"
    grep '^kernel' "$OUT/programs.trace" | cut -d' ' -f2 >"$WORK/traced"
    awk -F, 'NR == FNR {traced[$1] = 1; next} $1 in traced' "$WORK/traced" "$WORK/rows"
} >"$OUT/programs.csv"
echo "$OUT"
