for device in v100 sm_61; do
    banksim run --device $device --metrics nvprof tests/golden/traces/cli_spaces.trace |
        grep -v shared_
done
banksim run --metrics ncu tests/golden/traces/cli_spaces.trace | grep -v shared_
for names in ncu nvprof; do
    banksim run --metrics $names --format json tests/golden/traces/cli_spaces.trace |
        sed 's/"metrics": {[^}]*}/.../'
done
