banksim lesson 14
