# An addition that says no value is of 1, merged where nobody uses its result; what the others are.
banksim check --block 256 --shared 'unsigned h[64]' --atomic add 'h[0]' --atomic add 'h[0], v' \
    --atomic add 'old = h[0]' --atomic 'old = atomicAdd(&h[0], 1)' --atomic 'atomicAdd(&h[0], 1);' \
    --warp 0 | grep -v '^    '
banksim check --device v100 --shared 'unsigned h[64]' --atomic add 'h[0]' | grep -v '^    '
banksim check --format csv --shared 'unsigned h[64]' --atomic add 'h[0]'
