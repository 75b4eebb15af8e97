/* spread.c - between which clocks a launch lies.
 *
 * Warps that wait for the data pipe or for a barrier take turns in one rhythm or another, and the GPU itself
 * changes from one to the other from SM to SM:
 *
 *     block 0  st bar   st bar   st bar          block 0  st bar       st bar
 *     block 1    st bar   st bar   st bar        block 1     st    bar    st    bar
 *
 * The model plays one of them, of several blocks the median of seven. Which there are cannot be told from the program, but how
 * far they are apart can: a pipe that is never idle leaves little to a rhythm. A range has what an H200 or H100 took of all timed
 * rows of its kind with shared accesses (15,806 in all: seeds 7, 12, 14 to 22, 24 to 29, the short loops and the fixed ones), over
 * what was played, rounded outwards to five per cent, of all but five that are more than 20 % off; those of seed 31 asked for the
 * 70 of blocks side by side that seeds before had asked for, and those of seed 32 are what they are held against, see README.md. Few
 * warps side by side that need the pipe half of the time are told by what bounds them instead; those of wgmma and TMA were read off
 * all rows of h200/mainloop and h100/mainloop; and no launch is shorter than what the pipe takes.
 */
#include "result/clock.h"
#include "result/cycles.h"

#include <banksim/result.h>

struct range {
    uint32_t least, most; /* per cent of what was played */
};

enum { FEW_WARPS = 2, SOME_WARPS = 8, FULL_PER_CENT = 95, HALF_PER_CENT = 50 };

/* A launch whose SMs have at_once blocks at a time. */
struct kind {
    double pipe;   /* per cent of the time that the data pipe is busy */
    double serial; /* what the blocks take one behind the other, in per cent */
    uint64_t at_once, warps;
    bool meets;    /* at barriers */
    bool is_async; /* has wgmma or copies by TMA, whose mbarriers hold warps up */
    bool is_played; /* as many blocks as an SM has at a time, not one alone */
};

/* Both ends are rounded outwards: a range has no less in it than it says. */
static uint64_t part_down(uint64_t clocks, uint32_t per_cent)
{
    return clocks / 100 * per_cent + clocks % 100 * per_cent / 100;
}

static uint64_t part_up(uint64_t clocks, uint32_t per_cent)
{
    return clocks / 100 * per_cent + (clocks % 100 * per_cent + 99) / 100;
}

/* A positive number below 2^63. */
static uint64_t round_up(double number)
{
    uint64_t whole = (uint64_t)number;
    return whole + ((double)whole < number);
}

static struct kind kind_of(const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t at_once = bsim_cycles_at_once(kernel);
    uint64_t threads = (uint64_t)kernel->block.x * later(kernel->block.y, 1) *
                       later(kernel->block.z, 1);
    double wave = (double)timed->launch_cycles / (double)timed->waves;
    double each = 100 * (double)at_once / (double)later(kernel->blocks, 1) / (wave > 0 ? wave : 1);
    return (struct kind){.pipe = (double)timed->cycles_bound * each,
                         .serial = (double)timed->cycles * each,
                         .at_once = at_once,
                         .warps = (threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES,
                         .meets = kernel->barriers > 0,
                         .is_async = timed->tensor > 0 || timed->copies > 0,
                         .is_played = at_once <= 1 || bsim_cycles_is_sampled(kernel)};
}

/* Of one block at a time. Three to eight warps that never meet stay as they once fell in behind each other; of others
 * it is the arithmetic that has several rhythms. */
static struct range alone(const struct kind *kind)
{
    bool is_few = kind->warps <= FEW_WARPS;
    if (kind->pipe >= FULL_PER_CENT) {
        bool drifts = !kind->meets && !is_few && kind->warps <= SOME_WARPS;
        return (struct range){95, drifts ? 150 : kind->meets && !is_few ? 140 : 120};
    }
    if (kind->meets) {
        return is_few ? (struct range){85, 115} : (struct range){80, 130};
    }
    return is_few ? (struct range){85, 135} : (struct range){70, 135};
}

/* The blocks one behind the other, and what their barriers add; no more than `most`. */
static uint32_t in_turn(const struct kind *kind, uint32_t most)
{
    enum { BARRIERS = 105 };
    double serial = kind->serial * BARRIERS / 100;
    return serial < BARRIERS ? BARRIERS : serial < most ? (uint32_t)round_up(serial) : most;
}

/* Blocks of few warps take what the pipe takes at best, and at worst turns: each waits until the one before is
 * through, or every second does. */
static struct range of_few(const struct kind *kind)
{
    enum { LEAST = 70, MOST = 200 };
    return (struct range){LEAST, kind->pipe >= HALF_PER_CENT ? in_turn(kind, MOST) : 145};
}

/* Blocks of one warp that take turns at barriers here may go side by side on the GPU, each as if it were alone, as far
 * as the pipe allows: a warp alone leaves half of its turns. Two with `st4:32 bar bar` take 127 clocks a turn here, 127 on
 * most SMs and 64 on others. */
static struct range of_one_that_meets(const struct kind *kind)
{
    enum { ALONE = 85 };
    struct range range = of_few(kind);
    double alone = kind->serial / (double)kind->at_once * ALONE / 100;
    return (struct range){alone < range.least ? (uint32_t)alone : range.least, range.most};
}

/* Of blocks that took too long to play side by side only their bounds are known: one alone, or the pipe, and all
 * one behind the other. */
static struct range unplayed(const struct kind *kind)
{
    enum { LEAST = 85, MOST = 1000000 };
    return (struct range){LEAST, in_turn(kind, MOST)};
}

static struct range side_by_side(const struct kind *kind)
{
    bool is_few = kind->warps <= FEW_WARPS;
    if (kind->pipe >= FULL_PER_CENT && !(is_few && kind->meets)) {
        return (struct range){95, 140};
    }
    if (is_few) {
        return kind->meets && kind->warps == 1 ? of_one_that_meets(kind) : of_few(kind);
    }
    return kind->meets ? (struct range){70, kind->pipe >= HALF_PER_CENT ? 145 : 130} : (struct range){70, 130};
}

static struct range range_of(const struct kind *kind)
{
    return !kind->is_played    ? unplayed(kind)
           : kind->is_async    ? (struct range){89, 130}
           : kind->at_once > 1 ? side_by_side(kind)
                               : alone(kind);
}

/* What the pipe takes of the launch. */
static uint64_t bound_of(const struct kind *kind, uint64_t clocks)
{
    return kind->pipe < 100 ? (uint64_t)((double)clocks * kind->pipe / 100) : clocks;
}

/* Blocks that differ go to the SM that is free next, so that one may end later than the average by the longest
 * block, or by what that has more than the average as often as an SM has one. */
static uint64_t uneven(const struct bsim_kernel_cycles *timed, uint64_t blocks, uint64_t at_once)
{
    uint64_t average = blocks > 0 ? timed->cycles / blocks : 0;
    if (timed->launch_cycles <= timed->cycles_longest || timed->cycles_longest <= average + 1) {
        return 0;
    }
    double more = (double)(timed->cycles_longest - average) * (double)timed->waves * (double)at_once;
    return more < (double)timed->cycles_longest ? round_up(more) : timed->cycles_longest;
}

bool bsim_cycles_spread(const struct bsim_kernel_result *kernel, struct bsim_spread *spread)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t clocks = timed->launch_cycles;
    *spread = (struct bsim_spread){clocks, clocks};
    if (timed->waves == 0 || clocks == 0 || clocks >= BSIM_NEVER) {
        return false;
    }
    struct kind kind = kind_of(kernel);
    struct range range = range_of(&kind);
    spread->least = later(part_down(clocks, range.least), bound_of(&kind, clocks));
    spread->most = part_up(clocks, range.most) + uneven(timed, kernel->blocks, kind.at_once);
    return true;
}
