#!/bin/sh
# run.sh NAME COUNT COMMAND... - runs one piece of the test suite.
#
# A piece says how many of its tests passed in TAP (what cmocka programs are told to speak) or in a
# last line `N passed, N failed`. Prints one line for the piece, and its whole output if something
# failed; writes `PASSED FAILED` to the file COUNT. Exits 0 in either case: sum.sh has the verdict.
#
# A piece that ran no test, stopped before its plan's end, or exits non-zero without a failed test
# (a crash, a leak found at exit) counts as a failure too.
set -u

name=$1
count=$2
shift 2
log=${count%.count}.log
limit=${TEST_SECONDS:-300}

if command -v timeout >/dev/null 2>&1; then
    set -- timeout "$limit" "$@"
fi
CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$log" 2>&1 </dev/null
status=$?

counts=$(awk -v status=$status '
    /^1\.\.[0-9]+$/                       { planned += substr($0, 4); next }
    /^(not )?ok .*# SKIP/                 { skipped++; next }
    /^ok /                                { passed++; next }
    /^not ok /                            { failed++; next }
    /^[0-9]+ passed, [0-9]+ failed$/      { summary = 1; passed = $1; failed = $3 }
    END {
        missing = planned - passed - failed - skipped
        if (missing > 0) {
            failed += missing
        }
        if (failed == 0 && (status != 0 || passed + skipped == 0)) {
            failed = 1
        }
        print passed + 0, failed + 0, skipped + 0
    }
' "$log") || exit 1
echo "$counts" >"$count"
read -r passed failed skipped <"$count"

# At once, since other pieces speak too.
if [ "$failed" -eq 0 ]; then
    more=
    [ "$skipped" -eq 0 ] || more=", $skipped skipped"
    printf 'ok    %-40s %4d passed%s\n' "$name" "$passed" "$more"
    exit
fi
{
    printf 'FAIL  %-40s %4d passed, %d failed, exit %d\n' "$name" "$passed" "$failed" "$status"
    [ "$status" -ne 124 ] || printf '      stopped after %s seconds\n' "$limit"
    sed -e '/^ok /d; /^1\.\.[0-9]*$/d' -e 's/^/      | /' "$log"
} >"$log.said"
cat "$log.said"
rm -f "$log.said"
