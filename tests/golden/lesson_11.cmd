banksim lesson 11
