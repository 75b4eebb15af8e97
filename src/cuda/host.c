/* host.c - host code as tokens: its brackets, what it declares, and as which type.
 *
 * Names are looked for backwards from where they are used, through the blocks that are open there.
 */
#include "cuda/host.h"

#include "c/operator.h"

#include "cuda/preprocess.h"

/* ---- brackets -------------------------------------------------------------------------------- */

static bool opens(const struct cu_host *host, size_t i)
{
    return bsim_cu_at_any(host, i, "( [ {");
}

static bool closes(const struct cu_host *host, size_t i)
{
    return bsim_cu_at_any(host, i, ") ] }");
}

/* Each token's open bracket, and behind what each bracket ends: looked for once, as thousands ask in large files. */
static void pair_brackets(struct cu_host *host)
{
    host->behind = bsim_cu_take_many(host->file, host->n, sizeof *host->behind);
    host->opening = bsim_cu_take_many(host->file, host->n, sizeof *host->opening);
    host->n = host->behind == NULL || host->opening == NULL ? 0 : host->n;
    size_t open = 0; /* the innermost, 0: none; token 0 is no bracket that anything stands in */
    for (size_t i = 0; i < host->n; i++) {
        host->opening[i] = open;
        host->behind[i] = i + 1;
        if (closes(host, i) && open > 0) {
            host->behind[open] = i + 1;
            open = host->opening[open];
        } else if (opens(host, i)) {
            host->behind[i] = host->n;
            open = i;
        }
    }
}

size_t bsim_cu_behind(const struct cu_host *host, size_t i)
{
    return i < host->n ? host->behind[i] : host->n;
}

size_t bsim_cu_opening(const struct cu_host *host, size_t i)
{
    return i < host->n ? host->opening[i] : 0;
}

size_t bsim_cu_item_end(const struct cu_host *host, size_t i, size_t end)
{
    while (i < end && !bsim_cu_at(host, i, ",") && !closes(host, i)) {
        i = opens(host, i) ? bsim_cu_behind(host, i) : i + 1;
    }
    return i < end ? i : end;
}

size_t bsim_cu_behind_angles(const struct cu_host *host, size_t i)
{
    if (!bsim_cu_at(host, i, "<")) {
        return i;
    }
    for (i++; i < host->n && !bsim_cu_at_any(host, i, "> ;"); i++) {
    }
    return i + 1;
}

/* ---- declarations ---------------------------------------------------------------------------- */

size_t bsim_cu_statement_end(const struct cu_host *host, size_t i)
{
    while (i < host->n && !bsim_cu_at_any(host, i, "; ,") && !closes(host, i)) {
        i = opens(host, i) ? bsim_cu_behind(host, i) : i + 1;
    }
    return i;
}

/* Whether the statement that token i stands in begins with dim3. */
static bool is_dim3(const struct cu_host *host, size_t i)
{
    while (i > 0 && !bsim_cu_at(host, i - 1, ";") && !opens(host, i - 1) &&
           !bsim_cu_at(host, i - 1, "}")) {
        i = bsim_cu_at(host, i - 1, ")") ? bsim_cu_opening(host, i - 1) : i - 1;
        if (bsim_cu_at(host, i, "dim3")) {
            return true;
        }
    }
    return false;
}

/* The number of the bracket that closes around token i; of the ';' or the end where none does. */
static size_t closing(const struct cu_host *host, size_t i)
{
    while (i < host->n && !closes(host, i) && !bsim_cu_at(host, i, ";")) {
        i = opens(host, i) ? bsim_cu_behind(host, i) : i + 1;
    }
    return i;
}

/* Whether the name at token i is a parameter: int n, T *n, in brackets that a body follows, or in angles behind
 * template. What is passed to a call may look the same, f(a * n). */
static bool is_parameter(const struct cu_host *host, size_t i)
{
    size_t k = i;
    while (k > 0 && bsim_cu_at_any(host, k - 1, "* &")) {
        k--;
    }
    bool has_type = k > 0 && (host->token[k - 1]->kind == CU_NAME || bsim_cu_at(host, k - 1, ">"));
    if (!has_type || bsim_cu_at(host, k - 1, "return") ||
        !bsim_cu_at_any(host, i + 1, ", ) >")) {
        return false;
    }
    size_t end = closing(host, i);
    if (bsim_cu_at(host, end, ")") && bsim_cu_at_any(host, end + 1, "{ : const noexcept ->")) {
        size_t open = bsim_cu_opening(host, end);
        return open > 0 && !bsim_cu_at_any(host, open - 1, "( if while for switch");
    }
    while (k > 1 && !bsim_cu_at_any(host, k, "( ) { } ;") && !bsim_cu_at(host, k, "template")) {
        k--;
    }
    return bsim_cu_at(host, k, "template");
}

/* Where the declaration begins whose block opens at token i: its parameters are out of sight with it. Of a block
 * that no brackets stand before, a struct's, a list's, i. */
static size_t head_of(const struct cu_host *host, size_t i)
{
    if (i == 0 || !bsim_cu_at(host, i - 1, ")")) {
        return i;
    }
    while (i > 0 && !bsim_cu_at_any(host, i - 1, "; }") && !opens(host, i - 1)) {
        i = closes(host, i - 1) ? bsim_cu_opening(host, i - 1) : i - 1;
    }
    return i;
}

/* Whether what stands before the comma in front of token i begins a declaration, or is an enum's. */
static bool goes_on_declaring(const struct cu_host *host, size_t i)
{
    while (i > 0 && !bsim_cu_at_any(host, i - 1, "; { } ( [ <")) {
        i--;
        while (i > 0 && closes(host, i) && (!bsim_cu_at(host, i, "}") || bsim_cu_at(host, i + 1, ","))) {
            i = bsim_cu_opening(host, i) - (bsim_cu_opening(host, i) > 0);
        }
    }
    if (i > 1 && bsim_cu_at(host, i - 1, "{") &&
        (bsim_cu_at_any(host, i - 2, "enum class") || bsim_cu_at(host, i - 3, "enum"))) {
        return true;
    }
    return host->token[i]->kind == CU_NAME && !bsim_cu_at_any(host, i, "else return case do") &&
           (host->token[i + 1]->kind == CU_NAME || bsim_cu_at_any(host, i + 1, "* & < ::"));
}

bool bsim_cu_is_declaring(const struct cu_host *host, size_t i)
{
    if (i < 2) {
        return false;
    }
    bool is_word = host->token[i - 1]->kind == CU_NAME &&
                   !bsim_cu_at_any(host, i - 1, "else return case do goto");
    return is_word || (bsim_cu_at(host, i - 1, ",") && goes_on_declaring(host, i - 1));
}

bool bsim_cu_declared(const struct cu_host *host, size_t i, const struct cu_token *name,
                      size_t *begin, size_t *end, bool *has_dim3)
{
    while (i-- > 0) {
        if (bsim_cu_at(host, i, "}")) {
            i = head_of(host, bsim_cu_opening(host, i));
        } else if (bsim_cu_same_text(host->token[i], name) && i > 0) {
            bool is_listed = bsim_cu_is_declaring(host, i);
            bool has_list = opens(host, i + 1) && !bsim_cu_at(host, i + 1, "[") && is_listed;
            *has_dim3 = is_dim3(host, i);
            if (is_parameter(host, i) || (has_list && !*has_dim3)) {
                return false;
            }
            *begin = i + (has_list ? 1 : 2);
            *end = has_list ? bsim_cu_behind(host, i + 1) : bsim_cu_statement_end(host, i + 2);
            if ((has_list || bsim_cu_at(host, i + 1, "=")) && (is_listed || *has_dim3)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Whether a typedef or using declares name i: what as. */
static bool is_alias(const struct cu_host *host, size_t i, size_t *begin, size_t *end)
{
    if (bsim_cu_at(host, i - 1, "using") && bsim_cu_at(host, i + 1, "=")) {
        *begin = i + 2;
        *end = bsim_cu_statement_end(host, i + 2);
        return true;
    }
    size_t k = i;
    while (bsim_cu_at(host, i + 1, ";") && k > 0 && host->token[k - 1]->kind == CU_NAME) {
        k--;
    }
    *begin = k + 1;
    *end = i;
    return bsim_cu_at(host, k, "typedef") && k + 1 < i;
}

static void list_aliases(struct cu_host *host)
{
    size_t begin, end;
    host->alias = bsim_cu_take_many(host->file, host->n, sizeof *host->alias);
    for (size_t i = 1; i + 1 < host->n && host->alias != NULL; i++) {
        if (is_alias(host, i, &begin, &end)) {
            host->alias[host->n_aliases++] = i;
        }
    }
}

void bsim_cu_host(struct cu_file *file, struct cu_host *host)
{
    bsim_cu_host_of(file, bsim_cu_preprocess(file, bsim_cu_tokens(file, &file->source)), host);
}

void bsim_cu_host_of(struct cu_file *file, const struct cu_token *first, struct cu_host *host)
{
    *host = (struct cu_host){.file = file};
    for (const struct cu_token *t = first; t != NULL; t = t->next) {
        host->n++;
    }
    host->token = bsim_cu_take_many(file, host->n, sizeof *host->token);
    host->n = host->token == NULL ? 0 : host->n;
    size_t i = 0;
    for (const struct cu_token *t = first; i < host->n; t = t->next) {
        host->token[i++] = t;
    }
    pair_brackets(host);
    list_aliases(host);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The type that the words make, or one of them names: of the last item that has one. NULL: none. */
static const struct cu_type *type_of(const struct cu_host *host, size_t begin, size_t end)
{
    struct cu_type_words words = {0};
    const struct cu_type *named = NULL, *last = NULL;
    for (size_t i = begin; i <= end; i++) {
        if (i == end || bsim_cu_at(host, i, ",")) {
            const struct cu_type *item = words.n > 0 ? bsim_cu_type_of_words(&words) : named;
            last = item != NULL ? item : last;
            words = (struct cu_type_words){0};
            named = NULL;
        } else if (!bsim_cu_count_word(&words, host->token[i]) &&
                   host->token[i]->kind == CU_NAME && named == NULL) {
            named = bsim_cu_type_named(host->file, host->token[i]);
            named = named == NULL ? bsim_cu_half_named(host->file, host->token[i]) : named;
        }
    }
    return last;
}

/* As launches spell it: "uint", "float4". NULL: they have no such elements. */
static const char *spelled(struct cu_file *file, const struct cu_type *type)
{
    static const char *const words[CU_POINTER] = {"char",
                                                  "char",
                                                  "uchar",
                                                  "short",
                                                  "ushort",
                                                  "int",
                                                  "uint",
                                                  "long",
                                                  "ulong",
                                                  "float",
                                                  "double",
                                                  [CU_HALF] = "half",
                                                  [CU_BFLOAT16] = "__nv_bfloat16"};
    if (type->is_vector && strcmp(type->name, "dim3") != 0) {
        return bsim_cu_text(file, "%s%u", spelled(file, type->of), (unsigned)type->count);
    }
    return type->kind < CU_POINTER ? words[type->kind] : NULL;
}

/* What a typedef or using calls so; false: none does. */
static bool find_alias(const struct cu_host *host, const struct cu_token *name, size_t *begin,
                       size_t *end)
{
    for (size_t k = 0; k < host->n_aliases; k++) {
        if (bsim_cu_same_text(host->token[host->alias[k]], name)) {
            return is_alias(host, host->alias[k], begin, end);
        }
    }
    return false;
}

static const char *element_of(const struct cu_host *host, size_t begin, size_t end, uint32_t *bytes,
                              uint32_t depth)
{
    const struct cu_type *type = type_of(host, begin, end);
    const char *element = type != NULL ? spelled(host->file, type) : NULL;
    *bytes = element != NULL ? (uint32_t)type->size : 0;
    for (size_t i = begin; i < end && element == NULL && depth < CU_MOST_NAMES; i++) {
        size_t from, to;
        if (host->token[i]->kind == CU_NAME && find_alias(host, host->token[i], &from, &to)) {
            element = element_of(host, from, to, bytes, depth + 1);
        }
    }
    return element;
}

const char *bsim_cu_element(const struct cu_host *host, size_t begin, size_t end, uint32_t *bytes)
{
    return element_of(host, begin, end, bytes, 0);
}

uint32_t bsim_cu_type_bytes(const struct cu_host *host, size_t begin, size_t end)
{
    uint32_t bytes = 0;
    bool is_pointer = end > begin && bsim_cu_at(host, end - 1, "*");
    return is_pointer ? 8 : bsim_cu_element(host, begin, end, &bytes) != NULL ? bytes : 0;
}

const char *bsim_cu_pointed(const struct cu_host *host, size_t i, const struct cu_token *name,
                            uint32_t *bytes)
{
    for (; i > 1; i--) {
        size_t begin = i - 1;
        if (!bsim_cu_same_text(host->token[i], name) || host->token[i]->kind != CU_NAME) {
            continue;
        }
        while (begin > 0 &&
               (host->token[begin]->kind == CU_NAME || bsim_cu_at_any(host, begin, "* ,"))) {
            begin--;
        }
        const char *element = bsim_cu_element(host, begin, i, bytes);
        if (element != NULL) {
            return element;
        }
    }
    return NULL;
}
