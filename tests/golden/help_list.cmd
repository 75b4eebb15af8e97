banksim list -h
