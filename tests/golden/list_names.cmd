banksim list devices --names
banksim list kernels --names | sort | uniq -d
banksim list kernels --names | while read -r kernel; do
    banksim emulate $kernel --run --format csv >$TMP/out 2>$TMP/err || echo "$kernel: exit $?"
done
