# A kernel without shared memory is not limited by it, where the system takes none either.
banksim emulate global_misaligned --run --device gtx480 | grep ^occupancy
banksim emulate global_misaligned --run --device gtx480 --format csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    NR == 2 { print $c["blocks_per_sm"], "by shared memory: \"" $c["blocks_by_shared"] "\"" }'
