/* apart.c - a store that both ways of a branch end with, where others come behind it at once.
 *
 *     if (t < n)                          if (t < n)
 *         if (c) s[t] = 1;                    if (c) s[t] = 1;
 *         else   s[t] = 2;                    else   s[t] = 2;
 *                                         else s[t] = 3;
 *
 * Two stores that alone come there nvcc makes one; on the left lanes come there, too, that skip both. They were made one
 * while lowering, so that what reads the place knows its value; here they are two again. On the right all three are one
 * if that spares something (behind_store.c).
 */
#include "cuda/lower.h"

struct aparts {
    struct cu_code *code;
    struct cu_flow flow;
};

/* The one instruction of the block beside copies, if it is a store that was made of two. */
static struct cu_instruction *lone_store(const struct cu_code *code, uint32_t block)
{
    struct cu_instruction *lone = NULL;
    for (struct cu_instruction *k = code->block[block].first; k != NULL; k = k->next) {
        if (k->is_live && k->op != CU_OP_COPY) {
            if (lone != NULL || k->way[0] == NULL) {
                return NULL;
            }
            lone = k;
        }
    }
    return lone;
}

static void store_on(struct aparts *s, uint32_t from, const struct cu_instruction *store, const struct cu_token *token)
{
    struct cu_instruction made = *store;
    for (uint32_t i = 0; i < made.n_arguments; i++) {
        const struct cu_instruction *copy =
            made.argument[i].kind == CU_REGISTER ? bsim_cu_copy_in(s->code, from, made.argument[i].id) : NULL;
        made.argument[i] = copy != NULL ? copy->argument[0] : made.argument[i];
    }
    made.way[0] = made.way[1] = NULL;
    s->code->at = from;
    s->code->token = token;
    bsim_cu_emit(s->code, &made)->is_live = true;
}

static void look_at_join(void *context, uint32_t block)
{
    struct aparts *s = context;
    struct cu_instruction *store = lone_store(s->code, block);
    uint32_t other;
    if (store == NULL) {
        return;
    }
    store->is_live = false;
    if (!bsim_cu_others_come(s->code, &s->flow, block, &other)) {
        store->is_live = true;
        store->way[0] = store->way[1] = NULL;
        return;
    }
    for (uint32_t way = 0; way < 2; way++) {
        store_on(s, s->flow.come[block].from[way], store, store->way[way]);
    }
    bsim_cu_take_out(&s->code->block[block], store);
}

void bsim_cu_store_apart(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct aparts s = {.code = &l->code};
    if (bsim_cu_find_flow(s.code, order, n, &s.flow)) {
        bsim_cu_at_joins(s.code, &s.flow, order, n, look_at_join, &s);
    }
}
