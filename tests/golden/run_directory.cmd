banksim run tests/golden/traces
