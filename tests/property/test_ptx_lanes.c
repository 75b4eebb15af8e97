/* test_ptx_lanes.c - what the lanes of an access find and tell, wherever they lead: on a line, on one
 * but for a lane, with lanes off, from below the first byte on, in shared, global and generic memory.
 * Each word of memory holds its own address, so that a load tells where it led. */
#include "ptx_run.h"
#include "random_request.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { LANES = 32, WORDS = 2048, N_CASES = WATCHED(3000, 600) };

/* Lane t of those in `mask` loads from base + stride * t, lane `which` from `other` further on, stores its
 * number there and loads again. */
#define BODY(SPACE, PLACE)                                                                     \
    " @%p2 ld" SPACE ".u32 %r8, [" PLACE "+16];\n st.global.u32 [%rd4], %r8;\n"                \
    " @%p2 st" SPACE ".u32 [" PLACE "+16], %r0;\n @%p2 ld" SPACE ".u32 %r8, [" PLACE "+16];\n" \
    " st.global.u32 [%rd4+128], %r8;\n ret;\n}\n"
#define HEAD                                                                                  \
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 o,\n"       \
    " .param .u64 m, .param .u32 mask, .param .u32 base, .param .u32 stride,\n"               \
    " .param .u32 which, .param .u32 other) {\n .reg .pred %p<4>;\n .reg .b32 %r<16>;\n"      \
    " .reg .b64 %rd<12>;\n .shared .align 16 .b8 s[8192];\n"                                  \
    " ld.param.u64 %rd1, [o];\n ld.param.u64 %rd2, [m];\n ld.param.u32 %r1, [mask];\n"        \
    " ld.param.u32 %r2, [base];\n ld.param.u32 %r3, [stride];\n ld.param.u32 %r4, [which];\n" \
    " ld.param.u32 %r5, [other];\n mov.u32 %r0, %tid.x;\n shl.b32 %r6, %r0, 2;\n"             \
    " cvt.u64.u32 %rd5, %r6;\n add.s64 %rd4, %rd1, %rd5;\n add.s64 %rd6, %rd2, %rd5;\n"       \
    "L:\n st.shared.u32 [%r6], %r6;\n st.global.u32 [%rd6], %r6;\n add.s32 %r6, %r6, 128;\n"  \
    " add.s64 %rd6, %rd6, 128;\n setp.lt.u32 %p3, %r6, 8192;\n @%p3 bra L;\n"                 \
    " mad.lo.s32 %r7, %r3, %r0, %r2;\n setp.eq.u32 %p1, %r0, %r4;\n"                          \
    " @%p1 add.s32 %r7, %r7, %r5;\n shr.u32 %r9, %r1, %r0;\n and.b32 %r9, %r9, 1;\n"          \
    " setp.ne.u32 %p2, %r9, 0;\n mov.u32 %r8, 7777777;\n cvt.s64.s32 %rd7, %r7;\n"            \
    " add.s64 %rd8, %rd2, %rd7;\n mov.u64 %rd9, s;\n cvta.shared.u64 %rd9, %rd9;\n"           \
    " add.s64 %rd9, %rd9, %rd7;\n"

static const char *const text[] = {HEAD BODY(".shared", "%r7"), HEAD BODY(".global", "%rd8"),
                                   HEAD BODY("", "%rd8"), HEAD BODY("", "%rd9")};

struct lanes {
    uint32_t mask, base, stride, which, other;
    uint32_t address[LANES]; /* of those that are on */
};

/* Lanes whose words are all within memory. */
static struct lanes draw_lanes(struct random_source *random)
{
    static const int32_t strides[] = {4, 4, 0, 8, 16, 128, -4, -8, -128, 20};
    struct lanes lanes;
    bool fits = false;
    while (!fits) {
        int32_t stride = strides[random_below(random, 10)];
        uint32_t kind = random_below(random, 4);
        lanes.mask = kind == 0 ? random_below(random, UINT32_MAX) | UINT32_C(1)
                                                                        << random_below(random, 32)
                     : kind == 1 ? UINT32_MAX >> random_below(random, 32)
                                 : UINT32_MAX;
        lanes.base =
            4 * random_below(random, WORDS) - (random_below(random, 3) == 0 ? 2048 : 0) - 16;
        lanes.stride = (uint32_t)stride;
        lanes.which = random_below(random, 40);
        lanes.other = 4 * random_below(random, 16);
        fits = true;
        for (uint32_t l = 0; l < LANES; l++) {
            lanes.address[l] = lanes.base + 16 + l * lanes.stride;
            lanes.address[l] += l == lanes.which ? lanes.other : 0;
            fits = fits && (!(lanes.mask >> l & 1) || lanes.address[l] < 4 * WORDS);
        }
    }
    return lanes;
}

/* The lane whose store there is the last. */
static uint32_t last_store(const struct lanes *lanes, uint32_t address)
{
    uint32_t last = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        last = (lanes->mask >> l & 1) && lanes->address[l] == address ? l : last;
    }
    return last;
}

/* The two loads are the only ones. */
static void check_loads(const struct ptx_run *run, const struct lanes *lanes, uint64_t start)
{
    size_t n = 0;
    for (size_t i = 0; i < run->collect.n; i++) {
        const struct bsim_event *event = &run->collect.item[i].event;
        uint64_t address[LANES];
        if (run->collect.item[i].kind != BSIM_RECORD_EVENT || event->opcode.family != BSIM_LD) {
            continue;
        }
        n++;
        bsim_event_addresses(event, address);
        assert_int_equal(event->mask, lanes->mask);
        for (uint32_t l = 0; l < LANES; l++) {
            if (lanes->mask >> l & 1) {
                assert_int_equal(address[l], start + lanes->address[l]);
            }
        }
    }
    assert_int_equal(n, 2);
}

static void check(size_t kind, const struct lanes *lanes)
{
    struct ptx_run run;
    char launch[160];
    (void)snprintf(launch, sizeof launch, "k<<<1, 32>>>(int[64], int[%d], %u, %u, %u, %u, %u)",
                   WORDS, (unsigned)lanes->mask, (unsigned)lanes->base, (unsigned)lanes->stride,
                   (unsigned)lanes->which, (unsigned)lanes->other);
    ptx_expect_run(&run, text[kind], launch);
    for (uint32_t l = 0; l < LANES; l++) {
        bool is_on = lanes->mask >> l & 1;
        uint32_t first = is_on ? lanes->address[l] : 7777777;
        uint32_t then = is_on ? last_store(lanes, lanes->address[l]) : 7777777;
        if (run.out[l] != first || run.out[LANES + l] != then) {
            fail_msg("%s, text %u, lane %u: %u and %u, not %u and %u", launch, (unsigned)kind,
                     (unsigned)l, (unsigned)run.out[l], (unsigned)run.out[LANES + l],
                     (unsigned)first, (unsigned)then);
        }
    }
    check_loads(&run, lanes, kind == 0 || kind == 3 ? 0 : UINT64_C(2) << 32);
    collect_free(&run.collect);
}

static void lanes_lead_where_they_should(void **state)
{
    struct random_source random = {.state = 1};
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        struct lanes lanes = draw_lanes(&random);
        check(i % 4, &lanes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_lead_where_they_should)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
