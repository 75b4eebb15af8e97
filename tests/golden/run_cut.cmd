banksim run tests/golden/traces/cli_cut.trace
