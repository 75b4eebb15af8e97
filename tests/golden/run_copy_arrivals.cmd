# Copies by cp.async that arrive at a meeting: w1 goes on when w0's copies have come, not when w0 has come by. An arrival of
# w0 itself does not wait for them; nor does an arrival of copies wait for those begun behind it.
cd "$TMP"
copy='w0 cp.async.cg.shared.global.16 ffffffff 0+16 from=0+16'
for order in "$copy;w0 cp.async.mbarrier.arrive 1" "w0 cp.async.mbarrier.arrive 1;$copy" "$copy;w0 arrive 1"; do
    {
        printf 'banksim-trace 1\nkernel k grid=1 block=64 shared=1024\nblock 0\n'
        printf '%s\n' "$order" | tr ';' '\n'
        printf 'w1 await 1:1\nw1 ld.shared.u32 ffffffff 512+4\nend\n'
    } >t.trace
    banksim run t.trace | sed -n -e '/^cycles/p' -e '/^Cycles have/p'
    banksim pack t.trace | banksim unpack - | diff - t.trace && echo same
done
# It orders as an arrival does: no race between w0's store and w1's load. Without it there is one.
{
    printf 'banksim-trace 1\nkernel k grid=1 block=64 shared=1024\nblock 0\nw0 st.shared.u32 ffffffff 0+4\n'
    printf 'w0 cp.async.mbarrier.arrive 1\nw1 await 1:1\nw1 ld.shared.u32 ffffffff 0+4\nend\n'
} >t.trace
banksim run --hazards t.trace 2>&1 | grep 'races found'
sed -e /arrive/d -e /await/d t.trace | banksim run --hazards - 2>&1 | grep ^race
