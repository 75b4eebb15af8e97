/* flight.c - copies by cp.async of a sketch that waits for them, and who reads bytes that are still on their way.
 *
 *     cp_async ca:4 s[0][threadIdx.x], in[threadIdx.x]      in flight from here
 *     cp_async wait_group 0                                 not over: it is in no group
 *     sync
 *     load s[0][threadIdx.x]                                found
 *
 * A copy is in flight from its own step to the step by which its warp has waited for it, both counted in steps of the
 * warp and in barriers of the block. A read of the same warp is too soon between those steps; one of another warp behind a
 * later barrier than the copy's first and no later one than its last. Without a barrier between them the two race, which is
 * not looked for here, nor is another warp's read in a sketch with mbarriers, whose order is not that of barriers.
 *
 * What comes to an mbarrier is over for its own warp when that waits there, or behind a barrier of the block, as another
 * warp may have. Turns of `times`, of which one is played, are not looked at, nor what would take too long.
 */
#include "expr/flight.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

enum { WORD = 4, NO_BARRIER = 0, MOST_COPIES = 1 << 22, MOST_LOOKS = 1 << 27 };

/* A lane's copy to 4 bytes. */
struct bsim_flight_copy {
    uint32_t next; /* the one before of the same bytes; 0: none */
    uint32_t warp, group;
    size_t access;
    uint64_t step, syncs;       /* it begins */
    uint64_t over, over_syncs;  /* and is over; UINT64_MAX: nobody waits for it */
    uint64_t barrier;           /* that it comes to, or NO_BARRIER */
};

void bsim_flight_begin(struct bsim_flight *flight)
{
    flight->n_steps = 0;
    flight->n_groups = 0;
    flight->begin = flight->n_copies;
}

void bsim_flight_free(struct bsim_flight *flight)
{
    bsim_mem_free(flight->copy);
    bsim_mem_free(flight->first);
}

static uint32_t n_words(const struct bsim_check *check)
{
    uint32_t end = 0;
    for (size_t i = 0; i < check->n_shared; i++) {
        uint32_t last = check->array[i].offset_bytes + check->array[i].size_bytes;
        end = last > end ? last : end;
    }
    return end / WORD + 1;
}

/* ---- the first walk -------------------------------------------------------------------------- */

static enum bsim_status add(struct bsim_flight *flight, const struct bsim_check_request *request, uint32_t word,
                            uint64_t n_syncs, struct bsim_error *err)
{
    struct bsim_flight_copy *grown = bsim_mem_grow(flight->copy, flight->n_copies, sizeof *grown);
    if (grown == NULL) {
        return bsim_mem_short(err);
    }
    flight->copy = grown;
    grown[flight->n_copies++] = (struct bsim_flight_copy){.next = flight->first[word],
                                                          .warp = request->warp,
                                                          .group = flight->n_groups,
                                                          .access = request->access,
                                                          .step = flight->n_steps,
                                                          .syncs = n_syncs,
                                                          .over = UINT64_MAX,
                                                          .over_syncs = UINT64_MAX};
    flight->first[word] = (uint32_t)flight->n_copies;
    return BSIM_OK;
}

static enum bsim_status note(struct bsim_flight *flight, const struct bsim_check_request *request, uint64_t n_syncs,
                             struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (flight->first == NULL) {
        flight->first = bsim_mem_zeroed(n_words(flight->check), sizeof *flight->first);
        status = flight->first != NULL ? BSIM_OK : bsim_mem_short(err);
    }
    for (uint32_t left = request->lanes; left != 0 && status == BSIM_OK; left &= left - 1) {
        uint32_t address = request->address[bsim_bits_lowest(left)];
        for (uint32_t at = 0; at < request->opcode.bytes && status == BSIM_OK; at += WORD) {
            status = flight->n_copies < MOST_COPIES ? add(flight, request, (address + at) / WORD, n_syncs, err) : BSIM_OK;
        }
    }
    return status;
}

/* The running warp's copies of groups before that one, or that come to that barrier, are over. */
static void end(struct bsim_flight *flight, uint32_t group, uint64_t barrier, uint64_t n_syncs)
{
    while (flight->begin < flight->n_copies && flight->copy[flight->begin].over != UINT64_MAX) {
        flight->begin++;
    }
    for (size_t i = flight->begin; flight->is_noting && i < flight->n_copies; i++) {
        struct bsim_flight_copy *copy = &flight->copy[i];
        bool is_over = copy->group < group || (barrier != NO_BARRIER && copy->barrier == barrier);
        if (is_over && copy->over == UINT64_MAX) {
            copy->over = flight->n_steps;
            copy->over_syncs = n_syncs;
        }
    }
}

void bsim_flight_commit(struct bsim_flight *flight)
{
    flight->n_groups++;
}

void bsim_flight_wait(struct bsim_flight *flight, uint32_t n, uint64_t n_syncs)
{
    uint32_t done = flight->n_groups > n ? flight->n_groups - n : 0;
    flight->n_steps++;
    end(flight, n == BSIM_ALL_COPIES ? UINT32_MAX : done, NO_BARRIER, n_syncs);
}

void bsim_flight_arrive(struct bsim_flight *flight, uint64_t barrier)
{
    for (size_t i = flight->begin; flight->is_noting && i < flight->n_copies; i++) {
        struct bsim_flight_copy *copy = &flight->copy[i];
        copy->barrier = copy->barrier == NO_BARRIER ? barrier : copy->barrier;
    }
}

void bsim_flight_see(struct bsim_flight *flight, uint64_t barrier, uint64_t n_syncs)
{
    flight->n_steps++;
    end(flight, 0, barrier, n_syncs);
}

/* ---- the second ------------------------------------------------------------------------------ */

static bool is_early(const struct bsim_flight *flight, const struct bsim_flight_copy *copy, uint32_t warp, uint64_t n_syncs)
{
    if (copy->warp == warp) {
        bool is_behind = copy->barrier != NO_BARRIER && copy->syncs < n_syncs;
        return copy->step < flight->n_steps && flight->n_steps < copy->over && !is_behind;
    }
    return flight->check->n_mbarriers == 0 && copy->syncs < n_syncs && n_syncs <= copy->over_syncs;
}

static enum bsim_status refuse(const struct bsim_flight *flight, const struct bsim_check_request *request, uint32_t lane,
                               const struct bsim_flight_copy *copy, struct bsim_error *err)
{
    const struct bsim_access *read = &flight->check->access[request->access], *from = &flight->check->access[copy->access];
    const char *remedy = copy->barrier != NO_BARRIER ? "wait for the mbarrier that it comes to in front of the read"
                         : copy->over == UINT64_MAX
                             ? "no wait of its warp covers it. A wait_group is for groups that commit_group has ended, all "
                               "but the last N: put commit_group and wait_group 0, or wait_all, in front of the read and of "
                               "any barrier before it"
                             : "the wait of its warp that covers it comes too late: leave fewer groups, or wait in front of "
                               "the read and of any barrier before it";
    return bsim_cu_error(read->node->source, read->node->at, err,
                         "lane %" PRIu32 " of warp %" PRIu32 " reads what %s %s of warp %" PRIu32
                         " has on its way: %s",
                         lane, request->warp, from->shown.op, from->shown.text, copy->warp, remedy);
}

static enum bsim_status look(struct bsim_flight *flight, const struct bsim_check_request *request, uint64_t n_syncs,
                             struct bsim_error *err)
{
    for (uint32_t left = flight->first != NULL ? request->lanes : 0; left != 0; left &= left - 1) {
        uint32_t lane = bsim_bits_lowest(left), address = request->address[lane];
        for (uint32_t at = 0; at < request->opcode.bytes; at += WORD) {
            uint32_t number = flight->first[(address + at) / WORD];
            while (number != 0 && !is_early(flight, &flight->copy[number - 1], request->warp, n_syncs)) {
                number = ++flight->n_looks < MOST_LOOKS ? flight->copy[number - 1].next : 0;
            }
            if (number != 0) {
                return refuse(flight, request, lane, &flight->copy[number - 1], err);
            }
        }
    }
    return BSIM_OK;
}

enum bsim_status bsim_flight_request(struct bsim_flight *flight, const struct bsim_check_request *request,
                                     uint64_t n_syncs, struct bsim_error *err)
{
    uint32_t does = bsim_family_does(request->opcode.family);
    flight->n_steps++;
    if (request->times > 1 || request->opcode.space != BSIM_SHARED) {
        return BSIM_OK;
    }
    if (request->opcode.family == BSIM_CP_ASYNC) {
        return flight->is_noting ? note(flight, request, n_syncs, err) : BSIM_OK;
    }
    return !flight->is_noting && (does & (BSIM_READS | BSIM_UPDATES)) != 0 ? look(flight, request, n_syncs, err) : BSIM_OK;
}
