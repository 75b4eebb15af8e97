/* lecture.c - the bank-conflict slides of CS 179's lecture on GPU memory (document 003).
 *
 * Slides 23 to 28: strides, irregular accesses, padding, and the choice between non-coalesced loads
 * and conflicting stores; slide 20: byte frequencies with the counters in global or in shared
 * memory; 31 and 32: a spilled register. Element i lies in bank i mod 32. Numbers are `unsigned`.
 *
 * The wavefronts of a load with a stride of s words on 32 banks: gcd(s, 32).
 */
#include "emulators/emulators.h"

#include "base/memory.h"

#include <banksim/kernel.h>

/* ---- strides -------------------------------------------------------------------------------- */

struct stride_arguments {
    unsigned *out;
    size_t stride;
    size_t pad; /* unused words after each 32 */
};

KERNEL(stride_shared)
{
    const struct stride_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, s, a->stride *blockDim.x);
    PER_THREAD(unsigned, v);

    for (uint32_t i = 0; i < a->stride * blockDim.x; i += blockDim.x) {
        STORE(s[i + threadIdx.x], i + threadIdx.x);
    }
    SYNCTHREADS();
    LOAD(v[t], s[a->stride * threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

/* 32 rows of 32 elements, each followed by the padding: element 32 * i is at index 33 * i. */
KERNEL(stride_padded)
{
    const struct stride_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, s, 32 * (32 + a->pad));
    PER_THREAD(unsigned, v);

    for (uint32_t row = 0; row < 32; row++) {
        STORE(s[(32 + a->pad) * row + threadIdx.x], 32 * row + threadIdx.x);
    }
    SYNCTHREADS();
    LOAD(v[t], s[(32 + a->pad) * threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

static enum bsim_status run_strided(const struct bsim_emulator *self, struct stride_arguments a,
                                    void (*body)(struct bsim_cta *), const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    unsigned out[BSIM_WARP_LANES] = {0};
    unsigned expected[BSIM_WARP_LANES];
    a.out = out;
    for (uint32_t i = 0; i < BSIM_WARP_LANES; i++) {
        expected[i] = (unsigned)a.stride * i;
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = body,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, BSIM_WARP_LANES, sink, err);
}

static enum bsim_status run_stride(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    struct stride_arguments a = {.stride = value[0]};
    return run_strided(self, a, stride_shared, sink, err);
}

static enum bsim_status run_padded(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    struct stride_arguments a = {.stride = 32, .pad = value[0]};
    return run_strided(self, a, stride_padded, sink, err);
}

/* ---- irregular accesses --------------------------------------------------------------------- */

struct irregular_arguments {
    unsigned *out;
    uint32_t (*word)(uint32_t lane);
};

KERNEL(irregular)
{
    const struct irregular_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, s, 32);
    PER_THREAD(unsigned, v);

    STORE(s[threadIdx.x], threadIdx.x);
    SYNCTHREADS();
    LOAD(v[t], s[a->word(threadIdx.x)]);
    STORE(a->out[threadIdx.x], v[t]);
}

/* A shuffled order: the polynomial takes each value mod 32 once. */
static uint32_t permuted_word(uint32_t lane)
{
    return (11 + 3 * lane + 6 * lane * lane) % 32;
}

/* Threads 3, 4, 6, 7 and 9 read the word of bank 5, thread 5 that of bank 9, the others their own.
 * Slide 25 shows the CUDA C Programming Guide's figure, and the Guide names the five. */
static uint32_t shared_word(uint32_t lane)
{
    bool shares = lane == 3 || lane == 4 || lane == 6 || lane == 7 || lane == 9;
    return shares ? 5 : lane == 5 ? 9 : lane;
}

static uint32_t two_words(uint32_t lane)
{
    return lane < 16 ? 12 : 20;
}

enum { PERMUTED, ONE_SHARED, TWO_SHARED };

static enum bsim_status run_irregular(const struct bsim_emulator *self, const uint32_t *value,
                                      const struct bsim_sink *sink, struct bsim_error *err)
{
    static uint32_t (*const word[])(uint32_t) = {
        [PERMUTED] = permuted_word, [ONE_SHARED] = shared_word, [TWO_SHARED] = two_words};
    (void)value;
    unsigned out[BSIM_WARP_LANES] = {0};
    unsigned expected[BSIM_WARP_LANES];
    struct irregular_arguments a = {out, word[self->variant]};
    for (uint32_t i = 0; i < BSIM_WARP_LANES; i++) {
        expected[i] = a.word(i);
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = irregular,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, BSIM_WARP_LANES, sink, err);
}

/* ---- byte frequencies ----------------------------------------------------------------------- */

enum { N_BYTES = 256 };

struct histogram_arguments {
    const unsigned char *in;
    unsigned *out; /* N_BYTES */
    uint32_t n;
};

KERNEL(histogram_global)
{
    const struct histogram_arguments *a = ARGUMENTS;
    PER_THREAD(uint32_t, i);
    PER_THREAD(unsigned char, byte);

    EACH_THREAD {
        i[t] = threadIdx.x;
    }
    WHILE_ANY (i[t] < a->n) {
        LOAD(byte[t], a->in[i[t]]);
        RED_ADD(a->out[byte[t]], 1);
        EACH_THREAD {
            i[t] += blockDim.x;
        }
    }
}

KERNEL(histogram_shared)
{
    const struct histogram_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, count, N_BYTES);
    PER_THREAD(uint32_t, i);
    PER_THREAD(unsigned char, byte);
    PER_THREAD(unsigned, v);

    STORE(count[threadIdx.x], 0);
    SYNCTHREADS();
    EACH_THREAD {
        i[t] = threadIdx.x;
    }
    WHILE_ANY (i[t] < a->n) {
        LOAD(byte[t], a->in[i[t]]);
        RED_ADD_ONE(count[byte[t]]);
        EACH_THREAD {
            i[t] += blockDim.x;
        }
    }
    SYNCTHREADS();
    LOAD(v[t], count[threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

/* The high byte of a linear congruential generator (Numerical Recipes' constants). */
static void make_bytes(unsigned char *bytes, uint32_t n, uint32_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
}

enum { IN_GLOBAL, IN_SHARED };

static enum bsim_status run_histogram(const struct bsim_emulator *self, const uint32_t *value,
                                      const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t n = value[0];
    unsigned out[N_BYTES] = {0};
    unsigned expected[N_BYTES] = {0};
    unsigned char *in = bsim_mem_resize(NULL, n, 1);
    if (in == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "no memory for the input of %s", self->name);
    }
    make_bytes(in, n, value[1]);
    for (uint32_t i = 0; i < n; i++) {
        expected[in[i]]++;
    }
    struct histogram_arguments a = {in, out, n};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {N_BYTES, 1, 1},
        .body = self->variant == IN_GLOBAL ? histogram_global : histogram_shared,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, n, BSIM_GLOBAL}, {out, sizeof out, BSIM_GLOBAL}},
    };
    enum bsim_status status = bsim_launch_check(&launch, out, expected, N_BYTES, sink, err);
    bsim_mem_free(in);
    return status;
}

/* ---- load from global, store into shared, quadratic computation ----------------------------- */

/* The computation: the squared distances between all pairs of 32 points with 32 coordinates each.
 * Points are rows of in[]; in shared memory they are columns, so that the many loads of the
 * computation have no conflict: s[k][threadIdx.x] takes a row, s[k][threadIdx.y] one word. */
enum { N_POINTS = 32, N_COORDINATES = 32 };

struct quadratic_arguments {
    const unsigned (*in)[N_COORDINATES];
    unsigned (*out)[N_POINTS];
    uint32_t pad; /* padding columns in shared memory */
};

static void square_distances(struct bsim_cta *cta, const struct quadratic_arguments *a,
                             unsigned (*s)[N_POINTS + a->pad])
{
    PER_THREAD(unsigned, one);
    PER_THREAD(unsigned, other);
    PER_THREAD(unsigned, sum);

    for (uint32_t k = 0; k < N_COORDINATES; k++) {
        LOAD(one[t], s[k][threadIdx.x]);
        LOAD(other[t], s[k][threadIdx.y]);
        EACH_THREAD {
            sum[t] += (one[t] - other[t]) * (one[t] - other[t]);
        }
    }
    STORE(a->out[threadIdx.y][threadIdx.x], sum[t]);
}

KERNEL(quadratic_uncoalesced_loads)
{
    const struct quadratic_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, s, N_COORDINATES, N_POINTS + a->pad);
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->in[threadIdx.x][threadIdx.y]);
    STORE(s[threadIdx.y][threadIdx.x], v[t]);
    SYNCTHREADS();
    square_distances(cta, a, s);
}

KERNEL(quadratic_conflicting_stores)
{
    const struct quadratic_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, s, N_COORDINATES, N_POINTS + a->pad);
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->in[threadIdx.y][threadIdx.x]);
    STORE(s[threadIdx.x][threadIdx.y], v[t]);
    SYNCTHREADS();
    square_distances(cta, a, s);
}

static void make_points(unsigned (*in)[N_COORDINATES])
{
    for (uint32_t p = 0; p < N_POINTS; p++) {
        for (uint32_t k = 0; k < N_COORDINATES; k++) {
            in[p][k] = (7 * p * p + 3 * k + p * k) % 101;
        }
    }
}

static void expect_distances(unsigned *expected, const unsigned (*in)[N_COORDINATES])
{
    for (uint32_t i = 0; i < N_POINTS * N_POINTS; i++) {
        expected[i] = 0;
        for (uint32_t k = 0; k < N_COORDINATES; k++) {
            unsigned difference = in[i / N_POINTS][k] - in[i % N_POINTS][k];
            expected[i] += difference * difference;
        }
    }
}

enum { UNCOALESCED_LOADS, CONFLICTING_STORES };

static enum bsim_status run_quadratic(const struct bsim_emulator *self, const uint32_t *value,
                                      const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned in[N_POINTS][N_COORDINATES];
    unsigned out[N_POINTS][N_POINTS] = {{0}};
    unsigned expected[N_POINTS * N_POINTS];
    make_points(in);
    expect_distances(expected, (const unsigned(*)[N_COORDINATES])in);
    struct quadratic_arguments a = {(const unsigned(*)[N_COORDINATES])in, out,
                                    self->n_parameters > 0 ? value[0] : 0};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {N_POINTS, N_COORDINATES, 1},
        .body = self->variant == UNCOALESCED_LOADS ? quadratic_uncoalesced_loads
                                                   : quadratic_conflicting_stores,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, sizeof in, BSIM_GLOBAL}, {out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out[0], expected, sizeof expected / sizeof expected[0], sink,
                             err);
}

/* ---- registers ------------------------------------------------------------------------------ */

struct addition_arguments {
    unsigned *out;
    uint32_t registers;
};

/* z0 = x[0] + y[0]; z1 = x[1] + y[1]; of arrays in local memory, with z0 and z1 elsewhere. With four
 * registers each of the four values has one; with three x[1] has to make room for y[1]. What is in the
 * arrays was put there before the slides' code begins. */
KERNEL(coordinate_addition)
{
    const struct addition_arguments *a = ARGUMENTS;
    bool spills = a->registers < 4;
    LOCAL_1D(unsigned, x, 2);
    LOCAL_1D(unsigned, y, 2);
    LOCAL_1D(unsigned, spilled, 1);
    PER_THREAD(unsigned, x0);
    PER_THREAD(unsigned, y0);
    PER_THREAD(unsigned, x1);
    PER_THREAD(unsigned, y1);

    EACH_THREAD {
        for (uint32_t i = 0; i < 2; i++) {
            x[t][i] = 10 * threadIdx.x + i;
            y[t][i] = 1000 * (i + 1);
        }
    }
    LOAD(x0[t], x[t][0]);
    LOAD(y0[t], y[t][0]);
    LOAD(x1[t], x[t][1]);
    if (spills) {
        STORE(spilled[t][0], x1[t]);
    }
    LOAD(y1[t], y[t][1]);
    STORE(a->out[threadIdx.x], x0[t] + y0[t]);
    if (spills) {
        LOAD(x1[t], spilled[t][0]);
    }
    STORE(a->out[blockDim.x + threadIdx.x], x1[t] + y1[t]);
}

static enum bsim_status run_addition(const struct bsim_emulator *self, const uint32_t *value,
                                     const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned out[2 * BSIM_WARP_LANES] = {0};
    unsigned expected[2 * BSIM_WARP_LANES];
    struct addition_arguments a = {out, value[0]};
    for (uint32_t i = 0; i < BSIM_WARP_LANES; i++) {
        expected[i] = 10 * i + 1000;
        expected[BSIM_WARP_LANES + i] = 10 * i + 1 + 2000;
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = coordinate_addition,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, sizeof out / sizeof out[0], sink, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bsim_parameter stride_parameters[] = {
    {"stride", "words between neighbouring threads", 1, 1, 256},
};

static const struct bsim_parameter padded_parameters[] = {
    {"pad", "padding words after each 32", 1, 0, 32},
};

static const struct bsim_parameter histogram_parameters[] = {
    {"n", "bytes to count", 4096, 1, 1 << 24},
    {"seed", "of the bytes", 1, 0, UINT32_MAX},
};

static const struct bsim_parameter quadratic_parameters[] = {
    {"ipad", "padding columns of the shared array", 1, 0, 32},
};

static const struct bsim_parameter addition_parameters[] = {
    {"registers", "free for x0, y0, x1, y1", 3, 3, 4},
};

#define LECTURE(ID, SLIDES, SHOWS, RUN, VARIANT, N_PARAMETERS, PARAMETERS)                     \
    {                                                                                          \
        .name = ID, .original = SLIDES, .documents = "003", .shows = SHOWS,                    \
        .n_parameters = N_PARAMETERS, .parameters = PARAMETERS, .run = RUN, .variant = VARIANT \
    }

const struct bsim_emulator bsim_lecture_emulators[] = {
    LECTURE("stride_shared", "slide-24 slide-26",
            "load with a stride: as many wavefronts as gcd(stride, 32)", run_stride, 0, 1,
            stride_parameters),
    LECTURE("stride_padded", "slide-27", "load with stride 32, padded to 33: no conflict",
            run_padded, 0, 1, padded_parameters),
    LECTURE("irregular_permutation", "slide-25", "each thread another bank, shuffled: no conflict",
            run_irregular, PERMUTED, 0, NULL),
    LECTURE("irregular_one_shared", "slide-25",
            "five threads read one element of bank 5: no conflict", run_irregular, ONE_SHARED, 0,
            NULL),
    LECTURE("irregular_two_shared", "slide-25",
            "all threads read one element of bank 12 or one of bank 20: no conflict", run_irregular,
            TWO_SHARED, 0, NULL),
    LECTURE("histogram_global", "slide-20", "byte frequencies by n atomics on global memory",
            run_histogram, IN_GLOBAL, 2, histogram_parameters),
    LECTURE("histogram_shared", "slide-20",
            "byte frequencies by n atomics on shared memory, then 256 global stores", run_histogram,
            IN_SHARED, 2, histogram_parameters),
    LECTURE("quadratic_uncoalesced_loads", "slide-28",
            "a tile turned while loading: 32 lines a load, no conflict", run_quadratic,
            UNCOALESCED_LOADS, 0, NULL),
    LECTURE("quadratic_conflicting_stores", "slide-28",
            "a tile turned while storing: coalesced loads, 32-way conflicts", run_quadratic,
            CONFLICTING_STORES, 0, NULL),
    LECTURE("quadratic_padded", "slide-28",
            "a tile turned while storing, padded: coalesced loads, no conflict", run_quadratic,
            CONFLICTING_STORES, 1, quadratic_parameters),
    LECTURE("coordinate_addition", "slide-31 slide-32",
            "a spilled register: five loads and a store of local memory instead of four loads",
            run_addition, 0, 1, addition_parameters),
    {0},
};
