banksim lesson 5
