banksim show --help
