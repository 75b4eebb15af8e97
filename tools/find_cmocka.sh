#!/bin/sh
# find_cmocka.sh FILE - how to compile and link with cmocka on this machine.
#
# Writes two lines to FILE, compiler flags and linker flags, and leaves FILE alone where they are
# the same already. CC and CMOCKA_PREFIX come from the environment. Each way is believed only after
# a program was built with it: a pkg-config file may outlive its library.
set -eu

out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/probe.c" <<'END'
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
int main(void) { return cmocka_run_group_tests_name("", (struct CMUnitTest *)0, NULL, NULL); }
END

# try_flags COMPILE LINK: is that the way?
try_flags() {
    # CC, COMPILE and LINK are lists of words.
    # shellcheck disable=SC2086
    ${CC:-cc} $1 -c -o "$work/probe.o" "$work/probe.c" 2>/dev/null &&
        ${CC:-cc} -o "$work/probe" "$work/probe.o" $2 2>/dev/null || return 1
    printf '%s\n%s\n' "$1" "$2" >"$work/flags"
}

try_prefix() {
    try_flags "-I$1/include" "-L$1/lib -Wl,-rpath,$1/lib -lcmocka"
}

try_pkg_config() {
    command -v pkg-config >/dev/null 2>&1 && pkg-config --exists cmocka 2>/dev/null &&
        try_flags "$(pkg-config --cflags cmocka)" "$(pkg-config --libs cmocka)"
}

if ! { [ -n "${CMOCKA_PREFIX:-}" ] && try_prefix "$CMOCKA_PREFIX"; } && ! try_pkg_config &&
    ! try_flags "" "-lcmocka" && ! try_prefix /opt/homebrew && ! try_prefix /usr/local; then
    echo "cmocka, the library that the tests use, is not installed: run \`make deps\`" >&2
    echo "(or say where its include/ and lib/ are: \`make check CMOCKA_PREFIX=/opt/cmocka\`)" >&2
    exit 1
fi

[ "$(cat "$out" 2>/dev/null)" = "$(cat "$work/flags")" ] || cp "$work/flags" "$out"
