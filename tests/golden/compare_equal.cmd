for k in square_set_row_read_col rect_set_col_read_col histogram_shared; do
    banksim emulate $k -o $TMP/$k.trace
done
banksim compare --ncu tests/measured/h200/crosscheck/ncu_raw.csv $TMP/square_*.trace $TMP/rect_*.trace $TMP/hist*.trace
