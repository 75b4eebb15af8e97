banksim run tests/golden/traces/cli_quiet.trace
