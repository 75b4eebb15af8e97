banksim run --per request tests/golden/traces/cli_index.trace
