for array in 'float s[12288]' 'float s[12289]' 'extern float s[]'; do
    echo "== $array"
    banksim check --block 128 --shared "$array" --load 's[threadIdx.x * 96]' | grep -A1 'bytes of shared memory'
    banksim check --block 129 --shared "$array" --load 's[threadIdx.x * 96]' | grep -A1 'bytes of shared memory'
done
printf 'banksim-trace 1\nkernel k grid=1 block=32 shared=49153\nblock 0\nw0 ld.shared.u32 ffffffff 0+4\nkernel l grid=1 block=32 shared=80000\nend\n' >$TMP/a.trace
banksim run $TMP/a.trace
