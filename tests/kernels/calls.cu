/* calls.cu - functions and asm behind which memory may be another to nvcc, and such behind which it is not; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o calls.ptx calls.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[64], q[32];                                                                   \
    int t = threadIdx.x;                                                                           \
    s[t] = in[t];                                                                                  \
    s[t + 32] = in[t + 32];                                                                        \
    __syncthreads();                                                                               \
    int x = s[t ^ 1], y = 0
#define END                                                                                        \
    q[t] = y;                                                                                      \
    out[t] = s[t ^ 1] + 3 * x + y;                                                                 \
    __syncthreads();                                                                               \
    out[t + 32] = q[31 - t]

/* shuffled<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void shuffled(int *out, const int *in)
{
    BEGIN;
    y = __shfl_xor_sync(~0u, x, 3);
    END;
}

/* voted<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void voted(int *out, const int *in)
{
    BEGIN;
    y = __ballot_sync(~0u, x & 1);
    END;
}

/* reduced<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void reduced(int *out, const int *in)
{
    BEGIN;
    y = __reduce_add_sync(~0u, x & 255);
    END;
}

/* active<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void active(int *out, const int *in)
{
    BEGIN;
    y = __activemask();
    END;
}

/* loaded_by_the_way<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void loaded_by_the_way(int *out, const int *in)
{
    BEGIN;
    y = __ldg(in + (x & 63)) + __ldg(in + (x & 63));
    END;
}

/* products_of_bytes<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void products_of_bytes(int *out, const int *in)
{
    BEGIN;
    y = __dp4a(x, 0x01020304, 5);
    END;
}

/* turned_bits<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void turned_bits(int *out, const int *in)
{
    BEGIN;
    y = __funnelshift_r(x, x, 7);
    END;
}

/* timed<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void timed(int *out, const int *in)
{
    BEGIN;
    y = (int)clock64() & 0;
    END;
}

/* volatile_asm<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void volatile_asm(int *out, const int *in)
{
    BEGIN;
    asm volatile("add.s32 %0, %1, 5;" : "=r"(y) : "r"(x));
    END;
}

/* plain_asm<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void plain_asm(int *out, const int *in)
{
    BEGIN;
    asm("add.s32 %0, %1, 5;" : "=r"(y) : "r"(x));
    END;
}

/* bytes_and_bits<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void bytes_and_bits(int *out, const int *in)
{
    BEGIN;
    y = __byte_perm(x, t, 0x1234) + __popc(x) + __brev(x) + __umulhi(x, t) + __clz(x);
    END;
}

/* stored_around<<<1, 32>>>(int[64], int[64] = random(1)) */
__global__ void stored_around(int *out, const int *in)
{
    BEGIN;
    s[t] = x;
    y = __shfl_down_sync(~0u, x, 1);
    y += s[t];
    s[t] = y;
    __syncthreads();
    END;
}

/* turns_that_shuffle<<<1, 32>>>(int[64], int[64] = random(1), 5) */
__global__ void turns_that_shuffle(int *out, const int *in, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) s[t] += __shfl_xor_sync(~0u, x, i) * s[32];
    __syncthreads();
    END;
}

/* turns_that_vote<<<1, 32>>>(int[64], int[64] = random(1), 5) */
__global__ void turns_that_vote(int *out, const int *in, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++)
        if (__any_sync(~0u, s[t] > i)) y += s[t] * i;
    END;
}
