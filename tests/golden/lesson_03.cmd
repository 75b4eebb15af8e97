banksim lesson 3
