echo '== a padding would make it more than 48 KB'
banksim advise --block 96 --shared 'float tile[96][128]' --load 'tile[threadIdx.x][0]' --load '*(float4 *)&tile[threadIdx.x/8][threadIdx.x%8*4]'
echo '== beyond 48 KB already'
banksim advise --block 96 --shared 'float tile[112][112]' --load 'tile[threadIdx.x][0]' --best 7 | grep -e '^[0-9]' -e cudaFunc
echo '== at the limit of the device'
banksim advise --device a40 --block 96 --shared 'float tile[198][128]' --load 'tile[threadIdx.x][0]' --best 7 | grep -e '^[0-9]' -e cudaFunc
echo '== a swizzle does, and the padding that is missing says why'
banksim advise --shared 'float s[380][32]' --load 's[lane][4]' | grep -e '^[0-9]' -e 'left out'
echo '== a padding that fits is there'
banksim advise --shared 'float s[360][32]' --load 's[lane][4]' | grep -e '^[0-9]' -e 'left out'
