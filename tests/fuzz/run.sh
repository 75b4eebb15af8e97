#!/bin/sh
# run.sh PROGRAM... - replays the fuzz corpora: each PROGRAM, fuzz_NAME, takes the files of
# tests/fuzz/corpus_NAME, or of tests/fuzz/corpus if there is no such folder, and must not crash, hang, or exit
# other than with 0. Each file is a test. All go to one process, which names those that it is done with; where it
# does not get to the end of the last, or leaks, each has one of its own.
set -eu

passed=0
failed=0

# one_by_one PROGRAM FILE...
one_by_one() {
    program=$1
    before=$failed
    shift
    for file; do
        if output=$("$program" "$file" 2>&1 </dev/null); then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf 'FAIL %s\n%s\n' "$file" "$output"
        fi
    done
    [ "$failed" -gt "$before" ] || {
        failed=$((failed + 1))
        printf 'FAIL %s, but with all files in turn alone:\n%s\n' "$program" "$all"
    }
}

for program; do
    corpus=tests/fuzz/corpus_${program##*fuzz_}
    [ -d "$corpus" ] || corpus=tests/fuzz/corpus
    set -- "$corpus"/*
    if all=$("$program" "$@" 2>&1 </dev/null) && [ "$all" = "$(printf '%s\n' "$@")" ]; then
        passed=$((passed + $#))
    else
        one_by_one "$program" "$@"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
