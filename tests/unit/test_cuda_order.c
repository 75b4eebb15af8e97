/* test_cuda_order.c - in which order a kernel's PTX accesses memory, and computes with floats, beside nvcc's.
 *
 * Of each kernel in tests/kernels/nears.cu the loads, stores and barriers, with their offsets, and the sums and products of
 * floats, with their constants, stand in one order in both: what ptxas is given first is what it has to work with.
 */
#include <banksim/cuda.h>
#include <banksim/ptx.h>

#include "kernel_text.h"
#include "trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 512, MAX_STEP = 64 };

struct steps {
    char step[MAX_STEPS][MAX_STEP];
    size_t n;
};

static bool is_of_weight(const char *line)
{
    static const char *const words[] = {"ld.shared", "ld.global", "st.",     "bar.",
                                        "fma.",      "mul.f32",   "add.f32", "sub.f32"};
    bool is_it = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        is_it = is_it || strncmp(line, words[i], strlen(words[i])) == 0;
    }
    return is_it;
}

/* The opcode, and what stands behind the register in an address, or a constant. */
static void take_step(struct steps *steps, const char *line, const char *end)
{
    const char *offset = memchr(line, '[', (size_t)(end - line));
    offset = offset != NULL ? memchr(offset, '+', (size_t)(end - offset)) : strstr(line, "0f");
    offset = offset != NULL && offset < end ? offset : NULL;
    assert_true(steps->n < MAX_STEPS);
    (void)snprintf(steps->step[steps->n++], MAX_STEP, "%.*s %.*s", (int)strcspn(line, " \t"), line,
                   offset != NULL ? (int)strcspn(offset, "],;") : 0, offset != NULL ? offset : "");
}

static void take_steps(struct steps *steps, const char *ptx, const char *launch)
{
    char name[KERNEL_MAX_LAUNCH];
    int length = (int)strcspn(launch, "<");
    (void)snprintf(name, sizeof name, ".entry _Z%d%.*s", length, length, launch);
    const char *at = strstr(ptx, name);
    steps->n = 0;
    assert_non_null(at);
    const char *last = strstr(at, "\n}");
    assert_non_null(last);
    while ((at = strchr(at, '\n')) != NULL && at < last) {
        at += 1 + strspn(at + 1, " \t");
        const char *end = strchr(at, '\n');
        if (end != NULL && is_of_weight(at)) {
            take_step(steps, at, end);
        }
    }
}

static void test_what_stands_in_nvccs_order(void **state)
{
    static struct steps a, b;
    static const char path[] = "tests/kernels/nears.cu";
    char launch[KERNEL_MAX_LAUNCH];
    int n = 0;
    (void)state;
    struct bsim_buffer source = trace_text_load(path), theirs = trace_text_load("tests/kernels/nears.ptx");
    for (const char *p = source.data; (p = kernel_text_launch(p, launch)) != NULL; n++) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        kernel_text_translate(path, source.data, launch, &ptx);
        take_steps(&a, ptx.data, launch);
        take_steps(&b, theirs.data, launch);
        bsim_buffer_free(&ptx);
        for (size_t i = 0; i < a.n && i < b.n; i++) {
            if (strcmp(a.step[i], b.step[i]) != 0) {
                fail_msg("%s: step %zu is '%s', nvcc's '%s'", launch, i, a.step[i], b.step[i]);
            }
        }
        assert_int_equal(a.n, b.n);
        assert_true(a.n > 0);
    }
    bsim_buffer_free(&source);
    bsim_buffer_free(&theirs);
    assert_int_equal(n, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_stands_in_nvccs_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
