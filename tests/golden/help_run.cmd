banksim run --help
