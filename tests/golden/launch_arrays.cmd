# Where the arrays of shared memory lie goes with the trace: one of the kernel's own, and dynamic memory.
for call in 'transpose<<<1, dim3(32,8)>>>(float[1024], float[1024], 32, 32)' 'sum<<<1, 256, 1024>>>(int[256], int[1])'; do
    banksim launch tests/ptx/tile.ptx "$call" -o $TMP/k.trace && grep -o 'x-shared=[^ ]*' $TMP/k.trace
done
