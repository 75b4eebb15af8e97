banksim lesson 1
