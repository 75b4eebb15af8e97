banksim run
