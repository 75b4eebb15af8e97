/* batch.h - events of one block in short form, which a source may push at once.
 *
 * It is what the binary trace's reader makes of its records, and what the sinks of the library take
 * as it is. A sink that has no push_batch gets each event by itself.
 */
#ifndef BSIM_EVENT_BATCH_H
#define BSIM_EVENT_BATCH_H

#include <banksim/event.h>

/* An instruction that an event can name: an opcode, and the site if it is at one. */
struct bsim_instr {
    struct bsim_opcode opcode;
    const struct bsim_site *site; /* of the same opcode, or NULL */
};

/* An event without expectations, in the form that the binary trace has it (FORMAT.md), in the
 * machine's byte order. Behind its 16 bytes there may be more numbers of 32 bits, filled up to a
 * multiple of 16 bytes. */
struct bsim_packed {
    uint8_t form;   /* enum bsim_packed_form */
    uint8_t warp;   /* in the block, or BSIM_PACKED_ALL_WARPS */
    uint16_t instr; /* place among the batch's instructions */
    uint32_t mask;
    union {
        struct {
            uint32_t base;
            int32_t stride;
        } step;
        uint64_t base;
    } at;
};

enum bsim_packed_form {
    BSIM_PACKED_WAIT = 8,       /* no event: `mask`, signed, is the `wait` of the next one */
    BSIM_PACKED_PLAIN = 9,      /* a barrier, an exchange */
    BSIM_PACKED_WORK = 10,      /* no instruction: `instr` is a enum bsim_packed_work */
    BSIM_PACKED_STEP = 11,      /* lane l's address is at.step.base + l * at.step.stride */
    BSIM_PACKED_LIST = 12,      /* at.base + more[0], [1] ... for each lane of bsim_opcode_lanes */
    BSIM_PACKED_WIDE_STEP = 13, /* at.base + l * stride: its lower half is more[0], its upper [1] */
};

/* What has two numbers, `mask` and at.step.base, instead of an instruction; work has what it reads in at.step.stride. */
enum bsim_packed_work {
    BSIM_PACKED_INSTRUCTIONS, /* work_count, work_cycles */
    BSIM_PACKED_ARRIVE,       /* meeting, 0 */
    BSIM_PACKED_AWAIT,        /* meeting, arrivals */
    BSIM_PACKED_CLASS,        /* work of class 1; of the others behind it */
    BSIM_PACKED_COMMIT = BSIM_PACKED_CLASS + BSIM_WORK_LSU - 1, /* 0, 0 */
    BSIM_PACKED_WAIT_GROUP,   /* groups, 0 */
    BSIM_PACKED_WAIT_ALL,     /* 0, 0 */
    BSIM_PACKED_COPIES_ARRIVE, /* meeting, 0 */
    BSIM_PACKED_LSU,          /* work of that class: binary traces have these numbers, which stay */
    BSIM_N_PACKED_WORKS,
};

enum { BSIM_PACKED_ALL_WARPS = 0xff };

/* Whether a enum bsim_packed_work stands for instructions, and of which class. */
static inline bool bsim_packed_is_work(uint32_t which)
{
    return which == BSIM_PACKED_INSTRUCTIONS || which == BSIM_PACKED_LSU ||
           (which >= BSIM_PACKED_CLASS && which < BSIM_PACKED_COMMIT);
}

/* Or for groups of cp.async. */
static inline bool bsim_packed_groups(uint32_t which)
{
    return which >= BSIM_PACKED_COMMIT && which <= BSIM_PACKED_WAIT_ALL;
}

static inline uint32_t bsim_packed_class(uint32_t which)
{
    return which < BSIM_PACKED_CLASS  ? BSIM_WORK_ANY
           : which == BSIM_PACKED_LSU ? BSIM_WORK_LSU
                                      : which - BSIM_PACKED_CLASS + 1;
}

/* The numbers behind it: more[0], [1] ... */
static inline const uint32_t *bsim_packed_more(const struct bsim_packed *packed)
{
    return (const uint32_t *)(const void *)(packed + 1);
}

/* Of a STEP or a WIDE_STEP. */
static inline uint64_t bsim_packed_base(const struct bsim_packed *packed)
{
    return packed->form == BSIM_PACKED_STEP ? packed->at.step.base : packed->at.base;
}

static inline int64_t bsim_packed_stride(const struct bsim_packed *packed)
{
    const uint32_t *more = bsim_packed_more(packed);
    return packed->form == BSIM_PACKED_STEP ? packed->at.step.stride
                                            : (int64_t)(more[0] | (uint64_t)more[1] << 32);
}

/* What stands behind a packed event with n more numbers. */
static inline const struct bsim_packed *bsim_packed_next(const struct bsim_packed *packed,
                                                         uint32_t n)
{
    return packed + 1 + (n + 3) / 4;
}

/* Events of one block that come one behind the other, which a source may push at once. */
struct bsim_batch {
    const struct bsim_packed *next, *end;
    uint32_t n_events;    /* that the batch had when it was pushed */
    uint32_t n_all_warps; /* of them, those that every warp executes */
    /* The kernel's instructions so far. More may come with later batches; those that were there
     * keep place and content, but not their address. The site of one may be pushed later, before
     * its first event. */
    const struct bsim_instr *instr;
    uint32_t n_instrs;
    uint64_t line; /* of the record before next; each event's is line_step further on */
    uint64_t line_step;
};

/* Packs work, what comes to a meeting or waits for one, or makes groups of copies or waits for these: form, instr and numbers. False for all
 * others. */
bool bsim_pack_work(const struct bsim_event *event, struct bsim_packed *packed);

/* What a work reads as its at.step.stride: a byte each, the first the lowest. And back. */
int32_t bsim_pack_reads(const struct bsim_reads *reads);
struct bsim_reads bsim_pop_reads(int32_t stride);

/* The opcode of what comes to a meeting or waits for one. */
struct bsim_opcode bsim_pop_meeting(uint32_t which);

/* The opcode and groups of an event of which bsim_packed_groups(which), with the number behind it. */
void bsim_pop_groups(uint32_t which, uint32_t n, struct bsim_event *event);

/* Takes the batch's next event off: fills *event, which bsim_event_init has made; batch->line is
 * the event's own then. The batch is not empty. */
void bsim_batch_pop(struct bsim_batch *batch, struct bsim_event *event);

/* Has the sink take all events of the batch, one after another if it takes no batches. After an
 * error batch->line is the line of the event that was refused. */
enum bsim_status bsim_sink_push_batch(const struct bsim_sink *sink, struct bsim_batch *batch,
                                      struct bsim_error *err);

#endif
