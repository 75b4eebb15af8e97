# Structs and vectors whose members are accessed by themselves. A member of a struct of four floats has 8
# banks to lie in: 4 wavefronts for 32 lanes; apart, or 5 words from struct to struct, it is 1 each.
cat >"$TMP/particles.check" <<'END'
block 128
struct P { float x, y, z, w; }
shared P p[128]
store p[threadIdx.x].x
load p[threadIdx.x].w
END
banksim advise "$TMP/particles.check"
# A tile of complex numbers, written by rows and read by columns: 32 requests for each of four accesses.
cat >"$TMP/complex.check" <<'END'
block 32,32
shared float2 t[32][32]
store t[threadIdx.y][threadIdx.x].x
store t[threadIdx.y][threadIdx.x].y
load t[threadIdx.x][threadIdx.y].x
load t[threadIdx.x][threadIdx.y].y
END
banksim advise --best 1 "$TMP/complex.check" | sed -n '/^1/,$p'
# As it is told, pasted.
banksim check --block 32,32 --shared '__align__(8) float t_x[32][32], t_y[32][32]' \
    --store 't_x[threadIdx.y][threadIdx.x ^ threadIdx.y]' \
    --load 't_x[threadIdx.x][threadIdx.y ^ threadIdx.x]' --format csv |
    cut -d, -f2,4-7
# Four floats of eight that are also read as a float4 cannot have arrays of their own, but structs of 48
# bytes: 16 wavefronts for each access to 128 of them, where it was 32.
cat >"$TMP/cast.check" <<'END'
block 128
struct P { float x, y, z, w; float u, v, s, t; }
shared P p[128]
load p[threadIdx.x].x
load p[threadIdx.x].s
load *(float4 *)&p[threadIdx.x].x
END
banksim advise "$TMP/cast.check"
# Members of several sizes, each array beginning at a multiple of 8: 125 bytes of chars, 1000 of doubles,
# which take 2 wavefronts for 32 lanes, and 1500 of floats end at byte 2628. With 8 banks for a struct of
# 32 bytes it is 8 now for each warp, 2 * 4 for doubles (which go by half-warps).
cat >"$TMP/mixed.check" <<'END'
block 125
shared struct { char c; double m; float v[3]; } q[125]
load q[threadIdx.x].c
load q[threadIdx.x].m
load q[threadIdx.x].v[1]
END
banksim advise --best 1 "$TMP/mixed.check"
# Vectors that are also accessed whole stay whole; those of an extern array stay where they are, and
# nothing is claimed of all linear layouts.
banksim advise --shared 'float2 s[32]' --load 's[lane].x' --load 's[lane]' | tail -n 2
banksim advise --shared 'extern float4 s[]' --load 's[lane].x' | tail -n 2
# Members that are arrays stay as they are within, and that is said; by itself one gets a layout.
banksim advise --shared 'struct P { float a[4][128]; } p[2]' --load 'p[0].a[lane % 4][lane / 4 * 16]' | tail -n 3
banksim advise --shared 'float a[4][128]' --load 'a[lane % 4][lane / 4 * 16]' --best 1 | sed -n '4,5p;$d' | head -2
