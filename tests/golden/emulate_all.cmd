# Release only: 102 kernels at their usual sizes; test_emulators and test_hazard_emulators have each of them.
banksim list kernels --names | while read -r kernel; do
    banksim emulate $kernel --run --format csv >$TMP/out 2>$TMP/err || echo "$kernel: exit $?"
done
