/* constant.c - constant memory: reads that agree and reads that differ (documents 000 and 003), and
 * the CUDA book's one-dimensional stencil with its coefficients there (document 000, section 3).
 *
 * The constant cache serves one address of a warp at a time. The stencil's threads all want the
 * same coefficient, at a place that is known when the kernel is compiled: the machine code has it as
 * an operand or reads it once for the warp (ULDC), and an H200 counts no request of the constant
 * cache. Through the read-only cache it is a global load (ld.global.nc) of one address.
 *
 * The book's program launches the stencil on in + RADIUS and out + RADIUS of arrays that have RADIUS
 * elements more at either end: a warp's row begins 16 bytes into a sector, and takes 5 sectors, not
 * 4, to be loaded and to be stored.
 */
#include "emulators/emulators.h"

#include "base/memory.h"

#include <banksim/kernel.h>

/* ---- one address and many ------------------------------------------------------------------- */

enum { FOO_SIZE = 1024 }; /* __constant__ int foo[1024] */

struct constant_arguments {
    const unsigned *foo;
    unsigned *out;
    uint32_t index, distinct;
};

KERNEL(constant_uniform)
{
    const struct constant_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->foo[a->index]);
    STORE(a->out[threadIdx.x], v[t]);
}

KERNEL(constant_divergent)
{
    const struct constant_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, v);

    LOAD(v[t], a->foo[threadIdx.x % a->distinct]);
    STORE(a->out[threadIdx.x], v[t]);
}

enum { UNIFORM, DIVERGENT };

static enum bsim_status run_constant(const struct bsim_emulator *self, const uint32_t *value,
                                     const struct bsim_sink *sink, struct bsim_error *err)
{
    bool is_uniform = self->variant == UNIFORM;
    unsigned foo[FOO_SIZE];
    unsigned out[BSIM_WARP_LANES] = {0};
    unsigned expected[BSIM_WARP_LANES];
    struct constant_arguments a = {foo, out, value[0], value[0]};
    for (uint32_t i = 0; i < FOO_SIZE; i++) {
        foo[i] = 3 * i + 1;
    }
    for (uint32_t i = 0; i < BSIM_WARP_LANES; i++) {
        expected[i] = foo[is_uniform ? a.index : i % a.distinct];
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {BSIM_WARP_LANES, 1, 1},
        .body = is_uniform ? constant_uniform : constant_divergent,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{foo, sizeof foo, BSIM_CONST}, {out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, BSIM_WARP_LANES, sink, err);
}

/* ---- the stencil ---------------------------------------------------------------------------- */

enum { RADIUS = 4, BOTH_ENDS = 2 * RADIUS, MOST_SETS = 32 };

struct stencil_arguments {
    const float *in; /* element 0; RADIUS more lie before it, and behind the last */
    float *out;      /* element 0; the same */
    const float (*coef)[RADIUS + 1];
    uint32_t n_sets; /* of coefficients */
};

/* smem[0..bdim + 2 * RADIUS) = the block's elements and RADIUS more on either side. */
static void load_tile(struct bsim_cta *cta, const struct stencil_arguments *a, float *smem)
{
    int bdim = (int)blockDim.x;
    PER_THREAD(int, idx);
    PER_THREAD(int, sidx);
    PER_THREAD(float, v);

    EACH_THREAD {
        idx[t] = (int)(blockIdx.x * blockDim.x + threadIdx.x);
        sidx[t] = (int)threadIdx.x + RADIUS;
    }
    LOAD(v[t], a->in[idx[t]]);
    STORE(smem[sidx[t]], v[t]);
    WHERE (threadIdx.x < RADIUS) {
        LOAD(v[t], a->in[idx[t] - RADIUS]);
        STORE(smem[sidx[t] - RADIUS], v[t]);
        LOAD(v[t], a->in[idx[t] + bdim]);
        STORE(smem[sidx[t] + bdim], v[t]);
    }
    SYNCTHREADS();
}

/* out = first derivative of in. The loop is unrolled: where coef[i] lies is known to the compiler, so
 * that it is an operand of the arithmetic, and no load. */
KERNEL(stencil_constant)
{
    const struct stencil_arguments *a = ARGUMENTS;
    const float *coef = a->coef[0];
    SHARED_1D(float, smem, blockDim.x + BOTH_ENDS);
    PER_THREAD(float, left);
    PER_THREAD(float, right);
    PER_THREAD(float, tmp);

    load_tile(cta, a, smem);
    for (uint32_t i = 1; i <= RADIUS; i++) {
        LOAD(right[t], smem[threadIdx.x + RADIUS + i]);
        LOAD(left[t], smem[threadIdx.x + RADIUS - i]);
        EACH_THREAD {
            tmp[t] += coef[i] * (right[t] - left[t]);
        }
    }
    STORE(a->out[blockIdx.x * blockDim.x + threadIdx.x], tmp[t]);
}

/* The same with the coefficients in global memory, by way of the read-only cache. */
KERNEL(stencil_readonly)
{
    const struct stencil_arguments *a = ARGUMENTS;
    const float *coef = a->coef[0];
    SHARED_1D(float, smem, blockDim.x + BOTH_ENDS);
    PER_THREAD(float, c);
    PER_THREAD(float, left);
    PER_THREAD(float, right);
    PER_THREAD(float, tmp);

    load_tile(cta, a, smem);
    for (uint32_t i = 1; i <= RADIUS; i++) {
        LDG(c[t], coef[i]);
        LOAD(right[t], smem[threadIdx.x + RADIUS + i]);
        LOAD(left[t], smem[threadIdx.x + RADIUS - i]);
        EACH_THREAD {
            tmp[t] += c[t] * (right[t] - left[t]);
        }
    }
    STORE(a->out[blockIdx.x * blockDim.x + threadIdx.x], tmp[t]);
}

/* The same with coefficients in constant memory that differ from element to element. */
KERNEL(stencil_divergent)
{
    const struct stencil_arguments *a = ARGUMENTS;
    SHARED_1D(float, smem, blockDim.x + BOTH_ENDS);
    PER_THREAD(float, c);
    PER_THREAD(float, left);
    PER_THREAD(float, right);
    PER_THREAD(float, tmp);

    load_tile(cta, a, smem);
    for (uint32_t i = 1; i <= RADIUS; i++) {
        LOAD(c[t], a->coef[threadIdx.x % a->n_sets][i]);
        LOAD(right[t], smem[threadIdx.x + RADIUS + i]);
        LOAD(left[t], smem[threadIdx.x + RADIUS - i]);
        EACH_THREAD {
            tmp[t] += c[t] * (right[t] - left[t]);
        }
    }
    STORE(a->out[blockIdx.x * blockDim.x + threadIdx.x], tmp[t]);
}

/* ---- its data ------------------------------------------------------------------------------- */

enum { CONSTANT, READ_ONLY, DIFFERING };

static void (*const stencil_body[])(struct bsim_cta *cta) = {
    [CONSTANT] = stencil_constant,
    [READ_ONLY] = stencil_readonly,
    [DIFFERING] = stencil_divergent,
};

/* Near the book's 0.8, -0.2, 0.038, -0.0036, but fractions of 256: all sums of the small numbers
 * here are exact, in any order. Set k is k + 1 times that. */
static void make_coefficients(float (*coef)[RADIUS + 1])
{
    static const int in_256ths[RADIUS + 1] = {0, 205, -51, 10, -1};
    for (int k = 0; k < MOST_SETS; k++) {
        for (int i = 0; i <= RADIUS; i++) {
            coef[k][i] = (float)((k + 1) * in_256ths[i]) / 256.0f;
        }
    }
}

/* The derivative at each of n elements, in blocks of bdim. */
static void expect_derivative(float *expected, const struct stencil_arguments *a, int n, int bdim)
{
    for (int i = 0; i < n; i++) {
        const float *c = a->coef[(uint32_t)(i % bdim) % a->n_sets];
        expected[i] = 0;
        for (int r = 1; r <= RADIUS; r++) {
            expected[i] += c[r] * (a->in[i + r] - a->in[i - r]);
        }
    }
}

static enum bsim_status run_launch(const struct bsim_emulator *self, float *memory, uint32_t n,
                                   const uint32_t *value, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    float coef[MOST_SETS][RADIUS + 1];
    uint32_t n_padded = n + BOTH_ENDS;
    float *padded_out = memory + n_padded;
    float *out = padded_out + RADIUS;
    float *expected = padded_out + n_padded;
    uint32_t bdim = value[1];
    struct stencil_arguments a = {memory + RADIUS, out, (const float(*)[RADIUS + 1]) coef,
                                  self->variant == DIFFERING ? value[2] : 1};
    make_coefficients(coef);
    for (uint32_t i = 0; i < n_padded; i++) {
        memory[i] = (float)(i * i % 61);
        padded_out[i] = 0;
    }
    expect_derivative(expected, &a, (int)n, (int)bdim);
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {n / bdim, 1, 1},
        .block = {bdim, 1, 1},
        .body = stencil_body[self->variant],
        .arguments = &a,
        .n_arrays = 3,
        .arrays = {{memory, n_padded * sizeof *memory, BSIM_GLOBAL},
                   {padded_out, n_padded * sizeof *out, BSIM_GLOBAL},
                   {coef, sizeof coef[0] * a.n_sets,
                    self->variant == READ_ONLY ? BSIM_GLOBAL : BSIM_CONST}},
    };
    return bsim_launch_check_floats(&launch, out, expected, n, sink, err);
}

static enum bsim_status run_stencil(const struct bsim_emulator *self, const uint32_t *value,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t n = value[0];
    if (n % value[1] != 0) {
        return bsim_error_set(err, BSIM_E_USAGE, "%s: n=%u must be a multiple of bdim=%u",
                              self->name, (unsigned)n, (unsigned)value[1]);
    }
    /* The input and the output with their ends, and what is expected of the output. */
    float *memory = bsim_mem_resize(NULL, (size_t)3 * n + 2 * BOTH_ENDS, sizeof *memory);
    if (memory == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "no memory for the data of %s", self->name);
    }
    enum bsim_status status = run_launch(self, memory, n, value, sink, err);
    bsim_mem_free(memory);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bsim_parameter uniform_parameters[] = {
    {"index", "element that all threads read", 5, 0, FOO_SIZE - 1},
};

static const struct bsim_parameter divergent_parameters[] = {
    {"distinct", "elements that the threads of a warp read", 32, 1, BSIM_WARP_LANES},
};

static const struct bsim_parameter stencil_parameters[] = {
    {"n", "elements", 1024, 32, 1 << 24},
    {"bdim", "threads of a block", 32, RADIUS, BSIM_BLOCK_MAX_THREADS},
    {"sets", "sets of coefficients that neighbouring threads choose from", 32, 1, MOST_SETS},
};

#define CONSTANT_ROW(ID, ORIGINAL, DOCUMENTS, SHOWS, RUN, VARIANT, N_PARAMETERS, PARAMETERS)   \
    {                                                                                          \
        .name = ID, .original = ORIGINAL, .documents = DOCUMENTS, .shows = SHOWS,              \
        .n_parameters = N_PARAMETERS, .parameters = PARAMETERS, .run = RUN, .variant = VARIANT \
    }

const struct bsim_emulator bsim_constant_emulators[] = {
    CONSTANT_ROW("constant_uniform", "slide-36", "000 003",
                 "all threads read one constant: a single pass", run_constant, UNIFORM, 1,
                 uniform_parameters),
    CONSTANT_ROW("constant_divergent", "", "000 003",
                 "threads read different constants: a pass for each", run_constant, DIVERGENT, 1,
                 divergent_parameters),
    CONSTANT_ROW("stencil_constant", "stencil_1d stencilGPU", "000",
                 "1D stencil, coefficients in constant memory, at known places: no loads",
                 run_stencil, CONSTANT, 2, stencil_parameters),
    CONSTANT_ROW("stencil_readonly", "stencil_1d_read_only", "000",
                 "1D stencil, coefficients through the read-only cache: ld.global.nc", run_stencil,
                 READ_ONLY, 2, stencil_parameters),
    CONSTANT_ROW("stencil_divergent", "", "000",
                 "1D stencil, each thread its own constant coefficients: 32 passes each",
                 run_stencil, DIFFERING, 3, stencil_parameters),
    {0},
};
