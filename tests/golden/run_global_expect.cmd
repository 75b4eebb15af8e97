banksim run tests/golden/traces/cli_global_expect.trace
