cp tests/golden/traces/cli_small.trace $TMP/-x.trace
cd $TMP
banksim run --format csv -- -x.trace | cut -d, -f1-3
banksim run -x.trace || echo exit $?
banksim run --format csv ./-x.trace --per kernel | cut -d, -f1-3
