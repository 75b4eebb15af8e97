banksim run --metrics ncu --format json tests/golden/traces/cli_small.trace
