/* exchange.c - what lanes do with one another's data: atomics and shuffles.
 *
 * Integers wrap, as on a GPU: the arithmetic is done unsigned. Where a shuffle's value comes from
 * is told in src/model/shuffle.c.
 */
#include "lanes/cta.h"

#include <inttypes.h>
#include <string.h>

/* ---- atomics -------------------------------------------------------------------------------- */

/* What operation stores where `old` was. less: value < old, in the operands' own type. */
static uint64_t combine(enum bsim_operation operation, uint64_t old, uint64_t value,
                        uint64_t compare, bool less)
{
    switch (operation) {
    case BSIM_ADD:
    case BSIM_POPC_INC:
        return old + value;
    case BSIM_MIN:
        return less ? value : old;
    case BSIM_MAX:
        return less ? old : value;
    case BSIM_INC:
        return old >= value ? 0 : old + 1;
    case BSIM_DEC:
        return old == 0 || old > value ? value : old - 1;
    case BSIM_AND:
        return old & value;
    case BSIM_OR:
        return old | value;
    case BSIM_XOR:
        return old ^ value;
    case BSIM_CAS:
        return old == compare ? value : old;
    default: /* BSIM_EXCH */
        return value;
    }
}

/* The integer of `bits` bits at p, extended as its type is. */
static uint64_t take_integer(const void *p, uint32_t bits, bool is_signed)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (bits == 64) {
        memcpy(&wide, p, sizeof wide);
        return wide;
    }
    memcpy(&narrow, p, sizeof narrow);
    return is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
}

static void put_integer(void *p, uint32_t bits, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    memcpy(p, bits == 64 ? (void *)&value : (void *)&narrow, bits / 8);
}

static void add_float(void *p, uint32_t bits, const void *value)
{
    if (bits == 64) {
        *(double *)p += *(const double *)value;
    } else {
        *(float *)p += *(const float *)value;
    }
}

void bsim_atomic(enum bsim_operation operation, uint32_t type, void *p, const void *value,
                 const void *compare)
{
    uint32_t bits = type >> 8 & 0xff;
    bool is_signed = type >> 16 == 's';
    if (type >> 16 == 'f' && operation == BSIM_ADD) {
        add_float(p, bits, value);
        return;
    }
    uint64_t old = take_integer(p, bits, is_signed);
    uint64_t operand = take_integer(value, bits, is_signed);
    bool less = is_signed ? (int64_t)operand < (int64_t)old : operand < old;
    put_integer(p, bits,
                combine(operation, old, operand, take_integer(compare, bits, is_signed), less));
}

/* ---- shuffles ------------------------------------------------------------------------------- */

enum { NOBODY = BSIM_WARP_LANES };

/* Checks the sources and marks those that bring nothing. */
static bool check_sources(struct bsim_cta *cta, const struct bsim_place *place, uint32_t mask)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        if (cta->source[lane] == BSIM_BAD_WIDTH) {
            return bsim_cta_fault(cta, place->file, place->line,
                                  "a shuffle's width must be 1, 2, 4, 8, 16 or 32: %s",
                                  place->text);
        }
        if ((mask >> cta->source[lane] & 1) == 0) {
            cta->source[lane] = NOBODY;
        }
    }
    memset(cta->value[NOBODY], BSIM_CTA_POISON, sizeof cta->value[NOBODY]);
    return true;
}

static bool shuffle(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp)
{
    uint32_t mask = cta->active[warp];
    if (mask == 0 || !bsim_cta_open(cta) || !check_sources(cta, place, mask)) {
        return false;
    }
    const struct bsim_site *site = bsim_cta_site(cta, place, BSIM_NO_SPACE);
    if (site == NULL) {
        return false;
    }
    struct bsim_event event;
    bsim_event_init(&event, &site->opcode);
    event.site = site;
    event.warp = warp;
    event.mask = mask;
    bool is_wide = (place->type >> 8 & 0xff) * (place->type & 0xff) == 64;
    return bsim_cta_push_event(cta, &event, place->file, place->line) &&
           (!is_wide || bsim_cta_push_event(cta, &event, place->file, place->line));
}

bool bsim_warp_access(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp)
{
    return place->family == BSIM_SHFL ? shuffle(cta, place, warp)
                                      : bsim_cta_access(cta, place, warp);
}
