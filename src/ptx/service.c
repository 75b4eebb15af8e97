/* service.c - instructions that sort their operands themselves: fences, copies beside the threads,
 * barriers in memory; and those of which nothing can be seen here.
 *
 *     cp.async.ca.shared.global [%r1], [%rd1], 16, %r2    16 bytes, the last of them zeros
 *
 * A copy is done when it is begun: waiting for it finds it done. What a kernel reads too early has the
 * copied value here, and is told of (pending.c).
 */
#include "ptx/matrix.h"
#include "ptx/push.h"
#include "ptx/texture.h"

#include "base/bits.h"
#include "ptx/meet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES };

static uint64_t value_of(const struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                         uint32_t lane)
{
    uint32_t place = argument->place[0];
    return argument->bytes[0] == 8   ? bsim_ptx_at64(warp, place)[lane].u
           : argument->bytes[0] == 1 ? (warp->file[place] >> lane & 1) ^ argument->is_negated
                                     : bsim_ptx_at32(warp, place)[lane].u;
}

static void put_value(struct bsim_ptx_warp *warp, const struct bsim_ptx_argument *argument,
                      uint32_t lane, uint64_t value)
{
    uint32_t place = argument->n > 0 ? argument->place[0] : BSIM_PTX_NOWHERE;
    if (place == BSIM_PTX_NOWHERE) {
        return;
    }
    if (argument->bytes[0] == 8) {
        bsim_ptx_at64(warp, place)[lane].u = value;
    } else if (argument->bytes[0] == 1) {
        uint32_t bit = UINT32_C(1) << lane;
        warp->file[place] = (warp->file[place] & ~bit) | (value != 0 ? bit : 0);
    } else {
        bsim_ptx_at32(warp, place)[lane].u = (uint32_t)value;
    }
}

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
    uint64_t value = value_of(warp, &step->argument[3], lane);
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
    bsim_ptx_pending_commit(warp);
}

static void run_wait(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_group = bsim_ptx_has(step->from, BSIM_PTX_WAIT_GROUP);
    bsim_ptx_pending_end(warp, is_group ? (uint32_t)step->from->operand[0].bits : BSIM_PTX_NO_COPY);
}

/* ---- barriers in memory ---------------------------------------------------------------------- */

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

static bool run_mbarrier_lane(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                              struct mbarrier *barrier, uint32_t lane, uint64_t *result)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_argument *argument = step->argument;
    struct mbarrier before = *barrier, given;
    bool is_wait = bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT);
    if (bsim_ptx_has(from, BSIM_PTX_INIT)) {
        uint16_t count = (uint16_t)value_of(warp, &argument[1], lane);
        *barrier = (struct mbarrier){.pending = count, .expected = count};
        return false;
    }
    if (is_wait) {
        uint64_t value = value_of(warp, &argument[2], lane);
        memcpy(&given, &value, sizeof given);
        *result = bsim_ptx_has(from, BSIM_PTX_PARITY) ? (barrier->phase & 1) != (value & 1)
                                                      : barrier->phase != given.phase;
        return true;
    }
    memcpy(result, &before, sizeof before);
    if (bsim_ptx_has(from, BSIM_PTX_EXPECT_TX)) {
        bool is_arrival = bsim_ptx_has(from, BSIM_PTX_ARRIVE);
        add_bytes(barrier, (uint32_t)value_of(warp, &argument[is_arrival ? 2 : 1], lane));
    }
    if (bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX)) {
        add_bytes(barrier, 0 - (uint32_t)value_of(warp, &argument[1], lane));
    }
    if (bsim_ptx_has(from, BSIM_PTX_ARRIVE) || bsim_ptx_has(from, BSIM_PTX_ARRIVE_DROP)) {
        bool has_count = from->n_operands > 2 && !bsim_ptx_has(from, BSIM_PTX_EXPECT_TX);
        uint16_t count = has_count ? (uint16_t)value_of(warp, &argument[2], lane) : 1;
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
        if (known->last.number != told->awaited) {
            bsim_ptx_meet_await(warp, &known->last);
            told->awaited = known->last.number;
        }
    } else if (is_wait) {
        bsim_ptx_push_look(warp);
    } else if (before->pending != after->pending || before->phase != after->phase) {
        if (known->now.number == 0 || known->now.number != told->arrived) {
            bsim_ptx_meet_arrive(warp, &known->now);
            told->arrived = known->now.number;
        }
        note_phase(known, before, after);
    }
}

/* Lane after lane. The barrier is the first address among the operands. */
static void run_mbarrier(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct told told = {0};
    uint32_t at = from->operand[0].kind == BSIM_PTX_ADDRESS ? 0 : 1;
    bool is_generic =
        !bsim_ptx_has(from, BSIM_PTX_SHARED_) && !bsim_ptx_has(from, BSIM_PTX_SHARED_CTA);
    for (uint32_t l = 0; l < LANES; l++) {
        enum bsim_space space;
        struct mbarrier barrier, before;
        uint64_t result = 0;
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        uint64_t address = bsim_ptx_take_address(warp, &step->argument[at], l);
        unsigned char *p =
            bsim_ptx_locate(warp, step, l, is_generic ? BSIM_PTX_NO_SPACE : BSIM_PTX_SHARED, 8, 8,
                            &address, &space);
        if (p == NULL) {
            return;
        }
        memcpy(&barrier, p, sizeof barrier);
        before = barrier;
        bool has_result = run_mbarrier_lane(warp, step, &barrier, l, &result) && at == 1;
        memcpy(p, &barrier, sizeof barrier);
        tell_mbarrier(warp, from, address, &before, &barrier, result, &told);
        if (has_result) {
            put_value(warp, &step->argument[0], l, result);
        }
    }
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

void bsim_ptx_put_mbarrier(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t lane, char *text, size_t size)
{
    const struct bsim_ptx_block *block = warp->block;
    uint64_t address = bsim_ptx_take_address(warp, &step->argument[1], lane);
    address -= address >= BSIM_PTX_SHARED_WINDOW ? BSIM_PTX_SHARED_WINDOW : 0;
    struct mbarrier barrier;
    char name[100], bytes[60] = "";
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
    if (barrier.bytes != 0) {
        (void)snprintf(bytes, sizeof bytes, ", and %" PRIu32 " bytes of copies are missing",
                       (uint32_t)barrier.bytes);
    }
    (void)snprintf(text, size,
                   " and wait for phase %u of mbarrier%s at shared byte 0x%" PRIx64
                   " to end: %u of its %u arrivals have come%s",
                   barrier.phase, name, address, barrier.expected - barrier.pending,
                   barrier.expected, bytes);
}

static void run_pending_count(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint64_t value = value_of(warp, &step->argument[1], l);
            struct mbarrier barrier;
            memcpy(&barrier, &value, sizeof barrier);
            put_value(warp, &step->argument[0], l, barrier.pending);
        }
    }
}

/* cp.async.mbarrier.arrive: the copies are counted there when they are over. */
static void run_copies_arrive(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bsim_ptx_pending_end(warp, BSIM_PTX_NO_COPY);
    if (bsim_ptx_has(step->from,
                     BSIM_PTX_NOINC)) { /* without it they count themselves in and off */
        run_mbarrier(warp, step);
    }
}

/* ---- copies of many bytes ----------------------------------------------------------------------
 * */

static enum bsim_ptx_space space_behind(const struct bsim_ptx_instruction *from, uint32_t nth)
{
    for (uint32_t i = 0; i < from->n_words; i++) {
        bool is_global = from->word[i] == BSIM_PTX_GLOBAL_;
        bool is_space = is_global || from->word[i] == BSIM_PTX_SHARED_CLUSTER ||
                        from->word[i] == BSIM_PTX_SHARED_CTA;
        if (is_space && nth-- == 0) {
            return is_global ? BSIM_PTX_GLOBAL : BSIM_PTX_SHARED;
        }
    }
    return BSIM_PTX_NO_SPACE;
}

/* The bytes have come: so many fewer are missing. */
static void complete(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                     uint32_t bytes)
{
    enum bsim_space space;
    struct mbarrier barrier;
    uint64_t address = value_of(warp, &step->argument[3], lane) + step->argument[3].offset;
    unsigned char *p = bsim_ptx_locate(warp, step, lane, BSIM_PTX_SHARED, 8, 8, &address, &space);
    if (p != NULL) {
        memcpy(&barrier, p, sizeof barrier);
        struct mbarrier before = barrier;
        struct bsim_ptx_mbarrier *known = bsim_ptx_meet_mbarrier(warp->block, address);
        add_bytes(&barrier, 0 - bytes);
        end_phase(&barrier);
        memcpy(p, &barrier, sizeof barrier);
        if (known != NULL) {
            note_phase(known, &before, &barrier);
        }
    }
}

/* cp.async.bulk: a run of bytes for each lane, at once. It goes past the threads' pipe and has no
 * event. */
static void run_bulk(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool has_barrier = bsim_ptx_has(step->from, BSIM_PTX_COMPLETE_TX_BYTES);
    enum bsim_space space;
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        const struct bsim_ptx_argument *a = step->argument;
        uint64_t to = value_of(warp, &a[0], l) + a[0].offset, at[LANES] = {0};
        uint64_t from = value_of(warp, &a[1], l) + a[1].offset;
        uint32_t bytes = (uint32_t)value_of(warp, &a[2], l);
        if (bytes % 16 != 0) {
            bsim_ptx_fault(warp, step, l, "%u bytes are no multiple of 16", (unsigned)bytes);
            return;
        }
        const unsigned char *source =
            bsim_ptx_locate(warp, step, l, space_behind(step->from, 1), bytes, 16, &from, &space);
        unsigned char *target =
            bsim_ptx_locate(warp, step, l, space_behind(step->from, 0), bytes, 16, &to, &space);
        if (source == NULL || target == NULL) {
            return;
        }
        memmove(target, source, bytes);
        at[l] = to;
        if (space == BSIM_SHARED && warp->block->findings != NULL) {
            uint32_t all = warp->mask;
            warp->mask = UINT32_C(1) << l;
            bsim_ptx_find_written(warp, at, bytes);
            warp->mask = all;
        }
        if (has_barrier) {
            complete(warp, step, l, bytes);
        }
    }
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
                put_value(warp, &one, l, pair->bytes[i] == 1 ? l == lowest : lowest);
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
    return is_form && !bsim_ptx_has(from, BSIM_PTX_BULK) &&
           (bytes == 16 || (!bypasses && (bytes == 4 || bytes == 8)));
}

static const struct bsim_ptx_service *find_copy(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service copy = {run_copy, name_copy}, nothing = {NULL, NULL},
                                         arrive = {run_copies_arrive, NULL},
                                         bulk = {run_bulk, NULL}, commit = {run_commit, NULL},
                                         wait = {run_wait, NULL};
    if (!bsim_ptx_has(from, BSIM_PTX_ASYNC)) {
        return NULL;
    }
    if (bsim_ptx_has(from, BSIM_PTX_MBARRIER)) {
        return &arrive;
    }
    bool is_bulk = bsim_ptx_has(from, BSIM_PTX_BULK);
    bool commits = bsim_ptx_has(from, BSIM_PTX_COMMIT_GROUP);
    if (commits || bsim_ptx_has(from, BSIM_PTX_WAIT_GROUP) ||
        bsim_ptx_has(from, BSIM_PTX_WAIT_ALL)) {
        return is_bulk   ? &nothing
               : commits ? &commit
                         : &wait; /* bulk copies have groups of their own */
    }
    bool is_bulk_copy = is_bulk && !bsim_ptx_has(from, BSIM_PTX_TENSOR) &&
                        space_behind(from, 1) != BSIM_PTX_NO_SPACE &&
                        from->n_operands >= 3 + bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES);
    return is_bulk_copy ? &bulk : has_copy_form(from) ? &copy : NULL;
}

static const struct bsim_ptx_service *find_mbarrier(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service barrier = {run_mbarrier, NULL}, nothing = {NULL, NULL},
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

const struct bsim_ptx_service *bsim_ptx_find_service(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_service fence = {run_fence, name_fence}, trap = {run_trap, NULL},
                                         elect = {run_elect, NULL}, nothing = {NULL, NULL};
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
        return is_other ? &nothing : &fence;
    }
    if (strcmp(m, "cp") == 0 && instruction->unknown != NULL) {
        bool is_prefetch = strcmp(instruction->unknown, "prefetch") == 0 &&
                           !bsim_ptx_has(instruction, BSIM_PTX_TENSOR);
        return is_prefetch ? &nothing : NULL;
    }
    const struct bsim_ptx_service *texture = bsim_ptx_find_texture(instruction);
    return texture != NULL              ? texture
           : strcmp(m, "trap") == 0     ? &trap
           : strcmp(m, "elect") == 0    ? &elect
           : strcmp(m, "cp") == 0       ? find_copy(instruction)
           : strcmp(m, "mbarrier") == 0 ? find_mbarrier(instruction)
                                        : bsim_ptx_find_matrix(instruction);
}
