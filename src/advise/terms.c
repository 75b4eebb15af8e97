/* terms.c - a matrix over GF(2) as few operations.
 *
 * Bit j of v flips the bits flip[j]. Ones on a diagonal are a shift, and a column that is repeated
 * further up is a product without carries:
 *
 *     bit        8  7  6  5       flips 1 and 2, 2 and 4: shifts by 4 and 6, or times 6
 *     flip       0  0 12  6       v ^ (v >> 5 & 3) * 6
 *
 * Of all shifts and products the one that accounts for the most ones per operation is taken, until
 * none are left: not always the fewest, and found at once.
 */
#include "advise/terms.h"

#include "base/bits.h"

#include <inttypes.h>
#include <string.h>

/* A term, and which ones it accounts for. */
struct option {
    struct bsim_term term;
    uint32_t ones;
    uint32_t part[BSIM_LAYOUT_MAX_BITS];
};

static uint32_t bits_from(uint32_t first, uint32_t n_bits)
{
    return ((UINT32_C(1) << n_bits) - 1) & ~((UINT32_C(1) << first) - 1);
}

/* All ones on the diagonal where bit j flips j - shift. */
static void take_diagonal(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t n_bits, int shift,
                          struct option *option)
{
    uint32_t from = 0; /* bits of v */
    *option = (struct option){.term = {.shift = shift, .factor = 1}};
    for (int bit = shift > 0 ? shift : 0; bit < (int)n_bits; bit++) {
        if (bit - shift < BSIM_LAYOUT_MAX_BITS && (flip[bit] >> (bit - shift) & 1) != 0) {
            option->part[bit] = UINT32_C(1) << (bit - shift);
            from |= UINT32_C(1) << bit;
            option->ones++;
        }
    }
    if (from != bits_from(shift > 0 ? (uint32_t)shift : 0, n_bits)) {
        option->term.mask = shift > 0 ? from >> shift : from << -shift;
    }
    option->term.n_operations = 1u + (shift != 0) + (option->term.mask != 0);
}

/* What the first bit that flips any flips, and the same further up. */
static void take_product(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t n_bits, uint32_t first,
                         struct option *option)
{
    uint32_t factor = flip[first];
    uint32_t low = bsim_bits_lowest(factor);
    uint32_t taken = 0; /* no carries: the products are apart */
    uint32_t from = 0;
    *option = (struct option){.ones = 0};
    for (uint32_t bit = first; bit < n_bits; bit++) {
        uint32_t product = factor << (bit - first);
        if ((flip[bit] & product) == product && (taken & product) == 0) {
            option->part[bit] = product;
            option->ones += bsim_bits_population(product);
            taken |= product;
            from |= UINT32_C(1) << bit;
        }
    }
    uint32_t shift = first > low ? first - low : 0;
    option->term = (struct bsim_term){
        .shift = (int)shift, .mask = from >> shift, .factor = factor >> (first - shift)};
    if (from == bits_from(shift, n_bits)) {
        option->term.mask = 0;
    }
    option->term.n_operations = 2u + (shift != 0) + (option->term.mask != 0);
}

static bool is_better(const struct option *a, const struct option *b)
{
    return a->ones * b->term.n_operations > b->ones * a->term.n_operations;
}

static struct option best_option(const uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t n_bits)
{
    struct option best = {.term = {.n_operations = 1}};
    struct option option;
    for (int shift = 1 - BSIM_LAYOUT_MAX_BITS; shift < BSIM_LAYOUT_MAX_BITS; shift++) {
        take_diagonal(flip, n_bits, shift, &option);
        best = is_better(&option, &best) ? option : best;
    }
    for (uint32_t bit = 0; bit < n_bits; bit++) {
        if (flip[bit] == 0) {
            continue;
        }
        take_product(flip, n_bits, bit, &option);
        best = is_better(&option, &best) ? option : best;
    }
    return best;
}

size_t bsim_terms_find(uint32_t flip[BSIM_LAYOUT_MAX_BITS], uint32_t n_bits,
                       struct bsim_term term[BSIM_MOST_TERMS])
{
    size_t n = 0;
    for (struct option best = best_option(flip, n_bits); best.ones > 0;
         best = best_option(flip, n_bits)) {
        for (uint32_t bit = 0; bit < n_bits; bit++) {
            flip[bit] ^= best.part[bit];
        }
        term[n++] = best.term;
    }
    return n;
}

void bsim_terms_spell(const struct bsim_term *term, size_t n, const char *v,
                      struct bsim_buffer *out)
{
    for (size_t i = 0; i < n; i++) {
        bool is_plain = term[i].shift == 0 && term[i].mask == 0;
        bsim_buffer_printf(out, " ^ %s%s", is_plain ? "" : "(", v);
        if (term[i].shift != 0) {
            bsim_buffer_printf(out, term[i].shift > 0 ? " >> %d" : " << %d",
                               term[i].shift > 0 ? term[i].shift : -term[i].shift);
        }
        if (term[i].mask != 0) {
            bsim_buffer_printf(out, " & %" PRIu32, term[i].mask);
        }
        bsim_buffer_text(out, is_plain ? "" : ")");
        if (term[i].factor != 1) {
            bsim_buffer_printf(out, " * %" PRIu32, term[i].factor);
        }
    }
}
