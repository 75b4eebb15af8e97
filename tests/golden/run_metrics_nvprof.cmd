banksim run --metrics nvprof tests/golden/traces/cli_small.trace
