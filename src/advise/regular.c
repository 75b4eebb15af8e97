/* regular.c - whether the lanes of a request access what a formula of their numbers gives, or what
 * chance gives: a hash, a table, data.
 *
 * Some swizzle suits any 32 elements better than another. What was found for a hash's is fitted to
 * this sample of it and says nothing about the next, so such an access is told, and where it is a
 * sample no layout is searched for it.
 * Formulas that kernels use leave one of these marks on the places v(l) of the lanes l:
 *
 * - from each lane to the next it is one step, and a few others at even distances: affine, with the
 *   rows of a block of any width, clamped at an end, turned around once;
 * - v is a sum over bits of l, or over pairs of them: l / 8 * a + l % 8 * b, also squares, and
 *   columns exchanged by the row's number in rows of any length;
 * - v is the exclusive or over bits of l: the same in rows of a power of two, Gray's code;
 * - the row and the column are such sums modulo a power of two, as (l + 1) % 16 and l * 5 % 32 are;
 * - in whatever order, the places are evenly spaced, and the order makes no difference since the
 *   warp goes as a whole.
 *
 * l * 37 % 61 and Knuth's l * 2654435761 >> 22 have none of them: that they step by two or four
 * distances is not enough.
 */
#include "advise/regular.h"

#include "base/bits.h"

enum { MOST_STEPS = 4, N_BITS = 5, FEW_LANES = 4, WHOLE_WARP_BYTES = 4 };

/* The active lanes' places, in the lanes' order. */
struct places {
    uint32_t n;
    uint32_t lane[BSIM_WARP_LANES]; /* exclusive or the first: 0 for that */
    int64_t at[BSIM_WARP_LANES];
};

static void find_places(const struct bsim_pattern *pattern, struct places *places)
{
    uint32_t first = 0;
    while ((pattern->lanes >> first & 1) == 0) {
        first++;
    }
    places->n = 0;
    for (uint32_t lane = first; lane < BSIM_WARP_LANES; lane++) {
        if ((pattern->lanes >> lane & 1) != 0) {
            places->lane[places->n] = lane ^ first;
            places->at[places->n++] = (int64_t)pattern->array[lane] << 32 | pattern->offset[lane];
        }
    }
}

/* The different steps from lane to lane, and which is the commonest. */
struct steps {
    uint32_t n;
    int64_t step[MOST_STEPS];
    uint32_t times[MOST_STEPS];
    uint32_t commonest;
};

/* False if there are too many. */
static bool find_steps(const struct places *places, struct steps *steps)
{
    *steps = (struct steps){.n = 0};
    for (uint32_t i = 1; i < places->n; i++) {
        int64_t step = places->at[i] - places->at[i - 1];
        uint32_t k = 0;
        while (k < steps->n && steps->step[k] != step) {
            k++;
        }
        if (k == MOST_STEPS) {
            return false;
        }
        steps->n = k == steps->n ? k + 1 : steps->n;
        steps->step[k] = step;
        steps->commonest =
            ++steps->times[k] > steps->times[steps->commonest] ? k : steps->commonest;
    }
    return true;
}

/* One step, but for others at even distances. */
static bool goes_in_steps(const struct places *places)
{
    struct steps steps;
    uint32_t last = 0;
    uint32_t distance = 0;
    if (!find_steps(places, &steps)) {
        return false;
    }
    for (uint32_t i = 1; i < places->n; i++) {
        if (places->at[i] - places->at[i - 1] == steps.step[steps.commonest]) {
            continue;
        }
        if (last > 0 && distance > 0 && i - last != distance) {
            return false;
        }
        distance = last > 0 ? i - last : 0;
        last = i;
    }
    return true;
}

/* Of the sum over sets of at most `degree` bits, all within `lane` but not that itself; false if
 * one of them is not known. */
static bool predict(const int64_t part[BSIM_WARP_LANES], uint32_t known, uint32_t lane,
                    uint32_t degree, int64_t *sum)
{
    *sum = 0;
    for (uint32_t set = 0; set < lane; set++) {
        if ((set & lane) != set || bsim_bits_population(set) > degree) {
            continue;
        }
        if ((known >> set & 1) == 0) {
            return false;
        }
        *sum += part[set];
    }
    return true;
}

/* A sum over sets of at most `degree` bits of the lane, in the bits of `mask`, seen in enough lanes
 * that do not make one themselves. */
static bool is_sum(const struct places *places, uint32_t degree, int64_t mask)
{
    int64_t part[BSIM_WARP_LANES];
    uint32_t known = 0;
    uint32_t seen = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t i = 0;
        int64_t sum;
        while (i < places->n && places->lane[i] != lane) {
            i++;
        }
        if (i == places->n || !predict(part, known, lane, degree, &sum)) {
            continue;
        }
        if (bsim_bits_population(lane) <= degree) {
            part[lane] = places->at[i] - sum;
            known |= UINT32_C(1) << lane;
        } else if (((places->at[i] - sum) & mask) != 0) {
            return false;
        } else {
            seen++;
        }
    }
    return seen >= places->n / 4;
}

/* Gauss: lanes that are no exclusive or of earlier ones make a basis, the others tell. */
static bool is_exclusive_or(const struct places *places)
{
    uint32_t lane_of[N_BITS] = {0}; /* by highest bit */
    int64_t at_of[N_BITS] = {0};
    for (uint32_t i = 1; i < places->n; i++) {
        uint32_t lane = places->lane[i];
        int64_t at = places->at[i] ^ places->at[0];
        for (uint32_t bit = N_BITS; bit-- > 0;) {
            if ((lane >> bit & 1) == 0) {
                continue;
            }
            if (lane_of[bit] == 0) {
                lane_of[bit] = lane;
                at_of[bit] = at;
            }
            at ^= at_of[bit];
            lane ^= lane_of[bit];
        }
        if (at != 0) {
            return false;
        }
    }
    return true;
}

static bool is_evenly_spaced(const struct places *places)
{
    int64_t sorted[BSIM_WARP_LANES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < places->n; i++) {
        uint32_t k = n;
        while (k > 0 && sorted[k - 1] > places->at[i]) {
            k--;
        }
        if (k > 0 && sorted[k - 1] == places->at[i]) {
            continue;
        }
        for (uint32_t j = n; j > k; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[k] = places->at[i];
        n++;
    }
    for (uint32_t i = 2; i < n; i++) {
        if (sorted[i] - sorted[i - 1] != sorted[1] - sorted[0]) {
            return false;
        }
    }
    return true;
}

/* Sums within the least power of two that has them all. */
static bool is_sum_around(const struct places *places)
{
    int64_t mask = 0;
    for (uint32_t i = 0; i < places->n; i++) {
        while (places->at[i] > mask) {
            mask = 2 * mask + 1;
        }
    }
    return is_sum(places, 1, mask);
}

/* The rows of one array, and the places in them. */
static bool goes_around(const struct bsim_pattern *pattern, const struct places *places,
                        const struct bsim_subject *subjects)
{
    const struct bsim_subject *subject = &subjects[places->at[0] >> 32];
    uint32_t row_bytes = subject->columns * subject->array->element_bytes;
    struct places row = *places;
    struct places column = *places;
    if (bsim_pattern_is_mixed(pattern) || row_bytes == 0) {
        return false;
    }
    for (uint32_t i = 0; i < places->n; i++) {
        row.at[i] = (uint32_t)places->at[i] / row_bytes;
        column.at[i] = (uint32_t)places->at[i] % row_bytes;
    }
    return is_sum_around(&row) && is_sum_around(&column);
}

bool bsim_pattern_is_regular(const struct bsim_pattern *pattern,
                             const struct bsim_subject *subjects)
{
    struct places places;
    find_places(pattern, &places);
    return places.n <= FEW_LANES || goes_in_steps(&places) || is_sum(&places, 1, -1) ||
           is_sum(&places, 2, -1) || is_exclusive_or(&places) ||
           (pattern->opcode.bytes <= WHOLE_WARP_BYTES && is_evenly_spaced(&places)) ||
           goes_around(pattern, &places, subjects);
}
