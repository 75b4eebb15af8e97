banksim lesson 15
