/* wgmma.h - what Hopper's wgmma reads of shared memory: how much, in which time, and where.
 *
 * Pure arithmetic, as in model.h: no allocation, no I/O, no state. Thread-safe. Rules and sources are
 * at the head of src/model/wgmma.c; all were measured on an H200 (compute capability 9.0).
 */
#ifndef BANKSIM_WGMMA_H
#define BANKSIM_WGMMA_H

#include <banksim/status.h>
#include <banksim/tma.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    BSIM_WGMMA_M = 64,
    BSIM_WGMMA_WARPS = 4,    /* that execute one together */
    BSIM_WGMMA_K_BYTES = 32, /* of each row of A and each column of B */
    BSIM_WGMMA_MAX_N = 256,
};

/* A wgmma.mma_async.m64nNkK: K is BSIM_WGMMA_K_BYTES / element_bytes. */
struct bsim_wgmma {
    uint32_t n;             /* 8 to 256, a multiple of 8 */
    uint32_t element_bytes; /* of A and B: 1, 2, 4 */
    bool a_in_registers;
    bool is_whole; /* of whole numbers: s8, u8 */
};

/* A descriptor's layout type, as its bits 62 and 63 have it. */
enum bsim_wgmma_swizzle {
    BSIM_WGMMA_NO_SWIZZLE,
    BSIM_WGMMA_128B,
    BSIM_WGMMA_64B,
    BSIM_WGMMA_32B,
};

/* "none", "128B", "64B" or "32B". */
BSIM_API const char *bsim_wgmma_swizzle_name(enum bsim_wgmma_swizzle swizzle);

/* Where an operand lies. Offsets are in bytes, as before the descriptor shifts them by 4. */
struct bsim_wgmma_descriptor {
    uint32_t start;         /* in the block's window */
    uint32_t leading_bytes; /* LBO: unused in a K-major operand with a swizzle */
    uint32_t stride_bytes;  /* SBO */
    uint32_t base_offset;   /* 0 to 7 */
    enum bsim_wgmma_swizzle swizzle;
    bool is_mn_major; /* rows of A or columns of B lie side by side, not the elements along k */
};

/* Reads "m64n128k16 f16" (f16, bf16, tf32, e4m3, e5m2, s8, u8; K follows from the type) into *wgmma,
 * with A in shared memory. Fails with BSIM_E_INPUT, saying what is wrong, without a place. */
BSIM_API enum bsim_status bsim_wgmma_parse(const char *text, struct bsim_wgmma *wgmma,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* Wavefronts of one wgmma in the data pipe. None is ever a bank conflict, whatever the descriptors. */
BSIM_API uint32_t bsim_wgmma_wavefronts(const struct bsim_wgmma *wgmma);

/* Clocks from one wgmma to the next, many back to back, of one warpgroup of an SM (n_warpgroups 1) or
 * of several that take turns. */
BSIM_API double bsim_wgmma_cycles(const struct bsim_wgmma *wgmma, uint32_t n_warpgroups);

/* The byte where element (k, i) of an operand begins, i being the row m of A or the column n of B. Any
 * descriptor gives an answer. */
BSIM_API uint32_t bsim_wgmma_address(const struct bsim_wgmma_descriptor *descriptor,
                                     uint32_t element_bytes, uint32_t k, uint32_t i);

/* Whether the operand with that many rows (64 of A, n of B) can be what somebody stored: the fields are
 * such as a descriptor can have, all bytes lie below `window_bytes`, and no two elements are the same
 * bytes. BSIM_E_INPUT, without a place, says which are not. */
BSIM_API enum bsim_status bsim_wgmma_check(const struct bsim_wgmma_descriptor *descriptor,
                                           uint32_t element_bytes, uint32_t n_rows,
                                           uint32_t window_bytes,
                                           struct bsim_error *err) BSIM_MUST_USE;

/* Whether the operand reads what a copy of that box has put into shared memory, each element its own: if
 * the first is element e of row r, that of k and i is e + k of row r + i of the box, of an MN-major operand
 * e + i of row r + k. A third dimension of the box goes on where its rows end: boxes side by side. BSIM_E_INPUT,
 * without a place, says which element is not so. */
BSIM_API enum bsim_status bsim_wgmma_check_box(const struct bsim_wgmma_descriptor *descriptor,
                                               uint32_t element_bytes, uint32_t n_rows,
                                               const struct bsim_tma *box,
                                               struct bsim_error *err) BSIM_MUST_USE;

/* The descriptor that reads an operand of that many rows from that byte of that row of the box on; false: none
 * does. */
BSIM_API bool bsim_wgmma_of_box(const struct bsim_tma *box, uint32_t row, uint32_t byte,
                                uint32_t element_bytes, uint32_t n_rows, bool is_mn_major,
                                struct bsim_wgmma_descriptor *descriptor);

/* The 64 bits of a descriptor, which do not say whether it is MN-major: the instruction does. */
BSIM_API uint64_t bsim_wgmma_encode(const struct bsim_wgmma_descriptor *descriptor);
BSIM_API void bsim_wgmma_decode(uint64_t bits, struct bsim_wgmma_descriptor *descriptor);

#endif
