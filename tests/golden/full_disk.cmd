banksim run tests/golden/traces/cli_small.trace >/dev/full || echo exit $?
banksim run --per request tests/golden/traces/cli_small.trace >/dev/full || echo exit $?
banksim emulate square_set_row_read_col >/dev/full || echo exit $?
banksim list devices >/dev/full || echo exit $?
banksim run --help >/dev/full || echo exit $?
banksim --version >/dev/full || echo exit $?
banksim help >/dev/full || echo exit $?
banksim check --shared 'float a[32]' --load 'a[lane]' --emit-trace /dev/full || echo exit $?
