# What counts of a kernel in PTX rest on goes with its trace, text or binary, through shards, and into each format.
banksim launch tests/ptx/tile.ptx 'sum<<<8, 256, 1024>>>(int[2048] = iota, int[1])' --blocks 3 -o $TMP/k.trace
grep -o 'x-ptx=.*' $TMP/k.trace
banksim pack $TMP/k.trace -o $TMP/k.bin
for k in 1 2; do banksim run --shard $k/2 -o $TMP/part.$k $TMP/k.bin; done
banksim run $TMP/k.trace >$TMP/text
grep -E '^(Counts|a sample|Cycles rest)' $TMP/text
banksim merge $TMP/part.2 $TMP/part.1 | diff $TMP/text - && echo merged alike
banksim run --cycles never $TMP/k.bin | grep -c '^Cycles rest'
banksim run --per request $TMP/k.bin | grep -cE '^(Counts|a sample)'
banksim run --metrics ncu $TMP/k.bin | grep -cE '^(Counts|a sample)'
banksim run --format json $TMP/k.bin | grep -o '"rule": "[CaC][^"]* rest on[^}]*'
banksim run --format html $TMP/k.bin | grep -cE '^(Counts|a sample|Cycles rest)'
banksim run --format csv $TMP/k.bin 2>&1 >$TMP/csv | cut -c 1-30
# Of several kernels a doubt bears the name, however often each was launched.
printf 'banksim-trace 1\nkernel _Z1av block=32 x-ptx=merged+may-merge:1+unknown\nkernel b block=32 x-own=2 x-ptx=merged+clang+may-merge:2\n' >$TMP/two
printf 'kernel _Z1av block=32 x-ptx=merged+may-merge:1\nend\n' >>$TMP/two
banksim run $TMP/two | grep -E 'Counts|site'
# Of orders: what was tried, with its numbers.
printf 'banksim-trace 1\nkernel a block=32 x-ptx=merged+order:8:11+order-blocks:4:12:24\n' >$TMP/order
printf 'kernel b block=32 x-ptx=merged+order-blocks-global:2:11:7\nend\n' >>$TMP/order
banksim run $TMP/order | grep 'rest on the order'
printf 'banksim-trace 1\nkernel a block=32 x-ptx=merged+elsewhere\nend\n' >$TMP/clock
banksim run $TMP/clock | grep 'rest on a clock'
printf 'banksim-trace 1\nkernel a block=32 x-ptx=merged+where\nend\n' >$TMP/where
banksim run $TMP/where | grep 'rest on where'
