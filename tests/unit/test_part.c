/* test_part.c - results on disk: what is read is what was written, and anything else is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "run/part.h"
#include "result/result.h"
#include "sim/sim.h"
#include "timing/timer.h"

#include "failing_memory.h"
#include "trace_text.h"

#include <string.h>

enum { MAX_ALLOCATIONS = 1000 };

static const char trace[] = "banksim-trace 1\n"
                            "kernel k grid=9 block=64 shared=256 device=k40\n"
                            "site 1 ld.shared.u32 at=a.cu:7 text=\"a  \\\" 7\"\n"
                            "site 4294967295 st.shared.u64 text=\"\"\n"
                            "block 0\n"
                            "w0 @1 ffffffff 0+4 expect.wavefronts=3\n"
                            "w1 ld.const.u32 0000000f 0+4\n"
                            "repeat 4294967\n"
                            "w1 ld.global.u32 0000000f 18446744073709551600-4096\n"
                            "done\n"
                            "kernel l block=32 device=h200\n"
                            "kernel m block=32\n"
                            "block 0\n"
                            "w0 st.shared.u32 ffffffff 0+8\n"
                            "end\n";

/* The trace, counted and timed. */
static struct bsim_part make_part(void)
{
    struct bsim_part part = {.shard = 2, .n_shards = 3, .identity = UINT64_MAX};
    struct bsim_device_options prefers = {.carveout = BSIM_CARVEOUT_L1};
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device_options = prefers});
    struct bsim_timer *timer = bsim_timer_new(&(struct bsim_timer_options){
        .device_options = prefers, .ideal = true, .ideal_sites = true});
    struct bsim_result cycles;
    struct bsim_sink sink[] = {bsim_sim_sink(sim), bsim_timer_sink(timer)};
    for (int i = 0; i < 2; i++) {
        struct bsim_error err;
        if (trace_text_read(trace, strlen(trace), 0, &sink[i], &err) != BSIM_OK) {
            fail_msg("%s", err.message);
        }
    }
    assert_int_equal(bsim_sim_result(sim, &part.result, NULL), BSIM_OK);
    assert_int_equal(bsim_timer_result(timer, &cycles, NULL), BSIM_OK);
    assert_int_equal(bsim_result_add_cycles(&part.result, &cycles, NULL), BSIM_OK);
    bsim_sim_free(sim);
    bsim_timer_free(timer);
    return part;
}

static void free_part(struct bsim_part *part)
{
    bsim_result_free(&part->result);
}

static struct bsim_buffer written(const struct bsim_part *part)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_part_write(part, &out);
    return out;
}

/* All that reports show. */
static struct bsim_buffer reported(const struct bsim_part *part)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    for (int per = BSIM_PER_KERNEL; per <= BSIM_PER_SITE; per++) {
        for (int format = BSIM_TEXT; format <= BSIM_JSON; format++) {
            struct bsim_report_options options = {.format = (enum bsim_format)format,
                                                  .per = (enum bsim_per)per};
            bsim_report_result(&part->result, &options, &out);
        }
    }
    return out;
}

static void what_is_read_was_written(void **state)
{
    (void)state;
    struct bsim_part part = make_part();
    struct bsim_part back;
    struct bsim_buffer bytes = written(&part);
    assert_int_equal(bsim_part_read(bytes.data, bytes.size_bytes, "p", &back, NULL), BSIM_OK);
    struct bsim_buffer again = written(&back);
    struct bsim_buffer report = reported(&part);
    struct bsim_buffer report_again = reported(&back);
    assert_int_equal(again.size_bytes, bytes.size_bytes);
    assert_memory_equal(again.data, bytes.data, bytes.size_bytes);
    assert_int_equal(report_again.size_bytes, report.size_bytes);
    assert_memory_equal(report_again.data, report.data, report.size_bytes);
    assert_int_equal(back.shard, 2);
    assert_int_equal(back.n_shards, 3);
    assert_true(back.identity == UINT64_MAX && back.result.kernels[0].timed.is_timed);
    assert_string_equal(back.result.kernels[0].sites[0].text, "a  \" 7");
    assert_string_equal(back.result.kernels[0].sites[1].text, "");
    assert_null(back.result.kernels[0].sites[1].file);
    assert_int_equal(back.result.kernels[1].device.n_sms, part.result.kernels[1].device.n_sms);
    assert_int_equal(back.result.kernels[1].device.carveout_bytes,
                     part.result.kernels[1].device.carveout_bytes);
    assert_true(back.result.kernels[1].device.carveout_bytes <
                back.result.kernels[1].device.shared_per_sm_bytes);
    bsim_buffer_free(&bytes);
    bsim_buffer_free(&again);
    bsim_buffer_free(&report);
    bsim_buffer_free(&report_again);
    free_part(&part);
    free_part(&back);
}

static void expect_refusal(const char *data, size_t size, const char *what, size_t which)
{
    struct bsim_part part;
    struct bsim_error err = {.status = BSIM_OK};
    if (bsim_part_read(data, size, "p", &part, &err) != BSIM_E_INPUT || err.message[0] == '\0' ||
        strcmp(err.file, "p") != 0) {
        fail_msg("%s %zu: '%s'", what, which, err.message);
    }
}

static void all_else_is_refused(void **state)
{
    (void)state;
    struct bsim_part part = make_part();
    struct bsim_buffer bytes = written(&part);
    for (size_t i = 0; i < bytes.size_bytes; i++) {
        expect_refusal(bytes.data, i, "length", i);
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
            expect_refusal(bytes.data, bytes.size_bytes, "byte", i);
            bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
        }
    }
    bsim_buffer_text(&bytes, "x");
    expect_refusal(bytes.data, bytes.size_bytes, "longer", 0);
    bsim_buffer_free(&bytes);
    free_part(&part);
}

/* The sum that the last line needs to be right. */
static void repair(char *data, size_t size)
{
    size_t body = size - strlen("sum 0123456789abcdef\n");
    char sum[32];
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < body; i++) {
        value ^= (unsigned char)data[i];
        value *= UINT64_C(0x100000001b3);
    }
    (void)snprintf(sum, sizeof sum, "sum %016llx\n", (unsigned long long)value);
    memcpy(data + body, sum, strlen(sum));
}

/* With a right sum, a part may say other numbers, but nothing that cannot be. Sanitizers look
 * on. */
static void a_right_sum_is_not_trusted(void **state)
{
    (void)state;
    static const char put[] = "0 9\nx";
    struct bsim_part part = make_part();
    struct bsim_buffer bytes = written(&part);
    size_t refused = 0;
    for (size_t i = 0; i + strlen("sum 0123456789abcdef\n") < bytes.size_bytes; i++) {
        for (size_t k = 0; k + 1 < sizeof put; k++) {
            struct bsim_part back;
            char kept = bytes.data[i];
            bytes.data[i] = put[k];
            repair(bytes.data, bytes.size_bytes);
            if (bsim_part_read(bytes.data, bytes.size_bytes, "p", &back, NULL) == BSIM_OK) {
                struct bsim_buffer report = reported(&back);
                bsim_buffer_free(&report);
                free_part(&back);
            } else {
                refused++;
            }
            bytes.data[i] = kept;
        }
    }
    assert_true(refused > bytes.size_bytes);
    bsim_buffer_free(&bytes);
    free_part(&part);
}

/* Merging and the reports find a site by its place in the order. */
static void sites_stand_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bsim_part part = make_part();
        struct bsim_site_result *counted = part.result.kernels[0].sites;
        counted[0].number = i == 0 ? UINT32_MAX : 0;
        counted[0].opcode = i == 0 ? counted[1].opcode : counted[0].opcode;
        struct bsim_buffer bytes = written(&part);
        expect_refusal(bytes.data, bytes.size_bytes, "order", (size_t)i);
        bsim_buffer_free(&bytes);
        free_part(&part);
    }
}

static void without_memory(void **state)
{
    (void)state;
    struct bsim_part part = make_part();
    struct bsim_buffer bytes = written(&part);
    size_t live = failing_memory_live();
    bool is_through = false;
    for (size_t n = 0; !is_through; n++) {
        struct bsim_part back;
        assert_true(n < MAX_ALLOCATIONS);
        failing_memory_fail_after(n);
        enum bsim_status status = bsim_part_read(bytes.data, bytes.size_bytes, "p", &back, NULL);
        is_through = failing_memory_refused() == 0;
        failing_memory_heal();
        assert_int_equal(status, is_through ? BSIM_OK : BSIM_E_MEMORY);
        if (is_through) {
            free_part(&back);
        }
        assert_int_equal(failing_memory_live(), live);
    }
    bsim_buffer_free(&bytes);
    free_part(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_was_written),
        cmocka_unit_test(all_else_is_refused),
        cmocka_unit_test(a_right_sum_is_not_trusted),
        cmocka_unit_test(sites_stand_in_order),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
