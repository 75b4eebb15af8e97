banksim help pack
