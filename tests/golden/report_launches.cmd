# Launches that are alike are one row with their number, in the order of the first ones; csv has them all.
load='block 0\nw0 ld.shared.u32 ffffffff 0+4\n' store='w0 st.shared.u32 ffffffff 0+8\n'
printf "banksim-trace 1\nkernel a block=32 shared=512\n${load}kernel b block=32 shared=512\n$load" >$TMP/t
printf "kernel a block=32 shared=512\n${load}kernel a block=32 shared=512\n${load}${store}end\n" >>$TMP/t
banksim run --cycles never $TMP/t
banksim run --cycles never --per site $TMP/t
banksim run --format csv $TMP/t | cut -d, -f1-3
