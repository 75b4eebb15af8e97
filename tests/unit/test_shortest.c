/* test_shortest.c - layouts that are written shorter: one to one, within the array, as good as they
 * have to be, and what CuTe's swizzles make of them. */
#include "advise/cute.h"
#include "advise/shortest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { N_ROUNDS = 300, PLENTY = 1 << 20, MOST_ELEMENTS = 1 << 10, MOST_OPERATIONS = 9 };

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static uint32_t place_of(const struct bsim_layout *layout, uint32_t i)
{
    uint32_t place = i;
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        place ^= (i >> bit & 1) != 0 ? layout->flip[bit] : 0;
    }
    return place;
}

/* What a group takes in 32 banks of 4 bytes, each of its words `unit` elements. */
static uint64_t cost_of(const struct bsim_linear *linear, const struct bsim_layout *layout,
                        uint32_t fixed_bits)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < linear->n_groups; i++) {
        const struct bsim_linear_group *group = &linear->group[i];
        uint32_t in_bank[32] = {0};
        uint32_t most = 0;
        for (uint32_t k = 0; k < group->n; k++) {
            uint32_t element = group->at[k] >> fixed_bits << layout->base;
            uint32_t word = place_of(layout, element) >> layout->base << fixed_bits;
            word |= group->at[k] & ((1u << fixed_bits) - 1);
            uint32_t times = ++in_bank[word % 32];
            most = times > most ? times : most;
        }
        cost += group->weight * most;
    }
    return cost;
}

static void look_at(const struct bsim_subject *subject, const struct bsim_layout *layout)
{
    static uint8_t taken[MOST_ELEMENTS];
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < subject->n_elements; i++) {
        uint32_t at = place_of(layout, i);
        assert_true(at < subject->n_elements);
        assert_int_equal(taken[at], 0);
        taken[at] = 1;
        assert_int_equal(at & ((1u << layout->base) - 1), i & ((1u << layout->base) - 1));
        assert_int_equal(at >> (layout->base + layout->bits), i >> (layout->base + layout->bits));
    }
}

/* Arrays of one, two and three dimensions, some of them of no power of two. */
static void make_array(uint32_t *seed, struct bsim_check_array *array, struct bsim_subject *subject)
{
    static const uint32_t shapes[][3] = {{1024, 0, 0}, {768, 0, 0}, {32, 32, 0}, {24, 32, 0},
                                         {40, 20, 0},  {8, 8, 8},   {4, 16, 16}, {5, 6, 16}};
    const uint32_t *shape = shapes[next_random(seed) % 8];
    *array = (struct bsim_check_array){.name = "t", .element = "float", .element_bytes = 4};
    subject->n_elements = 1;
    subject->array = array;
    for (uint32_t i = 0; i < 3 && shape[i] != 0; i++) {
        array->dimension[array->n_dimensions++] = shape[i];
        subject->n_elements *= shape[i];
    }
}

/* Lanes that go by bits of their number, as kernels have them, and a few that do not. */
static void add_groups(struct bsim_linear *linear, uint32_t *seed, uint32_t n_elements,
                       uint32_t base)
{
    for (uint32_t round = 1 + next_random(seed) % 3; round > 0; round--) {
        uint32_t at[32];
        uint32_t step = 1u << next_random(seed) % 8;
        uint32_t n = 8u << next_random(seed) % 3;
        bool by_chance = next_random(seed) % 6 == 0;
        for (uint32_t lane = 0; lane < n; lane++) {
            at[lane] = (by_chance ? next_random(seed) : lane * step) % n_elements >>
                       base << linear->fixed_bits;
        }
        bsim_linear_add(linear, at, n, 1 + next_random(seed) % 3, true);
    }
}

static void shorter_ones_cost_as_little(void **state)
{
    uint32_t seed = 3;
    uint32_t n_found = 0;
    (void)state;
    for (int round = 0; round < N_ROUNDS; round++) {
        struct bsim_check_array array;
        struct bsim_subject subject = {.alignment = 4};
        uint32_t base = next_random(&seed) % 3; /* floats apart, in pairs, in fours */
        struct bsim_linear linear = {
            .bank_bits = 5, .fixed_bits = base, .n_bits = 10, .most_work = PLENTY};
        struct bsim_layout layout;
        bool found;
        make_array(&seed, &array, &subject);
        assert_true(bsim_linear_begin(&linear));
        add_groups(&linear, &seed, subject.n_elements, base);
        assert_true(bsim_linear_solve(&linear, UINT64_MAX));
        uint64_t cost = linear.least + next_random(&seed) % 2;
        assert_true(
            bsim_shortest_find(&linear, &subject, base, cost, MOST_OPERATIONS, &layout, &found));
        if (found) {
            look_at(&subject, &layout);
            assert_true(cost_of(&linear, &layout, base) <= cost);
            n_found++;
        }
        bsim_linear_end(&linear);
    }
    assert_true(n_found > N_ROUNDS / 2);
}

/* ---- CuTe's swizzles ----------------------------------------------------------------------- */

/* As CuTe has it: the bits of Y, zz bits above those of Z (or below), flip those of Z. */
static uint32_t swizzle(const struct bsim_cute *about, uint32_t i)
{
    uint32_t low = ((1u << about->bits) - 1) << about->base;
    uint32_t distance = (uint32_t)(about->shift > 0 ? about->shift : -about->shift);
    uint32_t y = about->shift > 0 ? low << distance : low;
    return about->shift > 0 ? i ^ (i & y) >> distance : i ^ (i & y) << distance;
}

static uint32_t after_one_another(const struct bsim_cute *all, size_t n, uint32_t i)
{
    while (n > 0) {
        i = swizzle(&all[--n], i);
    }
    return i;
}

static void make_flips(const struct bsim_cute *all, size_t n, uint32_t flip[BSIM_LAYOUT_MAX_BITS])
{
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        flip[bit] = after_one_another(all, n, 1u << bit) ^ 1u << bit;
    }
}

static void swizzles_are_what_they_stand_for(void **state)
{
    uint32_t seed = 11;
    uint32_t n_found[4] = {0};
    (void)state;
    for (int round = 0; round < 10 * N_ROUNDS; round++) {
        struct bsim_cute made[3], found[BSIM_CUTE_SWIZZLES];
        uint32_t flip[BSIM_LAYOUT_MAX_BITS];
        size_t n = 1 + next_random(&seed) % 3;
        for (size_t i = 0; i < n; i++) {
            uint32_t bits = 1 + next_random(&seed) % 3;
            int shift = (int)(bits + next_random(&seed) % 3);
            made[i] = (struct bsim_cute){bits, next_random(&seed) % 6,
                                         next_random(&seed) % 4 == 0 ? -shift : shift};
        }
        make_flips(made, n, flip);
        size_t n_is = bsim_cute_find(flip, found);
        for (uint32_t k = 0; k < 50 && n_is > 0; k++) {
            uint32_t i = next_random(&seed) & ((1u << 12) - 1);
            assert_int_equal(after_one_another(found, n_is, i), after_one_another(made, n, i));
        }
        for (size_t i = 0; i < n_is; i++) {
            assert_true(found[i].shift >= (int)found[i].bits ||
                        -found[i].shift >= (int)found[i].bits);
        }
        assert_true(n > 1 || n_is == 1);
        n_found[n_is]++;
    }
    assert_true(n_found[2] > N_ROUNDS && n_found[3] > N_ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shorter_ones_cost_as_little),
        cmocka_unit_test(swizzles_are_what_they_stand_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
