/* test_ptx_findings.c - what a kernel does that a GPU lets pass, and what stands between accesses
 * for cycles. Expected follows from the texts, which are written by hand, by reading. */
#include <banksim/ptx.h>

#include "collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define HEAD                                                                       \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                              \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<4>;\n .reg .b32 %r<20>;\n" \
    " .shared .align 4 .b8 head[64];\n .shared .align 4 .b8 tile[256];\n"          \
    " mov.u32 %r0, %tid.x;\n shl.b32 %r1, %r0, 2;\n mov.u32 %r2, tile;\n"          \
    " add.s32 %r3, %r2, %r1;\n mov.u32 %r19, head;\n"
#define END " ret;\n}\n"

struct run {
    struct collect collect;
    char findings[1024];
    struct bsim_error err;
    enum bsim_status status;
};

static void run(struct run *run, const char *text, const char *launch)
{
    struct bsim_ptx_call *call = NULL;
    memset(run, 0, sizeof *run);
    struct bsim_sink sink = collect_sink(&run->collect);
    run->status = bsim_ptx_call_new("k.ptx", text, strlen(text), launch, &call, &run->err);
    if (run->status == BSIM_OK) {
        bsim_ptx_call_set(call, &(struct bsim_ptx_options){.has_work = true});
        run->status = bsim_ptx_call_run(call, &sink, &run->err);
        strncpy(run->findings, bsim_ptx_call_findings(call), sizeof run->findings - 1);
    }
    bsim_ptx_call_free(call);
}

static void expect(struct run *r, const char *text, const char *launch, const char *found)
{
    run(r, text, launch);
    if (r->status != BSIM_OK) {
        fail_msg("%s", r->err.message);
    }
    if (found == NULL ? r->findings[0] != '\0' : strstr(r->findings, found) == NULL) {
        fail_msg("found \"%s\", not \"%s\"", r->findings, found != NULL ? found : "nothing");
    }
    collect_free(&r->collect);
}

static void reads_of_what_nobody_wrote_are_found(void **state)
{
    (void)state;
    struct run r;
    expect(&r, HEAD " st.shared.u32 [%r3], %r0;\n ld.shared.u32 %r4, [%r3+64];\n" END,
           "k<<<1, 32>>>(int[1])",
           "thread (16,0,0): reads 4 bytes at byte 192 of shared memory, "
           "tile + 128, that nobody wrote");
    expect(&r, HEAD " st.shared.u32 [%r3], %r0;\n ld.shared.u32 %r4, [%r3];\n" END,
           "k<<<1, 32>>>(int[1])", NULL);
    /* One byte of four is enough; a block knows nothing of the one before. */
    expect(&r, HEAD " st.shared.u8 [%r3], %r0;\n ld.shared.u32 %r4, [%r3];\n" END,
           "k<<<1, 32>>>(int[1])", "tile + 0");
    expect(&r,
           HEAD " mov.u32 %r5, %ctaid.x;\n setp.ne.u32 %p0, %r5, 0;\n"
                " @!%p0 st.shared.u32 [%r3], %r0;\n ld.shared.u32 %r4, [%r3];\n" END,
           "k<<<2, 32>>>(int[1])", "block (1,0,0)");
    /* Behind barriers, too, as long as anything is not written. */
    expect(&r,
           HEAD " st.shared.u32 [%r3], %r0;\n bar.sync 0;\n bar.sync 0;\n"
                " ld.shared.u32 %r4, [%r3+64];\n" END,
           "k<<<1, 32>>>(int[1])", "tile + 128, that nobody wrote");
    /* Of a block that has written all of it the next has nothing. */
    expect(&r,
           HEAD " mov.u32 %r5, %ctaid.x;\n setp.ne.u32 %p0, %r5, 0;\n add.s32 %r6, %r19, %r1;\n"
                " @!%p0 st.shared.u32 [%r6], %r0;\n bar.sync 0;\n ld.shared.u32 %r4, [%r6];\n" END,
           "k<<<2, 80>>>(int[1])", "block (1,0,0)");
    /* An atomic reads, and writes. */
    expect(&r, HEAD " red.shared.add.u32 [%r3], 3;\n" END, "k<<<1, 32>>>(int[1])",
           "thread (0,0,0)");
}

/* %q1: the thread's own bytes, of which it has written the first four of eight. */
#define OWN                                                                         \
    " .reg .b64 %q<4>;\n .local .align 4 .b8 own[8];\n mov.u64 %q1, own;\n"          \
    " st.shared.u32 [%r3], %r0;\n st.local.u32 [%q1], %r1;\n"
#define FOUND "thread (0,0,0): reads 4 bytes of its local memory that nobody wrote"

static void own_memory_that_nobody_wrote_is_found_where_it_decides(void **state)
{
    (void)state;
    static const struct {
        const char *text, *found;
    } cases[] = {
        {" ld.local.u32 %r4, [%q1+4];\n and.b32 %r4, %r4, 60;\n add.u32 %r4, %r4, %r2;\n"
         " ld.shared.u32 %r5, [%r4];\n",
         FOUND}, /* it makes an address */
        {" ld.local.u32 %r4, [%q1];\n and.b32 %r4, %r4, 60;\n add.u32 %r4, %r4, %r2;\n"
         " ld.shared.u32 %r5, [%r4];\n",
         NULL}, /* written */
        {" ld.local.u32 %r4, [%q1+4];\n add.u32 %r4, %r4, 1;\n st.shared.u32 [%r3], %r4;\n",
         NULL}, /* a value */
        {" ld.local.u32 %r4, [%q1+4];\n st.shared.u32 [%r3], %r4;\n ld.shared.u32 %r5, [%r3];\n"
         " and.b32 %r5, %r5, 60;\n add.u32 %r5, %r5, %r2;\n ld.shared.u32 %r6, [%r5];\n",
         FOUND}, /* an address, by way of shared memory */
        {" ld.local.u32 %r4, [%q1+4];\n setp.eq.u32 %p1, %r4, 3;\n @%p1 bra E;\n"
         " ld.shared.u32 %r5, [%r3];\nE:\n",
         FOUND}, /* it decides whether there is an access */
        {" ld.local.u32 %r4, [%q1+4];\n setp.eq.u32 %p1, %r4, 3;\n @%p1 bra E;\n"
         " add.u32 %r4, %r4, 1;\nE:\n st.shared.u32 [%r3], %r4;\n",
         NULL}, /* or another value */
        {" ld.local.u32 %r4, [%q1+4];\n setp.eq.u32 %p1, %r4, 3;\n mov.u32 %r5, %r3;\n @%p1 bra E;\n"
         " mov.u32 %r5, %r2;\nE:\n st.shared.u32 [%r5], %r0;\n",
         FOUND}, /* or an address */
        {" ld.local.u32 %r4, [%q1+4];\n setp.eq.u32 %p1, %r4, 3;\n @%p1 ld.shared.u32 %r5, [%r3];\n",
         FOUND}, /* by its guard alone */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run r;
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s%s", HEAD OWN, cases[i].text, END);
        expect(&r, text, "k<<<1, 32>>>(int[1])", cases[i].found);
    }
}

#define COPY                                                                   \
    " .reg .b64 %q<4>;\n ld.param.u64 %q0, [p];\n mul.wide.u32 %q1, %r0, 4;\n" \
    " add.u64 %q0, %q0, %q1;\n cp.async.ca.shared.global [%r3], [%q0], 4;\n"

/* An mbarrier of the warp's 32 threads, an arrival at it, and a look at its first phase, which is over. */
#define BARRIER " setp.eq.u32 %p1, %r0, 0;\n @%p1 mbarrier.init.shared.b64 [head], 32;\n bar.sync 0;\n"
#define ARRIVE " { .reg .b64 s;\n mbarrier.arrive.shared.b64 s, [head]; }\n"
#define OVER "{ .reg .pred o;\nL: mbarrier.test_wait.parity.shared.b64 o, [head], 0;\n @!o bra L; }\n"

static void reads_of_copies_on_their_way_are_found(void **state)
{
    (void)state;
    static const char found[] =
        "thread (0,0,0): reads 4 bytes at byte 64 of shared memory, tile + 0, "
        "on their way by a cp.async that its thread has not waited for";
    static const char read[] = " ld.shared.u32 %r4, [%r3];\n" END;
    static const struct {
        const char *wait, *found;
    } cases[] = {
        {"", found},
        {" cp.async.commit_group;\n", found},
        {" cp.async.commit_group;\n cp.async.wait_group 1;\n", found},
        {" cp.async.wait_group 0;\n", found}, /* of no group yet */
        {" cp.async.commit_group;\n bar.sync 0;\n", found},
        {" cp.async.commit_group;\n cp.async.wait_group 0;\n", NULL},
        {" cp.async.commit_group;\n cp.async.commit_group;\n cp.async.wait_group 1;\n", NULL},
        {" cp.async.wait_all;\n", NULL},
        {" st.shared.u32 [%r3], 1;\n", NULL}, /* somebody else's value, or its: no copy's alone */
        /* An mbarrier that counts them is to be waited for. */
        {BARRIER " cp.async.mbarrier.arrive.noinc.shared.b64 [head];\n", found},
        {BARRIER " cp.async.mbarrier.arrive.noinc.shared.b64 [head];\n" OVER, NULL},
        {BARRIER " cp.async.mbarrier.arrive.noinc.shared.b64 [head];\n cp.async.wait_all;\n", NULL},
        {BARRIER " cp.async.mbarrier.arrive.shared.b64 [head];\n" ARRIVE, found},
        {BARRIER " cp.async.mbarrier.arrive.shared.b64 [head];\n" ARRIVE OVER, NULL},
        {BARRIER ARRIVE OVER, found}, /* it does not count them */
        /* The phase that is over is the one before theirs. */
        {BARRIER ARRIVE " cp.async.mbarrier.arrive.shared.b64 [head];\n" OVER, found},
        {BARRIER " cp.async.mbarrier.arrive.noinc.shared.b64 [head];\n" OVER
                 " cp.async.ca.shared.global [%r3], [%q0], 4;\n" OVER, found}, /* nor what came later */
        /* Though all of the memory has been written when the block meets. */
        {" cp.async.wait_all;\n add.u32 %r5, %r19, %r1;\n st.shared.u32 [%r5], 0;\n"
         " st.shared.u32 [%r5+128], 0;\n st.shared.u32 [%r5+192], 0;\n bar.sync 0;\n"
         " cp.async.ca.shared.global [%r3], [%q0], 4;\n bar.sync 0;\n",
         found},
        /* Lane 5 alone does not wait. */
        {" setp.ne.u32 %p0, %r0, 5;\n @%p0 cp.async.wait_all;\n",
         "thread (5,0,0): reads 4 bytes at byte 84"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        struct run r;
        snprintf(text, sizeof text, "%s%s%s", HEAD COPY, cases[i].wait, read);
        memcpy(strstr(text, "sm_70"), "sm_80", 5);
        expect(&r, text, "k<<<2, 32>>>(int[32])", cases[i].found);
    }
}

static void barriers_of_a_part_of_a_warp_are_found(void **state)
{
    (void)state;
    struct run r;
    expect(&r,
           HEAD " setp.lt.u32 %p0, %r0, 8;\n @%p0 bra A;\n bar.sync 0;\n bra.uni B;\n"
                "A:\n bar.sync 0;\nB:\n" END,
           "k<<<1, 32>>>(int[1])", "is not at the barrier that other lanes of its warp are at");
    expect(&r,
           HEAD " setp.lt.u32 %p0, %r0, 32;\n @%p0 bra A;\n bar.sync 0;\n bra.uni B;\n"
                "A:\n bar.sync 0;\nB:\n" END,
           "k<<<1, 64>>>(int[1])", NULL);
    /* Who has returned is no part; barrier.sync, unlike bar.sync, is each thread's own. */
    expect(&r, HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 bra A;\n bar.sync 0;\nA:\n" END,
           "k<<<1, 32>>>(int[1])", NULL);
    expect(&r,
           HEAD " setp.lt.u32 %p0, %r0, 8;\n @%p0 bra A;\n barrier.sync 0;\n bra.uni B;\n"
                "A:\n barrier.sync 0;\nB:\n st.shared.u32 [%r3], 1;\n" END,
           "k<<<1, 32>>>(int[1])", NULL);
    expect(&r,
           HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 bra A;\n bar.sync 0;\nA:\n"
                " st.shared.u32 [%r3], 1;\n" END,
           "k<<<1, 32>>>(int[1])", "thread (8,0,0): is not at the barrier");
}

static void lanes_that_a_mask_names_in_vain_are_found(void **state)
{
    (void)state;
    struct run r;
    /* Those that wait elsewhere, at the branch's end; not those that have ended. */
    expect(&r,
           HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 bra A;\n bar.warp.sync -1;\nA:\n"
                " st.shared.u32 [%r3], 1;\n" END,
           "k<<<1, 32>>>(int[1])", "lanes that never come to it, 0xffffff00");
    expect(&r, HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 ret;\n bar.warp.sync -1;\n" END,
           "k<<<1, 32>>>(int[1])", NULL);
    /* A value of a lane that has ended, if the mask names it. */
    expect(
        &r,
        HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 ret;\n"
             " shfl.sync.down.b32 %r4, %r0, 4, 31, -1;\n" END,
        "k<<<1, 32>>>(int[1])",
        "thread (4,0,0): takes the value of lane 8, which has ended: what it gets is not defined "
        "(and 3 more times)");
}

/* Whether the mask names the lane makes its value no better: PTX defines it for lanes that execute the
 * shuffle and that the mask names. */
static void values_of_lanes_that_have_none_are_found(void **state)
{
    (void)state;
    struct run r;
    expect(&r,
           HEAD " setp.ge.u32 %p0, %r0, 8;\n @%p0 ret;\n"
                " shfl.sync.down.b32 %r4, %r0, 4, 31, 255;\n" END,
           "k<<<1, 32>>>(int[1])", "thread (4,0,0): takes the value of lane 8, which has ended");
    expect(&r,
           HEAD " setp.lt.u32 %p0, %r0, 8;\n @%p0 shfl.sync.down.b32 %r4, %r0, 4, 31, 255;\n" END,
           "k<<<1, 32>>>(int[1])", "takes the value of lane 8, which does not take part");
    expect(&r, HEAD " shfl.sync.down.b32 %r4, %r0, 4, 31, -1;\n" END, "k<<<1, 50>>>(int[1])",
           "thread (46,0,0): takes the value of lane 18, which the block does not have: what it "
           "gets is "
           "not defined (and 3 more times)");
    /* Two parties of sixteen lanes, of which one reaches into the other; and which do not. */
    static const char parties[] =
        HEAD " setp.lt.u32 %p0, %r0, 16;\n selp.u32 %r5, 0xffff, 0xffff0000, %p0;\n"
             " shfl.sync.down.b32 %r4, %r0, 1, 31, %r5;\n" END;
    static const char within[] =
        HEAD " setp.lt.u32 %p0, %r0, 16;\n selp.u32 %r5, 0xffff, 0xffff0000, %p0;\n"
             " shfl.sync.down.b32 %r4, %r0, 1, 4127, %r5;\n" END;
    expect(&r, parties, "k<<<1, 32>>>(int[1])",
           "thread (15,0,0): takes the value of lane 16, which its mask does not name");
    expect(&r, within, "k<<<1, 32>>>(int[1])", NULL);
}

/* Before the first event an addition with its shift, 5 clocks. Before the last two stores an addition and a function of bits of it, of which the first
 * wants the first of two loads. The second load passes it, and of the stores the one whose value is there first. */
static void what_stands_between_accesses_is_told(void **state)
{
    (void)state;
    static const char text[] = HEAD " st.shared.u32 [%r3], %r0;\n st.shared.u32 [%r3+128], %r0;\n"
                                    " mov.u32 %r8, %r3;\n ld.shared.u32 %r4, [%r3];\n"
                                    " add.u32 %r6, %r4, 5;\n ld.shared.u32 %r5, [%r3+128];\n"
                                    " xor.b32 %r7, %r6, 1;\n st.shared.u32 [%r8], %r7;\n"
                                    " st.shared.u32 [%r8+128], %r5;\n" END;
    struct run r;
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    const struct bsim_event *event[16];
    size_t n = 0;
    for (size_t i = 0; i < r.collect.n; i++) {
        if (r.collect.item[i].kind == BSIM_RECORD_EVENT && n < 16) {
            event[n++] = &r.collect.item[i].event;
        }
    }
    assert_int_equal(n, 9);
    assert_int_equal(event[0]->work_count, 1);
    assert_int_equal(event[0]->work_cycles, 5);
    assert_int_equal(event[4]->opcode.family, BSIM_LD);
    assert_int_equal(event[5]->work_count, 1);
    assert_int_equal(event[5]->wait, 1);
    assert_int_equal(event[6]->opcode.family, BSIM_ST);
    assert_int_equal(event[6]->wait, 0);
    assert_int_equal(event[7]->opcode.operation, BSIM_WORK_INT);
    assert_int_equal(event[7]->work_count, 1);
    assert_int_equal(event[7]->wait, BSIM_ANY_COUNT);
    assert_int_equal(event[5]->work_cycles + event[7]->work_cycles, 5 + 5 - 1); /* the store between them takes a clock */
    collect_free(&r.collect);
}

/* The first of its events of work, and their number. */
static size_t works_of(const struct run *r, const struct bsim_event *work[], size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < r->collect.n && n < most; i++) {
        const struct bsim_event *event = &r->collect.item[i].event;
        if (r->collect.item[i].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_WORK) {
            work[n++] = event;
        }
    }
    return n;
}

/* The wait in front of the n-th load, from 1, or behind the last: its own, or that of the work before it. */
static int32_t wait_before(const struct run *r, uint32_t n, enum bsim_family *last)
{
    int32_t wait = BSIM_ANY_COUNT;
    for (size_t i = 0; i < r->collect.n; i++) {
        const struct bsim_event *event = &r->collect.item[i].event;
        if (r->collect.item[i].kind != BSIM_RECORD_EVENT) {
            continue;
        }
        *last = (enum bsim_family)event->opcode.family;
        wait = event->wait != BSIM_ANY_COUNT ? event->wait : wait;
        if (*last == BSIM_LD && --n == 0) {
            return wait;
        }
        wait = *last == BSIM_WORK ? wait : BSIM_ANY_COUNT;
    }
    return wait;
}

/* A sum over a row. In nvcc 13.0's machine code ten loads stand in front of the first addition, and then one behind each,
 * four clocks apart; what is left comes behind the last load. The store that the sum goes to leads where the last load
 * does, and no load is behind it: it waits. */
static void sums_want_the_tenth_load_before(void **state)
{
    (void)state;
    enum { LOADS = 14, AHEAD = 10 };
    char text[2000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s .reg .f32 %%f<20>;\n mov.f32 %%f19, 0f00000000;\n", HEAD);
    for (uint32_t i = 0; i < LOADS; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " ld.shared.f32 %%f%u, [%%r2+%u];\n add.f32 %%f19, %%f19, %%f%u;\n", i,
                               8 * i, i);
    }
    snprintf(text + at, sizeof text - at, " st.shared.f32 [%%r2+104], %%f19;\n" END);
    struct run r;
    enum bsim_family last = BSIM_WORK;
    run(&r, text, "k<<<1, 1>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    for (uint32_t n = 1; n <= LOADS; n++) {
        assert_int_equal(wait_before(&r, n, &last), n <= AHEAD ? BSIM_ANY_COUNT : AHEAD - 1);
    }
    assert_int_equal(wait_before(&r, LOADS + 1, &last), BSIM_ANY_COUNT);
    assert_int_equal(last, BSIM_ST);
    assert_int_equal(collect_last(&r.collect, BSIM_WORK)->wait, 0);
    collect_free(&r.collect);
}

/* A turn of a loop. In nvcc 13.0's machine code of a row's exponentials all loads of a turn stand in front of its stores, which
 * lead elsewhere by the same register: the turn's first load as well as the others. */
static void a_turns_loads_stand_before_its_stores(void **state)
{
    (void)state;
    static const char text[] = HEAD " setp.gt.u32 %p0, %r0, 1000;\n @%p0 bra DONE;\n"
                                    " ld.shared.u32 %r4, [%r2];\n add.u32 %r5, %r4, 5;\n st.shared.u32 [%r2], %r5;\n"
                                    " ld.shared.u32 %r6, [%r2+8];\n add.u32 %r7, %r6, 5;\n st.shared.u32 [%r2+8], %r7;\n"
                                    "DONE:\n" END;
    struct run r;
    run(&r, text, "k<<<1, 1>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    uint32_t n_loads = 0;
    for (size_t i = 0; i < r.collect.n && n_loads < 2; i++) {
        const struct bsim_event *event = &r.collect.item[i].event;
        if (r.collect.item[i].kind == BSIM_RECORD_EVENT) {
            assert_int_equal(event->wait, BSIM_ANY_COUNT);
            n_loads += event->opcode.family == BSIM_LD;
        }
    }
    assert_int_equal(n_loads, 2);
    collect_free(&r.collect);
}

/* Four special functions, which are told as such, and eight products beside them. */
static void special_functions_have_a_pipe_of_their_own(void **state)
{
    (void)state;
    char text[2000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s .reg .f32 %%f<20>;\n cvt.rn.f32.u32 %%f19, %%r0;\n st.shared.u32 [%%r3], %%r0;\n", HEAD);
    for (uint32_t i = 0; i < 4; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at,
                               " ex2.approx.ftz.f32 %%f%u, %%f19;\n mul.f32 %%f%u, %%f19, 0f40000000;\n mul.f32 %%f%u, %%f%u, %%f%u;\n", i,
                               i + 4, i + 8, i, i + 4);
    }
    snprintf(text + at, sizeof text - at, " st.shared.f32 [%%r3], %%f11;\n" END);
    struct run r;
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    const struct bsim_event *work[8];
    size_t n = works_of(&r, work, 8);
    assert_in_range(n, 2, 7);
    assert_int_equal(work[n - 2]->opcode.operation, BSIM_WORK_XU);
    assert_int_equal(work[n - 2]->work_count, 4);
    assert_int_equal(work[n - 1]->opcode.operation, BSIM_WORK_FP32);
    assert_int_equal(work[n - 1]->work_count, 8);
    collect_free(&r.collect);
}

/* Two steps of a sum of products. The second's fragments are loaded behind the first product, which waits for its own, as in
 * nvcc 13.0's machine code, though none of its registers are wanted: LDSM LDSM HMMA LDSM LDSM HMMA. A product takes the tensor
 * cores 6 clocks, and its sums are there 24 clocks behind the one before. */
static void no_load_passes_a_product_of_matrices(void **state)
{
    (void)state;
#define STEP(a, b, at)                                                                                                          \
    " ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r" #a "4, %r" #a "5}, [%r2+" #at "];\n"                                         \
    " ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r" #b "}, [%r2+" #at "+32];\n"                                                 \
    " mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r" #a "4, %r" #a "5}, {%r" #b "}, "              \
    "{%f0, %f1, %f2, %f3};\n"
    static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n .reg .b32 %r<20>;\n"
                               " .reg .f32 %f<4>;\n .shared .align 16 .b8 tile[256];\n mov.u32 %r2, tile;\n"
                               " mov.f32 %f0, 0f00000000;\n mov.f32 %f1, %f0;\n mov.f32 %f2, %f0;\n mov.f32 %f3, %f0;\n"
                               STEP(, 6, 0) STEP(1, 16, 64) " st.shared.f32 [%r2], %f0;\n" END;
#undef STEP
    struct run r;
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    uint32_t n_loads = 0, n_works = 0, n = 0;
    for (size_t i = 0; i < r.collect.n; i++) {
        const struct bsim_event *event = &r.collect.item[i].event;
        if (r.collect.item[i].kind != BSIM_RECORD_EVENT) {
            continue;
        }
        n_loads += event->opcode.family == BSIM_LDMATRIX;
        if (event->opcode.family == BSIM_WORK) {
            n += event->work_count;
            n_works += event->wait == 0;
            assert_int_equal(n_loads, n_works < 2 && event->wait == 0 ? 2 : 4);
        }
    }
    assert_int_equal(n_works, 2);
    assert_int_equal(n, 2 * 6);
    collect_free(&r.collect);
}

/* The wait of the first barrier: its own, or that of the work before it. */
static int32_t barrier_wait(const char *behind)
{
    char text[2000];
    snprintf(text, sizeof text, "%s ld.shared.u32 %%r4, [%%r3];\n ld.shared.u32 %%r5, [%%r3+128];\n bar.sync 0;\n%s%s", HEAD, behind,
             END);
    struct run r;
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    int32_t wait = BSIM_ANY_COUNT;
    for (size_t i = 0; i < r.collect.n; i++) {
        const struct bsim_event *event = &r.collect.item[i].event;
        if (r.collect.item[i].kind != BSIM_RECORD_EVENT) {
            continue;
        }
        wait = event->wait != BSIM_ANY_COUNT || event->opcode.family == BSIM_LD ? event->wait : wait;
        if (event->opcode.family == BSIM_BAR) {
            break;
        }
    }
    collect_free(&r.collect);
    return wait;
}

/* As in nvcc 13.0's machine code: the addition stands before the barrier if what it makes is stored next, with the wait for
 * what it adds; a store of what was loaded stands behind it, with its own wait, and so do sums that go on. */
static void what_is_stored_behind_a_barrier_is_begun_before_it(void **state)
{
    (void)state;
    assert_int_equal(barrier_wait(" add.u32 %r6, %r4, 5;\n st.shared.u32 [%r3], %r6;\n"), 1);
    assert_int_equal(barrier_wait(" add.u32 %r6, %r4, %r5;\n add.u32 %r7, %r6, 1;\n st.shared.u32 [%r3], %r7;\n"), 0);
    assert_int_equal(barrier_wait(" st.shared.u32 [%r3], %r4;\n st.shared.u32 [%r3+128], %r5;\n"), BSIM_ANY_COUNT);
    assert_int_equal(barrier_wait(" add.u32 %r6, %r4, 5;\n st.shared.u32 [%r3], %r0;\n"), BSIM_ANY_COUNT);
}

/* A product of what is shuffled and what is loaded: both are on their way before either is waited for, the shuffle first, and
 * then the product and the sum take 4 and 4. Of a row of shuffles each one waits for the one before, 24 clocks. */
static void a_shuffle_goes_beside_a_load(void **state)
{
    (void)state;
    static const char text[] = HEAD " .reg .f32 %f<9>;\n st.shared.u32 [%r3], %r0;\n"
                                    " shfl.sync.idx.b32 %r4, %r0, 3, 31, -1;\n ld.shared.f32 %f1, [%r3];\n"
                                    " mov.b32 %f2, %r4;\n mul.f32 %f3, %f2, %f1;\n add.f32 %f4, %f3, %f3;\n"
                                    " st.shared.f32 [%r3], %f4;\n" END;
    static const char row[] = HEAD " st.shared.u32 [%r3], %r0;\n shfl.sync.idx.b32 %r4, %r0, 3, 31, -1;\n"
                                   " shfl.sync.idx.b32 %r5, %r4, 3, 31, -1;\n st.shared.u32 [%r3], %r5;\n" END;
    struct run r;
    const struct bsim_event *work[8];
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    size_t n = works_of(&r, work, 8);
    assert_in_range(n, 1, 7);
    assert_int_equal(work[n - 1]->work_cycles, 4 + 5); /* FMUL to FADD, FADD to STS */
    assert_int_equal(work[n - 1]->wait, 0);
    collect_free(&r.collect);
    run(&r, row, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    n = works_of(&r, work, 8);
    assert_in_range(n, 2, 7);
    assert_int_equal(work[n - 1]->work_cycles, 24 - 1); /* from the clock behind the shuffle */
    collect_free(&r.collect);
}

/* Eight sums in a chain, of which the last issues 28 clocks behind the first, stand in front of a branch that could be taken
 * after 14. They begin where the block does, 5 clocks before the store's address is there. 7 clocks are from the branch to what is next, 16 more as its
 * lanes meet. */
static void what_stands_before_a_branch_has_issued(void **state)
{
    (void)state;
    char text[2000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s .reg .f32 %%f<9>;\n st.shared.u32 [%%r3], %%r0;\n", HEAD);
    for (uint32_t i = 0; i < 8; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " add.f32 %%f1, %%f1, 0f3F800000;\n");
    }
    snprintf(text + at, sizeof text - at,
             " setp.gt.u32 %%p0, %%r0, 1000;\n @%%p0 bra DONE;\n bar.sync 0;\nDONE:\n st.shared.f32 [%%r3], %%f1;\n" END);
    struct run r;
    const struct bsim_event *work[8];
    run(&r, text, "k<<<1, 32>>>(int[1])");
    assert_int_equal(r.status, BSIM_OK);
    size_t n = works_of(&r, work, 8);
    assert_in_range(n, 2, 8);
    assert_int_equal(work[n - 1]->work_cycles, 28 + 1 - 5 + 7 + 16);
    collect_free(&r.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_what_nobody_wrote_are_found),
        cmocka_unit_test(own_memory_that_nobody_wrote_is_found_where_it_decides),
        cmocka_unit_test(reads_of_copies_on_their_way_are_found),
        cmocka_unit_test(barriers_of_a_part_of_a_warp_are_found),
        cmocka_unit_test(lanes_that_a_mask_names_in_vain_are_found),
        cmocka_unit_test(values_of_lanes_that_have_none_are_found),
        cmocka_unit_test(what_stands_between_accesses_is_told),
        cmocka_unit_test(sums_want_the_tenth_load_before),
        cmocka_unit_test(a_turns_loads_stand_before_its_stores),
        cmocka_unit_test(special_functions_have_a_pipe_of_their_own),
        cmocka_unit_test(no_load_passes_a_product_of_matrices),
        cmocka_unit_test(what_is_stored_behind_a_barrier_is_begun_before_it),
        cmocka_unit_test(a_shuffle_goes_beside_a_load),
        cmocka_unit_test(what_stands_before_a_branch_has_issued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
