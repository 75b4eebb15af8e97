banksim compare --ncu tests/measured/h200/crosscheck/ncu_raw.csv traces/square_set_col_read_col.trace
