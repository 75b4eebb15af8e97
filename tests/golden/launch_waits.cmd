# The worst site is not the lock that eight lanes take one by one, but the store before it, 8-way as lanes are a row apart.
head=' .reg .pred %p; .reg .b32 %r<5>; .shared .b32 s[264]; mov.u32 %r0, %tid.x; mov.u32 %r4, s; st.shared.u32 [s], 0; bar.sync 0;'
lock=' L: atom.shared.cas.b32 %r2, [s], 0, 1; setp.ne.u32 %p, %r2, 0; @%p bra L; atom.shared.exch.b32 %r2, [s], 0; bar.sync 0;'
store=' shl.b32 %r1, %r0, 7; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1+4], %r0;'
for rest in "$store" ''; do
    echo ".version 8.0 .target sm_90 .address_size 64 .visible .entry k() { $head $rest $lock ret; }" >$TMP/k.ptx
    banksim launch $TMP/k.ptx 'k<<<1, 8>>>()' --cycles never | sed -n '/^Bank/,$p' | sed "s,$TMP/,,; s/up to 8-way: [0-9.]* w/up to 8-way: N w/"
done
