/* test_emulator_errors.c - kernels and launches that are at fault: the status, the message, the
 * source place, and that nothing happens afterwards. */
#include <banksim/kernel.h>

#include "collect.h"
#include "failing_memory.h"
#include "status_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Array 0 of the launch and, as array 1, constant memory. A guard on either side shows a stray
 * store; inside is array 0. */
static _Alignas(16) unsigned guarded[24];
static unsigned *const inside = guarded + 8;
static _Alignas(16) unsigned constant[8];
enum { INSIDE = 8 };
static const unsigned GUARD = 0xabababab;

/* No array is near it. */
static const uintptr_t FAR = UINTPTR_MAX - 63;

/* Where the fault is: set by the line that makes it. */
static uint32_t fault_line;
#define FAULT fault_line = __LINE__;

static struct bsim_launch launch_of(void (*body)(struct bsim_cta *cta), uint32_t n_threads)
{
    memset(guarded, 0xab, sizeof guarded);
    fault_line = 0;
    return (struct bsim_launch){
        .name = "k",
        .grid = {2, 1, 1},
        .block = {n_threads, 1, 1},
        .body = body,
        .n_arrays = 2,
        .arrays = {{inside, INSIDE * sizeof inside[0], BSIM_GLOBAL},
                   {constant, sizeof constant, BSIM_CONST}},
    };
}

/* ---- addresses ------------------------------------------------------------------------------ */

KERNEL(store_past_the_end)
{
    FAULT STORE(inside[t + 4], t);
    STORE(inside[0], 7);
}

KERNEL(store_before_the_start)
{
    FAULT STORE(inside[7 - (int)t], t);
}

KERNEL(load_past_the_window)
{
    SHARED_2D(unsigned, tile, 2, 4);
    PER_THREAD(unsigned, v);
    FAULT LOAD(v[t], tile[1][t]);
    STORE(inside[0], v[t]);
}

KERNEL(half_past_the_end)
{
    PER_THREAD(unsigned long long, v);
    const unsigned char *bytes = (const unsigned char *)inside;
    FAULT LOAD(v[t], *(const unsigned long long *)(const void *)(bytes + 24 + 4 * t));
}

KERNEL(misaligned)
{
    PER_THREAD(unsigned, v);
    const unsigned char *bytes = (const unsigned char *)inside;
    FAULT LOAD(v[t], *(const unsigned *)(const void *)(bytes + 6 * t));
}

KERNEL(nowhere)
{
    unsigned elsewhere = 5;
    unsigned *const pointer[] = {&inside[0], (unsigned *)FAR};
    FAULT STORE(*pointer[t], 1);
    STORE(elsewhere, 6);
}

KERNEL(all_nowhere)
{
    unsigned *const far = (unsigned *)FAR;
    FAULT STORE(*far, 1);
}

KERNEL(two_spaces)
{
    SHARED_1D(unsigned, s, 4);
    unsigned *const pointer[] = {s, inside};
    FAULT STORE(*pointer[t], 1);
}

KERNEL(store_to_constants)
{
    FAULT STORE(constant[t], 1);
}

KERNEL(constants_by_the_read_only_cache)
{
    PER_THREAD(unsigned, v);
    FAULT LDG(v[t], constant[t]);
    STORE(inside[0], v[t]);
}

KERNEL(local_of_another_thread)
{
    LOCAL_1D(unsigned, a, 3);
    STORE(a[t][0], t);
    FAULT STORE(a[t ^ 1][2], t);
    STORE(inside[0], 1);
}

KERNEL(local_past_the_end)
{
    LOCAL_1D(unsigned, a, 3);
    FAULT STORE(a[t][3 * t], t);
    STORE(inside[0], 1);
}

KERNEL(local_too_big)
{
    FAULT LOCAL_1D(unsigned, a, 4097);
    STORE(a[t][0], 1);
    STORE(inside[0], 1);
}

KERNEL(local_grows)
{
    const uint32_t n = 2 + blockIdx.x;
    FAULT LOCAL_1D(unsigned, a, n);
    STORE(a[t][0], 1);
}

KERNEL(atomic_past_the_end)
{
    FAULT RED_ADD(inside[8 * t], 1);
}

KERNEL(second_block)
{
    FAULT STORE(inside[8 * blockIdx.x + t], 1);
}

/* ---- shared memory -------------------------------------------------------------------------- */

KERNEL(declared_late)
{
    SHARED_1D(unsigned, a, 4);
    STORE(a[t], 1);
    FAULT SHARED_1D(unsigned, b, 4);
    STORE(b[t], 1);
}

KERNEL(dynamic_late)
{
    SYNCTHREADS();
    FAULT SHARED_DYNAMIC(unsigned, b);
    STORE(b[t], 1);
}

KERNEL(static_behind_dynamic)
{
    SHARED_DYNAMIC(unsigned, a);
    FAULT SHARED_1D(unsigned, b, 4);
    STORE(a[t], 1);
    STORE(b[t], 1);
}

KERNEL(grows)
{
    FAULT SHARED_2D(unsigned, a, 2 + blockIdx.x, 4);
    STORE(a[0][t], 1);
}

KERNEL(too_big)
{
    SHARED_1D(char, a, 1);
    FAULT SHARED_1D(char, b, 256 * 1024);
    STORE(a[0], 1);
    STORE(b[0], 1);
}

/* ---- masks and barriers --------------------------------------------------------------------- */

KERNEL(even_barrier)
{
    WHERE (t % 2 == 0) {
        FAULT SYNCTHREADS();
        STORE(inside[0], 1);
    }
    STORE(inside[0], 2);
}

KERNEL(barrier_without_one)
{
    WHERE (t != 5) {
        FAULT SYNCTHREADS();
    }
}

KERNEL(barrier_without_a_pair)
{
    EXIT_WHERE(t == 0);
    WHERE (t != 33 && t != 35) {
        FAULT SYNCTHREADS();
    }
}

KERNEL(else_alone)
{
    FAULT OTHERWISE
    {
        STORE(inside[0], 1);
    }
}

KERNEL(else_of_another_depth)
{
    WHERE (t == 0) {
        WHERE (t == 0) {
            STORE(inside[0], 1);
        }
    }
    WHERE (t == 0) {
        FAULT OTHERWISE
        {
            STORE(inside[0], 2);
        }
    }
}

KERNEL(else_twice)
{
    WHERE (t == 0) {
        STORE(inside[0], 1);
    }
    OTHERWISE {
        STORE(inside[0], 2);
    }
    FAULT OTHERWISE
    {
        STORE(inside[0], 3);
    }
}

KERNEL(broken_out)
{
    for (int i = 0; i < 2; i++) {
        FAULT WHERE (t == 0)
        {
            break;
        }
    }
}

KERNEL(returned)
{
    FAULT REPEAT (3)
    {
        return;
    }
}

static void nest(struct bsim_cta *cta, int depth)
{
    FAULT WHERE (t < 100)
    {
        if (depth > 1) {
            nest(cta, depth - 1);
        }
    }
}

KERNEL(sixteen_deep)
{
    nest(cta, 16);
}

KERNEL(seventeen_deep)
{
    nest(cta, 17);
}

static void nest_repeats(struct bsim_cta *cta, int depth)
{
    FAULT REPEAT (2)
    {
        if (depth > 1) {
            nest_repeats(cta, depth - 1);
        }
    }
}

KERNEL(eight_repeats)
{
    nest_repeats(cta, 8);
}

KERNEL(nine_repeats)
{
    nest_repeats(cta, 9);
}

KERNEL(no_work)
{
    FAULT WORK(0, 5);
}

KERNEL(bad_width)
{
    PER_THREAD(unsigned, v);
    FAULT SHFL_DOWN(v[t], t, 1, 12);
    STORE(inside[t], v[t]);
}

struct fault_case {
    const char *name;
    void (*body)(struct bsim_cta *cta);
    uint32_t n_threads;
    const char *message; /* how it begins */
    size_t n_records;    /* pushed before */
};

/* Records: KERNEL and BLOCK come with the first access or barrier, right or wrong. */
static const struct fault_case faults[] = {
    {"store_past_the_end", store_past_the_end, 8,
     "thread (4,0,0) of block (0,0,0) stores 4 bytes at byte 32 of array 0, which has 32: inside[t "
     "+ 4] = t",
     2},
    {"store_before_the_start", store_before_the_start, 9,
     "thread (8,0,0) of block (0,0,0) stores 4 bytes at byte -4 of array 0, which has 32: inside[7 "
     "- (int)t] = t",
     2},
    {"load_past_the_window", load_past_the_window, 5,
     "thread (4,0,0) of block (0,0,0) loads 4 bytes at byte 32 of shared memory, which has 32: "
     "v[t] = tile[1][t]",
     2},
    {"half_past_the_end", half_past_the_end, 2,
     "thread (1,0,0) of block (0,0,0) loads 8 bytes at byte 28 of array 0, which has 32: v[t] = ",
     2},
    {"misaligned", misaligned, 3,
     "thread (1,0,0) of block (0,0,0) loads 4 bytes at byte 6 of array 0, which is not a multiple "
     "of 4: v[t] = ",
     2},
    {"nowhere", nowhere, 2,
     "thread (1,0,0) of block (0,0,0) stores 4 bytes outside shared memory and the launch's "
     "arrays: *pointer[t] = 1",
     2},
    {"all_nowhere", all_nowhere, 1,
     "thread (0,0,0) of block (0,0,0) stores 4 bytes outside shared memory and the launch's "
     "arrays: *far = 1",
     2},
    {"two_spaces", two_spaces, 2,
     "thread (1,0,0) of block (0,0,0) stores 4 bytes in another memory space than the lanes before "
     "it: *pointer[t] = 1",
     2},
    {"store_to_constants", store_to_constants, 2,
     "thread (0,0,0) of block (0,0,0) stores 4 bytes of constant memory: constant[t] = 1", 2},
    {"constants_by_the_read_only_cache", constants_by_the_read_only_cache, 2,
     "thread (0,0,0) of block (0,0,0) loads 4 bytes by a load that is global memory's alone: v[t] = "
     "__ldg(&constant[t])",
     2},
    {"local_of_another_thread", local_of_another_thread, 2,
     "thread (0,0,0) of block (0,0,0) stores 4 bytes of another thread's local memory: a[t ^ 1][2] "
     "= "
     "t",
     4},
    {"local_past_the_end", local_past_the_end, 2,
     "thread (1,0,0) of block (0,0,0) stores 4 bytes at byte 24 of a local array, which has 24: "
     "a[t][3 * t] = t",
     2},
    {"local_too_big", local_too_big, 2,
     "local array a of 16388 bytes: a kernel has at most 8, of 16384 bytes each", 0},
    {"local_grows", local_grows, 2,
     "local array a has 12 bytes and had 8 in a block before: it must have one size", 4},
    {"atomic_past_the_end", atomic_past_the_end, 2,
     "thread (1,0,0) of block (0,0,0) updates 4 bytes at byte 32 of array 0, which has 32: "
     "atomicAdd(&inside[8 * t], 1)",
     2},
    {"second_block", second_block, 4, "thread (0,0,0) of block (1,0,0) stores 4 bytes ",
     5}, /* and SITE, EVENT, BLOCK */
    {"declared_late", declared_late, 4,
     "shared array b: it must be declared before the kernel's first access, in every block", 4},
    {"dynamic_late", dynamic_late, 4,
     "shared array b: it must be declared before the kernel's first access, in every block", 3},
    {"static_behind_dynamic", static_behind_dynamic, 4,
     "shared array b: static arrays must be declared before the dynamic one", 0},
    {"grows", grows, 4,
     "shared array a has 48 bytes in block (1,0,0) and had 32 before: it must have one size", 4},
    {"too_big", too_big, 1, "shared array b of 262144 bytes: a block has at most 262144 bytes", 0},
    {"even_barrier", even_barrier, 32,
     "barrier in divergent code: threads 1, 3, 5, ... (16 of warp 0, mask aaaaaaaa) of block "
     "(0,0,0) do not reach it",
     0},
    {"barrier_without_one", barrier_without_one, 64,
     "barrier in divergent code: thread 5 (1 of warp 0, mask 00000020) of block (0,0,0) does not "
     "reach it",
     0},
    {"barrier_without_a_pair", barrier_without_a_pair, 64,
     "barrier in divergent code: threads 33, 35 (2 of warp 1, mask 0000000a) of block (0,0,0) do "
     "not reach it",
     0},
    {"else_alone", else_alone, 1, "OTHERWISE has no WHERE before it", 0},
    {"else_of_another_depth", else_of_another_depth, 1, "OTHERWISE has no WHERE before it", 4},
    {"else_twice", else_twice, 2, "OTHERWISE has no WHERE before it", 6},
    {"broken_out", broken_out, 1, "the braces of WHERE were left by break, return or goto", 0},
    {"returned", returned, 1, "the braces of REPEAT were left by break, return or goto", 3},
    {"seventeen_deep", seventeen_deep, 1, "WHERE is nested more than 16 deep", 0},
    {"nine_repeats", nine_repeats, 1, "REPEAT is nested more than 8 deep", 10},
    {"no_work", no_work, 1, "WORK needs at least one instruction", 0},
    {"bad_width", bad_width, 4,
     "a shuffle's width must be 1, 2, 4, 8, 16 or 32: v[t] = shfl_down(t, 1, 12)", 2},
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void check_fault(const struct fault_case *c)
{
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    struct bsim_launch launch = launch_of(c->body, c->n_threads);
    enum bsim_status status = bsim_launch_run(&launch, &sink, &err);
    if (status != BSIM_E_KERNEL || err.status != status ||
        strncmp(err.message, c->message, strlen(c->message)) != 0) {
        fail_msg("%s: %s: %s\nexpected: %s", c->name, status_name(status), err.message,
                 c->message);
    }
    if (strcmp(base_name(err.file), "test_emulator_errors.c") != 0 || err.line != fault_line) {
        fail_msg("%s: at %s:%u, expected line %u", c->name, err.file, (unsigned)err.line,
                 (unsigned)fault_line);
    }
    if (collect.n != c->n_records) {
        fail_msg("%s: %zu records, expected %zu", c->name, collect.n, c->n_records);
    }
    for (size_t i = 0; i < COUNT(guarded); i++) {
        if ((i < 8 || i >= 16) && guarded[i] != GUARD) {
            fail_msg("%s: a store outside the array took place", c->name);
        }
    }
    if (failing_memory_live() != 0) {
        fail_msg("%s: memory is left", c->name);
    }
    collect_free(&collect);
}

static void faults_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++) {
        check_fault(&faults[i]);
    }
}

/* The lanes below the one at fault have not stored either, nor anything that follows. */
static void nothing_moves_in_a_faulty_access(void **state)
{
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_launch launch = launch_of(store_past_the_end, 8);
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_E_KERNEL);
    for (size_t i = 0; i < INSIDE; i++) {
        assert_int_equal(inside[i], GUARD);
    }
    collect_free(&collect);
}

static void a_limit_may_be_reached(void **state)
{
    (void)state;
    void (*const body[])(struct bsim_cta * cta) = {sixteen_deep, eight_repeats};
    for (size_t i = 0; i < COUNT(body); i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_launch launch = launch_of(body[i], 1);
        assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
        collect_free(&collect);
    }
}

static void other_warps_that_miss_a_barrier_are_counted(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_threads;
        const char *end;
    } cases[] = {
        {33, "do not reach it"}, /* thread 32 is there */
        {34, "do not reach it, nor do threads of 1 other warp"},
        {128, "do not reach it, nor do threads of 3 other warps"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err;
        struct bsim_launch launch = launch_of(even_barrier, cases[i].n_threads);
        assert_int_equal(bsim_launch_run(&launch, &sink, &err), BSIM_E_KERNEL);
        const char *end = strstr(err.message, "do not");
        assert_non_null(end);
        assert_string_equal(end, cases[i].end);
        collect_free(&collect);
    }
}

KERNEL(vector)
{
    const struct int4 *p = (const void *)(inside + 1);
    PER_THREAD(struct int4, v);
    FAULT LOAD(v[t], p[0]);
}

/* Aligned in the trace, but the host could not load it. */
static void host_memory_must_be_aligned_too(void **state)
{
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err;
    struct bsim_launch launch = launch_of(vector, 1);
    launch.arrays[0] = (struct bsim_array){inside + 1, 16, BSIM_GLOBAL};
    assert_int_equal(bsim_launch_run(&launch, &sink, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message,
                        "thread (0,0,0) of block (0,0,0) loads 16 bytes, but the host's memory of "
                        "array 0 is not aligned to that: v[t] = p[0]");
    collect_free(&collect);
}

/* ---- launches ------------------------------------------------------------------------------- */

KERNEL(good)
{
    SHARED_1D(unsigned, s, 8);
    PER_THREAD(unsigned, v);
    STORE(s[t], t);
    SYNCTHREADS();
    REPEAT (2) {
        LOAD(v[t], s[7 - t]);
        SHFL_XOR(v[t], v[t], 1, 8);
        WORK(1, 1);
    }
    STORE(inside[t], v[t]);
}

struct usage_case {
    const char *name;
    void (*spoil)(struct bsim_launch *launch);
    const char *message;
};

static void no_name(struct bsim_launch *launch)
{
    launch->name = NULL;
}
static void empty_name(struct bsim_launch *launch)
{
    launch->name = "";
}
static void no_body(struct bsim_launch *launch)
{
    launch->body = NULL;
}
static void no_grid(struct bsim_launch *launch)
{
    launch->grid.z = 0;
}
static void no_block(struct bsim_launch *launch)
{
    launch->block.y = 0;
}
static void big_block(struct bsim_launch *launch)
{
    launch->block = (struct bsim_dim3){513, 2, 1};
}
static void huge_block(struct bsim_launch *launch)
{
    launch->block = (struct bsim_dim3){65536, 65536, 65536}; /* 2^48; its low 32 bits are 0 */
}
static void wrapping_block(struct bsim_launch *launch)
{
    launch->block = (struct bsim_dim3){16, 1u << 30, 1u << 30}; /* 2^64 */
}
static void big_window(struct bsim_launch *launch)
{
    launch->dynamic_shared_bytes = 256 * 1024 + 1;
}
static void many_arrays(struct bsim_launch *launch)
{
    launch->n_arrays = BSIM_LAUNCH_MAX_ARRAYS + 1;
}
static void null_array(struct bsim_launch *launch)
{
    launch->arrays[1].data = NULL;
}
static void shared_array(struct bsim_launch *launch)
{
    launch->arrays[1].space = BSIM_SHARED;
}

static void large_constants(struct bsim_launch *launch)
{
    launch->arrays[1].size_bytes = 65537;
}

static void a_bad_launch_is_refused(void **state)
{
    (void)state;
    static const char array[] =
        "launch k: array 1 must have memory, at most 4 GiB, and be BSIM_GLOBAL, "
        "BSIM_CONST or BSIM_TEXTURE";
    static const struct usage_case cases[] = {
        {"no_name", no_name, "a launch needs a name and a body"},
        {"large_constants", large_constants,
         "launch k: 65552 bytes of constant arrays; constant memory has 65536: put some into "
         "BSIM_GLOBAL, for LDG"},
        {"empty_name", empty_name, "a launch needs a name and a body"},
        {"no_body", no_body, "a launch needs a name and a body"},
        {"no_grid", no_grid, "launch k: grid sizes must be at least 1"},
        {"no_block", no_block, "launch k: a block has 1 to 1024 threads"},
        {"big_block", big_block, "launch k: a block has 1 to 1024 threads"},
        {"huge_block", huge_block, "launch k: a block has 1 to 1024 threads"},
        {"wrapping_block", wrapping_block, "launch k: a block has 1 to 1024 threads"},
        {"big_window", big_window,
         "launch k: 262145 bytes of dynamic shared memory; a block has at most 262144"},
        {"many_arrays", many_arrays, "launch k: 9 arrays; at most 8 are possible"},
        {"null_array", null_array, array},
        {"shared_array", shared_array, array},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        struct bsim_launch launch = launch_of(good, 8);
        cases[i].spoil(&launch);
        enum bsim_status status = bsim_launch_run(&launch, &sink, &err);
        if (status != BSIM_E_USAGE || strcmp(err.message, cases[i].message) != 0 ||
            collect.n != 0) {
            fail_msg("%s: %s: %s, after %zu records", cases[i].name, status_name(status),
                     err.message, collect.n);
        }
    }
}

/* Whichever record the sink refuses: its answer comes back, and no record follows. */
static void a_sink_ends_the_launch(void **state)
{
    (void)state;
    struct collect whole = {0};
    struct bsim_sink sink = collect_sink(&whole);
    struct bsim_launch launch = launch_of(good, 8);
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    /* KERNEL; two blocks of BLOCK, st, bar, REPEAT, ld, shfl, work, DONE, st; four sites. */
    assert_int_equal(whole.n, 1 + 2 * 9 + 4);
    for (size_t i = 1; i <= whole.n; i++) {
        struct collect collect = {.refuse = i};
        struct bsim_error err;
        char message[64];
        sink = collect_sink(&collect);
        launch = launch_of(good, 8);
        enum bsim_status status = bsim_launch_run(&launch, &sink, &err);
        (void)snprintf(message, sizeof message, "refused record %zu", i);
        if (status != BSIM_E_IO || strcmp(err.message, message) != 0 ||
            collect.n_after_refusal != 0 || failing_memory_live() != 0) {
            fail_msg("record %zu: %s: %s; %zu more records", i, status_name(status),
                     err.message, collect.n_after_refusal);
        }
        bool has_place = whole.item[i - 1].kind != BSIM_RECORD_KERNEL &&
                         whole.item[i - 1].kind != BSIM_RECORD_BLOCK;
        if (has_place != (err.line > 0)) {
            fail_msg("record %zu, %s: the error's line is %u", i, whole.item[i - 1].text,
                     (unsigned)err.line);
        }
        collect_free(&collect);
    }
    collect_free(&whole);
}

static unsigned n_computed;

KERNEL(computes_afterwards)
{
    REPEAT (2) {
        WORK(1, 1);
    }
    EACH_THREAD {
        n_computed++;
    }
}

/* KERNEL, BLOCK, REPEAT, work, DONE. */
static void nobody_computes_after_a_refusal(void **state)
{
    (void)state;
    for (size_t i = 1; i <= 5; i++) {
        struct collect collect = {.refuse = i};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_launch launch = launch_of(computes_afterwards, 8);
        n_computed = 0;
        assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_E_IO);
        assert_int_equal(n_computed, 0);
        collect_free(&collect);
    }
}

static void the_end_may_be_refused(void **state)
{
    (void)state;
    struct collect collect = {.refuse = 1};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err;
    assert_int_equal(bsim_push_end(&sink, &err), BSIM_E_IO);
}

static void memory_may_be_short(void **state)
{
    (void)state;
    size_t n_failures = 0;
    for (size_t n = 0;; n++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        struct bsim_launch launch = launch_of(good, 8);
        failing_memory_fail_after(n);
        enum bsim_status status = bsim_launch_run(&launch, &sink, &err);
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        collect_free(&collect);
        assert_int_equal(failing_memory_live(), 0);
        if (refused == 0) {
            assert_int_equal(status, BSIM_OK);
            break;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
        assert_int_equal(err.status, BSIM_E_MEMORY);
        n_failures++;
    }
    assert_int_equal(n_failures, 3 + 4); /* the block, its shared memory, what it declares; four sites */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(nothing_moves_in_a_faulty_access),
        cmocka_unit_test(a_limit_may_be_reached),
        cmocka_unit_test(other_warps_that_miss_a_barrier_are_counted),
        cmocka_unit_test(host_memory_must_be_aligned_too),
        cmocka_unit_test(a_bad_launch_is_refused),
        cmocka_unit_test(a_sink_ends_the_launch),
        cmocka_unit_test(nobody_computes_after_a_refusal),
        cmocka_unit_test(the_end_may_be_refused),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
