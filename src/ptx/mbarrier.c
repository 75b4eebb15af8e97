/* mbarrier.c - barriers in memory, which threads and copies come to.
 *
 *     mbarrier.init.shared.b64 [b], 2;                  pending 2 of 2, 0 bytes missing, phase 0
 *     mbarrier.arrive.expect_tx.shared.b64 _, [b], 64;          1 of 2, 64
 *     mbarrier.arrive.shared.b64 _, [b];                        0 of 2, 64
 *     a copy brings 64 bytes                                    2 of 2, 0             phase 1
 *
 * Copies by cp.async have come at once here. So cp.async.mbarrier.arrive.noinc is an arrival, and without .noinc, which
 * counts itself in first, it leaves the barrier as it is. The stream has either as an arrival that waits for them.
 */
#include "ptx/mbarrier.h"

#include "ptx/beside.h"
#include "ptx/meet.h"
#include "ptx/push.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES };

/* What the 8 bytes hold here; PTX leaves it open. */
struct mbarrier {
    uint16_t pending, expected; /* arrivals: that this phase still waits for, and of each phase */
    unsigned bytes : 22; /* that bulk copies have still to bring; around 0 if some came early */
    unsigned phase : 10;
};

static void add_bytes(struct mbarrier *barrier, uint32_t bytes)
{
    barrier->bytes = (barrier->bytes + bytes) & 0x3fffff;
}

static void end_phase(struct mbarrier *barrier)
{
    if (barrier->pending == 0 && barrier->bytes == 0) {
        barrier->phase++;
        barrier->pending = barrier->expected;
    }
}

/* cp.async.mbarrier.arrive */
static bool is_of_copies(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_ASYNC);
}

static bool run_mbarrier_lane(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                              struct mbarrier *barrier, uint32_t lane, uint64_t *result)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_argument *argument = step->argument;
    struct mbarrier before = *barrier, given;
    bool is_wait = bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT);
    if (bsim_ptx_has(from, BSIM_PTX_INIT)) {
        uint16_t count = (uint16_t)bsim_ptx_take_argument(warp, &argument[1], lane);
        *barrier = (struct mbarrier){.pending = count, .expected = count};
        return false;
    }
    if (is_wait) {
        uint64_t value = bsim_ptx_take_argument(warp, &argument[2], lane);
        memcpy(&given, &value, sizeof given);
        *result = bsim_ptx_has(from, BSIM_PTX_PARITY) ? (barrier->phase & 1) != (value & 1)
                                                      : barrier->phase != given.phase;
        return true;
    }
    memcpy(result, &before, sizeof before);
    if (is_of_copies(from) && !bsim_ptx_has(from, BSIM_PTX_NOINC)) {
        return false;
    }
    if (bsim_ptx_has(from, BSIM_PTX_EXPECT_TX)) {
        bool is_arrival = bsim_ptx_has(from, BSIM_PTX_ARRIVE);
        add_bytes(barrier, (uint32_t)bsim_ptx_take_argument(warp, &argument[is_arrival ? 2 : 1], lane));
    }
    if (bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX)) {
        add_bytes(barrier, 0 - (uint32_t)bsim_ptx_take_argument(warp, &argument[1], lane));
    }
    if (bsim_ptx_has(from, BSIM_PTX_ARRIVE) || bsim_ptx_has(from, BSIM_PTX_ARRIVE_DROP)) {
        bool has_count = from->n_operands > 2 && !bsim_ptx_has(from, BSIM_PTX_EXPECT_TX);
        uint16_t count = has_count ? (uint16_t)bsim_ptx_take_argument(warp, &argument[2], lane) : 1;
        barrier->pending = (uint16_t)(barrier->pending - count);
        barrier->expected =
            (uint16_t)(barrier->expected - (bsim_ptx_has(from, BSIM_PTX_ARRIVE_DROP) ? count : 0));
    }
    end_phase(barrier);
    return bsim_ptx_has(from, BSIM_PTX_ARRIVE) || bsim_ptx_has(from, BSIM_PTX_ARRIVE_DROP);
}

/* What a warp has told of one instruction: the last meetings, by number. */
struct told {
    uint32_t arrived, awaited;
};

/* A phase may have ended. */
static void note_phase(struct bsim_ptx_mbarrier *known, const struct mbarrier *before,
                       const struct mbarrier *after)
{
    if (before->phase != after->phase) {
        known->last = known->now;
        known->now = (struct bsim_ptx_meeting){0};
    }
}

/* The barrier is another block's: its stream has no arrivals of this one. */
static void note_peers(struct bsim_ptx_block *there, uint64_t address, const struct mbarrier *before,
                       const struct mbarrier *after)
{
    struct bsim_ptx_mbarrier *known = bsim_ptx_meet_mbarrier(there, address);
    if (known != NULL) {
        note_phase(known, before, after);
    }
}

/* Tells the stream what a lane did at the barrier; result: of a look at it, or whatever. */
static void tell_mbarrier(struct bsim_ptx_warp *warp, const struct bsim_ptx_instruction *from,
                          uint64_t address, const struct mbarrier *before,
                          const struct mbarrier *after, uint64_t result, struct told *told)
{
    bool is_wait = bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT);
    struct bsim_ptx_mbarrier *known = bsim_ptx_meet_mbarrier(warp->block, address);
    if (known == NULL) {
        return;
    }
    if (bsim_ptx_has(from, BSIM_PTX_INIT)) {
        known->now = known->last = (struct bsim_ptx_meeting){0};
        known->is_initialised = true;
    } else if (is_wait && result != 0) {
        bsim_ptx_end_look(warp);
        bsim_ptx_coming_seen(warp->block, address, after->phase);
        if (known->last.number != told->awaited) {
            bsim_ptx_pending_seen(warp->block, address, after->phase);
            bsim_ptx_meet_await(warp, &known->last);
            told->awaited = known->last.number;
        }
    } else if (is_wait) {
        bsim_ptx_push_look(warp);
    } else if (is_of_copies(from) || before->pending != after->pending || before->phase != after->phase) {
        if (known->now.number == 0 || known->now.number != told->arrived) {
            (is_of_copies(from) ? bsim_ptx_meet_copies : bsim_ptx_meet_arrive)(warp, &known->now);
            told->arrived = known->now.number;
        }
        note_phase(known, before, after);
    }
}

/* The 8 bytes of a barrier, NULL after a fault, and the block that has them. `where` is BSIM_PTX_NO_SPACE for a
 * generic address, which loses its window. */
static unsigned char *locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                             enum bsim_ptx_space where, uint64_t *address, struct bsim_ptx_block **there)
{
    enum { BYTES = sizeof(struct mbarrier) };
    enum bsim_space space;
    uint64_t at = *address - (where == BSIM_PTX_NO_SPACE ? BSIM_PTX_SHARED_WINDOW : 0);
    *there = bsim_ptx_block_at(warp->block, &at);
    return bsim_ptx_locate(warp, step, lane, where, BYTES, BYTES, address, &space);
}

struct bsim_ptx_block *bsim_ptx_mbarrier_find(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                              const struct bsim_ptx_argument *argument, uint32_t lane,
                                              uint64_t *address)
{
    struct bsim_ptx_block *there;
    *address = bsim_ptx_take_address(warp, argument, lane);
    return locate(warp, step, lane, BSIM_PTX_SHARED, address, &there) != NULL ? there : NULL;
}

/* The register of an operand that holds a phase, 0 if none does. */
static uint32_t place_of_phase(const struct bsim_ptx_step *step, uint32_t operand)
{
    const struct bsim_ptx_argument *argument = &step->argument[operand];
    return step->from->operand[operand].kind == BSIM_PTX_REGISTER && argument->n > 0 ? argument->place[0] : 0;
}

static void note_look(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    bool is_wait = bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT);
    if (is_wait && !bsim_ptx_has(from, BSIM_PTX_PARITY)) {
        bsim_ptx_work_looks(warp, place_of_phase(step, 2));
    }
}

static void note_state(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    if (bsim_ptx_has(from, BSIM_PTX_ARRIVE) || bsim_ptx_has(from, BSIM_PTX_ARRIVE_DROP)) {
        bsim_ptx_work_came(warp, place_of_phase(step, 0));
    }
}

/* Lane after lane. The barrier is the first address among the operands. */
void bsim_ptx_run_mbarrier(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct told told = {0};
    uint32_t at = from->operand[0].kind == BSIM_PTX_ADDRESS ? 0 : 1;
    bool is_generic =
        !bsim_ptx_has(from, BSIM_PTX_SHARED_) && !bsim_ptx_has(from, BSIM_PTX_SHARED_CTA) &&
        !bsim_ptx_has(from, BSIM_PTX_SHARED_CLUSTER);
    enum bsim_ptx_space where = is_generic ? BSIM_PTX_NO_SPACE : BSIM_PTX_SHARED;
    note_look(warp, step);
    for (uint32_t l = 0; l < LANES; l++) {
        struct bsim_ptx_block *there;
        struct mbarrier barrier, before;
        uint64_t result = 0;
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        uint64_t address = bsim_ptx_take_address(warp, &step->argument[at], l);
        unsigned char *p = locate(warp, step, l, where, &address, &there);
        if (p == NULL) {
            return;
        }
        memcpy(&barrier, p, sizeof barrier);
        before = barrier;
        bool has_result = run_mbarrier_lane(warp, step, &barrier, l, &result) && at == 1;
        memcpy(p, &barrier, sizeof barrier);
        warp->block->n_changes += memcmp(&before, &barrier, sizeof barrier) != 0;
        if (there != warp->block) {
            note_peers(there, address, &before, &barrier);
        } else {
            tell_mbarrier(warp, from, address, &before, &barrier, result, &told);
        }
        if (is_of_copies(from)) {
            bsim_ptx_pending_count(warp, l, address, before.phase);
        }
        if (has_result) {
            bsim_ptx_put_argument(warp, &step->argument[0], l, result);
        }
    }
    note_state(warp, step);
}

/* " b": the array that the address is in, of the program's "a@0:64+b@64:8"; of dynamic memory none. */
static void put_variable(const struct bsim_ptx_program *program, uint64_t address, char *text,
                         size_t size)
{
    text[0] = '\0';
    for (const char *p = program->shared; *p != '\0'; p += *p == '+') {
        size_t length = strcspn(p, "@");
        char *end;
        uint64_t start = strtoull(p + length + 1, &end, 10);
        uint64_t bytes = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
        if (address - start < bytes) {
            (void)snprintf(text, size, " %.*s", (int)length, p);
        }
        p = end;
    }
}

/* Whether an mbarrier.init has been there. */
static bool is_initialised(const struct bsim_ptx_block *block, uint64_t address)
{
    for (uint32_t i = 0; i < block->n_mbarriers; i++) {
        if (block->mbarrier[i].address == address) {
            return block->mbarrier[i].is_initialised;
        }
    }
    return false;
}

/* What copies are still to bring, or have brought beyond what was expected. */
static void put_bytes(const struct mbarrier *barrier, char *text, size_t size)
{
    const uint32_t around = UINT32_C(1) << 22;
    uint32_t bytes = barrier->bytes;
    if (bytes >= around / 2) {
        (void)snprintf(text, size,
                       ", and copies have brought %" PRIu32 " bytes more than expect_tx said",
                       around - bytes);
    } else if (bytes > 0) {
        (void)snprintf(text, size, ", and %" PRIu32 " bytes of copies are missing", bytes);
    }
}

void bsim_ptx_put_mbarrier(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t lane, char *text, size_t size)
{
    const struct bsim_ptx_block *block = warp->block;
    uint64_t address = bsim_ptx_take_address(warp, &step->argument[1], lane);
    address -= address >= BSIM_PTX_SHARED_WINDOW ? BSIM_PTX_SHARED_WINDOW : 0;
    struct mbarrier barrier;
    char name[100], bytes[100] = "";
    if (address > block->shared_bytes || block->shared_bytes - address < sizeof barrier) {
        text[0] = '\0';
        return;
    }
    memcpy(&barrier, block->shared + address, sizeof barrier);
    put_variable(block->program, address, name, sizeof name);
    if (!is_initialised(block, address)) {
        (void)snprintf(text, size,
                       " and wait for mbarrier%s at shared byte 0x%" PRIx64
                       ", which nobody has initialised",
                       name, address);
        return;
    }
    put_bytes(&barrier, bytes, sizeof bytes);
    (void)snprintf(text, size,
                   " and wait for phase %u of mbarrier%s at shared byte 0x%" PRIx64
                   " to end: %u of its %u arrivals have come%s",
                   barrier.phase, name, address, (uint16_t)(barrier.expected - barrier.pending),
                   barrier.expected, bytes);
}

static void run_pending_count(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint64_t value = bsim_ptx_take_argument(warp, &step->argument[1], l);
            struct mbarrier barrier;
            memcpy(&barrier, &value, sizeof barrier);
            bsim_ptx_put_argument(warp, &step->argument[0], l, barrier.pending);
        }
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

uint32_t bsim_ptx_mbarrier_expect(struct bsim_ptx_warp *warp, uint64_t address, uint32_t *phase)
{
    struct mbarrier barrier;
    struct bsim_ptx_mbarrier *known = bsim_ptx_meet_mbarrier(warp->block, address);
    memcpy(&barrier, warp->block->shared + address, sizeof barrier);
    *phase = barrier.phase;
    return known != NULL ? bsim_ptx_meet_number(warp->block, &known->now) : 0;
}

void bsim_ptx_mbarrier_complete(struct bsim_ptx_block *block, uint64_t address, uint32_t bytes)
{
    struct mbarrier barrier, before;
    struct bsim_ptx_mbarrier *known = bsim_ptx_meet_mbarrier(block, address);
    unsigned char *p = block->shared + address;
    memcpy(&barrier, p, sizeof barrier);
    before = barrier;
    add_bytes(&barrier, 0 - bytes);
    end_phase(&barrier);
    memcpy(p, &barrier, sizeof barrier);
    if (known != NULL) {
        note_phase(known, &before, &barrier);
    }
}

const struct bsim_ptx_service *bsim_ptx_find_mbarrier(
    const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service barrier = {bsim_ptx_run_mbarrier, NULL}, nothing = {NULL, NULL},
                                         pending = {run_pending_count, NULL};
    static const uint8_t known[] = {BSIM_PTX_INIT,       BSIM_PTX_TEST_WAIT, BSIM_PTX_TRY_WAIT,
                                    BSIM_PTX_ARRIVE,     BSIM_PTX_EXPECT_TX, BSIM_PTX_ARRIVE_DROP,
                                    BSIM_PTX_COMPLETE_TX};
    if (bsim_ptx_has(from, BSIM_PTX_INVAL)) {
        return &nothing;
    }
    if (bsim_ptx_has(from, BSIM_PTX_PENDING_COUNT)) {
        return &pending;
    }
    for (size_t i = 0; i < sizeof known; i++) {
        if (bsim_ptx_has(from, known[i])) {
            return &barrier;
        }
    }
    return NULL;
}

