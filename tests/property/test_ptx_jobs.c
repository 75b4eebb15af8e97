/* test_ptx_jobs.c - one thread or several: arrays, stream, output, findings and errors of a launch are the
 * same, whatever blocks do to each other. The launches are long enough for blocks to run ahead
 * (src/ptx/ahead.c): 50,000 warp instructions run in their turn before any does. */
#include <banksim/ptx.h>

#include "random_request.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 4096, TEXT_SIZE = 1 << 14, N_RANDOM = WATCHED(120, 30) };

/* ---- what comes of a launch ------------------------------------------------------------------ */

struct outcome {
    enum bsim_status status;
    char message[1024];
    uint64_t stream;            /* a hash */
    uint64_t n_records, refuse; /* refuse: the record that the sink refuses, from 1; 0: none */
    char printed[TEXT_SIZE];
    size_t n_printed;
    char findings[TEXT_SIZE];
    uint32_t array[2][WORDS];
};

static void add(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x100000001b3);
    *hash ^= *hash >> 29;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct outcome *outcome = context;
    add(&outcome->stream, (uint64_t)record->kind);
    if (record->kind == BSIM_RECORD_BLOCK) {
        add(&outcome->stream, record->u.block.x);
    } else if (record->kind == BSIM_RECORD_SITE) {
        add(&outcome->stream, (uint64_t)record->u.site->index << 32 | record->u.site->number);
    } else if (record->kind == BSIM_RECORD_EVENT) {
        const struct bsim_event *event = record->u.event;
        uint64_t address[BSIM_WARP_LANES];
        bsim_event_addresses(event, address);
        add(&outcome->stream, (uint64_t)event->mask << 32 | event->warp);
        add(&outcome->stream, event->site != NULL ? event->site->index : UINT32_MAX);
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            add(&outcome->stream, address[l]);
        }
    }
    return ++outcome->n_records == outcome->refuse
               ? bsim_error_set(err, BSIM_E_IO, "record %" PRIu64 " is refused", outcome->refuse)
               : BSIM_OK;
}

static void print(void *context, const char *text, size_t length)
{
    struct outcome *outcome = context;
    size_t room = sizeof outcome->printed - outcome->n_printed;
    memcpy(outcome->printed + outcome->n_printed, text, length < room ? length : room);
    outcome->n_printed += length < room ? length : room;
}

static void run(const char *text, const char *launch, uint32_t jobs, uint64_t refuse,
                struct outcome *outcome)
{
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    struct bsim_ptx_options options = {.jobs = jobs};
    struct bsim_sink sink = {.push = push, .context = outcome};
    memset(outcome, 0, sizeof *outcome);
    outcome->refuse = refuse;
    if (bsim_ptx_call_new("k.ptx", text, strlen(text), launch, &call, &err) != BSIM_OK) {
        fail_msg("%s\n%s", bsim_error_text(&err, outcome->message, sizeof outcome->message), text);
    }
    bsim_ptx_call_set(call, &options);
    bsim_ptx_call_print(call, print, outcome);
    outcome->status = bsim_ptx_call_run(call, &sink, &err);
    if (outcome->status != BSIM_OK) {
        bsim_error_text(&err, outcome->message, sizeof outcome->message);
    }
    (void)snprintf(outcome->findings, sizeof outcome->findings, "%s", bsim_ptx_call_findings(call));
    for (size_t i = 0; i < 2; i++) {
        size_t size = 0;
        const void *array = bsim_ptx_call_array(call, i == 0 ? "0" : "1", &size);
        memcpy(outcome->array[i], array,
               size < sizeof outcome->array[i] ? size : sizeof outcome->array[i]);
    }
    bsim_ptx_call_free(call);
}

static void expect_same(const char *text, const char *launch, uint64_t refuse,
                        enum bsim_status status)
{
    static struct outcome one, other;
    run(text, launch, 1, refuse, &one);
    if (one.status != status) {
        fail_msg("%s: %s\n%s", launch, one.message, text);
    }
    for (uint32_t jobs = 2; jobs <= 3; jobs++) {
        run(text, launch, jobs, refuse, &other);
        if (one.status != other.status || strcmp(one.message, other.message) != 0 ||
            one.stream != other.stream || one.n_printed != other.n_printed ||
            memcmp(one.printed, other.printed, one.n_printed) != 0 ||
            strcmp(one.findings, other.findings) != 0 ||
            (refuse == 0 && memcmp(one.array, other.array, sizeof one.array) != 0)) {
            fail_msg("with %u jobs: status %d and %d, \"%s\" and \"%s\", stream %" PRIx64
                     " and %" PRIx64 ", arrays %s\n%s",
                     (unsigned)jobs, (int)one.status, (int)other.status, one.message, other.message,
                     one.stream, other.stream,
                     memcmp(one.array, other.array, sizeof one.array) == 0 ? "same" : "differ",
                     text);
        }
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* %r0 thread, %r1 block, %rd1 and %rd2 the arrays, %r9 and %f9 sums that are stored at the end. */
#define HEAD                                                                                \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                       \
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"               \
    ".extern .func (.param .b64 r) malloc (.param .b64 a);\n"                               \
    ".global .align 1 .b8 form[4] = {37, 100, 10, 0};\n"                                    \
    ".visible .entry k(.param .u64 a, .param .u64 b) {\n .reg .pred %p<4>;\n"               \
    " .reg .b32 %r<32>;\n .reg .f32 %f<16>;\n .reg .b64 %rd<16>;\n .reg .b16 %h<4>;\n"      \
    " .local .align 8 .b8 stack[8];\n .shared .align 4 .b8 s[256];\n"                       \
    " ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n mov.u32 %r0, %tid.x;\n"           \
    " mov.u32 %r1, %ctaid.x;\n mov.u32 %r9, 1;\n mov.f32 %f9, 0f3DCCCCCD;\n"                \
    " mul.wide.u32 %rd3, %r1, 4;\n add.s64 %rd4, %rd1, %rd3;\n add.s64 %rd5, %rd2, %rd3;\n" \
    " mov.u32 %r2, 0;\nWORK:\n mad.lo.u32 %r9, %r9, 3, %r1;\n add.u32 %r2, %r2, 1;\n"       \
    " setp.lt.u32 %p1, %r2, 20;\n @%p1 bra WORK;\n"
#define LAUNCH "k<<<2500, 32>>>(int[4096] = iota, int[4096])"

static void neighbours_may_write_words_side_by_side(void **state)
{
    (void)state;
    expect_same(HEAD " st.global.u32 [%rd4], %r9;\n ret;\n}\n", LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " mul.lo.u32 %r3, %r1, 7919;\n and.b32 %r3, %r3, 16383;\n"
                     " cvt.u64.u32 %rd6, %r3;\n add.s64 %rd6, %rd1, %rd6;\n"
                     " st.global.u8 [%rd6], %r1;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
}

/* Each block reads what the one before has written. */
static void a_chain_of_blocks_is_followed(void **state)
{
    (void)state;
    expect_same(HEAD " ld.global.u32 %r3, [%rd4];\n add.u32 %r3, %r3, %r9;\n"
                     " st.global.u32 [%rd4+4], %r3;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    /* the second word of two that are read at once */
    expect_same(HEAD " add.s64 %rd6, %rd4, %rd3;\n ld.global.v2.u32 {%r3, %r4}, [%rd6];\n"
                     " add.u32 %r4, %r4, %r3;\n st.global.u32 [%rd6+12], %r4;\n ret;\n}\n",
                "k<<<2000, 32>>>(int[4096] = iota, int[4096])", 0, BSIM_OK);
}

/* It waits for the flag of the block before. */
static void blocks_may_wait_for_those_before(void **state)
{
    (void)state;
    expect_same(
        HEAD
        " setp.eq.u32 %p2, %r1, 0;\n @%p2 bra GO;\n"
        "WAIT:\n ld.volatile.global.u32 %r3, [%rd5+-4];\n setp.eq.u32 %p3, %r3, 0;\n"
        " add.u32 %r5, %r5, 1;\n @%p3 bra WAIT;\nGO:\n membar.gl;\n ld.global.u32 %r4, [%rd4];\n"
        " st.global.u32 [%rd4+4], %r4;\n st.volatile.global.u32 [%rd5], %r9;\n"
        " ret;\n}\n",
        "k<<<2500, 1>>>(int[4096] = iota, int[4096])", 0, BSIM_OK);
}

static void atomics_come_in_order(void **state)
{
    (void)state;
    /* a ticket for each block; sums of floats, with and without who sees them; exchanges; a sum that is
     * read behind */
    expect_same(HEAD " atom.global.add.u32 %r3, [%rd2], 1;\n mul.wide.u32 %rd6, %r3, 4;\n"
                     " and.b64 %rd6, %rd6, 16380;\n add.s64 %rd6, %rd1, %rd6;\n"
                     " st.global.u32 [%rd6], %r1;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " cvt.rn.f32.u32 %f1, %r1;\n mul.f32 %f1, %f1, %f9;\n"
                     " red.global.add.f32 [%rd2], %f1;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " cvt.rn.f32.u32 %f1, %r1;\n mul.f32 %f1, %f1, %f9;\n"
                     " atom.global.add.f32 %f2, [%rd2], %f1;\n st.global.f32 [%rd4], %f2;\n"
                     " ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " atom.global.exch.b32 %r3, [%rd2], %r9;\n"
                     " atom.global.cas.b32 %r4, [%rd2+4], %r1, %r9;\n"
                     " atom.global.add.u64 %rd7, [%rd2+8], %rd3;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " red.global.add.u32 [%rd2], 1;\n and.b32 %r3, %r1, 63;\n"
                     " setp.ne.u32 %p2, %r3, 7;\n @%p2 bra OUT;\n ld.global.u32 %r4, [%rd2];\n"
                     " st.global.u32 [%rd4], %r4;\nOUT:\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
    expect_same(HEAD " st.global.u32 [%rd5], %r1;\n red.global.max.u32 [%rd5], 1000;\n"
                     " red.global.add.u32 [%rd5+4], 3;\n st.global.u8 [%rd5+4], %r9;\n ret;\n}\n",
                LAUNCH, 0, BSIM_OK);
}

static void what_cannot_be_taken_back_comes_in_order(void **state)
{
    (void)state;
    static const char prints[] =
        HEAD " and.b32 %r3, %r1, 255;\n setp.ne.u32 %p2, %r3, 3;\n @%p2 bra OUT;\n"
             " st.local.u32 [stack], %r1;\n mov.u64 %rd6, stack;\n cvta.local.u64 %rd6, %rd6;\n"
             " cvta.global.u64 %rd7, form;\n { .param .b64 x; .param .b64 y; .param .b32 z;\n"
             " st.param.b64 [x], %rd7;\n st.param.b64 [y], %rd6;\n call (z), vprintf, (x, y);\n }\n"
             "OUT:\n ret;\n}\n";
    static const char allocates[] = HEAD
        " and.b32 %r3, %r1, 255;\n setp.ne.u32 %p2, %r3, 3;\n @%p2 bra OUT;\n mov.u64 %rd6, 64;\n"
        " { .param .b64 x; .param .b64 z;\n st.param.b64 [x], %rd6;\n call (z), malloc, (x);\n"
        " ld.param.b64 %rd7, [z];\n }\n st.global.u32 [%rd7], %r1;\n cvt.u32.u64 %r4, %rd7;\n"
        " st.global.u32 [%rd4], %r4;\nOUT:\n ret;\n}\n";
    static const char faults[] =
        HEAD " st.global.u32 [%rd5], %r9;\n setp.lt.u32 %p2, %r1, 1700;\n @%p2 bra OUT;\n"
             " ld.global.u32 %r3, [%rd4+1];\nOUT:\n ret;\n}\n";
    static const char reads[] =
        HEAD " setp.lt.u32 %p2, %r1, 1900;\n @%p2 bra OUT;\n ld.shared.u32 %r3, [s+16];\n"
             " setp.lt.u32 %p2, %r1, 2100;\n @%p2 bra OUT;\n ld.shared.u32 %r3, [s+20];\nOUT:\n "
             "ret;\n}\n";
    expect_same(prints, LAUNCH, 0, BSIM_OK);
    expect_same(allocates, LAUNCH, 0, BSIM_OK);
    expect_same(faults, LAUNCH, 0, BSIM_E_KERNEL);
    expect_same(reads, LAUNCH, 0, BSIM_OK);
}

static void a_sink_may_refuse(void **state)
{
    static const uint64_t records[] = {1, 2, 700, 2000, 4600, 5003};
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        expect_same(HEAD " st.global.u32 [%rd4], %r9;\n ret;\n}\n", LAUNCH, records[i], BSIM_E_IO);
    }
}

/* ---- any kernel ------------------------------------------------------------------------------ */

/* An instruction with global memory at a word that blocks share more or less; its address is in %rd9. */
static const char *const access[] = {
    "ld.global.u32 %r10, [%rd9];\n add.u32 %r9, %r9, %r10;\n",
    "st.global.u32 [%rd9], %r9;\n",
    "st.global.u16 [%rd9+2], %h1;\n",
    "st.global.u32 [%rd9+4], %r9;\n",
    "st.global.v2.u32 [%rd9], {%r9, %r1};\n",
    "ld.global.v2.u32 {%r10, %r11}, [%rd9];\n add.u32 %r9, %r10, %r11;\n",
    "atom.global.add.u32 %r10, [%rd9], %r1;\n xor.b32 %r9, %r9, %r10;\n",
    "red.global.add.u32 [%rd9], %r9;\n",
    "red.global.add.f32 [%rd9], %f9;\n",
    "red.global.min.s32 [%rd9], %r9;\n",
    "red.global.add.u64 [%rd9], %rd3;\n",
    "red.global.xor.b32 [%rd9], %r1;\n",
    /* what an even block has not loaded is 0 */
    "@%p2 ld.global.u32 %r12, [%rd9];\n add.u32 %r9, %r9, %r12;\n st.global.u32 [%rd9], %r9;\n",
};

/* ((block * a + thread * b + c) & mask) * 8 in one of the arrays. */
static void draw_access(struct random_source *random, char *text, size_t size, uint32_t own)
{
    static const uint32_t masks[] = {2047, 2047, 2047, 63, 0};
    static const uint32_t factors[] = {0, 1, 32, 33, 17};
    uint32_t mask = masks[own > 0 ? 0 : random_below(random, 5)];
    uint32_t a = own > 0 ? own : factors[random_below(random, 5)];
    size_t n = sizeof access / sizeof *access;
    (void)snprintf(text, size,
                   " mul.lo.u32 %%r20, %%r1, %u;\n mad.lo.u32 %%r20, %%r0, %u, %%r20;\n"
                   " add.u32 %%r20, %%r20, %u;\n and.b32 %%r20, %%r20, %u;\n"
                   " mul.wide.u32 %%rd9, %%r20, 8;\n add.s64 %%rd9, %%rd%u, %%rd9;\n %s",
                   (unsigned)a, (unsigned)random_below(random, 3),
                   (unsigned)random_below(random, 64), (unsigned)mask,
                   (unsigned)(1 + random_below(random, 2)),
                   access[random_below(random, (uint32_t)n)]);
}

static void any_kernel_does_the_same(void **state)
{
    struct random_source random = {.state = 16};
    static char text[1 << 14];
    (void)state;
    for (size_t i = 0; i < N_RANDOM; i++) {
        uint32_t n = 1 + random_below(&random, 4), own = random_below(&random, 2) * 8;
        size_t at = (size_t)snprintf(text, sizeof text,
                                     "%s cvt.u16.u32 %%h1, %%r9;\n"
                                     " and.b32 %%r3, %%r1, 1;\n setp.ne.u32 %%p2, %%r3, 0;\n",
                                     HEAD);
        for (uint32_t k = 0; k < n; k++) {
            draw_access(&random, text + at, sizeof text - at, own);
            at += strlen(text + at);
        }
        (void)snprintf(text + at, sizeof text - at, " ret;\n}\n");
        expect_same(text, "k<<<1000, 8>>>(int[4096] = iota, int[4096] = random)", 0, BSIM_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_may_write_words_side_by_side),
        cmocka_unit_test(a_chain_of_blocks_is_followed),
        cmocka_unit_test(blocks_may_wait_for_those_before),
        cmocka_unit_test(atomics_come_in_order),
        cmocka_unit_test(what_cannot_be_taken_back_comes_in_order),
        cmocka_unit_test(a_sink_may_refuse),
        cmocka_unit_test(any_kernel_does_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
