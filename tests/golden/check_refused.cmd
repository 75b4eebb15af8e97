try() { banksim check "$@"; echo "exit $?"; }
try --shared 'float a[32]' --load 'a[theadIdx.x]'
try --shared 'float a[32]' --for 'i=0:2' --load 'a[threadIdx.x + i]'
try --shared 'float a[36]' --load '*(float4 *)&a[threadIdx.x]'
try --shared 'float a[32]' --load 'a[8 / (threadIdx.x - 4)]'
try --block 33 --shared 'half a[8][8]' --ldmatrix x1 'a[lane]'
try --block 64,32 --shared 'half a[8][8]' --ldmatrix x1 'a[lane]'
try --device sm_70 --shared 'half a[8][8]' --ldmatrix x1 'a[lane]'
printf 'shared float a[4]\nload a[a[0]]\n' >"$TMP/f"
cd "$TMP"
try f
try nowhere
try --shared 'float a[4]' --load 'a[0]' --expect 'wavefronts / conflicts > 1'
