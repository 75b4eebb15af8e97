banksim lesson
