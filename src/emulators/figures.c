/* figures.c - two warnings of document 000: the five banks of its padding figure, and a barrier in
 * divergent code. */
#include "emulators/emulators.h"

#include <banksim/kernel.h>

/* ---- five banks ----------------------------------------------------------------------------- */

enum { N_BANKS = 5 };

struct five_arguments {
    unsigned *out;
    uint32_t ipad;
};

/* A row of the tile has a word for each bank; all of column 0 lies in bank 0 unless the rows are
 * padded. */
KERNEL(five_banks)
{
    const struct five_arguments *a = ARGUMENTS;
    SHARED_2D(unsigned, tile, N_BANKS, N_BANKS + a->ipad);
    PER_THREAD(unsigned, v);

    for (uint32_t row = 0; row < N_BANKS; row++) {
        STORE(tile[row][threadIdx.x], 10 * row + threadIdx.x);
    }
    SYNCTHREADS();
    LOAD(v[t], tile[threadIdx.x][0]);
    STORE(a->out[threadIdx.x], v[t]);
}

static enum bsim_status run_five(const struct bsim_emulator *self, const uint32_t *value,
                                 const struct bsim_sink *sink, struct bsim_error *err)
{
    static const unsigned expected[N_BANKS] = {0, 10, 20, 30, 40};
    unsigned out[N_BANKS] = {0};
    struct five_arguments a = {out, value[0]};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {N_BANKS, 1, 1},
        .body = five_banks,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, N_BANKS, sink, err);
}

/* ---- a barrier in divergent code ------------------------------------------------------------ */

enum { N_THREADS = 64 };

struct barrier_arguments {
    unsigned *out;
    bool diverges;
};

/* Threads write a word each and read their mirror thread's. Where the condition holds for some of
 * them only, no barrier is reached by all. */
KERNEL(divergent_barrier)
{
    const struct barrier_arguments *a = ARGUMENTS;
    SHARED_1D(unsigned, s, N_THREADS);
    PER_THREAD(unsigned, v);

    STORE(s[threadIdx.x], threadIdx.x);
    WHERE (threadIdx.x % 2 == 0 || !a->diverges) {
        SYNCTHREADS();
    }
    OTHERWISE {
        SYNCTHREADS();
    }
    LOAD(v[t], s[N_THREADS - 1 - threadIdx.x]);
    STORE(a->out[threadIdx.x], v[t]);
}

static enum bsim_status run_barrier(const struct bsim_emulator *self, const uint32_t *value,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    unsigned out[N_THREADS] = {0};
    unsigned expected[N_THREADS];
    struct barrier_arguments a = {out, value[0] != 0};
    for (uint32_t i = 0; i < N_THREADS; i++) {
        expected[i] = N_THREADS - 1 - i;
    }
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {1, 1, 1},
        .block = {N_THREADS, 1, 1},
        .body = divergent_barrier,
        .arguments = &a,
        .n_arrays = 1,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, out, expected, N_THREADS, sink, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct bsim_parameter five_parameters[] = {
    {"ipad", "padding columns of the tile", 0, 0, 5},
};

static const struct bsim_parameter barrier_parameters[] = {
    {"diverge", "1: half of the threads take the other branch; 0: none does", 1, 0, 1},
};

const struct bsim_emulator bsim_figure_emulators[] = {
    {
        .name = "five_banks",
        .original = "",
        .documents = "000",
        .shows = "a column of a 5 x 5 tile: 5-way on --device generic --banks 5, none with ipad=1",
        .n_parameters = 1,
        .parameters = five_parameters,
        .run = run_five,
    },
    {
        .name = "divergent_barrier",
        .original = "",
        .documents = "000",
        .shows = "__syncthreads in both branches of an if: always an error, unless diverge=0",
        .n_parameters = 1,
        .parameters = barrier_parameters,
        .run = run_barrier,
    },
    {0},
};
