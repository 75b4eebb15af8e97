banksim run tests/golden/traces/cli_quiet.trace
# What asks another block's shared memory alone.
printf 'banksim-trace 1\nkernel k grid=2 block=32\nblock 0\nw0 ld.shared::cluster.u32 ffffffff 0+4\nend\n' | banksim run - | tail -n 1
