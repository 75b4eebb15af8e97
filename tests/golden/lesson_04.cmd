banksim lesson 4
