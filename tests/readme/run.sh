#!/bin/sh
# run.sh [FILE] - runs the commands that README.md (or FILE) shows and compares what they print.
#
#     ```console
#     $ banksim run traces/example.trace
#     kernel  wavefronts
#     ...
#     ```
# Each `$ ` line is a command (going on in the next line after a backslash), the lines below it are
# its output and error output. A line `...` stands for any number of lines; blank lines at the end
# do not matter. Blocks marked `sh` are only read by `sh -n`. A line `<!-- no-test: REASON -->`
# above a block takes it out.
#
# Each command has a shell of its own, in a folder that mirrors the repository's top level by links,
# so that a file which it writes does not land in the repository; later commands see that file.
set -eu

cd "$(dirname "$0")/../.."
root=$PWD
file=${1:-README.md}
unset NO_COLOR COLUMNS MAKEFLAGS MAKELEVEL
PATH=${BANKSIM_BIN:-$root/build}:$PATH
LC_ALL=C
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99${SANITIZED:+:detect_leaks=0} # as in tests/golden/run.sh
export PATH LC_ALL ASAN_OPTIONS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

[ -f "$file" ] || { echo "$file is not there"; echo "0 passed, 1 failed"; exit 1; }

mkdir "$work/cases" "$work/here"
for entry in "$root"/*; do
    ln -s "$entry" "$work/here/"
done

# Takes the file apart: cases/NNN.{cmd,expected,line}, cases/NNN.{sh,line}, or cases/NNN.bad, which
# holds a complaint about the file itself.
awk -v dir="$work/cases" '
    function start(kind) {
        n++
        base = sprintf("%s/%03d", dir, n)
        print NR >(base ".line")
        close(base ".line")
        out = base "." kind
        printf "" >out
    }
    function complain(text) { start("bad"); print text >out; close(out) }

    /^[ \t]+```(console|sh)[ \t]*$/ { complain("an indented block is not tested") }
    block == "" && /^```/ {
        block = skip ? "skipped" : substr($0, 4)
        sub(/[ \t]+$/, "", block)
        if (block == "") block = "plain"
        skip = 0
        out = ""
        if (block == "sh") start("sh")
        next
    }
    /^```/                         { block = ""; if (out != "") close(out); next }
    block == "" && /^<!-- no-test: .+ -->$/ { skip = 1; next }
    block == "" && !/^[ \t]*$/     { skip = 0; next }
    block == "sh"                  { print >out; next }
    block != "console"             { next }
    more                           { print >out; more = /\\$/
                                     if (!more) { close(out); out = base ".expected" }
                                     next }
    /^\$ /                         { if (out != "") close(out)
                                     start("cmd")
                                     print substr($0, 3) >out
                                     more = /\\$/
                                     printf "" >(base ".expected")
                                     close(base ".expected")
                                     if (!more) { close(out); out = base ".expected" }
                                     next }
    out == ""                      { complain("output without a command: " $0); out = ""; next }
                                   { print >out }
    END { if (block != "") complain("the last block has no end") }
' "$file"

# matches EXPECTED GOT: the lines agree, `...` taken as any number of lines.
matches() {
    awk '
        FNR == 1 { file++ }
        file == 1 { want[++n_want] = $0; next }
        { got[++n_got] = $0 }
        END {
            if (n_got == "") n_got = 0
            while (n_want > 0 && want[n_want] == "") n_want--
            while (n_got > 0 && got[n_got] == "") n_got--
            w = g = 1
            star = 0
            while (g <= n_got) {
                if (w <= n_want && want[w] == "...") { star = w++; from = g }
                else if (w <= n_want && want[w] == got[g]) { w++; g++ }
                else if (star) { w = star + 1; g = ++from }
                else exit 1
            }
            while (w <= n_want && want[w] == "...") w++
            exit w <= n_want
        }
    ' "$1" "$2"
}

check_command() {
    (cd "$work/here" && sh -c "$(cat "$1.cmd")") >"$work/got" 2>&1 </dev/null || :
    # awk tells its two files apart by their first lines: an empty one needs one.
    [ -s "$1.expected" ] || echo >"$1.expected"
    matches "$1.expected" "$work/got" && return 0
    printf 'FAIL %s:%s: %s (- expected, + got)\n' "$file" "$(cat "$1.line")" \
        "$(head -n 1 "$1.cmd")"
    diff -u "$1.expected" "$work/got" | tail -n +3 || :
    return 1
}

check_shell() {
    sh -n "$1.sh" 2>"$work/got" && return 0
    echo "FAIL $file:$(cat "$1.line"): not what a shell reads"
    cat "$work/got"
    return 1
}

for line in "$work"/cases/*.line; do
    [ -f "$line" ] || continue
    case=${line%.line}
    ok=0
    if [ -f "$case.bad" ]; then
        printf 'FAIL %s:%s: %s\n' "$file" "$(cat "$line")" "$(cat "$case.bad")"
    elif [ -f "$case.sh" ]; then
        ! check_shell "$case" || ok=1
    else
        ! check_command "$case" || ok=1
    fi
    passed=$((passed + ok))
    failed=$((failed + 1 - ok))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
