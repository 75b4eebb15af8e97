/* test_propose.c - how many tokens are looked at to propose the launches of a file: of kernels that are twice as long
 * about twice as many. The proposer is compiled in here, with what looks at a token counting. */
#define bsim_cu_is counting_is
#define bsim_cu_is_any counting_is_any
#define bsim_cu_same_text counting_same_text
#include "../../src/cuda/host.c"
#include "../../src/cuda/known.c"
#include "../../src/cuda/propose.c"
#include "../../src/cuda/propose_shape.c"
#undef bsim_cu_is
#undef bsim_cu_is_any
#undef bsim_cu_same_text

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

bool bsim_cu_is(const struct cu_token *token, const char *text);
bool bsim_cu_is_any(const struct cu_token *token, const char *texts);
bool bsim_cu_same_text(const struct cu_token *a, const struct cu_token *b);

static uint64_t n_looks;

bool counting_is(const struct cu_token *token, const char *text)
{
    n_looks++;
    return bsim_cu_is(token, text);
}

bool counting_is_any(const struct cu_token *token, const char *texts)
{
    n_looks++;
    return bsim_cu_is_any(token, texts);
}

bool counting_same_text(const struct cu_token *a, const struct cu_token *b)
{
    n_looks++;
    return bsim_cu_same_text(a, b);
}

static void count_line(void *context, const char *launch, const char *chosen)
{
    size_t *n_told = context;
    (void)launch, (void)chosen;
    *n_told += 1;
}

/* Eight kernels of so many statements each, as HeCBench's S3D.cu has them: templates that nobody launches in sight,
 * without shared arrays, of calls, casts and names that a typedef makes. */
static uint64_t looks_at(size_t n_statements)
{
    const size_t n_kernels = 8;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    size_t n_told = 0;
    const struct bsim_cuda_listener listener = {.tell = count_line, .context = &n_told};
    bsim_buffer_text(&text, "typedef float real_t;\n"
                            "template <class T> __device__ T power(T x, T y) { return x * y; }\n");
    for (size_t k = 0; k < n_kernels; k++) {
        bsim_buffer_printf(&text,
                           "template <class T> __global__ void k%zu(const real_t *in, T *out, int n)\n{\n"
                           "    real_t x = in[threadIdx.x];\n",
                           k);
        for (size_t i = 0; i < n_statements; i++) {
            bsim_buffer_printf(&text, "    x = power(x, (real_t)in[(%zu + n) * 4]) + (T)(x * 3);\n", i);
        }
        bsim_buffer_text(&text, "    out[threadIdx.x] = x;\n}\n");
    }
    n_looks = 0;
    assert_int_equal(bsim_cuda_propose("long.cu", text.data, text.size_bytes, NULL, &listener, &err),
                     BSIM_OK);
    assert_int_equal(n_told, n_kernels);
    bsim_buffer_free(&text);
    return n_looks;
}

static void long_kernels(void **state)
{
    (void)state;
    uint64_t once = looks_at(50), twice = looks_at(100);
    print_message("%llu tokens looked at, and %llu in kernels twice as long\n",
                  (unsigned long long)once, (unsigned long long)twice);
    assert_true(once > 10000);
    assert_true(twice < 3 * once);
}

/* A launch with so many names in a row, none of which says what the last one leads to. */
static uint64_t looks_at_names(size_t n_names)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    size_t n_told = 0;
    const struct bsim_cuda_listener listener = {.tell = count_line, .context = &n_told};
    bsim_buffer_text(&text, "__global__ void k(float *out");
    for (size_t i = 1; i < n_names; i++) {
        bsim_buffer_printf(&text, ", int n%zu", i);
    }
    bsim_buffer_text(&text, ") { out[threadIdx.x] = n1; }\nvoid run() { int last = 4; k<<<1, 32>>>(a0");
    for (size_t i = 2; i < n_names; i++) {
        bsim_buffer_printf(&text, ", a%zu", i);
    }
    bsim_buffer_text(&text, ", last); }\n");
    n_looks = 0;
    assert_int_equal(bsim_cuda_propose("names.cu", text.data, text.size_bytes, NULL, &listener, &err),
                     BSIM_OK);
    assert_int_equal(n_told, 1);
    bsim_buffer_free(&text);
    return n_looks;
}

static void long_lists(void **state)
{
    (void)state;
    uint64_t once = looks_at_names(8), twice = looks_at_names(16);
    print_message("%llu tokens looked at, and %llu in a list twice as long\n", (unsigned long long)once,
                  (unsigned long long)twice);
    assert_true(once > 1000);
    assert_true(twice < 5 * once);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(long_kernels),
                                              cmocka_unit_test(long_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
