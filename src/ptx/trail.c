/* trail.c - whether lanes that go round in loops will ever come to anything else.
 *
 *  L: mov.u64   %rd2, %globaltimer;                        another value in each turn,
 *     add.u32   %r4, %r4, 1;                               and here, but no branch hangs on them
 *     mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;       the same as long as nobody arrives
 *     @!%p1 bra L;
 *
 * For a while each warp notes which steps its lanes come to. Where a branch that leads elsewhere hangs on
 * what stays the same they will not go there; else they may, and the steps there belong to them, too. If
 * none of all these does anything that others see, the lanes come to no others for ever. What stays the
 * same is found by going back from the branch's predicate, over these steps alone, to immediates and
 * registers that none of them writes, and to loads and looks at barriers, whose memory nobody changes; from
 * loads of a thread's own memory to what is stored to the same bytes, or copied there by calls. A clock
 * does not, nor what leads back to itself, as a counter: a loop that such a one ends leads to what stands
 * behind it, and mostly to an effect.
 *
 *     if (!b0) { b0 = 1; continue; } b0 = 0; if (!b1) { b1 = 1; continue; } b1 = 0; ...
 *
 * counts, too, by ways alone, each of which is the same for long. So the lanes must come to all steps in
 * either half of the while, or what was written last may not have been asked for yet.
 */
#include "ptx/trail.h"

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/steps.h"

#include <string.h>

enum { PRINTS = 256, MOST_PRINTS = 192 }; /* a table that stays loose; loops that wait are short */

struct bsim_ptx_trail {
    uint32_t n; /* MOST_PRINTS: more than these, and nothing is certain */
    bool is_second_half;
    struct bsim_ptx_print print[PRINTS];
};

/* ---- noting ---------------------------------------------------------------------------------- */

/* Where the step is in the table, or belongs. */
static struct bsim_ptx_print *find_print(struct bsim_ptx_trail *trail, uint32_t step)
{
    uint32_t i = step % PRINTS;
    while (trail->print[i].step != 0 && trail->print[i].step != step + 1) {
        i = (i + 1) % PRINTS;
    }
    return &trail->print[i];
}

static bool is_load(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "ld") || bsim_ptx_is_a(from, "ldu");
}

/* Loads and stores lead to bytes of the lanes' own memory: generic ones by their window. */
static void note_own(struct bsim_ptx_print *print, const struct bsim_ptx_warp *warp, uint32_t lanes)
{
    const struct bsim_ptx_step *step = &warp->block->program->step[print->step - 1];
    const struct bsim_ptx_access *access = step->access;
    if (access == NULL || !(is_load(step->from) || bsim_ptx_is_a(step->from, "st")) ||
        (access->space != BSIM_PTX_LOCAL && access->space != BSIM_PTX_NO_SPACE)) {
        return;
    }
    uint64_t window = access->space == BSIM_PTX_LOCAL ? 0 : BSIM_PTX_LOCAL_WINDOW;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t at = bsim_ptx_take(warp, step->a, access->is_64, l) + access->offset;
        at = (access->is_64 ? at : (uint32_t)at) - window;
        if ((lanes >> l & 1) != 0 && at <= UINT32_MAX) {
            uint64_t end = at + (uint64_t)access->bytes * access->count;
            print->own = print->own_end == 0 || at < print->own ? at : print->own;
            print->own_end = end > print->own_end ? end : print->own_end;
        }
    }
}

void bsim_ptx_trail_note(struct bsim_ptx_warp *warp, uint32_t step, uint32_t came, uint32_t did)
{
    struct bsim_ptx_trail *trail = warp->trail;
    if (trail->n == MOST_PRINTS) {
        return;
    }
    struct bsim_ptx_print *print = find_print(trail, step);
    trail->n += print->step == 0;
    print->step = step + 1;
    print->came |= came;
    print->did |= did;
    print->half[trail->is_second_half] |= came;
    note_own(print, warp, did);
}

void bsim_ptx_trail_start(struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        struct bsim_ptx_warp *warp = &block->warp[w];
        warp->has_updated = false;
        if (warp->last_trail == NULL) {
            warp->last_trail = bsim_mem_resize(NULL, 1, sizeof *warp->last_trail);
        }
        if (warp->last_trail != NULL) {
            memset(warp->last_trail, 0, sizeof *warp->last_trail);
        }
        warp->trail = warp->last_trail;
    }
}

void bsim_ptx_trail_turn(struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        if (block->warp[w].trail != NULL) {
            block->warp[w].trail->is_second_half = true;
        }
    }
}

void bsim_ptx_trail_free(struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        bsim_mem_free(block->warp[w].last_trail);
    }
}

/* ---- what steps do --------------------------------------------------------------------------- */

/* A warp's trail, and how far going back from its branches has come. */
struct search {
    const struct bsim_ptx_warp *warp;
    struct bsim_ptx_trail *trail;
    const struct bsim_ptx_step *steps;
    bool has_control; /* all branches have been gone back from */
    bool has_grown;   /* by steps that lanes may come to */
    enum { UNSEEN, OPEN, SEEN } state[PRINTS];
    const struct bsim_ptx_function *in[PRINTS]; /* whose the steps, and so their registers, are */
};

static const struct bsim_ptx_step *step_of(const struct search *search,
                                           const struct bsim_ptx_print *print)
{
    return &search->steps[print->step - 1];
}

static const struct bsim_ptx_function *function_of(const struct search *search,
                                                   const struct bsim_ptx_print *print)
{
    return search->in[print - search->trail->print];
}

/* A function's end is no instruction of the text, and has no registers. */
static void find_functions(struct search *search)
{
    for (uint32_t i = 0; i < PRINTS; i++) {
        const struct bsim_ptx_print *print = &search->trail->print[i];
        uintptr_t from = print->step != 0 ? (uintptr_t)step_of(search, print)->from : 0;
        const struct bsim_ptx_function *f = search->warp->block->program->module->functions;
        while (f != NULL && from - (uintptr_t)f->code >= f->n_instructions * sizeof *f->code) {
            f = f->next;
        }
        search->in[i] = f;
    }
}

static bool is_look(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "mbarrier") &&
           (bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT));
}

static bool is_own(const struct bsim_ptx_step *step)
{
    return step->access != NULL &&
           (step->access->space == BSIM_PTX_LOCAL || step->access->space == BSIM_PTX_PARAM);
}

/* Computes in registers, by their values alone. */
static bool is_pure(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_find_alu(from) != NULL || bsim_ptx_find_exchange(from) != NULL ||
           bsim_ptx_is_a(from, "mov") || bsim_ptx_is_a(from, "cvt") ||
           bsim_ptx_is_a(from, "fence") || bsim_ptx_is_a(from, "membar");
}

/* Whether the step may do what others see: they may then go on. */
static bool has_effect(const struct search *search, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    switch (step->kind) {
    case BSIM_PTX_COMPUTE:
        return bsim_ptx_is_a(from, "st")     ? !is_own(step)
               : bsim_ptx_is_a(from, "atom") ||
                       bsim_ptx_is_a(from, "red")
                   ? search->warp->has_updated
                   : !is_load(from) && !is_look(from) && !is_pure(from);
    case BSIM_PTX_LEAVE:
    case BSIM_PTX_BARRIER:
    case BSIM_PTX_REFUSED:
        return true;
    default:
        return false;
    }
}

/* ---- what stays the same --------------------------------------------------------------------- */

static bool stays(struct search *search, const struct bsim_ptx_function *in,
                  const struct bsim_ptx_operand *operand);

static bool stays_control(struct search *search);
static bool stays_own(struct search *search, uint64_t from, uint64_t end, uint32_t depth);

/* A store to own memory leaves the same there as ever, or does not lead to these bytes. *n: those that do. */
static bool stays_stored(struct search *search, const struct bsim_ptx_print *print, uint64_t from,
                         uint64_t end, uint32_t *n)
{
    const struct bsim_ptx_step *step = step_of(search, print);
    const struct bsim_ptx_function *in = function_of(search, print);
    bool is_same = print->may == 0 && stays(search, in, &step->from->operand[0]);
    if (print->own >= end || print->own_end <= from) {
        return is_same;
    }
    *n += step->has_guard ? 2 : 1;
    for (uint32_t k = 1; k < step->from->n_operands && is_same; k++) {
        is_same = stays(search, in, &step->from->operand[k]);
    }
    return is_same;
}

/* A call copies what is handed over and what comes back: {n, n * {from, to, bytes}}, twice. */
static bool stays_copied(struct search *search, const struct bsim_ptx_print *print, uint64_t from,
                         uint64_t end, uint32_t *n, uint32_t depth)
{
    const uint32_t *copy = step_of(search, print)->callee->more;
    bool is_same = print->may == 0;
    for (int way = 0; way < 2; way++) {
        for (uint32_t left = *copy++; left > 0; left--, copy += 3) {
            if (copy[1] < end && (uint64_t)copy[1] + copy[2] > from && is_same) {
                ++*n;
                is_same = stays_own(search, copy[0], (uint64_t)copy[0] + copy[2], depth + 1);
            }
        }
    }
    return is_same;
}

/* These bytes of own memory stay the same, or become the same in each turn. As with registers, what several
 * steps write hangs on the way. Copies of copies may lead round. */
static bool stays_own(struct search *search, uint64_t from, uint64_t end, uint32_t depth)
{
    enum { MOST_COPIES = 16 };
    uint32_t n = 0;
    bool is_same = depth < MOST_COPIES;
    for (uint32_t i = 0; i < PRINTS && is_same; i++) {
        const struct bsim_ptx_print *print = &search->trail->print[i];
        const struct bsim_ptx_step *step = print->step != 0 ? step_of(search, print) : NULL;
        if (step != NULL && step->kind == BSIM_PTX_CALL_BY_ADDRESS) {
            is_same = false;
        } else if (step != NULL && step->kind == BSIM_PTX_CALL) {
            is_same = stays_copied(search, print, from, end, &n, depth);
        } else if (step != NULL && step->from != NULL && bsim_ptx_is_a(step->from, "st") &&
                   is_own(step)) {
            is_same = stays_stored(search, print, from, end, &n);
        }
    }
    return is_same && (n <= 1 || stays_control(search));
}

/* Its result hangs on more than its operands and memory: on clocks, on a carry, on who else is there, on
 * what the thread has stored. */
static bool hangs_on_more(struct search *search, const struct bsim_ptx_print *print)
{
    static const char *const more[] = {"addc", "subc", "madc", "activemask", "elect"};
    const struct bsim_ptx_step *step = step_of(search, print);
    const struct bsim_ptx_instruction *from = step->from;
    bool does = (print->own_end > 0 && !stays_own(search, print->own, print->own_end, 0)) ||
                !(is_load(from) || is_look(from) || bsim_ptx_is_a(from, "atom") || is_pure(from));
    for (size_t i = 0; i < sizeof more / sizeof *more && !does; i++) {
        does = bsim_ptx_is_a(from, more[i]);
    }
    return does;
}

static bool stays_what_it_gives(struct search *search, uint32_t i)
{
    struct bsim_ptx_print *print = &search->trail->print[i];
    const struct bsim_ptx_step *step = step_of(search, print);
    const struct bsim_ptx_instruction *from = step->from;
    if (search->state[i] != UNSEEN) {
        return search->state[i] == SEEN;
    }
    search->state[i] = OPEN;
    bool is_same = print->may == 0 && !hangs_on_more(search, print);
    for (uint32_t k = 1; k < from->n_operands && is_same; k++) {
        is_same = stays(search, search->in[i], &from->operand[k]);
    }
    search->state[i] = is_same ? SEEN : OPEN;
    print->decides =
        is_look(from) || bsim_ptx_is_a(from, "atom") || (is_load(from) && !is_own(step));
    return is_same;
}

static bool stays_register(struct search *search, const struct bsim_ptx_function *in,
                           uint32_t number);

/* Which way the lanes go is the same in each turn. */
static bool stays_control(struct search *search)
{
    bool is_same = true;
    if (search->has_control) {
        return true;
    }
    search->has_control = true;
    for (uint32_t i = 0; i < PRINTS && is_same; i++) {
        const struct bsim_ptx_print *print = &search->trail->print[i];
        const struct bsim_ptx_step *step = print->step != 0 ? step_of(search, print) : NULL;
        if (step != NULL && step->kind == BSIM_PTX_BRANCH_BY_INDEX) {
            is_same = stays(search, search->in[i], &step->from->operand[0]);
        }
        if (step != NULL && step->has_guard && is_same) {
            is_same = stays_register(search, search->in[i], step->from->guard);
        }
    }
    return is_same;
}

/* A register that several steps write, or one under a guard, hangs on the way, too. */
static bool stays_register(struct search *search, const struct bsim_ptx_function *in,
                           uint32_t number)
{
    uint32_t n = 0;
    bool is_same = true;
    for (uint32_t i = 0; i < PRINTS && is_same; i++) {
        const struct bsim_ptx_print *print = &search->trail->print[i];
        const struct bsim_ptx_step *step = print->step != 0 ? step_of(search, print) : NULL;
        if (step != NULL && search->in[i] == in && step->from != NULL &&
            bsim_ptx_defines(step->from) && bsim_ptx_sets(&step->from->operand[0], number)) {
            n += step->has_guard ? 2 : 1;
            is_same = stays_what_it_gives(search, i);
        }
    }
    return is_same && (n <= 1 || stays_control(search));
}

static bool stays(struct search *search, const struct bsim_ptx_function *in,
                  const struct bsim_ptx_operand *operand)
{
    bool is_clock = operand->kind == BSIM_PTX_SPECIAL && operand->number >= BSIM_PTX_FIRST_CLOCK &&
                    operand->number <= BSIM_PTX_LAST_CLOCK;
    bool is_same = operand->kind == BSIM_PTX_REGISTER ? stays_register(search, in, operand->number)
                                                      : !is_clock;
    for (uint32_t i = 0; i < operand->n && is_same; i++) {
        is_same = stays(search, in, &operand->member[i]);
    }
    return is_same;
}

/* ---- a warp ---------------------------------------------------------------------------------- */

static bool all_came(const struct search *search, uint32_t lanes, uint32_t step)
{
    return (lanes & ~find_print(search->trail, step)->came) == 0;
}

/* The lanes may come to the step. False if there are too many. */
static bool add_lanes(struct search *search, uint32_t lanes, uint32_t step)
{
    struct bsim_ptx_print *print = find_print(search->trail, step);
    uint32_t more = lanes & ~(print->came | print->may);
    if (more != 0) {
        search->trail->n += print->step == 0;
        print->step = step + 1;
        print->may |= more;
        search->has_grown = true;
    }
    return search->trail->n < MOST_PRINTS;
}

/* The lanes go to one of two steps, by the branch; those that have not been to both may. */
static bool follow_branch(struct search *search, const struct bsim_ptx_print *print)
{
    const struct bsim_ptx_step *step = step_of(search, print);
    uint32_t behind = print->step, lanes = print->came | print->may;
    const struct bsim_ptx_function *in = function_of(search, print);
    bool is_both = all_came(search, lanes, behind) && all_came(search, lanes, step->target);
    if (step->kind == BSIM_PTX_BRANCH && !step->has_guard) {
        return add_lanes(search, lanes, step->target);
    }
    bool is_same = print->may == 0 && !is_both &&
                   (step->kind == BSIM_PTX_BRANCH ? stays_register(search, in, step->from->guard)
                                                  : stays(search, in, &step->from->operand[0]));
    return is_same || (add_lanes(search, lanes, behind) && add_lanes(search, lanes, step->target));
}

/* Where the lanes go from the step that they came to. False: they have an effect, or nothing is certain. */
static bool follow_print(struct search *search, const struct bsim_ptx_print *print)
{
    const struct bsim_ptx_step *step = step_of(search, print);
    uint32_t behind = print->step, lanes = print->came | print->may;
    if (has_effect(search, step) &&
        (print->did != 0 || print->may != 0 || !step->has_guard ||
         !stays_register(search, function_of(search, print), step->from->guard))) {
        return false;
    }
    switch (step->kind) {
    case BSIM_PTX_BRANCH:
    case BSIM_PTX_BRANCH_BY_INDEX:
        return follow_branch(search, print);
    case BSIM_PTX_CALL:
        return add_lanes(search, lanes, step->target) && add_lanes(search, lanes, behind);
    case BSIM_PTX_CALL_BY_ADDRESS: /* where those lead who came is noted */
        return print->may == 0 && add_lanes(search, lanes, behind);
    case BSIM_PTX_RETURN:
        return print->may == 0;
    default:
        return add_lanes(search, lanes, behind);
    }
}

/* Lanes that wait at a barrier, or where others are to meet them. */
static uint32_t waiting_lanes(const struct bsim_ptx_warp *warp)
{
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        lanes |= warp->group[g].is_waiting ? warp->group[g].mask : 0;
    }
    for (uint32_t m = 0; m < BSIM_PTX_MAX_MEETS && warp->n_meets > 0; m++) {
        lanes |= warp->meet[m].is_used ? warp->meet[m].arrived : 0;
    }
    return lanes;
}

/* Functions that call themselves come back to where the trail has not been, with registers of before. */
static bool is_in_recursion(const struct search *search, const struct bsim_ptx_print *print)
{
    const struct bsim_ptx_program *program = search->warp->block->program;
    uint8_t kind = print->step != 0 ? step_of(search, print)->kind : BSIM_PTX_COMPUTE;
    return program->doubts.recurs &&
           (kind == BSIM_PTX_CALL || kind == BSIM_PTX_CALL_BY_ADDRESS || kind == BSIM_PTX_RETURN);
}

/* Who waits has done so all the time, and the others come to the same steps in both halves of it. */
static bool has_settled(const struct search *search)
{
    const struct bsim_ptx_warp *warp = search->warp;
    uint32_t came = 0;
    bool has = true;
    for (uint32_t i = 0; i < PRINTS && has; i++) {
        const struct bsim_ptx_print *print = &search->trail->print[i];
        has = print->half[0] == print->half[1] && !is_in_recursion(search, print);
        came |= print->came;
    }
    has = has && (came & waiting_lanes(warp)) == 0;
    for (uint32_t g = 0; g < warp->n_groups && has; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        has = group->is_waiting || all_came(search, group->mask, group->pc);
    }
    return has;
}

static bool is_caught(const struct bsim_ptx_warp *warp)
{
    struct search search = {
        .warp = warp, .trail = warp->trail, .steps = warp->block->program->step};
    if (warp->trail == NULL || warp->trail->n == MOST_PRINTS || !has_settled(&search)) {
        return false;
    }
    bool is_certain = true;
    do { /* what was certain of fewer steps is looked at anew */
        search.has_grown = search.has_control = false;
        memset(search.state, 0, sizeof search.state);
        find_functions(&search);
        for (uint32_t i = 0; i < PRINTS && is_certain; i++) {
            const struct bsim_ptx_print *print = &warp->trail->print[i];
            is_certain = print->step == 0 || follow_print(&search, print);
        }
    } while (search.has_grown && is_certain);
    return is_certain;
}

bool bsim_ptx_trail_stop(struct bsim_ptx_block *block)
{
    bool are_caught = true;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        struct bsim_ptx_warp *warp = &block->warp[w];
        are_caught = (warp->n_groups == 0 || is_caught(warp)) && are_caught;
        warp->trail = NULL;
    }
    return are_caught;
}

const struct bsim_ptx_print *bsim_ptx_trail_find(const struct bsim_ptx_warp *warp, uint32_t mask)
{
    const struct bsim_ptx_print *found = NULL;
    for (uint32_t i = 0; i < PRINTS && warp->last_trail != NULL; i++) {
        const struct bsim_ptx_print *print = &warp->last_trail->print[i];
        if (print->decides && (print->came & mask) != 0 &&
            (found == NULL || print->step < found->step)) {
            found = print;
        }
    }
    return found;
}
