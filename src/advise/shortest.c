/* shortest.c - of the linear layouts that cost as little, one that takes few operations.
 *
 * linear.c finds what is least; which of all matrices that cost so much it comes upon first says
 * nothing about how they are written. Here it goes the other way: from what can be written, shortest
 * first, to what it costs.
 *
 *     operations   terms
 *          1       x ^ y
 *          2       x ^ (y & 3)      x ^ (y >> 2)          i ^ (i >> 5)
 *          3       x ^ (y >> 2 & 3)                       i ^ (i >> 5 & 31)
 *          4                                              i ^ (i >> 5 & 1) * 31
 *
 * and sums of them, the first of each number of operations that is as good. A term flips lower bits
 * of the place by higher ones of the index, so that any sum is one to one; it has no need to end
 * where the banks do, which saves masks. Terms that do the same to the bits in which lanes differ
 * are tried once. The work is bounded: past it the layout stays as linear.c found it.
 */
#include "advise/shortest.h"

#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

enum {
    MOST_CHOICES = 1 << 10,
    MOST_CHOSEN = 4,      /* terms of one layout */
    MOST_LOOKS = 1 << 17, /* at groups: some ten milliseconds */
    MOST_BANKS = 1 << 6,
    MOST_PRODUCT_BITS = 3,
};

/* A term: which bits of the element's index flip which. */
struct choice {
    uint32_t n_operations;
    uint32_t flip[BSIM_LAYOUT_MAX_BITS];
    uint8_t
        column[BSIM_LINEAR_MAX_BITS]; /* what it adds to the bank of a word, by bit that matters */
};

struct making {
    const struct bsim_linear *linear;
    const struct bsim_subject *subject;
    uint32_t base;
    uint32_t end; /* bits of the place from here on stay */
    uint32_t n;
    struct choice choice[MOST_CHOICES];
    uint32_t n_chosen, chosen[MOST_CHOSEN];
    uint64_t most_beyond; /* the bounds of the groups */
    uint32_t n_looks;
    uint16_t order[BSIM_LINEAR_MAX_GROUPS]; /* of groups: the ones that tell most come first */
};

/* Two fields of the index: the bits of one flip those of another, or its own lower ones. */
struct pair {
    uint32_t from, n_from, to, n_to;
};

/* ---- what can be written ------------------------------------------------------------------- */

static uint32_t bank_of(const struct making *making, uint32_t units)
{
    uint32_t bits = making->linear->bank_bits - making->linear->fixed_bits;
    return (units & ((UINT32_C(1) << bits) - 1)) << making->linear->fixed_bits;
}

/* The bit of a word's index for one of an element's. */
static uint32_t word_bit(const struct making *making, uint32_t bit)
{
    return bit - making->base + making->linear->fixed_bits;
}

static bool is_same_for_lanes(const struct choice *a, const struct choice *b)
{
    return memcmp(a->column, b->column, sizeof a->column) == 0;
}

/* Keeps it unless it does nothing for the lanes, or no more than one that is as short. */
static void add(struct making *making, struct choice *choice)
{
    bool does = false;
    for (uint32_t bit = making->base; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        uint32_t word = word_bit(making, bit);
        if (word < BSIM_LINEAR_MAX_BITS && (making->linear->effective >> word & 1) != 0) {
            choice->column[word] = (uint8_t)bank_of(making, choice->flip[bit] >> making->base);
            does = does || choice->column[word] != 0;
        }
    }
    if (!does || making->n == MOST_CHOICES) {
        return;
    }
    for (uint32_t i = 0; i < making->n; i++) {
        if (is_same_for_lanes(&making->choice[i], choice)) {
            if (choice->n_operations < making->choice[i].n_operations) {
                making->choice[i] = *choice;
            }
            return;
        }
    }
    making->choice[making->n++] = *choice;
}

/* One bit of the source that flips one of the target; false if it may not. */
static bool add_flip(const struct making *making, const struct pair *pair, uint32_t source,
                     uint32_t target, struct choice *choice)
{
    uint32_t from = pair->from + source;
    uint32_t to = pair->to + target;
    if (target >= pair->n_to || to < making->base || to >= making->end || to >= from) {
        return false;
    }
    choice->flip[from] |= UINT32_C(1) << to;
    return true;
}

/* v ^ (w >> shift) */
static void add_shift(struct making *making, const struct pair *pair, int shift)
{
    struct choice choice = {.n_operations = 1u + (shift != 0)};
    for (int bit = shift > 0 ? shift : 0; bit < (int)pair->n_from; bit++) {
        if (!add_flip(making, pair, (uint32_t)bit, (uint32_t)(bit - shift), &choice)) {
            return;
        }
    }
    add(making, &choice);
}

/* v ^ (w >> shift & mask): the mask within the bits that choose a bank. */
static void add_masks(struct making *making, const struct pair *pair, int shift)
{
    uint32_t bits = making->linear->bank_bits - making->linear->fixed_bits + making->base;
    uint32_t n = bits > pair->to ? bits - pair->to : 0;
    n = n < pair->n_to ? n : pair->n_to;
    for (uint32_t mask = 1; mask < UINT32_C(1) << n; mask++) {
        struct choice choice = {.n_operations = 2u + (shift != 0)};
        bool fine = true;
        for (uint32_t bit = 0; bit < n && fine; bit++) {
            int source = (int)bit + shift;
            if ((mask >> bit & 1) != 0) {
                fine = source >= 0 && (uint32_t)source < pair->n_from &&
                       add_flip(making, pair, (uint32_t)source, bit, &choice);
            }
        }
        if (fine) {
            add(making, &choice);
        }
    }
}

/* v ^ (w >> shift & 2^n_bits - 1) * factor, where the products of single bits are apart. */
static void add_product(struct making *making, const struct pair *pair, uint32_t shift,
                        uint32_t n_bits, uint32_t factor)
{
    struct choice choice = {.n_operations = 2u + (shift != 0) + (shift + n_bits < pair->n_from)};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < n_bits; i++) {
        uint32_t product = factor << i;
        if ((taken & product) != 0) {
            return;
        }
        taken |= product;
        for (uint32_t rest = product; rest != 0; rest &= rest - 1) {
            if (!add_flip(making, pair, shift + i, bsim_bits_lowest(rest), &choice)) {
                return;
            }
        }
    }
    add(making, &choice);
}

static void add_products(struct making *making, const struct pair *pair, uint32_t shift)
{
    uint32_t bits = making->linear->bank_bits - making->linear->fixed_bits + making->base;
    uint32_t end = bits > pair->to ? UINT32_C(1) << (bits - pair->to) : 0;
    for (uint32_t n = 1; n <= MOST_PRODUCT_BITS && shift + n <= pair->n_from; n++) {
        for (uint32_t factor = 3; factor < end; factor++) {
            if (bsim_bits_population(factor) > 1) {
                add_product(making, pair, shift, n, factor);
            }
        }
    }
}

static void add_pair(struct making *making, const struct pair *pair)
{
    for (int shift = 1 - (int)pair->n_to; shift < (int)pair->n_from; shift++) {
        add_shift(making, pair, shift);
    }
    for (int shift = 1 - (int)pair->n_to; shift < (int)pair->n_from; shift++) {
        add_masks(making, pair, shift);
    }
    for (uint32_t shift = 0; shift < pair->n_from; shift++) {
        add_products(making, pair, shift);
    }
}

/* Bits that stay within the array as it is. */
static uint32_t end_of_places(const struct bsim_subject *subject)
{
    uint32_t end = 0;
    while (end < BSIM_LAYOUT_MAX_BITS && subject->n_elements % (UINT32_C(2) << end) == 0) {
        end++;
    }
    return end;
}

static void list_choices(struct making *making)
{
    const struct bsim_check_array *array = making->subject->array;
    struct pair pair;
    if (!bsim_layout_has_fields(array)) {
        pair = (struct pair){0, BSIM_LAYOUT_MAX_BITS, 0, BSIM_LAYOUT_MAX_BITS};
        add_pair(making, &pair);
        return;
    }
    for (uint32_t to = 0; to < array->n_dimensions; to++) {
        pair.n_to = bsim_layout_field(array, to, &pair.to);
        for (uint32_t from = 0; from <= to; from++) {
            pair.n_from = bsim_layout_field(array, from, &pair.from);
            add_pair(making, &pair);
        }
    }
}

/* ---- what it costs ------------------------------------------------------------------------- */

static uint32_t turns(const struct bsim_linear_group *group,
                      const uint8_t column[BSIM_LINEAR_MAX_BITS])
{
    uint8_t times[MOST_BANKS] = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t bank = 0;
        for (uint32_t rest = group->at[i]; rest != 0; rest &= rest - 1) {
            bank ^= column[bsim_bits_lowest(rest)];
        }
        most = ++times[bank] > most ? times[bank] : most;
    }
    return most;
}

/* Whether the groups take no more beyond their bounds than they may. */
static bool is_good(struct making *making, const uint8_t column[BSIM_LINEAR_MAX_BITS])
{
    uint64_t beyond = 0;
    for (size_t i = 0; i < making->linear->n_groups; i++) {
        uint16_t number = making->order[i];
        const struct bsim_linear_group *group = &making->linear->group[number];
        making->n_looks++;
        beyond += group->weight * (turns(group, column) - group->bound);
        if (beyond > making->most_beyond) {
            memmove(&making->order[1], &making->order[0], i * sizeof making->order[0]);
            making->order[0] = number;
            return false;
        }
    }
    return true;
}

/* ---- sums of terms ------------------------------------------------------------------------- */

/* Tries all sums of choices from `first` on that have so many operations, added to the columns. */
static bool try_sums(struct making *making, uint32_t depth, uint32_t first, uint32_t n_operations,
                     const uint8_t column[BSIM_LINEAR_MAX_BITS])
{
    if (n_operations == 0) {
        return is_good(making, column);
    }
    for (uint32_t i = first; i < making->n && depth < MOST_CHOSEN; i++) {
        const struct choice *choice = &making->choice[i];
        uint8_t sum[BSIM_LINEAR_MAX_BITS];
        if (choice->n_operations > n_operations || making->n_looks > MOST_LOOKS) {
            continue;
        }
        for (uint32_t bit = 0; bit < BSIM_LINEAR_MAX_BITS; bit++) {
            sum[bit] = column[bit] ^ choice->column[bit];
        }
        making->chosen[depth] = i;
        making->n_chosen = depth + 1;
        if (try_sums(making, depth + 1, i + 1, n_operations - choice->n_operations, sum)) {
            return true;
        }
    }
    return false;
}

static void make_layout(const struct making *making, struct bsim_layout *layout)
{
    uint32_t all = 0;
    *layout = (struct bsim_layout){.kind = BSIM_LAYOUT_XOR, .base = making->base};
    for (uint32_t i = 0; i < making->n_chosen; i++) {
        for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
            layout->flip[bit] ^= making->choice[making->chosen[i]].flip[bit];
            all |= layout->flip[bit];
        }
    }
    layout->bits = all == 0 ? 0 : bsim_bits_highest(all) + 1 - making->base;
}

static bool find(struct making *making, uint32_t most, struct bsim_layout *layout)
{
    uint8_t column[BSIM_LINEAR_MAX_BITS] = {0};
    for (uint32_t bit = 0; bit < making->linear->bank_bits; bit++) {
        column[bit] = (uint8_t)(1 << bit);
    }
    for (size_t i = 0; i < making->linear->n_groups; i++) {
        making->order[i] = (uint16_t)i;
    }
    list_choices(making);
    for (uint32_t n = 1; n < most; n++) {
        if (try_sums(making, 0, 0, n, column)) {
            make_layout(making, layout);
            return true;
        }
    }
    return false;
}

bool bsim_shortest_find(const struct bsim_linear *linear, const struct bsim_subject *subject,
                        uint32_t base, uint64_t cost, uint32_t most, struct bsim_layout *layout,
                        bool *found)
{
    struct making *making = bsim_mem_zeroed(1, sizeof *making);
    *found = false;
    if (making == NULL) {
        return false;
    }
    making->linear = linear;
    making->subject = subject;
    making->base = base;
    making->end = end_of_places(subject);
    making->most_beyond = cost - linear->root;
    *found = find(making, most, layout);
    bsim_mem_free(making);
    return true;
}
