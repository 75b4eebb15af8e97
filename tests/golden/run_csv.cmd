banksim run --format csv tests/golden/traces/cli_small.trace
