# Warps and blocks have several rhythms: both ends are told, further apart for several blocks of one warp that meet at a
# barrier than for one on each SM.
for grid in 1000 100; do
    printf 'banksim-trace 1\nkernel k grid=%s block=32\nblock 0\nrepeat 16 work=2:20\nw* st.shared.f32 ffffffff 0+4\nw* bar.sync\ndone\nend\n' $grid >$TMP/k.trace
    banksim run $TMP/k.trace | grep -E '^(launch|held)'
    banksim run --format csv $TMP/k.trace | cut -d, -f84,85
done
