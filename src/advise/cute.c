/* cute.c - a matrix over GF(2) as swizzles of CuTe, one after the other.
 *
 * Swizzle<B, M, S> flips the B bits from M up by those S above them, and CuTe wants S to be B at
 * least, or -S. What flips bits is taken apart into runs on a diagonal, no longer than that:
 *
 *     bit     8  7  6  5  4  3       t[z][y ^ z][x ^ y] of 8 x 8 x 8
 *     flip   32 16  8  4  2  1       Swizzle<3,3,3> o Swizzle<3,0,3>
 *
 * Where a run flips what another reads it depends on which comes first, so all orders are tried. An
 * answer is an answer only if all bits come out as they should, each by itself: then all sums do.
 */
#include "advise/cute.h"

#include <stdbool.h>

enum { N_ORDERS = 6 };

static uint32_t swizzled(const struct bsim_cute *swizzle, uint32_t i)
{
    uint32_t mask = ((UINT32_C(1) << swizzle->bits) - 1) << swizzle->base;
    return swizzle->shift > 0 ? i ^ (i >> swizzle->shift & mask)
                              : i ^ (i & mask) << -swizzle->shift;
}

static bool is_flipped(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t from, int shift)
{
    int to = (int)from - shift;
    return from < BSIM_LAYOUT_MAX_BITS && to >= 0 && to < BSIM_LAYOUT_MAX_BITS &&
           (flip[from] >> to & 1) != 0;
}

/* The runs of one diagonal; answers how many there are, or more than fit. */
static size_t find_runs(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], int shift, size_t n,
                        struct bsim_cute run[BSIM_CUTE_SWIZZLES])
{
    uint32_t most = (uint32_t)(shift > 0 ? shift : -shift);
    for (uint32_t from = 0; from < BSIM_LAYOUT_MAX_BITS && n <= BSIM_CUTE_SWIZZLES; from++) {
        uint32_t bits = 0;
        while (bits < most && is_flipped(flip, from + bits, shift)) {
            bits++;
        }
        if (bits == 0) {
            continue;
        }
        if (n < BSIM_CUTE_SWIZZLES) {
            run[n] = (struct bsim_cute){bits, shift > 0 ? from - most : from, shift};
        }
        n++;
        from += bits - 1;
    }
    return n;
}

/* In the order of `swizzle`, the last first. */
static bool makes(const struct bsim_cute *swizzle, size_t n,
                  const uint32_t flip[BSIM_LAYOUT_MAX_BITS])
{
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        uint32_t i = UINT32_C(1) << bit;
        for (size_t k = n; k-- > 0;) {
            i = swizzled(&swizzle[k], i);
        }
        if (i != (UINT32_C(1) << bit ^ flip[bit])) {
            return false;
        }
    }
    return true;
}

size_t bsim_cute_find(const uint32_t flip[BSIM_LAYOUT_MAX_BITS],
                      struct bsim_cute swizzle[BSIM_CUTE_SWIZZLES])
{
    static const uint8_t orders[N_ORDERS][BSIM_CUTE_SWIZZLES] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                                 {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    struct bsim_cute run[BSIM_CUTE_SWIZZLES];
    size_t n = 0;
    for (int shift = 1 - BSIM_LAYOUT_MAX_BITS; shift < BSIM_LAYOUT_MAX_BITS; shift++) {
        n = shift != 0 ? find_runs(flip, shift, n, run) : n;
    }
    for (size_t order = 0; order < N_ORDERS && n > 0 && n <= BSIM_CUTE_SWIZZLES; order++) {
        bool fits = true;
        for (size_t i = 0; i < n && fits; i++) {
            fits = orders[order][i] < n;
            swizzle[i] = fits ? run[orders[order][i]] : swizzle[i];
        }
        if (fits && makes(swizzle, n, flip)) {
            return n;
        }
    }
    return 0;
}
