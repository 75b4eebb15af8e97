for device in sm_90 sm_61 k40; do
    banksim run --device $device --format csv tests/golden/traces/cli_spaces.trace |
        cut -d, -f1,2,27-40,44,47
done
banksim run --per site --format csv tests/golden/traces/cli_spaces.trace | cut -d, -f2-4,17-20
banksim run --per request --format csv tests/golden/traces/cli_spaces.trace | cut -d, -f5,6,11,16-18
