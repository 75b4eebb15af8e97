#!/bin/sh
# join_page.sh FRAME WASM KERNELS VERSION STYLE ENGINE EXAMPLES EXERCISES SCRIPT... - writes a page of one file to standard
# output: the frame, in which lines of one @WORD@ stand for the other files: @STYLE@, @ENGINE@, @SCRIPTS@,
# @EXAMPLES@, a script element for each file of these two folders, and @WASM@ and @KERNELS@, packed and in base64.
set -eu

frame=$1
wasm=$2
kernels=$3
version=$4
style=$5
engine=$6
examples=$7
exercises=$8
shift 8

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

put_module() {
    gzip -9nc "$1" | base64 | tr -d '\n'
}

while IFS= read -r line; do
    case $line in
    @STYLE@) cat "$style" ;;
    @ENGINE@) cat "$engine" ;;
    @SCRIPTS@) cat "$@" ;;
    @EXAMPLES@) put_texts ;;
    @WASM@) put_module "$wasm" ;;
    @KERNELS@) put_module "$kernels" ;;
    *@VERSION@*) printf '%s\n' "${line%%@VERSION@*}$version${line#*@VERSION@}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$frame"
