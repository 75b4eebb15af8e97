/* crowd.c - whether a loop has too many values for its addresses to step.
 *
 *     for (k = 0; k < n; k++)
 *         if (s[k] < best) { best = s[k]; at = k; }      s[k] is at s + 4 * k, not at a q that steps by 4
 *
 * nvcc (13.0) steps an address into shared memory, a register more, where it reckons with few values at a time; else each
 * turn makes it of the counter. Where that is of use as a number, too, ptxas sees no more of what it is a multiple of, and
 * s[k] to s[k + 3] stay four loads: of four turns that are one the counter is the register of those that are left, which
 * add 1. Of other counters as much is known either way, and they step here.
 *
 * What it reckons with was read off its PTX of 700 loops with more and more values that live through them: these values,
 * those that a turn hands on, twice where they have 64 bits; and of each instruction that the next turn waits for those of
 * its operands that another one takes, too: of best > s[k] ? s[k] : best four, best and s[k] each twice.
 */
#include "cuda/code.h"

static uint32_t words_of(const struct cu_code *code, uint32_t id)
{
    enum cu_class class = code->class[id] & 7;
    return class == CU_P ? 0 : class == CU_I64 || class == CU_F64 ? 2 : 1;
}

/* What is known of each register. */
struct crowd {
    const struct cu_turns *turns;
    const uint32_t *order;
    uint32_t n, first;      /* the loop's first block is the order's first-th */
    uint32_t *n_users;      /* instructions of the loop */
    bool *is_made;          /* before the loop */
    bool *is_used;          /* there, or behind it */
    bool *comes, *leads_on; /* of what the turn before made of one; to what the next turn has of it */
};

/* The argument's register; 0: it is none of those, or stood before among the arguments. */
static uint32_t id_of(const struct crowd *c, const struct cu_instruction *k, uint32_t i)
{
    bool is_new = k->is_live && k->argument[i].kind == CU_REGISTER && k->argument[i].id < c->turns->n_registers;
    for (uint32_t before = 0; before < i && is_new; before++) {
        is_new = !bsim_cu_same_value(&k->argument[before], &k->argument[i]);
    }
    return is_new ? k->argument[i].id : 0;
}

/* c ? m | x : m is m | (c ? x : 0) to nvcc, of whole numbers: it takes m once. */
static bool is_folded(const struct crowd *c, const struct cu_instruction *k, uint32_t i)
{
    const struct cu_instruction *of = k->op == CU_OP_SELECT && i < 2 ? bsim_cu_definition(c->turns->code, &k->argument[1 - i]) : NULL;
    bool is_whole = of != NULL && of->n_arguments == 2 && of->op >= CU_OP_ADD && of->op <= CU_OP_SHR &&
                    (k->argument[i].class == CU_I32 || k->argument[i].class == CU_I64);
    return is_whole && (bsim_cu_same_value(&of->argument[0], &k->argument[i]) ||
                        (of->op != CU_OP_SUB && of->op < CU_OP_SHL && bsim_cu_same_value(&of->argument[1], &k->argument[i])));
}

static uint32_t result_of(const struct crowd *c, const struct cu_instruction *k)
{
    return k->n_results > 0 && k->result[0] < c->turns->n_registers ? k->result[0] : 0;
}

/* is_before: the loop; else ways lead there from it. */
static void note_block(struct crowd *c, uint32_t block, bool is_before)
{
    for (const struct cu_instruction *k = c->turns->code->block[block].first; k != NULL; k = k->next) {
        uint32_t id = result_of(c, k);
        c->is_made[id] = c->is_made[id] || (is_before && k->op != CU_OP_NAME);
        for (uint32_t i = 0; i < k->n_arguments && !is_before; i++) {
            id = id_of(c, k, i);
            c->is_used[id] = true;
            c->n_users[id] += c->turns->is_in[block] && !is_folded(c, k, i);
        }
    }
}

/* Marks what is made of the register in the turn. */
static void follow(struct crowd *c, uint32_t id)
{
    memset(c->comes, 0, c->turns->n_registers * sizeof *c->comes);
    c->comes[id] = true;
    for (uint32_t b = c->first; b < c->n; b++) {
        const struct cu_instruction *k = c->turns->code->block[c->order[b]].first;
        for (; k != NULL && c->turns->is_in[c->order[b]]; k = k->next) {
            for (uint32_t i = 0; i < k->n_arguments && k->op != CU_OP_LOAD; i++) {
                uint32_t made = result_of(c, k);
                c->comes[made] = c->comes[made] || (c->comes[id_of(c, k, i)] && made != id);
            }
            c->comes[0] = false;
        }
    }
}

/* Of the instruction, if it stands between what the turn before made and what this one hands on: its operands that others
 * take, too. */
static uint32_t weigh(struct crowd *c, const struct cu_instruction *k)
{
    uint32_t n = 0;
    if (!k->is_live || k->op == CU_OP_LOAD || k->has_effect || !c->comes[result_of(c, k)] || !c->leads_on[result_of(c, k)]) {
        return 0;
    }
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        uint32_t id = id_of(c, k, i);
        c->leads_on[id] = true;
        n += id != 0 && c->turns->turn[id] > 0 && c->n_users[id] > 1 && !is_folded(c, k, i);
    }
    c->leads_on[0] = false;
    return n;
}

/* From the last instruction on back; they are linked forwards alone. */
static uint32_t weigh_block(struct crowd *c, uint32_t block)
{
    uint32_t n = 0, weight = 0;
    const struct cu_instruction *first = c->turns->code->block[block].first;
    for (const struct cu_instruction *k = first; k != NULL; k = k->next) {
        n++;
    }
    const struct cu_instruction **all = bsim_cu_take_many(c->turns->code->file, n, sizeof *all);
    for (const struct cu_instruction *k = first; k != NULL && all != NULL; k = k->next) {
        *all++ = k;
    }
    for (; n > 0 && all != NULL; n--) {
        weight += weigh(c, *--all);
    }
    return weight;
}

static uint32_t weigh_way(struct crowd *c, uint32_t id)
{
    const struct cu_instruction *next = bsim_cu_copy_in(c->turns->code, c->turns->latch, id);
    uint32_t n = 0;
    if (next == NULL || next->argument[0].kind != CU_REGISTER) {
        return 0;
    }
    follow(c, id);
    memset(c->leads_on, 0, c->turns->n_registers * sizeof *c->leads_on);
    c->leads_on[next->argument[0].id < c->turns->n_registers ? next->argument[0].id : 0] = true;
    for (uint32_t b = c->n; b-- > c->first;) {
        n += c->turns->is_in[c->order[b]] ? weigh_block(c, c->order[b]) : 0;
    }
    return n;
}

static void reach(const struct crowd *c, uint32_t block, bool *is_reached)
{
    const struct cu_code_block *b = &c->turns->code->block[block];
    for (uint32_t i = 0; i < bsim_cu_targets_of(b); i++) {
        is_reached[b->target[i]] = true;
    }
}

static bool make_crowd(struct crowd *c, struct cu_file *file, uint32_t n)
{
    c->n_users = bsim_cu_take_many(file, n, sizeof *c->n_users);
    c->is_made = bsim_cu_take_many(file, n, sizeof *c->is_made);
    c->is_used = bsim_cu_take_many(file, n, sizeof *c->is_used);
    c->comes = bsim_cu_take_many(file, n, sizeof *c->comes);
    c->leads_on = bsim_cu_take_many(file, n, sizeof *c->leads_on);
    return !bsim_cu_failed(file);
}

bool bsim_cu_is_crowded(const struct cu_turns *turns, const uint32_t *order, uint32_t n, uint32_t header)
{
    enum { MOST_ALIVE = 30 };
    struct crowd c = {.turns = turns, .order = order, .n = n, .first = turns->flow->place[header]};
    uint32_t n_alive = 0;
    bool *is_reached = bsim_cu_take_many(turns->code->file, turns->code->n_blocks, sizeof *is_reached);
    if (!make_crowd(&c, turns->code->file, turns->n_registers)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i < c.first) {
            note_block(&c, order[i], true);
        } else if (turns->is_in[order[i]] || is_reached[order[i]]) {
            reach(&c, order[i], is_reached);
            note_block(&c, order[i], false);
        }
    }
    for (uint32_t id = 1; id < turns->n_registers; id++) {
        n_alive += c.is_used[id] && c.is_made[id] ? words_of(turns->code, id) : 0;
    }
    bool is_it = n_alive > MOST_ALIVE;
    for (uint32_t id = 1; id < turns->n_registers && !is_it; id++) {
        bool is_handed_on = c.is_made[id] && turns->turn[id] == 1 && !turns->is_counter[id];
        is_it = is_handed_on && n_alive + weigh_way(&c, id) > MOST_ALIVE;
    }
    return is_it;
}

/* ---- one register for the turns that are one, and for those that are left ------------------------- */

/* Whether the value is what a turn makes of the register by a constant. */
static bool is_next(const struct cu_code *code, const struct cu_value *value, uint32_t id)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    return from != NULL && from->op == CU_OP_ADD && from->argument[0].kind == CU_REGISTER &&
           from->argument[0].id == id && from->argument[1].kind == CU_CONSTANT_VALUE;
}

/* The register of a later loop that begins with this one, and that a turn there adds to; 0: there is none, or this one is
 * of use behind where that begins, but to be copied. */
static uint32_t find_later(const struct cu_code *code, const uint32_t *order, uint32_t n, uint32_t id)
{
    uint32_t later = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t found = 0;
        for (const struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (k->op != CU_OP_COPY && later != 0 && bsim_cu_uses(k, id)) {
                return 0;
            }
            found = k->op == CU_OP_COPY && bsim_cu_uses(k, id) ? k->result[0] : found;
        }
        for (uint32_t other = i + 1; other < n && found != 0 && later == 0; other++) {
            const struct cu_instruction *back = bsim_cu_copy_in(code, order[other], found);
            later = back != NULL && is_next(code, &back->argument[0], found) ? found : 0;
        }
    }
    return later;
}

static void use_one(struct cu_code *code, const uint32_t *order, uint32_t n, uint32_t from, uint32_t to)
{
    bsim_cu_replace(code, order, n, from, to);
    for (uint32_t i = 0; i < n; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (k->op == CU_OP_COPY && k->result[0] == from) {
                k->result[0] = to;
            }
        }
    }
}

/* Whether the counter is of use as a number there: not for an address, nor to count on. */
static bool is_number(const struct cu_instruction *k, uint32_t id)
{
    bool is_it = false;
    bool is_step = k->op == CU_OP_ADD || k->op == CU_OP_SHL || k->op == CU_OP_MUL || k->op == CU_OP_WIDE ||
                   k->op == CU_OP_CONVERT;
    for (uint32_t i = bsim_cu_accesses(k); i < k->n_arguments && k->is_live && !is_step; i++) {
        const struct cu_value *value = &k->argument[i];
        is_it = is_it || (value->kind == CU_REGISTER && value->id == id);
    }
    return is_it;
}

bool bsim_cu_wants_number(const struct cu_turns *turns, const uint32_t *order, uint32_t n, uint32_t id)
{
    bool does = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_instruction *k = turns->code->block[order[i]].first;
        for (; k != NULL && turns->is_in[order[i]] && !does; k = k->next) {
            does = is_number(k, id);
        }
    }
    return does;
}

void bsim_cu_share_counter(struct cu_code *code, const uint32_t *order, uint32_t n, const bool *is_in, uint32_t id)
{
    uint32_t last = 0; /* the register that has it behind the loop */
    for (uint32_t i = 0; i < n; i++) {
        for (const struct cu_instruction *k = code->block[order[i]].first; k != NULL && !is_in[order[i]]; k = k->next) {
            if (k->op != CU_OP_COPY && bsim_cu_uses(k, id)) {
                return;
            }
            last = k->op == CU_OP_COPY && k->is_live && is_next(code, &k->argument[0], id) ? k->result[0] : last;
        }
    }
    uint32_t later = last != 0 ? find_later(code, order, n, last) : 0;
    if (later != 0) {
        use_one(code, order, n, last, id);
        use_one(code, order, n, later, id);
    }
}
