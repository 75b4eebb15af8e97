#!/bin/sh
# lint.sh - the checkers that are installed, over all sources, on all processors: some minutes of
# work. Exits 1 if one of them complains.
set -eu

cd "$(dirname "$0")/.."
status=0
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

have() {
    command -v "$1" >/dev/null 2>&1 && return 0
    echo "$1: not installed, left out"
    return 1
}

if have clang-tidy; then
    echo "clang-tidy"
    # The library and the program only: the analyzer does not know that cmocka's assertions return
    # no more.
    find src -name '*.c' | sort |
        xargs -P "$jobs" -I FILE clang-tidy --quiet FILE -- -std=c11 -Iinclude -Isrc 2>/dev/null ||
        status=1
fi

if have cppcheck; then
    echo "cppcheck"
    # expr_cases.inc compares anything with anything on purpose: so may a user's expression.
    cppcheck --quiet -j "$jobs" --std=c11 --language=c --inline-suppr --error-exitcode=1 \
        --enable=warning,performance,portability --suppress=missingIncludeSystem \
        --suppress='*:tests/unit/expr_cases.inc' \
        -Iinclude -Isrc -Itests/support src tests || status=1
fi

# shellcheck disable=SC2046 # no name in the repository has blanks
if have shellcheck; then
    echo "shellcheck"
    shellcheck .ci/run $(find tests tools -name '*.sh' | sort) || status=1
fi

# The page's script and its tests: what the parser refuses.
if have node; then
    echo "node"
    for script in src/report/page/*.js src/web/*.js tests/browser/*.mjs tests/web/*.mjs; do
        node --check "$script" || status=1
    done
fi
exit $status
