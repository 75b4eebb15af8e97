banksim lesson 13
