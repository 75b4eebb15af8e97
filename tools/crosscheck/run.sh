#!/bin/sh
# run.sh [OUTDIR [RAWDIR]] - builds the probes and the twins, runs and profiles them, writes what
# `make check` compares to OUTDIR (tests/measured/GPU/crosscheck) and everything else that the
# profiler said to RAWDIR (build/crosscheck). See README.md.
#
#   STAGES   which of: timed twins report counters merges counted questions sass ptx (all, in this
#            order)
#   COUNTED  how many requests the profiler counts (1600)
#   SEED     draws other requests, and other chains of PTX (0)
#   CHAINS   how many batches of 50 chains, and of 50 kernels of sums, of PTX (20)
#   LIMIT    seconds after which no further request is counted (150)
#   DIRNAME  a file for the name of OUTDIR
#
# A stage that fails is named and the next one runs; the exit status is then 1.

# shellcheck disable=SC2317 # stage calls functions by name

set -u
export LC_ALL=C
COMMAND="$0 $*"
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$HERE/../..
STAGES=${STAGES:-timed twins report counters merges counted questions sass ptx}
COUNTED=${COUNTED:-1600}
LIMIT=${LIMIT:-150}
SEED=${SEED:-0}
CHAINS=${CHAINS:-20}
TRIPS=4
# shellcheck source-path=SCRIPTDIR source=gpu.sh
. "$HERE/gpu.sh"
status=0
began=$(date +%s)

say() {
    echo "[$(($(date +%s) - began)) s] $*"
}

fail() {
    say "FAILED: $*"
    status=1
}

# ---- what is here ---------------------------------------------------------------------------

[ $# -le 2 ] || { echo "usage: $0 [OUTDIR [RAWDIR]]" >&2; exit 2; }

if ! command -v ncu >/dev/null; then
    for dir in "$CUDA"/nsight-compute-* /opt/nvidia/nsight-compute/*; do
        [ -x "$dir/ncu" ] && PATH=$PATH:$dir
    done
fi
look_for crosscheck nvcc ncu "$CC"
if [ "$cc_number" -lt 90 ]; then
    echo "crosscheck: not run; the probes need a GPU of compute capability 9.0 or later" >&2
    exit 1
fi

# "NVIDIA H200" is h200, "NVIDIA GeForce RTX 5090" rtx_5090.
short=$(echo "$gpu" | awk -F', ' '{
    name = tolower($1)
    gsub(/nvidia|geforce/, "", name)
    gsub(/[^a-z0-9]+/, "_", name)
    gsub(/^_|_$/, "", name)
    print name
}')
OUT=${1:-$ROOT/tests/measured/$short/crosscheck}
RAW=${2:-$ROOT/build/crosscheck}
mkdir -p "$OUT" "$RAW" || exit 1
OUT=$(cd "$OUT" && pwd)
RAW=$(cd "$RAW" && pwd)
[ -z "${DIRNAME:-}" ] || echo "$OUT" >"$DIRNAME"
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT

head_of() { # WHAT
    gpu_head "$1"
    echo "# $(nvcc --version | awk '/release/'), $(ncu --version | awk '/^Version/')"
    echo "# $(date -u +%Y-%m-%dT%H:%M:%SZ), SEED=$SEED $COMMAND"
}

# ---- build ----------------------------------------------------------------------------------

compile() { # SOURCE NAME
    nvcc -O2 -arch=sm_"$cc_number" -I"$ROOT/include" -c -o "$WORK/$2.o" "$1" || : >"$WORK/broken"
}

# All CUDA files at once; the emulators, with their launches watched, for the twins.
build() {
    mkdir "$WORK/host" || return 1
    for source in "$HERE"/probe.cu "$HERE"/questions.cu "$HERE"/twins/*.cu; do
        compile "$source" "$(basename "$source" .cu)" &
    done
    for source in "$ROOT"/src/base/*.c "$ROOT"/src/event/*.c "$ROOT"/src/model/shuffle.c "$ROOT"/src/lanes/*.c \
        "$ROOT"/src/emulators/*.c "$HERE"/emulated.c; do
        case $source in */launch.c) continue ;; esac # it is part of emulated.c
        "$CC" -std=c11 -O2 -I"$ROOT/include" -I"$ROOT/src" -c \
            -o "$WORK/host/$(basename "$(dirname "$source")")_$(basename "$source" .c).o" "$source" ||
            : >"$WORK/broken"
    done
    "$CC" -std=c11 -O1 -o "$WORK/probe_cases" "$HERE/probe_cases.c" || : >"$WORK/broken"
    wait
    [ ! -e "$WORK/broken" ] || return 1
    nvcc -o "$WORK/probe" "$WORK/probe.o" && nvcc -o "$WORK/questions" "$WORK/questions.o" &&
        (cd "$WORK" && rm probe.o questions.o && nvcc -o twins ./*.o host/*.o) || return 1
    for set in requests merges copies increments constant global atomics; do
        "$WORK/probe_cases" $set "$SEED" >"$WORK/$set.txt" || return 1
    done
}

say "$gpu; building"
build || { fail build; exit 1; }
say "$("$WORK/probe" window)"
set -f # patterns of metrics are no patterns of files

# ---- metrics --------------------------------------------------------------------------------

# The profiler's own list: a name that this GPU lacks would stop a whole run.
ncu --query-metrics >"$RAW/metrics.txt" 2>&1 || fail "ncu --query-metrics"
say "$(wc -l <"$RAW/metrics.txt") lines in metrics.txt"

# The metrics that match one of the patterns, as ncu wants them. Ratios have no sum.
pick() { # PATTERN...
    awk -v wanted="$(echo "$*" | tr ' ' '|')" '
        $2 !~ /^(Ratio|Throughput)$/ && $1 ~ "^(" wanted ")$" && !seen[$1]++ {
            list = list (list == "" ? "" : ",") $1 ".sum"
        }
        END { print list }' "$RAW/metrics.txt"
}

data=l1tex__data_pipe_lsu_wavefronts
conflicts=l1tex__data_bank_conflicts_pipe_lsu
inst=smsp__inst_executed_op
by_inst=sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared
view=memory_l1_wavefronts_shared # the source view's, and the ideal ones

profiler() { # METRICS OPTION... PROGRAM ARGUMENT...
    wanted=$1
    shift
    ncu --target-processes application-only --replay-mode kernel --cache-control none \
        --clock-control none --metrics "$wanted" --csv "$@"
}

# Runs a program under the profiler: RAWDIR/NAME.order has what it printed, NAME.ncu what the
# profiler says, NAME.csv both, joined. The program's own failure is one, too, after that.
profile() { # NAME HEAD METRICS PROGRAM ARGUMENT...
    [ -n "$3" ] || return 1
    base=$RAW/$1
    what=$1
    heads=$2
    metrics=$3
    shift 3
    profiler "$metrics" --page raw --print-units base --log-file "$base.ncu" "$@" \
        >"$WORK/order" 2>"$base.err"
    code=$?
    grep -v '^==' "$WORK/order" >"$base.order"
    awk -v head="$heads" -v keep="$metrics" -f "$HERE/join.awk" "$base.order" "$base.ncu" \
        >"$base.csv" || code=1
    [ $code -eq 0 ] || { head -n 20 "$base.err"; tail -n 3 "$base.ncu"; } >&2
    say "$what: $(wc -l <"$base.order") launches"
    return "$code"
}

# ---- stages ---------------------------------------------------------------------------------

timed() {
    head_of "Steady-state time of warp requests on shared memory, cycles per request."
    echo "opcode,mask,addresses,cycles_per_request_16_warps,cycles_per_request_1_warp"
    timeout 120 "$WORK/probe" time "$WORK/requests.txt" 1000000
}

twins() {
    profile twins kernel,settings,blocks,output "$(pick "${data}_mem_shared" \
        "${data}_mem_shared_op_(ld|st|atom|misc)" "${conflicts}_mem_shared_op_(ld|st|atom)" \
        "${by_inst}_op_(ld|st|atom)" "${inst}_shared_(ld|st|atom)_pred_on_any" \
        "l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(ld|st|atom|red)" \
        "idc__requests" "${inst}_ldc"),$view,${view}_ideal" \
        "$WORK/twins" "$HERE/twins/runs.txt"
    code=$?
    head_of "The emulators' twins: what each launch left in memory, and its counts."
    cut -d, -f2- "$RAW/twins.csv"
    return "$code"
}

# What a user gets: the profiler's own words, in its two forms of csv.
report() {
    names=$(pick "${data}_mem_shared_op_(ld|st|atom)" "${conflicts}_mem_shared_op_(ld|st|atom)" \
        "${inst}_shared_(ld|st|atom)" "${inst}_ldsm" \
        "l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(ld|st)")
    grep -E '^(square_set_row_read_col|rect_set_col_read_col|histogram_shared|transpose_shared)$' \
        "$HERE/twins/runs.txt" >"$WORK/report.txt"
    profiler "$names" --page raw --log-file "$OUT/ncu_raw.csv" "$WORK/twins" "$WORK/report.txt" &&
        profiler "$names" --log-file "$OUT/ncu_details.csv" "$WORK/twins" "$WORK/report.txt"
}

request_columns=kind,trips,opcode,mask,addresses
shared_sums="wavefronts=wavefronts_mem_shared_op_(ld|st|atom)[.]sum\$
 bank_conflicts=bank_conflicts_pipe_lsu_mem_shared_op_(ld|st|atom)[.]sum\$"

slim() { # TIMES JOINED SUMS [OPTION...]
    times=$OUT/$1
    [ -f "$times" ] || times=$RAW/$1
    [ -f "$times" ] || times=/dev/null
    joined=$RAW/$2
    wanted=$(echo "$3" | tr '\n' ' ')
    shift 3
    awk -f "$HERE/slim.awk" -v sums="$wanted" "$@" "$times" "$joined"
}

counted() {
    profile counted "$request_columns" "$(pick "${data}_mem_shared_op_(ld|st|atom)" \
        "${conflicts}_mem_shared_op_(ld|st|atom)" "${inst}_shared_(ld|st|atom)" \
        "${inst}_ldsm")" \
        "$WORK/probe" count "$WORK/requests.txt" "$COUNTED" "$TRIPS" "$LIMIT" || return 1
    for kind in single loop; do
        [ $kind = single ] && file=requests.csv || file=loops.csv
        {
            head_of "Warp requests on shared memory, counted by the profiler and timed ($kind)."
            slim timed.csv counted.csv "$shared_sums" -v columns=opcode,mask,addresses \
                -v kind=$kind
        } >"$OUT/$file"
        say "$file: $(grep -vc '^#' "$OUT/$file") lines"
    done
}

# Which counter counts which opcode: one case of each, all counters that could.
counters() {
    profile counters "$request_columns" "$(pick "$data" "${data}_mem_shared.*" "$conflicts" \
        "${conflicts}_mem_shared.*" "l1tex__data_bank_(reads|writes)" \
        "${inst}_.*(shared|stsm|ldsm|ldgsts).*")" \
        "$WORK/probe" count "$WORK/requests.txt" 69 "$TRIPS" 20
}

# Counts by instruction, among them what the profiler takes for the ideal.
ideals() {
    profile ideals "$request_columns" "$view,${view}_ideal" \
        "$WORK/probe" count "$WORK/requests.txt" 138 "$TRIPS" 15 || return 1
    head_of "The source view's wavefronts and ideal wavefronts, per request."
    slim timed.csv ideals.csv "wavefronts=shared\$ ideal=shared_ideal\$" -v kind=single \
        -v columns=opcode,mask,addresses
}

# What the pipe counts and what the instructions are said to take, where groups of lanes merge.
merges() {
    {
        echo "opcode,mask,addresses,cycles_per_request_16_warps,cycles_per_request_1_warp"
        "$WORK/probe" time "$WORK/merges.txt" 1000000
    } >"$RAW/merges_times.csv" || return 1
    profile merges "$request_columns" "$(pick "${data}_mem_shared_op_ld" \
        "${conflicts}_mem_shared_op_ld"),$view" \
        "$WORK/probe" count "$WORK/merges.txt" 1000000 "$TRIPS" 60 || return 1
    head_of "Wide loads by lanes that share in pairs: by the pipe, and by instruction (source view)."
    slim merges_times.csv merges.csv "wavefronts=wavefronts_mem_shared_op_ld[.]sum\$
 bank_conflicts=bank_conflicts_pipe_lsu_mem_shared_op_ld[.]sum\$ by_instruction=^$view\$" \
        -v kind=single -v columns=opcode,mask,addresses
}

# Profiles a set of questions.cu.
ask() { # SET TRIPS LIMIT PATTERN...
    set_name=$1
    trips=$2
    limit=$3
    shift 3
    profile "${set_name}_$trips" "$request_columns,global_addresses,pattern" "$(pick "$@")" \
        "$WORK/questions" count "$WORK/$set_name.txt" 100000 "$trips" "$limit"
}

question() { # SET LIMIT WHAT SUMS PATTERN...
    set_name=$1
    limit=$2
    what=$3
    sums=$4
    shift 4
    ask "$set_name" "$TRIPS" "$limit" "$@" || return 1
    head_of "$what, per request."
    slim question_times.csv "${set_name}_$TRIPS.csv" "$sums" \
        -v columns=opcode,mask,addresses,pattern
}

constant() {
    for trips in 4 20; do
        ask constant "$trips" 20 "idc__requests" "${inst}_ldc" || return 1
    done
    head_of "Constant loads, per request: what 20 of them count more than 4."
    slim question_times.csv constant_20.csv "requests=^idc__requests[.]sum\$" \
        -v columns=opcode,mask,addresses,pattern -v less="$RAW/constant_4.csv"
}

question_times() {
    printf '%s,' opcode mask addresses global_addresses pattern cycles_per_request_16_warps
    echo cycles_per_request_1_warp
    for set in copies increments constant global atomics; do
        timeout 60 "$WORK/questions" time "$WORK/$set.txt" 100000 || return 1
    done
}

# Runs a stage into a file; says how it went. What came out before a failure is kept.
stage() { # FILE COMMAND...
    file=$1
    shift
    "$@" >"$WORK/stage.out" || fail "$(basename "$file")"
    grep '^\[' "$WORK/stage.out"
    if grep -v '^\[' "$WORK/stage.out" >"$WORK/stage.rows"; then
        cp "$WORK/stage.rows" "$file"
    fi
    say "$(basename "$file"): $(grep -vc '^#' "$WORK/stage.rows") lines"
}

questions() {
    stage "$RAW/question_times.csv" question_times
    stage "$OUT/increments.csv" question increments 15 "Increments of shared memory by a constant" \
        "$shared_sums" "${data}_mem_shared_op_(ld|st|atom)" \
        "${conflicts}_mem_shared_op_(ld|st|atom)"
    stage "$OUT/copies.csv" question copies 40 "Asynchronous copies to shared memory" \
        "wavefronts=^${by_inst}_op_ldgsts[.]sum\$
         bank_conflicts=^${conflicts}_mem_shared_op_ldgsts[.]sum\$" \
        "${by_inst}_op_ldgsts" "${conflicts}_mem_shared_op_ldgsts"
    stage "$OUT/constant.csv" constant
    stage "$OUT/global.csv" question global 45 "Global loads and stores" \
        "requests=t_requests sectors=t_sectors lines=t_set_accesses" \
        "l1tex__t_(requests|sectors|set_accesses)_pipe_lsu_mem_global_op_(ld|st)"
    stage "$OUT/atomics.csv" question atomics 45 "Global atomics" \
        "requests=t_requests sectors=t_sectors" \
        "l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(atom|red)"
}

sass() {
    command -v cuobjdump >/dev/null || { say "sass: skipped, no cuobjdump"; return 0; }
    for program in probe questions twins; do
        cuobjdump -sass "$WORK/$program" >"$WORK/$program.sass" || fail "cuobjdump $program"
        {
            head_of "Memory instructions in the kernels of $program."
            awk -f "$HERE/sass.awk" "$WORK/$program.sass"
        } >"$RAW/${program}_sass.csv"
    done
}

# Single instructions of PTX, chains of them, sums and products, and approximations, of drawn operands;
# textures.
ptx() {
    for part in forms chains sums; do
        "$CC" -std=c11 -O1 -c -o "$WORK/ptx_$part.o" "$HERE/ptx_$part.c" || return 1
    done
    nvcc -O1 -arch=sm_"$cc_number" -o "$RAW/ptx" "$HERE/ptx.cu" "$WORK/ptx_forms.o" \
        "$WORK/ptx_chains.o" "$WORK/ptx_sums.o" -lcuda || return 1
    {
        head_of "Instructions of PTX."
        "$RAW/ptx" forms "$SEED" && "$RAW/ptx" chains "$SEED" 0 "$CHAINS" &&
            "$RAW/ptx" sums "$SEED" 0 "$CHAINS" && "$RAW/ptx" approximations 65536
    } >"$OUT/ptx.txt" || return 1
    nvcc -O1 -arch=sm_"$cc_number" -o "$WORK/textures" "$HERE/textures.cu" &&
        { head_of "Fetches from textures." && "$WORK/textures"; } >"$OUT/textures.txt"
}

for name in $STAGES; do
    say "stage $name"
    case $name in
    timed) stage "$OUT/timed.csv" timed ;;
    twins) stage "$OUT/twins.csv" twins ;;
    report) report >/dev/null || fail report ;;
    counted) counted || fail counted ;;
    counters)
        counters || fail counters
        stage "$OUT/ideals.csv" ideals
        ;;
    merges) stage "$OUT/merges.csv" merges ;;
    questions) questions ;;
    sass) sass ;;
    ptx) ptx || fail ptx ;;
    *) fail "no such stage: $name" ;;
    esac
done
say "done, status $status"
exit $status
