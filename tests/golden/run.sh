#!/bin/sh
# run.sh [NAME...] - runs the golden tests, all or those named; `--part K/N` every N-th, from the K-th;
# `--tap NAME...` says how each went; `--bless NAME...` writes them.
#
# A test is tests/golden/NAME.cmd, a command line for sh in which `banksim` is the program that was
# built last, with
#     NAME.out    what it prints: must exist, and holds byte for byte
#     NAME.err    what it says on stderr; no such file: nothing
#     NAME.exit   its exit code; no such file: 0
# A command with a line `# Release only: WHY` is a matter of figures, and takes long: where SANITIZED is set, as by
# `make VARIANT=asan`, it is skipped.
# Commands run in the repository's root, in the C locale, with nothing on stdin. Whatever they write
# belongs below $TMP, which is empty at the start of each and gone after the run.
#
# --bless takes what the program says now as right, for a person to read and judge before it is
# committed. It wants names, so that nobody blesses everything, and refuses to run where CI is set.
set -eu

cd "$(dirname "$0")/../.."
unset NO_COLOR COLUMNS
bin=${BANKSIM_BIN:-$PWD/build}
PATH=$bin:$PATH
LC_ALL=C
# A sanitizer's finding must not look like one of the program's own exit codes. To look for leaks would take as long
# as all else, in thousands of runs: the tests that call the library do so. Nor is noted who called whom to allocate.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99${SANITIZED:+:detect_leaks=0:malloc_context_size=1}
export PATH LC_ALL ASAN_OPTIONS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
passed=0
failed=0

[ -x "$bin/banksim" ] || { echo "$bin/banksim is not there: run \`make\`" >&2; exit 1; }

# What costs a process is left out where nothing is to be done: there are hundreds of cases.

# run_case NAME: leaves out, err and exit in $work.
run_case() {
    for left in "$work"/tmp/* "$work"/tmp/.[!.]*; do
        [ ! -e "$left" ] && [ ! -h "$left" ] || rm -rf "$work/tmp"
    done
    [ -d "$work/tmp" ] || mkdir "$work/tmp"
    status=0
    TMP=$work/tmp sh "tests/golden/$1.cmd" >"$work/out" 2>"$work/err" </dev/null || status=$?
    echo "$status" >"$work/exit"
}

# same NAME KIND EXPECTED: does what came out equal the file EXPECTED? Shows the difference if not.
same() {
    [ -s "$work/$2" ] || [ -s "$3" ] || return 0
    cmp -s "$3" "$work/$2" && return 0
    echo "FAIL $1: $2 differs (- expected, + got)"
    diff -u "$3" "$work/$2" | tail -n +3 || :
    return 1
}

check_case() {
    case=tests/golden/$1
    [ -f "$case.cmd" ] || { echo "FAIL $1: $case.cmd is not there"; return 1; }
    [ -f "$case.out" ] || { echo "FAIL $1: $case.out is not there"; return 1; }
    err=$case.err
    [ -f "$err" ] || err=/dev/null
    exit=$case.exit
    [ -f "$exit" ] || { exit=$work/zero; echo 0 >"$exit"; }
    run_case "$1"
    bad=0
    same "$1" out "$case.out" || bad=1
    same "$1" err "$err" || bad=1
    [ "$exit" = "$work/zero" ] && [ "$status" = 0 ] || same "$1" exit "$exit" || bad=1
    return $bad
}

bless_case() {
    case=tests/golden/$1
    [ -f "$case.cmd" ] || { echo "$case.cmd is not there: write it first" >&2; exit 1; }
    run_case "$1"
    rm -f "$case.err" "$case.exit"
    cp "$work/out" "$case.out"
    [ ! -s "$work/err" ] || cp "$work/err" "$case.err"
    [ "$status" -eq 0 ] || cp "$work/exit" "$case.exit"
    echo "$1: exit $status, $(wc -l <"$work/out") lines out, $(wc -l <"$work/err") lines err"
}

if [ "${1:-}" = --bless ]; then
    shift
    [ -z "${CI:-}" ] || { echo "--bless: not where CI is set" >&2; exit 1; }
    [ $# -gt 0 ] || { echo "--bless: name the tests" >&2; exit 1; }
    for name; do
        bless_case "$name"
    done
    echo "read them before you commit them: git diff tests/golden"
    exit 0
fi

every=1
first=1
if [ "${1:-}" = --part ]; then
    first=${2%/*}
    every=${2#*/}
    shift 2
fi
tap=
if [ "${1:-}" = --tap ]; then
    tap=yes
    shift
fi
if [ $# -eq 0 ]; then
    # Expectations count as names too: one whose command is gone must not rest unnoticed.
    # shellcheck disable=SC2046,SC2012 # no name has blanks
    set -- $(ls tests/golden | sed -nE 's/\.(cmd|out|err|exit)$//p' | sort -u |
        awk -v first="$first" -v every="$every" 'NR % every == first % every')
fi
for name; do
    if [ -n "${SANITIZED:-}" ] && grep -qs '^# Release only: ' "tests/golden/$name.cmd"; then
        echo "ok - $name # SKIP release only"
    elif check_case "$name" >"$work/said"; then
        passed=$((passed + 1))
        [ -z "$tap" ] || echo "ok - golden $name"
    elif [ -n "$tap" ]; then
        failed=$((failed + 1))
        sed 's/^/# /' "$work/said"
        echo "not ok - golden $name"
    else
        failed=$((failed + 1))
        cat "$work/said"
    fi
done
[ -n "$tap" ] || echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
