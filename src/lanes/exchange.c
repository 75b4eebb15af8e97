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

unsigned long long bsim_atomic_ullong(enum bsim_operation operation, volatile unsigned long long *p,
                                      unsigned long long value, unsigned long long compare)
{
    unsigned long long old = *p;
    *p = combine(operation, old, value, compare, value < old);
    return old;
}

unsigned long bsim_atomic_ulong(enum bsim_operation operation, volatile unsigned long *p,
                                unsigned long value, unsigned long compare)
{
    unsigned long old = *p;
    *p = (unsigned long)combine(operation, old, value, compare, value < old);
    return old;
}

unsigned bsim_atomic_uint(enum bsim_operation operation, volatile unsigned *p, unsigned value,
                          unsigned compare)
{
    unsigned old = *p;
    *p = (unsigned)combine(operation, old, value, compare, value < old);
    return old;
}

long long bsim_atomic_llong(enum bsim_operation operation, volatile long long *p, long long value,
                            long long compare)
{
    long long old = *p;
    *p = (long long)combine(operation, (uint64_t)old, (uint64_t)value, (uint64_t)compare,
                            value < old);
    return old;
}

long bsim_atomic_long(enum bsim_operation operation, volatile long *p, long value, long compare)
{
    long old = *p;
    *p = (long)combine(operation, (uint64_t)old, (uint64_t)value, (uint64_t)compare, value < old);
    return old;
}

int bsim_atomic_int(enum bsim_operation operation, volatile int *p, int value, int compare)
{
    int old = *p;
    *p = (int)(uint32_t)combine(operation, (uint32_t)old, (uint32_t)value, (uint32_t)compare,
                                value < old);
    return old;
}

/* Floating point: add and exch alone; the macros offer no other. */
float bsim_atomic_float(enum bsim_operation operation, volatile float *p, float value,
                        float compare)
{
    (void)compare;
    float old = *p;
    *p = operation == BSIM_ADD ? old + value : value;
    return old;
}

double bsim_atomic_double(enum bsim_operation operation, volatile double *p, double value,
                          double compare)
{
    (void)compare;
    double old = *p;
    *p = operation == BSIM_ADD ? old + value : value;
    return old;
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

bool bsim_shuffle(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp)
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
