/* test_uniform.c - which atomics ptxas makes one lane's, by what an H100 counted of kernels written for it:
 * tests/measured/h100/uniform/atomics.txt. */
#include <banksim/ptx.h>
#include <banksim/run.h>

#include "kernel_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS "tests/measured/h100/uniform/atomics.txt"
#define LAUNCH "k<<<1, 64>>>(int[1024] = iota, int[16384], 2)"

enum { MAX_LINE = 1 << 12, N_FIELDS = 4, N_ROWS = 338, N_TOLD = 314 };

static const char template[] =
    "__constant__ int tab[8] = {1, 2, 3, 4, 5, 6, 7, 0};\n"
    "__device__ __noinline__ int f(int n) { return n * n & 7; }\n"
    "__device__ __noinline__ void g(int *p, int v) { atomicAdd(p, v); }\n"
    "extern \"C\" __global__ void k(const int *__restrict__ in, int *o, int n) { %s }\n";

struct counts {
    unsigned long long wavefronts, sectors;
};

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

static struct counts run(const char *name, const char *body, bool merges)
{
    static char source[2 * MAX_LINE];
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err = {.message = ""};
    struct bsim_result result = {0};
    snprintf(source, sizeof source, template, body);
    kernel_text_translate(name, source, LAUNCH, &ptx);
    if (bsim_ptx_call_new(name, ptx.data, strlen(ptx.data), LAUNCH, &call, &err) != BSIM_OK) {
        fail_msg("%s: %s", name, err.message);
    }
    bsim_ptx_call_set(call, &(struct bsim_ptx_options){.is_bare = !merges});
    struct bsim_source from = {.push = push, .context = call};
    if (bsim_run(&from, &(struct bsim_run_options){0}, &result, &err) != BSIM_OK) {
        fail_msg("%s: %s", name, err.message);
    }
    struct counts counts = {result.kernels[0].tally[BSIM_ATOMICS].wavefronts,
                            result.kernels[0].global[BSIM_ATOMICS].sectors};
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    return counts;
}

static void cut(char *line, char *field[N_FIELDS])
{
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < N_FIELDS; i++) {
        field[i] = line;
        line += strcspn(line, "\t");
        assert_int_equal(*line == '\0', i == N_FIELDS - 1);
        *line++ = '\0';
    }
}

static void atomics_take_what_the_gpu_counts(void **state)
{
    (void)state;
    char line[MAX_LINE], *field[N_FIELDS];
    int n = 0, n_told = 0, n_wrong = 0;
    FILE *file = fopen(ROWS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        cut(line, field);
        n++;
        if (field[0][0] == '~') {
            continue;
        }
        n_told++;
        struct counts counts = run(field[0], field[3], true);
        if (counts.wavefronts != strtoull(field[1], NULL, 10) ||
            counts.sectors != strtoull(field[2], NULL, 10)) {
            print_error("%s: %llu wavefronts and %llu sectors, not %s and %s\n", field[0],
                        counts.wavefronts, counts.sectors, field[1], field[2]);
            n_wrong++;
        }
    }
    fclose(file);
    assert_int_equal(n, N_ROWS);
    assert_int_equal(n_told, N_TOLD);
    assert_int_equal(n_wrong, 0);
}

/* As they stand in the PTX each lane makes its own. */
static void without_merging_each_lane_makes_its_own(void **state)
{
    (void)state;
    static const char body[] = "__shared__ int s[4]; atomicMax(&s[n], in[threadIdx.x]);";
    assert_int_equal(run("merged", body, true).wavefronts, 2);
    assert_int_equal(run("alone", body, false).wavefronts, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_take_what_the_gpu_counts),
        cmocka_unit_test(without_merging_each_lane_makes_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
