# No page, one of another version, and what is none.
cp "$(command -v banksim)" "$TMP/banksim"
try() { "$TMP/banksim" check --shared 'float s[32]' --load 's[lane]' --format html; echo "exit $?"; }
try
for text in '<!DOCTYPE html><meta name="generator" content="banksim 0.0.9">' '<html>'; do
    echo "$text" >"$TMP/page.html"
    BANKSIM_PAGE=$TMP/page.html try
done 2>&1 | sed "s,$TMP,TMP,"
# What a page cannot keep.
banksim advise traces/example.trace --format html; echo "exit $?"
banksim advise --shared 'float s[32]' --load 's[lane]' --all --format html; echo "exit $?"
cd tests/golden/kernels
banksim check reduce.cu 'sum<<<1, 256>>>(int[256], int[1])' --merge none --format html; echo "exit $?"
banksim check ../../ptx/tile.ptx 'sum<<<8, 256, 1024>>>(int[2048] = iota, int[1])' --format html; echo "exit $?"
printf '#include "of.cuh"\n__global__ void k(int *p) { __shared__ int s[32]; s[threadIdx.x] = N; *p = s[0]; }\n' >"$TMP/k.cu"
echo '#define N 1' >"$TMP/of.cuh"
printf '%s\n' '<!DOCTYPE html>' "<meta name=\"generator\" content=\"banksim $("$TMP/banksim" --version | sed 's/^banksim \([^ ]*\).*/\1/')\">" \
    '<script type="application/json" id="filled">{}</script>' >"$TMP/page.html"
BANKSIM_PAGE=$TMP/page.html banksim check "$TMP/k.cu" 'k<<<1, 32>>>(int[1])' --format html; echo "exit $?"
