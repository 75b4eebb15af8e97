#!/bin/sh
# check_layers.sh - checks which folder of src/ includes which, line by line of #include "...".
#
# The table below is the architecture. A file may also include what lies in its own folder, in the one
# that this lies in, and <banksim/...>; what lies in a folder of a folder is for this alone. Prints each
# line that breaks the rule.
set -eu

cd "$(dirname "$0")/.."

# shellcheck disable=SC2046 # no name in the repository has blanks
awk '
    BEGIN {
        may["base"] = " "
        may["model"] = " base "
        may["result"] = " model base "
        may["timing"] = " result model base "
        may["trace"] = may["lanes"] = may["emulators"] = may["hazard"] = may["report"] = " base "
        may["compare"] = " base "
        may["expr"] = " lanes base "
        may["sim"] = " result model base "
        may["run"] = " base "
        may["advise"] = " timing model base "
        may["run"] = " result base "
        may["cli"] = " "
    }
    function complain(why) {
        printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0
        failed++
    }
    FNR == 1 {
        files++
        split(FILENAME, path, "/")
        mine = path[1] == "src" ? path[2] : "include"
        inner = FILENAME
        gsub(/^src\/|\/[^\/]*$/, "", inner)
        if (mine != "include" && !(mine in may)) {
            complain("src/" mine " is not in the table of layers")
        }
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        theirs = quoted[2]
        if (mine == "include") { complain("a public header includes <banksim/...> only"); next }
        if (theirs !~ /^([a-z0-9_]+\/)+[a-z0-9_]+\.(h|inc)$/) {
            complain("write \"folder/file.h\"")
            next
        }
        sub(/\/[^\/]*$/, "", theirs)
        if (theirs != mine && theirs != inner && index(may[mine], " " theirs " ") == 0) {
            complain("src/" inner " does not include src/" theirs)
        }
    }
    END {
        if (failed == 0) printf "%d files keep to their layers\n", files
        printf "%d passed, %d failed\n", failed == 0, failed
        exit failed > 0
    }
' $(find include/banksim src -name '*.[ch]' | sort)
