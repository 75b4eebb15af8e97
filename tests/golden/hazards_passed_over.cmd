# Atomics and cp.async are not looked at: no finding is no proof, and that is said.
printf 'banksim-trace 1\nkernel k block=64 shared=256\nblock 0\nw0 red.shared.add.u32 ffffffff 0*32\nw1 ld.shared.u32 ffffffff 0*32\nend\n' >$TMP/t
banksim run --hazards --format csv - <$TMP/t | cut -d, -f1,2; echo "exit $?"
