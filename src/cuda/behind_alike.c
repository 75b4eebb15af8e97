/* behind_alike.c - what of two ways goes behind them, as both do it alike.
 *
 *     v = s[t + 1] - q[t];    v = s[t + 3] - q[t];      from the last step back: the difference, q[t], s[...]
 *     v = s[t] - q[t];        v = q[t] - s[t];          the difference takes two loads of two objects each: nothing
 *
 * So LLVM sinks what its blocks end with: in step from the end of both, as far as the steps are alike.
 */
#include "cuda/behind.h"

enum { MOST_DEEP = 8 }; /* values of values that are looked through */

/* Whether something is written behind the load, or might be. */
static bool is_written_behind(const struct behinds *s, const struct cu_instruction *load)
{
    for (const struct cu_instruction *k = load->next; k != NULL; k = k->next) {
        if (k->is_live && k->has_effect && k != s->store[0] && k != s->store[1]) {
            return true;
        }
    }
    return false;
}

/* Whether the value is there behind the way, too: no copy at its end sets it. */
bool bsim_cu_lasts_behind(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t block = i == 0 ? s->from[way] : s->home[way];
        for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
            if (k->op == CU_OP_COPY && value->kind == CU_REGISTER && k->result[0] == value->id) {
                return false;
            }
        }
    }
    return true;
}

static bool is_plain(const struct behinds *s, const struct cu_instruction *k)
{
    return k->is_live && !k->has_effect && (s->is_unrolled || !k->is_unrolled) && k->n_results == 1 &&
           k->n_operands == 0 && k->op != CU_OP_COPY && k->op != CU_OP_NAME && k->op != CU_OP_ATOMIC &&
           k->op != CU_OP_ASM;
}

/* What makes the value for this once, on that way; NULL: nothing does. */
static const struct cu_instruction *maker_of(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    const struct cu_instruction *made = bsim_cu_definition(s->code, value);
    bool is_one = made != NULL && is_plain(s, made) && value->id < s->n_registers && s->n_uses[value->id] == 1 &&
                  s->at[value->id] == s->home[way];
    bool is_load = is_one && made->op == CU_OP_LOAD;
    return is_one && !(is_load && (made->argument[0].space == CU_PARAM || is_written_behind(s, made))) ? made : NULL;
}

static bool is_number(const struct cu_value *value)
{
    return value->kind == CU_REGISTER || value->kind == CU_CONSTANT_VALUE;
}

/* Whether one operand may stand for both, in a register that each way sets. */
static bool may_stand(const struct behinds *s, const struct cu_value *a, const struct cu_value *b)
{
    return a->class == b->class && a->space == b->space && a->class != CU_P && is_number(a) && is_number(b) &&
           bsim_cu_lasts_behind(s, 0, a) && bsim_cu_lasts_behind(s, 1, b);
}

bool bsim_cu_does_alike(const struct cu_instruction *a, const struct cu_instruction *b)
{
    bool is_it = a->op == b->op && strcmp(a->opcode, b->opcode) == 0 && a->n_arguments == b->n_arguments;
    bool is_access = bsim_cu_accesses(a);
    return is_it && (!is_access || (a->argument[0].space == b->argument[0].space &&
                                    a->argument[0].kind == b->argument[0].kind && a->type->kind == b->type->kind));
}

/* What the address is one into: the value that it begins with. */
static struct cu_value object_of(const struct behinds *s, struct cu_value address)
{
    for (uint32_t depth = MOST_DEEP; depth > 0; depth--) {
        const struct cu_instruction *from = bsim_cu_definition(s->code, &address);
        bool leads_on = from != NULL && (from->op == CU_OP_ADD || from->op == CU_OP_NAME || from->op == CU_OP_SUB);
        if (!leads_on) {
            break;
        }
        const struct cu_instruction *second = from->n_arguments > 1 ? bsim_cu_definition(s->code, &from->argument[1]) : NULL;
        bool is_second = second != NULL && second->op == CU_OP_NAME;
        address = from->argument[is_second];
    }
    address.bits = address.kind == CU_SYMBOL ? 0 : address.bits;
    return address;
}

static bool is_one_object(const struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b)
{
    struct cu_value x = object_of(s, a->argument[0]), y = object_of(s, b->argument[0]);
    return bsim_cu_same_value(&x, &y);
}

/* Whether both ways make the two values alike; *a, *b: by what. */
bool bsim_cu_are_made_alike(const struct behinds *s, const struct cu_value *x, const struct cu_value *y,
                           const struct cu_instruction **a, const struct cu_instruction **b)
{
    *a = maker_of(s, 0, x);
    *b = maker_of(s, 1, y);
    return *a != NULL && *b != NULL && bsim_cu_does_alike(*a, *b) &&
           ((*a)->op != CU_OP_LOAD || (bsim_cu_lasts_behind(s, 0, &(*a)->argument[0]) && bsim_cu_lasts_behind(s, 1, &(*b)->argument[0])));
}

bool bsim_cu_is_same_behind(const struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    return bsim_cu_same_value(x, y) && bsim_cu_lasts_behind(s, 0, x) && bsim_cu_lasts_behind(s, 1, y);
}

static bool is_made_there(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    return bsim_cu_definition(s->code, value) != NULL && value->id < s->n_registers && s->at[value->id] == s->home[way];
}

/* What may go behind of what the two are made of, in s->pair, the last one first: up to one that may not. Loads of one
 * object may. */
static void scan(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t first)
{
    for (uint32_t i = a->n_arguments; i-- > first && !s->is_stopped;) {
        const struct cu_value *x = &a->argument[i], *y = &b->argument[i];
        const struct cu_instruction *of_x, *of_y;
        if (bsim_cu_is_same_behind(s, x, y)) {
            continue;
        }
        if (bsim_cu_are_made_alike(s, x, y, &of_x, &of_y) && s->n_pairs < MOST_PAIRS &&
            (of_x->op != CU_OP_LOAD || is_one_object(s, of_x, of_y))) {
            s->pair[s->n_pairs++] = (struct pair){of_x, of_y};
            if (of_x->op != CU_OP_LOAD) {
                scan(s, of_x, of_y, 0);
            }
        } else {
            s->is_stopped = is_made_there(s, 0, x) || is_made_there(s, 1, y);
        }
    }
}

/* Whether one of the first n pairs makes the value. */
static bool is_among(const struct behinds *s, uint32_t n, const struct cu_value *value)
{
    for (uint32_t i = 0; i < n; i++) {
        if (s->pair[i].a->n_results > 0 && value->kind == CU_REGISTER && s->pair[i].a->result[0] == value->id) {
            return true;
        }
    }
    return false;
}

/* How many operands differ that none of the first n pairs makes; of those that nobody may choose between: many. */
uint32_t bsim_cu_count_different(const struct behinds *s, const struct pair *pair, uint32_t first, uint32_t n)
{
    enum { MANY = 100 };
    uint32_t n_different = 0;
    for (uint32_t i = first; i < pair->a->n_arguments; i++) {
        const struct cu_value *x = &pair->a->argument[i], *y = &pair->b->argument[i];
        const struct cu_instruction *of_x, *of_y;
        if (!bsim_cu_is_same_behind(s, x, y) && !is_among(s, n, x)) {
            n_different += may_stand(s, x, y) || bsim_cu_are_made_alike(s, x, y, &of_x, &of_y) ? 1 : MANY;
        }
    }
    return n_different;
}

static void note(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t line)
{
    if (a->n_results > 0) {
        s->with[a->result[0]] = b->result[0];
        s->line[a->result[0]] = line;
    }
    s->loads = s->loads || a->op == CU_OP_LOAD;
}

/* A value that is chosen behind both ways is made there of an operand that is chosen, if one alone differs. */
static void fold(struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    const struct cu_instruction *a, *b;
    for (uint32_t depth = MOST_DEEP; depth > 0 && bsim_cu_are_made_alike(s, x, y, &a, &b); depth--) {
        uint32_t first = a->op == CU_OP_LOAD ? a->n_arguments : 0, differs = 0;
        if (bsim_cu_count_different(s, &(struct pair){a, b}, first, 0) > 1) {
            return;
        }
        note(s, a, b, 0);
        while (first < a->n_arguments && bsim_cu_is_same_behind(s, &a->argument[differs], &b->argument[differs])) {
            differs++, first++;
        }
        if (first == a->n_arguments) {
            return;
        }
        x = &a->argument[differs];
        y = &b->argument[differs];
    }
}

/* Notes in s->with what goes behind of two that do alike, as nvcc has it: from the last one back, as long as one
 * operand at most of each differs that goes not behind, too; then what these are made of. Of their operands from the
 * first one on, beside `weight` others. Whether the two go there. */
bool bsim_cu_plan_behind(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t first,
                 uint32_t weight)
{
    uint32_t n = 0;
    memset(s->with, 0, s->n_registers * sizeof *s->with);
    s->loads = false;
    s->is_stopped = s->has_bare;
    s->pair[0] = (struct pair){a, b};
    s->n_pairs = 1;
    if (a->op != CU_OP_LOAD) {
        scan(s, a, b, first);
    }
    while (n < s->n_pairs && (s->pair[n].a->op == CU_OP_LOAD ||
                              bsim_cu_count_different(s, &s->pair[n], n == 0 ? first : 0, s->n_pairs) +
                                      (n == 0 ? weight : 0) <= 1)) {
        note(s, s->pair[n].a, s->pair[n].b, 1);
        n++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct pair *pair = &s->pair[i];
        for (uint32_t k = i == 0 ? first : 0; k < pair->a->n_arguments && pair->a->op != CU_OP_LOAD; k++) {
            if (!bsim_cu_is_same_behind(s, &pair->a->argument[k], &pair->b->argument[k]) && !is_among(s, n, &pair->a->argument[k])) {
                fold(s, &pair->a->argument[k], &pair->b->argument[k]);
            }
        }
    }
    return n > 0;
}

bool bsim_cu_goes_behind(const struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    return x->kind == CU_REGISTER && y->kind == CU_REGISTER && x->id < s->n_registers && s->with[x->id] == y->id;
}
