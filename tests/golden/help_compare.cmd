banksim help compare
