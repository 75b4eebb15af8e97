banksim lesson 16
