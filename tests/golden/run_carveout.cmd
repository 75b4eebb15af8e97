# What an SM gives to shared memory limits its blocks; where a block needs more, it gets more. A block of
# 12000 bytes takes 12032, or 13056 on sm_90; of 20000 bytes none fits in 16 KB.
small=$TMP/small.trace
large=$TMP/large.trace
printf 'banksim-trace 1\nkernel k grid=9 block=64 shared=12000\n' >"$small"
for block in 0 1; do
    printf 'block %s\nw0 ld.shared.u32 ffffffff 0+4\n' $block >>"$small"
done
echo end >>"$small"
sed s/12000/20000/ "$small" >"$large"
for device in k40 k80 gtx480; do
    for carveout in l1 equal shared; do
        banksim run "$small" --device $device --carveout $carveout 2>&1 | \
            sed -n "s/^\(occupancy\|banksim\)/$device $carveout/p"
    done
done
for carveout in 0 3% 10 50 100; do
    banksim run "$small" --carveout $carveout | sed -n "s/^occupancy/sm_90 $carveout/p"
done
for device in k40 v100; do
    banksim run "$large" --device $device --carveout l1 | sed -n "s/^occupancy/$device large/p"
done
for part in 1 2; do
    banksim run "$small" --carveout 10 --shard $part/2 -o "$TMP/$part.part"
done
banksim merge "$TMP/1.part" "$TMP/2.part" | sed -n 's/^occupancy/merged/p'
banksim run "$small" --carveout 50 --shard 2/2 -o "$TMP/other.part"
banksim merge "$TMP/1.part" "$TMP/other.part" 2>&1 | sed "s,$TMP/,,g" || echo "exit $?"
for wrong in 'sm_61 shared' 'k40 50' 'v100 101' 'v100 x' 'v100 50%%' 'v100 1000'; do
    banksim run "$small" --device ${wrong% *} --carveout ${wrong#* } 2>&1 || echo "exit $?"
done
