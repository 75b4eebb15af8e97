/* uniform.c - registers that have the same value in all lanes of a warp, as far as ptxas sees; and the
 * atomics that it makes one lane's for that, and branches whose lanes may part.
 *
 *     ld.param.u32       %r1, [n];             the same in all lanes: so is %r3
 *     mov.u32            %r2, %tid.x;          varies
 *     add.s32            %r3, s, %r1;
 *     red.shared.add.u32 [%r3], %r2;           REDUX.SUM, and the last active lane adds the sum
 *
 *     @%p bra            L;                    %p varies: its ways meet at M,
 *     mov.u32            %r4, 0;
 *     bra                M;
 *  L: mov.u32            %r4, 4;
 *  M: add.s32            %r5, s, %r4;          where %r4 varies, as it was set on one of them
 *
 * A loop that some lanes leave before others meets where it begins again, and what one turn has is another's
 * behind it. Lanes that end there meet nobody.
 *
 * Graded measured: 369 kernels on an H100, and ptxas's code of them (tests/measured/h100/uniform). That of
 * 8.0, 8.6, 8.9, 10.0 and 12.0 is the same as that of 9.0.
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

struct uniform {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_step *step;
    const uint32_t *meet; /* of each instruction: where a branch's ways come together */
    struct bsim_ptx_paths paths;
    struct bsim_ptx_addresses addresses; /* what is constant */
    bool *varies;    /* of each register */
    bool *is_parted; /* of each instruction: a branch whose joins are known */
    uint32_t *turned; /* of each register: the last branch, from 1 on, whose loop sets it */
    /* Registers that several instructions set have a slot, and blocks a set of slots. */
    uint32_t *slot; /* of each register: number of instructions that set it; then its slot, or NOWHERE */
    uint32_t n_slots;
    size_t n_words;
    uint64_t *live;   /* of each block: read behind its begin, before they are set */
    uint64_t *set;    /* of each block: set there whatever a guard says */
    uint64_t *joined; /* where the ways of the branch under way meet */
    uint32_t *label;  /* of each block, the way of the branch that leads there; 0: none */
    bool *is_join;
    uint32_t *visit;
};

static bool has(const uint64_t *set, uint32_t k)
{
    return set[k / 64] >> k % 64 & 1;
}

static void put(uint64_t *set, uint32_t k)
{
    set[k / 64] |= UINT64_C(1) << k % 64;
}

/* bar.red: what the threads of a block have in common. */
static bool is_over_block(const struct bsim_ptx_instruction *from)
{
    return (bsim_ptx_is_a(from, "bar") || bsim_ptx_is_a(from, "barrier")) &&
           bsim_ptx_has(from, BSIM_PTX_RED);
}

/* Whether its first operand is what it computes; of a barrier, too. */
static bool makes(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_makes(from) || is_over_block(from);
}

/* ---- registers that several instructions set --------------------------------------------------- */

static void count_definitions(struct uniform *u, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        u->slot[operand->number]++;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        count_definitions(u, &operand->member[k]);
    }
}

static void number_slots(struct uniform *u)
{
    for (uint32_t i = 0; i < u->function->n_instructions; i++) {
        if (makes(&u->function->code[i])) {
            count_definitions(u, &u->function->code[i].operand[0]);
        }
    }
    for (uint32_t r = 0; r < u->function->n_registers; r++) {
        bool has_slot = u->slot[r] > 1;
        u->slot[r] = has_slot ? u->n_slots : BSIM_PTX_NOWHERE;
        u->n_slots += has_slot;
    }
    u->n_words = u->n_slots / 64 + 1;
}

static uint64_t *live_at(const struct uniform *u, uint32_t block)
{
    return u->live + block * u->n_words;
}

static uint64_t *set_in(const struct uniform *u, uint32_t block)
{
    return u->set + block * u->n_words;
}

static void note_register(struct uniform *u, uint32_t block, uint32_t r, bool is_set)
{
    uint32_t slot = u->slot[r];
    if (slot == BSIM_PTX_NOWHERE) {
        return;
    }
    if (is_set) {
        put(set_in(u, block), slot);
    } else if (!has(set_in(u, block), slot)) {
        put(live_at(u, block), slot);
    }
}

static void note_operand(struct uniform *u, uint32_t block, const struct bsim_ptx_operand *operand,
                         bool is_set)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        note_register(u, block, operand->number, is_set);
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        note_operand(u, block, &operand->member[k], is_set);
    }
}

static void note_instruction(struct uniform *u, uint32_t block,
                             const struct bsim_ptx_instruction *from)
{
    bool is_made = makes(from);
    if (from->has_guard) {
        note_register(u, block, from->guard, false);
    }
    for (uint32_t k = is_made ? 1 : 0; k < from->n_operands; k++) {
        note_operand(u, block, &from->operand[k], false);
    }
    if (is_made && from->has_guard) {
        note_operand(u, block, &from->operand[0], false); /* what it was, too, may be read later */
    } else if (is_made) {
        note_operand(u, block, &from->operand[0], true);
    }
}

/* True if more is live where a block begins than was known. */
static bool follow_back(struct uniform *u)
{
    bool is_new = false;
    for (uint32_t b = u->paths.blocks.n; b-- > 0;) {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t next = u->paths.blocks.block[b].next[k];
            for (size_t w = 0; w < u->n_words && next < u->paths.blocks.n; w++) {
                uint64_t more = live_at(u, next)[w] & ~set_in(u, b)[w] & ~live_at(u, b)[w];
                live_at(u, b)[w] |= more;
                is_new = is_new || more != 0;
            }
        }
    }
    return is_new;
}

static void find_live(struct uniform *u)
{
    for (uint32_t b = 0; b < u->paths.blocks.n; b++) {
        const struct bsim_ptx_code_block *block = &u->paths.blocks.block[b];
        for (uint32_t i = block->first; i <= block->last; i++) {
            note_instruction(u, b, &u->function->code[i]);
        }
    }
    while (follow_back(u)) {
    }
}

/* ---- where the ways of a branch meet ----------------------------------------------------------- */

/* Labels what the ways lead to. A block that two of them lead to is a join, which has a way of its own behind it:
 * the first that is found is added, and true returned. */
static bool label_ways(struct uniform *u, uint32_t own, uint32_t end, bool *returns)
{
    const struct bsim_ptx_code_block *block = u->paths.blocks.block;
    uint32_t n_blocks = u->paths.blocks.n, n = 0;
    memset(u->label, 0, (n_blocks + 1) * sizeof *u->label);
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t next = block[own].next[k] < n_blocks ? block[own].next[k] : n_blocks;
        if (u->label[next] == 0) {
            u->visit[n++] = next;
        }
        u->label[next] = u->is_join[next] ? next + 3 : k + 1;
        *returns = *returns || next == own;
    }
    while (n > 0) {
        uint32_t from = u->visit[--n];
        for (uint32_t k = 0; k < 2 && from != end && from != own && from < n_blocks; k++) {
            uint32_t to = block[from].next[k] < n_blocks ? block[from].next[k] : n_blocks;
            uint32_t label = u->is_join[to] ? to + 3 : u->label[from];
            if (u->label[to] == 0) {
                u->label[to] = label;
                u->visit[n++] = to;
            } else if (u->label[to] != label && !u->is_join[to]) {
                u->is_join[to] = true;
                return true;
            }
            *returns = *returns || to == own;
        }
    }
    return false;
}

static bool is_joined(const struct uniform *u, uint32_t number)
{
    return u->slot[number] != BSIM_PTX_NOWHERE && has(u->joined, u->slot[number]);
}

/* True if that is new of any of the operand's registers, or only_joined of those that are read behind a join. */
static bool note_varying(struct uniform *u, const struct bsim_ptx_operand *operand, bool only_joined)
{
    bool is_new = operand->kind == BSIM_PTX_REGISTER && !u->varies[operand->number] &&
                  (!only_joined || is_joined(u, operand->number));
    if (is_new) {
        u->varies[operand->number] = true;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        is_new = note_varying(u, &operand->member[k], only_joined) || is_new;
    }
    return is_new;
}

static bool is_labelled(const struct uniform *u, uint32_t i)
{
    return u->label[u->paths.blocks.of[i]] != 0;
}

/* Registers that a way has set differ where it joins another that has not. */
static bool vary_joined(struct uniform *u)
{
    bool is_new = false;
    for (uint32_t i = 0; i < u->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &u->function->code[i];
        if (is_labelled(u, i) && makes(from)) {
            is_new = note_varying(u, &from->operand[0], true) || is_new;
        }
    }
    return is_new;
}

static void note_turned(struct uniform *u, const struct bsim_ptx_operand *operand, uint32_t branch)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        u->turned[operand->number] = branch + 1;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        note_turned(u, &operand->member[k], branch);
    }
}

/* True if a register of the operand is of the loop, and was not known to vary. */
static bool vary_turned(struct uniform *u, const struct bsim_ptx_operand *operand, uint32_t branch)
{
    bool is_new = operand->kind == BSIM_PTX_REGISTER && !u->varies[operand->number] &&
                  u->turned[operand->number] == branch + 1;
    if (is_new) {
        u->varies[operand->number] = true;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        is_new = vary_turned(u, &operand->member[k], branch) || is_new;
    }
    return is_new;
}

/* What a loop's instructions set, and others read: lanes that have left it earlier have an earlier turn's. */
static bool vary_left(struct uniform *u, uint32_t branch)
{
    bool is_new = false;
    const struct bsim_ptx_function *function = u->function;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        if (is_labelled(u, i) && makes(&function->code[i])) {
            note_turned(u, &function->code[i].operand[0], branch);
        }
    }
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        uint32_t end = is_labelled(u, i) ? 0 : from->n_operands;
        for (uint32_t k = makes(from) ? 1 : 0; k < end; k++) {
            is_new = vary_turned(u, &from->operand[k], branch) || is_new;
        }
    }
    return is_new;
}

/* The lanes of a warp go both ways of the branch: true if some register varies for that. */
static bool part(struct uniform *u, uint32_t branch)
{
    uint32_t n = u->paths.blocks.n, own = u->paths.blocks.of[branch];
    uint32_t end = u->meet[branch] != BSIM_PTX_NOWHERE ? u->paths.blocks.of[u->meet[branch]] : n;
    bool returns = false;
    memset(u->is_join, 0, (n + 1) * sizeof *u->is_join);
    while (label_ways(u, own, end, &returns)) {
    }
    /* What comes back to the branch begins its loops again with the lanes that have not left them. */
    for (uint32_t head = u->paths.loop[own]; returns && head != BSIM_PTX_NOWHERE;
         head = u->paths.outer[head]) {
        u->is_join[head] = u->is_join[head] || head == own || u->label[head] != 0;
    }
    memset(u->joined, 0, u->n_words * sizeof *u->joined);
    for (uint32_t b = 0; b < n; b++) {
        for (size_t w = 0; w < u->n_words && u->is_join[b]; w++) {
            u->joined[w] |= live_at(u, b)[w];
        }
    }
    if (returns) {
        u->label[own] = 1;
    }
    if (end < n) {
        u->label[end] = 0; /* behind the branch */
    }
    bool is_new = vary_joined(u);
    return (returns && vary_left(u, branch)) || is_new;
}

/* ---- what varies ------------------------------------------------------------------------------- */

static bool is_lanes_own(uint32_t special)
{
    return special == BSIM_PTX_TID_X || special == BSIM_PTX_TID_Y || special == BSIM_PTX_TID_Z ||
           special == BSIM_PTX_LANEID ||
           (special >= BSIM_PTX_LANEMASK_EQ && special <= BSIM_PTX_LANEMASK_GT);
}

static bool operand_varies(const struct uniform *u, const struct bsim_ptx_operand *operand)
{
    bool does = (operand->kind == BSIM_PTX_REGISTER && u->varies[operand->number]) ||
                (operand->kind == BSIM_PTX_SPECIAL && is_lanes_own(operand->number));
    for (uint32_t k = 0; k < operand->n && !does; k++) {
        does = operand_varies(u, &operand->member[k]);
    }
    return does;
}

/* What a function is handed, or gives back; a thread's own memory. */
static bool is_threads(const struct uniform *u, const struct bsim_ptx_instruction *from,
                       const struct bsim_ptx_operand *operand)
{
    if (bsim_ptx_has(from, BSIM_PTX_LOCAL_)) {
        return true;
    }
    return bsim_ptx_is_handed(operand) &&
           !(u->function->is_entry && operand->member[0].symbol->is_parameter);
}

/* Whether what it computes is a lane's own, whatever it is made of: pieces of tiles, what was there before an
 * atomic. */
static bool is_each_lanes(const struct bsim_ptx_instruction *from)
{
    static const char *const names[] = {"atom",  "mma",      "wmma",      "wgmma", "ldmatrix",
                                        "elect", "mbarrier", "movmatrix", "bar",   "barrier"};
    size_t k = 0;
    while (k < sizeof names / sizeof *names && !bsim_ptx_is_a(from, names[k])) {
        k++;
    }
    return k < sizeof names / sizeof *names;
}

/* Whether a shuffle gives all lanes that of one: of the same value, or from one lane of all 32, under any mask. */
static bool is_of_one(const struct uniform *u, const struct bsim_ptx_instruction *from)
{
    enum { SEGMENTS = 0x1f00 };
    uint64_t segment = SEGMENTS;
    bool is_whole = from->n_operands > 3 &&
                    bsim_ptx_is_constant(&u->addresses, &from->operand[3], &segment) &&
                    (segment & SEGMENTS) == 0;
    bool is_from_one = bsim_ptx_has(from, BSIM_PTX_IDX) && is_whole &&
                       !operand_varies(u, &from->operand[2]);
    return is_from_one || !operand_varies(u, &from->operand[1]);
}

/* Whether all lanes have the same of it, whatever it is made of; of lanes under one mask. */
static bool is_the_warps(const struct uniform *u, const struct bsim_ptx_instruction *from)
{
    bool is_over_warp = bsim_ptx_is_a(from, "vote") || bsim_ptx_is_a(from, "redux") ||
                        (bsim_ptx_is_a(from, "match") && bsim_ptx_has(from, BSIM_PTX_ALL));
    return bsim_ptx_is_a(from, "activemask") ||
           (bsim_ptx_is_a(from, "shfl") && is_of_one(u, from)) ||
           (is_over_warp && !operand_varies(u, &from->operand[from->n_operands - 1]));
}

static bool result_varies(const struct uniform *u, const struct bsim_ptx_instruction *from)
{
    bool does = (from->has_guard && u->varies[from->guard]) || is_each_lanes(from) ||
                (bsim_ptx_is_a(from, "shfl") && !is_the_warps(u, from));
    for (uint32_t k = 1; k < from->n_operands && !does && !is_the_warps(u, from); k++) {
        does = operand_varies(u, &from->operand[k]) || is_threads(u, from, &from->operand[k]);
    }
    return does;
}

/* Whether a way of the branch does nothing but end: its lanes meet nobody. */
static bool ends_some(const struct uniform *u, uint32_t branch)
{
    const struct bsim_ptx_blocks *blocks = &u->paths.blocks;
    const uint32_t *next = blocks->block[blocks->of[branch]].next;
    bool does = false;
    for (uint32_t k = 0; k < 2 && u->function->is_entry && !does; k++) {
        const struct bsim_ptx_instruction *to =
            next[k] < blocks->n ? &u->function->code[blocks->block[next[k]].first] : NULL;
        does = to != NULL && !to->has_guard && (bsim_ptx_is_a(to, "ret") || bsim_ptx_is_a(to, "exit"));
    }
    return does;
}

static bool parts(const struct uniform *u, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &u->function->code[i];
    return bsim_ptx_branches(from) && !ends_some(u, i) &&
           ((from->has_guard && u->varies[from->guard]) ||
            (u->step[i].kind == BSIM_PTX_BRANCH_BY_INDEX && operand_varies(u, &from->operand[0])));
}

/* True if something new was found. */
static bool follow(struct uniform *u)
{
    bool is_new = false;
    for (uint32_t i = 0; i < u->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &u->function->code[i];
        if (makes(from) && result_varies(u, from)) {
            is_new = note_varying(u, &from->operand[0], false) || is_new;
        } else if (!u->is_parted[i] && parts(u, i)) {
            u->is_parted[i] = true;
            is_new = part(u, i) || is_new;
        }
    }
    return is_new;
}

/* ---- atomics ----------------------------------------------------------------------------------- */

/* What one lane does for all that are active: sums, and if nobody reads the old value what REDUX does, too. Of a sum
 * of values that vary each lane that reads wants its share: SHFL.UP finds it if all 32 are there. Of 64 bits
 * there is the product of a value that all have alone. */
static enum bsim_ptx_gather gather_of(const struct uniform *u, const struct bsim_ptx_step *step,
                                      const struct bsim_ptx_operand *value)
{
    const struct bsim_ptx_access *access = step->access;
    bool is_read = access->opcode.family == BSIM_ATOM, varies = operand_varies(u, value);
    bool is_sum = access->operation == BSIM_ADD;
    bool is_redux = is_sum || access->operation == BSIM_MIN || access->operation == BSIM_MAX ||
                    (access->operation >= BSIM_AND && access->operation <= BSIM_XOR);
    if (access->is_float || access->count > 1 || access->bytes < 4 ||
        access->opcode.operation == BSIM_POPC_INC) { /* which does it for any addresses */
        return BSIM_PTX_GATHERS_NONE;
    }
    if (is_sum && !varies) {
        return BSIM_PTX_GATHERS_PRODUCT;
    }
    if (access->bytes == 4 && is_redux && !is_read) {
        return BSIM_PTX_GATHERS_REDUX;
    }
    return access->bytes == 4 && is_sum ? BSIM_PTX_GATHERS_SCAN : BSIM_PTX_GATHERS_NONE;
}

static void mark(const struct uniform *u)
{
    for (uint32_t i = 0; i < u->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &u->function->code[i];
        struct bsim_ptx_access *access = u->step[i].access;
        bool is_atom = bsim_ptx_is_a(from, "atom");
        uint32_t at = is_atom ? 1 : 0;
        if (access != NULL && (is_atom || bsim_ptx_is_a(from, "red")) &&
            from->n_operands > at + 1 && !operand_varies(u, &from->operand[at])) {
            access->gather = gather_of(u, &u->step[i], &from->operand[at + 1]);
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------- */

static bool start(struct uniform *u)
{
    const struct bsim_ptx_function *function = u->function;
    if (!bsim_ptx_paths_new(function, &u->paths) ||
        !bsim_ptx_addresses_new(function, &u->addresses)) {
        return false;
    }
    size_t n = (size_t)u->paths.blocks.n + 1, n_registers = (size_t)function->n_registers + 1;
    u->varies = bsim_mem_zeroed(n_registers, sizeof *u->varies);
    u->turned = bsim_mem_zeroed(n_registers, sizeof *u->turned);
    u->is_parted = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *u->is_parted);
    u->slot = bsim_mem_zeroed(n_registers, sizeof *u->slot);
    u->label = bsim_mem_zeroed(n, sizeof *u->label);
    u->is_join = bsim_mem_zeroed(n, sizeof *u->is_join);
    u->visit = bsim_mem_zeroed(n, sizeof *u->visit);
    if (u->varies == NULL || u->turned == NULL || u->is_parted == NULL || u->slot == NULL ||
        u->label == NULL || u->is_join == NULL || u->visit == NULL) {
        return false;
    }
    number_slots(u);
    u->live = bsim_mem_zeroed(n * u->n_words, sizeof *u->live);
    u->set = bsim_mem_zeroed(n * u->n_words, sizeof *u->set);
    u->joined = bsim_mem_zeroed(u->n_words, sizeof *u->joined);
    return u->live != NULL && u->set != NULL && u->joined != NULL;
}

static void finish(struct uniform *u)
{
    bsim_ptx_paths_free(&u->paths);
    bsim_ptx_addresses_free(&u->addresses);
    bsim_mem_free(u->varies);
    bsim_mem_free(u->turned);
    bsim_mem_free(u->is_parted);
    bsim_mem_free(u->slot);
    bsim_mem_free(u->label);
    bsim_mem_free(u->is_join);
    bsim_mem_free(u->visit);
    bsim_mem_free(u->live);
    bsim_mem_free(u->set);
    bsim_mem_free(u->joined);
}

bool bsim_ptx_find_gathers(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                           const uint32_t *meet)
{
    struct uniform u = {.function = function, .step = step, .meet = meet};
    bool has_memory = start(&u);
    if (has_memory) {
        find_live(&u);
        while (follow(&u)) {
        }
        mark(&u);
        for (uint32_t i = 0; i < function->n_instructions; i++) {
            step[i].parts = u.is_parted[i];
        }
    }
    finish(&u);
    return has_memory;
}
