/* service.c - instructions that sort their operands themselves: fences, copies beside the threads; and those of
 * which nothing can be seen here. Barriers in memory: mbarrier.c; copies by TMA: bulk.c.
 *
 *     cp.async.ca.shared.global [%r1], [%rd1], 16, %r2    16 bytes, the last of them zeros
 *
 * A copy is done when it is begun: waiting for it finds it done. What a kernel reads too early has the
 * copied value here, and is told of (pending.c).
 */
#include "ptx/bulk.h"
#include "ptx/cluster.h"
#include "ptx/matrix.h"
#include "ptx/mbarrier.h"
#include "ptx/proxy.h"
#include "ptx/push.h"
#include "ptx/texture.h"
#include "ptx/wgmma.h"

#include "base/bits.h"

#include <string.h>

enum { LANES = BSIM_WARP_LANES };

/* ---- fences ---------------------------------------------------------------------------------- */

static enum bsim_ptx_space name_fence(const struct bsim_ptx_instruction *from,
                                      struct bsim_opcode *opcode)
{
    bool is_membar = bsim_ptx_is_a(from, "membar");
    opcode->family = BSIM_FENCE;
    opcode->operation = is_membar                         ? BSIM_MEMBAR
                        : bsim_ptx_has(from, BSIM_PTX_SC) ? BSIM_SC
                                                          : BSIM_ACQ_REL;
    opcode->scope = bsim_ptx_has(from, BSIM_PTX_CTA)   ? BSIM_CTA
                    : bsim_ptx_has(from, BSIM_PTX_SYS) ? BSIM_SYS
                                                       : BSIM_GPU;
    return BSIM_PTX_NO_SPACE;
}

static enum bsim_ptx_space name_proxy_fence(const struct bsim_ptx_instruction *from, struct bsim_opcode *opcode)
{
    opcode->family = BSIM_FENCE;
    opcode->operation = BSIM_PROXY_ASYNC;
    opcode->scope = bsim_ptx_has(from, BSIM_PTX_SHARED_CTA)       ? BSIM_VIEW_SHARED
                    : bsim_ptx_has(from, BSIM_PTX_SHARED_CLUSTER) ? BSIM_VIEW_CLUSTER
                    : bsim_ptx_has(from, BSIM_PTX_GLOBAL_)        ? BSIM_VIEW_GLOBAL
                                                                  : BSIM_NO_SCOPE;
    return BSIM_PTX_NO_SPACE;
}

static void run_proxy_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bsim_ptx_proxy_fence(warp, step);
    bsim_ptx_push_event(warp, step, BSIM_NO_SPACE, NULL);
}

static void run_fence(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bsim_ptx_push_event(warp, step, BSIM_NO_SPACE, NULL);
}

/* Cooperative groups trap where a grid is to meet that was not launched for it. */
static bool wants_grid(const struct bsim_ptx_block *block)
{
    return block->meeting == 0 && block->program->special[BSIM_PTX_ENVREG2] != 0;
}

static void run_trap(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bsim_ptx_fault_as(
        warp, step, bsim_bits_lowest(warp->mask), BSIM_PTX_TRAPPED, "%s",
        wants_grid(warp->block)
            ? "trap: the kernel ends itself here. It asks for what all blocks meet by, as "
              "grid.sync() does: that takes cudaLaunchCooperativeKernel"
            : "trap: the kernel ends itself here");
}

/* ---- copies ---------------------------------------------------------------------------------- */

static uint32_t copy_bytes(const struct bsim_ptx_instruction *from)
{
    return from->n_operands > 2 ? (uint32_t)from->operand[2].bits : 0;
}

static enum bsim_ptx_space name_copy(const struct bsim_ptx_instruction *from,
                                     struct bsim_opcode *opcode)
{
    bool bypasses = bsim_ptx_has(from, BSIM_PTX_CG);
    *opcode = (struct bsim_opcode){.family = BSIM_CP_ASYNC,
                                   .path = bypasses ? BSIM_BYPASS : BSIM_USUAL_PATH,
                                   .space = BSIM_SHARED,
                                   .type = 'b',
                                   .bits = 8,
                                   .count = (uint8_t)copy_bytes(from),
                                   .bytes = (uint8_t)copy_bytes(from)};
    return BSIM_PTX_SHARED;
}

/* How many bytes a lane's copy takes from memory; the rest is zeros. */
static uint32_t taken_bytes(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                            uint32_t lane)
{
    uint32_t bytes = copy_bytes(step->from);
    if (step->from->n_operands < 4 || bsim_ptx_has(step->from, BSIM_PTX_L2_CACHE_HINT)) {
        return bytes;
    }
    uint64_t value = bsim_ptx_take_argument(warp, &step->argument[3], lane);
    return step->argument[3].bytes[0] == 1 ? (value ? 0 : bytes)
           : value < bytes                 ? (uint32_t)value
                                           : bytes;
}

static void run_copy(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint64_t address[LANES] = {0}, source[LANES] = {0};
    uint32_t bytes = copy_bytes(step->from);
    unsigned char *to[LANES], *from[LANES];
    enum bsim_space space, other;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t taken = warp->mask >> l & 1 ? taken_bytes(warp, step, l) : 0;
        from[l] = NULL;
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        address[l] = bsim_ptx_take_address(warp, &step->argument[0], l);
        source[l] = bsim_ptx_take_address(warp, &step->argument[1], l);
        to[l] = bsim_ptx_locate(warp, step, l, BSIM_PTX_SHARED, bytes, bytes, &address[l], &space);
        from[l] = taken == 0 ? NULL
                             : bsim_ptx_locate(warp, step, l, BSIM_PTX_GLOBAL, taken, bytes,
                                               &source[l], &other);
        source[l] &= ~(uint64_t)(bytes - 1); /* of one that takes nothing, any */
        if (to[l] == NULL || (from[l] == NULL && taken > 0)) {
            return;
        }
    }
    bsim_ptx_push_copy(warp, step, address, source);
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint32_t taken = from[l] != NULL ? taken_bytes(warp, step, l) : 0;
            memset(to[l], 0, bytes);
            memcpy(to[l], from[l] != NULL ? from[l] : to[l], taken);
        }
    }
    bsim_ptx_pending_begin(warp, address, bytes);
}

static void run_commit(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    (void)step;
    bsim_ptx_push_groups(warp, BSIM_COPIES_COMMIT, 0);
    bsim_ptx_pending_commit(warp);
}

static void run_wait(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_group = bsim_ptx_has(step->from, BSIM_PTX_WAIT_GROUP);
    uint32_t left = is_group ? (uint32_t)step->from->operand[0].bits : BSIM_PTX_NO_COPY;
    bsim_ptx_push_groups(warp, BSIM_COPIES_WAIT, is_group ? left : BSIM_ALL_COPIES);
    bsim_ptx_pending_end(warp, left);
}

/* ---- one lane of many ------------------------------------------------------------------------ */

/* elect.sync d|p, mask: the lowest lane, in d for all; p is true in it. */
static void run_elect(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_argument *pair = &step->argument[0];
    uint32_t lowest = bsim_bits_lowest(warp->mask);
    for (uint32_t i = 0; i < pair->n; i++) {
        struct bsim_ptx_argument one = {.n = 1, .place = pair->place + i, .bytes = pair->bytes + i};
        for (uint32_t l = 0; l < LANES; l++) {
            if (warp->mask >> l & 1) {
                bsim_ptx_put_argument(warp, &one, l, pair->bytes[i] == 1 ? l == lowest : lowest);
            }
        }
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool has_copy_form(const struct bsim_ptx_instruction *from)
{
    uint32_t bytes = copy_bytes(from);
    bool bypasses = bsim_ptx_has(from, BSIM_PTX_CG);
    bool is_form = bypasses || bsim_ptx_has(from, BSIM_PTX_CA);
    return is_form &&
           (bytes == 16 || (!bypasses && (bytes == 4 || bytes == 8)));
}

static const struct bsim_ptx_service *find_copy(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service copy = {run_copy, name_copy},
                                         arrive = {bsim_ptx_run_mbarrier, NULL},
                                         commit = {run_commit, NULL}, wait = {run_wait, NULL};
    if (!bsim_ptx_has(from, BSIM_PTX_ASYNC)) {
        return NULL;
    }
    if (bsim_ptx_has(from, BSIM_PTX_BULK)) {
        return bsim_ptx_find_bulk(from);
    }
    if (bsim_ptx_has(from, BSIM_PTX_MBARRIER)) {
        return &arrive;
    }
    if (bsim_ptx_has(from, BSIM_PTX_COMMIT_GROUP)) {
        return &commit;
    }
    if (bsim_ptx_has(from, BSIM_PTX_WAIT_GROUP) || bsim_ptx_has(from, BSIM_PTX_WAIT_ALL)) {
        return &wait;
    }
    return has_copy_form(from) ? &copy : NULL;
}

const struct bsim_ptx_service *bsim_ptx_find_service(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_service fence = {run_fence, name_fence}, trap = {run_trap, NULL},
                                         elect = {run_elect, NULL}, nothing = {NULL, NULL},
                                         proxy = {run_proxy_fence, name_proxy_fence},
                                         untold = {bsim_ptx_proxy_fence, NULL};
    static const char *const unseen[] = {"prefetch",       "prefetchu", "applypriority", "discard",
                                         "createpolicy",   "nanosleep", "pmevent",       "brkpt",
                                         "griddepcontrol", "setmaxnreg"};
    const char *m = instruction->mnemonic;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        if (strcmp(m, unseen[i]) == 0) {
            return &nothing;
        }
    }
    if (strcmp(m, "membar") == 0 || strcmp(m, "fence") == 0) {
        bool is_other = bsim_ptx_has(instruction, BSIM_PTX_PROXY) ||
                        bsim_ptx_has(instruction, BSIM_PTX_PROXY_ASYNC) ||
                        instruction->unknown != NULL; /* .mbarrier_init, .sync_restrict */
        bool is_told = bsim_ptx_has(instruction, BSIM_PTX_PROXY) && bsim_ptx_has(instruction, BSIM_PTX_ASYNC);
        return is_told                                ? &proxy
               : bsim_ptx_is_proxy_fence(instruction) ? &untold /* .async::generic */
               : is_other                             ? &nothing
                                                      : &fence;
    }
    if (strcmp(m, "cp") == 0 && instruction->unknown != NULL) {
        return strcmp(instruction->unknown, "prefetch") == 0 ? &nothing : NULL;
    }
    const struct bsim_ptx_service *texture = bsim_ptx_find_texture(instruction);
    const struct bsim_ptx_service *cluster = bsim_ptx_find_cluster(instruction);
    return texture != NULL              ? texture
           : cluster != NULL            ? cluster
           : strcmp(m, "trap") == 0     ? &trap
           : strcmp(m, "elect") == 0    ? &elect
           : strcmp(m, "wgmma") == 0    ? bsim_ptx_find_wgmma(instruction)
           : strcmp(m, "cp") == 0       ? find_copy(instruction)
           : strcmp(m, "mbarrier") == 0 ? bsim_ptx_find_mbarrier(instruction)
                                        : bsim_ptx_find_matrix(instruction);
}
