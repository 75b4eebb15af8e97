#!/bin/sh
# join_page.sh FRAME WASM VERSION STYLE ENGINE EXAMPLES EXERCISES SCRIPT... - writes a page of one file to standard
# output: the frame, in which lines of one @WORD@ stand for the other files: @STYLE@, @ENGINE@, @SCRIPTS@,
# @EXAMPLES@, a script element for each file of these two folders, and @WASM@, packed and in base64.
set -eu

frame=$1
wasm=$2
version=$3
style=$4
engine=$5
examples=$6
exercises=$7
shift 7

# put_text CLASS TITLE: standard input, as a text for the page's script.
put_text() {
    printf '<script type="text/plain" class="%s" title="%s">\n' "$1" "$2"
    cat
    printf '</script>\n'
}

# An example's first line is its name, as a comment; an exercise goes by its file's: 02-transpose.check.
put_texts() {
    for file in "$examples"/*.check; do
        sed 1d "$file" | put_text example "$(sed -n '1s/^# //p' "$file")"
    done
    for file in "$exercises"/*.check; do
        put_text exercise "$(basename "$file" .check | sed 's/^0*//; s/-/. /')" <"$file"
    done
}

while IFS= read -r line; do
    case $line in
    @STYLE@) cat "$style" ;;
    @ENGINE@) cat "$engine" ;;
    @SCRIPTS@) cat "$@" ;;
    @EXAMPLES@) put_texts ;;
    @WASM@) gzip -9nc "$wasm" | base64 | tr -d '\n' ;;
    *@VERSION@*) printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$frame"
