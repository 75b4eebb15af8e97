banksim compare --ncu tests/measured/h200/crosscheck/ncu_raw.csv traces/histogram_shared.trace
