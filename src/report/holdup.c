/* holdup.c - what holds a launch up, in words: the sentence that decides whether conflicts matter.
 *
 *     held up by device memory: 54300 cycles of the launch (measured), if no cache has its sectors;
 *     shared memory takes 12400, L2's answers 1820; without conflicts, index arithmetic not counted, at most
 *     1.12 times as fast, as device memory takes 54300 anyway
 *
 * That is what the pipe would allow: a layout without conflicts has indices that take instructions. Where layouts were
 * tried in the kernel's file, what the best of them gives stands in its place.
 * The largest number decides. What the others take is told, for who knows that a cache has it.
 */
#include "report/holdup.h"

#include "report/cycles.h"

#include <inttypes.h>

/* Of a launch in whose clocks the data pipe is busy that often no stall says more. */
#define BUSY 0.8

static const char *const names[BSIM_N_HOLDS] = {
    [BSIM_HOLDS_SHARED] = "shared memory",
    [BSIM_HOLDS_PIPE] = "the data pipe, with global requests",
    [BSIM_HOLDS_L2] = "waiting for L2",
    [BSIM_HOLDS_CONSTANT] = "constant memory",
    [BSIM_HOLDS_PEERS] = "traffic between the cluster's blocks",
    [BSIM_HOLDS_DRAM] = "device memory",
};

/* In csv and json. */
static const char *const keys[BSIM_N_HOLDS] = {
    [BSIM_HOLDS_PIPE] = "data pipe",     [BSIM_HOLDS_L2] = "L2 latency",
    [BSIM_HOLDS_CONSTANT] = "constant memory", [BSIM_HOLDS_PEERS] = "peers",
    [BSIM_HOLDS_DRAM] = "device memory",
};

enum reason { BY_PIPE, BY_ISSUE, BY_RESULTS, BY_BARRIERS, BY_TENSOR, BY_COPIES, BY_WAITS, BY_CP_ASYNC };

static const char *const reasons[] = {
    [BY_PIPE] = "shared memory's data pipe",
    [BY_ISSUE] = "issue and arithmetic",
    [BY_RESULTS] = "shared memory's latency",
    [BY_BARRIERS] = "barriers",
    [BY_TENSOR] = "the tensor cores",
    [BY_COPIES] = "copies by TMA",
    [BY_WAITS] = "waits for copies and wgmma, of which too few are under way",
    [BY_CP_ASYNC] = "waits for cp.async, of which too few are under way",
};

static const char *const alone_reasons[] = {"its data pipe", "issue and arithmetic", "its latency",
                                    "barriers"};

static const char *const reason_keys[] = {
    "shared data pipe", "issue", "shared latency", "barriers", "tensor cores", "TMA", "waits", "waits"};

/* Of results of that family's instructions, summed over all warps. */
static uint64_t waits_for(const struct bsim_kernel_result *kernel, enum bsim_family family)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        sum += site->opcode.family == family ? site->timed.stalls.latency : 0;
    }
    return sum;
}

/* What most of an average warp's time goes on. Where TMA copies, barriers are mbarriers: those that only warps meet at are
 * not told apart. */
static enum reason longest_stall(const struct bsim_kernel_result *kernel)
{
    const struct bsim_stalls *stalls = &kernel->timed.stalls;
    uint64_t wgmma = waits_for(kernel, BSIM_WGMMA), cp_async = waits_for(kernel, BSIM_CP_ASYNC);
    bool copies = kernel->timed.copies > 0;
    const uint64_t share[] = {
        [BY_PIPE] = stalls->pipe,
        [BY_ISSUE] = stalls->issue,
        [BY_RESULTS] = stalls->latency - wgmma - cp_async,
        [BY_BARRIERS] = copies ? 0 : stalls->barrier,
        [BY_WAITS] = wgmma + (copies ? stalls->barrier : 0),
        [BY_CP_ASYNC] = cp_async,
    };
    enum reason by = BY_PIPE;
    for (int i = BY_ISSUE; i <= BY_CP_ASYNC; i++) {
        by = share[i] > share[by] ? (enum reason)i : by;
    }
    return by;
}

/* A unit beside wgmma and TMA holds a kernel up that is at work two thirds of the time or more. One that rests longer has
 * time for half as much again: traces/mainloop.check's tensor cores work 50 per cent with two stages, 74 with three. */
static enum reason busiest_of(const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t pipe = timed->cycles_bound;
    uint64_t most = pipe > timed->copies ? pipe : timed->copies;
    most = timed->tensor > most ? timed->tensor : most;
    return 3 * most < 2 * timed->cycles ? longest_stall(kernel)
           : timed->tensor == most      ? BY_TENSOR
           : timed->copies == most      ? BY_COPIES
                                        : BY_PIPE;
}

/* The pipe is nearly always busy, but little waits for it: of an average warp's time four fifths go on its own
 * instructions. */
static bool waits_for_issue(const struct bsim_stalls *stalls)
{
    return stalls->issue > 4 * (stalls->pipe + stalls->latency + stalls->barrier);
}

/* If shared memory decides. */
static enum reason reason_of(const struct bsim_kernel_result *kernel,
                             const struct bsim_holdup *holdup)
{
    double pipe = (double)holdup->clocks[BSIM_HOLDS_PIPE];
    if (kernel->timed.tensor > 0 || kernel->timed.copies > 0) {
        return busiest_of(kernel);
    }
    bool is_busy = pipe >= BUSY * (double)holdup->clocks[BSIM_HOLDS_SHARED];
    return is_busy && !waits_for_issue(&kernel->timed.stalls) ? BY_PIPE : longest_stall(kernel);
}

static enum bsim_grade grade_of(const struct bsim_kernel_result *kernel, enum bsim_holds by)
{
    enum bsim_grade clock = kernel->device.clock_basis.grade,
                    memory = kernel->device.memory_basis.grade;
    switch (by) {
    case BSIM_HOLDS_SHARED:
        return kernel->timed.grade;
    case BSIM_HOLDS_DRAM:
        return memory > clock ? memory : clock;
    default:
        return kernel->timed.timing.memory_basis.grade;
    }
}

static const char *caveat(enum bsim_holds by)
{
    return by == BSIM_HOLDS_DRAM ? ", if no cache has its sectors" : "";
}

/* "; shared memory takes 12400, waiting for L2 1820" */
static void add_others(const struct bsim_holdup *holdup, struct bsim_buffer *out)
{
    const char *separator = "; ", *verb = " takes";
    for (int i = 0; i < BSIM_N_HOLDS; i++) {
        uint64_t clocks = i == BSIM_HOLDS_PIPE ? 0 : holdup->clocks[i];
        if (clocks > 0 && (int)holdup->by != i) {
            bsim_buffer_printf(out, "%s%s%s %" PRIu64, separator, names[i], verb, clocks);
            separator = ", ";
            verb = "";
        }
    }
}

static bool knows_ideal(const struct bsim_kernel_cycles *timed)
{
    return timed->ideal && timed->cycles > 0 && timed->cycles_ideal < timed->cycles;
}

/* Of the launch's clocks, those without conflicts. */
static double ideal_share(const struct bsim_kernel_cycles *timed)
{
    return timed->launch_ideal > 0 ? (double)timed->launch_ideal / (double)timed->launch_cycles
                                   : (double)timed->cycles_ideal / (double)timed->cycles;
}

static void add_anyway(const struct bsim_holdup *holdup, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, ", as %s takes %" PRIu64 " cycles anyway%s",
                       holdup->anyway == BSIM_HOLDS_PIPE ? "global memory in the data pipe"
                                                         : names[holdup->anyway],
                       holdup->anyway_clocks, caveat(holdup->anyway));
}

/* Whether two digits behind the point tell both apart. */
static bool is_less(double gain, double alone)
{
    return gain < alone - 0.005;
}

static void add_gain(const struct bsim_kernel_result *kernel, const struct bsim_holdup *holdup,
                     double tried_share, struct bsim_buffer *out)
{
    double share = tried_share > 0 ? tried_share : ideal_share(&kernel->timed), gain = bsim_holdup_gain(holdup, share);
    if (tried_share >= 1) {
        bsim_buffer_text(out, "; no layout that was tried is faster");
        return;
    }
    bsim_buffer_printf(out, tried_share > 0 ? "; with the best layout that was tried %.2f times as fast"
                                            : "; without conflicts, index arithmetic not counted, at most %.2f times as fast",
                       gain);
    if (share > 0 && is_less(gain, 1 / share)) {
        add_anyway(holdup, out);
    }
}

/* False where nothing is known, or no memory is asked for anything. */
static bool find(const struct bsim_kernel_result *kernel, struct bsim_holdup *holdup)
{
    bool is_known = bsim_cycles_holdup(kernel, holdup);
    if (bsim_cycles_known(kernel) == NULL) {
        is_known = is_known && holdup->by != BSIM_HOLDS_SHARED;
        holdup->clocks[BSIM_HOLDS_SHARED] = 0; /* what was played is none of its requests */
    }
    return is_known;
}

void bsim_holdup_text(const struct bsim_kernel_result *kernel, double tried_share, struct bsim_buffer *out)
{
    struct bsim_holdup holdup;
    if (!find(kernel, &holdup)) {
        return;
    }
    bool is_shared = holdup.by == BSIM_HOLDS_SHARED;
    enum reason reason = reason_of(kernel, &holdup);
    if (holdup.anyway_clocks == 0 && reason <= BY_BARRIERS) {
        bsim_buffer_printf(out, "held up by shared memory alone: %s", alone_reasons[reason]);
    } else {
        bsim_buffer_printf(out, "held up by %s: %" PRIu64 " cycles of the launch (%s)%s",
                           is_shared ? reasons[reason] : names[holdup.by], holdup.clocks[holdup.by],
                           bsim_grade_name(grade_of(kernel, holdup.by)), caveat(holdup.by));
        add_others(&holdup, out);
    }
    if (knows_ideal(&kernel->timed)) {
        add_gain(kernel, &holdup, tried_share, out);
    }
    bsim_buffer_text(out, "\n");
}

void bsim_holdup_anyway_text(const struct bsim_kernel_result *kernel, double share,
                             struct bsim_buffer *out)
{
    struct bsim_holdup holdup;
    if (find(kernel, &holdup) && share > 0) {
        double gain = bsim_holdup_gain(&holdup, share);
        if (is_less(gain, 1 / share)) {
            bsim_buffer_printf(out, ", %.2f at most", gain);
            add_anyway(&holdup, out);
        }
    }
}

const char *bsim_holdup_find(const struct bsim_kernel_result *kernel, struct bsim_holdup *holdup,
                             double *gain)
{
    if (!find(kernel, holdup)) {
        return NULL;
    }
    *gain = knows_ideal(&kernel->timed) ? bsim_holdup_gain(holdup, ideal_share(&kernel->timed)) : 0;
    return holdup->by == BSIM_HOLDS_SHARED ? reason_keys[reason_of(kernel, holdup)]
                                           : keys[holdup->by];
}
