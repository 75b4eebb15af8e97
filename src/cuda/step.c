/* step.c - what each turn of a loop would compute anew: what stays the same goes before the loop, and an address
 * that each turn moves by as much is a register that is moved.
 *
 *                                              q = b + 4 * t;  m = 4 * n;
 *     for (k = 0; k < 16; k++)                 for (k = 0; k < 16; k++) {
 *         sum += b[k * n + t];        ->           sum += *q;
 *                                                  q += m; }
 *
 * So nvcc has it, and clang (-O3: LICM and LSR), inner loops first. A sum of 32 bits that becomes an address of
 * 64 is followed if no sum or product in it may pass 2^31: those of signed numbers, as what passes has no meaning
 * there. Loads stay where they are (lower_hoist.c moves those that may go).
 *
 * Of the loops that stand in one loop nvcc (13.0) steps the addresses of the first alone, as far as is known: not all
 * kernels that were tried bear it out (a loop with barriers behind another one, the first of two nests). In the others
 * it adds in each turn what stays to what a turn adds. Here they step, too, which takes about as many instructions,
 * but not to between their accesses (move_between): of both as much is known of what they are multiples of.
 *
 * Nothing steps in a loop in which another stands (LSR passes those over): s[2 * i] and s[2 * i + 1] stay side by side.
 *
 * Nothing steps in a loop with `i += blockDim.x`, if that is read there, not before (int d = blockDim.x) nor by a function
 * that is called, and no turns of it are one: nvcc does not see then that it stays. tests/kernels/grids.cu.
 */
#include "cuda/code.h"

enum { MOST_DEEP = 24, MOST_COUNTERS = 128, MOST_OFFSETS = 64 };

/* A register that each turn adds as much to. */
struct counter {
    uint32_t id;
    struct cu_value begin, step;
    bool is_signed;
};

/* What a counter is an address with, as a block of the loop has it. */
struct based {
    struct cu_value base, address;
    uint32_t block, counter;
};

struct stepping {
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    /* the loop at hand: */
    uint32_t header, before, latch; /* its first block, the one in front, the one that goes back */
    bool *is_in;                    /* of each block */
    uint32_t *n_set;                /* of each register: how often it is set there */
    uint32_t n_registers;           /* of these; a later one is set before the loop */
    struct counter counter[MOST_COUNTERS];
    uint32_t n_counters, n_found; /* n_found: that the loop itself has */
    struct based based[MOST_COUNTERS];
    uint32_t n_based;
    uint32_t n_turns;   /* 0: nobody knows */
    bool leaves_shared; /* its addresses into shared memory are made in each turn */
    /* of each block: */
    uint32_t *inside;   /* the header of the innermost loop around it; CU_NO_BLOCK: none */
    bool *is_first;     /* it begins a loop whose addresses nvcc steps */
    bool *has_loop;     /* it begins a loop in which another stands */
};

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_inside(const struct stepping *s, const struct cu_value *value)
{
    return value->kind == CU_REGISTER && value->id < s->n_registers && s->n_set[value->id] > 0;
}

/* All blocks from which the latch is reached without the header. */
static void find_blocks(struct stepping *s)
{
    bool is_new = true;
    memset(s->is_in, 0, s->code->n_blocks * sizeof *s->is_in);
    s->is_in[s->header] = s->is_in[s->latch] = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = s->n; i-- > s->flow.place[s->header];) {
            const struct cu_code_block *b = &s->code->block[s->order[i]];
            for (uint32_t k = 0; k < bsim_cu_targets_of(b) && !s->is_in[s->order[i]]; k++) {
                bool leads = b->target[k] != s->header && s->is_in[b->target[k]];
                s->is_in[s->order[i]] = leads;
                is_new = is_new || leads;
            }
        }
    }
}

static void note_set(struct stepping *s, const struct cu_instruction *k)
{
    for (uint32_t i = 0; i < k->n_results; i++) {
        s->n_set[k->result[i]]++;
    }
    for (uint32_t i = 0; i < k->n_set; i++) {
        s->n_set[k->operand[i].id]++;
    }
}

static void find_set(struct stepping *s)
{
    s->n_registers = s->code->n_registers;
    s->n_set = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->n_set);
    for (uint32_t i = 0; i < s->n && s->n_set != NULL; i++) {
        struct cu_instruction *k = s->code->block[s->order[i]].first;
        for (; k != NULL && s->is_in[s->order[i]]; k = k->next) {
            note_set(s, k);
        }
    }
}

/* Whether a loop begins with the block, that has one way to it, and one back. */
static bool find_loop(struct stepping *s, uint32_t header)
{
    s->header = header;
    s->before = s->flow.above[header];
    s->latch = CU_NO_BLOCK;
    for (uint32_t i = s->flow.place[header]; i < s->n && s->latch == CU_NO_BLOCK; i++) {
        const struct cu_code_block *b = &s->code->block[s->order[i]];
        bool is_back = b->ending == CU_GOES && b->target[0] == header;
        s->latch = is_back ? s->order[i] : s->latch;
    }
    if (s->latch == CU_NO_BLOCK || s->flow.n_ways[header] != 2 || s->before == header ||
        s->code->block[s->before].ending != CU_GOES) {
        return false;
    }
    find_blocks(s);
    return true;
}

/* Which loop's addresses nvcc steps: outer loops come first. */
static void note_loop(struct stepping *s)
{
    uint32_t around = s->inside[s->header];
    s->is_first[s->header] = around == CU_NO_BLOCK || !s->has_loop[around];
    if (around != CU_NO_BLOCK) {
        s->has_loop[around] = true;
    }
    for (uint32_t i = 0; i < s->code->n_blocks; i++) {
        s->inside[i] = s->is_in[i] ? s->header : s->inside[i];
    }
}

/* ---- what stays the same --------------------------------------------------------------------- */

static bool is_pure(const struct cu_instruction *k)
{
    return k->is_live && !k->has_effect && k->n_results == 1 && k->op != CU_OP_COPY &&
           k->op != CU_OP_LOAD && k->op != CU_OP_ATOMIC && k->op != CU_OP_ASM;
}

static bool stays_same(const struct stepping *s, const struct cu_instruction *k)
{
    bool stays = is_pure(k);
    for (uint32_t i = 0; i < k->n_arguments && stays; i++) {
        stays = !is_inside(s, &k->argument[i]);
    }
    return stays;
}

static void move_out(struct stepping *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block];
    struct cu_instruction *k = b->first;
    b->first = b->last = NULL;
    while (k != NULL) {
        struct cu_instruction *next = k->next;
        bool stays = stays_same(s, k);
        bsim_cu_put_last(stays ? &s->code->block[s->before] : b, k);
        s->n_set[k->n_results > 0 ? k->result[0] : 0] -= stays;
        k = next;
    }
}

/* What both ways of a branch computed is computed once, where it stands in front of the loop. */
static void compute_once(struct stepping *s)
{
    struct cu_code_block *b = &s->code->block[s->before];
    for (struct cu_instruction *k = b->first, *next; k != NULL; k = next) {
        const struct cu_instruction *same = b->first;
        next = k->next;
        while (same != k && !(is_pure(same) && bsim_cu_is_one_operation(same, k))) {
            same = same->next;
        }
        if (same != k && is_pure(k)) {
            bsim_cu_replace(s->code, s->order, s->n, k->result[0], same->result[0]);
            bsim_cu_take_out(b, k);
        }
    }
}

/* ---- what steps ------------------------------------------------------------------------------ */

static const struct counter *counter_of(const struct stepping *s, const struct cu_value *value)
{
    for (uint32_t i = 0; i < s->n_counters; i++) {
        if (value->kind == CU_REGISTER && s->counter[i].id == value->id) {
            return &s->counter[i];
        }
    }
    return NULL;
}

/* A value that is known in the first turn, and what each turn adds to it. False: it is none. */
static bool is_known_step(const struct stepping *s, const struct cu_value *value, uint32_t depth, int64_t *first,
                          int64_t *each)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    const struct counter *counter = counter_of(s, value);
    uint64_t begin = 0, by = 0;
    if (counter != NULL || value->kind == CU_CONSTANT_VALUE) {
        const struct cu_value none = bsim_cu_constant_of(value->class, 0);
        bool is_known = bsim_cu_is_constant(counter != NULL ? &counter->begin : value, &begin) &&
                        bsim_cu_is_constant(counter != NULL ? &counter->step : &none, &by);
        *first = bsim_cu_as_signed(value->class, begin);
        *each = bsim_cu_as_signed(value->class, by);
        return is_known;
    }
    int64_t more, more_each;
    if (from == NULL || depth == 0 || !is_known_step(s, &from->argument[0], depth - 1, first, each)) {
        return false;
    }
    bool is_small = *first >= INT32_MIN && *first <= INT32_MAX && *each >= INT32_MIN && *each <= INT32_MAX;
    if (from->op == CU_OP_SHL && bsim_cu_is_constant(&from->argument[1], &by) && by < 16 && is_small) {
        *first *= INT64_C(1) << by;
        *each *= INT64_C(1) << by;
        return true;
    }
    if ((from->op != CU_OP_ADD && from->op != CU_OP_SUB) ||
        !is_known_step(s, &from->argument[1], depth - 1, &more, &more_each)) {
        return false;
    }
    int64_t sign = from->op == CU_OP_ADD ? 1 : -1;
    *first += sign * more;
    *each += sign * more_each;
    return true;
}

static bool holds(const char *relation, int64_t a, int64_t b)
{
    return strncmp(relation, "ne", 2) == 0   ? a != b
           : strncmp(relation, "lt", 2) == 0 ? a < b
           : strncmp(relation, "le", 2) == 0 ? a <= b
           : strncmp(relation, "gt", 2) == 0 ? a > b
           : strncmp(relation, "ge", 2) == 0 && a >= b;
}

/* How many turns the loop has, by its last test; 0: nobody knows, or too many. */
static uint32_t count_turns(const struct stepping *s)
{
    enum { MOST = 4096 };
    const struct cu_code_block *test = &s->code->block[s->flow.above[s->latch]];
    const struct cu_instruction *compare = test->ending == CU_BRANCHES ? bsim_cu_definition(s->code, &test->condition) : NULL;
    int64_t a, by_a, b, by_b;
    uint32_t n = 0;
    if (compare == NULL || compare->op != CU_OP_COMPARE || test->target[0] != s->latch ||
        !is_known_step(s, &compare->argument[0], MOST_DEEP, &a, &by_a) ||
        !is_known_step(s, &compare->argument[1], MOST_DEEP, &b, &by_b)) {
        return 0;
    }
    do {
        n++;
    } while (n < MOST && holds(compare->opcode + strlen("setp."), a + (n - 1) * by_a, b + (n - 1) * by_b));
    return n < MOST ? n : 0;
}

/* x & 15, where x steps and lies between 0 and 15 in all turns, is x to LLVM (SCEV): (i + 1) & 15 of i = 0, 4, 8, 12; so
 * is x & 60 of one that is a multiple of 4 in all turns.
 * It finds that behind the turns that become one, when it has looked for what is loaded already. */
static bool masks_nothing(const struct stepping *s, const struct cu_instruction *from)
{
    uint64_t mask;
    int64_t first, each;
    if (from->op != CU_OP_AND || !bsim_cu_is_constant(&from->argument[1], &mask) || mask == 0 || mask > INT32_MAX ||
        ((mask | (mask - 1)) & ((mask | (mask - 1)) + 1)) != 0 || s->n_turns == 0 || !is_known_step(s, &from->argument[0], MOST_DEEP, &first, &each)) {
        return false;
    }
    int64_t last = first + (s->n_turns - 1) * each, below = (int64_t)(mask & (0 - mask)) - 1;
    return first >= 0 && first <= (int64_t)mask && last >= 0 && last <= (int64_t)mask && ((first | each) & below) == 0;
}

/* Whether each turn adds as much to the value: it is made of counters, and of what stays. In *weight goes
 * how many instructions of the loop make it. */
static bool steps(const struct stepping *s, const struct cu_value *value, bool is_signed,
                  uint32_t depth, uint32_t *weight)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    const struct counter *counter = counter_of(s, value);
    if (!is_inside(s, value) || counter != NULL) {
        return value->kind != CU_CELLS && (counter == NULL || counter->is_signed || !is_signed);
    }
    if (from == NULL || depth == 0) {
        return false;
    }
    const struct cu_value *a = &from->argument[0], *b = &from->argument[1];
    bool is_whole = value->class == CU_I32 || value->class == CU_I64;
    (*weight)++;
    switch (from->op) {
    case CU_OP_ADD:
    case CU_OP_SUB:
        return is_whole && (from->is_signed || !is_signed) &&
               steps(s, a, is_signed, depth - 1, weight) &&
               steps(s, b, is_signed, depth - 1, weight);
    case CU_OP_MUL:
    case CU_OP_SHL:
        return is_whole && (from->is_signed || !is_signed) &&
               (!is_inside(s, b) || (from->op == CU_OP_MUL && !is_inside(s, a))) &&
               steps(s, a, is_signed, depth - 1, weight) &&
               steps(s, b, is_signed, depth - 1, weight);
    case CU_OP_AND:
        return masks_nothing(s, from) && steps(s, a, is_signed, depth - 1, weight);
    case CU_OP_WIDE:
        return strcmp(from->opcode, "mul.wide.s32") == 0 && steps(s, a, true, depth - 1, weight);
    case CU_OP_CONVERT:
        return (strcmp(from->opcode, "cvt.s64.s32") == 0 && steps(s, a, true, depth - 1, weight)) ||
               (strcmp(from->opcode, "cvt.u32.u64") == 0 && !is_signed &&
                steps(s, a, false, depth - 1, weight));
    default:
        return false;
    }
}

/* The value in the first turn; or, with `is_step`, what each turn adds to it. */
static struct cu_value before_loop(struct stepping *s, const struct cu_value *value, bool is_step)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    const struct counter *counter = counter_of(s, value);
    if (!is_inside(s, value) || counter != NULL) {
        return counter != NULL ? (is_step ? counter->step : counter->begin)
               : is_step       ? bsim_cu_constant_of(value->class, 0)
                               : *value;
    }
    struct cu_value a = from->argument[0], b = from->argument[1];
    bool keeps[] = {!is_inside(s, &a), !is_inside(s, &b)}; /* as the factor that it is */
    bool is_factor = from->op == CU_OP_MUL || from->op == CU_OP_SHL;
    a = is_factor && keeps[0] ? a : before_loop(s, &a, is_step);
    if (from->op == CU_OP_AND) {
        return a;
    }
    if (from->op == CU_OP_WIDE) {
        return bsim_cu_wide(s->code, a, true, b.bits);
    }
    if (from->op == CU_OP_CONVERT) {
        return bsim_cu_resized(s->code, a, true, value->class);
    }
    b = is_factor && keeps[1] ? b : before_loop(s, &b, is_step);
    return bsim_cu_compute(s->code, from->op, from->is_signed, a, b);
}

static struct cu_value register_of(const struct stepping *s, uint32_t id)
{
    return (struct cu_value){.kind = CU_REGISTER, .class = s->code->class[id] & 7, .id = id};
}

/* ---- counters -------------------------------------------------------------------------------- */

/* What the turn adds to the counter; *adds: it may be told. */
static struct cu_value step_of(struct stepping *s, const struct cu_value *value,
                               struct counter *counter, bool *adds)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    if (value->kind == CU_REGISTER && value->id == counter->id) {
        return bsim_cu_constant_of(value->class, 0);
    }
    *adds = *adds && from != NULL && from->op == CU_OP_ADD && is_inside(s, value);
    if (!*adds) {
        return *value;
    }
    bool is_right = !is_inside(s, &from->argument[0]);
    struct cu_value rest = from->argument[!is_right];
    *adds = !is_inside(s, &rest);
    counter->is_signed = counter->is_signed && from->is_signed;
    struct cu_value step = step_of(s, &from->argument[is_right], counter, adds);
    return *adds ? bsim_cu_compute(s->code, CU_OP_ADD, from->is_signed, step, rest) : rest;
}

/* A value that was laid aside is that value. */
static struct cu_value not_aside(const struct stepping *s, struct cu_value value)
{
    const struct cu_instruction *copy =
        is_inside(s, &value) && s->n_set[value.id] == 1 && s->code->definition[value.id] == NULL
            ? bsim_cu_copy_in(s->code, s->latch, value.id)
            : NULL;
    return copy != NULL ? copy->argument[0] : value;
}

static void find_counter(struct stepping *s, const struct cu_instruction *begin)
{
    struct cu_instruction *back = bsim_cu_copy_in(s->code, s->latch, begin->result[0]);
    enum cu_class class = s->code->class[begin->result[0]];
    bool adds = class == CU_I32 || class == CU_I64;
    if (back == NULL || !adds || s->n_set[begin->result[0]] != 1 || s->n_counters == MOST_COUNTERS) {
        return;
    }
    struct counter counter = {
        .id = begin->result[0], .begin = begin->argument[0], .is_signed = true};
    struct cu_value value = not_aside(s, back->argument[0]);
    counter.step = step_of(s, &value, &counter, &adds);
    if (adds && value.id != counter.id) {
        struct cu_instruction *next = s->code->definition[value.id]; /* perhaps the last of several sums */
        next->argument[0] = register_of(s, counter.id);
        next->argument[1] = counter.step;
        s->counter[s->n_counters++] = counter;
    }
}

static void copy_to(struct stepping *s, uint32_t block, uint32_t id, struct cu_value value)
{
    struct cu_instruction copy = {.op = CU_OP_COPY,
                                  .opcode = "mov",
                                  .n_arguments = 1,
                                  .argument = {value},
                                  .n_results = 1,
                                  .result = {id}};
    s->code->at = block;
    s->code->is_exact = true;
    (void)bsim_cu_emit(s->code, &copy);
    s->code->is_exact = false;
}

/* A register that begins with the one and adds the other each turn. */
static struct cu_value counter_with(struct stepping *s, struct cu_value begin, struct cu_value step)
{
    for (uint32_t i = 0; i < s->n_counters; i++) {
        if (bsim_cu_same_value(&s->counter[i].begin, &begin) &&
            bsim_cu_same_value(&s->counter[i].step, &step)) {
            return register_of(s, s->counter[i].id);
        }
    }
    struct cu_value q = bsim_cu_register(s->code, begin.class, begin.space);
    copy_to(s, s->before, q.id, begin);
    s->code->at = s->latch;
    s->code->is_exact = true;
    struct cu_value next = bsim_cu_compute(s->code, CU_OP_ADD, false, q, step);
    copy_to(s, s->latch, q.id, next);
    s->counter[s->n_counters++] = (struct counter){.id = q.id, .begin = begin, .step = step};
    s->code->at = s->before;
    return q;
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* Whether the instruction takes apart what steps, so that the value is wanted as it is. */
static bool is_end(const struct stepping *s, const struct cu_instruction *k)
{
    uint32_t weight = 0;
    if (k->op == CU_OP_COPY || k->n_results != 1 || s->code->definition[k->result[0]] != k) {
        return true;
    }
    struct cu_value result = register_of(s, k->result[0]);
    return !steps(s, &result, false, MOST_DEEP, &weight);
}

/* The last counter of the loop's own that moves by as many bytes as the address. NULL: none, or the loop does what turns
 * that became one have left, and counts these to nvcc. */
static struct counter *goes_beside(struct stepping *s, const struct cu_value *begin, const struct cu_value *step)
{
    struct counter *found = NULL;
    for (uint32_t i = 0; i < s->n_found && !s->code->block[s->header].is_rest; i++) {
        struct counter *c = &s->counter[i];
        found = c->begin.class == begin->class && c->begin.space != CU_SHARED_SPACE && bsim_cu_same_value(&c->step, step) ? c : found;
    }
    return found;
}

/* Whether the value, which steps, is made of no other counter. */
static bool counts_alone(const struct stepping *s, const struct cu_value *value, uint32_t id)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    const struct counter *counter = counter_of(s, value);
    bool is_it = counter == NULL || counter->id == id;
    for (uint32_t i = 0; counter == NULL && is_inside(s, value) && i < from->n_arguments; i++) {
        is_it = is_it && counts_alone(s, &from->argument[i], id);
    }
    return is_it;
}

/* What the value, which begins so, has beside the counter: of no other one what it would be of 0. */
static struct cu_value base_beside(struct stepping *s, const struct cu_value *value, struct cu_value begin, struct counter *counter)
{
    struct cu_value first = counter->begin;
    if (!counts_alone(s, value, counter->id)) {
        return bsim_cu_compute(s->code, CU_OP_SUB, false, begin, first);
    }
    counter->begin = bsim_cu_constant_of(first.class, 0);
    begin = before_loop(s, value, false);
    counter->begin = first;
    return begin;
}

/* The sum of both, right in front of the instruction; of several such where all ways to them come through. */
static struct cu_value sum_before(struct stepping *s, uint32_t block, struct cu_instruction *k, struct cu_value base,
                                  const struct counter *counter)
{
    for (uint32_t i = 0; i < s->n_based; i++) {
        struct based *b = &s->based[i];
        uint32_t both = bsim_cu_meet(&s->flow, b->block, block);
        if (b->counter != counter->id || !bsim_cu_same_value(&b->base, &base)) {
            continue;
        }
        if (both != b->block) {
            struct cu_instruction *sum = s->code->definition[b->address.id];
            bsim_cu_take_out(&s->code->block[b->block], sum);
            bsim_cu_put_last(&s->code->block[both], sum);
            b->block = both;
        }
        return b->address;
    }
    struct cu_code_block *at = &s->code->block[block];
    s->code->at = block;
    s->code->is_exact = true;
    const struct cu_value both[] = {base, register_of(s, counter->id)};
    struct cu_value sum = bsim_cu_operation(s->code, CU_OP_ADD, "add.u32", base.class, both, 2);
    s->code->is_exact = false;
    s->code->at = s->before;
    struct cu_instruction *made = at->last;
    if (made->n_results == 1 && made->result[0] == sum.id && sum.kind == CU_REGISTER) {
        bsim_cu_take_out(at, made);
        bsim_cu_put_before(at, made, k);
    }
    if (s->n_based < MOST_COUNTERS) {
        s->based[s->n_based++] = (struct based){base, sum, block, counter->id};
    }
    return sum;
}

static void step_argument(struct stepping *s, uint32_t block, struct cu_instruction *k, uint32_t i)
{
    enum { WORTH = 2 };
    struct cu_value *value = &k->argument[i];
    bool is_memory = bsim_cu_accesses(k);
    uint32_t weight = 0;
    if (!is_inside(s, value) || counter_of(s, value) != NULL || s->n_counters == MOST_COUNTERS ||
        (is_memory && i == 0 && value->space == CU_SHARED_SPACE && s->leaves_shared) ||
        !steps(s, value, false, MOST_DEEP, &weight) || weight < WORTH) {
        return;
    }
    enum cu_space space = value->space;
    s->code->token = k->token;
    s->code->at = s->before;
    struct cu_value begin = before_loop(s, value, false), step = before_loop(s, value, true);
    struct counter *beside = is_memory && i == 0 && space == CU_SHARED_SPACE ? goes_beside(s, &begin, &step) : NULL;
    begin = beside != NULL ? base_beside(s, value, begin, beside) : begin;
    int64_t offset = 0;
    if (is_memory && i == 0) {
        begin = bsim_cu_base_of(s->code, begin, &offset);
    }
    if (begin.kind == CU_SYMBOL) {
        begin = bsim_cu_in_register(s->code, &begin);
    }
    *value = beside != NULL ? sum_before(s, block, k, begin, beside) : counter_with(s, begin, step);
    value->space = space;
    k->offset += offset;
}

static void step_block(struct stepping *s, uint32_t block)
{
    for (struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        bool is_back = k->op == CU_OP_COPY && block == s->latch;
        for (uint32_t i = 0; k->is_live && !is_back && i < k->n_arguments && is_end(s, k); i++) {
            step_argument(s, block, k, i);
        }
    }
}

/* ---- offsets --------------------------------------------------------------------------------- */

/* The different offsets of accesses at the register, sorted; 0: it is of use otherwise, or they are too many. */
static uint32_t find_offsets(const struct stepping *s, uint32_t id, int64_t *offset)
{
    uint32_t n = 0;
    for (uint32_t i = s->flow.place[s->header]; i < s->n; i++) {
        bool is_in = s->is_in[s->order[i]];
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL && is_in; k = k->next) {
            bool is_memory = bsim_cu_accesses(k);
            bool is_step = k->op == CU_OP_ADD && s->order[i] == s->latch;
            uint32_t at = 0;
            if (!bsim_cu_uses(k, id) || is_step) {
                continue;
            }
            if (!is_memory || k->argument[0].id != id || n == MOST_OFFSETS) {
                return 0;
            }
            while (at < n && offset[at] < k->offset) {
                at++;
            }
            if (at == n || offset[at] != k->offset) {
                memmove(&offset[at + 1], &offset[at], (n++ - at) * sizeof *offset);
                offset[at] = k->offset;
            }
        }
    }
    return n;
}

/* Which offset the register has itself: the first one from the middle on, of three the last, or the first if that is
 * nearer to the second. */
static int64_t middle_of(const int64_t *offset, uint32_t n)
{
    int64_t middle = (offset[0] + offset[n - 1]) / 2;
    uint32_t at = 0;
    while (offset[at] < middle) {
        at++;
    }
    return n != 3 ? offset[at] : offset[1] < middle ? offset[0] : offset[2];
}

/* An address that begins with a sum steps between its accesses: [q-8], [q-4], [q], [q+4]. So less is known of what it
 * is a multiple of. */
static void move_between(struct stepping *s, const struct counter *counter)
{
    int64_t offset[MOST_OFFSETS + 1];
    const struct cu_instruction *sum = bsim_cu_definition(s->code, &counter->begin);
    struct cu_instruction *begin = bsim_cu_copy_in(s->code, s->before, counter->id);
    bool is_sum = sum != NULL && sum->op == CU_OP_ADD && sum->argument[1].kind != CU_CONSTANT_VALUE;
    uint32_t n = is_sum && begin != NULL ? find_offsets(s, counter->id, offset) : 0;
    int64_t by = n > 1 ? middle_of(offset, n) : 0;
    if (by == 0) {
        return;
    }
    s->code->at = s->before;
    struct cu_value moved = bsim_cu_compute(s->code, CU_OP_ADD, false, counter->begin,
                                            bsim_cu_constant_of(counter->begin.class, (uint64_t)by));
    begin->is_live = false;
    copy_to(s, s->before, counter->id, moved);
    for (uint32_t i = s->flow.place[s->header]; i < s->n; i++) {
        bool is_in = s->is_in[s->order[i]];
        for (struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL && is_in; k = k->next) {
            bool is_memory = bsim_cu_accesses(k);
            k->offset -= is_memory && bsim_cu_uses(k, counter->id) ? by : 0;
        }
    }
}

/* The size of what is accessed at the register first. */
static uint32_t element_at(const struct stepping *s, uint32_t id)
{
    uint32_t size = 0;
    for (uint32_t i = s->flow.place[s->header]; i < s->n && size == 0; i++) {
        bool is_in = s->is_in[s->order[i]];
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL && is_in && size == 0; k = k->next) {
            size = bsim_cu_accesses(k) && bsim_cu_uses(k, id) ? bsim_cu_element_of(k) : 0;
        }
    }
    return size;
}

/* Whether another address that steps by as many elements is of a sum with something else: l[i * 24 + k] beside
 * x[t * 24 + k]. nvcc leaves both as they are then. */
static bool has_other_sum(const struct stepping *s, uint32_t first, uint32_t at)
{
    uint32_t size = element_at(s, s->counter[at].id);
    bool has = false;
    for (uint32_t i = first; i < s->n_counters && !has; i++) {
        const struct counter *other = &s->counter[i];
        const struct cu_instruction *sum = bsim_cu_definition(s->code, &other->begin);
        uint32_t each = element_at(s, other->id);
        bool is_sum = sum != NULL && sum->op == CU_OP_ADD && sum->argument[1].kind != CU_CONSTANT_VALUE;
        has = i != at && is_sum && other->step.kind == CU_CONSTANT_VALUE && s->counter[at].step.kind == CU_CONSTANT_VALUE &&
              other->step.bits * size == s->counter[at].step.bits * each;
    }
    return has;
}

/* Whether it begins at what nvcc makes of another product (basis.c). */
static bool begin_on(struct stepping *s, const struct counter *counter)
{
    int64_t offset[MOST_OFFSETS + 1];
    struct cu_instruction *begin = bsim_cu_copy_in(s->code, s->before, counter->id);
    if (begin == NULL || counter->begin.class != CU_I32) {
        return false;
    }
    s->code->at = s->before;
    struct cu_beginning loop = {counter->begin, offset, find_offsets(s, counter->id, offset), element_at(s, counter->id)};
    struct cu_value made = bsim_cu_begin_on(s->code, &s->flow, s->before, &loop);
    bool is_other = !bsim_cu_same_value(&made, &counter->begin);
    if (is_other) {
        begin->is_live = false;
        copy_to(s, s->before, counter->id, made);
    }
    return is_other;
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* Whether anybody outside of the loop wants what the register has. */
static bool is_wanted(const struct stepping *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const struct cu_code_block *b = &s->code->block[s->order[i]];
        bool is_test = b->ending == CU_BRANCHES && b->condition.kind == CU_REGISTER;
        if (is_test && b->condition.id == id) {
            return true;
        }
        for (const struct cu_instruction *k = b->first; k != NULL && !s->is_in[s->order[i]];
             k = k->next) {
            if (bsim_cu_uses(k, id)) {
                return true;
            }
        }
    }
    return false;
}

/* What stands on the way back alone goes in front of the branch that takes it, so that this leads to the header:
 * its registers are of no use outside. */
static void close_turn(struct stepping *s)
{
    struct cu_code_block *latch = &s->code->block[s->latch];
    struct cu_code_block *test = &s->code->block[s->flow.above[s->latch]];
    bool may_go = test->ending == CU_BRANCHES && s->flow.n_ways[s->latch] == 1;
    for (const struct cu_instruction *k = latch->first; k != NULL && may_go; k = k->next) {
        may_go = !k->is_live || is_pure(k) || (k->op == CU_OP_COPY && !is_wanted(s, k->result[0]));
    }
    for (struct cu_instruction *k = latch->first, *next; k != NULL && may_go; k = next) {
        next = k->next;
        bsim_cu_put_last(test, k);
    }
    if (may_go) {
        latch->first = latch->last = NULL;
    }
}

/* ---- all loops ------------------------------------------------------------------------------- */

/* What is computed on all ways to the block is found again. */
static void know(struct stepping *s, uint32_t block)
{
    bsim_cu_forget(s->code, 0);
    for (;;) {
        for (struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
            if (is_pure(k) && s->code->definition[k->result[0]] == k) {
                bsim_cu_remember(s->code, k);
            }
        }
        if (s->flow.above[block] == block) {
            return;
        }
        block = s->flow.above[block];
    }
}

/* Whether too many values live in the loop for an address to be one more, and a counter is of use there as it is. */
static bool is_crowded(struct stepping *s)
{
    uint32_t *turn = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *turn), n = 0;
    bool *is_counter = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *is_counter);
    for (uint32_t i = s->flow.place[s->header]; i < s->n && turn != NULL; i++) {
        const struct cu_instruction *k = s->code->block[s->order[i]].first;
        for (; k != NULL && s->is_in[s->order[i]]; k = k->next) {
            for (uint32_t r = 0; r < k->n_results; r++) {
                turn[k->result[r]] = k->op == CU_OP_COPY ? 1 : 2 + n++;
            }
        }
    }
    const struct cu_turns turns = {s->code, &s->flow, s->is_in, turn, is_counter, s->n_registers, s->latch};
    bool is_wanted = false;
    for (uint32_t i = 0; i < s->n_counters && is_counter != NULL; i++) {
        is_counter[s->counter[i].id] = true;
        is_wanted = is_wanted || bsim_cu_wants_number(&turns, s->order, s->n, s->counter[i].id);
    }
    return is_wanted && turn != NULL && is_counter != NULL &&
           bsim_cu_is_crowded(&turns, s->order, s->n, s->header);
}

/* Whether a counter moves by what the loop itself reads of threadIdx, blockDim and their kin. */
static bool moves_by_special(const struct stepping *s)
{
    uint32_t reads = 0, by = 0;
    for (uint32_t i = 0; i < s->code->n_blocks; i++) {
        reads |= s->is_in[i] ? s->code->block[i].reads : 0;
    }
    for (uint32_t i = 0; i < s->n_counters; i++) {
        by |= bsim_cu_specials_of(s->code, &s->counter[i].step);
    }
    return (by & reads) != 0;
}

/* Whether others step by as much as it, which nobody knows: of turns that are one nvcc adds that from one to the next. */
static bool is_of_chain(const struct stepping *s, uint32_t first, uint32_t at)
{
    bool is_it = false;
    for (uint32_t i = first; i < s->n_counters && s->counter[at].step.kind == CU_REGISTER; i++) {
        is_it = is_it || (i != at && bsim_cu_same_value(&s->counter[i].step, &s->counter[at].step));
    }
    return is_it;
}

static void step_addresses(struct stepping *s)
{
    s->n_counters = 0;
    for (const struct cu_instruction *k = s->code->block[s->before].first; k != NULL; k = k->next) {
        if (k->is_live && k->op == CU_OP_COPY) {
            find_counter(s, k);
        }
    }
    uint32_t n_found = s->n_found = s->n_counters;
    s->n_based = 0;
    if (s->has_loop[s->header] || moves_by_special(s)) {
        return;
    }
    s->n_turns = count_turns(s);
    s->leaves_shared = is_crowded(s);
    for (uint32_t i = s->flow.place[s->header]; i < s->n; i++) {
        if (s->is_in[s->order[i]]) {
            step_block(s, s->order[i]);
        }
    }
    for (uint32_t i = n_found; i < s->n_counters && s->is_first[s->header]; i++) {
        if (!has_other_sum(s, n_found, i) && begin_on(s, &s->counter[i])) {
            continue;
        }
        if (!is_of_chain(s, n_found, i)) {
            move_between(s, &s->counter[i]);
        }
    }
    for (uint32_t i = 0; i < n_found && s->leaves_shared; i++) {
        bsim_cu_share_counter(s->code, s->order, s->n, s->is_in, s->counter[i].id);
    }
}

static void step_loop(struct stepping *s)
{
    find_set(s);
    if (bsim_cu_failed(s->code->file)) {
        return;
    }
    for (uint32_t i = s->flow.place[s->header]; i < s->n; i++) {
        if (s->is_in[s->order[i]]) {
            move_out(s, s->order[i]);
        }
    }
    compute_once(s);
    know(s, s->before);
    s->code->at = s->before;
    step_addresses(s);
    close_turn(s);
}

void bsim_cu_step(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct stepping *s = bsim_cu_take(code->file, sizeof *s);
    *s = (struct stepping){.code = code, .order = order, .n = n};
    s->is_in = bsim_cu_take_many(code->file, code->n_blocks, sizeof *s->is_in);
    s->inside = bsim_cu_take_many(code->file, code->n_blocks, sizeof *s->inside);
    s->is_first = bsim_cu_take_many(code->file, code->n_blocks, sizeof *s->is_first);
    s->has_loop = bsim_cu_take_many(code->file, code->n_blocks, sizeof *s->has_loop);
    if (bsim_cu_failed(code->file) || !bsim_cu_find_flow(code, order, n, &s->flow)) {
        return;
    }
    memset(s->inside, 0xff, code->n_blocks * sizeof *s->inside);
    for (uint32_t i = 0; i < n; i++) {
        if (find_loop(s, order[i])) {
            note_loop(s);
        }
    }
    for (uint32_t i = n; i-- > 0 && !bsim_cu_failed(code->file);) {
        if (find_loop(s, order[i])) {
            step_loop(s);
        }
    }
}
