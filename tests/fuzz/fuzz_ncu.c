/* fuzz_ncu.c - any bytes as a report of the profiler's, compared with a small trace.
 *
 * What must hold for every input:
 *   - it is refused with a message and its place, or it has a launch;
 *   - the comparison is refused with a message, or every row of it belongs to a launch and a kernel that
 *     go together, and its reports have the form of their format;
 *   - a kernel's name is matched or not, whatever stands in it.
 */
#include "support.h"
#include "compare/compare.h"

static const char trace[] = "banksim-trace 1\n"
                            "kernel copy grid=1 block=32 shared=8192\n"
                            "site 1 ld.shared.u32\n"
                            "site 2 st.shared.u64\n"
                            "block 0\n"
                            "w0 @1 ffffffff 0+128\n"
                            "w0 @2 ffffffff 0+16\n"
                            "w0 red.shared.add.u32 ffffffff 0*32\n"
                            "w0 ld.global.u32 ffffffff 0+4\n"
                            "kernel copy grid=2,2 block=16,4 shared=512\n"
                            "block 0\n"
                            "w1 ld.const.u32 0000ffff 0+4\n"
                            "w* bar.sync\n"
                            "kernel transpose grid=4 block=64 device=v100\n"
                            "block 1\n"
                            "w1 ld.shared.v4.u32 ffffffff 0+16\n"
                            "end\n";

static void simulate(struct bsim_result *result)
{
    struct fuzz_bytes bytes = {.data = (const uint8_t *)trace, .size = sizeof trace - 1};
    struct bsim_input input = fuzz_input(&bytes);
    struct fuzz_run run = {.rows = 0};
    fuzz_run_open(&run, NULL);
    struct bsim_sink sink = fuzz_run_sink(&run);
    REQUIRE(bsim_trace_read(&input, &sink, NULL) == BSIM_OK);
    fuzz_run_result(&run, result);
    fuzz_run_close(&run);
}

static void require_rows(const struct bsim_comparison *comparison,
                         const struct bsim_ncu_report *report, const struct bsim_result *result)
{
    size_t n = 0;
    REQUIRE(comparison->n_launches == report->n_launches);
    REQUIRE(comparison->n_kernels == result->n_kernels && comparison->n_rows > 0);
    for (size_t i = 0; i < comparison->n_rows; i++) {
        const struct bsim_compared *row = &comparison->row[i];
        REQUIRE(row->launch < report->n_launches && row->kernel < result->n_kernels);
        REQUIRE(comparison->kernel_of[row->launch] == (ptrdiff_t)row->kernel);
        REQUIRE(comparison->is_launched[row->kernel]);
        REQUIRE(bsim_ncu_name_matches(report->launches[row->launch].kernel,
                                      result->kernels[row->kernel].name));
    }
    for (size_t i = 0; i <= BSIM_APART; i++) {
        n += comparison->n_of[i] + comparison->n_aside[i];
    }
    REQUIRE(n == comparison->n_rows);
}

static void compare(const struct bsim_ncu_report *report, const struct bsim_result *result,
                    double tolerance)
{
    struct bsim_error err;
    struct bsim_comparison *comparison = NULL;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_compare_options wanted = {tolerance, tolerance > 0};
    if (bsim_compare(result, report, &wanted, &comparison, &err) != BSIM_OK) {
        fuzz_require_message(&err);
        return;
    }
    require_rows(comparison, report, result);
    for (int format = BSIM_TEXT; format <= BSIM_JSON; format++) {
        struct bsim_report_options options = {.format = (enum bsim_format)format};
        bsim_buffer_clear(&out);
        bsim_report_comparison(comparison, result, report, &options, &out);
        fuzz_require_form(options.format, &out);
    }
    bsim_buffer_free(&out);
    bsim_comparison_free(comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_error err;
    struct bsim_ncu_report *report = NULL;
    struct fuzz_bytes bytes = {.data = data, .size = size};
    struct bsim_input input = fuzz_input(&bytes);
    struct bsim_result result = {0};
    if (bsim_ncu_read(&input, &report, &err) != BSIM_OK) {
        fuzz_require_message(&err);
        REQUIRE(err.status == BSIM_E_INPUT && strcmp(err.file, "fuzz") == 0);
        return 0;
    }
    REQUIRE(report->n_launches > 0);
    simulate(&result);
    compare(report, &result, 0);
    compare(report, &result, 2.5);
    bsim_result_free(&result);
    bsim_ncu_free(report);
    return 0;
}
