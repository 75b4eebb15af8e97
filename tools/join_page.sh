#!/bin/sh
# join_page.sh FRAME WASM VERSION STYLE ENGINE SCRIPT... - writes a page of one file to standard output: the
# frame, in which lines of one @WORD@ stand for the other files: @STYLE@, @ENGINE@, @SCRIPTS@, and
# @WASM@, packed and in base64.
set -eu

frame=$1
wasm=$2
version=$3
style=$4
engine=$5
shift 5

while IFS= read -r line; do
    case $line in
    @STYLE@) cat "$style" ;;
    @ENGINE@) cat "$engine" ;;
    @SCRIPTS@) cat "$@" ;;
    @WASM@) gzip -9nc "$wasm" | base64 | tr -d '\n' ;;
    *@VERSION@*) printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$frame"
