/* test_tensors.c - what TMA's copies of boxes and wgmma's products leave in memory, as an H200 has it:
 * tests/measured/h200/async/tensors.txt, whose rows are launches of tensors.ptx; and every reduction of boxes, as an
 * H100 has it: tests/measured/h100/async/reduces.txt. Every byte is the same, and what ends a launch there ends it here.
 */
#include <banksim/ptx.h>

#include "collect.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module's path without its ending, and its text. */
struct module {
    const char *path, *illegal; /* what is said of an illegal instruction */
    char text[400000];
    size_t length;
};

static struct module tensors = {"tests/measured/h200/async/tensors", "begin", "", 0},
                     reduces = {"tests/measured/h100/async/reduces", "does not take", "", 0};

static int read_module(struct module *module)
{
    char path[80];
    snprintf(path, sizeof path, "%s.ptx", module->path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return -1;
    }
    module->length = fread(module->text, 1, sizeof module->text, file);
    fclose(file);
    return module->length < sizeof module->text ? 0 : -1;
}

static int read_modules(void **state)
{
    (void)state;
    return read_module(&tensors) == 0 ? read_module(&reduces) : -1;
}

/* FNV-1a, of 64 bits. */
static uint64_t checksum(const unsigned char *p, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return h;
}

/* What stands behind a launch: " 1 0123456789abcdef", or " illegal" as the GPU's error. */
static void expect_row(const struct module *module, const char *launch, const char *result)
{
    struct bsim_ptx_call *call = NULL;
    struct collect collect = {.n = 0};
    struct bsim_error err;
    struct bsim_sink sink = collect_sink(&collect);
    char argument[2] = {result[1], '\0'};
    size_t size = 0;
    assert_int_equal(bsim_ptx_call_new(module->path, module->text, module->length, launch, &call, &err), BSIM_OK);
    enum bsim_status status = bsim_ptx_call_run(call, &sink, &err);
    bool ends = result[1] == 'i' || result[1] == 'm';
    const char *message = result[1] == 'm' ? "multiple of 128" : module->illegal;
    if (status != (ends ? BSIM_E_KERNEL : BSIM_OK) ||
        (ends && strstr(err.message, message) == NULL)) {
        fail_msg("%s: status %d: %s, not%s", launch, (int)status, err.message, result);
    }
    if (!ends) {
        const unsigned char *array = bsim_ptx_call_array(call, argument, &size);
        assert_non_null(array);
        if (checksum(array, size) != strtoull(result + 3, NULL, 16)) {
            fail_msg("%s: %016" PRIx64 ", not%s", launch, checksum(array, size), result);
        }
    }
    bsim_ptx_call_free(call);
    collect_free(&collect);
}

/* The rows of the kernel, or, of NULL, of all but those that copy. */
static size_t expect_rows(const struct module *module, const char *kernel)
{
    char row[400], path[80];
    size_t n = 0;
    snprintf(path, sizeof path, "%s.txt", module->path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(row, sizeof row, file) != NULL) {
        bool copies = strncmp(row, "loaded", 6) == 0 || strncmp(row, "stored", 6) == 0;
        char *end = strrchr(row, ')');
        if (row[0] == '#' || (kernel != NULL ? strncmp(row, kernel, 6) != 0 : copies)) {
            continue;
        }
        assert_non_null(end);
        char result[40];
        snprintf(result, sizeof result, "%.*s", (int)strcspn(end + 1, "\n"), end + 1);
        end[1] = '\0';
        if (n++ % WATCHED(1, 5) == 0) {
            expect_row(module, row, result);
        }
    }
    fclose(file);
    return n;
}

static void products_are_the_gpus(void **state)
{
    (void)state;
    assert_int_equal(expect_rows(&tensors, NULL), 98);
}

static void boxes_lie_in_shared_memory_as_on_the_gpu(void **state)
{
    (void)state;
    assert_int_equal(expect_rows(&tensors, "loaded"), 66);
}

static void boxes_are_stored_and_added_as_on_the_gpu(void **state)
{
    (void)state;
    assert_int_equal(expect_rows(&tensors, "stored"), 107);
}

static void reductions_are_the_gpus(void **state)
{
    (void)state;
    assert_int_equal(expect_rows(&reduces, "reduced"), 318);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_the_gpus),
        cmocka_unit_test(boxes_lie_in_shared_memory_as_on_the_gpu),
        cmocka_unit_test(boxes_are_stored_and_added_as_on_the_gpu),
        cmocka_unit_test(reductions_are_the_gpus),
    };
    return cmocka_run_group_tests(tests, read_modules, NULL);
}
