cat tests/golden/traces/cli_small.trace | banksim run --format csv | cut -d, -f1-3
banksim run --format csv - <tests/golden/traces/cli_small.trace | cut -d, -f1-3
banksim run --format csv tests/golden/traces/cli_kepler.trace - <tests/golden/traces/cli_small.trace | cut -d, -f1-3
