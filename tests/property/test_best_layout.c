/* test_best_layout.c - what `advise` finds and proves against every linear layout there is, and its
 * bound against every layout of any kind; and what it finds against every rotation of two levels, and
 * every one of one level whose rows flip bits.
 *
 * Random accesses, in few banks and words, so that all can be tried: 2^12 matrices of two rows and
 * six columns; or each of eight words in any of four banks, 2^16 ways. Wavefronts are counted here
 * once more, in the plainest way: the most words that a warp wants of one bank. */
#include "random_request.h"
#include "watched.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    N_LINEAR = WATCHED(1500, 150),
    N_ANY = WATCHED(150, 15),
    N_TURNED = WATCHED(400, 100),
    BANKS = 4,
    LANES = 32,
    MOST_ACCESSES = 4,
    TEXT_SIZE = 128
};

static struct random_source random_numbers = {77};

static uint32_t below(uint32_t n)
{
    return random_below(&random_numbers, n);
}

/* Accesses of an array of 2^bits floats, or of as many whole rows as these are: which word each lane
 * wants. */
struct set {
    uint32_t bits, n;
    uint32_t columns; /* 0: it has no rows */
    char text[MOST_ACCESSES][TEXT_SIZE];
    uint32_t word[MOST_ACCESSES][LANES];
};

static uint32_t size_of(const struct set *set)
{
    uint32_t size = 1u << set->bits;
    return set->columns > 0 ? size / set->columns * set->columns : size;
}

/* Rows of lanes, `wide` of them `a` words apart, the rows `b`: as they are, with neighbours exchanged,
 * or around the end, which few formulas do as evenly. */
static void draw_access(struct set *set, uint32_t i)
{
    static const char *const texts[] = {"lane %% %u * %u + lane / %u * %u",
                                        "(lane %% %u * %u ^ lane / %u * %u) %% %u",
                                        "(lane %% %u * %u + lane / %u * %u) %% %u"};
    uint32_t size = size_of(set);
    char index[TEXT_SIZE / 2];
    uint32_t wide, a, b;
    uint32_t form = below(4) % 3;
    do {
        wide = 1u << below(6);
        a = below(size);
        b = below(size);
    } while (form == 0 && (wide - 1) * a + (LANES / wide - 1) * b >= size);
    (void)snprintf(index, sizeof index, texts[form], (unsigned)wide, (unsigned)a, (unsigned)wide,
                   (unsigned)b, (unsigned)size);
    (void)snprintf(set->text[i], TEXT_SIZE, set->columns > 0 ? "s[(%s) / %u][(%s) %% %u]" : "s[%s]",
                   index, (unsigned)set->columns, index, (unsigned)set->columns);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t column = lane % wide * a;
        uint32_t row = lane / wide * b;
        set->word[i][lane] = (form == 1 ? column ^ row : column + row) % size;
    }
}

static uint64_t cost_of(const struct set *set, const uint8_t *bank)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        uint64_t wanted[BANKS] = {0};
        uint32_t most = 0;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            wanted[bank[set->word[i][lane]]] |= UINT64_C(1) << set->word[i][lane];
        }
        for (uint32_t k = 0; k < BANKS; k++) {
            uint32_t n = 0;
            for (uint64_t rest = wanted[k]; rest != 0; rest &= rest - 1) {
                n++;
            }
            most = n > most ? n : most;
        }
        cost += most;
    }
    return cost;
}

/* Each bit of the index flips bits of the bank, in all ways. */
static uint64_t least_linear(const struct set *set)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t matrix = 0; matrix < 1u << 2 * set->bits; matrix++) {
        uint8_t bank[64] = {0};
        for (uint32_t i = 0; i < 1u << set->bits; i++) {
            for (uint32_t bit = 0; bit < set->bits; bit++) {
                bank[i] ^= (i >> bit & 1) != 0 ? (uint8_t)(matrix >> 2 * bit & 3) : 0;
            }
        }
        uint64_t cost = cost_of(set, bank);
        least = cost < least ? cost : least;
    }
    return least;
}

/* Each word has a bank, in all ways. */
static uint64_t least_of_any(const struct set *set)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t all = 0; all < 1u << 16; all++) {
        uint8_t bank[8];
        for (uint32_t i = 0; i < 8; i++) {
            bank[i] = (uint8_t)(all >> 2 * i & 3);
        }
        uint64_t cost = cost_of(set, bank);
        least = cost < least ? cost : least;
    }
    return least;
}

/* Word i of rows of so many, turned by `turn` and each `block` rows by `second` more; then the bits of its
 * number from `from` on flip the lowest `bits` of the bank. */
static uint64_t cost_of_turned(const struct set *set, uint32_t row, uint32_t block, uint32_t turn,
                               uint32_t second, uint32_t from, uint32_t bits)
{
    uint8_t bank[64];
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t by = i / row * turn + i / row / block * second;
        uint32_t place = i / row * row + (i % row + by) % row;
        bank[i] = (uint8_t)((place ^ (i >> from & ((1u << bits) - 1))) % BANKS);
    }
    return cost_of(set, bank);
}

static uint64_t least_turned(const struct set *set)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t row = 2; row <= 32; row *= 2) {
        for (uint32_t turn = 0; turn < row; turn++) {
            for (uint32_t i = 0; i < 5 * row; i++) {
                uint64_t cost = cost_of_turned(set, row, 2u << i / row, turn, i % row, 0, 0);
                least = cost < least ? cost : least;
            }
            for (uint32_t from = 1; from < 6; from++) {
                uint32_t bits = from < 5 ? 2 : 1;
                uint64_t cost = 1u << from < row ? UINT64_MAX
                                                 : cost_of_turned(set, row, 2, turn, 0, from, bits);
                least = cost < least ? cost : least;
            }
        }
    }
    return least;
}

static struct bsim_advice *advise(const struct set *set)
{
    struct bsim_device_options options = {.n_banks = BANKS};
    struct bsim_check *check = bsim_check_new();
    struct bsim_advice *advice = NULL;
    struct bsim_device device;
    char declaration[TEXT_SIZE];
    uint32_t columns = set->columns > 0 ? set->columns : 1;
    (void)snprintf(declaration, sizeof declaration,
                   set->columns > 0 ? "float s[%u][%u]" : "float s[%u]",
                   (unsigned)(size_of(set) / columns), (unsigned)columns);
    assert_int_equal(bsim_device_find("generic", &options, &device, NULL), BSIM_OK);
    assert_int_equal(bsim_check_add(check, "shared", declaration, "", NULL), BSIM_OK);
    for (uint32_t i = 0; i < set->n; i++) {
        assert_int_equal(bsim_check_add(check, "load", set->text[i], "", NULL), BSIM_OK);
    }
    assert_int_equal(bsim_check_seal(check, NULL), BSIM_OK);
    assert_int_equal(bsim_advise(check, &device, NULL, &advice, NULL), BSIM_OK);
    bsim_check_free(check);
    return advice;
}

static struct set draw(uint32_t bits)
{
    struct set set = {.bits = bits, .n = 1 + below(MOST_ACCESSES)};
    set.columns = below(3) == 0 ? 2 + below(6) : 0;
    for (uint32_t i = 0; i < set.n; i++) {
        draw_access(&set, i);
    }
    return set;
}

static uint64_t best_of(const struct bsim_advice *advice)
{
    return advice->n_plans > 0 ? advice->plan[0].total.wavefronts : advice->before.total.wavefronts;
}

static void no_linear_layout_is_better(void **state)
{
    uint32_t n_gained = 0;
    (void)state;
    for (uint32_t round = 0; round < N_LINEAR; round++) {
        struct set set = draw(6);
        struct bsim_advice *advice = advise(&set);
        uint64_t least = least_linear(&set);
        assert_true(advice->total.least <= least);
        if (best_of(advice) > least) {
            fail_msg("%s and %" PRIu32 " others: %" PRIu64 " found, %" PRIu64 " is the least",
                     set.text[0], set.n - 1, best_of(advice), least);
        }
        n_gained += best_of(advice) < advice->before.total.wavefronts;
        bsim_advice_free(advice);
    }
    assert_true(n_gained > N_LINEAR / 10);
}

static void no_rotation_is_better(void **state)
{
    uint32_t n_gained = 0;
    (void)state;
    for (uint32_t round = 0; round < N_TURNED; round++) {
        struct set set = draw(6);
        struct bsim_advice *advice = advise(&set);
        uint64_t least = least_turned(&set);
        if (best_of(advice) > least) {
            fail_msg("%s and %" PRIu32 " others: %" PRIu64 " found, %" PRIu64 " is the least",
                     set.text[0], set.n - 1, best_of(advice), least);
        }
        n_gained += least < least_linear(&set);
        bsim_advice_free(advice);
    }
    assert_true(n_gained > 0);
}

static void no_layout_is_below_the_bound(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < N_ANY; round++) {
        struct set set = draw(3);
        struct bsim_advice *advice = advise(&set);
        uint64_t least = least_of_any(&set);
        assert_true(advice->total.least <= least);
        assert_true(best_of(advice) >= least);
        bsim_advice_free(advice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_linear_layout_is_better),
        cmocka_unit_test(no_rotation_is_better),
        cmocka_unit_test(no_layout_is_below_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
