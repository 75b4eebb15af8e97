# Fermi's L1 loads whole lines, 128 bytes; Kepler's loads and both's stores go to L2 for sectors.
# Misaligned by a word: 128 of 2 x 128 bytes, of 5 x 32. Every 8th word: 128 of 8 x 128, of 32 x 32.
for device in sm_20 k40; do
    for access in 'ld.global.u32 ffffffff 0+4' 'ld.global.u32 ffffffff 4+4' \
        'ld.global.u32 ffffffff 0+32' 'ld.global.u32 ffffffff 0+128' 'ld.global.u32 ffffffff 0+0' \
        'ld.global.u64 ffffffff 0+8' 'st.global.u32 ffffffff 4+4'; do
        echo "$device: $access"
        printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 %s\nend\n' "$access" |
            banksim run --device $device --metrics nvprof - | grep -E 'g(ld|st)_efficiency'
    done
done
