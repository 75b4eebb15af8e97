/* touch.c - a list of touches that is kept short. */
#include "hazard/touch.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_TOUCHES = 1024 };

int bsim_touch_by_static(const struct bsim_touch *a, const struct bsim_touch *b)
{
    return bsim_static_order(a->step->site, &a->step->opcode, a->step->line, b->step->site,
                             &b->step->opcode, b->step->line);
}

int bsim_touch_by_place(const struct bsim_touch *a, const struct bsim_touch *b)
{
    int order = bsim_touch_order(a->step->opcode.space, b->step->opcode.space);
    return order != 0 ? order : bsim_touch_order(a->address, b->address);
}

bool bsim_touch_note(struct bsim_shadow *shadow, const struct bsim_step *step, bool by_lane)
{
    struct bsim_step_walk walk = {0, 0};
    uint32_t lane;
    uint64_t address;
    bool writes = bsim_step_writes(step);
    while (bsim_step_next(step, &walk, &lane, &address)) {
        if (!bsim_shadow_touch(shadow, by_lane ? lane : step->warp, writes, step->opcode.space,
                               address, step->opcode.bytes)) {
            return false;
        }
    }
    return true;
}

static bool make_room(struct bsim_touches *touches, bsim_thin_out_fn *thin_out)
{
    if (touches->n < touches->capacity) {
        return true;
    }
    if (touches->n > 0) {
        thin_out(touches);
    }
    if (touches->capacity > 0 && touches->n <= touches->capacity / 2) {
        return true;
    }
    size_t capacity = touches->capacity == 0 ? FIRST_TOUCHES : 2 * touches->capacity;
    struct bsim_touch *list = bsim_mem_resize(touches->list, capacity, sizeof *list);
    if (list == NULL) {
        return false;
    }
    touches->list = list;
    touches->capacity = capacity;
    return true;
}

bool bsim_touches_add(struct bsim_touches *touches, struct bsim_shadow *shadow,
                      const struct bsim_step *step, uint32_t epoch, bsim_thin_out_fn *thin_out)
{
    struct bsim_step_walk walk = {0, 0};
    uint32_t lane;
    uint64_t address;
    while (bsim_step_next(step, &walk, &lane, &address)) {
        for (uint32_t i = 0; i < step->opcode.bytes; i++) {
            if (!bsim_shadow_is_racy(shadow, step->opcode.space, address + i)) {
                continue;
            }
            if (!make_room(touches, thin_out)) {
                return false;
            }
            touches->list[touches->n++] = (struct bsim_touch){
                .step = step, .address = address + i, .lane = lane, .epoch = epoch};
        }
    }
    return true;
}

struct bsim_race_access bsim_touch_side(const struct bsim_step *step, uint32_t lane)
{
    return (struct bsim_race_access){
        .warp = step->warp,
        .lane = lane,
        .opcode = step->opcode,
        .site = step->site,
        .line = step->line,
    };
}

void bsim_touches_free(struct bsim_touches *touches)
{
    bsim_mem_free(touches->list);
    memset(touches, 0, sizeof *touches);
}
