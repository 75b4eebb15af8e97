banksim lesson 8
