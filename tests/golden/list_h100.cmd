# An H100's SMs were timed, its memory was not: that is the H200's, and says so. Counts are the compute capability's.
for gpu in h100 h200; do
    banksim list devices $gpu --format csv | grep -E '^sm_90,"?(bank of|cycles|latency of (L2|DRAM|fp32)|bandwidth of global)'
done
banksim run --device h100 tests/golden/traces/cli_small.trace | grep '^Cycles'
