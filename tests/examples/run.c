/* run.c - from a source to a result: in one call, or in parts on several machines. */
#include "example.h"

static uint64_t loads_of(const struct bsim_result *result)
{
    return result->kernels[0].tally[BSIM_LOADS].wavefronts;
}

/* bsim_run, with what a caller may want to hear while it goes on. */
static enum bsim_status add(void *context, const struct bsim_request_result *request,
                            struct bsim_error *err)
{
    uint64_t *excessive = context;
    (void)err;
    *excessive += bsim_counts_excessive(&request->counts);
    return BSIM_OK;
}

static void in_one_call(void)
{
    struct example_text text = {example_trace, 0};
    struct bsim_input input = example_input(&text);
    struct bsim_source source = {.input = &input};
    uint64_t excessive = 0;
    struct bsim_run_options options = {.context = &excessive, .on_request = add};
    struct bsim_result result = {0};
    CHECK(bsim_run(&source, &options, &result, NULL) == BSIM_OK);
    CHECK(loads_of(&result) == 32 && excessive == 31);
    CHECK(result.expectations == 1 && result.expectations_failed == 1);
    bsim_result_free(&result);
}

/* Two machines have a part of the blocks each; what they count is text meanwhile. */
static const char four_blocks[] = "banksim-trace 1\n"
                                  "kernel k grid=4 block=32\n"
                                  "block 0\nw0 ld.shared.f32 ffffffff 0+4\n"
                                  "block 1\nw0 ld.shared.f32 ffffffff 0+8\n"
                                  "block 2\nw0 ld.shared.f32 ffffffff 0+16\n"
                                  "block 3\nw0 ld.shared.f32 ffffffff 0+32\n"
                                  "end\n";

static enum bsim_status read_part(void *context, size_t i, struct bsim_buffer *text,
                                  struct bsim_error *err)
{
    struct example_text trace = {four_blocks, 0};
    struct bsim_input input = example_input(&trace);
    struct bsim_source source = {.input = &input};
    struct bsim_part part = {.shard = (uint32_t)i + 1, .n_shards = 2};
    enum bsim_status status = bsim_run_shard(&source, context, &part, err);
    bsim_part_write(&part, text);
    bsim_result_free(&part.result);
    return status;
}

static void in_parts(void)
{
    static const char *const name[] = {"1.part", "2.part"};
    struct bsim_run_options options = {.jobs = 2};
    struct bsim_parts parts = {.n = 2, .name = name, .read = read_part, .context = &options};
    struct bsim_result result = {0};
    CHECK(bsim_merge(&parts, &result, NULL) == BSIM_OK);
    CHECK(result.kernels[0].blocks == 4 && loads_of(&result) == 1 + 2 + 4 + 8);
    bsim_result_free(&result);
}

/* With the cycles that conflicts cost. */
static void with_cycles(void)
{
    struct bsim_result result;
    example_run(example_trace, &result);
    const struct bsim_kernel_cycles *timed = &result.kernels[0].timed;
    CHECK(timed->is_timed && timed->cycles >= timed->cycles_ideal + 31);
    bsim_result_free(&result);
}

int main(void)
{
    in_one_call();
    in_parts();
    with_cycles();
    return 0;
}
