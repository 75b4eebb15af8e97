banksim run --metrics ncu tests/golden/traces/cli_copies.trace
