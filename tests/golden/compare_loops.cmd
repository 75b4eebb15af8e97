# What the profiler counts with a loop's loads and swaps is no difference.
printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 red.shared.add.f32 ffffffff 0*32\nend\n' >$TMP/t
m=l1tex__data_pipe_lsu_wavefronts_mem_shared
printf '"ID","Kernel Name","%s.sum","%s_op_ld.sum","%s_op_atom.sum","%s_op_st.sum"\n"","","","","",""\n' \
    $m $m $m $m >$TMP/ncu.csv
printf '"0","k","96","32","64","0"\n' >>$TMP/ncu.csv
banksim compare --ncu $TMP/ncu.csv $TMP/t
