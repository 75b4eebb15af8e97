# Equal races of several launches are one line; a race of another kernel is its own.
races='block 0\nw0 @1 ffffffff 0+4\nw1 @2 ffffffff 0+4\n'
sites='site 1 st.shared.u32 at=a.cu:3\nsite 2 ld.shared.u32 at=a.cu:4\n'
printf "banksim-trace 1\n" >$TMP/t
for i in 1 2 3; do printf "kernel a block=64 shared=512\n$sites$races"; done >>$TMP/t
printf "kernel b block=64 shared=512\n$sites${races}end\n" >>$TMP/t
banksim run --hazards --format csv - <$TMP/t >$TMP/out; echo "exit $?"
