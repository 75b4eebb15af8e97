head='banksim-trace 1\nkernel k grid=3 block=32\n'
printf "${head}block 0\nw0 ld.const.f32 00000003 4096,69628\nw0 ld.const.f32 00000003 4096,69632\nend\n" | banksim run -
printf "${head}block 0\nw0 ld.const.f32 ffffffff 4096+0\nblock 1\nw0 ld.const.f32 ffffffff 69628+0\nend\n" | banksim run --metrics ncu - | grep idc
printf "${head}block 0\nw0 ld.const.f32 ffffffff 4096+0\nblock 1\nw0 ld.const.f32 ffffffff 69632+0\nblock 2\nend\n" >"$TMP/far.trace"
for jobs in 1 2 3; do banksim run --jobs $jobs --format csv "$TMP/far.trace"; done
for k in 1 2; do banksim run --shard $k/2 -o "$TMP/part.$k" "$TMP/far.trace"; done
banksim merge "$TMP/part.1" "$TMP/part.2"
