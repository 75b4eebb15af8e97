# One page of two kernels: what it holds, counted; and nothing of a broken trace's.
cd $TMP
banksim emulate square_set_row_read_col >a.trace
banksim emulate square_set_row_read_col_pad >b.trace
banksim run --format html -o page.html a.trace b.trace && echo "exit $?"
for part in '<!DOCTYPE html>' '<script' 'src=' 'url(' '"id": 0, "row": {"kernel": "square_set_row_read_col",' \
    '"id": 1, "row": {"kernel": "square_set_row_read_col_pad",' '"kernel": 0, "row"' '"kernel": 1, "row"' \
    '32 passes because' '</html>'; do
    printf '%-60s %s\n' "$part" "$(grep -cF -- "$part" page.html)"
done
banksim run --format html a.trace b.trace | cmp - page.html && echo "the same on standard output"
banksim emulate square_set_row_read_col --run --format html | grep -c 'kernel": 0, "row"'
sed '$d' a.trace >cut.trace
banksim run --format html -o cut.html cut.trace; echo "exit $?"; [ -e cut.html ] || echo "no page"
