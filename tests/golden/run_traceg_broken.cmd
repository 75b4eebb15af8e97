sed 's/ 0x4 128 0/ 0x4 12x 0/' traces/example.traceg | banksim run -
