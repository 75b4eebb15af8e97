banksim help unpack
