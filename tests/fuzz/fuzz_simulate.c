/* fuzz_simulate.c - any trace through simulator, timer and search for hazards, into every report.
 *
 * What must hold for every trace that can be read:
 *   - it is refused with a message, or every report has the form of its format;
 *   - what is counted does not depend on what else is asked: a timer, a survey, a report per request;
 *   - `show` draws its worst request, or says that there is none;
 *   - sums add up: of the sites and the classes, those of the kernel.
 *
 * The device is what the trace says, or by its bytes one of some that differ most.
 */
#include "command.h"
#include "result/result.h"

#include <banksim/hazard.h>

struct input {
    const uint8_t *data;
    size_t size;
    const struct bsim_device *device; /* NULL: the trace's */
};

static enum bsim_status simulate(struct fuzz_run *run, const struct input *input,
                                 struct bsim_result *result, struct bsim_error *err)
{
    struct fuzz_bytes bytes = {.data = input->data, .size = input->size};
    struct bsim_input from = fuzz_input(&bytes);
    fuzz_run_open(run, input->device);
    struct bsim_sink sink = fuzz_run_sink(run);
    enum bsim_status status = bsim_trace_read(&from, &sink, err);
    if (status == BSIM_OK) {
        fuzz_run_result(run, result);
    }
    fuzz_run_close(run);
    return status;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void require_sums(const struct bsim_kernel_result *kernel)
{
    struct bsim_tally all = bsim_kernel_total(kernel);
    struct bsim_tally sites = {.requests = 0};
    uint64_t constant = 0, global = 0, sectors = 0;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (bsim_opcode_is_async(&kernel->sites[i].opcode)) {
            continue; /* in no class of the kernel's */
        }
        bsim_tally_add(&sites, &kernel->sites[i].tally);
        constant += kernel->sites[i].constant_passes;
        global +=
            kernel->sites[i].opcode.space == BSIM_GLOBAL ? kernel->sites[i].global.sectors : 0;
    }
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        sectors += kernel->global[c].sectors;
    }
    REQUIRE(memcmp(&all, &sites, sizeof all) == 0);
    REQUIRE(constant == kernel->constant_passes && global == sectors);
    REQUIRE(all.wavefronts >= all.ideal && all.wavefronts >= all.conflicts);
    REQUIRE(all.ways_min <= all.ways_max && (all.requests == 0) == (all.ways_max == 0));
}

/* ---- reports --------------------------------------------------------------------------------- */

static void require_page(const struct input *input, const struct bsim_result *expected)
{
    struct bsim_buffer page = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    struct bsim_result result = {0};
    struct fuzz_run run = {.survey = bsim_survey_new(0)};
    REQUIRE(run.survey != NULL && simulate(&run, input, &result, &err) == BSIM_OK);
    REQUIRE(result.n_kernels == expected->n_kernels);
    REQUIRE(bsim_report_page(&result, run.survey, &page, &err) == BSIM_OK);
    fuzz_require_form(BSIM_HTML, &page);
    bsim_survey_free(run.survey);
    bsim_buffer_free(&page);
    bsim_result_free(&result);
}

static void require_requests(struct input input, enum bsim_format format,
                             const struct bsim_buffer *counted)
{
    struct bsim_report_options options = {.format = format, .per = BSIM_PER_REQUEST};
    struct bsim_buffer report = BSIM_BUFFER_EMPTY, again = BSIM_BUFFER_EMPTY;
    struct bsim_result result = {0};
    struct fuzz_run run = {.rows = {.options = options}, .requests = &report};
    REQUIRE(simulate(&run, &input, &result, NULL) == BSIM_OK);
    bsim_report_requests_end(&run.rows, &result, &report);
    fuzz_require_form(format, &report);
    fuzz_result_text(&result, &again);
    REQUIRE(strcmp(again.data, counted->data) == 0);
    bsim_buffer_free(&again);
    bsim_buffer_free(&report);
    bsim_result_free(&result);
}

static void require_picture(const struct input *input, const struct bsim_result *result)
{
    static const enum bsim_format formats[] = {BSIM_TEXT, BSIM_JSON, BSIM_SVG};
    static const char *const names[] = {"text", "json", "svg"};
    bool has_request = false, has_async = false; /* copies and wgmmas have no picture, but words */
    for (size_t i = 0; i < result->n_kernels; i++) {
        struct bsim_async_tally async = bsim_kernel_async(&result->kernels[i]);
        has_request |= bsim_kernel_total(&result->kernels[i]).requests > 0;
        has_async |= async.wgmmas + async.loads + async.stores + async.reduces > 0;
    }
    fuzz_write(fuzz_path("t.trace"), input->data, input->size);
    for (size_t i = 0; i < 3; i++) {
        const char *words[] = {"show", fuzz_path("t.trace"), "--format", names[i], NULL};
        struct fuzz_outcome outcome = fuzz_command(NULL, words, NULL);
        if (outcome.code == 0) {
            fuzz_require_form(formats[i], &outcome.out);
        } else {
            REQUIRE(outcome.code == 3 && outcome.out.size_bytes == 0);
        }
        REQUIRE_OF(input->device != NULL || (outcome.code == 0) == (has_request || (has_async && formats[i] == BSIM_TEXT)),
                   outcome.err.data, outcome.err.size_bytes);
        fuzz_outcome_free(&outcome);
    }
}

static void require_everything(const struct input *input, const struct bsim_result *result)
{
    struct bsim_buffer counted = BSIM_BUFFER_EMPTY;
    for (size_t i = 0; i < result->n_kernels; i++) {
        require_sums(&result->kernels[i]);
    }
    fuzz_result_text(result, &counted);
    fuzz_require_reports(result);
    require_page(input, result);
    require_picture(input, result);
    require_requests(*input, (enum bsim_format)(input->size % 3), &counted);
    bsim_buffer_free(&counted);
}

/* ---- hazards --------------------------------------------------------------------------------- */

static void on_race(void *context, const struct bsim_race *race)
{
    (void)context;
    REQUIRE(race->kernel[0] != '\0' && race->n_bytes > 0);
    REQUIRE(race->kind == BSIM_RACE_WARPS ? race->access[0].warp < race->access[1].warp
                                          : race->access[0].warp == race->access[1].warp &&
                                                race->access[0].lane != race->access[1].lane);
    REQUIRE(race->access[0].lane < BSIM_WARP_LANES && race->access[1].lane < BSIM_WARP_LANES);
}

static void search(const struct input *input)
{
    struct bsim_error err;
    struct bsim_hazard_options options = {.max_races = 20, .on_race = on_race};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    struct fuzz_bytes bytes = {.data = input->data, .size = input->size};
    struct bsim_input from = fuzz_input(&bytes);
    REQUIRE(hazards != NULL);
    struct bsim_sink sink = bsim_hazards_sink(hazards);
    if (bsim_trace_read(&from, &sink, &err) != BSIM_OK) {
        fuzz_require_message(&err);
    }
    bsim_hazards_free(hazards);
}

/* ---- one input ------------------------------------------------------------------------------- */

static const struct bsim_device *choose(uint64_t hash, struct bsim_device *device)
{
    static const struct {
        const char *name;
        struct bsim_device_options options;
    } some[] = {{"sm_90", {0, 0, 0}},   {"k40", {0, 8, BSIM_CARVEOUT_L1}},
                {"sm_52", {0, 0, 0}},   {"v100", {0, 0, BSIM_CARVEOUT_PERCENT + 20}},
                {"generic", {5, 0, 0}}, {"generic", {64, 8, 0}}};
    size_t i = hash % 16;
    if (i >= sizeof some / sizeof some[0]) {
        return NULL;
    }
    REQUIRE(bsim_device_find(some[i].name, &some[i].options, device, NULL) == BSIM_OK);
    return device;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_buffer bytes = fuzz_repaired(data, size);
    struct bsim_device device;
    struct bsim_error err;
    struct bsim_result result = {0};
    struct fuzz_run run = {.rows = 0};
    struct input input = {.data = (const uint8_t *)(size > 0 ? bytes.data : ""),
                          .size = size,
                          .device = choose(fuzz_hash(data, size), &device)};
    if (simulate(&run, &input, &result, &err) != BSIM_OK) {
        fuzz_require_message(&err);
    } else {
        require_everything(&input, &result);
        search(&input);
    }
    bsim_result_free(&result);
    bsim_buffer_free(&bytes);
    return 0;
}
