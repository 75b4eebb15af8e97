/* coalescing.c - the global-memory slides of CS 179's lecture (document 003): slides 13 to 16 on
 * cache lines of 128 bytes, and slide 41 on vector loads and their alignment.
 *
 * The arrays of a launch start at a line. The pictures of slide 14 are not in the document's text,
 * which says how many lines they touch: 2 and 3. Strides of 2 and of 3 words do so.
 *
 * The wavefronts of a warp's shared load on 32 banks of 4 bytes: 2 for 8 bytes a thread, 4 for 16,
 * as many as the data take.
 */
#include "emulators/emulators.h"

#include <banksim/kernel.h>

/* ---- cache lines ---------------------------------------------------------------------------- */

struct lines_arguments {
    const unsigned *in;
    unsigned *out;
    size_t stride, offset; /* in words */
};

KERNEL(global_coalesced)
{
    const struct lines_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->in[threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

KERNEL(global_misaligned)
{
    const struct lines_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->in[threadIdx.x + a->offset]);
    STORE(a->out[threadIdx.x], v[t]);
}

KERNEL(global_strided)
{
    const struct lines_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->in[a->stride * threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

enum { COALESCED, MISALIGNED, TWO_LINES, THREE_LINES, MOST_STRIDE = 3 };

static const struct {
    void (*body)(struct bsim_cta *cta);
    size_t stride;
} lines_kernel[] = {
    [COALESCED] = {global_coalesced, 1},
    [MISALIGNED] = {global_misaligned, 1},
    [TWO_LINES] = {global_strided, 2},
    [THREE_LINES] = {global_strided, 3},
};

static enum bsim_status run_lines(const struct bsim_emulator *self, const uint32_t *value,
                                  const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned in[MOST_STRIDE * BSIM_WARP_LANES];
    unsigned out[BSIM_WARP_LANES] = {0};
    unsigned expected[BSIM_WARP_LANES];
    struct lines_arguments a = {in, out, lines_kernel[self->variant].stride,
                                self->n_parameters > 0 ? value[0] : 0};
    for (uint32_t i = 0; i < MOST_STRIDE * BSIM_WARP_LANES; i++) {
        in[i] = i * i;
    }
    for (uint32_t i = 0; i < BSIM_WARP_LANES; i++) {
        expected[i] = in[a.stride * i + a.offset];
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = lines_kernel[self->variant].body,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, sizeof in, BSIM_GLOBAL}, {out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, BSIM_WARP_LANES, sink, err);
}

/* ---- vector loads --------------------------------------------------------------------------- */

/* Each thread takes one vector or double from in[] to shared memory, and the mirror thread's from
 * there to out[]. */
struct vector_arguments {
    const void *in;
    void *out;
};

KERNEL(vector_load_64)
{
    const struct vector_arguments *a = ARGUMENTS;
    const struct float2 *in = a->in;
    struct float2 *out = a->out;
    SHARED_1D(struct float2, s, blockDim.x);
    PER_THREAD(struct float2, v);

    LOAD(v[t], in[threadIdx.x]);
    STORE(s[threadIdx.x], v[t]);
    SYNCTHREADS();
    LOAD(v[t], s[blockDim.x - 1 - threadIdx.x]);
    STORE(out[threadIdx.x], v[t]);
}

KERNEL(vector_load_128)
{
    const struct vector_arguments *a = ARGUMENTS;
    const struct float4 *in = a->in;
    struct float4 *out = a->out;
    SHARED_1D(struct float4, s, blockDim.x);
    PER_THREAD(struct float4, v);

    LOAD(v[t], in[threadIdx.x]);
    STORE(s[threadIdx.x], v[t]);
    SYNCTHREADS();
    LOAD(v[t], s[blockDim.x - 1 - threadIdx.x]);
    STORE(out[threadIdx.x], v[t]);
}

KERNEL(vector_load_double)
{
    const struct vector_arguments *a = ARGUMENTS;
    const double *in = a->in;
    double *out = a->out;
    SHARED_1D(double, s, blockDim.x);
    PER_THREAD(double, v);

    LOAD(v[t], in[threadIdx.x]);
    STORE(s[threadIdx.x], v[t]);
    SYNCTHREADS();
    LOAD(v[t], s[blockDim.x - 1 - threadIdx.x]);
    STORE(out[threadIdx.x], v[t]);
}

static struct bsim_launch vector_launch(const struct bsim_emulator *self, uint32_t n_threads,
                                        struct vector_arguments *a, size_t bytes)
{
    return (struct bsim_launch){
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {n_threads, 1, 1},
        .arguments = a,
        .n_arrays = 2,
        .arrays = {{(void *)a->in, bytes, BSIM_GLOBAL}, {a->out, bytes, BSIM_GLOBAL}},
    };
}

enum { MOST_THREADS = 1024 };

static enum bsim_status run_vector(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t size = self->variant; /* floats in a vector */
    uint32_t n = value[0];
    _Alignas(16) float in[4 * MOST_THREADS];
    _Alignas(16) float out[4 * MOST_THREADS] = {0};
    float expected[4 * MOST_THREADS];
    for (uint32_t i = 0; i < size * n; i++) {
        uint32_t mirror = n - 1 - i / size;
        in[i] = (float)i;
        expected[i] = (float)(size * mirror + i % size);
    }
    struct vector_arguments a = {in, out};
    struct bsim_launch launch = vector_launch(self, n, &a, (size_t)size * n * sizeof in[0]);
    launch.body = size == 2 ? vector_load_64 : vector_load_128;
    return bsim_launch_check_floats(&launch, out, expected, (size_t)size * n, sink, err);
}

static enum bsim_status run_double(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t n = value[0];
    double in[MOST_THREADS];
    double out[MOST_THREADS] = {0};
    for (uint32_t i = 0; i < n; i++) {
        in[i] = (double)i;
    }
    struct vector_arguments a = {in, out};
    struct bsim_launch launch = vector_launch(self, n, &a, n * sizeof in[0]);
    launch.body = vector_load_double;
    enum bsim_status status = bsim_launch_run(&launch, sink, err);
    for (uint32_t i = 0; i < n && status == BSIM_OK; i++) {
        if (out[i] != in[n - 1 - i]) {
            status = bsim_error_set(err, BSIM_E_KERNEL, "%s: out[%u] is %g, expected %g",
                                    self->name, (unsigned)i, out[i], in[n - 1 - i]);
        }
    }
    return status;
}

/* ---- the alignment rule broken -------------------------------------------------------------- */

struct misaligned_arguments {
    float *out;
    uint32_t offset; /* in floats */
};

enum { MOST_OFFSET = 32, N_FLOATS = 4 * BSIM_WARP_LANES };

/* Vectors that start at float `offset`: each must be at a multiple of 16 bytes. */
KERNEL(vector_load_misaligned)
{
    const struct misaligned_arguments *a = ARGUMENTS;
    struct float4 *out = (void *)a->out;
    SHARED_1D(float, s, N_FLOATS + MOST_OFFSET);
    const struct float4 *vector = (const void *)(s + a->offset);
    PER_THREAD(struct float4, v);

    for (uint32_t i = 0; i < N_FLOATS + MOST_OFFSET; i += blockDim.x) {
        STORE(s[i + threadIdx.x], (float)(i + threadIdx.x));
    }
    SYNCTHREADS();
    LOAD(v[t], vector[threadIdx.x]);
    STORE(out[threadIdx.x], v[t]);
}

static enum bsim_status run_misaligned(const struct bsim_emulator *self, const uint32_t *value,
                                       const struct bsim_sink *sink, struct bsim_error *err)
{
    _Alignas(16) float out[N_FLOATS] = {0};
    float expected[N_FLOATS];
    struct misaligned_arguments a = {out, value[0]};
    for (uint32_t i = 0; i < N_FLOATS; i++) {
        expected[i] = (float)(i + a.offset);
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = vector_load_misaligned,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check_floats(&launch, out, expected, N_FLOATS, sink, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bsim_parameter lines_parameters[] = {
    {"offset", "words between the start of a line and the first thread's", 1, 0, 32},
};

static const struct bsim_parameter vector_parameters[] = {
    {"bdimx", "threads of the block", 256, 1, MOST_THREADS},
};

static const struct bsim_parameter misaligned_parameters[] = {
    {"offset", "floats before the first vector; 1 breaks the rule", 0, 0, MOST_OFFSET},
};

#define COALESCING(ID, SLIDE, SHOWS, RUN, VARIANT, N_PARAMETERS, PARAMETERS)                   \
    {                                                                                          \
        .name = ID, .original = SLIDE, .documents = "003", .shows = SHOWS,                     \
        .n_parameters = N_PARAMETERS, .parameters = PARAMETERS, .run = RUN, .variant = VARIANT \
    }

const struct bsim_emulator bsim_coalescing_emulators[] = {
    COALESCING("global_coalesced", "slide-16", "a coalesced load: one line", run_lines, COALESCED,
               0, NULL),
    COALESCING("global_misaligned", "slide-15", "a load that starts within a line: two lines",
               run_lines, MISALIGNED, 1, lines_parameters),
    COALESCING("global_two_lines", "slide-14", "a load of every second word: two lines", run_lines,
               TWO_LINES, 0, NULL),
    COALESCING("global_three_lines", "slide-14", "a load of every third word: three lines",
               run_lines, THREE_LINES, 0, NULL),
    COALESCING("vector_load_64", "slide-41", "float2 loads and stores: two wavefronts, no conflict",
               run_vector, 2, 1, vector_parameters),
    COALESCING("vector_load_128", "slide-41",
               "float4 loads and stores: four wavefronts, no conflict", run_vector, 4, 1,
               vector_parameters),
    COALESCING("vector_load_double", "slide-41",
               "double loads and stores: two wavefronts, no conflict", run_double, 0, 1,
               vector_parameters),
    COALESCING("vector_load_misaligned", "slide-41",
               "float4 loads off a multiple of 16 bytes: an error, with offset=1", run_misaligned,
               0, 1, misaligned_parameters),
    {0},
};
