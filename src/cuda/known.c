/* known.c - what host code says before it runs, as far as constants say it: enough to propose a launch.
 *
 * A name has the value that it is declared with, or that assign.c says. What is computed is integer arithmetic;
 * everything else is not known.
 */
#include "cuda/host.h"

#include "c/operator.h"

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

static int64_t read_unary(struct reading *r);

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

/* Whether the number is one of the type that launches spell so, NULL: of some type. Arithmetic of floats is another. */
static bool is_of(const char *element, uint32_t bytes, int64_t number)
{
    uint32_t bits = bytes < 8 ? 8 * bytes : 63;
    if (element == NULL) {
        return true;
    }
    bool is_unsigned = *element == 'u', is_whole = is_unsigned || strchr("cisl", *element) != NULL;
    int64_t end = INT64_C(1) << (is_unsigned && bytes < 8 ? bits : bits - 1);
    return is_whole && number < end && number >= (is_unsigned ? 0 : -end);
}

/* Behind "std" "::", if that stands there: min(a, b) or max(a, b), or min<int>(a, b); 0: it is no such call. */
static size_t extreme_at(const struct cu_host *host, size_t at)
{
    at += bsim_cu_at(host, at, "std") && bsim_cu_at(host, at + 1, "::") ? 2 : 0;
    size_t opening = bsim_cu_at_any(host, at, "min max") ? bsim_cu_behind_angles(host, at + 1) : 0;
    return opening > 0 && bsim_cu_at(host, opening, "(") ? at : 0;
}

static int64_t read_extreme(struct reading *r, size_t at)
{
    size_t inner[2];
    r->at = bsim_cu_behind_angles(r->host, at + 1);
    if (!take_brackets(r, inner)) {
        return unknown(r);
    }
    size_t comma = bsim_cu_item_end(r->host, inner[0], inner[1]);
    struct cu_known a = evaluate(r->host, inner[0], comma, r->depth + 1);
    struct cu_known b = evaluate(r->host, comma + 1, inner[1], r->depth + 1);
    if (!a.is_known || !b.is_known || a.is_dim3 || b.is_dim3) {
        return unknown(r);
    }
    bool is_first = (a.number[0] < b.number[0]) == bsim_cu_at(r->host, at, "min");
    return is_first ? a.number[0] : b.number[0];
}

static int64_t read_name(struct reading *r)
{
    size_t extreme = extreme_at(r->host, r->at);
    if (extreme > 0) {
        return read_extreme(r, extreme);
    }
    size_t at = r->at++, begin, end;
    bool is_dim3;
    const struct cu_token *name = r->host->token[at];
    if (bsim_cu_is(name, "sizeof")) {
        return read_sizeof(r);
    }
    if ((r->at < r->end && bsim_cu_at(r->host, r->at, "(")) ||
        !bsim_cu_value(r->host, at, name, &begin, &end, &is_dim3) || is_dim3) {
        return unknown(r);
    }
    if (begin == r->host->turned && begin > 0) {
        return r->host->turn;
    }
    struct cu_known known = evaluate(r->host, begin, end, r->depth + 1);
    uint32_t bytes = 0;
    const char *element = known.is_known ? bsim_cu_pointed(r->host, at, name, &bytes) : NULL;
    return known.is_known && is_of(element, bytes, known.number[0]) ? known.number[0] : unknown(r);
}

/* "(" type ")" unary: a number that the type has. */
static int64_t read_cast(struct reading *r, const size_t type[2])
{
    uint32_t bytes = 0;
    const char *element = bsim_cu_element(r->host, type[0], type[1], &bytes);
    int64_t value = r->depth++ < CU_MOST_NAMES ? read_unary(r) : unknown(r);
    return is_of(element, bytes, value) ? value : unknown(r);
}

/* unary = "-" unary | "(" type ")" unary | "(" expression ")" | number | name
 *       | "sizeof" what read_sizeof has | min(expression, expression), or max */
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
        value = read_cast(r, inner);
    } else {
        struct cu_known known = evaluate(r->host, inner[0], inner[1], r->depth + 1);
        value = known.is_known ? known.number[0] : unknown(r);
    }
    return is_negative ? (int64_t)(0 - (uint64_t)value) : value;
}

/* terms(level) = unary (operator terms(its level + 1))*: in 64 bits, and none that pass them, nor what the quotient of a
 * negative number is, which may be of an unsigned type. */
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
        bool asks_sign = operator== CU_OPERATOR_DIVIDE || operator== CU_OPERATOR_REMAINDER ||
                         operator== CU_OPERATOR_SHIFT_RIGHT;
        bool is_negative = (int64_t)value < 0 || (int64_t)right < 0;
        if ((asks_sign && is_negative) ||
            bsim_cu_operate(operator, type, value, right, true, &value) != NULL) {
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
        !bsim_cu_value(host, begin, host->token[begin], &from, &to, &is_dim3) || from >= to) {
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
    if (begin >= end || end > host->n || depth > CU_MOST_NAMES ||
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
    for (uint32_t depth = 0; depth < CU_MOST_NAMES && begin + 1 == end; depth++) {
        if (host->token[begin]->kind == CU_NUMBER) {
            return host->token[begin];
        }
        if (!bsim_cu_value(host, begin, host->token[begin], &begin, &end, &is_dim3)) {
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
