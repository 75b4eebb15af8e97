banksim run --format json --format text --per request --per kernel --format csv \
    --device k40 --device a100 tests/golden/traces/cli_small.trace | cut -d, -f1-3,44
