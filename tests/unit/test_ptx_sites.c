/* test_ptx_sites.c - which accesses of PTX are one site, in which order sites come, what stands
 * with them. The texts are written by hand; what must come out follows from src/ptx/site.c's head
 * note. */
#include <banksim/ptx.h>
#include <banksim/report.h>
#include <banksim/run.h>

#include "collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define HEAD                                                                               \
    ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"none/a.cu\"\n"               \
    ".visible .entry k(.param .u64 p, .param .u32 n) {\n .reg .pred %p<4>;\n"              \
    " .reg .f32 %f<20>;\n .reg .b32 %r<20>;\n .reg .b64 %rd<8>;\n"                         \
    " .shared .align 4 .b8 _ZZ1kPfE1a[4096];\n .shared .align 16 .b8 _ZZ1kPfE2bb[4096];\n" \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n shl.b32 %r1, %r0, 2;\n"             \
    " mov.u32 %r2, _ZZ1kPfE1a;\n add.s32 %r3, %r2, %r1;\n"                                 \
    " mov.u32 %r4, _ZZ1kPfE2bb;\n add.s32 %r5, %r4, %r1;\n"
#define LAUNCH "k<<<1, 32>>>(float[64], 8)"

/* What a report says of the kernel. */
static void tell_rests(const struct collect *collect, struct bsim_buffer *out)
{
    char *extras = strstr(collect->item[0].text, "x-ptx=");
    struct bsim_kernel_result kernel = {.name = collect->item[0].text, .extras = extras};
    struct bsim_rests rests = {.has_cycles = false};
    assert_non_null(extras);
    bsim_rests_add(&rests, &kernel);
    bsim_rests_tell(&rests, out);
    bsim_rests_free(&rests);
    assert_int_equal(bsim_buffer_status(out, NULL), BSIM_OK);
}

static void run_as(struct collect *collect, const char *text,
                   const struct bsim_ptx_options *options, struct bsim_buffer *remarks)
{
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    char message[1024];
    memset(collect, 0, sizeof *collect);
    struct bsim_sink sink = collect_sink(collect);
    enum bsim_status status = bsim_ptx_call_new("k.ptx", text, strlen(text), LAUNCH, &call, &err);
    if (status == BSIM_OK) {
        bsim_ptx_call_set(call, options);
        status = bsim_ptx_call_run(call, &sink, &err);
    }
    if (status == BSIM_OK && remarks != NULL) {
        tell_rests(collect, remarks);
    }
    bsim_ptx_call_free(call);
    if (status != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
}

static void run(struct collect *collect, const char *text)
{
    run_as(collect, text, &(struct bsim_ptx_options){0}, NULL);
}

static const struct collect_item *find_site(const struct collect *collect, uint32_t number)
{
    for (size_t i = 0; i < collect->n; i++) {
        const struct collect_item *item = &collect->item[i];
        if (item->kind == BSIM_RECORD_SITE && item->number == number) {
            return item;
        }
    }
    fail_msg("site %u was not pushed", (unsigned)number);
    return NULL;
}

static void expect_site(const struct collect *collect, uint32_t number, uint32_t line,
                        size_t events, const char *text)
{
    const struct collect_item *item = find_site(collect, number);
    assert_int_equal(item->line, line);
    assert_int_equal(collect_count(collect, number), events);
    if (strstr(item->text, text) == NULL) {
        fail_msg("site %u is \"%s\", which has no \"%s\"", (unsigned)number, item->text, text);
    }
}

/* Line 9 stands before line 7 in the code; both of a loop's two trips of line 8 are one site. */
static void sites_come_by_line(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " .loc 1 9 3\n st.shared.f32 [%r3], 0f00000000;\n"
                       " .loc 1 7 3\n ld.shared.f32 %f1, [%r3];\n ld.shared.f32 %f2, [%r3+1024];\n"
                       " .loc 1 8 3\n ld.shared.f32 %f3, [%r3+512];\n ret;\n}\n");
    expect_site(&collect, 1, 7, 2, "ld.shared.f32");
    expect_site(&collect, 2, 8, 1, "ld.shared.f32");
    expect_site(&collect, 3, 9, 1, "st.shared.f32");
    collect_free(&collect);
}

/* Where arrays of shared memory lie goes with the trace: those that the kernel uses. */
static void arrays_are_named(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " .shared .align 4 .b8 unused[64];\n"
                       " st.shared.f32 [%r3], 0f00000000;\n ret;\n}\n");
    assert_non_null(strstr(collect.item[0].text, " x-shared=a@0:4096+bb@4096:4096 "));
    collect_free(&collect);
}

static void expect_place(const struct collect *collect, const char *opcode, const char *file,
                         uint32_t line)
{
    for (size_t i = 0; i < collect->n; i++) {
        const struct collect_item *item = &collect->item[i];
        if (item->kind == BSIM_RECORD_SITE && strstr(item->text, opcode) != NULL) {
            assert_string_equal(item->file, file);
            assert_int_equal(item->line, line);
            return;
        }
    }
    fail_msg("no site of %s", opcode);
}

/* Files 2 and 3 are a toolkit's, 4 is the user's. What another function has inlined does not matter. */
static void what_a_toolkit_inlines_is_its_callers(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect,
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".func other() {\n .loc 2 50 1, function_name $i0, inlined_at 1 95 2\n ret;\n}\n"
        ".visible .entry k(.param .u64 p, .param .u32 n) {\n .reg .b32 %r<4>;\n .reg .b64 %r8;\n"
        " .shared .align 8 .b8 a[4096];\n mov.u32 %r1, a;\n .loc 1 10 1\n call.uni other, ();\n"
        " .loc 2 20 5, function_name $i0, inlined_at 1 11 3\n"
        " .loc 3 30 5, function_name $i1+4, inlined_at 2 20 5\n st.shared.u32 [%r1], %r1;\n"
        " .loc 4 40 5, function_name $i2, inlined_at 1 12 3\n st.shared.u16 [%r1], %r1;\n"
        " .loc 2 21 5, function_name $i0, inlined_at 4 41 7\n ld.shared.u16 %r2, [%r1];\n"
        " .loc 3 31 5\n ld.shared.u8 %r2, [%r1];\n" /* nobody else's to mend */
        " .loc 3 32 5, function_name $i1, inlined_at 2 50 1\n ld.shared.u32 %r2, [%r1];\n"
        " .loc 2 20 5\n" /* by itself, and so is what it inlines */
        " .loc 3 30 5, function_name $i1, inlined_at 2 20 5\n st.shared.u8 [%r1], %r2;\n ret;\n}\n"
        ".file 1 \"k.cu\"\n.file 2 \"/opt/cuda/targets/x86_64-linux/include/cuda_pipeline.h\"\n"
        ".file 3 \"/usr/local/cuda-13.0/include/cuda_fp16.hpp\"\n.file 4 \"include/own.h\"\n");
    expect_place(&collect, "st.shared.u32", "k.cu", 11);
    expect_place(&collect, "st.shared.u16", "include/own.h", 40);
    expect_place(&collect, "ld.shared.u16", "include/own.h", 41);
    expect_place(&collect, "ld.shared.u8", "/usr/local/cuda-13.0/include/cuda_fp16.hpp", 31);
    expect_place(&collect, "ld.shared.u32", "/usr/local/cuda-13.0/include/cuda_fp16.hpp", 32);
    expect_place(&collect, "st.shared.u8", "/usr/local/cuda-13.0/include/cuda_fp16.hpp", 30);
    collect_free(&collect);
}

/* sum += a[t] * bb[t]: a site for each array, with its name; with one array in sight, without. */
static void arrays_of_one_line_are_told_apart(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " .loc 1 7 3\n ld.shared.f32 %f1, [%r3];\n ld.shared.f32 %f2, [%r5+64];\n"
                       " ld.shared.f32 %f3, [%r3+256];\n"
                       " .loc 1 8 3\n ld.shared.f32 %f4, [%r5];\n ret;\n}\n");
    expect_site(&collect, 1, 7, 2, "[a]");
    expect_site(&collect, 2, 7, 1, "[bb]");
    expect_site(&collect, 3, 8, 1, "ld.shared.f32");
    assert_null(strstr(find_site(&collect, 3)->text, "["));
    collect_free(&collect);
}

/* Four base addresses into one array in one line are a loop that was unrolled. */
static void many_bases_are_one_access(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " mad.lo.s32 %r6, %r1, 3, %r2;\n mad.lo.s32 %r7, %r1, 5, %r2;\n"
                       " mad.lo.s32 %r8, %r1, 7, %r2;\n"
                       " .loc 1 7 3\n ld.shared.f32 %f1, [%r3];\n ld.shared.f32 %f2, [%r6];\n"
                       " ld.shared.f32 %f3, [%r7];\n ld.shared.f32 %f4, [%r8];\n"
                       " .loc 1 8 3\n ld.shared.f32 %f1, [%r3+64];\n ld.shared.f32 %f2, [%r6+64];\n"
                       " ret;\n}\n");
    expect_site(&collect, 1, 7, 4, "ld.shared.f32");
    expect_site(&collect, 2, 8, 1, "ld.shared.f32");
    expect_site(&collect, 3, 8, 1, "ld.shared.f32");
    collect_free(&collect);
}

/* There is one event whose text begins so. */
static void expect_event(const struct collect *collect, const char *text)
{
    size_t n = 0;
    for (size_t i = 0; i < collect->n; i++) {
        n += strncmp(collect->item[i].text, text, strlen(text)) == 0;
    }
    if (n != 1) {
        fail_msg("%zu events \"%s\"", n, text);
    }
}

/* for (i = 0; i < 8; i++) sum += bb[i]: ptxas may unroll and merge; bb[32 * i] it will not
 * merge. */
static void loops_that_may_be_merged_say_so(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " mov.u32 %r9, 0;\n"
                       "L:\n .loc 1 7 3\n ld.shared.f32 %f1, [%r4];\n"
                       " .loc 1 8 3\n shl.b32 %r12, %r9, 7;\n add.s32 %r13, %r4, %r12;\n"
                       " and.b32 %r13, %r13, 4095;\n"
                       " mad.lo.s32 %r14, %r9, 128, %r2;\n ld.shared.f32 %f2, [%r14];\n"
                       " .loc 1 9 3\n shl.b32 %r15, %r9, 2;\n add.s32 %r16, %r15, %r2;\n"
                       " ld.shared.f32 %f3, [%r16];\n"
                       " .loc 1 10 3\n st.shared.f32 [%r16+1024], %f3;\n"
                       " add.s32 %r4, %r4, 4;\n add.s32 %r9, %r9, 1;\n"
                       " setp.lt.s32 %p1, %r9, 8;\n @%p1 bra L;\n ret;\n}\n");
    expect_site(&collect, 1, 7, 8, "ptxas may unroll");
    expect_site(&collect, 2, 8, 8, "ld.shared.f32");
    assert_null(strstr(find_site(&collect, 2)->text, "ptxas"));
    expect_site(&collect, 3, 9, 8, "ptxas may unroll");
    expect_site(&collect, 4, 10, 8, "ptxas may unroll");
    collect_free(&collect);
}

/* 0 is stored, and over it by half of the lanes; a barrier between, and nobody stores over it. */
static void what_may_be_left_out_says_so(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " setp.gt.u32 %p1, %r0, 15;\n"
                       " .loc 1 7 3\n st.shared.u32 [%r3], 0;\n @%p1 bra M;\n"
                       " .loc 1 8 3\n st.shared.u32 [%r3], %r0;\nM:\n bar.sync 0;\n"
                       " .loc 1 9 3\n st.shared.u32 [%r3], 0;\n bar.sync 0;\n @%p1 bra N;\n"
                       " .loc 1 10 3\n st.shared.u32 [%r3], %r0;\nN:\n ret;\n}\n");
    assert_non_null(strstr(find_site(&collect, 1)->text, "may leave out what is stored over"));
    assert_null(strstr(find_site(&collect, 2)->text, "ptxas"));
    assert_null(strstr(find_site(&collect, 3)->text, "ptxas"));
    collect_free(&collect);
}

/* Loaded by all; lanes above 15 never want %r6, and all want %r7 in the end. */
static void what_not_all_want_says_so(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " setp.gt.u32 %p1, %r0, 15;\n"
                       " .loc 1 7 3\n ld.shared.u32 %r6, [%r3];\n"
                       " .loc 1 8 3\n ld.shared.u32 %r7, [%r3+64];\n @%p1 bra M;\n"
                       " st.global.u32 [%rd1], %r6;\nM:\n st.global.u32 [%rd1+4], %r7;\n"
                       " ret;\n}\n");
    assert_non_null(strstr(find_site(&collect, 1)->text, "may load this only where it is wanted"));
    assert_null(strstr(find_site(&collect, 2)->text, "ptxas"));
    collect_free(&collect);
}

/* What the remarks say of kernels that may count otherwise on a GPU. */
static void doubts_are_remarked(void **state)
{
    (void)state;
    static const char by_address[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".func twice (.param .b32 a) {\n ret;\n}\n"
        ".visible .entry k(.param .u64 p, .param .u32 n) {\n .reg .b64 %rd<3>;\n"
        " mov.u64 %rd1, twice;\n {\n .param .b32 a;\n st.param.b32 [a], 1;\n"
        " proto : .callprototype () _ (.param .b32 _);\n call %rd1, (a), proto;\n }\n ret;\n}\n";
    struct collect collect;
    struct bsim_buffer remarks = BSIM_BUFFER_EMPTY;
    run_as(&collect, by_address, &(struct bsim_ptx_options){0}, &remarks);
    assert_non_null(strstr(remarks.data, "functions are called by address"));
    bsim_buffer_free(&remarks);
    collect_free(&collect);
    run_as(&collect,
           HEAD " setp.gt.u32 %p1, %r0, 15;\n st.shared.u32 [%r3], 0;\n @%p1 bra M;\n"
                " st.shared.u32 [%r3], %r0;\nM:\n ret;\n}\n",
           &(struct bsim_ptx_options){0}, &remarks);
    assert_non_null(strstr(remarks.data, "1 site is what ptxas may leave out"));
    assert_null(strstr(remarks.data, "by address"));
    bsim_buffer_free(&remarks);
    collect_free(&collect);
}

/* A word that some lanes load behind a short branch, as ptxas had all warps do in a merge of sorted pieces. */
static void loads_that_others_may_do_are_remarked(void **state)
{
    (void)state;
#define SOME " st.shared.u32 [%r3], 1;\n bar.sync 0;\n setp.gt.u32 %p1, %r0, 15;\n @%p1 bra J;\n"
#define STORE " st.global.u32 [%rd1], %r6;\n"
    static const struct {
        const char *what, *code;
        bool may;
    } given[] = {
        {"a word", SOME " ld.shared.u32 %r6, [_ZZ1kPfE1a+8];\n" STORE "J:\n add.u32 %r7, %r6, 1;\n",
         true},
        {"a lane's own", SOME " ld.shared.u32 %r6, [%r3];\n" STORE "J:\n add.u32 %r7, %r6, 1;\n",
         false},
        {"in front of a barrier",
         SOME " ld.shared.u32 %r6, [_ZZ1kPfE1a+8];\n" STORE "J:\n bar.sync 0;\n", false},
        {"at the end", SOME " ld.shared.u32 %r6, [_ZZ1kPfE1a+8];\n" STORE "J:\n", false},
        {"in one of two ways",
         SOME " ld.shared.u32 %r6, [_ZZ1kPfE1a+8];\n bra.uni M;\n"
              "J:\n mov.u32 %r6, 1;\nM:\n" STORE,
         false},
        {"that all do",
         " ld.shared.u32 %r6, [_ZZ1kPfE1a+8];\n" SOME STORE "J:\n add.u32 %r7, %r6, 1;\n", false},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char text[2000];
        struct collect collect;
        struct bsim_buffer remarks = BSIM_BUFFER_EMPTY;
        snprintf(text, sizeof text, "%s%s ret;\n}\n", HEAD, given[i].code);
        run_as(&collect, text, &(struct bsim_ptx_options){0}, &remarks);
        if ((strstr(remarks.data, "1 site is what ptxas may load for lanes") != NULL) !=
            given[i].may) {
            fail_msg("%s: %s", given[i].what, remarks.data);
        }
        bsim_buffer_free(&remarks);
        collect_free(&collect);
    }
}

/* Each loop ends in its first turn here: word 0 is 0, an atomic's answer as well. */
static void loops_that_wait_for_others_are_remarked(void **state)
{
    (void)state;
#define BEFORE " st.shared.u32 [%r2], 0;\n mov.u32 %r9, 0;\n mov.u32 %r10, 0;\nL:\n"
#define UNTIL " setp.ne.u32 %p1, %r6, 0;\n @%p1 bra L;\n"
    static const struct {
        const char *what, *loop;
        uint32_t n; /* sites that the remark counts */
    } given[] = {
        {"a flag", BEFORE " ld.volatile.shared.u32 %r6, [%r2];\n" UNTIL, 1},
        {"a flag, in a register that is used again behind the loop",
         BEFORE " ld.volatile.shared.u32 %r6, [%r2];\n" UNTIL " mov.u32 %r6, %r9;\n", 1},
        {"a loop that a part of the lanes leaves for good while it turns",
         BEFORE
         " ld.volatile.shared.u32 %r6, [%r2];\n setp.gt.u32 %p2, %r6, %r9;\n @%p2 ret;\n" UNTIL,
         1},
        {"a value that nobody else decides, though a flag guards its sum",
         BEFORE " ld.volatile.shared.u32 %r7, [%r2];\n setp.ne.u32 %p2, %r7, 0;\n"
                " setp.eq.u32 %p3, %r9, 1;\n @%p3 bra M;\n"
                " @%p2 add.u32 %r8, %r8, 1;\nM:\n add.u32 %r9, %r9, 1;\n"
                " setp.lt.u32 %p1, %r9, 3;\n @%p1 bra L;\n",
         0},
        {"a bit of it", BEFORE " ld.volatile.shared.u32 %r7, [%r2];\n and.b32 %r6, %r7, 4;\n" UNTIL,
         1},
        {"at an address that each turn computes anew",
         BEFORE " add.u32 %r11, %r2, 0;\n ld.volatile.shared.u32 %r6, [%r11];\n" UNTIL, 1},
        {"and another load in the loop",
         BEFORE " ld.shared.u32 %r8, [%r3+64];\n ld.volatile.shared.u32 %r6, [%r2];\n" UNTIL, 2},
        {"an atomic's answer", BEFORE " atom.shared.add.u32 %r6, [%r2], 0;\n" UNTIL, 1},
        {"a compare-and-swap that is tried again",
         BEFORE " atom.shared.cas.b32 %r6, [%r2], %r9, %r10;\n st.shared.u32 [%r5], %r6;\n" UNTIL,
         2},
        {"a clock",
         BEFORE " mov.u32 %r6, %clock;\n ld.shared.u32 %r8, [%r2];\n and.b32 %r6, %r6, 0;\n" UNTIL,
         1},
        {"a timer's lower half",
         BEFORE " mov.u32 %r6, %globaltimer_lo;\n ld.shared.u32 %r8, [%r2];\n"
                " and.b32 %r6, %r6, 0;\n" UNTIL,
         1},
        {"a loop that counts by what it loads",
         BEFORE " ld.volatile.shared.u32 %r7, [%r2];\n add.u32 %r9, %r9, 1;\n"
                " setp.lt.u32 %p1, %r9, %r7;\n @%p1 bra L;\n",
         0},
        {"a loop that stores itself",
         BEFORE " ld.volatile.shared.u32 %r6, [%r2];\n st.shared.u32 [%r3], %r6;\n" UNTIL, 0},
        {"a loop that waits at barriers",
         BEFORE " ld.volatile.shared.u32 %r6, [%r2];\n bar.sync 0;\n" UNTIL, 0},
        {"addresses that go on",
         BEFORE " add.u32 %r11, %r2, %r9;\n add.u32 %r9, %r9, 4;\n"
                " ld.volatile.shared.u32 %r6, [%r11];\n and.b32 %r6, %r6, 0;\n" UNTIL,
         0},
        {"a counted loop around one that waits in two ways for a clock",
         BEFORE " ld.shared.u32 %r8, [%r2];\nM:\n mov.u32 %r6, %clock;\n and.b32 %r6, %r6, 0;\n"
                " setp.gt.u32 %p2, %r6, 8;\n @%p2 bra M;\n setp.ne.u32 %p3, %r6, 0;\n @%p3 bra M;\n"
                " add.u32 %r9, %r9, 1;\n setp.lt.u32 %p1, %r9, 2;\n @%p1 bra L;\n",
         0},
        {"a counted loop around one that two branches lead back in",
         BEFORE " ld.shared.u32 %r8, [%r2];\nM:\n setp.eq.u32 %p2, %r8, 0;\n @%p2 bra N;\n"
                " mov.u32 %r6, %clock;\n setp.lt.u32 %p3, %r6, 40;\n @%p3 bra M;\n"
                " add.u32 %r7, %r6, 1;\n bra.uni M;\nN:\n"
                " add.u32 %r9, %r9, 1;\n setp.lt.u32 %p1, %r9, 2;\n @%p1 bra L;\n",
         0},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char text[2000], expected[64];
        struct collect collect;
        struct bsim_buffer remarks = BSIM_BUFFER_EMPTY;
        snprintf(text, sizeof text, "%s%s ret;\n}\n", HEAD, given[i].loop);
        run_as(&collect, text, &(struct bsim_ptx_options){.is_bare = true}, &remarks);
        snprintf(expected, sizeof expected, "%u site%s in a loop that waits", (unsigned)given[i].n,
                 given[i].n == 1 ? " is" : "s are");
        if ((strstr(remarks.data, given[i].n > 0 ? expected : "that waits") != NULL) !=
            (given[i].n > 0)) {
            fail_msg("%s: %s", given[i].what, remarks.data);
        }
        bsim_buffer_free(&remarks);
        collect_free(&collect);
    }
}

/* Without a space in its name a load goes where its address leads: now here, now there. */
static void a_generic_access_has_a_site_for_each_space(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect,
        HEAD " cvt.u64.u32 %rd2, %r3;\n cvta.shared.u64 %rd3, %rd2;\n mov.u32 %r9, 0;\n"
             "L:\n .loc 1 7 3\n ld.f32 %f1, [%rd3];\n mov.u64 %rd3, %rd1;\n"
             " add.s32 %r9, %r9, 1;\n setp.lt.s32 %p1, %r9, 3;\n @%p1 bra L;\n ret;\n}\n");
    expect_site(&collect, 1, 7, 1, "ld.shared.f32");
    expect_site(&collect, 2, 7, 2, "ld.global.f32");
    collect_free(&collect);
}

/* Odd lanes' addresses are in global memory, those of the others in shared memory. */
static void a_generic_access_of_two_spaces_is_a_request_of_each(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, HEAD " cvt.u64.u32 %rd2, %r3;\n cvta.shared.u64 %rd3, %rd2;\n"
                       " and.b32 %r9, %r0, 1;\n setp.ne.s32 %p1, %r9, 0;\n"
                       " selp.b64 %rd3, %rd1, %rd3, %p1;\n"
                       " .loc 1 7 3\n ld.f32 %f1, [%rd3];\n"
                       " .loc 1 8 3\n st.f32 [%rd3], %f1;\n ret;\n}\n");
    expect_event(&collect, "w0 @1 ld.shared.f32 55555555 0+4");
    expect_event(&collect, "w0 @2 ld.global.f32 aaaaaaaa ");
    expect_event(&collect, "w0 @4 st.shared.f32 55555555 0+4");
    expect_event(&collect, "w0 @5 st.global.f32 aaaaaaaa ");
    collect_free(&collect);
}

#define FOUR                                                                       \
    HEAD " .loc 1 7 3\n ld.shared.f32 %f1, [%r4];\n ld.shared.f32 %f2, [%r4+4];\n" \
         " ld.shared.f32 %f3, [%r4+8];\n ld.shared.f32 %f4, [%r4+12];\n ret;\n}\n"

static void merged_accesses_say_what_ptxas_does(void **state)
{
    (void)state;
    struct collect collect;
    run(&collect, FOUR);
    expect_site(&collect, 1, 7, 1, "ld.shared.v4.f32");
    expect_site(&collect, 1, 7, 1, "[4 loads as one 128-bit load, as ptxas does]");
    collect_free(&collect);
    struct bsim_buffer remarks = BSIM_BUFFER_EMPTY;
    run_as(&collect, FOUR, &(struct bsim_ptx_options){.is_bare = true}, &remarks);
    expect_site(&collect, 1, 7, 4, "ld.shared.f32");
    assert_non_null(strstr(remarks.data, "as it stands"));
    bsim_buffer_free(&remarks);
    collect_free(&collect);
}

static enum bsim_status push_call(void *context, const struct bsim_sink *sink,
                                  struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

/* A site is known to the simulator when its first event comes, and not before: 3 fences of each of 4
 * warps, behind a load. */
static void what_comes_late_is_counted_right(void **state)
{
    static const char text[] = HEAD " mov.u32 %r9, 0;\n ld.shared.f32 %f1, [%r3];\n"
                                    "L:\n membar.cta;\n add.s32 %r9, %r9, 1;\n"
                                    " setp.lt.u32 %p1, %r9, 3;\n @%p1 bra L;\n ret;\n}\n";
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    struct bsim_run_options options = {0};
    (void)state;
    assert_int_equal(
        bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<2, 64>>>(float[64], 8)", &call, NULL),
        BSIM_OK);
    struct bsim_source source = {.push = push_call, .context = call};
    assert_int_equal(bsim_run(&source, &options, &result, NULL), BSIM_OK);
    assert_int_equal(result.kernels[0].fences, 12);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_come_by_line),
        cmocka_unit_test(arrays_are_named),
        cmocka_unit_test(what_a_toolkit_inlines_is_its_callers),
        cmocka_unit_test(arrays_of_one_line_are_told_apart),
        cmocka_unit_test(many_bases_are_one_access),
        cmocka_unit_test(loops_that_may_be_merged_say_so),
        cmocka_unit_test(merged_accesses_say_what_ptxas_does),
        cmocka_unit_test(what_may_be_left_out_says_so),
        cmocka_unit_test(what_not_all_want_says_so),
        cmocka_unit_test(doubts_are_remarked),
        cmocka_unit_test(loads_that_others_may_do_are_remarked),
        cmocka_unit_test(loops_that_wait_for_others_are_remarked),
        cmocka_unit_test(a_generic_access_has_a_site_for_each_space),
        cmocka_unit_test(a_generic_access_of_two_spaces_is_a_request_of_each),
        cmocka_unit_test(what_comes_late_is_counted_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
