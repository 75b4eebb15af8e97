banksim run tests/golden/traces/cli_broken.trace
