banksim show --load b32 --stride 2
banksim show --store float2 --stride 1
banksim show --stride 32,33 --offset 1
banksim show --addresses 0*2,128*3,4 --load u8
