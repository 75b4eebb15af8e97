/* test_linear.c - the search among all linear layouts against every matrix there is.
 *
 * Random groups of words, in a few bits and in few banks, so that all matrices can be tried: each
 * column of a bit that is free to change is any number that keeps the fixed bits out of it. What a
 * matrix costs is counted here once more, in the plainest way. */
#include "advise/linear.h"
#include "advise/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { MOST_GROUPS = 6, N_ROUNDS = 3000, PLENTY = 1 << 22 };

struct sets {
    uint32_t bank_bits, fixed_bits, n_bits;
    size_t n;
    struct bsim_linear_group group[MOST_GROUPS];
    bool shares[MOST_GROUPS];
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Half of the groups are any words, half the sums of some. */
static void make_group(const struct sets *sets, uint32_t *seed, struct bsim_linear_group *group)
{
    uint32_t mask = (UINT32_C(1) << sets->n_bits) - 1;
    uint32_t sum[4];
    bool is_linear = next_random(seed) % 2 == 0;
    for (int i = 0; i < 4; i++) {
        sum[i] = next_random(seed) & mask;
    }
    group->n = 1 + next_random(seed) % 12;
    group->weight = 1 + next_random(seed) % 5;
    for (uint32_t i = 0; i < group->n; i++) {
        group->at[i] = is_linear ? (i & 1 ? sum[0] : 0) ^ (i & 2 ? sum[1] : 0) ^
                                       (i & 4 ? sum[2] : 0) ^ (i & 8 ? sum[3] : 0)
                                 : next_random(seed) & mask;
    }
}

static struct sets make_sets(uint32_t *seed)
{
    struct sets sets = {.bank_bits = 1 + next_random(seed) % 3};
    sets.fixed_bits = next_random(seed) % sets.bank_bits;
    uint32_t free_bits = sets.bank_bits - sets.fixed_bits;
    uint32_t most = free_bits == 3 ? 4 : 5; /* 2^12 matrices at most */
    sets.n_bits = sets.fixed_bits + free_bits + next_random(seed) % (most - free_bits + 1);
    sets.n = 1 + next_random(seed) % MOST_GROUPS;
    for (size_t i = 0; i < sets.n; i++) {
        make_group(&sets, seed, &sets.group[i]);
        sets.shares[i] = next_random(seed) % 4 != 0;
    }
    return sets;
}

static uint32_t bank_of(const uint32_t *column, uint32_t word)
{
    uint32_t bank = 0;
    for (uint32_t bit = 0; bit < BSIM_LINEAR_MAX_BITS; bit++) {
        bank ^= (word >> bit & 1) != 0 ? column[bit] : 0;
    }
    return bank;
}

static uint64_t cost_of(const struct sets *sets, const uint32_t *column)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < sets->n; i++) {
        uint32_t in_bank[8] = {0};
        uint32_t most = 0;
        for (uint32_t k = 0; k < sets->group[i].n; k++) {
            bool is_known = false;
            for (uint32_t j = 0; j < k; j++) {
                is_known = is_known || sets->group[i].at[j] == sets->group[i].at[k];
            }
            uint32_t bank = bank_of(column, sets->group[i].at[k]);
            in_bank[bank] += is_known && sets->shares[i] ? 0 : 1;
            most = in_bank[bank] > most ? in_bank[bank] : most;
        }
        cost += sets->group[i].weight * most;
    }
    return cost;
}

static uint64_t brute_force(const struct sets *sets)
{
    uint32_t free_bits = sets->bank_bits - sets->fixed_bits;
    uint32_t n_moving = sets->n_bits - sets->fixed_bits;
    uint64_t least = UINT64_MAX;
    for (uint32_t matrix = 0; matrix < UINT32_C(1) << (free_bits * n_moving); matrix++) {
        uint32_t column[BSIM_LINEAR_MAX_BITS] = {0};
        for (uint32_t bit = 0; bit < sets->n_bits; bit++) {
            uint32_t k = bit < sets->fixed_bits ? 0 : bit - sets->fixed_bits;
            column[bit] = bit < sets->fixed_bits
                              ? UINT32_C(1) << bit
                              : (matrix >> (k * free_bits) & ((1u << free_bits) - 1))
                                    << sets->fixed_bits;
        }
        uint64_t cost = cost_of(sets, column);
        least = cost < least ? cost : least;
    }
    return least;
}

static void begin(const struct sets *sets, struct bsim_linear *linear)
{
    *linear = (struct bsim_linear){.bank_bits = sets->bank_bits,
                                   .fixed_bits = sets->fixed_bits,
                                   .n_bits = sets->n_bits,
                                   .most_work = PLENTY};
    assert_true(bsim_linear_begin(linear));
    for (size_t i = 0; i < sets->n; i++) {
        bsim_linear_add(linear, sets->group[i].at, sets->group[i].n, sets->group[i].weight,
                        sets->shares[i]);
    }
}

/* The flips: one to one, within blocks, and as good as the columns. */
static void look_at_flips(const struct sets *sets, const struct bsim_linear *linear)
{
    uint32_t flip[BSIM_LINEAR_MAX_BITS];
    uint32_t block;
    uint32_t column[BSIM_LINEAR_MAX_BITS] = {0};
    uint64_t taken = 0;
    uint32_t fixed = sets->fixed_bits;
    bsim_linear_flips(linear, flip, &block);
    for (uint32_t unit = 0; unit < UINT32_C(1) << (sets->n_bits - fixed); unit++) {
        uint32_t at = unit ^ bank_of(flip, unit);
        assert_int_equal(at >> block, unit >> block);
        taken |= UINT64_C(1) << at;
    }
    assert_true(taken == (UINT64_C(1) << (1u << (sets->n_bits - fixed))) - 1);
    for (uint32_t bit = 0; bit < sets->n_bits; bit++) {
        uint32_t place = bit < fixed ? UINT32_C(1) << bit
                                     : (UINT32_C(1) << (bit - fixed) ^ flip[bit - fixed]) << fixed;
        column[bit] = place & ((UINT32_C(1) << sets->bank_bits) - 1);
    }
    assert_true(cost_of(sets, column) <= linear->least);
}

static void finds_what_all_matrices_have(void **state)
{
    uint32_t seed = 17;
    (void)state;
    for (int round = 0; round < N_ROUNDS; round++) {
        struct sets sets = make_sets(&seed);
        struct bsim_linear linear;
        uint64_t least = brute_force(&sets);
        begin(&sets, &linear);
        assert_true(bsim_linear_solve(&linear, UINT64_MAX));
        assert_true(linear.is_found && linear.is_exhausted);
        assert_int_equal(linear.least, least);
        assert_int_equal(cost_of(&sets, linear.column), least);
        look_at_flips(&sets, &linear);
        assert_true(bsim_linear_solve(&linear, least));
        assert_false(linear.is_found);
        assert_true(linear.is_exhausted);
        bsim_linear_end(&linear);
    }
}

/* What runs out of work does not say that it saw all; too many groups neither. */
static void says_when_it_gives_up(void **state)
{
    struct bsim_linear linear = {.bank_bits = 5, .n_bits = 10, .most_work = 50};
    uint32_t words[32];
    (void)state;
    assert_true(bsim_linear_begin(&linear));
    for (uint32_t row = 0; row < 32; row++) {
        for (uint32_t lane = 0; lane < 32; lane++) {
            words[lane] = lane * 32 + ((lane + row) & 31);
        }
        bsim_linear_add(&linear, words, 32, 1, true);
    }
    assert_true(bsim_linear_solve(&linear, UINT64_MAX));
    assert_false(linear.is_exhausted);
    linear.most_work = PLENTY;
    linear.is_full = true;
    assert_true(bsim_linear_solve(&linear, UINT64_MAX));
    assert_false(linear.is_exhausted);
    bsim_linear_end(&linear);
}

static uint32_t evaluate(const struct bsim_term *term, size_t n, uint32_t v)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t part = term[i].shift >= 0 ? v >> term[i].shift : v << -term[i].shift;
        sum ^= (term[i].mask != 0 ? part & term[i].mask : part) * term[i].factor;
    }
    return sum;
}

/* Terms of random matrices, and of some that people write. */
static void spells_every_matrix(void **state)
{
    static struct bsim_term term[BSIM_MOST_TERMS];
    uint32_t seed = 5;
    (void)state;
    for (int round = 0; round < N_ROUNDS; round++) {
        uint32_t flip[BSIM_LAYOUT_MAX_BITS] = {0};
        uint32_t kept[BSIM_LAYOUT_MAX_BITS];
        uint32_t n_bits = 1 + next_random(&seed) % 9;
        for (uint32_t bit = 0; bit < n_bits; bit++) {
            flip[bit] = next_random(&seed) & next_random(&seed) & 0x1ff;
        }
        memcpy(kept, flip, sizeof kept);
        size_t n = bsim_terms_find(flip, n_bits, term);
        for (uint32_t v = 0; v < UINT32_C(1) << n_bits; v++) {
            assert_int_equal(evaluate(term, n, v), bank_of(kept, v));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_all_matrices_have),
        cmocka_unit_test(says_when_it_gives_up),
        cmocka_unit_test(spells_every_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
