echo old >$TMP/r.csv
for per in kernel request; do
    banksim run --per $per -o $TMP/r.csv tests/golden/traces/cli_broken.trace || echo exit $?
done
banksim run -o $TMP/new.csv tests/golden/traces/cli_cut.trace || echo exit $?
cat $TMP/r.csv
ls $TMP
