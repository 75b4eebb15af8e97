banksim run --format csv tests/golden/traces/cli_expect.trace | cut -d, -f1-5
banksim run tests/golden/traces/cli_expect.trace >$TMP/out 2>$TMP/err || echo exit $?
grep -c 'does not hold' $TMP/err
tail -n 2 $TMP/err
