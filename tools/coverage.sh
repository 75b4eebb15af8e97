#!/bin/sh
# coverage.sh CC OBJECT... - a table of the lines and branches that ran, one row per source file,
# from what gcov says about the objects of VARIANT=cov. A file that never ran counts with 0.
set -eu

case $("$1" --version) in
*clang*) gcov="llvm-cov gcov" ;;
*) gcov=gcov ;;
esac
shift

for object; do
    $gcov -n -b "${object%.o}.gcno" 2>/dev/null
done | awk '
    # gcov says of each source: File NAME (quoted), Lines executed:P% of N, Branches executed:...,
    # Taken at least once:P% of N. A second Lines, in the end, is the object as a whole.
    function of(text) {
        sub(/.*:/, "", text)
        sub(/%.*/, "", text)
        return text * $NF / 100
    }
    function row(command, name, r, l, t, b) {
        line = sprintf("%-32s %6.1f %% of %5d lines", name, l > 0 ? 100 * r / l : 100, l)
        if (b > 0) line = line sprintf("   %6.1f %% of %5d branches", 100 * t / b, b)
        print line | command
    }
    /^File /                 { split($0, quoted, "\047"); name = quoted[2]; first = 1; next }
    name !~ /^src\//         { next }
    /^Lines executed:/       { if (first) { lines[name] += $NF; reached[name] += of($0) }
                               first = 0; next }
    /^Taken at least once:/  { branches[name] += $NF; taken[name] += of($0); next }
    END {
        for (name in lines) {
            row("sort", name, reached[name], lines[name], taken[name], branches[name])
            r += reached[name]; l += lines[name]; t += taken[name]; b += branches[name]
        }
        close("sort")
        row("cat", "total", r, l, t, b)
    }
'
