/* test_launch.c - the words of kernel.h: the stream that small kernels push, record by record against
 * lists worked out by hand, and the data that they move, against CUDA's rules. */
#include <banksim/kernel.h>

#include "collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Memory that every kernel here may touch: array 0 of the launch, at 1:0 in the stream; and constant
 * memory, array 1, at 2:0. */
static _Alignas(16) unsigned out[1024];
static _Alignas(16) unsigned constant[64];

static struct bsim_launch launch_of(void (*body)(struct bsim_cta *cta), struct bsim_dim3 grid,
                                    struct bsim_dim3 block)
{
    memset(out, 0, sizeof out);
    return (struct bsim_launch){
        .name = "k",
        .grid = grid,
        .block = block,
        .body = body,
        .n_arrays = 2,
        .arrays = {{out, sizeof out, BSIM_GLOBAL}, {constant, sizeof constant, BSIM_CONST}},
    };
}

static void run(const struct bsim_launch *launch, struct collect *collect)
{
    struct bsim_error err;
    struct bsim_sink sink = collect_sink(collect);
    memset(collect, 0, sizeof *collect);
    if (bsim_launch_run(launch, &sink, &err) != BSIM_OK) {
        char text[1024];
        fail_msg("%s", bsim_error_text(&err, text, sizeof text));
    }
}

/* One block of n threads. */
static void run_threads(void (*body)(struct bsim_cta *cta), uint32_t n, struct collect *collect)
{
    struct bsim_launch launch =
        launch_of(body, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){n, 1, 1});
    run(&launch, collect);
}

static void expect_lines(struct collect *collect, const char *const *line, size_t n_lines)
{
    char text[2 * COLLECT_TEXT_SIZE];
    if (collect_difference(collect, line, n_lines, text, sizeof text) != NULL) {
        fail_msg("%s", text);
    }
    collect_free(collect);
}

static void expect_out(const unsigned *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (out[i] != expected[i]) {
            fail_msg("out[%zu] is %u, expected %u", i, out[i], expected[i]);
        }
    }
}

static void expect_out_value(size_t i, unsigned expected)
{
    if (out[i] != expected) {
        fail_msg("out[%zu] is %u (%08x), expected %u", i, out[i], out[i], expected);
    }
}

/* ---- the stream ----------------------------------------------------------------------------- */

/* Rows of 5 words: threads (0..3, 0) at 0 to 12, (0..3, 1) at 20 to 32, so no single stride. */
KERNEL(two_rows)
{
    SHARED_2D(unsigned, tile, 2, 5);
    PER_THREAD(unsigned, v);
    STORE(tile[threadIdx.y][threadIdx.x], 100 + t);
    SYNCTHREADS();
    LOAD(v[t], tile[1 - threadIdx.y][0]);
    STORE(out[blockIdx.x * 8 + t], v[t]);
}

static void pushes_a_stream_in_order(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=2,1,1 block=4,2,1 shared=40",
        "block 0,0,0",
        "site 1 st.shared.u32 tile[threadIdx.y][threadIdx.x] = 100 + t",
        "w0 @1 st.shared.u32 000000ff 0,4,8,12,20,24,28,32",
        "w* bar.sync",
        "site 2 ld.shared.u32 v[t] = tile[1 - threadIdx.y][0]",
        "w0 @2 ld.shared.u32 000000ff 20,20,20,20,0,0,0,0",
        "site 3 st.global.u32 out[blockIdx.x * 8 + t] = v[t]",
        "w0 @3 st.global.u32 000000ff 1:0+4",
        "block 1,0,0",
        "w0 @1 st.shared.u32 000000ff 0,4,8,12,20,24,28,32",
        "w* bar.sync",
        "w0 @2 ld.shared.u32 000000ff 20,20,20,20,0,0,0,0",
        "w0 @3 st.global.u32 000000ff 1:32+4",
    };
    static const unsigned expected[] = {104, 104, 104, 104, 100, 100, 100, 100,
                                        104, 104, 104, 104, 100, 100, 100, 100};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(two_rows, (struct bsim_dim3){2, 1, 1}, (struct bsim_dim3){4, 2, 1});
    run(&launch, &collect);
    expect_lines(&collect, line, COUNT(line));
    expect_out(expected, COUNT(expected));
}

enum { PLACE_LINE = __LINE__ + 3 };
KERNEL(one_store)
{
    STORE(out[t], t);
}

static void sites_have_their_source_place(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(one_store, 1, &collect);
    assert_int_equal(collect.item[2].kind, BSIM_RECORD_SITE);
    assert_int_equal(collect.item[2].line, PLACE_LINE);
    const char *name = strrchr(collect.item[2].file, '/');
    assert_string_equal(name != NULL ? name + 1 : collect.item[2].file, "test_launch.c");
    collect_free(&collect);
}

static void warps_take_turns(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=70,1,1 shared=0", "block 0,0,0",
        "site 1 st.global.u32 out[t] = t",           "w0 @1 st.global.u32 ffffffff 1:0+4",
        "w1 @1 st.global.u32 ffffffff 1:128+4",      "w2 @1 st.global.u32 0000003f 1:256+4",
    };
    struct collect collect;
    run_threads(one_store, 70, &collect);
    expect_lines(&collect, line, COUNT(line));
    expect_out_value(69, 69);
    expect_out_value(70, 0);
}

KERNEL(nothing)
{
    SHARED_1D(double, a, 3);
    (void)a;
    (void)cta;
}

static void a_kernel_may_do_nothing(void **state)
{
    (void)state;
    static const char *const line[] = {"kernel k grid=1,2,1 block=1,1,1 shared=24", "block 0,0,0",
                                       "block 0,1,0"};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(nothing, (struct bsim_dim3){1, 2, 1}, (struct bsim_dim3){1, 1, 1});
    run(&launch, &collect);
    expect_lines(&collect, line, COUNT(line));
}

static void launches_follow_one_another(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=1,1,1 shared=0",
        "block 0,0,0",
        "site 1 st.global.u32 out[t] = t",
        "w0 @1 st.global.u32 00000001 1:0+0",
        "kernel k grid=1,1,1 block=1,1,1 shared=0",
        "block 0,0,0",
        "site 1 st.global.u32 out[t] = t",
        "w0 @1 st.global.u32 00000001 1:0+0",
        "end",
    };
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_launch launch =
        launch_of(one_store, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){1, 1, 1});
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_push_end(&sink, NULL), BSIM_OK);
    expect_lines(&collect, line, COUNT(line));
}

KERNEL(one_place_twice)
{
    SHARED_1D(unsigned, s, 4);
    unsigned *const where[] = {s, out, s};
    for (int i = 0; i < 3; i++) {
        STORE(where[i][0], 7);
    }
}

static void a_place_is_one_site_per_space(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=1,1,1 shared=16", "block 0,0,0",
        "site 1 st.shared.u32 where[i][0] = 7",      "w0 @1 st.shared.u32 00000001 0+0",
        "site 2 st.global.u32 where[i][0] = 7",      "w0 @2 st.global.u32 00000001 1:0+0",
        "w0 @1 st.shared.u32 00000001 0+0",
    };
    struct collect collect;
    run_threads(one_place_twice, 1, &collect);
    expect_lines(&collect, line, COUNT(line));
}

KERNEL(long_text)
{
    /* 8 + 31 * 6 + 2 characters and the rest: over the 160 that are kept. */
    STORE(out[t], t + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 + 1000 -
                      1000 + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 + 1000 - 1000 +
                      1000 - 1000);
}

static void a_long_text_is_cut(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(long_text, 1, &collect);
    const char *text = collect.item[2].text + strlen("site 1 st.global.u32 ");
    assert_int_equal(strlen(text), 160);
    assert_memory_equal(text, "out[t] = t + 1000 - 1000 + ", 27);
    assert_string_equal(text + 157, "...");
    collect_free(&collect);
}

/* ---- opcodes -------------------------------------------------------------------------------- */

/* One load and one store of each C type, of element t. */
#define BOTH(type)           \
    do {                     \
        type *p = (void *)s; \
        PER_THREAD(type, v); \
        LOAD(v[t], p[t]);    \
        STORE(p[t], v[t]);   \
    } while (0)

KERNEL(all_types)
{
    SHARED_1D(struct float4, s, 2);
    BOTH(char);
    BOTH(signed char);
    BOTH(unsigned char);
    BOTH(short);
    BOTH(unsigned short);
    BOTH(int);
    BOTH(unsigned);
    BOTH(long long);
    BOTH(unsigned long long);
    BOTH(float);
    BOTH(double);
    BOTH(struct int2);
    BOTH(struct uint2);
    BOTH(struct float2);
    BOTH(struct int4);
    BOTH(struct uint4);
    BOTH(struct float4);
    BOTH(struct double2);
}

static void the_type_gives_the_opcode(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        unsigned bytes;
    } expected[] = {
        {"s8", 1},      {"s8", 1},      {"u8", 1},      {"s16", 2},    {"u16", 2},
        {"u32", 4},     {"u32", 4},     {"u64", 8},     {"u64", 8},    {"f32", 4},
        {"f64", 8},     {"v2.u32", 8},  {"v2.u32", 8},  {"v2.f32", 8}, {"v4.u32", 16},
        {"v4.u32", 16}, {"v4.f32", 16}, {"v2.f64", 16},
    };
    struct collect collect;
    run_threads(all_types, 2, &collect);
    for (uint32_t i = 0; i < 2 * COUNT(expected); i++) {
        char name[BSIM_OPCODE_NAME_SIZE];
        char wanted[BSIM_OPCODE_NAME_SIZE + 8];
        const struct bsim_event *event = collect_event(&collect, i + 1, 0);
        assert_non_null(event);
        (void)snprintf(wanted, sizeof wanted, "%s.shared.%s", i % 2 == 0 ? "ld" : "st",
                       expected[i / 2].type);
        if (strcmp(bsim_opcode_name(&event->opcode, name), wanted) != 0 ||
            event->opcode.bytes != expected[i / 2].bytes || !event->affine || event->base != 0 ||
            event->stride != (int64_t)expected[i / 2].bytes) {
            fail_msg("case %u is %s, %u bytes; expected %s, %u bytes", (unsigned)i, name,
                     (unsigned)event->opcode.bytes, wanted, expected[i / 2].bytes);
        }
    }
    collect_free(&collect);
}

/* What bsim_opcode_parse reads back is the same opcode: the spellings are of the format. */
static void opcodes_are_of_the_format(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(all_types, 2, &collect);
    for (uint32_t i = 1; collect_event(&collect, i, 0) != NULL; i++) {
        char name[BSIM_OPCODE_NAME_SIZE];
        struct bsim_opcode parsed;
        const struct bsim_opcode *opcode = &collect_event(&collect, i, 0)->opcode;
        (void)bsim_opcode_name(opcode, name);
        if (bsim_opcode_parse(name, strlen(name), &parsed, NULL) != BSIM_OK ||
            memcmp(&parsed, opcode, sizeof parsed) != 0) {
            fail_msg("%s is not read back", name);
        }
    }
    collect_free(&collect);
}

KERNEL(spaces)
{
    SHARED_1D(unsigned, s, 1);
    volatile unsigned *shared = s;
    const unsigned *c = constant;
    PER_THREAD(unsigned, v);
    STORE_VOLATILE(shared[0], 5);
    LOAD_VOLATILE(v[t], shared[0]);
    LOAD(v[t], c[t]);
    STORE(out[t], v[t]);
    LOAD_VOLATILE(v[t], out[t]);
}

static void spaces_and_volatile_show(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=2,1,1 shared=4",
        "block 0,0,0",
        "site 1 st.volatile.shared.u32 shared[0] = 5",
        "w0 @1 st.volatile.shared.u32 00000003 0+0",
        "site 2 ld.volatile.shared.u32 v[t] = shared[0]",
        "w0 @2 ld.volatile.shared.u32 00000003 0+0",
        "site 3 ld.const.u32 v[t] = c[t]",
        "w0 @3 ld.const.u32 00000003 2:0+4",
        "site 4 st.global.u32 out[t] = v[t]",
        "w0 @4 st.global.u32 00000003 1:0+4",
        "site 5 ld.volatile.global.u32 v[t] = out[t]",
        "w0 @5 ld.volatile.global.u32 00000003 1:0+4",
    };
    struct collect collect;
    constant[0] = 11;
    constant[1] = 12;
    run_threads(spaces, 2, &collect);
    expect_lines(&collect, line, COUNT(line));
    expect_out((const unsigned[]){11, 12}, 2);
}

/* ---- address forms -------------------------------------------------------------------------- */

KERNEL(forms)
{
    SHARED_1D(unsigned, s, 64);
    unsigned char *bytes = (unsigned char *)s;
    PER_THREAD(unsigned, v);
    PER_THREAD(unsigned char, b);
    LOAD(v[t], s[9]);
    LOAD(v[t], s[63 - t]);
    WHERE (t >= 28) {
        LOAD(v[t], s[t - 28]);
        LOAD(v[t], s[t]);
    }
    WHERE (t % 2 == 1) {
        LOAD(v[t], s[8 + t / 2]);
        LOAD(b[t], bytes[32 + t / 2]);
    }
    WHERE (t == 5) {
        LOAD(v[t], s[17]);
    }
    WHERE (t < 3) {
        LOAD(v[t], s[t * t]);
    }
}

/* Of s[8 + t / 2] in the odd lanes: lane 1 is at 32 and lane 3 at 36, 2 bytes per lane, so 30 + 2 l.
 * Single bytes there rise by half a byte per lane, which no stride says. Lanes 28.. at 0, 4, ...
 * would have lane 0 at -112. */
static void addresses_are_lines_or_lists(void **state)
{
    (void)state;
    static const char *const event[] = {
        "w0 @1 ld.shared.u32 ffffffff 36+0",
        "w0 @2 ld.shared.u32 ffffffff 252-4",
        "w0 @3 ld.shared.u32 f0000000 0,4,8,12",
        "w0 @4 ld.shared.u32 f0000000 0+4",
        "w0 @5 ld.shared.u32 aaaaaaaa 30+2",
        "w0 @6 ld.shared.u8 aaaaaaaa 32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47",
        "w0 @7 ld.shared.u32 00000020 68+0",
        "w0 @8 ld.shared.u32 00000007 0,4,16",
    };
    struct collect collect;
    run_threads(forms, 32, &collect);
    assert_int_equal(collect.n, 2 + 2 * COUNT(event));
    for (size_t i = 0; i < COUNT(event); i++) {
        assert_string_equal(collect.item[3 + 2 * i].text, event[i]);
    }
    collect_free(&collect);
}

/* ---- the machine ---------------------------------------------------------------------------- */

KERNEL(coordinates)
{
    STORE(out[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x * 12 + blockIdx.x * 12 + t],
          threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x +
              10000 * blockIdx.y + 100000 * blockIdx.z + 1000000 * blockDim.x +
              10000000 * blockDim.z);
}

/* Thread t of a 2 x 3 x 2 block is (t % 2, t / 2 % 3, t / 6); blocks go x first. */
static void threads_and_blocks_have_coordinates(void **state)
{
    (void)state;
    static const char *const blocks[] = {"block 0,0,0", "block 1,0,0", "block 0,1,0",
                                         "block 1,1,0", "block 0,0,1", "block 1,0,1",
                                         "block 0,1,1", "block 1,1,1"};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(coordinates, (struct bsim_dim3){2, 2, 2}, (struct bsim_dim3){2, 3, 2});
    run(&launch, &collect);
    size_t n_blocks = 0;
    for (size_t i = 0; i < collect.n; i++) {
        if (collect.item[i].kind == BSIM_RECORD_BLOCK) {
            assert_string_equal(collect.item[i].text, blocks[n_blocks++]);
        }
    }
    assert_int_equal(n_blocks, 8);
    expect_out_value(0, 22000000);
    expect_out_value(11, 22000000 + 121);            /* thread (1,2,1) */
    expect_out_value(7 * 12 + 6, 22000000 + 111100); /* block (1,1,1), thread (0,0,1) */
    collect_free(&collect);
}

KERNEL(lanes)
{
    STORE(out[t], laneid + 100 * warpid + 1000 * warpSize);
}

static void threads_know_lane_and_warp(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(lanes, 64, &collect);
    expect_out_value(0, 32000);
    expect_out_value(31, 32031);
    expect_out_value(33, 32101);
    collect_free(&collect);
}

/* ---- shared memory -------------------------------------------------------------------------- */

KERNEL(layout)
{
    SHARED_1D(char, a, 3);
    SHARED_1D(double, b, 1);
    SHARED_1D(short, c, 1);
    SHARED_1D(struct float4, d, 1);
    SHARED_1D(char, e, 1);
    SHARED_DYNAMIC(int, f);
    SHARED_DYNAMIC(char, g);
    STORE(a[0], 1);
    STORE(b[0], 1);
    STORE(c[0], 1);
    STORE(d[0], (struct float4){1, 2, 3, 4});
    STORE(e[0], 1);
    STORE(f[4], 1);
    STORE(g[19], 1);
}

/* a 0-2, b at the next multiple of 8, c behind it, d at the next multiple of 16, e behind it at 48;
 * the dynamic array at the next multiple of 16. */
static void static_arrays_then_dynamic(void **state)
{
    (void)state;
    static const uint64_t offset[] = {0, 8, 16, 32, 48, 64 + 16, 64 + 19};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(layout, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){1, 1, 1});
    launch.dynamic_shared_bytes = 20;
    run(&launch, &collect);
    assert_string_equal(collect.item[0].text, "kernel k grid=1,1,1 block=1,1,1 shared=84");
    for (uint32_t i = 0; i < COUNT(offset); i++) {
        assert_int_equal(collect_event(&collect, i + 1, 0)->base, offset[i]);
    }
    collect_free(&collect);
}

KERNEL(unwritten)
{
    SHARED_1D(unsigned, s, 2);
    SHARED_DYNAMIC(unsigned, d);
    PER_THREAD(unsigned, v);
    PER_THREAD(unsigned, w);
    LOAD(v[t], s[1]);
    LOAD(w[t], d[0]);
    STORE(s[1], 1);
    STORE(d[0], 1);
    STORE(out[2 * blockIdx.x], v[t]);
    STORE(out[2 * blockIdx.x + 1], w[t]);
}

static void each_block_starts_with_unwritten_memory(void **state)
{
    (void)state;
    static const unsigned expected[] = {0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f, 0x7f7f7f7f};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(unwritten, (struct bsim_dim3){2, 1, 1}, (struct bsim_dim3){1, 1, 1});
    launch.dynamic_shared_bytes = 4;
    run(&launch, &collect);
    expect_out(expected, COUNT(expected));
    collect_free(&collect);
}

KERNEL(declared_in_a_loop)
{
    for (unsigned i = 0; i < 3; i++) {
        SHARED_1D(unsigned, sum, 1);
        PER_THREAD(unsigned, v);
        LOAD(v[t], sum[0]);
        STORE(out[i], v[t]);
        STORE(sum[0], i);
    }
}

static void a_declaration_is_one_array(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(declared_in_a_loop, 1, &collect);
    expect_out((const unsigned[]){0x7f7f7f7f, 0, 1}, 3);
    collect_free(&collect);
}

/* ---- lockstep ------------------------------------------------------------------------------- */

/* The last warp of a reduction without barriers: right only if all lanes load before any stores. */
KERNEL(last_warp)
{
    SHARED_1D(unsigned, s, 64);
    volatile unsigned *v = s;
    PER_THREAD(unsigned, a);
    PER_THREAD(unsigned, b);
    STORE(v[t], t * t);
    STORE(v[t + 32], (t + 32) * (t + 32));
    for (unsigned step = 32; step > 0; step /= 2) {
        LOAD_VOLATILE(a[t], v[t]);
        LOAD_VOLATILE(b[t], v[t + step]);
        STORE_VOLATILE(v[t], a[t] + b[t]);
    }
    WHERE (t == 0) {
        LOAD(a[t], v[0]);
        STORE(out[0], a[t]);
    }
}

/* The same, thread after thread: what an emulator without lockstep would find. */
static unsigned thread_after_thread(void)
{
    unsigned v[64];
    for (unsigned i = 0; i < 64; i++) {
        v[i] = i * i;
    }
    for (unsigned t = 0; t < 32; t++) {
        for (unsigned step = 32; step > 0; step /= 2) {
            v[t] += v[t + step];
        }
    }
    return v[0];
}

static void a_warp_reduces_in_lockstep(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(last_warp, 32, &collect);
    expect_out_value(0, 63 * 64 * 127 / 6); /* 0 + 1 + 4 + ... + 63 * 63 */
    assert_int_not_equal(out[0], thread_after_thread());
    collect_free(&collect);
}

KERNEL(rotate)
{
    PER_THREAD(unsigned, i);
    EACH_THREAD {
        i[t] = (t + 1) % blockDim.x;
    }
    STORE(out[t], 100 + t);
    LOAD(i[t], out[i[t]]); /* the index is gone once the value is there */
    STORE(out[t], i[t]);
}

static void a_load_may_replace_its_index(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(rotate, 4, &collect);
    expect_out((const unsigned[]){101, 102, 103, 100}, 4);
    collect_free(&collect);
}

KERNEL(same_place)
{
    STORE(out[0], t);
}

static void the_highest_lane_wins_a_place(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(same_place, 40, &collect);
    expect_out_value(0, 39);
    collect_free(&collect);
}

/* ---- masks ---------------------------------------------------------------------------------- */

KERNEL(nested_where)
{
    WHERE (t < 16) {
        STORE(out[t], 1);
        WHERE (t % 2 == 0) {
            STORE(out[t], 2);
        }
        OTHERWISE {
            STORE(out[t], 3);
            WHERE (t > 20) {
                STORE(out[t], 99);
            }
        }
        STORE(out[t + 32], 4);
    }
    OTHERWISE {
        STORE(out[t], 5);
    }
    STORE(out[t + 64], 6);
}

static void where_nests(void **state)
{
    (void)state;
    static const char *const mask[] = {"0000ffff", "00005555", "0000aaaa",
                                       "0000ffff", "ffff0000", "ffffffff"};
    struct collect collect;
    run_threads(nested_where, 32, &collect);
    assert_int_equal(collect.n, 2 + 2 * COUNT(mask));
    for (size_t i = 0; i < COUNT(mask); i++) {
        assert_non_null(strstr(collect.item[3 + 2 * i].text, mask[i]));
    }
    for (size_t i = 0; i < 32; i++) {
        expect_out_value(i, i >= 16 ? 5 : i % 2 == 0 ? 2 : 3);
        expect_out_value(i + 32, i < 16 ? 4 : 0);
        expect_out_value(i + 64, 6);
    }
    collect_free(&collect);
}

KERNEL(collatz)
{
    PER_THREAD(unsigned, n);
    PER_THREAD(unsigned, steps);
    EACH_THREAD {
        n[t] = t + 1;
    }
    WHILE_ANY (n[t] != 1) {
        WHERE (n[t] % 2 == 0) {
            EACH_THREAD {
                n[t] /= 2;
            }
        }
        OTHERWISE {
            EACH_THREAD {
                n[t] = 3 * n[t] + 1;
            }
        }
        EACH_THREAD {
            steps[t]++;
        }
    }
    STORE(out[t], steps[t]);
}

/* https://oeis.org/A006577 */
static void each_thread_loops_as_long_as_it_must(void **state)
{
    (void)state;
    static const unsigned steps[] = {0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4};
    struct collect collect;
    run_threads(collatz, 16, &collect);
    expect_out(steps, COUNT(steps));
    collect_free(&collect);
}

KERNEL(leaving)
{
    EXIT_WHERE(t >= 40);
    STORE(out[t], 1);
    WHERE (t < 8) {
        EXIT_WHERE(t % 2 == 0);
        STORE(out[t], 2);
    }
    SYNCTHREADS();
    STORE(out[t + 64], 3);
    EXIT_WHERE(true);
    SYNCTHREADS();
    STORE(out[t], 4);
}

static void barriers_do_not_wait_for_who_left(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=64,1,1 shared=0", "block 0,0,0",
        "site 1 st.global.u32 out[t] = 1",           "w0 @1 st.global.u32 ffffffff 1:0+4",
        "w1 @1 st.global.u32 000000ff 1:128+4",      "site 2 st.global.u32 out[t] = 2",
        "w0 @2 st.global.u32 000000aa 1:0+4",        "w* bar.sync",
        "site 3 st.global.u32 out[t + 64] = 3",      "w0 @3 st.global.u32 ffffffaa 1:256+4",
        "w1 @3 st.global.u32 000000ff 1:384+4",
    };
    struct collect collect;
    run_threads(leaving, 64, &collect);
    expect_lines(&collect, line, COUNT(line));
    expect_out((const unsigned[]){1, 2, 1, 2, 1, 2, 1, 2, 1}, 9);
}

KERNEL(leaving_in_between)
{
    WHERE (t == 0) {
        STORE(out[t], 1);
    }
    EXIT_WHERE(t == 1);
    OTHERWISE {
        STORE(out[t], 2);
    }
}

static void who_left_is_not_otherwise(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(leaving_in_between, 3, &collect);
    expect_out((const unsigned[]){1, 0, 2}, 3);
    collect_free(&collect);
}

KERNEL(uniform_barrier)
{
    WHERE (blockDim.x == 8) {
        SYNCTHREADS();
    }
    WHERE (t < 4) {
        EXIT_WHERE(true);
        SYNCTHREADS(); /* nobody is left to reach it */
    }
    SYNCTHREADS();
}

static void a_condition_that_holds_for_all_is_no_divergence(void **state)
{
    (void)state;
    static const char *const line[] = {"kernel k grid=1,1,1 block=8,1,1 shared=0", "block 0,0,0",
                                       "w* bar.sync", "w* bar.sync"};
    struct collect collect;
    run_threads(uniform_barrier, 8, &collect);
    expect_lines(&collect, line, COUNT(line));
}

KERNEL(skipped)
{
    unsigned bodies = 0;
    WHERE (t > 100) {
        bodies++;
        REPEAT (3) {
            bodies++;
        }
    }
    OTHERWISE {
        bodies += 10;
    }
    WHILE_ANY (false) {
        bodies++;
    }
    REPEAT (0) {
        bodies++;
    }
    STORE(out[0], bodies);
}

static void a_body_for_nobody_is_skipped(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(skipped, 4, &collect);
    expect_out_value(0, 10);
    assert_int_equal(collect.n, 4); /* KERNEL, BLOCK, SITE, EVENT: no REPEAT */
    collect_free(&collect);
}

/* ---- repeat and work ------------------------------------------------------------------------ */

KERNEL(loops)
{
    REPEAT (100) {
        STORE(out[t], 1);
        REPEAT_WORK (7, 2, 9) {
            WHERE (t >= 32) {
                WORK(3, 6);
            }
            SYNCTHREADS();
        }
        WORK(1, 0);
    }
}

static void repeat_and_work_are_records(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=33,1,1 shared=0",
        "block 0,0,0",
        "repeat 100 0:0",
        "site 1 st.global.u32 out[t] = 1",
        "w0 @1 st.global.u32 ffffffff 1:0+4",
        "w1 @1 st.global.u32 00000001 1:128+0",
        "repeat 7 2:9",
        "w1 work 3:6",
        "w* bar.sync",
        "done",
        "w0 work 1:0",
        "w1 work 1:0",
        "done",
    };
    struct collect collect;
    run_threads(loops, 33, &collect);
    expect_lines(&collect, line, COUNT(line));
}

/* ---- atomics -------------------------------------------------------------------------------- */

KERNEL(histogram)
{
    SHARED_1D(unsigned, bins, 4);
    PER_THREAD(unsigned, bin);
    PER_THREAD(unsigned, old);
    EACH_THREAD {
        bin[t] = t % 3;
    }
    WHERE (t < 4) {
        STORE(bins[t], 0);
    }
    SYNCTHREADS();
    ATOMIC_ADD(old[t], bins[bin[t]], 1);
    RED_ADD(bins[3], t);
    ATOMIC_ADD(bin[t], bins[bin[t]], 0); /* the index is gone once the value is there */
    STORE(out[t], old[t]);
    STORE(out[t + 32], bin[t]);
    WHERE (t == 0) {
        LOAD(old[t], bins[3]);
        STORE(out[100], old[t]);
    }
}

static void lanes_take_turns_at_an_atomic(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(histogram, 8, &collect);
    expect_out((const unsigned[]){0, 0, 0, 1, 1, 1, 2, 2}, 8);
    for (size_t i = 0; i < 8; i++) {
        expect_out_value(32 + i, i % 3 == 2 ? 2 : 3); /* 0 3 6, 1 4 7, 2 5 */
    }
    expect_out_value(100, 28);
    assert_string_equal(collect.item[5].text,
                        "site 2 atom.shared.add.u32 old[t] = atomicAdd(&bins[bin[t]], 1)");
    assert_string_equal(collect.item[6].text, "w0 @2 atom.shared.add.u32 000000ff 0,4,8,0,4,8,0,4");
    assert_string_equal(collect.item[7].text, "site 3 red.shared.add.u32 atomicAdd(&bins[3], t)");
    assert_string_equal(collect.item[8].text, "w0 @3 red.shared.add.u32 000000ff 12+0");
    collect_free(&collect);
}

/* One thread; what each operation leaves and returns, from the CUDA Programming Guide's
 * definitions. */
static void atomics_compute_what_cuda_says(void **state)
{
    (void)state;
    static const struct {
        enum bsim_operation operation;
        unsigned before, value, compare, after;
    } cases[] = {
        {BSIM_ADD, 0xffffffff, 2, 0, 1},
        {BSIM_MIN, 5, 0x80000000, 0, 5},
        {BSIM_MAX, 5, 0x80000000, 0, 0x80000000},
        {BSIM_INC, 3, 4, 0, 4}, /* old >= value ? 0 : old + 1 */
        {BSIM_INC, 4, 4, 0, 0},
        {BSIM_DEC, 3, 4, 0, 2}, /* old == 0 || old > value ? value : old - 1 */
        {BSIM_DEC, 0, 4, 0, 4},
        {BSIM_DEC, 6, 4, 0, 4},
        {BSIM_AND, 12, 10, 0, 8},
        {BSIM_OR, 12, 10, 0, 14},
        {BSIM_XOR, 12, 10, 0, 6},
        {BSIM_EXCH, 12, 10, 0, 10},
        {BSIM_CAS, 12, 10, 12, 10},
        {BSIM_CAS, 12, 10, 11, 12},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsigned place = cases[i].before;
        unsigned old =
            bsim_atomic_uint(cases[i].operation, &place, cases[i].value, cases[i].compare);
        unsigned long long wide = cases[i].before;
        unsigned long long expected = i == 0 ? 0x100000001ull : cases[i].after;
        unsigned long long wide_old =
            bsim_atomic_ullong(cases[i].operation, &wide, cases[i].value, cases[i].compare);
        if (old != cases[i].before || place != cases[i].after || wide_old != cases[i].before ||
            wide != expected) {
            fail_msg("case %zu: old %u, then %u and %llu; expected %u, %u, %llu", i, old, place,
                     wide, cases[i].before, cases[i].after, expected);
        }
    }
}

static void signed_atomics_compare_signed(void **state)
{
    (void)state;
    int i = 5;
    long l = -5;
    long long ll = -5;
    unsigned long ul = 5;
    assert_int_equal(bsim_atomic_int(BSIM_MIN, &i, -1, 0), 5);
    assert_int_equal(i, -1);
    assert_int_equal(bsim_atomic_int(BSIM_MAX, &i, -2, 0), -1);
    assert_int_equal(i, -1);
    i = INT32_MAX;
    assert_int_equal(bsim_atomic_int(BSIM_ADD, &i, 1, 0), INT32_MAX);
    assert_int_equal(i, INT32_MIN);
    assert_int_equal(bsim_atomic_long(BSIM_MAX, &l, 3, 0), -5);
    assert_int_equal(l, 3);
    assert_int_equal(bsim_atomic_llong(BSIM_MIN, &ll, 3, 0), -5);
    assert_int_equal(ll, -5);
    assert_int_equal(bsim_atomic_ulong(BSIM_CAS, &ul, 9, 5), 5);
    assert_int_equal(ul, 9);
}

static void floating_atomics_add_and_exchange(void **state)
{
    (void)state;
    float f = 1.5F;
    double d = 1.5;
    assert_true(bsim_atomic_float(BSIM_ADD, &f, 2.25F, 0) == 1.5F && f == 3.75F);
    assert_true(bsim_atomic_float(BSIM_EXCH, &f, 2.25F, 0) == 3.75F && f == 2.25F);
    assert_true(bsim_atomic_double(BSIM_ADD, &d, 2.25, 0) == 1.5 && d == 3.75);
    assert_true(bsim_atomic_double(BSIM_EXCH, &d, 2.25, 0) == 3.75 && d == 2.25);
}

KERNEL(all_atomics)
{
    int *i = (int *)out;
    unsigned *u = out;
    float *f = (float *)out;
    unsigned long long *w = (unsigned long long *)(void *)out;
    PER_THREAD(int, x);
    PER_THREAD(unsigned, y);
    PER_THREAD(float, z);
    PER_THREAD(unsigned long long, q);
    ATOMIC_ADD(x[t], i[t], 1);
    ATOMIC_MIN(x[t], i[t], 1);
    ATOMIC_MAX(y[t], u[t], 1);
    ATOMIC_INC(y[t], u[t], 1);
    ATOMIC_DEC(y[t], u[t], 1);
    ATOMIC_AND(x[t], i[t], 1);
    ATOMIC_OR(x[t], i[t], 1);
    ATOMIC_XOR(x[t], i[t], 1);
    ATOMIC_EXCH(z[t], f[t], 1);
    ATOMIC_CAS(x[t], i[t], 1, 2);
    ATOMIC_ADD(z[t], f[t], 1);
    ATOMIC_CAS(q[t], w[t], 1, 2);
    RED_ADD(w[t], 1);
    RED_MIN(i[t], 1);
    RED_MAX(i[t], 1);
    RED_INC(u[t], 1);
    RED_DEC(u[t], 1);
    RED_AND(u[t], 1);
    RED_OR(u[t], 1);
    RED_XOR(u[t], 1);
}

static void atomics_have_their_opcodes(void **state)
{
    (void)state;
    static const char *const name[] = {
        "atom.global.add.u32",  "atom.global.min.s32", "atom.global.max.u32", "atom.global.inc.u32",
        "atom.global.dec.u32",  "atom.global.and.b32", "atom.global.or.b32",  "atom.global.xor.b32",
        "atom.global.exch.b32", "atom.global.cas.b32", "atom.global.add.f32", "atom.global.cas.b64",
        "red.global.add.u64",   "red.global.min.s32",  "red.global.max.s32",  "red.global.inc.u32",
        "red.global.dec.u32",   "red.global.and.b32",  "red.global.or.b32",   "red.global.xor.b32",
    };
    struct collect collect;
    run_threads(all_atomics, 1, &collect);
    for (uint32_t i = 0; i < COUNT(name); i++) {
        char got[BSIM_OPCODE_NAME_SIZE];
        const struct bsim_event *event = collect_event(&collect, i + 1, 0);
        assert_non_null(event);
        assert_string_equal(bsim_opcode_name(&event->opcode, got), name[i]);
    }
    collect_free(&collect);
}

/* ---- shuffles ------------------------------------------------------------------------------- */

enum shuffle { IDX, UP, DOWN, XOR };

struct shuffle_case {
    enum shuffle kind;
    unsigned operand, width;
};

KERNEL(shuffled)
{
    const struct shuffle_case *a = ARGUMENTS;
    PER_THREAD(unsigned, v);
    EACH_THREAD {
        v[t] = 100 + t;
    }
    switch (a->kind) {
    case IDX:
        SHFL_IDX(v[t], v[t], a->operand, a->width);
        break;
    case UP:
        SHFL_UP(v[t], v[t], a->operand, a->width);
        break;
    case DOWN:
        SHFL_DOWN(v[t], v[t], a->operand, a->width);
        break;
    case XOR:
        SHFL_XOR(v[t], v[t], a->operand, a->width);
        break;
    }
    STORE(out[t], v[t]);
}

/* CUDA's words: each segment of width lanes is a warp of its own, with ranks from 0. idx: rank
 * operand mod width. up, down: rank - operand, rank + operand, unchanged where there is none. xor:
 * lane ^ operand, which may be in an earlier segment, but unchanged if it is in a later one. */
static unsigned shuffle_by_the_guide(const struct shuffle_case *c, unsigned lane)
{
    unsigned segment = lane / c->width;
    unsigned rank = lane % c->width;
    unsigned other = lane ^ c->operand;
    switch (c->kind) {
    case IDX:
        return 100 + segment * c->width + c->operand % c->width;
    case UP:
        return c->operand <= rank ? 100 + lane - c->operand : 100 + lane;
    case DOWN:
        return rank + c->operand < c->width ? 100 + lane + c->operand : 100 + lane;
    default:
        return other / c->width > segment ? 100 + lane : 100 + other;
    }
}

static void shuffles_follow_cuda(void **state)
{
    (void)state;
    for (unsigned kind = IDX; kind <= XOR; kind++) {
        for (unsigned width = 1; width <= 32; width *= 2) {
            for (unsigned operand = 0; operand < 32; operand++) {
                struct shuffle_case c = {(enum shuffle)kind, operand, width};
                struct collect collect;
                struct bsim_launch launch =
                    launch_of(shuffled, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){32, 1, 1});
                launch.arguments = &c;
                run(&launch, &collect);
                for (unsigned lane = 0; lane < 32; lane++) {
                    if (out[lane] != shuffle_by_the_guide(&c, lane)) {
                        fail_msg("kind %u operand %u width %u: lane %u has %u", kind, operand,
                                 width, lane, out[lane]);
                    }
                }
                collect_free(&collect);
            }
        }
    }
}

/* Document 000: __shfl_sync(mask, x, 3, 16) gives lanes 0-15 the value of lane 3, and lanes 16-31
 * that of lane 19. */
static void the_documents_shuffle(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=32,1,1 shared=0",
        "block 0,0,0",
        "site 1 shfl.sync.idx.b32 v[t] = shfl(v[t], a->operand, a->width)",
        "w0 @1 shfl.sync.idx.b32 ffffffff -",
        "site 2 st.global.u32 out[t] = v[t]",
        "w0 @2 st.global.u32 ffffffff 1:0+4",
    };
    struct shuffle_case c = {IDX, 3, 16};
    struct collect collect;
    struct bsim_launch launch =
        launch_of(shuffled, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){32, 1, 1});
    launch.arguments = &c;
    run(&launch, &collect);
    expect_lines(&collect, line, COUNT(line));
    for (size_t lane = 0; lane < 32; lane++) {
        expect_out_value(lane, lane < 16 ? 103 : 119);
    }
}

KERNEL(wide_shuffle)
{
    PER_THREAD(double, d);
    PER_THREAD(unsigned, from);
    PER_THREAD(unsigned, v);
    EACH_THREAD {
        d[t] = t;
        from[t] = 31 - t;
    }
    SHFL_IDX(d[t], d[t], 31 - t, 32);
    SHFL_IDX(from[t], t + 50, from[t], 32); /* the source is gone once the value is there */
    STORE(out[t], (unsigned)d[t]);
    STORE(out[t + 32], from[t]);
    WHERE (t < 4) {
        SHFL_DOWN(v[t], t, 2, 32);
        STORE(out[t + 64], v[t]);
    }
}

static void eight_bytes_are_two_shuffles(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(wide_shuffle, 32, &collect);
    assert_int_equal(collect_count(&collect, 1), 2);
    assert_int_equal(collect_count(&collect, 2), 1);
    for (size_t lane = 0; lane < 32; lane++) {
        expect_out_value(lane, (unsigned)(31 - lane));
        expect_out_value(lane + 32, (unsigned)(31 - lane + 50));
    }
    collect_free(&collect);
}

static void who_is_not_there_brings_nothing(void **state)
{
    (void)state;
    struct collect collect;
    run_threads(wide_shuffle, 32, &collect);
    expect_out_value(64, 2);
    expect_out_value(65, 3);
    expect_out_value(66, 0x7f7f7f7f);
    expect_out_value(67, 0x7f7f7f7f);
    collect_free(&collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_a_stream_in_order),
        cmocka_unit_test(sites_have_their_source_place),
        cmocka_unit_test(warps_take_turns),
        cmocka_unit_test(a_kernel_may_do_nothing),
        cmocka_unit_test(launches_follow_one_another),
        cmocka_unit_test(a_place_is_one_site_per_space),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(the_type_gives_the_opcode),
        cmocka_unit_test(opcodes_are_of_the_format),
        cmocka_unit_test(spaces_and_volatile_show),
        cmocka_unit_test(addresses_are_lines_or_lists),
        cmocka_unit_test(threads_and_blocks_have_coordinates),
        cmocka_unit_test(threads_know_lane_and_warp),
        cmocka_unit_test(static_arrays_then_dynamic),
        cmocka_unit_test(each_block_starts_with_unwritten_memory),
        cmocka_unit_test(a_declaration_is_one_array),
        cmocka_unit_test(a_warp_reduces_in_lockstep),
        cmocka_unit_test(a_load_may_replace_its_index),
        cmocka_unit_test(the_highest_lane_wins_a_place),
        cmocka_unit_test(where_nests),
        cmocka_unit_test(each_thread_loops_as_long_as_it_must),
        cmocka_unit_test(barriers_do_not_wait_for_who_left),
        cmocka_unit_test(who_left_is_not_otherwise),
        cmocka_unit_test(a_condition_that_holds_for_all_is_no_divergence),
        cmocka_unit_test(a_body_for_nobody_is_skipped),
        cmocka_unit_test(repeat_and_work_are_records),
        cmocka_unit_test(lanes_take_turns_at_an_atomic),
        cmocka_unit_test(atomics_compute_what_cuda_says),
        cmocka_unit_test(signed_atomics_compare_signed),
        cmocka_unit_test(floating_atomics_add_and_exchange),
        cmocka_unit_test(atomics_have_their_opcodes),
        cmocka_unit_test(shuffles_follow_cuda),
        cmocka_unit_test(the_documents_shuffle),
        cmocka_unit_test(eight_bytes_are_two_shuffles),
        cmocka_unit_test(who_is_not_there_brings_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
