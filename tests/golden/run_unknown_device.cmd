banksim run tests/golden/traces/cli_unknown_device.trace
