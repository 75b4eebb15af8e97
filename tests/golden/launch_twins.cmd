# Twins compiled by nvcc against their emulators in C: all columns of csv, behind the kernel's name.
for k in row_read_row row_read_row_pad row_read_col row_read_col_pad col_read_col col_read_col_pad col_read_row \
    col_read_row_pad row_read_row_dyn row_read_col_dyn col_read_col_dyn col_read_row_dyn; do
    bytes=0
    case $k in *_dyn) bytes=4096 ;; esac
    banksim emulate square_set_$k --run --cycles never --format csv 2>/dev/null | sed 's/^[^,]*,//' >$TMP/emulated
    banksim launch tests/ptx/square.ptx "square_set_$k<<<1, dim3(32, 32), $bytes>>>(int[1024])" --cycles never \
        --format csv --dump 0=$TMP/$k 2>/dev/null | sed 's/^[^,]*,//' >$TMP/launched
    cmp $TMP/emulated $TMP/launched && sed -n 2p $TMP/launched | cut -d, -f1-6 | sed "s/^/$k: /"
done
cmp $TMP/row_read_row $TMP/col_read_col && cmp $TMP/row_read_col $TMP/col_read_row && od -An -tu4 -N12 $TMP/row_read_col
