/* binary_batch.c - the usual accesses, checked where they stand and pushed many at once: almost all
 * of a trace.
 *
 * A record of lanes in step or of a list of 32-bit offsets has the form of a brief of event.h, so
 * nothing is copied. Only what is plainly right goes into a batch: no attributes, all 32 lanes of a
 * base and stride in the window, ... The first other record ends it, and is for binary_event.c,
 * which alone knows what may be wrong or whether it is right after all.
 *
 * What the rules say of a thing's masks and addresses is in two or three numbers (struct
 * bsim_binary_rule), so that an event is held against them with a few comparisons.
 *
 * Little-endian processors only; on others there are no batches.
 */
#include "trace/binary_decode.h"

#include <stddef.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

_Static_assert(sizeof(struct bsim_brief) == BSIM_BINARY_UNIT_BYTES &&
                   offsetof(struct bsim_brief, warp) == 1 &&
                   offsetof(struct bsim_brief, thing) == 2 &&
                   offsetof(struct bsim_brief, mask) == 4 &&
                   offsetof(struct bsim_brief, at.step.base) == 8 &&
                   offsetof(struct bsim_brief, at.step.stride) == 12 &&
                   offsetof(struct bsim_brief, at.base) == 8 &&
                   offsetof(struct bsim_brief, more) == 16,
               "a brief is a record as it stands");
_Static_assert((int)BSIM_BRIEF_STEP == (int)BSIM_BINARY_AFFINE &&
                   (int)BSIM_BRIEF_WIDE_STEP == (int)BSIM_BINARY_WIDE_AFFINE &&
                   (int)BSIM_BRIEF_LIST == (int)BSIM_BINARY_LIST &&
                   (int)BSIM_BRIEF_ALL_WARPS == (int)BSIM_BINARY_ALL_WARPS,
               "and so are its numbers");

/* n is 32 in nearly all lists, for which the compiler makes vectors of this. */
static inline bool holds_offsets(const struct bsim_window *window, uint64_t base,
                                 const uint32_t *offset, uint32_t n)
{
    uint64_t room = window->last - base;
    uint32_t most = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    uint32_t bits = 0;
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < n; i++) {
        bits |= offset[i];
    }
    /* None is more than all their bits together; mostly that is answer enough. */
    for (uint32_t i = 0; bits > most && i < n; i++) {
        beyond |= offset[i] > most;
    }
    return beyond == 0 && base <= window->last && ((bits | base) & (window->bytes - 1)) == 0;
}

static inline uint32_t population(uint32_t lanes)
{
    lanes -= lanes >> 1 & 0x55555555;
    lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
    return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Behind the list, or NULL if it is not plainly right. */
static inline const struct bsim_brief *pass_list(const struct bsim_binary_rule *rule,
                                                 const struct bsim_brief *brief,
                                                 const struct bsim_brief *end)
{
    uint64_t base = brief->at.base;
    uint32_t lanes = rule->rows != 0 ? rule->rows : brief->mask;
    size_t units = (size_t)(end - brief);
    if (lanes == BSIM_FULL_MASK) {
        const struct bsim_brief *next = bsim_brief_next(brief, BSIM_WARP_LANES);
        return (size_t)(next - brief) <= units &&
                       holds_offsets(&rule->window, base, brief->more, BSIM_WARP_LANES)
                   ? next
                   : NULL;
    }
    uint32_t n = population(lanes);
    const struct bsim_brief *next = bsim_brief_next(brief, n);
    return (size_t)(next - brief) <= units && holds_offsets(&rule->window, base, brief->more, n)
               ? next
               : NULL;
}

/* Behind the record, or NULL if it is not plainly right. */
static inline const struct bsim_brief *pass(const struct bsim_binary *binary,
                                            const struct bsim_brief *brief,
                                            const struct bsim_brief *end)
{
    const struct bsim_binary_rule *rule = &binary->rule[brief->thing];
    bool is_warp = brief->warp < binary->rules.n_warps || brief->warp == BSIM_BRIEF_ALL_WARPS;
    if (brief->thing >= binary->n_things || !is_warp ||
        brief->mask - rule->mask_from > rule->mask_room) {
        return NULL;
    }
    switch (brief->form) {
    case BSIM_BRIEF_STEP:
        return bsim_window_holds(&rule->window, brief->at.step.base, brief->at.step.stride)
                   ? brief + 1
                   : NULL;
    case BSIM_BRIEF_WIDE_STEP:
        return end - brief >= 2 &&
                       bsim_window_holds(&rule->window, brief->at.base, bsim_brief_stride(brief))
                   ? brief + 2
                   : NULL;
    case BSIM_BRIEF_LIST:
        return pass_list(rule, brief, end);
    default:
        return NULL;
    }
}

static struct bsim_batch find_batch(const struct bsim_binary *binary, const unsigned char *p,
                                    const unsigned char *p_end)
{
    const struct bsim_brief *brief = (const void *)p, *end = (const void *)p_end;
    struct bsim_batch batch = {
        .next = brief,
        .thing = binary->thing,
        .n_things = binary->n_things,
        .line = binary->line,
        .line_step = binary->step,
    };
    for (; brief != end; batch.n_events++) {
        const struct bsim_brief *next = pass(binary, brief, end);
        if (next == NULL) {
            break;
        }
        batch.n_all_warps += brief->warp == BSIM_BRIEF_ALL_WARPS;
        brief = next;
    }
    batch.end = brief;
    return batch;
}

enum bsim_status bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                                   const unsigned char *end)
{
    enum bsim_status status = BSIM_OK;
    if (binary->has_attributes) {
        return BSIM_OK;
    }
    struct bsim_batch batch = find_batch(binary, *p, end);
    if (batch.n_events == 0) {
        return BSIM_OK;
    }
    *p = (const void *)batch.end;
    binary->counts.events += batch.n_events;
    binary->line += batch.n_events * binary->step;
    if (!binary->is_muted) {
        status = bsim_sink_push_batch(binary->sink, &batch, binary->err);
    }
    if (status != BSIM_OK) {
        bsim_error_place(binary->err, binary->name, batch.line, 0, NULL, 0);
    }
    return status;
}

#else

enum bsim_status bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                                   const unsigned char *end)
{
    (void)binary, (void)p, (void)end;
    return BSIM_OK;
}

#endif
