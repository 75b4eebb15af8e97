# 2^47 warp instructions are all that a run may have, so that its sums fit 64 bits: those of its traces
# together, however many threads count them, and those of the parts that are merged.
awk 'BEGIN {print "banksim-trace 1\nkernel k block=1024"
            for (i = 0; i < 4; i++)
                print "block 0\nrepeat 1048576\nrepeat 1048576\nw* ld.shared.u32 ffffffff 0+128\ndone\ndone"
            print "end"}' >"$TMP/all.trace"
awk '/end/ {print "block 0\nw0 ld.shared.u32 ffffffff 0+4"} {print}' "$TMP/all.trace" >"$TMP/more.trace"
cd "$TMP"
banksim run --cycles never --format csv all.trace | cut -d, -f 2,3,19-22
for jobs in 1 3; do
    banksim run --cycles never --jobs $jobs more.trace
    banksim run --cycles never --jobs $jobs all.trace all.trace
    banksim run --cycles never --jobs $jobs --format html -o page all.trace all.trace
done
for k in 1 2; do banksim run --shard $k/2 --cycles never -o part$k more.trace; done
banksim merge part1 part2
# A launch of 2^63 blocks is an estimate that may pass 64 bits; 2^40 turns of 2^32 clocks cannot be played.
awk 'BEGIN {print "banksim-trace 1\nkernel k grid=2147483647,65535,65535 block=32\nblock 0\nrepeat 1048576 work=1:4294967"
            print "w0 ld.shared.u32 ffffffff 0+4\ndone\nend"}' >wide.trace
banksim run wide.trace | grep -e ^launch
sed 's/^repeat 1048576 .*/repeat 1048576\n&295/; s/^done/done\ndone/' wide.trace >late.trace
banksim run late.trace; banksim run --jobs 1 --cycles never late.trace | grep -c requests
