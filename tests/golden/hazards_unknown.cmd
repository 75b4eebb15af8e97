banksim list devices --hazards; echo exit $?
banksim emulate square_set_row_read_col --hazards; echo exit $?
banksim run --hazards=yes tests/golden/traces/cli_race.trace
