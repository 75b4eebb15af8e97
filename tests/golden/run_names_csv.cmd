banksim run --per site --format csv tests/golden/traces/cli_names.trace
