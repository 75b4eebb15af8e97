banksim where --help
