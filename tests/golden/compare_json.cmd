banksim compare --format json --ncu tests/measured/h200/crosscheck/ncu_details.csv \
    traces/square_set_row_read_col.trace traces/square_set_col_read_col.trace
