banksim run --per request --format csv tests/golden/traces/cli_index.trace
