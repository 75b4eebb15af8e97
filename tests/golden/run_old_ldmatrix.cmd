banksim run tests/golden/traces/cli_old_ldmatrix.trace || echo exit $?
banksim run --device t4 --format csv tests/golden/traces/cli_old_ldmatrix.trace | cut -d, -f1-3,44
