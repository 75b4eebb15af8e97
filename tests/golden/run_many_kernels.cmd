# Kernels become rows as they end, in whichever thread: the rows of csv and json are those of a merge, which
# has all kernels at once. More than 1 MB of them wait in a file, so that a broken trace prints none.
# Release only: 3,000 kernels in each of 20 runs; test_spool has what waits in a file, run_jobs what threads share.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN {
    print "banksim-trace 1"
    for (k = 0; k < 1500; k++) {
        print "kernel k" k " grid=9 block=64 shared=4096" (k % 7 == 3 ? " device=k40" : "")
        print "site 1 ld.shared.u32 at=a.cu:1\nsite 2 st.shared.u32"
        for (b = 0; b < k % 5; b++)
            print "block " b "\nw0 @1 ffffffff 0+" 4 * (1 + (k + b) % 30) "\nw1 @2 ffffffff 0+4 expect.wavefronts=" 1 + (k == 1201)
    }
    print "end"
}' >many.trace
banksim pack many.trace -o many.bin
for k in 1 2 3; do banksim run --shard $k/3 -o part$k many.trace many.trace 2>/dev/null; done
for options in "--format csv" "--format json --per site"; do
    banksim merge $options part1 part2 part3 >merged 2>/dev/null
    n=0
    for jobs in 1 3 8; do
        for trace in many.trace many.bin; do
            code=0
            banksim run --jobs $jobs $options $trace many.trace >rows 2>err || code=$?
            cmp merged rows && [ $code = 1 ] && n=$((n + 1))
        done
    done
    echo "$options: $n of 6 the same"
done
tail -n 3 err
head -n -1 many.trace >cut.trace
for jobs in 1 3; do banksim run --jobs $jobs --format json many.trace cut.trace; done
