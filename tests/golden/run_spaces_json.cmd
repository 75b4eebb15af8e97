banksim run --device t4 --format json tests/golden/traces/cli_spaces.trace | sed 's/.*"rests_on": //'
