/* binary_batch.c - the usual events, checked where they stand and pushed many at once: almost all
 * of a trace.
 *
 * Their records have the form of event.h's packed events, so nothing is copied. Only what is
 * plainly right goes into a batch: no expectations, all 32 lanes of a base and stride in the
 * window, ... The first other record ends it, and is for binary_event.c, which alone knows what may
 * be wrong or whether it is right after all.
 *
 * What the rules say of an instruction's masks and addresses is in two or three numbers (struct
 * bsim_binary_rule), so that an event is held against them with a few comparisons.
 *
 * Little-endian processors and compilers with vectors only; for others there are no batches.
 */
#include "trace/binary/binary_decode.h"

#include "event/batch.h"
#include "base/bits.h"

#include <stddef.h>

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

_Static_assert(sizeof(struct bsim_packed) == BSIM_BINARY_UNIT_BYTES &&
                   offsetof(struct bsim_packed, warp) == 1 &&
                   offsetof(struct bsim_packed, instr) == 2 &&
                   offsetof(struct bsim_packed, mask) == 4 &&
                   offsetof(struct bsim_packed, at.step.base) == 8 &&
                   offsetof(struct bsim_packed, at.step.stride) == 12 &&
                   offsetof(struct bsim_packed, at.base) == 8,
               "a packed event is a record as it stands");
_Static_assert((int)BSIM_PACKED_STEP == (int)BSIM_BINARY_AFFINE &&
                   (int)BSIM_PACKED_WIDE_STEP == (int)BSIM_BINARY_WIDE_AFFINE &&
                   (int)BSIM_PACKED_LIST == (int)BSIM_BINARY_LIST &&
                   (int)BSIM_PACKED_WAIT == (int)BSIM_BINARY_ATTRIBUTES &&
                   (int)BSIM_PACKED_PLAIN == (int)BSIM_BINARY_PLAIN &&
                   (int)BSIM_PACKED_WORK == (int)BSIM_BINARY_WORK &&
                   (int)BSIM_PACKED_ALL_WARPS == (int)BSIM_BINARY_ALL_WARPS,
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
                                 const struct bsim_packed *packed, uint32_t n_quads)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint64_t room = window->last - base;
    uint32_t most = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    struct offsets all = look((const void *)bsim_packed_more(packed), n_quads, sign + most);
    uint32_t bits = all.bits[0] | all.bits[1] | all.bits[2] | all.bits[3];
    uint32_t above = all.above[0] & all.above[1] & all.above[2] & all.above[3];
    bool fits = bits <= most || (most < sign && bits < sign && (above & sign) != 0);
    return fits && base <= window->last && !window->is_empty &&
           ((bits | base) & (window->bytes - 1)) == 0;
}

/* Behind the list, or NULL if it is not plainly right. */
static inline const struct bsim_packed *pass_list(const struct bsim_binary_rule *rule,
                                                  const struct bsim_packed *packed,
                                                  const struct bsim_packed *end)
{
    enum { FULL = BSIM_WARP_LANES / 4 };
    uint32_t lanes = rule->rows != 0 ? rule->rows : packed->mask;
    uint32_t n_quads = lanes == BSIM_FULL_MASK ? FULL : (bsim_bits_population(lanes) + 3) / 4;
    bool holds = n_quads < (size_t)(end - packed);
    if (holds && n_quads == FULL) {
        /* The compiler makes one piece of it. */
        holds = holds_offsets(&rule->window, packed->at.base, packed, FULL);
    } else if (holds) {
        holds = holds_offsets(&rule->window, packed->at.base, packed, n_quads);
    }
    return holds ? packed + 1 + n_quads : NULL;
}

/* Behind the event, or NULL if it is not plainly right. */
static inline const struct bsim_packed *pass(const struct bsim_binary *binary,
                                             const struct bsim_packed *packed,
                                             const struct bsim_packed *end)
{
    bool is_warp =
        packed->warp < binary->rules.stream.n_warps || packed->warp == BSIM_PACKED_ALL_WARPS;
    if (packed->form == BSIM_PACKED_WORK) {
        bool is_work = packed->instr < BSIM_N_PACKED_WORKS && bsim_packed_is_work(packed->instr);
        return is_warp && is_work && packed->mask != 0 && packed->at.step.stride == 0 ? packed + 1 : NULL;
    }
    if (packed->instr >= binary->n_instrs || !is_warp) {
        return NULL;
    }
    const struct bsim_binary_rule *rule = &binary->rule[packed->instr];
    if (packed->mask - rule->mask_from > rule->mask_room) {
        return NULL;
    }
    switch (packed->form) {
    case BSIM_PACKED_STEP:
        return bsim_window_holds(&rule->window, packed->at.step.base, packed->at.step.stride)
                   ? packed + 1
                   : NULL;
    case BSIM_PACKED_WIDE_STEP:
        return end - packed >= 2 &&
                       bsim_window_holds(&rule->window, packed->at.base, bsim_packed_stride(packed))
                   ? packed + 2
                   : NULL;
    case BSIM_PACKED_LIST:
        return pass_list(rule, packed, end);
    case BSIM_PACKED_PLAIN:
        return rule->is_barrier || rule->is_masked ? packed + 1 : NULL;
    default:
        return NULL;
    }
}

/* The event behind a wait without more; or the one at hand. */
static inline const struct bsim_packed *skip_wait(const struct bsim_packed *packed,
                                                  const struct bsim_packed *end)
{
    const uint64_t none = UINT64_MAX; /* both expectations: -1 */
    bool is_wait = packed->form == BSIM_PACKED_WAIT && packed + 1 != end && packed->instr == 0 &&
                   (int32_t)packed->mask >= BSIM_ANY_COUNT && packed->at.base == none;
    return is_wait ? packed + 1 : packed;
}

/* False where the reader of single events is to find out why. */
static bool note_barrier(struct bsim_binary *binary, const struct bsim_packed *packed,
                         uint64_t line)
{
    struct bsim_scan scan = {.file = binary->name, .number = line};
    uint32_t warp = packed->warp == BSIM_PACKED_ALL_WARPS ? BSIM_ALL_WARPS : packed->warp;
    return !binary->rule[packed->instr].is_barrier ||
           bsim_rules_barrier(&binary->rules, warp, &scan, NULL, NULL) == BSIM_OK;
}

static struct bsim_batch find_batch(struct bsim_binary *binary, const unsigned char *p,
                                    const unsigned char *p_end)
{
    const struct bsim_packed *packed = (const void *)p, *end = (const void *)p_end;
    struct bsim_batch batch = {
        .next = packed,
        .instr = binary->instr,
        .n_instrs = binary->n_instrs,
        .line = binary->line,
        .line_step = binary->step,
    };
    while (packed != end) {
        const struct bsim_packed *event = skip_wait(packed, end);
        const struct bsim_packed *next = pass(binary, event, end);
        uint64_t line = batch.line + (batch.n_events + UINT64_C(1)) * batch.line_step;
        if (next == NULL ||
            (event->form == BSIM_PACKED_PLAIN && !note_barrier(binary, event, line))) {
            break;
        }
        batch.n_events++;
        batch.n_all_warps += event->warp == BSIM_PACKED_ALL_WARPS;
        packed = next;
    }
    batch.end = packed;
    return batch;
}

void bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                       const unsigned char *end)
{
    if (binary->has_attributes || binary->event.from != NULL) {
        return;
    }
    struct bsim_batch batch = find_batch(binary, *p, end);
    if (batch.n_events == 0) {
        return;
    }
    *p = (const void *)batch.end;
    binary->counts.events += batch.n_events;
    binary->line += batch.n_events * binary->step;
    binary->status = bsim_sink_push_batch(binary->sink, &batch, binary->err);
    if (binary->status != BSIM_OK) {
        bsim_error_place(binary->err, binary->name, batch.line, 0, NULL, 0);
    }
}

#else

void bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                       const unsigned char *end)
{
    (void)binary, (void)p, (void)end;
}

#endif
