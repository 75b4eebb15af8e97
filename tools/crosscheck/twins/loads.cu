/* loads.cu - twins of src/emulators/loads.c: one block of 8 warps, each thread loading the same
 * place num_iters times over. The loads stand in asm volatile, which is the documents' volatile for
 * vectors too: the compiler keeps each of them, at its width. */
#include "twin.cuh"

enum { N_THREADS = 256 };

#define warp_id threadIdx.y
#define lane_id threadIdx.x
#define thread_id (threadIdx.y * 32 + threadIdx.x)
#define SHARED_AT(PLACE) "r"((uint32_t)__cvta_generic_to_shared(&(PLACE)))

#define LOAD_1(R, PLACE)                                                                           \
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(R) : SHARED_AT(PLACE))
#define LOAD_2(R, PLACE)                                                                           \
    asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];"                                       \
                 : "=f"((R).x), "=f"((R).y)                                                        \
                 : SHARED_AT(PLACE))
#define LOAD_4(R, PLACE)                                                                           \
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"                               \
                 : "=f"((R).x), "=f"((R).y), "=f"((R).z), "=f"((R).w)                              \
                 : SHARED_AT(PLACE))

/* s[i] = i for the n floats of an array. */
static __device__ __forceinline__ void fill(float *s, unsigned n)
{
    for (unsigned i = 0; i < n; i += N_THREADS) {
        s[i + thread_id] = (float)(i + thread_id);
    }
    __syncthreads();
}

/* ---- one float ------------------------------------------------------------------------------ */

__global__ void loads_conflict_free(float *result, unsigned num_iters)
{
    __shared__ float s[8][32];
    float r1 = 0;

    fill(s[0], 8 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[warp_id][lane_id]);
    }
    result[thread_id] = r1;
}

__global__ void loads_all_conflicts(float *result, unsigned num_iters)
{
    __shared__ float s[32][32];
    float r1 = 0;

    fill(s[0], 32 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[lane_id][0]);
    }
    result[thread_id] = r1;
}

__global__ void loads_warp_conflicts(float *result, unsigned num_iters)
{
    __shared__ float s[32][32];
    float r1 = 0;

    fill(s[0], 32 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[lane_id][warp_id]);
    }
    result[thread_id] = r1;
}

__global__ void loads_broadcast(float *result, unsigned num_iters)
{
    __shared__ float s[8][32];
    float r1 = 0;

    fill(s[0], 8 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[warp_id][0]);
    }
    result[thread_id] = r1;
}

__global__ void loads_multicast(float *result, unsigned num_iters)
{
    __shared__ float sh[8][32];
    unsigned hash = (unsigned)((size_t)lane_id * 2654435761u) >> 16;
    float r1 = 0;

    fill(sh[0], 8 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, sh[warp_id][hash % 32]);
    }
    result[thread_id] = r1;
}

/* ---- vectors -------------------------------------------------------------------------------- */

__global__ void loads_vectorized_loads(float4 *result, unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][128];
    float4 r = {};

    fill(sh[0], 8 * 128);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_4(r, sh[warp_id][lane_id * 4]);
    }
    result[thread_id] = r;
}

__global__ void loads_rotated_loads(float4 *result, unsigned num_iters)
{
    __shared__ float sh[8][128];
    unsigned start = (lane_id / 8) % 4;
    float r[4] = {};

    fill(sh[0], 8 * 128);
    for (unsigned n = 0; n < num_iters; n++) {
        for (unsigned i = 0; i < 4; i++) {
            LOAD_1(r[i], sh[warp_id][lane_id * 4 + (i + start) % 4]);
        }
    }
    result[thread_id] = make_float4(r[0], r[1], r[2], r[3]);
}

__global__ void loads_multicast_pairs(float2 *result, unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][32];
    float2 r = {};

    fill(sh[0], 8 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_2(r, sh[warp_id][(lane_id / 2) * 2]);
    }
    result[thread_id] = r;
}

__global__ void loads_multicast_quads(float4 *result, unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][32];
    float4 r = {};

    fill(sh[0], 8 * 32);
    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_4(r, sh[warp_id][(lane_id / 4) * 4]);
    }
    result[thread_id] = r;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW(NAME, TYPE) TWIN(loads_##NAME, c.array<TYPE>(0), c.setting("num_iters"))

const struct twin loads_twins[] = {
    ROW(conflict_free, float),
    ROW(all_conflicts, float),
    ROW(warp_conflicts, float),
    ROW(broadcast, float),
    ROW(multicast, float),
    ROW(vectorized_loads, float4),
    ROW(rotated_loads, float4),
    ROW(multicast_pairs, float2),
    ROW(multicast_quads, float4),
    {NULL, NULL},
};
