/* expr.c - lines of CUDA instead of a trace. */
#include "example.h"

/* A sealed check; the caller frees it. */
static struct bsim_check *make(void)
{
    static const char text[] = "shared float tile[32][32]\n"
                               "for k = 0:2 {\n"
                               "    tile[k][threadIdx.x] = stranger;\n"
                               "}\n"
                               "load tile[threadIdx.x][0]\n";
    struct bsim_error err;
    struct bsim_check *check = bsim_check_new();
    CHECK(check != NULL);
    CHECK(bsim_check_add(check, "block", "32", "--block", &err) == BSIM_OK);
    CHECK(bsim_check_add_text(check, "kernel.cu", text, strlen(text), &err) == BSIM_OK);
    CHECK(bsim_check_add(check, "expect", "conflicts == 0", "--expect", &err) == BSIM_OK);
    CHECK(bsim_check_seal(check, &err) == BSIM_OK);
    return check;
}

static void contents(const struct bsim_check *check)
{
    const struct bsim_check_contents *has = bsim_check_contents(check);
    CHECK(has->n_arrays == 1 && has->array[0].dimension[1] == 32);
    CHECK(has->n_accesses == 2 && has->access[0].n_loops == 1);
    CHECK(strcmp(has->access[0].loop[0], "k") == 0);
    CHECK(has->n_strangers == 1 && strcmp(has->stranger[0], "stranger") == 0);
    CHECK(has->kernel->block.x == 32 && has->n_indices == 0 && !has->is_drawn);
}

/* The load's addresses, as they come by. */
static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    (void)err;
    if (request->access == 1) {
        memcpy(context, request->address, sizeof request->address);
    }
    return BSIM_OK;
}

static enum bsim_status look_wide(void *context, const struct bsim_check_request *request,
                                  struct bsim_error *err)
{
    (void)err;
    bsim_check_addresses(context, request, (uint64_t[BSIM_WARP_LANES]){0});
    return bsim_dim3_thread(bsim_check_contents(context)->kernel->block, 31).x == 31
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_USAGE, "another shape");
}

static void requests(const struct bsim_check *check)
{
    uint32_t address[BSIM_WARP_LANES] = {0};
    struct bsim_check_visitor visitor = {.shared = look, .context = address};
    CHECK(bsim_check_each(check, &visitor, NULL) == BSIM_OK);
    CHECK(address[0] == 0 && address[31] == 31 * 128);
    visitor = (struct bsim_check_visitor){.shared = look_wide, .context = (void *)(uintptr_t)check};
    CHECK(bsim_check_each(check, &visitor, NULL) == BSIM_OK);
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_check_push(context, "h200", sink, err);
}

static void expectations(struct bsim_check *check)
{
    struct bsim_source source = {.push = push, .context = check};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    bool holds = true;
    CHECK(bsim_run(&source, &options, &result, NULL) == BSIM_OK);
    const struct bsim_kernel_result *kernel = &result.kernels[0];
    const size_t load = 1;
    CHECK(bsim_check_expect(check, 0, kernel, load, &holds, NULL) == BSIM_OK && !holds);
    uint64_t value;
    CHECK(strcmp(bsim_check_value(kernel, load, 1, &value), "wavefronts") == 0 && value == 32);
    bsim_result_free(&result);
}

/* The same check with a padding that it does not declare. */
static enum bsim_status push_padded(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    static const struct bsim_layout pad = {.kind = BSIM_LAYOUT_PAD, .row = 32, .pad = 1};
    static const uint32_t begin = 0;
    static const struct bsim_laid laid = {.layout = &pad, .begin = &begin};
    return bsim_check_push_laid(context, &laid, sink, err);
}

static void other_layouts(struct bsim_check *check)
{
    struct bsim_source source = {.push = push_padded, .context = check};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    CHECK(bsim_run(&source, &options, &result, NULL) == BSIM_OK);
    struct bsim_tally total = bsim_kernel_total(&result.kernels[0]);
    CHECK(bsim_tally_excessive(&total) == 0);
    bsim_result_free(&result);
}

/* A load of an array that is only read is another instruction on a device without __ldg. */
static void devices(void)
{
    static const char text[] = "global const float *__restrict__ a\nfloat v = a[threadIdx.x];";
    struct bsim_check *check = bsim_check_new();
    struct bsim_device fermi;
    CHECK(bsim_check_add_text(check, "k.cu", text, strlen(text), NULL) == BSIM_OK);
    CHECK(bsim_check_seal(check, NULL) == BSIM_OK);
    CHECK(bsim_check_contents(check)->access[0].opcode.path == BSIM_NC);
    CHECK(bsim_device_find("sm_20", NULL, &fermi, NULL) == BSIM_OK);
    bsim_check_for(check, &fermi);
    CHECK(bsim_check_contents(check)->access[0].opcode.path == BSIM_USUAL_PATH);
    bsim_check_free(check);
}

/* A tile that lanes store and TMA stores to global memory, without and with the fence between both. */
static void fences(void)
{
    static const char *const texts[] = {"", "fence proxy.async.shared::cta\n"};
    for (uint32_t i = 0; i < 2; i++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY, lines = BSIM_BUFFER_EMPTY;
        struct bsim_check *check = bsim_check_new();
        bsim_buffer_printf(&text,
                           "block 32\nshared float tile[32][32]\nglobal float out[][32]\n"
                           "store tile[0][lane]\n%sif (lane == 0) {\ntma store tile[0], out[0][0]\n}\n",
                           texts[i]);
        CHECK(bsim_check_add_text(check, "k.check", text.data, text.size_bytes, NULL) == BSIM_OK);
        CHECK(bsim_check_seal(check, NULL) == BSIM_OK);
        CHECK(bsim_check_unfenced(check, &lines, NULL) == BSIM_OK);
        CHECK((lines.size_bytes > 0) == (i == 0));
        bsim_buffer_free(&text);
        bsim_buffer_free(&lines);
        bsim_check_free(check);
    }
}

/* What the check does, as a trace would tell it. */
static void recorded(struct bsim_check *check)
{
    struct bsim_recorder *recorder = bsim_recorder_new(0);
    struct bsim_check *made = bsim_check_new();
    struct bsim_replay replay = {push, check};
    struct bsim_device device;
    CHECK(recorder != NULL && made != NULL);
    struct bsim_sink sink = bsim_recorder_sink(recorder);
    CHECK(bsim_device_find(NULL, NULL, &device, NULL) == BSIM_OK);
    CHECK(push(check, &sink, NULL) == BSIM_OK);
    CHECK(bsim_recorder_kernel(recorder, 0)->n_requests == 3);
    CHECK(bsim_recorder_kernel(recorder, 1) == NULL);
    CHECK(bsim_recorder_excessive(recorder, 0, &device) == 31);
    CHECK(bsim_check_record(made, recorder, 0, &replay, NULL) == BSIM_OK);
    CHECK(bsim_check_seal(made, NULL) == BSIM_OK);
    CHECK(strcmp(bsim_check_contents(made)->array[0].name, "tile") == 0);
    bsim_check_free(made); /* and the recorder */
    bsim_recorder_free(NULL);
}

/* Where a request of a trace lies in the arrays that its kernel declares. */
static void declared(void)
{
    struct bsim_kernel kernel = {.name = "k", .extras = "x-shared=tile@0:float[32][33]"};
    struct bsim_request request = {.mask = 1, .address = {14 * 132 + 4}};
    struct bsim_check *arrays;
    struct bsim_check_request found;
    CHECK(bsim_opcode_parse("ld.shared.f32", 13, &request.opcode, NULL) == BSIM_OK);
    CHECK(bsim_check_declared(&kernel, &arrays, NULL) == BSIM_OK && arrays != NULL);
    CHECK(bsim_check_contents(arrays)->array[0].dimension[1] == 33);
    CHECK(bsim_check_locate(arrays, &request, &found));
    CHECK(found.array[0] == 0 && found.offset[0] / 4 == 14 * 33 + 1); /* tile[14][1] */
    bsim_check_free(arrays);
}

/* Padding leaves the work as it is. */
static void work(const struct bsim_check *check)
{
    static const char text[] = "shared float tile[32][33]\n"
                               "store tile[0][threadIdx.x]\n"
                               "store tile[1][threadIdx.x]\n"
                               "load tile[threadIdx.x][0]\n";
    struct bsim_check *padded = bsim_check_new();
    struct bsim_buffer lacks = BSIM_BUFFER_EMPTY;
    bool does = false;
    CHECK(bsim_check_add_text(padded, "padded", text, strlen(text), NULL) == BSIM_OK);
    CHECK(bsim_check_seal(padded, NULL) == BSIM_OK);
    CHECK(bsim_check_does_work(padded, &check, 1, &does, &lacks, NULL) == BSIM_OK && does);
    bsim_buffer_free(&lacks);
    bsim_check_free(padded);
}

int main(void)
{
    struct bsim_check *check = make();
    work(check);
    contents(check);
    requests(check);
    expectations(check);
    other_layouts(check);
    recorded(check);
    bsim_check_free(check);
    devices();
    fences();
    declared();
    CHECK(strcmp(bsim_check_word(0), "block") == 0); /* the words of bsim_check_add */
    return 0;
}
