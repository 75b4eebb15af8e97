/* test_mainloop.c - main loops of a warp-specialised product on an H200 and an H100 against the cycle model:
 * h200/mainloop/gemm.csv and more.csv, and h100/mainloop/gemm.csv, timed by tools/crosscheck/mainloop.cu. One producer warp loads tiles of A (64
 * rows for each consumer warpgroup) and B (n rows) of 64 halves by TMA into `stages` buffers; one or two
 * consumer warpgroups multiply them by four wgmma a turn; each writes its tile of the result to
 * shared memory and stores it by TMA. Rows with aside = 1 were not looked at before the model was made.
 */
#include "table.h"

#include "timed.h"
#include "watched.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define H200 "tests/measured/h200/mainloop"
#define H100 "tests/measured/h100/mainloop"

struct loop {
    uint32_t groups, n, stages, turns, blocks, epilogue_at;
};

enum { TILES = 1024, EMPTY = 100000, DONE = 200000, TURN_BYTES = 128, WARPS = 4, ANY = UINT8_MAX, EVERY = WATCHED(1, 8) };

/* ---- the block as a trace --------------------------------------------------------------------- */

static uint32_t stage_bytes(const struct loop *loop)
{
    return (64 * loop->groups + loop->n) * TURN_BYTES;
}

static uint32_t stage_at(const struct loop *loop, uint32_t turn)
{
    return TILES + turn % loop->stages * stage_bytes(loop);
}

static void add_load(struct bsim_buffer *out, const struct loop *loop, uint32_t rows, uint32_t at,
                     uint32_t turn)
{
    bsim_buffer_printf(out,
                       "w%u cp.async.bulk.tensor.2d.shared.global type=b16 box=64x%u swizzle=128B "
                       "start=%u from=%u pitch=16384 arrive=%u\n",
                       WARPS * loop->groups, rows, at, turn * TURN_BYTES, turn + 1);
}

static void add_producer(struct bsim_buffer *out, const struct loop *loop)
{
    for (uint32_t turn = 0; turn < loop->turns; turn++) {
        uint32_t at = stage_at(loop, turn), rows = 64 * loop->groups;
        if (turn >= loop->stages) {
            bsim_buffer_printf(out, "w%u await %u:%u\n", WARPS * loop->groups,
                               EMPTY + turn - loop->stages, loop->groups);
        }
        add_load(out, loop, rows, at, turn);
        add_load(out, loop, loop->n, at + rows * TURN_BYTES, turn);
    }
}

static void add_operand(struct bsim_buffer *out, char name, uint32_t at)
{
    bsim_buffer_printf(out,
                       " %c.start=%u %c.lbo=16 %c.sbo=1024 %c.base=0 %c.swizzle=128B %c.major=K", name,
                       at, name, name, name, name, name);
}

static void add_products(struct bsim_buffer *out, const struct loop *loop, uint32_t group)
{
    for (uint32_t turn = 0; turn < loop->turns; turn++) {
        uint32_t at = stage_at(loop, turn);
        bsim_buffer_printf(out, "w%u await %u:2\n", WARPS * group, turn + 1);
        for (uint32_t k = 0; k < 4; k++) {
            bsim_buffer_printf(out, "w%u wgmma.mma_async.sync.aligned.m64n%uk16.f16", WARPS * group,
                               loop->n);
            add_operand(out, 'a', at + group * 64 * TURN_BYTES + 32 * k);
            add_operand(out, 'b', at + 64 * loop->groups * TURN_BYTES + 32 * k);
            bsim_buffer_text(out, "\n");
        }
        if (turn > 0) {
            bsim_buffer_printf(out, "w%u arrive %u wait=4\n", WARPS * group, EMPTY + turn - 1);
        }
    }
    bsim_buffer_printf(out, "w%u arrive %u wait=0\n", WARPS * group, DONE + group);
}

/* Pairs of halves into tiles of 64 columns with TMA's swizzle: without conflicts. */
static void add_stores(struct bsim_buffer *out, const struct loop *loop, uint32_t warp, uint32_t tile)
{
    for (uint32_t j = 0; j < loop->n / 4; j++) {
        uint32_t column = j / 2, part = j % 2;
        bsim_buffer_printf(out, "w%u st.shared.b32 ffffffff ", warp);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            uint32_t row = warp % WARPS * 16 + lane / 4 + 8 * part;
            uint32_t chunk = (column % 8) ^ (row % 8);
            bsim_buffer_printf(out, "%s%u", lane > 0 ? "," : "",
                               tile + column / 8 * 8192 + row * 128 + chunk * 16 + lane % 4 * 4);
        }
        bsim_buffer_text(out, "\n");
    }
}

static void add_epilogue(struct bsim_buffer *out, const struct loop *loop, uint32_t group)
{
    uint32_t behind = TILES + loop->stages * stage_bytes(loop);
    uint32_t tile = (loop->epilogue_at > 0 ? loop->epilogue_at : behind) + group * 128 * loop->n;
    uint32_t first = WARPS * group;
    for (uint32_t warp = first; warp < first + WARPS; warp++) {
        if (warp > first) {
            bsim_buffer_printf(out, "w%u await %u:1\n", warp, DONE + group);
        }
        add_stores(out, loop, warp, tile);
        bsim_buffer_printf(out, "w%u fence.proxy.async.shared::cta ffffffff -\n", warp);
        bsim_buffer_printf(out, "w%u arrive %u\n", warp, DONE + 10 + group);
    }
    bsim_buffer_printf(out, "w%u await %u:4\n", first, DONE + 10 + group);
    for (uint32_t j = 0; j < loop->n / 64; j++) {
        bsim_buffer_printf(out,
                           "w%u cp.async.bulk.tensor.2d.global.shared type=b16 box=64x64 "
                           "swizzle=128B start=%u from=%u pitch=16384\n",
                           first, tile + j * 8192, j * 128);
    }
    bsim_buffer_printf(out, "w%u work 1 wait=0\n", first);
}

static void play(const struct loop *loop, struct bsim_kernel_cycles *timed, struct bsim_spread *spread)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result result;
    bsim_buffer_printf(&text, "banksim-trace 1\nkernel gemm grid=%u block=%u shared=232448\nblock 0\n",
                       loop->blocks, 128 * loop->groups + 128);
    add_producer(&text, loop);
    for (uint32_t group = 0; group < loop->groups; group++) {
        add_products(&text, loop, group);
        add_epilogue(&text, loop, group);
    }
    bsim_buffer_text(&text, "end\n");
    assert_false(text.failed);
    timed_trace(text.data, text.size_bytes, NULL, &result);
    *timed = result.kernels[0].timed;
    assert_true(bsim_cycles_spread(&result.kernels[0], spread));
    bsim_result_free(&result);
    bsim_buffer_free(&text);
}

/* ---- the block as a sketch ------------------------------------------------------------------- */

/* Rows behind the stages' that an epilogue's tile wants which begins in them: 0 of one that does not. */
static uint32_t more_rows(const struct loop *loop)
{
    uint32_t behind = TILES + loop->stages * stage_bytes(loop), at = loop->epilogue_at;
    uint32_t end = at + loop->groups * 128 * loop->n;
    return at > 0 && at < behind && end > behind ? (end - behind) / TURN_BYTES : 0;
}

/* The epilogue's tile: behind the stages, or in a place of its own, be that another's. */
static void write_tile(struct bsim_buffer *out, const struct loop *loop)
{
    uint32_t behind = TILES + loop->stages * stage_bytes(loop), at = loop->epilogue_at;
    if (at > 0 && at < behind) {
        bsim_buffer_printf(out, "define C(g, box) (*(half (*)[64][64])((char *)T + %u + ((g) * (N / 64) + (box)) * 8192))\n",
                           at - TILES);
        return;
    }
    if (at > behind) {
        bsim_buffer_printf(out, "shared char gap[%u]\n", at - behind);
    }
    bsim_buffer_text(out, "shared half tile[GROUPS][N / 64][64][64] swizzle 128B\n"
                          "define C(g, box) tile[g][box]\n");
}

/* What somebody writes who plans it, with the stages' places as in the trace: the rows of A, then those of B. */
static void write_sketch(struct bsim_buffer *out, const struct loop *loop)
{
    bsim_buffer_printf(out, "block %u\ngrid %u\ndefine GROUPS %u\ndefine N %u\ndefine STAGES %u\ndefine TURNS %u\n"
                            "define MORE %u\ndefine ROWS 64 * GROUPS + N\n",
                       128 * loop->groups + 128, loop->blocks, loop->groups, loop->n, loop->stages, loop->turns,
                       more_rows(loop));
    bsim_buffer_text(out, "mbarrier full[STAGES]: 1, empty[STAGES]: GROUPS, stored[GROUPS]: 128\n"
                          "shared half T[STAGES * (ROWS) + MORE][64] swizzle 128B\n");
    write_tile(out, loop);
    bsim_buffer_text(
        out, "global const half a[][8192], b[][8192], half c[][8192]\n"
             "if (warp == 4 * GROUPS && lane == 0) {\n"
             "    for k = 0:TURNS {\n"
             "        let s = k % STAGES\n"
             "        if (k >= STAGES) wait empty[s], k / STAGES - 1 & 1\n"
             "        arrive full[s], 128 * (ROWS)\n"
             "        tma load *(half (*)[64 * GROUPS][64])&T[s * (ROWS)][0], a[0][64 * k], full[s]\n"
             "        tma load *(half (*)[N][64])&T[s * (ROWS) + 64 * GROUPS][0], b[0][64 * k], full[s]\n"
             "    }\n"
             "} else if (warp < 4 * GROUPS) {\n"
             "    let g = warp / 4\n"
             "    for k = 0:TURNS {\n"
             "        let s = k % STAGES\n"
             "        wait full[s], k / STAGES & 1\n"
             "        for i = 0:4\n");
    bsim_buffer_printf(out, "            wgmma m64n%uk16 T[s * (ROWS) + 64 * g][16 * i], T[s * (ROWS) + 64 * GROUPS][16 * i]\n", loop->n);
    bsim_buffer_text(
        out, "        wgmma commit_group\n"
             "        wgmma wait_group 1\n"
             "        if (k > 0 && threadIdx.x % 128 == 0) arrive empty[(k - 1) % STAGES]\n"
             "    }\n"
             "    wgmma wait_group 0\n"
             "    for j = 0:N / 8\n"
             "        for h = 0:2\n"
             "            store *(unsigned *)&C(g, j / 8)[warp % 4 * 16 + lane / 4 + 8 * h][j % 8 * 8 + lane % 4 * 2]\n"
             "    fence proxy.async.shared::cta\n"
             "    arrive stored[g]\n"
             "    if (threadIdx.x % 128 == 0) {\n"
             "        wait stored[g], 0\n"
             "        for j = 0:N / 64\n"
             "            tma store C(g, j), c[0][64 * j]\n"
             "        tma commit_group\n"
             "        tma wait_group 0\n"
             "    }\n"
             "}\n");
}

static enum bsim_status push_check(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_check_push(context, NULL, sink, err);
}

/* It takes what the trace takes, to the cycle. */
static void compare_sketch(const struct loop *loop, const struct bsim_kernel_cycles *timed)
{
    static const struct bsim_timer_options timing = {.max_events = BSIM_TIMER_EVENTS};
    struct bsim_check *check = bsim_check_new();
    struct bsim_source source = {.push = push_check, .context = check};
    struct bsim_run_options options = {.timing = &timing};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result result;
    struct bsim_error err = {.message = ""};
    write_sketch(&text, loop);
    assert_false(text.failed);
    enum bsim_status status = bsim_check_add_text(check, "sketch", text.data, text.size_bytes, &err);
    status = status == BSIM_OK ? bsim_check_seal(check, &err) : status;
    status = status == BSIM_OK ? bsim_run(&source, &options, &result, &err) : status;
    if (status != BSIM_OK || result.kernels[0].timed.cycles != timed->cycles) {
        fail_msg("%u x m64n%u, %u stages, %u turns, %u blocks: %s%u:%u %s, %llu cycles, the trace %llu", loop->groups,
                 loop->n, loop->stages, loop->turns, loop->blocks, err.file, (unsigned)err.line,
                 (unsigned)err.column, err.message, (unsigned long long)(status == BSIM_OK ? result.kernels[0].timed.cycles : 0),
                 (unsigned long long)timed->cycles);
    }
    bsim_result_free(&result);
    bsim_check_free(check);
    bsim_buffer_free(&text);
}

/* ---- against the GPUs ------------------------------------------------------------------------- */

static uint32_t number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (uint32_t)value;
}

struct errors {
    double error[512];
    size_t n, n_within, n_in_range;
    double at_most;
};

static void add_error(struct errors *errors, double error)
{
    error = error < 0 ? -error : error;
    errors->error[errors->n++] = error;
    errors->n_within += error <= 10;
    errors->at_most = error > errors->at_most ? error : errors->at_most;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(struct errors *errors)
{
    qsort(errors->error, errors->n, sizeof errors->error[0], by_size);
    return errors->error[errors->n / 2];
}

/* Rows of one block, and of a block on each SM whose tiles L2 holds: 12 columns of tiles, up to 32 turns. */
static bool is_compared(const struct loop *loop, uint32_t columns)
{
    return loop->blocks == 1 || (columns == 12 && loop->turns <= 32);
}

static void read_errors(const char *dir, const char *file, uint32_t aside, uint32_t blocks, struct errors *errors)
{
    struct table table;
    size_t n = 0;
    memset(errors, 0, sizeof *errors);
    assert_true(table_open(&table, dir, file));
    while (table_next(&table)) {
        struct loop loop = {number(&table, "warpgroups"), number(&table, "n"),
                            number(&table, "stages"),     number(&table, "turns"),
                            number(&table, "blocks"),     number(&table, "epilogue_at")};
        struct bsim_kernel_cycles timed;
        struct bsim_spread spread;
        if ((aside != ANY && number(&table, "aside") != aside) || loop.blocks != blocks ||
            !is_compared(&loop, number(&table, "columns")) || n++ % EVERY != 0) {
            continue;
        }
        play(&loop, &timed, &spread);
        if (strcmp(dir, H200) == 0) {
            compare_sketch(&loop, &timed);
        }
        double measured = number(&table, "end");
        double error = 100 * ((double)timed.cycles - measured) / measured;
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("%u x m64n%u, %u stages, %u turns, %u blocks: %.0f, model %.0f, %.1f %%\n",
                   loop.groups, loop.n, loop.stages, loop.turns, loop.blocks, measured,
                   (double)timed.cycles, error);
        }
        add_error(errors, error);
        errors->n_in_range += (double)spread.least <= measured && measured <= (double)spread.most;
    }
    table_close(&table);
    printf("%s/%s, aside %u, blocks %u: %zu rows, median %.2f %%, within 10 %% %zu, most %.1f %%, in the range %zu\n", dir,
           file, aside == ANY ? 2 : aside, blocks, errors->n, median(errors), errors->n_within, errors->at_most,
           errors->n_in_range);
}

/* What stands in src/timing/README.md. */
static void within(struct errors *errors, size_t n, size_t n_within, double of_median)
{
    assert_int_equal(errors->n, (n + EVERY - 1) / EVERY);
    assert_int_equal(errors->n_in_range, errors->n);
    assert_true(IS_WATCHED || (errors->n_within >= n_within && median(errors) <= of_median));
}

static void one_block(void **state)
{
    struct errors errors;
    (void)state;
    read_errors(H200, "gemm.csv", 0, 1, &errors);
    within(&errors, 88, 88, 1.2);
    read_errors(H200, "gemm.csv", 1, 1, &errors);
    within(&errors, 92, 75, 1.0);
}

static void all_sms(void **state)
{
    struct errors errors;
    (void)state;
    read_errors(H200, "gemm.csv", 0, 132, &errors);
    within(&errors, 66, 63, 2.9);
    read_errors(H200, "gemm.csv", 1, 132, &errors);
    within(&errors, 54, 43, 3.3);
}

/* Timed when the model was made; their kernels count stages along, where gemm.csv's divide. */
static void other_shapes(void **state)
{
    struct errors errors;
    (void)state;
    read_errors(H200, "more.csv", ANY, 1, &errors);
    within(&errors, 180, 180, 1.1);
    read_errors(H200, "more.csv", ANY, 132, &errors);
    within(&errors, 120, 100, 5.5);
}

/* Shapes drawn by chance, timed when the model stood. */
static void drawn_shapes(void **state)
{
    struct errors errors;
    (void)state;
    read_errors(H200, "drawn.csv", ANY, 1, &errors);
    within(&errors, 96, 96, 2.2);
    read_errors(H200, "drawn.csv", ANY, 132, &errors);
    within(&errors, 64, 60, 5.2);
}

/* A block alone takes what it takes on an H200: the cycle model and its rules are those of both. */
static void one_block_of_an_h100(void **state)
{
    struct errors errors;
    struct table table[2];
    (void)state;
    read_errors(H100, "gemm.csv", 1, 1, &errors);
    within(&errors, 180, 164, 1.0);
    memset(&errors, 0, sizeof errors);
    assert_true(table_open(&table[0], H200, "gemm.csv") && table_open(&table[1], H100, "gemm.csv"));
    while (table_next(&table[0])) {
        assert_true(table_next(&table[1]));
        assert_int_equal(number(&table[0], "turns"), number(&table[1], "turns"));
        if (number(&table[0], "blocks") == 1) {
            add_error(&errors, 100.0 * number(&table[1], "end") / number(&table[0], "end") - 100);
        }
    }
    table_close(&table[0]);
    table_close(&table[1]);
    assert_int_equal(errors.n, 180);
    assert_true(errors.at_most < 3.6 && median(&errors) < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_block),
        cmocka_unit_test(all_sms),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(drawn_shapes),
        cmocka_unit_test(one_block_of_an_h100),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
