/* weights.cu - how many turns become one of loops that count as many as nobody knows, by what a turn weighs; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o weights.ptx weights.cu
 */
#define KERNEL(name, body)                                                                         \
    __global__ void name(int *out, const int *in, int n, int m)                                    \
    {                                                                                              \
        __shared__ int s[512];                                                                     \
        int t = threadIdx.x, f = 0;                                                                \
        float g = t;                                                                               \
        for (int i = t; i < 512; i += 32) s[i] = in[i];                                            \
        __syncthreads();                                                                           \
        for (int i = t; i < n; i += 32) {                                                          \
            f += s[i + 64];                                                                        \
            body                                                                                   \
        }                                                                                          \
        out[t] = f + (int)g;                                                                       \
    }
#define FOUR(what) what what what what
#define TEN(what) FOUR(what) FOUR(what) what what

/* twenty_two<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(twenty_two, TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) f = (f ^ m) * 7; f = (f ^ m) * 7;)

/* twenty_four<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(twenty_four, TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) FOUR(f = (f ^ m) * 7;))

/* forty_four<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(forty_four, TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) FOUR(f = (f ^ m) * 7;))

/* forty_eight<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(forty_eight, TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) TEN(f = (f ^ m) * 7;) FOUR(f = (f ^ m) * 7;) FOUR(f = (f ^ m) * 7;))

/* divided_by_eight<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(divided_by_eight, FOUR(f = (f ^ m) / 7;) FOUR(f = (f ^ m) / 7;))

/* divided_by_ten<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(divided_by_ten, TEN(f = (f ^ m) / 7;))

/* divided_by_twenty<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(divided_by_twenty, TEN(f = (f ^ m) / 7;) TEN(f = (f ^ m) / 7;))

/* chosen<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(chosen, TEN(f = f > m ? f + 1 : f * 3;))

/* chosen_fourteen<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(chosen_fourteen, TEN(f = f > m ? f + 1 : f * 3;) FOUR(f = f > m ? f + 1 : f * 3;))

/* chosen_forty<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(chosen_forty, TEN(f = f > m ? f + 1 : f * 3;) TEN(f = f > m ? f + 1 : f * 3;) TEN(f = f > m ? f + 1 : f * 3;) TEN(f = f > m ? f + 1 : f * 3;))

/* reals<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(reals, TEN(g = g * g + 1.5f;) TEN(g = g * g + 1.5f;))

/* reals_thirty<<<1, 32>>>(int[32], int[512] = random(1), 300, 5) */
KERNEL(reals_thirty, TEN(g = g * g + 1.5f;) TEN(g = g * g + 1.5f;) TEN(g = g * g + 1.5f;))
