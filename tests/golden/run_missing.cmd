banksim run nowhere/no.trace
