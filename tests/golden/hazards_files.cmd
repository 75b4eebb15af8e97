cd tests/golden/traces
banksim run --hazards --format csv cli_reverse.trace cli_race.trace - cli_expect.trace \
    <cli_race.trace >$TMP/out 2>$TMP/err; echo exit $?
cut -d, -f1-3 $TMP/out
grep -v 'does not hold' $TMP/err
