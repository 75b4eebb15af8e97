banksim list devices --names
banksim list kernels --names | sort | uniq -d
banksim list kernels --names | while read -r kernel; do
    banksim emulate $kernel --run --format csv >$TMP/out || echo "$kernel: exit $?"
done
