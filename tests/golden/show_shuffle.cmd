banksim show --shfl idx 3 --width 16
banksim show --shfl up 2 --width 16 --mask fffffffe
banksim show --shfl down 1 --width 8 --format csv | sed -n '1,3p;8,10p'
banksim show --shfl xor 8 --width 8 --mask 0000ff0f
banksim show --shfl=bfly 1 --width 2 --mask 7 --format json
