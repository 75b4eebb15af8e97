# Blocks of a cluster: what each leaves is computed beside, by awk; then what the mistakes are told as.
run() {
    banksim launch tests/ptx/cluster.ptx "$@" --cycles never --format csv 2>"$TMP/err" | cut -d, -f1-3
    cat "$TMP/err"
}
words() { od -An -v -w4 -td4 "$TMP/out"; }
differ() { words | awk "{ k = NR - 1; is = $1; if (\$1 != is) wrong++ } END { print NR, wrong + 0 }"; }
run 'ring<<<8, 64>>>(int[512])' --dump 0=$TMP/out
differ 'int(k / 256) * 4000 + (int(k / 64) + 1) % 4 * 1000 + k % 64'
# bins of 0 to 31 in 4096 numbers, of which each block has half; its own requests: the zeros, sums there, and their reading
run 'histogram<<<4, 128>>>(int[4096] = iota, int[32], 4096)' --dump 1=$TMP/out
differ 128
# ncu's packets on an H200: of ring 80, whose 16 loads take a line and 4 sectors each; of histogram's 128 atomics 640, each on 16
# words of 2 sectors
for k in 'ring<<<8, 64>>>(int[512])' 'histogram<<<4, 128>>>(int[4096] = iota, int[32], 4096)'; do
    banksim launch tests/ptx/cluster.ptx "$k" --metrics ncu | grep -A 1 dshared
    banksim launch tests/ptx/cluster.ptx "$k" --cycles never | grep -A 1 'peer loads'
done
# st.async: 6 requests, 96 sectors on that H200; 114 packets, of which 6 tell mbarriers and 12 come to others
banksim launch tests/ptx/cluster.ptx 'push<<<2, 32>>>(int[192])' --cycles never | grep -A 1 'peer loads'
run 'push<<<2, 32>>>(int[192])' --dump 0=$TMP/out
differ '4 * (10000 * int(k / 64) + 1000 * (1 - int(k / 32) % 2) + k % 32) + 600'
# red.async, of which an H200 counts 22 requests, 704 sectors and 750 packets here: what it leaves (driver 580.159.04, CUDA 13.0, 2026-11-23); add.u64 in the last two words of each block
run 'reduce<<<2, 32>>>(int[24])' --dump 0=$TMP/out
words | tr -s ' \n' ' '; echo
banksim launch tests/ptx/cluster.ptx 'reduce<<<2, 32>>>(int[24])' --cycles never | grep -A 1 'peer loads'
run 'copy<<<4, 64>>>(int[256])' --dump 0=$TMP/out
differ '100 * (1 - int(k / 64) % 2) + k % 64'
# ranks 0, 1 and 3 of each cluster get its row
run 'multicast<<<8, 64>>>(int[128] = iota, int[512], 11)' --dump 1=$TMP/out
differ 'int(k / 64) % 4 == 2 ? -1 : int(k / 256) * 64 + k % 64'
banksim launch tests/ptx/cluster.ptx 'multicast<<<8, 64>>>(int[128] = iota, int[512], 11)' | grep -E '^(TMA|blocks)'
# a grid of 4,4 in clusters of 2,2: the cluster's place, how many there are, the block's place and rank, of 4, 2 in y
run 'places<<<dim3(4, 4), 32>>>(int[144])' --dump 0=$TMP/out
words | awk '{ b = int((NR - 1) / 9); x = b % 4; y = int(b / 4); i = (NR - 1) % 9
    split(int(x / 2) " " int(y / 2) " 2 2 " x % 2 " " y % 2 " " x % 2 + 2 * (y % 2) " 4 2", is)
    if ($1 != is[i + 1]) wrong++ } END { print NR, wrong + 0 }'
# a sample is of whole clusters
run 'ring<<<16, 64>>>(int[1024])' --blocks 6
banksim launch tests/ptx/cluster.ptx 'ring<<<16, 64>>>(int[1024])' --blocks 6 -o $TMP/k.trace; grep '^block' $TMP/k.trace | tr '\n' ' '; echo
for wrong in 1 2 3 4 5; do
    banksim launch tests/ptx/cluster.ptx "wrong<<<2, 32>>>(int[32], $wrong)" 2>&1 | sed -n '1s/.*thread ([0-9,]*): //p'
done
banksim launch tests/ptx/cluster.ptx 'multicast<<<4, 64>>>(int[64], int[256], 17)' 2>&1 | sed -n '1s/.*thread ([0-9,]*): //p'
banksim launch tests/ptx/cluster.ptx 'ring<<<6, 64>>>(int[512])'; echo "exit $?"
