/* code.c - statements of C, as they stand in a kernel.
 *
 *     code        = [declaration | expression ("," expression)*]
 *     declaration = storage* base-type declarator ("," declarator)*
 *     declarator  = "*"* NAME ("[" [EXPR] "]")* ["=" (expression | "{" ... "}")]
 *                 | "(" "*" NAME ")" ("[" EXPR "]")* ["=" expression]
 *     expression  = EXPR [("=" | "+=" | ...) expression | "++" | "--"] | ("++" | "--") EXPR
 *     return      = "return"
 *
 * What an expression reads of shared memory are loads, what it assigns there is a store, in C's
 * order:
 *
 *     As[ty][tx] = v;                       store As[ty][tx]
 *     sum += As[ty][k] * Bs[k][tx];         load As[ty][k], load Bs[k][tx]
 *     s[i] += s[i + n];                     load s[i + n], load s[i], store s[i]
 *
 * Integers made of threads, loops and constants are variables with values; all else that a kernel
 * computes is unknown, which is fine as long as no address and no condition depends on it. An
 * object that one statement reads twice, in whichever of its declarators, is loaded once, as
 * compilers do, unless the statement stores something in between.
 */
#include "expr/atomic.h"
#include "expr/check.h"
#include "expr/eval.h"
#include "expr/shuffle.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

/* One expression that is being read. */
struct code {
    struct bsim_sketch *sketch;
    struct bsim_parse *parse;
    const struct bsim_statement *statement;
    struct bsim_reading reading;
    const struct bsim_read *added; /* the last of its reads that has become a load */
    size_t n_loads, n_stores;      /* so far */
};

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- loads and stores ------------------------------------------------------------------------ */

/* One shuffle; those of one statement are told apart by their place. */
static bool add_shuffle(struct code *code, const struct bsim_shuffle *shuffle)
{
    struct bsim_sketch *sketch = code->sketch;
    struct bsim_check *check = sketch->check;
    struct bsim_shuffle *mine =
        (struct bsim_shuffle *)shuffle; /* the parser's, not yet handed out */
    const struct cu_source *source = &code->statement->source;
    if (!bsim_check_grow((void **)&check->shuffle, check->n_shuffles, sizeof(*check->shuffle))) {
        return bsim_parse_no_memory(code->parse);
    }
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_SHUFFLE, source, shuffle->from);
    if (!bsim_sketch_name(sketch, code->statement, "shuffle", shuffle->from, shuffle->to,
                          &mine->shown)) {
        return false;
    }
    step->shuffle = check->n_shuffles;
    check->shuffle[check->n_shuffles++] = shuffle;
    return true;
}

/* One load or shuffle, within an if for each of its guards, the outermost first. */
static bool add_load(struct code *code, const struct bsim_read *read,
                     const struct bsim_guard *guard)
{
    struct bsim_sketch *sketch = code->sketch;
    if (guard == NULL && read->shuffle != NULL) {
        return add_shuffle(code, read->shuffle);
    }
    if (guard == NULL) {
        code->n_loads++;
        return bsim_sketch_access_object(sketch, BSIM_LD, read->object, code->statement,
                                         read->object->from, read->object->to);
    }
    /* The guards are linked from the innermost out: what is inside goes into the if of each. */
    struct bsim_step **tail = sketch->tail;
    struct bsim_step *inside = NULL;
    sketch->tail = &inside;
    bool done = add_load(code, read, NULL);
    for (; guard != NULL && done; guard = guard->outer) {
        struct bsim_step *step = NULL;
        sketch->tail = &step;
        (void)bsim_sketch_add(sketch, BSIM_STEP_IF, guard->condition->source, guard->condition->at);
        step->node = guard->condition;
        *(guard->truth ? &step->body : &step->other) = inside;
        inside = step;
    }
    sketch->tail = tail;
    if (done) {
        *sketch->tail = inside;
        sketch->tail = &inside->next;
    }
    return done;
}

/* The loads that have been noted become steps. What has been loaded is remembered: the next
 * declarator of a statement need not load it again. */
static bool add_loads(struct code *code)
{
    const struct bsim_read *read = code->added != NULL ? code->added->next : code->reading.first;
    for (; read != NULL; read = read->next) {
        if (!add_load(code, read, read->guard)) {
            return false;
        }
        code->added = read;
    }
    return true;
}

/* What has been loaded may have changed. */
static void forget_loads(struct code *code)
{
    code->reading.first = code->reading.last = NULL;
    code->added = NULL;
}

static bool mentions(const struct bsim_node *node, uint64_t variable)
{
    return node != NULL && ((node->kind == BSIM_NODE_VARIABLE && node->number == variable) ||
                            mentions(node->a, variable) || mentions(node->b, variable) ||
                            mentions(node->c, variable));
}

/* s[i] is another object once i has been set. */
static void forget_loads_by(struct code *code, uint64_t variable)
{
    for (const struct bsim_read *read = code->reading.first; read != NULL; read = read->next) {
        if (mentions(read->object, variable)) {
            forget_loads(code);
            return;
        }
    }
}

static bool add_store(struct code *code, const struct bsim_node *object)
{
    code->n_stores++;
    forget_loads(code);
    return bsim_sketch_access_object(code->sketch, BSIM_ST, object, code->statement, object->from,
                                     object->to);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Whether an assignment is at hand: *kind, of a compound one; BSIM_NODE_NUMBER: it is plain. */
static bool sees_assignment(const struct bsim_parse *parse, enum bsim_node_kind *kind)
{
    enum cu_operator operator= bsim_cu_find_update(parse->token);
    bool is_compound = operator<CU_N_OPERATORS;
    *kind = is_compound ? bsim_parse_node_of(operator) : BSIM_NODE_NUMBER;
    return is_compound || bsim_parse_sees(parse, "=");
}

/* Variable `number`, which is in scope. */
static const struct bsim_symbol *find_variable(const struct code *code, uint64_t number)
{
    const struct bsim_scope *scope = &code->sketch->check->scope;
    size_t i = scope->n;
    while (i-- > 0 &&
           !(scope->symbol[i].kind == BSIM_NODE_VARIABLE && scope->symbol[i].number == number)) {
    }
    return &scope->symbol[i];
}

/* A variable gets a value of its type. */
static bool set_variable(struct code *code, const struct bsim_node *variable,
                         const struct bsim_node *value, size_t at)
{
    struct bsim_parse *parse = code->parse;
    const struct bsim_symbol *symbol = find_variable(code, variable->number);
    if (symbol->is_const) {
        return bsim_parse_fail(parse, variable->at, "'%s' is const: it keeps its first value",
                               symbol->name);
    }
    if (value != NULL && !bsim_node_is_unknown(value) &&
        !bsim_cu_same_type(variable->type, value->type)) {
        value = bsim_build_cast(parse, variable->type, value, at);
    }
    if (value == NULL || !add_loads(code)) {
        return false;
    }
    forget_loads_by(code, variable->number);
    return bsim_sketch_set(code->sketch, symbol->name, (size_t)variable->number, value);
}

/* What is assigned: `value` itself, or what an operator makes of it and the target's value. */
static const struct bsim_node *combined(struct code *code, const struct bsim_node *target,
                                        enum bsim_node_kind kind, const struct bsim_node *value,
                                        size_t at)
{
    const struct bsim_node *right = bsim_build_operand(code->parse, value);
    return right == NULL || kind == BSIM_NODE_NUMBER
               ? right
               : bsim_build_binary(code->parse, kind, target, right, at);
}

/* Whether a number stands there by its name. */
static bool is_named(const struct bsim_node *node)
{
    char c = node->at < node->source->length ? node->source->text[node->at] : '\0';
    return node->kind == BSIM_NODE_NUMBER && !(c >= '0' && c <= '9');
}

/* The target gets a value; only what has one in shared memory, or is an integer, is looked at. */
static bool assign(struct code *code, const struct bsim_node *target, enum bsim_node_kind kind,
                   const struct bsim_node *value, size_t at)
{
    struct bsim_parse *parse = code->parse;
    const struct bsim_node *result = combined(code, target, kind, value, at);
    if (result == NULL) {
        return false;
    }
    if (target->kind == BSIM_NODE_VARIABLE) {
        return set_variable(code, target, result, at);
    }
    if (bsim_node_is_unknown(target) && target->number == BSIM_UNKNOWN_RESULT) {
        return bsim_parse_fail(parse, target->at,
                               "nothing can be assigned to a call: if this is a macro, define it");
    }
    if (bsim_node_is_unknown(target)) {
        return result->type->kind == CU_POINTER
                   ? bsim_parse_fail(parse, at,
                                     "this would be a pointer into shared memory: declare it, with "
                                     "its type, and set it there")
                   : add_loads(code);
    }
    if (!target->is_lvalue) {
        return bsim_parse_fail(parse, at,
                               is_named(target)
                                   ? "nothing can be assigned to a constant"
                                   : "nothing can be assigned to what stands left of this");
    }
    return add_loads(code) && add_store(code, target);
}

/* The result of an atomic, which is at hand: known to nobody. NULL after a failure. */
static const struct bsim_node *read_atomic(struct code *code, bool is_used)
{
    size_t at = code->parse->at;
    size_t n = code->reading.n;
    if (!bsim_sketch_read_call(code->sketch, code->statement, is_used)) {
        return NULL;
    }
    if (code->reading.n > n) {
        (void)bsim_parse_fail(code->parse, at,
                              "this atomic's place is shuffled: set a variable to that before it");
        return NULL;
    }
    forget_loads(code);
    return bsim_build_unknown(code->parse, at,
                              "what this atomic returns is not known: an index depends on threads, "
                              "loops and integers made of them");
}

/* What is assigned: an atomic's result, or an expression's value. */
static const struct bsim_node *read_value(struct code *code)
{
    return bsim_atomic_sees_call(code->parse) ? read_atomic(code, true)
                                              : bsim_parse_expression(code->parse);
}

static bool read_expression(struct code *code);

/* What follows the target: an assignment of whatever is behind the sign, a step, or nothing. */
static bool read_effect(struct code *code, const struct bsim_node *target)
{
    struct bsim_parse *parse = code->parse;
    size_t at = parse->at;
    enum bsim_node_kind kind, other;
    bool assigns = sees_assignment(parse, &kind);
    bool is_up = bsim_parse_sees(parse, "++");
    if (is_up || bsim_parse_sees(parse, "--")) {
        const struct bsim_node *one = bsim_build_number(parse, bsim_cu_scalar(CU_INT), 1, at);
        return bsim_parse_advance(parse) && one != NULL &&
               assign(code, target, is_up ? BSIM_NODE_ADD : BSIM_NODE_SUBTRACT, one, at);
    }
    if (!assigns && bsim_node_is_unknown(target) && target->number == BSIM_UNKNOWN_RESULT) {
        return bsim_parse_fail(parse, target->at,
                               "what this function does is not known: write the loads, stores and "
                               "barriers that it makes, or leave it out if there are none");
    }
    if (!assigns) {
        return bsim_build_operand(parse, target) != NULL && add_loads(code);
    }
    if (!bsim_parse_advance(parse)) {
        return false;
    }
    const struct bsim_node *value = read_value(code);
    if (value != NULL && sees_assignment(parse, &other)) {
        return bsim_parse_fail(parse, parse->at,
                               "one assignment at a time: write these as two statements");
    }
    return value != NULL && assign(code, target, kind, value, at);
}

/* "(" "void" ")", which says that nobody uses what follows. */
static bool skip_void(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    if (!(bsim_parse_take(parse, "(") && bsim_parse_take(parse, "void") &&
          bsim_parse_take(parse, ")")) &&
        parse->status == BSIM_OK) {
        *parse = before;
    }
    return parse->status == BSIM_OK;
}

static bool read_expression(struct code *code)
{
    struct bsim_parse *parse = code->parse;
    if (!skip_void(parse)) {
        return false;
    }
    size_t at = parse->at;
    bool is_up = bsim_parse_sees(parse, "++");
    if (bsim_atomic_sees_call(parse)) {
        return read_atomic(code, false) != NULL;
    }
    if (is_up || bsim_parse_sees(parse, "--")) {
        const struct bsim_node *one = bsim_build_number(parse, bsim_cu_scalar(CU_INT), 1, at);
        const struct bsim_node *target =
            bsim_parse_advance(parse) ? bsim_parse_expression(parse) : NULL;
        return target != NULL && one != NULL &&
               assign(code, target, is_up ? BSIM_NODE_ADD : BSIM_NODE_SUBTRACT, one, at);
    }
    const struct bsim_node *target = bsim_parse_expression(parse);
    return target != NULL && read_effect(code, target);
}

static const struct {
    const char *name;
    enum bsim_fence_scope scope;
} fences[] = {
    {"__threadfence_block", BSIM_CTA},
    {"__threadfence", BSIM_GPU},
    {"__threadfence_system", BSIM_SYS},
};

static size_t fence_at_hand(const struct bsim_parse *parse)
{
    size_t i = 0;
    while (i < N_OF(fences) && !bsim_parse_sees(parse, fences[i].name)) {
        i++;
    }
    return i;
}

/* "__threadfence" "(" ")" */
static bool read_fence(struct code *code)
{
    struct bsim_parse *parse = code->parse;
    size_t which = fence_at_hand(parse);
    struct bsim_step *step =
        bsim_sketch_add(code->sketch, BSIM_STEP_FENCE, &code->statement->source, parse->at);
    step->scope = fences[which].scope;
    return bsim_parse_advance(parse) && bsim_parse_expect(parse, "(") &&
           bsim_parse_expect(parse, ")");
}

static bool read_expressions(struct code *code)
{
    do {
        bool is_fence = fence_at_hand(code->parse) < N_OF(fences);
        if (!(is_fence ? read_fence(code) : read_expression(code))) {
            return false;
        }
    } while (bsim_parse_take(code->parse, ","));
    return bsim_parse_end(code->parse);
}

/* ---- declarations ---------------------------------------------------------------------------- */

static bool skip_storage(struct bsim_parse *parse, bool *is_const)
{
    do {
        *is_const = *is_const || bsim_parse_sees(parse, "constexpr");
    } while (bsim_parse_take_any(parse, "static register constexpr"));
    return parse->status == BSIM_OK;
}

/* What stands between brackets or braces, unread but for its nesting. */
static bool skip_nested(struct bsim_parse *parse, const char *open, const char *close)
{
    int depth = 0;
    do {
        depth += bsim_parse_sees(parse, open) ? 1 : bsim_parse_sees(parse, close) ? -1 : 0;
        if (parse->token->kind == CU_END || !bsim_parse_advance(parse)) {
            return bsim_parse_expect(parse, close);
        }
    } while (depth > 0);
    return true;
}

/* A name whose value nobody can know: of a double, as a shuffle has to know, or of some type. */
static bool declare_unknown(struct code *code, const char *name, const struct cu_type *type)
{
    struct bsim_symbol symbol = {.name = name, .kind = BSIM_NODE_UNKNOWN, .type = type};
    return bsim_scope_add(&code->sketch->check->scope, &symbol) ||
           bsim_parse_no_memory(code->parse);
}

/* `const int N = 32;`: a number, which sizes of arrays may be made of. */
static bool declare_constant(struct code *code, const char *name, const struct cu_type *type,
                             uint64_t number)
{
    struct bsim_symbol symbol = {
        .name = name, .kind = BSIM_NODE_NUMBER, .type = type, .number = number};
    return bsim_scope_add(&code->sketch->check->scope, &symbol) ||
           bsim_parse_no_memory(code->parse);
}

static bool is_constant(const struct bsim_node *node)
{
    return node == NULL || node->kind == BSIM_NODE_NUMBER ||
           (node->kind >= BSIM_NODE_CONVERT && is_constant(node->a) && is_constant(node->b) &&
            is_constant(node->c));
}

/* The value of an expression of constants, if it is one that C defines. */
static bool fold(const struct bsim_node *node, uint64_t *number)
{
    struct bsim_error ignored;
    struct bsim_eval eval = {.err = &ignored};
    struct bsim_lanes lanes;
    if (node == NULL || !is_constant(node) || bsim_eval(&eval, node, 1, &lanes) != BSIM_OK) {
        return false;
    }
    *number = lanes.value[0];
    return true;
}

/* The value that a declaration gives a name, in which the name is this new one already. */
static const struct bsim_node *read_first_value(struct code *code, const char *name)
{
    struct bsim_parse *parse = code->parse;
    parse->declared = name;
    const struct bsim_node *value = bsim_build_operand(parse, read_value(code));
    parse->declared = NULL;
    return value;
}

/* ["=" expression], of an integer, a pointer or `auto` (type NULL): those have values. */
static bool declare_value(struct code *code, const char *name, const struct cu_type *type,
                          bool is_const, size_t at)
{
    struct bsim_parse *parse = code->parse;
    const struct bsim_node *value = NULL;
    size_t number;
    if (bsim_parse_take(parse, "=")) {
        value = read_first_value(code, name);
        if (value == NULL) {
            return false;
        }
    }
    bool is_pointer = type != NULL && type->kind == CU_POINTER;
    if (bsim_node_is_unknown(value) && (type == NULL || is_pointer)) {
        return add_loads(code) && declare_unknown(code, name, bsim_cu_scalar(CU_VOID));
    }
    type = type == NULL && value != NULL ? value->type : type;
    if (type == NULL) {
        return bsim_parse_fail(parse, at, "auto takes its type from a value, which is missing");
    }
    if (value != NULL && !bsim_node_is_unknown(value)) {
        value = bsim_build_cast(parse, type, value, at);
        if (value == NULL) {
            return false;
        }
    }
    uint64_t constant;
    if (is_const && type->kind != CU_POINTER && fold(value, &constant)) {
        return declare_constant(code, name, type, constant);
    }
    if (!bsim_sketch_declare(code->sketch, name, type, &number)) {
        return false;
    }
    struct bsim_scope *scope = &code->sketch->check->scope;
    scope->symbol[scope->n - 1].is_const = is_const;
    return add_loads(code) && (value == NULL || bsim_sketch_set(code->sketch, name, number, value));
}

/* Of floats, vectors, arrays in registers: what they hold is unknown, what they are set to is
 * read. */
static bool declare_opaque(struct code *code, const char *name, const struct cu_type *type)
{
    struct bsim_parse *parse = code->parse;
    bool read = !bsim_parse_take(parse, "=") ||
                (bsim_parse_sees(parse, "{") ? skip_nested(parse, "{", "}")
                                             : read_first_value(code, name) != NULL);
    return read && parse->status == BSIM_OK && add_loads(code) && declare_unknown(code, name, type);
}

/* "(" "*" NAME ")" dimensions ["=" EXPR]: a pointer to rows, as a tile's name becomes */
static bool read_row_pointer(struct code *code, const struct cu_type *base)
{
    struct bsim_parse *parse = code->parse;
    if (!bsim_parse_expect(parse, "(") || !bsim_parse_expect(parse, "*")) {
        return false;
    }
    bool is_const = bsim_parse_take(parse, "const");
    size_t at = parse->at;
    const char *name = bsim_parse_new_name(parse);
    if (name == NULL || !bsim_parse_expect(parse, ")")) {
        return false;
    }
    const struct cu_type *row = bsim_parse_dimensions(parse, base, false);
    const struct cu_type *type = row != NULL ? bsim_cu_pointer(parse->file, row) : NULL;
    if (type == NULL) {
        return bsim_parse_no_memory(parse);
    }
    return declare_value(code, name, type, is_const, at);
}

/* "*"* NAME ("[" [EXPR] "]")* [...]; base is NULL for auto */
static bool read_declarator(struct code *code, const struct cu_type *base, bool is_const)
{
    struct bsim_parse *parse = code->parse;
    size_t at = parse->at;
    int n_stars = 0;
    for (; bsim_parse_take(parse, "*"); n_stars++) {
        is_const = false;
        while (bsim_parse_sees_any(parse, "const volatile __restrict__")) {
            is_const = is_const || bsim_parse_sees(parse, "const");
            if (!bsim_parse_advance(parse)) {
                return false;
            }
        }
    }
    if (bsim_parse_sees(parse, "&")) {
        return bsim_parse_fail(
            parse, at, "references are not followed: write what it stands for in its place");
    }
    if (n_stars == 0 && base != NULL && bsim_parse_sees(parse, "(")) {
        return read_row_pointer(code, base);
    }
    const char *name = bsim_parse_new_name(parse);
    bool is_array = bsim_parse_sees(parse, "[");
    if (name == NULL || (is_array && !skip_nested(parse, "[", "]"))) {
        return false;
    }
    while (bsim_parse_sees(parse, "[")) {
        if (!skip_nested(parse, "[", "]")) {
            return false;
        }
    }
    bool is_integer = base != NULL && bsim_cu_is_integer(base) && n_stars == 0;
    bool is_value = !is_array && (is_integer || n_stars == 1 || (base == NULL && n_stars == 0));
    if (!is_value) {
        bool is_double = base != NULL && base->kind == CU_DOUBLE && n_stars == 0;
        if (!declare_opaque(code, name,
                            is_double ? bsim_cu_scalar(CU_DOUBLE) : bsim_cu_scalar(CU_VOID))) {
            return false;
        }
        struct bsim_scope *scope = &code->sketch->check->scope;
        scope->symbol[scope->n - 1].is_own_array = is_array;
        return true;
    }
    const struct cu_type *type = n_stars == 1 ? bsim_cu_pointer(parse->file, base) : base;
    return type == NULL && base != NULL ? bsim_parse_no_memory(parse)
                                        : declare_value(code, name, type, is_const, at);
}

static bool read_declaration(struct code *code, bool is_const)
{
    struct bsim_parse *parse = code->parse;
    parse->saw_const = is_const;
    while (bsim_parse_take(parse, "const")) {
        parse->saw_const = true;
    }
    bool is_auto = bsim_parse_take(parse, "auto");
    const struct cu_type *base = is_auto ? NULL : bsim_parse_base_type(parse);
    if (!is_auto && base == NULL) {
        return false;
    }
    is_const = parse->saw_const;
    do {
        if (!read_declarator(code, base, is_const)) {
            return false;
        }
    } while (bsim_parse_take(parse, ","));
    return bsim_parse_end(parse);
}

static bool begins_declaration(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    if (bsim_parse_sees_any(parse, "auto static register")) {
        return true;
    }
    bool is_type = bsim_parse_sees_type(parse);
    /* `unsigned(x)` and `float4 (...)` begin an expression, `float (*p)[32]` does not. */
    if (is_type && bsim_parse_base_type(parse) != NULL && bsim_parse_take(parse, "(")) {
        is_type = bsim_parse_sees(parse, "*");
    }
    *parse = before;
    return is_type;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Those that change the order in which things happen, and are not read. */
static bool refuse_control(struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "break continue goto do switch case asm")
               ? bsim_parse_fail(parse, parse->at,
                                 "'%.*s' is not read here: write the loops, ifs and accesses of "
                                 "the kernel's body",
                                 bsim_cu_shown(parse->token), parse->token->text)
               : bsim_parse_refuse_file(parse);
}

/* A name and behind it one more, a number or nothing: neither C nor a sketch. */
static bool refuse_word(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    char word[64];
    if (parse->token->kind != CU_NAME) {
        return true;
    }
    bool is_known = bsim_scope_find(parse->scope, parse->token->text, parse->token->length) != NULL;
    (void)snprintf(word, sizeof word, "%.*s", bsim_cu_shown(parse->token), parse->token->text);
    enum cu_token_kind next = bsim_parse_advance(parse) ? parse->token->kind : CU_SIGN;
    if (parse->status != BSIM_OK) {
        return false;
    }
    *parse = before;
    if (is_known || next == CU_SIGN) {
        return true;
    }
    struct bsim_nearest nearest = bsim_nearest_start(word);
    const char *known;
    for (size_t i = 0; (known = bsim_check_word(i)) != NULL; i++) {
        bsim_nearest_try(&nearest, known);
    }
    return nearest.best != NULL
               ? bsim_parse_fail(parse, parse->at, "unknown word '%s': did you mean '%s'?", word,
                                 nearest.best)
               : bsim_parse_fail(parse, parse->at,
                                 "unknown word '%s': a line begins with shared, load, store, ... "
                                 "or is a statement of C",
                                 word);
}

static struct code begin(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct code code = {.sketch = sketch, .parse = sketch->parse, .statement = statement};
    code.reading.strangers = &sketch->check->strangers;
    code.reading.locals = &sketch->check->locals;
    code.reading.check = sketch->check;
    return code;
}

static bool read_code(struct code *code)
{
    struct bsim_parse *parse = code->parse;
    if (parse->token->kind == CU_END) {
        return parse->status == BSIM_OK;
    }
    if (bsim_parse_take(parse, "return")) {
        return bsim_parse_end(parse) &&
               bsim_sketch_add(code->sketch, BSIM_STEP_RETURN, &code->statement->source,
                               code->statement->from) != NULL;
    }
    if (bsim_parse_take(parse, "__syncthreads")) { /* a macro's: else it is a word of its own */
        return bsim_sketch_read_sync(code->sketch, code->statement);
    }
    if (bsim_parse_take(parse, "__syncwarp")) {
        return bsim_sketch_read_syncwarp(code->sketch, code->statement);
    }
    bool is_const = false;
    if (!skip_storage(parse, &is_const) || !refuse_control(parse)) {
        return false;
    }
    if (begins_declaration(parse)) {
        return read_declaration(code, is_const);
    }
    return refuse_word(parse) && read_expressions(code);
}

bool bsim_sketch_read_code(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                           size_t at, size_t end)
{
    struct code code = begin(sketch, statement);
    sketch->parse->source = &statement->source;
    if (!bsim_parse_start(sketch->parse, at, end)) {
        return false;
    }
    sketch->parse->reading = &code.reading;
    bool done = read_code(&code);
    sketch->parse->reading = NULL;
    return done;
}

/* ---- load and store -------------------------------------------------------------------------- */

/* An object alone is the access itself; a whole statement has it among others. */
static bool read_object(struct code *code, enum bsim_family family, size_t at)
{
    struct bsim_parse *parse = code->parse;
    const struct bsim_node *node = bsim_parse_expression(parse);
    bool is_load = family == BSIM_LD;
    if (node == NULL) {
        return false;
    }
    bool is_alone = parse->token->kind == CU_END || bsim_parse_sees(parse, ";");
    if (is_alone && (node->is_lvalue || !is_load || code->reading.n == 0)) {
        if (bsim_node_is_unknown(node)) {
            return bsim_parse_fail(parse, node->at, "%s", node->why);
        }
        return bsim_parse_end(parse) && add_loads(code) &&
               bsim_sketch_access_object(code->sketch, family, node, code->statement, at,
                                         code->statement->end);
    }
    if (!read_effect(code, node) || !bsim_parse_end(parse)) {
        return false;
    }
    return (is_load ? code->n_loads : code->n_stores) > 0 ||
           bsim_parse_fail(parse, at, "this %s nothing in shared memory",
                           is_load ? "loads" : "stores");
}

bool bsim_sketch_read_object(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct code code = begin(sketch, statement);
    size_t at = sketch->parse->at;
    sketch->parse->reading = &code.reading;
    bool done = read_object(&code, statement->word == BSIM_WORD_LOAD ? BSIM_LD : BSIM_ST, at);
    sketch->parse->reading = NULL;
    return done;
}
