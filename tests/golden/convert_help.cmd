banksim convert --help
