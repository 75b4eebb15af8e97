banksim emulate rect_set_col_read_col -o $TMP/r.trace && banksim run --metrics nvprof --device k40 $TMP/r.trace | grep per_request
banksim emulate square_set_row_read_row -o $TMP/no/r.trace 2>/dev/null || echo exit $?
ls $TMP
