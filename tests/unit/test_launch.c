/* test_launch.c - the words of kernel.h: the stream that small kernels push, record by record
 * against lists worked out by hand; addresses, opcodes, shared memory, lockstep. */
#include <banksim/kernel.h>

#include "small_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static unsigned *const out = small_out;
static unsigned *const constant = small_constant;

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

KERNEL(fenced)
{
    SHARED_1D(unsigned, tile, 32);
    STORE(tile[t], t);
    WHERE (t < 4) {
        FENCE_PROXY_ASYNC_SHARED();
        FENCE_PROXY_ASYNC();
    }
}

static void pushes_fences_between_proxies(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=32,1,1 shared=128 x-shared=tile@0:unsigned[32]",
        "block 0,0,0",
        "site 1 st.shared.u32 tile[t] = t",
        "w0 @1 st.shared.u32 ffffffff 0+4",
        "w0 @0 fence.proxy.async.shared::cta 0000000f -",
        "w0 @0 fence.proxy.async 0000000f -",
    };
    struct collect collect;
    struct bsim_launch launch = small_launch(fenced, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){32, 1, 1});
    small_run(&launch, &collect);
    small_expect_lines(&collect, line, COUNT(line));
}

static void pushes_a_stream_in_order(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=2,1,1 block=4,2,1 shared=40 x-shared=tile@0:unsigned[2][5]",
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
        small_launch(two_rows, (struct bsim_dim3){2, 1, 1}, (struct bsim_dim3){4, 2, 1});
    small_run(&launch, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    small_expect_out(expected, COUNT(expected));
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
    small_run_threads(one_store, 1, &collect);
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
    small_run_threads(one_store, 70, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    small_expect_value(69, 69);
    small_expect_value(70, 0);
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
    static const char *const line[] = {"kernel k grid=1,2,1 block=1,1,1 shared=24 "
                                       "x-shared=a@0:double[3]",
                                       "block 0,0,0",
                                       "block 0,1,0"};
    struct collect collect;
    struct bsim_launch launch =
        small_launch(nothing, (struct bsim_dim3){1, 2, 1}, (struct bsim_dim3){1, 1, 1});
    small_run(&launch, &collect);
    small_expect_lines(&collect, line, COUNT(line));
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
        small_launch(one_store, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){1, 1, 1});
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_push_end(&sink, NULL), BSIM_OK);
    small_expect_lines(&collect, line, COUNT(line));
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
        "kernel k grid=1,1,1 block=1,1,1 shared=16 x-shared=s@0:unsigned[4]", "block 0,0,0",
        "site 1 st.shared.u32 where[i][0] = 7",      "w0 @1 st.shared.u32 00000001 0+0",
        "site 2 st.global.u32 where[i][0] = 7",      "w0 @2 st.global.u32 00000001 1:0+0",
        "w0 @1 st.shared.u32 00000001 0+0",
    };
    struct collect collect;
    small_run_threads(one_place_twice, 1, &collect);
    small_expect_lines(&collect, line, COUNT(line));
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
    small_run_threads(long_text, 1, &collect);
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
    small_run_threads(all_types, 2, &collect);
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
    small_run_threads(all_types, 2, &collect);
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
        "kernel k grid=1,1,1 block=2,1,1 shared=4 x-shared=s@0:unsigned[1]",
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
    small_run_threads(spaces, 2, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    small_expect_out((const unsigned[]){11, 12}, 2);
}

KERNEL(other_loads)
{
    const unsigned *texture = constant;
    LOCAL_1D(unsigned, a, 3);
    LOCAL_1D(unsigned char, b, 1);
    PER_THREAD(unsigned, v);
    LOAD(v[t], texture[t]);
    STORE(a[t][2], v[t]);
    STORE(b[t][0], 1);
    STORE(out[t], v[t]);
    LDG(v[t], out[0]);
    LDU(v[t], out[1]);
    LOAD(v[t], a[t][2]);
    STORE(out[t], v[t]);
}

/* A thread's second array lies 16 bytes behind its first, which has 12. */
static void textures_and_local_memory_show(void **state)
{
    (void)state;
    static const char *const line[] = {
        "kernel k grid=1,1,1 block=2,1,1 shared=0",
        "block 0,0,0",
        "site 1 tex.1d.u32 v[t] = texture[t]",
        "w0 @1 tex.1d.u32 00000003 2:0+4",
        "site 2 st.local.u32 a[t][2] = v[t]",
        "w0 @2 st.local.u32 00000003 8+0",
        "site 3 st.local.u8 b[t][0] = 1",
        "w0 @3 st.local.u8 00000003 16+0",
        "site 4 st.global.u32 out[t] = v[t]",
        "w0 @4 st.global.u32 00000003 1:0+4",
        "site 5 ld.global.nc.u32 v[t] = __ldg(&out[0])",
        "w0 @5 ld.global.nc.u32 00000003 1:0+0",
        "site 6 ldu.global.u32 v[t] = ldu(&out[1])",
        "w0 @6 ldu.global.u32 00000003 1:4+0",
        "site 7 ld.local.u32 v[t] = a[t][2]",
        "w0 @7 ld.local.u32 00000003 8+0",
        "site 8 st.global.u32 out[t] = v[t]",
        "w0 @8 st.global.u32 00000003 1:0+4",
    };
    struct collect collect;
    struct bsim_launch launch =
        small_launch(other_loads, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){2, 1, 1});
    launch.arrays[1].space = BSIM_TEXTURE;
    constant[0] = 11;
    constant[1] = 12;
    small_run(&launch, &collect);
    small_expect_lines(&collect, line, COUNT(line));
    small_expect_out((const unsigned[]){11, 12}, 2);
}

KERNEL(store_to_a_texture)
{
    unsigned *texture = constant;
    STORE(texture[t], 1);
}

KERNEL(texture_of_doubles)
{
    const double *texture = (const void *)constant;
    PER_THREAD(double, v);
    LOAD(v[t], texture[t]);
}

static void textures_are_read_in_words(void **state)
{
    (void)state;
    static const struct {
        void (*body)(struct bsim_cta *cta);
        const char *message;
    } cases[] = {
        {store_to_a_texture, "stores 4 bytes of a texture, which is read by LOAD: texture[t] = 1"},
        {texture_of_doubles, "of a texture, whose components have 32 bits at most"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bsim_launch launch =
            small_launch(cases[i].body, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){2, 1, 1});
        struct collect collect = {.n = 0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err;
        launch.arrays[1].space = BSIM_TEXTURE;
        assert_int_not_equal(bsim_launch_run(&launch, &sink, &err), BSIM_OK);
        assert_non_null(strstr(err.message, cases[i].message));
        collect_free(&collect);
    }
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

/* Of s[8 + t / 2] in the odd lanes: lane 1 is at 32 and lane 3 at 36, 2 bytes per lane, so 30 + 2l.
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
    small_run_threads(forms, 32, &collect);
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
        small_launch(coordinates, (struct bsim_dim3){2, 2, 2}, (struct bsim_dim3){2, 3, 2});
    small_run(&launch, &collect);
    size_t n_blocks = 0;
    for (size_t i = 0; i < collect.n; i++) {
        if (collect.item[i].kind == BSIM_RECORD_BLOCK) {
            assert_string_equal(collect.item[i].text, blocks[n_blocks++]);
        }
    }
    assert_int_equal(n_blocks, 8);
    small_expect_value(0, 22000000);
    small_expect_value(11, 22000000 + 121);            /* thread (1,2,1) */
    small_expect_value(7 * 12 + 6, 22000000 + 111100); /* block (1,1,1), thread (0,0,1) */
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
    small_run_threads(lanes, 64, &collect);
    small_expect_value(0, 32000);
    small_expect_value(31, 32031);
    small_expect_value(33, 32101);
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
        small_launch(layout, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){1, 1, 1});
    launch.dynamic_shared_bytes = 20;
    small_run(&launch, &collect);
    assert_string_equal(collect.item[0].text, "kernel k grid=1,1,1 block=1,1,1 shared=84 "
                        "x-shared=a@0:char[3]+b@8:double[1]+c@16:short[1]+d@32:float4[1]+"
                        "e@48:char[1]+f@64:int[]");
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
        small_launch(unwritten, (struct bsim_dim3){2, 1, 1}, (struct bsim_dim3){1, 1, 1});
    launch.dynamic_shared_bytes = 4;
    small_run(&launch, &collect);
    small_expect_out(expected, COUNT(expected));
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
    small_run_threads(declared_in_a_loop, 1, &collect);
    small_expect_out((const unsigned[]){0x7f7f7f7f, 0, 1}, 3);
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
    small_run_threads(last_warp, 32, &collect);
    small_expect_value(0, 63 * 64 * 127 / 6); /* 0 + 1 + 4 + ... + 63 * 63 */
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
    small_run_threads(rotate, 4, &collect);
    small_expect_out((const unsigned[]){101, 102, 103, 100}, 4);
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
    small_run_threads(same_place, 40, &collect);
    small_expect_value(0, 39);
    collect_free(&collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_a_stream_in_order),
        cmocka_unit_test(pushes_fences_between_proxies),
        cmocka_unit_test(sites_have_their_source_place),
        cmocka_unit_test(warps_take_turns),
        cmocka_unit_test(a_kernel_may_do_nothing),
        cmocka_unit_test(launches_follow_one_another),
        cmocka_unit_test(a_place_is_one_site_per_space),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(the_type_gives_the_opcode),
        cmocka_unit_test(opcodes_are_of_the_format),
        cmocka_unit_test(spaces_and_volatile_show),
        cmocka_unit_test(textures_and_local_memory_show),
        cmocka_unit_test(textures_are_read_in_words),
        cmocka_unit_test(addresses_are_lines_or_lists),
        cmocka_unit_test(threads_and_blocks_have_coordinates),
        cmocka_unit_test(threads_know_lane_and_warp),
        cmocka_unit_test(static_arrays_then_dynamic),
        cmocka_unit_test(each_block_starts_with_unwritten_memory),
        cmocka_unit_test(a_declaration_is_one_array),
        cmocka_unit_test(a_warp_reduces_in_lockstep),
        cmocka_unit_test(a_load_may_replace_its_index),
        cmocka_unit_test(the_highest_lane_wins_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
