/* turns.c - how many turns of a loop nvcc makes one, where it is known how many there are.
 *
 * nvcc 13 (LLVM's loop unroller, of version 7) weighs what stands in one turn before any of it is unrolled:
 *
 *     for (k = 0; k < 32; k++)              a load, its address, a comparison, a sum, the counter: 5
 *         if (s[k] == w) found++;           32 * 5 + 2 is less than 405: straight code
 *
 * What is the same in all turns stands in front of the loop and weighs nothing, nor a truth that becomes a number, or a
 * number that is stored as a byte; a division weighs four, a branch one, what is copied of several values one, all
 * else one, too; the loop's own comparison and branch are the two. Of ten turns at most nvcc also looks at what is
 * constant where the turn's number is, and at what the last turn alone needs: if the turns take so much less then, it
 * makes straight code of more.
 *
 * Of a loop that is too large as many turns become one as are a power of two up to 32 that divides them, and weigh
 * 202 at most. Where none does, four become one, or two, and the last ones leave the loop on their way. Later nvcc
 * looks again, at these as turns.
 *
 * A loop that another one stands in, which stays, is straight code or left alone. nvcc says all this itself (cicc
 * --Xopt -pass-remarks=loop-unroll; with -unroll-threshold=1 what a turn weighs).
 */
#include "cuda/lower.h"

enum { MOST_AS_A_WHOLE = 405, MOST_AS_ONE = 202, MOST_LOOKED_AT = 10, MOST_TURNS = 32, MOST_OF_CHOICE = 6, TOO_HEAVY = 100 };

/* What a register is in a turn: the same in all of them, known where the turn's number is, or neither. */
enum kind { STAYS, KNOWN, VARIES };

struct weighing {
    const struct cu_code *code;
    uint32_t header, first; /* the loop's first block and register */
    unsigned char *kind;    /* of each register from the first one on */
    bool *is_inside;        /* of each block from the header on: whether the loop goes on from there */
    uint32_t *n_ways;       /* to each of these */
    const struct cu_instruction **of; /* what stands inside, in order, n of it */
    bool *is_live;          /* of each of that */
    bool *is_needed;        /* of each register from the first one on: by what has an effect, in this turn or a later one */
    uint32_t n;
    uint32_t *same; /* of each register from the first one on: another that has its value, of a turn before; 0: none */
};

static enum kind kind_of(const struct weighing *w, const struct cu_value *value)
{
    return value->kind == CU_REGISTER && value->id >= w->first ? (enum kind)w->kind[value->id - w->first] : STAYS;
}

static enum kind kind_made(const struct weighing *w, const struct cu_instruction *k)
{
    enum kind kind = bsim_cu_accesses(k) || k->has_effect || k->op == CU_OP_ASM || k->op == CU_OP_COPY ? VARIES : STAYS;
    bool has_others = false;
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        enum kind of = kind_of(w, &k->argument[i]);
        has_others = has_others || (of == STAYS && k->argument[i].kind != CU_CONSTANT_VALUE);
        kind = of > kind ? of : kind;
    }
    return kind == KNOWN && has_others ? VARIES : kind;
}

/* What each register of the loop is, as those are that it hands on. */
static void find_kinds(struct weighing *w)
{
    for (uint32_t b = w->header; b < w->code->n_blocks; b++) {
        for (const struct cu_instruction *k = w->code->block[b].first; k != NULL; k = k->next) {
            for (uint32_t i = 0; i < k->n_results && k->result[i] >= w->first; i++) {
                w->kind[k->result[i] - w->first] = (unsigned char)kind_made(w, k);
            }
        }
    }
}

/* Of what the loop hands on, what is a constant at first and made of such alone is known. */
static void find_known(struct weighing *w, const struct cu_handed *handed, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        w->kind[handed[i].in.id - w->first] = handed[i].begin.kind == CU_CONSTANT_VALUE ? KNOWN : VARIES;
    }
    for (bool is_new = true; is_new;) {
        is_new = false;
        find_kinds(w);
        for (uint32_t i = 0; i < n; i++) {
            const struct cu_value *next = &handed[i].next;
            unsigned char *kind = &w->kind[handed[i].in.id - w->first];
            bool is_known = next->kind == CU_CONSTANT_VALUE || kind_of(w, next) == KNOWN;
            if (*kind == KNOWN && !is_known) {
                *kind = VARIES;
                is_new = true;
            }
        }
    }
}

/* Which blocks the loop goes on from: those that lead to its last one. */
static void find_inside(struct weighing *w, uint32_t last)
{
    const struct cu_code *code = w->code;
    w->is_inside[last - w->header] = true;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t b = code->n_blocks; b-- > w->header;) {
            for (uint32_t i = 0; i < bsim_cu_targets_of(&code->block[b]); i++) {
                uint32_t to = code->block[b].target[i];
                bool leads = to != CU_NO_BLOCK && to >= w->header && w->is_inside[to - w->header];
                is_new = is_new || (leads && !w->is_inside[b - w->header]);
                w->is_inside[b - w->header] = w->is_inside[b - w->header] || leads;
            }
        }
    }
    for (uint32_t b = w->header; b < code->n_blocks; b++) {
        for (uint32_t i = 0; i < bsim_cu_targets_of(&code->block[b]); i++) {
            uint32_t to = code->block[b].target[i];
            if (to != CU_NO_BLOCK && to >= w->header) {
                w->n_ways[to - w->header]++;
            }
        }
    }
}

/* c ? x + 1 : x is x + c. */
static bool is_one_more(const struct cu_code *code, const struct cu_value *a, const struct cu_value *b)
{
    struct cu_value rest;
    uint64_t more;
    return bsim_cu_is_with(code, a, CU_OP_ADD, &rest, &more) && more == 1 && bsim_cu_same_value(&rest, b);
}

static bool is_count(const struct cu_code *code, const struct cu_instruction *k)
{
    return k->op == CU_OP_SELECT && (is_one_more(code, &k->argument[0], &k->argument[1]) ||
                                     is_one_more(code, &k->argument[1], &k->argument[0]));
}

/* Whether the value is 0 or 1, as what a comparison says is: a number of it, and asking it again, are nothing. */
static bool is_truth(const struct weighing *w, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(w->code, value);
    if (value->kind != CU_REGISTER || depth == 0) {
        return value->kind == CU_CONSTANT_VALUE && value->bits <= 1;
    }
    if (from != NULL) {
        return from->op == CU_OP_SELECT && is_truth(w, &from->argument[0], 0) && is_truth(w, &from->argument[1], 0);
    }
    uint32_t n = 0, n_truths = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->of[i]->op == CU_OP_COPY && w->of[i]->result[0] == value->id) {
            n++;
            n_truths += is_truth(w, &w->of[i]->argument[0], depth - 1);
        }
    }
    return n > 0 && n == n_truths;
}

/* Whether the value is stored, and nothing else: its lower bits are at hand. */
static bool is_stored_alone(const struct weighing *w, uint32_t id)
{
    bool is_it = true;
    for (uint32_t i = 0; i < w->n && is_it; i++) {
        is_it = !w->is_live[i] || w->of[i]->op == CU_OP_STORE || !bsim_cu_uses(w->of[i], id);
    }
    return is_it;
}

/* Whether the sum goes with what stays in all turns, as nobody else wants what it is of: (t * 17 + i) + 64. */
static bool is_hoisted_sum(const struct weighing *w, const struct cu_instruction *k)
{
    const struct cu_instruction *sum = bsim_cu_definition(w->code, &k->argument[0]);
    if (k->argument[1].kind != CU_CONSTANT_VALUE || sum == NULL || sum->op != CU_OP_ADD || sum->is_index ||
        kind_of(w, &k->argument[0]) != VARIES ||
        (kind_of(w, &sum->argument[0]) != STAYS && kind_of(w, &sum->argument[1]) != STAYS) ||
        sum->argument[1].kind == CU_CONSTANT_VALUE) {
        return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        n += w->is_live[i] && !w->of[i]->is_of_address && bsim_cu_uses(w->of[i], k->argument[0].id);
    }
    return n == 1;
}

static bool is_nothing(const struct weighing *w, const struct cu_instruction *k)
{
    enum { MOST_DEEP = 4 };
    enum cu_class class = k->n_arguments > 0 ? k->argument[0].class : CU_P;
    switch (k->op) {
    case CU_OP_COPY:
        return true;
    case CU_OP_ADD:
        return k->is_of_address || is_hoisted_sum(w, k);
    case CU_OP_SELECT:
        return is_count(w->code, k) || (is_truth(w, &k->argument[0], 0) && is_truth(w, &k->argument[1], 0));
    case CU_OP_COMPARE:
        return k->argument[1].kind == CU_CONSTANT_VALUE && k->argument[1].bits == 0 && class == CU_I32 &&
               is_truth(w, &k->argument[0], MOST_DEEP);
    case CU_OP_CONVERT:
        return class == CU_P || class == CU_I64 || (class == CU_I32 && is_stored_alone(w, k->result[0]));
    default:
        return k->is_of_address;
    }
}

uint32_t bsim_cu_heaviness_of(const struct cu_instruction *k)
{
    bool is_whole = k->n_arguments > 0 && (k->argument[0].class == CU_I32 || k->argument[0].class == CU_I64);
    bool is_either = k->op == CU_OP_OTHER && is_whole && (strncmp(k->opcode, "min", 3) == 0 || strncmp(k->opcode, "max", 3) == 0);
    return k->op == CU_OP_DIV || k->op == CU_OP_REM ? 4 : is_either ? 2 : 1;
}

static uint32_t weight_of(const struct weighing *w, const struct cu_instruction *k)
{
    return k->is_of_address || is_nothing(w, k) ? 0 : bsim_cu_heaviness_of(k);
}

/* Whether the store is of all that one load loaded. */
static bool is_copied(const struct weighing *w, const struct cu_instruction *store)
{
    const struct cu_instruction *load = NULL;
    bool is_it = store->op == CU_OP_STORE && store->n_arguments > 2;
    for (uint32_t i = 1; i < store->n_arguments && is_it; i++) {
        const struct cu_instruction *from = bsim_cu_definition(w->code, &store->argument[i]);
        load = i == 1 ? from : load;
        is_it = from != NULL && from == load && from->op == CU_OP_LOAD && from->n_results == store->n_arguments - 1 &&
                from->result[i - 1] == store->argument[i].id;
    }
    return is_it;
}

/* Whether it accesses several values as one, to nvcc then: what copies a float2. */
static bool is_wide(const struct weighing *w, const struct cu_instruction *k)
{
    return k->n_results > 1 || is_copied(w, k);
}

/* Whether an access before that one, in the loop, of several values or not, was to the same address. */
static bool is_address_there(const struct weighing *w, uint32_t access, bool of_several)
{
    const struct cu_instruction *k = w->of[access];
    uint32_t i = 0;
    while (i < access && !(w->is_live[i] && bsim_cu_accesses(w->of[i]) && w->of[i]->offset == k->offset &&
                           is_wide(w, w->of[i]) == of_several &&
                           bsim_cu_same_value(&w->of[i]->argument[0], &k->argument[0]))) {
        i++;
    }
    return i < access;
}

/* Whether the instruction, of a turn of a loop inside that is straight code, is another one in another turn: what stays in
 * all turns of the loop that is weighed was in front of it before, but for what depended on that counter. */
static bool is_of_turn_inside(const struct weighing *w, uint32_t at)
{
    const struct cu_instruction *k = w->of[at];
    uint32_t i = 0;
    for (bool is_it = false; i < w->n && k->is_unrolled && !is_it; i += !is_it) {
        const struct cu_instruction *o = w->of[i];
        bool is_like = w->is_live[i] && o->is_unrolled && o->turn != k->turn && o->op == k->op &&
                       o->n_arguments == k->n_arguments && strcmp(o->opcode, k->opcode) == 0;
        bool has_same = is_like && bsim_cu_same_value(&o->argument[0], &k->argument[0]);
        if (bsim_cu_accesses(k)) {
            is_it = is_like && (has_same ? o->offset != k->offset : o->argument[0].kind == CU_REGISTER);
        } else {
            is_it = is_like && k->n_arguments == 2 && has_same && !bsim_cu_same_value(&o->argument[1], &k->argument[1]);
        }
    }
    return i < w->n && k->is_unrolled;
}

/* Addresses are computed once; each member of what copies several values has its own, of which the first is theirs. */
static uint32_t weight_of_access(const struct weighing *w, uint32_t i)
{
    const struct cu_instruction *k = w->of[i];
    bool is_one = is_wide(w, k);
    uint32_t n = !is_one && k->n_arguments > 2 ? k->n_arguments - 1 : 1;
    bool stays = kind_of(w, &k->argument[0]) == STAYS && !(k->argument[0].kind == CU_REGISTER && is_of_turn_inside(w, i));
    if (stays || is_address_there(w, i, is_one)) {
        return n;
    }
    return 2 * n - (n > 1 && is_address_there(w, i, true));
}

/* What stands inside of the loop. False: memory is short. */
static bool list(struct weighing *w)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        w->n = 0;
        for (uint32_t b = w->header; b < w->code->n_blocks; b++) {
            const struct cu_instruction *k = w->is_inside[b - w->header] ? w->code->block[b].first : NULL;
            for (; k != NULL; k = k->next) {
                if (pass > 0) {
                    w->of[w->n] = k;
                }
                w->n++;
            }
        }
        if (pass == 0) {
            w->of = bsim_cu_take_many(w->code->file, w->n, sizeof *w->of);
            w->is_live = bsim_cu_take_many(w->code->file, w->n, sizeof *w->is_live);
        }
        if (bsim_cu_failed(w->code->file)) {
            return false;
        }
    }
    return true;
}

static void use(const struct weighing *w, bool *is_used, const struct cu_value *value)
{
    if (value->kind == CU_REGISTER && value->id >= w->first) {
        is_used[value->id - w->first] = true;
    }
}

/* What is of use: as an index, too, of which the address took another part than stands there. */
static void find_live(struct weighing *w, const struct cu_handed *handed, uint32_t n)
{
    bool *is_used = bsim_cu_take_many(w->code->file, w->code->n_registers - w->first, sizeof *is_used);
    if (is_used == NULL) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        use(w, is_used, &handed[i].next);
    }
    for (uint32_t b = w->header; b < w->code->n_blocks; b++) {
        use(w, is_used, &w->code->block[b].condition);
    }
    for (uint32_t i = w->n; i-- > 0;) {
        const struct cu_instruction *k = w->of[i];
        bool is_live = k->has_effect || k->op == CU_OP_STORE || k->op == CU_OP_ATOMIC || k->op == CU_OP_ASM ||
                       k->op == CU_OP_COPY || k->is_index;
        for (uint32_t j = 0; j < k->n_results; j++) {
            is_live = is_live || (k->result[j] >= w->first && is_used[k->result[j] - w->first]);
        }
        for (uint32_t j = 0; is_live && j < k->n_arguments; j++) {
            use(w, is_used, &k->argument[j]);
        }
        for (uint32_t j = 0; is_live && j < k->n_operands; j++) {
            use(w, is_used, &k->operand[j]);
        }
        w->is_live[i] = is_live;
    }
}

/* Whether a turn takes what the one before left in the register. */
static bool takes(const struct weighing *w, const struct cu_handed *handed, uint32_t n, uint32_t id)
{
    bool is_it = false;
    for (uint32_t i = 0; i < w->n && !is_it; i++) {
        is_it = w->is_live[i] && bsim_cu_uses(w->of[i], id);
    }
    for (uint32_t b = w->header; b < w->code->n_blocks && !is_it; b++) {
        is_it = w->code->block[b].condition.kind == CU_REGISTER && w->code->block[b].condition.id == id;
    }
    for (uint32_t i = 0; i < n && !is_it; i++) {
        is_it = handed[i].next.kind == CU_REGISTER && handed[i].next.id == id && handed[i].in.id != id;
    }
    return is_it;
}

/* Whether the instruction has an effect in its turn, or makes what such a one needs, or an index. */
static bool is_of_effect(const struct weighing *w, const struct cu_instruction *k)
{
    bool is_it = k->has_effect || k->op == CU_OP_STORE || k->op == CU_OP_ATOMIC || k->op == CU_OP_ASM || k->is_index;
    for (uint32_t i = 0; i < k->n_results && !is_it; i++) {
        is_it = k->result[i] >= w->first && w->is_needed[k->result[i] - w->first];
    }
    return is_it;
}

/* What effects need, or later turns: not what the last turn alone leaves to what is behind the loop, x = s[i]. */
static void find_needed(struct weighing *w, const struct cu_handed *handed, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (takes(w, handed, n, handed[i].in.id)) {
            use(w, w->is_needed, &handed[i].next);
        }
    }
    for (uint32_t b = w->header; b < w->code->n_blocks; b++) {
        use(w, w->is_needed, &w->code->block[b].condition);
    }
    for (uint32_t i = w->n; i-- > 0;) {
        const struct cu_instruction *k = w->of[i];
        bool is_it = is_of_effect(w, k);
        for (uint32_t j = 0; is_it && j < k->n_arguments; j++) {
            use(w, w->is_needed, &k->argument[j]);
        }
        for (uint32_t j = 0; is_it && j < k->n_operands; j++) {
            use(w, w->is_needed, &k->operand[j]);
        }
    }
}

/* The operation, of the registers that were the first to have the values of its own. */
static struct cu_instruction of_first(const struct weighing *w, const struct cu_instruction *k)
{
    struct cu_instruction made = *k;
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        struct cu_value *value = &made.argument[i];
        bool has_same = value->kind == CU_REGISTER && value->id >= w->first && w->same[value->id - w->first] != 0;
        value->id = has_same ? w->same[value->id - w->first] : value->id;
    }
    return made;
}

static bool is_light_operation(const struct cu_instruction *k, uint32_t first)
{
    return k->op < CU_OP_OTHER && !k->has_effect && k->n_results == 1 && k->result[0] >= first && k->n_arguments > 0;
}

/* What turns of a loop inside, which is straight code, compute alike: it stood in front of that loop, once. */
static void find_same(struct weighing *w)
{
    enum { BUCKETS = 256 };
    uint32_t bucket[BUCKETS] = {0}, *next = bsim_cu_take_many(w->code->file, w->n, sizeof *next); /* 1 + which */
    for (uint32_t i = 0; i < w->n && next != NULL; i++) {
        const struct cu_instruction *k = w->of[i];
        if (!w->is_live[i] || !is_light_operation(k, w->first)) {
            continue;
        }
        struct cu_instruction made = of_first(w, k);
        uint32_t *at = &bucket[(made.argument[0].id * 31 + (uint32_t)k->op) % BUCKETS], j = k->is_unrolled ? *at : 0;
        while (j != 0 && !bsim_cu_is_one_operation(w->of[j - 1], &made)) {
            j = next[j - 1];
        }
        if (j != 0) {
            w->same[k->result[0] - w->first] = w->of[j - 1]->result[0];
        } else {
            next[i] = *at;
            *at = i + 1;
        }
    }
}

/* Whether the quotient is but a step to x - x % y, of a remainder that is there (remain.c). */
static bool is_of_remainder(const struct weighing *w, const struct cu_instruction *quotient)
{
    uint32_t n_uses = 0;
    bool is_product = false, is_there = false;
    for (uint32_t i = 0; i < w->n && quotient->op == CU_OP_DIV; i++) {
        const struct cu_instruction *k = w->of[i];
        bool uses = w->is_live[i] && bsim_cu_uses(k, quotient->result[0]);
        n_uses += uses;
        is_product = is_product || (uses && k->op == CU_OP_MUL && (bsim_cu_same_value(&k->argument[0], &quotient->argument[1]) ||
                                                                  bsim_cu_same_value(&k->argument[1], &quotient->argument[1])));
        is_there = is_there || (w->is_live[i] && k->op == CU_OP_REM && k->is_signed == quotient->is_signed &&
                                bsim_cu_same_value(&k->argument[0], &quotient->argument[0]) &&
                                bsim_cu_same_value(&k->argument[1], &quotient->argument[1]));
    }
    return n_uses == 1 && is_product && is_there;
}

static void weigh(const struct weighing *w, struct cu_turn *turn, uint32_t i)
{
    const struct cu_instruction *k = w->of[i];
    enum kind kind = kind_made(w, k);
    bool is_there = k->n_results == 1 && k->result[0] >= w->first && w->same[k->result[0] - w->first] != 0;
    bool stays = kind == STAYS && !is_of_turn_inside(w, i);
    uint32_t weight = stays || is_there || is_of_remainder(w, k) ? 0 : weight_of(w, k);
    if (bsim_cu_accesses(k)) {
        weight = weight_of_access(w, i);
    }
    turn->weight += weight;
    turn->known += kind == KNOWN ? weight : 0;
    turn->last += kind == KNOWN || is_of_effect(w, k) ? 0 : weight;
}

/* Instructions of a way that is one of a choice, with what it copies; very many: it does more. */
static uint32_t light_of(const struct weighing *w, uint32_t way)
{
    uint32_t n = 0;
    if (way < w->header || w->code->block[way].ending != CU_GOES || w->n_ways[way - w->header] != 1) {
        return TOO_HEAVY;
    }
    for (const struct cu_instruction *k = w->code->block[way].first; k != NULL; k = k->next) {
        bool is_light = k->op <= CU_OP_CONVERT && k->op != CU_OP_DIV && k->op != CU_OP_REM && !k->has_effect;
        n += k->op == CU_OP_COPY || is_light ? !k->is_of_address : TOO_HEAVY;
    }
    return n;
}

/* Whether the block ends with a branch that is a choice (choose.c). */
static bool chooses(const struct weighing *w, uint32_t b)
{
    const struct cu_code_block *block = &w->code->block[b];
    uint32_t yes = block->target[0], no = block->target[1];
    return block->ending == CU_BRANCHES && light_of(w, yes) <= MOST_OF_CHOICE && light_of(w, no) <= MOST_OF_CHOICE &&
           w->code->block[yes].target[0] == w->code->block[no].target[0];
}

/* Choices for what one way copies and the other does not, or otherwise. */
static uint32_t choices_of(const struct weighing *w, uint32_t way, uint32_t other)
{
    uint32_t n = 0;
    for (const struct cu_instruction *k = w->code->block[way].first; k != NULL; k = k->next) {
        const struct cu_instruction *same = k->op == CU_OP_COPY ? bsim_cu_copy_in(w->code, other, k->result[0]) : NULL;
        n += k->op == CU_OP_COPY && (same == NULL || !(is_one_more(w->code, &k->argument[0], &same->argument[0]) ||
                                                       is_one_more(w->code, &same->argument[0], &k->argument[0])));
    }
    return n;
}

static bool is_empty(const struct cu_code_block *block)
{
    const struct cu_instruction *k = block->first;
    while (k != NULL && k->op == CU_OP_COPY) {
        k = k->next;
    }
    return k == NULL;
}

static bool is_of_choice(const struct weighing *w, uint32_t b)
{
    uint32_t i = w->header;
    while (i < w->code->n_blocks && !(w->code->block[i].ending == CU_BRANCHES &&
                                      (w->code->block[i].target[0] == b || w->code->block[i].target[1] == b))) {
        i++;
    }
    return i < w->code->n_blocks && chooses(w, i);
}

/* How the block ends: a branch, unless it is a choice, or a way on from one of several. */
static uint32_t weight_of_end(const struct weighing *w, uint32_t b)
{
    const struct cu_code_block *block = &w->code->block[b];
    uint32_t yes = block->target[0], no = block->target[1];
    if (block->ending == CU_BRANCHES && chooses(w, b)) {
        uint32_t n = choices_of(w, yes, no), m = choices_of(w, no, yes);
        return n > m ? n : m;
    }
    bool meets = block->ending == CU_GOES && yes != CU_NO_BLOCK && yes >= w->header && w->n_ways[yes - w->header] > 1;
    bool is_back = meets && yes <= b && yes != w->header; /* of a loop inside: a way on behind it */
    return block->ending == CU_BRANCHES || is_back || (meets && !is_empty(block) && !is_of_choice(w, b));
}

struct cu_turn bsim_cu_weigh_turn(const struct cu_code *code, uint32_t header, uint32_t first,
                                  const struct cu_handed *handed, uint32_t n)
{
    struct cu_turn turn = {.weight = 0};
    struct weighing w = {.code = code, .header = header, .first = first};
    uint32_t n_blocks = code->n_blocks - header;
    w.kind = bsim_cu_take_many(code->file, code->n_registers - first, sizeof *w.kind);
    w.is_inside = bsim_cu_take_many(code->file, n_blocks, sizeof *w.is_inside);
    w.n_ways = bsim_cu_take_many(code->file, n_blocks, sizeof *w.n_ways);
    w.same = bsim_cu_take_many(code->file, code->n_registers - first, sizeof *w.same);
    w.is_needed = bsim_cu_take_many(code->file, code->n_registers - first, sizeof *w.is_needed);
    if (bsim_cu_failed(code->file)) {
        return turn;
    }
    find_inside(&w, code->at);
    find_known(&w, handed, n);
    if (!list(&w)) {
        return turn;
    }
    find_live(&w, handed, n);
    find_needed(&w, handed, n);
    find_same(&w);
    for (uint32_t i = 0; i < w.n; i++) {
        if (w.is_live[i]) {
            weigh(&w, &turn, i);
        }
    }
    for (uint32_t b = header; b < code->n_blocks; b++) {
        turn.weight += w.is_inside[b - header] ? weight_of_end(&w, b) : 0;
    }
    turn.weight -= turn.weight >= 2 ? 2 : turn.weight; /* the loop's own comparison and branch */
    turn.known -= turn.known > 0;
    return turn;
}

/* Whether turns that weigh so much as they stand, and so much of it where they are unrolled, are worth it. */
static bool pays(uint64_t rolled, uint64_t unrolled)
{
    enum { MOST_BOOST = 400 };
    uint64_t boost = unrolled > 0 ? 100 * rolled / unrolled : MOST_BOOST;
    return unrolled < MOST_AS_A_WHOLE * (boost < MOST_BOOST ? boost : MOST_BOOST) / 100;
}

uint32_t bsim_cu_turns_as_one(const struct cu_turn *turn, uint32_t n)
{
    uint64_t weight = turn->weight, left = n * (weight - (turn->known < weight ? turn->known : weight));
    uint64_t last = n > 0 ? (n - 1) * (uint64_t)turn->last : 0;
    left -= last < left ? last : left;
    bool is_whole = n * weight + 2 < MOST_AS_A_WHOLE ||
                    (turn->is_innermost && n <= MOST_LOOKED_AT && pays(n * (weight + 2), left));
    uint32_t as_one = MOST_TURNS;
    if (is_whole || !turn->is_innermost) {
        return is_whole ? n : 1;
    }
    while (as_one > 1 && (n % as_one != 0 || as_one * weight + 2 > MOST_AS_ONE)) {
        as_one /= 2;
    }
    for (as_one = as_one == 1 ? 4 : as_one; as_one > 1 && as_one * weight + 2 > MOST_AS_ONE;) {
        as_one /= 2;
    }
    uint32_t again = n % as_one == 0 ? n / as_one : n;
    return as_one > 1 && again <= MOST_LOOKED_AT && pays(n * weight + 2 * again, left) ? n : as_one;
}
