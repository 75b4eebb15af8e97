banksim lesson 17
