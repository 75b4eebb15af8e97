banksim help emulate
