banksim run tests/golden/traces/cli_spaces.trace
