banksim run --device sm_86 --format csv tests/golden/traces/cli_unknown_device.trace | cut -d, -f1-3,44
