banksim show --stride 0
banksim show --addresses 0*4,128*4,256*4,0*4,384*16 --load b64
banksim show --addresses 0*4,4*4,8*4,12*4,16*4,20*4,24*4,28*4
banksim show --addresses 0*3,4,8*2,12 --store u32
