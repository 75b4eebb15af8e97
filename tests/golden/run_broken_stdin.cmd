banksim run --per request --format json <tests/golden/traces/cli_broken.trace
