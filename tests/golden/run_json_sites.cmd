banksim run --format=json --per=site tests/golden/traces/cli_names.trace
