#!/bin/sh
# check_symbols.sh STATIC SHARED - checks the names that the two libraries show and use.
#
# - Each global that the static library defines begins with bsim_.
# - The shared one exports what the public headers mark BSIM_API, no more and no less.
# - The library calls nothing that prints or ends the program, and allocates in base/memory.c alone.
#
# Functions that a sanitizer or gcov adds are passed over.
set -eu

static=$1
shared=$2
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

[ "$(uname -s)" = Darwin ] && underscore=_ || underscore=
dynamic=$([ "$(uname -s)" = Darwin ] && echo -gU || echo "-D --defined-only")

# Names only, without what the compiler's instruments add.
clean() {
    sed "s/^$underscore//; s/@.*//" |
        grep -Ev '^__(odr_)?(asan|ubsan|gcov|llvm|prof[cd])' | sort -u || :
}

verdict() {
    if [ -s "$work/bad" ]; then
        sed "s/^/$1: /" "$work/bad"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

# An archive listing has a line `file.o:` before each member's symbols: TYPE is the field before the
# name, U for those it needs.
nm "$static" 2>/dev/null | awk '
    /^[^ ]*:$/          { member = $1; sub(/.*[(\/]/, "", member); sub(/\)?:$/, "", member); next }
    NF >= 2             { print member, $(NF - 1), $NF }
' >"$work/symbols"

awk '$2 ~ /^[A-TV-Z]$/ { print $3 }' "$work/symbols" | clean | grep -v '^bsim_' >"$work/bad" || :
verdict "global without bsim_"

sh tools/public_functions.sh >"$work/declared"
# shellcheck disable=SC2086
nm $dynamic "$shared" | awk '{ print $NF }' | clean >"$work/exported"

comm -23 "$work/declared" "$work/exported" >"$work/bad"
verdict "BSIM_API but not in the library"
comm -13 "$work/declared" "$work/exported" >"$work/bad"
verdict "exported without BSIM_API"

words() {
    printf '%s\n' "$@" | sort
}
used() {
    awk -v but="$1" '$2 == "U" && $1 != but { print $3 }' "$work/symbols" |
        sed "s/^$underscore//; s/^__\(.*\)_chk\$/\1/" | sort -u
}

words malloc calloc realloc free strdup strndup aligned_alloc posix_memalign >"$work/heap"
used memory.o | comm -12 - "$work/heap" >"$work/bad"
verdict "heap use outside base/memory.c"

words printf vprintf puts putchar perror stdout stderr exit _exit _Exit quick_exit abort \
    system getenv setlocale rand srand strtok localtime gmtime >"$work/never"
used '' | comm -12 - "$work/never" >"$work/bad"
verdict "not for a library"

echo "$(wc -l <"$work/declared") public functions"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
