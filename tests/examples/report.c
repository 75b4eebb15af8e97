/* report.c - results, lists and drawings, for people and for programs. */
#include "example.h"

#define HAS(out, text) CHECK((out)->data != NULL && strstr((out)->data, text) != NULL)

static void results(void)
{
    struct bsim_result result;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_report_options options = {.format = BSIM_TEXT, .per = BSIM_PER_SITE};
    example_run(example_trace, &result);
    bsim_report_result(&result, &options, &out);
    HAS(&out, "tile.cu:4");
    bsim_buffer_clear(&out);

    /* The same of kernels that come one by one. */
    struct bsim_report *report = bsim_report_new(&options);
    CHECK(report != NULL);
    CHECK(bsim_report_kernel(report, &result.kernels[0], NULL) == BSIM_OK);
    CHECK(bsim_report_next(report, &out, NULL) == BSIM_OK);
    HAS(&out, "tile.cu:4");
    bsim_report_free(report);
    bsim_buffer_free(&out);
    bsim_result_free(&result);
}

/* Each request as it comes, and those that a page draws. */
struct watch {
    struct bsim_request_rows rows;
    struct bsim_buffer *out;
    struct bsim_survey *survey;
};

static enum bsim_status watch(void *context, const struct bsim_request_result *request,
                              struct bsim_error *err)
{
    struct watch *watch = context;
    bsim_report_request(&watch->rows, request, watch->out);
    return bsim_survey_add(watch->survey, request->kernel_index, request, err);
}

static void requests(void)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct watch watched = {.rows = {.options = {.format = BSIM_CSV, .per = BSIM_PER_REQUEST}},
                            .out = &out};
    struct example_text text = {example_trace, 0};
    struct bsim_input input = example_input(&text);
    struct bsim_source source = {.input = &input};
    struct bsim_run_options options = {.context = &watched, .on_request = watch};
    struct bsim_result result = {0};
    watched.survey = bsim_survey_new(0);
    CHECK(watched.survey != NULL);
    CHECK(bsim_run(&source, &options, &result, NULL) == BSIM_OK);
    bsim_report_requests_end(&watched.rows, &result, &out);
    HAS(&out, "ld.shared.f32");
    bsim_buffer_clear(&out);
    CHECK(bsim_report_page(&result, watched.survey, &out, NULL) == BSIM_OK);
    HAS(&out, "</html>");
    bsim_survey_free(watched.survey);
    bsim_result_free(&result);
    bsim_buffer_free(&out);
}

/* What lines of CUDA cost, and what to write instead. */
static void checks(void)
{
    static const char text[] = "shared float tile[32][32]\nload tile[threadIdx.x][0]\n";
    struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_ask ask = {.cycles = true, .remedies = true};
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_check *check = bsim_check_new();
    struct bsim_advice *advice = NULL;
    struct bsim_picture picture;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY, texts = BSIM_BUFFER_EMPTY;
    CHECK(bsim_check_add_text(check, "k.cu", text, strlen(text), NULL) == BSIM_OK);
    CHECK(bsim_check_seal(check, NULL) == BSIM_OK);
    CHECK(bsim_answer(check, &ask, &answer, NULL) == BSIM_OK);
    bsim_report_check(check, &answer, &options, &out);
    HAS(&out, "declare __shared__ float tile[32][33]");
    bsim_buffer_clear(&out);
    CHECK(bsim_advise(check, &answer.result.kernels[0].device, NULL, &advice, NULL) == BSIM_OK);
    bsim_report_advice(check, advice, &options, &out);
    HAS(&out, "__shared__ float tile[32][33];");
    bsim_buffer_clear(&out);
    bsim_report_where(check, &answer.result.kernels[0].device, &answer.worst[0].request, 1,
                      &options, &out);
    HAS(&out, "tile[31][0]");
    CHECK(bsim_picture_of(check, &answer.result.kernels[0].device, &answer.worst[0].request, &texts,
                          &picture, NULL) == BSIM_OK);
    CHECK(strcmp(picture.title, "load tile[threadIdx.x][0]") == 0);
    CHECK(strcmp(picture.place, "warp 0, from thread (0,0,0)") == 0);
    bsim_buffer_free(&texts);
    bsim_advice_free(advice);
    bsim_answer_free(&answer);
    bsim_check_free(check);
    bsim_buffer_free(&out);
}

static void lists(void)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    uint32_t shows = 0;
    bsim_report_list(BSIM_LIST_DEVICES, "h200", BSIM_TEXT, &out);
    bsim_report_list(BSIM_LIST_EMULATORS, NULL, BSIM_CSV, &out);
    bsim_report_list(BSIM_LIST_OPCODES, NULL, BSIM_JSON, &out);
    HAS(&out, "square_set_row_read_col");
    HAS(&out, "\"ld.shared.f32\"");
    CHECK(strcmp(bsim_format_name(BSIM_CSV, &shows), "csv") == 0 && shows != 0);
    bsim_buffer_free(&out);
}

/* Lane l at word 2 * l. */
static struct bsim_picture drawn(void)
{
    struct bsim_picture picture = {.title = "stride 2", .request = {.mask = BSIM_FULL_MASK}};
    CHECK(bsim_device_find("h200", NULL, &picture.device, NULL) == BSIM_OK);
    CHECK(bsim_opcode_parse("ld.shared.b32", 13, &picture.request.opcode, NULL) == BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        picture.request.address[lane] = 8 * lane;
    }
    return picture;
}

static void pictures(void)
{
    struct bsim_picture picture = drawn();
    struct bsim_picture_style style = {.utf8 = false};
    struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_stride stride = {2, picture.request};
    struct bsim_shuffle_ask ask = {BSIM_DOWN, 1, 32, BSIM_FULL_MASK};
    struct bsim_schedule schedule;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_request_schedule(&picture.device, &picture.request, &schedule);
    bsim_request_why(&picture.device, &picture.request, &schedule, &out);
    CHECK(strcmp(out.data, "2 passes because lanes 0 and 16 want different words of bank 0.") == 0);
    bsim_report_pictures(&picture, 1, BSIM_TEXT, &style, &out);
    bsim_report_pictures(&picture, 1, BSIM_SVG, NULL, &out);
    bsim_report_pictures(&picture, 1, BSIM_JSON, NULL, &out);
    bsim_report_strides(&picture.device, &stride, 1, &options, &out);
    bsim_report_shuffle(&ask, &options, &out);
    HAS(&out, "2 wavefronts, ideal 1, excessive 1, 2-way");
    HAS(&out, "</svg>");
    HAS(&out, "\"requests\"");
    CHECK(bsim_buffer_status(&out, NULL) == BSIM_OK);
    bsim_buffer_free(&out);
}

static void tensors(void)
{
    struct bsim_report_options options = {.format = BSIM_CSV};
    struct bsim_tma tma;
    struct bsim_wgmma wgmma;
    struct bsim_device device;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    CHECK(bsim_device_find("sm_90", NULL, &device, NULL) == BSIM_OK);
    CHECK(bsim_tma_parse("half box=64x64 swizzle=128B", &tma, NULL) == BSIM_OK);
    CHECK(bsim_wgmma_parse("m64n128k16 f16", &wgmma, NULL) == BSIM_OK);
    bsim_report_tma(&device, &tma, NULL, 0, &options, &out);
    HAS(&out, "sm_90,measured,load,64x64,2,128B,0,0,,,64,128,128,8192,2048,256,64,");
    bsim_report_wgmma(&device, "m64n128k16 f16", &wgmma, NULL, 0, &options, &out);
    HAS(&out, "sm_90,measured,m64n128k16 f16,128,2,0,48,0,64,64,64\n");
    bsim_buffer_free(&out);
}

int main(void)
{
    results();
    requests();
    checks();
    lists();
    pictures();
    tensors();
    return 0;
}
