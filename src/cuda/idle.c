/* idle.c - a branch of which nothing comes leads on at once: both ways do nothing of use, and meet again.
 *
 *     for (i = 0; i < n; i++)
 *         if (v) v = s[i] != 0;         if nobody but this branch asks for v, nothing is loaded
 *
 * So all is of no use at first, but what has an effect; what that is made of is, and the branches that decide whether
 * it comes to that. A loop's own branch stays, as nvcc (LLVM's ADCE) has it.
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

/* Where all ways on meet, of those that go on; what goes back is of use. */
static void find_meetings(struct idle *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        s->place[s->order[i]] = i;
    }
    for (uint32_t i = s->n; i-- > 0;) {
        const struct cu_code_block *b = block_at(s, i);
        uint32_t n_on = 0;
        s->meet[i] = s->n;
        for (uint32_t way = 0; way < bsim_cu_targets_of(b); way++) {
            uint32_t to = s->place[b->target[way]];
            bool is_back = to <= i;
            s->is_busy[i] = s->is_busy[i] || is_back;
            s->is_deciding[i] = s->is_deciding[i] || (is_back && b->ending == CU_BRANCHES);
            s->meet[i] = is_back ? s->meet[i] : n_on++ == 0 ? to : meet_of(s, s->meet[i], to);
        }
        s->is_deciding[i] = s->is_deciding[i] || (b->ending == CU_BRANCHES && s->meet[i] == s->n);
    }
}

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
}

bool bsim_cu_leave_idle(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct idle s = {code, order, n, bsim_cu_take_many(code->file, code->n_blocks, sizeof *s.place),
                     bsim_cu_take_many(code->file, n + 1, sizeof *s.meet),
                     bsim_cu_take_many(code->file, n + 1, sizeof *s.is_busy),
                     bsim_cu_take_many(code->file, n + 1, sizeof *s.is_deciding),
                     bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_needed), true};
    bool has_idle = false;
    if (bsim_cu_failed(code->file)) {
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
        if (b->ending == CU_BRANCHES && !s.is_deciding[i]) {
            b->ending = CU_GOES;
            b->target[0] = order[s.meet[i]];
            has_idle = true;
        }
    }
    return has_idle;
}
