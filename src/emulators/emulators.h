/* emulators.h - what the families of kernels share with each other and with the registry. */
#ifndef BSIM_EMULATORS_EMULATORS_H
#define BSIM_EMULATORS_EMULATORS_H

#include <banksim/emulator.h>

enum { BSIM_EMULATOR_MAX_PARAMETERS = 8 };

/* The families: one file and one table each, in the order of their files; a row without a name ends
 * a table. The registry lists the tables. */
extern const struct bsim_emulator bsim_square_emulators[];
extern const struct bsim_emulator bsim_rect_emulators[];
extern const struct bsim_emulator bsim_reduce_emulators[];
extern const struct bsim_emulator bsim_transpose_emulators[];
extern const struct bsim_emulator bsim_lecture_emulators[];
extern const struct bsim_emulator bsim_coalescing_emulators[];
extern const struct bsim_emulator bsim_loads_emulators[];
extern const struct bsim_emulator bsim_shuffle_emulators[];
extern const struct bsim_emulator bsim_constant_emulators[];
extern const struct bsim_emulator bsim_figure_emulators[];

/* Runs launch and, if it came through, checks out[0..n), which is one of its arrays: BSIM_E_KERNEL for
 * the first element that is not as expected, "out[5] is 7, expected 3", under the kernel's name. */
enum bsim_status bsim_launch_check(const struct bsim_launch *launch, const unsigned *out,
                                   const unsigned *expected, size_t n, const struct bsim_sink *sink,
                                   struct bsim_error *err);
enum bsim_status bsim_launch_check_floats(const struct bsim_launch *launch, const float *out,
                                          const float *expected, size_t n,
                                          const struct bsim_sink *sink, struct bsim_error *err);

/* ---- one block, one tile: square.c and rect.c ----------------------------------------------- */

struct bsim_tile_arguments {
    unsigned *out;  /* bdimx * bdimy */
    uint32_t ipad;  /* padding columns of the tile */
    uint32_t bdimx; /* of the block, for the tile's declared size */
    uint32_t bdimy;
};

/* What a tile kernel leaves in out[], told by how the tile is written and then read. */
enum bsim_tile_order {
    BSIM_TILE_SAME, /* both by rows, or both by columns */
    BSIM_TILE_ROWS_TO_COLUMNS,
    BSIM_TILE_COLUMNS_TO_ROWS,
};

struct bsim_tile_kernel {
    void (*body)(struct bsim_cta *cta);
    enum bsim_tile_order order;
    bool is_dynamic; /* the tile is dynamic shared memory */
    bool is_turned;  /* the tile has bdimx rows of bdimy, not bdimy rows of bdimx */
};

/* Runs kernel in one block of value[0] x value[1] threads, with value[2] padding columns if self
 * has that parameter, and checks out[]. */
enum bsim_status bsim_tile_run(const struct bsim_emulator *self,
                               const struct bsim_tile_kernel *kernel, const uint32_t *value,
                               const struct bsim_sink *sink, struct bsim_error *err);

#endif
