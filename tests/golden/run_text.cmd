banksim run tests/golden/traces/cli_small.trace
