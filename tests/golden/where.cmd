# Where elements lie. 5 * 32 + 25 is element 185; 25 ^ 5 is 28: byte 5 * 128 + 28 * 4, and bank 28.
banksim where 'tile[5][25]' --shared 'float tile[8][32] swizzle<5,0,5>'
# As CUDA's figure of CU_TENSOR_MAP_SWIZZLE_128B: row r has its chunks of 4 banks in the order of c ^ r.
banksim where 'a[3][8]' 'a[3][15]' --shared 'half a[8][64] swizzle 128B'
# Two bytes that a swizzle of elements keeps apart: a cell for each.
banksim where 'h[1][1]' --shared 'half h[2][16] swizzle<1,0,4>'
# Lanes; a vector of four banks; 8 threads; all requests of a float3; another array in front.
banksim where '*(float4 *)&s[4 * lane]' --block 8 --shared 'float x[4], s[64] pad 4 every 16'
banksim where 'f[3]' --shared 'float3 f[4]' --format csv
# What is left out is said; an array of one dimension goes through the banks; 8-byte banks; a plane.
banksim where 'c[3][70][9]' --shared 'float c[4][100][50]' | cut -c 1-50 | sed -n '1,7p;11,12p'
banksim where 's[lane]' --warp 1 --block 34 --shared 'extern float s[]'
banksim where 'd[1][1]' --shared 'float d[2][64]' --device k40 --bank-width 8 | tail -n 2 | cut -c 1-40
# Statements of a file, each at its first turn; json.
printf '%s\n' 'shared int t[4][4] row-xor 2,0,0' 'for i=1:4' '    t[i][threadIdx.x % 2] = 0;' \
    >"$TMP/t.check"
banksim where "$TMP/t.check" --block 2 --format json
