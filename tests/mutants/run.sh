#!/bin/sh
# run.sh [NAME...] - breaks the sources on purpose, one place at a time, and expects the tests to
# notice. All mutants, or those named; VARIANT says with which build (its objects are reused).
# run.sh --places - only looks whether each mutant still finds its place, in a second.
#
# tests/mutants/NAME.mutant is one change, like a diff without line numbers:
#
#     # why this matters, if the next line does not say it
#     what: stores get the pair rule of loads
#     file: src/model/wide.c
#     tests: tests/unit/test_wide tests/property/test_oracle
#     -    return is_load && pairs_up(lanes);
#     +    return pairs_up(lanes);
#
# The `-` lines must occur in the file exactly once, one below the other; blanks at either end of a
# line do not matter, so that a mutant survives reformatting. The `+` lines stand in for them; there
# may be none. At least one of the tests must then fail, or run out of time: all of them pass
# without the change, which is checked first. A test without a folder is a piece of `make check`: golden.
#
# A mutant that no test notices, that finds nothing to change or that does not compile is a failure.
set -eu

cd "$(dirname "$0")/../.."
variant=${VARIANT:-release}
make=${MAKE:-make}
tree=build/mutants
limit=120

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# read_header NAME: sets source, what and tests to the values of its lines `file:`, `what:`, `tests:`. In the
# shell alone, since there are many mutants.
read_header() {
    source=
    what=
    tests=
    while read -r key value; do
        case $key in
        file:) source=$value ;;
        what:) what=$value ;;
        tests:) tests=$value ;;
        -* | +*) break ;;
        esac
    done <"tests/mutants/$1.mutant"
}

# apply NAME SOURCE RESULT: says why on stderr if the change cannot be made.
apply() {
    awk '
        function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
        FNR == 1                   { file++ }
        file == 1 && /^-/          { old[++n_old] = trim(substr($0, 2)); next }
        file == 1 && /^\+/         { new[++n_new] = substr($0, 2); next }
        file == 1                  { next }
                                   { line[++n] = $0; trimmed[n] = trim($0) }
        END {
            if (n_old == 0) { print "it has no - line" >"/dev/stderr"; exit 1 }
            for (i = 1; i + n_old - 1 <= n; i++) {
                for (k = 1; k <= n_old && trimmed[i + k - 1] == old[k]; k++) { }
                if (k > n_old) { found++; at = i }
            }
            if (found != 1) {
                printf "its - lines occur %d times in the file\n", found >"/dev/stderr"
                exit 1
            }
            for (i = 1; i < at; i++) print line[i]
            for (k = 1; k <= n_new; k++) print new[k]
            for (i = at + n_old; i <= n; i++) print line[i]
        }
    ' "tests/mutants/$1.mutant" "$2" >"$3" 2>"$work/why"
}

# is_piece NAME: a piece of `make check` that is no program of its own.
is_piece() {
    case $1 in */*) return 1 ;; esac
}

# build PROGRAM...: in the tree.
build() {
    goals=
    for goal; do
        is_piece "$goal" && goal=banksim
        goals="$goals build/$variant/$goal"
    done
    # shellcheck disable=SC2086
    (cd "$tree" && $make VARIANT="$variant" $goals) >"$work/log" 2>&1
}

# notices PROGRAM: does it fail in the tree?
notices() {
    ! (
        cd "$tree"
        if is_piece "$1"; then
            exec $make VARIANT="$variant" check TESTS="$1"
        fi
        if command -v timeout >/dev/null 2>&1; then
            exec timeout "$limit" "build/$variant/$1"
        fi
        exec "build/$variant/$1"
    ) >"$work/log" 2>&1 </dev/null
}

# A copy with its objects and their dates, so that make compiles no more than what a mutant touches.
make_tree() {
    rm -rf "$tree"
    mkdir -p "$tree/build"
    cp -Rp Makefile README.md include src tests tools traces "$tree/"
    cp -Rp "build/$variant" "$tree/build/"
}

check_unmutated() {
    for program in $(for name; do read_header "$name"; echo "$tests"; done | tr ' ' '\n' | sort -u); do
        if ! build "$program"; then
            sed 's/^/    | /' "$work/log"
            echo "cannot build $program"
            return 1
        fi
        if notices "$program"; then
            sed 's/^/    | /' "$work/log"
            echo "$program fails without any mutant"
            return 1
        fi
    done
}

# find_place NAME RESULT: reads the header, writes the changed source; $said tells why not.
find_place() {
    read_header "$1"
    said="it lacks file:, what: or tests:"
    [ -n "$source" ] && [ -n "$tests" ] && [ -n "$what" ] || return 1
    said="$source is not there"
    [ -f "$source" ] || return 1
    for test in $tests; do
        said="$test.c is not there"
        is_piece "$test" || [ -f "$test.c" ] || return 1
    done
    apply "$1" "$source" "$2" || { said=$(cat "$work/why"); return 1; }
}

# run_mutant NAME: 0 if it was noticed; $said tells how it went. The source is in place again after.
run_mutant() {
    find_place "$1" "$work/changed" || return 1
    cp "$work/changed" "$tree/$source"
    caught=1
    said="no test noticed it"
    for program in $tests; do
        if ! build "$program"; then
            said="does not compile: $(grep -m 1 error "$work/log" || tail -n 1 "$work/log")"
            break
        fi
        if notices "$program"; then
            said="noticed by $program"
            caught=0
            break
        fi
    done
    cp "$source" "$tree/$source"
    return $caught
}

places=false
if [ "${1:-}" = --places ]; then
    places=true
    shift
fi
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046,SC2012 # no name has blanks
    set -- $(ls tests/mutants | sed -n 's/\.mutant$//p')
fi
[ $# -gt 0 ] || { echo "no mutants in tests/mutants"; echo "0 passed, 0 failed"; exit 1; }
for name; do
    [ -f "tests/mutants/$name.mutant" ] || { echo "no tests/mutants/$name.mutant" >&2; exit 1; }
done

if $places; then
    for name; do
        find_place "$name" "$work/changed" || {
            failed=$((failed + 1))
            echo "FAIL  $name: $said"
        }
    done
    echo "$((failed == 0)) passed, $failed failed" # one test, whatever the number of mutants
    exit $((failed > 0))
fi

make_tree
check_unmutated "$@" || { echo "0 passed, $# failed"; exit 1; }
for name; do
    if run_mutant "$name"; then
        passed=$((passed + 1))
        printf 'ok    %-38s %s: %s\n' "$name" "$what" "$said"
    else
        failed=$((failed + 1))
        printf 'FAIL  %-38s %s: %s\n' "$name" "$what" "$said"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
