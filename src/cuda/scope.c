/* scope.c - names and what they mean, scope in scope. */
#include "cuda/parse.h"

#include "base/table.h"

static uint32_t bucket_of(const struct cu_token *token)
{
    return bsim_table_hash_text(token->text, token->length) % CU_BUCKETS;
}

void bsim_cu_enter(struct cu_parser *p)
{
    struct cu_scope *scope = bsim_cu_take(p->file, sizeof *scope);
    if (!bsim_cu_failed(p->file)) {
        scope->outer = p->scope;
        p->scope = scope;
    }
}

void bsim_cu_leave(struct cu_parser *p)
{
    if (p->scope->outer != NULL) {
        p->scope = p->scope->outer;
    }
}

struct cu_name *bsim_cu_add_name(struct cu_parser *p, const struct cu_token *token,
                                 enum cu_name_kind kind)
{
    struct cu_name *name = bsim_cu_take(p->file, sizeof *name);
    struct cu_name **bucket = &p->scope->bucket[bucket_of(token)];
    name->token = token;
    name->kind = kind;
    if (!bsim_cu_failed(p->file)) {
        name->next = *bucket;
        *bucket = name;
    }
    return name;
}

static struct cu_name *find_from(struct cu_name *name, const struct cu_token *token)
{
    while (name != NULL && !bsim_cu_same_text(name->token, token)) {
        name = name->next;
    }
    return name;
}

struct cu_name *bsim_cu_find(const struct cu_parser *p, const struct cu_token *token)
{
    struct cu_name *name = NULL;
    uint32_t bucket = bucket_of(token);
    for (const struct cu_scope *s = p->scope; s != NULL && name == NULL; s = s->outer) {
        name = token->kind == CU_NAME ? find_from(s->bucket[bucket], token) : NULL;
    }
    return name;
}

struct cu_name *bsim_cu_find_in(const struct cu_scope *scope, const struct cu_token *token)
{
    return scope != NULL ? find_from(scope->bucket[bucket_of(token)], token) : NULL;
}

const struct cu_token *bsim_cu_named(struct cu_parser *p, const char *text,
                                     const struct cu_token *at)
{
    struct cu_token *token = bsim_cu_take(p->file, sizeof *token);
    *token = *at;
    token->kind = CU_NAME;
    token->text = text;
    token->length = strlen(text);
    return token;
}

struct cu_name *bsim_cu_find_next(const struct cu_name *name)
{
    return find_from(name->next, name->token);
}
