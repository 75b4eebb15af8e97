banksim emulate transpose_shared | banksim compare --tolerance 0.5 --format csv \
    --ncu tests/measured/h200/crosscheck/ncu_details.csv
