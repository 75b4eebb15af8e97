for options in '--device sm_91' '--device k40 --banks 16' '--device sm_80 --bank-width 8' \
    '--banks 65' '--banks 0' '--banks -1' '--banks 3x' '--bank-width 5' '--device='; do
    banksim run $options tests/golden/traces/cli_small.trace || echo "$options: exit $?"
done 2>&1
banksim run --bank-width 8 tests/golden/traces/cli_small.trace 2>&1 || echo "--bank-width 8: exit $?"
