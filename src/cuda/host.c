/* host.c - what host code says before it runs, as far as constants say it: enough to propose a launch.
 *
 * Names are looked for backwards from where they are used, through the blocks that are open there: a name
 * has the value that it is declared with, whatever is assigned to it afterwards. What is computed is
 * integer arithmetic; everything else is not known.
 */
#include "cuda/host.h"

#include "c/operator.h"

#include "cuda/preprocess.h"

enum { MOST_NAMES = 16 }; /* that follow from one another */

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

static size_t statement_end(const struct cu_host *host, size_t i)
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

bool bsim_cu_declared(const struct cu_host *host, size_t i, const struct cu_token *name,
                      size_t *begin, size_t *end, bool *has_dim3)
{
    while (i-- > 0) {
        if (bsim_cu_at(host, i, "}")) {
            i = head_of(host, bsim_cu_opening(host, i));
        } else if (bsim_cu_same_text(host->token[i], name) && i > 0) {
            bool is_listed = host->token[i - 1]->kind == CU_NAME || bsim_cu_at(host, i - 1, ",");
            bool has_list = opens(host, i + 1) && !bsim_cu_at(host, i + 1, "[") && is_listed;
            *has_dim3 = is_dim3(host, i);
            if (is_parameter(host, i) || (has_list && !*has_dim3)) {
                return false;
            }
            *begin = i + (has_list ? 1 : 2);
            *end = has_list ? bsim_cu_behind(host, i + 1) : statement_end(host, i + 2);
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
        *end = statement_end(host, i + 2);
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
    const struct cu_type *type = NULL;
    for (size_t i = begin; i < end; i++) {
        const struct cu_token *word = host->token[i];
        const struct cu_type *behind = bsim_cu_is(word, ",") ? type_of(host, i + 1, end) : NULL;
        if (behind != NULL) {
            return behind;
        }
        if (!bsim_cu_count_word(&words, word) && word->kind == CU_NAME && type == NULL) {
            type = bsim_cu_type_named(host->file, word);
            type = type == NULL ? bsim_cu_half_named(host->file, word) : type;
        }
    }
    return words.n > 0 ? bsim_cu_type_of_words(&words) : type;
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
    for (size_t i = begin; i < end && element == NULL && depth < MOST_NAMES; i++) {
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

/* ---- expressions ----------------------------------------------------------------------------- */

/* An expression on its way; depth counts names that follow from others, and brackets. */
struct reading {
    const struct cu_host *host;
    size_t at, end;
    uint32_t depth;
    bool is_known;
};

static struct cu_known evaluate(const struct cu_host *host, size_t begin, size_t end,
                                uint32_t depth);

static bool accept(struct reading *r, const char *text)
{
    bool is_there = r->at < r->end && bsim_cu_at(r->host, r->at, text);
    r->at += is_there;
    return is_there;
}

static int64_t unknown(struct reading *r)
{
    r->is_known = false;
    r->at = r->end;
    return 0;
}

/* The token behind the bracket at hand, in *inner what is in it. */
static bool take_brackets(struct reading *r, size_t inner[2])
{
    size_t behind = bsim_cu_behind(r->host, r->at);
    bool fits = r->at < r->end && bsim_cu_at(r->host, r->at, "(") && behind <= r->end;
    inner[0] = r->at + 1;
    inner[1] = behind - 1;
    r->at = fits ? behind : r->end;
    return fits;
}

/* The bytes of "*p" or "p[0]", by what p is declared as: 8 behind two stars; 0: of something else. */
static uint32_t object_bytes(const struct cu_host *host, size_t begin, size_t end)
{
    bool is_star = end - begin == 2 && bsim_cu_at(host, begin, "*");
    bool is_first = end - begin == 4 && bsim_cu_at(host, begin + 1, "[");
    size_t name = begin + is_star, i = name;
    uint32_t bytes = 0;
    if ((!is_star && !is_first) || bsim_cu_pointed(host, name, host->token[name], &bytes) == NULL) {
        return 0;
    }
    while (i > 2 && !(bsim_cu_at(host, i - 1, "*") && bsim_cu_at(host, i - 2, "*") &&
                      bsim_cu_same_text(host->token[i], host->token[name]))) {
        i--;
    }
    return i > 2 ? 8 : bytes;
}

/* Behind the word: "(" type ")", or an object, in brackets or not: (*p), p[0], *p. */
static int64_t read_sizeof(struct reading *r)
{
    size_t inner[2] = {r->at, r->at + (bsim_cu_at(r->host, r->at, "*") ? 2 : 1)};
    if (bsim_cu_at(r->host, r->at, "(")) {
        (void)take_brackets(r, inner);
    } else {
        inner[1] = bsim_cu_at(r->host, inner[1], "[") ? bsim_cu_behind(r->host, inner[1]) : inner[1];
        r->at = inner[1] < r->end ? inner[1] : r->end;
    }
    uint32_t bytes = inner[1] <= r->end ? bsim_cu_type_bytes(r->host, inner[0], inner[1]) : 0;
    bytes = bytes == 0 && inner[1] <= r->end ? object_bytes(r->host, inner[0], inner[1]) : bytes;
    return bytes > 0 ? (int64_t)bytes : unknown(r);
}

static int64_t read_name(struct reading *r)
{
    size_t at = r->at++, begin, end;
    bool is_dim3;
    const struct cu_token *name = r->host->token[at];
    if (bsim_cu_is(name, "sizeof")) {
        return read_sizeof(r);
    }
    if ((r->at < r->end && bsim_cu_at(r->host, r->at, "(")) ||
        !bsim_cu_declared(r->host, at, name, &begin, &end, &is_dim3) || is_dim3) {
        return unknown(r);
    }
    if (begin == r->host->turned && begin > 0) {
        return r->host->turn;
    }
    struct cu_known known = evaluate(r->host, begin, end, r->depth + 1);
    return known.is_known ? known.number[0] : unknown(r);
}

/* unary = "-" unary | "(" type ")" unary | "(" expression ")" | number | name | "sizeof" what read_sizeof has */
static int64_t read_unary(struct reading *r)
{
    bool is_negative = accept(r, "-");
    const struct cu_type *type;
    uint64_t number;
    size_t inner[2];
    if (r->at >= r->end) {
        return unknown(r);
    }
    const struct cu_token *token = r->host->token[r->at];
    int64_t value;
    if (token->kind == CU_NUMBER && bsim_cu_read_integer(token, &number, &type) == NULL) {
        r->at++;
        value = (int64_t)number;
    } else if (token->kind == CU_NAME) {
        value = read_name(r);
    } else if (!take_brackets(r, inner)) {
        value = unknown(r);
    } else if (bsim_cu_type_bytes(r->host, inner[0], inner[1]) > 0) {
        value = r->depth++ < MOST_NAMES ? read_unary(r) : unknown(r);
    } else {
        struct cu_known known = evaluate(r->host, inner[0], inner[1], r->depth + 1);
        value = known.is_known ? known.number[0] : unknown(r);
    }
    return is_negative ? (int64_t)(0 - (uint64_t)value) : value;
}

/* terms(level) = unary (operator terms(its level + 1))*: in 64 bits, and none that pass them. */
static int64_t read_terms(struct reading *r, uint32_t level)
{
    uint64_t value = (uint64_t)read_unary(r);
    while (r->at < r->end) {
        enum cu_operator operator= bsim_cu_find_operator(r->host->token[r->at], level);
        if (operator>= CU_OPERATOR_LOGICAL_AND) {
            break;
        }
        r->at++;
        uint64_t right = (uint64_t)read_terms(r, bsim_cu_level(operator) + 1);
        const struct cu_type *type = bsim_cu_scalar(CU_LONG);
        if (bsim_cu_operate(operator, type, value, right, true, &value) != NULL) {
            value = (uint64_t)unknown(r);
        }
    }
    return (int64_t)value;
}

/* Up to three numbers, of which those that are left out are 1. */
static struct cu_known read_dim3(const struct cu_host *host, size_t begin, size_t end,
                                 uint32_t depth)
{
    struct cu_known known = {.is_known = true, .is_dim3 = true, .number = {1, 1, 1}};
    for (size_t i = 0; i < 3 && begin < end && known.is_known; i++) {
        size_t item = bsim_cu_item_end(host, begin, end);
        struct cu_known one = evaluate(host, begin, item, depth + 1);
        known.is_known = one.is_known && !one.is_dim3;
        known.number[i] = one.number[0];
        begin = item + 1;
    }
    return known;
}

/* dim3(...), {...}, or a name that is one. */
static bool find_dim3(const struct cu_host *host, size_t begin, size_t end, uint32_t depth,
                      struct cu_known *known)
{
    size_t from, to;
    bool is_dim3 = false;
    size_t list = bsim_cu_at(host, begin, "dim3") ? begin + 1 : begin;
    bool is_list = (list > begin && bsim_cu_at(host, list, "(")) || bsim_cu_at(host, list, "{");
    if (is_list && bsim_cu_behind(host, list) == end) {
        *known = read_dim3(host, list + 1, end - 1, depth);
        return true;
    }
    if (begin + 1 != end || host->token[begin]->kind != CU_NAME ||
        !bsim_cu_declared(host, begin, host->token[begin], &from, &to, &is_dim3) || from >= to) {
        return false;
    }
    bool is_made = bsim_cu_at_any(host, from, "dim3 {");
    if (is_made || is_dim3) {
        bool is_bare = bsim_cu_at(host, from, "(");
        *known = is_bare ? read_dim3(host, from + 1, to - 1, depth)
                         : evaluate(host, from, to, depth + 1);
        return true;
    }
    return false;
}

static struct cu_known evaluate(const struct cu_host *host, size_t begin, size_t end,
                                uint32_t depth)
{
    struct cu_known known = {.is_known = false};
    struct reading r = {.host = host, .at = begin, .end = end, .depth = depth, .is_known = true};
    if (begin >= end || end > host->n || depth > MOST_NAMES ||
        find_dim3(host, begin, end, depth, &known)) {
        return known;
    }
    known.number[0] = read_terms(&r, 1);
    known.number[1] = known.number[2] = 1;
    known.is_known = r.is_known && r.at == end;
    return known;
}

struct cu_known bsim_cu_known(const struct cu_host *host, size_t begin, size_t end)
{
    return evaluate(host, begin, end, 0);
}

const struct cu_token *bsim_cu_known_real(const struct cu_host *host, size_t begin, size_t end)
{
    bool is_dim3;
    for (uint32_t depth = 0; depth < MOST_NAMES && begin + 1 == end; depth++) {
        if (host->token[begin]->kind == CU_NUMBER) {
            return host->token[begin];
        }
        if (!bsim_cu_declared(host, begin, host->token[begin], &begin, &end, &is_dim3)) {
            return NULL;
        }
    }
    return NULL;
}

/* ---- what the host allocates ----------------------------------------------------------------- */

/* cudaMalloc(&name, bytes) and its kin */
uint64_t bsim_cu_allocated(const struct cu_host *host, size_t at, const struct cu_token *name)
{
    for (size_t i = at; i-- > 0;) {
        if (!bsim_cu_begins(host->token[i], "cudaMalloc") || !bsim_cu_at(host, i + 1, "(")) {
            continue;
        }
        size_t end = bsim_cu_behind(host, i + 1) - 1;
        size_t comma = bsim_cu_item_end(host, i + 2, end);
        if (comma >= end || !bsim_cu_same_text(host->token[comma - 1], name)) {
            continue;
        }
        struct cu_known known =
            bsim_cu_known(host, comma + 1, bsim_cu_item_end(host, comma + 1, end));
        return known.is_known && known.number[0] > 0 ? (uint64_t)known.number[0] : 0;
    }
    return 0;
}
