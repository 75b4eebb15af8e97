/* test_record.c - kernels recorded for advice: what is kept of their requests, which arrays they have;
 * and that advice on what a check does is advice on the check. */
#include "failing_memory.h"
#include "sealed.h"
#include "trace_text.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { MOST_ALLOCATIONS = 4000 };

static struct bsim_recorder *record(const char *trace, size_t most)
{
    struct bsim_error err;
    char message[1024];
    struct bsim_recorder *recorder = bsim_recorder_new(most);
    assert_non_null(recorder);
    struct bsim_sink sink = bsim_recorder_sink(recorder);
    if (trace_text_read(trace, strlen(trace), 0, &sink, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    return recorder;
}

/* A sealed check of its kernel i, with declarations (or NULL); takes the recorder. */
static enum bsim_status try_check(struct bsim_recorder *recorder, size_t i, const char *shared,
                                  struct bsim_check **check, struct bsim_error *err)
{
    *check = bsim_check_new();
    assert_non_null(*check);
    enum bsim_status status = bsim_check_record(*check, recorder, i, NULL, err);
    if (status == BSIM_OK && shared != NULL) {
        status = bsim_check_add(*check, "shared", shared, "--shared", err);
    }
    return status == BSIM_OK ? bsim_check_seal(*check, err) : status;
}

static struct bsim_check *make_check(const char *trace, size_t i, const char *shared)
{
    struct bsim_error err;
    char message[1024];
    struct bsim_check *check;
    if (try_check(record(trace, 0), i, shared, &check, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    return check;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* "access x times @array:offset of lane 0\n" for each request. */
static enum bsim_status describe(void *context, const struct bsim_check_request *request,
                                 struct bsim_error *err)
{
    (void)err;
    bsim_buffer_printf(context, "%u x%u @%u:%u\n", (unsigned)request->access,
                       (unsigned)request->times, (unsigned)request->array[0],
                       (unsigned)request->offset[0]);
    return BSIM_OK;
}

static void expect_requests(const struct bsim_check *check, const char *wanted)
{
    struct bsim_error err;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_check_visitor visitor = {.shared = describe, .context = &text};
    assert_int_equal(bsim_check_each(check, &visitor, &err), BSIM_OK);
    assert_string_equal(text.data, wanted);
    bsim_buffer_free(&text);
}

#define TWO_WARPS "banksim-trace 1\nkernel k grid=2 block=64 shared=4096\n"

/* w* of two warps; 3 turns; a second block; a second launch of the same; what an earlier one did. The
 * other launch, of 7 more, is not the one that is repeated. */
static void equal_requests_are_one(void **state)
{
    (void)state;
    struct bsim_check *check = make_check(
        TWO_WARPS
        "site 4 ld.shared.f32\nblock 0\nw* @4 ffffffff 0+4\nrepeat 3\n"
        "w1 @4 ffffffff 0+4\nw1 @4 0000ffff 128+4\ndone\nblock 1\nw0 @4 ffffffff 0+4\n"
        "kernel other block=32 shared=4096\nblock 0\nrepeat 7\nw0 ld.shared.f32 ffffffff 0+4\n"
        "done\nkernel k grid=2 block=64 shared=4096 again=2\nend\n",
        0, NULL);
    expect_requests(check, "0 x12 @0:0\n0 x6 @0:128\n"); /* (2 + 3 + 1) * 2, 3 * 2 */
    const struct bsim_recorded *recorded = bsim_check_contents(check)->recorded;
    assert_int_equal(recorded->n_launches, 2);
    assert_int_equal(recorded->n_requests, 18);
    assert_string_equal(recorded->kernel->name, "k");
    bsim_check_free(check);
}

/* Sites of one line are two accesses, events without one are one for each opcode. Global memory is
 * passed over. */
static void accesses_are_sites(void **state)
{
    (void)state;
    struct bsim_check *check = make_check(
        "banksim-trace 1\nkernel k block=32 shared=4096\nsite 1 ld.global.f32\n"
        "site 7 ld.shared.f32 at=a/b.cu:5 text=\"x = t[i]\"\nsite 8 ld.shared.f32 at=a/b.cu:5\n"
        "block 0\nw0 @1 ffffffff 0+4\nw0 @8 ffffffff 0+4\nw0 @7 ffffffff 0+4\n"
        "w0 ld.shared.f32 ffffffff 0+4\nw0 st.shared.v4.f32 ffffffff 0+16\nend\n",
        0, NULL);
    static const char *const text[] = {"b.cu:5", "b.cu:5  x = t[i]", "-", "-"};
    static const char *const op[] = {"ld.shared.f32", "ld.shared.f32", "ld.shared.f32",
                                     "st.shared.v4.f32"};
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    assert_int_equal(contents->n_accesses, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(contents->access[i].text, text[i]);
        assert_string_equal(contents->access[i].op, op[i]);
    }
    bsim_check_free(check);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* 256 different requests of site 1, one of site 2, which stays whole. What is kept stands for all: an
 * estimate, here within a half. */
static void a_sample_stands_for_all(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32 shared=4096\nsite 1 ld.shared.f32\n"
                            "site 2 st.shared.f32\nblock 0\n");
    for (int i = 0; i < 256; i++) {
        bsim_buffer_printf(&text, "w0 @1 ffffffff %d+4\nw0 @2 ffffffff 0+128\n", 4 * i);
    }
    bsim_buffer_text(&text, "end\n");
    struct bsim_recorder *recorder = record(text.data, 64);
    struct bsim_device device;
    struct bsim_error err;
    struct bsim_check *check;
    assert_int_equal(bsim_device_find(NULL, NULL, &device, &err), BSIM_OK);
    assert_int_equal(bsim_recorder_excessive(recorder, 0, &device), 256 * 31);
    assert_int_equal(try_check(recorder, 0, NULL, &check, &err), BSIM_OK);
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    assert_int_equal(contents->recorded->n_requests, 512);
    assert_in_range(contents->access[0].one_in, 4, 16);
    assert_int_equal(contents->access[1].one_in, 1);
    struct bsim_advice *advice;
    assert_int_equal(bsim_advise(check, &device, NULL, &advice, &err), BSIM_OK);
    assert_true(advice->is_sample);
    assert_false(advice->is_best_linear);
    assert_int_equal(advice->access[1].requests, 256);
    assert_in_range(advice->access[0].requests, 128, 384);
    assert_int_equal(advice->access[0].requests % contents->access[0].one_in, 0);
    bsim_advice_free(advice);
    bsim_check_free(check);
    bsim_buffer_free(&text);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* "name element bytes offset size" of each. */
static void expect_arrays(const char *extras, const char *events, const char *shared,
                          const char *wanted)
{
    char trace[1024];
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    (void)snprintf(trace, sizeof trace,
                   "banksim-trace 1\nkernel k block=32 shared=8192%s\nblock 0\n%send\n", extras,
                   events);
    struct bsim_check *check = make_check(trace, 0, shared);
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    for (size_t i = 0; i < contents->n_arrays; i++) {
        const struct bsim_check_array *array = &contents->array[i];
        bsim_buffer_printf(&text, "%s %s %u @%u:%u%s;", array->name, array->element,
                           (unsigned)array->element_bytes, (unsigned)array->offset_bytes,
                           (unsigned)array->size_bytes, array->is_extern ? " extern" : "");
    }
    assert_string_equal(text.data, wanted);
    bsim_buffer_free(&text);
    bsim_check_free(check);
}

#define EVENTS                                                           \
    "w0 st.shared.v4.f32 ffffffff 0+16\nw0 ld.shared.f32 ffffffff 0+4\n" \
    "w0 ld.shared.s32 ffffffff 1024+64\nw0 st.shared.v2.s32 ffffffff 2048+8\n"

#define EVENTS_AT_128 "w0 ld.shared.f32 ffffffff 128+4\n"

static void arrays_are_found(void **state)
{
    (void)state;
    /* the loads of s32 reach from 1024 to 3012: what v2.s32 stores lies in there */
    expect_arrays("", EVENTS, NULL, "smem0 float 4 @0:1024;smem1024 int 4 @1024:7168;");
    expect_arrays("", "w0 ld.shared.u8 ffffffff 64+1\n", NULL, "smem unsigned char 1 @0:8192;");
    expect_arrays("", "w0 ldmatrix.sync.aligned.m8n8.x4.shared.b16 ffffffff 0+16\n", NULL,
                  "smem half 2 @0:8192;");
    expect_arrays(" x-shared=As@0:512+Bs@512:512+s@1024", EVENTS, NULL,
                  "As float 4 @0:512;Bs unsigned 4 @512:512;s int 4 @1024:0 extern;");
    /* what cannot be: an access lies outside of all */
    expect_arrays(" x-shared=As@0:512", EVENTS, NULL,
                  "smem0 float 4 @0:1024;smem1024 int 4 @1024:7168;");
    /* a type is believed, that of a size alone seen */
    expect_arrays(" x-shared=As@0:float[4][64]+Bs@1024:4[8][224]", EVENTS, NULL,
                  "As float 4 @0:1024;Bs int 4 @1024:7168;");
    expect_arrays(" x-shared=As@0:12[2][341]", EVENTS, NULL, "As TYPE 12 @0:8184;");
    expect_arrays(" x-shared=As@0:8192", EVENTS, "float t[256], u[7][256]",
                  "t float 4 @0:1024;u float 4 @1024:7168;");
}

/* A v2 over mx and mn leaves no place between them for a layout; what it does not take stays apart. */
static void what_one_access_takes_is_one_array(void **state)
{
    (void)state;
    static const char v2[] = "w0 st.shared.v2.u32 00000001 0+0\nw0 ld.shared.s32 00000001 4+0\n";
    expect_arrays(" x-shared=mx@0:int+mn@4:int+sum@8:8", v2, NULL,
                  "{mx, mn} int 4 @0:8;sum unsigned 4 @8:8;");
    expect_arrays(" x-shared=mx@0:int+mn@4:int", v2, "int mn, mx", "{mx, mn} int 4 @0:8;");
    /* two accesses take two arrays each; one more takes all four */
    expect_arrays(" x-shared=a@0:int+b@4:int+c@8:int+d@12:int",
                  "w0 st.shared.v2.u32 00000001 0+0\nw0 st.shared.v2.u32 00000001 8+0\n", NULL,
                  "{a, b} int 4 @0:8;{c, d} int 4 @8:8;");
    expect_arrays(" x-shared=a@0:int+b@4:int+c@8:int+d@12:int",
                  "w0 st.shared.v2.u32 00000001 0+0\nw0 st.shared.v4.u32 00000001 0+0\n", NULL,
                  "{a, b, c, d} int 4 @0:16;");
    /* the last word of rows and what comes then; a lane that is not there takes nothing */
    expect_arrays(" x-shared=t@0:float[3][5]+n@60:int+u@64:4[16]",
                  "w0 st.shared.v2.u32 00000001 56+0\n", NULL,
                  "{t, n} float 4 @0:64;u unsigned 4 @64:64;");
    expect_arrays(" x-shared=a@0:int+b@4:int+c@8:8", "w0 st.shared.v2.u32 00000002 0+8\n", NULL,
                  "a int 4 @0:4;b int 4 @4:4;c unsigned 4 @8:8;");
    /* the narrowest element fills them; what no access takes stays apart, also beside those */
    expect_arrays(" x-shared=a@0:short+b@2:char[2]+c@4:int", "w0 st.shared.u64 00000001 0+0\n", NULL,
                  "{a, b, c} char 1 @0:8;");
    expect_arrays(" x-shared=z@0:int+a@4:int[3]+b@16:int[2]+c@24:int[2]",
                  "w0 st.shared.v2.u32 00000001 8+0\nw0 st.shared.v4.u32 00000001 16+0\n", NULL,
                  "z int 4 @0:4;a int 4 @4:12;{b, c} int 4 @16:16;");
    /* a begins off the access's 8 bytes: what stands before it has to stay, too */
    expect_arrays(" x-shared=z@0:int+a@4:int[2]+b@12:int", "w0 st.shared.v2.u32 00000001 8+0\n", NULL,
                  "{z, a, b} int 4 @0:16;");
}

/* Where the trace has them, in its order: a compiler need not keep that of the text. */
static void declared_arrays_lie_where_the_trace_says(void **state)
{
    (void)state;
    expect_arrays(" x-shared=c@0:2048+b@2048:2048", EVENTS, "double b[16][16]; float c[512]",
                  "c float 4 @0:2048;b double 8 @2048:2048;");
    expect_arrays(" x-shared=a@64:64+c@128", EVENTS_AT_128, "extern float c[]; float a[16]",
                  "a float 4 @64:64;c float 4 @128:0 extern;");
    expect_arrays(" x-shared=c@0", EVENTS, "float c[2048]", "c float 4 @0:8192;");
    /* of two of one name, in two scopes, that of the declared size */
    expect_arrays(" x-shared=c@0:128+c@128:512", EVENTS_AT_128, "float c[128]",
                  "c float 4 @128:512;");
}

static void expect_refused_of(const char *extras, const char *events, const char *shared,
                              const char *word)
{
    char trace[1024], message[2048];
    struct bsim_check *check;
    struct bsim_error err;
    (void)snprintf(trace, sizeof trace, "banksim-trace 1\nkernel k block=32%s\nblock 0\n%send\n",
                   extras, events);
    assert_int_equal(try_check(record(trace, 0), 0, shared, &check, &err), BSIM_E_INPUT);
    if (strstr(bsim_error_text(&err, message, sizeof message), word) == NULL) {
        fail_msg("\"%s\" has no \"%s\"", message, word);
    }
    bsim_check_free(check);
}

static void expect_refused(const char *events, const char *shared, const char *word)
{
    expect_refused_of("", events, shared, word);
}

static void declarations_against_the_trace_are_refused(void **state)
{
    (void)state;
    static const char sized[] = " x-shared=t@0:4096", load[] = "w0 ld.shared.f32 ffffffff 0+4\n";
    expect_refused_of(sized, load, "float t[32][33]",
                      "t: 4224 bytes as declared, 4096 in the trace");
    expect_refused_of(sized, load, "float t[32][31]",
                      "t: 3968 bytes as declared, 4096 in the trace");
    expect_refused_of(" shared=4096 x-shared=t@0", load, "float t[32][33]",
                      "t: 4224 bytes as declared, 4096 in the trace");
    expect_refused_of(sized, load, "float t[32][32], u[32]", "the trace has 't', but no 'u'");
    expect_refused_of(sized, load, "float u[32], t[32][32]", "the trace has 't', but no 'u'");
    expect_refused_of(" x-shared=t@4:4096", load, "double t[512]",
                      "t: a multiple of 8 as declared, byte 4 in the trace");
    expect_refused_of(" x-shared=t@0:float[32][32].swizzle<3,2,5>", load, "float t[32][32]",
                      "t: the trace declares it with 'swizzle<3,2,5>': leave --shared out");
    expect_refused_of(" x-shared=t@0:9x", load, NULL, "x-shared= has 't@0:9x': an array is");
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    expect_refused("w0 bar.sync\n", NULL, "k does not access memory");
    expect_refused("w0 ld.shared.u8 ffffffff 4294967264+1\n", NULL, "of which no GPU has so much");
    expect_refused("w0 ld.shared.f32 ffffffff 0+4\n", "float t[31]",
                   "4 bytes at byte 124 of shared memory");
    expect_refused("w0 ld.shared.v4.f32 ffffffff 0+32\n", "float t[130], u[500]",
                   "16 bytes at byte 512");
    expect_refused("w0 ld.shared.f32 ffffffff 0+4\n", "float t[32] pad 1 every 8",
                   "leave 'pad 1 every 8' out");
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    struct bsim_recorder *recorder = bsim_recorder_new(0);
    assert_int_equal(bsim_check_record(check, recorder, 0, NULL, &err), BSIM_E_USAGE);
    bsim_check_free(check);
}

static void a_kernel_of_global_memory_alone_has_no_access(void **state)
{
    (void)state;
    struct bsim_error err;
    struct bsim_check *check;
    struct bsim_recorder *recorder = record("banksim-trace 1\nkernel k block=32\nblock 0\n"
                                            "w0 ld.global.f32 ffffffff 0+4\n"
                                            "w0 ld.const.f32 ffffffff 0+0\nend\n",
                                            0);
    assert_int_equal(bsim_recorder_kernel(recorder, 0)->n_requests, 0);
    assert_int_equal(bsim_recorder_kernel(recorder, 0)->n_beside, 2);
    assert_int_equal(try_check(recorder, 0, NULL, &check, &err), BSIM_OK);
    assert_int_equal(bsim_check_contents(check)->n_accesses, 0);
    bsim_check_free(check);
}

/* ---- a check and what it does ---------------------------------------------------------------- */

static struct bsim_advice *advise(const struct bsim_check *check)
{
    struct bsim_device device;
    struct bsim_error err;
    struct bsim_advice *advice;
    char message[1024];
    assert_int_equal(bsim_device_find(NULL, NULL, &device, &err), BSIM_OK);
    if (bsim_advise(check, &device, NULL, &advice, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    return advice;
}

static enum bsim_status push_check(void *context, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    return bsim_check_push(context, NULL, sink, err);
}

/* The check of what a check pushes, with the same declarations. */
static struct bsim_check *recorded_of(struct bsim_check *check, const char *shared)
{
    struct bsim_error err;
    struct bsim_recorder *recorder = bsim_recorder_new(0);
    struct bsim_check *made = bsim_check_new();
    struct bsim_replay replay = {push_check, check};
    struct bsim_sink sink = bsim_recorder_sink(recorder);
    assert_int_equal(bsim_check_push(check, NULL, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_check_record(made, recorder, 0, &replay, &err), BSIM_OK);
    assert_int_equal(bsim_check_add(made, "shared", shared, "--shared", &err), BSIM_OK);
    assert_int_equal(bsim_check_seal(made, &err), BSIM_OK);
    return made;
}

static void expect_same_plans(const struct bsim_check *check, const struct bsim_advice *a,
                              const struct bsim_advice *b)
{
    assert_int_equal(a->n_accesses, b->n_accesses);
    assert_int_equal(a->total.requests, b->total.requests);
    assert_int_equal(a->total.least, b->total.least);
    assert_int_equal(a->before.total.wavefronts, b->before.total.wavefronts);
    assert_int_equal(a->before.shared_bytes, b->before.shared_bytes);
    assert_int_equal(a->is_best_linear, b->is_best_linear);
    assert_int_equal(a->n_plans, b->n_plans);
    for (size_t i = 0; i < a->n_plans; i++) {
        assert_int_equal(a->plan[i].total.wavefronts, b->plan[i].total.wavefronts);
        assert_int_equal(a->plan[i].cycles, b->plan[i].cycles);
        for (size_t k = 0; k < bsim_check_contents(check)->n_arrays; k++) {
            assert_memory_equal(&a->plan[i].layout[k], &b->plan[i].layout[k],
                                sizeof a->plan[i].layout[k]);
        }
    }
}

/* A `sync` each, so that cycles are asked of the check too. */
static const struct {
    const char *shared, *text;
} kernels[] = {
    {"float tile[32][32]", "block 32,32\nstore tile[threadIdx.y][threadIdx.x]\nsync\n"
                           "load tile[threadIdx.x][threadIdx.y]\n"},
    {"float As[16][16], Bs[16][16]", "block 16,16\nfor k = 0:16 {\nsync\nload As[threadIdx.x][k]\n"
                                     "load Bs[threadIdx.x][k]\n}\n"},
    {"half a[64][64]", "sync\nldmatrix x4 &a[lane % 16][lane / 16 * 8]\n"
                       "store *(float4 *)&a[lane / 8][lane % 8 * 8]\n"},
    {"float t[32][32]", "sync\nload *(float4 *)&t[threadIdx.x % 8][threadIdx.x / 8 * 4]\n"
                        "for i = 0:32 {\nload t[threadIdx.x][i]\n}\n"},
    {"int s[1024]", "block 512\nsync\nfor (int d = 1; d < 512; d *= 2) {\n"
                    "if (threadIdx.x < 512 / d)\n s[2 * d * threadIdx.x] = 0;\n}\n"},
    {"unsigned h[512]", "sync\ntimes 100\natomic add h[16 * lane]\n"},
    {"float4 v[8][32]", "sync\nload v[lane / 4][lane % 4].x\n"},
    {"double d[32][32]", "block 32,4\nsync\nload d[threadIdx.x][threadIdx.y]\n"},
    {"float c[8][8][8]",
     "block 8,8\nsync\nload c[threadIdx.y][threadIdx.x][0]\n"
     "load c[threadIdx.x][0][threadIdx.y]\nload c[0][threadIdx.y][threadIdx.x]\n"},
    {"half b[64][32]", "sync\ncp_async ca:16 &b[lane][0]\nldmatrix x2.trans &b[lane % 16][0]\n"},
};

static void advice_is_that_of_the_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "shared %s\n%s", kernels[i].shared, kernels[i].text);
        struct bsim_check *check = sealed_check(text);
        struct bsim_check *recorded = recorded_of(check, kernels[i].shared);
        struct bsim_advice *a = advise(check);
        struct bsim_advice *b = advise(recorded);
        print_message("%s: %u plans\n", kernels[i].shared, (unsigned)a->n_plans);
        expect_same_plans(check, a, b);
        bsim_advice_free(a);
        bsim_advice_free(b);
        bsim_check_free(recorded);
        bsim_check_free(check);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static enum bsim_status try_all(struct bsim_error *err)
{
    static const char trace[] =
        "banksim-trace 1\nkernel k block=32 shared=4096\nsite 1 ld.shared.f32 "
        "at=a.cu:3 text=\"t\"\nblock 0\nw0 @1 ffffffff 0+128\nend\n";
    struct bsim_recorder *recorder = bsim_recorder_new(0);
    struct bsim_check *check = bsim_check_new();
    struct bsim_sink sink = bsim_recorder_sink(recorder);
    enum bsim_status status = recorder == NULL || check == NULL
                                  ? bsim_error_set(err, BSIM_E_MEMORY, "none")
                                  : trace_text_read(trace, strlen(trace), 0, &sink, err);
    if (status == BSIM_OK) {
        status = bsim_check_record(check, recorder, 0, NULL, err);
        recorder = NULL;
        status = status == BSIM_OK ? bsim_check_seal(check, err) : status;
    }
    bsim_check_free(check);
    bsim_recorder_free(recorder);
    return status;
}

static void memory_may_be_short(void **state)
{
    (void)state;
    size_t before = failing_memory_live();
    for (size_t n = 0; n < MOST_ALLOCATIONS; n++) {
        struct bsim_error err;
        failing_memory_fail_after(n);
        enum bsim_status status = try_all(&err);
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        assert_int_equal(status, refused > 0 ? BSIM_E_MEMORY : BSIM_OK);
        if (refused == 0) {
            return;
        }
    }
    fail_msg("more than %d allocations", MOST_ALLOCATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_requests_are_one),
        cmocka_unit_test(accesses_are_sites),
        cmocka_unit_test(a_sample_stands_for_all),
        cmocka_unit_test(arrays_are_found),
        cmocka_unit_test(what_one_access_takes_is_one_array),
        cmocka_unit_test(declared_arrays_lie_where_the_trace_says),
        cmocka_unit_test(declarations_against_the_trace_are_refused),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_kernel_of_global_memory_alone_has_no_access),
        cmocka_unit_test(advice_is_that_of_the_check),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
