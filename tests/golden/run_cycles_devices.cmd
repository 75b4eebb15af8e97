for device in sm_90 a100 k40 gp104 generic; do
    banksim run --device $device tests/golden/traces/cli_small.trace | grep -E 'ycles|^small|^wide'
done
banksim emulate reduce_global_mem --run | grep -i cycles
banksim emulate square_set_row_read_col --run --registers 64 --cycles auto | grep launch
banksim emulate stride_shared stride=32 --run --registers 64 --format json | grep -o '"launch": .*"clock'
banksim run --hazards --format csv tests/golden/traces/cli_small.trace | cut -d, -f1,48-
