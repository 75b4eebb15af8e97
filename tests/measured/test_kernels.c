/* test_kernels.c - kernels that banksim reads itself, against what an H100 counts of them: h100/kernels.csv
 * (tools/crosscheck/kernels.py), requests and wavefronts of shared memory of whole launches, loads and stores.
 * PRINT_KERNELS=1 prints those that differ. */
#include "kernel_text.h"
#include "trace_text.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOADS, STORES, KINDS };

struct counts {
    uint64_t requests[KINDS], wavefronts[KINDS];
};

static struct counts count(const char *path, const char *launch)
{
    struct counts counts = {{0}, {0}};
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    struct bsim_buffer text = trace_text_load(path), ptx = BSIM_BUFFER_EMPTY;
    kernel_text_translate(path, text.data, launch, &ptx);
    kernel_text_run(ptx.data, launch, NULL, &call, &result);
    for (size_t i = 0; i < result.kernels[0].n_sites; i++) {
        const struct bsim_site_result *site = &result.kernels[0].sites[i];
        int kind = site->opcode.family == BSIM_LD ? LOADS : site->opcode.family == BSIM_ST ? STORES : KINDS;
        if (site->opcode.space == BSIM_SHARED && kind < KINDS) {
            counts.requests[kind] += site->requests;
            counts.wavefronts[kind] += site->tally.wavefronts;
        }
    }
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    bsim_buffer_free(&text);
    return counts;
}

/* What the row's kernel is, and what was counted; false: it is none. */
static bool read_row(const char *line, char *path, size_t size, char *launch, struct counts *counted)
{
    char name[64], own[KERNEL_MAX_LAUNCH];
    unsigned long n[4];
    if (sscanf(line, "%63[^;#];%255[^;];%lu;%lu;%lu;%lu", name, own, &n[0], &n[1], &n[2], &n[3]) != 6) {
        return false;
    }
    (void)snprintf(path, size, "tests/kernels/%s.cu", name);
    (void)snprintf(launch, KERNEL_MAX_LAUNCH, "%s", own);
    *counted = (struct counts){{n[0], n[1]}, {n[2], n[3]}};
    return true;
}

static void test_counts_are_those_of_an_h100(void **state)
{
    (void)state;
    struct bsim_buffer rows = trace_text_load("tests/measured/h100/kernels.csv");
    uint32_t n = 0, n_equal = 0;
    for (const char *line = rows.data; line != NULL && *line != '\0';
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
        char path[128], launch[KERNEL_MAX_LAUNCH];
        struct counts counted, told;
        if (!read_row(line, path, sizeof path, launch, &counted)) {
            continue;
        }
        if (n++ % WATCHED(1, 10) != 0) {
            continue;
        }
        told = count(path, launch);
        bool is_equal = memcmp(&told, &counted, sizeof told) == 0;
        n_equal += is_equal;
        if (!is_equal && getenv("PRINT_KERNELS") != NULL) {
            print_message("%s %s: loads %d and %d wavefronts, counted %d and %d; stores %d and %d, counted %d and %d\n", path,
                          launch, (int)told.requests[LOADS], (int)told.wavefronts[LOADS], (int)counted.requests[LOADS],
                          (int)counted.wavefronts[LOADS], (int)told.requests[STORES], (int)told.wavefronts[STORES],
                          (int)counted.requests[STORES], (int)counted.wavefronts[STORES]);
        }
    }
    bsim_buffer_free(&rows);
    print_message("%d of %d kernels have the counts of an H100\n", (int)n_equal, (int)n);
    assert_int_equal(n, 549);
    assert_in_range(n_equal, WATCHED(536, 1), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts_are_those_of_an_h100)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
