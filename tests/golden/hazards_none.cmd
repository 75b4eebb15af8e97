# What was looked at is told where nothing is found.
banksim run --hazards --format csv tests/golden/traces/cli_reverse.trace | cut -d, -f1-5
banksim run --hazards --format csv tests/golden/traces/cli_reverse.trace >$TMP/out; echo exit $?
banksim emulate square_set_row_read_col --run --hazards --format csv >$TMP/out; echo exit $?
