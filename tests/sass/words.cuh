/* words.cuh - what a block of 64 makes of the first words of `out`, in kernels whose atomics ptxas makes loops of (ATOMS.CAST.SPIN). */
#define BEGIN(type)                                                             \
    __shared__ type words[128];                                                 \
    int t = threadIdx.x, k = index[t] & 63;                                     \
    words[t] = out[t];                                                          \
    words[t + 64] = out[t + 64];                                                \
    __syncthreads();
#define END                                                                     \
    __syncthreads();                                                            \
    out[t] = words[t];                                                          \
    out[t + 64] = words[t + 64];
