# 'if (in) cp.async.cg' is a predicated LDGSTS.BYPASS, which the counters by instruction have as 0.
cd "$TMP"
printf '%s\n' 'banksim-trace 1' 'kernel k block=32 shared=512' 'block 0' \
    'w0 cp.async.cg.shared.global.16 ffffffff 0+16 from=0+16' end >t.trace
printf '%s\n' '"ID","Kernel Name","Block Size","Grid Size","sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"' \
    '"","","","",""' '"0","k","(32, 1, 1)","(1, 1, 1)","0"' >r.csv
banksim compare --ncu r.csv t.trace
echo "exit $?"
