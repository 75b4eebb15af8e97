cd tests/golden/kernels
refuse() { "$@" 2>&1 | sed "s,$TMP/,,g"; "$@" >/dev/null 2>&1; echo "exit code $?"; }
launch='sum<<<1, 256>>>(int[256], int[1])'
refuse banksim check reduce.cu 'sums<<<1, 256>>>(int[256], int[1])'
refuse banksim check reduce.cu 'sum<<<1, 256>>>(int[255], int[1])'
refuse banksim check reduce.cu 'sum<<<1>>>(int[256], int[1])'
refuse banksim check reduce.cu "$launch" "$launch"
refuse banksim check none.cu "$launch"
refuse banksim check "$launch"
refuse banksim where 'part[1]' reduce.cu "$launch"
refuse banksim check reduce.cu "$launch" --load 'part[0]'
refuse banksim check reduce.cu "$launch" --shared 'int part[255]'
refuse banksim check --blocks 2 --shared 'int a[32]' --load 'a[lane]'
refuse banksim show --merge none --stride 2
refuse banksim show reduce.cu "$launch" --stride 2
refuse banksim show reduce.cu "$launch" more
refuse banksim advise --blocks 2 --shared 'int a[32]' --load 'a[lane]'
printf '__global__ void k(int *p) { goto end; end:; }\n' >"$TMP/k.cu"
refuse banksim check "$TMP/k.cu" 'k<<<1, 32>>>(int[32])'
printf '#if\n__global__ void k(int *p) { }\n#endif\n' >"$TMP/k.cu"
refuse banksim check "$TMP/k.cu"
printf '#include "k.cuh"\nint main() { k<<<1, 32>>>(); }\n' >"$TMP/k.cu"
refuse banksim check "$TMP/k.cu"
refuse banksim show "$TMP/k.cu"
printf '// A sketch, in a file of any name.\nshared float a[32]; a[lane] = 0;\n' >"$TMP/k.cu"
refuse banksim check "$TMP/k.cu" --format csv
