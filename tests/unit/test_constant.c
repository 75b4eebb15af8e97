/* test_constant.c - reads of constant memory and the stencil: how many different addresses a warp
 * asks for, in which space, and what the stencil does in shared memory. The derivative itself is
 * checked by the emulator, in every run here.
 */
#include "emulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint32_t count_addresses(const struct bsim_event *event)
{
    uint64_t address[BSIM_WARP_LANES];
    uint32_t n = 0;
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t before = 0;
        while (address[before] != address[lane]) {
            before++;
        }
        n += before == lane;
    }
    return n;
}

static void check_read(const char *name, const char *settings, uint32_t site, enum bsim_space space,
                       uint32_t n_addresses)
{
    struct collect collect = emulate_collected(name, settings);
    size_t n = collect_count(&collect, site);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        const struct bsim_event *load = collect_event(&collect, site, i);
        if (load->opcode.family != BSIM_LD || load->opcode.space != space ||
            load->mask != BSIM_FULL_MASK || count_addresses(load) != n_addresses) {
            fail_msg("%s %s: read %zu has space %d, %u addresses", name, settings, i,
                     load->opcode.space, (unsigned)count_addresses(load));
        }
    }
    collect_free(&collect);
}

static void constants_are_read_at_one_address_or_many(void **state)
{
    (void)state;
    check_read("constant_uniform", "", 1, BSIM_CONST, 1);
    check_read("constant_uniform", "index=1023", 1, BSIM_CONST, 1);
    check_read("constant_divergent", "", 1, BSIM_CONST, 32);
    check_read("constant_divergent", "distinct=1", 1, BSIM_CONST, 1);
    check_read("constant_divergent", "distinct=4", 1, BSIM_CONST, 4);
    check_read("constant_divergent", "distinct=31", 1, BSIM_CONST, 31);
}

static void the_index_is_where_it_reads(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("constant_uniform", "index=7");
    const struct bsim_event *load = collect_event(&collect, 1, 0);
    assert_int_equal(load->base, (UINT64_C(1) << 32) + 4 * 7);
    collect_free(&collect);
}

/* ---- the stencil ---------------------------------------------------------------------------- */

/* A block's events, in order: the tile with its two ends, then for each of the four coefficients,
 * which are operands, one read on either side of the element. Arrays: 1 in, 2 out. */
static void the_stencil_reads_as_in_the_book(void **state)
{
    static const char *const events[] = {
        "w0 @1 ld.global.f32 ffffffff 1:16+4",
        "w0 @2 st.shared.f32 ffffffff 16+4",
        "w0 @3 ld.global.f32 0000000f 1:0+4",
        "w0 @4 st.shared.f32 0000000f 0+4",
        "w0 @5 ld.global.f32 0000000f 1:144+4",
        "w0 @6 st.shared.f32 0000000f 144+4",
        "w* bar.sync",
        "w0 @7 ld.shared.f32 ffffffff 20+4",
        "w0 @8 ld.shared.f32 ffffffff 12+4",
        "w0 @7 ld.shared.f32 ffffffff 24+4",
        "w0 @8 ld.shared.f32 ffffffff 8+4",
        "w0 @7 ld.shared.f32 ffffffff 28+4",
        "w0 @8 ld.shared.f32 ffffffff 4+4",
        "w0 @7 ld.shared.f32 ffffffff 32+4",
        "w0 @8 ld.shared.f32 ffffffff 0+4",
        "w0 @9 st.global.f32 ffffffff 2:16+4",
    };
    (void)state;
    struct collect collect = emulate_collected("stencil_constant", "n=32");
    size_t n = 0;
    for (size_t i = 0; i < collect.n; i++) {
        if (collect.item[i].kind == BSIM_RECORD_EVENT) {
            assert_true(n < COUNT(events));
            assert_string_equal(collect.item[i].text, events[n]);
            n++;
        }
    }
    assert_int_equal(n, COUNT(events));
    assert_string_equal(collect.item[0].text,
                        "kernel stencil_constant grid=1,1,1 block=32,1,1 shared=160 x-shared=smem@0:float[40]");
    collect_free(&collect);
}

/* __ldg, or what the compiler makes of const __restrict__. */
static void the_read_only_cache_has_an_opcode(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("stencil_readonly", "n=32");
    assert_int_equal(collect_event(&collect, 1, 0)->opcode.path, BSIM_USUAL_PATH);
    assert_int_equal(collect_count(&collect, 7), 4);
    assert_int_equal(collect_event(&collect, 7, 0)->opcode.path, BSIM_NC);
    collect_free(&collect);
}

static void coefficients_come_from_where_they_lie(void **state)
{
    (void)state;
    check_read("stencil_readonly", "", 7, BSIM_GLOBAL, 1);
    check_read("stencil_divergent", "", 7, BSIM_CONST, 32);
    check_read("stencil_divergent", "sets=1", 7, BSIM_CONST, 1);
    check_read("stencil_divergent", "sets=3", 7, BSIM_CONST, 3);
}

/* Neighbours lie side by side: no conflict anywhere. 1024 elements in blocks of 32 are 32 blocks
 * of one warp; in blocks of 256, 4 blocks of 8 warps, of which the first loads both ends. */
static void the_tile_has_no_conflict(void **state)
{
    static const struct emulate_case cases[] = {
        {"stencil_constant", "", "smem[sidx[t]] = ", 32, 32},
        {"stencil_constant", "", "smem[sidx[t] - RADIUS] = ", 32, 32},
        {"stencil_constant", "", "smem[sidx[t] + bdim] = ", 32, 32},
        {"stencil_constant", "", "right[t] = ", 4 * 32, 4 * 32},
        {"stencil_constant", "", "left[t] = ", 4 * 32, 4 * 32},
        {"stencil_readonly", "", "c[t] = ", 4 * 32, 0},
        {"stencil_constant", "bdim=256", "smem[sidx[t]] = ", 32, 32},
        {"stencil_constant", "bdim=256", "smem[sidx[t] + bdim] = ", 4, 4},
        {"stencil_constant", "n=100 bdim=50", "right[t] = ", 2 * 2 * 4, 2 * 2 * 4},
        {"stencil_readonly", "n=64", "right[t] = ", 2 * 4, 2 * 4},
        {"stencil_divergent", "n=64", "left[t] = ", 2 * 4, 2 * 4},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

static void blocks_must_divide_the_elements(void **state)
{
    static const struct emulate_refusal cases[] = {
        {"stencil_constant", "n=1000", "stencil_constant: n=1000 must be a multiple of bdim=32"},
        {"stencil_divergent", "bdim=7", "stencil_divergent: n=1024 must be a multiple of bdim=7"},
    };
    (void)state;
    emulate_check_refused(cases, COUNT(cases));
}

static void the_stencil_needs_memory(void **state)
{
    (void)state;
    emulate_without_memory("stencil_constant", "n=32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_read_at_one_address_or_many),
        cmocka_unit_test(the_index_is_where_it_reads),
        cmocka_unit_test(the_stencil_reads_as_in_the_book),
        cmocka_unit_test(coefficients_come_from_where_they_lie),
        cmocka_unit_test(the_read_only_cache_has_an_opcode),
        cmocka_unit_test(the_tile_has_no_conflict),
        cmocka_unit_test(blocks_must_divide_the_elements),
        cmocka_unit_test(the_stencil_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
