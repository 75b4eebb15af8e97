banksim lesson 9
