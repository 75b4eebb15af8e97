banksim run --format json tests/golden/traces/cli_small.trace
