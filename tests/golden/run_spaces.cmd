trace=tests/golden/traces/spaces.trace
banksim run $trace
banksim run --per site $trace | head -n 11
banksim run --metrics ncu $trace | grep -E 'local|tex_|global_op_ld'
banksim run --device k40 --metrics nvprof $trace | grep gld
banksim pack $trace -o "$TMP/spaces.bin" && banksim unpack "$TMP/spaces.bin" | grep -E '^(site|w)'
banksim run --format csv --per site "$TMP/spaces.bin" | cut -d, -f3,17-19
printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 st.local.u32 ffffffff 4294967292*31,4294967296\nend\n' | banksim run -
printf 'banksim-trace 1\nkernel k block=32\nblock 0\nw0 ld.global.nc.u32 ffffffff 0+4\nend\n' | banksim run --device sm_20 -
