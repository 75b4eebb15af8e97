/* test_regular.c - which indices follow a formula of the lanes' numbers, for the search to fit a
 * layout to, and which are hashes or tables. */
#include "advise/regular.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct index {
    const char *text, *block;
    bool is_regular;
};

static const struct index indices[] = {
    {"s[lane * 33]", "32", true},
    {"s[(lane + 5) % 32 * 32]", "32", true},             /* turned around once */
    {"s[min(lane, 20u) * 16]", "32", true},              /* clamped */
    {"s[threadIdx.y * 64 + threadIdx.x]", "12,8", true}, /* rows begin at lanes 12, 24 */
    {"s[threadIdx.z * 512 + threadIdx.y * 64 + threadIdx.x * 3]", "4,4,2", true},
    {"s[lane % 8 * 72 + lane / 8 * 4]", "32", true},
    {"s[lane * lane]", "32", true},
    {"s[lane / 8 * 72 + (lane % 8 ^ lane / 8) * 8]", "32", true}, /* rows of 72 are no powers */
    {"s[lane * 32 + (lane ^ lane >> 1)]", "32", true},
    {"s[__brev(lane) >> 27]", "32", true},
    {"s[lane * 7 % 32]", "32", true}, /* every word of 32, and the warp goes as a whole */
    {"s[lane < 3 ? lane * lane * lane * 7 : 9]", "32", true}, /* three odd ones at even distances */
    {"*(float4 *)&s[lane * 7 % 32 * 4]", "32", true},         /* around the end of 32 of them */
    {"t[(lane * 5 + 3) % 16][lane / 4]", "32", true},         /* rows go around, columns do not */
    {"t[lane / 2][(lane % 4 * 3 + lane / 8) % 16]", "32", true},
    {"t[lane * 37 % 61][lane]", "32", false},
    {"s[lane * 37 % 61]", "32", false},
    {"s[lane * 2654435761u >> 22]", "32", false}, /* Knuth: steps of four distances */
    {"s[(lane * 40503u ^ lane * 30011u >> 5) % 1024]", "32", false},
    {"s[(0x53ca9f17 >> lane & 1) * 500 + lane * lane * lane % 400]", "32", false},
    {"s[lane * lane % 97]", "32", false},
};

static void tells_formulas_from_chance(void **state)
{
    (void)state;
    struct bsim_device device;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        struct bsim_patterns patterns = {.device = &device, .most = 1};
        struct bsim_check *check = bsim_check_new();
        struct bsim_error err;
        assert_int_equal(bsim_check_add(check, "block", indices[i].block, "", &err), BSIM_OK);
        assert_int_equal(bsim_check_add(check, "warp", "0", "", &err), BSIM_OK);
        assert_int_equal(bsim_check_add(check, "shared", "__align__(16) float s[2000]", "", &err),
                         BSIM_OK);
        assert_int_equal(bsim_check_add(check, "shared", "float t[64][40]", "", &err), BSIM_OK);
        assert_int_equal(bsim_check_add(check, "load", indices[i].text, "", &err), BSIM_OK);
        if (bsim_check_seal(check, &err) != BSIM_OK ||
            bsim_patterns_collect(&patterns, check, &err) != BSIM_OK) {
            fail_msg("%s: %s", indices[i].text, err.message);
        }
        const struct bsim_check_array *array = bsim_check_contents(check)->array;
        const struct bsim_subject subjects[] = {{.array = &array[0], .columns = 2000},
                                                {.array = &array[1], .columns = 40}};
        if (bsim_pattern_is_regular(&patterns.item[0], subjects) != indices[i].is_regular) {
            fail_msg("%s is %sregular", indices[i].text, indices[i].is_regular ? "" : "not ");
        }
        bsim_patterns_free(&patterns);
        bsim_check_free(check);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_formulas_from_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
