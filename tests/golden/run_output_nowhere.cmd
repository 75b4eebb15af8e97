for where in $TMP/no/r.csv $TMP /dev/full; do
    banksim run -o $where tests/golden/traces/cli_small.trace 2>$TMP/err || echo exit $?
    sed "s#$TMP#TMP#" $TMP/err
done
rm $TMP/err
ls $TMP
