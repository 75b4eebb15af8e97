# Fences that wgmma and TMA want: nothing is said of kernels that have them, by each thread that stores or by one behind the
# barrier; each of the others lacks one.
for kernel in all_there by_one no_proxy no_first scaled loaded loaded_anew stored stored_early; do
    echo "$kernel"
    banksim launch tests/ptx/fences.ptx "$kernel<<<1, 128>>>(ushort[2048] = 15360, float[512], 2)" --cycles never 2>&1 |
        grep -E '^(warning|error)'
done
true
