/* idle.c - a branch of which nothing comes leads on at once: both ways do nothing of use, and meet again.
 *
 *     for (i = 0; i < n; i++)
 *         if (v) v = s[i] != 0;         if nobody but this branch asks for v, nothing is loaded
 *
 * So all is of no use at first, but what has an effect; what that is made of is, and the branches that decide whether
 * it comes to that. A loop's own branch is one of these, unless nothing of use stands in the loop, nor another loop, and it
 * is seen to end: it counts. So nvcc has it (LLVM's ADCE, and its deletion of loops).
 */
#include "cuda/code.h"

struct idle {
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    uint32_t *place;   /* of each block: its turn */
    uint32_t *meet;    /* of each turn: that of the next block that all ways on come through; n: there is none */
    bool *is_busy;     /* of each turn: something of use stands there */
    bool *is_deciding; /* of each turn: its branch is of use */
    bool *is_needed;   /* of each register */
    uint32_t *first;   /* of each turn that goes back in a loop that is seen to end: 1 + where that begins; 0: it is none */
    uint32_t *out;     /* and where it leads when it ends */
    bool is_new;
};

static const struct cu_code_block *block_at(const struct idle *s, uint32_t turn)
{
    return &s->code->block[s->order[turn]];
}

/* Where two ways on meet; n: nowhere. */
static uint32_t meet_of(const struct idle *s, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t *first = a < b ? &a : &b;
        *first = s->meet[*first];
    }
    return a;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Whether one of the turns from first to last sets the register; of: by a copy of that one, 0: anyhow. */
static bool is_set_in(const struct idle *s, uint32_t first, uint32_t last, uint32_t id, uint32_t of)
{
    for (uint32_t i = first; i <= last; i++) {
        for (const struct cu_instruction *k = block_at(s, i)->first; k != NULL; k = k->next) {
            bool is_copy = k->op == CU_OP_COPY && k->argument[0].kind == CU_REGISTER && k->argument[0].id == of;
            for (uint32_t r = 0; r < k->n_results; r++) {
                if (k->result[r] == id && (of == 0 || is_copy)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Whether the loop goes on as long as what each turn adds to compares so with what stays: it ends then. Of an unsigned
 * number, and of one that is to be unequal, by steps of one: of others nobody knows whether they pass it. */
static bool counts(const struct idle *s, const struct cu_value *condition, uint32_t first, uint32_t last)
{
    const struct cu_instruction *test = bsim_cu_definition(s->code, condition);
    const struct cu_instruction *sum = test != NULL && test->op == CU_OP_COMPARE
                                           ? bsim_cu_definition(s->code, &test->argument[0]) : NULL;
    if (sum == NULL || (sum->op != CU_OP_ADD && sum->op != CU_OP_SUB) || sum->argument[0].kind != CU_REGISTER) {
        return false;
    }
    const struct cu_value *end = &test->argument[1], *by = &sum->argument[1];
    bool stays = end->kind != CU_REGISTER || !is_set_in(s, first, last, end->id, 0);
    bool is_even = by->kind != CU_REGISTER || !is_set_in(s, first, last, by->id, 0);
    int64_t step = by->kind == CU_CONSTANT_VALUE ? bsim_cu_as_signed(by->class, by->bits) : 0;
    bool is_unequal = strncmp(test->opcode, "setp.ne", 7) == 0, is_signed = strstr(test->opcode, ".s") != NULL;
    bool is_one = step == 1 || step == -1;
    return stays && is_even && (is_one || (is_signed && !is_unequal)) && strncmp(test->opcode, "setp.eq", 7) != 0 &&
           is_set_in(s, first, last, sum->argument[0].id, sum->result[0]);
}

/* Whether another loop stands there. */
static bool has_loop(const struct idle *s, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        for (uint32_t way = 0; way < bsim_cu_targets_of(block_at(s, i)); way++) {
            if (s->place[block_at(s, i)->target[way]] <= i) {
                return true;
            }
        }
    }
    return false;
}

/* A loop of which one way out is seen to be taken once. */
static void find_loop(struct idle *s, uint32_t last)
{
    const struct cu_code_block *back = block_at(s, last);
    uint32_t first = back->ending == CU_GOES ? s->place[back->target[0]] : last + 1;
    for (uint32_t i = first; i <= last && s->first[last] == 0; i++) {
        const struct cu_code_block *b = block_at(s, i);
        bool leaves = b->ending == CU_BRANCHES && s->place[b->target[1]] > last && s->place[b->target[0]] <= last;
        if (leaves && counts(s, &b->condition, first, last) && !has_loop(s, first, last)) {
            s->first[last] = first + 1;
            s->out[last] = s->place[b->target[1]];
        }
    }
}

static bool is_any_busy(const struct idle *s, uint32_t first, uint32_t last)
{
    while (first <= last && !s->is_busy[first]) {
        first++;
    }
    return first <= last;
}

/* ---- where ways meet -------------------------------------------------------------------------- */

/* Where all ways on meet, of those that go on; what goes back is of use, unless the loop may prove to be of none. */
static void find_meetings(struct idle *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        s->place[s->order[i]] = i;
    }
    for (uint32_t i = s->n; i-- > 0;) {
        const struct cu_code_block *b = block_at(s, i);
        uint32_t n_on = 0;
        find_loop(s, i);
        s->meet[i] = s->first[i] > 0 ? s->out[i] : s->n;
        for (uint32_t way = 0; way < bsim_cu_targets_of(b) && s->first[i] == 0; way++) {
            uint32_t to = s->place[b->target[way]];
            bool is_back = to <= i;
            s->is_busy[i] = s->is_busy[i] || is_back;
            s->is_deciding[i] = s->is_deciding[i] || (is_back && b->ending == CU_BRANCHES);
            s->meet[i] = is_back ? s->meet[i] : n_on++ == 0 ? to : meet_of(s, s->meet[i], to);
        }
        s->is_deciding[i] = s->is_deciding[i] || (b->ending == CU_BRANCHES && s->meet[i] == s->n);
    }
}

/* ---- what is of use -------------------------------------------------------------------------- */

static void need(struct idle *s, const struct cu_value *value)
{
    if (value->kind == CU_REGISTER && !s->is_needed[value->id]) {
        s->is_needed[value->id] = true;
        s->is_new = true;
    }
}

static void look_at(struct idle *s, uint32_t turn, const struct cu_instruction *k)
{
    bool is_of_use = k->has_effect;
    for (uint32_t i = 0; i < k->n_results; i++) {
        is_of_use = is_of_use || s->is_needed[k->result[i]];
    }
    if (!k->is_live || !is_of_use) {
        return;
    }
    s->is_new = s->is_new || !s->is_busy[turn];
    s->is_busy[turn] = true;
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        need(s, &k->argument[i]);
    }
    for (uint32_t i = 0; i < k->n_operands; i++) {
        need(s, &k->operand[i]);
    }
}

/* Whether anything of use stands on a way of the branch, before these meet. */
static bool decides(const struct idle *s, uint32_t turn)
{
    const struct cu_code_block *b = block_at(s, turn);
    for (uint32_t way = 0; way < 2; way++) {
        for (uint32_t at = s->place[b->target[way]]; at != s->meet[turn]; at = s->meet[at]) {
            if (s->is_busy[at]) {
                return true;
            }
        }
    }
    return false;
}

static void look_at_block(struct idle *s, uint32_t turn)
{
    const struct cu_code_block *b = block_at(s, turn);
    if (b->ending == CU_BRANCHES && !s->is_deciding[turn] && decides(s, turn)) {
        s->is_deciding[turn] = s->is_busy[turn] = true;
        s->is_new = true;
    }
    if (s->is_deciding[turn]) {
        s->is_busy[turn] = true;
        need(s, &b->condition);
    }
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        look_at(s, turn, k);
    }
    if (s->first[turn] > 0 && !s->is_busy[turn] && is_any_busy(s, s->first[turn] - 1, turn)) {
        s->is_busy[turn] = s->is_new = true;
    }
}

static bool begin(struct idle *s)
{
    struct cu_file *file = s->code->file;
    s->place = bsim_cu_take_many(file, s->code->n_blocks, sizeof *s->place);
    s->meet = bsim_cu_take_many(file, s->n + 1, sizeof *s->meet);
    s->is_busy = bsim_cu_take_many(file, s->n + 1, sizeof *s->is_busy);
    s->is_deciding = bsim_cu_take_many(file, s->n + 1, sizeof *s->is_deciding);
    s->is_needed = bsim_cu_take_many(file, s->code->n_registers, sizeof *s->is_needed);
    s->first = bsim_cu_take_many(file, s->n + 1, sizeof *s->first);
    s->out = bsim_cu_take_many(file, s->n + 1, sizeof *s->out);
    return !bsim_cu_failed(file);
}

bool bsim_cu_leave_idle(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct idle s = {.code = code, .order = order, .n = n, .is_new = true};
    bool has_idle = false;
    if (!begin(&s)) {
        return false;
    }
    find_meetings(&s);
    while (s.is_new) {
        s.is_new = false;
        for (uint32_t i = n; i-- > 0;) {
            look_at_block(&s, i);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        struct cu_code_block *b = &code->block[order[i]];
        bool is_idle_loop = s.first[i] > 0 && !s.is_busy[i];
        if ((b->ending == CU_BRANCHES && !s.is_deciding[i]) || is_idle_loop) {
            b->ending = CU_GOES;
            b->target[0] = order[s.meet[i]];
            has_idle = true;
        }
    }
    return has_idle;
}
