trace=tests/golden/traces/cli_small.trace
banksim show $trace
banksim show $trace --worst 2
banksim show - --site 1 <traces/example.trace
banksim show traces/example.trace --event 8 | head -3
banksim show traces/example.trace --event 0:0:1 | head -3
banksim show traces/example.trace --event example:0,0,0:0:0 | head -3
banksim show traces/example.trace --device k40 --event 8 | tail -2
# The largest numbers of a site and a block.
last=2147483646
printf 'banksim-trace 1\nkernel k grid=2147483647 block=32\nsite 4294967295 ld.shared.u32\nblock %s\nw0 @4294967295 ffffffff 0+8\nend\n' $last >"$TMP/last.trace"
banksim show "$TMP/last.trace" --site 4294967295 | tail -1
banksim show "$TMP/last.trace" --event $last:0:0 | tail -1
