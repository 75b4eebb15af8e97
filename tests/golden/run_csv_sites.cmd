banksim run --per site --format csv tests/golden/traces/cli_small.trace
