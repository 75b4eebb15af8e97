banksim help && banksim --help | cksum && banksim -h | cksum
