# Wavefronts are ideal ones and excessive ones, also where a turn takes two; the profilers count that once.
banksim check --block 128 --shared 'unsigned h[64]' --atomic cas 'h[lane % 8]' \
    --expect 'wavefronts == ideal + excessive && conflicts == 12 && excessive == 24' | grep -v '^    '
banksim check --format csv --block 128 --shared 'unsigned h[64]' --atomic cas 'h[lane % 8]'
