awk 'BEGIN {
    print "banksim-trace 1\nkernel many grid=1 block=64 shared=4096\nblock 0"
    for (i = 0; i < 23; i++) printf "w0 st.shared.u32 00000001 %d\nw1 ld.shared.u32 00000001 %d\n", 4 * i, 4 * i
    print "end"
}' | banksim run --hazards --format csv - >$TMP/out 2>$TMP/err; echo exit $?
grep -c '^race: many' $TMP/err
tail -n 4 $TMP/err
