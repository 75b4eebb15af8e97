#!/bin/sh
# run.sh PROGRAM... - replays the fuzz corpora: each PROGRAM, fuzz_NAME, takes the files of
# tests/fuzz/corpus_NAME, or of tests/fuzz/corpus if there is no such folder, one after the other and
# must not crash, hang, or exit other than with 0. Each file is a test.
set -eu

passed=0
failed=0

for program; do
    corpus=tests/fuzz/corpus_${program##*fuzz_}
    [ -d "$corpus" ] || corpus=tests/fuzz/corpus
    for file in "$corpus"/*; do
        if output=$("$program" "$file" 2>&1 </dev/null); then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf 'FAIL %s\n%s\n' "$file" "$output"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
