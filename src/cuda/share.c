/* share.c - values that ways of control hand on are one register, where no two of them are wanted at once.
 *
 *     L1: ...                                  L1: ...
 *         add.s32 %r2, %r1, 4;       ->            add.s32 %r1, %r1, 4;
 *         mov.u32 %r1, %r2;                        @%p1 bra L1;
 *         @%p1 bra L1;
 *
 * So LLVM has it, whose ways of a loop have no blocks of their own then; what stays of copies is made in front of the branch if the
 * other way wants nothing of what they set. Behind all others: a register is set at several places now.
 */
#include "cuda/lower.h"

enum { MOST = 4096 /* registers that copies know */, BITS = 64 };

struct share {
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n, n_registers, m, words;
    uint32_t *index;   /* of each register: 1 + its number among those that copies know; 0: none do */
    uint32_t *id, *of; /* of each of these: the register; the one that it is part of */
    uint64_t *in, *uses, *sets; /* of each block */
    uint64_t *clash, *parts;    /* of each register: what is wanted where it is set; what it is made of */
    bool *is_of_address;        /* of each register of all: addresses are made of it */
    struct cu_flow flow;
};

static bool has(const uint64_t *set, uint32_t i)
{
    return (set[i / BITS] >> i % BITS & 1) != 0;
}

static void put(uint64_t *set, uint32_t i)
{
    set[i / BITS] |= UINT64_C(1) << i % BITS;
}

/* ---- who knows copies ------------------------------------------------------------------------ */

static void know(struct share *s, uint32_t id)
{
    if (s->index[id] == 0) {
        s->index[id] = ++s->m;
    }
}

static bool find_known(struct share *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL; k = k->next) {
            if (k->is_live && k->op == CU_OP_COPY) {
                know(s, k->result[0]);
                if (k->argument[0].kind == CU_REGISTER) {
                    know(s, k->argument[0].id);
                }
            }
        }
    }
    s->words = (s->m + BITS - 1) / BITS;
    return s->m > 0 && s->m <= MOST;
}

static bool begin(struct share *s, struct cu_code *code, const uint32_t *order, uint32_t n)
{
    *s = (struct share){.code = code, .order = order, .n = n, .n_registers = code->n_registers};
    s->index = bsim_cu_take_many(code->file, s->n_registers, sizeof *s->index);
    if (bsim_cu_failed(code->file) || !find_known(s) || !bsim_cu_find_flow(code, order, n, &s->flow)) {
        return false;
    }
    s->id = bsim_cu_take_many(code->file, s->m, sizeof *s->id);
    s->of = bsim_cu_take_many(code->file, s->m, sizeof *s->of);
    s->in = bsim_cu_take_many(code->file, (size_t)code->n_blocks * s->words, sizeof *s->in);
    s->uses = bsim_cu_take_many(code->file, (size_t)code->n_blocks * s->words, sizeof *s->uses);
    s->sets = bsim_cu_take_many(code->file, (size_t)code->n_blocks * s->words, sizeof *s->sets);
    s->clash = bsim_cu_take_many(code->file, (size_t)s->m * s->words, sizeof *s->clash);
    s->parts = bsim_cu_take_many(code->file, (size_t)s->m * s->words, sizeof *s->parts);
    s->is_of_address = bsim_cu_take_many(code->file, s->n_registers, sizeof *s->is_of_address);
    if (bsim_cu_failed(code->file)) {
        return false;
    }
    for (uint32_t i = 0; i < s->n_registers; i++) {
        if (s->index[i] != 0) {
            uint32_t number = s->index[i] - 1;
            s->id[number] = i;
            s->of[number] = number;
            put(&s->parts[(size_t)number * s->words], number);
        }
    }
    return true;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

/* Calls visit of each register that copies know and the instruction takes, or sets. */
static void each(const struct share *s, const struct cu_instruction *k, bool is_set, uint64_t *set)
{
    for (uint32_t i = 0; i < k->n_results && is_set; i++) {
        if (s->index[k->result[i]] != 0) {
            put(set, s->index[k->result[i]] - 1);
        }
    }
    for (uint32_t i = 0; i < k->n_arguments && !is_set; i++) {
        if (k->argument[i].kind == CU_REGISTER && s->index[k->argument[i].id] != 0) {
            put(set, s->index[k->argument[i].id] - 1);
        }
    }
    for (uint32_t i = 0; i < k->n_operands; i++) { /* what it sets may stand in it as it was, too */
        if (k->operand[i].kind == CU_REGISTER && s->index[k->operand[i].id] != 0 && (!is_set || i < k->n_set)) {
            put(set, s->index[k->operand[i].id] - 1);
        }
    }
}

static void want_condition(const struct share *s, const struct cu_code_block *block, uint64_t *set)
{
    if (block->ending == CU_BRANCHES && block->condition.kind == CU_REGISTER && s->index[block->condition.id] != 0) {
        put(set, s->index[block->condition.id] - 1);
    }
}

static void find_out(const struct share *s, uint32_t block, uint64_t *out)
{
    const struct cu_code_block *b = &s->code->block[block];
    memset(out, 0, s->words * sizeof *out);
    for (uint32_t i = 0; i < bsim_cu_targets_of(b); i++) {
        for (uint32_t w = 0; w < s->words; w++) {
            out[w] |= s->in[(size_t)b->target[i] * s->words + w];
        }
    }
}

static void look_at(struct share *s, uint32_t block, uint64_t *now)
{
    uint64_t *uses = &s->uses[(size_t)block * s->words], *sets = &s->sets[(size_t)block * s->words];
    memset(uses, 0, s->words * sizeof *uses);
    memset(sets, 0, s->words * sizeof *sets);
    for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        memset(now, 0, s->words * sizeof *now);
        if (k->is_live) {
            each(s, k, false, now);
            for (uint32_t w = 0; w < s->words; w++) {
                uses[w] |= now[w] & ~sets[w];
            }
            each(s, k, true, sets);
        }
    }
    memset(now, 0, s->words * sizeof *now);
    want_condition(s, &s->code->block[block], now);
    for (uint32_t w = 0; w < s->words; w++) {
        uses[w] |= now[w] & ~sets[w];
    }
}

static void find_wanted(struct share *s, uint64_t *now)
{
    memset(s->in, 0, (size_t)s->code->n_blocks * s->words * sizeof *s->in);
    for (uint32_t i = 0; i < s->n; i++) {
        look_at(s, s->order[i], now);
    }
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = s->n; i-- > 0;) {
            size_t at = (size_t)s->order[i] * s->words;
            find_out(s, s->order[i], now);
            for (uint32_t w = 0; w < s->words; w++) {
                uint64_t in = s->uses[at + w] | (now[w] & ~s->sets[at + w]);
                is_new = is_new || in != s->in[at + w];
                s->in[at + w] = in;
            }
        }
    }
}

/* ---- what addresses are made of --------------------------------------------------------------- */

static bool note_address(struct share *s, const struct cu_value *value)
{
    bool is_new = value->kind == CU_REGISTER && !s->is_of_address[value->id];
    if (is_new) {
        s->is_of_address[value->id] = true;
    }
    return is_new;
}

static void find_addresses(struct share *s)
{
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = s->n; i-- > 0;) {
            for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL; k = k->next) {
                bool is_access = bsim_cu_accesses(k), makes = k->op != CU_OP_COPY && !is_access && k->n_results == 1 && s->is_of_address[k->result[0]];
                for (uint32_t a = 0; k->is_live && a < k->n_arguments && (makes || (is_access && a == 0)); a++) {
                    is_new = note_address(s, &k->argument[a]) || is_new;
                }
            }
        }
    }
}

/* ---- who is in whose way --------------------------------------------------------------------- */

static void clash(struct share *s, uint32_t a, uint32_t b)
{
    put(&s->clash[(size_t)a * s->words], b);
    put(&s->clash[(size_t)b * s->words], a);
}

/* What the instruction sets is in the way of what is wanted behind it, but for what it copies. */
static void clash_at(struct share *s, const struct cu_instruction *k, uint64_t *wanted, uint64_t *set)
{
    bool copies = k->op == CU_OP_COPY && k->argument[0].kind == CU_REGISTER;
    uint32_t from = copies ? s->index[k->argument[0].id] : 0;
    memset(set, 0, s->words * sizeof *set);
    each(s, k, true, set);
    for (uint32_t d = 0; d < s->m; d++) {
        for (uint32_t w = 0; has(set, d) && w < s->words; w++) {
            for (uint64_t others = wanted[w] | set[w]; others != 0; others &= others - 1) {
                uint32_t e = w * BITS;
                for (uint64_t low = others & (0 - others); low > 1; low >>= 1) {
                    e++;
                }
                if (e != d && e + 1 != from) {
                    clash(s, d, e);
                }
            }
        }
    }
    for (uint32_t w = 0; w < s->words; w++) {
        wanted[w] &= ~set[w];
    }
    each(s, k, false, wanted);
}

static void find_clashes(struct share *s, uint64_t *wanted, uint64_t *set)
{
    for (uint32_t i = 0; i < s->n && !bsim_cu_failed(s->code->file); i++) {
        const struct cu_code_block *b = &s->code->block[s->order[i]];
        uint32_t n = 0;
        for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
            n += k->is_live;
        }
        const struct cu_instruction **list = bsim_cu_take_many(s->code->file, n + 1, sizeof(struct cu_instruction *));
        n = 0;
        for (const struct cu_instruction *k = b->first; k != NULL && list != NULL; k = k->next) {
            if (k->is_live) {
                list[n++] = k;
            }
        }
        find_out(s, s->order[i], wanted);
        want_condition(s, b, wanted);
        while (n-- > 0) {
            clash_at(s, list[n], wanted, set);
        }
    }
}

/* ---- being one ------------------------------------------------------------------------------- */

static uint32_t whole_of(const struct share *s, uint32_t part)
{
    while (s->of[part] != part) {
        part = s->of[part];
    }
    return part;
}

static void share(struct share *s, const struct cu_instruction *copy)
{
    uint32_t a = whole_of(s, s->index[copy->result[0]] - 1), b = whole_of(s, s->index[copy->argument[0].id] - 1);
    uint64_t *parts = &s->parts[(size_t)a * s->words], *others = &s->parts[(size_t)b * s->words], both = 0;
    for (uint32_t w = 0; w < s->words; w++) {
        both |= s->clash[(size_t)a * s->words + w] & others[w];
    }
    if (a == b || both != 0 || s->code->class[s->id[a]] != s->code->class[s->id[b]]) {
        return;
    }
    s->of[b] = a;
    for (uint32_t w = 0; w < s->words; w++) {
        parts[w] |= others[w];
        s->clash[(size_t)a * s->words + w] |= s->clash[(size_t)b * s->words + w];
    }
    for (uint32_t i = 0; i < s->m; i++) {
        if (has(&s->clash[(size_t)b * s->words], i)) {
            put(&s->clash[(size_t)whole_of(s, i) * s->words], a);
        }
    }
}

/* First what loops hand on. What addresses are made of stays apart where it comes into one, so that what it is a multiple of is known by the one place that
 * sets it: accesses at two such addresses become one (../ptx/merge.c). */
static void share_all(struct share *s)
{
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        uint32_t block = s->order[i % s->n];
        const struct cu_code_block *b = &s->code->block[block];
        bool goes_back = false;
        for (uint32_t t = 0; t < bsim_cu_targets_of(b); t++) {
            goes_back = goes_back || s->flow.place[b->target[t]] <= s->flow.place[block];
        }
        for (const struct cu_instruction *k = b->first; k != NULL && goes_back == (i < s->n); k = k->next) {
            bool copies = k->is_live && k->op == CU_OP_COPY && k->argument[0].kind == CU_REGISTER;
            if (copies && (goes_back || !s->is_of_address[k->argument[0].id] || s->is_of_address[k->result[0]])) {
                share(s, k);
            }
        }
    }
}

static uint32_t new_id(const struct share *s, uint32_t id)
{
    return s->index[id] != 0 ? s->id[whole_of(s, s->index[id] - 1)] : id;
}

static void rename_in(const struct share *s, struct cu_instruction *k)
{
    for (uint32_t i = 0; i < k->n_results; i++) {
        k->result[i] = new_id(s, k->result[i]);
    }
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        k->argument[i].id = k->argument[i].kind == CU_REGISTER ? new_id(s, k->argument[i].id) : k->argument[i].id;
    }
    for (uint32_t i = 0; i < k->n_operands; i++) {
        k->operand[i].id = k->operand[i].kind == CU_REGISTER ? new_id(s, k->operand[i].id) : k->operand[i].id;
    }
    if (k->op == CU_OP_COPY && k->argument[0].kind == CU_REGISTER && k->argument[0].id == k->result[0]) {
        k->is_live = false;
    }
}

static void rename_all(struct share *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct cu_code_block *b = &s->code->block[s->order[i]];
        for (struct cu_instruction *k = b->first; k != NULL; k = k->next) {
            if (k->is_live) {
                rename_in(s, k);
            }
        }
        b->condition.id = b->ending == CU_BRANCHES && b->condition.kind == CU_REGISTER ? new_id(s, b->condition.id) : b->condition.id;
    }
}

/* ---- in front of branches -------------------------------------------------------------------- */

static const struct cu_instruction *live_from(const struct cu_instruction *k)
{
    while (k != NULL && !k->is_live) {
        k = k->next;
    }
    return k;
}

/* Whether both ways copy the same into the same. */
static bool are_alike(const struct share *s, uint32_t way, uint32_t other)
{
    const struct cu_instruction *a = live_from(s->code->block[way].first), *b = live_from(s->code->block[other].first);
    while (a != NULL && b != NULL && a->result[0] == b->result[0] && bsim_cu_same_value(&a->argument[0], &b->argument[0])) {
        a = live_from(a->next);
        b = live_from(b->next);
    }
    return a == NULL && b == NULL;
}

/* Whether the branch does not ask what the way sets, and the other way does the same, or wants nothing of it and all is there in registers. */
static bool is_free(const struct share *s, const struct cu_code_block *branch, uint32_t way, uint32_t other, bool is_alike)
{
    bool is_it = true;
    for (const struct cu_instruction *k = live_from(s->code->block[way].first); k != NULL && is_it; k = live_from(k->next)) {
        uint32_t id = k->result[0];
        bool asks = branch->condition.kind == CU_REGISTER && branch->condition.id == id;
        bool is_apart = k->argument[0].kind == CU_REGISTER && !has(&s->in[(size_t)other * s->words], s->index[id] - 1);
        is_it = !asks && (is_alike || is_apart);
    }
    return is_it;
}

static void put_in_front(struct share *s, uint32_t branch, uint32_t way)
{
    struct cu_code_block *from = &s->code->block[way];
    for (struct cu_instruction *k = from->first, *next; k != NULL; k = next) {
        next = k->next;
        bsim_cu_take_out(from, k);
        if (k->is_live) {
            bsim_cu_put_last(&s->code->block[branch], k);
        }
    }
}

/* Copies of one way of the branch, at most, go in front of it. */
static bool go_straight(struct share *s, uint32_t branch)
{
    struct cu_code_block *b = &s->code->block[branch];
    for (uint32_t i = 0; i < 2 && b->ending == CU_BRANCHES; i++) {
        uint32_t way = b->target[i], other = b->target[!i];
        bool is_bare = way != other && s->flow.n_ways[way] == 1 && bsim_cu_is_bare(s->code, way) && live_from(s->code->block[way].first) != NULL;
        bool is_alike = is_bare && s->flow.n_ways[other] == 1 && bsim_cu_is_bare(s->code, other) && are_alike(s, way, other);
        if (is_bare && is_free(s, b, way, other, is_alike)) {
            put_in_front(s, branch, way);
            if (is_alike) {
                s->code->block[other].first = s->code->block[other].last = NULL;
            }
            return true;
        }
    }
    return false;
}

void bsim_cu_share(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct share s;
    if (!begin(&s, code, order, n)) {
        return;
    }
    uint64_t *now = bsim_cu_take_many(code->file, s.words, sizeof *now), *set = bsim_cu_take_many(code->file, s.words, sizeof *set);
    if (bsim_cu_failed(code->file)) {
        return;
    }
    find_addresses(&s);
    find_wanted(&s, now);
    find_clashes(&s, now, set);
    if (bsim_cu_failed(code->file)) {
        return;
    }
    share_all(&s);
    rename_all(&s);
    find_wanted(&s, now);
    for (uint32_t i = 0; i < n; i++) {
        if (go_straight(&s, order[i])) {
            find_wanted(&s, now);
        }
    }
}
