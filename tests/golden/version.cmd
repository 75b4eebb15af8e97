banksim --version
