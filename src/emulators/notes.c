/* notes.c - where a text says something else than its kernel shows here, or the kernel could not be
 * taken as it stands. traces/TEXTS.md has every statement; here are those that whoever runs the
 * kernel would otherwise miss. The measured numbers are those of tests/measured/h200. */
#include "emulators/emulators.h"

#include <string.h>

static const char out_of_array[] = "004 declares s[8][32] and reads 32 rows of it, beyond its end; "
                                   "here s has 32 rows, in the same banks.";
static const char a_quarter[] =
    "001 prints \"14\" for the stores to global memory that are left: a quarter, as of the blocks.";
static const char stores_or_loads[] = "003 has conflicting stores generally faster than loads that "
                                      "are not coalesced. Cycles of shared memory alone say the "
                                      "opposite, as such loads cost nothing there: compare the "
                                      "second numbers of the lines 'with global memory'. An H200 "
                                      "took 3,689 clocks for the stores, 3,740 for the loads.";

static const char index_arithmetic[] =
    "002 finds that dynamic shared memory costs a little: the arithmetic of its index, which is "
    "in no request. An H200's SM was at work for 1,396 clocks instead of 1,390, padded for 453 "
    "instead of 434.";

#define STENCILS                                                                                 \
    "The cycles of shared memory are the same for all three stencils; what sets them apart is "  \
    "in the lines 'with global memory'. In blocks of 32, as here, an H200 took 696 clocks with " \
    "constants, 677 by the read-only cache, which goes against the text, and 2,209 where "       \
    "threads want different ones; the text's order shows in a block of 1024: 1,099, 1,203 and "  \
    "9,198."

static const struct {
    const char *name;
    const char *note;
} notes[] = {
    {"square_set_row_read_col_dyn", index_arithmetic},
    {"square_set_row_read_col_dyn_pad", index_arithmetic},
    {"square_set_col_read_col",
     "002 has rows about 2 times as fast, by launches, most of which is the same for both. The "
     "cycles here are the block's own. An H200's SM was at work for 2,319 clocks, by rows for "
     "421; the launches took 2,592 and 1,664 ns."},
    {"rect_set_col_read_col", "002 has 8 transactions per request: a Kepler's (--device k40), "
                              "whose banks hand out two words at once. From compute capability "
                              "5.0 on there are 16."},
    {"reduce_shared_mem_unroll4", a_quarter},
    {"reduce_shared_mem_unroll4_dyn", a_quarter},
    {"histogram_global",
     "003 speaks of n stores. Threads that add to one count need atomics: n of them, in a "
     "request for each warp and turn."},
    {"quadratic_uncoalesced_loads", stores_or_loads},
    {"quadratic_conflicting_stores", stores_or_loads},
    {"loads_all_conflicts", out_of_array},
    {"loads_warp_conflicts", out_of_array},
    {"loads_vectorized_loads",
     "004 takes the lanes for rotated, a word of each in every pass. That would take 4 passes "
     "too, but no fewer where lanes share, and its multicast_quads takes 2: quarter-warps go one "
     "after another, each with all of its words in one pass (lesson 8)."},
    {"loads_multicast_quads",
     "004 finds no reason for twice the time of pairs: quarter-warps become half-warps when "
     "neighbours agree, but the halves of a warp never go together with 16 bytes (lesson 8)."},
    {"stencil_constant",
     "000 has the threads read coefficients from constant memory. The compiler knows where they "
     "are and makes them operands: no load is left. " STENCILS},
    {"stencil_readonly", STENCILS},
    {"stencil_divergent", STENCILS},
};

const char *bsim_emulator_note(const struct bsim_emulator *emulator)
{
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (strcmp(notes[i].name, emulator->name) == 0) {
            return notes[i].note;
        }
    }
    return NULL;
}
