/* steps.h - a queue of accesses and barriers in program order: what of a warp's program is still to
 * be checked, or the body of a repeat. */
#ifndef BSIM_HAZARD_STEPS_H
#define BSIM_HAZARD_STEPS_H

#include <banksim/event.h>

enum bsim_step_kind {
    BSIM_STEP_ACCESS,
    BSIM_STEP_WARP_SYNC, /* lanes: those that it names */
    BSIM_STEP_FENCE,
    BSIM_STEP_BARRIER,
    BSIM_STEP_ARRIVE, /* to a meeting of some warps */
    BSIM_STEP_AWAIT,
    BSIM_STEP_REPEAT,
};

/* One element. An access that is not affine is followed by its addresses, lowest lane first. */
struct bsim_step {
    const struct bsim_site *site; /* borrowed; or NULL */
    uint64_t line;
    struct bsim_opcode opcode;
    uint8_t kind;
    uint8_t n_addresses; /* that follow */
    uint32_t warp;
    uint32_t lanes;
    uint64_t base, stride; /* n_addresses 0: lane l's address is base + l * stride, modulo 2^64 or,
                              in shared memory, 2^32 */
    uint32_t meeting, arrivals; /* BSIM_STEP_ARRIVE, BSIM_STEP_AWAIT */
    size_t loop;                /* BSIM_STEP_REPEAT: which */
};

struct bsim_steps {
    unsigned char *data;
    size_t head, end, capacity;
};

/* Offsets stay valid until bsim_steps_drop, pointers until the next bsim_steps_add. */
static inline const struct bsim_step *bsim_steps_at(const struct bsim_steps *steps, size_t offset)
{
    return (const struct bsim_step *)(const void *)(steps->data + offset);
}

/* The offset behind the step at `offset`. */
size_t bsim_steps_after(const struct bsim_steps *steps, size_t offset);

/* Is there a step at `offset` of the warp's part of the oldest interval, which ends at its first
 * barrier, or where the steps do? */
static inline bool bsim_steps_in_interval(const struct bsim_steps *steps, size_t offset)
{
    return offset < steps->end && bsim_steps_at(steps, offset)->kind != BSIM_STEP_BARRIER;
}

/* Appends a copy; address has step->n_addresses elements. False when memory is short. */
bool bsim_steps_add(struct bsim_steps *steps, const struct bsim_step *step,
                    const uint64_t *address);

/* Forgets what stands before offset, and moves the rest to the front now and then. */
void bsim_steps_drop(struct bsim_steps *steps, size_t offset);

void bsim_steps_clear(struct bsim_steps *steps);
void bsim_steps_free(struct bsim_steps *steps);

/* The addresses that follow a step. */
static inline const uint64_t *bsim_step_addresses(const struct bsim_step *step)
{
    return (const uint64_t *)(const void *)(step + 1);
}

/* True for an access that writes. */
bool bsim_step_writes(const struct bsim_step *step);

/* Fills step and address from an access, a barrier or a fence; not the site. */
void bsim_step_take(const struct bsim_event *event, uint64_t line, struct bsim_step *step,
                    uint64_t address[BSIM_WARP_LANES]);

/* A walk over the lanes of a step, lowest first, with their addresses. Start with zeroes;
 * false after the last. */
struct bsim_step_walk {
    uint32_t lane, nth; /* to look at next */
};
bool bsim_step_next(const struct bsim_step *step, struct bsim_step_walk *walk, uint32_t *lane,
                    uint64_t *address);

#endif
