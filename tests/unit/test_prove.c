/* test_prove.c - plans that are what they say, and plans with one thing wrong each: the proof has
 * to tell them apart, whatever the search believes. */
#include "advise/plan.h"
#include "advise/prove.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* Two arrays: float a[R][C], and half b[64] with accesses of 16 bytes. The plan is about a. */
struct claim {
    const char *what;
    const char *shared_a, *load_a;
    struct bsim_layout layout;
    uint32_t n_elements; /* of a, as declared then */
    uint32_t shared_bytes;
    uint64_t wavefronts; /* of the access to a */
    bool b_is_aligned;   /* by its declaration */
    bool holds;
    uint32_t b_more; /* wavefronts of the access to b beyond what it takes */
};

#define ROW_PAD(columns, n)                                   \
    {                                                         \
        .kind = BSIM_LAYOUT_PAD, .row = (columns), .pad = (n) \
    }
#define SWIZZLE(n, from, by)                                                    \
    {                                                                           \
        .kind = BSIM_LAYOUT_SWIZZLE, .bits = (n), .base = (from), .shift = (by) \
    }

/* The column of a 32 x 32 tile: 1 wavefront with rows of 33 words, 2 with rows of 34; b moves to
 * byte 4224, a multiple of 16. Two rows of 36 + 9 words end at byte 360, which is none. */
static const struct claim claims[] = {
    {"pad 1", "float a[32][32]", "a[lane][0]", ROW_PAD(32, 1), 1056, 4352, 1, true, true, 0},
    {"pad 2", "float a[32][32]", "a[lane][0]", ROW_PAD(32, 2), 1088, 4480, 2, true, true, 0},
    {"better than it is", "float a[32][32]", "a[lane][0]", ROW_PAD(32, 2), 1088, 4480, 1, true,
     false, 1},
    {"worse than it is", "float a[32][32]", "a[lane][0]", ROW_PAD(32, 1), 1056, 4352, 2, true,
     false, 0},
    {"bytes of before", "float a[32][32]", "a[lane][0]", ROW_PAD(32, 1), 1056, 4224, 1, true, false,
     0},
    {"swizzle in room", "float a[32]", "a[lane]", SWIZZLE(2, 0, 2), 32, 256, 1, true, true, 0},
    {"swizzle leaves", "float a[30]", "a[lane % 8]", SWIZZLE(2, 0, 2), 30, 256, 1, true, false, 0},
    {"swizzle with room", "float a[30]", "a[lane % 8]", SWIZZLE(2, 0, 2), 32, 256, 1, true, true,
     0},
    {"two in one place", "float a[64]", "a[lane % 8]", SWIZZLE(2, 0, 0), 64, 384, 1, true, false,
     0},
    {"vectors torn", "float a[64]", "*(float2 *)&a[2]", ROW_PAD(3, 1), 85, 480, 1, true, false, 0},
    {"vectors whole", "float a[64]", "*(float2 *)&a[0]", ROW_PAD(3, 1), 85, 480, 1, true, true, 0},
    {"misaligned", "float a[2][36]", "*(float2 *)&a[lane % 2][0]", ROW_PAD(36, 9), 90, 496, 1, true,
     false, 0},
    {"b moved off", "float a[2][36]", "a[lane % 2][0]", ROW_PAD(36, 9), 90, 496, 1, false, false,
     0},
    {"b held", "float a[2][36]", "a[lane % 2][0]", ROW_PAD(36, 9), 90, 496, 1, true, true, 0},
};

static struct bsim_check *build(const struct claim *claim)
{
    struct bsim_check *check = bsim_check_new();
    assert_int_equal(bsim_check_add(check, "shared", claim->shared_a, "", NULL), BSIM_OK);
    assert_int_equal(bsim_check_add(check, "shared", "half b[64]", "", NULL), BSIM_OK);
    assert_int_equal(bsim_check_add(check, "load", claim->load_a, "", NULL), BSIM_OK);
    if (strstr(claim->shared_a, "30") == NULL) { /* b then lies at a multiple of 16 */
        assert_int_equal(bsim_check_add(check, "load", "*(float4 *)&b[0]", "", NULL), BSIM_OK);
    } else {
        assert_int_equal(bsim_check_add(check, "load", "b[0]", "", NULL), BSIM_OK);
    }
    assert_int_equal(bsim_check_seal(check, NULL), BSIM_OK);
    return check;
}

static void expect(const struct claim *claim)
{
    struct bsim_device device;
    struct bsim_check *check = build(claim);
    struct bsim_patterns patterns = {.device = &device, .most = 8};
    struct bsim_advice advice = {.n_arrays = 2, .n_accesses = 2};
    struct bsim_subject subjects[2] = {{.array = &bsim_check_contents(check)->array[0]},
                                       {.array = &bsim_check_contents(check)->array[1]}};
    struct bsim_search search = {.device = &device,
                                 .patterns = &patterns,
                                 .subjects = subjects,
                                 .n_arrays = 2,
                                 .advice = &advice};
    struct bsim_advice_plan plan;
    bool holds = false;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(bsim_patterns_collect(&patterns, check, NULL), BSIM_OK);
    assert_true(bsim_plan_begin(&advice, &plan));
    for (size_t i = 0; i < 2; i++) {
        subjects[i].n_elements = subjects[i].array->size_bytes / subjects[i].array->element_bytes;
        plan.n_elements[i] = subjects[i].n_elements;
        plan.alignment[i] = subjects[i].array->alignment;
    }
    plan.layout[0] = claim->layout;
    plan.n_elements[0] = claim->n_elements;
    plan.declares[0] = true;
    plan.declares[1] = claim->b_is_aligned;
    plan.alignment[1] = 16;
    plan.shared_bytes = claim->shared_bytes;
    uint64_t all = 0;
    for (size_t i = 0; i < patterns.n;
         i++) { /* b is read once, by all lanes: 1 wavefront, or 4 groups */
        uint64_t now = i == 0 ? claim->wavefronts : patterns.item[i].ideal + claim->b_more;
        plan.access[i] = (struct bsim_advice_cost){now, now - patterns.item[i].ideal};
        all += now - patterns.item[i].ideal;
        plan.total.wavefronts += now;
    }
    plan.total.conflicts = all;
    assert_true(bsim_plan_prove(&search, &plan, &holds));
    if (holds != claim->holds) {
        fail_msg("%s: %s", claim->what, holds ? "is taken for what it says" : "is not believed");
    }
    bsim_plan_free(&plan);
    bsim_patterns_free(&patterns);
    bsim_check_free(check);
}

static void tells_right_from_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        expect(&claims[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_right_from_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
