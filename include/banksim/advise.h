/* advise.h - which padding or swizzle rids the accesses of a check of their bank conflicts.
 *
 * A layout says where in shared memory the elements of an array lie. The search tries many for each
 * array, over all accesses, warps and loop values of the check together, and orders them by total
 * wavefronts, then by shared memory, by operations of the index, and by how simple they are. Only such layouts are tried as
 * leave every access in one piece and aligned. What is advised for an array holds for every access
 * to it: those that the check does not mention need the new index too.
 */
#ifndef BANKSIM_ADVISE_H
#define BANKSIM_ADVISE_H

#include <banksim/device.h>
#include <banksim/expr.h>
#include <banksim/layout.h>

enum {
    BSIM_ADVISE_MAX_PATTERNS = 1 << 16, /* different requests that one search looks at */
    BSIM_ADVISE_MAX_PLANS = 8,          /* the best of each array; and of each kind */
};
#define BSIM_ADVISE_NO_TWIN SIZE_MAX
#define BSIM_ADVISE_NO_FLAT SIZE_MAX

/* ---- layouts, as people write them ----------------------------------------------------------- */

/* Appends what to write in CUDA: the declaration of the array, aligned to `alignment` at least, of
 * n_elements elements where it is extern (as the launch has to provide). TYPE stands for a type that a recording does
 * not tell. */
BSIM_API void bsim_layout_declaration(const struct bsim_check_array *array,
                                      const struct bsim_layout *layout, uint32_t alignment,
                                      uint32_t n_elements, struct bsim_buffer *out);

/* What else there is to say of a layout. */
enum bsim_layout_word {
    BSIM_LAYOUT_NAME, /* "pad 1", "pad 1 every 32", "row-xor 5,0,0", "swizzle<3,3,3>", "swizzle 128B",
                          "xor 4:5,5:10" (flips by bit), "rotate 4 of 32"; "members apart", "structs of 20 bytes",
                          "16 more behind"; "[32][32] pad 1" of an array that is declared with more
                          columns */
    BSIM_LAYOUT_INDEX,   /* the index of the element that was at [z][y][x], or [i] of one dimension;
                          of members that lie apart, the first one's: "p_x[i]" */
    BSIM_LAYOUT_ELEMENT, /* what that stands for: "tile[y][x]", "p[i].x" */
    BSIM_LAYOUT_LINEAR,  /* where that has an i which counts through several dimensions:
                           "i = y * 32 + x"; otherwise nothing */
    BSIM_LAYOUT_CUTE,    /* in CuTe's words, on the index in row-major order, or nothing:
                         "Swizzle<3,3,3> o Swizzle<3,0,3>", of which the last acts first */
};

/* Appends it. */
BSIM_API void bsim_layout_spell(enum bsim_layout_word word, const struct bsim_check_array *array,
                                const struct bsim_layout *layout, struct bsim_buffer *out);

/* Appends what to write for element e of an array of several dimensions, counted through all of them,
 * "t[e / 32][e % 32] for (&t[0][0])[e]", perhaps with ", where i = e / 20 * 24 + e % 20"; nothing where
 * the layout leaves that as it is. */
BSIM_API void bsim_layout_flat(const struct bsim_check_array *array,
                               const struct bsim_layout *layout, struct bsim_buffer *out);

/* *n: operations of the index as it is spelled, beyond those of the element that it was. False when
 * memory is short. */
BSIM_API bool bsim_layout_operations(const struct bsim_check_array *array,
                                     const struct bsim_layout *layout, uint32_t *n);

/* ---- advice -------------------------------------------------------------------------------- */

/* What something costs. conflicts: excessive wavefronts. */
struct bsim_advice_cost {
    uint64_t wavefronts, conflicts;
};

/* A layout for each array, and what all accesses cost then. */
struct bsim_advice_plan {
    struct bsim_layout *layout;      /* by array */
    uint32_t *alignment;             /* by array, in bytes: what its accesses need */
    uint32_t *n_elements;            /* by array: how many it then has */
    bool *declares;                  /* by array: it has to be declared anew, be it only with an
                                        __align__ since another array before it grows */
    struct bsim_advice_cost *access; /* by access */
    struct bsim_advice_cost total;
    uint64_t cycles;       /* of the block, where the check has barriers or work, the operations of
                              the indices included; 0: not known */
    uint32_t shared_bytes; /* of the block; an extern array counts as far as it is accessed */
    uint32_t n_operations; /* that the indices have more than before, one of each array */
    struct bsim_occupancy occupancy;
    struct bsim_buffer written;  /* what became of it in the kernel's source, by who wrote it there, a line
                                    without its end; empty: nobody did */
    uint64_t written_wavefronts; /* that the kernel takes then; 0: not known */
    uint64_t written_cycles;     /* and its block's cycles; 0: not known */
};

/* One layout for one array, the others as they are. */
struct bsim_advice_candidate {
    size_t array;
    size_t order; /* among those of the array: the simpler first */
    struct bsim_layout layout;
    uint32_t alignment;
    uint32_t n_elements;
    struct bsim_advice_cost total; /* of all accesses */
    uint32_t shared_bytes;
    struct bsim_occupancy occupancy;
};

/* What a layout cannot change. */
struct bsim_advice_load {
    uint64_t requests;
    uint64_t ideal;
    uint64_t least; /* wavefronts that no layout can undercut: lanes that want one address of an
                       atomic take turns wherever it lies, and a word of a vector that stays whole
                       has but a part of the banks to lie in */
};

/* Why lanes of a request take more wavefronts than their words fill rows of banks: these are parts of
 * vectors, all in the same place, that stay whole. */
struct bsim_advice_bound {
    uint32_t bytes; /* of the vectors; 0: there is no such request */
    size_t whole;   /* the access that takes them at once */
    size_t access;  /* of the request */
    uint32_t lanes; /* a group of them: a mask */
    uint32_t words; /* different ones that they want */
    uint32_t banks; /* that these can lie in */
};

/* What an access looks like: reasons not to fit a layout to it. */
struct bsim_advice_shape {
    bool is_irregular; /* most of its requests follow no formula of the lanes' numbers: a hash, a
                          table. Layouts are chosen by what others take, in hints and for a
                          recording, which is a sample of what data give */
    bool is_flat;      /* it counts through an array of several dimensions by itself, as
                          ((float *)t)[e] does: it has an index of its own */
    bool is_helped;    /* of hints: some layout that was tried takes conflicts from it, be it at
                          another's cost */
    size_t twin; /* an access of the same array which looks like this one before or after a remedy,
                    or BSIM_ADVISE_NO_TWIN */
    bool is_after;             /* this one comes after the remedy */
    struct bsim_layout remedy; /* of their array */
};

/* What helps a single access that has conflicts: only the arrays that it touches change, and no
 * other access gets worse. The best first. */
struct bsim_advice_hint {
    size_t n_plans;
    struct bsim_advice_plan *plan;
    /* One or two sentences without the last full stop: "Write tile[y][x ^ y] for tile[y][x], or
     * declare __shared__ float tile[32][33]: 32 wavefronts instead of 1024 for its 32 requests"; or
     * why there is none. Of a recording it says that its accesses may be merged otherwise then. Empty for an access
     * without conflicts. At the first access with conflicts
     * to an array of structs (no extern one, at most 16,384 requests) also, on a line of its own,
     * what all accesses to that would take as an array per member, and with a padding in each
     * struct, if it is less than now. */
    struct bsim_buffer remedy;
};

/* What was tried for an array. */
struct bsim_advice_tried {
    size_t n_layouts;
    uint64_t n_patterns; /* different requests that touch it */
    uint64_t n_sampled;  /* of these, how many each layout was tried on at most. What is told was
                            counted on all */
};

struct bsim_advice {
    struct bsim_device device;
    double tried_share;  /* of the kernel's cycles, what the fastest layout takes that was tried in its file, of hints; 1: none
                            is faster; 0: none was tried */
    uint64_t cycles_now; /* of the kernel's block as it stands, where plans have written_cycles; 0: not known */
    size_t n_arrays, n_accesses;
    uint64_t n_patterns; /* different requests */
    uint32_t rules;      /* bit r: enum bsim_rule r took part in the costs of what is there */
    bool is_sample;      /* of a recording that kept a part of the requests: nothing is proven */
    bool is_joint;       /* a request mixes arrays: not all combinations of layouts were tried */
    struct bsim_advice_load *access; /* by access */
    bool *touches;                   /* [access * n_arrays + array]: some lane of the access does */
    struct bsim_advice_shape *shape; /* by access */
    size_t *flat; /* by array of several dimensions: the first access that counts through these by
                     itself, as ((float *)t)[e] does; BSIM_ADVISE_NO_FLAT: there is none */
    struct bsim_advice_hint *hint;   /* by access; NULL unless hints were asked for */
    struct bsim_advice_tried *tried; /* by array */
    struct bsim_advice_load total;
    struct bsim_advice_bound bound; /* of a request that it costs most */
    struct bsim_advice_plan before; /* every array as it is */
    uint32_t most_bytes;            /* that a layout may take: what the device gives a block, or
                                       BSIM_STATIC_SHARED_BYTES if that does for now */
    bool is_limited;                /* some layout needed more */
    bool is_best_linear; /* of plans: no layout that is linear over GF(2) takes fewer wavefronts
                            than the best of them, or, without one, than what is there; all of them
                            were searched */
    bool
        is_least_apart; /* one that takes more cycles has fewer wavefronts, and n_plans left it out */
    size_t n_plans;     /* 0: nothing is better than what is there */
    struct bsim_advice_plan *plan; /* the best first, by cycles where they are known */
    size_t n_tried;                /* layouts that were looked at */
    size_t n_candidates;           /* of `all`, array by array, in each the best first */
    struct bsim_advice_candidate *candidate;
};

struct bsim_advise_options {
    uint32_t registers; /* of each thread, for the occupancy; 0: as many as the recorded kernel says, if it is one */
    size_t n_plans;     /* at most; 0: 3. Each has another kind of layout in some array */
    bool all;           /* keep every candidate, also those that make it worse */
    bool hints; /* look for hints instead of plans, with bounded work: where the requests are
                       too many, layouts are tried on a sample of them */
};

/* Advises for a sealed check. options NULL: none. Fails with what bsim_check_each answers, with
 * BSIM_E_USAGE for registers that no block fits with, with BSIM_E_INPUT for an opcode that the
 * device does not execute, for more shared memory than it gives a block, for more different
 * requests than BSIM_ADVISE_MAX_PATTERNS and for a check with indices that data decide, and with
 * BSIM_E_MEMORY. Tiles of TMA and wgmma stay as they are. Each plan and hint was laid out and counted anew before it is told: its elements
 * keep apart and within what it declares, its accesses stay whole and aligned. *advice does not
 * refer to the check or the device; the caller frees it. */
BSIM_API enum bsim_status bsim_advise(const struct bsim_check *check,
                                      const struct bsim_device *device,
                                      const struct bsim_advise_options *options,
                                      struct bsim_advice **advice,
                                      struct bsim_error *err) BSIM_MUST_USE;

/* Appends all that a plan or a hint's plan changes, "Write tile[y][x ^ y] for tile[y][x] and declare __shared__ float t[33]",
 * its first word "write" unless it begins a sentence. check is the one that the advice is for. */
BSIM_API void bsim_advice_changes(const struct bsim_check *check, const struct bsim_advice *advice,
                                  const struct bsim_advice_plan *plan, bool begins,
                                  struct bsim_buffer *out);

/* The plan with the fewest wavefronts, the first of several; without plans what is there. */
BSIM_API const struct bsim_advice_plan *bsim_advice_least(const struct bsim_advice *advice);

/* NULL is fine. */
BSIM_API void bsim_advice_free(struct bsim_advice *advice);

#endif
