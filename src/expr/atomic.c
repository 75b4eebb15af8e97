/* atomic.c - one atomic: add h[b], v; atomicAdd(&h[b], v); old = atomicAdd(&h[b], v).
 *
 * The place is parsed, the result and the values are only found: where they begin and end, past
 * brackets and comments. What compilers merge (src/model/atomic.c) is seen by its value: the
 * constant 1 added, or atomicInc's with a bound that is never reached.
 */
#include "expr/atomic.h"
#include "expr/eval.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MAX_ARGUMENTS = 3 };

static const char *const operations[] = {"add", "min", "max", "inc",  "dec",
                                         "and", "or",  "xor", "exch", "cas"};

static const struct {
    const char *name;
    enum bsim_operation operation;
} calls[] = {
    {"atomicAdd", BSIM_ADD},   {"atomicSub", BSIM_ADD}, {"atomicMin", BSIM_MIN},
    {"atomicMax", BSIM_MAX},   {"atomicInc", BSIM_INC}, {"atomicDec", BSIM_DEC},
    {"atomicAnd", BSIM_AND},   {"atomicOr", BSIM_OR},   {"atomicXor", BSIM_XOR},
    {"atomicExch", BSIM_EXCH}, {"atomicCAS", BSIM_CAS},
};

const char *bsim_atomic_word(size_t index)
{
    return index < N_OF(operations) ? operations[index] : NULL;
}

/* Index of the call at hand, or of none. */
static size_t call_at_hand(const struct bsim_parse *parse)
{
    size_t i = 0;
    while (i < N_OF(calls) && !bsim_parse_sees(parse, calls[i].name)) {
        i++;
    }
    return i;
}

bool bsim_atomic_sees_call(const struct bsim_parse *parse)
{
    return call_at_hand(parse) < N_OF(calls);
}

/* ---- finding ends ---------------------------------------------------------------------------- */

/* Behind the comment that begins at `at`, if one does. */
static size_t skip_comment(const struct cu_source *source, size_t at, size_t end)
{
    if (end - at < 2 || memcmp(source->text + at, "/*", 2) != 0) {
        return at;
    }
    for (at += 2; at < end && memcmp(source->text + at - 2, "*/", 2) != 0; at++) {
    }
    return at;
}

/* The first of the characters in `wanted` from `at` on that is in no bracket and in no comment, or
 * a bracket that closes what was opened before; `end` if there is none. */
static size_t find(const struct cu_source *source, size_t at, size_t end, const char *wanted)
{
    size_t depth = 0;
    while (at < end) {
        size_t behind = skip_comment(source, at, end);
        if (behind > at) {
            at = behind;
            continue;
        }
        char c = source->text[at];
        bool closes = c == ')' || c == ']' || c == '}';
        if (depth == 0 && (closes || strchr(wanted, c) != NULL)) {
            return at;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= closes;
        at++;
    }
    return end;
}

/* The "=" of an assignment, += among them, before the next comma or semicolon; `end` if there is
 * none. */
static size_t find_assignment(const struct cu_source *source, size_t at, size_t end)
{
    const char *text = source->text;
    size_t first = at;
    while ((at = find(source, at, end, "=,;")) < end && text[at] == '=') {
        bool is_doubled = at + 1 < end && text[at + 1] == '=';
        bool compares = at > first && strchr("=!<>", text[at - 1]) != NULL;
        bool shifts = at > first + 1 &&
                      (memcmp(text + at - 2, "<<", 2) == 0 || memcmp(text + at - 2, ">>", 2) == 0);
        if (!is_doubled && (!compares || shifts)) {
            return at;
        }
        at += 1U + is_doubled;
    }
    return end;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* [RESULT "="] */
static bool skip_result(struct bsim_parse *parse, struct bsim_atomic *atomic)
{
    size_t at = parse->at;
    size_t sign = find_assignment(parse->source, at, parse->end);
    if (sign == parse->end || sign == at) {
        return parse->status == BSIM_OK;
    }
    atomic->is_used = true;
    atomic->result = (struct bsim_extent){at, sign};
    return bsim_parse_start(parse, sign + 1, parse->end);
}

/* Arguments from `at` on, their number in *n, and where they end: at a semicolon, at a bracket that
 * closes, or at parse->end. Those beyond MAX_ARGUMENTS are only counted. */
static size_t split(const struct bsim_parse *parse, size_t at,
                    struct bsim_extent argument[MAX_ARGUMENTS], size_t *n)
{
    for (*n = 0;; at++) {
        size_t end = find(parse->source, at, parse->end, ",;");
        if (*n < MAX_ARGUMENTS) {
            argument[*n] = (struct bsim_extent){at, end};
        }
        ++*n;
        if (end == parse->end || parse->source->text[end] != ',') {
            return end;
        }
        at = end;
    }
}

static bool is_blank(const struct bsim_parse *parse, struct bsim_extent argument)
{
    const char *text = parse->source->text + argument.at;
    return strspn(text, " \t\n\v\f\r") >= argument.end - argument.at;
}

/* The place, which is all of its argument. */
static const struct bsim_node *read_place(struct bsim_parse *parse, struct bsim_extent argument)
{
    size_t end = parse->end;
    const struct bsim_node *node =
        bsim_parse_start(parse, argument.at, argument.end) ? bsim_parse_expression(parse) : NULL;
    bool is_whole = node != NULL && bsim_parse_end(parse);
    parse->end = end;
    return is_whole ? node : NULL;
}

/* Whether an argument is a constant of that value modulo 2^32. */
static bool is_constant(const struct bsim_parse *parse, struct bsim_extent argument,
                        uint32_t wanted)
{
    struct bsim_error ignored;
    struct bsim_parse trial = *parse;
    struct bsim_eval eval = {.err = &ignored};
    struct bsim_lanes lanes;
    trial.constant = true;
    trial.err = &ignored;
    if (!bsim_parse_start(&trial, argument.at, argument.end)) {
        return false;
    }
    const struct bsim_node *node = bsim_build_integer(&trial, bsim_parse_expression(&trial));
    return node != NULL && bsim_parse_end(&trial) && bsim_eval(&eval, node, 1, &lanes) == BSIM_OK &&
           (uint32_t)lanes.value[0] == wanted;
}

/* How many values an operation has behind its place: at most, and in a call. */
static size_t n_values(enum bsim_operation operation)
{
    return operation == BSIM_CAS ? 2 : 1;
}

static bool check_number(struct bsim_parse *parse, const struct bsim_atomic *atomic, size_t at,
                         size_t n, bool is_call)
{
    size_t most = n_values(atomic->operation);
    if (n > most || (is_call && n < most)) {
        return bsim_parse_fail(parse, at, "%s has %s%zu value%s behind its place, not %zu",
                               operations[atomic->operation - BSIM_ADD], is_call ? "" : "at most ",
                               most, most == 1 ? "" : "s", n);
    }
    return true;
}

/* Place and values, up to *end. */
static bool read_arguments(struct bsim_parse *parse, bool is_call, struct bsim_atomic *atomic,
                           size_t *end)
{
    struct bsim_extent argument[MAX_ARGUMENTS];
    size_t n;
    size_t at = parse->at;
    *end = split(parse, at, argument, &n);
    if (!check_number(parse, atomic, at, n - 1, is_call)) {
        return false;
    }
    atomic->place = read_place(parse, argument[0]);
    if (atomic->place == NULL) {
        return false;
    }
    for (size_t i = 1; i < n; i++) {
        if (is_blank(parse, argument[i])) {
            return bsim_parse_fail(parse, argument[i].end, "a value is missing here");
        }
    }
    atomic->assumes_one = n == 1 && atomic->operation == BSIM_ADD;
    if (n > 1) {
        atomic->value = (struct bsim_extent){argument[1].at, argument[n - 1].end};
        uint32_t merged = atomic->operation == BSIM_INC ? UINT32_MAX : 1;
        bool merges = atomic->operation == BSIM_ADD || atomic->operation == BSIM_INC;
        atomic->is_one = merges && is_constant(parse, argument[1], merged);
    }
    atomic->is_one = atomic->is_one || atomic->assumes_one;
    return true;
}

/* ---- the two forms --------------------------------------------------------------------------- */

static bool read_call(struct bsim_parse *parse, struct bsim_atomic *atomic)
{
    size_t call = call_at_hand(parse);
    size_t end = 0;
    atomic->operation = calls[call].operation;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(") ||
        !read_arguments(parse, true, atomic, &end)) {
        return false;
    }
    if (atomic->place->is_lvalue && atomic->place->type->kind != CU_ARRAY) {
        return bsim_parse_fail(parse, atomic->place->at,
                               "%s takes an address, and this is an element: write & before it",
                               calls[call].name);
    }
    if (atomic->place->is_lvalue) {
        atomic->place = bsim_build_operand(parse, atomic->place); /* its first element's address */
    }
    if (strcmp(calls[call].name, "atomicSub") == 0) {
        atomic->is_one = false; /* compilers add -1, which is not merged */
    }
    return atomic->place != NULL && bsim_parse_start(parse, end, parse->end) &&
           bsim_parse_expect(parse, ")");
}

static bool read_operation(struct bsim_parse *parse, struct bsim_atomic *atomic)
{
    size_t end = 0;
    size_t i = 0;
    while (i < N_OF(operations) && !bsim_parse_sees(parse, operations[i])) {
        i++;
    }
    if (i == N_OF(operations)) {
        return bsim_parse_fail(parse, parse->at,
                               "an atomic is one of add, min, max, inc, dec, and, or, xor, exch, "
                               "cas before its place, or CUDA's call: atomicAdd(&h[i], 1)");
    }
    atomic->operation = (enum bsim_operation)(BSIM_ADD + i);
    if (!bsim_parse_advance(parse)) {
        return false;
    }
    atomic->at = parse->at;
    return skip_result(parse, atomic) && read_arguments(parse, false, atomic, &end) &&
           bsim_parse_start(parse, end, parse->end);
}

bool bsim_atomic_read(struct bsim_parse *parse, struct bsim_atomic *atomic)
{
    struct bsim_parse before = *parse;
    *atomic = (struct bsim_atomic){.operation = BSIM_NO_OPERATION, .at = parse->at};
    if (parse->token->hidden != NULL) {
        return bsim_parse_fail(parse, parse->at, "an atomic is not read in a macro: write it out");
    }
    if (!skip_result(parse, atomic)) {
        return false;
    }
    if (bsim_atomic_sees_call(parse)) {
        return read_call(parse, atomic);
    }
    /* "add old = h[b]": what stands before the "=" begins with the operation. */
    *parse = before;
    *atomic = (struct bsim_atomic){.operation = BSIM_NO_OPERATION};
    return read_operation(parse, atomic);
}
