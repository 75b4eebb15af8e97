head -n 20 tests/measured/h200/crosscheck/ncu_details.csv | head -c 3000 >$TMP/cut.csv
for report in $TMP/cut.csv traces/square_set_row_read_col.trace tests $TMP/none.csv; do
    banksim compare --ncu $report traces/square_set_row_read_col.trace 2>&1 | sed "s,$TMP/,,"
    banksim compare --ncu $report traces/square_set_row_read_col.trace 2>/dev/null || echo "exit $?"
done
