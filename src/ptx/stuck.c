/* stuck.c - blocks that never end: all wait, or some go round in loops that nobody can end.
 *
 *     while (*flag == 0) { }        the same registers, the same memory, turn after turn
 *
 * A block that runs for long without a thread that ends is watched: now and then its state is looked at,
 * registers, own memory and who is where. Nobody else runs meanwhile, so a block that is in a state
 * where it was before will come to it again and again, unless it has written to global memory since. An
 * atomic that changes memory leaves other values in the registers that it answers to. A loop that counts
 * its turns is in no state twice, and so not found.
 */
#include "ptx/stuck.h"

#include "base/bits.h"
#include "ptx/frame.h"
#include "ptx/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FREE_STEPS = 1 << 22, /* before a block is watched: a fraction of a second */
    LOOK_STEPS = 1 << 19, /* from one look to the next, at least */
    SAME_LOOKS = 3,
};

/* ---- watching -------------------------------------------------------------------------------- */

void bsim_ptx_watch_start(struct bsim_ptx_block *block)
{
    block->watch = (struct bsim_ptx_watch){
        .start = block->n_steps, .from = block->n_steps, .n_alive = block->n_threads};
}

/* Whether it may change memory that is not looked at, without an answer that is. */
static bool may_change(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t does = bsim_family_does(access->opcode.family);
    bool is_own = access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_LOCAL;
    return !is_own && ((does & (BSIM_WRITES | BSIM_COPIES)) != 0 ||
                       ((does & BSIM_UPDATES) != 0 && access->result == BSIM_PTX_NOWHERE));
}

void bsim_ptx_watch_step(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    warp->block->watch.has_changed = warp->block->watch.has_changed || may_change(step);
    if (access->opcode.family == BSIM_LD || access->opcode.family == BSIM_ATOM) {
        uint32_t lane = bsim_bits_lowest(warp->mask);
        warp->looked = (struct bsim_ptx_looked){
            step, lane, bsim_ptx_take(warp, step->a, access->is_64, lane) + access->offset};
    }
}

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (uint64_t word; size >= sizeof word; p += sizeof word, size -= sizeof word) {
        memcpy(&word, p, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (; size > 0; p++, size--) {
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t hash_warp(uint64_t hash, const struct bsim_ptx_warp *warp)
{
    const struct bsim_ptx_program *program = warp->block->program;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        const uint32_t place[] = {group->mask, group->pc, (uint32_t)group->meet, group->depth,
                                  group->is_waiting};
        hash = mix(hash, place, sizeof place);
        for (const struct bsim_ptx_frame *f = group->frame; f != NULL; f = f->below) {
            hash = mix(hash, &f->pc, sizeof f->pc);
        }
    }
    hash = mix(hash, warp->file, program->n_words * sizeof *warp->file);
    return mix(hash, warp->local, (size_t)BSIM_WARP_LANES * warp->local_stride);
}

static uint64_t hash_block(const struct bsim_ptx_block *block)
{
    uint64_t hash = mix(0, block->shared, block->shared_bytes);
    for (uint32_t w = 0; w < block->n_warps; w++) {
        hash = hash_warp(hash, &block->warp[w]);
    }
    return hash;
}

bool bsim_ptx_goes_round(struct bsim_ptx_block *block)
{
    struct bsim_ptx_watch *watch = &block->watch;
    if (block->n_steps - watch->last < LOOK_STEPS || block->n_steps - watch->from < FREE_STEPS) {
        return false;
    }
    if (block->n_alive != watch->n_alive) {
        *watch = (struct bsim_ptx_watch){
            .start = watch->start, .from = block->n_steps, .n_alive = block->n_alive};
        return false;
    }
    uint64_t hash = watch->has_changed || !watch->is_on ? 0 : hash_block(block);
    watch->n_same = hash != 0 && hash == watch->hash ? watch->n_same + 1 : 0;
    watch->hash = hash;
    watch->last = block->n_steps;
    watch->has_changed = false;
    watch->is_on = true;
    return watch->n_same >= SAME_LOOKS;
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Threads that are at one place. */
struct stuck {
    const struct bsim_ptx_step *step;
    struct bsim_ptx_warp *warp; /* the first one's */
    uint32_t lane, n, barrier;
    bool is_waiting;
};

enum { MOST_PLACES = 4 };

/* Where the group stands; of those that go round, what they have looked at last. */
static struct stuck find_stuck(struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group)
{
    const struct bsim_ptx_step *steps = warp->block->program->step;
    const struct bsim_ptx_looked *looked = &warp->looked;
    struct stuck stuck = {.step = &steps[group->pc - group->is_waiting],
                          .warp = warp,
                          .lane = bsim_bits_lowest(group->mask),
                          .n = bsim_bits_population(group->mask),
                          .barrier = group->barrier,
                          .is_waiting = group->is_waiting};
    if (!group->is_waiting && looked->step != NULL && (group->mask >> looked->lane & 1) != 0) {
        stuck.step = looked->step;
        stuck.lane = looked->lane;
    }
    return stuck;
}

/* Who goes round first, then who waits. */
static uint32_t list_stuck(struct bsim_ptx_block *block, struct stuck *list)
{
    uint32_t n = 0;
    for (int waits = 0; waits < 2; waits++) {
        for (uint32_t w = 0; w < block->n_warps; w++) {
            for (uint32_t g = 0; g < block->warp[w].n_groups; g++) {
                struct stuck stuck = find_stuck(&block->warp[w], &block->warp[w].group[g]);
                uint32_t i = 0;
                while (i < n && list[i].step != stuck.step) {
                    i++;
                }
                if (stuck.is_waiting != (waits != 0) || i == MOST_PLACES) {
                    continue;
                }
                if (i == n) {
                    list[n++] = stuck;
                } else {
                    list[i].n += stuck.n;
                }
            }
        }
    }
    return n;
}

/* "; 32 more at a barrier at k.cu:12": who is elsewhere. */
static void put_others(const struct bsim_ptx_block *block, const struct stuck *list, uint32_t n,
                       char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 1; i < n && used < size; i++) {
        uint32_t line;
        const char *file = bsim_ptx_source(block->program->module, list[i].step->from, &line);
        const char *slash = strrchr(file, '/');
        used += (size_t)snprintf(text + used, size - used, "; %" PRIu32 " more %s at %s:%" PRIu32,
                                 list[i].n, list[i].is_waiting ? "at a barrier" : "going round",
                                 slash != NULL ? slash + 1 : file, line);
    }
}

/* " and read address 0x10, which nobody changes": the load that keeps them going round. */
static void put_address(const struct stuck *stuck, char *text, size_t size)
{
    const struct bsim_ptx_looked *looked = &stuck->warp->looked;
    text[0] = '\0';
    if (looked->step == stuck->step) {
        bool is_shared = looked->step->access->space == BSIM_PTX_SHARED;
        (void)snprintf(text, size, " and read%s %s 0x%" PRIx64 ", which nobody changes",
                       stuck->n == 1 ? "s" : "", is_shared ? "shared byte" : "address",
                       looked->address);
    }
}

static void tell_round(const struct bsim_ptx_block *block, const struct stuck *list,
                       const char *others)
{
    uint64_t n_blocks = (uint64_t)block->grid.x * block->grid.y * block->grid.z;
    char address[96];
    put_address(&list[0], address, sizeof address);
    bsim_ptx_fault(list[0].warp, list[0].step, list[0].lane,
                   "a deadlock: %" PRIu32 " %s round here for ever%s%s%s", list[0].n,
                   list[0].n == 1 ? "thread goes" : "threads go", address, others,
                   n_blocks > 1 && list[0].step->access != NULL &&
                           list[0].step->access->space != BSIM_PTX_SHARED
                       ? "; blocks run one after another here, on a GPU others may run meanwhile: those "
                         "of cudaLaunchCooperativeKernel run together here, too"
                       : "");
}

static void tell_waiting(const struct bsim_ptx_block *block, const struct stuck *list,
                         const char *others)
{
    bsim_ptx_fault(list[0].warp, list[0].step, list[0].lane,
                   "a deadlock: %" PRIu32 " of the %" PRIu32 " threads that barrier %" PRIu32
                   " wants wait here for threads that never come%s; %" PRIu32
                   " of the block's %" PRIu32 " have ended",
                   list[0].n, bsim_ptx_count_expected(block, list[0].barrier), list[0].barrier,
                   others, block->n_threads - block->n_alive, block->n_threads);
}

void bsim_ptx_tell_stuck(struct bsim_ptx_block *block)
{
    struct stuck list[MOST_PLACES];
    char others[200];
    uint32_t n = list_stuck(block, list);
    put_others(block, list, n, others, sizeof others);
    if (list[0].is_waiting) {
        tell_waiting(block, list, others);
    } else {
        tell_round(block, list, others);
    }
}
