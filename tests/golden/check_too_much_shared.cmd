for command in check advise show; do
    for array in 'float s[12288]' 'float s[12289]'; do
        echo "== $command, $array"
        banksim $command --device k40 --block 32 --shared "$array" --load 's[threadIdx.x]' 2>&1 | tail -n 4
    done
    echo "== $command, extern, as far as it is accessed"
    banksim $command --device k40 --block 32 --shared 'extern float s[]' --load 's[threadIdx.x + 12256]' 2>&1 | tail -n 4
    banksim $command --device k40 --block 32 --shared 'extern float s[]' --load 's[threadIdx.x + 12257]' 2>&1
done
banksim check --device k40 --block 32 --shared 'float s[20000]' --load 's[threadIdx.x]'
