#!/bin/sh
# join_page.sh FRAME WASM VERSION STYLE ENGINE EXAMPLES SCRIPT... - writes a page of one file to standard
# output: the frame, in which lines of one @WORD@ stand for the other files: @STYLE@, @ENGINE@, @SCRIPTS@,
# @EXAMPLES@, a script element for each file of that folder, and @WASM@, packed and in base64.
set -eu

frame=$1
wasm=$2
version=$3
style=$4
engine=$5
examples=$6
shift 6

# A file's first line is its name, as a comment.
put_example() {
    printf '<script type="text/plain" class="example" title="%s">\n' "$(sed -n '1s/^# //p' "$1")"
    sed 1d "$1"
    printf '</script>\n'
}

while IFS= read -r line; do
    case $line in
    @STYLE@) cat "$style" ;;
    @ENGINE@) cat "$engine" ;;
    @SCRIPTS@) cat "$@" ;;
    @EXAMPLES@) for file in "$examples"/*.check; do put_example "$file"; done ;;
    @WASM@) gzip -9nc "$wasm" | base64 | tr -d '\n' ;;
    *@VERSION@*) printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$frame"
