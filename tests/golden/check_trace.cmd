# The trace gives the same numbers through run.
banksim check --block 34 --shared 'float a[128]' --load 'a[threadIdx.x * 3]' \
    --store '*(float2 *)&a[threadIdx.x & ~1]' --format csv --emit-trace "$TMP/a.trace" |
    cut -d, -f4-9
cat "$TMP/a.trace"
banksim run "$TMP/a.trace" --per site --format csv | cut -d, -f6-11
