/* doubt.c - accesses of shared memory that ptxas may leave out for some lanes or for all, or execute for
 * more.
 *
 *     st.shared [%r1], 0;          written again where %p is off, and nobody reads it before: ptxas
 *     @%p bra   M;                 stores 0 only where %p is on
 *     st.shared [%r1], %r2;
 *  M: ld.shared %r3, [%r4];        wanted only where %q is off: ptxas may load it only there
 *     @%q bra   N;
 *     add       %r5, %r3, 1;
 *
 *     @%p bra   J;                 few instructions, which ptxas may guard instead of branching around
 *     ld.shared %r6, [x];          them; who knows where it leads needs no guard: all lanes load
 *     st.global [%rd1], %r6;
 *  J: add       %r7, %r7, 1;
 *
 * Whether it does depends on what else the code holds; the sites say that it may. All were found
 * where an H200 counted less or more than the PTX has, in kernels of public programs.
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <stdlib.h>

/* A store to an address that is the same wherever it stands. */
struct store {
    struct bsim_ptx_access *access;
    struct bsim_ptx_address address;
    uint32_t bytes, at, memory; /* size, instruction, version of what is read of shared memory */
};

/* Of a value: somewhere; by whoever has it. */
enum { USED = 1, WANTED = 3 };

struct doubts {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_step *step;
    struct bsim_ptx_addresses addresses;
    struct bsim_ptx_paths paths;
    bool *changes;
    uint32_t *version;
    struct store *store;
    uint8_t *use;   /* of each register */
    uint32_t first; /* the function's first step in the program */
};

static bool is_plain(const struct bsim_ptx_step *step, uint32_t family)
{
    const struct bsim_ptx_access *access = step->access;
    return access != NULL && access->space == BSIM_PTX_SHARED && access->merged == 0 &&
           !access->is_silent && access->opcode.family == family && !step->has_guard &&
           !access->opcode.is_volatile;
}

static void find_versions(struct doubts *doubts, bool (*changes)(const struct bsim_ptx_step *step))
{
    for (uint32_t i = 0; i < doubts->function->n_instructions; i++) {
        doubts->changes[i] = changes(&doubts->step[i]);
    }
    bsim_ptx_find_versions(&doubts->paths, doubts->changes, doubts->version);
}

/* ---- stores that are overwritten ------------------------------------------------------------- */

static int order_of(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_addresses(const struct store *a, const struct store *b)
{
    int order = order_of(a->address.root, b->address.root);
    order = order != 0 ? order : order_of(a->address.offset, b->address.offset);
    order = order != 0 ? order : order_of(a->bytes, b->bytes);
    return order != 0 ? order : order_of(a->memory, b->memory);
}

static int compare_stores(const void *a, const void *b)
{
    const struct store *x = a, *y = b;
    int order = compare_addresses(x, y);
    return order != 0 ? order : order_of(x->at, y->at);
}

static uint32_t list_stores(struct doubts *doubts)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < doubts->function->n_instructions; i++) {
        const struct bsim_ptx_step *step = &doubts->step[i];
        if (!is_plain(step, BSIM_ST)) {
            continue;
        }
        struct store *store = &doubts->store[n];
        *store = (struct store){.access = step->access, .at = i, .memory = doubts->version[i]};
        store->bytes = step->access->bytes * step->access->count;
        store->address = bsim_ptx_address_of(&doubts->addresses, &step->from->operand[0].member[0],
                                             step->access->offset);
        uint32_t root = store->address.root;
        n += root == BSIM_PTX_NOWHERE || bsim_ptx_is_settled(&doubts->addresses, root);
    }
    return n;
}

static void find_overwritten(struct doubts *doubts)
{
    find_versions(doubts, bsim_ptx_parts_stores);
    uint32_t n = list_stores(doubts);
    qsort(doubts->store, n, sizeof *doubts->store, compare_stores);
    for (uint32_t i = 0; i + 1 < n; i++) {
        struct store *store = &doubts->store[i];
        if (compare_addresses(store, store + 1) == 0 &&
            bsim_ptx_precedes(&doubts->paths, store->at, store[1].at)) {
            store->access->may_drop = true;
        }
    }
}

/* ---- loads that not everybody wants ---------------------------------------------------------- */

/* Whether who comes to a comes to b, or memory is another before they part. */
static bool is_sure(const struct doubts *doubts, uint32_t a, uint32_t b)
{
    uint32_t last = doubts->paths.blocks.block[doubts->paths.blocks.of[a]].last;
    const struct bsim_ptx_step *end = &doubts->step[last];
    if (doubts->version[a] != doubts->version[last] || (b > a && b <= last) ||
        end->kind != BSIM_PTX_BRANCH || end->meet == BSIM_PTX_NOWHERE) {
        return true;
    }
    uint32_t meet = end->meet - doubts->first;
    return meet == b || bsim_ptx_precedes(&doubts->paths, meet, b);
}

static void note_use(struct doubts *doubts, const struct bsim_ptx_operand *operand, uint32_t i)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        uint32_t by = doubts->addresses.defined_by[operand->number];
        bool is_one = by < doubts->function->n_instructions;
        doubts->use[operand->number] |= !is_one || is_sure(doubts, by, i) ? WANTED : USED;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        note_use(doubts, &operand->member[k], i);
    }
}

static void note_uses(struct doubts *doubts)
{
    for (uint32_t i = 0; i < doubts->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &doubts->function->code[i];
        for (uint32_t k = bsim_ptx_defines(from) ? 1 : 0; k < from->n_operands; k++) {
            note_use(doubts, &from->operand[k], i);
        }
        if (from->has_guard) {
            doubts->use[from->guard] |= WANTED;
        }
    }
}

static void find_unwanted(struct doubts *doubts)
{
    find_versions(doubts, bsim_ptx_parts_loads);
    note_uses(doubts);
    for (uint32_t i = 0; i < doubts->function->n_instructions; i++) {
        const struct bsim_ptx_step *step = &doubts->step[i];
        const struct bsim_ptx_operand *value = &step->from->operand[0];
        if (is_plain(step, BSIM_LD) && value->kind == BSIM_PTX_REGISTER) {
            step->access->may_drop = doubts->use[value->number] == USED;
        }
    }
}

/* ---- loads that more may do ------------------------------------------------------------------ */

/* Whether the block may become a few guarded instructions: it alone stands between a branch and where its
 * ways meet, which is neither a barrier (ptxas has the lanes meet there by a branch's end) nor the end. */
static bool may_be_guarded(const struct doubts *doubts, uint32_t block)
{
    enum { MOST_INSTRUCTIONS = 24 };
    const struct bsim_ptx_paths *paths = &doubts->paths;
    const struct bsim_ptx_code_block *b = &paths->blocks.block[block];
    uint32_t edge = paths->first_edge[block];
    uint32_t meet = b->next[0] != BSIM_PTX_NOWHERE ? b->next[0] : b->next[1];
    bool is_one_way = b->next[0] == BSIM_PTX_NOWHERE || b->next[1] == BSIM_PTX_NOWHERE;
    if (edge == BSIM_PTX_NOWHERE || paths->next_edge[edge] != BSIM_PTX_NOWHERE || !is_one_way ||
        meet >= paths->blocks.n || b->last - b->first >= MOST_INSTRUCTIONS) {
        return false;
    }
    const struct bsim_ptx_code_block *before = &paths->blocks.block[edge / 2];
    const struct bsim_ptx_step *next = &doubts->step[paths->blocks.block[meet].first];
    return (before->next[0] == meet || before->next[1] == meet) && next->kind != BSIM_PTX_BARRIER &&
           next->kind != BSIM_PTX_LEAVE && next->kind != BSIM_PTX_RETURN;
}

static void find_unguarded(struct doubts *doubts)
{
    for (uint32_t i = 0; i < doubts->function->n_instructions; i++) {
        const struct bsim_ptx_step *step = &doubts->step[i];
        if (is_plain(step, BSIM_LD) && may_be_guarded(doubts, doubts->paths.blocks.of[i])) {
            struct bsim_ptx_address address = bsim_ptx_address_of(
                &doubts->addresses, &step->from->operand[1].member[0], step->access->offset);
            step->access->may_add = address.root == BSIM_PTX_NOWHERE;
        }
    }
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool start(struct doubts *doubts)
{
    size_t n = (size_t)doubts->function->n_instructions + 1;
    doubts->changes = bsim_mem_zeroed(n, sizeof *doubts->changes);
    doubts->version = bsim_mem_zeroed(n, sizeof *doubts->version);
    doubts->store = bsim_mem_zeroed(n, sizeof *doubts->store);
    doubts->use = bsim_mem_zeroed((size_t)doubts->function->n_registers + 1, sizeof *doubts->use);
    bool has_addresses = bsim_ptx_addresses_new(doubts->function, &doubts->addresses);
    bool has_paths = bsim_ptx_paths_new(doubts->function, &doubts->paths);
    return has_addresses && has_paths && doubts->changes != NULL && doubts->version != NULL &&
           doubts->store != NULL && doubts->use != NULL;
}

bool bsim_ptx_find_doubts(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                          uint32_t first)
{
    struct doubts doubts = {.function = function, .step = step, .first = first};
    bool has_memory = start(&doubts);
    if (has_memory && function->n_instructions > 0) {
        find_overwritten(&doubts);
        find_unwanted(&doubts);
        find_unguarded(&doubts);
    }
    bsim_ptx_addresses_free(&doubts.addresses);
    bsim_ptx_paths_free(&doubts.paths);
    bsim_mem_free(doubts.changes);
    bsim_mem_free(doubts.version);
    bsim_mem_free(doubts.store);
    bsim_mem_free(doubts.use);
    return has_memory;
}
