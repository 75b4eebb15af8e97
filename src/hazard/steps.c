/* steps.c - steps of different length, one behind the other; see steps.h. */
#include "hazard/steps.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_BYTES = 4096 };

/* Each step starts where a pointer may lie. */
static size_t size_of(const struct bsim_step *step)
{
    size_t align = _Alignof(struct bsim_step);
    size_t size = sizeof *step + step->n_addresses * sizeof(uint64_t);
    return (size + align - 1) / align * align;
}

size_t bsim_steps_after(const struct bsim_steps *steps, size_t offset)
{
    return offset + size_of(bsim_steps_at(steps, offset));
}

static bool make_room(struct bsim_steps *steps, size_t size)
{
    if (size <= steps->capacity - steps->end) {
        return true;
    }
    size_t capacity = steps->capacity == 0 ? FIRST_BYTES : steps->capacity;
    while (capacity - steps->end < size) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    unsigned char *data = bsim_mem_resize(steps->data, capacity, 1);
    if (data == NULL) {
        return false;
    }
    steps->data = data;
    steps->capacity = capacity;
    return true;
}

bool bsim_steps_add(struct bsim_steps *steps, const struct bsim_step *step, const uint64_t *address)
{
    size_t size = size_of(step);
    if (!make_room(steps, size)) {
        return false;
    }
    unsigned char *to = steps->data + steps->end;
    memcpy(to, step, sizeof *step);
    if (step->n_addresses > 0) {
        memcpy(to + sizeof *step, address, step->n_addresses * sizeof *address);
    }
    steps->end += size;
    return true;
}

/* No more is moved than was dropped since the last move, so that a step costs the same however
 * long they are. */
void bsim_steps_drop(struct bsim_steps *steps, size_t offset)
{
    steps->head = offset;
    size_t left = steps->end - steps->head;
    if (steps->head >= left && steps->head > 0) {
        memmove(steps->data, steps->data + steps->head, left);
        steps->head = 0;
        steps->end = left;
    }
}

void bsim_steps_clear(struct bsim_steps *steps)
{
    steps->head = 0;
    steps->end = 0;
}

void bsim_steps_free(struct bsim_steps *steps)
{
    bsim_mem_free(steps->data);
    memset(steps, 0, sizeof *steps);
}

bool bsim_step_writes(const struct bsim_step *step)
{
    return (bsim_family_does(step->opcode.family) & BSIM_WRITES) != 0;
}

static uint8_t kind_of(const struct bsim_opcode *opcode)
{
    switch (opcode->family) {
    case BSIM_WARP_SYNC:
        return BSIM_STEP_WARP_SYNC;
    case BSIM_FENCE:
        return BSIM_STEP_FENCE;
    case BSIM_BAR:
        return BSIM_STEP_BARRIER;
    case BSIM_ARRIVE:
    case BSIM_COPIES_ARRIVE:
        return BSIM_STEP_ARRIVE;
    case BSIM_AWAIT:
        return BSIM_STEP_AWAIT;
    default:
        return BSIM_STEP_ACCESS;
    }
}

void bsim_step_take(const struct bsim_event *event, uint64_t line, struct bsim_step *step,
                    uint64_t address[BSIM_WARP_LANES])
{
    memset(step, 0, sizeof *step);
    step->kind = kind_of(&event->opcode);
    step->line = line;
    step->opcode = event->opcode;
    step->warp = event->warp;
    step->meeting = event->meeting;
    step->arrivals = event->arrivals;
    step->lanes = step->kind == BSIM_STEP_ACCESS ? bsim_opcode_lanes(&event->opcode, event->mask)
                                                 : event->mask;
    if (step->kind != BSIM_STEP_ACCESS) {
        return;
    }
    if (event->affine) {
        step->base = event->base;
        step->stride = (uint64_t)event->stride;
        return;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((step->lanes >> lane & 1) != 0) {
            address[step->n_addresses++] = event->address[lane];
        }
    }
}

bool bsim_step_next(const struct bsim_step *step, struct bsim_step_walk *walk, uint32_t *lane,
                    uint64_t *address)
{
    while (walk->lane < BSIM_WARP_LANES && (step->lanes >> walk->lane & 1) == 0) {
        walk->lane++;
    }
    if (walk->lane == BSIM_WARP_LANES) {
        return false;
    }
    *lane = walk->lane++;
    *address = step->n_addresses > 0 ? bsim_step_addresses(step)[walk->nth++]
                                     : step->base + *lane * step->stride;
    if (step->opcode.space == BSIM_SHARED) {
        *address = (uint32_t)*address;
    }
    return true;
}
