/* schedule.c - the order in which ptxas has the loads of a block of instructions: what hangs on a load does not stand in front of a load that
 * hangs on nothing there.
 *
 *     ld.shared %r1, [%r0];       LDS R1      LDS R5
 *     ld.shared %r2, [%r1];       LDS R2      LDS R6      two chains side by side, not one behind the other
 *     ld.shared %r5, [%r4];
 *     ld.shared %r6, [%r5];
 *
 * Each instruction comes when its operands are there, by the latencies of pace.c, one after the other; of those that can come at once the first
 * in PTX does. Stores, barriers, atomics and all that is no load of shared memory or arithmetic stay, and nothing passes them, nor what sets a
 * register that stands in front of it. Blocks without such chains stay as they are.
 *
 * Graded assumed: it is what a scheduler by lists does. Three of 144 kernels in pairs (tests/measured/h100/verdicts, ../../h200/verdicts) have such chains beside each
 * other that were told 35 to 60 % too slow, and are told within 11 now (ell, bsr, forest); one was told right and is 35 % too fast (lennard).
 */
#include "ptx/steps.h"
#include "ptx/work.h"

#include "base/memory.h"

enum { MOST = 512, MOST_WANTED = 8, LOAD_CLOCKS = 30, NEVER = UINT32_MAX };

/* Of a register: the instruction of the segment that makes it, from 1, and whether one has read it. */
struct known {
    uint32_t by;
    bool is_read;
};

/* An instruction of the segment: those whose results it wants, from 1; the rest is found when it is put in order. */
struct placed {
    struct bsim_ptx_step step;
    uint32_t by[MOST_WANTED], n_by;
    uint32_t there; /* its result */
    bool hangs;     /* on a load of the segment */
    bool is_done;
};

struct scheduling {
    struct known *known; /* of each register, in the segment under way */
    struct placed placed[MOST];
    uint32_t n;
    uint32_t leader; /* the last load that is counted, from 1 */
    bool has_chain, is_worth_it; /* a load hangs on another one; and one behind it does not */
};

static bool may_move(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_access *access = step->access;
    if (from == NULL || step->kind != BSIM_PTX_COMPUTE || step->is_meeting || step->is_look || step->is_of_matrices || from->has_guard ||
        !bsim_ptx_makes(from) || bsim_ptx_has(from, BSIM_PTX_CC) || step->pace->slow != BSIM_PTX_NEVER_SLOW) {
        return false;
    }
    for (uint32_t i = 0; i < from->n_operands; i++) {
        if (from->operand[i].kind == BSIM_PTX_SPECIAL) {
            return false;
        }
    }
    static const char *const plain[] = {"mov", "add",  "sub", "mul", "mad", "fma",  "and",  "or",  "xor",  "not", "shl", "shr",  "shf",
                                        "setp", "set", "selp", "cvt", "min", "max", "neg", "abs", "bfi", "bfe", "prmt", "lop3", "popc",
                                        "clz", "ex2", "lg2", "rcp", "sin", "cos", "sqrt", "rsqrt", "div", "rem", "mul24", "mad24", "dp4a"};
    bool is_load = access != NULL && access->space == BSIM_PTX_SHARED && access->opcode.family == BSIM_LD && !access->opcode.is_volatile;
    return access == NULL ? bsim_ptx_is_one_of(from, plain, sizeof plain / sizeof *plain) : is_load;
}

/* Calls it for each register of the operand; false: it has had enough. */
static bool each_register(const struct bsim_ptx_operand *operand, struct scheduling *s, bool (*does)(struct scheduling *s, uint32_t number))
{
    bool goes_on = operand->kind != BSIM_PTX_REGISTER || does(s, operand->number);
    for (uint32_t i = 0; i < operand->n && goes_on; i++) {
        goes_on = each_register(&operand->member[i], s, does);
    }
    return goes_on;
}

static bool is_fresh(struct scheduling *s, uint32_t number)
{
    return s->known[number].by == 0 && !s->known[number].is_read;
}

static bool want(struct scheduling *s, uint32_t number)
{
    struct placed *p = &s->placed[s->n];
    struct known *k = &s->known[number];
    k->is_read = true;
    if (k->by > 0 && p->n_by < MOST_WANTED) {
        p->by[p->n_by++] = k->by;
        p->hangs = p->hangs || s->placed[k->by - 1].hangs || s->placed[k->by - 1].step.access != NULL;
    }
    return k->by == 0 || p->n_by < MOST_WANTED;
}

static bool forget(struct scheduling *s, uint32_t number)
{
    s->known[number] = (struct known){.by = 0};
    return true;
}

static void forget_all(struct scheduling *s, const struct bsim_ptx_instruction *from)
{
    for (uint32_t i = 0; i < from->n_operands; i++) {
        (void)each_register(&from->operand[i], s, forget);
    }
}

static bool make(struct scheduling *s, uint32_t number)
{
    s->known[number].by = s->n + 1;
    return true;
}

/* False: it does not go with those before it, as its register has been set or read there, or it wants too many. */
static bool take(struct scheduling *s, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct placed *p = &s->placed[s->n];
    bool is_load = step->access != NULL, is_silent = is_load && step->access->is_silent;
    if (s->n == MOST || !each_register(&from->operand[0], s, is_fresh)) {
        return false;
    }
    *p = (struct placed){.step = *step};
    bool fits = true;
    for (uint32_t i = 1; i < from->n_operands && fits; i++) {
        fits = each_register(&from->operand[i], s, want);
    }
    if (!fits) {
        return false;
    }
    if (is_silent && s->leader > 0) {
        p->by[p->n_by++] = s->leader;
    }
    (void)each_register(&from->operand[0], s, make);
    s->n++;
    s->is_worth_it = s->is_worth_it || (is_load && !is_silent && s->has_chain && !p->hangs);
    s->has_chain = s->has_chain || (is_load && p->hangs);
    s->leader = is_load && !is_silent ? s->n : s->leader;
    return true;
}

/* When all that it wants is there, or NEVER: some of it has not issued. */
static uint32_t ready_at(const struct scheduling *s, const struct placed *p)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->n_by; i++) {
        const struct placed *by = &s->placed[p->by[i] - 1];
        at = !by->is_done ? NEVER : by->there > at ? by->there : at;
    }
    return at;
}

/* The first that can come at once, or the one that can soonest. */
static struct placed *choose(struct scheduling *s, uint32_t first, uint32_t now, uint32_t *at)
{
    struct placed *best = NULL;
    *at = NEVER;
    for (uint32_t i = first; i < s->n && *at > now; i++) {
        uint32_t ready = s->placed[i].is_done ? NEVER : ready_at(s, &s->placed[i]);
        if (ready < *at) {
            best = &s->placed[i];
            *at = ready;
        }
    }
    return best;
}

static void put_in_order(struct scheduling *s, struct bsim_ptx_step *step)
{
    uint32_t now = 0, first = 0;
    for (uint32_t n = 0; n < s->n; n++) {
        uint32_t at;
        struct placed *p = choose(s, first, now, &at);
        bool is_load = p->step.access != NULL, is_silent = is_load && p->step.access->is_silent;
        now = at > now ? at : now;
        p->is_done = true;
        p->there = now + (is_load ? LOAD_CLOCKS : p->step.pace->latency);
        now += is_silent ? 0 : is_load ? BSIM_PTX_MEMORY_CLOCKS : p->step.pace->issue > 0;
        step[n] = p->step;
        while (first < s->n && s->placed[first].is_done) {
            first++;
        }
    }
}

static void end(struct scheduling *s, struct bsim_ptx_step *behind)
{
    if (s->is_worth_it) {
        put_in_order(s, behind - s->n);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        forget_all(s, s->placed[i].step.from);
    }
    s->n = s->leader = 0;
    s->has_chain = s->is_worth_it = false;
}

bool bsim_ptx_schedule(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct scheduling *s = bsim_mem_zeroed(1, sizeof *s);
    struct bsim_ptx_blocks blocks;
    bool has_memory = bsim_ptx_find_blocks(function, &blocks) && s != NULL;
    if (has_memory) {
        s->known = bsim_mem_zeroed((size_t)function->n_registers + 1, sizeof *s->known);
        has_memory = s->known != NULL;
    }
    for (uint32_t i = 0; has_memory && i < function->n_instructions; i++) {
        bool moves = may_move(&step[i]);
        if (!moves || i == 0 || blocks.of[i] != blocks.of[i - 1]) {
            end(s, &step[i]);
        }
        if (moves && !take(s, &step[i])) {
            forget_all(s, step[i].from);
            end(s, &step[i]);
            (void)take(s, &step[i]); /* alone it does: nobody made what it wants */
        }
    }
    if (has_memory) {
        end(s, &step[function->n_instructions]);
    }
    if (s != NULL) {
        bsim_mem_free(s->known);
    }
    bsim_mem_free(s);
    bsim_ptx_free_blocks(&blocks);
    return has_memory;
}
