banksim run --hazards --per request --format csv tests/golden/traces/cli_race.trace
