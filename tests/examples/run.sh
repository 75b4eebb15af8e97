#!/bin/sh
# run.sh PROGRAM... - runs the examples, and looks whether each public function is called by one of
# them: by the symbols that their objects, PROGRAM.o, need, as the words of kernel.h are macros.
set -eu

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

for program; do
    if "$program"; then
        passed=$((passed + 1))
    else
        echo "$program fails"
        failed=$((failed + 1))
    fi
    nm -P "$program.o" >>"$work/symbols"
done

# macOS writes an underscore before each name.
awk '$2 == "U" { sub(/^_/, "", $1); print $1 }' "$work/symbols" | sort -u >"$work/called"
sh tools/public_functions.sh | comm -23 - "$work/called" >"$work/missing"
if [ -s "$work/missing" ]; then
    sed 's/^/no example calls /' "$work/missing"
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
