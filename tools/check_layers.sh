#!/bin/sh
# check_layers.sh BUILD OBJECT... - checks which folder of src/ uses which: by every #include "...", and
# by the symbols that the objects need of one another, which tell who calls a public function as well.
#
# The first table is the architecture. A folder uses those that stand above it; their public functions
# alone where it may only `ask`. A file may also use what lies in its own folder and in the one that this
# lies in. What lies in a folder of a folder is for these alone, but for what `gathers` names.
#
# The second table has the circles, files of a folder each of which needs the others, and why. There are
# no others, and none is larger.
#
# Prints each line, or symbol, that breaks a rule.
set -eu

cd "$(dirname "$0")/.."
build=$1
shift

# The headers for CUDA programs are compiled by none of this.
sources() {
    find include/banksim src -path src/cudart/include -prune -o -name '*.[ch]' -print
}

# shellcheck disable=SC2046 # no name in the repository has blanks
{
    sh tools/public_functions.sh | sed 's/^/public /'
    sources | sed 's/^/file /'
    grep -n '^[ 	]*#[ 	]*include[ 	]*"' $(sources) /dev/null |
        sed 's/^/include /'
    nm -A -P -g "$@" 2>/dev/null | sed 's/^/symbol /; s/\[[^]]*\]//'
} | awk -v build="$build" '
    function layer(name, uses, only_asks) {
        n_layers++
        place[name] = n_layers
        may[name] = " " uses " "
        asks[name] = " " only_asks " "
        n = split(uses " " only_asks, word, " ")
        for (i = 1; i <= n; i++) {
            if (!(word[i] in place)) complain("the table: " name " stands above " word[i])
        }
    }
    function circle(files) { allowed[++n_allowed] = " " files " " }

    BEGIN {
        layer("base", "")
        layer("event", "base")
        layer("model", "base event")
        layer("lanes", "base event")
        layer("result", "base event model")
        layer("timing", "base event model result")
        layer("trace", "base event model")
        layer("emulators", "base event", "lanes model")
        layer("ptx", "base event lanes", "model")
        # The text of CUDA C, for both that read it: whole kernels, and sketches of them.
        layer("c", "base")
        layer("cuda", "base c", "ptx")
        # The text of machine code, which becomes that of PTX.
        layer("sass", "base")
        # The runtime of whole programs: a library of its own.
        layer("cudart", "base event ptx", "lanes trace")
        layer("layout", "base event")
        layer("expr", "base event lanes layout c", "model")
        layer("hazard", "base event", "model")
        layer("sim", "base event model result")
        layer("advise", "base event model timing layout", "expr result")
        # Launches go by the names of the programs that the kernels are emulated from.
        layer("compare", "base event", "result emulators")
        layer("run", "base event result timing trace sim", "model expr advise")
        # Not beside those that it shows, but above: it renders what they found and lists what they know.
        layer("report", "base event model result layout", "timing emulators expr advise compare run")
        # What WebAssembly has besides the library, and what the program fills its page with.
        layer("web", "base c report run", "event model layout trace ptx cuda expr advise")
        layer("cli", "base c web", "event model result timing trace emulators ptx cuda sass expr hazard sim advise compare run report")

        gathers["trace"] = " bsim_text_format bsim_binary_format bsim_traceg_format " \
            "bsim_text_writer_new bsim_binary_writer_new "
        gathers["report"] = " bsim_svg_renderer bsim_page_renderer bsim_text_pictures bsim_json_pictures "

        # A loop of atomics is counted by counting what it loads.
        circle("model/count model/fast model/loop")
        # A recursive descent: types have sizes, which are expressions, which have types.
        circle("expr/atomic expr/build expr/cursor expr/declare expr/eval expr/index expr/macro " \
               "expr/name expr/parse expr/shuffle expr/struct")
        # The same: types have sizes, which are expressions, which cast to types and call functions; a
        # conversion may be a call, and what a call needs may have to be made of a template, by reading it.
        circle("cuda/build cuda/parse cuda/parse_call cuda/parse_expr cuda/parse_function " \
               "cuda/parse_lambda cuda/parse_statement cuda/parse_struct cuda/parse_template cuda/parse_type")
        # Expressions call functions, whose bodies are statements, which have expressions.
        circle("cuda/lower_asm cuda/lower_builtin cuda/lower_call cuda/lower_count cuda/lower_expr cuda/lower_loop " \
               "cuda/lower_statement cuda/lower_ways")
        # A format reads each record by a function of its kind, which pushes by way of the reader.
        circle("trace/accelsim/traceg_line trace/accelsim/traceg_read trace/accelsim/traceg_sites")
        circle("trace/text/text_async trace/text/text_event trace/text/text_fast trace/text/text_head trace/text/text_read")
        circle("trace/binary/binary_async trace/binary/binary_decode trace/binary/binary_define trace/binary/binary_event")
    }

    function complain(text) { print text; failed++ }

    # src/trace/text/text_read.c, build/release/src/trace/text/text_read.o: trace/text/text_read.
    function unit_of(path) {
        if (index(path, build "/") == 1) path = substr(path, length(build) + 2)
        sub(/^src\//, "", path)
        sub(/\.[a-z]+$/, "", path)
        return path == "page" ? "report/page_parts" : path == "exercises" ? "cli/exercises" : path
    }
    function folder_of(unit) { sub(/\/[^\/]*$/, "", unit); return unit }
    function top_of(unit) { sub(/\/.*/, "", unit); return unit }

    # Why unit may not use `what` of the folder theirs: "" if it may.
    function refuses(unit, theirs, what, is_public,   inner, mine, top) {
        inner = folder_of(unit)
        mine = top_of(unit)
        top = top_of(theirs)
        if (theirs == inner || theirs == mine || index(may[mine], " " theirs " ") > 0) return ""
        if (top == mine && index(gathers[mine], " " what " ") > 0) return ""
        if (is_public && (top == mine || index(may[mine] asks[mine], " " top " ") > 0)) return ""
        return "src/" inner " does not use src/" theirs
    }

    $1 == "public" { is_public[$2] = 1; next }

    $1 == "file" {
        n_files++
        if ($2 ~ /^src\// && !(top_of(unit_of($2)) in place)) {
            complain($2 ": src/" top_of(unit_of($2)) " is not in the table of layers")
        }
        next
    }

    $1 == "include" {
        at = $2
        sub(/:[^:]*$/, "", at)
        split(at, part, ":")
        split($0, quoted, "\"")
        header = quoted[2]
        if (at ~ /^include/) why = "a public header includes <banksim/...> only"
        else if (header !~ /^([a-z0-9_]+\/)+[a-z0-9_]+\.(h|inc)$/) why = "write \"folder/file.h\""
        else why = refuses(unit_of(part[1]), folder_of(header), "", 0)
        if (why != "") complain(at ": " why ": #include \"" header "\"")
        next
    }

    $1 == "symbol" && $3 ~ /^_?bsim_/ {
        sub(/:$/, "", $2)
        unit = unit_of($2)
        sub(/^_/, "", $3)
        if ($4 == "U") { n_needs++; needs[n_needs] = unit " " $3 }
        else if ($4 ~ /^[A-Z]$/) home[$3] = unit
    }

    function reach(from, unit,   i, n, next_unit) {
        n = split(near[unit], next_unit, " ")
        for (i = 1; i <= n; i++) {
            if (!((from, next_unit[i]) in reaches)) {
                reaches[from, next_unit[i]] = 1
                reach(from, next_unit[i])
            }
        }
    }

    function check_symbols(   i, two, theirs, why) {
        for (i = 1; i <= n_needs; i++) {
            split(needs[i], two, " ")
            theirs = home[two[2]]
            if (theirs == "") continue
            why = refuses(two[1], folder_of(theirs), two[2], two[2] in is_public)
            if (why != "") complain("src/" two[1] ".c: " why ": " two[2] " of src/" theirs ".c")
            if (top_of(two[1]) == top_of(theirs) && two[1] != theirs &&
                index(near[two[1]] " ", " " theirs " ") == 0) {
                near[two[1]] = near[two[1]] " " theirs
            }
        }
    }

    # One circle of the table has all of its files.
    function allows(list,   i, k, n, file) {
        n = split(list, file, " ")
        for (i = 1; i <= n_allowed; i++) {
            for (k = 1; k <= n && index(allowed[i], " " file[k] " ") > 0; k++) { }
            if (k > n) { met[i] = 1; return 1 }
        }
        return 0
    }

    # Each circle as its files in order, e.g. "expr/eval expr/parse".
    function check_circles(   u, v, list, n, name) {
        for (u in near) reach(u, u)
        n = 0
        for (u in near) if ((u, u) in reaches) name[++n] = u
        for (i = 2; i <= n; i++) {
            for (j = i; j > 1 && name[j - 1] > name[j]; j--) {
                v = name[j]; name[j] = name[j - 1]; name[j - 1] = v
            }
        }
        for (i = 1; i <= n; i++) {
            if (name[i] in told) continue
            list = ""
            for (j = i; j <= n; j++) {
                if (((name[i], name[j]) in reaches) && ((name[j], name[i]) in reaches)) {
                    list = list (list == "" ? "" : " ") name[j]
                    told[name[j]] = 1
                }
            }
            n_circles++
            if (!allows(list)) complain("a circle: " list)
        }
        for (i = 1; i <= n_allowed; i++) {
            if (!(i in met)) complain("the table: no circle any more:" allowed[i])
        }
    }

    END {
        check_symbols()
        check_circles()
        if (n_needs == 0) complain("no symbols: nm is missing?")
        if (failed == 0) {
            printf "%d files keep to their layers, %d symbols too; %d circles of files\n",
                n_files, n_needs, n_circles
        }
        printf "%d passed, %d failed\n", failed == 0, failed
        exit failed > 0
    }
'
