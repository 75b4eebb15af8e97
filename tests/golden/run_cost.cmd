# Both sites have the same conflicts; those of one are hidden behind 16 sums of each turn.
banksim run traces/cost.trace | sed -n '/^Bank/,$p'
banksim run --per site traces/cost.trace | sed -n '/^Bank/,$p'
sed '/^kernel exposed/,/^done/d' traces/cost.trace | banksim run - | sed -n '/^cycles/p; /^Bank/,$p'
banksim run --cycles never traces/cost.trace | sed -n '/^Bank/,$p'
# Two warps store into one bank, each at its own site: without one of them, the other one takes as long.
printf '%s\n' 'banksim-trace 1' 'kernel both block=64' 'site 1 st.shared.f32' 'site 2 st.shared.f32' \
    'block 0' 'w0 @1 ffffffff 0+128' 'w1 @2 ffffffff 0+128' end >$TMP/both.trace
banksim run $TMP/both.trace | sed -n '/^cycles/p; /^Bank/,$p'
