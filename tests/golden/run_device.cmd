for options in '' '--device sm_90' '--device k40' '--bank-width 8' '--bank-width 4' '--device generic' \
    '--banks 32' '--banks 16' '--banks 64 --bank-width 8' '--banks 1'; do
    echo "options: $options"
    banksim run $options --format csv tests/golden/traces/cli_kepler.trace | sed 1d | cut -d, -f1-3,5,26,44-47
done
