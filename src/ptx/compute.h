/* compute.h - functions of 32 lanes, and the tables that say which instruction is which of them. */
#ifndef BSIM_PTX_COMPUTE_H
#define BSIM_PTX_COMPUTE_H

#include "ptx/machine.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#define NO_CROSSING _Pragma("GCC ivdep")
#else
#define NO_CROSSING
#endif

typedef union bsim_w32 W4;
typedef union bsim_w64 W8;
typedef struct {
    uint8_t u;
} W0; /* no operand */

enum { LANES = BSIM_WARP_LANES, SIZE_W0 = 0, SIZE_W4 = 4, SIZE_W8 = 8 };

/* A lane's part: a, b, c, e to d. */
#define COMPUTE_LANE(D, A, B, C, E, ...) \
    A a = as[l];                         \
    B b = bs[l];                         \
    C c = cs[l];                         \
    E e = es[l];                         \
    D d;                                 \
    (void)a, (void)b, (void)c, (void)e;  \
    __VA_ARGS__;                         \
    to[l] = d

/* A function `name` of the lanes, from a, b, c, e to d, and its row. Two registers are one or apart,
 * so a lane is read and written alone. */
#define COMPUTE5(name, D, A, B, C, E, ...)                                               \
    static void run_##name(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step) \
    {                                                                                    \
        D *to = (D *)(void *)(warp->file + step->d);                                     \
        const A *as = (const A *)(const void *)(warp->file + step->a);                   \
        const B *bs = (const B *)(const void *)(warp->file + step->b);                   \
        const C *cs = (const C *)(const void *)(warp->file + step->c);                   \
        const E *es = (const E *)(const void *)(warp->file + step->e);                   \
        uint32_t mask = warp->mask;                                                      \
        if (mask == BSIM_FULL_MASK) {                                                    \
            NO_CROSSING for (int l = 0; l < LANES; l++)                                  \
            {                                                                            \
                COMPUTE_LANE(D, A, B, C, E, __VA_ARGS__);                                \
            }                                                                            \
            return;                                                                      \
        }                                                                                \
        for (int l = 0; l < LANES; l++) {                                                \
            if (mask >> l & 1) {                                                         \
                COMPUTE_LANE(D, A, B, C, E, __VA_ARGS__);                                \
            }                                                                            \
        }                                                                                \
    }                                                                                    \
    static const struct bsim_ptx_alu name = {run_##name, SIZE_##D, SIZE_##A,             \
                                             SIZE_##B,   SIZE_##C, SIZE_##E};

#define COMPUTE(name, D, A, B, C, ...) COMPUTE5(name, D, A, B, C, W0, __VA_ARGS__)
#define TWO4(name, ...) COMPUTE(name, W4, W4, W4, W0, __VA_ARGS__)
#define TWO8(name, ...) COMPUTE(name, W8, W8, W8, W0, __VA_ARGS__)
#define ONE4(name, ...) COMPUTE(name, W4, W4, W0, W0, __VA_ARGS__)
#define ONE8(name, ...) COMPUTE(name, W8, W8, W0, W0, __VA_ARGS__)

/* An instruction that a table knows. */
struct bsim_ptx_alu_row {
    const char *mnemonic;
    uint8_t word, other; /* that must stand there; 0: none need */
    uint8_t type[2];     /* the first, and the second or 0 for any */
    const struct bsim_ptx_alu *alu;
};

/* The row that the instruction has, or NULL. A row fits if it has the instruction's types, the words
 * that the row wants, and none besides but those that change nothing of what is computed here. */
const struct bsim_ptx_alu *bsim_ptx_find_row(const struct bsim_ptx_alu_row *row, size_t n,
                                             const struct bsim_ptx_instruction *instruction);

#endif
