# A check under the profilers' names: what 'banksim run' tells of its trace, and 'banksim launch' of the launch.
set -- --block 32,32 --shared 'float tile[32][32]' --store 'tile[threadIdx.y][threadIdx.x]' \
    --load 'tile[threadIdx.x][threadIdx.y]' --global 'float *in' --load 'in[2 * threadIdx.x]'
banksim check "$@" --metrics nvprof
for names in ncu nvprof; do
    for format in text csv json; do
        banksim check "$@" --metrics $names --format $format >"$TMP/check"
        banksim check "$@" --emit-trace - | banksim run --metrics $names --format $format - | cmp - "$TMP/check" && echo same
    done
    banksim launch tests/golden/kernels/reduce.cu 'sum<<<1, 256>>>(int[256] = iota, int[1])' --metrics $names --format csv >"$TMP/launch"
    banksim check tests/golden/kernels/reduce.cu 'sum<<<1, 256>>>(int[256] = iota, int[1])' --metrics $names --format csv |
        cmp - "$TMP/launch" && echo same
done
# An expectation holds of the accesses, whatever the names.
banksim check "$@" --metrics ncu --expect 'conflicts == 0' -o "$TMP/metrics"; echo $?
banksim check "$@" --metrics ncu --format html
