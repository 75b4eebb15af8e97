# A block of tools/crosscheck/mainloop.cu (one warpgroup of m64n64, six stages), of one turn and of four, against what Nsight
# Compute counted of it on an H200 (driver 580.159.04, CUDA 13.0, 2026-11-24):
#     ncu --csv --page raw --launch-count 24 --metrics ... ./mainloop x x
block() {
    awk -v turns=$1 'BEGIN {
        rows = "lbo=16 sbo=1024 base=0 swizzle=128B major=K"
        a = rows; gsub(/[a-z]+=/, "a.&", a); b = rows; gsub(/[a-z]+=/, "b.&", b)
        print "banksim-trace 1\nkernel gemm grid=1 block=256 shared=108544\nblock 0"
        for (k = 0; k < turns; k++) {
            at = 1024 + 16384 * k
            load = "w4 cp.async.bulk.tensor.2d.shared.global type=b16 box=64x64 swizzle=128B start="
            printf "%s%d from=0 pitch=16384 arrive=%d\n%s%d from=0 pitch=16384 arrive=%d\n", load, at, k + 1, load, at + 8192, k + 1
            printf "w0 await %d:2\n", k + 1
            for (i = 0; i < 4; i++)
                printf "w0 wgmma.mma_async.sync.aligned.m64n64k16.f16 a.start=%d %s b.start=%d %s\n", at + 32 * i, a, at + 8192 + 32 * i, b
        }
        print "w0 work 1 wait=0"
        for (w = 0; w < 4; w++)
            for (j = 0; j < 16; j++) {
                printf "w%d st.shared.b32 ffffffff", w
                for (lane = 0; lane < 32; lane++) {
                    row = 16 * w + int(lane / 4) + 8 * (j % 2); x = int(j / 2); r = row % 8; chunk = 0
                    for (bit = 1; bit < 8; bit *= 2) if (int(x / bit) % 2 != int(r / bit) % 2) chunk += bit
                    printf "%s%d", lane ? "," : " ", 99328 + row * 128 + 16 * chunk + 4 * (lane % 4)
                }
                print ""
            }
        print "w0 cp.async.bulk.tensor.2d.global.shared type=b16 box=64x64 swizzle=128B start=99328 from=0 pitch=16384\nend"
    }'
}
block 1 >$TMP/one.trace
block 4 >$TMP/four.trace
banksim compare --ncu tests/measured/h200/async/ncu_wgmma.csv $TMP/one.trace $TMP/four.trace
