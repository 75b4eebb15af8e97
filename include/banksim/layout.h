/* layout.h - where in shared memory the elements of an array lie, if not in their order. */
#ifndef BANKSIM_LAYOUT_H
#define BANKSIM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BSIM_LAYOUT_MAX_BITS = 18, /* of an element's index: as many as a window has bytes */
};

/* Element i of an array, counted through all its dimensions, goes to place f(i): */
enum bsim_layout_kind {
    BSIM_LAYOUT_AS_IS,     /* i */
    BSIM_LAYOUT_PAD,       /* i + i / row * pad; with plane_pad, also that many rows per plane */
    BSIM_LAYOUT_PAD_TWICE, /* i + i / row * pad + i / (row * block_rows) * block_pad */
    BSIM_LAYOUT_ROW_XOR,   /* in row r: i ^ (r >> shift & (2^bits - 1)) << base */
    BSIM_LAYOUT_SWIZZLE,   /* i ^ (i >> shift & (2^bits - 1) << base): Swizzle<bits, base, shift> */
    BSIM_LAYOUT_TMA,       /* the same, and one of the modes in which TMA writes a tile */
    BSIM_LAYOUT_XOR,       /* i, exclusive or flip[j] for each bit j of i that is set */
    BSIM_LAYOUT_PAD_XOR,   /* PAD, and of the place that it gives XOR */
    BSIM_LAYOUT_ROTATE,    /* in row r: column (c + r * turn + r / block_rows * block_turn) % row; rows
                              lie row + pad apart. Of that, without a pad and in rows of a power of
                              two, exclusive or flip[j] for each bit j of r * row that is set */
};

struct bsim_layout {
    enum bsim_layout_kind kind;
    uint32_t row; /* elements: PAD, PAD_TWICE, ROW_XOR, ROTATE */
    uint32_t pad; /* elements */
    uint32_t plane_pad;
    uint32_t behind; /* unused elements at the array's end: PAD; what follows lies in other banks */
    uint32_t block_rows, block_pad; /* elements: PAD_TWICE; rows also of ROTATE */
    uint32_t turn, block_turn;      /* elements, less than a row: ROTATE */
    uint32_t columns; /* that rows are narrowed to: those behind are left out; 0: all stay */
    uint32_t bits, base, shift;     /* XOR, ROTATE: the bits from base up that change are so many */
    uint32_t flip[BSIM_LAYOUT_MAX_BITS];
    /* Of an array of structs, or of vectors: */
    uint32_t more_bytes; /* unused ones at the end of each */
    bool apart; /* each member has an array of its own, of n_places and of this layout; they
                            follow one another, each at a multiple of the array's alignment */
    uint32_t n_places;
};

#endif
