banksim run tests/golden/traces/cli_empty.trace
banksim run --format csv tests/golden/traces/cli_empty.trace | cut -d, -f1-3
banksim run --format json --per request tests/golden/traces/cli_empty.trace
