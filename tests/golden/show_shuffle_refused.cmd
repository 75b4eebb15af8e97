banksim show --shfl around 3
banksim show --shfl idx
banksim show --shfl idx -3
banksim show --shfl up 1 --width 12
banksim show --shfl up 1 --mask 0
banksim show --shfl up 1 --stride 2
banksim show --width 16 --load b32
banksim show --shfl up 1 --format svg
banksim show --shfl up 1 a.trace
