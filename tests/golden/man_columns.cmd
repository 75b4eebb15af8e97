{ for per in kernel site request; do
    banksim run --per $per --format csv traces/example.trace | head -n 1
done
banksim check --format csv --shared 'float s[32]' --load 's[0]' | head -n 1
banksim advise --format csv --shared 'float s[32]' --load 's[0]' | head -n 1
banksim show --strides 1 --format csv | head -n 1
banksim emulate square_set_row_read_col |
    banksim compare --format csv --ncu tests/measured/h200/crosscheck/ncu_raw.csv - 2>/dev/null | head -n 1
} | tr ',' '\n' | sort -u | while read -r column; do
    grep -Eq "^\.(It )?Cm ([a-z_]+ , )*$column( |$)" src/cli/banksim.1 || echo "the man page does not have $column"
done
