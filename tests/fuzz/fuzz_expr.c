/* fuzz_expr.c - any bytes as the statements of a check.
 *
 * What must hold for every input, good or broken:
 *   - it is refused with a message (and a caret inside its excerpt, where it has a place), or every
 *     request lies inside of its arrays, aligned;
 *   - the trace of a check that evaluates is one that the trace reader takes;
 *   - `check`, `advise` and `show` of it, in every format, end with a message or with a report of that
 *     form, and never with half of one.
 *
 * In a fuzzer's build an evaluation may make few requests and turns: more take long and show
 * nothing.
 */
#include "command.h"

enum { MAX_REQUESTS = 2000 };

/* ---- what comes out ------------------------------------------------------------------------- */

struct watch {
    const struct bsim_check *check;
    uint32_t n_requests;
};

static void watch_lane(const struct bsim_check *check, const struct bsim_check_request *request,
                       uint32_t lane)
{
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[request->array[lane]];
    uint32_t end = request->offset[lane] + request->opcode.bytes;
    REQUIRE(request->array[lane] < bsim_check_contents(check)->n_arrays);
    REQUIRE(request->address[lane] == array->offset_bytes + request->offset[lane]);
    REQUIRE(request->address[lane] % request->opcode.bytes == 0);
    REQUIRE(array->is_extern ? array->offset_bytes + end <= BSIM_CHECK_MAX_SHARED_BYTES
                             : end <= array->size_bytes);
}

static void watch_other_lane(const struct bsim_check *check,
                             const struct bsim_check_request *request, uint32_t lane)
{
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[request->array[lane]];
    uint64_t end = (uint64_t)request->offset[lane] + request->opcode.bytes;
    uint64_t address[BSIM_WARP_LANES];
    bsim_check_addresses(check, request, address);
    REQUIRE(array->space == (enum bsim_space)request->opcode.space);
    REQUIRE(request->array[lane] >= bsim_check_contents(check)->n_arrays);
    REQUIRE(address[lane] == array->begin + request->offset[lane]);
    REQUIRE(address[lane] % request->opcode.bytes == 0);
    REQUIRE(end <= (array->is_extern ? UINT64_C(1) << 32 : array->size_bytes));
}

static enum bsim_status watch_request(void *context, const struct bsim_check_request *request,
                                      struct bsim_error *err)
{
    struct watch *watch = context;
    REQUIRE(request->mask != 0);
    REQUIRE(request->lanes == bsim_opcode_lanes(&request->opcode, request->mask));
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            (request->opcode.space == BSIM_SHARED ? watch_lane
                                                  : watch_other_lane)(watch->check, request, lane);
        }
    }
    return ++watch->n_requests < MAX_REQUESTS ? BSIM_OK : bsim_error_set(err, BSIM_E_IO, "enough");
}

static void require_message(const struct bsim_error *err)
{
    fuzz_require_message(err);
    REQUIRE(err->status == BSIM_E_INPUT);
    REQUIRE(err->line == 0 || (err->column > 0 && strcmp(err->file, "fuzz") == 0));
}

/* ---- its trace ------------------------------------------------------------------------------ */

static enum bsim_status swallow(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    (void)context;
    (void)record;
    (void)err;
    return BSIM_OK;
}

static void write_and_read(const struct bsim_check *check)
{
    struct bsim_error err;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_output output = fuzz_output(&text);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    REQUIRE(writer != NULL);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    REQUIRE(bsim_check_push(check, NULL, &sink, &err) == BSIM_OK);
    bsim_trace_writer_free(writer);
    struct fuzz_bytes bytes = {.data = (const uint8_t *)text.data, .size = text.size_bytes};
    struct bsim_input input = fuzz_input(&bytes);
    struct bsim_sink hole = {.push = swallow, .context = NULL};
    if (bsim_trace_read(&input, &hole, &err) != BSIM_OK) {
        fprintf(stderr, "%s\n%s\n", err.message, text.data);
        abort();
    }
    bsim_buffer_free(&text);
}

/* ---- the commands ---------------------------------------------------------------------------- */

static void require_report(const char *command, enum bsim_format format, const char *device)
{
    static const char *const names[] = {"text", "csv", "json", "svg"};
    const char *words[] = {command,
                           fuzz_path("t.check"),
                           "--format",
                           names[format],
                           device != NULL ? "--device" : NULL,
                           device,
                           NULL};
    struct fuzz_outcome outcome = fuzz_command(NULL, words, NULL);
    bool is_check = strcmp(command, "check") == 0;
    bool has_too_many =
        outcome.code == 2 && strstr(outcome.err.data, "are drawn at a time") != NULL;
    REQUIRE_OF(outcome.code == 0 || outcome.code == 3 || (outcome.code == 1 && is_check) ||
                   has_too_many,
               outcome.err.data, outcome.err.size_bytes);
    REQUIRE((outcome.code == 0) == (outcome.err.size_bytes == 0));
    /* An expectation that cannot be evaluated, x / 0, is found behind the report. */
    if (outcome.code < 2 || (is_check && outcome.out.size_bytes > 0)) {
        fuzz_require_form(format, &outcome.out);
    } else {
        REQUIRE(outcome.out.size_bytes == 0);
    }
    fuzz_outcome_free(&outcome);
}

static void require_reports(const uint8_t *data, size_t size)
{
    static const char *const devices[] = {NULL, NULL, NULL, "k40", "generic", "v100"};
    const char *device = devices[fuzz_hash(data, size) % 6];
    fuzz_write(fuzz_path("t.check"), data, size);
    for (int format = BSIM_TEXT; format <= BSIM_JSON; format++) {
        require_report("check", (enum bsim_format)format, device);
        require_report("advise", (enum bsim_format)format, device);
    }
    require_report("show", BSIM_TEXT, device);
    require_report("show", BSIM_JSON, device);
    require_report("show", BSIM_SVG, device);
}

/* ---- one input ------------------------------------------------------------------------------ */

static void evaluate(const struct bsim_check *check, const uint8_t *data, size_t size)
{
    struct bsim_error err;
    struct watch watch = {check, 0};
    struct bsim_check_visitor visitor = {watch_request, watch_request, &watch, 0};
    enum bsim_status status = bsim_check_each(check, &visitor, &err);
    if (status == BSIM_OK) {
        write_and_read(check);
        require_reports(data, size);
    } else if (status != BSIM_E_IO) {
        require_message(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_error err;
    const char *text = (const char *)data;
    struct bsim_check *check = bsim_check_new();
    REQUIRE(check != NULL);
    if (bsim_check_add_text(check, "fuzz", text, size, &err) != BSIM_OK ||
        bsim_check_seal(check, &err) != BSIM_OK) {
        require_message(&err);
    } else {
        evaluate(check, data, size);
    }
    bsim_check_free(check);
    return 0;
}
