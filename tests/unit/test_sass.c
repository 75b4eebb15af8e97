/* test_sass.c - kernels run from machine code: the same results, bit for bit, and the same accesses to shared memory as from nvcc's PTX.
 *
 * tests/sass has the kernels, each with its launch above it, nvcc's PTX of them and ptxas's code. Of some the results are computed here
 * as well, from what C says of whole numbers.
 */
#include <banksim/sass.h>

#include "kernel_text.h"
#include "trace_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 128, SIDE = 64 };

/* A launch of the same kernel, from PTX and from machine code. */
struct both {
    char launch[KERNEL_MAX_LAUNCH];
    struct bsim_ptx_call *ptx, *sass;
    struct bsim_result of_ptx, of_sass;
};

static struct bsim_buffer load(const char *file, const char *ending)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "tests/sass/%s.%s", file, ending);
    return trace_text_load(path);
}

/* The file's machine code, as PTX. */
static struct bsim_buffer load_code(const char *file)
{
    char path[PATH_SIZE];
    struct bsim_error err = {.message = ""};
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY, text = load(file, "sass");
    snprintf(path, sizeof path, "tests/sass/%s.sass", file);
    if (bsim_sass_ptx(path, text.data, text.size_bytes, &ptx, &err) != BSIM_OK) {
        fail_msg("%s:%d: %s", path, (int)err.line, err.message);
    }
    bsim_buffer_free(&text);
    return ptx;
}

static void run(struct both *both, const char *ptx, const char *sass)
{
    enum { MOST_OF_WARP = 1000000 };
    const struct bsim_ptx_options options = {.has_work = true, .most_of_warp = MOST_OF_WARP};
    kernel_text_run(ptx, both->launch, &options, &both->ptx, &both->of_ptx);
    kernel_text_run(sass, both->launch, &options, &both->sass, &both->of_sass);
}

static void free_both(struct both *both)
{
    bsim_result_free(&both->of_ptx);
    bsim_result_free(&both->of_sass);
    bsim_ptx_call_free(both->ptx);
    bsim_ptx_call_free(both->sass);
}

/* ---- against PTX ----------------------------------------------------------------------------- */

/* Whether both are as near as PTX promises of div.approx, sin.approx and cos.approx: what it leaves open ptxas decides. */
static bool are_near(const unsigned char *ptx, const unsigned char *sass)
{
    const float least = 1.0f / (1 << 20);
    float a, b;
    memcpy(&a, ptx, sizeof a);
    memcpy(&b, sass, sizeof b);
    return fabsf(a - b) <= least * fmaxf(fabsf(a), 1.0f);
}

static bool is_approximate(const struct both *both)
{
    return strncmp(both->launch, "nearly<", 7) == 0;
}

/* Compares the array at the path, if there is one. */
static bool compare_array(const struct both *both, const char *path)
{
    size_t n_ptx = 0, n_sass = 0;
    const unsigned char *ptx = bsim_ptx_call_array(both->ptx, path, &n_ptx), *sass = bsim_ptx_call_array(both->sass, path, &n_sass);
    assert_int_equal(ptx == NULL, sass == NULL);
    for (size_t i = 0; ptx != NULL && i < n_ptx; i++) {
        if (ptx[i] != sass[i] && !(is_approximate(both) && are_near(&ptx[i & ~(size_t)3], &sass[i & ~(size_t)3]))) {
            fail_msg("%s: byte %d of argument %s is %02x, from PTX %02x", both->launch, (int)i, path, sass[i], ptx[i]);
        }
    }
    return ptx != NULL;
}

static void compare_arrays(const struct both *both)
{
    char path[8];
    int n = 0;
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "%d", i);
        n += compare_array(both, path);
        snprintf(path, sizeof path, "0.%d", i);
        n += compare_array(both, path);
    }
    assert_true(n > 0);
}

static void compare_tally(const struct both *both, enum bsim_class class)
{
    static const char *const names[] = {"loads", "stores", "atomics"};
    const struct bsim_tally *ptx = &both->of_ptx.kernels[0].tally[class], *sass = &both->of_sass.kernels[0].tally[class];
    if (sass->requests != ptx->requests || sass->wavefronts != ptx->wavefronts || sass->ideal != ptx->ideal) {
        fail_msg("%s: %s have %d requests, %d wavefronts, %d ideal, not %d, %d, %d", both->launch, names[class], (int)sass->requests,
                 (int)sass->wavefronts, (int)sass->ideal, (int)ptx->requests, (int)ptx->wavefronts, (int)ptx->ideal);
    }
}

/* Runs and compares each of the file's launches, with machine code of that dump. */
static void compare_file(const char *file, const char *dump, int n_kernels)
{
    struct bsim_buffer source = load(file, "cu"), ptx = load(file, "ptx"), sass = load_code(dump);
    struct both both = {.ptx = NULL};
    int n = 0;
    for (const char *at = source.data; (at = kernel_text_launch(at, both.launch)) != NULL; n++) {
        run(&both, ptx.data, sass.data);
        compare_arrays(&both);
        for (int class = BSIM_LOADS; class < BSIM_N_CLASSES; class++) {
            compare_tally(&both, (enum bsim_class)class);
        }
        free_both(&both);
    }
    assert_int_equal(n, n_kernels);
    bsim_buffer_free(&source);
    bsim_buffer_free(&ptx);
    bsim_buffer_free(&sass);
}

static void whole_numbers_are_those_of_ptx(void **state)
{
    (void)state;
    compare_file("whole", "whole", 8);
}

static void floating_point_is_that_of_ptx(void **state)
{
    (void)state;
    compare_file("point", "point", 7);
}

static void lanes_are_those_of_ptx(void **state)
{
    (void)state;
    compare_file("lanes", "lanes", 5);
}

static void memory_is_that_of_ptx(void **state)
{
    (void)state;
    compare_file("memory", "memory", 9);
}

/* Of bytes, machine code for compute capability 8.9 has products, where that for 9.0 converts. */
static void what_is_seldom_is_that_of_ptx(void **state)
{
    (void)state;
    compare_file("forms", "forms", 9);
    compare_file("bytes", "bytes", 3);
    compare_file("bytes", "bytes_89", 3);
}

/* ptxas makes loops of these, which are one request each, as in PTX. */
static void loops_of_atomics_are_those_of_ptx(void **state)
{
    (void)state;
    compare_file("loops", "loops", 5);
    compare_file("loops", "loops_80", 5);
    compare_file("histogram", "histogram", 5);
    compare_file("histogram", "histogram_80", 5);
}

/* Other addresses of parameters and in shared memory, and other instructions for both. */
static void code_for_ampere_is_read(void **state)
{
    (void)state;
    compare_file("small", "small", 2);
    compare_file("small", "small_80", 2);
}

/* ---- against C ------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

/* The launch of the file's kernel. */
static void find_launch(struct both *both, const char *file, const char *kernel)
{
    struct bsim_buffer source = load(file, "cu");
    const char *at = source.data;
    size_t length = strlen(kernel);
    do {
        at = kernel_text_launch(at, both->launch);
        assert_non_null(at);
    } while (memcmp(both->launch, kernel, length) != 0 || both->launch[length] != '<');
    bsim_buffer_free(&source);
}

/* Runs the kernel of whole.cu from machine code alone. */
static void run_code(struct both *both, const char *kernel)
{
    struct bsim_buffer sass = load_code("whole");
    find_launch(both, "whole", kernel);
    kernel_text_run(sass.data, both->launch, NULL, &both->sass, &both->of_sass);
    bsim_buffer_free(&sass);
}

static const void *array(const struct both *both, const char *path)
{
    size_t size = 0;
    const void *bytes = bsim_ptx_call_array(both->sass, path, &size);
    assert_non_null(bytes);
    return bytes;
}

/* Compares element i of each of n rows of SIDE. */
static void compare_rows(const char *kernel, const uint64_t *out, int i, const uint64_t *expected, int n)
{
    for (int k = 0; k < n; k++) {
        if (out[SIDE * k + i] != expected[k]) {
            fail_msg("%s: out[%d + %d] is %016llx, not %016llx", kernel, SIDE * k, i, (unsigned long long)out[SIDE * k + i], (unsigned long long)expected[k]);
        }
    }
}

/* What the kernels of whole.cu make of what they read. */
static uint64_t mixed(uint64_t x)
{
    return x * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t mixed_otherwise(uint64_t y)
{
    return y * UINT64_C(0xc2b2ae3d27d4eb4f);
}

static void carries_are_those_of_c(void **state)
{
    struct both both = {.ptx = NULL};
    (void)state;
    run_code(&both, "carries");
    const uint64_t *a = array(&both, "0"), *b = array(&both, "1"), *out = array(&both, "2");
    for (int i = 0; i < SIDE; i++) {
        uint64_t x = mixed(a[i]), y = mixed_otherwise(b[i]);
        wide left = (wide)x << 64 | y, right = (wide)y << 64 | x, sum = left + right, less = left - right;
        const uint64_t expected[] = {x + y,
                                     x - y,
                                     (uint64_t)sum,
                                     (uint64_t)(sum >> 64),
                                     (uint64_t)less,
                                     (uint64_t)(less >> 64),
                                     x + (uint32_t)y + (y >> 63),
                                     x > UINT64_MAX - y ? x - 1 : ~y + 2};
        compare_rows("carries", out, i, expected, 8);
    }
    free_both(&both);
}

/* ptxas has been seen to give FSET no condition but PT. */
static void no_comparison_holds_without_its_condition(void **state)
{
    static const char there[] = "FSET.BF.GT.AND R5, R0, RZ, PT ;", other[] = "FSET.BF.GT.AND R5,R0, RZ, !PT ;";
    struct both both = {.ptx = NULL};
    struct bsim_error err = {.message = ""};
    struct bsim_buffer text = load("forms", "sass"), ptx = BSIM_BUFFER_EMPTY;
    char *at = strstr(text.data, there);
    (void)state;
    assert_non_null(at);
    assert_int_equal(strlen(other), strlen(there));
    memcpy(at, other, strlen(there));
    assert_int_equal(bsim_sass_ptx("forms.sass", text.data, text.size_bytes, &ptx, &err), BSIM_OK);
    find_launch(&both, "forms", "compared");
    kernel_text_run(ptx.data, both.launch, NULL, &both.sass, &both.of_sass);
    const float *out = array(&both, "1");
    for (int i = 0; i < SIDE; i++) {
        assert_true(out[i] == 0.0f);
    }
    free_both(&both);
    bsim_buffer_free(&text);
    bsim_buffer_free(&ptx);
}

static uint64_t signed_product(uint32_t u, uint32_t v)
{
    return (uint64_t)((int64_t)(int32_t)u * (int32_t)v);
}

static void products_are_those_of_c(void **state)
{
    struct both both = {.ptx = NULL};
    (void)state;
    run_code(&both, "products");
    const uint64_t *a = array(&both, "0"), *b = array(&both, "1"), *out = array(&both, "2");
    for (int i = 0; i < SIDE; i++) {
        uint64_t x = mixed(a[i]), y = mixed_otherwise(b[i]);
        uint32_t u = (uint32_t)x, v = (uint32_t)(y >> 32);
        wide square = (wide)x * y;
        wide_signed both_signed = (wide_signed)(int64_t)x * (int64_t)y;
        const uint64_t expected[] = {(uint64_t)u * v, signed_product(u, v), x * y, (uint64_t)(square >> 64), (uint64_t)((wide)both_signed >> 64),
                                     ((uint64_t)u * v >> 32) << 32 | (uint32_t)(signed_product(u, v) >> 32),
                                     (uint64_t)square ^ (uint64_t)(square >> 64)};
        compare_rows("products", out, i, expected, 7);
    }
    free_both(&both);
}

/* The lower 32 bits behind a shift of high:low by up to 32. */
static uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t by)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> by);
}

static uint32_t funnel_left(uint32_t low, uint32_t high, uint32_t by)
{
    return (uint32_t)((((wide)high << 32 | low) << by) >> 32);
}

/* By 0 to 63, which C has no word for beyond 31. */
static uint32_t shifted_right(uint32_t x, uint32_t by, bool is_signed)
{
    uint64_t sign = is_signed && x >> 31 != 0 ? UINT64_C(0xffffffff00000000) : 0;
    return (uint32_t)((sign | x) >> (by < 32 ? by : 32));
}

static uint64_t arithmetic(uint64_t x, uint32_t by)
{
    return by > 0 && x >> 63 != 0 ? x >> by | UINT64_MAX << (64 - by) : x >> by;
}

static void shifts_are_those_of_c(void **state)
{
    struct both both = {.ptx = NULL};
    (void)state;
    run_code(&both, "shifts");
    const uint64_t *a = array(&both, "0"), *out = array(&both, "2");
    for (int i = 0; i < SIDE; i++) {
        uint64_t x = mixed(a[i]);
        uint32_t n = (uint32_t)i, low = (uint32_t)x, high = (uint32_t)(x >> 32), least = n < 32 ? n : 32;
        uint32_t left = n < 32 ? low << n : 0;
        const uint64_t expected[] = {x << n, x >> n, arithmetic(x, n), funnel_left(low, high, n & 31), funnel_right(low, high, n & 31),
                                     funnel_left(low, high, least), funnel_right(low, high, least),
                                     (uint64_t)left << 32 | shifted_right(low, n, false),
                                     (uint64_t)shifted_right(low, n, true) << 32 | (low << 7 | high >> 25),
                                     (x << 13) ^ arithmetic(x, 37) ^ (x >> 5)};
        compare_rows("shifts", out, i, expected, 10);
    }
    free_both(&both);
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* A change of small.sass: what stands there becomes something else, or the text ends in front of it (NULL). */
static const struct spoilt {
    const char *from, *to, *message;
} spoilt[] = {
    {"EIATTR_PARAM_CBANK", "EIATTR_OTHER", "the kernels' parameters are missing: write it with 'cuobjdump -elf -sass'"},
    {"Function : turn", NULL, "no machine code: write it with 'cuobjdump -elf -sass'"},
    {"/*0140*/", NULL, "the code of turn is not whole: write it anew with 'cuobjdump -elf -sass'"}, /* no end */
    {"/*01a0*/", NULL, "the code of turn is not whole: write it anew with 'cuobjdump -elf -sass'"}, /* no end */
    {"BRA 0x190", "BRA 0x1f0", "the code of turn is not whole: write it anew with 'cuobjdump -elf -sass'"}, /* no goal */
    {"S2R R11, SR_TID.X ;", "S2R R11, SR_TID.X", "an instruction ends with ';'"},
    {"Ordinal : 0x2", "Ordinal : 0x100", "a kernel has 256 parameters here at most"},
};

static void put_spoilt(struct bsim_buffer *out, const char *text, const struct spoilt *change)
{
    const char *at = strstr(text, change->from);
    assert_non_null(at);
    bsim_buffer_add(out, text, (size_t)(at - text));
    if (change->to != NULL) {
        bsim_buffer_text(out, change->to);
        bsim_buffer_text(out, at + strlen(change->from));
    }
}

static void expect_refusal(const char *name, const char *text, size_t length, const char *message)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.message = ""};
    bsim_buffer_text(&ptx, "before");
    assert_int_equal(bsim_sass_ptx(name, text, length, &ptx, &err), BSIM_E_INPUT);
    if (strstr(err.message, message) == NULL) {
        fail_msg("it says '%s', not '%s'", err.message, message);
    }
    assert_int_equal(ptx.size_bytes, 6); /* as it was */
    bsim_buffer_free(&ptx);
}

static void texts_that_are_not_whole_are_refused(void **state)
{
    struct bsim_buffer small = load("small", "sass");
    (void)state;
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        put_spoilt(&text, small.data, &spoilt[i]);
        expect_refusal("k.sass", text.data, text.size_bytes, spoilt[i].message);
        bsim_buffer_free(&text);
    }
    bsim_buffer_free(&small);
}

static void other_architectures_are_refused(void **state)
{
    static const char *const targets[][3] = {{"sm=75", "code for sm_75", "code for sm_75: read is that for sm_80 to sm_90"},
                                            {"sm=100", "code for sm_100", "code for sm_100: read is that for sm_80 to sm_90"}};
    struct bsim_buffer small = load("small", "sass");
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bsim_buffer head = BSIM_BUFFER_EMPTY, text = BSIM_BUFFER_EMPTY;
        put_spoilt(&head, small.data, &(struct spoilt){"sm=90", targets[i][0], NULL});
        put_spoilt(&text, head.data, &(struct spoilt){"code for sm_90", targets[i][1], NULL});
        expect_refusal("k.sass", text.data, text.size_bytes, targets[i][2]);
        bsim_buffer_free(&head);
        bsim_buffer_free(&text);
    }
    bsim_buffer_free(&small);
}

static void a_second_architecture_is_refused(void **state)
{
    struct bsim_buffer small = load("small", "sass"), text = BSIM_BUFFER_EMPTY;
    (void)state;
    bsim_buffer_text(&text, small.data);
    put_spoilt(&text, small.data, &(struct spoilt){"sm=90", "sm=80", NULL});
    expect_refusal("k.sass", text.data, text.size_bytes, "code of a second architecture: choose one, with cuobjdump -arch sm_90");
    bsim_buffer_free(&text);
    bsim_buffer_free(&small);
}

static void names_that_ptx_cannot_write_are_refused(void **state)
{
    static const char *const names[] = {"a\"b.sass", "a\nb.sass"};
    struct bsim_buffer small = load("small", "sass");
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        expect_refusal(names[i], small.data, small.size_bytes, "rename it");
    }
    bsim_buffer_free(&small);
}

/* Cut anywhere, a text is refused or none of machine code, and nothing behind its end is read. */
static void texts_may_end_anywhere(void **state)
{
    enum { STEP = 7 };
    struct bsim_buffer small = load("small", "sass");
    (void)state;
    for (size_t n = 0; n + 200 < small.size_bytes; n += STEP) {
        char *text = malloc(n + 1);
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        struct bsim_error err = {.message = ""};
        assert_non_null(text);
        memcpy(text, small.data, n);
        assert_int_equal(bsim_sass_ptx("k.sass", text, n, &ptx, &err), BSIM_E_INPUT);
        bsim_buffer_free(&ptx);
        free(text);
    }
    bsim_buffer_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_those_of_ptx),
        cmocka_unit_test(floating_point_is_that_of_ptx),
        cmocka_unit_test(lanes_are_those_of_ptx),
        cmocka_unit_test(memory_is_that_of_ptx),
        cmocka_unit_test(what_is_seldom_is_that_of_ptx),
        cmocka_unit_test(loops_of_atomics_are_those_of_ptx),
        cmocka_unit_test(code_for_ampere_is_read),
        cmocka_unit_test(no_comparison_holds_without_its_condition),
        cmocka_unit_test(carries_are_those_of_c),
        cmocka_unit_test(products_are_those_of_c),
        cmocka_unit_test(shifts_are_those_of_c),
        cmocka_unit_test(texts_that_are_not_whole_are_refused),
        cmocka_unit_test(other_architectures_are_refused),
        cmocka_unit_test(a_second_architecture_is_refused),
        cmocka_unit_test(names_that_ptx_cannot_write_are_refused),
        cmocka_unit_test(texts_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
