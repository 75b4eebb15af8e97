# The numbers of a device with their grades. CS 179, lecture 5: a Titan Black's shared memory does 3.4 TB/s,
# 853 Gfloat/s, its arithmetic 5 TFLOPS.
banksim list devices 'GeForce GTX Titan Black' --format csv | grep -E '^device|,[0-9.]+,[^,]*$'
# A chip is sold at several clocks, and says at which.
banksim list devices gk110 | grep -oE '15 SMs;.*|.*its boards.*'
banksim list devices gk110 --format csv | grep -E ',(SMs|clock|loads of a bank),'
banksim list devices gtx480 --format json | grep -E '"(latency of DRAM|warps that hide it)'
banksim list devices k80 | grep -o '[0-9]* registers.*block'
