/* walk.c - the check as a source: every warp, every value of the loops, every access.
 *
 * A warp's threads are those that CUDA numbers x + y * blockDim.x + z * blockDim.x * blockDim.y
 * from 32 * warp on; the last warp may have fewer than 32.
 */
#include "expr/check.h"
#include "expr/eval.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

typedef enum bsim_status visit_function(void *context, const struct bsim_check_request *request,
                                        struct bsim_error *err);

struct walk {
    const struct bsim_check *check;
    struct bsim_eval eval;
    int64_t *loop;    /* the values at hand */
    uint64_t *turn;   /* which of its values each loop has */
    uint32_t present; /* the warp's lanes that have a thread */
    visit_function *visit;
    void *context;
    struct bsim_check_request request;
};

/* ---- one access ------------------------------------------------------------------------------ */

/* The bytes that an offset into an array may not pass. */
static int64_t end_of(const struct bsim_check_array *array)
{
    return array->is_extern ? (int64_t)BSIM_CHECK_MAX_SHARED_BYTES - array->offset_bytes
                            : (int64_t)array->size_bytes;
}

/* Names what lies outside: as an element where it is one. */
static enum bsim_status outside(const struct walk *walk, const struct bsim_access *access,
                                uint32_t lane, const struct bsim_check_array *array, int64_t offset)
{
    int64_t each = array->element_bytes;
    int64_t unit = offset % each == 0 ? each : 1;
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s %" PRId64 " is outside of %s, which has %" PRId64 " %s",
                           unit == 1 ? "byte" : "element", offset / unit, array->name,
                           end_of(array) / unit, unit == 1 ? "bytes" : "elements");
}

static enum bsim_status misaligned(const struct walk *walk, const struct bsim_access *access,
                                   uint32_t lane, const struct bsim_check_array *array,
                                   int64_t offset)
{
    bool shifted = array->offset_bytes % access->alignment != 0;
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s needs an address that is a multiple of %" PRIu32
                           ", and this is byte %" PRId64 " of %s%s",
                           access->type_name, access->alignment, offset, array->name,
                           shifted ? ", which does not begin at one: declare it __align__(16)"
                                   : "");
}

static enum bsim_status check_lane(struct walk *walk, const struct bsim_access *access,
                                   uint32_t lane, uint32_t index, uint64_t value)
{
    const struct bsim_check_array *array = &walk->check->array[index];
    int64_t offset = (int64_t)value;
    if (offset < 0 || offset > end_of(array) - (int64_t)access->shown.bytes) {
        return outside(walk, access, lane, array, offset);
    }
    uint32_t address = array->offset_bytes + (uint32_t)offset;
    if (address % access->alignment != 0) {
        return misaligned(walk, access, lane, array, offset);
    }
    walk->request.array[lane] = index;
    walk->request.offset[lane] = (uint32_t)offset;
    walk->request.address[lane] = address;
    return BSIM_OK;
}

/* The further parts of an access lie right behind one another. */
static enum bsim_status visit_parts(struct walk *walk, const struct bsim_access *access)
{
    struct bsim_check_request *request = &walk->request;
    enum bsim_status status = BSIM_OK;
    for (uint32_t part = 0; part < access->shown.parts && status == BSIM_OK; part++) {
        request->part = part;
        status = walk->visit(walk->context, request, walk->eval.err);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((request->lanes >> lane & 1) != 0) {
                request->offset[lane] += access->shown.opcode.bytes;
                request->address[lane] += access->shown.opcode.bytes;
            }
        }
    }
    return status;
}

/* All lanes of a warp execute a matrix form, also those that give no address. */
static enum bsim_status check_mask(const struct walk *walk, const struct bsim_access *access,
                                   uint32_t mask)
{
    uint32_t lane = 0;
    if (access->shown.opcode.family < BSIM_LDMATRIX || mask == BSIM_FULL_MASK) {
        return BSIM_OK;
    }
    while ((mask >> lane & 1) != 0) {
        lane++;
    }
    if ((walk->present >> lane & 1) == 0) {
        return bsim_source_error(access->node->source, access->node->at, walk->eval.err,
                                 "%s is executed by all 32 lanes of a warp, and warp %" PRIu32
                                 " has %" PRIu32 " thread%s",
                                 access->shown.op, walk->request.warp, lane, lane == 1 ? "" : "s");
    }
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s is executed by all 32 lanes of a warp or none, and an if leaves out "
                           "lane %" PRIu32,
                           access->shown.op, lane);
}

static enum bsim_status visit_access(struct walk *walk, size_t index, uint32_t mask)
{
    const struct bsim_access *access = &walk->check->access[index];
    struct bsim_check_request *request = &walk->request;
    struct bsim_lanes address;
    enum bsim_status status = check_mask(walk, access, mask);
    memset(request->array, 0, sizeof request->array);
    memset(request->offset, 0, sizeof request->offset);
    memset(request->address, 0, sizeof request->address);
    request->access = index;
    request->opcode = access->shown.opcode;
    request->mask = mask;
    request->lanes = bsim_opcode_lanes(&request->opcode, mask);
    if (status == BSIM_OK) {
        status = bsim_eval(&walk->eval, access->node, request->lanes, &address);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            status = check_lane(walk, access, lane, address.array[lane], address.value[lane]);
        }
    }
    return status == BSIM_OK ? visit_parts(walk, access) : status;
}

/* ---- one warp -------------------------------------------------------------------------------- */

/* With the values of the loops that are at hand. */
static enum bsim_status visit_turn(struct walk *walk)
{
    const struct bsim_check *check = walk->check;
    uint32_t mask = walk->present;
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < check->n_lets; i++) {
        walk->eval.let[i].known = 0;
    }
    for (size_t i = 0; i < check->n_conditions && status == BSIM_OK && mask != 0; i++) {
        status = bsim_eval_truth(&walk->eval, check->condition[i], mask, &mask);
    }
    for (size_t i = 0; i < check->n_accesses && status == BSIM_OK && mask != 0; i++) {
        status = visit_access(walk, i, mask);
    }
    return status;
}

static void set_loop(struct walk *walk, size_t i, uint64_t turn)
{
    const struct bsim_loop *loop = &walk->check->loop[i];
    walk->turn[i] = turn;
    walk->loop[i] =
        loop->value != NULL ? loop->value[turn] : loop->start + (int64_t)turn * loop->step;
}

/* The next values, the last loop's first; false when all have been. */
static bool next_turn(struct walk *walk)
{
    for (size_t i = walk->check->n_loops; i-- > 0;) {
        if (walk->turn[i] + 1 < walk->check->loop[i].n) {
            set_loop(walk, i, walk->turn[i] + 1);
            return true;
        }
        set_loop(walk, i, 0);
    }
    return false;
}

static void set_warp(struct walk *walk, uint32_t warp)
{
    const struct bsim_dim3 *block = &walk->check->kernel.block;
    uint32_t threads = block->x * block->y * block->z;
    walk->request.warp = warp;
    walk->eval.uniform[BSIM_BUILTIN_WARP] = warp;
    walk->present = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        walk->eval.thread[lane] = bsim_check_thread(walk->check, warp, lane);
        if (warp * BSIM_WARP_LANES + lane < threads) {
            walk->present |= UINT32_C(1) << lane;
        }
    }
}

static enum bsim_status visit_warp(struct walk *walk, uint32_t warp)
{
    enum bsim_status status;
    set_warp(walk, warp);
    for (size_t i = 0; i < walk->check->n_loops; i++) {
        set_loop(walk, i, 0);
    }
    do {
        status = visit_turn(walk);
    } while (status == BSIM_OK && next_turn(walk));
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static uint32_t n_warps(const struct bsim_check *check)
{
    const struct bsim_dim3 *block = &check->kernel.block;
    return (block->x * block->y * block->z + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
}

/* Before anything is evaluated: would it be too much? */
static enum bsim_status check_size(const struct bsim_check *check, struct bsim_error *err)
{
    uint64_t requests = check->warp == BSIM_ALL_WARPS ? n_warps(check) : 1;
    uint64_t parts = 0;
    for (size_t i = 0; i < check->n_accesses; i++) {
        parts += check->access[i].shown.parts;
    }
    requests *= parts;
    for (size_t i = 0; i < check->n_loops && requests <= BSIM_CHECK_MAX_REQUESTS; i++) {
        requests *= check->loop[i].n;
    }
    return requests > BSIM_CHECK_MAX_REQUESTS
               ? bsim_error_set(err, BSIM_E_INPUT,
                                "the loops make more than %d requests: shorten one, or look at one "
                                "warp",
                                BSIM_CHECK_MAX_REQUESTS)
               : BSIM_OK;
}

static void set_launch(const struct bsim_check *check, struct bsim_eval *eval)
{
    const struct bsim_dim3 value[] = {check->block, check->kernel.block, check->kernel.grid};
    static const enum bsim_builtin builtin[] = {BSIM_BUILTIN_BLOCK, BSIM_BUILTIN_BLOCK_DIM,
                                                BSIM_BUILTIN_GRID_DIM};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        eval->uniform[builtin[i]] = value[i].x;
        eval->uniform[builtin[i] + 1] = value[i].y;
        eval->uniform[builtin[i] + 2] = value[i].z;
    }
    eval->loop_name = check->loop_name;
    eval->n_loops = check->n_loops;
    eval->has_threads = true;
}

static enum bsim_status visit_all(struct walk *walk)
{
    const struct bsim_check *check = walk->check;
    enum bsim_status status = BSIM_OK;
    if (check->warp != BSIM_ALL_WARPS) {
        return visit_warp(walk, check->warp);
    }
    for (uint32_t warp = 0; warp < n_warps(check) && status == BSIM_OK; warp++) {
        status = visit_warp(walk, warp);
    }
    return status;
}

enum bsim_status bsim_check_each(const struct bsim_check *check, visit_function *visit,
                                 void *context, struct bsim_error *err)
{
    struct walk walk = {.check = check, .eval = {.err = err}, .visit = visit, .context = context};
    if (!check->sealed) {
        return bsim_error_set(err, BSIM_E_USAGE, "a check must be sealed before it is evaluated");
    }
    enum bsim_status status = check_size(check, err);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_let *let = bsim_mem_zeroed(check->n_lets + 1, sizeof *let);
    walk.loop = bsim_mem_zeroed(check->n_loops + 1, sizeof *walk.loop);
    walk.turn = bsim_mem_zeroed(check->n_loops + 1, sizeof *walk.turn);
    if (let == NULL || walk.loop == NULL || walk.turn == NULL) {
        status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    } else {
        walk.eval.let = let;
        walk.eval.loop = walk.request.loop = walk.loop;
        set_launch(check, &walk.eval);
        status = visit_all(&walk);
    }
    bsim_mem_free(walk.turn);
    bsim_mem_free(walk.loop);
    bsim_mem_free(let);
    return status;
}
