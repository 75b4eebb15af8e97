# Where lanes ask nothing of shared memory the answer is what TMA and wgmma take, and that they never conflict.
tile='half A[64][64] swizzle 128B'
load() { banksim "$@" --mbarrier 'full: 1' --shared "$tile" --global 'const half a[][4096]' --if 'threadIdx.x == 0' \
    --arrive 'full, sizeof(A)' --tma load 'A, a[0][0], full' --end --wait 'full, 0'; }
load check --expect 'conflicts == 0'; echo "exit $?"
load check --emit-trace $TMP/load.trace >$TMP/none
banksim run $TMP/load.trace | tail -n 6
banksim check --shared "$tile" --global 'half a[][4096]' --if 'threadIdx.x == 0' --tma store 'A, a[0][0]' \
    --tma store 'A, a[0][64]' --tma commit_group --tma 'wait_group 0' --end | tail -n 5
banksim check --block 128 --shared "$tile" --wgmma m64n64k16 'A[0][0], A[0][0]' --wgmma commit_group --wgmma 'wait_group 0'
