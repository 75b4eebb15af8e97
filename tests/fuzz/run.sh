#!/bin/sh
# run.sh PROGRAM [FILE...] - replays the fuzz corpus: PROGRAM takes one file after the other and
# must not crash, hang, or exit other than with 0. Each file is a test.
set -eu

program=$1
shift
passed=0
failed=0
[ $# -gt 0 ] || set -- tests/fuzz/corpus/*

for file; do
    if output=$("$program" "$file" 2>&1 </dev/null); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n%s\n' "$file" "$output"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
