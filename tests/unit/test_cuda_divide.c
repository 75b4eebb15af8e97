/* test_cuda_divide.c - whole numbers divided by constants: what banksim makes of / and % against C's. */
#include "watched.h"

#include <banksim/cuda.h>
#include <banksim/ptx.h>
#include <banksim/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { N_NUMBERS = 256, N_RESULTS = 2 * N_NUMBERS, EVERY = WATCHED(1, 3) };

/* Numbers at both ends, around multiples, and any: of the kernel and of the test. */
#define NUMBER                                                                                 \
    "__device__ unsigned long long number(unsigned i, unsigned long long by) {\n"              \
    "unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull; x ^= x >> 29; x *= "              \
    "0xbf58476d1ce4e5b9ull;\n"                                                                 \
    "unsigned long long near = (x >> (i & 63)) / by * by + (i >> 3 & 3) - 1;\n"                \
    "return i < 64 ? (1ull << i) - (i & 1) : i < 96 ? 64ull - i : i < 160 ? near : x >> (i & " \
    "31); }\n"

static uint64_t number(uint32_t i, uint64_t by)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    uint64_t near = (x >> (i & 63)) / by * by + (i >> 3 & 3) - 1;
    return i < 64    ? (UINT64_C(1) << i) - (i & 1)
           : i < 96  ? UINT64_C(64) - i
           : i < 160 ? near
                     : x >> (i & 31);
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

/* Quotients and remainders of a type by a constant; false: a division is left in the code. */
static bool run_kernel(const char *type, const char *by, uint64_t size, uint64_t *result)
{
    char text[2048];
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.message = ""};
    struct bsim_ptx_call *call = NULL;
    struct bsim_result counted = {0};
    size_t n_bytes = 0;
    (void)snprintf(text, sizeof text,
                   NUMBER "__global__ void k(unsigned long long *out, unsigned long long by) {\n"
                          "%s x = (%s)number(threadIdx.x, by);\n"
                          "out[threadIdx.x] = (unsigned long long)(x / (%s)%s);\n"
                          "out[threadIdx.x + blockDim.x] = (unsigned long long)(x %% (%s)%s); }\n",
                   type, type, type, by, type, by);
    assert_int_equal(bsim_cuda_ptx("k.cu", text, strlen(text), NULL, "k", &ptx, &err), BSIM_OK);
    (void)snprintf(text, sizeof text, "k<<<1, %d>>>(long[%d], %" PRIu64 ")", N_NUMBERS, N_RESULTS,
                   size);
    if (bsim_ptx_call_new("k.ptx", ptx.data, ptx.size_bytes, text, &call, &err) != BSIM_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    struct bsim_source from = {.push = push, .context = call};
    assert_int_equal(bsim_run(&from, &(struct bsim_run_options){.device = NULL}, &counted, &err),
                     BSIM_OK);
    memcpy(result, bsim_ptx_call_array(call, "0", &n_bytes), N_RESULTS * sizeof *result);
    const char *own = strstr(ptx.data, "rem.u64"); /* number's own, of x / by * by (remain.c) */
    bool is_left = strstr(ptx.data, "div.") != NULL || strstr(ptx.data, "rem.s") != NULL ||
                   strstr(ptx.data, "rem.u32") != NULL || own == NULL || strstr(own + 1, "rem.u64") != NULL;
    bsim_result_free(&counted);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);
    return !is_left;
}

#define CHECK(type, by, near, i, result)                                                          \
    do {                                                                                          \
        type x = (type)number((i), (near)), c = (type)(by);                                       \
        if ((result)[i] != (uint64_t)(x / c) || (result)[(i) + N_NUMBERS] != (uint64_t)(x % c)) { \
            fail_msg(#type ": number %u / %lld: %llx, %llx", (i), (long long)c,                   \
                     (unsigned long long)(result)[i],                                             \
                     (unsigned long long)(result)[(i) + N_NUMBERS]);                              \
        }                                                                                         \
    } while (0)

static const uint32_t divisors[] = {
    3,     5,     6,     7,       9,        10,         11,         12,         13,
    14,    15,    17,    19,      20,       21,         24,         25,         27,
    28,    31,    33,    37,      48,       49,         56,         60,         63,
    65,    95,    96,    97,      100,      127,        129,        255,        257,
    360,   365,   641,   999,     1000,     1023,       1025,       4095,       9973,
    10000, 65535, 65537, 1000000, 16777213, 0x10000001, 0x55555555, 0x7ffffffe, 0x7fffffff};

static void test_numbers_of_32_bits(void **state)
{
    uint64_t result[N_RESULTS];
    (void)state;
    for (size_t k = 0; k < sizeof divisors / sizeof *divisors; k += EVERY) {
        char by[32];
        (void)snprintf(by, sizeof by, "%" PRIu32 "u", divisors[k]);
        assert_true(run_kernel("unsigned", by, divisors[k], result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(uint32_t, divisors[k], divisors[k], i, result);
        }
        assert_true(run_kernel("int", by, divisors[k], result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(int32_t, divisors[k], divisors[k], i, result);
        }
        (void)snprintf(by, sizeof by, "-%" PRIu32, divisors[k]);
        assert_true(run_kernel("int", by, divisors[k], result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(int32_t, -(int64_t)divisors[k], divisors[k], i, result);
        }
    }
}

static void test_numbers_of_64_bits(void **state)
{
    static const uint64_t more[] = {UINT64_C(0x100000001), UINT64_C(1000000007) * 1000000009,
                                    UINT64_C(0x7fffffffffffffff)};
    size_t n = sizeof divisors / sizeof *divisors, n_more = sizeof more / sizeof *more;
    uint64_t result[N_RESULTS];
    (void)state;
    for (size_t k = 0; k < n + n_more; k += EVERY) {
        uint64_t d = k < n ? divisors[k] : more[k - n];
        char by[32];
        (void)snprintf(by, sizeof by, "%" PRIu64 "ull", d);
        assert_true(run_kernel("unsigned long long", by, d, result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(uint64_t, d, d, i, result);
        }
        (void)snprintf(by, sizeof by, "-%" PRIu64 "ll", d);
        assert_true(run_kernel("long long", by + 1, d, result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(int64_t, d, d, i, result);
        }
        assert_true(run_kernel("long long", by, d, result));
        for (unsigned i = 0; i < N_NUMBERS; i++) {
            CHECK(int64_t, -(int64_t)d, d, i, result);
        }
    }
}

/* Whether the index of a loop's load is divided as a number that may be negative. */
static bool asks_for_signs(const char *loop, const char *index)
{
    char text[512];
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.message = ""};
    (void)snprintf(text, sizeof text,
                   "__global__ void k(int *out, const int *in, int n) { int t = threadIdx.x, r = 0;\n"
                   "#pragma unroll 1\n"
                   "for (%s) r += in[%s]; out[t] = r; }\n",
                   loop, index);
    assert_int_equal(bsim_cuda_ptx("k.cu", text, strlen(text), NULL, "k", &ptx, &err), BSIM_OK);
    bool asks = strstr(ptx.data, "shr.s32") != NULL;
    bsim_buffer_free(&ptx);
    return asks;
}

/* As nvcc 13 has these loops: its PTX has shr.s32 for those two alone. */
static void test_what_a_loop_counts_upwards_is_not_negative(void **state)
{
    (void)state;
    assert_false(asks_for_signs("int k = 0; k < n; k++", "k / 4"));
    assert_false(asks_for_signs("int k = 3; k < n; k += 5", "(k + 63) % 64"));
    assert_true(asks_for_signs("int k = -1; k < n; k++", "k / 4"));
    assert_true(asks_for_signs("int k = 0; k < n; k++", "(k + t) / 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_loop_counts_upwards_is_not_negative),
        cmocka_unit_test(test_numbers_of_32_bits),
        cmocka_unit_test(test_numbers_of_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
