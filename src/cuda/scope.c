/* scope.c - names and what they mean, scope in scope. */
#include "cuda/parse.h"

#include "base/nearest.h"
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

static struct cu_name *find_from(struct cu_name *name, const struct cu_token *token)
{
    while (name != NULL && !bsim_cu_same_text(name->token, token)) {
        name = name->next;
    }
    return name;
}

static bool is_called(enum cu_name_kind kind)
{
    return kind == CU_NAME_FUNCTION || kind == CU_NAME_TEMPLATE;
}

bool bsim_cu_same_space(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

bool bsim_cu_ends_in(const char *space, const char *last, size_t length)
{
    size_t n = space != NULL ? strlen(space) : 0;
    return n >= length && memcmp(space + n - length, last, length) == 0;
}

const char *bsim_cu_space_in(struct cu_parser *p, const char *space)
{
    return bsim_cu_text(p->file, "%s%u%.*s", space != NULL ? space : "", p->token->length,
                        (int)p->token->length, p->token->text);
}

/* All namespaces have one scope. What another one has under that name, too, cannot be told apart; of functions
 * the call finds out. */
static bool is_another_spaces(const struct cu_parser *p, const struct cu_name *name,
                              const struct cu_name *earlier)
{
    return p->scope == p->outermost && earlier != NULL &&
           !bsim_cu_same_space(name->space, earlier->space) && name->kind != CU_NAME_SPACE &&
           earlier->kind != CU_NAME_SPACE && !(is_called(name->kind) && is_called(earlier->kind));
}

void bsim_cu_clash(struct cu_name *name)
{
    name->kind = CU_NAME_UNREADABLE;
    name->why = "it is in more than one namespace, and these are not told apart here";
}

struct cu_name *bsim_cu_add_name(struct cu_parser *p, const struct cu_token *token,
                                 enum cu_name_kind kind)
{
    struct cu_name *name = bsim_cu_take(p->file, sizeof *name);
    struct cu_name **bucket = &p->scope->bucket[bucket_of(token)];
    name->token = token;
    name->kind = kind;
    name->space = p->space;
    if (!bsim_cu_failed(p->file)) {
        if (is_another_spaces(p, name, find_from(*bucket, token))) {
            bsim_cu_clash(name);
        }
        name->next = *bucket;
        *bucket = name;
    }
    return name;
}

/* In the scope or those of its bases; of `bucket` are names like the token. */
static struct cu_name *find_at(const struct cu_scope *scope, uint32_t bucket,
                               const struct cu_token *token)
{
    struct cu_name *name = find_from(scope->bucket[bucket], token);
    bool is_own = scope->base == NULL || bsim_cu_is_any(token, CU_CONSTRUCTOR " operator=");
    return name != NULL || is_own ? name : find_at(scope->base, bucket, token);
}

struct cu_name *bsim_cu_find(const struct cu_parser *p, const struct cu_token *token)
{
    struct cu_name *name = NULL;
    uint32_t bucket = bucket_of(token);
    for (const struct cu_scope *s = p->scope; s != NULL && name == NULL; s = s->outer) {
        name = token->kind == CU_NAME ? find_at(s, bucket, token) : NULL;
    }
    return name;
}

struct cu_name *bsim_cu_find_asked(const struct cu_parser *p)
{
    size_t length = p->asked_space != NULL ? strlen(p->asked_space) : 0;
    for (const struct cu_scope *s = p->scope; s != NULL && length > 0; s = s->outer) {
        struct cu_name *name = bsim_cu_find_in(s, p->token);
        for (; name != NULL; name = bsim_cu_find_next(name)) {
            if (bsim_cu_ends_in(name->space, p->asked_space, length)) {
                return name;
            }
        }
    }
    return bsim_cu_find(p, p->token);
}

struct cu_name *bsim_cu_find_in(const struct cu_scope *scope, const struct cu_token *token)
{
    return scope != NULL ? find_at(scope, bucket_of(token), token) : NULL;
}

const char *bsim_cu_nearest_name(struct cu_parser *p, const struct cu_token *token)
{
    static const char *const known[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
    static const char *const types[] = {"float",    "double", "unsigned", "int",    "char",       "short",
                                        "long",     "void",   "bool",     "size_t", "__shared__", "const",
                                        "volatile", "extern", "float2",   "float4", "int4"};
    struct bsim_nearest nearest = bsim_nearest_start(bsim_cu_spelled(p->file, token));
    bool is_type = bsim_cu_is(token->next, "*") || token->next->kind == CU_NAME;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bsim_nearest_try(&nearest, known[i]);
    }
    for (size_t i = 0; is_type && i < sizeof types / sizeof *types; i++) {
        bsim_nearest_try(&nearest, types[i]);
    }
    for (const struct cu_scope *s = p->scope; s != NULL && s->outer != NULL; s = s->outer) {
        for (size_t i = 0; i < CU_BUCKETS; i++) { /* not those of the prelude, the outermost */
            for (const struct cu_name *name = s->bucket[i]; name != NULL; name = name->next) {
                bsim_nearest_try(&nearest, bsim_cu_spelled(p->file, name->token));
            }
        }
    }
    return nearest.best;
}

const struct cu_token *bsim_cu_named(struct cu_parser *p, const char *text,
                                     const struct cu_token *at)
{
    struct cu_token *token = bsim_cu_take(p->file, sizeof *token);
    *token = *at;
    token->kind = CU_NAME;
    token->text = text;
    token->length = (uint32_t)strlen(text);
    return token;
}

struct cu_name *bsim_cu_find_next(const struct cu_name *name)
{
    return find_from(name->next, name->token);
}
