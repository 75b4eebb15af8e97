#!/bin/sh
# install_deps.sh [clang|wasm] - installs what the tests need and the build does not: cmocka; or clang,
# which `banksim cuda` compiles with; or what `make web` compiles to WebAssembly with.
#
# Does nothing where it is there already. Knows apt-get, dnf and brew; says what to do elsewhere.
set -eu

cd "$(dirname "$0")/.."
what=${1:-cmocka}
probe=$(mktemp)
trap 'rm -f "$probe"' EXIT

if [ "$what" = clang ] && command -v clang++ >/dev/null 2>&1; then
    echo "clang is installed"
    exit 0
fi
if [ "$what" = cmocka ] && sh tools/find_cmocka.sh "$probe" 2>/dev/null; then
    echo "cmocka is installed"
    exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null 2>&1; then
    as_root=sudo
fi

# A fresh machine has no package lists: they are fetched where the first try fails, no sooner.
apt_install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

if [ "$what" = clang ]; then
    if command -v apt-get >/dev/null 2>&1; then
        apt_install clang g++ || { $as_root apt-get update && apt_install clang g++; }
    elif command -v dnf >/dev/null 2>&1; then
        $as_root dnf install -y clang gcc-c++
    else
        echo "install clang 14 or newer with NVPTX with this system's package manager" >&2
        exit 1
    fi
    exit 0
fi

if [ "$what" = wasm ]; then
    if command -v apt-get >/dev/null 2>&1; then
        set -- clang lld wasi-libc libclang-rt-dev-wasm32 binaryen
        apt_install "$@" || { $as_root apt-get update && apt_install "$@"; }
    else
        echo "install clang, lld, wasi-libc, clang's runtime for wasm32 and binaryen with this system's" >&2
        echo "package manager" >&2
        exit 1
    fi
    exit 0
fi

if command -v apt-get >/dev/null 2>&1; then
    apt_install libcmocka-dev || { $as_root apt-get update && apt_install libcmocka-dev; }
elif command -v dnf >/dev/null 2>&1; then
    $as_root dnf install -y libcmocka-devel
elif command -v brew >/dev/null 2>&1; then
    brew install cmocka
else
    echo "install cmocka 1.1 or newer (https://cmocka.org) with this system's package manager," >&2
    echo "or build it and say where it is: make check CMOCKA_PREFIX=/its/prefix" >&2
    exit 1
fi

sh tools/find_cmocka.sh "$probe"
echo "cmocka is installed"
