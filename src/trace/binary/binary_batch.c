/* binary_batch.c - the usual events, checked where they stand and pushed many at once: almost all of a
 * trace.
 *
 * Their records have the form of the briefs of event.h, so nothing is copied. Only what is plainly
 * right goes into a batch: no expectations, all 32 lanes of a base and stride in the window, ... The
 * first other record ends it, and is for binary_event.c, which alone knows what may be wrong or whether
 * it is right after all.
 *
 * What the rules say of an instruction's masks and addresses is in two or three numbers (struct
 * bsim_binary_rule), so that an event is held against them with a few comparisons.
 *
 * Little-endian processors and compilers with vectors only; for others there are no batches.
 */
#include "trace/binary/binary_decode.h"

#include "base/bits.h"

#include <stddef.h>

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

_Static_assert(sizeof(struct bsim_brief) == BSIM_BINARY_UNIT_BYTES &&
                   offsetof(struct bsim_brief, warp) == 1 &&
                   offsetof(struct bsim_brief, instr) == 2 &&
                   offsetof(struct bsim_brief, mask) == 4 &&
                   offsetof(struct bsim_brief, at.step.base) == 8 &&
                   offsetof(struct bsim_brief, at.step.stride) == 12 &&
                   offsetof(struct bsim_brief, at.base) == 8,
               "a brief is a record as it stands");
_Static_assert((int)BSIM_BRIEF_STEP == (int)BSIM_BINARY_AFFINE &&
                   (int)BSIM_BRIEF_WIDE_STEP == (int)BSIM_BINARY_WIDE_AFFINE &&
                   (int)BSIM_BRIEF_LIST == (int)BSIM_BINARY_LIST &&
                   (int)BSIM_BRIEF_WAIT == (int)BSIM_BINARY_ATTRIBUTES &&
                   (int)BSIM_BRIEF_PLAIN == (int)BSIM_BINARY_PLAIN &&
                   (int)BSIM_BRIEF_WORK == (int)BSIM_BINARY_WORK &&
                   (int)BSIM_BRIEF_ALL_WARPS == (int)BSIM_BINARY_ALL_WARPS,
               "and so are its numbers");

/* Four offsets at once. */
typedef uint32_t quad __attribute__((vector_size(16), may_alias));

#define EACH(value) ((quad){(value), (value), (value), (value)})

/* What all offsets of a list say together. */
struct offsets {
    quad bits;  /* that are set in any of them */
    quad above; /* bit 31: set in each of limit - offset */
};

static inline struct offsets look(const quad *quads, uint32_t n, uint32_t limit)
{
    struct offsets offsets = {EACH(0), EACH(UINT32_MAX)};
#pragma GCC unroll 8
    for (uint32_t i = 0; i < n; i++) {
        offsets.bits |= quads[i];
        offsets.above &= EACH(limit) - quads[i];
    }
    return offsets;
}

/* False too where there is doubt: what fills the list up counts as offsets. Those with bit 31 clear
 * are in the room if the sign of 2^31 + room - offset stays; those with it set are looked at only
 * where there is room for all that are aligned. */
static inline bool holds_offsets(const struct bsim_window *window, uint64_t base,
                                 const struct bsim_brief *brief, uint32_t n_quads)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint64_t room = window->last - base;
    uint32_t most = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    struct offsets all = look((const void *)bsim_brief_more(brief), n_quads, sign + most);
    uint32_t bits = all.bits[0] | all.bits[1] | all.bits[2] | all.bits[3];
    uint32_t above = all.above[0] & all.above[1] & all.above[2] & all.above[3];
    bool fits = bits <= most || (most < sign && bits < sign && (above & sign) != 0);
    return fits && base <= window->last && !window->is_empty &&
           ((bits | base) & (window->bytes - 1)) == 0;
}

/* Behind the list, or NULL if it is not plainly right. */
static inline const struct bsim_brief *pass_list(const struct bsim_binary_rule *rule,
                                                 const struct bsim_brief *brief,
                                                 const struct bsim_brief *end)
{
    enum { FULL = BSIM_WARP_LANES / 4 };
    uint32_t lanes = rule->rows != 0 ? rule->rows : brief->mask;
    uint32_t n_quads = lanes == BSIM_FULL_MASK ? FULL : (bsim_bits_population(lanes) + 3) / 4;
    bool holds = n_quads < (size_t)(end - brief);
    if (holds && n_quads == FULL) {
        /* The compiler makes one piece of it. */
        holds = holds_offsets(&rule->window, brief->at.base, brief, FULL);
    } else if (holds) {
        holds = holds_offsets(&rule->window, brief->at.base, brief, n_quads);
    }
    return holds ? brief + 1 + n_quads : NULL;
}

/* Behind the event, or NULL if it is not plainly right. */
static inline const struct bsim_brief *pass(const struct bsim_binary *binary,
                                            const struct bsim_brief *brief,
                                            const struct bsim_brief *end)
{
    bool is_warp =
        brief->warp < binary->rules.stream.n_warps || brief->warp == BSIM_BRIEF_ALL_WARPS;
    if (brief->form == BSIM_BRIEF_WORK) {
        return is_warp && brief->mask != 0 ? brief + 1 : NULL;
    }
    if (brief->instr >= binary->n_instrs || !is_warp) {
        return NULL;
    }
    const struct bsim_binary_rule *rule = &binary->rule[brief->instr];
    if (brief->mask - rule->mask_from > rule->mask_room) {
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
    case BSIM_BRIEF_PLAIN:
        return rule->is_barrier || rule->is_masked ? brief + 1 : NULL;
    default:
        return NULL;
    }
}

/* The event behind a wait without more; or brief itself. */
static inline const struct bsim_brief *skip_wait(const struct bsim_brief *brief,
                                                 const struct bsim_brief *end)
{
    const uint64_t none = UINT64_MAX; /* both expectations: -1 */
    bool is_wait = brief->form == BSIM_BRIEF_WAIT && brief + 1 != end && brief->instr == 0 &&
                   (int32_t)brief->mask >= BSIM_ANY_COUNT && brief->at.base == none;
    return is_wait ? brief + 1 : brief;
}

/* False where the reader of single events is to find out why. */
static bool note_barrier(struct bsim_binary *binary, const struct bsim_brief *brief, uint64_t line)
{
    struct bsim_scan scan = {.file = binary->name, .number = line};
    uint32_t warp = brief->warp == BSIM_BRIEF_ALL_WARPS ? BSIM_ALL_WARPS : brief->warp;
    return !binary->rule[brief->instr].is_barrier ||
           bsim_rules_barrier(&binary->rules, warp, &scan, NULL, NULL) == BSIM_OK;
}

static struct bsim_batch find_batch(struct bsim_binary *binary, const unsigned char *p,
                                    const unsigned char *p_end)
{
    const struct bsim_brief *brief = (const void *)p, *end = (const void *)p_end;
    struct bsim_batch batch = {
        .next = brief,
        .instr = binary->instr,
        .n_instrs = binary->n_instrs,
        .line = binary->line,
        .line_step = binary->step,
    };
    while (brief != end) {
        const struct bsim_brief *event = skip_wait(brief, end);
        const struct bsim_brief *next = pass(binary, event, end);
        uint64_t line = batch.line + (batch.n_events + UINT64_C(1)) * batch.line_step;
        if (next == NULL ||
            (event->form == BSIM_BRIEF_PLAIN && !note_barrier(binary, event, line))) {
            break;
        }
        batch.n_events++;
        batch.n_all_warps += event->warp == BSIM_BRIEF_ALL_WARPS;
        brief = next;
    }
    batch.end = brief;
    return batch;
}

enum bsim_status bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                                   const unsigned char *end)
{
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
    enum bsim_status status = bsim_sink_push_batch(binary->sink, &batch, binary->err);
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
