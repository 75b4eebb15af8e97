# The shared side of a copy: 16 bytes, rows of 128 bytes, so that 8 lanes of a quarter meet.
cd "$TMP"
banksim check --shared 'float a[32][32]' --cp-async ca:16 '&a[lane][0]' --emit-trace t.trace \
    --format csv
tail -n 2 t.trace
banksim check --shared 'float a[32]' --cp-async ca 'a[lane]' | grep "in a row"
# 16 bytes between the sides: 12 wavefronts, and each sector twice; then both alike.
banksim check --shared 'float a[4][32]' --global 'const float *g' --cp-async cg '&a[lane / 8][lane % 8 * 4]' \
    'g[4 * lane + 4]' --cp-async cg '&a[lane / 8][lane % 8 * 4], g[4 * lane]' --emit-trace t.trace
tail -n 3 t.trace
# What cp.async.ca fetches is not known: none is told, rather than 0.
banksim check --shared 'float a[32][32]' --global 'const float *g' --cp-async ca 'a[lane][0], g[32 * lane]' --load 'g[lane]' |
    sed -n 1,3p
banksim check --shared 'float a[32][32]' --global 'const float *g' --cp-async ca 'a[lane][0], g[32 * lane]' --load 'g[lane]' \
    --format csv | sed 's@"[^"]*"@copy@' | cut -d, -f1,2,13-15
for copy in "ca a[lane][0], g[32 * lane]" "cg &a[lane][0]" "cg &a[lane][0], g[4 * lane]"; do
    banksim check --shared 'float a[32][32]' --global 'const float *g' --cp-async "${copy%% *}" "${copy#* }" \
        --expect 'sectors <= 16' 2>&1 >/dev/null | sed 's/^banksim: //'
done
# 8 rows of half a line each: a wavefront for each line, in any layout, and so no conflict.
banksim check --shared 'half s[8][64]' --global 'const half *g' --cp-async cg '&s[lane / 4][lane % 4 * 8], &g[lane / 4 * 4096 + lane % 4 * 8]' \
    --expect 'conflicts == 0' | sed -n '2p;4,6p'
