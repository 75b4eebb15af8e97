# What nvcc takes from its library rests on more than what is one instruction there; through a trace, too.
for kernel in library plain; do
    banksim launch tests/golden/kernels/mathematics.cu "$kernel<<<1, 64>>>(float[64])" -o $TMP/$kernel.trace
    banksim run $TMP/$kernel.trace | grep -c '^functions of nvcc'
done
banksim launch tests/golden/kernels/mathematics.cu 'library<<<1, 64>>>(float[64])' | grep '^functions of nvcc'
