# The launch of a book's program, by the name that it has there; and one that two kernels may be.
report=tests/measured/h200/crosscheck/ncu_raw.csv
sed 's/square_set_row_read_col([^"]*)/void book::setRowReadCol<32>(int *)/' $report >$TMP/book.csv
banksim compare --ncu $TMP/book.csv --format csv traces/square_set_row_read_col.trace |
    grep -e smsp__inst_executed_op_shared_ld -e 'no launch'
sed 's/"(1, 1, 1)"/"(2, 1, 1)"/' $TMP/book.csv >$TMP/larger.csv
for k in square rect; do
    banksim emulate ${k}_set_row_read_col -o $TMP/$k.trace
done
banksim compare --ncu $TMP/book.csv --format csv $TMP/square.trace $TMP/rect.trace |
    grep -e smsp__inst_executed_op_shared_ld -e 'no launch'
banksim compare --ncu $TMP/larger.csv $TMP/square.trace $TMP/rect.trace 2>&1 || echo "exit $?"
# Metrics of global memory are shown, and decide if they are asked to.
sed 's/^\(site [0-9]* \)st.global/\1ld.global/' traces/square_set_row_read_col.trace >$TMP/loads.trace
for all in '' --all; do
    banksim compare $all --ncu $report $TMP/loads.trace >$TMP/out
    echo "exit $?"
    grep -e global -e metrics $TMP/out
done
