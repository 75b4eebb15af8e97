for k in square_set_row_read_col histogram_shared reduce_shared_mem stencil_readonly transpose_shared; do
    banksim emulate $k --run --format csv >$TMP/emulated 2>$TMP/note
    banksim emulate $k -o $TMP/k.trace
    banksim pack $TMP/k.trace -o $TMP/k.bin
    banksim run --format csv $TMP/k.trace | cmp $TMP/emulated - && echo "$k: text as emulated"
    banksim run --format csv $TMP/k.bin | cmp $TMP/emulated - && echo "$k: binary as emulated"
done
