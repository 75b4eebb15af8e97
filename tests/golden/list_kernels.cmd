banksim list kernels | sed -n '1,2p;/^$/,$p' | cut -c1-100
