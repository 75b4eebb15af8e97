printf '\3757zXZ\0' | banksim run -
