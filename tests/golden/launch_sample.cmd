banksim launch tests/ptx/tile.ptx 'transpose<<<dim3(4,2), dim3(32,8)>>>(float[128*64] = iota, float[8192], 128, 64)' --blocks 3 --merge none --cycles never | sed -n '/^Counts/p; /^a sample/p'
