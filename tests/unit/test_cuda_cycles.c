/* test_cuda_cycles.c - cycles of kernels that banksim reads itself, held to those of what nvcc made of them.
 *
 * tests/kernels/cycles.cu has kernels as courses and libraries have them, whose loops stay loops, and
 * cycles.ptx what nvcc 13.0 made of them. 35 of 43 take within 10 % of the cycles of nvcc's PTX, and of 40 the
 * report names the same for what holds the launch up.
 */
#include <banksim/report.h>

#include "kernel_text.h"
#include "trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VERDICT = 64 };

struct run {
    uint64_t cycles;
    char verdict[MAX_VERDICT]; /* what the launch is held up by */
};

static void take_verdict(const struct bsim_result *result, char *verdict)
{
    static const char begin[] = "\nheld up by ";
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_report_result(result, &(struct bsim_report_options){.format = BSIM_TEXT}, &text);
    assert_false(text.failed);
    const char *at = strstr(text.data, begin);
    assert_non_null(at);
    at += strlen(begin);
    size_t length = strcspn(at, ":");
    assert_true(length < MAX_VERDICT);
    memcpy(verdict, at, length);
    verdict[length] = '\0';
    bsim_buffer_free(&text);
}

static void run_launch(struct run *run, const char *text, const char *launch)
{
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    kernel_text_run(text, launch, &(struct bsim_ptx_options){.has_work = true}, &call, &result);
    run->cycles = result.kernels[0].timed.cycles;
    take_verdict(&result, run->verdict);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
}

static void test_cycles_are_those_of_nvccs_ptx(void **state)
{
    enum { N_KERNELS = 43, MOST_FAR = 8, MOST_OTHER = 3 };
    static const char path[] = "tests/kernels/cycles.cu";
    char launch[KERNEL_MAX_LAUNCH];
    int n = 0, n_far = 0, n_other = 0;
    (void)state;
    struct bsim_buffer source = trace_text_load(path);
    struct bsim_buffer theirs = trace_text_load("tests/kernels/cycles.ptx");
    for (const char *p = source.data; (p = kernel_text_launch(p, launch)) != NULL; n++) {
        struct run a, b;
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        kernel_text_translate(path, source.data, launch, &ptx);
        run_launch(&a, ptx.data, launch);
        run_launch(&b, theirs.data, launch);
        bsim_buffer_free(&ptx);
        bool is_far = a.cycles * 10 > b.cycles * 11 || a.cycles * 10 < b.cycles * 9;
        bool is_other = strcmp(a.verdict, b.verdict) != 0;
        if (is_far || is_other || getenv("PRINT_KERNELS") != NULL) {
            print_message("%-20.*s %6llu cycles, nvcc's PTX %6llu: %s, %s\n",
                          (int)strcspn(launch, "<"), launch, (unsigned long long)a.cycles,
                          (unsigned long long)b.cycles, a.verdict, b.verdict);
        }
        n_far += is_far;
        n_other += is_other;
    }
    bsim_buffer_free(&source);
    bsim_buffer_free(&theirs);
    assert_int_equal(n, N_KERNELS);
    assert_in_range(n_far, 0, MOST_FAR);
    assert_in_range(n_other, 0, MOST_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles_are_those_of_nvccs_ptx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
