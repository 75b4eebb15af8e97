/* schedule.c - the order in which ptxas has the instructions of a block: as a scheduler by lists does.
 *
 *     ld.shared %f1, [%r0];                  LDS R1         clock 0
 *     mul.f32 %f2, %f1, %f9;                 LDS R3               4
 *     st.shared [%r1], %f2;                  LDS R5               8
 *     ld.shared %f3, [%r0+4];  ...           FMUL R2             37   wants R1
 *
 * Each instruction comes when its operands are there, by the latencies of pace.c, an access four clocks behind the one before; of those that can
 * come at once the first in PTX does, but what the condition of the block's last branch hangs on goes before all others. So ten
 * loads stand in front of the first sum over them, and from there on one behind each. Of registers that loads fill few wait to be used; a load
 * more waits for that.
 *
 * Accesses keep their order where they may meet: loads pass stores by the same register at another place, and of other memory, no others. Arithmetic
 * goes behind a barrier that a load follows, as ptxas has that load wait for nothing more (LDS LDS BAR LDS FADD FADD: the barrier's time is the loads' time,
 * too; 16 barriers of springs, jordan, gemm_bytes, viterbi and layernorm). Nothing passes other barriers, divisions with a long way (slow.c), wmma and all that is not known here, and nothing comes from another block, but
 * for what has the condition of a branch that ptxas does not have (skip.c).
 *
 * Graded assumed: the rules are those of such a scheduler. Held to the machine code of 288 kernels in pairs, of which the order and the profiler's
 * waits were read for some forty (nvcc 13.0, sm_90; tests/measured/h100/verdicts, ../../h200/verdicts): loads stand as far in front of what wants them, and BRA
 * waits for no counter. Not told: that the last of what is computed comes behind other barriers, too, so that they fill its gaps; that of kernels that need about 32 registers, or another
 * number at which one more warp fits, ptxas has fewer loads under way (kmeans, lennard: 30 and 50 % too fast); loops that it unrolls.
 */
#include "ptx/steps.h"
#include "ptx/work.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST = 1024,       /* instructions that are put in order together */
    MOST_USED = 12,    /* loads that one is known to use */
    MOST_AHEAD = 28,   /* registers that loads have filled and that wait for who uses them: 24 are read in small_4x4, and 24 to 40 tell as much */
    LOAD_CLOCKS = 37,  /* as ptxas counts: 9 to 12 loads, 4 clocks each, stand in front of the first sum over them */
    FAR_CLOCKS = 60,   /* of other memory */
    BARRIER_CLOCKS = 6, /* from BAR to an access */
};

/* Of a register: the instruction of the segment that makes it, from 1, and those that have read it since, the first edge of a list. */
struct known {
    uint32_t by, reader;
};

/* An instruction of the segment. */
struct placed {
    struct bsim_ptx_step step;
    uint32_t edge;     /* to the first that comes behind it, from 1 */
    uint32_t n_before; /* that it comes behind, and that have not come */
    uint32_t ready;    /* the clock at which these let it */
    uint32_t base;     /* of an access: who makes the register of its address, from 1 */
    uint32_t n_uses;   /* of a load: instructions that use it, and have not come */
    uint32_t used[MOST_USED], n_used; /* loads that it uses */
    bool is_early;     /* the condition of the branch behind hangs on it */
    bool is_done;
};

struct edge {
    uint32_t to, clocks, next;
};

struct scheduling {
    struct known *known; /* of each register, in the segment under way */
    struct placed placed[MOST];
    uint32_t n;
    struct edge *edge;
    uint32_t n_edges;
    uint32_t memory[MOST], n_memory; /* accesses of the segment */
    uint32_t fence;  /* the last barrier among them, from 1 */
    uint32_t leader; /* the last load that is counted, from 1 */
    uint32_t ahead;  /* registers */
    bool has_memory;
};

/* ---- instructions ---------------------------------------------------------------------------- */

/* Whether lanes exchange something, by a shuffle, a vote or the like: it has the form of an access, and is none of memory. */
static bool is_exchange(const struct bsim_ptx_step *step)
{
    return step->access != NULL && step->access->opcode.family == BSIM_SHFL;
}

static bool is_parameter(const struct bsim_ptx_step *step)
{
    return step->access != NULL && step->access->space == BSIM_PTX_PARAM;
}

static bool is_access(const struct bsim_ptx_step *step)
{
    return step->access != NULL && !is_parameter(step) && !is_exchange(step);
}

static bool is_load(const struct bsim_ptx_step *step)
{
    return is_access(step) && step->access->opcode.family == BSIM_LD;
}

/* Whether it is an access that gives nothing. */
static bool is_store(const struct bsim_ptx_step *step)
{
    return is_access(step) && !is_load(step) && !bsim_ptx_is_a(step->from, "atom");
}

/* Whether machine code has no instruction for it. */
static bool is_nothing(const struct bsim_ptx_step *step)
{
    return step->kind == BSIM_PTX_NOTHING_HAPPENS || is_parameter(step) ||
           (step->access != NULL ? step->access->is_silent : step->pace->issue == 0);
}

static bool may_move_access(const struct bsim_ptx_step *step)
{
    static const char *const plain[] = {"ld", "st"}, *const atomics[] = {"atom", "red"};
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_access *access = step->access;
    bool is_atomic = access->space == BSIM_PTX_SHARED && access->gather == BSIM_PTX_GATHERS_NONE &&
                     bsim_ptx_is_one_of(from, atomics, sizeof atomics / sizeof *atomics);
    return (is_atomic || bsim_ptx_is_one_of(from, plain, sizeof plain / sizeof *plain)) && access->space != BSIM_PTX_NO_SPACE &&
           !access->opcode.is_volatile && !bsim_ptx_has(from, BSIM_PTX_RELAXED) && !bsim_ptx_has(from, BSIM_PTX_ACQUIRE) &&
           !bsim_ptx_has(from, BSIM_PTX_RELEASE) && !bsim_ptx_has(from, BSIM_PTX_ACQ_REL);
}

static bool may_move(const struct bsim_ptx_step *step)
{
    static const char *const plain[] = {
        "mov",  "add",  "sub",  "mul", "mad",  "fma",   "fma-",  "-fma",  "-fma-", "and",   "or",   "xor",  "not",  "shl",  "shr",      "shf",   "setp", "set",
        "selp", "slct", "cvt",  "min", "max",  "neg",   "abs",   "bfi",   "bfe",   "bfind", "prmt", "lop3", "popc", "clz",  "brev",     "sad",   "ex2",  "lg2",
        "mma",  "rcp",  "sin",  "cos",  "sqrt", "rsqrt", "tanh", "div",  "rem",   "mul24", "mad24", "dp4a", "dp2a", "cvta", "testp", "copysign"};
    const struct bsim_ptx_instruction *from = step->from;
    if (step->kind == BSIM_PTX_NOTHING_HAPPENS) {
        return true;
    }
    if (from == NULL || step->is_look || bsim_ptx_has(from, BSIM_PTX_CC) || step->pace->slow != BSIM_PTX_NEVER_SLOW) {
        return false;
    }
    for (uint32_t i = 0; i < from->n_operands; i++) {
        if (from->operand[i].kind == BSIM_PTX_SPECIAL) {
            return false;
        }
    }
    if (step->kind != BSIM_PTX_COMPUTE) {
        return step->kind == BSIM_PTX_MEET_LANES && is_exchange(step);
    }
    return step->access != NULL ? is_exchange(step) || may_move_access(step) : bsim_ptx_is_one_of(from, plain, sizeof plain / sizeof *plain);
}

static uint32_t latency_of(const struct bsim_ptx_step *step)
{
    if (!is_access(step)) {
        return step->pace->latency;
    }
    return is_store(step) ? 1 : step->access->space == BSIM_PTX_SHARED ? LOAD_CLOCKS : FAR_CLOCKS;
}

/* Clocks more from that one's result to the other. */
static uint32_t way_of(const struct bsim_ptx_step *by, const struct bsim_ptx_step *to)
{
    return by->pace->is_fma && (is_access(to) || is_exchange(to) || to->pace->is_alu);
}

/* ---- who comes behind whom ------------------------------------------------------------------- */

static struct edge *new_edge(struct scheduling *s)
{
    struct edge *grown = bsim_mem_grow(s->edge, s->n_edges, sizeof *grown);
    s->has_memory = s->has_memory && grown != NULL;
    s->edge = grown != NULL ? grown : s->edge;
    return grown != NULL ? &s->edge[s->n_edges++] : NULL;
}

/* The instruction under way comes so many clocks behind that one. */
static void come_behind(struct scheduling *s, uint32_t before, uint32_t clocks)
{
    struct edge *edge = new_edge(s);
    if (edge != NULL) {
        *edge = (struct edge){s->n, clocks, s->placed[before].edge};
        s->placed[before].edge = s->n_edges;
        s->placed[s->n].n_before++;
    }
}

/* The instruction under way reads the register, as a condition so many clocks later. */
static void want(struct scheduling *s, uint32_t number, uint32_t more)
{
    struct known *k = &s->known[number];
    struct placed *p = &s->placed[s->n];
    if (k->by > 0) {
        struct placed *by = &s->placed[k->by - 1];
        come_behind(s, k->by - 1, latency_of(&by->step) + (more > 0 ? more : way_of(&by->step, &p->step)));
        if (is_load(&by->step) && p->n_used < MOST_USED) {
            by->n_uses++;
            p->used[p->n_used++] = k->by - 1;
        }
    }
    struct edge *reader = new_edge(s);
    if (reader != NULL) {
        *reader = (struct edge){s->n, 0, k->reader};
        k->reader = s->n_edges;
    }
}

/* The instruction under way sets it: behind all that want what it had. */
static void make(struct scheduling *s, uint32_t number)
{
    struct known *k = &s->known[number];
    if (k->by > 0 && k->by - 1 != s->n) {
        come_behind(s, k->by - 1, 1);
    }
    for (uint32_t e = k->reader; e > 0 && s->has_memory; e = s->edge[e - 1].next) {
        if (s->edge[e - 1].to != s->n) {
            come_behind(s, s->edge[e - 1].to, 0);
        }
    }
    *k = (struct known){s->n + 1, 0};
}

static void want_operand(struct scheduling *s, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        want(s, operand->number, 0);
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        want_operand(s, &operand->member[i]);
    }
}

static void make_operand(struct scheduling *s, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        make(s, operand->number);
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        make_operand(s, &operand->member[i]);
    }
}

static void forget_operand(struct scheduling *s, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        s->known[operand->number] = (struct known){0, 0};
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        forget_operand(s, &operand->member[i]);
    }
}

static const struct bsim_ptx_operand *address_of(const struct bsim_ptx_step *step)
{
    return &step->from->operand[is_store(step) ? 0 : 1].member[0];
}

/* Whether what one of the accesses stores may be the other's. */
static bool may_meet(const struct placed *a, const struct placed *b)
{
    const struct bsim_ptx_access *x = a->step.access, *y = b->step.access;
    if ((is_load(&a->step) && is_load(&b->step)) || x->space != y->space) {
        return false;
    }
    const struct bsim_ptx_operand *p = address_of(&a->step), *q = address_of(&b->step);
    bool is_same = p->kind == BSIM_PTX_REGISTER && q->kind == BSIM_PTX_REGISTER && p->number == q->number && a->base == b->base;
    int64_t from = (int64_t)x->offset, other = (int64_t)y->offset;
    return !is_same || (from < other + y->bytes * y->count && other < from + x->bytes * x->count);
}

/* The access under way keeps its place among those that it may meet, and what is told by another one beside that. */
static void order_access(struct scheduling *s)
{
    struct placed *p = &s->placed[s->n];
    const struct bsim_ptx_operand *address = address_of(&p->step);
    bool is_told = !p->step.access->is_silent, is_over = !is_told || !is_store(&p->step);
    p->base = address->kind == BSIM_PTX_REGISTER ? s->known[address->number].by : 0;
    if (!is_told && is_load(&p->step) && s->leader > 0) {
        come_behind(s, s->leader - 1, 0);
    }
    for (uint32_t i = s->n_memory; i > 0; i--) {
        const struct placed *before = &s->placed[s->memory[i - 1]];
        bool is_part = !is_over && is_store(&before->step) && before->step.access->is_silent;
        if (is_part || may_meet(before, p)) {
            come_behind(s, s->memory[i - 1], is_part ? 0 : 1);
        }
        is_over = is_over || (is_store(&before->step) && !before->step.access->is_silent);
    }
    s->memory[s->n_memory++] = s->n;
    s->leader = is_told && is_load(&p->step) ? s->n + 1 : s->leader;
}

/* The register of the condition that it has, or NOWHERE. */
static uint32_t condition_of(const struct bsim_ptx_step *step)
{
    return step->condition != NULL ? step->condition->guard : step->from->has_guard ? step->from->guard : BSIM_PTX_NOWHERE;
}

/* A barrier comes behind all accesses before it. */
static void take_fence(struct scheduling *s, const struct bsim_ptx_step *step)
{
    s->placed[s->n] = (struct placed){.step = *step};
    for (uint32_t i = 0; i < s->n_memory; i++) {
        come_behind(s, s->memory[i], 1);
    }
    if (s->fence > 0) {
        come_behind(s, s->fence - 1, BARRIER_CLOCKS);
    }
    s->n_memory = s->leader = 0;
    s->fence = ++s->n;
}

static void take(struct scheduling *s, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    s->placed[s->n] = (struct placed){.step = *step};
    if (s->fence > 0) {
        come_behind(s, s->fence - 1, is_access(step) ? BARRIER_CLOCKS : 1);
    }
    if (step->kind != BSIM_PTX_NOTHING_HAPPENS) {
        bool gives = !is_store(step), has_condition = condition_of(step) != BSIM_PTX_NOWHERE;
        if (is_access(step)) {
            order_access(s);
        }
        for (uint32_t i = gives && !has_condition ? 1 : 0; i < from->n_operands; i++) {
            want_operand(s, &from->operand[i]);
        }
        if (has_condition) {
            want(s, condition_of(step), BSIM_PTX_GUARD_CLOCKS);
        }
        if (gives) {
            make_operand(s, &from->operand[0]);
        }
    }
    s->n++;
}

/* ---- in which order -------------------------------------------------------------------------- */

/* Marks what the condition of the branch behind the segment hangs on, if no access is among that. */
static void find_early(struct scheduling *s, const struct bsim_ptx_step *behind)
{
    bool branches = behind->from != NULL && behind->kind == BSIM_PTX_BRANCH && behind->from->has_guard, is_plain = true;
    uint32_t by = branches ? s->known[behind->from->guard].by : 0;
    for (uint32_t i = by; i > 0; i--) {
        struct placed *p = &s->placed[i - 1];
        p->is_early = i == by;
        for (uint32_t e = p->edge; e > 0 && !p->is_early; e = s->edge[e - 1].next) {
            p->is_early = s->edge[e - 1].clocks > 1 && s->placed[s->edge[e - 1].to].is_early;
        }
        is_plain = is_plain && !(p->is_early && p->step.access != NULL);
    }
    for (uint32_t i = 0; i < by && !is_plain; i++) {
        s->placed[i].is_early = false;
    }
}

static uint32_t registers_of(const struct bsim_ptx_step *step)
{
    return (step->access->bytes + 3) / 4 * step->access->count;
}

/* When the next instruction can come, and the next access. */
struct clocks {
    uint32_t any, access;
};

static uint32_t clock_of(const struct placed *p, const struct clocks *clocks)
{
    uint32_t at = p->ready > clocks->any ? p->ready : clocks->any;
    return p->step.access != NULL && at < clocks->access ? clocks->access : at;
}

/* The one that comes next, of those from `first` on. */
static struct placed *choose(struct scheduling *s, uint32_t first, const struct clocks *clocks)
{
    struct placed *best = NULL, *waiting = NULL;
    for (uint32_t i = first; i < s->n; i++) {
        struct placed *p = &s->placed[i];
        if (p->is_done || p->n_before > 0) {
            continue;
        }
        if (is_nothing(&p->step)) {
            return p;
        }
        uint32_t at = clock_of(p, clocks), at_best = best != NULL ? clock_of(best, clocks) : UINT32_MAX;
        if (p->n_uses > 0 && s->ahead > 0 && s->ahead + registers_of(&p->step) > MOST_AHEAD) {
            waiting = waiting == NULL ? p : waiting;
        } else if (at < at_best || (at == at_best && p->is_early && !best->is_early)) {
            best = p;
        }
    }
    return best != NULL ? best : waiting;
}

/* It comes at that clock. */
static void come(struct scheduling *s, struct placed *p, uint32_t at)
{
    p->is_done = true;
    s->ahead += p->n_uses > 0 ? registers_of(&p->step) : 0;
    for (uint32_t i = 0; i < p->n_used; i++) {
        struct placed *load = &s->placed[p->used[i]];
        s->ahead -= --load->n_uses == 0 ? registers_of(&load->step) : 0;
    }
    for (uint32_t e = p->edge; e > 0; e = s->edge[e - 1].next) {
        struct placed *to = &s->placed[s->edge[e - 1].to];
        uint32_t ready = at + s->edge[e - 1].clocks;
        to->n_before--;
        to->ready = ready > to->ready ? ready : to->ready;
    }
}

static void put_in_order(struct scheduling *s, struct bsim_ptx_step *step)
{
    struct clocks clocks = {0, 0};
    uint32_t first = 0;
    s->ahead = 0;
    for (uint32_t n = 0; n < s->n; n++) {
        struct placed *p = choose(s, first, &clocks);
        uint32_t at = is_nothing(&p->step) ? p->ready : clock_of(p, &clocks);
        come(s, p, at);
        if (!is_nothing(&p->step)) {
            clocks.any = at + (p->step.access != NULL ? 1 : (p->step.pace->issue + 1U) / 2);
            clocks.access = p->step.access != NULL ? at + BSIM_PTX_MEMORY_CLOCKS : clocks.access;
        }
        step[n] = p->step;
        while (first < s->n && s->placed[first].is_done) {
            first++;
        }
    }
}

/* The segment ends in front of that step. Where lanes meet is where it begins, whoever comes first now. */
static void end(struct scheduling *s, struct bsim_ptx_step *behind)
{
    if (s->n > 1 && s->has_memory) {
        struct bsim_ptx_step *first = behind - s->n;
        bool is_meeting = first->is_meeting;
        s->placed[0].step.is_meeting = false;
        find_early(s, behind);
        put_in_order(s, first);
        first->is_meeting = is_meeting;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        const struct bsim_ptx_step *step = &s->placed[i].step;
        for (uint32_t k = 0; k < step->from->n_operands; k++) {
            forget_operand(s, &step->from->operand[k]);
        }
        if (condition_of(step) != BSIM_PTX_NOWHERE) {
            s->known[condition_of(step)] = (struct known){0, 0};
        }
    }
    s->n = s->leader = s->fence = s->n_memory = s->n_edges = 0;
}

/* Whether steps i - 1 and i are one behind the other wherever one is executed: in a block, or with a condition between them that ptxas
 * has in place of a branch. */
static bool goes_on(const struct bsim_ptx_function *function, const struct bsim_ptx_blocks *blocks, const struct bsim_ptx_instruction *const *condition,
                    uint32_t i)
{
    bool is_same = condition[i] != NULL ? condition[i] == condition[i - 1] || condition[i] == &function->code[i - 1] : condition[i - 1] != NULL;
    return is_same || blocks->of[i] == blocks->of[i - 1];
}

/* Whether step i is a barrier of the whole block behind which, in the same segment, a load comes before any store: what was computed goes behind such. */
static bool is_fence(const struct bsim_ptx_function *function, const struct bsim_ptx_blocks *blocks, const struct bsim_ptx_step *step, uint32_t i)
{
    const struct bsim_ptx_instruction *from = step[i].from;
    if (step[i].kind != BSIM_PTX_BARRIER || from->n_operands != 1 || from->operand[0].kind != BSIM_PTX_INTEGER || from->has_guard || !bsim_ptx_is_a(from, "bar") || !bsim_ptx_has(from, BSIM_PTX_SYNC)) {
        return false;
    }
    for (i++; i < function->n_instructions && may_move(&step[i]); i++) {
        if (blocks->of[i] != blocks->of[i - 1] && step[i].condition == NULL && step[i - 1].condition == NULL) {
            return false;
        }
        if (is_access(&step[i])) {
            return is_load(&step[i]) && step[i].access->space == BSIM_PTX_SHARED;
        }
    }
    return false;
}

bool bsim_ptx_schedule(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct bsim_ptx_blocks blocks;
    struct scheduling *s = bsim_mem_zeroed(1, sizeof *s);
    const struct bsim_ptx_instruction **condition = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof(void *));
    bool has_memory = bsim_ptx_find_blocks(function, &blocks) && s != NULL && condition != NULL;
    if (has_memory) {
        s->known = bsim_mem_zeroed((size_t)function->n_registers + 1, sizeof *s->known);
        has_memory = s->has_memory = s->known != NULL;
    }
    for (uint32_t i = 0; has_memory && i < function->n_instructions; i++) {
        bool is_barrier = is_fence(function, &blocks, step, i), moves = is_barrier || may_move(&step[i]);
        condition[i] = step[i].condition;
        if (!moves || i == 0 || !goes_on(function, &blocks, condition, i) || s->n == MOST) {
            end(s, &step[i]);
        }
        if (is_barrier) {
            take_fence(s, &step[i]);
        } else if (moves) {
            take(s, &step[i]);
        }
        has_memory = s->has_memory;
    }
    if (has_memory) {
        end(s, &step[function->n_instructions]);
    }
    if (s != NULL) {
        bsim_mem_free(s->known);
        bsim_mem_free(s->edge);
    }
    bsim_mem_free(s);
    bsim_mem_free(condition);
    bsim_ptx_free_blocks(&blocks);
    return has_memory;
}
