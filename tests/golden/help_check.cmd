banksim check --help
