#!/bin/sh
# public_functions.sh [HEADER...] - names the functions that the public headers mark BSIM_API, one a line:
# all of them, or those of include/banksim/HEADER.
#
# A declaration may run over several lines: the name is the word before the first parenthesis.
set -eu

cd "$(dirname "$0")/../include/banksim"
[ $# -gt 0 ] || set -- *.h
cat "$@" | awk '
    /^#/       { next }
    /BSIM_API/ { taking = 1; text = "" }
    taking     { text = text " " $0 }
    taking && /[(;]/ {
        sub(/[(;].*/, "", text)
        sub(/[ \t]+$/, "", text)
        sub(/.*[ \t*]/, "", text)
        print text
        taking = 0
    }
' | sort -u
