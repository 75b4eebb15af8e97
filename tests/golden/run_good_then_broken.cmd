banksim run --per request tests/golden/traces/cli_small.trace tests/golden/traces/cli_broken.trace
