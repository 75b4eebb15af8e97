banksim lesson 7
