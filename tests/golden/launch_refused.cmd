for launch in 'sum' 'mean<<<1, 32>>>()' 'sum<<<1, 32, 128>>>(int[32], int[0])' 'sum<<<1, 32, 64>>>(int[32], int[1])' \
    'sum<<<1, 32, 128>>>(int[16], int[1])' 'sum<<<1, 32, 128>>>(int[32], 4.5)' 'sum<<<1, 32, 128>>>(int[32] = "no/such", int[1])' \
    'sum<<<1, 32, 128>>>(char[128] = 256, int[1])' 'sum<<<1, 32, 128>>>(short[64] = -32769, int[1])' 'sum<<<1, 32, 128>>>(int[32] = 1.5, int[1])' \
    'transpose<<<1, 32>>>(float[32], float[32], 4294967296, 1)' 'sum<<<1, 32>>>(18446744073709551616, int[1])' \
    'sum<<<1, dim3(1, 1, 65)>>>(int[32], int[1])' 'sum<<<dim3(1, 65536), 32>>>(int[32], int[1])' 'sum<<<0, 32>>>(int[32], int[1])'
do
    banksim launch tests/ptx/tile.ptx "$launch"
    echo "exit $?"
done 2>&1
banksim launch - 'sum<<<1, 32, 128>>>(int[32], int[1])' <tests/ptx/tile.cu 2>&1; echo "exit $?"
banksim launch tests/ptx/tile.ptx 'sum<<<1, 32, 128>>>(int[32], int[1])' --dump 2=x 2>&1; echo "exit $?"
banksim launch tests/ptx/tile.ptx 2>&1; echo "exit $?"
banksim launch tests/ptx/tile.cu 2>&1; echo "exit $?"
printf 'int x;\n' >"$TMP/none.cu"
banksim launch "$TMP/none.cu" 2>&1 | sed "s,$TMP/,,"
banksim launch 2>&1; echo "exit $?"
banksim launch tests/ptx/tile.ptx 'sum<<<1, 32, 128>>>(char[128] = -128, int[1])' -o "$TMP/k.trace" 2>&1; echo "exit $?"
for bytes in 49152 49156; do
    printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z3bigv()\n{\n.shared .align 4 .b8 s[%d];\n.reg .b32 %%r<1>;\nmov.u32 %%r0, 0;\nst.shared.u32 [s], %%r0;\nret;\n}\n' $bytes >"$TMP/big.ptx"
    banksim launch "$TMP/big.ptx" '_Z3bigv<<<1, 32>>>()' -o "$TMP/k.trace" 2>&1; echo "exit $?"
done
