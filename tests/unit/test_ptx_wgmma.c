/* test_ptx_wgmma.c - wgmma in PTX: what four warps multiply, by operands in every layout; what the stream has of
 * it; what ends a launch. The texts are made here; what must come out is a product of matrices in plain C, of
 * small whole numbers, so that no sum is rounded. Where elements lie, and which registers of which thread
 * have which of D, is PTX ISA 9.0's ("Asynchronous Warpgroup Level Matrix Instructions").
 */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 64, THREADS = 128, A_AT = 0, B_AT = 16384, IMAGE_BYTES = 65536, TEXT_BYTES = 1 << 18 };

/* How an operand lies: rows of 128, 64 or 32 bytes with a swizzle, of which one wgmma takes the second 32 bytes
 * where they have more, or core matrices of 8 rows of 16 bytes; or turned, k going over the rows. */
enum layout { CORE, SPAN_128, SPAN_64, SPAN_32, CORE_TURNED, SPAN_128_TURNED, REGISTERS };

struct type {
    const char *name;
    uint32_t bytes;
};

static const struct type f16 = {"f16", 2}, bf16 = {"bf16", 2}, tf32 = {"tf32", 4},
                         e4m3 = {"e4m3", 1}, e5m2 = {"e5m2", 1}, s8 = {"s8", 1}, u8 = {"u8", 1};

struct product {
    uint32_t n;
    const struct type *a, *b;
    const char *d; /* type */
    enum layout a_layout, b_layout;
    int sign_a, sign_b;
    bool adds;
};

static int a_of(uint32_t i, uint32_t k)
{
    return (int)((3 * i + 5 * k) % 7) - 3;
}

static int b_of(uint32_t i, uint32_t k)
{
    return (int)((2 * i + i / 8 + k) % 5) - 2;
}

static int d_of(uint32_t row, uint32_t column)
{
    return (int)row - 2 * (int)(column % 16);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A whole number of at most 8 as the type has it; u8 has 3 more. */
static uint32_t bits_of(const struct type *type, int x)
{
    union {
        float f;
        uint32_t u;
    } single = {(float)x};
    uint32_t sign = single.u >> 31, exponent = single.u >> 23 & 0xff, rest = single.u & 0x7fffff;
    if (type == &s8 || type == &u8) {
        return (uint32_t)(type == &u8 ? x + 3 : x) & 0xff;
    }
    if (type == &tf32) {
        return single.u;
    }
    if (type == &bf16) {
        return single.u >> 16;
    }
    if (x == 0) {
        return 0;
    }
    return type == &f16    ? sign << 15 | (exponent - 127 + 15) << 10 | rest >> 13
           : type == &e4m3 ? sign << 7 | (exponent - 127 + 7) << 3 | rest >> 20
                           : sign << 7 | (exponent - 127 + 15) << 2 | rest >> 21;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Where element (i, k) lies from the operand's start on. */
static uint32_t place(enum layout layout, uint32_t bytes, uint32_t i, uint32_t k)
{
    uint32_t at;
    switch (layout) {
    case CORE: /* core matrices of 128 bytes: two side by side, then the next 8 rows */
        return i / 8 * 256 + k * bytes / 16 * 128 + i % 8 * 16 + k * bytes % 16;
    case SPAN_128:
        at = i * 128 + 32 + k * bytes;
        return at ^ (at >> 7 & 7) << 4;
    case SPAN_64:
        at = i * 64 + 32 + k * bytes;
        return at ^ (at >> 7 & 3) << 4;
    case SPAN_32:
        at = i * 32 + k * bytes;
        return at ^ (at >> 7 & 1) << 4;
    case CORE_TURNED: /* 8 of k below each other, 8 rows side by side; first over k */
        return i / 8 * 256 + k / 8 * 128 + k % 8 * 16 + i % 8 * 2;
    default: /* SPAN_128_TURNED: 64 rows side by side */
        at = i / 64 * 2048 + k * 128 + i % 64 * 2;
        return at ^ (at >> 7 & 7) << 4;
    }
}

/* start, LBO, SBO in bytes, and the swizzle, in 64 bits. */
static unsigned long long descriptor(enum layout layout, uint32_t at)
{
    static const struct {
        uint32_t start, leading, stride, swizzle;
    } fields[] = {[CORE] = {0, 128, 256, 0},        [SPAN_128] = {32, 16, 1024, 1},
                  [SPAN_64] = {32, 16, 512, 2},     [SPAN_32] = {0, 16, 256, 3},
                  [CORE_TURNED] = {0, 128, 256, 0}, [SPAN_128_TURNED] = {0, 2048, 1024, 1},
                  [REGISTERS] = {0, 0, 0, 0}};
    return (at + fields[layout].start) / 16 | (unsigned long long)(fields[layout].leading / 16) << 16 |
           (unsigned long long)(fields[layout].stride / 16) << 32 |
           (unsigned long long)fields[layout].swizzle << 62;
}

static void put_operand(unsigned char *image, enum layout layout, const struct type *type, uint32_t rows,
                        int (*of)(uint32_t i, uint32_t k))
{
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < 32 / type->bytes; k++) {
            uint32_t bits = bits_of(type, of(i, k));
            memcpy(image + place(layout, type->bytes, i, k), &bits, type->bytes);
        }
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

struct text {
    char *at;
    size_t used;
};

static void add(struct text *text, const char *format, ...) BSIM_PRINTF(2, 3);

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->at + text->used, TEXT_BYTES - text->used, format, arguments);
    va_end(arguments);
    assert_true(text->used < TEXT_BYTES);
}

/* All of the image is copied to shared memory, of which it is all; %r0 is the thread. */
static void add_head(struct text *text, const unsigned char *image, uint32_t bytes)
{
    add(text, ".version 8.0\n.target sm_90a\n.address_size 64\n.global .align 16 .b32 image[%u] = {",
        (unsigned)(bytes / 4));
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, image + i, 4);
        add(text, "%s%u", i > 0 ? "," : "", (unsigned)word);
    }
    add(text,
        "};\n.visible .entry k(.param .u64 p) {\n .reg .pred %%p<8>;\n .reg .b32 %%r<16>;\n"
        " .reg .b32 %%d<128>;\n .reg .b32 %%a<4>;\n .reg .b64 %%rd<16>;\n"
        " .shared .align 1024 .b8 s[%u];\n ld.param.u64 %%rd1, [p];\n mov.u32 %%r0, %%tid.x;\n"
        " mov.u32 %%r1, %%r0;\nCOPY:\n setp.ge.u32 %%p1, %%r1, %u;\n @%%p1 bra COPIED;\n"
        " mul.wide.u32 %%rd2, %%r1, 4;\n mov.u64 %%rd3, image;\n add.u64 %%rd2, %%rd2, %%rd3;\n"
        " ld.global.u32 %%r2, [%%rd2];\n shl.b32 %%r3, %%r1, 2;\n mov.u32 %%r4, s;\n"
        " add.u32 %%r3, %%r3, %%r4;\n st.shared.u32 [%%r3], %%r2;\n mov.u32 %%r4, %%ntid.x;\n"
        " add.u32 %%r1, %%r1, %%r4;\n bra COPY;\nCOPIED:\n fence.proxy.async.shared::cta;\n"
        " bar.sync 0;\n",
        (unsigned)bytes, (unsigned)(bytes / 4));
}

static void add_list(struct text *text, const char *name, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++) {
        add(text, "%s%%%s%u", r > 0 ? ", " : "{", name, (unsigned)r);
    }
    add(text, "}");
}

#define TAIL " ret;\n}\n"

/* ---- products -------------------------------------------------------------------------------- */

static bool is_half(const struct product *product)
{
    return strcmp(product->d, "f16") == 0;
}

static bool is_whole(const struct product *product)
{
    return strcmp(product->d, "s32") == 0;
}

/* What a register of D has at first: of halves two numbers. */
static uint32_t first_bits(const struct product *product, uint32_t row, uint32_t column)
{
    int x = d_of(row, column);
    return is_half(product)    ? bits_of(&f16, x) | bits_of(&f16, d_of(row, column + 1)) << 16
           : is_whole(product) ? (uint32_t)x
                               : bits_of(&tf32, x);
}

/* Row and column of the first number of register r of a thread. */
static void find_place(const struct product *product, uint32_t thread, uint32_t r, uint32_t *row,
                       uint32_t *column)
{
    uint32_t pair = is_half(product) ? r : r / 2; /* 8 columns are two pairs: rows g and g + 8 */
    *row = thread / 32 * 16 + thread % 32 / 4 + pair % 2 * 8;
    *column = pair / 2 * 8 + thread % 4 * 2 + (is_half(product) ? 0 : r % 2);
}

static uint32_t registers_of(const struct product *product)
{
    return product->n / (is_half(product) ? 4 : 2);
}

/* Registers get what they have at first by a table behind the operands; A's are read where A lies in CORE. */
static void add_registers(struct text *text, const struct product *product)
{
    for (uint32_t r = 0; r < registers_of(product); r++) {
        add(text, " mul.wide.u32 %%rd4, %%r0, 4;\n add.u64 %%rd4, %%rd4, %%rd1;\n ld.global.u32 %%d%u, [%%rd4+%u];\n",
            (unsigned)r, (unsigned)(4 * THREADS * r));
    }
    add(text, " shr.u32 %%r5, %%r0, 5;\n shl.b32 %%r5, %%r5, 9;\n and.b32 %%r6, %%r0, 31;\n"
              " shl.b32 %%r6, %%r6, 2;\n add.u32 %%r5, %%r5, %%r6;\n mov.u32 %%r6, s;\n"
              " add.u32 %%r5, %%r5, %%r6;\n");
    static const unsigned offset[] = {0, 256, 128, 384};
    for (uint32_t r = 0; product->a_layout == REGISTERS && r < 4; r++) {
        add(text, " ld.shared.u32 %%a%u, [%%r5+%u];\n", (unsigned)r, offset[r]);
    }
}

static void add_wgmma(struct text *text, const struct product *product)
{
    const struct type *a = product->a, *b = product->b;
    bool is_turned[2] = {product->a_layout == CORE_TURNED || product->a_layout == SPAN_128_TURNED,
                         product->b_layout == CORE_TURNED || product->b_layout == SPAN_128_TURNED};
    add(text, " mov.b64 %%rd6, %llu;\n mov.b64 %%rd7, %llu;\n setp.%s.u32 %%p2, 1, 1;\n",
        descriptor(product->a_layout, A_AT), descriptor(product->b_layout, B_AT),
        product->adds ? "eq" : "ne");
    add(text, " wgmma.fence.sync.aligned;\n wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s ",
        (unsigned)product->n, (unsigned)(32 / a->bytes), product->d, a->name, b->name);
    add_list(text, "d", registers_of(product));
    if (product->a_layout == REGISTERS) {
        add(text, ", ");
        add_list(text, "a", 4);
    } else {
        add(text, ", %%rd6");
    }
    add(text, ", %%rd7, %%p2");
    if (!is_whole(product)) {
        add(text, ", %d, %d", product->sign_a, product->sign_b);
    }
    if (a->bytes == 2 && product->a_layout != REGISTERS) {
        add(text, ", %d", is_turned[0]);
    }
    if (a->bytes == 2) {
        add(text, ", %d", is_turned[1]);
    }
    add(text, ";\n wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;\n");
    for (uint32_t r = 0; r < registers_of(product); r++) {
        add(text, " st.global.u32 [%%rd4+%u], %%d%u;\n", (unsigned)(4 * THREADS * r), (unsigned)r);
    }
}

static int number_of(const struct type *type, int x)
{
    return type == &u8 ? x + 3 : x;
}

static int sum_of(const struct product *product, uint32_t row, uint32_t column)
{
    int sum = 0;
    for (uint32_t k = 0; k < 32 / product->a->bytes; k++) {
        sum += number_of(product->a, a_of(row, k)) * number_of(product->b, b_of(column, k));
    }
    sum *= is_whole(product) ? 1 : product->sign_a * product->sign_b;
    return sum + (product->adds ? d_of(row, column) : 0);
}

/* Of halves up to 2048, which are exact. */
static uint32_t half_bits(int x)
{
    uint32_t size = (uint32_t)abs(x), exponent = 0;
    while (size >> exponent > 1) {
        exponent++;
    }
    return x == 0 ? 0 : (x < 0 ? 0x8000u : 0) | (exponent + 15) << 10 | ((size << (10 - exponent)) & 0x3ff);
}

static uint32_t expected_bits(const struct product *product, uint32_t row, uint32_t column)
{
    int x = sum_of(product, row, column);
    return is_half(product)    ? half_bits(x) | half_bits(sum_of(product, row, column + 1)) << 16
           : is_whole(product) ? (uint32_t)x
                               : bits_of(&tf32, x);
}

/* Runs the text with `out` in argument 0; what it was and what comes of it are `out`. */
static void run_product(const struct product *product, uint32_t *out, struct collect *collect)
{
    static unsigned char image[IMAGE_BYTES];
    static char room[TEXT_BYTES];
    struct text text = {room, 0};
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    char launch[80], message[1024];
    size_t size = 0, n = (size_t)registers_of(product) * THREADS;
    memset(image, 0, sizeof image);
    put_operand(image + A_AT, product->a_layout == REGISTERS ? CORE : product->a_layout, product->a, M,
                a_of);
    put_operand(image + B_AT, product->b_layout, product->b, product->n, b_of);
    /* the table of D's first numbers is behind the image, of which the launch copies it */
    add_head(&text, image, B_AT + 128 * product->n);
    add_registers(&text, product);
    add_wgmma(&text, product);
    add(&text, TAIL);
    (void)snprintf(launch, sizeof launch, "k<<<1, 128>>>(int[%zu])", n);
    struct bsim_sink sink = collect_sink(collect);
    if (bsim_ptx_call_new("k.ptx", room, text.used, launch, &call, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    uint32_t *array = (uint32_t *)(uintptr_t)bsim_ptx_call_array(call, "0", &size);
    memcpy(array, out, size);
    if (bsim_ptx_call_run(call, &sink, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    memcpy(out, array, size);
    bsim_ptx_call_free(call);
}

static void check_product(const struct product *product)
{
    static uint32_t out[128 * THREADS];
    struct collect collect = {0};
    struct ptx_run run;
    char name[100];
    for (uint32_t i = 0; i < registers_of(product) * THREADS; i++) {
        uint32_t row, column;
        find_place(product, i % THREADS, i / THREADS, &row, &column);
        out[i] = first_bits(product, row, column);
    }
    run_product(product, out, &collect);
    for (uint32_t i = 0; i < registers_of(product) * THREADS; i++) {
        uint32_t row, column;
        find_place(product, i % THREADS, i / THREADS, &row, &column);
        if (out[i] != expected_bits(product, row, column)) {
            fail_msg("n%u %s %d %d: thread %u, register %u is %x, not %x", (unsigned)product->n,
                     product->a->name, product->a_layout, product->b_layout, (unsigned)(i % THREADS),
                     (unsigned)(i / THREADS), (unsigned)out[i],
                     (unsigned)expected_bits(product, row, column));
        }
    }
    run.collect = collect;
    (void)snprintf(name, sizeof name, "w0 @1 wgmma.mma_async.sync.aligned.m64n%uk%u.%s ffffffff",
                   (unsigned)product->n, (unsigned)(32 / product->a->bytes), product->a->name);
    assert_int_equal(ptx_count_events(&run, "wgmma"), 1);
    if (product->a_layout != REGISTERS) { /* whose loads are the first site */
        assert_int_equal(ptx_count_events(&run, product->a->name), 1);
    }
    collect_free(&run.collect);
}

static void products_of_every_layout(void **state)
{
    (void)state;
    for (int a = CORE; a <= REGISTERS; a++) {
        for (int b = CORE; b < REGISTERS; b++) {
            struct product product = {.n = 64, .a = &f16, .b = &f16, .d = "f32", .a_layout = (enum layout)a,
                                      .b_layout = (enum layout)b, .sign_a = 1, .sign_b = 1};
            check_product(&product);
        }
    }
}

static void products_of_every_type(void **state)
{
    (void)state;
    static const struct product products[] = {
        {8, &bf16, &bf16, "f32", SPAN_128, SPAN_128, 1, 1, true},
        {24, &tf32, &tf32, "f32", SPAN_64, SPAN_128, 1, 1, true},
        {16, &tf32, &tf32, "f32", REGISTERS, CORE, 1, 1, false},
        {8, &e4m3, &e4m3, "f32", SPAN_32, CORE, 1, 1, true},
        {40, &e4m3, &e5m2, "f32", REGISTERS, SPAN_64, 1, 1, true},
        {16, &e5m2, &e4m3, "f16", CORE, SPAN_128, 1, 1, true},
        {32, &s8, &s8, "s32", SPAN_128, SPAN_64, 1, 1, true},
        {8, &u8, &s8, "s32", REGISTERS, CORE, 1, 1, true},
        {96, &s8, &u8, "s32", CORE, SPAN_32, 1, 1, false},
        {128, &f16, &f16, "f16", SPAN_128, SPAN_128, 1, 1, true},
        {256, &f16, &f16, "f32", SPAN_128, CORE, 1, 1, true},
        {8, &f16, &f16, "f32", CORE, CORE, -1, 1, true},
        {8, &f16, &f16, "f32", CORE, CORE, 1, -1, true},
        {8, &bf16, &bf16, "f32", CORE_TURNED, SPAN_128, -1, -1, true},
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        check_product(&products[i]);
    }
}

/* ---- the stream ------------------------------------------------------------------------------ */

#define NEXT " mov.b64 %%rd6, %llu;\n wgmma.fence.sync.aligned;\n"
#define WGMMA(a)                                                                                   \
    " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%d0, %%d1, %%d2, %%d3}, " a                \
    ", %%rd6, 1, 1, 1, 0, 0;\n"
#define COMMIT " wgmma.commit_group.sync.aligned;\n"
#define WAIT(n) " wgmma.wait_group.sync.aligned " n ";\n"

static char room[TEXT_BYTES];

/* A and B are the same 64 rows of 32 bytes, of which nothing is stored where `bytes` is less. */
static const char *make_text(const char *middle, uint32_t bytes)
{
    static unsigned char image[2048];
    struct text text = {room, 0};
    add_head(&text, image, bytes);
    add(&text, NEXT, descriptor(CORE, 0));
    add(&text, middle, 0);
    add(&text, TAIL);
    return room;
}

/* Two groups, of which the first is waited for, then the other. The first warp has the events. */
static void groups_are_results_of_the_first_warp(void **state)
{
    (void)state;
    struct bsim_ptx_call *call = NULL;
    struct collect collect = {0};
    struct bsim_error err;
    struct bsim_ptx_options options = {.has_work = true};
    struct bsim_sink sink = collect_sink(&collect);
    const char *text = make_text(WGMMA("%%rd6") COMMIT WGMMA("%%rd6") COMMIT WAIT("1") WAIT("0") WAIT("0"), 2048);
    assert_int_equal(bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<1, 256>>>(int[1])", &call, &err),
                     BSIM_OK);
    bsim_ptx_call_set(call, &options);
    assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
    static const struct {
        const char *part;
        size_t n;
    } due[] = {{"wgmma", 4}, {"await 1:1", 3}, {"await 2:1", 3}, {"await", 12}, {"arrive", 4}};
    struct ptx_run run = {.collect = collect};
    for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
        assert_int_equal(ptx_count_events(&run, due[i].part), due[i].n);
    }
    int32_t next = 1; /* of each warpgroup: wait=1, wait=0 */
    for (size_t i = 0; i < collect.n; i++) {
        const struct bsim_event *event = &collect.item[i].event;
        if (collect.item[i].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_ARRIVE) {
            assert_int_equal(event->warp % 4, 0);
        }
        if (collect.item[i].kind == BSIM_RECORD_EVENT && event->warp == 4 &&
            event->wait != BSIM_ANY_COUNT && event->opcode.family != BSIM_ST && next >= 0 &&
            (event->opcode.family == BSIM_ARRIVE || event->opcode.family == BSIM_WORK)) {
            next = event->wait == next ? next - 1 : next;
        }
    }
    assert_int_equal(next, -1);
    bsim_ptx_call_free(call);
    collect_free(&collect);
}

/* ---- what ends a launch ---------------------------------------------------------------------- */

static void expect_end(const char *middle, const char *launch, enum bsim_status status, const char *message)
{
    struct ptx_run run;
    ptx_run_launch(&run, make_text(middle, 2048), launch);
    if (run.status != status || strstr(run.err.message, message) == NULL) {
        fail_msg("%d: %s, not %s", (int)run.status, run.err.message, message);
    }
    collect_free(&run.collect);
}

static void what_is_no_wgmma_is_refused(void **state)
{
    (void)state;
    static const char launch[] = "k<<<1, 128>>>(int[1])", unknown[] = "'wgmma' is not known here, or not in this form";
#define KIND(kind, rest)                                                                           \
    " wgmma.mma_async.sync.aligned." kind " {%%d0, %%d1, %%d2, %%d3}, %%rd6, %%rd6, 1" rest ";\n"
    expect_end(KIND("m64n8k32.f32.f16.f16", ", 1, 1, 0, 0"), launch, BSIM_E_INPUT, unknown);
    expect_end(KIND("m64n16k16.f32.f16.f16", ", 1, 1, 0, 0"), launch, BSIM_E_INPUT, unknown);
    expect_end(KIND("m64n8k16.f32.f16.bf16", ", 1, 1, 0, 0"), launch, BSIM_E_INPUT, unknown);
    expect_end(KIND("m64n8k16.f32.f16.f16", ", 1, 1"), launch, BSIM_E_INPUT, unknown);
    expect_end(KIND("m64n8k32.s32.s8.f16", ""), launch, BSIM_E_INPUT, unknown);
    expect_end(KIND("m64n8k256.s32.b1.b1.and.popc", ""), launch, BSIM_E_INPUT, unknown);
#define D4 "%%d0, %%d0, %%d0, %%d0"
    expect_end(" wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {" D4 ", " D4 ", " D4 ", " D4 ", " D4 "}, %%rd6, "
               "%%rd6, 1;\n", launch, BSIM_E_INPUT, unknown); /* as ptxas says: of whole numbers there is no n40 */
    expect_end(KIND("m65n8k16.f32.f16.f16", ", 1, 1, 0, 0"), launch, BSIM_E_INPUT,
               "'.m65n8k16' is not known here");
    expect_end(" wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%%d0, %%d1, %%d2, %%d3}, %%rd6, %%rd6, "
               "%%r1, 0, 1, 1, 1;\n",
               launch, BSIM_E_INPUT, "'.sp' is not known here");
}

static void operands_that_nobody_stored_end_the_launch(void **state)
{
    (void)state;
    static const char launch[] = "k<<<1, 128>>>(int[1])";
    expect_end(" mov.b64 %%rd6, 0x0000000000080000;\n" WGMMA("%%rd6"), launch, BSIM_E_KERNEL,
               "A: the elements at k = 0, row 0 and at k = 0, row 8 would be the same, at byte 0");
    expect_end(" mov.b64 %%rd8, 0x0000001000080040;\n" WGMMA("%%rd8"), launch, BSIM_E_KERNEL,
               "A: the element at k = 0, row 32 would be at byte 2048, behind the 2048 of shared memory");
    expect_end(" cvt.u64.u32 %%rd8, %%r0;\n" WGMMA("%%rd8"), launch, BSIM_E_KERNEL,
               "thread (1,0,0): the descriptor of A is another than that of lane 0");
    expect_end(" shr.u32 %%r5, %%r0, 5;\n cvt.u64.u32 %%rd8, %%r5;\n add.u64 %%rd8, %%rd8, %%rd6;\n" WGMMA("%%rd8"), launch,
               BSIM_E_KERNEL, "thread (32,0,0): the descriptor of A is another");
}

static void four_warps_are_due(void **state)
{
    (void)state;
    expect_end(WGMMA("%%rd6"), "k<<<1, 96>>>(int[1])", BSIM_E_KERNEL,
               "wgmma is executed by four warps, of which the block has not all");
    expect_end(WGMMA("%%rd6"), "k<<<1, 120>>>(int[1])", BSIM_E_KERNEL, "wgmma needs all 32 lanes of a warp");
    expect_end(" setp.lt.u32 %%p3, %%r0, 70;\n @%%p3" WGMMA("%%rd6"), "k<<<1, 128>>>(int[1])", BSIM_E_KERNEL,
               "wgmma needs all 32 lanes of a warp");
    expect_end(" setp.lt.u32 %%p3, %%r0, 64;\n @%%p3 bra E;\n" WGMMA("%%rd6") "E:\n", "k<<<1, 128>>>(int[1])",
               BSIM_E_KERNEL, "a deadlock: 64 threads wait here for other warps of their four");
    expect_end(" setp.lt.u32 %%p3, %%r0, 64;\n @%%p3 bra E;\n" WGMMA("%%rd6") " bra F;\nE:\n" WGMMA("%%rd6") "F:\n",
               "k<<<1, 128>>>(int[1])", BSIM_E_KERNEL, "of its four is at another wgmma, at line");
}

/* The operand is in an array behind the one that was stored, or in that. */
static void what_nobody_has_stored_is_told(void **state)
{
    (void)state;
    for (int is_whole_image = 0; is_whole_image < 2; is_whole_image++) {
        struct bsim_ptx_call *call = NULL;
        struct collect collect = {0};
        struct bsim_error err;
        struct bsim_ptx_options options = {0};
        struct bsim_sink sink = collect_sink(&collect);
        const char *text = make_text(" .shared .align 128 .b8 more[2048];\n mov.b64 %%rd8, 0x0000001000080080;\n"
                                     " mov.u32 %%r9, more;\n" WGMMA("%%rd8"),
                                     2048);
        if (is_whole_image) {
            text = make_text(WGMMA("%%rd6"), 2048);
        }
        assert_int_equal(bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<1, 128>>>(int[1])", &call, &err),
                         BSIM_OK);
        bsim_ptx_call_set(call, &options);
        assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
        const char *found = bsim_ptx_call_findings(call);
        assert_true((strstr(found, "warp 0: reads 16 bytes at byte 2048 of shared memory that nobody wrote") !=
                     NULL) == !is_whole_image);
        bsim_ptx_call_free(call);
        collect_free(&collect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_every_layout),
        cmocka_unit_test(products_of_every_type),
        cmocka_unit_test(groups_are_results_of_the_first_warp),
        cmocka_unit_test(what_is_no_wgmma_is_refused),
        cmocka_unit_test(operands_that_nobody_stored_end_the_launch),
        cmocka_unit_test(four_warps_are_due),
        cmocka_unit_test(what_nobody_has_stored_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
