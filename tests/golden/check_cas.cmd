# Wavefronts are ideal ones and excessive ones, also where a turn takes two; an expectation's conflicts are those.
banksim check --block 128 --shared 'unsigned h[64]' --atomic cas 'h[lane % 8]' \
    --expect 'wavefronts == ideal + excessive && conflicts == 24 && excessive == 24' | grep -v '^    '
banksim check --format csv --block 128 --shared 'unsigned h[64]' --atomic cas 'h[lane % 8]'
