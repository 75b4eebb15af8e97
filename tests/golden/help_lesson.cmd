banksim lesson --help
