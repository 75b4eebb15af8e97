/* handed.c - where the address of an array's element goes: whether somebody steps on from it.
 *
 *     *(float4 *)&s[i]                          reinterpret_cast<float4 *>(&s[i])[k]
 *     load_matrix(r, &s[i]);                    unsigned at = __cvta_generic_to_shared(&s[i]);
 *                                               asm("ldmatrix... [%1];" : "=r"(r) : "r"(at));
 *
 * An element that moves takes such an access with it. What adds to the address, or hands it to who cannot be seen,
 * would find a neighbour that is elsewhere then. The tokens are looked at as they stand, from the address
 * outwards; all that is not known leads on.
 */
#include "cuda/handed.h"

enum { MOST_CALLS = 6 }; /* within one another */

enum leading {
    STAYS,
    RETURNED, /* the function's value is the address */
    LEADS
};

/* An expression whose value is the address, and in which call of those within one another. */
struct value {
    const struct cu_host *host;
    size_t begin, end;
    size_t type, type_end; /* what it was cast to, last; equal: to nothing */
    int depth;
    struct cu_handed *handed;
};

static enum leading leads(struct value v);

static bool is_name(const struct cu_host *host, size_t i)
{
    return i < host->n && host->token[i]->kind == CU_NAME;
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* Whether the bracket that opens at i is a cast: names, and stars or angles behind them, (const float4 *). */
static bool is_cast(const struct cu_host *host, size_t i)
{
    size_t end = bsim_cu_behind(host, i) - 1;
    bool is_called = is_name(host, i - 1) && !bsim_cu_at(host, i - 1, "return");
    for (size_t k = i + 1; k < end; k++) {
        if (!is_name(host, k) && !bsim_cu_at_any(host, k, "* :: < >")) {
            return false;
        }
    }
    return i + 1 < end && !is_called && !bsim_cu_at_any(host, i - 1, ") ] >");
}

/* The '<' of the angles that close at token i; 0: they are none of names and numbers. */
static size_t angle_before(const struct cu_host *host, size_t i)
{
    size_t depth = 0;
    for (; i > 0; i--) {
        depth += bsim_cu_at(host, i, ">");
        depth -= bsim_cu_at(host, i, "<");
        if (depth == 0) {
            return i;
        }
        if (!is_name(host, i) && host->token[i]->kind != CU_NUMBER &&
            !bsim_cu_at_any(host, i, "* :: , < > &")) {
            return 0;
        }
    }
    return 0;
}

static void take_type(struct value *v, size_t begin, size_t end)
{
    v->type = begin;
    v->type_end = end > begin && bsim_cu_at(v->host, end - 1, "*") ? end - 1 : end;
}

/* The brackets around the value, which open at `open`, are those of "reinterpret_cast<float4 *>(...)". */
static bool take_named_cast(struct value *v, size_t open)
{
    static const char names[] = "reinterpret_cast static_cast const_cast";
    size_t angle = bsim_cu_at(v->host, open - 1, ">") ? angle_before(v->host, open - 1) : 0;
    if (angle == 0 || !bsim_cu_at_any(v->host, angle - 1, names)) {
        return false;
    }
    take_type(v, angle + 1, open - 1);
    v->begin = angle - 1;
    v->end++;
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Item k of a list that opens at `open`; false: there are fewer. */
static bool find_item(const struct cu_host *host, size_t open, size_t k, size_t *begin, size_t *end)
{
    size_t last = bsim_cu_behind(host, open) - 1, i = open + 1;
    for (; k > 0 && i < last; k--) {
        i = bsim_cu_item_end(host, i, last) + 1;
    }
    *begin = i;
    *end = bsim_cu_item_end(host, i, last);
    return i < last;
}

/* What happens to the name in tokens begin to end. */
static enum leading follow(const struct value *v, const struct cu_token *name, size_t begin, size_t end)
{
    enum leading all = STAYS;
    for (size_t i = begin; i < end && i < v->host->n && all != LEADS; i++) {
        bool is_it = is_name(v->host, i) && bsim_cu_same_text(v->host->token[i], name) &&
                     !bsim_cu_at_any(v->host, i - 1, ". ->");
        if (is_it) {
            struct value use = {.host = v->host, .begin = i, .end = i + 1, .depth = v->depth + 1};
            enum leading one = v->depth < MOST_CALLS ? leads(use) : LEADS;
            all = one > all ? one : all;
        }
    }
    return all;
}

size_t bsim_cu_macro_end(const struct cu_host *host, size_t i)
{
    size_t end = i + 1;
    if (i < 2 || !bsim_cu_at(host, i - 1, "define") || !bsim_cu_at(host, i - 2, "#")) {
        return 0;
    }
    while (end + 1 < host->n && !host->token[end]->begins_line) {
        end++;
    }
    return end;
}

/* What a function or macro of that name does with its parameter k; all that are overloaded. */
static enum leading call(const struct value *v, const struct cu_token *name, size_t k)
{
    const struct cu_host *host = v->host;
    enum leading all = STAYS;
    bool is_there = false;
    for (size_t i = 1; i + 1 < host->n && all != LEADS; i++) {
        size_t begin, end;
        if (!bsim_cu_at(host, i + 1, "(") || !bsim_cu_same_text(host->token[i], name)) {
            continue;
        }
        size_t body = bsim_cu_behind(host, i + 1), macro = bsim_cu_macro_end(host, i);
        if (macro == 0 && !bsim_cu_at(host, body, "{")) {
            continue;
        }
        is_there = true;
        if (find_item(host, i + 1, k, &begin, &end)) {
            size_t last = end - 1;
            for (size_t t = begin; t < end; t++) { /* T p = 0, T p[4] */
                last = bsim_cu_at_any(host, t, "= [") && last == end - 1 ? t - 1 : last;
            }
            enum leading one =
                follow(v, host->token[last], body, macro > 0 ? macro : bsim_cu_behind(host, body));
            all = macro > 0 && one == RETURNED ? LEADS : one > all ? one : all;
        }
    }
    return is_there ? all : LEADS;
}

static bool has(const struct cu_token *token, const char *word)
{
    size_t length = strlen(word), k = 0;
    while (k + length <= token->length && memcmp(token->text + k, word, length) != 0) {
        k++;
    }
    return k + length <= token->length;
}

/* Whether asm, whose brackets open there, may make another address of its operand's: [%4+16], add.u32. */
static bool asm_steps(const struct cu_host *host, size_t open)
{
    static const char *const words[] = {"+", "-", "add", "sub", "mad", "or.", "shl", "mov", "cvt"};
    size_t end = bsim_cu_behind(host, open);
    for (size_t i = open; i < end && !bsim_cu_at(host, i, ":"); i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (host->token[i]->kind == CU_STRING && has(host->token[i], words[k])) {
                return true;
            }
        }
    }
    return false;
}

/* ---- outwards -------------------------------------------------------------------------------- */

/* An argument of the call whose brackets open at `open`. */
static enum leading as_argument(struct value v, size_t open)
{
    const struct cu_host *host = v.host;
    size_t name = open - 1, k = 0;
    if (bsim_cu_at(host, name, ">")) {
        size_t angle = angle_before(host, name);
        name = angle > 0 ? angle - 1 : 0;
    }
    for (size_t i = open + 1; i < v.begin; i++) {
        k += bsim_cu_at(host, i, ",") && bsim_cu_opening(host, i) == open;
    }
    if (name == 0 || !is_name(host, name)) {
        return LEADS;
    }
    if (bsim_cu_begins(host->token[name], "atomic")) {
        return k == 0 ? STAYS : LEADS;
    }
    bool is_number = bsim_cu_at(host, name, "__cvta_generic_to_shared");
    enum leading how = is_number ? RETURNED : call(&v, host->token[name], k);
    if (how == RETURNED) {
        v.begin = name;
        v.end = bsim_cu_behind(host, open);
        return leads(v);
    }
    return how;
}

/* "T name = value;": where the block ends in which it is declared. */
static enum leading as_variable(struct value v)
{
    const struct cu_host *host = v.host;
    size_t name = v.begin - 2;
    bool is_declared = is_name(host, name) && name > 0 &&
                       (is_name(host, name - 1) || bsim_cu_at_any(host, name - 1, "* >")) &&
                       !bsim_cu_at(host, name - 1, "return");
    size_t open = bsim_cu_opening(host, name);
    return is_declared && bsim_cu_at(host, open, "{")
               ? follow(&v, host->token[name], v.end, bsim_cu_behind(host, open))
               : LEADS;
}

/* "value[...]": one of [0], or one that steps, if that may be said. */
static enum leading as_base(const struct value *v)
{
    const struct cu_host *host = v->host;
    bool is_first = bsim_cu_at(host, v->end + 1, "0") && bsim_cu_at(host, v->end + 2, "]");
    bool may_step = v->handed != NULL && v->type < v->type_end;
    if (!is_first && may_step) {
        *v->handed = (struct cu_handed){v->type, v->type_end, v->end};
    }
    return is_first || may_step ? STAYS : LEADS;
}

/* In brackets of its own, of a cast, of a call, or of an operand of asm. */
static enum leading in_brackets(struct value v, size_t open)
{
    const struct cu_host *host = v.host;
    size_t around = bsim_cu_opening(host, open);
    if (take_named_cast(&v, open)) {
        return leads(v);
    }
    if (host->token[open - 1]->kind == CU_STRING) {
        return bsim_cu_at_any(host, around - 1, "asm volatile __volatile__ __asm__") &&
                       !asm_steps(host, around)
                   ? STAYS
                   : LEADS;
    }
    if (is_name(host, open - 1) || bsim_cu_at(host, open - 1, ">")) {
        return as_argument(v, open);
    }
    v.begin = open;
    v.end++;
    return leads(v);
}

/* Whether the star at i looks at what stands behind it; it does not behind a value. */
static bool is_unary(const struct cu_host *host, size_t i)
{
    bool is_behind_name = is_name(host, i - 1) && !bsim_cu_at_any(host, i - 1, "return else do");
    size_t open = bsim_cu_at(host, i - 1, ")") ? bsim_cu_opening(host, i - 1) : 0;
    bool begins = open > 0 && (is_cast(host, open) || bsim_cu_at_any(host, open - 1, "for if while"));
    return !is_behind_name && host->token[i - 1]->kind != CU_NUMBER &&
           (begins || !bsim_cu_at_any(host, i - 1, ") ]"));
}

static enum leading leads(struct value v)
{
    const struct cu_host *host = v.host;
    size_t before = v.begin - 1, open = bsim_cu_opening(host, v.begin);
    if (bsim_cu_at_any(host, v.end, "++ --")) {
        return LEADS;
    }
    if (bsim_cu_at(host, before, ")") && is_cast(host, bsim_cu_opening(host, before))) {
        size_t cast = bsim_cu_opening(host, before);
        if (bsim_cu_at(host, v.end, "[")) {
            return LEADS; /* (float4 *)p[k] is a cast of p[k] */
        }
        take_type(&v, cast + 1, before);
        v.begin = cast;
        return leads(v);
    }
    if (bsim_cu_at(host, v.end, "[")) {
        return as_base(&v);
    }
    if (bsim_cu_at(host, v.end, "->")) {
        return STAYS;
    }
    if (bsim_cu_at(host, before, "*")) {
        return is_unary(host, before) ? STAYS : LEADS;
    }
    if (bsim_cu_at(host, before, "(") && bsim_cu_at(host, v.end, ")")) {
        return in_brackets(v, before);
    }
    if (bsim_cu_at_any(host, before, "( ,") && bsim_cu_at_any(host, v.end, ", )") &&
        bsim_cu_at(host, open, "(")) {
        return as_argument(v, open);
    }
    if (bsim_cu_at(host, v.end, ";")) {
        return bsim_cu_at(host, before, "return") ? RETURNED
               : bsim_cu_at(host, before, "=")    ? as_variable(v)
                                                  : LEADS;
    }
    return LEADS;
}

bool bsim_cu_stays(const struct cu_host *host, size_t begin, size_t end, struct cu_handed *handed)
{
    struct value v = {.host = host, .begin = begin, .end = end, .handed = handed};
    if (handed != NULL) {
        *handed = (struct cu_handed){.step = 0};
    }
    return leads(v) == STAYS;
}
