printf 'banksim-trace 1\nkernel k grid=1 block=32 shared=80000\nblock 0\nw0 ld.shared.u32 ffffffff 0+4\nend\n' >$TMP/a.trace
for device in k40 t4 v100 sm_90; do
    echo "== $device"
    banksim run --device $device --format csv -o $TMP/csv $TMP/a.trace 2>&1 | sed "s,$TMP/,,"
done
echo '== in a trace of several kernels, by one thread and by two'
{ cat traces/example.trace | grep -v '^end$'; sed 1d $TMP/a.trace; } >$TMP/b.trace
banksim run --device k40 $TMP/b.trace --jobs 1 2>&1 | sed "s,$TMP/,,"
banksim run --device k40 $TMP/b.trace --jobs 2 2>&1 | sed "s,$TMP/,,"
banksim run --device k40 $TMP/a.trace 2>/dev/null
