/* access.c - access statements: which opcode an expression's type makes, and what it needs.
 *
 *     load EXPR          store EXPR          an object
 *     atomic OP [RESULT =] EXPR [, VALUE]    an object or its address; or CUDA's call (atomic.c)
 *     cp_async commit_group | wait_group N | wait_all | arrive ...   as PTX has them
 *     cp_async ca|cg[:BYTES] EXPR [, EXPR]   an object or its address: the shared side of a copy,
 *                                            and the one in global memory that it is from
 *     ldmatrix xN[.trans] EXPR               an object or an address: where the row begins
 *     stmatrix xN[.trans] EXPR
 *
 * Types of three elements (float3) take one request for each element, those of 32 bytes (double4)
 * two of 16, as compilers make of them. A struct as a whole is copied in pieces as large as its
 * alignment, 16 bytes at most: nvcc 13.0 does so with a struct in a static array all of whose
 * members are used, seen in its PTX for sm_90 with structs of 8 to 48 bytes. That is no rule of the
 * language: it leaves out members that nobody uses, copies an int at the end of a struct that
 * aligns to 8 apart from the padding behind it, and knows of an extern array that it begins at a
 * multiple of 16, which makes one access of a struct of four floats.
 */
#include "expr/atomic.h"
#include "expr/check.h"

#include <stdio.h>
#include <string.h>

enum { ROW_BYTES = 16, WIDEST = 16, OP_SIZE = 32 };

/* ---- opcodes --------------------------------------------------------------------------------- */

/* Of the opcode's element. */
static char letter_of(const struct cu_type *type)
{
    return bsim_cu_is_signed(type)     ? 's'
           : bsim_cu_is_integer(type)  ? 'u'
           : bsim_cu_is_floating(type) ? 'f'
                                       : 'b';
}

static void set_elements(struct bsim_access *access, const struct cu_type *element, uint64_t count)
{
    struct bsim_opcode *opcode = &access->shown.opcode;
    opcode->type = letter_of(element);
    opcode->bits = (uint8_t)(8 * element->size);
    opcode->count = (uint8_t)count;
    opcode->bytes = (uint8_t)(count * element->size);
}

/* A whole struct, in pieces of its alignment. */
static void set_pieces(struct bsim_access *access, const struct cu_type *type)
{
    struct bsim_opcode *opcode = &access->shown.opcode;
    uint32_t each = type->alignment < WIDEST ? type->alignment : WIDEST;
    access->shown.parts = (uint32_t)type->size / each;
    opcode->type = 'b';
    opcode->bits = each == WIDEST ? 32 : (uint8_t)(8 * each);
    opcode->count = each == WIDEST ? 4 : 1;
    opcode->bytes = (uint8_t)each;
}

/* A pointer that lies in memory. */
static void set_pointer(struct bsim_access *access)
{
    set_elements(access, bsim_cu_scalar(CU_ULONG), 1);
}

/* A load or store of `type`. */
static bool shape(struct bsim_parse *parse, const struct bsim_node *node,
                  struct bsim_access *access)
{
    const struct cu_type *type = node->type;
    if (!node->is_lvalue || type->kind == CU_ARRAY) {
        return bsim_parse_fail(
            parse, node->at,
            node->is_lvalue && type->kind == CU_ARRAY ? "this is an array as a whole: index it"
            : type->kind == CU_POINTER ? "this is an address: index it, or put a * before it"
                                       : "this is a number, not an element of a shared array");
    }
    access->shown.bytes = (uint32_t)type->size;
    access->shown.parts = 1;
    access->alignment = type->alignment;
    access->type_name = bsim_cu_type_text(parse->file, type);
    if (type->kind == CU_STRUCT && !type->is_vector) {
        set_pieces(access, type);
    } else if (type->kind == CU_POINTER) {
        set_pointer(access);
    } else if (type->kind != CU_STRUCT) {
        set_elements(access, type, 1);
    } else if (type->count == 3) {
        access->shown.parts = 3;
        set_elements(access, type->of, 1);
    } else {
        access->shown.parts = type->size > WIDEST ? (uint32_t)(type->size / WIDEST) : 1;
        set_elements(access, type->of, type->count / access->shown.parts);
    }
    return true;
}

/* What node names, for forms that take an address too. */
static const struct cu_type *target(const struct bsim_node *node)
{
    return node->is_lvalue ? node->type : node->type->kind == CU_POINTER ? node->type->of : NULL;
}

/* Of loads and stores; constants do not change. */
static bool is_volatile(const struct bsim_access *access, enum bsim_space space)
{
    uint8_t family = access->shown.opcode.family;
    return (family == BSIM_LD || family == BSIM_ST) && space != BSIM_CONST &&
           access->shown.opcode.path == BSIM_USUAL_PATH && access->node->type->is_volatile;
}

/* The memory that the access is to, which its address tells. */
static bool set_space(struct bsim_sketch *sketch, struct bsim_access *access)
{
    enum bsim_space space = bsim_check_space(sketch->check, access->node);
    bool is_read_only = access->node->kind == BSIM_NODE_RETYPE && access->node->number == 1;
    access->is_read_only = !is_read_only && access->shown.opcode.family == BSIM_LD &&
                           !access->node->type->is_volatile &&
                           bsim_check_is_read_only(sketch->check, access->node);
    access->shown.opcode.space = space == BSIM_NO_SPACE ? BSIM_SHARED : (uint8_t)space;
    access->shown.opcode.path = is_read_only || access->is_read_only ? BSIM_NC : BSIM_USUAL_PATH;
    access->shown.opcode.is_volatile = is_volatile(access, space);
    if (is_read_only && (space != BSIM_GLOBAL || access->shown.opcode.family != BSIM_LD)) {
        return bsim_parse_fail(sketch->parse, access->node->at, "__ldg reads global memory");
    }
    if (access->shown.opcode.family != BSIM_LD &&
        bsim_check_is_read_only(sketch->check, access->node)) {
        return bsim_parse_fail(sketch->parse, access->node->at,
                               "a kernel does not write through a pointer to const");
    }
    access->shown.is_operand =
        space == BSIM_CONST && !bsim_check_varies(sketch->check, access->node);
    return space != BSIM_CONST || access->shown.opcode.family == BSIM_LD ||
           bsim_parse_fail(sketch->parse, access->node->at,
                           "a kernel does not write to constant memory");
}

static bool check_shared(struct bsim_sketch *sketch, const struct bsim_node *node, const char *op)
{
    enum bsim_space space = bsim_check_space(sketch->check, node);
    return space == BSIM_NO_SPACE || space == BSIM_SHARED ||
           bsim_parse_fail(sketch->parse, node->at, "%s is of shared memory", op);
}

/* f16x2 and bf16x2: the letter of their opcode; 0 for other types. */
static char pair_letter(const struct cu_type *type)
{
    bool is_pair = type->is_vector && type->count == 2 && type->size == 4;
    return !is_pair                        ? '\0'
           : type->of->kind == CU_HALF     ? 'h'
           : type->of->kind == CU_BFLOAT16 ? 'n'
                                           : '\0';
}

static bool atomic_exists(const struct cu_type *type, enum bsim_operation operation)
{
    bool is_float = type->kind == CU_FLOAT || type->kind == CU_DOUBLE;
    bool is_integer = bsim_cu_is_integer(type) && type->size >= 4;
    if (operation == BSIM_INC || operation == BSIM_DEC) {
        return is_integer && type->size == 4;
    }
    return is_integer || (is_float && (operation == BSIM_ADD || operation == BSIM_EXCH)) ||
           (pair_letter(type) != '\0' && operation == BSIM_ADD);
}

/* As PTX has it: and, or, xor, exch and cas look at bits, inc and dec are unsigned, and so is the
 * addition of 8 bytes. */
static char atomic_letter(const struct cu_type *type, enum bsim_operation operation)
{
    bool is_unsigned = operation == BSIM_INC || operation == BSIM_DEC ||
                       (operation == BSIM_ADD && bsim_cu_is_signed(type) && type->size == 8);
    return operation >= BSIM_AND && operation <= BSIM_CAS ? 'b'
           : pair_letter(type) != '\0'                    ? pair_letter(type)
           : is_unsigned                                  ? 'u'
                                                          : letter_of(type);
}

/* The opcode of an atomic on one element: red if nobody uses its result and PTX has a red of it. */
static void set_atomic(struct bsim_access *access, const struct cu_type *type,
                       const struct bsim_atomic *atomic)
{
    struct bsim_opcode *opcode = &access->shown.opcode;
    bool has_red = atomic->operation != BSIM_EXCH && atomic->operation != BSIM_CAS;
    opcode->family = !atomic->is_used && has_red ? BSIM_RED : BSIM_ATOM;
    opcode->operation = (uint8_t)atomic->operation;
    opcode->type = atomic_letter(type, atomic->operation);
    opcode->bits = (uint8_t)(8 * type->size);
    opcode->count = 1;
    opcode->bytes = (uint8_t)type->size;
}

/* Additions of 1 that are merged: of shared memory alone. */
static void set_increment(struct bsim_access *access, const struct cu_type *type,
                          const struct bsim_atomic *atomic)
{
    struct bsim_opcode *opcode = &access->shown.opcode;
    if (opcode->family == BSIM_RED && atomic->is_one && bsim_cu_is_integer(type) &&
        type->size == 4) {
        opcode->operation = BSIM_POPC_INC;
        opcode->type = 'u';
        access->shown.assumes_one = atomic->assumes_one;
    }
}

static bool shape_atomic(struct bsim_sketch *sketch, const struct bsim_atomic *atomic,
                         struct bsim_access *access)
{
    struct bsim_parse *parse = sketch->parse;
    const struct cu_type *type = target(atomic->place);
    if (type == NULL || !atomic_exists(type, atomic->operation)) {
        return bsim_parse_fail(parse, atomic->place->at,
                               "there is no such atomic on '%s': add, min, max, and, or, xor, exch "
                               "and cas take integers of 4 or 8 bytes, inc and dec of 4, add and "
                               "exch float and double too, add __half2 and __nv_bfloat162",
                               type == NULL             ? "a number"
                               : type->kind == CU_ARRAY ? "an array"
                                                        : bsim_cu_type_text(parse->file, type));
    }
    access->shown.bytes = (uint32_t)type->size;
    access->shown.parts = 1;
    access->alignment = type->alignment;
    access->type_name = bsim_cu_type_text(parse->file, type);
    access->node = atomic->place;
    set_atomic(access, type, atomic);
    if (!set_space(sketch, access)) {
        return false;
    }
    if (access->shown.opcode.space == BSIM_SHARED) {
        set_increment(access, type, atomic);
    }
    return true;
}

static bool shape_matrix(struct bsim_parse *parse, const struct bsim_node *node, uint8_t count,
                         bool is_transposed, struct bsim_access *access)
{
    if (target(node) == NULL) {
        return bsim_parse_fail(parse, node->at, "this is a number, not the address of a row");
    }
    access->shown.bytes = ROW_BYTES;
    access->shown.parts = 1;
    access->alignment = ROW_BYTES;
    access->type_name = "a matrix row";
    access->shown.opcode.type = 'b';
    access->shown.opcode.bits = 16;
    access->shown.opcode.count = count;
    access->shown.opcode.bytes = ROW_BYTES;
    access->shown.opcode.is_transposed = is_transposed;
    return true;
}

/* `bytes` of cp.async, or 0: the size of what it is given; past L1 16. */
static bool shape_copy(struct bsim_parse *parse, const struct bsim_node *node, bool bypasses,
                       uint64_t bytes, struct bsim_access *access)
{
    char name[OP_SIZE];
    const struct cu_type *type = target(node);
    if (type == NULL) {
        return bsim_parse_fail(parse, node->at, "this is a number, not what a copy is stored to");
    }
    bytes = bytes > 0 ? bytes : bypasses ? WIDEST : type->size;
    (void)snprintf(name, sizeof name, "cp.async.%s.shared.global.%u", bypasses ? "cg" : "ca",
                   (unsigned)bytes);
    if (bytes > WIDEST ||
        bsim_opcode_parse(name, strlen(name), &access->shown.opcode, NULL) != BSIM_OK) {
        return bsim_parse_fail(
            parse, node->at,
            bypasses ? "cp.async.cg copies 16 bytes: leave out how many"
                     : "cp.async copies 4, 8 or 16 bytes, and this has another size: say it, "
                       "as in cp_async ca:16");
    }
    access->shown.bytes = (uint32_t)bytes;
    access->shown.parts = 1;
    access->alignment = (uint32_t)bytes;
    access->type_name = "cp.async";
    return true;
}

/* ---- words before the expression ------------------------------------------------------------- */

/* Refuses an atomic's result or value that is itself in shared memory: that is an access more. */
static bool check_around(struct bsim_parse *parse, struct bsim_extent around, const char *what)
{
    const struct cu_token *token =
        bsim_cu_tokens_in(parse->file, parse->source, around.at, around.end);
    for (; token->kind != CU_END; token = token->next) {
        size_t at = (size_t)(token->at - parse->source->text);
        bool is_name = token->kind == CU_NAME;
        if (is_name && token->length >= 6 && memcmp(token->text, "__shfl", 6) == 0) {
            return bsim_parse_fail(parse, at,
                                   "%s is shuffled: set a variable to that before it, and name it "
                                   "here",
                                   what);
        }
        const struct bsim_symbol *symbol =
            is_name ? bsim_scope_find(parse->scope, token->text, token->length) : NULL;
        if (symbol != NULL && symbol->kind == BSIM_NODE_ARRAY) {
            return bsim_parse_fail(parse, at,
                                   "%s is an access of its own to %s: write it as one, and a name "
                                   "here",
                                   what, symbol->name);
        }
    }
    return true;
}

static bool read_atomic(struct bsim_parse *parse, struct bsim_atomic *atomic)
{
    return bsim_atomic_read(parse, atomic) && bsim_parse_end(parse) &&
           check_around(parse, atomic->result, "where the result goes") &&
           check_around(parse, atomic->value, "the value");
}

/* count = ["."] ("x1" | "x2" | "x4") ["." "trans"] */
static bool read_count(struct bsim_parse *parse, uint8_t *count, bool *is_transposed)
{
    (void)bsim_parse_take(parse, ".");
    *count = bsim_parse_sees(parse, "x1")   ? 1
             : bsim_parse_sees(parse, "x2") ? 2
             : bsim_parse_sees(parse, "x4") ? 4
                                            : 0;
    if (*count == 0) {
        return bsim_parse_fail(parse, parse->at,
                               "before its expression a matrix form has x1, x2 or x4, and perhaps "
                               ".trans");
    }
    *is_transposed = false;
    if (!bsim_parse_advance(parse)) {
        return false;
    }
    if (bsim_parse_take(parse, ".")) {
        *is_transposed = true;
        return bsim_parse_expect(parse, "trans");
    }
    return parse->status == BSIM_OK;
}

/* A number alone: an expression would take in the * of what follows. */
static bool read_bytes(struct bsim_parse *parse, uint64_t *bytes)
{
    *bytes = parse->token->kind == CU_NUMBER && parse->number <= WIDEST ? parse->number : 0;
    return *bytes > 0 ? bsim_parse_advance(parse)
                      : bsim_parse_fail(parse, parse->at, "cp.async copies 4, 8 or 16 bytes");
}

/* copy = ("ca" | "cg") [":" BYTES] */
static bool read_copy(struct bsim_parse *parse, bool *bypasses, uint64_t *bytes)
{
    *bypasses = bsim_parse_take(parse, "cg");
    if (!*bypasses && !bsim_parse_take(parse, "ca")) {
        return bsim_parse_fail(parse, parse->at,
                               "before its expression cp_async has ca or cg, and perhaps :4, :8 or "
                               ":16; without one it is commit_group, wait_group, wait_all or arrive");
    }
    return bsim_parse_take(parse, ":") ? read_bytes(parse, bytes) : parse->status == BSIM_OK;
}

/* from = ["," EXPR], an object in global memory or its address */
static bool read_from(struct bsim_sketch *sketch, struct bsim_access *access)
{
    struct bsim_parse *parse = sketch->parse;
    if (!bsim_parse_take(parse, ",")) {
        return parse->status == BSIM_OK;
    }
    access->from = bsim_parse_expression(parse);
    if (access->from == NULL) {
        return false;
    }
    if (target(access->from) == NULL ||
        bsim_check_space(sketch->check, access->from) != BSIM_GLOBAL) {
        return bsim_parse_fail(parse, access->from->at,
                               "cp.async copies from global memory: this is no element of a "
                               "__global__ array");
    }
    return true;
}

/* ---- statements ------------------------------------------------------------------------------ */

static enum bsim_family family_of(enum bsim_check_word word)
{
    static const enum bsim_family family[] = {BSIM_LD,       BSIM_ST,       BSIM_ATOM,
                                              BSIM_CP_ASYNC, BSIM_LDMATRIX, BSIM_STMATRIX};
    return family[word - BSIM_WORD_LOAD];
}

bool bsim_sketch_name(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                      const char *op, size_t from, size_t to, struct bsim_check_access *shown)
{
    struct bsim_check *check = sketch->check;
    shown->op = bsim_arena_text(&check->file.arena, op, strlen(op));
    shown->text = bsim_check_copy(check, &statement->source, from, to);
    if (statement->unit > 0) {
        shown->file = statement->source.name;
        shown->line = (uint32_t)bsim_cu_line(&statement->source, from);
    }
    return (shown->op != NULL && shown->text != NULL) || bsim_parse_no_memory(sketch->parse);
}

bool bsim_sketch_append(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                        enum bsim_step_kind kind, struct bsim_access *access)
{
    struct bsim_check *check = sketch->check;
    access->loop = sketch->loop;
    access->turns = sketch->turns;
    if (!bsim_check_grow((void **)&check->access, check->n_accesses, sizeof *check->access)) {
        return bsim_parse_no_memory(sketch->parse);
    }
    struct bsim_step *step =
        bsim_sketch_add(sketch, kind, &statement->source, access->node->at);
    step->access = check->n_accesses;
    check->met = kind == BSIM_STEP_ASYNC ? step : check->met;
    check->access[check->n_accesses++] = *access;
    return true;
}

static bool append(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                   struct bsim_access *access)
{
    return bsim_sketch_append(sketch, statement, BSIM_STEP_ACCESS, access);
}

bool bsim_sketch_access_object(struct bsim_sketch *sketch, enum bsim_family family,
                               const struct bsim_node *node, const struct bsim_statement *statement,
                               size_t from, size_t to)
{
    struct bsim_access access = {.node = node, .shown.opcode = {.family = (uint8_t)family}};
    return shape(sketch->parse, node, &access) && set_space(sketch, &access) &&
           bsim_sketch_name(sketch, statement, family == BSIM_LD ? "load" : "store", from, to,
                            &access.shown) &&
           append(sketch, statement, &access);
}

/* The words before the expression, and how the report calls the access. */
struct form {
    uint8_t count;
    bool is_transposed;
    bool bypasses;
    uint64_t bytes;
    char op[OP_SIZE];
};

static bool read_form(struct bsim_parse *parse, enum bsim_check_word word, struct form *form)
{
    switch (word) {
    case BSIM_WORD_CP_ASYNC:
        if (!read_copy(parse, &form->bypasses, &form->bytes)) {
            return false;
        }
        (void)snprintf(form->op, OP_SIZE, "cp.async %s", form->bypasses ? "cg" : "ca");
        return true;
    default:
        if (!read_count(parse, &form->count, &form->is_transposed)) {
            return false;
        }
        (void)snprintf(form->op, OP_SIZE, "%s x%u%s", bsim_check_word(word), (unsigned)form->count,
                       form->is_transposed ? ".trans" : "");
        return true;
    }
}

static bool shape_form(struct bsim_parse *parse, enum bsim_check_word word, const struct form *form,
                       struct bsim_access *access)
{
    switch (word) {
    case BSIM_WORD_CP_ASYNC:
        return shape_copy(parse, access->node, form->bypasses, form->bytes, access);
    default:
        return shape_matrix(parse, access->node, form->count, form->is_transposed, access);
    }
}

/* "atomic add 1", "atomic max" */
static void put_atomic(const struct bsim_access *access, const struct bsim_atomic *atomic,
                       char op[OP_SIZE])
{
    bool is_merged = access->shown.opcode.operation == BSIM_POPC_INC;
    (void)snprintf(op, OP_SIZE, "atomic %s",
                   is_merged ? "add 1" : bsim_atomic_word(atomic->operation - BSIM_ADD));
}

bool bsim_sketch_read_atomic(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_atomic atomic;
    char op[OP_SIZE];
    struct bsim_access access = {.node = NULL};
    if (!read_atomic(parse, &atomic) || !shape_atomic(sketch, &atomic, &access)) {
        return false;
    }
    put_atomic(&access, &atomic, op);
    return bsim_sketch_name(sketch, statement, op, atomic.at, statement->end, &access.shown) &&
           append(sketch, statement, &access);
}

bool bsim_sketch_read_call(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                           bool is_used)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_atomic atomic;
    char op[OP_SIZE];
    struct bsim_access access = {.node = NULL};
    if (!bsim_atomic_read(parse, &atomic) || !check_around(parse, atomic.value, "the value")) {
        return false;
    }
    if (bsim_node_is_unknown(atomic.place)) {
        return true; /* on other memory */
    }
    atomic.is_used = is_used;
    if (!shape_atomic(sketch, &atomic, &access)) {
        return false;
    }
    put_atomic(&access, &atomic, op);
    return bsim_sketch_name(sketch, statement, op, atomic.place->from, atomic.place->to,
                            &access.shown) &&
           append(sketch, statement, &access);
}

/* The groups that a warp's copies are awaited in. */
static bool read_copy_group(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    bool commits = bsim_parse_take(parse, "commit_group");
    int64_t left = 0;
    if (!commits && bsim_parse_take(parse, "wait_all")) {
        left = BSIM_ALL_COPIES;
    } else if (!commits && (!bsim_parse_expect(parse, "wait_group") ||
                            !bsim_parse_constant(parse, "how many groups may be left", 0, BSIM_ALL_COPIES - 1, &left))) {
        return false;
    }
    if (!bsim_parse_end(parse)) {
        return false;
    }
    struct bsim_step *step = bsim_sketch_add(sketch, commits ? BSIM_STEP_COPIES_COMMIT : BSIM_STEP_COPIES_WAIT,
                                             &statement->source, statement->from);
    step->times = (uint32_t)left;
    sketch->check->awaits_copies |= !commits;
    return true;
}

bool bsim_sketch_read_access(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    struct form form = {.bytes = 0};
    struct bsim_access access = {
        .shown.opcode = {.family = (uint8_t)family_of(statement->word), .space = BSIM_SHARED}};
    if (statement->word == BSIM_WORD_ATOMIC) {
        return bsim_sketch_read_atomic(sketch, statement);
    }
    if (statement->word == BSIM_WORD_CP_ASYNC && bsim_parse_sees_any(parse, "commit_group wait_group wait_all")) {
        return read_copy_group(sketch, statement);
    }
    if (!read_form(parse, statement->word, &form)) {
        return false;
    }
    size_t at = parse->at;
    access.node = bsim_parse_expression(parse);
    bool is_copy = statement->word == BSIM_WORD_CP_ASYNC;
    return access.node != NULL && (!is_copy || read_from(sketch, &access)) &&
           bsim_parse_end(parse) && check_shared(sketch, access.node, form.op) &&
           shape_form(parse, statement->word, &form, &access) &&
           bsim_sketch_name(sketch, statement, form.op, at, statement->end, &access.shown) &&
           append(sketch, statement, &access);
}
