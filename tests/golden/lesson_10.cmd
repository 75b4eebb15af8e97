banksim lesson 10
