banksim lesson 12
