/* eval.c - walks a tree once for a warp, all lanes of a node before the next node.
 *
 * && || and ?: evaluate an operand in the lanes alone that need it, so what is undefined in a lane
 * that C would not evaluate is no fault. A variable that is set to something undefined is no fault
 * either before an expression asks for it in that lane.
 */
#include "expr/eval.h"

#include "expr/arith.h"
#include "expr/lanes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* No address that is meant goes as far; sums of some hundred such steps fit 64 bits. */
static const uint64_t far_bytes = UINT64_C(1) << 40;

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool has(uint32_t mask, uint32_t lane)
{
    return (mask >> lane & 1) != 0;
}

static void fill(uint32_t mask, uint64_t value, struct bsim_lanes *out)
{
    if (mask == BSIM_FULL_MASK) {
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            out->value[lane] = value;
        }
        return;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (has(mask, lane)) {
            out->value[lane] = value;
        }
    }
}

static void copy(uint32_t mask, const struct bsim_lanes *from, struct bsim_lanes *out)
{
    if (mask == BSIM_FULL_MASK) {
        *out = *from;
        return;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (has(mask, lane)) {
            out->value[lane] = from->value[lane];
            out->array[lane] = from->array[lane];
        }
    }
}

static uint32_t nonzero(uint32_t mask, const struct bsim_lanes *lanes)
{
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (has(mask, lane) && lanes->value[lane] != 0) {
            found |= UINT32_C(1) << lane;
        }
    }
    return found;
}

/* ---- faults ---------------------------------------------------------------------------------- */

enum { WHERE_SIZE = 256 };

/* "thread (0,4,0), i = 3, j = 0: " */
static void describe(const struct bsim_eval *eval, uint32_t lane, char where[WHERE_SIZE])
{
    const struct bsim_dim3 *thread = &eval->thread[lane];
    size_t used = 0;
    if (eval->has_threads) {
        (void)snprintf(where, WHERE_SIZE, "thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", thread->x,
                       thread->y, thread->z);
        used = strlen(where);
    }
    for (size_t i = 0; i < eval->n_loops && used < WHERE_SIZE / 2; i++) {
        const struct bsim_lanes *lanes = &eval->variable[eval->loop[i].variable].lanes;
        (void)snprintf(where + used, WHERE_SIZE - used, ", %.40s = %" PRId64, eval->loop[i].name,
                       (int64_t)lanes->value[lane]);
        used = strlen(where);
    }
    (void)snprintf(where + used, WHERE_SIZE - used, "%s", used > 0 ? ": " : "");
}

enum bsim_status bsim_eval_fault(const struct bsim_eval *eval, const struct bsim_node *node,
                                 uint32_t lane, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    char where[WHERE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    describe(eval, lane, where);
    return bsim_cu_error(node->source, node->at, eval->err, "%s%s", where, message);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void eval_index(const struct bsim_eval *eval, const struct bsim_index *index, uint32_t mask,
                       struct bsim_lanes *out)
{
    uint64_t first = (uint64_t)eval->uniform[BSIM_BUILTIN_WARP] * BSIM_WARP_LANES;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (has(mask, lane)) {
            out->value[lane] = bsim_index_value(index, eval->seed, first + lane);
        }
    }
}

static void eval_builtin(const struct bsim_eval *eval, uint64_t builtin, uint32_t mask,
                         struct bsim_lanes *out)
{
    if (builtin > BSIM_BUILTIN_THREAD + 2 && builtin != BSIM_BUILTIN_LANE) {
        fill(mask, eval->uniform[builtin], out);
        return;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        const struct bsim_dim3 *thread = &eval->thread[lane];
        if (has(mask, lane)) {
            out->value[lane] = builtin == BSIM_BUILTIN_LANE         ? lane
                               : builtin == BSIM_BUILTIN_THREAD     ? thread->x
                               : builtin == BSIM_BUILTIN_THREAD + 1 ? thread->y
                                                                    : thread->z;
        }
    }
}

static void eval_array(uint64_t array, uint32_t mask, struct bsim_lanes *out)
{
    fill(mask, 0, out);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if (has(mask, lane)) {
            out->array[lane] = (uint32_t)array;
        }
    }
}

/* Why the variable has no value in that lane: setting it again tells, where nothing that it was
 * made of has changed since. */
static enum bsim_status fault_variable(struct bsim_eval *eval, const struct bsim_node *node,
                                       uint32_t lane)
{
    const struct bsim_node *last = eval->variable[node->number].last;
    struct bsim_lanes again;
    if (last != NULL && last->kind == BSIM_NODE_UNKNOWN) {
        return bsim_cu_error(node->source, node->at, eval->err,
                             "this variable's value is not known here: %s", last->why);
    }
    if (last != NULL && !eval->asks_why) {
        eval->asks_why = true; /* variables may be made of one another */
        enum bsim_status status = bsim_eval(eval, last, UINT32_C(1) << lane, &again);
        eval->asks_why = false;
        if (status != BSIM_OK) {
            return status;
        }
    }
    return bsim_eval_fault(eval, node, lane,
                           "this variable has no value here: it is not set yet, "
                           "or to something undefined");
}

static enum bsim_status eval_variable(struct bsim_eval *eval, const struct bsim_node *node,
                                      uint32_t mask, struct bsim_lanes *out)
{
    const struct bsim_variable *variable = &eval->variable[node->number];
    uint32_t missing = mask & ~variable->known;
    uint32_t lane = 0;
    if (missing == 0) {
        copy(mask, &variable->lanes, out);
        return BSIM_OK;
    }
    while (!has(missing, lane)) {
        lane++;
    }
    return fault_variable(eval, node, lane);
}

/* ---- integers -------------------------------------------------------------------------------- */

static enum bsim_status eval_unary(struct bsim_eval *eval, const struct bsim_node *node,
                                   uint32_t mask, struct bsim_lanes *out)
{
    enum bsim_status status = bsim_eval(eval, node->a, mask, out);
    if (status == BSIM_OK && mask == BSIM_FULL_MASK &&
        bsim_lanes_unary(node->kind, node->type, out->value, out->value)) {
        return BSIM_OK;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if (!has(mask, lane)) {
            continue;
        }
        const char *why =
            bsim_arith_unary(node->kind, node->type, out->value[lane], &out->value[lane]);
        if (why != NULL) {
            status = bsim_eval_fault(eval, node, lane, "%s", why);
        }
    }
    return status;
}

/* "division by zero: 7 / 0": the operands as their types see them. */
static enum bsim_status fault_binary(const struct bsim_eval *eval, const struct bsim_node *node,
                                     uint32_t lane, const char *why, uint64_t a, uint64_t b)
{
    if (bsim_cu_is_signed(node->a->type)) {
        return bsim_eval_fault(eval, node, lane, "%s (%" PRId64 " and %" PRId64 ")", why,
                               (int64_t)a, (int64_t)b);
    }
    return bsim_eval_fault(eval, node, lane, "%s (%" PRIu64 " and %" PRId64 ")", why, a,
                           (int64_t)b);
}

static enum bsim_status eval_binary(struct bsim_eval *eval, const struct bsim_node *node,
                                    uint32_t mask, struct bsim_lanes *out)
{
    struct bsim_lanes right;
    const struct cu_type *type = node->a->type;
    bool right_signed = bsim_cu_is_signed(node->b->type);
    enum bsim_status status = bsim_eval(eval, node->a, mask, out);
    if (status == BSIM_OK) {
        status = bsim_eval(eval, node->b, mask, &right);
    }
    if (status == BSIM_OK && mask == BSIM_FULL_MASK &&
        bsim_lanes_binary(node->kind, type, out->value, right.value, out->value)) {
        return BSIM_OK;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if (!has(mask, lane)) {
            continue;
        }
        uint64_t a = out->value[lane];
        uint64_t b = right.value[lane];
        const char *why =
            bsim_arith_binary(node->kind, type, a, b, right_signed, &out->value[lane]);
        if (why != NULL) {
            status = fault_binary(eval, node, lane, why, a, b);
        }
    }
    return status;
}

static enum bsim_status eval_logical(struct bsim_eval *eval, const struct bsim_node *node,
                                     uint32_t mask, struct bsim_lanes *out)
{
    uint32_t left = 0;
    uint32_t right = 0;
    bool is_and = node->kind == BSIM_NODE_LOGICAL_AND;
    enum bsim_status status = bsim_eval_truth(eval, node->a, mask, &left);
    if (status == BSIM_OK) {
        status = bsim_eval_truth(eval, node->b, is_and ? left : mask & ~left, &right);
    }
    if (status == BSIM_OK) {
        uint32_t truth = is_and ? right : left | right;
        fill(mask & truth, 1, out);
        fill(mask & ~truth, 0, out);
    }
    return status;
}

/* Of integers or addresses. */
static enum bsim_status eval_choose(struct bsim_eval *eval, const struct bsim_node *node,
                                    uint32_t mask, struct bsim_lanes *out)
{
    uint32_t yes = 0;
    enum bsim_status status = bsim_eval_truth(eval, node->a, mask, &yes);
    if (status == BSIM_OK) {
        status = bsim_eval(eval, node->b, yes, out);
    }
    if (status == BSIM_OK) {
        status = bsim_eval(eval, node->c, mask & ~yes, out);
    }
    return status;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The index, from here, times the size of an element; false if that is out of all memory. */
static bool scale(uint64_t index, bool is_signed, uint64_t each, uint64_t *bytes)
{
    bool back = is_signed && (int64_t)index < 0;
    uint64_t distance = back ? 0 - index : index;
    if (distance > far_bytes / each) {
        return false;
    }
    *bytes = index * each;
    return true;
}

/* The last element of the dimension that an index counts in; a pointer has none. */
static uint64_t last_of(const struct bsim_node *node)
{
    const struct bsim_node *row = node->a->kind == BSIM_NODE_RETYPE ? node->a->a : NULL;
    bool is_row = row != NULL && row->is_lvalue && row->type->kind == CU_ARRAY;
    return !is_row || row->type->count == 0 ? UINT64_MAX : row->type->count - 1;
}

/* In all lanes, of indices that no element's size takes out of all memory. */
static void step_all(struct bsim_eval *eval, const struct bsim_node *node,
                     const struct bsim_lanes *index, struct bsim_lanes *out)
{
    uint64_t each = node->kind == BSIM_NODE_FORWARD ? node->number : 0 - node->number;
    uint64_t last = last_of(node);
    uint64_t most = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        out->value[lane] += index->value[lane] * each;
        most = index->value[lane] > most ? index->value[lane] : most;
    }
    eval->leaves_row = eval->leaves_row || most > last;
}

static enum bsim_status eval_step(struct bsim_eval *eval, const struct bsim_node *node,
                                  uint32_t mask, struct bsim_lanes *out)
{
    struct bsim_lanes index;
    bool is_signed = bsim_cu_is_signed(node->b->type);
    enum bsim_status status = bsim_eval(eval, node->a, mask, out);
    if (status == BSIM_OK) {
        status = bsim_eval(eval, node->b, mask, &index);
    }
    if (status == BSIM_OK && mask == BSIM_FULL_MASK && node->b->type->size <= 4 &&
        node->number <= far_bytes >> 32) {
        step_all(eval, node, &index, out);
        return BSIM_OK;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        uint64_t bytes;
        if (!has(mask, lane)) {
            continue;
        }
        if (!scale(index.value[lane], is_signed, node->number, &bytes)) {
            status =
                bsim_eval_fault(eval, node, lane, "index %s%" PRIu64 " is outside of any array",
                                is_signed && (int64_t)index.value[lane] < 0 ? "-" : "",
                                is_signed && (int64_t)index.value[lane] < 0 ? 0 - index.value[lane]
                                                                            : index.value[lane]);
        } else {
            out->value[lane] += node->kind == BSIM_NODE_FORWARD ? bytes : 0 - bytes;
            eval->leaves_row = eval->leaves_row || index.value[lane] > last_of(node);
        }
    }
    return status;
}

static enum bsim_status eval_member(struct bsim_eval *eval, const struct bsim_node *node,
                                    uint32_t mask, struct bsim_lanes *out)
{
    enum bsim_status status = bsim_eval(eval, node->a, mask, out);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if (has(mask, lane)) {
            out->value[lane] += node->number;
        }
    }
    return status;
}

/* ---- any node -------------------------------------------------------------------------------- */

enum bsim_status bsim_eval(struct bsim_eval *eval, const struct bsim_node *node, uint32_t mask,
                           struct bsim_lanes *out)
{
    if (mask == 0) {
        return BSIM_OK;
    }
    switch (node->kind) {
    case BSIM_NODE_NUMBER:
        fill(mask, node->number, out);
        return BSIM_OK;
    case BSIM_NODE_BUILTIN:
        eval_builtin(eval, node->number, mask, out);
        return BSIM_OK;
    case BSIM_NODE_VARIABLE:
        return eval_variable(eval, node, mask, out);
    case BSIM_NODE_UNKNOWN:
        return bsim_cu_error(node->source, node->at, eval->err, "%s", node->why);
    case BSIM_NODE_INDEX:
        eval_index(eval, node->index, mask, out);
        return BSIM_OK;
    case BSIM_NODE_VALUE:
        fill(mask, eval->values[node->number], out);
        return BSIM_OK;
    case BSIM_NODE_ARRAY:
        eval_array(node->number, mask, out);
        return BSIM_OK;
    case BSIM_NODE_LOGICAL_AND:
    case BSIM_NODE_LOGICAL_OR:
        return eval_logical(eval, node, mask, out);
    case BSIM_NODE_CHOOSE:
        return eval_choose(eval, node, mask, out);
    case BSIM_NODE_FORWARD:
    case BSIM_NODE_BACKWARD:
        return eval_step(eval, node, mask, out);
    case BSIM_NODE_MEMBER:
        return eval_member(eval, node, mask, out);
    case BSIM_NODE_RETYPE:
        return bsim_eval(eval, node->a, mask, out);
    default:
        return node->kind < BSIM_NODE_MULTIPLY ? eval_unary(eval, node, mask, out)
                                               : eval_binary(eval, node, mask, out);
    }
}

enum bsim_status bsim_eval_truth(struct bsim_eval *eval, const struct bsim_node *node,
                                 uint32_t mask, uint32_t *truth)
{
    struct bsim_lanes lanes;
    enum bsim_status status = bsim_eval(eval, node, mask, &lanes);
    if (status == BSIM_OK) {
        *truth = nonzero(mask, &lanes);
    }
    return status;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* One lane after the other: those that fail stay unknown. */
static uint32_t set_lanes(struct bsim_eval *eval, struct bsim_variable *variable,
                          const struct bsim_node *node, uint32_t mask)
{
    uint32_t known = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t alone = UINT32_C(1) << lane;
        struct bsim_lanes lanes;
        if (has(mask, lane) && bsim_eval(eval, node, alone, &lanes) == BSIM_OK) {
            copy(alone, &lanes, &variable->lanes);
            known |= alone;
        }
    }
    return known;
}

void bsim_eval_set(struct bsim_eval *eval, size_t number, const struct bsim_node *node,
                   uint32_t mask)
{
    struct bsim_variable *variable = &eval->variable[number];
    struct bsim_error *err = eval->err;
    struct bsim_error ignored = {.status = BSIM_OK};
    struct bsim_lanes lanes;
    uint32_t known = 0;
    eval->err = &ignored;
    enum bsim_status status =
        node->kind == BSIM_NODE_UNKNOWN ? BSIM_E_INPUT : bsim_eval(eval, node, mask, &lanes);
    if (status == BSIM_OK) {
        copy(mask, &lanes, &variable->lanes);
        known = mask;
    } else if (node->kind != BSIM_NODE_UNKNOWN) {
        known = set_lanes(eval, variable, node, mask);
    }
    eval->err = err;
    variable->known = (variable->known & ~mask) | known;
    variable->last = node;
}

void bsim_eval_fill(struct bsim_eval *eval, size_t number, uint64_t value, uint32_t mask)
{
    struct bsim_variable *variable = &eval->variable[number];
    fill(mask, value, &variable->lanes);
    variable->known |= mask;
    variable->last = NULL;
}
