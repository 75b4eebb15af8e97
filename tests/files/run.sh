#!/bin/sh
# run.sh - what happens to files: those that -o names, those beside them, and those that are read.
#
# Each case is a function that runs in an empty folder of its own and fails by `fails`. $quick and
# $other are traces whose reports differ.
set -u

cd "$(dirname "$0")/../.."
root=$PWD
bin=${BANKSIM_BIN:-$root/build}
PATH=$bin:$PATH
LC_ALL=C
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}exitcode=99
export PATH LC_ALL ASAN_OPTIONS
unset NO_COLOR
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quick=$root/traces/example.trace
other=$root/traces/cost.trace
passed=0
failed=0

fails() {
    echo "FAIL $case: $*"
    exit 1
}

# expect CODE COMMAND...: the command ends with that exit code; what it says is in err.txt.
expect() {
    wanted=$1
    shift
    "$@" 2>"$work/err.txt"
    got=$?
    [ "$got" -eq "$wanted" ] || fails "$*: exit $got, not $wanted: $(cat "$work/err.txt")"
}

# said WORDS: what expect's command said holds them.
said() {
    grep -qF -- "$1" "$work/err.txt" || fails "'$1' was not said: $(cat "$work/err.txt")"
}

# only NAME...: the folder holds these and nothing else.
only() {
    [ $# -eq 0 ] || printf '%s\n' "$@" | sort >"$work/wanted"
    [ $# -gt 0 ] || : >"$work/wanted"
    ls -A | sort >"$work/there" # shellcheck disable=SC2012 # no name has blanks
    cmp -s "$work/wanted" "$work/there" || fails "the folder holds $(tr '\n' ' ' <"$work/there")"
}

same() {
    cmp -s "$1" "$2" || fails "$1 is not $2"
}

# The report that each trace gives.
banksim run "$quick" >"$work/quick.txt"
banksim run "$other" >"$work/other.txt"

# ---- whose files these are -----------------------------------------------------------------------

named_like_a_temporary() {
    cp "$quick" q.part
    expect 0 banksim run q.part -o q
    same q "$work/quick.txt"
    same q.part "$quick"
    only q q.part
}

a_link_beside() {
    echo precious >kept
    ln -s kept q.part
    expect 0 banksim run "$quick" -o q
    [ "$(cat kept)" = precious ] || fails "a link was followed"
    only kept q q.part
}

long_names() {
    for n in 252 255; do
        name=$(printf "%0${n}d" 0)
        expect 0 banksim run "$quick" -o "$name"
        same "$name" "$work/quick.txt"
        expect 0 banksim run "$quick" -o "$name"
        rm "$name"
    done
    only
}

a_failure_leaves_nothing() {
    echo before >q
    echo nonsense >bad.trace
    expect 3 banksim run bad.trace -o q
    [ "$(cat q)" = before ] || fails "the old file is gone"
    expect 3 banksim pack bad.trace -o new
    expect 4 banksim run "$quick" -o no/q
    said 'cannot write no/q: No such file or directory'
    mkdir folder
    expect 4 banksim run "$quick" -o folder
    expect 4 banksim run "$quick" -o folder/
    expect 4 banksim run "$quick" -o new/
    only bad.trace folder q
}

every_command_writes() {
    expect 0 banksim emulate square_set_row_read_col -o a.trace
    expect 0 banksim pack a.trace -o a.bin
    expect 0 banksim unpack a.bin -o b.trace
    same a.trace b.trace
    expect 0 banksim convert a.bin -o c.trace
    expect 0 banksim run a.bin --format html -o a.html
    expect 0 banksim run --shard 1/1 a.bin -o a.1
    expect 0 banksim merge a.1 -o merged
    expect 0 banksim show --stride 2 --load b32 --format svg -o a.svg
    expect 0 banksim check --shared 'float s[32]' --load 's[lane]' --emit-trace d.trace -o d
    expect 0 banksim advise --shared 'float s[32]' --load 's[lane]' -o e
    only a.trace a.bin b.trace c.trace a.html a.1 merged a.svg d.trace d e
}

# ---- what stands there already -------------------------------------------------------------------

a_link_stays() {
    mkdir there
    echo old >there/target
    ln -s there/target link
    ln -s link again
    expect 0 banksim run "$quick" -o again
    same there/target "$work/quick.txt"
    [ -h again ] && [ -h link ] || fails "a link was replaced"
    only again link there
}

a_link_to_nothing() {
    mkdir there
    ln -s there/target link
    expect 3 banksim run /dev/null -o link
    [ ! -e there/target ] || fails "a failed run made a file"
    expect 0 banksim run "$quick" -o link
    same there/target "$work/quick.txt"
    [ -h link ] || fails "the link was replaced"
    ln -s loop loop
    expect 4 banksim run "$quick" -o loop
}

modes() {
    expect 0 banksim run "$quick" -o new
    [ "$(ls -l new | cut -c1-10)" = -rw-r--r-- ] || fails "new: $(ls -l new)"
    (umask 077 && banksim run "$quick" -o private) || fails "umask 077"
    [ "$(ls -l private | cut -c1-10)" = -rw------- ] || fails "private: $(ls -l private)"
    echo old >old
    chmod 751 old
    expect 0 banksim run "$quick" -o old
    same old "$work/quick.txt"
    [ "$(ls -l old | cut -c1-10)" = -rwxr-x--x ] || fails "old: $(ls -l old)"
}

hard_links() {
    seq 9999 >one
    ln one two
    expect 3 banksim run /dev/null -o two
    [ "$(wc -l <one)" -eq 9999 ] || fails "a failed run changed the file"
    expect 0 banksim run "$quick" -o two
    same one "$work/quick.txt"
    same two "$work/quick.txt"
    only one two
}

no_files() {
    expect 0 banksim run "$quick" -o /dev/null
    [ -c /dev/null ] || fails "/dev/null is no device any more"
    mkfifo fifo
    cat fifo >got &
    expect 0 banksim run "$quick" -o fifo
    wait
    same got "$work/quick.txt"
    [ -p fifo ] || fails "the pipe was replaced"
}

# What a descriptor leads to may be the end of a file that has something already.
descriptors() {
    for path in /dev/stdout /dev/fd/1; do
        echo first >log
        banksim run "$quick" -o "$path" >>log || fails "$path"
        [ "$(head -n 1 log)" = first ] || fails "$path replaced what was there"
        sed 1d log >rest
        same rest "$work/quick.txt"
    done
    expect 4 banksim run "$quick" -o /dev/fd/57
}

# ---- several runs, and killed ones ---------------------------------------------------------------

# Both have opened their output when the first ends. NAME is another name of it.
two_at_once() {
    mkfifo a b
    echo old >out
    [ "$1" = out ] || ln out "$1"
    banksim run a -o out &
    first=$!
    exec 3>a
    banksim run b -o out 3>&- &
    second=$!
    exec 4>b
    cat "$quick" >&3
    exec 3>&-
    wait $first || fails "the first run: exit $?"
    same out "$work/a.txt"
    cat "$other" >&4
    exec 4>&-
    wait $second || fails "the second run: exit $?"
    same out "$work/b.txt"
}

# The reports name what is read.
pipes() {
    mkfifo a b
    banksim run a >"$work/a.txt" &
    cat "$quick" >a
    wait
    banksim run b >"$work/b.txt" &
    cat "$other" >b
    wait
    rm a b
}

two_runs() {
    pipes
    two_at_once out
    only a b out
}

two_runs_into_linked() {
    pipes
    two_at_once linked
    only a b out linked
    same linked "$work/b.txt"
}

killed() {
    mkfifo in
    echo old >out
    for signal in HUP PIPE TERM KILL; do # a shell's background jobs ignore SIGINT
        banksim run in -o out &
        pid=$!
        exec 3>in
        kill -$signal $pid
        wait $pid 2>/dev/null && fails "SIG$signal: exit 0"
        exec 3>&-
        [ "$(cat out)" = old ] || fails "SIG$signal changed the file"
        only in out
    done
}

# ---- inputs --------------------------------------------------------------------------------------

an_input_is_no_output() {
    cp "$quick" a.trace
    cp "$quick" kept
    ln a.trace hard
    ln -s a.trace soft
    for output in a.trace ./a.trace hard soft; do
        expect 2 banksim run a.trace -o "$output"
        said "-o $output is also read"
        expect 2 banksim pack a.trace -o "$output"
        expect 2 banksim show a.trace -o "$output"
    done
    expect 2 banksim pack -o a.trace <a.trace
    expect 2 banksim run - -o a.trace <a.trace
    echo 'shared float s[32]' >a.check
    echo 'load s[lane]' >>a.check
    expect 2 banksim check a.check --emit-trace a.check
    said "--emit-trace a.check is also read"
    touch new
    expect 2 banksim check a.check --emit-trace new -o ./new
    said "-o and --emit-trace"
    expect 0 banksim run --shard 1/1 a.trace -o part
    expect 2 banksim merge part -o part
    expect 0 banksim run a.trace -o /dev/null </dev/null
    same a.trace kept
}

# What has no end is refused after a little of it, and what is no file as such.
endless() {
    [ -c /dev/zero ] || return 0
    printf 'banksim-part ' >begins
    for command in run check advise show pack unpack convert merge 'compare /dev/null --ncu'; do
        # shellcheck disable=SC2086 # words
        {
            expect 3 timeout 20 banksim $command /dev/zero
            expect 3 banksim $command .
            said 'cannot open .: Is a directory'
            yes 'banksim-part 1' | expect 3 timeout 20 banksim $command - || exit 1
            cat begins /dev/zero | expect 3 timeout 20 banksim $command - || exit 1
        }
    done
    expect 3 banksim merge "$quick"
    said 'this is not a part of a result'
}

# Whatever a part says of itself, it costs no more memory than it has bytes for.
forged_part() {
    (ulimit -v 2000000 && banksim --version) >/dev/null 2>&1 || return 0 # a sanitizer's build
    ulimit -v 2000000
    banksim run --shard 1/1 "$quick" -o part
    sed -e '2s/^1 1 /7 4294967295 /' -e '$d' part >body
    sum=-3750763034362895579 # FNV-1a
    for byte in $(od -An -v -tu1 body); do
        sum=$(((sum ^ byte) * 1099511628211))
    done
    printf 'sum %016x\n' $sum | cat body - >forged
    expect 3 banksim merge forged
    said 'part 1 of 4294967295 is missing'
    expect 3 banksim merge forged part
    said 'this is a part of 1, and those before it are of 4294967295'
}

# That there is no descriptor left for a file is not the file's fault. LeakSanitizer opens files of /proc itself at the
# end: it does not look here.
no_descriptors() {
    cp "$quick" a.trace
    for command in run pack 'run --jobs 4'; do
        for n in 4 5; do
            # shellcheck disable=SC2086 # words
            (exec 2>err && ulimit -n $n && ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 exec banksim $command a.trace -o out)
            got=$?
            [ $got -eq 4 ] || fails "$command, $n descriptors: exit $got, not 4: $(cat err)"
        done
    done
    only a.trace err
}

# 30,000 kernels take no more memory than one; results that stay would take 90 MB.
many_kernels() {
    awk 'BEGIN {
        print "banksim-trace 1"
        for (k = 0; k < 30000; k++)
            printf "kernel k%d block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+%d\n", k, k % 33 * 4
        print "end"
    }' >many.trace
    unset GLIBC_TUNABLES # of the program's own memory
    (ulimit -v 40000 && banksim --version) >/dev/null 2>&1 || return 0 # a sanitizer's build
    for report in '' '--per site' '--format csv' '--format json'; do
        # shellcheck disable=SC2086 # words
        (ulimit -v 40000 && exec banksim run --jobs 1 $report many.trace) >out 2>err ||
            fails "run $report: $(cat err)"
        [ "$(wc -l <out)" -gt 30000 ] || fails "run $report: $(wc -l <out) lines"
    done
    (trap '' XFSZ && ulimit -f 100 && exec banksim run --jobs 1 many.trace) 2>err | cat >out
    [ ! -s out ] || fails 'a full temporary file: a report'
    grep -q 'cannot keep rows in a temporary file' err || fails "a full temporary file: $(cat err)"
}

# A pipe is read once.
pipes_as_inputs() {
    mkfifo in
    for command in run show pack unpack convert; do
        banksim $command "$quick" >wanted
        cat "$quick" >in &
        expect 0 banksim $command in >got
        wait
        # The picture names no file.
        [ $command = run ] || same wanted got
    done
}

# Whatever a file is called or an argument says, it is no command to the terminal and no line of its own.
names_on_the_terminal() {
    odd=$(printf 'a\033[2J\nbanksim: all is well\302\233\342\200\256\377')
    sed 's/^kernel .*/& registers=9/; s/^site .*/&/' "$quick" >"$odd"
    {
        banksim run "$odd.no"
        banksim run "--$odd"
        banksim "$odd"
        banksim list "$odd"
        banksim lesson "$odd"
        banksim check "--shared" "$odd" --load x
        banksim emulate "$odd"
        banksim emulate square_set_row_read_col "$odd=1"
        banksim show --load "$odd"
        banksim merge "$odd"
        banksim compare --ncu "$odd"
        banksim run "$quick" -o "$odd/$odd"
        banksim run "$quick" --format "$odd"
        banksim run "$odd" -o "$odd"
        echo nonsense >"$odd"
        banksim run "$odd"
        printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+8 expect.ways=7\nend\n' >"$odd"
        banksim run --jobs 1 "$odd" 2>one
        banksim run --jobs 8 "$odd" 2>eight
        cmp one eight >&2
        cat one >&2
        printf 'banksim-trace 1\nkernel k block=64 shared=64\nblock 0\nw0 st.shared.u32 1 0\nw1 st.shared.u32 1 0\nend\n' >"$odd"
        banksim run --hazards "$odd"
        printf 'shared float s[64]\nload s[lane*2 /* \342\200\256 */]\nexpect conflicts == 0\n' >"$odd"
        banksim check "$odd"
    } 2>err >out
    [ "$(wc -l <err)" -ge 20 ] || fails "only $(wc -l <err) lines are said"
    sed "s/$(printf '\357\277\275')//g" err | tr -d '\n\040-\176' >rest
    [ ! -s rest ] || fails "a terminal gets $(od -An -c rest | head -n 3)"
    ! grep '^banksim: all is well' err || fails "a name has a line of its own"
}

# ---- standard streams ----------------------------------------------------------------------------

closed_streams() {
    cp "$quick" in
    banksim run in >"$work/in.txt"
    banksim run in -o out 2>&- || fails "2>&-"
    same out "$work/in.txt"
    banksim run in --cycles always -o out >&- 2>&- || fails ">&- 2>&-"
    banksim run bad.trace -o never >&- 2>&-
    [ $? -eq 3 ] || fails "a bad trace, with nowhere to say so: not exit 3"
    banksim run in -o out <&- >&- 2>&- || fails "<&- >&- 2>&-"
    same out "$work/in.txt"
    banksim run -o out <&- 2>err
    [ $? -eq 4 ] || fails "no standard input: not exit 4"
    banksim check --shared 'float s[64]' --load 's[lane*2]' --expect 'conflicts == 0' \
        --emit-trace out 2>&- >report
    [ $? -eq 1 ] || fails "an expectation, with nowhere to say so: not exit 1"
    grep -q expectation out && fails "a message went into the trace"
    banksim run in -o /dev/stdout >&-  2>err
    [ $? -eq 4 ] || fails "-o /dev/stdout, closed: not exit 4"
}

# Nobody gets this: it is not fine.
lost_output() {
    cp "$quick" in.trace
    printf 'shared float s[32]\nload s[lane]\n' >in.check
    banksim run --shard 1/1 in.trace -o part
    for command in help 'help run' --help --version 'run --help' 'list kernels' 'list devices' \
        'list opcodes' 'list kernels --names' lesson 'lesson 1' 'run in.trace' \
        'run --per request in.trace' 'run --format html in.trace' 'run --shard 1/1 in.trace' \
        'merge part' 'emulate square_set_row_read_col' 'emulate square_set_row_read_col --run' \
        'check in.check' 'advise in.check' 'show in.check' 'show in.trace' 'show --stride 2 --load b32' \
        'pack in.trace' 'unpack in.trace' 'convert in.trace'; do
        # shellcheck disable=SC2086 # words
        {
            banksim $command >&- 2>err
            [ $? -eq 4 ] || fails "$command >&-: not exit 4"
            [ "$(wc -l <err)" -ge 1 ] || fails "$command >&-: nothing is said"
            [ -c /dev/full ] || continue
            banksim $command >/dev/full 2>err
            [ $? -eq 4 ] || fails "$command >/dev/full: not exit 4"
            banksim $command >/dev/full 2>&-
            [ $? -eq 4 ] || fails "$command >/dev/full 2>&-: not exit 4"
        }
    done
}

# ---- the run -------------------------------------------------------------------------------------

for case in named_like_a_temporary a_link_beside long_names a_failure_leaves_nothing \
    every_command_writes a_link_stays a_link_to_nothing modes hard_links no_files descriptors \
    two_runs two_runs_into_linked killed an_input_is_no_output endless forged_part many_kernels \
    no_descriptors pipes_as_inputs names_on_the_terminal closed_streams lost_output; do
    rm -rf "$work/here"
    mkdir "$work/here"
    if (cd "$work/here" && $case); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
