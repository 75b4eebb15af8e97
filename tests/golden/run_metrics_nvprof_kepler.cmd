banksim run --metrics nvprof --format csv tests/golden/traces/cli_kepler.trace
