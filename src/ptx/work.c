/* work.c - what stands between accesses, for cycles: how many instructions, how long they take at
 * least, and which loads' results they want.
 *
 *     ld.shared %r1, [%r9]           a load: %r1 is outstanding
 *     ld.shared %r2, [%r9+128]       another
 *     add %r3, %r1, 5                wants %r1: at most one load may be outstanding
 *     add %r4, %r3, 1                wants what the addition before has 5 clocks later
 *     st.shared [%r8], %r4           before it: work 1:10 wait=1
 *
 * PTX is not what the GPU executes: ptxas orders instructions anew. So what stands between two
 * branches lets loads pass that want nothing of it, as far as there are registers for them. What wants a
 * load comes behind the loads that ptxas places while it waits for that one, some ten, and from there on one behind
 * the other: of 64 products each LDS has an FFMA behind it that wants the tenth before (nvcc 13.0, the sums of
 * matrix times vector and of rows; 9 to 12 loads stand in front of the first). They come before stores by the register
 * of their addresses, too, as these lead elsewhere: so all eight of a turn in the exponentials of a softmax. A shuffle's
 * result is waited for as a load's is, by a scoreboard, and comes in order with them: both go by at once, and what wants either comes
 * behind both. (A triangular solver's turn: LDS, SHFL, and an FMUL that waits for the SHFL alone, though the FFMA behind it wants the
 * LDS.) Arithmetic passes stores that it has nothing to do with, up to the last branch, barrier or division with a long way (slow.c): its
 * clocks count from there. A branch issues behind all that stands in front of it, but for what counts a loop's turns, which stands where
 * their block begins; what it takes is measured (tests/measured/h200/branches), and where lanes meet another block begins. No load passes a product of matrices: LDSM and LDS stand behind the HMMA before them (nvcc 13.0: ldmatrix or
 * lanes' loads beside mma, and wmma). But of what stands behind a barrier the first instruction that wants a load for
 * what is stored next comes before it. Half of what stands between two wgmmas comes behind the next wait for
 * them: in a main loop's turn PTX has 57 % of its instructions there, ptxas (nvcc 13.0) 16 to 50 % in
 * seven kernels, and where they stand counts, as the tensor cores hide them. How long instructions and
 * branches take is measured, the rest is assumed.
 */
#include "ptx/work.h"

#include "base/memory.h"

#include <string.h>

enum {
    HALVES = 4,       /* half clocks of an instruction of the trace's */
    MOST_AHEAD = 20,  /* registers of loads that have passed */
    LOADS = 64,       /* that may be under way */
    FRAGMENT_CLOCKS = 23, /* from a load of fragments to its result, where nothing else has the data pipe (../timing) */
    LOAD_CLOCKS = 37, /* from a load to what ptxas places behind it as wanting its result */
    LOOK_AHEAD = 64,  /* steps behind a store in which a load by its register is looked for */
    GUARD_CLOCKS = 8, /* a predicate is there so much later for a condition (@p) than as an operand: after 13 clocks, not 5 */
    COUNT_CLOCKS = 10, /* a turn's counter and its comparison */
    BRANCH_CLOCKS = 7, /* from a branch to what comes next, wherever it leads */
    MEET_CLOCKS = 16, /* from where the lanes of a branch meet (BSYNC) to what comes next */
    PART_CLOCKS = 17, /* more if they have parted */
    STATE_CLOCKS = 26, /* an arrival's state: it and a look for it 84 clocks, a look alone 58 */
    REST_CLOCKS = 1 << 14 /* of a look in vain: more than any result takes */
};

/* What finds the value of an atomic that one lane makes for all: clocks, and half clocks of issue. Measured: a loop of
 * each on an H100, driver 580.159.04, CUDA 13.0, 2026-11-27, cycles of 64 turns of 1 and of 16 warps: a turn takes
 * 14 and 21 (a product), 23 to 30 and 40 to 51 (REDUX), 268 and 293 (SHFL.UP), and without these 5 to 9, 9 and 33 of one
 * warp; a product that is read takes 26, less than these 33 (tests/measured/h100/uniform/turns.txt). */
static const struct gathering {
    uint32_t clocks, issue;
} gatherings[] = {
    [BSIM_PTX_GATHERS_PRODUCT] = {9, 4},
    [BSIM_PTX_GATHERS_REDUX] = {18, 14},
    [BSIM_PTX_GATHERS_SCAN] = {235, 16},
};

/* What a value hangs on. */
struct origin {
    uint32_t clock, load;
};

/* A load that is under way, and the instructions that want its result and nothing of a later one. */
struct awaited {
    uint32_t issue, special; /* half clocks */
    uint32_t last;  /* the clock at which the last of them may issue */
    uint32_t time;  /* of the load, as ptxas counts */
    uint32_t clock; /* of its result, where nothing else has the data pipe */
    uint32_t registers;
};

/* A warp's instructions since what its last event has of them. */
struct bsim_ptx_work {
    uint32_t issue;     /* half clocks, of those that want no load which is under way */
    uint32_t special;   /* likewise of the pipe of special functions, beside which others issue */
    uint32_t time;      /* half clocks, as ptxas counts, which knows of no wait */
    struct awaited awaited[LOADS]; /* by the load's number */
    uint32_t since, at; /* the clocks of the last event, and of the next */
    uint32_t last;      /* issue of all instructions so far */
    uint32_t free;      /* of those that want no load which is under way */
    uint32_t least;     /* no instruction behind the last branch issues before */
    uint32_t n_ahead;   /* registers of loads that have passed them */
    uint32_t base;      /* the register of the last load's address; 0: something else came since that passes none */
    uint32_t next_base; /* the same behind the event under way */
    uint32_t stored;    /* the register of a store that loads pass which know it to be elsewhere: by the same one; 0: none */
    struct origin address; /* of the load under way */
    uint32_t registers; /* which it fills, if it passes others */
    bool is_closed;     /* a branch came: no load passes them any more */
    bool passes;        /* the event under way is a load that passes them */
    uint32_t nobodys;   /* accesses that the warp has skipped since the last event */
    uint32_t n_loads;   /* of the warp so far, with results */
    uint32_t n_arrived; /* of them, whose results somebody has waited for */
    uint32_t n_told;    /* the same, and an event has it */
    uint32_t *load;     /* of each place: the last load that its value hangs on, from 1; or 0 */
    uint32_t *ready;    /* of each place: the clock */
    uint32_t *early;    /* the same if ptxas has put what makes it where the block of instructions begins */
    uint32_t block;     /* the clock at which that began, behind the last branch ... */
    uint32_t turn;      /* ... and the turn of a loop */
    uint32_t meet;      /* the step where the ways of the last branch meet, that nothing passes; 0: it has come by */
    bool has_barrier;   /* the turn has had a barrier */
    bool stays;         /* no instruction passes the event under way: a barrier, or an atomic that one lane does for all */
    bool is_of_some;    /* the step under way is not of all lanes: the others have what they had */
    uint32_t shuffles;  /* the clocks that the event under way takes if it is a shuffle, or 0 */
    uint32_t shuffled;  /* the clock at which the last one's result is there */
    bool has_wait;      /* of the instructions */
    bool is_product;    /* the event under way is a wgmma, or the last one was */
    bool was_product;
    uint32_t put_off;   /* issue of what comes behind the next wait for wgmmas */
};

struct bsim_ptx_work *bsim_ptx_work_new(uint32_t n_words)
{
    struct bsim_ptx_work *work = bsim_mem_zeroed(1, sizeof *work);
    if (work != NULL) {
        work->load = bsim_mem_zeroed(n_words, sizeof *work->load);
        work->ready = bsim_mem_zeroed(n_words, sizeof *work->ready);
        work->early = bsim_mem_zeroed(n_words, sizeof *work->early);
        if (work->load == NULL || work->ready == NULL || work->early == NULL) {
            bsim_ptx_work_free(work);
            work = NULL;
        }
    }
    return work;
}

void bsim_ptx_work_free(struct bsim_ptx_work *work)
{
    if (work != NULL) {
        bsim_mem_free(work->load);
        bsim_mem_free(work->ready);
        bsim_mem_free(work->early);
        bsim_mem_free(work);
    }
}

void bsim_ptx_work_start(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        uint32_t n_words = warp->block->program->n_words;
        memset(work->load, 0, n_words * sizeof *work->load);
        memset(work->ready, 0, n_words * sizeof *work->ready);
        memset(work->early, 0, n_words * sizeof *work->early);
        struct bsim_ptx_work empty = {.load = work->load, .ready = work->ready, .early = work->early};
        *work = empty;
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void want(const struct bsim_ptx_work *work, uint32_t place, struct origin *origin)
{
    if (place == BSIM_PTX_NOWHERE || place == 0) {
        return;
    }
    origin->load = later(origin->load, work->load[place]);
    origin->clock = later(origin->clock, work->ready[place]);
}

static bool is_load(const struct bsim_ptx_access *access)
{
    return access != NULL && (access->opcode.family == BSIM_LD || access->opcode.family == BSIM_LDMATRIX);
}

/* Of an instruction of matrices all registers from the first operand on that it reads. */
static void want_fragments(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step, struct origin *origin)
{
    bool gives = step->access == NULL || is_load(step->access);
    for (uint32_t i = gives; step->is_of_matrices && i < step->from->n_operands; i++) {
        for (uint32_t k = 0; k < step->argument[i].n; k++) {
            want(work, step->argument[i].place[k], origin);
        }
    }
}

static void want_guard(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step, struct origin *origin)
{
    struct origin guard = {0, 0};
    want(work, step->has_guard ? step->guard : 0, &guard);
    origin->load = later(origin->load, guard.load);
    origin->clock = later(origin->clock, guard.clock > 0 ? guard.clock + GUARD_CLOCKS : 0);
}

/* When it may issue, and the last load that it waits for. */
static struct origin want_all(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    bool takes = access != NULL && (access->opcode.family == BSIM_ST || access->count > 0);
    struct origin origin = {.clock = work->least};
    want(work, step->a, &origin);
    want(work, step->b, &origin);
    want(work, step->c, &origin);
    want_guard(work, step, &origin);
    for (uint32_t i = 0; takes && !is_load(access) && i < access->count; i++) {
        want(work, access->value[i], &origin);
    }
    want_fragments(work, step, &origin);
    return origin;
}

/* The next event waits for the load, too. */
static void wait_for(struct bsim_ptx_work *work, uint32_t load)
{
    if (load > work->n_arrived) {
        work->n_arrived = load;
        work->has_wait = true;
    }
}

static struct awaited *awaited_of(struct bsim_ptx_work *work, uint32_t load)
{
    return &work->awaited[load % LOADS];
}

/* An instruction that issues at its origin's clock. */
static void count(struct bsim_ptx_work *work, const struct origin *origin, uint32_t issue, uint32_t special)
{
    if (origin->load <= work->n_told || issue == 0) {
        work->issue += issue;
        work->special += special;
        return;
    }
    struct awaited *by = awaited_of(work, origin->load);
    by->last = by->issue == 0 || origin->clock > by->last ? origin->clock : by->last;
    by->issue += issue;
    by->special += special;
}

static void give(struct bsim_ptx_work *work, uint32_t place, uint32_t load, uint32_t clock)
{
    if (place != BSIM_PTX_NOWHERE && place != 0) {
        bool is_kept = work->is_of_some;
        work->load[place] = is_kept ? later(load, work->load[place]) : load;
        work->ready[place] = is_kept ? later(clock, work->ready[place]) : clock;
        work->early[place] = is_kept ? later(clock, work->early[place]) : clock;
    }
}

static void give_fragment(struct bsim_ptx_work *work, const struct bsim_ptx_step *step, uint32_t load, uint32_t clock)
{
    for (uint32_t k = 0; step->is_of_matrices && k < step->argument[0].n; k++) {
        give(work, step->argument[0].place[k], load, clock);
    }
}

/* Whether a load by the register comes before the next branch, barrier or store by it. */
static bool is_load_next(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_step *next = step + 1;
    for (uint32_t i = 0; i < LOOK_AHEAD && next->from != NULL; i++, next++) {
        const struct bsim_ptx_access *access = next->access;
        bool is_plain = next->kind == BSIM_PTX_COMPUTE || access != NULL;
        if (!is_plain || next->d == step->a) {
            return false;
        }
        if (access != NULL && access->opcode.family == BSIM_LD && next->a == step->a) {
            return true;
        }
    }
    return false;
}

/* Whether ptxas may issue the load before what stands in front of it; a store beside loads by the
 * same register, which it knows to be of other words, waits for nobody if there is a next of them, so that it
 * can pass. */
static bool may_pass(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    if (work->is_closed || access->opcode.is_volatile) {
        return false;
    }
    bool is_beside = access->opcode.family == BSIM_ST && step->a == work->base;
    bool is_elsewhere = work->stored == 0 || work->stored == step->a;
    return is_elsewhere && (is_load(access) || (is_beside && is_load_next(step)));
}

static void note_event(struct bsim_ptx_work *work, const struct bsim_ptx_warp *warp,
                       const struct bsim_ptx_step *step)
{
    work->passes = may_pass(work, step);
    if (work->passes && is_load(step->access)) {
        work->address = (struct origin){0, 0};
        want(work, step->a, &work->address);
        want_fragments(work, step, &work->address);
        work->registers = step->is_of_matrices ? step->argument[0].n : step->access->count * (step->access->bytes + 3) / 4;
        work->base = step->a;
        return;
    }
    work->next_base = is_load(step->access) && !step->access->opcode.is_volatile ? step->a : 0;
    work->address = (struct origin){0, 0};
    work->registers = 0;
    struct origin origin = want_all(work, step);
    bool is_read_product = step->access->opcode.family == BSIM_ATOM &&
                           step->access->gather == BSIM_PTX_GATHERS_PRODUCT;
    if (bsim_ptx_gathers(warp, step->access) && !is_read_product) {
        origin.clock += gatherings[step->access->gather].clocks;
        count(work, &origin, gatherings[step->access->gather].issue, 0);
        work->stays = true;
    }
    if (work->passes) {
        work->stored = step->a;
        work->last = later(work->last, origin.clock);
    } else {
        work->at = later(work->at, origin.clock);
        wait_for(work, origin.load);
    }
    if (step->access->opcode.family == BSIM_SHFL) {
        work->shuffles = step->pace->latency;
        give(work, step->d, 0, later(origin.clock, work->since) + work->shuffles);
    }
}

static bool reads(const struct bsim_ptx_step *step, uint32_t place)
{
    const struct bsim_ptx_access *access = step->access;
    bool is_read = step->a == place || step->b == place || step->c == place;
    for (uint32_t i = 0; access != NULL && i < access->count; i++) {
        is_read = is_read || access->value[i] == place;
    }
    return is_read && place != BSIM_PTX_NOWHERE && place != 0;
}

/* The load under way that the first instruction behind the barrier wants which makes what is stored next, or 0. ptxas has
 * that instruction before the barrier in 152 of 160 places (nvcc 13.0, tr_float4, tr_inplace and st_cube of
 * tests/measured/h100/verdicts; not in the first turn of those unrolled, where the loop's counter stands there), and none
 * where a store has what was loaded, or where sums go on past it:
 *
 *     LDS LDS FADD BAR STS        s[t] = v + w
 *     LDS LDS BAR STS STS         s[t] = v, s[t + 256] = w
 *     LDS BAR STS BAR FADD        s[t] = r, sum += v
 */
static uint32_t find_wanted(const struct bsim_ptx_work *work, const struct bsim_ptx_step *barrier)
{
    uint32_t place = BSIM_PTX_NOWHERE, load = 0;
    const struct bsim_ptx_step *step = barrier + 1;
    for (uint32_t i = 0; i < LOOK_AHEAD && step->from != NULL && step->kind == BSIM_PTX_COMPUTE; i++, step++) {
        if (step->access != NULL) {
            return step->access->opcode.family == BSIM_ST && reads(step, place) ? load : 0;
        }
        struct origin origin = want_all(work, step);
        bool begins = place == BSIM_PTX_NOWHERE && origin.load > work->n_told;
        load = begins ? origin.load : load;
        place = begins || reads(step, place) ? step->d : place;
    }
    return 0;
}

/* ---- what ptxas puts where a block of instructions begins ------------------------------------- */

/* When its operands are there if ptxas has put all that makes them where the block begins. */
static uint32_t find_early(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step)
{
    const uint32_t place[] = {step->a, step->b, step->c, step->has_guard ? step->guard : 0};
    uint32_t clock = work->block;
    for (uint32_t i = 0; i < sizeof place / sizeof *place; i++) {
        clock = place[i] != BSIM_PTX_NOWHERE && place[i] != 0 ? later(clock, work->early[place[i]]) : clock;
    }
    return clock;
}

static void give_early(struct bsim_ptx_work *work, uint32_t place, uint32_t clock)
{
    if (place != BSIM_PTX_NOWHERE && place != 0) {
        work->early[place] = work->is_of_some ? later(clock, work->early[place]) : clock;
    }
}

/* ---- branches -------------------------------------------------------------------------------- */

/* When a branch issues: behind all that stands in front of it. What counts a loop's turns is computed where the block begins,
 * or where the turn does if no barrier stands in that. */
static uint32_t branch_at(const struct bsim_ptx_work *work, const struct bsim_ptx_step *step, const struct origin *origin,
                          bool leads_back)
{
    uint32_t at = origin->clock;
    if (leads_back) {
        uint32_t there = work->early[step->guard];
        bool is_counted = !work->has_barrier && there <= work->block + COUNT_CLOCKS;
        at = (is_counted ? work->turn + COUNT_CLOCKS : there) + GUARD_CLOCKS;
    }
    return later(at, later(work->last, work->since));
}

static void note_branch(struct bsim_ptx_work *work, const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        const struct origin *origin, bool parts)
{
    bool is_ahead = step->target > (uint32_t)(step - warp->block->program->step);
    bool is_kept = step->has_guard && is_ahead && step->skipped == NULL;
    bool leads_back = step->has_guard && !is_ahead;
    work->least = origin->clock + 1;
    if (is_kept || leads_back) {
        bool meets = is_kept && step->parts;
        work->least = branch_at(work, step, origin, leads_back) + BRANCH_CLOCKS + (meets ? MEET_CLOCKS : 0);
    }
    work->least += parts && step->skipped == NULL ? PART_CLOCKS : 0;
    work->meet = is_kept && step->meet != BSIM_PTX_NOWHERE ? step->meet : work->meet;
    work->block = work->least;
    if (!is_ahead) {
        work->turn = work->least;
        work->has_barrier = false;
    }
    work->at = later(work->at, later(work->least, work->free)); /* what wants no load stands in front of it */
    work->is_closed = true;
    wait_for(work, origin->load);
}

/* Where the ways of a branch meet a block of instructions begins. */
static void note_meeting(struct bsim_ptx_work *work)
{
    work->least = work->block = later(work->least, later(work->last, work->since));
    work->meet = 0;
}

static bool is_branch(const struct bsim_ptx_step *step)
{
    return step->kind == BSIM_PTX_BRANCH || step->kind == BSIM_PTX_BRANCH_BY_INDEX || step->kind == BSIM_PTX_CALL ||
           step->kind == BSIM_PTX_CALL_BY_ADDRESS;
}

/* What has a long way beside its short one has branches, too: nothing passes it. Its result is there at that clock. */
static void note_slow(struct bsim_ptx_work *work, const struct bsim_ptx_step *step, uint32_t load, uint32_t there)
{
    work->least = work->block = later(work->least, there);
    work->is_closed = true;
    give(work, step->d, load, work->least);
}

static void note_computation(struct bsim_ptx_work *work, const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const struct origin *origin, uint32_t lanes)
{
    bool has_long_way = step->pace->slow != BSIM_PTX_NEVER_SLOW;
    struct bsim_ptx_pace more = {.issue = 0};
    if (has_long_way && lanes != 0) {
        more = bsim_ptx_find_slow(warp, step, lanes);
    }
    bool is_early = step->kind == BSIM_PTX_COMPUTE && origin->load <= work->n_told;
    uint32_t issued = is_early ? find_early(work, step) : origin->clock, latency = step->pace->latency + more.latency;
    uint32_t begin = later(later(work->last, work->since), origin->clock);
    work->last = later(work->last, issued + 1);
    if (origin->load <= work->n_told && step->pace->issue > 0) {
        work->free = later(work->free, origin->clock + 1);
    }
    count(work, origin, step->pace->issue + more.issue, step->pace->special);
    give(work, step->kind == BSIM_PTX_COMPUTE ? step->d : 0, origin->load, origin->clock + latency);
    if (is_early) {
        give_early(work, step->d, issued + latency);
    }
    if (has_long_way) {
        note_slow(work, step, origin->load, begin + latency);
    }
    give_fragment(work, step, origin->load, origin->clock + latency);
    work->is_closed = work->is_closed || step->is_of_matrices;
}

void bsim_ptx_work_note(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lanes, uint32_t mask)
{
    struct bsim_ptx_work *work = warp->work;
    const struct bsim_ptx_access *access = step->access;
    work->is_of_some = (warp->alive & ~lanes) != 0;
    if (work->meet != 0 && step == warp->block->program->step + work->meet) {
        note_meeting(work);
    }
    if (step->from == NULL || (access != NULL && access->space == BSIM_PTX_PARAM)) {
        return;
    }
    if (access != NULL && (access->opcode.family != 0 || access->opcode.bytes != 0)) {
        if (!access->is_silent) {
            note_event(work, warp, step);
        }
        return;
    }
    struct origin origin = want_all(work, step);
    if (is_branch(step)) {
        note_branch(work, warp, step, &origin, step->has_guard && lanes != 0 && lanes != mask);
    }
    if (step->kind == BSIM_PTX_BARRIER) {
        work->has_barrier = work->stays = true;
        bsim_ptx_work_all(warp);
        wait_for(work, find_wanted(work, step));
    }
    note_computation(work, warp, step, &origin, lanes);
}

void bsim_ptx_work_skips(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_work *work = warp->work;
    work->issue += step->skipped->issue;
    work->nobodys += step->skipped->accesses;
    work->at = later(work->at, work->least + step->skipped->clocks);
}

uint32_t bsim_ptx_work_take_nobodys(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    uint32_t n = work != NULL ? work->nobodys : 0;
    if (n > 0) {
        work->nobodys = 0;
    }
    return n;
}

/* Its result comes so many clocks later. Those of other loads than of fragments are taken to be there at once, as what
 * hangs on them was fitted so. */
static void begin_load(struct bsim_ptx_work *work, uint32_t clocks)
{
    struct awaited *by = awaited_of(work, ++work->n_loads);
    uint32_t issued = work->time > 2 * BSIM_PTX_MEMORY_CLOCKS ? work->time - 2 * BSIM_PTX_MEMORY_CLOCKS : 0;
    *by = (struct awaited){.time = issued, .clock = work->since + clocks, .registers = work->registers};
    work->n_ahead += work->registers;
}

/* The access is on its way: what it loads is outstanding. Of a merged load all parts are. */
void bsim_ptx_work_loaded(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_work *work = warp->work;
    const struct bsim_ptx_access *access = step->access;
    if (is_load(access)) {
        if (!access->is_silent) {
            begin_load(work, step->is_of_matrices ? FRAGMENT_CLOCKS : 0);
        }
        give_fragment(work, step, work->n_loads, work->since + FRAGMENT_CLOCKS);
        for (uint32_t i = 0; i < access->count; i++) {
            give(work, access->value[i], work->n_loads, work->since);
        }
    } else if (access->opcode.family == BSIM_ATOM) {
        begin_load(work, 0);
        give(work, access->result, work->n_loads, work->since);
    }
}

void bsim_ptx_work_all(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        work->at = later(work->at, work->last);
    }
}

void bsim_ptx_work_came(struct bsim_ptx_warp *warp, uint32_t place)
{
    if (warp->work != NULL) {
        give(warp->work, place, 0, warp->work->since + STATE_CLOCKS);
    }
}

void bsim_ptx_work_looks(struct bsim_ptx_warp *warp, uint32_t place)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        struct origin origin = {.clock = work->least};
        want(work, place, &origin);
        wait_for(work, origin.load);
        work->at = later(work->at, origin.clock);
    }
}

void bsim_ptx_work_rests(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        work->since = work->least = work->at += REST_CLOCKS;
    }
}

uint32_t bsim_ptx_work_begun(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work == NULL) {
        return 0;
    }
    work->registers = 0;
    begin_load(work, 0);
    return work->n_loads;
}

void bsim_ptx_work_waited(struct bsim_ptx_warp *warp, uint32_t number)
{
    if (warp->work != NULL) {
        wait_for(warp->work, number);
    }
}

/* Of what is older nobody keeps what wants it: it is there long since. */
static uint32_t first_awaited(const struct bsim_ptx_work *work)
{
    uint32_t n = work->n_loads - work->n_told;
    return work->n_loads + 1 - (n < LOADS ? n : LOADS);
}

/* All that wants loads is done before the next event. */
static void gather(struct bsim_ptx_work *work)
{
    for (uint32_t load = first_awaited(work); load <= work->n_loads; load++) {
        struct awaited *by = awaited_of(work, load);
        if (by->issue > 0) {
            wait_for(work, load);
            work->issue += by->issue;
            work->special += by->special;
            by->issue = by->special = 0;
        }
        by->registers = 0;
    }
}

void bsim_ptx_work_multiplies(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        gather(work);
        work->n_ahead = 0;
        uint32_t half = work->was_product ? work->issue / 2 : 0;
        work->issue -= half;
        work->put_off += half;
        work->is_product = true;
    }
}

void bsim_ptx_work_multiplied(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    if (work != NULL) {
        work->issue += work->put_off;
        work->put_off = 0;
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Whole instructions of the trace's, as long as their issue, or the special functions' pipe: one at least where clocks
 * go by. */
static uint32_t take_issue(struct bsim_ptx_work *work, uint32_t cycles)
{
    uint32_t n = (work->special > work->issue ? work->special : work->issue) / HALVES;
    bool is_part = n == 0 && cycles > 0;
    work->issue = is_part || n * HALVES > work->issue ? 0 : work->issue - n * HALVES;
    work->special = 0;
    return is_part ? 1 : n;
}

/* Of loads that are under way ptxas takes this one to be there, or lacks registers for another one. */
static uint32_t find_ready(const struct bsim_ptx_work *work)
{
    uint32_t n_ahead = work->n_ahead + work->registers, ready = work->address.load;
    for (uint32_t load = first_awaited(work); load <= work->n_loads; load++) {
        const struct awaited *by = &work->awaited[load % LOADS];
        bool is_there = by->issue > 0 && by->time + 2 * LOAD_CLOCKS <= work->time;
        if (is_there || n_ahead > MOST_AHEAD || work->n_loads - load >= LOADS - 2) {
            ready = later(ready, load);
        }
        n_ahead -= by->registers;
    }
    return ready;
}

/* When the warp, which waits for it, has the load's result. */
static uint32_t there_at(const struct bsim_ptx_work *work, uint32_t load)
{
    bool is_kept = load > work->n_told && work->n_loads - load < LOADS;
    uint32_t clock = is_kept ? work->awaited[load % LOADS].clock : 0;
    return later(clock, work->since);
}

/* When the first instruction of a work that waits up to the load does begin: those of a trace's share its loads out
 * (../timing/issue.c). */
static uint32_t begin_at(const struct bsim_ptx_work *work, uint32_t load)
{
    uint32_t n = work->issue > HALVES ? work->issue / HALVES : 1;
    return load > work->n_told ? there_at(work, work->n_told + (load - work->n_told + n - 1) / n) : work->since;
}

/* What a load does not pass: instructions that want loads which are there. Of the others its address's arithmetic alone,
 * which is not known apart. */
static struct bsim_ptx_since take_ready(struct bsim_ptx_work *work)
{
    struct bsim_ptx_since since = {.wait = BSIM_ANY_COUNT};
    uint32_t ready = find_ready(work), at = there_at(work, ready), issue = 0;
    work->passes = false;
    work->time += 2 * BSIM_PTX_MEMORY_CLOCKS;
    if (ready <= work->n_told) {
        return since;
    }
    for (uint32_t load = first_awaited(work); load <= ready; load++) {
        struct awaited *by = awaited_of(work, load);
        if (by->issue > 0) {
            at = later(at, by->last);
            issue += by->issue;
            work->special += by->special;
        }
        work->n_ahead -= by->registers;
        *by = (struct awaited){.clock = by->clock};
    }
    work->issue += issue;
    work->time += issue > 2 * BSIM_PTX_MEMORY_CLOCKS ? issue - 2 * BSIM_PTX_MEMORY_CLOCKS : 0; /* else it stands between two loads */
    at = work->address.clock > at && work->address.load > work->n_told ? work->address.clock : at;
    uint32_t begin = begin_at(work, ready);
    work->n_told = ready;
    work->n_arrived = later(work->n_arrived, ready);
    since.wait = (int32_t)(work->n_loads - ready);
    since.cycles = at > begin + BSIM_PTX_MEMORY_CLOCKS ? at - begin : 0;
    since.n = take_issue(work, since.cycles);
    work->since = at;
    return since;
}

/* Whether the next event waits for a load. */
static bool waits(const struct bsim_ptx_work *work)
{
    bool waits = work->has_wait;
    for (uint32_t load = first_awaited(work); load <= work->n_loads; load++) {
        waits |= work->awaited[load % LOADS].issue > 0;
    }
    return waits;
}

/* A shuffle's clocks go by while loads are under way: they stand in front of the wait for these.
 *
 *     shfl %r1    ld %r2    add %r3, %r1, %r2    st %r3          work 1:24, work 1:5 wait=0, st
 */
struct bsim_ptx_since bsim_ptx_work_take_shuffled(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    struct bsim_ptx_since since = {.wait = BSIM_ANY_COUNT};
    if (work != NULL && !work->passes && work->shuffled > work->since && work->shuffled <= work->at && waits(work)) {
        since.cycles = work->shuffled - work->since;
        since.n = take_issue(work, since.cycles);
        work->since = work->shuffled;
    }
    return since;
}

struct bsim_ptx_since bsim_ptx_work_take(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_work *work = warp->work;
    struct bsim_ptx_since since = {.wait = BSIM_ANY_COUNT};
    if (work == NULL || work->passes) {
        return work != NULL ? take_ready(work) : since;
    }
    gather(work);
    int32_t n_wanted = (int32_t)(work->n_loads - work->n_arrived);
    uint32_t there = there_at(work, work->n_arrived);
    work->at = later(work->at, there);
    uint32_t begin = begin_at(work, work->n_arrived);
    since.cycles = work->at > begin ? work->at - begin : 0;
    work->time += work->issue + 2 * BSIM_PTX_MEMORY_CLOCKS;
    since.n = take_issue(work, since.cycles);
    since.wait = work->has_wait ? n_wanted : BSIM_ANY_COUNT;
    work->was_product = work->is_product;
    work->has_wait = work->is_closed = work->is_product = false;
    work->n_ahead = 0;
    work->stored = 0;
    work->base = work->next_base;
    work->next_base = 0;
    work->n_told = work->n_arrived;
    work->since = work->at;
    work->least = work->stays ? work->at : work->least;
    work->stays = false;
    work->shuffled = work->shuffles > 0 ? work->at + work->shuffles : work->shuffled;
    work->shuffles = 0;
    return since;
}
