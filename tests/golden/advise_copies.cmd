# Where a copy is from has a say in its wavefronts, and no layout moves it: counts are those of check.
# Of cp.async.ca a column of global memory is one bank of L1, 32 turns wherever it goes; a row of it goes into a
# column of the tile in one, once that has banks of its own. Of cp.async.cg four pieces of one line come at once, to
# one line; 32 pieces of 32 lines one by one; those of a row of four lines by four, if they go to a line each.
of() {
    cat >"$TMP/copy.check"
    banksim check "$TMP/copy.check" | awk '/^cp.async.* ([0-9]+|%)$/ {print "check:", $(NF - (/%$/ ? 8 : 4))}'
    banksim advise --best 1 "$TMP/copy.check" | grep -v ' rests on '
    echo
}
of <<'END'
shared float s[32][32]
global const float *g
cp_async ca:4 &s[lane][0], &g[lane * 32]
cp_async ca:4 &s[lane][1], &g[lane]
END
of <<'END'
shared half s[64][64]
global const half *g
if lane % 8 == 0
    cp_async cg &s[0][lane], &g[lane]
END
of <<'END'
shared half s[64][64]
if lane % 8 == 0
    cp_async cg &s[0][lane]
END
of <<'END'
shared half s[64][64]
global const half *g
for j = 0:4
    cp_async cg &s[lane][8 * j], &g[lane * 64 + 8 * j]
END
# lanes of cp.async.ca that write one place
of <<'END'
shared float s[32][32]
global const float *g
cp_async ca:4 &s[0][lane / 2 * 2], &g[lane]
END
# the lines that two turns are from differ, and their places in them do not: one request
of <<'END'
shared half s[4][64]
global const half *g
for j = 0:2
    cp_async cg &s[lane / 8][lane % 8 * 8], &g[lane / 8 * 1024 + lane % 8 * 8 + j * 64]
END
# Of a launch what it copied from is known: 16 requests of 8 lines with 4 pieces each, which go to a line each: 128.
cat >"$TMP/cg.cu" <<'END'
__global__ void cg(const float *in, float *out) {
    __shared__ __align__(16) float a[64][32];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        unsigned s = (unsigned)__cvta_generic_to_shared(&a[t % 8 + i * 8][t / 8 * 4]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(in + (t % 8 + i * 8) * 32 + t / 8 * 4));
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    out[t] = a[t][0];
}
END
launch='cg<<<1, 64>>>(float[2048] = iota, float[64])'
banksim check "$TMP/cg.cu" "$launch" | awk '/^cp.async.* %$/ {print "check:", $(NF - 8)}'
banksim advise "$TMP/cg.cu" "$launch" | awk '/^cp.async/ {print "advise:", $(NF - 3)} /proven/'
