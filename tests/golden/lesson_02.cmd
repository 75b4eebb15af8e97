banksim lesson 2
