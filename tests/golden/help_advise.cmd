banksim advise --help
