#!/bin/sh
# check_install.sh - installs into an empty folder, builds and runs programs against what lies
# there, and uninstalls. MAKE, CC, CXX and VARIANT come from the environment.
set -eu

cd "$(dirname "$0")/.."
make=${MAKE:-make}
cc=${CC:-cc}
cxx=${CXX:-c++}
variant=${VARIANT:-release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dest=$work/dest
prefix=/opt/bank
root=$dest$prefix
passed=0
failed=0

# step TEXT COMMAND...: one check, which stops at the first command that fails; what it printed is
# shown then. (Under `if` the shell would not stop: hence the status.)
step() {
    text=$1
    shift
    set +e
    (set -e; "$@") >"$work/log" 2>&1
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok    $text"
    else
        failed=$((failed + 1))
        echo "FAIL  $text"
        sed 's/^/      | /' "$work/log"
    fi
}

version=$(sed -n 's/^#define BSIM_VERSION "\(.*\)"/\1/p' include/banksim/banksim.h)
abi=${version%%.*}
if [ "$(uname -s)" = Darwin ]; then
    shared="libbanksim.$version.dylib libbanksim.$abi.dylib libbanksim.dylib"
else
    shared="libbanksim.so.$version libbanksim.so.$abi libbanksim.so"
fi

expected_files() {
    for f in bin/banksim lib/libbanksim.a lib/pkgconfig/banksim.pc share/man/man1/banksim.1; do
        echo "$f"
    done
    for f in $shared; do
        echo "lib/$f"
    done
    for f in include/banksim/*.h; do
        echo "$f"
    done
    echo lib/banksim/libbanksim_cudart.a
    [ ! -f build/banksim.html ] || echo share/banksim/banksim.html
    (cd src/cudart/include && find . -type f | sed 's|^\./|lib/banksim/include-cuda/|')
}

same_files() {
    expected_files | sort >"$work/expected"
    (cd "$root" && find . ! -type d | sed 's|^\./||' | sort) >"$work/got"
    diff -u "$work/expected" "$work/got"
}

# field NAME: of the installed banksim.pc, as seen from below DESTDIR. Read by hand where pkg-config
# is missing.
field() {
    pc=$root/lib/pkgconfig/banksim.pc
    if command -v pkg-config >/dev/null 2>&1; then
        case $1 in
        Version) set -- --modversion ;;
        Cflags) set -- --cflags ;;
        Libs) set -- --libs ;;
        esac
        PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --define-variable=prefix="$root" "$1" banksim
    else
        sed -n "s|^$1: *||p" "$pc" | sed "s|\${libdir}|$root/lib|; s|\${includedir}|$root/include|"
    fi
}

pc_is_right() {
    grep -qx "prefix=$prefix" "$root/lib/pkgconfig/banksim.pc"
    [ "$(field Version)" = "$version" ]
}

# As C and as C++.
cat >"$work/use.c" <<'END'
#include <banksim/banksim.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    struct bsim_device device;
    struct bsim_error err;
    if (bsim_device_find("sm_90", NULL, &device, &err) != BSIM_OK || device.n_banks != 32) {
        return 1;
    }
    if (bsim_device_find("no such device", NULL, &device, &err) != BSIM_E_USAGE) {
        return 2;
    }
    puts(bsim_version());
    return strcmp(bsim_version(), BSIM_VERSION) == 0 ? 0 : 3;
}
END

# field's answers are lists of words.
# shellcheck disable=SC2046
use_static() {
    $cc -std=c11 $(field Cflags) -o "$work/static" "$work/use.c" "$root/lib/libbanksim.a"
    [ "$("$work/static")" = "$version" ]
}
# shellcheck disable=SC2046
use_shared() {
    $cc -std=c11 $(field Cflags) -o "$work/shared" "$work/use.c" $(field Libs) \
        -Wl,-rpath,"$root/lib"
    [ "$("$work/shared")" = "$version" ]
}

# The same program as C++, and the headers in it, all but the one that is C alone.
# shellcheck disable=SC2046
use_cxx() {
    cp "$work/use.c" "$work/use.cpp"
    $cxx -std=c++11 -Wall -Wextra -Wpedantic -Werror $(field Cflags) -o "$work/cxx" \
        "$work/use.cpp" "$root/lib/libbanksim.a"
    [ "$("$work/cxx")" = "$version" ]
    echo '#include <banksim/kernel.h>' >"$work/kernel.cpp"
    if $cxx -std=c++11 $(field Cflags) -c -o "$work/kernel.o" "$work/kernel.cpp" 2>"$work/refusal"; then
        return 1
    fi
    grep -q 'is C, not C++' "$work/refusal"
}

# Each header stands alone, without a warning.
# shellcheck disable=SC2046
headers_compile() {
    for header in "$root"/include/banksim/*.h; do
        echo "#include <banksim/${header##*/}>" >"$work/header.c"
        echo "extern int not_empty;" >>"$work/header.c"
        $cc -std=c11 -Wall -Wextra -Wpedantic -Werror $(field Cflags) -c -o "$work/header.o" \
            "$work/header.c"
    done
}

program_runs() {
    "$root/bin/banksim" --version
    "$root/bin/banksim" --version | grep -qF "$version"
}

page_is_found() {
    "$root/bin/banksim" check --shared 'float s[64]' --load 's[2 * lane]' --format html >"$work/page"
    grep -q '2 \* lane' "$work/page"
}

man_reads() {
    page=$root/share/man/man1/banksim.1
    grep -qF "banksim $version" "$page"
    if command -v mandoc >/dev/null 2>&1; then
        # Files that the page names need not be there.
        mandoc -T lint -W warning "$page"
    elif command -v groff >/dev/null 2>&1; then
        [ -z "$(groff -ww -mdoc -T ascii "$page" 2>&1 >/dev/null)" ]
    elif command -v man >/dev/null 2>&1; then
        man -l "$page" | grep -q EXIT
    fi
}

nothing_left() {
    find "$dest" ! -type d
    [ -z "$(find "$dest" ! -type d)" ]
    [ ! -d "$root/include/banksim" ]
}

run_make() {
    $make VARIANT="$variant" DESTDIR="$dest" PREFIX="$prefix" "$1"
}

step "install" run_make install
step "the files" same_files
step "banksim.pc" pc_is_right
step "each header alone" headers_compile
step "a program with libbanksim.a" use_static
step "a program with the shared library" use_shared
if command -v "$cxx" >/dev/null 2>&1; then
    step "a program in C++" use_cxx
fi
step "the installed program" program_runs
if [ -f build/banksim.html ]; then
    step "the page of --format html" page_is_found
fi
step "the man page" man_reads
step "uninstall" run_make uninstall
step "nothing is left" nothing_left
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
