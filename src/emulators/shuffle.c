/* shuffle.c - warp shuffles: the CUDA book's test_shfl_* and its reduction without shared-memory
 * passes (document 000, section 4, shows the instructions; the kernels are the book's).
 *
 * One block; a warp falls into segments of `width` lanes that shuffle apart. The book has 16
 * threads and width 16 (BDIMX). `int` there is `unsigned` here.
 */
#include "emulators/emulators.h"

#include "base/memory.h"

#include <banksim/kernel.h>

enum { SEGM = 4 }; /* elements per thread in the array kernels */

struct shuffle_arguments {
    const unsigned *in;
    unsigned *out;
    uint32_t width;
    uint32_t by; /* source lane, delta, offset or mask */
    uint32_t first, second;
};

/* ---- one value per thread ------------------------------------------------------------------- */

KERNEL(shfl_broadcast)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, value);

    LOAD(value[t], a->in[threadIdx.x]);
    SHFL_IDX(value[t], value[t], a->by, a->width);
    STORE(a->out[threadIdx.x], value[t]);
}

KERNEL(shfl_up)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, value);

    LOAD(value[t], a->in[threadIdx.x]);
    SHFL_UP(value[t], value[t], a->by, a->width);
    STORE(a->out[threadIdx.x], value[t]);
}

KERNEL(shfl_down)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, value);

    LOAD(value[t], a->in[threadIdx.x]);
    SHFL_DOWN(value[t], value[t], a->by, a->width);
    STORE(a->out[threadIdx.x], value[t]);
}

KERNEL(shfl_around)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, value);

    LOAD(value[t], a->in[threadIdx.x]);
    SHFL_IDX(value[t], value[t], threadIdx.x + a->by, a->width);
    STORE(a->out[threadIdx.x], value[t]);
}

KERNEL(shfl_xor)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, value);

    LOAD(value[t], a->in[threadIdx.x]);
    SHFL_XOR(value[t], value[t], a->by, a->width);
    STORE(a->out[threadIdx.x], value[t]);
}

/* ---- an array per thread -------------------------------------------------------------------- */

KERNEL(shfl_xor_array)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    unsigned value[SEGM][BSIM_BLOCK_MAX_THREADS] = {{0}};

    for (uint32_t i = 0; i < SEGM; i++) {
        LOAD(value[i][t], a->in[threadIdx.x * SEGM + i]);
    }
    SHFL_XOR(value[0][t], value[0][t], a->by, a->width);
    SHFL_XOR(value[1][t], value[1][t], a->by, a->width);
    SHFL_XOR(value[2][t], value[2][t], a->by, a->width);
    SHFL_XOR(value[3][t], value[3][t], a->by, a->width);
    for (uint32_t i = 0; i < SEGM; i++) {
        STORE(a->out[threadIdx.x * SEGM + i], value[i][t]);
    }
}

static void exchange(unsigned *one, unsigned *other)
{
    unsigned held = *one;
    *one = *other;
    *other = held;
}

/* Element `first` of the lower lane of a pair and element `second` of the upper one change places.
 * The lower lane brings its element to `second` before the shuffle and takes the other one back
 * after it. The book tells it by laneIdx / mask + 1 == 1, which is true in the first pair alone. */
KERNEL(shfl_swap)
{
    const struct shuffle_arguments *a = ARGUMENTS;
    unsigned value[SEGM][BSIM_BLOCK_MAX_THREADS] = {{0}};
    PER_THREAD(bool, pred);

    for (uint32_t i = 0; i < SEGM; i++) {
        LOAD(value[i][t], a->in[threadIdx.x * SEGM + i]);
    }
    EACH_THREAD {
        pred[t] = laneid < (laneid ^ a->by);
        if (pred[t]) {
            exchange(&value[a->first][t], &value[a->second][t]);
        }
    }
    SHFL_XOR(value[a->second][t], value[a->second][t], a->by, a->width);
    EACH_THREAD {
        if (pred[t]) {
            exchange(&value[a->first][t], &value[a->second][t]);
        }
    }
    for (uint32_t i = 0; i < SEGM; i++) {
        STORE(a->out[threadIdx.x * SEGM + i], value[i][t]);
    }
}

/* ---- what they must give -------------------------------------------------------------------- */

enum { IDX, UP, DOWN, AROUND, XOR, XOR_ARRAY, SWAP };

/* The thread whose value thread i gets; by < width. */
static uint32_t source(uint32_t variant, uint32_t i, uint32_t by, uint32_t width)
{
    uint32_t place = i % width;
    uint32_t first = i - place;
    switch (variant) {
    case IDX:
        return first + by;
    case UP:
        return place >= by ? i - by : i;
    case DOWN:
        return place + by < width ? i + by : i;
    case AROUND:
        return first + (place + by) % width;
    default:
        return first + (place ^ by);
    }
}

static void expect(unsigned *expected, uint32_t variant, const struct shuffle_arguments *a,
                   uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (variant < XOR_ARRAY) {
            expected[i] = a->in[source(variant, i, a->by, a->width)];
            continue;
        }
        uint32_t thread = i / SEGM;
        uint32_t partner = thread ^ a->by;
        uint32_t mine = thread < partner ? a->first : a->second;
        uint32_t theirs = thread < partner ? a->second : a->first;
        bool moves = variant == XOR_ARRAY || i % SEGM == mine;
        expected[i] = !moves                 ? a->in[i]
                      : variant == XOR_ARRAY ? a->in[partner * SEGM + i % SEGM]
                                             : a->in[partner * SEGM + theirs];
    }
}

static void (*const shuffle_body[])(struct bsim_cta *cta) = {
    [IDX] = shfl_broadcast, [UP] = shfl_up,   [DOWN] = shfl_down,
    [AROUND] = shfl_around, [XOR] = shfl_xor, [XOR_ARRAY] = shfl_xor_array,
    [SWAP] = shfl_swap,
};

static enum bsim_status check_width(const struct bsim_emulator *self, uint32_t bdimx,
                                    uint32_t width, struct bsim_error *err)
{
    if ((width & (width - 1)) != 0 || bdimx % width != 0) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: width=%u must be a power of 2 that divides bdimx=%u", self->name,
                              (unsigned)width, (unsigned)bdimx);
    }
    return BSIM_OK;
}

/* bdimx elements; n_threads of them if each thread has one, bdimx / SEGM otherwise. */
static enum bsim_status run_shuffled(const struct bsim_emulator *self, struct shuffle_arguments a,
                                     uint32_t bdimx, uint32_t n_threads,
                                     const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned in[BSIM_BLOCK_MAX_THREADS];
    unsigned out[BSIM_BLOCK_MAX_THREADS] = {0};
    unsigned expected[BSIM_BLOCK_MAX_THREADS];
    a.in = in;
    a.out = out;
    for (uint32_t i = 0; i < bdimx; i++) {
        in[i] = i;
    }
    expect(expected, self->variant, &a, bdimx);
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {n_threads, 1, 1},
        .body = shuffle_body[self->variant],
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, bdimx * sizeof in[0], BSIM_GLOBAL},
                   {out, bdimx * sizeof out[0], BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, bdimx, sink, err);
}

static enum bsim_status run_shuffle(const struct bsim_emulator *self, const uint32_t *value,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    struct shuffle_arguments a = {.width = value[1], .by = value[2]};
    enum bsim_status status = check_width(self, value[0], a.width, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (a.by >= a.width) {
        return bsim_error_set(err, BSIM_E_USAGE, "%s: %s=%u must be smaller than width=%u",
                              self->name, self->parameters[2].key, (unsigned)a.by,
                              (unsigned)a.width);
    }
    return run_shuffled(self, a, value[0], value[0], sink, err);
}

static enum bsim_status run_array(const struct bsim_emulator *self, const uint32_t *value,
                                  const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t bdimx = value[0];
    struct shuffle_arguments a = {.width = bdimx, .by = value[1]};
    enum bsim_status status = check_width(self, bdimx, bdimx, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (a.by >= bdimx / SEGM) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: mask=%u must be smaller than the %u threads, a %dth of bdimx",
                              self->name, (unsigned)a.by, (unsigned)(bdimx / SEGM), SEGM);
    }
    if (self->variant == SWAP) {
        a.first = value[2];
        a.second = value[3];
    }
    return run_shuffled(self, a, bdimx, bdimx / SEGM, sink, err);
}

/* ---- reduction ------------------------------------------------------------------------------ */

struct reduce_arguments {
    const unsigned *g_idata;
    unsigned *g_odata;
    uint32_t n;
};

/* Each active lane gets its warp's sum. */
static void warp_reduce(struct bsim_cta *cta, unsigned *my_sum)
{
    PER_THREAD(unsigned, other);

    for (uint32_t mask = 16; mask >= 1; mask /= 2) {
        SHFL_XOR(other[t], my_sum[t], mask, warpSize);
        EACH_THREAD {
            my_sum[t] += other[t];
        }
    }
}

KERNEL(shfl_reduce)
{
    const struct reduce_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, smem, blockDim.x / warpSize);
    PER_THREAD(uint32_t, idx);
    PER_THREAD(unsigned, local_sum);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x + threadIdx.x;
    }
    EXIT_WHERE(idx[t] >= a->n);
    LOAD(local_sum[t], a->g_idata[idx[t]]);
    warp_reduce(cta, local_sum);
    WHERE (laneid == 0) {
        STORE(smem[warpid], local_sum[t]);
    }
    SYNCTHREADS();
    WHERE (threadIdx.x < warpSize) {
        EACH_THREAD {
            local_sum[t] = 0;
        }
        WHERE (threadIdx.x < blockDim.x / warpSize) {
            LOAD(local_sum[t], smem[laneid]);
        }
        warp_reduce(cta, local_sum);
    }
    WHERE (threadIdx.x == 0) {
        STORE(a->g_odata[blockIdx.x], local_sum[t]);
    }
}

/* Input and output in one piece of memory: n elements, then a sum per block, then the sums that are
 * expected. */
static void make_sums(unsigned *in, unsigned *out, unsigned *expected, uint32_t n, uint32_t block)
{
    for (uint32_t b = 0; b < n / block; b++) {
        out[b] = 0;
        expected[b] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        in[i] = i * i % 251;
        expected[i / block] += in[i];
    }
}

static enum bsim_status run_reduce(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t n = value[0];
    uint32_t block = value[1];
    if (block % BSIM_WARP_LANES != 0 || n % block != 0) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "%s: n=%u must be a multiple of block=%u, and that of %d", self->name,
                              (unsigned)n, (unsigned)block, BSIM_WARP_LANES);
    }
    uint32_t n_blocks = n / block;
    unsigned *in = bsim_mem_resize(NULL, n + (size_t)2 * n_blocks, sizeof *in);
    if (in == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "no memory for the data of %s", self->name);
    }
    unsigned *out = in + n;
    unsigned *expected = out + n_blocks;
    make_sums(in, out, expected, n, block);
    struct reduce_arguments a = {in, out, n};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {n_blocks, 1, 1},
        .block = {block, 1, 1},
        .body = shfl_reduce,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, n * sizeof *in, BSIM_GLOBAL}, {out, n_blocks * sizeof *out, BSIM_GLOBAL}},
    };
    enum bsim_status status = bsim_launch_check(&launch, out, expected, n_blocks, sink, err);
    bsim_mem_free(in);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define BDIMX                                                          \
    {                                                                  \
        "bdimx", "threads of the block", 16, 1, BSIM_BLOCK_MAX_THREADS \
    }
#define WIDTH                                                                       \
    {                                                                               \
        "width", "lanes of a segment: 1, 2, 4, 8, 16 or 32", 16, 1, BSIM_WARP_LANES \
    }

static const struct bsim_parameter broadcast_parameters[] = {
    BDIMX, WIDTH, {"src_lane", "the lane whose value all of a segment get", 2, 0, 31}};
static const struct bsim_parameter delta_parameters[] = {
    BDIMX, WIDTH, {"delta", "lanes to the source", 2, 0, 31}};
static const struct bsim_parameter around_parameters[] = {
    BDIMX, WIDTH, {"offset", "lanes to the source; width - 2 is the book's -2", 2, 0, 31}};
static const struct bsim_parameter xor_parameters[] = {
    BDIMX, WIDTH, {"mask", "source lane = lane xor mask", 1, 0, 31}};
static const struct bsim_parameter array_parameters[] = {
    {"bdimx", "elements, 4 per thread, and the width: 8, 16 or 32", 16, 8, BSIM_WARP_LANES},
    {"mask", "source lane = lane xor mask", 1, 1, 7},
    {"first", "the lower lane's element", 0, 0, SEGM - 1},
    {"second", "the upper lane's element", 3, 0, SEGM - 1},
};
static const struct bsim_parameter reduce_parameters[] = {
    {"n", "elements", 1024, 32, 1 << 24},
    {"block", "threads of a block", 128, 32, BSIM_BLOCK_MAX_THREADS},
};

#define SHUFFLE(ID, ORIGINAL, SHOWS, RUN, VARIANT, N_PARAMETERS, PARAMETERS)                   \
    {                                                                                          \
        .name = ID, .original = ORIGINAL, .documents = "000", .shows = SHOWS,                  \
        .n_parameters = N_PARAMETERS, .parameters = PARAMETERS, .run = RUN, .variant = VARIANT \
    }

const struct bsim_emulator bsim_shuffle_emulators[] = {
    SHUFFLE("shfl_broadcast", "test_shfl_broadcast", "one lane's value for its whole segment",
            run_shuffle, IDX, 3, broadcast_parameters),
    SHUFFLE("shfl_up", "test_shfl_up", "the value of the lane delta before; the first keep theirs",
            run_shuffle, UP, 3, delta_parameters),
    SHUFFLE("shfl_down", "test_shfl_down",
            "the value of the lane delta behind; the last keep theirs", run_shuffle, DOWN, 3,
            delta_parameters),
    SHUFFLE("shfl_around", "test_shfl_wrap", "the value of the lane offset behind, wrapping around",
            run_shuffle, AROUND, 3, around_parameters),
    SHUFFLE("shfl_xor", "test_shfl_xor", "butterfly exchange between lanes", run_shuffle, XOR, 3,
            xor_parameters),
    SHUFFLE("shfl_xor_array", "test_shfl_xor_array",
            "butterfly exchange of four elements per thread", run_array, XOR_ARRAY, 2,
            array_parameters),
    SHUFFLE("shfl_swap", "test_shfl_swap",
            "two lanes swap elements of different places in their arrays", run_array, SWAP, 4,
            array_parameters),
    SHUFFLE("shfl_reduce", "reduceShfl",
            "sum of a block by shuffles, with one shared word per warp", run_reduce, 0, 2,
            reduce_parameters),
    {0},
};
