/* test_cycles_merge.c - a launch in parts: whatever blocks each part has, and in whatever order the
 * parts are merged, the outcome is that of one run, number for number, with the limit of events or
 * without it. Random launches, seeded; some blocks equal, some with accesses that others have
 * not. */
#include "failing_memory.h"
#include "random_request.h"
#include "timed.h"
#include "trace_text.h"

#include <banksim/result.h>

#include "result/result.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_LAUNCHES = 140,
    MOST_BLOCKS = 8,
    MOST_PARTS = 4,
    MOST_EVENTS = 6,
    N_WARPS = 3,
    N_SITES = 2 * BSIM_TIMER_SITES,
};

/* A launch of two kernels with the same blocks. */
struct launch {
    bool is_wide; /* conflicts at many sites */
    size_t n_blocks;
    struct bsim_buffer block[MOST_BLOCKS]; /* its events, with sites */
};

static void put_event(struct random_source *source, struct bsim_buffer *text)
{
    static const char *const accesses[] = {"@1", "@2", "ld.shared.u32", "atom.shared.add.u32",
                                           "st.shared.v2.u32"};
    static const unsigned strides[] = {8, 16, 32, 128};
    unsigned warp = (unsigned)random_below(source, N_WARPS + 1);
    char who[8] = "w*";
    if (warp < N_WARPS) {
        snprintf(who, sizeof who, "w%u", warp);
    }
    if (random_below(source, 5) == 0) {
        bsim_buffer_printf(text, "%s work 2:7 wait=0\n", who);
    } else {
        bsim_buffer_printf(text, "%s %s ffffffff 0+%u\n", who, accesses[random_below(source, 5)],
                           strides[random_below(source, 4)]);
    }
}

static void put_block(struct random_source *source, struct bsim_buffer *text)
{
    bool loops = random_below(source, 3) == 0;
    bsim_buffer_text(text, loops ? "repeat 20 work=2:20\n" : "");
    for (uint32_t n = 1 + random_below(source, MOST_EVENTS); n > 0; n--) {
        put_event(source, text);
    }
    bsim_buffer_text(text, loops ? "done\n" : "");
}

/* A block with conflicts at more sites than are played one by one, in most cases. */
static void put_wide_block(struct random_source *source, struct bsim_buffer *text)
{
    for (unsigned site = 3; site <= N_SITES; site++) {
        if (random_below(source, 6) > 0) {
            bsim_buffer_printf(text, "w%u @%u ffffffff 0+%u\n",
                               (unsigned)random_below(source, N_WARPS), site,
                               4u << random_below(source, 3));
        }
    }
}

static struct launch random_launch(struct random_source *source)
{
    struct launch launch = {.n_blocks = 1 + random_below(source, MOST_BLOCKS)};
    launch.is_wide = random_below(source, 4) == 0;
    for (size_t i = 0; i < launch.n_blocks; i++) {
        if (i > 0 && random_below(source, 3) == 0) {
            bsim_buffer_text(&launch.block[i],
                             launch.block[random_below(source, (uint32_t)i)].data);
        } else if (launch.is_wide) {
            put_wide_block(source, &launch.block[i]);
        } else {
            put_block(source, &launch.block[i]);
        }
    }
    return launch;
}

static void free_launch(struct launch *launch)
{
    for (size_t i = 0; i < launch->n_blocks; i++) {
        bsim_buffer_free(&launch->block[i]);
    }
}

/* Times the blocks whose part[] is `which`. */
static void time_part(const struct launch *launch, const unsigned *part, unsigned which,
                      const struct bsim_timer_options *options, struct bsim_result *cycles)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\n");
    for (int kernel = 0; kernel < 2; kernel++) {
        bsim_buffer_printf(&text,
                           "kernel k%d grid=500 block=%d shared=4096\nsite 1 ld.shared.u32\n"
                           "site 2 st.shared.u32\n",
                           kernel, 32 * N_WARPS);
        for (int site = 3; site <= N_SITES; site++) {
            bsim_buffer_printf(&text, "site %d ld.shared.u32\n", site);
        }
        for (size_t i = 0; i < launch->n_blocks; i++) {
            if (part[i] == which) {
                bsim_buffer_printf(&text, "block %zu\n%s", i, launch->block[i].data);
            }
        }
    }
    bsim_buffer_text(&text, "end\n");
    assert_int_equal(bsim_buffer_status(&text, NULL), BSIM_OK);
    timed_trace(text.data, text.size_bytes, options, cycles);
    bsim_buffer_free(&text);
}

static bool same_site(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    char x[BSIM_OPCODE_NAME_SIZE], y[BSIM_OPCODE_NAME_SIZE];
    return a->number == b->number && a->timed.requests == b->timed.requests &&
           a->timed.turns == b->timed.turns && a->timed.turns_ideal == b->timed.turns_ideal &&
           a->timed.cycles_ideal == b->timed.cycles_ideal &&
           a->timed.left_out == b->timed.left_out &&
           memcmp(&a->timed.stalls, &b->timed.stalls, sizeof a->timed.stalls) == 0 &&
           strcmp(bsim_opcode_name(&a->opcode, x), bsim_opcode_name(&b->opcode, y)) == 0;
}

static bool same_kernel(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    bool same =
        a->blocks == b->blocks && a->timed.events == b->timed.events &&
        a->timed.left_out == b->timed.left_out && a->timed.steps == b->timed.steps &&
        a->timed.cycles == b->timed.cycles && a->timed.cycles_ideal == b->timed.cycles_ideal &&
        a->timed.cycles_bound == b->timed.cycles_bound &&
        a->timed.cycles_longest == b->timed.cycles_longest &&
        a->timed.cycles_longest_ideal == b->timed.cycles_longest_ideal && a->timed.requests == b->timed.requests &&
        a->timed.warps_run == b->timed.warps_run && a->timed.waves == b->timed.waves &&
        a->timed.blocks_per_sm == b->timed.blocks_per_sm &&
        a->timed.launch_cycles == b->timed.launch_cycles && a->timed.grade == b->timed.grade &&
        (a->timed.left_out || a->n_sites == b->n_sites) &&
        memcmp(&a->timed.stalls, &b->timed.stalls, sizeof a->timed.stalls) == 0;
    for (size_t i = 0; same && !a->timed.left_out && i < a->n_sites; i++) {
        same = same_site(&a->sites[i], &b->sites[i]);
    }
    return same;
}

static void check_same(const struct bsim_result *a, const struct bsim_result *b, int launch)
{
    assert_int_equal(a->n_kernels, b->n_kernels);
    for (size_t i = 0; i < a->n_kernels; i++) {
        if (!same_kernel(&a->kernels[i], &b->kernels[i])) {
            fail_msg("launch %d, kernel %zu: %llu events and %llu cycles in one run, %llu and %llu "
                     "in parts, or something else differs",
                     launch, i, (unsigned long long)a->kernels[i].timed.events,
                     (unsigned long long)a->kernels[i].timed.cycles,
                     (unsigned long long)b->kernels[i].timed.events,
                     (unsigned long long)b->kernels[i].timed.cycles);
        }
    }
}

/* Merges the parts, the last one first, or collects them. */
static void time_in_parts(const struct launch *launch, const unsigned *part, unsigned n_parts,
                          const struct bsim_timer_options *options, bool collects,
                          struct bsim_result *merged)
{
    *merged = (struct bsim_result){0};
    for (unsigned i = n_parts; i-- > 0;) {
        struct bsim_result cycles;
        time_part(launch, part, i, options, &cycles);
        assert_int_equal(collects ? bsim_result_collect(merged, 0, &cycles, NULL)
                                  : bsim_result_merge(merged, &cycles, NULL),
                         BSIM_OK);
        bsim_result_free(&cycles);
    }
}

static void parts_are_the_whole(void **state)
{
    static const unsigned together[MOST_BLOCKS] = {0};
    struct random_source source = {20261122};
    struct random_source steps = {20261123};
    int left_out = 0, too_long = 0, timed = 0, sites_left_out = 0, sites_played = 0;
    (void)state;
    for (int i = 0; i < N_LAUNCHES; i++) {
        struct bsim_timer_options options = {
            .ideal = i % 2 == 0, .ideal_sites = i % 3 == 0, .registers = 32};
        struct launch launch = random_launch(&source);
        struct bsim_result whole, merged;
        unsigned part[MOST_BLOCKS];
        unsigned n_parts = 1 + (unsigned)random_below(&source, MOST_PARTS);
        for (size_t k = 0; k < launch.n_blocks; k++) {
            part[k] = (unsigned)random_below(&source, n_parts);
        }
        options.max_events = i % 4 == 0 ? 0 : 1 + random_below(&source, launch.is_wide ? 600 : 60);
        options.max_steps = i % 8 == 4 ? 1 + random_below(&steps, 500) : 0;
        time_part(&launch, together, 0, &options, &whole);
        for (int collects = 0; collects < 2; collects++) {
            time_in_parts(&launch, part, n_parts, &options, collects == 1, &merged);
            check_same(&whole, &merged, i);
            bsim_result_free(&merged);
        }
        left_out += whole.kernels[0].timed.left_out;
        too_long += whole.kernels[0].timed.left_out && options.max_events == 0;
        timed += whole.kernels[0].timed.cycles > 0;
        for (size_t k = 0; k < whole.kernels[0].n_sites; k++) {
            const struct bsim_site_cycles *site = &whole.kernels[0].sites[k].timed;
            sites_left_out += site->left_out;
            sites_played +=
                site->cycles_ideal > 0 && site->cycles_ideal < whole.kernels[0].timed.cycles;
        }
        bsim_result_free(&whole);
        free_launch(&launch);
    }
    assert_true(too_long > 3 && left_out > N_LAUNCHES / 8 && timed > N_LAUNCHES / 2);
    assert_true(sites_left_out > 50 && sites_played > 400);
}

/* ---- refusals and memory --------------------------------------------------------------------- */

#define HEAD "banksim-trace 1\nkernel k grid=2 block=32\nsite 1 ld.shared.u32\n"
#define BLOCK "block 0\nw0 @1 ffffffff 0+128\nw0 st.shared.u32 ffffffff 0+4\nend\n"

static void time_text(const char *text, const struct bsim_timer_options *options,
                      struct bsim_result *cycles)
{
    timed_trace(text, strlen(text), options, cycles);
}

static void different_launches_do_not_merge(void **state)
{
    static const struct bsim_timer_options plain = {.registers = 0}, limited = {.max_events = 9},
                                           given = {.registers = 8}, ideal = {.ideal = true};
    static const struct {
        const char *text;
        const struct bsim_timer_options *options;
        const char *message;
    } cases[] = {
        {"banksim-trace 1\nend\n", &plain, "one part has 1 kernels, the other 0"},
        {"banksim-trace 1\nkernel k2 grid=2 block=32\nend\n", &plain, "is k in one part and k2 in"},
        {"banksim-trace 1\nkernel k grid=3 block=32\nend\n", &plain, "its launch"},
        {"banksim-trace 1\nkernel k grid=2 block=64\nend\n", &plain, "its launch"},
        {"banksim-trace 1\nkernel k grid=2 block=32 shared=8\nend\n", &plain, "its launch"},
        {"banksim-trace 1\nkernel k grid=2 block=32 device=v100\nend\n", &plain, "its device"},
        {"banksim-trace 1\nkernel k grid=2 block=32\nsite 1 st.shared.u32\nend\n", &plain,
         "site 1 of kernel k differs"},
        {HEAD BLOCK, &limited, "what was asked for"},
        {HEAD BLOCK, &given, "what was asked for"},
        {HEAD BLOCK, &ideal, "what was asked for"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_result into, part, again;
        struct bsim_error err;
        time_text(HEAD BLOCK, &plain, &into);
        time_text(HEAD BLOCK, &plain, &again);
        time_text(cases[i].text, cases[i].options, &part);
        assert_int_equal(bsim_result_merge(&into, &part, &err), BSIM_E_USAGE);
        if (strstr(err.message, cases[i].message) == NULL) {
            fail_msg("no '%s' in '%s'", cases[i].message, err.message);
        }
        check_same(&again, &into, (int)i);
        bsim_result_free(&into);
        bsim_result_free(&part);
        bsim_result_free(&again);
    }
}

static void memory_runs_short(void **state)
{
    static const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    struct bsim_result into, part, before;
    size_t n = 0;
    enum bsim_status status;
    (void)state;
    time_text(HEAD BLOCK, &options, &into);
    time_text(HEAD BLOCK, &options, &before);
    time_text(HEAD "block 1\nw0 atom.shared.add.u32 00000001 0\nend\n", &options, &part);
    do {
        failing_memory_fail_after(n++);
        status = bsim_result_merge(&into, &part, NULL);
        failing_memory_heal();
        assert_true(status == BSIM_OK || status == BSIM_E_MEMORY);
        if (status != BSIM_OK) {
            check_same(&before, &into, 0);
        }
    } while (status != BSIM_OK);
    assert_true(n > 5);
    assert_int_equal(into.kernels[0].n_sites, 3);
    failing_memory_fail_after(0);
    assert_int_equal(bsim_result_append(&into, &part, NULL), BSIM_E_MEMORY);
    failing_memory_heal();
    assert_int_equal(into.n_kernels, 1);
    assert_int_equal(part.n_kernels, 1);
    assert_int_equal(bsim_result_append(&into, &part, NULL), BSIM_OK);
    assert_int_equal(into.n_kernels, 2);
    assert_int_equal(part.n_kernels, 0);
    bsim_result_free(&into);
    bsim_result_free(&before);
    bsim_result_free(&part);
}

/* ---- with counts ----------------------------------------------------------------------------- */

/* The trace counted, with the cycles of the trace `from`. */
static enum bsim_status count_text(const char *text, const char *from, struct bsim_result *result,
                                   struct bsim_error *err)
{
    static const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = NULL});
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_result timed;
    assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, err), BSIM_OK);
    assert_int_equal(bsim_sim_result(sim, result, err), BSIM_OK);
    bsim_sim_free(sim);
    time_text(from, &options, &timed);
    enum bsim_status status = bsim_result_add_cycles(result, &timed, err);
    bsim_result_free(&timed);
    return status;
}

#define GLOBAL "w0 ld.global.u32 ffffffff 0+4\n"

/* A site that only the counts have makes no difference to cycles, in each part and in the whole. */
static void counted_parts_are_the_whole(void **state)
{
    struct bsim_result whole, first, second;
    struct bsim_error err;
    const char *const text[] = {HEAD BLOCK, HEAD "block 1\nw0 @1 ffffffff 0+64\n" GLOBAL "end\n",
                                HEAD "block 0\nw0 @1 ffffffff 0+128\n"
                                     "w0 st.shared.u32 ffffffff 0+4\n"
                                     "block 1\nw0 @1 ffffffff 0+64\n" GLOBAL "end\n"};
    (void)state;
    assert_int_equal(count_text(text[0], text[0], &first, &err), BSIM_OK);
    assert_int_equal(count_text(text[1], text[1], &second, &err), BSIM_OK);
    assert_int_equal(count_text(text[2], text[2], &whole, &err), BSIM_OK);
    assert_int_equal(bsim_result_merge(&first, &second, &err), BSIM_OK);
    assert_int_equal(whole.kernels[0].n_sites, 3);
    check_same(&whole, &first, 0);
    for (size_t i = 0; i < 3; i++) {
        const struct bsim_site_result *site = &whole.kernels[0].sites[i];
        assert_true(site->timed.cycles_ideal > 0);
        assert_int_equal(site->tally.requests, first.kernels[0].sites[i].tally.requests);
    }
    bsim_result_free(&whole);
    bsim_result_free(&first);
    bsim_result_free(&second);
}

static void cycles_of_another_stream_are_refused(void **state)
{
    static const char *const others[] = {
        "banksim-trace 1\nend\n",
        "banksim-trace 1\nkernel k2 grid=2 block=32\nsite 1 ld.shared.u32\n" BLOCK,
        HEAD "site 2 ld.shared.u32\n" BLOCK,
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct bsim_result result;
        struct bsim_error err;
        assert_int_equal(count_text(HEAD BLOCK, others[i], &result, &err), BSIM_E_USAGE);
        assert_string_equal(err.message, "these are cycles of another stream");
        assert_false(result.kernels[0].timed.is_timed);
        bsim_result_free(&result);
    }
}

/* ---- sums near 64 bits ----------------------------------------------------------------------- */

/* A kernel's clocks end at 2^56, and no other sum wraps around. */
static void sums_never_wrap(void **state)
{
    static const size_t of_kernel[] = {
        offsetof(struct bsim_kernel_result, timed.events),
        offsetof(struct bsim_kernel_result, timed.work),
        offsetof(struct bsim_kernel_result, timed.steps),
        offsetof(struct bsim_kernel_result, timed.cycles),
        offsetof(struct bsim_kernel_result, timed.cycles_ideal),
        offsetof(struct bsim_kernel_result, timed.cycles_bound),
        offsetof(struct bsim_kernel_result, timed.requests),
        offsetof(struct bsim_kernel_result, timed.warps_run),
        offsetof(struct bsim_kernel_result, timed.stalls.issue),
        offsetof(struct bsim_kernel_result, timed.stalls.pipe),
        offsetof(struct bsim_kernel_result, timed.stalls.latency),
        offsetof(struct bsim_kernel_result, timed.stalls.barrier),
    };
    static const size_t of_site[] = {
        offsetof(struct bsim_site_result, timed.requests),
        offsetof(struct bsim_site_result, timed.turns),
        offsetof(struct bsim_site_result, timed.turns_ideal),
        offsetof(struct bsim_site_result, timed.cycles_ideal),
        offsetof(struct bsim_site_result, timed.stalls.pipe),
        offsetof(struct bsim_site_result, timed.stalls.latency),
    };
    enum { N_KERNEL = sizeof of_kernel / sizeof of_kernel[0] };
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    (void)state;
    for (size_t i = 0; i < N_KERNEL + sizeof of_site / sizeof of_site[0]; i++) {
        struct bsim_result into, part;
        struct bsim_error err;
        time_text(HEAD BLOCK, &options, &into);
        time_text(HEAD BLOCK, &options, &part);
        char *base[] = {(char *)&into.kernels[0], (char *)&part.kernels[0]};
        if (i >= N_KERNEL) {
            base[0] = (char *)&into.kernels[0].sites[0];
            base[1] = (char *)&part.kernels[0].sites[0];
        }
        size_t at = i < N_KERNEL ? of_kernel[i] : of_site[i - N_KERNEL];
        *(uint64_t *)(void *)(base[0] + at) =
            i == 3 || i == 4 ? (UINT64_C(1) << 56) - 2 : UINT64_MAX;
        *(uint64_t *)(void *)(base[1] + at) = 1;
        if (bsim_result_merge(&into, &part, &err) != BSIM_E_INPUT) {
            fail_msg("sum %zu wraps around", i);
        }
        assert_string_equal(err.message,
                            "kernel k takes more than 2^56 clocks; --cycles never counts "
                            "without them");
        bsim_result_free(&into);
        bsim_result_free(&part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(counted_parts_are_the_whole),
        cmocka_unit_test(cycles_of_another_stream_are_refused),
        cmocka_unit_test(sums_never_wrap),
        cmocka_unit_test(different_launches_do_not_merge),
        cmocka_unit_test(memory_runs_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
