/* loads.cu - twins of src/emulators/loads.c: one block of 8 warps, each thread loading the same
 * place num_iters times over, and that is all. The loads stand in asm volatile, which is the
 * documents' volatile for vectors too: the compiler keeps each of them, at its width. */
#include "twin.cuh"

#pragma nv_diag_suppress 550 /* what is loaded goes nowhere, as in the document */

#define warp_id threadIdx.y
#define lane_id threadIdx.x
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

/* ---- one float ------------------------------------------------------------------------------ */

__global__ void loads_conflict_free(unsigned num_iters)
{
    __shared__ float s[8][32];
    float r1 = 0;

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[warp_id][lane_id]);
    }
}

__global__ void loads_all_conflicts(unsigned num_iters)
{
    __shared__ float s[32][32];
    float r1 = 0;

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[lane_id][0]);
    }
}

__global__ void loads_warp_conflicts(unsigned num_iters)
{
    __shared__ float s[32][32];
    float r1 = 0;

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[lane_id][warp_id]);
    }
}

__global__ void loads_broadcast(unsigned num_iters)
{
    __shared__ float s[8][32];
    float r1 = 0;

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, s[warp_id][0]);
    }
}

__global__ void loads_multicast(unsigned num_iters)
{
    __shared__ float sh[8][32];
    unsigned hash = (unsigned)((size_t)lane_id * 2654435761u) >> 16;
    float r1 = 0;

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_1(r1, sh[warp_id][hash % 32]);
    }
}

/* ---- vectors -------------------------------------------------------------------------------- */

__global__ void loads_vectorized_loads(unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][128];
    float4 r = {};

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_4(r, sh[warp_id][lane_id * 4]);
    }
}

__global__ void loads_rotated_loads(unsigned num_iters)
{
    __shared__ float sh[8][128];
    unsigned start = (lane_id / 8) % 4;
    float r[4] = {};

    for (unsigned n = 0; n < num_iters; n++) {
        for (unsigned i = 0; i < 4; i++) {
            LOAD_1(r[i], sh[warp_id][lane_id * 4 + (i + start) % 4]);
        }
    }
}

__global__ void loads_multicast_pairs(unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][32];
    float2 r = {};

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_2(r, sh[warp_id][(lane_id / 2) * 2]);
    }
}

__global__ void loads_multicast_quads(unsigned num_iters)
{
    __shared__ __align__(16) float sh[8][32];
    float4 r = {};

    for (unsigned i = 0; i < num_iters; i++) {
        LOAD_4(r, sh[warp_id][(lane_id / 4) * 4]);
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW(NAME) TWIN(loads_##NAME, c.setting("num_iters"))

const struct twin loads_twins[] = {
    ROW(conflict_free),
    ROW(all_conflicts),
    ROW(warp_conflicts),
    ROW(broadcast),
    ROW(multicast),
    ROW(vectorized_loads),
    ROW(rotated_loads),
    ROW(multicast_pairs),
    ROW(multicast_quads),
    {NULL, NULL},
};
