/* tma.h - copies by Hopper's TMA between global and shared memory: where they put each element, what
 * they take, and what makes them slow.
 *
 * Pure arithmetic, as in model.h: no allocation, no I/O, no state. Thread-safe. Rules and sources are
 * at the head of src/model/tma.c; all were measured on an H200 or an H100 (compute capability 9.0).
 */
#ifndef BANKSIM_TMA_H
#define BANKSIM_TMA_H

#include <banksim/status.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    BSIM_TMA_MAX_DIMS = 5,
    BSIM_TMA_MAX_BOX = 256, /* elements along each dimension */
    BSIM_TMA_HALF_BYTES = 128 << 10,
};

enum bsim_tma_way {
    BSIM_TMA_LOAD,   /* into shared memory */
    BSIM_TMA_STORE,  /* out of it */
    BSIM_TMA_REDUCE, /* out of it, added to what is there (measured: add.u32) */
};

/* In the order of CUtensorMapSwizzle. */
enum bsim_tma_swizzle {
    BSIM_TMA_NO_SWIZZLE,
    BSIM_TMA_32B,
    BSIM_TMA_64B,
    BSIM_TMA_128B,
};

/* "none", "32B", "64B" or "128B", as bsim_tma_parse reads it. */
BSIM_API const char *bsim_tma_swizzle_name(enum bsim_tma_swizzle swizzle);

/* A copy: of a box of a tensor (cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, without interleave
 * and with element strides of 1), or of bytes in a row (cp.async.bulk). */
struct bsim_tma {
    enum bsim_tma_way way;
    uint32_t n_dims;                 /* 1 to 5; 0: bytes in a row */
    uint32_t element_bytes;          /* 1, 2, 4 or 8; in a row 1 */
    uint32_t box[BSIM_TMA_MAX_DIMS]; /* elements, the innermost dimension first; in a row box[0] */
    enum bsim_tma_swizzle swizzle;
    uint32_t start;       /* in the block's window */
    uint64_t from;        /* the global side's first byte */
    uint64_t pitch_bytes; /* there, from row to row of the box; 0: some multiple of 32 */
    uint32_t inside;      /* elements of each row that the tensor has, from the first on: a store or reduction of a box
                             sends no others. 0: all; a load is whole in any case */
};

struct bsim_tma_counts {
    uint64_t bytes;
    uint64_t words;   /* that the banks of shared memory read or write: no wavefront, no conflict */
    uint64_t sectors; /* of 32 bytes that go to or come from L2 */
    uint64_t pieces;  /* that lie in one line of 128 bytes of either side, as rows go */
    double cycles;    /* from one copy to the next, many back to back, of one SM, in L2 */
    bool is_timed; /* or such copies take up to 1.6 times as long as cycles, and why is not known */
};

/* What bsim_tma_warnings finds, as bits. */
enum {
    /* The tile begins off its swizzle's pattern: only who swizzles addresses finds its elements. */
    BSIM_TMA_OFF_PATTERN = 1,
    /* Rows are so short that the copy is slower by byte: a load's of less than 128 bytes, of which each
     * takes a clock, or a store's of less than a sector. */
    BSIM_TMA_SHORT_ROWS = 2,
    /* The sides lie 16 bytes apart modulo a sector, which goes twice then. */
    BSIM_TMA_SIDES_APART = 4,
    /* Rows are shorter than the swizzle's: what is behind them stays as it was. */
    BSIM_TMA_GAPS = 8,
    /* Rows lie across lines of 128 bytes, in more pieces than if each began at a line of global memory (bytes in a
     * row: where they begin in one of shared memory), and take more clocks than they would then. */
    BSIM_TMA_ACROSS_LINES = 16,
};

/* Reads "half box=64x64 swizzle=128B start=1024" into *tma: [load|store|reduce], a type of C (half,
 * __nv_bfloat16, float, ...) or a width (b16) and box=, or `bulk` and bytes=, then swizzle=, start=,
 * from=, pitch= and inside=, each once. Fails with BSIM_E_INPUT, saying what is wrong, without a place. */
BSIM_API enum bsim_status bsim_tma_parse(const char *text, struct bsim_tma *tma,
                                         struct bsim_error *err) BSIM_MUST_USE;

/* Whether there can be such a copy into a window of that many bytes: what cuTensorMapEncodeTiled and PTX
 * ask of a box, a start, and the global side. BSIM_E_INPUT, without a place, says what they do not
 * take. The functions below are for copies that pass. */
BSIM_API enum bsim_status bsim_tma_check(const struct bsim_tma *tma, uint32_t window_bytes,
                                         struct bsim_error *err) BSIM_MUST_USE;

/* Rows of the box, those of all dimensions but the innermost, and the bytes of one. */
BSIM_API uint32_t bsim_tma_rows(const struct bsim_tma *tma);
BSIM_API uint32_t bsim_tma_row_bytes(const struct bsim_tma *tma);

/* Bytes from row to row in shared memory, before the swizzle. */
BSIM_API uint32_t bsim_tma_span(const struct bsim_tma *tma);

/* Where in shared memory that byte of that row of the box lies; rows of higher dimensions count
 * through. */
BSIM_API uint32_t bsim_tma_address(const struct bsim_tma *tma, uint32_t row, uint32_t byte);

/* Which byte of which row lies there; false: none, and neither is set. */
BSIM_API bool bsim_tma_find(const struct bsim_tma *tma, uint32_t address, uint32_t *row, uint32_t *byte);

BSIM_API void bsim_tma_count(const struct bsim_tma *tma, struct bsim_tma_counts *counts);

/* Clocks that the copy takes from the block's loads (of_loads) or stores to the half of shared memory,
 * below or above BSIM_TMA_HALF_BYTES, that `address` lies in. */
BSIM_API double bsim_tma_taken_cycles(const struct bsim_tma *tma, bool of_loads, uint32_t address);

/* BSIM_TMA_... of the copy, ored. */
BSIM_API uint32_t bsim_tma_warnings(const struct bsim_tma *tma);

/* Bytes after which the swizzle's pattern begins again: 1024, 512, 256; 128 without one, where a tile may
 * begin. */
BSIM_API uint32_t bsim_tma_pattern_bytes(const struct bsim_tma *tma);

#endif
