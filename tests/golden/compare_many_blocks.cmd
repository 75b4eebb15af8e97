banksim emulate transpose_shared -o $TMP/t.trace
banksim compare --ncu tests/measured/h200/crosscheck/ncu_raw.csv $TMP/t.trace
