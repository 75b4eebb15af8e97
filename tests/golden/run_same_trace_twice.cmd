banksim run --format csv tests/golden/traces/cli_small.trace tests/golden/traces/cli_small.trace | cut -d, -f1-3
