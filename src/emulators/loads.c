/* loads.c - the micro-benchmarks of an article on an A100's shared memory (document 004): one block
 * of 8 warps, each thread loading the same place num_iters times over.
 *
 * `warp_id` and `lane_id` are the article's words for threadIdx.y and threadIdx.x. The loop is all
 * that the article's kernels have, and all that is emulated. That there be something to check, the
 * array is filled before it, and what each thread loaded last is kept after it, in plain C.
 *
 * The wavefronts per request, from the article's times at 100,000 turns (0.57 ms for 1): distinct
 * banks, broadcast and multicast 1; one bank 32, whether or not each warp has its own; float4 4,
 * and as many for the four rotated floats; float2 shared by pairs 1; float4 shared by quads 2.
 */
#include "emulators/emulators.h"

#include <banksim/kernel.h>

#define warp_id threadIdx.y
#define lane_id ((size_t)threadIdx.x)

enum { N_WARPS = 8, N_THREADS = N_WARPS * BSIM_WARP_LANES, MOST_FLOATS = 4 };

struct loads_arguments {
    void *result; /* as many floats per thread as a load has */
    uint32_t num_iters;
};

/* s[i] = i for the n floats of an array, out of the emulation's sight. */
static void fill(float *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s[i] = (float)i;
    }
}

/* ---- one float ------------------------------------------------------------------------------ */

KERNEL(conflict_free)
{
    const struct loads_arguments *a = ARGUMENTS;
    float *result = a->result;
    SHARED_2D(float, s, 8, 32);
    PER_THREAD(float, r1);

    fill(s[0], 8 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r1[t], s[warp_id][lane_id]);
    }
    EACH_THREAD {
        result[t] = r1[t];
    }
}

/* The article declares s[8][32] and takes 32 rows of it; here it has them. */
KERNEL(all_conflicts)
{
    const struct loads_arguments *a = ARGUMENTS;
    float *result = a->result;
    SHARED_2D(float, s, 32, 32);
    PER_THREAD(float, r1);

    fill(s[0], 32 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r1[t], s[lane_id][0]);
    }
    EACH_THREAD {
        result[t] = r1[t];
    }
}

KERNEL(warp_conflicts)
{
    const struct loads_arguments *a = ARGUMENTS;
    float *result = a->result;
    SHARED_2D(float, s, 32, 32);
    PER_THREAD(float, r1);

    fill(s[0], 32 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r1[t], s[lane_id][warp_id]);
    }
    EACH_THREAD {
        result[t] = r1[t];
    }
}

KERNEL(broadcast)
{
    const struct loads_arguments *a = ARGUMENTS;
    float *result = a->result;
    SHARED_2D(float, s, 8, 32);
    PER_THREAD(float, r1);

    fill(s[0], 8 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r1[t], s[warp_id][0]);
    }
    EACH_THREAD {
        result[t] = r1[t];
    }
}

KERNEL(multicast)
{
    const struct loads_arguments *a = ARGUMENTS;
    float *result = a->result;
    SHARED_2D(float, sh, 8, 32);
    PER_THREAD(unsigned, hash);
    PER_THREAD(float, r1);

    fill(sh[0], 8 * 32);
    EACH_THREAD {
        hash[t] = (unsigned)(lane_id * 2654435761u) >> 16;
    }
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r1[t], sh[warp_id][hash[t] % 32]);
    }
    EACH_THREAD {
        result[t] = r1[t];
    }
}

/* ---- vectors -------------------------------------------------------------------------------- */

KERNEL(vectorized_loads)
{
    const struct loads_arguments *a = ARGUMENTS;
    struct float4 *result = a->result;
    SHARED_2D(float, sh, 8, 128);
    PER_THREAD(struct float4, r);

    fill(sh[0], 8 * 128);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r[t], *(struct float4 *)&sh[warp_id][lane_id * 4]);
    }
    EACH_THREAD {
        result[t] = r[t];
    }
}

/* The article loads into one r; here each of a turn's loads has its own, so that all are checked. */
KERNEL(rotated_loads)
{
    const struct loads_arguments *a = ARGUMENTS;
    struct float4 *result = a->result;
    SHARED_2D(float, sh, 8, 128);
    PER_THREAD(size_t, start);
    float r[4][BSIM_BLOCK_MAX_THREADS] = {{0}};

    fill(sh[0], 8 * 128);
    EACH_THREAD {
        start[t] = (lane_id / 8) % 4;
    }
    REPEAT (a->num_iters) {
        for (unsigned i = 0; i < 4; i++) {
            LOAD_VOLATILE(r[i][t], sh[warp_id][lane_id * 4 + (i + start[t]) % 4]);
        }
    }
    EACH_THREAD {
        result[t] = (struct float4){r[0][t], r[1][t], r[2][t], r[3][t]};
    }
}

KERNEL(multicast_pairs)
{
    const struct loads_arguments *a = ARGUMENTS;
    struct float2 *result = a->result;
    SHARED_2D(float, sh, 8, 32);
    PER_THREAD(struct float2, r);

    fill(sh[0], 8 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r[t], *(struct float2 *)&sh[warp_id][(lane_id / 2) * 2]);
    }
    EACH_THREAD {
        result[t] = r[t];
    }
}

KERNEL(multicast_quads)
{
    const struct loads_arguments *a = ARGUMENTS;
    struct float4 *result = a->result;
    SHARED_2D(float, sh, 8, 32);
    PER_THREAD(struct float4, r);

    fill(sh[0], 8 * 32);
    REPEAT (a->num_iters) {
        LOAD_VOLATILE(r[t], *(struct float4 *)&sh[warp_id][(lane_id / 4) * 4]);
    }
    EACH_THREAD {
        result[t] = r[t];
    }
}

/* ---- what they must have loaded ------------------------------------------------------------- */

enum {
    CONFLICT_FREE,
    ALL_CONFLICTS,
    WARP_CONFLICTS,
    BROADCAST,
    MULTICAST,
    VECTORIZED,
    ROTATED,
    PAIRS,
    QUADS,
};

/* The index, and so the value, of float i of what thread (lane, warp) loads. */
static uint32_t loaded(uint32_t variant, uint32_t warp, uint32_t lane, uint32_t i)
{
    switch (variant) {
    case CONFLICT_FREE:
        return 32 * warp + lane;
    case ALL_CONFLICTS:
        return 32 * lane;
    case WARP_CONFLICTS:
        return 32 * lane + warp;
    case BROADCAST:
        return 32 * warp;
    case MULTICAST:
        return 32 * warp + (lane * 2654435761u >> 16) % 32;
    case VECTORIZED:
        return 128 * warp + 4 * lane + i;
    case ROTATED:
        return 128 * warp + 4 * lane + (i + lane / 8) % 4;
    case PAIRS:
        return 32 * warp + lane - lane % 2 + i;
    default: /* QUADS */
        return 32 * warp + lane - lane % 4 + i;
    }
}

static const struct {
    void (*body)(struct bsim_cta *cta);
    uint32_t n_floats; /* that each thread leaves in result */
} loads_kernel[] = {
    [CONFLICT_FREE] = {conflict_free, 1},   [ALL_CONFLICTS] = {all_conflicts, 1},
    [WARP_CONFLICTS] = {warp_conflicts, 1}, [BROADCAST] = {broadcast, 1},
    [MULTICAST] = {multicast, 1},           [VECTORIZED] = {vectorized_loads, 4},
    [ROTATED] = {rotated_loads, 4},         [PAIRS] = {multicast_pairs, 2},
    [QUADS] = {multicast_quads, 4},
};

static enum bsim_status run_loads(const struct bsim_emulator *self, const uint32_t *value,
                                  const struct bsim_sink *sink, struct bsim_error *err)
{
    _Alignas(16) float result[N_THREADS * MOST_FLOATS] = {0};
    float expected[N_THREADS * MOST_FLOATS];
    uint32_t n_floats = loads_kernel[self->variant].n_floats;
    uint32_t n = N_THREADS * n_floats;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t thread = i / n_floats;
        expected[i] = (float)loaded(self->variant, thread / 32, thread % 32, i % n_floats);
    }
    struct loads_arguments a = {result, value[0]};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, N_WARPS, 1},
        .body = loads_kernel[self->variant].body,
        .arguments = &a,
    };
    return bsim_launch_check_floats(&launch, result, expected, n, sink, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bsim_parameter loads_parameters[] = {
    {"num_iters", "turns of the loop", 100000, 1, 1000000000},
};

#define LOADS(ID, SHOWS, VARIANT)                                                               \
    {                                                                                           \
        .name = "loads_" ID, .original = ID, .documents = "004", .shows = SHOWS,                \
        .n_parameters = 1, .parameters = loads_parameters, .run = run_loads, .variant = VARIANT \
    }

const struct bsim_emulator bsim_loads_emulators[] = {
    LOADS("conflict_free", "each lane loads from its own bank: 1 wavefront", CONFLICT_FREE),
    LOADS("all_conflicts",
          "all lanes load from bank 0, of s[32][32] for the article's s[8][32]: 32 wavefronts",
          ALL_CONFLICTS),
    LOADS("warp_conflicts",
          "each warp loads from a bank of its own, of s[32][32] for s[8][32]: 32 wavefronts",
          WARP_CONFLICTS),
    LOADS("broadcast", "all lanes load one word: 1 wavefront", BROADCAST),
    LOADS("multicast", "groups of lanes share words at random: 1 wavefront", MULTICAST),
    LOADS("vectorized_loads", "float4 loads in a row: 4 wavefronts, one per quarter-warp",
          VECTORIZED),
    LOADS("rotated_loads", "four float loads instead of a float4, rotated: 1 wavefront each",
          ROTATED),
    LOADS("multicast_pairs", "pairs of lanes load the same float2: 1 wavefront", PAIRS),
    LOADS("multicast_quads", "four lanes load the same float4: 2 wavefronts", QUADS),
    {0},
};
