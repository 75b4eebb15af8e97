/* async.c - statements about copies by TMA, wgmma, and the mbarriers by which warps wait for them.
 *
 *     tma    = ("load" TILE "," FROM "," MBARRIER) | (("store" | "reduce") TILE "," TO) | groups
 *     wgmma  = SHAPE (OPERAND | "registers") "," OPERAND | groups
 *     groups = "commit_group" | "wait_group" N            as PTX has them: all but the last N are done
 *     arrive = MBARRIER ["," BYTES]                       with bytes: mbarrier.arrive.expect_tx
 *     cp_async arrive ["noinc"] MBARRIER                   cp.async.mbarrier.arrive: when the threads' copies so far are there
 *     wait   = MBARRIER "," PARITY                        mbarrier.try_wait.parity until it is true
 *
 * TILE is an array of shared memory, whole or by its first indices, whose dimensions are the box; FROM
 * and TO are the elements of a global array at which the box begins. SHAPE is m64n128k16; OPERAND is an element
 * of shared memory, at which the rows of A or the columns of B begin, perhaps with "major" "=" ("K" | "MN"): a
 * tile [rows][k], which is the default, or [k][rows].
 */
#include "expr/check.h"

#include <banksim/model.h>

#include <stdio.h>
#include <string.h>

enum { OP_SIZE = 32 };

static bool is_shared(const struct bsim_sketch *sketch, const struct bsim_node *node)
{
    return bsim_check_space(sketch->check, node) == BSIM_SHARED;
}

static bool is_mbarrier(const struct bsim_check *check, size_t array)
{
    size_t i = 0;
    while (i < check->n_mbarriers && check->mbarrier[i].array != array) {
        i++;
    }
    return i < check->n_mbarriers;
}

/* The array whose tile the node names keeps its layout; of a pointer it may be any. */
static void mark_tile(struct bsim_sketch *sketch, const struct bsim_node *node)
{
    while (node->a != NULL && node->kind != BSIM_NODE_VARIABLE && node->kind != BSIM_NODE_CHOOSE) {
        node = node->a;
    }
    for (size_t i = 0; i < sketch->check->n_arrays; i++) {
        struct bsim_check_array *array = &sketch->check->array[i];
        bool may_be = node->kind == BSIM_NODE_ARRAY ? i == node->number : array->space == BSIM_SHARED;
        array->is_tile |= may_be && !is_mbarrier(sketch->check, i);
    }
}

/* A meeting takes place once. */
static bool check_times(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    return sketch->n_times == 0 ||
           bsim_parse_fail(sketch->parse, statement->from,
                           "of 'times' one turn is played for all, and what warps wait for has a phase of its own in "
                           "each: use a for");
}

static struct bsim_step *add(struct bsim_sketch *sketch, enum bsim_step_kind kind,
                             const struct bsim_statement *statement)
{
    struct bsim_step *step = bsim_sketch_add(sketch, kind, &statement->source, statement->from);
    sketch->check->met = step;
    return step;
}

/* ---- mbarriers ------------------------------------------------------------------------------- */

/* An element of an array that `mbarrier` declares: of what else is the address of one? */
static const struct bsim_node *read_barrier(struct bsim_sketch *sketch)
{
    struct bsim_parse *parse = sketch->parse;
    const struct bsim_node *node = bsim_parse_expression(parse);
    if (node == NULL) {
        return NULL;
    }
    const struct bsim_node *from = node;
    while (from->a != NULL && from->kind >= BSIM_NODE_FORWARD) {
        from = from->a;
    }
    bool is_one = node->is_lvalue && node->type->kind == CU_ULONG && from->kind == BSIM_NODE_ARRAY;
    for (size_t i = 0; is_one && i < sketch->check->n_mbarriers; i++) {
        if (sketch->check->mbarrier[i].array == from->number) {
            return node;
        }
    }
    (void)bsim_parse_fail(parse, node->at, "this is no mbarrier: declare one, as in mbarrier full[4]: 1");
    return NULL;
}

/* MBARRIER ["," BYTES] | MBARRIER "," PARITY */
bool bsim_sketch_read_mbarrier(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    bool waits = statement->word == BSIM_WORD_WAIT;
    const struct bsim_node *value = NULL, *node = read_barrier(sketch);
    if (node == NULL || !check_times(sketch, statement)) {
        return false;
    }
    if (waits && !bsim_parse_sees(parse, ",")) {
        return bsim_parse_fail(parse, parse->at,
                               "a wait says for which parity, as in wait full[k %% N], k / N & 1: that of the phase "
                               "which is to be over, 0 of the first");
    }
    if (bsim_parse_take(parse, ",")) {
        value = bsim_build_integer(parse, bsim_parse_expression(parse));
        if (value == NULL) {
            return false;
        }
    }
    struct bsim_step *step =
        bsim_parse_end(parse) ? add(sketch, waits ? BSIM_STEP_WAIT : BSIM_STEP_ARRIVE, statement) : NULL;
    if (step != NULL) {
        step->node = node;
        step->value = value;
    }
    return step != NULL;
}

/* With noinc the copies of a thread are one of the mbarrier's arrivals, as in PTX; else they come besides. */
bool bsim_sketch_read_copies_arrive(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    bool is_counted = bsim_parse_take(sketch->parse, "noinc");
    const struct bsim_node *node = read_barrier(sketch);
    if (node == NULL || !check_times(sketch, statement) || !bsim_parse_end(sketch->parse)) {
        return false;
    }
    struct bsim_step *step = add(sketch, BSIM_STEP_COPIES_ARRIVE, statement);
    if (step != NULL) {
        step->node = node;
        step->times = is_counted;
        sketch->check->awaits_copies = true;
    }
    return step != NULL;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool sees_group(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "commit_group wait_group");
}

static bool read_group(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    bool waits = bsim_parse_take(parse, "wait_group");
    int64_t n = 0;
    if (waits ? !bsim_parse_constant(parse, "how many groups may be left", 0, BSIM_GROUPS - 1, &n)
              : !bsim_parse_advance(parse)) {
        return false;
    }
    struct bsim_step *step =
        bsim_parse_end(parse) ? add(sketch, waits ? BSIM_STEP_RETIRE : BSIM_STEP_COMMIT, statement) : NULL;
    if (step != NULL) {
        step->of = statement->word == BSIM_WORD_WGMMA ? BSIM_GROUP_OF_WGMMA : BSIM_GROUP_OF_TMA;
        step->times = (uint32_t)n;
    }
    return step != NULL;
}

/* ---- TMA ------------------------------------------------------------------------------------- */

/* The box of a tile: its dimensions, the innermost first. */
static bool measure(struct bsim_parse *parse, const struct bsim_node *tile, struct bsim_tma *copy)
{
    uint32_t side[BSIM_TMA_MAX_DIMS];
    const struct cu_type *type = tile->type;
    if (!tile->is_lvalue || type->kind != CU_ARRAY) {
        return bsim_parse_fail(parse, tile->at,
                               "this is no tile: name an array by its first indices, as A[s] of half A[4][64][64], "
                               "and its other dimensions are the box");
    }
    for (; type->kind == CU_ARRAY; type = type->of) {
        if (copy->n_dims == BSIM_TMA_MAX_DIMS || type->count > BSIM_TMA_MAX_BOX || type->count == 0) {
            return bsim_parse_fail(parse, tile->at,
                                   "a box has 1 to %d dimensions of 1 to %d elements each: name a part of the "
                                   "array, as A[s]",
                                   BSIM_TMA_MAX_DIMS, BSIM_TMA_MAX_BOX);
        }
        side[copy->n_dims++] = (uint32_t)type->count;
    }
    for (uint32_t d = 0; d < copy->n_dims; d++) {
        copy->box[d] = side[copy->n_dims - 1 - d];
    }
    copy->element_bytes = (uint32_t)type->size;
    bool fits = type->kind != CU_STRUCT && type->size <= 8;
    return fits || bsim_parse_fail(parse, tile->at, "TMA copies numbers of 1, 2, 4 or 8 bytes");
}

/* Whether it is an element of an array that is const. */
static bool is_const(const struct bsim_sketch *sketch, const struct bsim_node *node)
{
    while (node->a != NULL && node->kind >= BSIM_NODE_FORWARD) {
        node = node->a;
    }
    return node->kind == BSIM_NODE_ARRAY && sketch->check->array[node->number].is_const;
}

/* "," FROM or TO, an element of global memory */
static const struct bsim_node *read_global(struct bsim_sketch *sketch, const struct bsim_tma *copy)
{
    struct bsim_parse *parse = sketch->parse;
    const struct bsim_node *node = bsim_parse_expect(parse, ",") ? bsim_parse_expression(parse) : NULL;
    if (node == NULL) {
        return NULL;
    }
    if (bsim_check_space(sketch->check, node) != BSIM_GLOBAL || !node->is_lvalue) {
        (void)bsim_parse_fail(parse, node->at,
                              "TMA copies between shared and global memory: behind the tile stands the element of a "
                              "'global' array at which the box begins");
        return NULL;
    }
    if (node->type->size != copy->element_bytes) {
        (void)bsim_parse_fail(parse, node->at,
                              "the tile has elements of %u bytes, and this is one of %u",
                              (unsigned)copy->element_bytes, (unsigned)node->type->size);
        return NULL;
    }
    if (copy->way != BSIM_TMA_LOAD && is_const(sketch, node)) {
        (void)bsim_parse_fail(parse, node->at, "this array is const, and a tma %s writes to it",
                              copy->way == BSIM_TMA_STORE ? "store" : "reduce");
        return NULL;
    }
    return node;
}

static bool read_way(struct bsim_parse *parse, struct bsim_tma *copy)
{
    static const char *const ways[] = {"load", "store", "reduce"};
    for (int way = 0; way < 3; way++) {
        if (bsim_parse_take(parse, ways[way])) {
            copy->way = (enum bsim_tma_way)way;
            return true;
        }
    }
    return bsim_parse_wants(parse, "load, store, reduce, commit_group or wait_group");
}

/* What a load's mbarrier is for: "," MBARRIER */
static bool read_completion(struct bsim_sketch *sketch, struct bsim_async_form *form)
{
    struct bsim_parse *parse = sketch->parse;
    if (form->copy.way != BSIM_TMA_LOAD) {
        return true;
    }
    if (!bsim_parse_take(parse, ",")) {
        return bsim_parse_fail(parse, parse->at,
                               "a load says at which mbarrier its bytes arrive: tma load TILE, FROM, MBARRIER");
    }
    form->barrier = read_barrier(sketch);
    return form->barrier != NULL;
}

static void name_bulk(const struct bsim_tma *copy, struct bsim_access *access)
{
    static const uint8_t operation[] = {BSIM_TO_SHARED, BSIM_TO_GLOBAL, BSIM_ADD};
    access->shown.opcode = (struct bsim_opcode){.family = BSIM_BULK,
                                                .operation = operation[copy->way],
                                                .count = (uint8_t)copy->n_dims};
    access->shown.bytes = bsim_tma_rows(copy) * bsim_tma_row_bytes(copy);
    access->shown.parts = 1;
}

static bool read_tma(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                     struct bsim_async_form *form)
{
    static const char *const op[] = {"tma load", "tma store", "tma reduce"};
    struct bsim_parse *parse = sketch->parse;
    struct bsim_access access = {.async = form};
    if (!read_way(parse, &form->copy)) {
        return false;
    }
    size_t at = parse->at;
    access.node = bsim_parse_expression(parse);
    if (access.node == NULL || !measure(parse, access.node, &form->copy)) {
        return false;
    }
    if (!is_shared(sketch, access.node)) {
        return bsim_parse_fail(parse, access.node->at, "the tile lies in shared memory, and stands first");
    }
    access.from = read_global(sketch, &form->copy);
    if (access.from == NULL || !read_completion(sketch, form) || !bsim_parse_end(parse)) {
        return false;
    }
    name_bulk(&form->copy, &access);
    mark_tile(sketch, access.node);
    return bsim_sketch_name(sketch, statement, op[form->copy.way], at, statement->end, &access.shown) &&
           bsim_sketch_append(sketch, statement, BSIM_STEP_ASYNC, &access);
}

/* ---- wgmma ----------------------------------------------------------------------------------- */

/* PTX's name for what elements of the type are to the tensor cores; NULL: nothing. */
static const char *type_word(const struct cu_type *type)
{
    switch (type->kind) {
    case CU_HALF:
        return "f16";
    case CU_BFLOAT16:
        return "bf16";
    case CU_FLOAT:
        return "tf32";
    case CU_FP8:
        return "e4m3";
    case CU_CHAR:
        return "s8";
    case CU_UCHAR:
        return "u8";
    default:
        return NULL;
    }
}

/* An element of a tile, and perhaps which way that lies. */
static const struct bsim_node *read_operand(struct bsim_sketch *sketch, bool *is_mn_major)
{
    struct bsim_parse *parse = sketch->parse;
    const struct bsim_node *node = bsim_parse_expression(parse);
    if (node == NULL) {
        return NULL;
    }
    if (!node->is_lvalue || !is_shared(sketch, node) || type_word(node->type) == NULL) {
        (void)bsim_parse_fail(parse, node->at,
                              "an operand of wgmma is an element of shared memory at which it begins: half, "
                              "__nv_bfloat16, float (as tf32), __nv_fp8_e4m3, char or unsigned char");
        return NULL;
    }
    if (bsim_parse_take(parse, "major")) {
        *is_mn_major = bsim_parse_expect(parse, "=") && bsim_parse_sees(parse, "MN");
        if (!bsim_parse_take(parse, "MN") && !bsim_parse_expect(parse, "K")) {
            return NULL;
        }
    }
    if (*is_mn_major && node->type->size != 2) {
        (void)bsim_parse_fail(parse, node->at, "only operands of 2 bytes may be major=MN");
        return NULL;
    }
    return parse->status == BSIM_OK ? node : NULL;
}

/* SHAPE of elements of that type. */
static bool set_shape(struct bsim_parse *parse, const char *shape, size_t at, const struct cu_type *type,
                      struct bsim_access *access)
{
    char text[OP_SIZE], name[BSIM_OPCODE_NAME_SIZE];
    struct bsim_wgmma wgmma;
    struct bsim_error why;
    (void)snprintf(text, sizeof text, "%s %s", shape, type_word(type));
    if (bsim_wgmma_parse(text, &wgmma, &why) != BSIM_OK) {
        return bsim_parse_fail(parse, at, "%s", why.message);
    }
    (void)snprintf(name, sizeof name, "wgmma.mma_async.sync.aligned.%s.%s", shape, type_word(type));
    access->shown.parts = 1;
    return bsim_opcode_parse(name, strlen(name), &access->shown.opcode, NULL) == BSIM_OK ||
           bsim_parse_fail(parse, at, "there is no %s", name);
}

static bool read_wgmma(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                       struct bsim_async_form *form)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_access access = {.async = form};
    char shape[16], op[OP_SIZE];
    size_t shape_at = parse->at;
    (void)snprintf(shape, sizeof shape, "%.*s", bsim_cu_shown(parse->token), parse->token->text);
    if (strncmp(shape, "m64n", 4) != 0) {
        return bsim_parse_wants(parse, "a shape such as m64n128k16, commit_group or wait_group");
    }
    size_t at = bsim_parse_advance(parse) ? parse->at : 0;
    form->a_in_registers = bsim_parse_take(parse, "registers");
    if (!form->a_in_registers) {
        access.node = read_operand(sketch, &form->is_mn_major[0]);
    }
    if (parse->status != BSIM_OK || !bsim_parse_expect(parse, ",")) {
        return false;
    }
    form->b = read_operand(sketch, &form->is_mn_major[1]);
    if (form->b == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    access.node = access.node == NULL ? form->b : access.node;
    if (type_word(access.node->type) != type_word(form->b->type)) {
        return bsim_parse_fail(parse, form->b->at, "A has elements of another type");
    }
    (void)snprintf(op, sizeof op, "wgmma %s", shape);
    mark_tile(sketch, access.node);
    mark_tile(sketch, form->b);
    return set_shape(parse, shape, shape_at, form->b->type, &access) &&
           bsim_sketch_name(sketch, statement, op, at, statement->end, &access.shown) &&
           bsim_sketch_append(sketch, statement, BSIM_STEP_ASYNC, &access);
}

bool bsim_sketch_read_async(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_async_form *form = bsim_cu_take(parse->file, sizeof *form);
    if (!check_times(sketch, statement)) {
        return false;
    }
    return sees_group(parse)                    ? read_group(sketch, statement)
           : statement->word == BSIM_WORD_TMA ? read_tma(sketch, statement, form)
                                                : read_wgmma(sketch, statement, form);
}
