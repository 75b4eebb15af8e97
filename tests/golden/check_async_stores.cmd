# What lanes store to global memory beside wgmma and TMA is played: it is in the cycles, and comes no second time.
cat >$TMP/k.check <<'C'
block 128
mbarrier full: 1
shared half A[64][64] swizzle 128B, B[128][64] swizzle 128B
global const half a[][4096], b[][4096], float out[]
if (threadIdx.x == 0) {
    arrive full, sizeof(A) + sizeof(B)
    tma load A, a[0][0], full
    tma load B, b[0][0], full
}
wait full, 0
for i = 0:4
    wgmma m64n128k16 A[0][16 * i], B[0][16 * i]
wgmma commit_group
wgmma wait_group 0
for j = 0:TURNS
    store out[threadIdx.x + 128 * j]
C
for n in 1 64 256; do banksim check $TMP/k.check --define TURNS=$n | grep -e ^cycles -e ^with; done
banksim check $TMP/k.check --define TURNS=64 --load 'a[1][lane * 8]' | grep -e ^cycles -e ^with
# without any of these nothing is played
banksim check --shared 'float s[32]' --global 'float *out' --for j=0:64 --store 's[lane]' --store 'out[lane + 32 * j]' --end |
    grep -e ^cycles -e ^with
