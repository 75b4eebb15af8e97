# Padded by hand, and by too much: x ^ y and a padding of one want rows of 32. A stencil's halo stays, be it
# that no access that is given comes to its last column.
banksim advise --block 32,32 --shared 'float tile[32][34]' \
    --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'
banksim advise --block 16,16 --shared 'float t[18][18]' --best 1 \
    --load 't[threadIdx.y + 1][threadIdx.x]' --load 't[threadIdx.y][threadIdx.x + 1]' | sed -n '/^1/,$p'
# A recorded kernel: in 2,048 bytes no conflicts, for 2,304 with them.
banksim emulate rect_set_col_read_row_turned_pad -o $TMP/pad.trace
banksim advise $TMP/pad.trace --shared 'int tile[32][18]' --format csv
banksim advise $TMP/pad.trace --shared 'int tile[32][18]' | grep -e without -e ^Plan -e ^A
