/* stuck.c - blocks that never end: all wait, or some go round in loops that nobody can end.
 *
 *     while (*flag == 0) { }        the same registers, the same memory, turn after turn
 *
 * A block that runs for long without a thread that ends is watched: now and then its state is looked at,
 * registers, own memory and who is where. Nobody else runs meanwhile, so a block that is in a state
 * where it was before will come to it again and again, unless it has written to global memory since. An
 * atomic that changes memory leaves other values in the registers that it answers to. A loop that counts
 * its turns, or reads a clock, is in no state twice: its warps leave trails now and then (trail.c), which
 * show whether it can end by itself.
 */
#include "ptx/stuck.h"

#include "base/bits.h"
#include "ptx/frame.h"
#include "ptx/group.h"
#include "ptx/trail.h"
#include "ptx/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FREE_STEPS = 1 << 22, /* before a block is watched: a fraction of a second */
    LOOK_STEPS = 1 << 19, /* from one look to the next, at least */
    SAME_LOOKS = 3,
    FIRST_TRAIL = 1 << 18, /* steps before the first trail, ... */
    NEXT_TRAIL = 1 << 16,  /* ... and where lanes have waited for such a loop before */
    TRAIL_REST = 16,       /* no trails for so many times what the last ones took */
    HALF_ROUNDS = 4,       /* turns of each warp in half a trail, of SLICE steps (warp.c), ... */
    HALF_ROUNDS_TOGETHER = 64, /* ... of TOGETHER_SLICE */
};

/* ---- watching -------------------------------------------------------------------------------- */

void bsim_ptx_watch_start(struct bsim_ptx_block *block)
{
    block->watch = (struct bsim_ptx_watch){
        .start = block->n_steps, .from = block->n_steps, .n_alive = block->n_threads};
    bsim_ptx_look_start(&block->watch.look, block->n_steps);
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
    warp->block->watch.has_changed = warp->block->watch.has_changed || may_change(step);
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
            hash = mix(hash, f->word, (f->kept != NULL ? f->kept->n_words : 0) * sizeof *f->word);
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

/* ---- trails ---------------------------------------------------------------------------------- */

void bsim_ptx_look_start(struct bsim_ptx_look *look, uint64_t n_steps)
{
    *look = (struct bsim_ptx_look){.due = n_steps + FIRST_TRAIL};
}

static uint32_t half_rounds(const struct bsim_ptx_block *block)
{
    return block->is_together ? HALF_ROUNDS_TOGETHER : HALF_ROUNDS;
}

/* The warps have had a turn more; whether it was the last of those in which they leave trails. */
static bool is_last_round(struct bsim_ptx_look *look, struct bsim_ptx_block *const *block,
                          uint64_t n)
{
    if (look->n_rounds == 0) {
        return false;
    }
    look->n_rounds--;
    for (uint64_t k = 0; k < n && look->n_rounds == half_rounds(block[0]); k++) {
        bsim_ptx_trail_turn(block[k]);
    }
    return look->n_rounds == 0;
}

static bool look_on(struct bsim_ptx_look *look, struct bsim_ptx_block *const *block, uint64_t n)
{
    uint64_t now = 0, n_alive = 0;
    bool are_caught = true;
    for (uint64_t k = 0; k < n; k++) {
        now += block[k]->n_steps;
        n_alive += block[k]->n_alive;
    }
    if (look->n_rounds == 0 && now >= look->due) {
        look->n_rounds = 1 + 2 * half_rounds(block[0]);
        look->start = now;
        for (uint64_t k = 0; k < n; k++) {
            bsim_ptx_trail_start(block[k]);
        }
    }
    if (!is_last_round(look, block, n)) {
        return false;
    }
    for (uint64_t k = 0; k < n; k++) {
        are_caught = bsim_ptx_trail_stop(block[k]) && are_caught;
    }
    look->due = now + TRAIL_REST * (now - look->start);
    return are_caught && n_alive > 0; /* the last may have ended while they left trails */
}

/* Lanes of their warps that wait for those which go round go on instead: in any of the blocks. */
static bool leave_behind(struct bsim_ptx_look *look, struct bsim_ptx_block *const *block,
                         uint64_t n)
{
    bool has = false;
    for (uint64_t k = 0; k < n; k++) {
        has = bsim_ptx_leave_behind(block[k]) || has;
    }
    look->due = look->start + NEXT_TRAIL;
    return has;
}

bool bsim_ptx_look_on_all(struct bsim_ptx_look *look, struct bsim_ptx_block *const *block,
                          uint64_t n)
{
    return look_on(look, block, n) && !leave_behind(look, block, n);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Whether the block is in a state that it was in before. */
static bool comes_again(struct bsim_ptx_block *block)
{
    struct bsim_ptx_watch *watch = &block->watch;
    if (block->n_steps - watch->last < LOOK_STEPS || block->n_steps - watch->from < FREE_STEPS) {
        return false;
    }
    if (block->n_alive != watch->n_alive) {
        *watch = (struct bsim_ptx_watch){.look = watch->look,
                                         .start = watch->start,
                                         .from = block->n_steps,
                                         .n_alive = block->n_alive};
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

/* Before it is told that the block comes again, the warps leave trails, which say by what. */
bool bsim_ptx_goes_round(struct bsim_ptx_block *block)
{
    struct bsim_ptx_watch *watch = &block->watch;
    if (watch->look.n_rounds == 0 && !watch->is_known && comes_again(block)) {
        watch->is_known = true;
        watch->look.due = block->n_steps;
    }
    bool is_caught =
        look_on(&watch->look, &block, 1) || (watch->is_known && watch->look.n_rounds == 0);
    if (!is_caught || !leave_behind(&watch->look, &block, 1)) {
        return is_caught;
    }
    watch->is_known = false;
    watch->n_same = 0;
    return false;
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

/* Where the group stands; of those that go round, what keeps them. */
static struct stuck find_stuck(struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group)
{
    const struct bsim_ptx_step *steps = warp->block->program->step;
    struct stuck stuck = {.step = &steps[group->pc - group->is_waiting],
                          .warp = warp,
                          .lane = bsim_bits_lowest(group->mask),
                          .n = bsim_bits_population(group->mask),
                          .barrier = group->barrier,
                          .is_waiting = group->is_waiting};
    const struct bsim_ptx_print *print =
        group->is_waiting ? NULL : bsim_ptx_trail_find(warp, group->mask);
    if (print != NULL) {
        stuck.step = &steps[print->step - 1];
        stuck.lane = bsim_bits_lowest(print->came & group->mask);
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

/* "at barrier 1"; a warp's has no number. */
static void put_barrier(const struct stuck *stuck, char *text, size_t size)
{
    if (!stuck->is_waiting) {
        (void)snprintf(text, size, "going round");
    } else if (stuck->barrier == BSIM_PTX_WARPS_BARRIER) {
        (void)snprintf(text, size, "at a wgmma");
    } else if (stuck->barrier == BSIM_PTX_CLUSTER_BARRIER) {
        (void)snprintf(text, size, "at the cluster's barrier");
    } else if (stuck->barrier == BSIM_PTX_WARP_BARRIER) {
        (void)snprintf(text, size, "at a barrier");
    } else {
        (void)snprintf(text, size, "at barrier %" PRIu32, stuck->barrier);
    }
}

/* "; 32 more at barrier 1 at k.cu:12": who is elsewhere. */
static void put_others(const struct bsim_ptx_block *block, const struct stuck *list, uint32_t n,
                       char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 1; i < n && used < size; i++) {
        uint32_t line;
        const char *file = bsim_ptx_source(block->program->module, list[i].step->from, &line);
        const char *slash = strrchr(file, '/');
        char where[32];
        put_barrier(&list[i], where, sizeof where);
        used += (size_t)snprintf(text + used, size - used, "; %" PRIu32 " more %s at %s:%" PRIu32,
                                 list[i].n, where, slash != NULL ? slash + 1 : file, line);
    }
}

/* Whether the address is in what blocks of a cooperative launch meet by: what grid.sync() counts in. */
static bool is_of_grid(const struct bsim_ptx_block *block, uint64_t address)
{
    return block->meeting != 0 && address - block->meeting < BSIM_PTX_MEETING_BYTES;
}

/* Whether the program that launches may write there, on a GPU while the kernel runs. */
static bool is_of_host(const struct bsim_ptx_block *block, uint64_t address)
{
    const struct bsim_ptx_piece *piece = bsim_ptx_memory_at(block->memory, address);
    return piece != NULL && piece->is_hosts;
}

/* " and read address 0x10, which nobody changes": the load that keeps them going round; or the barrier
 * that they wait for. */
static void put_reason(const struct stuck *stuck, char *text, size_t size)
{
    const struct bsim_ptx_step *step = stuck->step;
    const struct bsim_ptx_access *access = step->access;
    text[0] = '\0';
    if (step->from != NULL && bsim_ptx_is_a(step->from, "mbarrier")) {
        bsim_ptx_put_mbarrier(stuck->warp, step, stuck->lane, text, size);
    } else if (access != NULL && access->opcode.bytes > 0) {
        uint64_t address =
            bsim_ptx_take(stuck->warp, step->a, access->is_64, stuck->lane) + access->offset;
        bool is_shared = access->space == BSIM_PTX_SHARED;
        if (is_of_grid(stuck->warp->block, address)) {
            (void)snprintf(text, size,
                           " and wait%s at the grid's barrier, to which not all blocks come",
                           stuck->n == 1 ? "s" : "");
            return;
        }
        (void)snprintf(text, size, " and read%s %s 0x%" PRIx64 ", which nobody changes%s",
                       stuck->n == 1 ? "s" : "", is_shared ? "shared byte" : "address", address,
                       !is_shared && is_of_host(stuck->warp->block, address)
                           ? ": the memory is the host's, too, but here the host waits until a "
                             "launch has ended"
                           : "");
    }
}

static void tell_round(const struct bsim_ptx_block *block, const struct stuck *list,
                       const char *others)
{
    uint64_t n_blocks = (uint64_t)block->grid.x * block->grid.y * block->grid.z;
    char reason[320];
    put_reason(&list[0], reason, sizeof reason);
    bool may_be_later = n_blocks > 1 && !block->is_together && list[0].step->access != NULL &&
                        list[0].step->access->space != BSIM_PTX_SHARED;
    bsim_ptx_fault_as(
        list[0].warp, list[0].step, list[0].lane, BSIM_PTX_ENDLESS,
        "a deadlock: %" PRIu32 " %s round here for ever%s%s%s", list[0].n,
        list[0].n == 1 ? "thread goes" : "threads go", reason, others,
        may_be_later
            ? "; blocks run one after another here, on a GPU others may run meanwhile: those "
              "of cudaLaunchCooperativeKernel run together here, too"
            : "");
}

static void tell_warps(const struct bsim_ptx_block *block, const struct stuck *list,
                       const char *others)
{
    bsim_ptx_fault_as(list[0].warp, list[0].step, list[0].lane, BSIM_PTX_ENDLESS,
                      "a deadlock: %" PRIu32 " threads wait here for other warps of their four, which "
                      "execute a wgmma together%s; %" PRIu32 " of the block's %" PRIu32
                      " have ended",
                      list[0].n, others, block->n_threads - block->n_alive, block->n_threads);
}

static void tell_cluster(const struct bsim_ptx_block *block, const struct stuck *list,
                         const char *others)
{
    bsim_ptx_fault_as(list[0].warp, list[0].step, list[0].lane, BSIM_PTX_ENDLESS,
                      "a deadlock: %" PRIu32 " threads of the block of rank %" PRIu32
                      " wait here at the cluster's barrier for threads that never come%s",
                      list[0].n, block->rank, others);
}

/* Those who have come to a barrier may stand at several of its instructions, and some have only arrived. */
static void tell_waiting(const struct bsim_ptx_block *block, const struct stuck *list,
                         const char *others)
{
    const struct bsim_ptx_barrier *barrier = &block->barrier[list[0].barrier];
    uint32_t here = list[0].n, come = barrier->arrived + barrier->waiting;
    char elsewhere[64] = "";
    if (come > here) {
        (void)snprintf(elsewhere, sizeof elsewhere, " have come to it, of which %" PRIu32, here);
    }
    bsim_ptx_fault_as(list[0].warp, list[0].step, list[0].lane, BSIM_PTX_ENDLESS,
                      "a deadlock: %" PRIu32 " of the %" PRIu32 " threads that barrier %" PRIu32
                      " wants%s wait here for threads that never come%s; %" PRIu32
                      " of the block's %" PRIu32 " have ended",
                      come, bsim_ptx_count_expected(block, list[0].barrier), list[0].barrier,
                      elsewhere, others, block->n_threads - block->n_alive, block->n_threads);
}

void bsim_ptx_tell_long(struct bsim_ptx_block *block)
{
    struct stuck list[MOST_PLACES];
    char others[200];
    uint32_t n = list_stuck(block, list);
    put_others(block, list, n, others, sizeof others);
    bsim_ptx_fault_as(list[0].warp, list[0].step, list[0].lane, BSIM_PTX_ENDLESS,
                      "%" PRIu32 " %s still here after %" PRIu64 " million instructions of each of the block's warps%s: a "
                      "loop that never ends, or late; --steps N lets it take N million",
                      list[0].n, list[0].n == 1 ? "thread is" : "threads are",
                      block->longest / block->n_warps / 1000000, others);
}

void bsim_ptx_tell_stuck(struct bsim_ptx_block *block)
{
    struct stuck list[MOST_PLACES];
    char others[200];
    uint32_t n = list_stuck(block, list);
    put_others(block, list, n, others, sizeof others);
    if (list[0].is_waiting && list[0].barrier == BSIM_PTX_WARPS_BARRIER) {
        tell_warps(block, list, others);
    } else if (list[0].is_waiting && list[0].barrier == BSIM_PTX_CLUSTER_BARRIER) {
        tell_cluster(block, list, others);
    } else if (list[0].is_waiting) {
        tell_waiting(block, list, others);
    } else {
        tell_round(block, list, others);
    }
}
