banksim run --format csv tests/golden/traces/cli_kepler.trace tests/golden/traces/cli_small.trace | cut -d, -f1-5,44-46
