/* test_uniform.c - which atomics ptxas makes one lane's, by what an H100 counted of kernels written for it, and how
 * long they take: tests/measured/h100/uniform. */
#include <banksim/ptx.h>

#include "kernel_text.h"
#include "watched.h"

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

#define TURNS "tests/measured/h100/uniform/turns.txt"

enum { MAX_LINE = 1 << 12, N_FIELDS = 4, N_ROWS = 369, N_TOLD = 344, N_TURN_FIELDS = 5, N_LOOPS = 6, EVERY = WATCHED(1, 5) };

static const char template[] =
    "__constant__ int tab[8] = {1, 2, 3, 4, 5, 6, 7, 0};\n"
    "__device__ __noinline__ int f(int n) { return n * n & 7; }\n"
    "__device__ __noinline__ void g(int *p, int v) { atomicAdd(p, v); }\n"
    "extern \"C\" __global__ void k(const int *__restrict__ in, int *o, int n) { %s }\n";

/* n turns of it. */
static const char loop[] =
    "extern \"C\" __global__ void k(const int *in, int *o, int n) {\n"
    "    __shared__ int s[64]; if (threadIdx.x < 64) s[threadIdx.x] = 0;\n"
    "    int t = threadIdx.x, r = in[t]; __syncthreads();\n"
    "    for (int k = 0; k < n; k++) { %s }\n"
    "    __syncthreads(); o[t] = s[t & 63] + r;\n"
    "}\n";

struct counts {
    unsigned long long wavefronts, sectors, cycles;
};

static struct counts run_source(const char *name, const char *source, const char *launch,
                                const struct bsim_ptx_options *options)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    kernel_text_translate(name, source, launch, &ptx);
    kernel_text_run(ptx.data, launch, options, &call, &result);
    const struct bsim_kernel_result *kernel = &result.kernels[0];
    struct counts counts = {kernel->tally[BSIM_ATOMICS].wavefronts,
                            kernel->global[BSIM_ATOMICS].sectors, kernel->timed.cycles};
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    return counts;
}

static struct counts run(const char *name, const char *body, bool merges)
{
    static char source[2 * MAX_LINE];
    snprintf(source, sizeof source, template, body);
    return run_source(name, source, LAUNCH, &(struct bsim_ptx_options){.is_bare = !merges});
}

static void cut(char *line, char **field, size_t n)
{
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < n; i++) {
        field[i] = line;
        line += strcspn(line, "\t");
        assert_int_equal(*line == '\0', i == n - 1);
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
        cut(line, field, N_FIELDS);
        if (n++ % EVERY != 0 || field[0][0] == '~') {
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
    assert_true(IS_WATCHED || n_told == N_TOLD);
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

static double clocks_of_a_turn(const char *name, const char *body, unsigned n_warps)
{
    static char source[2 * MAX_LINE];
    unsigned long long cycles[2];
    snprintf(source, sizeof source, loop, body);
    for (unsigned i = 0; i < 2; i++) {
        char launch[KERNEL_MAX_LAUNCH];
        snprintf(launch, sizeof launch, "k<<<1, %u>>>(int[512], int[512], %u)", 32 * n_warps,
                 64 << i);
        cycles[i] =
            run_source(name, source, launch, &(struct bsim_ptx_options){.has_work = true}).cycles;
    }
    return (double)(cycles[1] - cycles[0]) / 64;
}

/* Within 30 %, and the median within 15 %. */
static void turns_take_about_what_the_gpu_takes(void **state)
{
    (void)state;
    char line[MAX_LINE], *field[N_TURN_FIELDS];
    int n = 0, n_near = 0;
    FILE *file = fopen(TURNS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        cut(line, field, N_TURN_FIELDS);
        for (unsigned k = 0; k < 3; k++) {
            double measured = strtod(field[1 + k], NULL);
            double clocks = clocks_of_a_turn(field[0], field[4], 1u << 2 * k);
            if (clocks < 0.7 * measured || clocks > 1.3 * measured) {
                fail_msg("%s, %u warps: %.1f clocks a turn, not %.1f", field[0], 1u << 2 * k, clocks,
                         measured);
            }
            n_near += clocks > 0.85 * measured && clocks < 1.15 * measured;
        }
        n++;
    }
    fclose(file);
    assert_int_equal(n, N_LOOPS);
    assert_in_range(n_near, 3 * N_LOOPS / 2, 3 * N_LOOPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_take_what_the_gpu_counts),
        cmocka_unit_test(without_merging_each_lane_makes_its_own),
        cmocka_unit_test(turns_take_about_what_the_gpu_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
