banksim run --format json --per request tests/golden/traces/cli_index.trace
