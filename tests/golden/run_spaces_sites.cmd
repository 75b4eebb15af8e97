banksim run --per site tests/golden/traces/cli_spaces.trace
