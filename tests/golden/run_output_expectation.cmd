banksim run --format csv -o $TMP/r.csv tests/golden/traces/cli_expect.trace 2>/dev/null || echo exit $?
cut -d, -f1-3 $TMP/r.csv
ls $TMP
