printf 'MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\n' | banksim run -
