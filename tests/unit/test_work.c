/* test_work.c - whether checks do the same work: what may change, and what is missed. Each sentence is
 * worked out by hand from the texts above it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "failing_memory.h"
#include "sealed.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

#define TILE "block 32,32\nshared float tile[32][32]\n"
#define TRANSPOSE TILE "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.x][threadIdx.y]"
#define PAIRS "shared float pairs[64]\nload pairs[2 * lane]\nload pairs[2 * lane + 1]"

/* What is lacking of the work; "": nothing. */
static void assert_lacks(const char *text, const char *const *wanted, size_t n,
                         const char *expected)
{
    struct bsim_check *check = sealed_check(text);
    struct bsim_check *other[4];
    struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool does;
    for (size_t i = 0; i < n; i++) {
        other[i] = sealed_check(wanted[i]);
    }
    assert_int_equal(bsim_check_does_work(check, (const struct bsim_check *const *)other, n, &does,
                                          &lacks, &err),
                     BSIM_OK);
    assert_string_equal(lacks.data == NULL ? "" : lacks.data, expected);
    assert_int_equal(does, expected[0] == '\0');
    for (size_t i = 0; i < n; i++) {
        bsim_check_free(other[i]);
    }
    bsim_check_free(check);
    bsim_buffer_free(&lacks);
}

struct pair {
    const char *text, *wanted, *lacks;
};

static void assert_each(const struct pair *pair, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_lacks(pair[i].text, &pair[i].wanted, 1, pair[i].lacks);
    }
}

static void places_and_order_are_no_part_of_it(void **state)
{
    static const struct pair pairs[] = {
        {TRANSPOSE, TRANSPOSE, ""},
        {"block 32,32\nshared float t[32][33]\nstore t[threadIdx.y][threadIdx.x]\n"
         "load t[threadIdx.x][threadIdx.y]",
         TRANSPOSE, ""},
        {"block 32,32\nshared float t[32][32] row-xor 5,0,0\nstore t[threadIdx.y][threadIdx.x]\n"
         "load t[threadIdx.x][threadIdx.y]",
         TRANSPOSE, ""},
        {TILE "store tile[threadIdx.y][(threadIdx.x + threadIdx.y) % 32]\n"
              "load tile[threadIdx.x][(threadIdx.x + threadIdx.y) % 32]",
         TRANSPOSE, ""},
        {TILE "store tile[threadIdx.x][threadIdx.y]\nload tile[threadIdx.y][threadIdx.x]",
         TRANSPOSE, ""},
        /* other arrays, in another order, and both at once */
        {"shared float im[32], re[32]\nload im[lane]\nload re[lane]", PAIRS, ""},
        {"shared float2 pairs[32]\nload pairs[lane]", PAIRS, ""},
        /* threads that do nothing are as good as none */
        {"block 64\nshared float s[64]\nif threadIdx.x < 32 {\nload s[threadIdx.x]\n}",
         "shared float s[32]\nload s[lane]", ""},
    };
    (void)state;
    assert_each(pairs, N_OF(pairs));
}

static void what_is_missing_is_told(void **state)
{
    static const struct pair pairs[] = {
        {"shared float pairs[64]\nload pairs[lane]", PAIRS,
         "thread (0,0,0) has to read 8 bytes of shared memory, not 4"},
        {"shared float pairs[64]\nif lane < 16 {\nload pairs[2 * lane]\nload pairs[2 * lane + "
         "1]\n}",
         PAIRS, "thread (16,0,0) has to read 8 bytes of shared memory, not 0"},
        {"shared float pairs[64]\nload pairs[lane]\nload pairs[lane]", PAIRS,
         "thread (0,0,0) has to read 8 different bytes of shared memory, not 4"},
        /* lanes 0 and 16 share one, which in pairs nobody does */
        {"shared float pairs[64]\nload pairs[lane % 16]\nload pairs[lane + 32]", PAIRS,
         "there has to be an element that only thread (0,0,0) reads"},
        {TILE "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.y][threadIdx.x]",
         TRANSPOSE,
         "there has to be an element that thread (1,0,0) writes and thread (0,1,0) reads"},
        {TRANSPOSE "\natomic add tile[0][0]", TRANSPOSE,
         "thread (0,0,0) has to add to 0 bytes of shared memory, not 4"},
        {"shared int h[1]\ntimes 2 {\natomic add h[0]\n}",
         "shared int h[2]\natomic add h[0]\n"
         "atomic add h[1]",
         "thread (0,0,0) has to add to 8 different bytes of shared memory, not 4"},
        /* four readers of one element: some are named */
        {"block 4\nshared int s[4]\nload s[lane]", "block 4\nshared int s[4]\nload s[0]",
         "there has to be an element that threads (0,0,0), (1,0,0), (2,0,0) and others read"},
        {"block 2\nshared int s[2]\nload s[lane]", "block 2\nshared int s[2]\nload s[0]",
         "there has to be an element that threads (0,0,0) and (1,0,0) read"},
        {"block 1\nshared int s[2]\natomic add s[0]\natomic add s[0]\ntimes 2 {\natomic add "
         "s[1]\n}",
         "block 1\nshared int s[2]\ntimes 3 {\natomic add s[0]\n}\natomic add s[1]",
         "there has to be an element that only thread (0,0,0) adds to 3 times"},
    };
    (void)state;
    assert_each(pairs, N_OF(pairs));
}

/* More of them may be needed than the work has, fewer are not enough. */
static void barriers_belong_to_it(void **state)
{
    static const char once[] = "block 64\nshared int s[64]\nstore s[threadIdx.x]\nsync\n"
                               "load s[63 - threadIdx.x]";
    static const struct pair pairs[] = {
        {"block 64\nshared int s[64]\nstore s[threadIdx.x]\nsync\nload s[63 - threadIdx.x]\nsync",
         once, ""},
        {"block 64\nshared int s[64]\nstore s[threadIdx.x]\nload s[63 - threadIdx.x]", once,
         "the block has to come to 1 barrier, not 0"},
        {"block 64\nshared int s[1]\ntimes 5 {\nload s[0]\nsync\n}",
         "block 64\nshared int s[1]\ntimes 5 {\nload s[0]\n}\nfor k = 0:6 {\nsync\n}",
         "the block has to come to 6 barriers, not 5"},
    };
    (void)state;
    assert_each(pairs, N_OF(pairs));
}

static void elements_of_global_memory_have_their_places(void **state)
{
    static const struct pair pairs[] = {
        {"global float *in\nload in[31 - lane]", "global float *in\nload in[lane]",
         "in[0] has to be what only thread (0,0,0) reads"},
        {"shared int s[8]\nglobal double *a, double *b\nload b[lane]",
         "global double *a, double *b\nload a[lane]",
         "a[0] has to be what only thread (0,0,0) reads"},
        {"global float *in\nload in[lane]\nload in[lane]", "global float *in\nload in[lane]",
         "thread (0,0,0) has to read 4 bytes of global memory, not 8"},
        {"__constant__ int c[4];\nload c[1]", "__constant__ int c[4];\nload c[2]",
         "c[2] has to be what threads (0,0,0), (1,0,0), (2,0,0) and others read"},
    };
    (void)state;
    assert_each(pairs, N_OF(pairs));
}

/* One of several works is enough; of none, what the nearest lacks is told. */
static void there_may_be_several(void **state)
{
    static const char *const wanted[] = {PAIRS, TRANSPOSE};
    (void)state;
    assert_lacks(PAIRS, wanted, 2, "");
    assert_lacks(TRANSPOSE, wanted, 2, "");
    assert_lacks(TILE "store tile[threadIdx.y][threadIdx.x]\nload tile[threadIdx.y][threadIdx.x]",
                 wanted, 2,
                 "there has to be an element that thread (1,0,0) writes and thread (0,1,0) reads");
    assert_lacks("shared float2 s[64]\nload s[lane]\nload s[lane]", wanted, 1,
                 "thread (0,0,0) has to read 8 bytes of shared memory, not 16");
}

static void too_much_is_refused(void **state)
{
    struct bsim_check *much =
        sealed_check("block 1024\nshared char s[4]\nfor k = 0:1025 {\nload s[0]\n}");
    struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bool does;
    (void)state;
    assert_int_equal(
        bsim_check_does_work(much, (const struct bsim_check *const *)&much, 1, &does, &lacks, &err),
        BSIM_E_INPUT);
    assert_string_equal(err.message,
                        "1049600 elements are accessed, each access counted: the work of "
                        "at most 1048576 is compared");
    bsim_check_free(much);
}

static void memory_may_be_short(void **state)
{
    struct bsim_check *check = sealed_check(PAIRS);
    struct bsim_check *wanted[] = {sealed_check(TRANSPOSE), sealed_check(PAIRS)};
    enum bsim_status status = BSIM_E_MEMORY;
    (void)state;
    size_t before = failing_memory_live();
    for (size_t n = 0; status != BSIM_OK; n++) {
        struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
        bool does;
        failing_memory_fail_after(n);
        status = bsim_check_does_work(check, (const struct bsim_check *const *)wanted, 2, &does,
                                      &lacks, NULL);
        failing_memory_heal();
        assert_true(status == BSIM_OK ? does : status == BSIM_E_MEMORY && !does);
        bsim_buffer_free(&lacks);
        assert_int_equal(failing_memory_live(), before);
    }
    bsim_check_free(wanted[0]);
    bsim_check_free(wanted[1]);
    bsim_check_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_order_are_no_part_of_it),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(barriers_belong_to_it),
        cmocka_unit_test(elements_of_global_memory_have_their_places),
        cmocka_unit_test(there_may_be_several),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
