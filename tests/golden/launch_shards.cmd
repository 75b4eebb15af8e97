# Each shard of a launch tells its own blocks; put together they are the launch, byte for byte, by however many threads.
whole="tests/ptx/tile.ptx sum<<<8,256,1024>>>(int[2048]=iota,int[1])"
for options in "" "--per site" "--per site --format json" "--format csv"; do
    for k in 3 1 2; do banksim launch $whole --shard $k/3 --jobs $k -o $TMP/part.$k; done
    banksim launch $whole $options >$TMP/whole 2>&1
    banksim merge $options $TMP/part.* >$TMP/merged 2>&1
    cmp $TMP/whole $TMP/merged && echo the same
done
head -n 1 $TMP/part.1 | cut -d' ' -f1,2
# One block more is another launch.
banksim launch tests/ptx/tile.ptx 'sum<<<9,256,1024>>>(int[2304]=iota,int[1])' --shard 3/3 -o $TMP/part.3
banksim merge $TMP/part.* 2>&1 | sed "s,$TMP/,,"
banksim launch $whole --shard 1/2 -o $TMP/k.trace 2>&1 | head -n 1
