# Release only: 4096 blocks, which take ten seconds; check_launch executes the same lines for few.
# A launch of more events than are played is counted as any other: each block's 32 stores lie in a row, its 32 loads in
# a column, 32 wavefronts each.
k='transpose<<<dim3(64, 64), dim3(32, 8)>>>(float[4194304], float[4194304], 2048, 2048)'
banksim check tests/golden/kernels/transpose.cu "$k" --format csv | cut -d, -f1,2,4-7
banksim check tests/golden/kernels/transpose.cu "$k" --expect 'excessive == 0' >"$TMP/out" 2>&1 || echo "exit $?"
tail -n 1 "$TMP/out"
banksim check tests/golden/kernels/transpose.cu "$k" | grep -A 1 -e ^cycles -e Write
banksim advise tests/golden/kernels/transpose.cu "$k" --best 1 | grep -e '^   wavefronts' -e '^   cycles' -e '^+ '
