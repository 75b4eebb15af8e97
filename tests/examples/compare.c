/* compare.c - a report of Nsight Compute's beside what was simulated. */
#include "example.h"

static const char profiled[] =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric Unit\","
    "\"Metric Value\"\n"
    "\"0\",\"example(float *)\",\"(32, 1, 1)\",\"(1, 1, 1)\","
    "\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\",\"\",\"32\"\n";

int main(void)
{
    struct example_text text = {profiled, 0};
    struct bsim_input input = example_input(&text);
    struct bsim_ncu_report *report = NULL;
    struct bsim_error err;
    CHECK(bsim_ncu_read(&input, &report, &err) == BSIM_OK && report->n_launches == 1);

    struct bsim_result result;
    struct bsim_compare_options options = {.tolerance = 0};
    struct bsim_comparison *comparison = NULL;
    example_run(example_trace, &result);
    CHECK(bsim_compare(&result, report, &options, &comparison, &err) == BSIM_OK);
    CHECK(comparison->n_matched == 1 && comparison->n_of[BSIM_EQUAL] == 1);
    CHECK(comparison->row[0].decides);

    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_report_options csv = {.format = BSIM_CSV};
    bsim_report_comparison(comparison, &result, report, &csv, &out);
    CHECK(strstr(out.data, "wavefronts_mem_shared_op_ld.sum,32,32,0,equal") != NULL);
    bsim_buffer_free(&out);
    bsim_comparison_free(comparison);
    bsim_result_free(&result);
    bsim_ncu_free(report);
    return 0;
}
