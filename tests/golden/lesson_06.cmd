banksim lesson 6
